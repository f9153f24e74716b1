"""The trained file and what runs it: TensorFlow Lite under either of its names, whichever file is quicker here.

It runs in a process of its own, `vision/inference.py`: a file that makes it crash there is a sentence here.
"""

import atexit
import contextlib
import fcntl
import hashlib
import json
import mmap
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.core import plainfile
from vision.apart import Apart, ApartError
from vision.deck import COLOURS, COUNTS, SHAPES, STATES
from vision.eye_errors import ModelError
from vision.squares import FINE_SIDE, SIDE, Squares

FOLDER = Path(__file__).parents[1] / "models"
CARD = "reader.json"
LARGEST_CARD = 1_000_000  # bytes
LARGEST = 50_000_000  # bytes of a model file; ours have less than one million
FORMAT = 2  # of the card; another number is another companion's
HEADS = {"state": STATES, "colour": COLOURS, "shape": SHAPES, "count": COUNTS}
RUNTIMES = ("tflite_runtime.interpreter", "ai_edge_litert.interpreter")
TRIALS = 5
WORTH_IT = 1.2  # so much quicker must the 8-bit file be to be preferred

LOGITS = sum(map(len, HEADS.values()))  # numbers that are answered for a square
WIDEST = 1024  # numbers that any model answers for one
SQUARE = SIDE * SIDE * 3  # bytes
MOST_SQUARES = 64  # at a time

Logits = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What the card beside the model files says of them."""

    deck: str
    files: dict[str, str]  # name to sha256
    temperatures: dict[str, float]  # head to what its logits are divided by
    accepted: float  # that no card lies there is told from this confidence on
    closer: "CloserCard"


@dataclass(frozen=True, slots=True)
class CloserCard:
    """What it says of the network that looks closely where a doubt is left."""

    files: dict[str, str]
    temperatures: dict[str, float]
    weight: float  # of what it says, beside the first network's 1
    accepted: float  # cards are told from this confidence on


@dataclass(frozen=True, slots=True)
class Model:
    """A file that is loaded and answers."""

    name: str
    runtime: str
    run: Callable[[Squares], Logits]
    micros: float  # for one square, here, when it was chosen


def card_in(folder: Path = FOLDER, deck: str = "") -> ModelCard:
    """Read the model card and make sure that it is about this deck, if one is named, and about cards such as these."""
    path = folder / CARD
    try:
        told = json.loads(plainfile.text(path, LARGEST_CARD))
        if told["format"] != FORMAT:
            raise ModelError(
                f"{path} has format {told['format']} and this companion reads {FORMAT}: take the one it came with."
            )
        card = ModelCard(
            deck=str(told["deck"]),
            files={str(name): str(about["sha256"]) for name, about in told["files"].items()},
            temperatures={name: float(told["temperatures"][name]) for name in HEADS},
            accepted=float(told["accepted"]),
            closer=_closer(told["closer"]),
        )
        labels = {name: tuple(values) for name, values in told["labels"].items()}
        sides = told["side"], told["closer"]["side"]
        _must_be_usable(card)
    except OSError as error:
        raise ModelError(
            f"{path} cannot be read ({error.strerror}): make it with `make train`, or take it from the project."
        ) from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{path} is not the card of a reader's model: take the one from the project.") from None
    if deck and card.deck != deck:
        raise ModelError(f"{path} is for the deck {card.deck}, not for {deck}.")
    if labels != HEADS or sides != (SIDE, FINE_SIDE):
        raise ModelError(f"{path} is for another version of the deck {card.deck}: take the one from the project.")
    if not (card.files and card.closer.files):
        raise ModelError(f"{path} names no model file.")
    return card


def _closer(told: dict[str, Any]) -> CloserCard:
    return CloserCard(
        files={str(name): str(about["sha256"]) for name, about in told["files"].items()},
        temperatures={name: float(told["temperatures"][name]) for name in HEADS},
        weight=float(told["weight"]),
        accepted=float(told["accepted"]),
    )


def _must_be_usable(card: ModelCard) -> None:
    """Or a ValueError: the files lie beside the card, and its numbers are some that can be reckoned with."""
    if not all(name.isprintable() and name == Path(name).name for name in (*card.files, *card.closer.files)):
        raise ValueError("a file that lies elsewhere")
    numbers = (*card.temperatures.values(), *card.closer.temperatures.values(), card.closer.weight)
    shares = card.accepted, card.closer.accepted
    if not (all(0 < one < 1e6 for one in numbers) and all(0 <= one <= 1 for one in shares)):
        raise ValueError("a number out of all bounds")


def bytes_of(folder: Path, name: str, sha256: str, card: str = CARD) -> bytes:
    """A model file, whole and as its card describes it."""
    path = folder / name
    try:
        content = plainfile.content(path, LARGEST)
    except OSError as error:
        raise ModelError(
            f"The model {path} cannot be read ({error.strerror}): take it from the project again."
        ) from None
    if hashlib.sha256(content).hexdigest() != sha256:
        raise ModelError(
            f"The model {path} is damaged or of another version: it is not the file that {card} describes."
        )
    return content


def interpreter_class() -> tuple[str, Any]:
    """TensorFlow Lite, as far as one is installed."""
    for name in RUNTIMES:
        with contextlib.suppress(ImportError), _hushed():
            return name.partition(".")[0], import_module(name).Interpreter
    raise ModelError("Neither tflite-runtime nor ai-edge-litert is installed: `make play` installs the one that fits.")


def loaded(content: bytes, name: str, width: int = LOGITS, side: int = SIDE) -> Model:
    """One file, running on one thread, that answers so many numbers for a square of so many pixels."""
    runtime, interpreter_of = interpreter_class()
    blank: Squares = np.full((1, side, side, 3), 128, np.uint8)
    try:
        with _hushed():
            interpreter = interpreter_of(model_content=content, num_threads=1)
            interpreter.allocate_tensors()
            run = _runner(interpreter, width, side)
            run(blank)
    except ModelError:
        raise
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"{runtime} cannot load the model {name}: {str(error).splitlines()[0][:120]}.") from None
    return Model(name, runtime, run, min(_timed(run, blank) for _ in range(TRIALS)))


class ModelApart:
    """A file that is loaded and answers in the process that runs all of them. If that ends, the next question starts
    another."""

    def __init__(self, content: bytes, name: str, width: int, side: int) -> None:
        self._name, self._key, self._width, self._side = name, hashlib.sha256(content).hexdigest(), width, side
        self._content, self._loaded_by = content, 0
        with _asking:
            self.about = self._load()

    def _load(self) -> dict[str, Any]:
        content = _memory_of(len(self._content))
        try:
            os.pwrite(content, self._content, 0)
            order = {"load": self._name, "as": self._key, "width": self._width, "side": self._side}
            about = self._ask(order, content, _shared()[0])
        finally:
            os.close(content)
        self._loaded_by = _apart.pid
        return about

    def run(self, squares: Squares) -> Logits:
        most = most_squares(self._side)
        answers = [self._run(squares[start : start + most]) for start in range(0, len(squares), most)]
        return np.concatenate([np.empty((0, self._width), np.float32), *answers])

    def _run(self, squares: Squares) -> Logits:
        with _asking:
            if _apart.pid != self._loaded_by:
                self._load()
            shown, logits = of_memory(_shared()[1], len(squares), self._width, self._side)
            shown[:] = squares
            self._ask({"run": self._key, "count": len(squares)})
            return logits.copy()

    def _ask(self, order: dict[str, Any], *files: int) -> dict[str, Any]:
        try:
            answer, _ = _apart.ask(order, *files)
        except ApartError as error:
            sentence = f"The model {self._name} cannot be run ({error}): take it from the project again."
            raise ModelError(sentence) from None
        if "wrong" in answer:
            raise ModelError(str(answer["wrong"]))
        return answer


_apart = Apart("vision.inference")
_asking = threading.Lock()
atexit.register(_apart.close)
start_runtime = _apart.start


@cache
def _shared() -> tuple[int, mmap.mmap]:
    """Where squares and answers lie."""
    memory = _memory_of(MOST_SQUARES * (SQUARE + 4 * WIDEST))
    return memory, mmap.mmap(memory, 0)


def _memory_of(size: int) -> int:
    """Memory without a name that both processes see, and that neither can make shorter."""
    memory = os.memfd_create("model", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(memory, size)
    fcntl.fcntl(memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
    return memory


def most_squares(side: int) -> int:
    """So many of so many pixels have room in it."""
    return MOST_SQUARES * SIDE**2 // side**2


def of_memory(memory: mmap.mmap, count: int, width: int, side: int) -> tuple[Squares, Logits]:
    """So many squares in it, and their answers of so many numbers."""
    squares = np.frombuffer(memory, np.uint8, count * side * side * 3).reshape(count, side, side, 3)
    logits = np.frombuffer(memory, np.float32, count * width, MOST_SQUARES * SQUARE).reshape(count, width)
    return squares, logits


def loaded_apart(content: bytes, name: str, width: int = LOGITS, side: int = SIDE) -> Model:
    """The same as `loaded`, in another process."""
    model = ModelApart(content, name, width, side)
    return Model(name, str(model.about["runtime"]), model.run, float(model.about["micros"]))


def quickest(folder: Path = FOLDER, deck: str = "", only: str = "") -> tuple[ModelCard, Model]:
    """The file that is quickest where this runs, or the `only` one that is asked for."""
    card = card_in(folder, deck)
    return card, _quickest_of(card.files, folder, only, SIDE)


def quickest_closer(card: ModelCard, folder: Path = FOLDER, only: str = "") -> Model:
    """The same of the network that looks closely."""
    return _quickest_of(card.closer.files, folder, only, FINE_SIDE)


def _quickest_of(files: dict[str, str], folder: Path, only: str, side: int) -> Model:
    names = [name for name in files if only in name]
    if not names:
        raise ModelError(f"{folder / CARD} names no model {only!r}; it names {', '.join(files)}.")
    return quicker([loaded_apart(bytes_of(folder, name, files[name]), name, side=side) for name in names])


def quicker(models: Sequence[Model]) -> Model:
    """The one that is quickest here; the first of them unless another is worth it."""
    best = models[0]
    for model in models[1:]:
        if model.micros * WORTH_IT < best.micros:
            best = model
    return best


def _runner(interpreter: Any, width: int, side: int) -> Callable[[Squares], Logits]:
    asked, answer = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    if tuple(asked["shape"]) != (1, side, side, 3) or answer["shape"][-1] != width:
        raise ModelError("The model's input or output has another size than this companion's: take the project's own.")
    is_whole = asked["dtype"] == np.int8
    scale, zero = answer["quantization"]

    def run(squares: Squares) -> Logits:
        told = []
        for square in squares:
            # Of the 8-bit file, -128 is black: its scale is 1, as the pixels' is.
            shown = (square.view(np.int8) ^ -128) if is_whole else square.astype(np.float32)
            interpreter.set_tensor(asked["index"], shown[None])
            interpreter.invoke()
            told.append(interpreter.get_tensor(answer["index"])[0])
        logits = np.array(told, np.float32)
        return (logits - zero) * np.float32(scale) if is_whole else logits

    return run


def _timed(run: Callable[[Squares], Logits], blank: Squares) -> float:
    start = time.perf_counter_ns()
    run(blank)
    return (time.perf_counter_ns() - start) / 1000


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Without the libraries' own chatter, which goes past Python to the error output."""
    try:
        kept = os.dup(2)
    except OSError:
        yield
        return
    sys.stderr.flush()
    with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a descriptor is wanted
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)

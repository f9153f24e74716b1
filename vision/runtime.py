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
from vision.squares import SIDE, Squares

FOLDER = Path(__file__).parents[1] / "models"
CARD = "reader.json"
LARGEST_CARD = 1_000_000  # bytes
LARGEST = 50_000_000  # bytes of a model file; ours have less than one million
FORMAT = 1  # of the card; another number is another companion's
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
    accepted: float  # readings of at least this confidence are told


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
        )
        labels = {name: tuple(values) for name, values in told["labels"].items()}
        side = told["side"]
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
    if labels != HEADS or side != SIDE:
        raise ModelError(f"{path} is for another version of the deck {card.deck}: take the one from the project.")
    if not card.files:
        raise ModelError(f"{path} names no model file.")
    return card


def _must_be_usable(card: ModelCard) -> None:
    """Or a ValueError: the files lie beside the card, and its numbers are some that can be reckoned with."""
    if not all(name.isprintable() and name == Path(name).name for name in card.files):
        raise ValueError("a file that lies elsewhere")
    if not (all(0 < one < 1e6 for one in card.temperatures.values()) and 0 <= card.accepted <= 1):
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


def loaded(content: bytes, name: str, width: int = LOGITS) -> Model:
    """One file, running on one thread, that answers so many numbers for a square."""
    runtime, interpreter_of = interpreter_class()
    blank: Squares = np.full((1, SIDE, SIDE, 3), 128, np.uint8)
    try:
        with _hushed():
            interpreter = interpreter_of(model_content=content, num_threads=1)
            interpreter.allocate_tensors()
            run = _runner(interpreter, width)
            run(blank)
    except ModelError:
        raise
    except (ValueError, RuntimeError) as error:
        raise ModelError(f"{runtime} cannot load the model {name}: {str(error).splitlines()[0][:120]}.") from None
    return Model(name, runtime, run, min(_timed(run, blank) for _ in range(TRIALS)))


class ModelApart:
    """A file that is loaded and answers in the process that runs all of them. If that ends, the next question starts
    another."""

    def __init__(self, content: bytes, name: str, width: int) -> None:
        self._name, self._key, self._width = name, hashlib.sha256(content).hexdigest(), width
        self._content, self._loaded_by = content, 0
        with _asking:
            self.about = self._load()

    def _load(self) -> dict[str, Any]:
        content = _memory_of(len(self._content))
        try:
            os.pwrite(content, self._content, 0)
            about = self._ask({"load": self._name, "as": self._key, "width": self._width}, content, _shared()[0])
        finally:
            os.close(content)
        self._loaded_by = _apart.pid
        return about

    def run(self, squares: Squares) -> Logits:
        parts = range(0, len(squares), MOST_SQUARES)
        answers = [self._run(squares[start : start + MOST_SQUARES]) for start in parts]
        return np.concatenate([np.empty((0, self._width), np.float32), *answers])

    def _run(self, squares: Squares) -> Logits:
        with _asking:
            if _apart.pid != self._loaded_by:
                self._load()
            shown, logits = of_memory(_shared()[1], len(squares), self._width)
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


def of_memory(memory: mmap.mmap, count: int, width: int) -> tuple[Squares, Logits]:
    """So many squares in it, and their answers of so many numbers."""
    squares = np.frombuffer(memory, np.uint8, count * SQUARE).reshape(count, SIDE, SIDE, 3)
    logits = np.frombuffer(memory, np.float32, count * width, MOST_SQUARES * SQUARE).reshape(count, width)
    return squares, logits


def loaded_apart(content: bytes, name: str, width: int = LOGITS) -> Model:
    """The same as `loaded`, in another process."""
    model = ModelApart(content, name, width)
    return Model(name, str(model.about["runtime"]), model.run, float(model.about["micros"]))


def quickest(folder: Path = FOLDER, deck: str = "", only: str = "") -> tuple[ModelCard, Model]:
    """The file that is quickest where this runs, or the `only` one that is asked for."""
    card = card_in(folder, deck)
    names = [name for name in card.files if only in name]
    if not names:
        raise ModelError(f"{folder / CARD} names no model {only!r}; it names {', '.join(card.files)}.")
    return card, quicker([loaded_apart(bytes_of(folder, name, card.files[name]), name) for name in names])


def quicker(models: Sequence[Model]) -> Model:
    """The one that is quickest here; the first of them unless another is worth it."""
    best = models[0]
    for model in models[1:]:
        if model.micros * WORTH_IT < best.micros:
            best = model
    return best


def _runner(interpreter: Any, width: int) -> Callable[[Squares], Logits]:
    asked, answer = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    if tuple(asked["shape"]) != (1, SIDE, SIDE, 3) or answer["shape"][-1] != width:
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

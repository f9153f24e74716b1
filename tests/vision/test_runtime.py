"""The trained files: they say what the network said that they were made from, and refuse to be anything else."""

import hashlib
import json
import os
import random
import re
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.attacks.files import spoilt_model
from vision import runtime
from vision.eye_errors import ModelError
from vision.runtime import (
    CARD,
    FOLDER,
    FORMAT,
    HEADS,
    LOGITS,
    MOST_SQUARES,
    RUNTIMES,
    Model,
    bytes_of,
    card_in,
    interpreter_class,
    loaded,
    loaded_apart,
    most_squares,
    quickest,
    quickest_closer,
)
from vision.squares import FINE_SIDE, SIDE

FLOAT, WHOLE = "reader-float32.tflite", "reader-int8.tflite"
FINE_FLOAT, FINE_WHOLE = "closer-float32.tflite", "closer-int8.tflite"
LARGEST = 1_000_000  # bytes of a file
Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The models, to be damaged."""
    return Path(shutil.copytree(FOLDER, tmp_path / "models"))


def refused(folder: Path, deck: str = "triple3", only: str = "") -> str:
    with pytest.raises(ModelError) as error:
        quickest(folder, deck, only)
    sentence = str(error.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def rewritten(folder: Path, change: Change) -> None:
    told = json.loads((folder / CARD).read_text(encoding="utf-8"))
    change(told)
    (folder / CARD).write_text(json.dumps(told), encoding="utf-8")


# --- the files are what they were made from --------------------------------------------------------------------


def answers(name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What the network said of the squares to check by, and what the file says."""
    with np.load(FOLDER / f"{name.partition('-')[0]}-check.npz") as check:
        squares, logits = check["squares"], check["logits"]
    return logits, loaded((FOLDER / name).read_bytes(), name, side=squares.shape[1]).run(squares)


def heads(logits: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    ends = np.cumsum([len(values) for values in HEADS.values()])[:-1]
    return dict(zip(HEADS, np.split(logits, ends, 1), strict=True))


def leads(head: NDArray[np.float32]) -> NDArray[np.float32]:
    """How far the first is before the second, as logits."""
    second, first = np.sort(head, 1)[:, -2:].T
    return first - second


@pytest.mark.parametrize("name", [FLOAT, FINE_FLOAT])
def test_float_file_says_what_the_network_said(name: str) -> None:
    network, file = answers(name)
    assert network.shape == file.shape
    assert len(network) >= 50
    assert np.abs(network - file).max() <= 1e-3


@pytest.mark.parametrize("name", [WHOLE, FINE_WHOLE])
def test_8_bit_file_gives_the_same_labels(name: str) -> None:
    """Wherever the network does not waver; most of the squares are harder than a table's."""
    network, file = map(heads, answers(name))
    is_card = network["state"].argmax(1) == 0
    assert is_card.sum() >= 20
    for head in HEADS:
        said, told = network[head].argmax(1), file[head].argmax(1)
        matters = np.ones_like(is_card) if head == "state" else is_card
        assert (said == told)[matters].mean() >= 0.9
        assert (said == told)[matters & (leads(network[head]) > 1)].all()


def test_files_are_small_and_as_their_card_says() -> None:
    card = json.loads((FOLDER / CARD).read_text(encoding="utf-8"))
    assert set(card["files"]) == {FLOAT, WHOLE}
    assert set(card["closer"]["files"]) == {FINE_FLOAT, FINE_WHOLE}
    for name, told in (card["files"] | card["closer"]["files"]).items():
        content = bytes_of(FOLDER, name, told["sha256"])
        assert len(content) == told["bytes"] <= LARGEST


def test_loading_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    quickest()
    assert capfd.readouterr() == ("", "")


# --- damaged, of another version, absent -----------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 1, 1000, -1])
def test_a_file_cut_short(folder: Path, length: int) -> None:
    content = (folder / WHOLE).read_bytes()
    (folder / WHOLE).write_bytes(content[:length])
    assert refused(folder).startswith(f"The model {folder / WHOLE} is damaged or of another version")


def test_a_file_with_one_bit_wrong(folder: Path) -> None:
    content = bytearray((folder / FLOAT).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / FLOAT).write_bytes(content)
    assert "is damaged" in refused(folder)


def test_a_file_that_is_not_there(folder: Path) -> None:
    (folder / FLOAT).unlink()
    assert refused(folder).startswith(f"The model {folder / FLOAT} cannot be read (No such file or directory)")


def test_nothing_there(tmp_path: Path) -> None:
    assert refused(tmp_path).startswith(f"{tmp_path / CARD} cannot be read (No such file or directory)")


def test_no_model_at_all_with_the_right_checksum(folder: Path) -> None:
    """Whoever made the card wrongly is told by the runtime."""
    for content in (b"", b"no model"):
        (folder / FLOAT).write_bytes(content)
        rewritten(folder, lambda told, it=content: told["files"][FLOAT].update(sha256=hashlib.sha256(it).hexdigest()))  # type: ignore[misc]
        assert f"cannot load the model {FLOAT}" in refused(folder)


CARDS: dict[str, tuple[Change, str]] = {
    "a newer format": (
        lambda told: told.update(format=FORMAT + 1),
        f"has format {FORMAT + 1} and this companion reads",
    ),
    "an older format": (lambda told: told.update(format=0), "has format 0"),
    "another deck": (lambda told: told.update(deck="tarot"), "is for the deck tarot, not for triple3"),
    "other labels": (lambda told: told["labels"].update(colour=["red", "green"]), "another version of the deck"),
    "another side": (lambda told: told.update(side=64), "another version of the deck"),
    "no files": (lambda told: told.update(files={}), "names no model file"),
    "no labels": (lambda told: told.pop("labels"), "is not the card of a reader's model"),
    "no checksum": (lambda told: told["files"][FLOAT].pop("sha256"), "is not the card"),
    "no temperature": (lambda told: told["temperatures"].pop("count"), "is not the card"),
    "words for numbers": (lambda told: told.update(accepted="much"), "is not the card"),
    "a list of files": (lambda told: told.update(files=[FLOAT]), "is not the card"),
    "a file that lies elsewhere": (lambda told: told.update(files={"../one": {"sha256": ""}}), "is not the card"),
    "a file name with a hole": (lambda told: told.update(files={"one\0": {"sha256": ""}}), "is not the card"),
    "a number without end": (lambda told: told.update(accepted=10**400), "is not the card"),
    "a temperature of nothing": (lambda told: told["temperatures"].update(count=0), "is not the card"),
    "squares of another size to look at closely": (lambda told: told["closer"].update(side=96), "another version"),
    "nothing that looks closely": (lambda told: told.pop("closer"), "is not the card"),
    "cards that are never told": (lambda told: told["closer"].update(accepted=1.1), "is not the card"),
    "a weight of nothing": (lambda told: told["closer"].update(weight=0), "is not the card"),
    "a closer file that lies elsewhere": (
        lambda told: told["closer"].update(files={"../one": {"sha256": ""}}),
        "is not the card",
    ),
    "a temperature not a number": (lambda told: told["temperatures"].update(count=float("nan")), "is not the card"),
}


@pytest.mark.parametrize("what", CARDS)
def test_a_card_that_is_wrong(folder: Path, what: str) -> None:
    change, sentence = CARDS[what]
    rewritten(folder, change)
    assert sentence in refused(folder)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"3", b"\xff\xfe", b'"text"', b"[" * 10_000])
def test_a_card_that_is_none(folder: Path, content: bytes) -> None:
    (folder / CARD).write_bytes(content)
    assert "is not the card of a reader's model" in refused(folder)


def test_another_deck_is_asked_for(folder: Path) -> None:
    assert "is for the deck triple3, not for tarot" in refused(folder, deck="tarot")


def test_where_no_deck_is_asked_for_its_cards_decide(folder: Path) -> None:
    rewritten(folder, lambda told: told.update(deck="tarot"))
    assert card_in(folder).deck == "tarot"
    rewritten(folder, lambda told: told["labels"].update(colour=["red", "green"]))
    assert "another version of the deck tarot" in refused(folder, deck="")


def test_only_a_file_that_there_is(folder: Path) -> None:
    card, model = quickest(folder, only="int8")
    assert model.name == WHOLE
    assert quickest_closer(card, folder, "int8").name == FINE_WHOLE
    assert f"names no model 'float16'; it names {FLOAT}, {WHOLE}" in refused(folder, only="float16")


# --- the runtime -----------------------------------------------------------------------------------------------


def test_neither_runtime_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in RUNTIMES:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModelError, match="Neither tflite-runtime nor ai-edge-litert is installed"):
        loaded(b"", FLOAT)


def test_either_name_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    there, _ = interpreter_class()
    monkeypatch.setattr(runtime, "RUNTIMES", ("no_such_runtime.interpreter", f"{there}.interpreter"))
    assert interpreter_class()[0] == there


@pytest.mark.parametrize(
    ("micros", "taken"),
    [({FLOAT: 100.0, WHOLE: 90.0}, FLOAT), ({FLOAT: 100.0, WHOLE: 50.0}, WHOLE), ({FLOAT: 50.0, WHOLE: 900.0}, FLOAT)],
)
def test_the_quickest_is_taken_if_it_is_worth_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, micros: dict[str, float], taken: str
) -> None:
    def timed(_content: bytes, name: str, side: int) -> Model:
        assert side == SIDE
        return Model(name, "none", lambda squares: np.zeros((len(squares), 18), np.float32), micros[name])

    monkeypatch.setattr(runtime, "loaded_apart", timed)
    assert quickest(folder)[1].name == taken


class Interpreter:
    """As much of TensorFlow Lite as is used, with an input and output to choose."""

    def __init__(self, side: int = SIDE, told: int = 18) -> None:
        self.shown: list[NDArray[Any]] = []
        self._asked = {"index": 0, "shape": np.array([1, side, side, 3]), "dtype": np.int8}
        self._answer = {"index": 1, "shape": np.array([1, told]), "quantization": (0.5, -2)}
        self._told = told

    def get_input_details(self) -> list[dict[str, Any]]:
        return [self._asked]

    def get_output_details(self) -> list[dict[str, Any]]:
        return [self._answer]

    def set_tensor(self, _index: int, value: NDArray[Any]) -> None:
        self.shown.append(value)

    def invoke(self) -> None:
        pass

    def get_tensor(self, _index: int) -> NDArray[Any]:
        return np.arange(self._told, dtype=np.int8)[None]


@pytest.mark.parametrize("wrong", [{"side": 64}, {"told": 17}])
def test_another_networks_shape(wrong: dict[str, int]) -> None:
    with pytest.raises(ModelError, match="has another size than this companion's"):
        runtime._runner(Interpreter(**wrong), LOGITS, SIDE)


def test_of_8_bits_black_is_the_least() -> None:
    interpreter = Interpreter()
    square = np.zeros((2, SIDE, SIDE, 3), np.uint8)
    square[0, 0, 0], square[0, 0, 1] = 255, 128
    told = runtime._runner(interpreter, LOGITS, SIDE)(square)
    shown = interpreter.shown[0]
    assert shown.dtype == np.int8
    assert shown.shape == (1, SIDE, SIDE, 3)
    assert [int(shown[0, 0, at, 0]) for at in range(3)] == [127, 0, -128]
    assert told.shape == (2, 18)
    assert told[1].tolist() == [(value + 2) * 0.5 for value in range(18)]


# --- in a process of its own -----------------------------------------------------------------------------------


def some_squares(count: int, side: int = SIDE) -> NDArray[np.uint8]:
    return np.random.default_rng(1).integers(0, 256, (count, side, side, 3), np.uint8)


@pytest.mark.parametrize(("name", "side"), [(FLOAT, SIDE), (WHOLE, SIDE), (FINE_FLOAT, FINE_SIDE)])
def test_the_other_process_answers_the_same(name: str, side: int) -> None:
    content = (FOLDER / name).read_bytes()
    squares = some_squares(most_squares(side) + 3, side)  # more than are asked at a time
    assert most_squares(SIDE) == MOST_SQUARES
    here, there = loaded(content, name, side=side), loaded_apart(content, name, side=side)
    assert np.array_equal(there.run(squares), here.run(squares))
    assert there.run(squares[:0]).shape == (0, LOGITS)


def test_a_spoilt_file_with_the_right_checksum_is_a_sentence(folder: Path) -> None:
    """Whoever loads it reads and writes anywhere: on one machine it crashes, on another the runtime notices."""
    spoilt_model(folder, random.Random(1), 2000)
    crashed = r"The model \S+ cannot be run \(its process .+\): take it from the project again\."
    assert re.fullmatch(rf"{crashed}|\w+ cannot load the model .+\.", refused(folder))
    quickest()  # the next is loaded as ever


def test_one_that_crashes_when_it_is_asked_is_a_sentence_and_asked_again_works() -> None:
    model, squares = quickest()[1], some_squares(1)
    before = model.run(squares)
    runtime._apart.start()
    os.kill(runtime._apart.pid, signal.SIGSEGV)
    with pytest.raises(
        ModelError, match=r"cannot be run \(its process ended by SIGSEGV\): take it from the project again\."
    ):
        model.run(squares)
    assert np.array_equal(model.run(squares), before)

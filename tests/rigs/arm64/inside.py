"""Runs inside a machine of the rig: draws the pictures, or reads them with each model file and says what it read.

python3 -m tests.rigs.arm64.inside draw FOLDER
python3 -m tests.rigs.arm64.inside read FOLDER      one line of JSON
"""

import json
import sys
import time
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

import vision
from tests.rigs.arm64 import PYTHON_AGAIN
from vision import apart, runtime, still
from vision.card_drawing import BACK, face_picture
from vision.cell_answer import BuiltInDeck, CellAnswer
from vision.deck import CARDS, STATES
from vision.deck_file import BACK as BACK_OF
from vision.deck_file import MAT, DeckFile, read_deck, write_deck
from vision.eye_errors import SightError
from vision.features import FeatureNetwork
from vision.frames import Picture
from vision.markers import Finder
from vision.mat import SMALL
from vision.reader import Reader, Reading
from vision.runtime import FOLDER, interpreter_class
from vision.sheets import mat_picture
from vision.still import load_picture
from vision.teaching import Lesson, example_of

FILES = ("float32", "int8")
STORED = Path(vision.__file__).parent / "selftest"
TRIALS = 5
PATIENCE = 3600.0  # seconds
SEED = 4
PER_MM = 6
SIZE = (1280, 960)
OTHERS = ("empty", "face-down") * 4  # so that the deck fills eight tables
DECKS = 8
TAUGHT = "taught.deck"
NAMES = {"empty": MAT, "face-down": BACK_OF}  # as they are taught


# --- Pictures


def draw(folder: Path) -> None:
    """The whole deck on eight mats, each seen from elsewhere, and the truth of it; and the same taught from others."""
    dice = np.random.default_rng(SEED)
    things = dice.permutation([*CARDS, *OTHERS]).tolist()
    truth = {}
    for number in range(DECKS):
        name, cells = f"deck-{number + 1}.png", things[number * 9 : number * 9 + 9]
        cv2.imwrite(str(folder / name), photographed(table(cells, dice), dice))
        truth[name] = cells
    (folder / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    write_deck(folder / TAUGHT, taught_deck(things, dice))


def taught_deck(things: list[str], dice: np.random.Generator) -> DeckFile:
    """From one picture of each card, in other light and from elsewhere."""
    network = FeatureNetwork(only=FILES[0])
    lesson = Lesson("taught", "triple3", CARDS, 3, is_once=True, known={})
    for number in range(DECKS):
        cells = things[number * 9 : number * 9 + 9]
        picture = photographed(table(cells, dice), dice)
        for name, corners in zip(cells, Finder().find(picture).cells, strict=True):
            face = NAMES.get(name, name)
            lesson.show(face, example_of(picture, corners, network, dice))
    return lesson.deck(network.name)


def table(cells: list[str], dice: np.random.Generator) -> Picture:
    """A mat from above with cards that lie a little askew, some of them upside down."""
    sheet = mat_picture(SMALL, PER_MM)
    for (x, y), name in zip(SMALL.places, cells, strict=True):
        if name == "empty":
            continue
        side = round(SMALL.card[0] * PER_MM)
        face = face_picture(BACK if name == "face-down" else name, side)
        turn = np.radians(dice.uniform(-6, 6) + 180 * dice.integers(2))
        ways = np.array(((np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))))
        middle = np.array((x, y)) * PER_MM + dice.uniform(-8, 8, 2)
        lie = np.column_stack((ways, middle - ways @ (side / 2, side / 2)))
        cv2.warpAffine(face, lie, sheet.shape[1::-1], dst=sheet, borderMode=cv2.BORDER_TRANSPARENT)
    return sheet


def photographed(sheet: Picture, dice: np.random.Generator) -> Picture:
    """From the side, in warm light that falls off, out of focus by a little, with noise."""
    (height, width), (across, down) = sheet.shape[:2], SIZE
    fit = 0.94 * down / height
    corners = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    seen = (corners - (width / 2, height / 2)) * fit + (across / 2, down / 2) + dice.uniform(-25, 25, (4, 2))
    matrix = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))
    scene = np.full((down, across, 3), (70, 95, 130), np.uint8)
    cv2.warpPerspective(sheet, matrix, SIZE, dst=scene, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    left, right = dice.uniform(0.55, 0.95, 2).tolist()
    light = np.linspace(left, right, across)[None, :, None] * dice.uniform((0.7, 0.85, 0.95), 1.0)
    lit = cv2.GaussianBlur((scene * light).astype(np.float32), (0, 0), 0.7)
    return np.asarray(np.clip(lit + dice.normal(0, 3, lit.shape), 0, 255), np.uint8)


# --- Reading


def read(folder: Path) -> dict[str, Any]:
    """What this machine is, and what it reads with each file."""
    cv2.setNumThreads(1)
    check = np.load(FOLDER / "reader-check.npz")
    runtime = interpreter_class()[0]
    readers = {name: Reader(only=name) for name in FILES}
    return {
        "runtime": runtime.replace("_", "-"),
        "versions": {name: version(name) for name in (runtime, "numpy", "opencv-python-headless")},
        "source": squares_told(readers[FILES[0]], check["logits"]),
        "files": {name: told(name, reader, check["squares"], folder) for name, reader in readers.items()},
    }


def told(file: str, reader: Reader, squares: NDArray[np.uint8], folder: Path) -> dict[str, Any]:
    pictures = {path.name: path for place in (folder, STORED) for path in sorted(place.glob("*.[jp][pn]g"))}
    cells = {name: [of_cell(reading) for reading in seen(reader, path)] for name, path in pictures.items()}
    own = Reader(only=file, taught=read_deck(folder / TAUGHT))
    for path in sorted(folder.glob("*.png")):
        cells[f"{path.name}, taught"] = [of_cell(reading) for reading in seen(own, path)]
    return {
        "kernels": kernels(reader),
        "squares": squares_told(reader, reader.model.run(squares)),
        "cells": cells,
        "milliseconds": milliseconds(reader, next(iter(pictures.values()))),
    }


def seen(reader: Reader, path: Path) -> tuple[Reading, ...]:
    picture = load_picture(path)
    return reader.read(picture, Finder().find(picture).cells)


def of_cell(reading: Reading) -> str:
    return reading.card or reading.state


def squares_told(reader: Reader, logits: NDArray[np.float32]) -> dict[str, Any]:
    """Logits, the label of each square, and whether the reader would tell it."""
    deck = reader._deck
    assert isinstance(deck, BuiltInDeck)
    named = [of_square(deck.told(row)) for row in logits]
    return {
        "logits": logits.tolist(),
        "labels": [label for label, _ in named],
        "sure": [confidence >= deck.accepted for _, confidence in named],
    }


def of_square(answer: CellAnswer) -> tuple[str, float]:
    """The likeliest label of one look, and how likely it is."""
    state = STATES[int(answer.state.argmax())]
    if state == "card":
        return CARDS[int(answer.cards.argmax())], answer.confidence
    return state, float(answer.state.max())


def kernels(reader: Reader) -> str:
    """Whose code does the sums: XNNPACK's, for all or for some of the network, or the runtime's own."""
    interpreter = interpreter_class()[1](model_path=str(FOLDER / reader.model.name), num_threads=1)
    interpreter.allocate_tensors()
    names = [step["op_name"] for step in interpreter._get_ops_details()]
    return "XNNPACK" if "DELEGATE" in names else "its own"


def milliseconds(reader: Reader, path: Path) -> float:
    """For nine cells that were found already."""
    picture = load_picture(path)
    cells = Finder().find(picture).cells
    times = []
    for _ in range(TRIALS):
        start = time.perf_counter()
        reader.read(picture, cells)
        times.append(1000 * (time.perf_counter() - start))
    return median(times)


def be_patient() -> None:
    """Where the processor is emulated, what the reader starts beside itself is started otherwise, and is slow."""
    if Path(PYTHON_AGAIN).exists():
        sys.executable = PYTHON_AGAIN
    apart.START = runtime._apart.patience = still._decoder.patience = PATIENCE


def main(what: str, folder: Path) -> int:
    be_patient()
    if what == "draw":
        draw(folder)
        return 0
    try:
        print(json.dumps(read(folder)))
    except (SightError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))

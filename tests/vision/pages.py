"""The pictures of docs/reading.md, what the reader says of tables spoilt on purpose, the figures of models/README.md.

`python -m tests.vision.pages` makes them with the models that there are.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.watch.reading_text import as_data, called, in_words, why_not
from tests.vision.drawn import Dice
from tests.vision.laid import FOLDER as SELFTEST
from tests.vision.laid import Camera, Shot, seen, some_cards
from vision.card_drawing import BLANK
from vision.cells import cut
from vision.eye_errors import NoTableError
from vision.frames import Picture
from vision.locate import find_table
from vision.overlay import overlaid
from vision.reader import Reader
from vision.runtime import FOLDER as MODELS
from vision.still import load_picture

DOCS = Path(__file__).parents[2] / "docs"
PICTURES = DOCS / "reading"
PAGE = DOCS / "reading.md"
CELL = 4  # of nine, counted from 0: the middle one is spoilt
SHOWN = 1000  # pixels of a whole annotated picture
EXAMPLE = "lamp.jpg"


@dataclass(frozen=True, slots=True, eq=False)
class Spoilt:
    """A table with something wrong about it, mostly about the cell in the middle."""

    name: str
    done: str
    shot: Shot
    picture: Picture


def spoilt() -> Iterator[Spoilt]:
    dice = np.random.default_rng(41)
    shot = seen(some_cards(dice), dice)
    yield Spoilt("glare", "a lamp mirrored in a sleeve", shot, _with_glare(shot))
    yield Spoilt("hand", "a hand over the card", shot, _with_hand(shot))
    yield Spoilt("blurred", "far out of focus", shot, np.asarray(cv2.GaussianBlur(shot.picture, (0, 0), 4), np.uint8))
    yield Spoilt("dark", "nearly no light", shot, _darkened(shot.picture, 0.12, dice))
    blank = seen((*shot.truth[:CELL], BLANK, *shot.truth[CELL + 1 :]), dice)
    yield Spoilt("blank", "a blank card", blank, blank.picture)
    far = seen(shot.truth, dice, Camera((320, 240)))
    yield Spoilt("far", "seen from too far away", far, far.picture)
    two = seen(shot.truth, dice, covered=(0, 1))
    yield Spoilt("covered", "two markers beside each other covered", two, two.picture)
    yield Spoilt("twice", "two mats", shot, np.hstack([shot.picture, shot.picture]))


def _with_glare(shot: Shot) -> Picture:
    x, y = shot.cells[CELL].mean(0) - 12
    light = np.zeros(shot.picture.shape[:2], np.float32)
    cv2.ellipse(light, (round(float(x)), round(float(y))), (46, 24), 35, 0, 360, 1.0, -1)
    bright = cv2.GaussianBlur(light, (0, 0), 7)[..., None] * 330
    return np.asarray(np.clip(shot.picture + bright, 0, 255), np.uint8)


def _with_hand(shot: Shot) -> Picture:
    picture, skin = shot.picture.copy(), (118, 150, 205)
    x, y = map(int, shot.cells[CELL].mean(0))
    for across in (-44, -14, 16, 44):
        cv2.line(picture, (x + across, y - 20 - abs(across) // 3), (x + across, 720), (95, 125, 180), 34, cv2.LINE_AA)
        cv2.line(picture, (x + across, y - 20 - abs(across) // 3), (x + across, 720), skin, 28, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def _darkened(picture: Picture, share: float, dice: Dice) -> Picture:
    return np.asarray(np.clip(picture * share + dice.normal(0, 2, picture.shape), 0, 255), np.uint8)


def said_of(one: Spoilt, reader: Reader) -> str:
    try:
        table = find_table(one.picture)
    except NoTableError as error:
        return str(error)
    reading = reader.read(one.picture, table.cells)[CELL]
    if reading.card:
        right = "right" if reading.card == one.shot.truth[CELL] else "wrong"
        return f"Cell {CELL + 1}: {called(reading.card)} ({reading.confidence:.1%}), which is {right}."
    return why_not(reading)


def _shown(one: Spoilt) -> Picture:
    """The cell, or of a table that was not found all of it."""
    if one.picture.shape == one.shot.picture.shape and one.name != "covered":
        return cut(one.picture, one.shot.cells)[CELL]
    return np.asarray(cv2.resize(one.picture, (170, 96), interpolation=cv2.INTER_AREA), np.uint8)


def _failures(reader: Reader) -> str:
    rows = []
    for one in spoilt():
        cv2.imwrite(str(PICTURES / f"{one.name}.png"), _shown(one))
        rows.append(f"| ![{one.done}](reading/{one.name}.png) | {one.done} | {said_of(one, reader)} |")
    return "\n".join(("| the cell or the picture | what was done | what is said |", "|---|---|---|", *rows))


def _example(reader: Reader) -> tuple[str, str]:
    """What is told of one stored picture, in words and as JSON."""
    picture = load_picture(SELFTEST / EXAMPLE)
    table = find_table(picture)
    readings = reader.read(picture, table.cells)
    words = "\n".join((f"$ companion read {EXAMPLE}", *in_words(EXAMPLE, table, readings)))
    data = json.dumps(as_data(EXAMPLE, picture, table, readings), ensure_ascii=False)
    return f"```\n{words}\n```", f"```json\n{data}\n```"


def _annotated(name: str, reader: Reader) -> None:
    picture = load_picture(SELFTEST / name)
    table = find_table(picture)
    whole = overlaid(picture, table, reader.read(picture, table.cells), name)
    size = (SHOWN, round(whole.shape[0] * SHOWN / whole.shape[1]))
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(PICTURES / name), small, [int(cv2.IMWRITE_JPEG_QUALITY), 85])


def put(page: str, name: str, text: str) -> str:
    begin, end = f"<!-- {name}: begin -->", "<!-- end -->"
    return re.sub(f"{begin}.*?{end}", lambda _: f"{begin}\n{text}\n{end}", page, count=1, flags=re.DOTALL)


def _trained() -> str:
    """What the model's card says of files and figures, for people."""
    card = json.loads((MODELS / "reader.json").read_text(encoding="utf-8"))
    trained, held = card["trained"], card["held out"]
    closer, files = card["closer"], card["files"] | card["closer"]["files"]
    both = closer["held out"]
    rows = [
        "| file | bytes | sha256 |",
        "|---|---:|---|",
        *(f"| `{name}` | {about['bytes']:,} | `{about['sha256']}` |" for name, about in files.items()),
        "",
        f"The first was made with {trained['with']} in {trained['minutes']:.0f} minutes on two cores that had other",
        f"work, the second with {closer['trained']['with']}. Of the squares to check by:",
        "",
        f"| | the first, {held['squares']:,} | both together, {both['squares']:,} of wide editions |",
        "|---|---:|---:|",
        *(f"| {name} | {share:.2%} | {both['right'][name]:.2%} |" for name, share in held["right"].items()),
        "",
        f"Accepted is a confidence of {closer['accepted']:.3f} or more: {both['cards accepted']:.1%} of the cards of",
        f"wide editions, {both['wrong among accepted']:.2%} of them wrong. Temperatures of the first: {_heats(card)};",
        f"of both together, where the second counts {closer['weight']:g} times as much: {_heats(closer)}.",
    ]
    return "\n".join(rows)


def _heats(about: dict[str, Any]) -> str:
    return ", ".join(f"{name} {heat:g}" for name, heat in about["temperatures"].items())


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    about = MODELS / "README.md"
    about.write_text(put(about.read_text(encoding="utf-8"), "trained", _trained()), encoding="utf-8")
    reader = Reader()
    words, data = _example(reader)
    page = PAGE.read_text(encoding="utf-8")
    for name, text in (("failures", _failures(reader)), ("words", words), ("json", data)):
        page = put(page, name, text)
    PAGE.write_text(page, encoding="utf-8")
    for name in (EXAMPLE, "turned.jpg"):
        _annotated(name, reader)


if __name__ == "__main__":
    main()

"""The doors of the eye: `companion read` tells what lies on the nine cells of pictures, `companion doctor` why it can.

A picture that cannot be read is one sentence, and the others are still read.
"""

import contextlib
import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import whole
from companion.__main__ import is_short
from companion.exc import CompanionError

if TYPE_CHECKING:
    from vision.frames import Picture
    from vision.reader import Reader, Reading
    from vision.table import Table

WELL, WRONG = 0, 2  # exit codes
DECKS = ("triple3",)
ENDINGS = (".png", ".jpg", ".jpeg")
QUALITY = 92  # of a JPEG
LARGEST = 64_000_000  # bytes of the standard input, as of a file
ENOUGH = 6_000_000  # pixels; a larger picture is looked at smaller, and told of in its own pixels
FROM_INPUT = "-"

Say = Callable[[str], None]
Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be read, and how to tell it."""

    images: tuple[str, ...]
    as_json: bool = False
    picture: Path | None = None
    mat: bool = True
    corners: tuple[Corner, ...] | None = None


# --- what is asked for -----------------------------------------------------------------------------------------


def wished(
    images: Sequence[str],
    *,
    deck: str = DECKS[0],
    corners: str | None = None,
    picture: Path | None = None,
    mat: bool = True,
    as_json: bool = False,
) -> Wish:
    """Refuses what cannot be done before anything is opened."""
    if deck not in DECKS:
        raise CompanionError(f"--deck {deck[:40]}: the reader knows only the deck {', '.join(DECKS)}.")
    if images.count(FROM_INPUT) > 1:
        raise CompanionError("The standard input (-) can be read only once.")
    if picture is not None:
        _must_be_writable(picture, images)
    points = None if corners is None else corners_from(corners)
    return Wish(tuple(images), as_json, picture, mat, points)


def corners_from(text: str) -> tuple[Corner, ...]:
    """Four points `x,y`, clockwise around the table from its top left."""
    try:
        points = tuple(_corner(word) for word in text.split())
    except ValueError:
        points = ()
    if len(points) != 4:
        raise CompanionError(
            f'--corners {text[:60]!r}: write four corners in pixels, clockwise from the top left: "x,y x,y x,y x,y".'
        )
    turns = [_turn(*(points[(at + step) % 4] for step in range(3))) for at in range(4)]
    if all(turn < 0 for turn in turns):
        raise CompanionError(f"--corners {text!r}: they run anticlockwise; name them clockwise from the top left.")
    if not all(turn > 0 for turn in turns):
        raise CompanionError(
            f"--corners {text!r}: their lines cross or fold back; name them clockwise from the top left."
        )
    return points


def _corner(word: str) -> Corner:
    x, y = (float(part) for part in word.split(","))
    if not (abs(x) < 1e6 and abs(y) < 1e6):  # neither is not a number
        raise ValueError(word)
    return x, y


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    """Positive for a turn to the right, as seen in a picture."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])


def _must_be_writable(picture: Path, images: Sequence[str]) -> None:
    if _is_folder(picture, images):
        if picture.exists() and not picture.is_dir():
            raise CompanionError(f"--picture {picture}: with several images it names a folder, and this is a file.")
        if picture.suffix.lower() in ENDINGS and not picture.exists():
            raise CompanionError(f"--picture {picture}: with several images it names a folder; leave the ending off.")
        return
    if picture.suffix.lower() not in ENDINGS:
        raise CompanionError(f"--picture {picture}: the name must end in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}.")
    with contextlib.suppress(OSError, ValueError):
        if picture.samefile(images[0]):
            raise CompanionError(f"--picture {picture}: that is the picture to be read; name another file.")


def _is_folder(picture: Path, images: Sequence[str]) -> bool:
    return len(images) > 1 or picture.is_dir()


# --- reading ---------------------------------------------------------------------------------------------------


def read_pictures(wish: Wish, say: Say, complain: Say) -> int:
    """Tell of each picture what is on it; a sentence for each that fails."""
    reader = _reader()
    outputs = list(_outputs(wish))
    failed = False
    for image, output in zip(wish.images, outputs, strict=True):
        try:
            _read_one(wish, image, output, reader, say)
        except CompanionError as error:
            failed = True
            complain(str(error))
    return WRONG if failed else WELL


def _read_one(wish: Wish, image: str, output: Path | None, reader: "Reader", say: Say) -> None:
    picture, by = _loaded(image)
    try:
        table = _found(picture, wish, by)
    except CompanionError as error:
        raise CompanionError(f"{_named(image)}: {error}") from None
    readings = reader.read(picture, table.cells)
    if output:
        from vision.overlay import overlaid  # noqa: PLC0415

        keep(output, overlaid(picture, table, readings, Path(_named(image)).name))
    if wish.as_json:
        say(json.dumps(as_data(image, picture, table, readings, by), ensure_ascii=False))
    else:
        for line in in_words(_named(image), table, readings):
            say(line)


def _reader() -> "Reader":
    with packages():
        from vision.runtime import start_runtime  # noqa: PLC0415
        from vision.still import start_decoder  # noqa: PLC0415

        start_runtime()  # while the rest is loaded
        start_decoder()
        from vision.reader import Reader  # noqa: PLC0415

        return Reader(deck=DECKS[0])


@contextlib.contextmanager
def packages() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        if is_short(error):
            raise
        raise CompanionError(
            f"The package {error.name or error} is not installed or does not load: `make play` installs what is needed."
        ) from None


def _named(image: str) -> str:
    return "The standard input" if image == FROM_INPUT else image


def _loaded(image: str) -> tuple["Picture", float]:
    """The picture, and how many of its own pixels one of these is wide."""
    if image != FROM_INPUT:
        return _shrunk(Path(image))
    with tempfile.NamedTemporaryFile(prefix="companion-") as copy:
        _copy_input(Path(copy.name))
        try:
            return _shrunk(Path(copy.name))
        except CompanionError as error:
            raise CompanionError(str(error).replace(copy.name, _named(image))) from None


def _shrunk(path: Path) -> tuple["Picture", float]:
    from vision.still import load_picture, picture_size  # noqa: PLC0415

    picture = load_picture(path, most=ENOUGH)
    return picture, picture_size(path)[0] / picture.shape[1]


def _copy_input(path: Path) -> None:
    try:
        content = sys.stdin.buffer.read(LARGEST + 1)
        path.write_bytes(content)
    except OSError as error:
        raise CompanionError(f"The standard input cannot be read: {error.strerror or error}.") from None
    if len(content) > LARGEST:
        raise CompanionError(f"The standard input has more than {LARGEST // 1_000_000} MB: that is no picture.")


def _found(picture: "Picture", wish: Wish, by: float) -> "Table":
    import numpy as np  # noqa: PLC0415

    from vision.table import find_table  # noqa: PLC0415

    if wish.corners is None:
        return find_table(picture, mat=wish.mat)
    height, width = (round(side * by) for side in picture.shape[:2])
    for x, y in wish.corners:
        if not (0 <= x <= width and 0 <= y <= height):
            raise CompanionError(f"the corner {x:g},{y:g} is outside of the picture, which is {width} × {height}.")
    return find_table(picture, corners=np.array(wish.corners, np.float32) / np.float32(by), mat=wish.mat)


# --- in words --------------------------------------------------------------------------------------------------

_NO_CARD = {"empty": "(empty)", "face-down": "(face down)", "hand": "(covered)", "foreign": "(foreign)", "unclear": "?"}


def in_words(image: str, table: "Table", readings: Sequence["Reading"]) -> Iterator[str]:
    """The grid as it lies, then each cell that is not read, and why."""
    yield f"{image}: found by {how(table)}.{' ' + table.note if table.note else ''}"
    names = [called(reading.card) if reading.card else _NO_CARD[reading.state] for reading in readings]
    columns = [max(map(len, names[column::3])) for column in range(3)]
    for row in range(0, 9, 3):
        yield "  " + "   ".join(f"{names[row + at]:{columns[at]}}" for at in range(3)).rstrip()
    for reading in readings:
        if not reading.card:
            yield why_not(reading)


def how(table: "Table") -> str:
    if table.how == "markers" and table.mat:
        return f"the markers of the {table.mat.name} mat"
    return {"corners": "the corners given", "cards": "the cards alone"}.get(table.how, table.how)


def called(card: str) -> str:
    return card.replace("-", " ")


def why_not(reading: "Reading") -> str:
    """One line for a cell without a card."""
    sentence = f"Cell {reading.cell}: {reading.reason}"
    if reading.state == "unclear" and reading.likely:
        likely = ", ".join(f"{called(card)} ({chance:.0%})" for card, chance in reading.likely if chance >= 0.01)
        return f"{sentence.rstrip('.')}{'' if sentence.endswith('?') else '.'}{f' Likely: {likely}.' if likely else ''}"
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


# --- in data ---------------------------------------------------------------------------------------------------


def as_data(
    image: str, picture: "Picture", table: "Table", readings: Iterable["Reading"], by: float = 1.0
) -> dict[str, Any]:
    """What docs/reading.schema.json describes."""
    return {
        "image": image,
        "table": {"how": table.how, "mat": table.mat.name if table.mat else None, "note": table.note},
        "size": [round(picture.shape[1] * by), round(picture.shape[0] * by)],
        "cells": [
            _cell(reading, corners) for reading, corners in zip(readings, (table.cells * by).tolist(), strict=True)
        ],
    }


def _cell(reading: "Reading", corners: list[list[float]]) -> dict[str, Any]:
    colour, shape, count = reading.card.split("-") if reading.card else (None, None, None)
    return {
        "cell": reading.cell,
        "state": reading.state,
        "card": reading.card,
        "colour": colour,
        "shape": shape,
        "count": None if count is None else int(count),
        "confidence": round(reading.confidence, 4),
        "reason": reading.reason,
        "likely": [[card, round(chance, 4)] for card, chance in reading.likely],
        "corners": [[round(x, 1), round(y, 1)] for x, y in corners],
    }


# --- pictures kept ---------------------------------------------------------------------------------------------


def _outputs(wish: Wish) -> Iterator[Path | None]:
    """Where the annotated picture of each image goes; in a folder no two of them to one file."""
    if wish.picture is None or not _is_folder(wish.picture, wish.images):
        yield from [wish.picture] * len(wish.images)
        return
    try:
        wish.picture.mkdir(exist_ok=True)
    except OSError as error:
        raise CompanionError(f"The folder {wish.picture} cannot be made: {error.strerror}.") from None
    folder = wish.picture.resolve()
    taken = {Path(image).name for image in wish.images if Path(image).resolve().parent == folder}
    for image in wish.images:
        stem = "standard-input" if image == FROM_INPUT else Path(image).stem
        name, number = f"{stem}.png", 2
        while name in taken:
            name, number = f"{stem}-{number}.png", number + 1
        taken.add(name)
        yield wish.picture / name


def keep(path: Path, picture: "Picture") -> None:
    """Write a picture so that it is there whole or not at all."""
    import cv2  # noqa: PLC0415

    settings = [] if path.suffix.lower() == ".png" else [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY]
    written, content = cv2.imencode(path.suffix.lower(), picture, settings)
    if not written:
        raise CompanionError(f"{path} cannot be made of this picture.")
    try:
        whole.write(path, content.tobytes())
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror or error}.") from None

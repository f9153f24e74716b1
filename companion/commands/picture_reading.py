"""Reads pictures of a table, and tells of each what lies on its nine cells.

A picture that cannot be read is one sentence, and the others are still read.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.commands.picture_wish import FROM_INPUT, PictureWish, is_folder
from companion.core.errors import CompanionError
from companion.teaching.deck_choice import reader_of
from companion.watch.reading_text import as_data, in_words
from vision.frames import Picture
from vision.locate import TableView, find_table
from vision.runtime import start_runtime
from vision.still import load_picture, picture_size, start_decoder

if TYPE_CHECKING:
    from vision.reader import Reader

WELL, WRONG = 0, 2  # exit codes
LARGEST = 64_000_000  # bytes of the standard input, as of a file
ENOUGH = 6_000_000  # pixels; a larger picture is looked at smaller, and told of in its own pixels

Say = Callable[[str], None]


def read_pictures(wish: PictureWish, say: Say, complain: Say) -> int:
    """Tell of each picture what is on it; a sentence for each that fails."""
    reader = _reader(wish.deck)
    outputs = list(_outputs(wish))
    failed = False
    for image, output in zip(wish.images, outputs, strict=True):
        try:
            _read_one(wish, image, output, reader, say)
        except CompanionError as error:
            failed = True
            complain(str(error))
    return WRONG if failed else WELL


def _read_one(wish: PictureWish, image: str, output: Path | None, reader: "Reader", say: Say) -> None:
    picture, by = _loaded(image)
    try:
        table = _found(picture, wish, by)
    except CompanionError as error:
        raise CompanionError(f"{_named(image)}: {error}") from None
    readings = reader.read(picture, table.cells, table.mat)
    if output:
        from companion.commands.annotated_picture import annotate  # noqa: PLC0415  (loads the drawing of cards)

        annotate(output, picture, table, readings, Path(_named(image)).name)
    if wish.as_json:
        say(json.dumps(as_data(image, picture, table, readings, by), ensure_ascii=False))
    else:
        for line in in_words(_named(image), table, readings):
            say(line)


def _reader(deck: str) -> "Reader":
    start_runtime()
    start_decoder()
    return reader_of(deck)  # loads OpenCV while the two processes start


def _named(image: str) -> str:
    return "The standard input" if image == FROM_INPUT else image


def _loaded(image: str) -> tuple[Picture, float]:
    """The picture, and how many of its own pixels one of these is wide."""
    if image != FROM_INPUT:
        return _shrunk(Path(image))
    with tempfile.NamedTemporaryFile(prefix="companion-") as copy:
        _copy_input(Path(copy.name))
        try:
            return _shrunk(Path(copy.name))
        except CompanionError as error:
            raise CompanionError(str(error).replace(copy.name, _named(image))) from None


def _shrunk(path: Path) -> tuple[Picture, float]:
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


def _found(picture: Picture, wish: PictureWish, by: float) -> TableView:
    if wish.corners is None:
        return find_table(picture, mat=wish.mat)
    height, width = (round(side * by) for side in picture.shape[:2])
    for x, y in wish.corners:
        if not (0 <= x <= width and 0 <= y <= height):
            raise CompanionError(f"the corner {x:g},{y:g} is outside of the picture, which is {width} × {height}.")
    return find_table(picture, corners=np.array(wish.corners, np.float32) / np.float32(by), mat=wish.mat)


# --- pictures kept ---------------------------------------------------------------------------------------------


def _outputs(wish: PictureWish) -> Iterator[Path | None]:
    """Where the annotated picture of each image goes; in a folder no two of them to one file."""
    if wish.picture is None or not is_folder(wish.picture, wish.images):
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

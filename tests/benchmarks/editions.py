"""How well the drawn editions are read untaught, and our own deck under lamps mirrored in it.

`python -m tests.benchmarks.editions --pictures 28` reads as many pictures of each edition: three of four on a mat, one
on the bare table where the nine cards have to be found first, one of four with a lamp mirrored in a card or two.
Drawing takes most of the time, 0.6 s of a core for a picture on a mat and 2.3 s on the bare table: `--keep FOLDER`
keeps the pictures for the next time, which must be of the same renderer. `--groups` names what is wanted.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.reading import Cell, Reads, _part, _sought, shown
from tests.vision.second import Shot, Wish, shot
from tests.vision.second.editions import DRAWN, HELD_OUT, TUNED_BY
from vision.frames import Points
from vision.locate import find_table
from vision.mat import LARGE, SMALL, Mat
from vision.reader import Reader

PICTURES, FIRST = 28, 700_000
OURS = 4  # times as many of our own deck as of each edition
GROUPS = ("tuned-by", "held-out", "ours", "mirrored")
MIRRORED, BARE = 4, 4  # one of so many has a lamp in its cards, one of so many has no mat


@dataclass(frozen=True, slots=True)
class Asked:
    """A picture to draw, and what it is counted as."""

    seed: int
    wish: Wish
    group: str

    @property
    def name(self) -> str:
        told = hashlib.sha256(repr((self.seed, self.wish)).encode()).hexdigest()[:16]
        return f"{self.wish.edition}-{self.seed}-{told}"


@dataclass(frozen=True, slots=True)
class Read:
    """What was made of one picture."""

    asked: Asked
    is_found: bool
    cells: tuple[Cell, ...]
    glare: tuple[float, ...]


def asked(pictures: int, groups: tuple[str, ...] = GROUPS) -> Iterator[Asked]:
    """The pictures of each group, always the same ones first."""
    for group, names in (("tuned-by", TUNED_BY), ("held-out", HELD_OUT)):
        for name in names if group in groups else ():
            yield from _of_edition(name, group, pictures)
    for group in ("ours", "mirrored"):
        for number in range(OURS * pictures if group in groups else 0):
            mat = (SMALL, LARGE)[number % 2]
            wish = Wish("ours", mat, mirrored=group == "mirrored", quick=True)
            yield Asked(FIRST + 50_000 + number, wish, group)


def _of_edition(name: str, group: str, pictures: int) -> Iterator[Asked]:
    at = [edition.name for edition in DRAWN].index(name)
    width, height = DRAWN[at].size
    for number in range(pictures):
        mat = (SMALL if width == height else LARGE) if number % BARE else None
        wish = Wish(name, mat, mirrored=number % MIRRORED == 1, quick=mat is not None)
        yield Asked(FIRST + 1000 * at + number, wish, group)


def pictured(one: Asked, folder: Path | None) -> Shot:
    """Drawn, or as it was drawn before."""
    if folder is None:
        return shot(one.seed, one.wish, only_cells=one.wish.mat is not None)
    picture, about = folder / f"{one.name}.png", folder / f"{one.name}.json"
    if about.exists():
        told = json.loads(about.read_text())
        seen = cv2.imread(str(picture))
        assert seen is not None, picture
        quads: Points = np.array(told["quads"], np.float32)
        found = tuple(told["cells"]), quads, told["conditions"], one.wish.mat, tuple(told["glare"])
        return Shot(np.asarray(seen, np.uint8), *found)
    drawn = shot(one.seed, one.wish, only_cells=one.wish.mat is not None)
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(picture), drawn.picture)
    told = {"cells": drawn.cells, "quads": drawn.quads.tolist(), "conditions": drawn.conditions, "glare": drawn.glare}
    about.write_text(json.dumps(told))
    return drawn


def read(one: Asked, seen: Shot, reader: Reads) -> Read:
    """Where no mat tells the places the cards are looked for; what is not found is read where it is."""
    found = _sought(seen, find_table) if one.wish.mat is None else seen.quads
    cells = seen.quads if found is None else found
    readings = reader.read(seen.picture, cells)
    conditions = seen.conditions | {"place": _place(one.wish.mat)}
    told = tuple(
        Cell(one.wish.edition, truth, each.guess, each.card, each.state, each.likely[0][1] if each.likely else 0.0,
             conditions)
        for truth, each in zip(seen.cells, readings, strict=True)
    )  # fmt: skip
    return Read(one, found is not None, told, seen.glare)


def _place(mat: Mat | None) -> str:
    return f"{mat.name} mat" if mat else "no mat"


def measured(pictures: int, groups: tuple[str, ...], folder: Path | None, reader: Reads | None = None) -> list[Read]:
    reader = reader or Reader()
    return [read(one, pictured(one, folder), reader) for one in asked(pictures, groups)]


def tables(found: list[Read]) -> Iterator[str]:
    """Markdown: by group, and by edition."""
    yield "| | cells | right, none refused | claimed | wrong among claimed | colour | shape | count | found bare |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for group in GROUPS:
        some = [one for one in found if one.asked.group == group]
        if some:
            yield row(f"**{group}**", some)
        names = sorted({one.asked.wish.edition for one in some})
        for name in names if len(names) > 1 else ():
            yield row(name, [one for one in some if one.asked.wish.edition == name])


def row(name: str, found: list[Read]) -> str:
    cells = [cell for one in found for cell in one.cells]
    bare = [one for one in found if one.asked.wish.mat is None]
    claimed = sum(cell.card is not None for cell in cells)
    right, lies = sum(cell.is_right for cell in cells), sum(cell.is_lie for cell in cells)
    parts = " | ".join(_part(cells, at) for at in range(3))
    return (
        f"| {name} | {len(cells)} | {shown(right, len(cells))} | {shown(claimed, len(cells))} | {shown(lies, claimed)} "
        f"| {parts} | {shown(sum(one.is_found for one in bare), len(bare))} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Reading of editions that were not taught.")
    parser.add_argument("--pictures", type=int, default=PICTURES, help="of each edition")
    parser.add_argument("--groups", nargs="+", choices=GROUPS, default=list(GROUPS))
    parser.add_argument("--keep", type=Path, help="a folder for the pictures")
    told = parser.parse_args()
    for line in tables(measured(told.pictures, tuple(told.groups), told.keep)):
        print(line)  # noqa: T201


if __name__ == "__main__":
    main()

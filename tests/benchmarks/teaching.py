"""How well editions are read in other rooms and lights that were taught from eight pictures of nine cards in one.

`python -m tests.benchmarks.teaching --keep FOLDER` draws the pictures of fourteen editions, keeps them, and prints a
line for each of them and for all. Each deck is also shown a picture of every other edition: it should refuse its cards.
"""

import argparse
import json
import time
import zlib
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from tests.benchmarks.reading import shown
from tests.vision.second import Wish, editions, shot
from vision.deck import CARDS
from vision.deck_file import packed, unpacked
from vision.features import FeatureNetwork
from vision.frames import Picture, Points
from vision.mat import LARGE, SMALL, Mat
from vision.naming import named
from vision.reader import Reader
from vision.teaching import Lesson, example_of

PARTS = 3  # colour, shape, count


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A picture of nine cards, which they are, and where."""

    picture: Picture
    cells: tuple[str, ...]
    quads: Points


@dataclass(frozen=True, slots=True)
class Read:
    """One cell: what lies there, what is likeliest, what was told."""

    truth: str
    guess: str | None
    told: str | None


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of one edition: its own cells, the cells of other editions, cards named rightly if nobody names them,
    the seconds that its eight pictures took, and the bytes of its file."""

    own: list[Read]
    foreign: list[Read]
    named: int
    seconds: float
    size: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A picture to draw."""

    seed: int
    wish: Wish

    def table(self, keep: Path) -> Table:
        """From the folder, if it was drawn before."""
        base = self.base(keep)
        if not base.with_suffix(".json").exists():
            seen = shot(self.seed, self.wish, only_cells=True)
            keep.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(base.with_suffix(".png")), seen.picture)
            about = {"cells": seen.cells, "quads": seen.quads.tolist()}
            base.with_suffix(".json").write_text(json.dumps(about), encoding="utf-8")
        about = json.loads(base.with_suffix(".json").read_text(encoding="utf-8"))
        picture = cv2.imread(str(base.with_suffix(".png")))
        return Table(picture, tuple(about["cells"]), np.array(about["quads"], np.float32))

    def base(self, keep: Path) -> Path:
        return keep / f"{self.wish.edition}-{self.seed}-{zlib.crc32(repr(self.wish).encode()):08x}"


def plans(name: str, pictures: int) -> tuple[list[Plan], list[Plan]]:
    """All cards of an edition in one room, on a mat, the last eight places again; and the same copy of it elsewhere:
    other rooms, lights, papers, with a mat and without."""
    seed = sum(map(ord, name))
    rng = np.random.default_rng(seed)
    order = [CARDS[at] for at in rng.permutation(64)]
    order += [order[at] for at in rng.permutation(56)[:8]]
    mat = _mat(name)
    taught = [
        Wish(name, mat, slipped=False, cards=tuple(order[at : at + 9]), copy=seed, room=seed, paper="matte")
        for at in range(0, len(order), 9)
    ]
    others = [
        Wish(name, (mat, None)[at % 2], copy=seed, cards=tuple(map(str, rng.choice(CARDS, 9, replace=False))))
        for at in range(pictures)
    ]
    return (
        [Plan(seed * 1000 + at, wish) for at, wish in enumerate(taught)],
        [Plan(seed * 1000 + 100 + at, wish) for at, wish in enumerate(others)],
    )


def _mat(name: str) -> Mat:
    width, height = editions.drawn(name).size
    return SMALL if width == height else LARGE


def measured(name: str, pictures: int, keep: Path, network: FeatureNetwork, reader: Reader) -> Measured:
    rng = np.random.default_rng(5)
    lesson = Lesson(name, "triple3", CARDS, PARTS, is_once=True, known={})
    examples, answers, truth = [], [], []
    first, others = plans(name, pictures)
    tables, begun = [plan.table(keep) for plan in first], time.perf_counter()
    for table in tables:
        seen = reader.glance(table.picture, table.quads)
        for card, corners, answer in zip(table.cells, table.quads, seen.answers, strict=True):
            example = example_of(table.picture, corners, network, rng)
            if card not in truth:
                examples.append(example)
                answers.append(answer)
                truth.append(card)
            lesson.show(card, example)
    guessed = named(examples, answers, CARDS, CARDS, network.spread.strength, PARTS)
    content = packed(lesson.deck(network.name))
    seconds = time.perf_counter() - begun
    taught = Reader(taught=unpacked(content))
    elsewhere = [plans(other, 1)[1][0] for other in editions.NAMES if other != name]
    return Measured(
        [cell for plan in others for cell in _read(taught, plan.table(keep))],
        [cell for plan in elsewhere for cell in _read(taught, plan.table(keep))],
        sum(one.face == card for one, card in zip(guessed, truth, strict=True)),
        seconds,
        len(content),
    )


def _read(taught: Reader, table: Table) -> list[Read]:
    """By a copy of a reader that has seen no picture yet: what one remembers of the light is not of another room."""
    fresh = copy(taught)
    fresh._deck = copy(taught._deck)
    readings = fresh.read(table.picture, table.quads)
    return [Read(card, one.guess, one.card) for card, one in zip(table.cells, readings, strict=True)]


def shares_of(cells: list[Read]) -> list[str]:
    """How many cells there are, right, told, and wrong among told."""
    told = [cell for cell in cells if cell.told]
    right = sum(cell.guess == cell.truth for cell in cells)
    wrong = sum(cell.told != cell.truth for cell in told)
    return [
        str(len(cells)), shown(right, len(cells)), shown(len(told), len(cells)),
        f"{wrong} of {len(told)}, {shown(wrong, len(told))}",
    ]  # fmt: skip


def line(name: str, each: list[Measured]) -> str:
    shares = shares_of([cell for one in each for cell in one.own])
    foreign = [cell for one in each for cell in one.foreign]
    refused = sum(cell.told is None for cell in foreign)
    more = f"{sum(one.named for one in each)} of {len(each) * len(CARDS)}"
    cost = f"{max(one.seconds for one in each):.1f} s, {max(one.size for one in each):,} bytes"
    return f"| {name} | {' | '.join(shares)} | {shown(refused, len(foreign))} | {more} | {cost} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.teaching")
    parser.add_argument("--pictures", type=int, default=28, help="of each edition, to read")
    parser.add_argument("--keep", type=Path, default=Path("build/taught"), help="where pictures are kept")
    parser.add_argument("--only", nargs="*", default=editions.NAMES, help="editions")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    print("| edition | cells | right, none refused | told | wrong among told | others refused | named | cost |")  # noqa: T201
    print("|---|---|---|---|---|---|---|---|")  # noqa: T201
    network, reader = FeatureNetwork(), Reader()
    found: dict[str, Measured] = {}
    for name in asked.only:
        found[name] = measured(name, asked.pictures, asked.keep, network, reader)
        print(line(name, [found[name]]), flush=True)  # noqa: T201
    for group, names in (("tuned-by", editions.TUNED_BY), ("held-out", editions.HELD_OUT), ("all", editions.NAMES)):
        if each := [found[name] for name in names if name in found]:
            print(line(group, each))  # noqa: T201


if __name__ == "__main__":
    main()

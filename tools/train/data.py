"""Squares to learn from, made in chunks, each from a seed of its own: any number of processes makes the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.train.cell_scene import SHARES, Faces, Label, printer, sample
from tools.train.wide_art import WideEdition
from vision.cells import whitened
from vision.deck import State
from vision.frames import Picture
from vision.mat import LARGE, SMALL
from vision.squares import FINE_SIDE, SIDE, Squares

CHUNK = 500
PRINTED = 0.25  # of the squares show a printed copy of our own deck

Labels = NDArray[np.uint8]  # … × 4: state, colour, shape, count


@dataclass(frozen=True, slots=True, eq=False)
class Set:
    """Squares with their labels."""

    squares: Squares
    labels: Labels

    def __len__(self) -> int:
        return len(self.labels)


@cache
def printed(name: str) -> Picture:
    """A face of the deck that `companion print` makes."""
    from vision.card_drawing import face_picture  # noqa: PLC0415 - drawn only where it is trained

    card, _, tall = name.partition(" ")
    return face_picture(card, 150, (LARGE if tall else SMALL).card)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a network is shown while it learns."""

    side: int
    shares: dict[State, float]
    wide: float  # of the squares show a wide edition

    def edition(self, rng: np.random.Generator) -> Faces | None:
        chance = rng.random()
        if chance < PRINTED:
            return printer(rng, printed)
        return WideEdition(rng) if chance < PRINTED + self.wide else None


FIRST = Kind(SIDE, SHARES, 0.0)
MORE_CARDS: dict[State, float] = {name: 0.5 * share + 0.5 * (name == "card") for name, share in SHARES.items()}
SECOND = Kind(FINE_SIDE, MORE_CARDS, 0.6)


def chunk(number: int, seed: int, kind: Kind = FIRST) -> tuple[Squares, Labels]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, number])
    made = [sample(rng, kind.side, kind.edition, kind.shares) for _ in range(CHUNK)]
    squares = whitened(np.stack([square for square, _ in made]))
    return squares, np.array([_numbers(label) for _, label in made], np.uint8)


def _numbers(label: Label) -> tuple[int, int, int, int]:
    return label.state, label.colour, label.shape, label.count


def made(count: int, seed: int, folder: Path, kind: Kind = FIRST, processes: int = 2) -> Iterator[float]:
    """Write so many squares and their labels into a folder; yields the share that is done."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = (count, kind.side, kind.side, 3)
    squares = np.lib.format.open_memmap(folder / "squares.npy", "w+", np.uint8, shape)
    labels = np.lib.format.open_memmap(folder / "labels.npy", "w+", np.uint8, (count, 4))
    chunks = range(count // CHUNK)
    with get_context("spawn").Pool(processes) as pool:
        for number, (some, their) in enumerate(pool.imap(partial(chunk, seed=seed, kind=kind), chunks)):
            at = slice(number * CHUNK, (number + 1) * CHUNK)
            squares[at], labels[at] = some, their
            yield (number + 1) / len(chunks)
    squares.flush()
    labels.flush()


def loaded(folder: Path) -> Set:
    return Set(np.load(folder / "squares.npy", mmap_mode="r"), np.load(folder / "labels.npy"))

"""Squares to learn from, made in chunks, each from a seed of its own: any number of processes makes the same."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.train.cell_scene import Label, sample
from vision.cells import whitened
from vision.frames import Picture
from vision.mat import LARGE, SMALL
from vision.squares import SIDE, Squares

CHUNK = 500

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


def chunk(number: int, seed: int) -> tuple[Squares, Labels]:
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, number])
    made = [sample(rng, SIDE, printed) for _ in range(CHUNK)]
    squares = whitened(np.stack([square for square, _ in made]))
    return squares, np.array([_numbers(label) for _, label in made], np.uint8)


def _numbers(label: Label) -> tuple[int, int, int, int]:
    return label.state, label.colour, label.shape, label.count


def made(count: int, seed: int, folder: Path, processes: int = 2) -> Iterator[float]:
    """Write so many squares and their labels into a folder; yields the share that is done."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = (count, SIDE, SIDE, 3)
    squares = np.lib.format.open_memmap(folder / "squares.npy", "w+", np.uint8, shape)
    labels = np.lib.format.open_memmap(folder / "labels.npy", "w+", np.uint8, (count, 4))
    chunks = range(count // CHUNK)
    with get_context("spawn").Pool(processes) as pool:
        for number, (some, their) in enumerate(pool.imap(partial(chunk, seed=seed), chunks)):
            at = slice(number * CHUNK, (number + 1) * CHUNK)
            squares[at], labels[at] = some, their
            yield (number + 1) / len(chunks)
    squares.flush()
    labels.flush()


def loaded(folder: Path) -> Set:
    return Set(np.load(folder / "squares.npy", mmap_mode="r"), np.load(folder / "labels.npy"))

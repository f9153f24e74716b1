"""Squares that say how the features of one card scatter: cards of an edition, each seen in other rooms and lights.

What differs between the squares of one card is what a deck must not be told apart by; what differs between the cards of
one edition is what it may be. Cards that differ in one value only are drawn most often, for those are confused.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.train.card_art import Rng, a_style
from tools.train.cell_scene import printer, shown
from tools.train.data import printed
from vision.cells import whitened
from vision.squares import SIDE, Squares

SQUARES = "squares.npy"
CARDS, SCENES = 10, 6  # of an edition, and of a card


@dataclass(frozen=True, slots=True, eq=False)
class Scattered:
    """Squares, of which edition each is, and which card of it."""

    squares: Squares
    editions: NDArray[np.int64]
    cards: NDArray[np.int64]


def edition(number: int, seed: int) -> Squares:
    """CARDS × SCENES squares of an edition of its own."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng([seed, number])
    style = a_style(rng)
    own = printer(rng, printed) if rng.random() < 0.1 else None
    quarters, scale = int(rng.integers(4)), float(rng.uniform(0.72, 0.93))
    squares = [shown(rng, SIDE, style, own, card, quarters, scale) for card in _cards(rng) for _ in range(SCENES)]
    return whitened(np.stack(squares))


def _cards(rng: Rng) -> list[tuple[int, int, int]]:
    cards: list[tuple[int, int, int]] = []
    while len(cards) < CARDS:
        values = (
            list(cards[rng.integers(len(cards))]) if cards and rng.random() < 0.6 else rng.integers(0, 4, 3).tolist()
        )
        values[rng.integers(3)] = int(rng.integers(4))
        if (card := (values[0], values[1], values[2])) not in cards:
            cards.append(card)
    return cards


def scattered(count: int, seed: int, folder: Path, processes: int = 2) -> Iterator[float]:
    """Draw so many editions into a folder; yields the share that is done."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = (count * CARDS * SCENES, SIDE, SIDE, 3)
    squares = np.lib.format.open_memmap(folder / SQUARES, "w+", np.uint8, shape)
    with get_context("spawn").Pool(processes) as pool:
        for number, some in enumerate(pool.imap(partial(edition, seed=seed), range(count))):
            squares[number * len(some) : (number + 1) * len(some)] = some
            yield (number + 1) / count
    squares.flush()


def loaded(folder: Path) -> Scattered:
    squares = np.load(folder / SQUARES, mmap_mode="r")
    numbers = np.arange(len(squares))
    return Scattered(squares, numbers // (CARDS * SCENES), numbers // SCENES % CARDS)

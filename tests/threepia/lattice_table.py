"""Cards of Threepia that lie on the lattice before the drawn camera: for tests."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from companion.games.threepia.rules import card_of
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Lying, Script
from vision.frames import Picture
from vision.mat import LATTICE, Point

SECOND = 1_000_000_000
SLIP = 1.2  # mm
ASKEW = 2.0  # degrees


class LaidLattice(NamedTuple):
    picture: Picture
    symbols: dict[int, str]  # by cell


def middle_of(column: int, row: int) -> Point:
    """Of a card whose top left quarter lies there."""
    columns = LATTICE.shape[0]
    one, other = (np.array(LATTICE.places[at]) for at in (row * columns + column, (row + 1) * columns + column + 1))
    x, y = (one + other) / 2
    return float(x), float(y)


def laid(cards: Sequence[str], seed: int, *, slip: float = SLIP) -> LaidLattice:
    """These cards anywhere, turned anyhow."""
    rng, (columns, rows) = np.random.default_rng(seed), LATTICE.shape
    taken = np.zeros((rows, columns), bool)
    grid, places, symbols = [], [], {}
    for card in cards:
        free = [
            (row, column)
            for row in range(rows - 1)
            for column in range(columns - 1)
            if not taken[row : row + 2, column : column + 2].any()
        ]
        row, column = free[rng.integers(len(free))]
        taken[row : row + 2, column : column + 2] = True
        turned = int(rng.integers(4))
        x, y = rng.normal(0, slip, 2)
        grid.append((Lying(card, (float(x), float(y)), 90 * turned + float(rng.normal(0, ASKEW))),))
        places.append(middle_of(column, row))
        for corner, symbol in enumerate(card_of(card, turned).symbols):
            symbols[(row + corner // 2) * columns + column + corner % 2 + 1] = str(symbol)
    script = Script(seed, SECOND, tuple(grid), mat=LATTICE, places=tuple(places), paper="threepia")
    return LaidLattice(SimulatedTable(script).frame_at(0).picture, symbols)

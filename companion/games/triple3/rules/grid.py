"""The nine cells, their lines, and which card may lie where."""

from dataclasses import dataclass
from functools import cache

from companion.core.sentence import N_
from companion.games.triple3.rules.cards import BITS, VALUES

CELLS = tuple(range(1, 10))
LINES = (
    (N_("top row"), (1, 2, 3)),
    (N_("middle row"), (4, 5, 6)),
    (N_("bottom row"), (7, 8, 9)),
    (N_("left column"), (1, 4, 7)),
    (N_("middle column"), (2, 5, 8)),
    (N_("right column"), (3, 6, 9)),
    (N_("falling diagonal"), (1, 5, 9)),
    (N_("rising diagonal"), (7, 5, 3)),
)


def _others(cell: int) -> tuple[tuple[str, int, int], ...]:
    """The lines through a cell, each with its other two cells as places in the grid."""
    lines = [(name, [other - 1 for other in cells if other != cell]) for name, cells in LINES if cell in cells]
    return tuple((name, one, two) for name, (one, two) in lines)


_OTHERS = tuple(map(_others, CELLS))


@dataclass(frozen=True, slots=True)
class Triple:
    """A line that has got a new value in common."""

    line: str
    cells: tuple[int, ...]
    value: str
    before: tuple[str, ...]  # what the line had in common before


@dataclass(frozen=True, slots=True)
class CellAccepts:
    """The values of which a card needs one to be laid on the cell."""

    cell: int
    values: tuple[str, ...]


def accepted(grid: tuple[str, ...], cell: int) -> int:
    """The values of which a card needs one to be legal on the cell, as bits."""
    covered = BITS[grid[cell - 1]]
    bits = 0
    for _, one, two in _OTHERS[cell - 1]:
        bits |= BITS[grid[one]] & BITS[grid[two]]
    # What the covered card lacks, no line through it had; so a value gained in any line is new there.
    return bits & ~covered


def is_legal(grid: tuple[str, ...], cell: int, card: str) -> bool:
    return bool(accepted(grid, cell) & BITS[card])


@cache
def values_of(bits: int) -> tuple[str, ...]:
    return tuple(value for bit, value in enumerate(VALUES) if bits >> bit & 1)


def triples(grid: tuple[str, ...], cell: int, card: str) -> tuple[Triple, ...]:
    """The new triples that a card on a cell makes."""
    covered, new = BITS[grid[cell - 1]], BITS[card]
    return tuple(
        Triple(name, _cells_of(name), value, values_of(others & covered))
        for name, one, two in _OTHERS[cell - 1]
        for others in (BITS[grid[one]] & BITS[grid[two]],)
        for value in values_of(others & new & ~covered)
    )


def standing(grid: tuple[str, ...], cell: int, card: str) -> tuple[Triple, ...]:
    """What lines through the cell have in common with the card, but had in common before it."""
    covered, new = BITS[grid[cell - 1]], BITS[card]
    return tuple(
        Triple(name, _cells_of(name), value, values_of(others & covered))
        for name, one, two in _OTHERS[cell - 1]
        for others in (BITS[grid[one]] & BITS[grid[two]],)
        for value in values_of(others & new & covered)
    )


@cache
def _cells_of(line: str) -> tuple[int, ...]:
    return dict(LINES)[line]

"""The cells that are played on, and the rows, Ls and blocks that lie through each."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter

from companion.core.sentence import N_
from companion.games.threepia.rules.cards import Values

LONGEST = 6  # symbols in a row; the scoring goes no further
GAP = -2  # no symbol


Cell = int  # four times the number of a card place, plus the number of a corner
_Point = tuple[int, int]  # in half cards
NEAR = 4  # the cells around a card, itself in the middle, are so many wide and high


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """A row or column of symbols through a card, from end to end. Equal only to itself: it is a key."""

    name: str
    cells: tuple[Cell, ...]
    names: tuple[str, ...]
    own: int  # where the first of the card's own two symbols is
    others: int  # cells of other cards
    take: Callable[[Sequence[int]], Values]  # their values, from the card outwards: `own` before it, then those after


@dataclass(frozen=True, slots=True)
class _Geometry:
    """What follows from the places of a field: numbers by letter, names by cell, the rest by number."""

    numbers: dict[str, int]
    names: tuple[str, ...]  # of the cells
    lines: tuple[tuple[Line, ...], ...]  # two rows and two columns
    near: tuple[tuple[Cell | None, ...], ...]  # the sixteen cells around, row by row
    most: tuple[int, ...]  # points that the rows or the Ls of a card laid there can bring ...
    most_overlapping: tuple[int, ...]  # ... and all Ls of a block, where each of them counts


@dataclass(frozen=True)  # no slots: they have no room for what is cached
class Field:
    """Where cards lie, and what scores there."""

    name: str
    line: str  # row, or L
    places: tuple[tuple[str, int, int], ...]  # letter, and its top left corner in half cards

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(letter for letter, _, _ in self.places)

    @property
    def longest(self) -> int:
        """Symbols in the longest row or column."""
        return max(len(line.cells) for lines in self.geometry.lines for line in lines)

    @cached_property
    def geometry(self) -> _Geometry:
        at = {
            (x + corner % 2, y + corner // 2): 4 * number + corner
            for number, (_, x, y) in enumerate(self.places)
            for corner in range(4)
        }
        names = tuple(f"{letter}{corner}" for letter in self.letters for corner in (1, 2, 3, 4))
        lines = tuple(tuple(_lines_through(at, names, x, y)) for _, x, y in self.places)
        near = tuple(
            tuple(at.get((x - 1 + i % NEAR, y - 1 + i // NEAR)) for i in range(NEAR * NEAR)) for _, x, y in self.places
        )
        in_rows = [sum(line.others for line in through) for through in lines]
        in_blocks = [sum(_most_in(block, cells) for block in _blocks()) for cells in near]
        return _Geometry(
            {letter: number for number, letter in enumerate(self.letters)},
            names,
            lines,
            near,
            tuple(2 * count for count in (in_rows if self.line == "row" else in_blocks)),  # shape and colour
            tuple(2 * sum(_most_in(three, cells) for three in chain.from_iterable(LS)) for cells in near),
        )


def _lines_through(at: dict[_Point, Cell], names: tuple[str, ...], x: int, y: int) -> Iterator[Line]:
    for name, x1, y1, dx, dy in (
        ("row", x, y, 1, 0),
        ("row", x, y + 1, 1, 0),
        ("column", x, y, 0, 1),
        ("column", x + 1, y, 0, 1),
    ):
        before = tuple(_outwards(at, x1, y1, -dx, -dy))
        after = tuple(_outwards(at, x1 + dx, y1 + dy, dx, dy))
        cells = (*before[::-1], at[x1, y1], at[x1 + dx, y1 + dy], *after)
        others = before + after  # none, or at least the two of one card, which itemgetter needs for a tuple
        yield Line(
            name,
            cells,
            tuple(names[cell] for cell in cells),
            len(before),
            len(others),
            itemgetter(*others) if others else _no_values,
        )


def _no_values(_values: Sequence[int]) -> Values:
    return ()


def _outwards(at: dict[_Point, Cell], x: int, y: int, dx: int, dy: int) -> Iterator[Cell]:
    """The cells from one on, without it, up to the next gap."""
    while (cell := at.get((x := x + dx, y := y + dy))) is not None:
        yield cell


def _ls_closed_by(i: int) -> tuple[tuple[int, ...], ...]:
    """The Ls with a symbol of the card and another in the two-by-two window whose last cell is `i`."""
    own = set(OWN)
    window = (i - NEAR - 1, i - NEAR, i - 1, i)
    if i < NEAR or i % NEAR == 0:
        return ()
    threes = [(window[a], window[b], window[c]) for a, b, c in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))]
    return tuple(three for three in threes if own & set(three) and not set(three) <= own)


def _block_closed_by(i: int) -> tuple[tuple[int, ...], ...]:
    """The block of two by two whose last cell is `i` of the sixteen around a card, unless it is the card itself."""
    if i < NEAR or i % NEAR == 0 or i == max(OWN):
        return ()
    return ((i - NEAR - 1, i - NEAR, i - 1, i),)


_Around = tuple[tuple[tuple[int, ...], ...], ...]  # of the sixteen cells around a card, what each of them closes
OWN = {5: 0, 6: 1, 9: 2, 10: 3}  # the card itself is in the middle of them: its corners
LS: _Around = tuple(_ls_closed_by(i) for i in range(NEAR * NEAR))
BLOCKS: _Around = tuple(_block_closed_by(i) for i in range(NEAR * NEAR))
THREE = 3  # equal symbols make an L


def _blocks() -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(BLOCKS)


def _most_in(figure: tuple[int, ...], near: tuple[Cell | None, ...]) -> int:
    return max(0, sum(near[i] is not None for i in figure) - THREE + 1)


SQUARE = Field(N_("Square"), "row", (("A", 0, 0), ("B", 2, 0), ("C", 0, 2), ("D", 2, 2)))

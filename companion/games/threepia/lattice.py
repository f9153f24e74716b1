"""Where a field lies on a lattice, whichever way it was laid: which of its places are the corners of which card."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from companion.games.threepia.rules import CORNERS, Field

Shape = tuple[int, int]  # places of the lattice across and down
QUARTERS = 4


@dataclass(frozen=True, slots=True)
class LaidField:
    """A field on a lattice, turned by quarters clockwise; its top left half card is at a column and a row."""

    field: Field
    shape: Shape
    quarters: int
    column: int
    row: int

    @property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """Of each place of the field the numbers of its four corners on the lattice, in the order of the card's."""
        return tuple(
            tuple(self._cell(x + corner % 2, y + corner // 2) for corner in range(len(CORNERS)))
            for _, x, y in self.field.places
        )

    @property
    def places(self) -> dict[int, tuple[int, int]]:
        """By number on the lattice: of which place of the field it is, counted from 0, and which corner of its card."""
        return {cell: (at, corner) for at, four in enumerate(self.cells) for corner, cell in enumerate(four)}

    def _cell(self, x: int, y: int) -> int:
        across, down = _turned(x, y, size_of(self.field), self.quarters)
        return (self.row + down) * self.shape[0] + self.column + across + 1


def size_of(field: Field) -> Shape:
    """Half cards across and down."""
    return max(x for _, x, _ in field.places) + 2, max(y for _, _, y in field.places) + 2


def _turned(x: int, y: int, size: Shape, quarters: int) -> tuple[int, int]:
    """Where a half card is after quarter turns clockwise of all of them."""
    wide, high = size
    for _ in range(quarters):
        x, y, wide, high = high - 1 - y, x, high, wide
    return x, y


def ways_to_lie(field: Field, shape: Shape) -> Iterator[LaidField]:
    """Everywhere that there is room for it; upright first."""
    wide, high = size_of(field)
    for quarters in range(QUARTERS):
        across, down = (high, wide) if quarters % 2 else (wide, high)
        for row in range(shape[1] - down + 1):
            for column in range(shape[0] - across + 1):
                yield LaidField(field, shape, quarters, column, row)


def all_found_in(field: Field, shape: Shape, cells: Collection[int]) -> Iterator[LaidField]:
    """How a field may lie whose cards show symbols on just these places of the lattice."""
    wanted = frozenset(cells)
    return (way for way in ways_to_lie(field, shape) if wanted == way.places.keys())


def found_in(field: Field, shape: Shape, cells: Collection[int]) -> LaidField | None:
    """How it lies, upright where it looks the same in several ways; None if it is not that field."""
    return next(all_found_in(field, shape, cells), None)

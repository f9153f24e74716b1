"""Where a field lies on a lattice, whichever way it was laid: which of its places are the corners of which card."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from string import ascii_uppercase

from companion.core.sentence import N_
from companion.games.threepia.rules import CORNERS, Field, NotAFieldError, field_drawn

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


def picture_of(field: Field) -> tuple[str, ...]:
    """Row by row, a letter for each half card of a place."""
    wide, high = size_of(field)
    rows = [["."] * wide for _ in range(high)]
    for letter, x, y in field.places:
        for corner in range(len(CORNERS)):
            rows[y + corner // 2][x + corner % 2] = letter
    return tuple("".join(row) for row in rows)


def laid_out(shape: Shape, cells: Collection[int], line: str) -> LaidField:
    """The field whose cards show symbols on just these places, as it lies; NotAFieldError if none can be."""
    left = {((cell - 1) % shape[0], (cell - 1) // shape[0]) for cell in cells}
    if not left:
        raise NotAFieldError(N_("No cards lie there."))
    column, row = min(x for x, _ in left), min(y for _, y in left)
    places = list[tuple[str, int, int]]()
    while left:
        x, y = min(left, key=lambda one: (one[1], one[0]))  # nothing is above it, nor left of it in its row
        block = {(x + corner % 2, y + corner // 2) for corner in range(len(CORNERS))}
        if not block <= left or len(places) == len(ascii_uppercase):
            raise NotAFieldError(N_("What lies there is not made of whole cards, of two by two symbols each."))
        places.append((ascii_uppercase[len(places)], x - column, y - row))
        left -= block
    field = field_drawn(picture_of(Field("", line, tuple(places))), line)
    return LaidField(field, shape, 0, column, row)

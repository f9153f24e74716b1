"""Points for a card: the rows, Ls and blocks that it closes, the triangles read as what counts most."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, product

from companion.core.sentence import N_
from companion.games.threepia.rules.cards import COLOURS, SHAPES, WILD, Values, card_of
from companion.games.threepia.rules.events import Run, Stood
from companion.games.threepia.rules.field import BLOCKS, GAP, LS, NEAR, OWN, THREE, Cell, Line
from companion.games.threepia.rules.house import House

_Found = tuple[Run, tuple[Cell, ...]]


@dataclass(frozen=True, slots=True)
class Score:
    """The points for a card that was just laid, and what they rest on."""

    points: int
    runs: tuple[Run, ...]
    triangles: tuple[Stood, ...]
    bonuses: tuple[tuple[str, int], ...] = ()  # what the house gives for combinations


def score(house: House, lying: Sequence[str], place: str, covered: str = "") -> Score:
    """The most points for the card on a place, with each triangle standing for one shape and one colour. Where only
    new rows count, `covered` is the card that lay there before."""
    geometry = house.field.geometry
    number = geometry.numbers[place]
    cards = [card_of(text) for text in lying]
    was = card_of(covered) if covered and house.only_new_rows else None
    kind = _Rows if house.field.line == "row" else _Ls
    shapes = list(chain.from_iterable([card.shapes for card in cards]))
    colours = list(chain.from_iterable([card.colours for card in cards]))
    by_shape = kind(house, number, shapes, "shape", was.shapes if was else None)
    by_colour = kind(house, number, colours, "colour", was.colours if was else None)
    is_combined = house.axis_bonus or house.flush_bonus
    one, other = _best_ways(house, by_shape, by_colour) if is_combined else (by_shape.best(), by_colour.best())
    if not one.points and not other.points:
        return _NO_SCORE
    found = by_shape.found(one) if one.points else [], by_colour.found(other) if other.points else []
    bonuses = tuple([bonus for bonus in _bonuses(house, one, other) if bonus[1]]) if is_combined else ()
    runs = tuple([run for which in found for run, _ in which])
    points = one.points + other.points + sum([more for _, more in bonuses])
    return Score(points, runs, _stood(geometry.names, shapes, *found), bonuses)


_NO_SCORE = Score(0, (), ())


def most_points(house: House, place: str = "") -> int:
    """Points that a card laid on a place can bring; without a place, on any."""
    geometry = house.field.geometry
    if not place:
        return max(most_points(house, letter) for letter in geometry.numbers)
    number = geometry.numbers[place]
    overlaps = house.field.line != "row" and house.overlapping_l
    most = (geometry.most_overlapping if overlaps else geometry.most)[number]
    scoring = sum(1 << bit for bit, line in enumerate(geometry.lines[number]) if line.others)
    whole = _Way(most, scoring=scoring if house.field.line == "row" else most)
    return most + sum(more for _, more in _bonuses(house, whole, whole))


def _stood(
    names: tuple[str, ...], shapes: list[int], by_shape: list[_Found], by_colour: list[_Found]
) -> tuple[Stood, ...]:
    """The triangles among the symbols that score, and what each of them is."""
    shape = {cell: run.value for run, cells in by_shape for cell in cells if shapes[cell] == WILD}
    colour = {cell: run.value for run, cells in by_colour for cell in cells if shapes[cell] == WILD}
    return tuple([Stood(names[cell], shape.get(cell, ""), colour.get(cell, "")) for cell in sorted(shape | colour)])


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to take the triangles, by shape or by colour, and what it brings."""

    points: int
    taken: Values = ()
    scoring: int = 0  # a bit for each line, or for each block, that scores; where combinations count


_NO_WAY = _Way(0)
_AXES = (0b0011, 0b1100)  # the rows and the columns through a card


def _bonuses(house: House, by_shape: _Way, by_colour: _Way) -> Iterator[tuple[str, int]]:
    """What the house gives for the combinations of a card."""
    scoring = by_shape.scoring | by_colour.scoring
    if house.field.line == "row" and all(scoring & axis for axis in _AXES):
        yield N_("an axis"), house.axis_bonus
    if by_shape.scoring & by_colour.scoring:
        yield N_("a flush"), house.flush_bonus


def _best_ways(house: House, by_shape: "_Rows | _Ls", by_colour: "_Rows | _Ls") -> tuple[_Way, _Way]:
    """Shape and colour of a triangle do not depend on each other, but combinations rest on both."""

    def worth(ways: tuple[_Way, _Way]) -> int:
        return ways[0].points + ways[1].points + sum(more for _, more in _bonuses(house, *ways))

    return max(product(by_shape.ways(), by_colour.ways()), key=worth)


_VALUES = {"shape": SHAPES, "colour": COLOURS}
_OPTIONS = {"shape": (0, 1, 2), "colour": (0, 1, 2, 3)}  # for a triangle
_ROW_CORNERS = ((0, 1), (2, 3), (0, 2), (1, 3))  # of the card in its two rows and two columns
_UNKNOWN = (None,) * 4  # what they cover


class _Rows:
    """The rows and columns through a place, by shape or by colour.

    Only triangles of the card itself lie in two lines; each other one lies in one, and is best taken as
    what its row needs. So it is enough to try every value of the card's own triangles.
    """

    def __init__(self, house: House, place: int, values: list[int], by: str, was: Values | None) -> None:
        self._by = by
        self._lines = house.field.geometry.lines[place]
        self._own = values[4 * place : 4 * place + 4]
        pairs = [(was[one], was[other]) for one, other in _ROW_CORNERS] if was else _UNKNOWN
        self._worths = [
            _worth(line.own, line.take(values), pair) for line, pair in zip(self._lines, pairs, strict=True)
        ]

    def best(self) -> _Way:
        """The best way to take the triangles."""
        top, bottom, left, right = [worth.points for worth in self._worths]
        best, most = _NO_WAY, 0
        for a, b, c, d in self._cards():
            points = top[a][b] + bottom[c][d] + left[a][c] + right[b][d]
            if points > most:
                best, most = _Way(points, (a, b, c, d)), points
        return best

    def ways(self) -> list[_Way]:
        """The best way for each set of lines that score."""
        best: dict[int, _Way] = {}
        for card in self._cards():
            corners = zip(self._worths, _ROW_CORNERS, strict=True)
            points = [worth.points[card[one]][card[other]] for worth, (one, other) in corners]
            scoring = sum(1 << bit for bit in range(4) if points[bit])
            if scoring not in best or sum(points) > best[scoring].points:
                best[scoring] = _Way(sum(points), card, scoring)
        return list(best.values())

    def _cards(self) -> Iterable[Values]:
        """Every value of the card's own triangles."""
        if WILD not in self._own:
            return (tuple(self._own),)
        return product(*[_OPTIONS[self._by] if value == WILD else (value,) for value in self._own])

    def found(self, way: _Way) -> list[_Found]:
        found: list[_Found] = []
        for line, worth, (one, other) in zip(self._lines, self._worths, _ROW_CORNERS, strict=True):
            if worth.points[way.taken[one]][way.taken[other]]:
                found += _runs_of(line, worth, way.taken[one], way.taken[other], self._by)
        return found


_Span = tuple[int, int]  # of a row: where it begins and ends, counted from the card's first symbol in it


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a line can bring, by the values that the card's two symbols in it stand for."""

    points: tuple[tuple[int, ...], ...]
    spans: tuple[tuple[tuple[_Span, ...], ...], ...]  # of the rows that score


@lru_cache(maxsize=2048)
def _worth(own: int, others: Values, was: tuple[int, int] | None) -> _Worth:
    before, after = _reach(others[:own]), _reach(others[own:])
    spans = tuple(tuple(_spans(before, after, was, one, other) for other in range(4)) for one in range(4))
    points = tuple(tuple(sum(end - first - 2 for first, end in found) for found in row) for row in spans)
    return _Worth(points, spans)


def _spans(before: Values, after: Values, was: tuple[int, int] | None, one: int, other: int) -> tuple[_Span, ...]:
    """The rows that score, with the card's symbols standing for two values; one that stood before is none, if `was`
    says what they cover."""
    first = was is None or was[0] not in (one, WILD)
    second = was is None or was[1] not in (other, WILD)
    if one == other:
        spans = [(-before[one], 2 + after[other])] if first or second else []
    else:
        spans = [(-before[one], 1)] * first + [(1, 2 + after[other])] * second
    return tuple(span for span in spans if span[1] - span[0] > 2)


def _reach(outwards: Values) -> Values:
    """For each value, how far a row of it goes on outwards from a card."""
    reach = []
    for value in range(4):
        length = 0
        while length < len(outwards) and outwards[length] in (value, WILD):
            length += 1
        reach.append(length)
    return tuple(reach)


def _runs_of(line: Line, worth: _Worth, one: int, other: int, by: str) -> list[_Found]:
    """The one or two rows of a line that score, with the card's own symbols standing for two values."""
    return [
        _run(line, line.own + first, line.own + end, by, other if first > 0 else one)
        for first, end in worth.spans[one][other]
    ]


@lru_cache(maxsize=1024)
def _run(line: Line, first: int, last: int, by: str, value: int) -> _Found:
    return Run(line.name, line.names[first:last], by, _VALUES[by][value], last - first - 2), line.cells[first:last]


class _Ls:
    """The Ls around a place, by shape or by colour: of each block, or, where they overlap, each of its own."""

    def __init__(self, house: House, place: int, values: list[int], by: str, was: Values | None) -> None:
        self._by = by
        self._was = was
        self._names = house.field.geometry.names
        self._near = house.field.geometry.near[place]
        self._around = [GAP if cell is None else values[cell] for cell in self._near]
        self._closed = LS if house.overlapping_l else BLOCKS
        self._figures = tuple(chain.from_iterable(self._closed))

    def best(self, wanted: tuple[int, ...] | None = None) -> _Way:
        """The best way to take the triangles, or the best in which one figure scores, if it can."""
        taken = self._taken(wanted)
        points = [self._points(figure, taken) for figure in self._figures]
        return _Way(sum(points), taken, sum([1 << bit for bit, worth in enumerate(points) if worth]))

    def ways(self) -> list[_Way]:
        """The best way of all, and the best in which each figure scores."""
        return [self.best(), *map(self.best, self._figures)]

    def _taken(self, wanted: tuple[int, ...] | None) -> Values:
        """What the sixteen symbols around are best taken for, so that one figure scores before all others.

        The cells are gone through row by row. All that later Ls can depend on are the last five values, so of all
        the ways to take the triangles with the same last five only the best is kept.
        """
        # A value that no other symbol has is never better for a triangle than one that is there.
        present = tuple(sorted({value for value in self._around if value >= 0})) or (0,)
        best: dict[Values, tuple[int, Values]] = {(): (0, ())}
        for closed, value in zip(self._closed, self._around, strict=True):
            options = present if value == WILD else (value,)
            longer: dict[Values, tuple[int, Values]] = {}
            for points, path in best.values():
                for option in options:
                    taken = (*path, option)
                    total = points
                    for figure in closed:
                        worth = self._points(figure, taken)
                        total += worth + _FIRST if worth and figure == wanted else worth
                    last = taken[-NEAR - 1 :]
                    if last not in longer or total > longer[last][0]:
                        longer[last] = (total, taken)
            best = longer
        _, taken = max(best.values(), key=lambda way: way[0])
        return taken

    def _points(self, figure: tuple[int, ...], taken: Values) -> int:
        return max(0, len(self._equal(figure, taken)) - THREE + 1)

    def _equal(self, figure: tuple[int, ...], taken: Values) -> tuple[int, ...]:
        """Where a figure has its equal symbols; nowhere if they are too few, or stood before."""
        values = [taken[i] for i in figure]
        value = values[0] if values[0] == values[1] else values[2]  # one of any two, if all but one are equal
        if value == GAP or values.count(value) < THREE:
            return ()
        equal = tuple([i for i, other in zip(figure, values, strict=True) if other == value])
        return equal if self._was is None or self._is_new(equal, value, self._was) else ()

    def _is_new(self, equal: tuple[int, ...], value: int, was: Values) -> bool:
        return any(was[OWN[i]] not in (value, WILD) for i in equal if i in OWN)

    def found(self, way: _Way) -> list[_Found]:
        return [self._found(equal, way) for figure in self._figures if (equal := self._equal(figure, way.taken))]

    def _found(self, equal: tuple[int, ...], way: _Way) -> _Found:
        cells = tuple([cell for i in equal if (cell := self._near[i]) is not None])
        names = tuple([self._names[cell] for cell in cells])
        value = _VALUES[self._by][way.taken[equal[0]]]
        return Run("L", names, self._by, value, len(equal) - THREE + 1), cells


_FIRST = 1000  # more points than anything else brings

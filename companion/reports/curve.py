"""The curve of a match: everybody's scores over its moves, laid out as lines, ticks and shapes for whoever draws it.

Screen and paper draw the same. Lines that lie on each other share their place in dashes, one after the other, so each
of them is seen; at its end, and once on its way, each has its player's shape, so that nobody needs to see colours.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.reports.progress import PlayedMatch, Scores, rounds, steps

FEWEST = 3  # scores that make a curve worth looking at
MOST_TICKS = 6
DASH = 1.6  # how long a dash is, in sizes of letters
DIGIT = 0.62  # how wide a digit is, in sizes
LETTER = 0.58  # and a letter
SHAPE = 1.6  # how large a player's shape is
LEADS = 0.9  # how far behind the end of a line its shape is, in its own size

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Curve:
    """What is to be drawn."""

    colours: tuple[str, ...]  # of the players
    at: tuple[int, ...]  # moves after which the scores were these
    scores: tuple[Scores, ...]
    moves: int  # of the whole match
    rounds: tuple[int, ...] = ()  # the last move of each

    @property
    def is_worth_it(self) -> bool:
        return len(self.at) >= FEWEST


@dataclass(frozen=True, slots=True)
class Stroke:
    seat: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class CurveMark:
    """A player's shape, by its middle."""

    seat: int
    x: float
    y: float
    side: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A label of an axis, and where it belongs."""

    text: str
    place: float


@dataclass(frozen=True, slots=True)
class CurveLayout:
    """A curve in a room of some size; y runs down."""

    left: float
    top: float
    right: float
    bottom: float
    strokes: tuple[Stroke, ...]
    marks: tuple[CurveMark, ...]
    up: tuple[Tick, ...]
    along: tuple[Tick, ...]
    rounds: tuple[Tick, ...]


def curve_of(played: PlayedMatch) -> Curve:
    found = steps(played)
    return Curve(
        tuple(player.colour for player in played.setup.players),
        tuple(step.move for step in found),
        tuple(step.scores for step in found),
        max(1, len(played.line)),
        tuple(over.move for over in rounds(played)),
    )


def laid_out(curve: Curve, room: Point, size: float, names: tuple[str, str]) -> CurveLayout:
    """As large as the room is, with letters of that size and the names of the axes."""
    return _Room(curve, *room, size, names).layout()


class _Room:
    def __init__(self, curve: Curve, width: float, height: float, size: float, names: tuple[str, str]) -> None:
        self._curve, self._size = curve, size
        up, along = (size * (LETTER * len(name) + 0.5) for name in names)
        self._up_to, self._from = up, width - along  # where the names stand, above the one and behind the other
        values = [value for scores in curve.scores for value in scores]
        self._low, self._high = min(0, *values), max(1, *values)
        self._begin = curve.at[0]
        self.left = size * (0.6 + DIGIT * max(len(str(self._low)), len(str(self._high))))
        self.top, self.bottom = size * 1.5, height - size * 1.6
        self._side = min(size * SHAPE, (self.bottom - self.top + size) / len(curve.colours))
        self.right = width - self._side * (LEADS + 1)

    def layout(self) -> CurveLayout:
        ends = self._ends()
        leads = (Stroke(end.seat, ((self.right, self._last(end.seat)), (end.x, end.y))) for end in ends)
        return CurveLayout(
            self.left,
            self.top,
            self.right,
            self.bottom,
            (*self._strokes(), *leads),
            (*self._on_the_way(), *ends),
            tuple(self._up()),
            tuple(self._along()),
            tuple(self._rounds()),
        )

    # --- places

    def _x(self, move: float) -> float:
        moves = max(1, self._curve.moves - self._begin)
        return self.left + (self.right - self.left) * (move - self._begin) / moves

    def _y(self, value: float) -> float:
        return self.bottom - (self.bottom - self.top) * (value - self._low) / (self._high - self._low)

    # --- lines

    def _strokes(self) -> Iterator[Stroke]:
        curve = self._curve
        ends = (*curve.at[1:], curve.moves)
        for number, (begin, end) in enumerate(zip(curve.at, ends, strict=True)):
            yield from self._level(self._x(begin), self._x(end), curve.scores[number])
            if number + 1 < len(curve.at):
                yield from self._rise(self._x(end), curve.scores[number], curve.scores[number + 1])

    def _level(self, x1: float, x2: float, scores: Scores) -> Iterator[Stroke]:
        """Nothing changes for some moves."""
        equal: defaultdict[int, list[int]] = defaultdict(list)
        for seat, score in enumerate(scores):
            equal[score].append(seat)
        for score, seats in equal.items():
            y = self._y(score)
            for seat, start, stop in self._shared(seats, x1, x2):
                yield Stroke(seat, ((start, y), (stop, y)))

    def _rise(self, x: float, before: Scores, after: Scores) -> Iterator[Stroke]:
        seats = [seat for seat, (was, now) in enumerate(zip(before, after, strict=True)) if was != now]
        for seat in seats:
            y1, y2 = sorted((self._y(before[seat]), self._y(after[seat])))
            for owner, start, stop in self._shared(seats, y1, y2):
                if owner == seat:
                    yield Stroke(seat, ((x, start), (x, stop)))

    def _shared(self, seats: Sequence[int], begin: float, end: float) -> Iterator[tuple[int, float, float]]:
        """Whose dash lies where: they are counted from 0, so that they go on from one piece to the next."""
        if len(seats) == 1:
            yield seats[0], begin, end
            return
        dash = self._size * DASH
        number = int(begin // dash)
        while number * dash < end:
            start, stop = max(begin, number * dash), min(end, (number + 1) * dash)
            if stop > start:
                yield seats[number % len(seats)], start, stop
            number += 1

    # --- shapes

    def _last(self, seat: int) -> float:
        return self._y(self._curve.scores[-1][seat])

    def _ends(self) -> list[CurveMark]:
        """Behind the ends of the lines, below each other in their order, as near to them as there is room."""
        side, x = self._side, self.right + self._side * (LEADS + 0.5)
        order = sorted(range(len(self._curve.colours)), key=self._last)
        places: list[float] = []
        for seat in order:
            places.append(max(self._last(seat), places[-1] + side if places else side / 2))
        lowest = self.bottom + self._size * 0.4
        for number in range(len(places) - 1, -1, -1):
            places[number] = min(places[number], lowest - side / 2)
            lowest = places[number] - side / 2
        return [CurveMark(seat, x, y, side) for seat, y in zip(order, places, strict=True)]

    def _on_the_way(self) -> Iterator[CurveMark]:
        """Each at another place along the way."""
        count = len(self._curve.colours)
        for seat in range(count):
            move = self._begin + (self._curve.moves - self._begin) * (seat + 0.5) / count
            newest = max(number for number, at in enumerate(self._curve.at) if at <= max(move, self._begin))
            yield CurveMark(seat, self._x(move), self._y(self._curve.scores[newest][seat]), self._side * 0.7)

    # --- labels

    def _up(self) -> Iterator[Tick]:
        step = _step(self._high - self._low, (self.bottom - self.top) / (1.8 * self._size))
        for value in range(-(-self._low // step) * step, self._high + 1, step):
            yield Tick(str(value).replace("-", "−"), self._y(value))

    def _along(self) -> Iterator[Tick]:
        widest = self._size * (DIGIT * len(str(self._curve.moves)) + 1)
        step = _step(self._curve.moves - self._begin, (self.right - self.left) / widest)
        for move in range(-(-self._begin // step) * step, self._curve.moves + 1, step):
            text, x = str(move), self._x(move)
            yield Tick(text if x + self._size * DIGIT * len(text) / 2 < self._from else "", x)

    def _rounds(self) -> Iterator[Tick]:
        """Where a round ended; its number where there is room for one."""
        free = self._up_to
        for number, move in enumerate(self._curve.rounds, 1):
            x = self._x(move)
            yield Tick(str(number) if x >= free else "", x)
            free = x + self._size * (1 + DIGIT * len(str(number))) if x >= free else free


def _step(span: int, room: float) -> int:
    """The distance of ticks: 1, 2 or 5 and so many noughts, so that there are no more than there is room for."""
    most = max(1, min(MOST_TICKS, int(room)))
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if span / step <= most:
                return step
        power *= 10

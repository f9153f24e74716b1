"""A box of six boards for the Pi, with the token on its lid: what to cut, in millimetres, and how the boards interlock.

Where two boards meet, a bar as thick as a board runs along the edge of the box; it is parted into fingers, and each
finger is the one board's or the other's. The corner cubes are those of floor and lid. What is cut out in between is
nobody's: the two are made from one list, so that they fit by being made.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from vision.mat import Point

PI = (85.0, 56.0)  # a Raspberry Pi of the usual size ...
HOLES = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))  # ... and its four holes, from a corner
SCREW = 2.7  # for M2.5
AIR = 12.0  # around the Pi, for plugs that are bent and for air
UNDER = 55.0  # beneath the lid: a button with its switch and its plugs
CABLES = (46.0, 16.0)  # the opening in the back
FINGER = 3.0  # board thicknesses that a finger is wide, about
BOARDS = (2.0, 12.0)  # thicknesses for which fingers are sensible
LOOSE = 3.0  # between the boards on a sheet


@dataclass(frozen=True, slots=True)
class BoxWish:
    """What somebody has: boards so thick, a button with such a hole, a laser that burns away so much."""

    board: float = 3.0
    hole: float = 30.0  # for the button; 0 for none
    kerf: float = 0.0  # how wide the cut is: boards are drawn that much larger

    @property
    def inside(self) -> tuple[float, float, float]:
        """Width, depth and height."""
        side = max(PI[0], self.hole) + 2 * AIR
        return side, max(PI[1], self.hole) + 2 * AIR, UNDER if self.hole else 35.0


@dataclass(frozen=True, slots=True)
class CutBoard:
    """A board: its outline clockwise from its upper left corner, round holes, and openings by their corners."""

    name: str
    outline: tuple[Point, ...]
    holes: tuple[tuple[Point, float], ...] = ()  # middle and diameter
    openings: tuple[tuple[Point, ...], ...] = ()

    @property
    def size(self) -> Point:
        return max(x for x, _ in self.outline), max(y for _, y in self.outline)


@dataclass(frozen=True, slots=True)
class _Edge:
    """One side of a board: which of its stretches are its own, from its beginning."""

    length: float
    own: tuple[tuple[float, float], ...] = field(default=())

    def steps(self, board: float) -> Iterator[tuple[float, float, bool]]:
        """The whole side between the corner cubes."""
        marks = sorted({board, self.length - board, *(at for one in self.own for at in one)})
        for begin, end in pairwise(marks):
            middle = (begin + end) / 2
            yield begin, end, any(low < middle < high for low, high in self.own)


def fingers(length: float, board: float) -> tuple[tuple[float, float], ...]:
    """How a bar is parted between its corner cubes: an odd number of fingers, of which the first, the third … are
    the one board's."""
    free = length - 2 * board
    count = max(3, int(free / (FINGER * board)) // 2 * 2 + 1)
    return tuple((board + free * number / count, board + free * (number + 1) / count) for number in range(count))


def box_boards(wish: BoxWish) -> tuple[CutBoard, ...]:
    """Floor, lid, front, back, left and right, each seen from outside."""
    t = wish.board
    wide, deep, high = (side + 2 * t for side in wish.inside)
    across, along, up = fingers(wide, t), fingers(deep, t), fingers(high, t)
    flat = [_Edge(wide, across[::2]), _Edge(deep, along[::2])] * 2
    broad = [_Edge(wide, across[1::2]), _Edge(high, up[::2])] * 2
    narrow = [_Edge(deep, along[1::2]), _Edge(high, up[1::2])] * 2
    floor = CutBoard("floor", _outline(flat, t, has_corners=True), _of_pi(wide, deep))
    lid = CutBoard(
        "lid", _outline(flat, t, has_corners=True), (((wide / 2, deep / 2), wish.hole),) if wish.hole else ()
    )
    front = CutBoard("front", _outline(broad, t, has_corners=False))
    back = CutBoard("back", _outline(broad, t, has_corners=False), openings=(_opening(wide, high),))
    sides = (CutBoard(name, _outline(narrow, t, has_corners=False)) for name in ("left", "right"))
    return tuple(_wider(one, wish.kerf / 2) for one in (floor, lid, front, back, *sides))


def _of_pi(wide: float, deep: float) -> tuple[tuple[Point, float], ...]:
    left, top = (wide - PI[0]) / 2, (deep - PI[1]) / 2
    return tuple(((left + x, top + y), SCREW) for x, y in HOLES)


def _opening(wide: float, high: float) -> tuple[Point, ...]:
    """For cables, nearer to the floor, whose side of the board is the first."""
    x, y = wide / 2, high * 0.38
    half, tall = CABLES[0] / 2, CABLES[1] / 2
    return (x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall)


def _outline(edges: Sequence[_Edge], board: float, *, has_corners: bool) -> tuple[Point, ...]:
    """Around a board: where a stretch is another board's, it is cut back by a board's thickness."""
    found: list[Point] = []
    start, way = (0.0, 0.0), (1.0, 0.0)
    for edge in edges:
        inward = (-way[1], way[0])
        found.append(start if has_corners else _on(start, way, board, inward, board))
        for begin, end, is_own in edge.steps(board):
            back = 0.0 if is_own else board
            found += [_on(start, way, begin, inward, back), _on(start, way, end, inward, back)]
        start, way = _on(start, way, edge.length, inward, 0.0), inward
    return _without_steps(found)


def _on(start: Point, way: Point, far: float, inward: Point, back: float) -> Point:
    return start[0] + way[0] * far + inward[0] * back, start[1] + way[1] * far + inward[1] * back


def _without_steps(points: Sequence[Point]) -> tuple[Point, ...]:
    """Without points that are there twice or lie on a straight line between their neighbours."""
    kept = [one for at, one in enumerate(points) if math.dist(one, points[at - 1]) > 1e-9]
    return tuple(one for at, one in enumerate(kept) if abs(_turn(kept[at - 1], one, kept[(at + 1) % len(kept)])) > 1e-9)


def _turn(one: Point, two: Point, three: Point) -> float:
    return (two[0] - one[0]) * (three[1] - two[1]) - (two[1] - one[1]) * (three[0] - two[0])


def _wider(board: CutBoard, by: float) -> CutBoard:
    """As it is drawn so that it comes out right: the cut takes half of its width from each side of the line."""
    if not by:
        return board
    return CutBoard(
        board.name,
        _offset(board.outline, by),
        tuple((middle, diameter - 2 * by) for middle, diameter in board.holes),
        tuple(_offset(opening, -by) for opening in board.openings),
    )


def _offset(outline: Sequence[Point], by: float) -> tuple[Point, ...]:
    """Of an outline of right angles, clockwise: every side moved outwards."""
    found = []
    for at, one in enumerate(outline):
        before, after = outline[at - 1], outline[(at + 1) % len(outline)]
        moved = [(-(two[1] - first[1]), two[0] - first[0]) for first, two in ((before, one), (one, after))]
        x, y = (
            sum(math.copysign(by, -way[axis]) if abs(way[axis]) > 1e-9 else 0.0 for way in moved) for axis in (0, 1)
        )
        found.append((one[0] + x, one[1] + y))
    return tuple(found)


def laid_out(boards: Sequence[CutBoard], across: int = 2) -> tuple[tuple[CutBoard, Point], ...]:
    """Beside each other on a sheet, each with the place of its corner."""
    found: list[tuple[CutBoard, Point]] = []
    y = LOOSE
    for row in range(0, len(boards), across):
        some = boards[row : row + across]
        x = LOOSE
        for board in some:
            found.append((board, (x, y)))
            x += board.size[0] + LOOSE
        y += max(board.size[1] for board in some) + LOOSE
    return tuple(found)

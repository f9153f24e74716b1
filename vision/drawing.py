"""Drawings in millimetres: what is filled and stroked where, said once for every painter (`ink` and `pdf`).

x runs to the right and y down, from the top left corner of whatever is drawn.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from vision.mat import Point

Ink = tuple[int, int, int]  # red, green, blue
Box = tuple[float, float, float, float]  # left, top, right, bottom

WHITE: Ink = (255, 255, 255)
BLACK: Ink = (0, 0, 0)
PIECES = 24  # of a curve that is cut into straight ones
ROUND = 4 / 3 * (math.sqrt(2) - 1)  # how far the handles of a quarter circle reach, in radii


@dataclass(frozen=True, slots=True)
class Path:
    """A line from its start through its pieces: one point ends a straight one, three are a Bézier curve's."""

    start: Point
    pieces: tuple[tuple[Point, ...], ...]
    closed: bool = True


@dataclass(frozen=True, slots=True)
class DrawnMark:
    """Paths that are filled together, stroked, or both; ends and joints of a stroke are round."""

    paths: tuple[Path, ...]
    fill: Ink | None = None
    stroke: Ink | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class DrawnWords:
    """A line of plain letters; it stands upright whatever it is moved with."""

    at: Point  # on the line that the letters stand on
    text: str
    height: float  # of a capital letter
    ink: Ink
    align: Literal["left", "middle"] = "left"


Drawing = tuple[DrawnMark | DrawnWords, ...]


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """A sheet of paper and what is on it."""

    size: Point
    drawing: Drawing


def polygon(points: Iterable[Point]) -> Path:
    start, *others = points
    return Path(start, tuple((point,) for point in others))


def line(*points: Point) -> Path:
    return replace(polygon(points), closed=False)


def rectangle(box: Box, radius: float = 0.0) -> Path:
    left, top, right, bottom = box
    if not radius:
        return polygon([(left, top), (right, top), (right, bottom), (left, bottom)])
    r, near = radius, radius * (1 - ROUND)
    return Path(
        (left + r, top),
        (
            ((right - r, top),),
            ((right - near, top), (right, top + near), (right, top + r)),
            ((right, bottom - r),),
            ((right, bottom - near), (right - near, bottom), (right - r, bottom)),
            ((left + r, bottom),),
            ((left + near, bottom), (left, bottom - near), (left, bottom - r)),
            ((left, top + r),),
            ((left, top + near), (left + near, top), (left + r, top)),
        ),
    )


def disc(centre: Point, radius: float) -> Path:
    x, y = centre
    return rectangle((x - radius, y - radius, x + radius, y + radius), radius)


def wave(centre: Point, length: float, swing: float, arcs: int) -> Path:
    """A wavy line of so many arcs, the first one up (with a negative swing down), each so far from the middle line."""
    step = length / arcs
    x, y = centre[0] - length / 2, centre[1]
    reach, pull = step * 0.3642, swing * 4 / 3  # handles that make a curve nearly a sine
    pieces = []
    for arc in range(arcs):
        left, away = x + arc * step, y + (pull if arc % 2 else -pull)
        pieces.append(((left + reach, away), (left + step - reach, away), (left + step, y)))
    return Path((x, y), tuple(pieces), closed=False)


def moved(drawing: Drawing, to: Point = (0.0, 0.0), *, turn: float = 0.0, scale: float = 1.0) -> Drawing:
    """The same, turned by so many degrees and scaled about its origin, which then goes to a point."""
    across, down = scale * math.cos(math.radians(turn)), scale * math.sin(math.radians(turn))

    def there(point: Point) -> Point:
        x, y = point
        return to[0] + x * across - y * down, to[1] + x * down + y * across

    def of_path(path: Path) -> Path:
        return Path(there(path.start), tuple(tuple(map(there, piece)) for piece in path.pieces), path.closed)

    def of_one(one: DrawnMark | DrawnWords) -> DrawnMark | DrawnWords:
        if isinstance(one, DrawnWords):
            return replace(one, at=there(one.at), height=one.height * scale)
        return replace(one, paths=tuple(map(of_path, one.paths)), width=one.width * scale)

    return tuple(map(of_one, drawing))


def flattened(path: Path) -> list[Point]:
    """The path as corners, curves cut into straight pieces."""
    points = [path.start]
    for piece in path.pieces:
        points.extend(piece if len(piece) == 1 else _along((points[-1], *piece)))
    return points


def _along(curve: Sequence[Point]) -> Iterable[Point]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    for step in range(1, PIECES + 1):
        t = step / PIECES
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy

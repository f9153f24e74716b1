"""Curved outlines for drawings: through points, around a middle, and as seen in a mirror."""

import math
from collections.abc import Sequence
from dataclasses import replace

from vision.drawing import Drawing, DrawnMark, DrawnWords, Path
from vision.mat import Point

TAUT = 1 / 6  # of the way between a point's neighbours: how far a curve's handles reach
ROUND_BY = 15.0  # degrees between the corners of an arc


def smooth(*points: Point, closed: bool = True) -> Path:
    """A curve through the points, each passed in the direction from its neighbour before to the one behind."""
    count = len(points)
    pieces = []
    for number in range(count if closed else count - 1):
        before, start, end, behind = (_neighbour(points, number + step, closed=closed) for step in (-1, 0, 1, 2))
        leaving = (start[0] + (end[0] - before[0]) * TAUT, start[1] + (end[1] - before[1]) * TAUT)
        arriving = (end[0] - (behind[0] - start[0]) * TAUT, end[1] - (behind[1] - start[1]) * TAUT)
        pieces.append((leaving, arriving, end))
    return Path(points[0], tuple(pieces), closed)


def _neighbour(points: Sequence[Point], number: int, *, closed: bool) -> Point:
    return points[number % len(points)] if closed else points[min(max(number, 0), len(points) - 1)]


def ellipse(centre: Point, across: float, down: float, turn: float = 0.0) -> Path:
    """By its two radii, turned by so many degrees."""
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    around = ((across * math.cos(a), down * math.sin(a)) for a in (math.tau * step / 12 for step in range(12)))
    return smooth(*((centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos) for x, y in around))


def arc(centre: Point, radii: Point, start: float, stop: float) -> Path:
    """A part of an ellipse between two angles in degrees: 0 is to the right, 90 down."""
    steps = max(2, math.ceil(abs(stop - start) / ROUND_BY))
    angles = (math.radians(start + (stop - start) * step / steps) for step in range(steps + 1))
    return smooth(
        *((centre[0] + radii[0] * math.cos(a), centre[1] + radii[1] * math.sin(a)) for a in angles), closed=False
    )


def scallops(outline: Sequence[Point], bulge: float) -> Path:
    """A closed outline of arcs from point to point, each bulging outwards by so much of its length."""
    edges = list(zip(outline, (*outline[1:], outline[0]), strict=True))
    way = math.copysign(bulge, sum(ax * by - bx * ay for (ax, ay), (bx, by) in edges))
    pieces = []
    for (ax, ay), (bx, by) in edges:
        x, y = (by - ay) * way, (ax - bx) * way
        pieces.append(((ax + x, ay + y), (bx + x, by + y), (bx, by)))
    return Path(outline[0], tuple(pieces))


def mirrored(drawing: Drawing) -> Drawing:
    """Left for right."""

    def of_one(one: DrawnMark | DrawnWords) -> DrawnMark | DrawnWords:
        if isinstance(one, DrawnWords):
            return replace(one, at=(-one.at[0], one.at[1]))
        return replace(one, paths=tuple(map(_flipped, one.paths)))

    return tuple(map(of_one, drawing))


def both(*drawing: DrawnMark) -> Drawing:
    """Left and right."""
    return (*drawing, *mirrored(drawing))


def _flipped(path: Path) -> Path:
    pieces = tuple(tuple((-x, y) for x, y in piece) for piece in path.pieces)
    return replace(path, start=(-path.start[0], path.start[1]), pieces=pieces)

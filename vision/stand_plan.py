"""Where a camera has to stand over a mat: how high, how far aside, and what it then shows. Computed, not tried."""

import math
from dataclasses import dataclass

from vision.mat import Mat, Point
from vision.optics import PICTURE, Optics

MARKER, CELL = 24.0, 80.0  # pixels that are wanted of the sides of a marker, and of what the reader is shown of a card
AROUND = 20.0  # millimetres of table that are to be seen around the mat
ROOM = 1.06  # times the least height, so that nobody has to aim to the millimetre ...
HANDS = 400.0  # ... and no lower than that, where it may be so high: hands reach in under it
STEEPEST = 15  # degrees from straight above that the tables had on which reading was measured


@dataclass(frozen=True, slots=True)
class StandPlan:
    """Of one camera over one mat; lengths in millimetres, from the lens to the table."""

    mat: Mat
    optics: Optics
    least: float  # height at which the whole mat is in the picture
    most: float  # at which it is still sharp enough in pixels
    height: float  # that is proposed
    aside: float  # how far to the side it may stand, as far away as that

    @property
    def fits(self) -> bool:
        return self.least <= self.most

    @property
    def card(self) -> Point:
        """Pixels of a card, straight from above."""
        scale = self.optics.pixels / self.height
        return self.mat.card[0] * scale, self.mat.card[1] * scale

    @property
    def marker(self) -> float:
        return self.mat.marker_side * self.optics.pixels / self.height

    @property
    def dioptres(self) -> float:
        """The lens position."""
        return 1000 / self.height

    @property
    def sharp(self) -> tuple[float, float] | None:
        return self.optics.sharp(self.height)


def plan(mat: Mat, optics: Optics) -> StandPlan:
    """The mat lies along the longer side of the picture."""
    across, down = max(mat.size) + 2 * AROUND, min(mat.size) + 2 * AROUND
    focal = optics.pixels
    least = max(across * focal / PICTURE[0], down * focal / PICTURE[1], optics.nearest)
    most = min(mat.marker_side * focal / MARKER, mat.sight * mat.spans * focal / CELL)
    height = _centimetres(min(max(least * ROOM, HANDS), most)) if least <= most else least
    return StandPlan(mat, optics, least, most, height, _aside(mat, optics, height))


def _centimetres(length: float) -> float:
    return math.floor(length / 10) * 10.0


def _aside(mat: Mat, optics: Optics, away: float) -> float:
    """The farthest to the side, of either side of the mat, at which everything is still seen large enough."""
    found = 0.0
    for degrees in range(1, STEEPEST + 1):
        if not all(_is_well(mat, optics, away, degrees, along=along) for along in (True, False)):
            break
        found = away * math.sin(math.radians(degrees))
    return found


def _is_well(mat: Mat, optics: Optics, away: float, degrees: int, *, along: bool) -> bool:
    """Whether a camera that far away, tilted so far, aimed at the middle, has all of the mat in its picture, and the
    part that is farthest large enough."""
    long, short = max(mat.size) / 2, min(mat.size) / 2
    corners = [(x * (long + AROUND / 2), y * (short + AROUND / 2)) for x in (-1, 1) for y in (-1, 1)]
    seen = [_seen(corner, optics, away, degrees, along=along) for corner in corners]
    if any(abs(x) > PICTURE[0] / 2 or abs(y) > PICTURE[1] / 2 for x, y, _ in seen):
        return False
    farthest = max(depth for _, _, depth in seen)
    scale = optics.pixels / farthest * math.cos(math.radians(degrees))  # the foreshortened way
    return mat.marker_side * scale >= MARKER and mat.sight * mat.spans * scale >= CELL


def _seen(point: Point, optics: Optics, away: float, degrees: int, *, along: bool) -> tuple[float, float, float]:
    """A point of the table, from the middle of the mat: where in the picture, from its middle, and how far away."""
    tilt = math.radians(degrees)
    toward, beside = point if along else point[::-1]
    depth = away + toward * math.sin(tilt)
    x, y = toward * math.cos(tilt) * optics.pixels / depth, beside * optics.pixels / depth
    return (x, y, depth) if along else (y, x, depth)

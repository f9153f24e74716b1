"""Arms over the table: what differs from the table at rest and reaches in from the edge of the picture.

An arm is known by the side it comes from and by the tip of its hand; the cell over which the tip lingers is the one
it works on, and the cells that it only reaches across are not.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Points
from vision.gate import Mask, Zones
from vision.sightings import Side

SECOND = 1_000_000_000  # nanoseconds
SMALLEST = 40  # pixels of the small plane
APART = 0.2  # of a thing: with so much of it beside the cells it is part of an arm, whose sleeve looks like the table
COVERS = 0.05  # of a cell: an arm over so much of it hides it
RIMS = 0.15  # of a cell's rim: with an arm over so much of it, a cell may be hidden though nothing moves there ...
SURROUNDS = 0.6  # ... and with so much it is
HOLDS = 0.75  # pitches from a cell's middle: a hand whose tip is nearer may still hold the card
LINGERS = SECOND // 10  # that a tip stays over the cell it works on
GONE = SECOND // 2  # after so long an arm that comes from the same side is another one
SLOW = 7.5  # pitches a second: a tip that goes faster is on its way
SHOULDERS = 5  # places along a side of the mat at which one is looked for
NEAR = 0.8  # pitches from a cell's middle: so near a tip is over it
STUMP = 0.7  # pitches: what reaches in no farther lies in no direction
WIDE = 0.25  # pitches: an arm comes in over so much of the edge at least
BESIDE = 0.5  # pitches along the edge of the picture: what comes in farther apart are two arms
_GROWN = cv2.getStructuringElement(cv2.MORPH_RECT, (3, 3))


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """One connected thing that reaches in."""

    side: Side
    tip: Points
    shares: NDArray[np.float64]  # of each zone that it hides
    reach: float  # pixels from where it comes in to its tip


def holds(arms: Iterable[Arm], zones: Zones, cell: int) -> bool:
    """A hand is at a cell on which nothing moves: it may hold the card that is seen there."""
    return any(float(np.linalg.norm(arm.tip - zones.centres[cell - 1])) < HOLDS * zones.pitch for arm in arms)


@dataclass(slots=True)
class _Tip:
    """A hand as it was a moment ago."""

    at: Points
    cell: int
    since: int
    seen: int

    def is_slow(self, at: Points, stamp: int, pitch: float) -> bool:
        """It has come here since then without haste, however many frames were shown meanwhile."""
        return float(np.linalg.norm(at - self.at)) * SECOND < SLOW * pitch * (stamp - self.seen)


@dataclass(slots=True)
class _Farthest:
    """How far an arm has reached in, and over which cell its tip was then."""

    reach: float
    cell: int
    seen: int


@dataclass(slots=True)
class Hands:
    """The hands of an arm from each side, followed from frame to frame."""

    tips: dict[Side, _Tip] = field(default_factory=dict)
    farthest: dict[Side, _Farthest] = field(default_factory=dict)

    def went_to(self, cell: int, stamp: int) -> list[Side]:
        """Sides of the hands that are here, or were a moment ago, and have gone no farther than to a cell."""
        return [side for side, one in self.farthest.items() if one.cell == cell and stamp - one.seen < GONE]

    def follow(self, arms: list[Arm], zones: Zones, stamp: int) -> list[tuple[Side, int]]:
        """Sides and cells of the hands that are at work just now."""
        found = []
        for arm in arms:
            cell = _cell_at(zones, arm.tip)
            self._reaches(arm, cell, stamp)
            old = self.tips.get(arm.side)
            stays = old is not None and (
                cell == old.cell or (zones.per_card > 1 and _is_near(zones, arm.tip, old.cell))
            )
            lingers = old is not None and stays and old.is_slow(arm.tip, stamp, zones.pitch)
            since = old.since if old is not None and lingers else stamp
            self.tips[arm.side] = _Tip(arm.tip, cell, since, stamp)
            if cell and stamp - since >= LINGERS:
                found += [(arm.side, one) for one in _worked_on(zones, arm.tip, cell)]
        for side in [side for side, tip in self.tips.items() if tip.seen < stamp]:
            del self.tips[side]
        return found

    def _reaches(self, arm: Arm, cell: int, stamp: int) -> None:
        before = self.farthest.get(arm.side)
        if before is None or stamp - before.seen >= GONE or arm.reach >= before.reach:
            self.farthest[arm.side] = _Farthest(arm.reach, cell, stamp)
        else:
            before.seen = stamp


def arms_in(differs: Mask, quiet: Collection[int], zones: Zones) -> tuple[list[Arm], Mask]:
    """Every arm, and where in the plane they all are; nothing that lies on the table by itself.

    What is on quiet cells lies there, so that it joins no arms; one that rests on such a cell is still seen around it.
    """
    keep = np.full(256, 255, np.uint8)
    keep[list(quiet)] = 0
    grown = cv2.dilate(cv2.bitwise_and(differs, cv2.LUT(zones.labels, keep)), _GROWN)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(grown, connectivity=8, ltype=cv2.CV_16U)
    height, width = differs.shape
    everywhere: Mask = np.zeros_like(differs)
    least = zones.per_card**2 * int(zones.sizes[zones.rows.middle]) // 2  # half of a card
    found = []
    for number in range(1, count):
        left, top, across, down, area = (int(value) for value in stats[number])
        if area < SMALLEST:
            continue
        box = (slice(top, top + down), slice(left, left + across))
        mask = labels[box] == number
        at_edge = left == 0 or top == 0 or left + across == width or top + down == height
        is_part = area >= least and int(np.count_nonzero(mask & ~zones.grid[box])) > APART * area
        if at_edge or is_part:
            parts = _apart(mask, zones, (left, top), box) if zones.seats is not None else [mask]
            found += [_arm(part, zones, (left, top), box) for part in parts]
            everywhere[box][mask] = 255
    return found, everywhere


def _apart(
    mask: NDArray[np.bool_], zones: Zones, corner: tuple[int, int], box: tuple[slice, slice]
) -> list[NDArray[np.bool_]]:
    """Arms that touch each other, each with what is nearer to where it comes in than to where another does."""
    roots = _roots(mask, zones, corner, box)
    if len(roots) < 2:
        return [mask]
    y, x = np.nonzero(mask)
    away = [(x - root[0]) ** 2 + (y - root[1]) ** 2 for root in roots]
    nearest = np.argmin(away, axis=0)
    parts = []
    for number in range(len(roots)):
        part = np.zeros_like(mask)
        of = nearest == number
        part[y[of], x[of]] = True
        parts.append(part)
    return parts


def _roots(mask: NDArray[np.bool_], zones: Zones, corner: tuple[int, int], box: tuple[slice, slice]) -> list[Points]:
    """The middles of where it comes in over the edge of the picture, in its own pixels."""
    height, width = zones.labels.shape
    left, top = corner
    edge = _at_edge(mask, (left == 0, top == 0, box[1].stop == width, box[0].stop == height))
    wide = max(1, round(BESIDE * zones.pitch)) | 1
    joined = cv2.morphologyEx(edge.view(np.uint8), cv2.MORPH_CLOSE, np.ones((wide, wide), np.uint8))
    count, labels = cv2.connectedComponents(joined, connectivity=8)
    roots = []
    for number in range(1, count):
        y, x = np.nonzero(edge & (labels == number))
        if x.size >= WIDE * zones.pitch:
            roots.append(np.array((x.mean(), y.mean()), np.float32))
    return roots


def _arm(mask: NDArray[np.bool_], zones: Zones, corner: tuple[int, int], box: tuple[slice, slice]) -> Arm:
    height, width = zones.labels.shape
    left, top = corner
    y, x = np.nonzero(_at_edge(mask, (left == 0, top == 0, box[1].stop == width, box[0].stop == height)))
    x, y = x + left, y + top
    if not x.size:  # then it comes from where it is farthest from the middle
        y, x = np.nonzero(mask)
        x, y = x + left, y + top
        middle = zones.rows.heart
        away = (x - middle[0]) ** 2 + (y - middle[1]) ** 2
        edge = away >= 0.9 * away.max()
        x, y = x[edge], y[edge]
    root = np.array((x.mean(), y.mean()), np.float32)
    shares = zones.counted(mask.view(np.uint8), box) / np.maximum(zones.sizes, 1)
    tip = _tip(mask, root, corner)
    reach = float(np.linalg.norm(tip - root))
    has_line = zones.seats is not None and reach > STUMP * zones.pitch
    side = _side_of_line(root, tip, zones.seats) if zones.seats and has_line else _side(root, zones)
    return Arm(side, tip, shares, reach)


def _at_edge(mask: NDArray[np.bool_], touches: tuple[bool, bool, bool, bool]) -> NDArray[np.bool_]:
    """What of it lies on the left, upper, right and lower edge of the picture, as far as it touches them."""
    found = np.zeros_like(mask)
    into = found[:, :1], found[:1], found[:, -1:], found[-1:]
    lines = mask[:, :1], mask[:1], mask[:, -1:], mask[-1:]
    for edge, line, touched in zip(into, lines, touches, strict=True):
        if touched:
            edge[:] = line
    return found


def _tip(mask: NDArray[np.bool_], root: Points, corner: tuple[int, int]) -> Points:
    """The pixel that is farthest from the root: it is the first or the last of its row."""
    across = mask.shape[1]
    filled = np.flatnonzero(mask.any(axis=1))
    ends = np.stack([mask.argmax(axis=1), across - 1 - mask[:, ::-1].argmax(axis=1)], axis=1)[filled].ravel()
    x, y = ends + corner[0], np.repeat(filled, 2) + corner[1]
    far = (x - root[0]) ** 2 + (y - root[1]) ** 2
    return np.array((x[far.argmax()], y[far.argmax()]), np.float32)


def _side(root: Points, zones: Zones) -> Side:
    """Of the mat, as the camera may stand anywhere around it."""
    right, down = zones.rows.steps
    away = root - zones.rows.heart
    across, along = float(away @ right) / float(right @ right), float(away @ down) / float(down @ down)
    if abs(across) > abs(along):
        return "right" if across > 0 else "left"
    return "bottom" if along > 0 else "top"


def _side_of_line(root: Points, tip: Points, seats: Mapping[Side, tuple[Points, Points]]) -> Side:
    """Where somebody sits from whom an arm comes that lies so: root and tip tell, wherever the picture ends."""
    way = root - tip

    def misses(side: Side) -> float:
        """How far off that way the nearest place is where the arm's shoulder may be, as a cosine."""
        from_, to = seats[side]
        places = from_ + np.linspace(0, 1, SHOULDERS)[:, None] * (to - from_) - tip
        return -float((places @ way / (np.linalg.norm(places, axis=1) * np.linalg.norm(way) + 1e-6)).max())

    return min(seats, key=misses)


def _worked_on(zones: Zones, tip: Points, cell: int) -> list[int]:
    """On a lattice all cells of a card at least that may be laid there."""
    if zones.per_card == 1:
        return [cell]
    near = np.flatnonzero(np.linalg.norm(zones.centres[: zones.read] - tip, axis=1) < HOLDS * zones.pitch)
    return sorted({cell, *(int(one) + 1 for one in near)})


def _is_near(zones: Zones, tip: Points, cell: int) -> bool:
    """A hand is as good as over a cell of a lattice, where cells are small."""
    return cell > 0 and float(np.linalg.norm(zones.centres[cell - 1] - tip)) < NEAR * zones.pitch


def _cell_at(zones: Zones, tip: Points) -> int:
    """The cell that a tip is over; 0 for none."""
    apart = np.linalg.norm(zones.centres - tip, axis=1)
    nearest = int(apart.argmin())
    return nearest + 1 if apart[nearest] < NEAR * zones.pitch else 0

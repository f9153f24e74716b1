"""Outlines of what may be cards: four-sided things in a picture, found in many ways, whatever card and table look like.

A picture is cut into light and dark, coloured and grey, smooth and edged, at several levels each. A card stands out in
many of these cuts; what looks like a card only by chance does so in one or two.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture, Plane, Points

SMALLEST, LARGEST = 0.0025, 0.14  # of the picture: nine cards fit in, and each is large enough to be read
WHOLE = 0.95  # of the picture: nine cards that touch
SOLID = 0.82  # of its hull, at least: a card with a neighbour's corner on it
SQUARE = 0.86  # of a four-sided figure's area, at least: corners are round
LONGEST = 3.3  # times as long as wide: three square cards in a row, or one seen from the side
ONE = 0.22  # of a side: middles closer than this are of one card
PRINTED = 22.0  # of 255: what differs so much from its rim is printed on; less is a plain square of the cloth
STRETCH, PARTS = 4.0, (8, 6)  # of light and dark, in each part of the picture
SHADED = 0.5  # so much the lightness of a colour counts beside its hue: cards lie in light and shade
BIN, COMMON = 7, 9  # units of colour that are taken together, and how many frequent colours are looked at
_ROUND = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
INSIDE = np.stack(np.meshgrid(np.linspace(0.1, 0.9, 13), np.linspace(0.1, 0.9, 13)), axis=-1).reshape(-1, 2)
ON_RIM = np.abs(INSIDE - 0.5).max(axis=1) > 0.39
_TWO = np.stack((1 - INSIDE, INSIDE), axis=-1)  # shares of left and right, of top and bottom
SHARES = np.stack(
    (_TWO[:, 0, 0] * _TWO[:, 1, 0], _TWO[:, 0, 1] * _TWO[:, 1, 0], _TWO[:, 0, 1] * _TWO[:, 1, 1],
     _TWO[:, 0, 0] * _TWO[:, 1, 1]), axis=1,
).astype(np.float32)  # of the four corners, at each spot inside  # fmt: skip
MOST = 250  # that are looked at further
WIDER = 1.5  # pixels on each side


@dataclass(slots=True, eq=False)
class CardOutline:
    """Something four-sided: its corners clockwise, how well they describe it, and in how many cuts it showed."""

    corners: Points
    edge: Points  # every pixel of its rim
    likeness: float
    votes: int = 1
    printed: float = 0.0  # how much its inside differs from its rim
    paper: tuple[float, float, float] = (0.0, 0.0, 0.0)  # colour of its rim
    middle: Points = field(init=False)
    area: float = field(init=False)
    axes: Points = field(init=False)  # from left to right and from top to bottom, if the first corner is the top left
    shares: Points = field(init=False)  # what a way in pixels is multiplied with to be told in those

    def __post_init__(self) -> None:
        self.middle = self.corners.mean(axis=0)
        self.area = float(cv2.contourArea(self.corners))
        one, two, third, four = self.corners
        self.axes = np.array(((two - one + third - four) / 2, (four - one + third - two) / 2))
        (a, b), (c, d) = self.axes
        self.shares = np.array(((d, -b), (-c, a))) / (a * d - b * c)


def light_cuts(picture: Picture) -> Iterator[Plane]:
    """Light from dark and smooth from edged: enough for white cards on most tables."""
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    yield from _levels(np.asarray(colours[:, :, 0], np.uint8), 9)
    yield from _smooth(np.asarray(colours, np.uint8))


def colour_cuts(picture: Picture) -> Iterator[Plane]:
    """Colours from each other, and light from dark within small neighbourhoods."""
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    most, least = picture.max(axis=2).astype(np.int32), picture.min(axis=2).astype(np.int32)
    yield from _levels(np.asarray((most - least) * 255 // np.maximum(most, 20), np.uint8), 7)
    for channel in (1, 2):
        yield from _levels(np.asarray(colours[:, :, channel], np.uint8), 5)
    light = np.asarray(colours[:, :, 0], np.uint8)
    for window in (31, 71, 151):
        for offset in (-3, 4):
            yield np.asarray(
                cv2.adaptiveThreshold(light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, window, offset),
                np.uint8,
            )


def paper_cuts(picture: Picture) -> Iterator[Plane]:
    """What has one of the picture's own frequent colours: tinted cards stand out from a cloth of several."""
    colours = np.asarray(cv2.cvtColor(cv2.medianBlur(picture, 3), cv2.COLOR_BGR2LAB), np.float32)
    colours[:, :, 0] *= SHADED
    for colour in _frequent(colours):
        far = np.linalg.norm(colours - colour, axis=2)
        for reach in (7, 12):
            plane = np.asarray((far < reach) * 255, np.uint8)
            yield np.asarray(cv2.morphologyEx(plane, cv2.MORPH_OPEN, _ROUND), np.uint8)


def _frequent(colours: Points) -> list[Points]:
    """The commonest colours, none near another that is commoner."""
    cells, counts = np.unique((colours[::3, ::3] / BIN).astype(int).reshape(-1, 3), axis=0, return_counts=True)
    found: list[Points] = []
    for cell in cells[np.argsort(-counts, kind="stable")]:
        colour = (cell + 0.5) * BIN
        if all(np.linalg.norm(colour - other) > 1.4 * BIN for other in found):
            found.append(colour)
        if len(found) == COMMON:
            break
    return found


def evened(picture: Picture) -> Picture:
    """The same with light and dark stretched in each part of it: white cards on a white table show."""
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    colours[:, :, 0] = cv2.createCLAHE(STRETCH, PARTS).apply(colours[:, :, 0])
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_LAB2BGR), np.uint8)


def _levels(plane: Plane, count: int) -> Iterator[Plane]:
    """What is above each of several levels."""
    low, high = np.percentile(plane[::3, ::3], (2, 98))
    if high - low < 8:
        return
    for level in np.linspace(low, high, count + 2)[1:-1]:
        yield np.asarray(cv2.threshold(plane, float(level), 255, cv2.THRESH_BINARY)[1], np.uint8)


def _smooth(colours: Picture) -> Iterator[Plane]:
    """What no edge goes through, for edges of several strengths."""
    steep = _rise(colours)
    for level in (6, 9, 13, 19, 28, 42):
        yield np.asarray(cv2.threshold(steep, level, 255, cv2.THRESH_BINARY_INV)[1], np.uint8)


def rise(picture: Picture) -> Plane:
    """How much colour and light change from each pixel to its neighbours."""
    return _rise(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8))


def _rise(colours: Picture) -> Plane:
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.morphologyEx(colours, cv2.MORPH_GRADIENT, kernel).max(axis=2), np.uint8)


def outlines(cuts: Iterable[Plane]) -> list[CardOutline]:
    """Everything four-sided in these cuts, each once, the surest first."""
    found: list[CardOutline] = []
    for cut in cuts:
        found.extend(_of_one(cut))
    return united(found)


def _of_one(cut: Plane) -> Iterator[CardOutline]:
    whole = cut.shape[0] * cut.shape[1]
    rims, _ = cv2.findContours(cut, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
    shortest = 3 * np.sqrt(SMALLEST * whole)
    for rim in rims:
        if len(rim) < shortest:
            continue
        area = cv2.contourArea(rim)
        if SMALLEST * whole < area < WHOLE * whole and (outline := _outline(rim, area, cut.shape)):
            yield outline


def _outline(rim: NDArray[np.int32], area: float, shape: tuple[int, ...]) -> CardOutline | None:
    """The four-sided figure that a rim makes, if it makes one."""
    hull = cv2.convexHull(rim)
    covered = cv2.contourArea(hull)
    if area < SOLID * covered or _is_cut_off(hull, shape):
        return None
    corners = _four(np.asarray(hull, np.int32))
    four = cv2.contourArea(corners)
    if four <= 0 or not SQUARE < covered / four < 1 / SQUARE:
        return None
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    lopsided = max(abs(sides[0] - sides[2]) / width, abs(sides[1] - sides[3]) / height)
    if max(width, height) > LONGEST * min(width, height) or lopsided > 0.45 or four < 0.7 * width * height:
        return None
    likeness = min(covered / four, four / covered) * area / covered * (1 - 0.5 * float(lopsided))
    return CardOutline(corners, np.asarray(rim, np.float32).reshape(-1, 2), likeness)


def _is_cut_off(hull: NDArray[np.int32], shape: tuple[int, ...]) -> bool:
    """It runs along the picture's edge, and who knows how far beyond."""
    across, down = hull[:, 0, 0], hull[:, 0, 1]
    on = (across <= 0) | (down <= 0) | (across >= shape[1] - 1) | (down >= shape[0] - 1)
    return int(on.sum()) > 2


def _four(hull: NDArray[np.int32]) -> Points:
    """Four corners of a hull, clockwise."""
    around = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.035, 0.05, 0.07):
        few = cv2.approxPolyDP(hull, share * around, closed=True)
        if len(few) == 4:
            return _clockwise(np.asarray(few, np.float32).reshape(4, 2))
        if len(few) < 4:
            break
    return _clockwise(np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), np.float32))


def _clockwise(corners: Points) -> Points:
    one, two = corners[1] - corners[0], corners[2] - corners[1]
    return corners if one[0] * two[1] - one[1] * two[0] > 0 else corners[::-1].copy()


def apart(found: list[CardOutline], picture: Picture) -> tuple[list[CardOutline], list[CardOutline]]:
    """What may be single cards, and what is large enough to be several."""
    whole = picture.shape[0] * picture.shape[1]
    return (
        [outline for outline in found if outline.area < LARGEST * whole],
        [outline for outline in found if outline.area > 2 * SMALLEST * whole],
    )


def united(found: list[CardOutline]) -> list[CardOutline]:
    """Each outline once, with the votes of all that are like it."""
    groups: list[CardOutline] = []
    middles = np.empty((0, 2), np.float32)
    for one in sorted(found, key=lambda outline: -outline.likeness):
        near = np.abs(middles - one.middle).max(axis=1) < ONE * np.sqrt(one.area) if groups else np.empty(0)
        same = next((groups[k] for k in np.flatnonzero(near) if 0.78 < one.area / groups[k].area < 1.28), None)
        if same is None:
            groups.append(one)
            middles = np.vstack((middles, one.middle[None]))
        else:
            same.votes += one.votes
    groups.sort(key=lambda outline: -outline.votes * outline.likeness**2)
    return groups[:MOST]


def tell_printed(found: list[CardOutline], picture: Picture) -> None:
    """Note in each outline the colour of its rim, and how much its inside differs from that."""
    colours = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)
    four = np.array([outline.corners for outline in found], np.float32)
    spots = np.einsum("sc,ncx->nsx", SHARES, four)
    seen = cv2.remap(colours, spots[:, :, 0].copy(), spots[:, :, 1].copy(), cv2.INTER_LINEAR).astype(np.float32)
    rim = np.median(seen[:, ON_RIM], axis=1)
    off = np.linalg.norm(seen[:, ~ON_RIM] - rim[:, None], axis=2)
    for outline, far, paper in zip(found, np.percentile(off, 96, axis=1), rim, strict=True):
        outline.printed = float(far)
        outline.paper = (float(paper[0]), float(paper[1]), float(paper[2]))


def widened(outline: CardOutline) -> CardOutline:
    """The same, so much larger on each side: smooth ends before the edge does."""
    across, down = outline.axes
    across, down = across / np.linalg.norm(across), down / np.linalg.norm(down)
    out = np.array((-across - down, across - down, across + down, down - across), np.float32) * WIDER
    return replace(outline, corners=np.asarray(outline.corners + out, np.float32))


def straightened(outline: CardOutline) -> CardOutline:
    """The same with corners where lines along its sides meet, instead of where its rounded corners are."""
    corners, edge = outline.corners, outline.edge
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1)
    along = sides / lengths[:, None]
    apart = edge[None] - corners[:, None]
    share = (apart * along[:, None]).sum(axis=2) / lengths[:, None]
    off = np.abs(apart[:, :, 0] * along[:, None, 1] - apart[:, :, 1] * along[:, None, 0])
    lines = []
    for side in range(4):
        mine = (off[side] < 0.08 * lengths.min()) & (share[side] > 0.12) & (share[side] < 0.88)
        if int(mine.sum()) < 8:
            return outline
        lines.append(cv2.fitLine(edge[mine], cv2.DIST_HUBER, 0, 0.01, 0.01).ravel())
    fine = np.array([_met(lines[side - 1], lines[side]) for side in range(4)], np.float32)
    if not np.isfinite(fine).all() or np.abs(fine - corners).max() > 0.2 * lengths.min():
        return outline
    return replace(outline, corners=fine)


def _met(one: Points, two: Points) -> tuple[float, float]:
    """Where two lines cross, each given by a direction and a point."""
    across = one[0] * two[1] - one[1] * two[0]
    if abs(across) < 0.05:
        return (np.nan, np.nan)
    share = ((two[2] - one[2]) * two[1] - (two[3] - one[3]) * two[0]) / across
    return (float(one[2] + share * one[0]), float(one[3] + share * one[1]))

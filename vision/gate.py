"""Notices where the small grey plane of a frame differs from the table at rest, and where it is moving just now.

Everything here costs microseconds: what is not different is not looked at any closer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Matrix, Picture, Plane, Points
from vision.locate import TableView
from vision.mat import NINE, Mat
from vision.sightings import Side

Mask = NDArray[np.uint8]  # 255 where something is so
Counts = NDArray[np.int64]  # of pixels, for each zone

DIFFERS = 0.085  # of the brightness of white: so much a pixel differs that shows something else
MOVES = 0.05  # so much it differs from the frame before if something moves there
LEAST = 5.0  # grey levels; less is noise in any light
SPECKS = 12  # pixels of the whole plane that may differ while nothing happens
INNER = 0.8  # of a cell's side: what counts as the cell itself and not its neighbour
MARKERS = 4
LIT = 0.1  # of the plane: when so much differs, it may be the light ...
LIT_LOW = 0.03  # ... and where a low mat has few places, which are a small part of it
DIM = 64  # what is darker says little of the light: one grey level more is a good part of it
ENOUGH = 0.02  # of the plane must be brighter
SAMPLED = 8  # every so many pixels are enough to tell how bright it is
BRIGHTER = 0.03
FARTHEST = 2.5  # times brighter or darker than when the table was last seen at rest: beyond it shades are lost


@dataclass(frozen=True, slots=True, eq=False)
class Zones:
    """Which pixel of the small plane belongs to which cell (from 1 on, piles last), or marker (behind the cells).

    Zone 0 is neither.
    """

    labels: Plane
    sizes: Counts
    centres: Points  # of the cells
    whole: tuple[Mask, ...]  # of each cell, with the rim around it that its card may lie on
    rims: tuple[NDArray[np.int64], ...]  # the pixels of each rim
    grid: NDArray[np.bool_]  # where cards may lie
    rows: "Rows"
    per_card: int  # cells that a card covers, across and down
    read: int  # of the cells, which are not piles
    seats: Mapping[Side, tuple[Points, Points]] | None = None  # the line of each side on which shoulders are

    @property
    def cells(self) -> int:
        """How many there are, piles too."""
        return len(self.centres)

    @property
    def pitch(self) -> float:
        return self.rows.pitch

    @property
    def of_cells(self) -> slice:
        return slice(1, self.cells + 1)

    @classmethod
    def of(cls, table: TableView, markers: Points | None, plane: Plane, scale: float) -> "Zones":
        """`scale` is pixels of the plane for one of the picture."""
        all_cells = table.cells if table.piles is None else np.concatenate((table.cells, table.piles))
        cells = np.asarray((all_cells + 0.5) * scale - 0.5, np.float32)
        labels = np.zeros_like(plane)
        centres = cells.mean(axis=1)
        whole = []
        for number, corners in enumerate(cells, 1):
            cv2.fillConvexPoly(labels, _points(centres[number - 1] + (corners - centres[number - 1]) * INNER), number)
            mask = np.zeros_like(plane)
            cv2.fillConvexPoly(mask, _points(corners), 255)
            whole.append(mask)
        for number, corners in enumerate(markers if markers is not None else ()):
            cv2.fillConvexPoly(labels, _points((corners + 0.5) * scale - 0.5), len(cells) + 1 + number)
        sizes = np.bincount(labels.ravel(), minlength=1 + len(cells) + MARKERS)
        rims = tuple(np.flatnonzero((mask > 0) & (labels == 0)) for mask in whole)
        grid = np.max(whole, axis=0) > 0
        return cls(
            labels,
            sizes,
            np.asarray(centres, np.float32),
            tuple(whole),
            rims,
            grid,
            Rows.of(table, cells[: len(table.cells)]),
            table.per_card,
            len(table.cells),
            None if table.mat is None or table.mat in NINE else _seats(table.mat, cells[: len(table.cells)]),
        )

    def inside(self, cell: int) -> Mask:
        return np.asarray(cv2.compare(self.labels, float(cell), cv2.CMP_EQ), np.uint8)

    def share(self, mask: Mask) -> NDArray[np.float64]:
        """How much of each zone is marked."""
        return self.counted(mask) / np.maximum(self.sizes, 1)

    def counted(self, mask: Mask, box: tuple[slice, slice] = (slice(None), slice(None))) -> NDArray[np.float64]:
        """How many pixels of each zone are marked, by a mask of a part of the plane."""
        zones = len(self.sizes)
        return np.asarray(cv2.calcHist([self.labels[box]], [0], mask, [zones], [0, zones]), np.float64).ravel()


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """How the cells of a table stand."""

    pitch: float  # about, from card to card
    middle: int  # a cell in the middle
    heart: Points  # the middle of all cells
    steps: Points  # a step to the right and one down; on a mat of places in no rows, as far as the mat goes

    @classmethod
    def of(cls, table: TableView, cells: Points) -> "Rows":
        """`cells` are the corners of the table's cells."""
        centres = cells.mean(axis=1)
        if table.mat is not None and table.mat.given:  # in no rows: by the squares of which each shows one
            right, below = (cells[:, corner] - cells[:, 0] for corner in (1, 3))
            steps = np.stack((right.mean(axis=0), below.mean(axis=0))) * (max(table.mat.pitch) / table.mat.sight)
            heart = centres.mean(axis=0)
            nearest = int(np.linalg.norm(centres - heart, axis=1).argmin())
            pitch = float(np.linalg.norm(steps, axis=1).mean())
            across, down = table.mat.size
            return cls(pitch, nearest + 1, heart, steps * ((across / down,), (1.0,)))
        columns, rows = table.shape
        diagonal = float(np.linalg.norm(centres[-1] - centres[0]))
        pitch = table.per_card * diagonal / float(np.sqrt((columns - 1) ** 2 + (rows - 1) ** 2))
        at = rows // 2 * columns + columns // 2
        steps = np.stack((centres[at + 1] - centres[at - 1], centres[at + columns] - centres[at - columns])) / 2
        return cls(pitch, at + 1, centres[at], steps)


def _seats(mat: Mat, cells: Points) -> dict[Side, tuple[Points, Points]]:
    """From where arms come that reach over a mat. The sides of arms over nine places for a card are told by the edge of
    the picture, which is what the odds of the game that is played there were counted with."""
    half = mat.sight / 2
    square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)))
    corners = (np.array(mat.places)[:, None] + square).reshape(-1, 2)
    matrix, _ = cv2.findHomography(corners.astype(np.float32), cells.reshape(-1, 2))
    (wide, high), away = mat.size, max(mat.size) / 2
    lines: dict[Side, tuple[tuple[float, float], tuple[float, float]]] = {
        "top": ((0.2 * wide, -away), (0.8 * wide, -away)),
        "right": ((wide + away, 0.2 * high), (wide + away, 0.8 * high)),
        "bottom": ((0.2 * wide, high + away), (0.8 * wide, high + away)),
        "left": ((-away, 0.2 * high), (-away, 0.8 * high)),
    }
    found: dict[Side, tuple[Points, Points]] = {}
    for side, line in lines.items():
        one, other = np.asarray(cv2.perspectiveTransform(np.array([line], np.float32), matrix)[0], np.float32)
        found[side] = one, other
    return found


def _points(corners: Points) -> NDArray[np.int32]:
    return np.asarray(np.round(corners), np.int32)


class Gate:
    """One table at rest, and what differs from it: in grey for as long as nothing does, then in colour.

    A hand may be as bright as the table under it, but hardly of the same colour too.
    """

    def __init__(self, frame: Frame, *, is_low: bool = False) -> None:
        self.before = frame.grey
        self._least_lit, self._dim = (LIT_LOW, DIM) if is_low else (LIT, 0)
        self.differs: Mask = np.zeros_like(frame.grey)
        self.moves: Mask = np.zeros_like(frame.grey)
        self._work: Plane = np.empty_like(frame.grey)
        self._rest = frame.grey.copy()
        self._colours = _small(frame)
        self._shrunk = frame.grey, self._colours.copy()
        self._lit = 1.0  # how much brighter it has become since then
        self._levels()

    def is_at_rest(self, frame: Frame) -> bool:
        """Quickly."""
        cv2.absdiff(frame.grey, self._rest, dst=self._work)
        cv2.threshold(self._work, self._differ, 255, cv2.THRESH_BINARY, dst=self.differs)
        return cv2.countNonZero(self.differs) <= SPECKS

    def compare(self, frame: Frame) -> int:
        """Closely: how many pixels differ from the table at rest."""
        now = self._small(frame)
        differing = self._compared(now)
        if differing > self._least_lit * frame.grey.size and self._brighten(frame, now):
            differing = self._compared(now)
        return differing

    def _compared(self, now: Picture) -> int:
        blue, green, red = cv2.split(cv2.absdiff(now, self._colours))
        cv2.max(cv2.max(blue, green, dst=blue), red, dst=blue)
        cv2.threshold(blue, self._differ, 255, cv2.THRESH_BINARY, dst=self.differs)
        return int(cv2.countNonZero(self.differs))

    def motion(self, frame: Frame) -> int:
        """How many pixels differ from the frame before."""
        cv2.absdiff(frame.grey, self.before, dst=self._work)
        cv2.threshold(self._work, self._move, 255, cv2.THRESH_BINARY, dst=self.moves)
        return int(cv2.countNonZero(self.moves))

    def follow(self, frame: Frame, share: float) -> None:
        """Light changes slowly: what is at rest goes after it."""
        cv2.addWeighted(self._rest, 1 - share, frame.grey, share, 0, dst=self._rest)
        cv2.addWeighted(self._colours, 1 - share, self._small(frame), share, 0, dst=self._colours)

    def accept(self, frame: Frame, mask: Mask | None = None) -> None:
        """What the frame shows (where the mask is set) is the table at rest from now on."""
        if mask is None:
            self._rest, self._colours = frame.grey.copy(), self._small(frame).copy()
            self._lit = 1.0
            self._levels()
        else:
            cv2.copyTo(frame.grey, mask, self._rest)
            cv2.copyTo(self._small(frame), mask, self._colours)

    def _small(self, frame: Frame) -> Picture:
        """Once for each frame."""
        if self._shrunk[0] is not frame.grey:
            self._shrunk = frame.grey, _small(frame)
        return self._shrunk[1]

    def shift(self, frame: Frame, matrix: Matrix) -> None:
        """The table has moved in the picture: what was at rest is expected there, arms are not taken for the table."""
        size = (frame.grey.shape[1], frame.grey.shape[0])
        stayed = np.asarray(cv2.compare(cv2.absdiff(frame.grey, self._rest), self._move, cv2.CMP_LT), np.uint8)
        self._rest, self._colours = (
            np.asarray(cv2.warpPerspective(rest, matrix, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
            for rest in (self._rest, self._colours)
        )
        self.accept(frame, stayed)
        self._levels()
        self.before = frame.grey

    def _brighten(self, frame: Frame, now: Picture) -> bool:
        """The light may have changed as a whole, arms or no arms: what is at rest is lit as it is now."""
        gains = _gains(now, self._colours, self._dim)
        lit = self._lit * float(np.median(gains))
        if np.abs(gains - 1).max() < BRIGHTER or not 1 / FARTHEST < lit < FARTHEST:
            return False
        self._lit = lit
        scaled = self._colours * gains
        self._colours = np.asarray(np.clip(scaled, 0, 255), np.uint8)
        cv2.convertScaleAbs(
            self._rest, dst=self._rest, alpha=float(_gains(frame.grey[..., None], self._rest[..., None], self._dim)[0])
        )
        self._levels()
        return True

    def _levels(self) -> None:
        white = float(np.percentile(self._rest[::4, ::4], 95))
        self._differ, self._move = max(LEAST, DIFFERS * white), max(LEAST, MOVES * white)


def _gains(now: Picture, then: Picture, dim: int) -> NDArray[np.float32]:
    """How much brighter most of a picture has become, in each colour, or most of what was not dim."""
    before = then[::SAMPLED, ::SAMPLED].astype(np.float32)
    ratio = ((now[::SAMPLED, ::SAMPLED].astype(np.float32) + 1) / (before + 1)).reshape(-1, now.shape[-1])
    bright = before.reshape(ratio.shape).min(1) > dim
    if dim and bright.mean() > ENOUGH:
        ratio = ratio[bright]
    return np.asarray(np.median(ratio, axis=0), np.float32)


def _small(frame: Frame) -> Picture:
    """In colour, roughly: good enough to tell a hand from a table."""
    size = (frame.grey.shape[1], frame.grey.shape[0])
    return np.asarray(cv2.resize(frame.picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)

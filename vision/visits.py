"""How likely it is that more than one hand has been at a cell: each arm is known by where it enters the picture.

Arms meet over the cells, but hardly ever at the edge of the picture. From where an arm enters it a line leads to each
cell, and as long as the hand comes or goes, the foremost point of that line on which anything moves is the tip of its
fingers. The cell on which that point stays longest is the one to which the arm goes.
"""

from collections import deque
from dataclasses import dataclass, field
from math import exp, log, sqrt

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Points
from vision.gate import Gate, Mask, Zones
from vision.sightings import CELLS

SECOND = 1_000_000_000  # nanoseconds
KEPT = 12 * SECOND  # for so long arms and what moved are remembered
LONGEST = SECOND // 10  # for which one frame stands
BLIND = SECOND // 4  # without a frame of the table: what happened meanwhile is not known ...
OFTEN = 0.2  # ... and so many hands a second come to a cell: assumed, not measured
USUAL = 1 / 30  # seconds from frame to frame: after more of them more of a cell differs from the frame before ...
SLOWER = 0.3  # ... by this power of the time
MISSING = SECOND // 16  # an arm that frames do not show for longer is gone ...
LOST = SECOND // 4  # ... and one that nothing was seen of for longer, frames or not

EDGE = 3  # pixels of the small plane that are its edge
THIN = 9  # pixels along the edge: what fills less than half of so many is no arm
APART = 0.6  # pitches along the edge: with less between them two runs are of one arm, whose sleeve looks like the table
DEPTH = 0.6  # pitches into the picture that an arm reaches at least
BLUR = (5, 5)
COVERED, MOVING = 128, 60  # of 255, of the pixels around a point

STEP = 0.1  # pitches between two points of a line
BEYOND = 1.3  # pitches by which a line goes on behind its cell
GAP = 2  # points: a line that is bare for longer ends there
NEAREST, FARTHEST = -0.3, 0.8  # pitches behind the middle of a cell: there the tip of a hand is that works on it

FULL = 0.3  # of a cell: more than that does not move more than one hand makes it move
LEAST = 0.05  # seconds
SHORTEST = 0.1  # seconds
# Fitted as `python -m tests.benchmarks.visits --fit` does it, to 3,600 sightings on the simulated table.
BIAS, SHARE, MOVED, LASTED = -17.82, 5.81, 32.42, -3.65


@dataclass(slots=True, eq=False)
class Visitor:
    """An arm that reaches in, for as long as it does."""

    begins: int  # along the edge of the picture ...
    ends: int  # ... which goes around: this may be more than all of it
    since: int
    last: int
    is_part: bool = False  # of another one, which touches the edge of the picture here too
    worked: NDArray[np.float64] = field(default_factory=lambda: np.zeros(CELLS))  # seconds for which its tip was there

    def overlap(self, run: tuple[int, int], around: int) -> int:
        """How much of a run along the edge is its own."""
        return max(
            min(self.ends, run[1] + shift) - max(self.begins, run[0] + shift) + 1 for shift in (-around, 0, around)
        )

    def share(self, cell: int) -> float:
        """How much of its work it did at a cell; squared, as most of it is done where the arm goes to."""
        work = self.worked**2
        return float(work[cell - 1] / (LEAST**2 + work.sum()))


class Visits:
    """Hand it every frame of the table."""

    def __init__(self) -> None:
        self._edge = PictureEdge((0, 0))
        self._here: list[Visitor] = []
        self._gone: deque[Visitor] = deque()
        self._moved: deque[tuple[int, NDArray[np.float64]]] = deque()  # seconds, by cell
        self._blind: deque[tuple[int, int]] = deque()
        self._last = self._seen = 0

    def rest(self, stamp: int) -> None:
        """A frame in which nothing happens."""
        if self._seen and stamp - self._seen > BLIND:
            self._blind.append((self._seen, stamp))
        self._seen = stamp

    def take(self, stamp: int, gate: Gate, zones: Zones, moving: NDArray[np.float64]) -> None:
        """A frame in which something does; `moving` is how much of each zone differs from the frame before."""
        self.rest(stamp)
        seconds = min(stamp - self._last, LONGEST) / SECOND
        weight = seconds * (seconds / USUAL) ** -SLOWER if seconds > 0 else 0.0
        self._moved.append((stamp, np.minimum(moving[1 : CELLS + 1], FULL) * weight))
        self._forget(stamp)
        self._last = stamp
        if self._edge.shape != gate.differs.shape:
            self._edge, self._here = PictureEdge(gate.differs.shape), []
        runs = self._edge.runs(gate.differs, APART * zones.pitch)
        if runs:
            self._reach_in(stamp, seconds, runs, gate, zones)

    def again(self, cell: int, since: int, by: int) -> float:
        """How likely two or more hands have been at a cell in a stretch of time, if one has."""
        share, moved, lasted = self.evidence(cell, since, by)
        once = 1 / (1 + exp(BIAS + SHARE * share + MOVED * moved + LASTED * lasted))
        blind = sum(max(0, min(by, ends) - max(since, begins)) for begins, ends in self._blind)
        return 1 - once * exp(-OFTEN * blind / SECOND)

    def evidence(self, cell: int, since: int, by: int) -> tuple[float, float, float]:
        """What tells: how much the second of all arms worked there, how much moved there, how long it lasted."""
        arms = [arm for arm in (*self._gone, *self._here) if arm.since <= by and arm.last >= since and not arm.is_part]
        shares = sorted(arm.share(cell) for arm in arms)
        moved = sum(seconds[cell - 1] for stamp, seconds in self._moved if since <= stamp <= by)
        second = shares[-2] if len(shares) > 1 else 0.0
        return second, sqrt(moved), log(max((by - since) / SECOND, SHORTEST))

    def _forget(self, stamp: int) -> None:
        lost = [arm for arm in self._here if self._last - arm.last > MISSING or stamp - arm.last > LOST]
        self._gone.extend(lost)
        self._here = [arm for arm in self._here if arm not in lost]
        while self._moved[0][0] < stamp - KEPT:
            self._moved.popleft()
        while self._gone and self._gone[0].last < stamp - KEPT:
            self._gone.popleft()
        while self._blind and self._blind[0][1] < stamp - KEPT:
            self._blind.popleft()

    def _reach_in(self, stamp: int, seconds: float, runs: list[tuple[int, int]], gate: Gate, zones: Zones) -> None:
        covered = cv2.blur(gate.differs, BLUR) > COVERED
        lines = ReachLines(np.stack([self._edge.middle(run) for run in runs]), zones)
        ends = lines.ends(covered)
        deep = np.flatnonzero(ends.max(axis=1) * STEP >= DEPTH)
        if not deep.size:
            return
        arms = self._arms(stamp, [runs[number] for number in deep], np.asarray(covered, np.uint8))
        tips = lines.tips(ends, cv2.blur(gate.moves, BLUR) > MOVING)[deep]
        for arm, worked in zip(arms, _worked_on(tips, lines.lengths[deep]), strict=True):
            arm.worked += worked * seconds

    def _arms(self, stamp: int, runs: list[tuple[int, int]], covered: Mask) -> list[Visitor]:
        """The arm that enters at each run: the one that did so before, or a new one."""
        found = self._known(runs)
        new = [run for number, run in enumerate(runs) if number not in found]
        things = _Things(covered, self._edge) if new and len(runs) > 1 else None
        taken = {things.at(runs[number]) for number in found} if things else set()
        for number, run in sorted(enumerate(runs), key=lambda one: one[1][0] - one[1][1]):
            if number in found:
                arm = found[number]
                arm.begins, arm.ends, arm.last = *run, stamp
                continue
            thing = things.at(run) if things else 0
            found[number] = Visitor(*run, stamp, stamp, is_part=thing > 0 and thing in taken)
            taken.add(thing)
            self._here.append(found[number])
        return [found[number] for number in range(len(runs))]

    def _known(self, runs: list[tuple[int, int]]) -> dict[int, Visitor]:
        found: dict[int, Visitor] = {}
        pairs = [
            (arm.overlap(run, self._edge.around), number, arm) for number, run in enumerate(runs) for arm in self._here
        ]
        for overlap, number, arm in sorted(pairs, key=lambda pair: -pair[0]):
            if overlap > 0 and number not in found and arm not in found.values():
                found[number] = arm
        return found


class PictureEdge:
    """The edge of the picture, pixel by pixel around it."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        height, width = shape[:2]
        across, down = np.arange(width), np.arange(1, height - 1)
        self.x = np.concatenate([across, np.full(down.size, width - 1), across[::-1], np.zeros(down.size, np.intp)])
        self.y = np.concatenate([np.zeros(width, np.intp), down, np.full(width, height - 1), down[::-1]])
        self.around = self.x.size

    def runs(self, mask: Mask, apart: float) -> list[tuple[int, int]]:
        """Where something enters: the first and the last pixel, around the edge."""
        strips = (
            mask[:EDGE].max(axis=0),
            mask[1:-1, -EDGE:].max(axis=1),
            mask[-EDGE:].max(axis=0)[::-1],
            mask[1:-1, :EDGE].max(axis=1)[::-1],
        )
        line = np.concatenate(strips)[None]
        on = np.flatnonzero(cv2.blur(line, (THIN, 1), borderType=cv2.BORDER_REPLICATE) > COVERED)
        if not on.size:
            return []
        cuts = np.flatnonzero(np.diff(on, append=on[0] + self.around) > apart)
        begins, ends = on[(cuts + 1) % on.size].tolist(), on[np.roll(cuts, -1)].tolist()
        return [(one, other if other >= one else other + self.around) for one, other in zip(begins, ends, strict=True)]

    def middle(self, run: tuple[int, int]) -> Points:
        pixels = np.arange(run[0], run[1] + 1) % self.around
        return np.array((self.x[pixels].mean(), self.y[pixels].mean()), np.float32)


class _Things:
    """What hangs together in the picture."""

    def __init__(self, covered: Mask, edge: PictureEdge) -> None:
        self._labels = cv2.connectedComponents(covered, connectivity=8, ltype=cv2.CV_16U)[1]
        self._edge = edge

    def at(self, run: tuple[int, int]) -> int:
        """The thing that fills most of a run along the edge; 0 for none."""
        pixels = np.arange(run[0], run[1] + 1) % self._edge.around
        height, width = self._labels.shape
        x = self._edge.x[pixels].clip(EDGE - 1, width - EDGE)
        y = self._edge.y[pixels].clip(EDGE - 1, height - EDGE)
        counts = np.bincount(self._labels[y, x])
        counts[0] = 0
        return int(counts.argmax())


class ReachLines:
    """From where each arm enters, one line to each cell and on behind it."""

    def __init__(self, entries: Points, zones: Zones) -> None:
        ways = zones.centres[None] - entries[:, None]
        far = np.linalg.norm(ways, axis=2)
        self.lengths = far / zones.pitch
        count = int((self.lengths.max() + BEYOND) / STEP)
        steps = np.arange(count, dtype=np.float32) * (STEP * zones.pitch)
        points = entries[:, None, None] + (ways / far[..., None])[:, :, None] * steps[:, None]
        x, y = np.rint(points[..., 0]).astype(np.intp), np.rint(points[..., 1]).astype(np.intp)
        height, width = zones.labels.shape
        self._inside = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        self._pixels = np.where(self._inside, y * width + x, 0)

    def ends(self, covered: NDArray[np.bool_]) -> NDArray[np.intp]:
        """The last point of each line up to which it is covered, but for gaps."""
        on = self._of(covered)
        places = np.arange(on.shape[2])
        last = np.maximum.accumulate(np.where(on, places, -1), axis=2)
        bare = places - last > GAP
        first = np.where(bare.any(axis=2), bare.argmax(axis=2), on.shape[2] - 1)
        return np.take_along_axis(last, first[..., None], axis=2)[..., 0]

    def tips(self, ends: NDArray[np.intp], moving: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The foremost point of each line that moves, in pitches behind the middle of its cell."""
        on = self._of(moving)
        on &= np.arange(on.shape[2]) <= ends[..., None]
        foremost = np.where(on.any(axis=2), on.shape[2] - 1 - on[..., ::-1].argmax(axis=2), 0)
        return foremost * STEP - self.lengths

    def _of(self, plane: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return plane.ravel()[self._pixels] & self._inside


def _worked_on(tips: NDArray[np.float64], lengths: NDArray[np.float64]) -> NDArray[np.bool_]:
    """The cell over which the tip of each arm is: of several in one line, the last."""
    over = (tips > NEAREST) & (tips < FARTHEST)
    last = np.where(over, lengths, -1.0).argmax(axis=1)
    return over & (np.arange(CELLS) == last[:, None])

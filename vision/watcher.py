"""Watches the cells of a mat, frame by frame, and tells what was seen to lie on them.

What does not change is not looked at. A cell that has changed is read as soon as nothing moves there and no arm is
over it; what its first look leaves in doubt, the next ones decide together, weighed with the cards that can be there.
What is told is what lies on the cells and when it was seen, never what it means.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arms import COVERS, RIMS, SURROUNDS, Hands, arms_in, holds
from vision.cell_reading import CellReading, Surface, TableFrame
from vision.clutter import Clutter
from vision.faults import SECOND, Faults
from vision.frames import Frame
from vision.gate import Gate, Mask, Zones
from vision.locate import TableView
from vision.markers import Finder
from vision.mat import NINE, Mat
from vision.reader import Reader
from vision.sightings import (
    CellNow,
    Look,
    Prior,
    Sighting,
)
from vision.table_search import TableSearch, shift
from vision.watched_cell import WatchedCell

CHANGED = 0.02  # of a cell: what differs on so much of it is worth a look
MOVING = 0.012  # of a cell
MARKED = 0.08  # of a marker: it is not where it was, or something is on it
MOST_LOOKS = 8  # at scenes that differ, weighed together
QUIET = SECOND // 11  # without motion: what is on a cell lies there, or rests
RESTING = 2 * SECOND  # an arm that does not move for so long may be none
AUDIT = SECOND // 2  # at rest, between two looks at a cell that nobody touched
FOLLOW = SECOND // 4  # at rest, between two steps after the light
STEP = 0.2
GAP = 7 * SECOND // 10  # without frames: everything may have changed
FLOOD = 0.45  # of the plane: when so much differs at rest, the light has changed ...
MOST = 0.75  # ... and when so many of the cells do ...
FEW = 4  # ... if they are more than that: so many an arm hides


class Watcher:
    """Hand it every frame; what it returns is news. It has no clock but the frames' stamps."""

    def __init__(
        self,
        reader: Reader,
        finder: Finder | None = None,
        *,
        mat: bool = True,
        most_looks: int = MOST_LOOKS,
        mats: Sequence[Mat] = NINE,
    ) -> None:
        self._search = TableSearch(finder or Finder(mats=mats), mat=mat)
        self._surface: Surface | None = None
        self._faults = Faults()
        self._cells = _cells_of(mats[0])
        self._reading = CellReading(reader, self._cells, most_looks, mats[0])
        self._hands = Hands()
        self._clutter = Clutter()
        self._next_audit = self._next_follow = 0
        self._audited = 0
        self._size: tuple[int, ...] = ()
        self.changed = False  # whether the last frame showed anything but the table at rest

    # --- what a game may say

    def expect(self, prior: Prior | None) -> None:
        """Which cards can be where; until told otherwise."""
        self._reading.prior = prior

    def know(self, cards: dict[int, str]) -> None:
        """Somebody says what lies on cells."""
        for number, card in cards.items():
            cell = self._cells[number - 1]
            if cell.look is not None:
                cell.call(card, cell.look.card)
                cell.look = replace(cell.look, card=card, state="card", confidence=1.0)
            cell.clean()

    def believe(self, cell: int, card: str, confidence: float) -> None:
        """What a cell shows that could not be read was made out."""
        if self._faults.last is not None:
            self._reading.believe(self._cells[cell - 1], card, confidence, self._surface, self._faults.last)

    def look_again(self, cells: tuple[int, ...] = ()) -> None:
        """Read these cells anew; without any, forget all nine, and a GridSeen follows when all can be read."""
        for cell in self._cells if not cells else [self._cells[number - 1] for number in cells]:
            cell.called.clear()
            cell.clean()
            cell.soil(self._stamp, disturbed=bool(cells))
            if not cells:
                cell.look = None
                cell.now = CellNow("unknown", self._stamp)
        if not cells:
            self._reading.is_grid_told = False

    @property
    def table(self) -> TableView | None:
        return self._search.table

    @property
    def mat(self) -> str:
        """The name of the mat that lies there, be it one that is wanted or not; nothing where none was made out."""
        found = self._search.table.mat if self._search.table else None
        return self._search.other_mat or (found.name if found else "")

    @property
    def cells(self) -> tuple[CellNow, ...]:
        return tuple(cell.now for cell in self._cells)

    @property
    def looks(self) -> tuple[Look | None, ...]:
        """The last clear look at each cell."""
        return tuple(cell.look for cell in self._cells)

    @property
    def _stamp(self) -> int:
        return self._faults.last.stamp if self._faults.last else 0

    # --- frame by frame

    def watch(self, frame: Frame) -> list[Sighting]:
        """What has become known with this frame."""
        found: list[Sighting] = []
        last = self._faults.last
        usable = self._faults.take(frame, found)
        self.changed = not usable
        if not usable:
            return found
        if last is not None and frame.stamp - last.stamp > GAP:
            self._soil_all(last.stamp, disturbed=True)
            for cell in self._cells:
                cell.moves(last.stamp)
        if frame.picture.shape != self._size:
            self._new_camera(frame)
        if self._search.is_wanted and not self._find(frame, found):
            self.changed = True
            return found
        assert self._surface is not None
        shown = TableFrame(frame, self._surface, found)
        if all(cell.dirty is None for cell in self._cells) and shown.surface.gate.is_at_rest(frame):
            self._at_rest(shown)
        else:
            self.changed = True
            self._active(shown)
        shown.surface.gate.before = frame.grey
        return found

    def _new_camera(self, frame: Frame) -> None:
        self._size = frame.picture.shape
        self._search.forget()
        self._soil_all(frame.stamp, disturbed=False)

    def _soil_all(self, since: int, *, disturbed: bool) -> None:
        for cell in self._cells:
            cell.soil(since, disturbed=disturbed)

    # --- nothing happens

    def _at_rest(self, shown: TableFrame) -> None:
        frame = shown.frame
        self._reading.visits.rest(frame.stamp)
        if frame.stamp >= self._next_follow:
            self._next_follow = frame.stamp + FOLLOW
            shown.surface.gate.follow(frame, STEP)
            for cell in self._cells:
                cell.show("clear", frame.stamp)
            self._hands.tips.clear()
            self._clutter.tell_hidden(0, frame, shown.found, len(self._cells))
        if frame.stamp >= self._next_audit:
            self._next_audit = frame.stamp + AUDIT
            self._audited = (self._audited + 1) % (len(self._cells) + 1)
            if self._audited == len(self._cells):
                self._find(frame, shown.found)
            else:
                cell = self._cells[self._audited]
                cell.soil(frame.stamp, disturbed=False)
                self._reading.read(shown, [cell])

    # --- something happens

    def _active(self, shown: TableFrame) -> None:
        frame, zones, gate = shown.frame, shown.surface.zones, shown.surface.gate
        differing, moving = gate.compare(frame), gate.motion(frame)
        differs, moves = zones.share(gate.differs), zones.share(gate.moves)
        quiet = self._quiet(shown)
        arms, everywhere = arms_in(gate.differs, quiet, zones)
        hidden = sum((arm.shares for arm in arms), np.zeros(len(differs))) > COVERS
        for number in quiet:
            around = everywhere.ravel()[zones.rims[number - 1]]
            rim = float((around > 0).mean()) if around.size else 0.0
            self._cells[number - 1].beside = rim > RIMS
            hidden[number] = rim > RIMS and (rim > SURROUNDS or holds(arms, zones, number))
        if _is_misplaced(zones, differs, moves, differing, moving) and self._look_for_table(shown, moving):
            return
        at_work = self._hands.follow(arms, zones, frame.stamp)
        if self._reading.mat.reads_under_arms:
            self._reading.visits.take(frame.stamp, gate, zones, moves)
        ready = [cell for cell in self._cells if self._is_ready(cell, frame, differs, moves, hidden)]
        for side, number in at_work:
            self._cells[number - 1].worked_on(side)
        for cell in [cell for cell in ready if cell.is_pile or self._is_told_by_reach(cell)]:
            for side in self._hands.went_to(cell.number, frame.stamp):
                cell.worked_on(side)
        self._reading.glimpse(shown, [cell for cell in self._cells if cell.dirty is not None and cell not in ready])
        if ready:
            self._reading.read(shown, ready)
        is_hidden = hidden[zones.of_cells].any() and self._reading.mat.reads_under_arms
        self._clutter.absorb(frame, gate, zones, everywhere if is_hidden else None)
        self._clutter.tell_hidden(int(hidden[zones.of_cells].sum()), frame, shown.found, len(self._cells))

    def _is_told_by_reach(self, cell: WatchedCell) -> bool:
        """No hand has lingered at a place for a card: then it was the one that went no farther."""
        mat = self._reading.mat
        return not (cell.arms or mat.reads_under_arms or mat.spans > 1)

    def _quiet(self, shown: TableFrame) -> set[int]:
        """The cells on which nothing moves and a card is seen, whoever else is about; others are glanced at first."""
        still = [cell for cell in self._cells if cell.still is not None and shown.frame.stamp - cell.still >= QUIET]
        glanced = [cell for cell in still if cell.now.now == "covered" and shown.frame.stamp >= cell.next_glance]
        if glanced:
            self._reading.glance(shown, glanced)
        return {cell.number for cell in still if cell.shows_card or cell.now.now != "covered"}

    def _is_ready(
        self,
        cell: WatchedCell,
        frame: Frame,
        differs: NDArray[np.float64],
        moves: NDArray[np.float64],
        hidden: NDArray[np.bool_],
    ) -> bool:
        """Whether a cell is worth a look now; and what it is to be called meanwhile."""
        number, stamp = cell.number, frame.stamp
        covered, moving = bool(hidden[number]), moves[number] > MOVING
        if covered or moving or differs[number] > CHANGED:
            cell.soil(stamp, disturbed=True)
        if cell.dirty is None:
            return False
        if moving:
            cell.moves(stamp)
        elif cell.still is None:
            cell.still = stamp
        if covered:
            cell.show("covered", stamp)
            rests = cell.still is not None and stamp - cell.still >= RESTING
            return rests and stamp >= cell.next_try
        if cell.now.now not in ("unknown", "unreadable"):
            cell.show("changed", stamp)
        return not moving and stamp >= cell.next_try

    # --- the table

    def _look_for_table(self, shown: TableFrame, moving: int) -> bool:
        """Whether it is another table now, so that this frame has nothing more to tell."""
        frame, gate, zones = shown.frame, shown.surface.gate, shown.surface.zones
        if self._search.is_too_soon(frame.stamp):
            return False
        if not self._find(frame, shown.found):
            return self._search.is_lost
        flooded = cv2.countNonZero(gate.differs) > FLOOD * zones.labels.size
        is_other = self._surface is not shown.surface
        if not is_other and self._reading.mat.spans > 1 and not self._search.is_doubtful:
            gate.accept(frame, _beside_cells(zones, gate))
            return False
        if not is_other and flooded and moving < zones.labels.size // 100:
            gate.accept(frame)
            self._soil_all(frame.stamp, disturbed=False)
            return True
        return is_other

    def _find(self, frame: Frame, found: list[Sighting]) -> bool:
        """Look where the table is; whether there is one."""
        if self._search.is_wanted and self._search.is_too_soon(frame.stamp):
            return False
        before, was_lost = self._search.table, self._search.is_lost
        if not self._search.look(frame, found):
            if self._search.is_lost and not was_lost:
                for cell in self._cells:
                    cell.soil(frame.stamp, disturbed=True)
                    cell.show("unknown", frame.stamp)
            return False
        table = self._search.table
        if table is not None and table is not before:
            self._set_table(frame, before, table)
        if was_lost:
            self._soil_all(frame.stamp, disturbed=True)
        return True

    def _set_table(self, frame: Frame, before: TableView | None, table: TableView) -> None:
        scale = frame.grey.shape[1] / frame.picture.shape[1]
        if before is None or self._surface is None:
            gate = Gate(frame, is_low=table.mat is not None and bool(table.mat.given))
        else:
            gate = self._surface.gate
            gate.shift(frame, shift(before, table, scale))
        markers = self._search.finder.markers if table.mat else None
        self._surface = Surface(table, gate, Zones.of(table, markers, frame.grey, scale))
        self._clutter.forget()
        self._soil_all(frame.stamp, disturbed=False)


def _is_misplaced(
    zones: Zones, differs: NDArray[np.float64], moves: NDArray[np.float64], differing: int, moving: int
) -> bool:
    """The table may have moved, or the light changed: and nothing moves just now."""
    markers = slice(zones.cells + 1, None)
    wrong = (differs[markers] > MARKED) & (moves[markers] < MOVING)
    plane = zones.labels.size
    cells = int((differs[zones.of_cells] > CHANGED).sum())
    most = MOST * zones.cells
    is_most = zones.cells > FEW and cells >= most
    return bool(wrong.sum() >= 2) or (moving < plane // 100 and (differing > FLOOD * plane or is_most))


def _beside_cells(zones: Zones, gate: Gate) -> Mask:
    """Where nothing moves that is no cell."""
    beside = (zones.labels == 0) | (zones.labels > zones.cells)
    return np.asarray(beside & (gate.moves == 0), np.uint8)


def _cells_of(mat: Mat) -> tuple[WatchedCell, ...]:
    cells, piles = len(mat.places), len(mat.piles)
    return tuple(WatchedCell(number, is_pile=number > cells) for number in range(1, cells + piles + 1))

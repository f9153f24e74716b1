"""Where the table is: looked for while there is none, and again when it may have moved."""

from dataclasses import replace

import cv2
import numpy as np

from companion.core.sentence import N_
from vision.eye_errors import NoTableError, OtherMatError
from vision.faults import SECOND
from vision.frames import Frame, Matrix
from vision.locate import TableView, find_table
from vision.markers import Finder
from vision.sightings import CELLS, Sighting, TableLost, TableSeen

FIND = SECOND // 4  # between two searches for the table
LOST = SECOND  # before it is told that there is no table
SHIFTED = 0.008  # of a cell's side: what the table moves less than that is no move


class TableSearch:
    """The table that was found last, which is as good as there while it is not told as lost."""

    def __init__(self, finder: Finder, *, mat: bool) -> None:
        self.table: TableView | None = None
        self.newest: TableView | None = None  # as it was last found, moved or not
        self.is_lost = False  # and that has been told
        self.other_mat = ""  # that lies there instead of one that is wanted
        self.finder = finder
        self._mat = mat
        self._since: int | None = None  # there is no table since then
        self._next = 0

    @property
    def is_doubtful(self) -> bool:
        """Some of a mat was hidden when it was last found."""
        return self.table is None or bool(self.newest and self.newest.note)

    @property
    def is_wanted(self) -> bool:
        return self.table is None or self.is_lost

    def is_too_soon(self, stamp: int) -> bool:
        return stamp < self._next

    def forget(self) -> None:
        """The camera is another."""
        self.finder.forget()
        self.table = None

    def look(self, frame: Frame, found: list[Sighting]) -> bool:
        """Look where the table is; whether there is one."""
        self._next = frame.stamp + FIND
        try:
            table = as_before(self.table, find_table(frame.picture, mat=self._mat, finder=self.finder))
        except NoTableError as error:
            self.other_mat = error.mat if isinstance(error, OtherMatError) else ""
            self._without(frame, error.sentence, found)
            return False
        self.newest = table
        moved = self.table is not None and _is_elsewhere(self.table, table)
        if self.table is None or moved or self.is_lost:
            found.append(TableSeen(frame.stamp, frame.number, table, moved))
        if self.table is None or moved:
            self.table = table
        self._since, self.is_lost, self.other_mat = None, False, ""
        return True

    def _without(self, frame: Frame, why: str, found: list[Sighting]) -> None:
        self._since = frame.stamp if self._since is None else self._since
        if frame.stamp - self._since >= LOST and not self.is_lost:
            self.is_lost = True
            found.append(TableLost(frame.stamp, frame.number, why))


def shift(old: TableView, new: TableView, scale: float) -> Matrix:
    """How pixels of the small plane have moved with the table."""
    if new.mat is not None and new.mat.given:
        there, here = ((table.cells.reshape(-1, 2) + 0.5) * scale - 0.5 for table in (old, new))
        return np.asarray(cv2.findHomography(there, here)[0], np.float64)
    columns, last = new.shape[0], len(new.cells) - 1
    corners = [(0, 0), (columns - 1, 1), (last, 2), (last - columns + 1, 3)]
    there, here = (
        np.array([(table.cells[cell, corner] + 0.5) * scale - 0.5 for cell, corner in corners], np.float32)
        for table in (old, new)
    )
    return np.asarray(cv2.getPerspectiveTransform(there, here), np.float64)


def as_before(old: TableView | None, new: TableView) -> TableView:
    """The table that was found, as the same that it was before: cards alone do not tell which way up it lies."""
    if old is None or new.how != "cards":
        return new
    if old.mat:
        raise NoTableError(N_("I see too little of the mat: uncover the markers in its corners."))
    return min((turned(new, quarters) for quarters in range(4)), key=lambda table: _askew(old, table))


def turned(table: TableView, quarters: int) -> TableView:
    cells = np.rot90(table.cells.reshape(3, 3, 4, 2), -quarters).reshape(CELLS, 4, 2)
    return replace(table, cells=np.roll(cells, quarters, axis=1))


def _askew(old: TableView, new: TableView) -> float:
    """How far the cells lie from where they lay: least, wherever the table has gone, if they are numbered as before."""
    return float(np.linalg.norm(old.cells.mean(axis=1) - new.cells.mean(axis=1)))


def _is_elsewhere(old: TableView, new: TableView) -> bool:
    """By more than a reader notices."""
    if old is new:
        return False
    side = float(np.linalg.norm(old.cells[0, 0] - old.cells[0, 1]))
    return bool(np.linalg.norm(new.cells - old.cells, axis=2).max() > SHIFTED * side)

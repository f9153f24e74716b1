"""The baseline of watching: every frame read whole, and every card believed as soon as it is read."""

from typing import Any

from vision.eye_errors import NoTableError
from vision.frames import Frame
from vision.locate import TableView, find_table
from vision.markers import Finder
from vision.reader import Reader
from vision.sightings import CELLS, CardSeen, CellNow, GridSeen, Look, Sighting, TableSeen


class FrameByFrame:
    """Has a watcher's face and none of its patience."""

    changed = True

    def __init__(self, reader: Reader) -> None:
        self.table: TableView | None = None
        self.cells = tuple(CellNow("unknown", 0) for _ in range(CELLS))
        self.looks: list[Look | None] = [None] * CELLS
        self._reader, self._finder = reader, Finder()
        self._told = False

    def expect(self, _prior: Any) -> None:
        pass

    def know(self, _cards: dict[int, str]) -> None:
        pass

    def look_again(self, _cells: tuple[int, ...] = ()) -> None:
        pass

    def watch(self, frame: Frame) -> list[Sighting]:
        found: list[Sighting] = []
        try:
            table = find_table(frame.picture, finder=self._finder)
        except NoTableError:
            return found
        if self.table is None:
            found.append(TableSeen(frame.stamp, frame.number, table, moved=False))
        self.table = table
        readings = self._reader.read(frame.picture, table.cells)
        for reading, before in zip(readings, tuple(self.looks), strict=True):
            if reading.card and (before is None or before.card != reading.card):
                square = frame.picture[:2, :2]
                look = Look(frame.stamp, frame.number, reading.card, "card", reading.confidence, square)
                self.looks[reading.cell - 1] = look
                if before is not None:
                    found.append(CardSeen(frame.stamp, frame.number, reading.cell, before, look, frame.stamp - 1, ()))
        self.cells = tuple(CellNow("clear" if reading.card else "covered", frame.stamp) for reading in readings)
        looks = [look for look in self.looks if look is not None]
        if not self._told and len(looks) == CELLS:
            self._told = True
            found.append(GridSeen(frame.stamp, frame.number, tuple(looks)))
        return found

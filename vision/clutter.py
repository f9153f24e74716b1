"""What lies about: beside the cells it belongs to the table after a while, over the cells it is told."""

import cv2
import numpy as np

from companion.core.sentence import N_, Sentence
from vision.faults import SECOND
from vision.frames import Frame, Plane
from vision.gate import Gate, Mask, Zones
from vision.sightings import CELLS, Sighting, Trouble, TroubleOver

SNAPSHOT = SECOND // 2  # between two looks at what has come to lie beside the cells ...
OLD = 6  # ... of which so many must agree before it belongs to the table
HIDDEN = 10 * SECOND  # before it is told that cells have been covered for long
MOST_HIDDEN = 1 / 3  # of the cells


class Clutter:
    """What has come to rest on the table, by how many looks it has lain there."""

    def __init__(self) -> None:
        self._next = 0
        self._snapshot: Plane | None = None
        self._ages: Plane | None = None
        self._hidden: int | None = None  # since when too many cells are covered
        self._is_told = False

    def forget(self) -> None:
        """The table is another, or lies elsewhere."""
        self._snapshot = self._ages = None

    def absorb(self, frame: Frame, gate: Gate, zones: Zones, arms: Mask | None) -> None:
        """What has come to rest beside the cells belongs to the table after a while; what hides cells never does."""
        if frame.stamp < self._next:
            return
        self._next = frame.stamp + SNAPSHOT
        if self._snapshot is not None:
            rests = cv2.compare(cv2.absdiff(frame.grey, self._snapshot), 8.0, cv2.CMP_LT)
            rests = cv2.bitwise_and(rests, gate.differs)
            if arms is not None:
                rests = cv2.bitwise_and(rests, cv2.bitwise_not(arms))
            older = np.ones_like(frame.grey) if self._ages is None else cv2.add(self._ages, 1)
            self._ages = np.asarray(cv2.bitwise_and(older, rests), np.uint8)
            beside = (zones.labels == 0) | (zones.labels > zones.cells)
            old = np.asarray((self._ages >= OLD) & beside, np.uint8)
            if old.any():
                gate.accept(frame, old)
        self._snapshot = frame.grey

    def tell_hidden(self, hidden: int, frame: Frame, found: list[Sighting], cells: int = CELLS) -> None:
        """Say it when a good part of the table has been covered for long, and when it no longer is."""
        if hidden <= MOST_HIDDEN * cells:
            if self._is_told:
                found.append(TroubleOver(frame.stamp, frame.number, "covered"))
            self._hidden, self._is_told = None, False
            return
        self._hidden = frame.stamp if self._hidden is None else self._hidden
        if frame.stamp - self._hidden >= HIDDEN and not self._is_told:
            self._is_told = True
            sentence: str = Sentence(
                "{hidden} of the nine cells have been covered for a while: clear the table, I do not see them.",
                hidden=hidden,
            )
            if cells != CELLS:
                sentence = N_(
                    "A good part of the mat has been covered for a while: clear it, I do not see what lies there."
                )
            found.append(Trouble(frame.stamp, frame.number, "covered", sentence))

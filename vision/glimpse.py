"""What is seen of a cell while hands are over it: a card that lies there, whoever moves above it.

A card that lies looks the same in every frame, but for what passes over it; a card that is held never does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.deck import CARDS
from vision.frames import Picture, Plane
from vision.reader import Looked

SURE = 0.95  # that it is a card, and which
STILL = 0.97  # of the middle of a cell: so much of it is as it was, if a card lies there
SAME = 12  # grey levels; less is noise
RIM = 6  # a cell's side by this is left out on each side
FEWEST = 3  # frames in a row in which it is as it was ...
LONG_ENOUGH = 1_000_000_000 // 11  # ... and nanoseconds from the first of them to the last


@dataclass(frozen=True, slots=True)
class Lain:
    """A card that has been seen to lie on a cell in some frames, one after the other."""

    card: str
    confidence: float  # in the newest of them
    first: int
    last: int
    frames: int = 1

    @property
    def is_enough(self) -> bool:
        return self.frames >= FEWEST and self.last - self.first >= LONG_ENOUGH


class Glimpses:
    """Hand it what every frame shows of the cells that are not clear."""

    def __init__(self) -> None:
        self._squares: dict[int, Plane] = {}  # as they were when the run began: what creeps is not still
        self._lain: dict[int, Lain] = {}

    def forget(self) -> None:
        self._squares.clear()
        self._lain.clear()

    def take(self, stamp: int, numbers: Sequence[int], looked: Looked) -> dict[int, Lain]:
        """The cells on which a card is seen to lie."""
        before, self._squares = self._squares, {}
        lain, self._lain = self._lain, {}
        for number, square, answer in zip(numbers, looked.squares, looked.answers, strict=True):
            grey = _middle(square)
            begun_as = before.get(number)
            if begun_as is None or answer.confidence < SURE or _alike(grey, begun_as) < STILL:
                self._squares[number] = grey
                continue
            self._squares[number] = begun_as
            card, so_far = CARDS[int(answer.cards.argmax())], lain.get(number)
            begun = so_far if so_far and so_far.card == card else Lain(card, 0.0, stamp, stamp, 0)
            self._lain[number] = Lain(card, answer.confidence, begun.first, stamp, begun.frames + 1)
        return self._lain


def _middle(square: Picture) -> Plane:
    grey = cv2.blur(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), (3, 3))
    rim = len(grey) // RIM
    return np.ascontiguousarray(grey[rim:-rim, rim:-rim])


def _alike(one: Plane, other: Plane) -> float:
    """The share of pixels that are as they were."""
    differs = cv2.threshold(cv2.absdiff(one, other), SAME, 255, cv2.THRESH_BINARY)[1]
    return 1 - cv2.countNonZero(differs) / differs.size

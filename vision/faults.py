"""What can be wrong with the frames themselves: their order, their clock, a frozen or a black picture."""

from collections import deque
from dataclasses import dataclass, field

import cv2

from companion.core.sentence import N_
from vision.frames import Frame
from vision.sightings import Sighting, Trouble, TroubleOver

SECOND = 1_000_000_000
FROZEN = 2 * SECOND  # the very same picture for so long
DARK = SECOND // 2
BLACK, FLAT = 14.0, 6.0  # mean and deviation of a plane on which nothing can be seen
LATE, WITHIN = 3, SECOND  # so many frames out of order in so long are a fault; one or two are just left out
OVER = SECOND  # without anything wrong

SENTENCES = {
    "dark": N_("The picture is black: take the cap off the lens, or switch the light on."),
    "frozen": N_("The camera hands over the same picture again and again: unplug it and plug it in again."),
    "backwards": N_("The camera's frames come in the wrong order, or its clock repeats: I leave those out."),
}


@dataclass(slots=True)
class Faults:
    """Follows frames and says when something begins to be wrong, and when it is over."""

    last: Frame | None = None
    _since: dict[str, int] = field(default_factory=dict)  # what may be wrong, and since when
    _told: dict[str, int] = field(default_factory=dict)  # what was told, and when it was last seen
    _late: deque[int] = field(default_factory=lambda: deque(maxlen=LATE))  # stamps of those after which late ones came

    def take(self, frame: Frame, found: list[Sighting]) -> bool:
        """Whether the frame can be used; what is to be told goes into `found`."""
        if self.last is not None and frame.stamp <= self.last.stamp:
            self._out_of_order(self.last, found)
            return False
        wrong = set()
        if self.last is not None and _is_same(frame, self.last):
            wrong.add("frozen")
        if _is_black(frame):
            wrong.add("dark")
        for code, patience in (("frozen", FROZEN), ("dark", DARK)):
            if code in wrong:
                self._wrong(code, patience, frame, found)
            else:
                self._since.pop(code, None)
        self._over(frame, found)
        self.last = frame
        return not {"frozen", "dark"} & wrong

    def _out_of_order(self, last: Frame, found: list[Sighting]) -> None:
        """By the clock of the frames that are in order: such a frame's own stamp says nothing."""
        self._late.append(last.stamp)
        if "backwards" in self._told or (len(self._late) == LATE and last.stamp - self._late[0] < WITHIN):
            self._wrong("backwards", 0, last, found)

    def _wrong(self, code: str, patience: int, frame: Frame, found: list[Sighting]) -> None:
        since = self._since.setdefault(code, frame.stamp)
        if frame.stamp - since < patience:
            return
        if code not in self._told:
            found.append(Trouble(frame.stamp, frame.number, code, SENTENCES[code]))
        self._told[code] = frame.stamp

    def _over(self, frame: Frame, found: list[Sighting]) -> None:
        for code in [code for code, seen in self._told.items() if frame.stamp - seen >= OVER]:
            del self._told[code]
            self._since.pop(code, None)
            found.append(TroubleOver(frame.stamp, frame.number, code))


def _is_same(frame: Frame, last: Frame) -> bool:
    """Bit for bit: the noise of a camera that works is never the same twice."""
    return frame.grey.shape == last.grey.shape and not cv2.norm(frame.grey, last.grey, cv2.NORM_INF)


def _is_black(frame: Frame) -> bool:
    sample = frame.grey[::8, ::8]
    return bool(sample.mean() < BLACK) and bool(sample.std() < FLAT)

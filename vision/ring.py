"""The last seconds of a camera, small and in bounded memory, so that a moment can be shown again when it is disputed.

Only frames in which something changed are kept, as small JPEGs, and not more than so many a second; between two of them
the earlier one stands for what was to be seen.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import cv2
import numpy as np

from vision.cells import shrunk
from vision.eye_errors import PictureError
from vision.frames import Frame, Picture

SECOND = 1_000_000_000
LONG_SIDE = 640  # pixels of a kept picture, about: half of 1280 × 720
QUALITY = 80
STRAYS = 3  # frames in a row from quite another time, and the clock was set anew


@dataclass(frozen=True, slots=True, eq=False)
class Moment:
    """A kept picture; `by` is how many pixels of the camera's picture one of its own is long."""

    stamp: int
    number: int
    picture: Picture
    by: int = 1


@dataclass(frozen=True, slots=True)
class Kept:
    """The same, packed."""

    stamp: int
    number: int
    jpeg: bytes
    by: int

    def unpacked(self) -> Moment:
        picture = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        return Moment(self.stamp, self.number, np.asarray(picture, np.uint8), self.by)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some seconds that stay as they are, whatever the ring turns to."""

    kept: tuple[Kept, ...] = ()

    @property
    def stamps(self) -> tuple[int, ...]:
        return tuple(one.stamp for one in self.kept)

    def hold(self, start: int, end: int) -> "Stretch":
        """What was to be seen from one stamp to another, the picture that stands at the start included."""
        first = max(0, bisect_right(self.kept, start, key=attrgetter("stamp")) - 1)
        return Stretch(self.kept[first : bisect_right(self.kept, end, key=attrgetter("stamp"))])

    def stretch(self, around: int, before: int, after: int, count: int) -> tuple[Moment, ...]:
        """At most so many pictures spread over a moment in order, the one nearest to `around` among them."""
        kept = self.hold(around - before, around + after).kept
        return tuple(kept[at].unpacked() for at in _spread([one.stamp for one in kept], around, count))


def _spread(stamps: Sequence[int], around: int, count: int) -> list[int]:
    """Which of them: the nearest one, and others as evenly in time as there are any."""
    if len(stamps) <= count or count < 1:
        return list(range(len(stamps)))[: max(0, count)]
    chosen = {min(range(len(stamps)), key=lambda at: abs(stamps[at] - around))}
    step = (stamps[-1] - stamps[0]) / max(1, count - 1)
    wanted = [stamps[0] + step * at for at in range(count)]
    wanted.remove(min(wanted, key=lambda stamp: abs(stamp - around)))
    for stamp in wanted:
        rest = [at for at in range(len(stamps)) if at not in chosen]
        chosen.add(min(rest, key=lambda at: abs(stamps[at] - stamp)))
    return sorted(chosen)


class Ring:
    """Hand every frame in, with whether anything changed in it."""

    def __init__(self, seconds: float = 10.0, most_bytes: int = 40_000_000, rate: float = 15) -> None:
        if not (seconds > 0 and most_bytes > 0 and rate > 0):
            raise PictureError(
                f"A ring of {seconds} s, {most_bytes} bytes and {rate} pictures a second keeps nothing; "
                "each must be more than 0."
            )
        self._seconds = round(seconds * SECOND)
        self._most_bytes = most_bytes
        self._slot = math.ceil(SECOND / rate)  # of time, with room for one picture
        self.clear()

    def clear(self) -> None:
        self._kept: list[Kept] = []
        self._bytes = 0  # of the packed pictures
        self._newest: int | None = None
        self._owed = False  # something changed in a frame that was not kept
        self._strays = 0

    @property
    def stamps(self) -> tuple[int, ...]:
        return tuple(one.stamp for one in self._kept)

    def add(self, frame: Frame, *, changed: bool) -> None:
        """A changed frame is kept unless there was one just before; then the next frame is, changed or not."""
        if not self._is_of_now(frame.stamp):
            return
        self._newest = max(frame.stamp, self._newest or frame.stamp)
        self._owed = self._owed or changed or not self._kept
        if self._owed and self._has_room(frame.stamp):
            self._keep(frame)
        self._drop()

    def hold(self, start: int, end: int) -> Stretch:
        return Stretch(tuple(self._kept)).hold(start, end)

    def _is_of_now(self, stamp: int) -> bool:
        """One stamp from quite another time is a fault of the frame; several are another clock."""
        if self._newest is None or abs(stamp - self._newest) <= self._seconds:
            self._strays = 0
            return True
        self._strays += 1
        if self._strays < STRAYS:
            return False
        self.clear()
        return True

    def _has_room(self, stamp: int) -> bool:
        at = bisect_right(self._kept, stamp, key=attrgetter("stamp"))
        neighbours = self._kept[max(0, at - 1) : at + 1]
        return all(one.stamp // self._slot != stamp // self._slot for one in neighbours)

    def _keep(self, frame: Frame) -> None:
        by = max(1, round(max(frame.picture.shape[:2]) / LONG_SIDE))
        small = shrunk(frame.picture, by) if by > 1 else frame.picture
        _, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        kept = Kept(frame.stamp, frame.number, jpeg.tobytes(), by)
        self._kept.insert(bisect_right(self._kept, frame.stamp, key=attrgetter("stamp")), kept)
        self._bytes += len(kept.jpeg)
        self._owed = False

    def _drop(self) -> None:
        """What is too old, and what is too much; the picture that stands for the oldest moment stays."""
        assert self._newest is not None
        while len(self._kept) > 1 and (
            self._kept[1].stamp <= self._newest - self._seconds or self._bytes > self._most_bytes
        ):
            self._bytes -= len(self._kept.pop(0).jpeg)

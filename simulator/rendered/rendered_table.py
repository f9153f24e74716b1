"""The simulated table as a source of frames: a script, drawn. The same script gives the same frames, in any order."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

import cv2
import numpy as np

from vision.exc import SourceError
from vision.frames import Frame, Picture, Plane
from vision.grey import grey_size
from vision.simulated.arms import Arms
from vision.simulated.camera import on_a_stand
from vision.simulated.check import check
from vision.simulated.faces import a_press, card_size
from vision.simulated.happened import Landed, as_data, course_of, landed_of, truth
from vision.simulated.mishaps import Mishaps
from vision.simulated.reach import visit
from vision.simulated.room import a_light, a_tabletop
from vision.simulated.script import Mishap, Script
from vision.simulated.sensor import Sensor
from vision.simulated.still import Still, Stuff, View, paper_waves, places_of

__all__ = ["Landed", "SimulatedTable", "as_data", "landed_of", "truth"]

SECOND = 1_000_000_000


class SimulatedTable:
    """Frames of a script, as fast as they are asked for, or (`paced`) as the seconds go by.

    After a SourceError of a script's mishap `gone`, asking for frames again goes on where the camera is back.
    """

    def __init__(self, script: Script, *, start: int = 0, paced: bool = False) -> None:
        check(script)
        self.script = script
        self._start, self._paced, self._closed = start, paced, False
        self._back = 0  # the frame with which frames() begins
        self._began: int | None = None
        self._course = course_of(script)
        mat = places_of(script.mat)
        room, stand, people, other = (np.random.default_rng((script.seed, number)) for number in (1, 2, 3, 6))
        light, press = a_light(room), a_press(room, card_size(script.mat))
        waves, blur, dim = paper_waves(room), float(room.uniform(0.45, 0.85)), float(room.uniform(0.1, 0.3))
        self._still = Still(Stuff(script.mat, a_tabletop(room), light, press, waves, blur, dim))
        view = View(on_a_stand(stand, mat.size, script.size), mat)
        self._mishaps = Mishaps(script.mishaps, view, light, other)
        visits = [
            visit(
                number,
                arm,
                self._course,
                self._mishaps.view(arm.enters),
                np.random.default_rng((script.seed, 4, number)),
            )
            for number, arm in enumerate(script.arms)
        ]
        self._arms = Arms(visits, light, press, people)
        self._sensor = Sensor(script)
        self._light = np.empty((script.size[1], script.size[0], 3), np.uint8)

    @property
    def size(self) -> tuple[int, int]:
        return self.script.size

    @property
    def count(self) -> int:
        """Of frames."""
        return -int(-self.script.length * self.script.rate // SECOND)

    def when(self, number: int) -> int:
        """Nanoseconds of the script at which a frame is taken."""
        return round(number * SECOND / self.script.rate)

    def about(self) -> dict[str, Any]:
        return {
            "kind": "simulated",
            "name": f"simulated table {self.script.seed}",
            "size": self.size,
            "grey": grey_size(self.size),
            "frames": self.count,
            "rate": self.script.rate,
        }

    def close(self) -> None:
        self._closed = True

    # --- Frames

    def frames(self) -> Iterator[Frame]:
        if self._began is None:
            self._began = time.monotonic_ns()
        start = self._began if self._paced else self._start
        for number in self._order()[self._back :]:
            if gone := self._mishaps.now("gone", self.when(number)):
                self._back = self._first(gone.until)
            if self._paced:
                time.sleep(max(0.0, (self._began + self.when(number) - time.monotonic_ns()) / SECOND))
            if self._closed:
                return
            yield self._frame(number, start)
        self._back, self._began = 0, None

    def frame_at(self, number: int) -> Frame:
        """Any frame of the script, whatever was asked for before."""
        return self._frame(number, self._start)

    def _order(self) -> Sequence[int]:
        """The numbers as the frames are handed over: backwards while that mishap lasts."""
        numbers = list(range(self.count))
        for mishap in self._mishaps.of("backwards"):
            first, last = self._range(mishap)
            numbers[first:last] = numbers[first:last][::-1]
        return numbers

    def _range(self, mishap: Mishap) -> tuple[int, int]:
        """From the first frame that it befalls to the first that it does not any more."""
        return self._first(mishap.at), self._first(mishap.until)

    def _first(self, at: int) -> int:
        """The first frame that is not before a moment."""
        number = max(0, int(at * self.script.rate // SECOND))
        while self.when(number) < at:
            number += 1
        return min(number, self.count)

    def _frame(self, number: int, start: int) -> Frame:
        at = self.when(number)
        if gone := self._mishaps.now("gone", at):
            raise SourceError(f"The simulated camera is gone, as its script wants it, after {gone.at / SECOND:g} s.")
        frozen, repeated = self._mishaps.now("frozen", at), self._mishaps.now("repeats", at)
        picture = self._picture(self._range(frozen)[0] if frozen else number)
        stamp = self.when(self._range(repeated)[0]) if repeated else at
        return Frame(picture, _grey(picture), start + stamp, number)

    # --- Pictures

    def _picture(self, number: int) -> Picture:
        """What comes out of the sensor."""
        at = self.when(number)
        if self._mishaps.now("black", at):
            self._light[:] = 2
        else:
            self._draw(at)
        picture = self._sensor.picture(self._light, number)
        if self._mishaps.burns(at):  # what is full is full, without noise
            cv2.max(picture, cv2.threshold(self._light, 254, 255, cv2.THRESH_TOZERO)[1], dst=picture)
        return cv2.flip(picture, -1) if self._mishaps.now("upside down", at) else picture

    def _draw(self, at: int) -> None:
        """What falls on the sensor."""
        mishaps, view = self._mishaps, self._mishaps.view(at)
        np.copyto(self._light, self._still.picture(view, self._course.lying_at(at), mishaps.foreign(at)))
        mishaps.lay_over(self._light, view, at)
        self._arms.draw(self._light, view, at, self._still.tones)
        jolt = mishaps.jolt(at, self.size)
        if jolt is not None:
            self._light = cv2.warpAffine(self._light, jolt, self.size, borderMode=cv2.BORDER_REFLECT_101)
        if tint := mishaps.tint(at):
            cv2.multiply(self._light, (*tint, 0.0), dst=self._light)
        rows = mishaps.flicker(at, self.size)
        if rows is not None:
            cv2.multiply(self._light, rows, dst=self._light, scale=1 / 128)


def _grey(picture: Picture) -> Plane:
    """As of `vision.grey`, in the order that is quicker."""
    size = grey_size((picture.shape[1], picture.shape[0]))
    return cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), size, interpolation=cv2.INTER_AREA)

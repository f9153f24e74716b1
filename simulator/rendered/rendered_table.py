"""The simulated table as a source of frames: a script, drawn. The same script gives the same frames, in any order."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from simulator.rendered.arm_drawing import Arms
from simulator.rendered.mishaps import Mishaps
from simulator.rendered.outcomes import course_of
from simulator.rendered.pinhole import on_a_stand
from simulator.rendered.printed_faces import a_press, card_size
from simulator.rendered.reach import visit
from simulator.rendered.room_light import a_light, a_tabletop
from simulator.rendered.script import Mishap, Script
from simulator.rendered.script_check import check
from simulator.rendered.sensor import Sensor
from simulator.rendered.still_life import StillLife, StillView, Stuff, paper_waves
from vision.eye_errors import SourceError
from vision.frames import Frame, Picture
from vision.grey import grey_of, grey_size
from vision.mat import SMALL, Mat

SECOND = 1_000_000_000


class SimulatedTable:
    """Frames of a script, as fast as they are asked for.

    After a SourceError of a script's mishap `gone`, asking for frames again goes on where the camera is back.
    """

    def __init__(self, script: Script, *, start: int = 0) -> None:
        check(script)
        self.script = script
        self._start, self._closed = start, False
        self._back = 0  # the frame with which frames() begins
        self._course = course_of(script)
        mat = script.mat or SMALL  # where the cells are, mat or no mat
        stand, people, other = (np.random.default_rng((script.seed, number)) for number in (2, 3, 6))
        stuff = _stuff(script.seed, script.mat, script.paper)
        self._still = StillLife(stuff)
        view = StillView(on_a_stand(stand, mat.size, script.size), mat, given=script.places)
        self._mishaps = Mishaps(script.mishaps, view, stuff.light, other)
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
        self._arms = Arms(visits, stuff.light, stuff.press, people)
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
        for number in self._order()[self._back :]:
            if gone := self._mishaps.now("gone", self.when(number)):
                self._back = self._first(gone.until)
            if self._closed:
                return
            yield self.frame_at(number)
        self._back = 0

    def frame_at(self, number: int) -> Frame:
        """Any frame of the script, whatever was asked for before."""
        at = self.when(number)
        if gone := self._mishaps.now("gone", at):
            raise SourceError(f"The simulated camera is gone, as its script wants it, after {gone.at / SECOND:g} s.")
        frozen, repeated = self._mishaps.now("frozen", at), self._mishaps.now("repeats", at)
        picture = self._picture(self._range(frozen)[0] if frozen else number)
        stamp = self.when(self._range(repeated)[0]) if repeated else at
        return Frame(picture, grey_of(picture), self._start + stamp, number)

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


@lru_cache(maxsize=2)  # whoever opens the same table again finds it as it was
def _stuff(seed: int, mat: Mat | None, paper: str) -> Stuff:
    """What all is made of at the table of a seed."""
    room = np.random.default_rng((seed, 1))
    light, press = a_light(room), a_press(room, card_size(mat), paper)
    waves, blur, dim = paper_waves(room), float(room.uniform(0.45, 0.85)), float(room.uniform(0.1, 0.3))
    return Stuff(mat, a_tabletop(room), light, press, waves, blur, dim)

"""The simulated table while people play at it: the same drawing as `SimulatedTable`, in real time, to which arms come
as they are asked for. Whoever asks may be another thread than the one that takes the frames."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simulator.rendered.arm_drawing import Arms
from simulator.rendered.outcomes import OutcomeCourse, Piece
from simulator.rendered.pinhole import Rng, on_a_stand
from simulator.rendered.printed_faces import a_press, card_size
from simulator.rendered.reach import Visit, visit
from simulator.rendered.room_light import a_light, a_tabletop
from simulator.rendered.script import Lying, Script, ScriptedArm
from simulator.rendered.sensor import Sensor
from simulator.rendered.still_life import StillLife, StillView, Stuff, card_corners, height_of, paper_waves
from vision.frames import Frame, Picture
from vision.grey import grey_of, grey_size
from vision.mat import SMALL, Point

SECOND = 1_000_000_000
SIZE = (640, 600)
RATE = 20.0
CELLS = range(1, 10)
UPRIGHT = 12.0  # degrees by which the mat may stand askew
TRIES = 40  # of camera stands, until one stands upright

Clock = Callable[[], int]


class LiveTable:
    """A source of frames, and a table to lay cards on. `seed` is the room, the light, the sleeves and the camera."""

    def __init__(
        self,
        seed: int = 0,
        *,
        size: tuple[int, int] = SIZE,
        rate: float = RATE,
        clock: Clock = time.monotonic_ns,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.rate = rate
        self._size, self._clock, self._wait, self._mat = size, clock, wait, SMALL
        rooms, people = (np.random.default_rng((seed, number)) for number in (1, 3))
        self._moves = np.random.default_rng((seed, 4))
        light, press = a_light(rooms), a_press(rooms, card_size(self._mat))
        waves, blur, dim = paper_waves(rooms), float(rooms.uniform(0.45, 0.7)), float(rooms.uniform(0.1, 0.25))
        self._still = StillLife(Stuff(self._mat, a_tabletop(rooms), light, press, waves, blur, dim))
        self._view = StillView(_upright(seed, self._mat.size, size), self._mat)
        self._arms = Arms([], light, press, people)
        self._sensor = Sensor(Script(seed, SECOND, (), size=size, rate=rate))
        self._light: Picture = np.empty((size[1], size[0], 3), np.uint8)
        self._lock = threading.Lock()
        self._piles: list[list[Piece]] = [[] for _ in CELLS]
        self._visits: list[Visit] = []  # whose deed is still to come
        self._busy: list[ScriptedArm] = []
        self._number = 0
        self._taken = 0
        self._turn = 0  # whoever was taking frames stops when somebody else begins
        self.newest: Frame | None = None

    # --- as a source -----------------------------------------------------------------------------------------

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def about(self) -> dict[str, Any]:
        return {
            "kind": "simulated",
            "name": "simulated table",
            "size": self._size,
            "grey": grey_size(self._size),
            "rate": self.rate,
        }

    def frames(self) -> Iterator[Frame]:
        """As the seconds go by, until it is closed."""
        self._turn += 1
        turn, step = self._turn, round(SECOND / self.rate)
        due = self._clock()
        first = self._number
        while turn == self._turn:
            frame = self.frame()
            yield replace(frame, number=frame.number - first)
            due = max(due + step, self._clock() - step)
            self._wait(max(0.0, (due - self._clock()) / SECOND))

    def frame(self) -> Frame:
        """What the camera sees now."""
        at = self._clock()
        with self._lock:
            self._until(at)
            np.copyto(self._light, self._still.picture(self._view, [one for pile in self._piles for one in pile]))
            self._arms.draw(self._light, self._view, at, self._still.tones)
            picture = self._sensor.picture(self._light, self._number)
            self.newest = Frame(picture, grey_of(picture), at, self._number)
            self._number += 1
        return self.newest

    def close(self) -> None:
        """Frames end; asked for again they go on."""
        self._turn += 1

    # --- as a table ------------------------------------------------------------------------------------------

    def set_out(self, piles: Sequence[Sequence[Lying]]) -> None:
        """What lies there is cleared away, and these piles lie there instead."""
        with self._lock:
            at = self._clock()
            self._visits = []
            self._piles = [
                [Piece(lying, cell, level, at) for level, lying in enumerate(pile)]
                for cell, pile in zip(CELLS, piles, strict=True)
            ]

    def come(self, arm: ScriptedArm) -> None:
        """An arm reaches in; its times are stamps. It can lay a card, take the top one, or hover with one."""
        with self._lock:
            pile = self._piles[arm.cell - 1]
            piece = Piece(arm.lying, arm.cell, len(pile), arm.deed) if arm.lying else None
            if arm.what == "take":
                piece = pile[-1] if pile else None
            self._taken += 1
            course = OutcomeCourse((), (), (piece,), (None,))
            made = visit(0, arm, course, self._view, self._moves)
            one = replace(made, number=self._taken)
            self._arms.come(one, self._clock())
            self._visits.append(one)
            self._busy = [other for other in self._busy if other.gone > arm.enters] + [arm]

    def is_busy(self, cell: int, around: int = 0) -> bool:
        """A hand is over the cell, or will be."""
        now = self._clock()
        with self._lock:
            return any(arm.cell == cell and arm.leaves + around > now for arm in self._busy)

    @property
    def is_still(self) -> bool:
        """No arm is in the picture, or will be."""
        now = self._clock()
        with self._lock:
            return all(arm.gone <= now for arm in self._busy)

    @property
    def cards(self) -> tuple[tuple[str, ...], ...]:
        """What really lies on the nine cells, from bottom to top."""
        with self._lock:
            self._until(self._clock())
            return tuple(tuple(piece.lying.card for piece in pile) for pile in self._piles)

    @property
    def carried(self) -> tuple[str, ...]:
        """Cards in hands that are on their way to the table."""
        with self._lock:
            return tuple(one.arm.lying.card for one in self._visits if one.arm.what == "lay" and one.arm.lying)

    def corners(self, cell: int) -> tuple[Point, ...]:
        """Where a cell's place is in the picture, as shares of its width and height."""
        place = card_corners(np.array(self._mat.places[cell - 1]), self._mat.place, 0.0)
        seen = self._view.seen(np.c_[place, np.zeros(4)]) / self._size
        return tuple((float(x), float(y)) for x, y in seen)

    def _until(self, at: int) -> None:
        """Everything that is done by then, in its order."""
        for one in sorted(self._visits, key=lambda one: one.arm.deed):
            if one.arm.deed <= at:
                self._visits.remove(one)
                self._do(one)

    def _do(self, one: Visit) -> None:
        arm, pile = one.arm, self._piles[one.arm.cell - 1]
        if arm.what == "lay" and arm.lying:
            piece = Piece(arm.lying, arm.cell, len(pile), arm.deed)
            pile.append(piece)
        elif arm.what == "take" and pile:
            piece = pile.pop()
            high = height_of(piece.level)
            middle = np.array(self._mat.places[arm.cell - 1]) + piece.lying.slip
            came = replace(one, card=piece.lying.card, middle=np.array([*middle, high]), turn=piece.lying.turn)
            self._arms.becomes(came)


def _upright(seed: int, mat: Point, size: tuple[int, int]) -> Any:
    """A camera on a stand that has the mat nearly upright, as its bottom seat sees it."""
    camera = None
    for number in range(TRIES):
        rng: Rng = np.random.default_rng((seed, 2, number))
        camera = on_a_stand(rng, mat, size)
        ends = camera.seen(np.array([[-50.0, 0.0, 0.0], [50.0, 0.0, 0.0]]))
        across, down = ends[1] - ends[0]
        if abs(np.degrees(np.arctan2(down, across))) < UPRIGHT:
            break
    return camera

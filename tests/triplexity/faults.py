"""Faults in the middle of a match of Triplexity before the drawn camera: what is told, and what becomes of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from companion.core.replies import Reply
from companion.core.session import Session
from companion.games import part
from companion.games.triplexity.hands import write_script
from companion.watch.bench import Bench
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import InStepReply, OutOfStepReply
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Lying, Mishap, Script, ScriptedArm, Seat
from tests.faulty import smaller, twice, with_pause
from tests.triplexity.watched import WatchedMatch, reader, seats_of, session_of
from vision.eye_errors import SourceError
from vision.frames import Frame
from vision.grey import grey_of
from vision.mat import SMALL, STACKS
from vision.sheets import mat_picture
from vision.watcher import Watcher

SECOND = 1_000_000_000
SIZE, RATE, SEED = (640, 360), 10.0, 9
PATIENT = 4 * SECOND  # for which people wait when the fault is over
UNAWARE = SECOND

Frames = Iterator[Frame]


@cache
def a_match() -> Script:
    """A round of the advanced game without any trouble."""
    script = write_script(SEED, play="advanced", rounds=1, long=10, pace=2.0, trouble={}, rate=RATE)
    return replace(script, size=SIZE)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A match with a fault from `at` until `until`."""

    script: Script
    at: int
    until: int
    spoil: Callable[[Frames], Frames] = iter
    breaks: bool = False  # the witness loses his head


def after_the_seventh(script: Script) -> int:
    """A moment at which no arm is over the table, when all pieces are placed and one was moved."""
    arms = script.arms
    return (min(arm.enters for arm in arms[7:]) + max(arm.gone for arm in arms[:7])) // 2


def stopped(seconds: float) -> tuple[Script, int, int]:
    """The match with a pause, and when something is wrong."""
    script = a_match()
    at = after_the_seventh(script)
    until = at + round(seconds * SECOND)
    script = with_pause(script, at, until - at + UNAWARE + PATIENT)
    plays = [
        play if play["at"] < at else {**play, "at": play["at"] + until - at + UNAWARE + PATIENT}
        for play in script.about["plays"]
    ]
    return replace(script, about={**script.about, "plays": plays}), at + UNAWARE, until + UNAWARE


def befallen(seconds: float, *mishaps: tuple[Any, ...]) -> Stretch:
    script, at, until = stopped(seconds)
    return Stretch(replace(script, mishaps=tuple(Mishap(what, at, until, *how) for what, *how in mishaps)), at, until)


def spoilt(seconds: float, how: Callable[[Frame], Frame | None]) -> Stretch:
    """The frames of so long are others, or none."""
    script, at, until = stopped(seconds)

    def spoil(frames: Frames) -> Frames:
        for frame in frames:
            now = how(frame) if at <= frame.stamp < until else frame
            if now is not None:
                yield now

    return Stretch(script, at, until, spoil)


def done(seconds: float, *deeds: tuple[float, float, str, str]) -> Stretch:
    """A hand does something to the fullest place: from and until so many seconds, what, and with which piece."""
    script, at, until = stopped(seconds)
    cell, top = fullest(script, at)
    seat: Seat = script.about["seats"]["Anna"]
    arms = []
    for begins, ends, what, face in deeds:
        starts, stops = (at + round(one * SECOND) for one in (begins, ends))
        enters, gone, half = starts - SECOND // 3, stops + SECOND // 3, (starts + stops) // 2
        lying = Lying(top if face == "top" else face, (1.0, -1.0), 3.0) if face else None
        arms.append(ScriptedArm(seat, enters, starts, half, stops, gone, cell, what, lying))  # type: ignore[arg-type]
    every = tuple(sorted((*script.arms, *arms), key=lambda arm: arm.enters))
    return Stretch(replace(script, arms=every), at, until)


def fullest(script: Script, at: int) -> tuple[int, str]:
    """The place with most pieces at a moment, and the face on top."""
    from simulator.rendered.outcomes import course_of  # noqa: PLC0415

    lying = course_of(script).lying_at(at)
    cell = max((1, 2, 3), key=lambda one: sum(piece.cell == one for piece in lying))
    top = max((piece for piece in lying if piece.cell == cell), key=lambda piece: piece.level)
    return cell, top.lying.card


def another_mat(frame: Frame) -> Frame:
    """Somebody lays the mat of another game over it."""
    printed = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)
    picture = mat_picture(SMALL, 1)
    printed[40 : 40 + picture.shape[0], 200 : 200 + picture.shape[1]] = picture * np.uint8(200 / 255)
    printed[0, frame.number % SIZE[0]] = 0
    return replace(frame, picture=printed, grey=grey_of(printed))


def breaking() -> Stretch:
    script, at, until = stopped(1)
    return Stretch(script, at, until, breaks=True)


# --- watching it -----------------------------------------------------------------------------------------------


@dataclass
class Faulty(WatchedMatch):
    """With what was told of the fault."""

    stretch: Stretch | None = None
    open: dict[int, str] = field(default_factory=dict)  # what is out of step at the end

    @property
    def codes(self) -> list[str]:
        return [reply.code for _, reply in self.told if isinstance(reply, OutOfStepReply)]

    @property
    def asked(self) -> list[OutOfStepReply]:
        return [reply for _, reply in self.told if isinstance(reply, OutOfStepReply)]


class _Broken:
    """A witness who loses his head once."""

    def __init__(self, witness: Any) -> None:
        self._witness, self._is_whole = witness, True

    def __getattr__(self, name: str) -> Any:
        if name == "take" and self._is_whole:
            self._is_whole = False
            raise RuntimeError("on purpose")
        return getattr(self._witness, name)


def watched(stretch: Stretch) -> Faulty:
    script, began = stretch.script, list[Session]()
    eye = Watcher(reader(), mats=(STACKS,))

    def begin(stamp: int) -> Session:
        began.append(session_of(script, stamp))
        return began[0]

    bench = Bench(eye, begin, part("triplexity", "watch", GameWatch), Seating(seats_of(script)))
    told = list(_told(stretch, eye, bench))
    return Faulty(script, began[0], told, stretch, _open_at_last(told))


def _told(stretch: Stretch, eye: Watcher, bench: Bench) -> Iterator[tuple[int, Reply]]:
    """A camera that is gone comes back."""
    table, stamp, is_broken = SimulatedTable(stretch.script), 0, False
    while True:
        is_gone = stamp > 0
        try:
            for frame in stretch.spoil(table.frames()):
                stamp = max(stamp, frame.stamp)
                if is_gone:
                    yield from ((stamp, reply) for reply in bench.back(frame.stamp))
                    is_gone = False
                if stretch.breaks and not is_broken and stamp >= stretch.at:
                    is_broken, bench._witness = True, _Broken(bench._witness)
                yield from ((stamp, reply) for reply in bench.saw(eye.watch(frame), frame))
        except SourceError as error:
            yield from ((stamp, reply) for reply in bench.gone(stamp, error.sentence))
        else:
            return


def _open_at_last(told: list[tuple[int, Reply]]) -> dict[int, str]:
    """What is out of step when all is over, by place."""
    found: dict[int, str] = {}
    for _, reply in told:
        for cell in getattr(reply, "cells", None) or [0]:
            if isinstance(reply, OutOfStepReply):
                found[cell] = reply.sentence
            elif isinstance(reply, InStepReply):
                found.pop(cell, None)
    return found


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong, and the code that is told of it; empty: nothing is worth a word."""

    name: str
    make: Callable[[], Stretch]
    code: str
    is_long: bool = True


FAULTS = (
    Fault("the camera is gone for 4 s", lambda: befallen(4, ("gone",)), "camera"),
    Fault("the same picture for 6 s", lambda: befallen(6, ("frozen",)), "frozen"),
    Fault("black pictures for 4 s", lambda: befallen(4, ("black",)), "dark"),
    Fault("the light is off for 4 s", lambda: befallen(4, ("light", 0.004)), "dark"),
    Fault("a third of the light for 4 s", lambda: befallen(4, ("light", 0.3, 0.8)), ""),
    Fault("the light flickers for 5 s", lambda: befallen(5, ("flicker", 0.15)), ""),
    Fault("glare over a place for 4 s", lambda: befallen(4, ("glare", 57, 75, 20)), "unsure"),
    Fault("the camera is upside down for 5 s", lambda: befallen(5, ("upside down",)), ""),
    Fault("the mat is moved", lambda: befallen(0.6, ("moved", 14, -9, 6)), "", is_long=False),
    Fault("the camera is nudged", lambda: befallen(0.4, ("nudge", 12, -8, 1.5)), ""),
    Fault("all of it is covered for 14 s", lambda: befallen(14, ("cover", 0.0, 1.0)), "table"),
    Fault("a newspaper lies over a place for 10 s", lambda: befallen(10, ("cover", 0.35, 0.65)), "missing"),
    Fault("a piece looks like one of another game", lambda: befallen(4, ("foreign", 1), ("foreign", 2)), "cannot-read"),
    Fault(
        "a piece of a third colour is laid and taken off",
        lambda: done(6, (0.5, 1, "lay", "foreign"), (4.5, 5, "take", "")),
        "cannot-read",
        is_long=False,
    ),
    Fault(
        "a piece is shoved off the mat and put back",
        lambda: done(7, (0.5, 1, "take", ""), (5.5, 6, "lay", "top")),
        "missing",
        is_long=False,
    ),
    Fault("a hand stays on the pile", lambda: done(8, (0.5, 7.0, "hover", "")), "covered", is_long=False),
    Fault("two mats for 4 s", lambda: spoilt(4, twice), "table"),
    Fault("the mat of another game for 4 s", lambda: spoilt(4, another_mat), "table", is_long=False),
    Fault("smaller pictures for 3 s", lambda: spoilt(3, smaller), ""),
    Fault("no pictures for 4 s", lambda: spoilt(4, lambda _: None), ""),
    Fault("frames in the wrong order", lambda: befallen(2, ("backwards",)), "backwards"),
    Fault("one stamp again and again", lambda: befallen(2, ("repeats",)), "backwards"),
    Fault("the witness loses his head", breaking, "", is_long=False),
)

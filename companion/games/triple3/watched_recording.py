"""Recording a round of Triple³ that is watched: bots' hands lay cards on the simulated table, the real eye looks on.

What it sees is ruled on, and the picture of the camera stands beside the display.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.packages import packages
from companion.core.record import read_move
from companion.core.replies import Evidenced, FoulReply, Reply, RulingReply
from companion.core.session import Session
from companion.devices.camera import RoomCamera
from companion.display.fingers import touches
from companion.display.layout import Size
from companion.display.moments import weighed, weighed_foul
from companion.display.reel import Reel
from companion.display.scene import Item
from companion.display.scene import Picture as Shown
from companion.display.show import BEGUN, LAST, GameRecording, ScreenShow, ShowWish
from companion.games.triple3.hands import plays_of, write_script
from companion.seat.seating import table_with
from companion.seat.table import Seated
from companion.watch.messages import DisputeReply, PutRightReply

if TYPE_CHECKING:
    import pygame

    from companion.watch.feed import Gone
    from simulator.rendered.script import Script, ScriptLine
    from vision.frames import Frame, Picture

RATE = 15.0  # frames a second that are looked at; ...
SHOWN = 3  # ... each so manieth is shown
PACE, ILLEGAL = 1.1, 0.12
TROUBLE = {"stop": 0.08}
TRIES = 40  # scripts that are written until one has what is to be seen
CALLED, SOON = SECOND, 4 * SECOND  # after an illegal play it was called, and somebody says Stop!
QUIET = SECOND  # after a Stop! nobody lays a card that was on its way
FLASH = 900 * MILLISECOND  # for which a cell that was ruled on has an edge
STILL = 700 * MILLISECOND  # a table at which nothing happens is shown for so long
NOISE = 28  # a pixel that differs by less is the same
AFTER = 500 * MILLISECOND  # a ruling, the next part begins
LOOK: dict[str, int] = {"illegal": 1300, "foul": 1300, "stop": 2600, "go": 300}  # milliseconds more for a still
LEGAL = ("legal", 4)  # what a legal play counts: one or two are to be seen
GOOD, BAD = (90, 220, 120), (255, 90, 90)
PATIENCE = 10  # seconds for a picture that is being drawn
NOBODY = ("stop", "go", "go-on")  # said at the screen, by whoever is nearest


class _Frames:
    """Frames that come when they are handed over, in whatever time."""

    def __init__(self) -> None:
        self._waiting: list[Frame | Gone] = []

    def put(self, frame: "Frame") -> None:
        self._waiting.append(frame)

    def take(self) -> "list[Frame | Gone]":
        found, self._waiting = self._waiting, []
        return found

    def fileno(self) -> int:
        return -1  # nobody waits for them

    def close(self) -> None:
        self._waiting = []


@dataclass(frozen=True, slots=True)
class _Flash:
    cell: int
    colour: tuple[int, int, int]
    until: int


class WatchedShow(ScreenShow):
    """The display and the camera's picture, one beside or above the other."""

    def __init__(self, wish: ShowWish, surface: "pygame.Surface", stack: ExitStack) -> None:
        with packages():
            from simulator.rendered.rendered_table import SimulatedTable  # noqa: PLC0415

        wish = replace(wish, setup=replace(wish.setup, house=replace(wish.setup.house, chips_to_win=1)))
        self._script = script_for(wish)
        self._source = SimulatedTable(self._script, start=BEGUN)
        self._frames = _Frames()
        self._camera = RoomCamera(lambda: self._source, mat=self._script.mat is not None, feed=lambda *_: self._frames)
        stack.callback(self._camera.close)
        self._folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-")))
        self._flash: _Flash | None = None
        self._clean: Picture | None = None  # what the camera showed last
        self._beside: Picture | None = None  # the same with what is drawn over it
        self._happened = BEGUN  # when something was last told, or an arm was there
        self._due = 0  # when the next part begins
        self._look = 0  # milliseconds that the next still lasts longer ...
        self._looked: dict[str, int] = {}  # ... and when it was so for what
        super().__init__(wish, surface, self._sit, self._camera)
        stack.callback(lambda: self.app.close(self.hour.now))
        self._camera.wait()
        self.app.hearers.append(self._heard)

    @property
    def frame(self) -> Size:
        """The size of the stills."""
        w, h = self.wish.size
        return (w + h, h) if w > h else (w, h + w)

    def _sit(self, session: Session) -> Seated:
        sides = (self._script.about.get("seats") or {}).values()
        seats = dict(zip(sides, session.referee.match.setup.names, strict=False))
        return table_with(session, None, self._camera, seats=seats, pictures=self._folder)

    # --- what happens

    def run(self) -> None:
        said = list(self._script.said)
        for frame in self._source.frames():
            while said and BEGUN + said[0].at <= frame.stamp:
                self._says(said.pop(0))
            self.hour.now = max(self.hour.now, frame.stamp)
            self._frames.put(frame)
            self.app.attend(self.hour.now)
            if frame.number % SHOWN == 0:
                self._show(frame)
            if self.app.view.screen == "result":
                break
        self.still(LAST)

    def _says(self, said: "ScriptLine") -> None:
        """On the screen, where it can be touched there."""
        match = self.app.match
        assert match is not None
        stamp = max(self.hour.now, BEGUN + said.at)
        move = read_move(match.game, self._renamed(said.message))
        path = touches(self.app.view, move)
        for item in path:
            self.touch(item, stamp)
        if not path:
            self.say(move, stamp)

    def _renamed(self, message: dict[str, Any]) -> dict[str, Any]:
        """By the names of this match; what anybody may say is said by nobody in particular."""
        if message.get("move") in NOBODY:
            return {key: value for key, value in message.items() if key != "player"}
        names = dict(zip(self._script.about["players"], self.app.view.match.setup.names, strict=False))
        return {**message, "player": names.get(message.get("player", ""), "")}

    def _heard(self, reply: Reply) -> None:
        name, weight, cell = _told(reply)
        if isinstance(reply, RulingReply | FoulReply | DisputeReply | PutRightReply):
            self._happened = self.hour.now
            self._due = self._due or self.hour.now + AFTER
        if weight:
            self.reel.weigh(name, weight)
            if self.hour.now - self._looked.get(name, 0) > SOON:
                self._look = max(self._look, LOOK.get(name, 0))
                self._looked[name] = self.hour.now
        if cell:
            self._flash = _Flash(cell, BAD if name in ("illegal", "foul") else GOOD, self.hour.now + FLASH)

    # --- what is shown

    def _show(self, frame: "Frame") -> None:
        """The newest picture, unless nothing happens; the next part begins a little after what was ruled."""
        places = self._camera.sight.places
        if not places:  # the table has not been found yet
            return
        if any(place.now != "clear" for place in places):
            self._happened = frame.stamp
        self._beside = self._seen(frame)
        if self._look or frame.stamp - self._happened <= STILL:
            self.still(SHOWN * 1000 / RATE + self._look)
            self._look = 0
        if self._due and frame.stamp >= self._due:
            self._due = 0
            self.reel.next_part()

    def _seen(self, frame: "Frame") -> "Picture":
        """The middle of the camera's picture as high as the display, without the noise of the sensor."""
        import cv2  # noqa: PLC0415
        import numpy as np  # noqa: PLC0415

        side = min(self.wish.size)
        high, wide = frame.picture.shape[:2]
        left = (wide - high) // 2
        middle = np.ascontiguousarray(frame.picture[:, left : left + high, ::-1])
        small = cv2.resize(middle, (side, side), interpolation=cv2.INTER_AREA)
        now = cv2.medianBlur(small, 3) & 0xF0 | 8  # fewer colours take less room
        before = self._clean
        if before is not None:
            changed = np.abs(now.astype(np.int16) - before).max(axis=2) > NOISE
            now = np.where(changed[..., None], now, before)
        self._clean = now
        return np.ascontiguousarray(np.rot90(self._marked(now, side / high, left), self._turns()))

    def _turns(self) -> int:
        """Quarter turns after which the cells lie as on the display: the first row upmost, from left to right."""
        places = self._camera.sight.places
        (x, y), (to_x, to_y) = places[0].corners[0], places[2].corners[0]
        dx, dy = (to_x - x) * self._source.size[0], (to_y - y) * self._source.size[1]
        if abs(dx) > abs(dy):
            return 0 if dx > 0 else 2
        return 1 if dy > 0 else 3

    def _marked(self, picture: "Picture", scale: float, left: int) -> "Picture":
        """With an edge around the cell that was ruled on."""
        import cv2  # noqa: PLC0415
        import numpy as np  # noqa: PLC0415

        flash, places = self._flash, self._camera.sight.places
        if flash is None or not places or self.hour.now > flash.until:
            return picture
        shares = np.array(places[flash.cell - 1].corners)
        corners = np.round((shares * self._source.size - (left, 0)) * scale).astype(np.int32)
        width = max(2, min(self.wish.size) // 72)
        marked = picture.copy()
        cv2.polylines(marked, [corners], True, flash.colour, width, cv2.LINE_AA)  # noqa: FBT003
        return marked

    def still(self, lasts: float, finger: Item | None = None) -> None:
        self._wait_for_pictures()
        super().still(lasts, finger)

    def _pixels(self, finger: Item | None) -> bytes:
        import numpy as np  # noqa: PLC0415

        w, h = self.wish.size
        display = np.frombuffer(super()._pixels(finger), np.uint8).reshape(h, w, 3)
        side = min(w, h)
        camera = np.zeros((side, side, 3), np.uint8) if self._beside is None else self._beside
        both: Picture = np.concatenate((display, camera), axis=1 if w > h else 0)
        return both.tobytes()

    def _wait_for_pictures(self) -> None:
        """What a dispute shows is drawn in a thread: here time waits for it."""
        until = time.monotonic() + PATIENCE
        for item in self.app.scene.all():
            while isinstance(item, Shown) and not Path(item.file).exists() and time.monotonic() < until:
                time.sleep(0.01)


GAME = "triple3"


def _told(reply: Reply) -> tuple[str, int, int]:
    """What a reply decides, how much that counts, and about which cell it is."""
    cell = reply.evidence.cell if isinstance(reply, Evidenced) and reply.evidence else 0
    match reply:
        case FoulReply():
            return (*weighed_foul(GAME, reply.code), cell)
        case RulingReply():
            name, weight = weighed(GAME, (event.word for event in reply.events))
            return (name, weight, cell) if name else (*(LEGAL if cell else ("", 0)), cell)
        case PutRightReply():
            return "put-right", 3, reply.cell
        case _:
            return "", 0, 0


# --- what is played --------------------------------------------------------------------------------------------


def script_for(wish: ShowWish) -> "Script":
    """A round with an illegal play after which somebody says Stop!, if these bots can be brought to it."""
    count = len(wish.setup.names)
    for script in _scripts(wish, count):
        if _has_stop_after_illegal(script):
            break
    return replace(script, rate=RATE)


def _scripts(wish: ShowWish, count: int) -> Iterator["Script"]:
    for number in range(TRIES):
        yield write_script(
            wish.seed + 1000 * number,
            players=count,
            plays=wish.plays,
            pace=PACE,
            illegal=ILLEGAL,
            trouble=TROUBLE,
            house=wish.setup.house,
        )


def _has_stop_after_illegal(script: "Script") -> bool:
    """Of a card that was called before and still lies there, with nothing else on its way."""
    plays = plays_of(script)
    stops = [said.at for said in script.said if said.message.get("move") == "stop"]
    wrong = [(play.at, after.at) for play, after in pairwise(plays) if play.what == "lay" and not play.is_legal]
    return any(at + CALLED < stop < min(at + SOON, then - QUIET) for at, then in wrong for stop in stops)


def _whole(wish: ShowWish, surface: "pygame.Surface") -> tuple[Reel, Size]:
    with ExitStack() as stack:
        watched = WatchedShow(wish, surface, stack)
        watched.run()
        return watched.reel, watched.frame


WATCHED_RECORDING = GameRecording(_whole)

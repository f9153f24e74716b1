"""An evening at the table: bots play all five games on the drawn table beside the display, in a window nobody sees, and
a guest touches whatever there is to touch: every screen, moves taken back, settings changed, the table left for others.

Everything is real but the screen: the app, the window and its painter, what looks after the devices, the journal with
its lock and, if wanted, the camera with its eye. Devices come and go (tests/flapping.py). Nothing is published. Time
travels, or is that of the wall. The soak and the kills live through such evenings.
"""

import os
import random
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

import pygame

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.record import move_plain
from companion.core.requests import Abandon, Correct, Redo, Rematch, Resume, Show, Undo
from companion.core.seats import Bot
from companion.core.session import Session
from companion.devices.camera import RoomCamera
from companion.devices.lock import only_one
from companion.devices.supervisor import Care, Ending, tended
from companion.display.app import App
from companion.display.layout import Size
from companion.display.library import Library
from companion.display.loop import Looks, open_window
from companion.display.remembered import Remembered, beside
from companion.display.scene import Back, ChangeTo, Go, GoOn, Intent, Item, Leave, Say, Start
from companion.doctor.health import WORKS, Check, Finding
from companion.games import NAMES, game
from companion.games.triple3.watched_spread import WatchedRoom, room_with_camera
from companion.inputs.presses import Presses
from companion.journal import Journal
from companion.seat.table import Seated
from companion.watch.feed import Feed
from simulator.drawn.drawn_table import Room
from simulator.drawn.sitters import Sitting
from simulator.drawn.window import Window
from tests.display.table import Hour
from tests.flapping import Devices
from tests.invariants import HOUSES, players_for

SIZE: Size = (640, 400)
LONGEST = SECOND  # between two looks at the window
ROAMS = 0.015  # how often, at such a look, the guest begins to touch things
FAR = 14  # touches of the guest, at most, before the table is what everybody looks at again
ENDS = 0.02  # of the guest's touches on "end the match" that are meant
ECHO = 200 * MILLISECOND  # between two touches
OUT_OF_MEMORY = (MemoryError, pygame.error)  # which is how SDL says it
ROOMS = ("menu", "settings", "history", "statistics", "doctor", "games")


class Evening:
    """One process' life at the table."""

    def __init__(
        self,
        journal: Path,
        *,
        seed: int = 1,
        begins: int = 1_000 * SECOND,
        size: Size = SIZE,
        camera: bool = False,
        doctor: bool = False,
        games: tuple[str, ...] = tuple(NAMES),
    ) -> None:
        """Time travels from when it `begins`, until it is made to go by the wall's clock. `doctor`: the real one, who
        looks at this machine."""
        self.hour = Hour(begins)
        self._travels = True
        self._chance = random.Random(seed)
        self._games = games
        self.touches = self.matches = self.logged = 0
        self.screens: set[str] = set()
        self._lock = ExitStack()
        self._lock.enter_context(only_one(journal))
        self.journal = Journal.open(journal)
        self.journal.make_room()
        self.room = self._room(seed, camera=camera)
        chance = random.Random(seed)
        self.devices = Devices(journal, self.clock, self._logs, chance)
        settings = Remembered(beside(journal))
        self.app = App(
            (1, 1),
            self.journal,
            clock=self.clock,
            table_for=self._seat,
            remember=settings,
            library=None if doctor else Library(self.journal, checks=_well),
            camera=self.camera,
        )
        self.window = Window(self.app, self.room, open_window(Looks(size)), self.clock)
        care = Care(buttons=self.devices.buttons, camera=self.camera, disk=self.devices.disk)
        self.tended = ExitStack()
        self.tending = self.tended.enter_context(tended(self.app, self._logs, Ending(), care))
        pygame.event.clear()
        self._left = 0  # touches until the guest has enough

    def _room(self, seed: int, *, camera: bool) -> Room:
        if not camera:
            return Room((1, 1), self.clock, seed=seed)
        from tests.display.beside import Feed as Travelling  # noqa: PLC0415

        def feed(source: Any, open_: Any) -> Any:
            return Travelling(self.hour, open_, 60 * MILLISECOND) if self._travels else Feed(source, open_)

        room = room_with_camera((1, 1), self.clock, seed=seed)
        room.camera = RoomCamera(room.opened, feed=feed)
        return room

    def _seat(self, session: Session) -> Seated:
        """At the drawn buttons, as they are supervised; those of the room are always there."""
        room, match = self.room, session.referee.match
        room._presses = Presses(self.devices.buttons, match)
        room.buttons.wire(self.devices.drawn)
        room._seated = room.seat_with(session, room._presses)
        return room._seated

    def _logs(self, _line: str) -> None:
        self.logged += 1

    @property
    def camera(self) -> RoomCamera | None:
        return self.room.camera if isinstance(self.room, WatchedRoom) else None

    def close(self) -> None:
        if not self.app.is_left:
            self.app.close(self.clock())
        self.tended.close()
        self.room.buttons.panel = None  # it is one of the devices
        self.room.close()
        self.devices.close()
        self.journal.close()
        self._lock.close()
        pygame.display.quit()

    @property
    def unheard(self) -> int:
        """Events that wait for the window."""
        events = pygame.event.get()
        for event in events:
            pygame.event.post(event)
        return len(events)

    # --- time ------------------------------------------------------------------------------------------------

    def clock(self) -> int:
        if not self._travels:
            self.hour.now = time.monotonic_ns()
        return self.hour.now

    def to_the_wall(self) -> None:
        """Time travels no longer: it is now, and goes as fast as everybody's."""
        self._travels = self.devices.at_once = False
        if self.camera:
            self.camera.wait()
            self.camera._shut()
            self.camera._open_or_close()

    def plays_only(self, *games: str) -> None:
        """From the next match on, which is now if another game is being played."""
        self._games = games
        match = self.app.match
        if match is not None and match.is_running and match.setup.game not in games:
            self.says(Abandon())

    def step(self) -> None:
        """Until something may have happened, and then what somebody does."""
        if self._travels:
            self._wait()
            self.window.once(0)
        self.act()

    def _wait(self) -> None:
        now = self.hour.now
        found = [at for at in (self.app.wakes_at(now), self.room.acts_at, now + LONGEST) if at is not None]
        if self.camera is not None and self.camera.is_watched:
            found.append(now + 60 * MILLISECOND)
        self.hour.now += max(MILLISECOND, min(found) - now)

    # --- who does what ---------------------------------------------------------------------------------------

    def act(self) -> None:
        """Bots do their part by themselves."""
        self.devices.flap()
        self.screens.add(self.app.view.screen)
        if self.room.sitting is not None and self.room.sitting.people:
            self.room.sitting = Sitting(self.room.sitting.names, frozenset())
            self.room._known = ()
        if self._left:
            self._left -= 1
            self._touches_anything()
        elif self.app.view.screen not in ("table", "dispute"):
            self._comes_to_the_table()
        elif self._is_paused:
            self.says(Resume())
        elif self._chance.random() < ROAMS:
            self._left = self._chance.randrange(1, FAR)
            if self._chance.random() < 0.8:
                self.app.take(Go(self._chance.choice(ROOMS)), self._later())

    @property
    def _is_paused(self) -> bool:
        return self.app.match is not None and self.app.match.paused is not None

    def _comes_to_the_table(self) -> None:
        """By the shortest way there is from here: a match that runs, one that is to be gone on with, a new one."""
        match = self.app.match
        if match is not None and match.is_running:
            self.app.take(Go("table"), self.clock())
            return
        if self.app.view.screen == "result":
            self.app.take(Say(Rematch()) if self._chance.random() < 0.1 else Go("games"), self._later())
            return
        self.app.take(Go("games"), self._later())
        found = [item for item in self.app.scene.targets() if isinstance(item.intent, GoOn)]
        if found:
            self.touch(found[0])
        else:
            self.sits_down()

    def sits_down(self) -> None:
        """A game, house rules and people that follow from the seed."""
        name = self._chance.choice(self._games)
        house = self._chance.choice(HOUSES[name])
        self.app.take(Go("players", name), self._later())
        draft = self.app.view.draft
        wanted = players_for(name, house, self._chance.randrange(8))
        wanted = max(2, min(wanted, 4)) if game(name).players[1] > 1 and house_seats(house) > 1 else wanted
        while len(draft.players) < wanted:
            draft = draft.with_one_more(f"Guest {len(draft.players) + 1}", Bot())
        draft = type(draft)(draft.game, draft.players[:wanted], house)
        self.app.take(ChangeTo(draft, Start()), self._later())
        self.matches += 1

    def _touches_anything(self) -> None:
        """Whatever can be touched on this screen, or said to the referee."""
        if self._chance.random() < 0.15 and self._says_anything():
            return
        found = [item for item in self.app.scene.targets() if item.intent and self._may(item.intent)]
        if found:
            self.touch(self._chance.choice(found))

    def _may(self, intent: Intent) -> bool:
        if isinstance(intent, Leave) or (isinstance(intent, Back) and self.app.view.depth == 0):
            return False
        ends = isinstance(intent, Say) and isinstance(intent.message, Abandon)
        return not ends or self._chance.random() < ENDS

    def _says_anything(self) -> bool:
        match = self.app.match
        if match is None or not match.is_running or not match.line:
            return False
        number = self._chance.randrange(len(match.line)) + 1
        again = Correct(number, move_plain(match.line[number - 1].move))
        self.says(self._chance.choice((Undo(), Redo(), Show(), again)))
        return True

    def says(self, message: Any) -> None:
        self.app.take(Say(message), self._later())

    def touch(self, item: Item) -> None:
        self.touches += 1
        self.window.hands.touch(*item.box.centre, self._later())

    def _later(self) -> int:
        """The stamp of what is done now; a finger takes a moment."""
        if self._travels:
            self.hour.now += ECHO
        return self.clock()


class Sleepless(Window):
    """The window in real time: its own loop, and after each turn of it whatever the guest does."""

    evening: Evening
    until: float

    def once(self, nap: int) -> None:
        super().once(min(nap, 100))
        if not self.app.is_left:
            self.evening.act()
        if time.monotonic() > self.until and not self.app.is_left:
            self.app.close(self._clock())


def house_seats(house: Any) -> int:
    return 1 if getattr(house, "way", "") in ("time-trial", "relaxed") else 2


def _well() -> dict[str, Check]:
    """A doctor who finds everything well and looks at nothing."""
    return {device: lambda device=device: Finding(device, WORKS) for device in ("screen", "journal")}  # type: ignore[misc]

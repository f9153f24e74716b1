"""People at a display with simulated buttons and a camera before the simulated table. Time is the test's: a frame comes
when the clock has reached its stamp."""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from companion.core.card_ways import is_seen
from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import Move
from companion.core.session import Session
from companion.devices.camera import Open, RoomCamera, printed_reader
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Size
from companion.display.scene import Intent, Say
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.inputs.presses import Presses
from companion.seat.table import PlainTable
from companion.seat.watched_table import WatchedTable
from companion.watch.feed import Gone
from hardware.panel import Key
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.wiring import Wiring
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from tests.display.table import Guests, Hour
from vision.eye_errors import SourceError
from vision.frames import Frame, Source
from vision.reader import Reader

FRAME = SECOND // 15
MOSTLY = 0.8


@cache
def reader(game: str) -> Reader:
    return printed_reader(game)


class Travelled:
    """Frames of a source as time goes by; one that fails is tried again with the next frame that is asked for."""

    def __init__(self, source: Source, again: Open, now: Callable[[], int]) -> None:
        self._source, self._again, self._now = source, again, now
        self._frames = source.frames()
        self._next: Frame | None = None
        self._ear, self._mouth = os.pipe()
        self._is_gone = False

    def fileno(self) -> int:
        return self._ear

    def take(self) -> list[Frame | Gone]:
        found: list[Frame | Gone] = []
        with suppress(StopIteration):
            while (frame := self._next or self._read(found)) and frame.stamp <= self._now():
                found.append(frame)
                self._next = None
        return found

    def _read(self, found: list[Frame | Gone]) -> Frame | None:
        try:
            self._next = next(self._frames)
        except SourceError as error:
            if not self._is_gone:
                found.append(Gone(self._now(), str(error)))
            self._is_gone = True
            self._open_again()
            return None
        self._is_gone = False
        return self._next

    def _open_again(self) -> None:
        with suppress(SourceError):
            self._source = self._again()
            self._frames = self._source.frames()

    def close(self) -> None:
        self._source.close()
        os.close(self._ear)
        os.close(self._mouth)


class Mixed(Guests):
    """They touch and press whatever comes to hand; at Triple³ a camera looks on."""

    def __init__(
        self,
        wiring: Wiring,
        opens: Callable[[Hour], Open] | None = None,
        *,
        size: Size = (800, 480),
        journal: Path | None = None,
        seed: int = 1,
    ) -> None:
        super().__init__(size, journal)
        self.panel = SimulatedPanel(wiring, self.hour)
        self.camera = camera(opens(self.hour), self.hour) if opens else None
        self.table: PlainTable | WatchedTable | None = None
        self.pressed = 0
        self._chance = random.Random(seed)
        self.app = App(size, self.journal, clock=self.hour, table_for=self._seated, camera=self.camera)
        self.hands = Gestures(self.app)

    def _seated(self, session: Session) -> PlainTable | WatchedTable:
        match = session.referee.match
        presses = Presses(self.panel, match)
        if self.camera is None or not is_seen(match.setup.game, match.setup.house):
            self.table = PlainTable(session, presses)
        else:
            self.table = WatchedTable(session, self.camera, presses)
            self.camera.wait()
        return self.table

    def wait(self, seconds: float) -> None:
        """Frame by frame."""
        until = self.hour.now + round(seconds * SECOND)
        while self.hour.now < until:
            self.hour.now = min(until, self.hour.now + FRAME)
            self.app.attend(self.hour.now)

    def do(self, wanted: Intent | Callable[[Intent], bool]) -> None:
        """Touch it or, where a button means the same, now and then press that."""
        item = self.find((lambda intent: intent == wanted) if isinstance(wanted, Intent) else wanted)
        key = self._button(item.intent)
        if key and self._chance.random() < MOSTLY:
            self.wait(0.3)
            self.press(key)
        else:
            super().do(wanted)
            self.wait(0.05)  # what is touched waits for presses from before it

    def press(self, key: Key) -> None:
        """And let it go."""
        self.pressed += 1
        self.panel.contact(SimulatedContact(self.hour.now, key, is_down=True))
        self.panel.contact(SimulatedContact(self.hour.now + 60 * MILLISECOND, key, is_down=False))
        self.wait(0.1)

    def _button(self, intent: Intent | None) -> Key | None:
        """The button that means the same."""
        move = intent.message if isinstance(intent, Say) else None
        names = self.app.view.seen.setup.names if self.app.view.seen else ()
        seat = names.index(move.player) if isinstance(move, Move) and move.player in names else None
        match move:
            case triple3.Stop(player=""):
                return Key("stop")
            case three.Strike(tied=()) if seat is not None:
                return Key("strike", seat)
            case tres.Tres() if seat is not None:
                return Key("tres", seat)
            case threepia.Lay(player=player) if move == threepia.Lay(player):
                return Key("turn", seat)
        return None

    def close(self) -> None:
        self.app.close(self.hour.now)
        if self.camera:
            self.camera.close()
        self.panel.close()
        super().close()


def camera(open_: Open, now: Callable[[], int]) -> RoomCamera:
    """With everything loaded as soon as it is asked for."""
    return RoomCamera(open_, reader=reader, feed=lambda source, again: Travelled(source, again, now))


def simulated(script: Script, now: Callable[[], int]) -> RoomCamera:
    """The script begins now."""
    table = SimulatedTable(script, start=now())
    return camera(lambda: table, now)


def stamps(script: Script, start: int) -> Iterator[int]:
    """Of the frames."""
    table = SimulatedTable(script, start=start)
    return (start + table.when(number) for number in range(table.count))

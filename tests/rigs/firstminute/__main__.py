"""`make rig-screen`: opens the window of `make play` on a virtual X server, and does what a newcomer would do first.

python -m tests.rigs.firstminute [FOLDER]           with `make play`
python -m tests.rigs.firstminute FOLDER -- COMMAND  with another command, such as python -m companion

Where to click is found out by drawing the same window here, without a screen; what came of it is read from the journal.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

from companion.core.clocks import MILLISECOND
from companion.display.scene import Go, Intent, Say, Start
from companion.display.theme import theme
from companion.games.three import rules as three
from companion.games.triple3 import rules as triple3
from companion.journal import Journal
from hardware.panel import Key
from simulator.drawn.items import Overlay, PressKey, Thing
from tests.display.beside import Visitor
from tests.rigs.firstminute.screen import Screen, Shot, save, screen, window_of
from tests.rigs.load import Patience
from tests.rigs.running import RigError, conclude, say

PATIENCE = 600  # seconds for everything to be installed
SOON = 60  # seconds for what must come, and for an end; nothing is judged by how long it takes
DEAD = 0.4  # seconds in which what has just appeared takes no touch
USUAL = Path(".cache/firstminute")
BLACK = 8
NOTICE = theme("dark")["notice"][::-1]


@dataclass
class Row:
    """A step, and what came of it."""

    name: str
    at: float
    changed: float  # share of the pixels
    moves: int
    file: str


@dataclass
class Newcomer:
    """Somebody in front of the window, and the same window drawn here to know where things are."""

    screen: Screen
    folder: Path
    journal: Path
    begun: float
    window: tuple[int, int, int, int] = (0, 0, 0, 0)
    rows: list[Row] = field(default_factory=list)
    last: Shot | None = None
    twin: Visitor | None = None

    def looks(self, name: str, wait: float = 0.7) -> None:
        time.sleep(wait)
        shot, changed = self._changed()
        file = f"{len(self.rows) + 1:02}-{name.replace(' ', '-').replace('!', '')}.png"
        save(shot, self.folder / file)
        self.rows.append(Row(name, time.monotonic() - self.begun, changed, self.moves, file))
        self.last = shot

    def _changed(self) -> tuple[Shot, float]:
        """What is shown, and how much of it is otherwise than at the last look; what is not yet is waited for."""
        patience = Patience(SOON)
        while True:
            shot = self.screen.shot()
            before = self.last if self.last is not None else np.zeros_like(shot)
            changed = float((np.abs(shot.astype(int) - before).max(2) > BLACK).mean())
            if changed or patience.is_over:
                return shot, changed
            time.sleep(0.1)

    @property
    def moves(self) -> int:
        """What the referee has on disk."""
        if not self.journal.exists():
            return 0
        with Journal.open(self.journal) as journal:
            return sum(len(journal.stored(one.code).entries) for one in journal.matches())

    def reads_the_notice(self) -> None:
        """A notice lies over the menu's button until it is touched."""
        assert self.twin is not None
        display = self.twin.window.parts.display
        left, top = self.window[0] + display.x + display.w // 2, self.window[1] + 4
        place = self.screen.shot()[top : top + 56, left : left + 100]
        if (np.abs(place.astype(int) - NOTICE).max(2) < BLACK).mean() > 0.2:
            self.screen.do("key", "Escape")
            time.sleep(0.3)

    # --- where things are

    def on_screen(self, wanted: Callable[[Intent], bool]) -> tuple[int, int]:
        assert self.twin is not None
        item = next(item for item in self.twin.app.scene.targets() if item.intent and wanted(item.intent))
        x, y = item.box.centre
        at = self.twin.window.parts.display
        return self.window[0] + at.x + x, self.window[1] + at.y + y

    def on_table(self, wanted: Callable[[Intent], bool]) -> tuple[int, int]:
        assert self.twin is not None
        x, y = self.twin.place_of(wanted)
        return self.window[0] + x, self.window[1] + y

    # --- what is done, here and there

    def touches(self, wanted: Callable[[Intent], bool]) -> None:
        assert self.twin is not None
        before, patience = self.screen.shot(), Patience(SOON)
        self.screen.click(*self.on_screen(wanted))
        while np.array_equal(self.screen.shot(), before) and not patience.is_over:
            time.sleep(0.02)
        self.twin.on_screen(wanted)
        time.sleep(DEAD)

    def touches_table(self, wanted: Callable[[Intent], bool]) -> None:
        assert self.twin is not None
        self.screen.click(*self.on_table(wanted))
        x, y = self.twin.place_of(wanted)
        self.twin.click(x, y)

    def drags(self, thing: Callable[[Intent], bool], onto: Callable[[Intent], bool]) -> None:
        self.screen.drag(self.on_table(thing), self.on_table(onto))


def is_a(*wanted: Intent) -> Callable[[Intent], bool]:
    return lambda intent: intent in wanted


def says(kind: type) -> Callable[[Intent], bool]:
    return lambda intent: isinstance(intent, Say) and isinstance(intent.message, kind)


def plays_three(guest: Newcomer) -> None:
    guest.touches(is_a(Go("players", "three")))
    guest.looks("Three! chosen")
    guest.touches(is_a(Start()))
    guest.looks("the table of Three!", 1.2)
    assert guest.twin is not None
    me = guest.twin.me
    guest.touches(lambda intent: isinstance(intent, Say) and intent.message == three.Begin(me))
    guest.looks("I begin")
    guest.drags(is_a(Thing("hand", 1)), is_a(Thing("pile", me)))
    guest.looks("a dog is played")
    guest.looks("the bot has played", 4.0)
    guest.screen.do("keydown", "space")
    time.sleep(0.08)
    guest.screen.do("keyup", "space")
    guest.looks("struck with the space bar", 0.4)
    guest.looks("nothing was called", 11.0)
    x, y = guest.on_table(is_a(PressKey(Key("strike", 0))))
    guest.screen.click(x, y)
    guest.looks("struck with the mouse", 0.4)


def plays_triple3(guest: Newcomer) -> None:
    assert guest.twin is not None
    guest.touches(is_a(Go("menu")))
    guest.looks("the menu")
    guest.touches(is_a(Go("games")))
    guest.looks("the games again")
    guest.touches(is_a(Go("players", "triple3")))
    guest.touches(is_a(Start()))
    guest.looks("the table of Triple³", 3.5)
    guest.touches_table(is_a(Thing("pile")))
    until(guest.twin, lambda: guest.twin is not None and guest.twin.state.phase == "ready")
    guest.looks("dealt", 5.0)
    guest.touches(says(triple3.Go))
    guest.looks("Go!", 1.5)
    guest.touches_table(lambda intent: isinstance(intent, Overlay))
    guest.drags(is_card, is_a(Thing("cell", 5)))
    guest.looks("an arm lays my card", 0.35)
    guest.looks("and it is ruled on", 2.0)
    guest.drags(is_a(Thing("cell", 5)), is_card)
    guest.looks("I take it back", 2.5)
    guest.looks("the bot goes on laying", 4.0)


def is_card(intent: Intent) -> bool:
    return isinstance(intent, Thing) and intent.kind == "card"


def plays_the_others(guest: Newcomer) -> None:
    for game, table in (("tres", "Tres"), ("triplexity", "Triplexity"), ("threepia", "Threepia")):
        guest.reads_the_notice()
        guest.touches(is_a(Go("menu")))
        guest.touches(is_a(Go("games")))
        guest.touches(is_a(Go("players", game)))
        guest.touches(is_a(Start()))
        guest.looks(f"the table of {table}", 2.5)


def run(folder: Path, command: list[str]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    with screen() as there, tempfile.TemporaryDirectory() as kept:
        journal = Path(kept) / "journal.sqlite3"
        begun = time.monotonic()
        log = (folder / "said.txt").open("w", encoding="utf-8")
        game = subprocess.Popen(
            command,
            env={**there.settings, "COMPANION_JOURNAL": str(journal)},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            return first_minute(there, folder, journal, begun, game)
        finally:
            if game.poll() is None:
                os.killpg(game.pid, 15)
                game.wait(SOON)
            log.close()


def first_minute(there: Screen, folder: Path, journal: Path, begun: float, game: "subprocess.Popen[bytes]") -> int:
    guest = Newcomer(there, folder, journal, begun)
    patience = Patience(PATIENCE)
    while there.shot().max() < BLACK:
        if game.poll() is not None or patience.is_over:
            raise RigError(f"no window: {(folder / 'said.txt').read_text(encoding='utf-8').strip()[-300:]}")
        time.sleep(0.02)
    opened = time.monotonic() - begun
    guest.looks("the window", 0.5)
    guest.window = window_of(there.shot(), BLACK)
    guest.twin = Visitor(size=guest.window[2:], camera=50 * MILLISECOND, journal=journal.with_name("twin.sqlite3"))
    try:
        plays_three(guest)
        plays_triple3(guest)
        plays_the_others(guest)
        guest.touches(is_a(Go("menu")))
        guest.touches(is_a(Go("games")))
        there.do("key", "Escape")
        there.do("key", "c")  # "Close the table?"
        code = ended(game)
    finally:
        guest.twin.close()
    report(guest, opened, code)
    return 0 if not code and all(row.changed for row in guest.rows) and guest.moves else 1


def ended(game: "subprocess.Popen[bytes]") -> int:
    patience = Patience(SOON)
    while game.poll() is None:
        if patience.is_over:
            raise RigError("the program goes on although Escape and Close were pressed among the games.")
        time.sleep(0.1)
    return int(game.returncode)


def report(guest: Newcomer, opened: float, code: int) -> None:
    width, height = guest.window[2:]
    say(f"window of {width}×{height} after {opened:.1f} s; ended with {code}; {guest.moves} entries in the journal")
    say(f"{'step':34} {'after s':>8} {'changed':>8} {'moves':>6}  picture")
    for row in guest.rows:
        say(f"{row.name:34} {row.at:8.1f} {row.changed:8.1%} {row.moves:6}  {guest.folder / row.file}")


def until(twin: Visitor, happened: Callable[[], bool]) -> None:
    for _ in range(400):
        if happened():
            return
        twin.goes_on()
    raise RigError("the window that is drawn here does not get there")


def main(words: list[str]) -> int:
    own, mark, command = (
        (words[: words.index("--")], "--", words[words.index("--") + 1 :]) if "--" in words else (words, "", [])
    )
    folder = Path(own[0]) if own else USUAL
    return run(folder.resolve(), command if mark else ["make", "play"])


if __name__ == "__main__":
    conclude("firstminute", lambda: main(sys.argv[1:]))

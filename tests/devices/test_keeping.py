"""A journal that cannot be opened when the table is: people play, and as soon as it can be, matches are kept."""

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from companion.core.background import in_thread
from companion.core.clocks import SECOND
from companion.core.errors import JournalError
from companion.core.requests import Abandon, Rematch
from companion.devices.disk import Disk
from companion.devices.late_journal import NONE, NOT_THIS_ONE, Keeping, opener
from companion.devices.lock import SecondCopyError, is_open, only_one
from companion.devices.supervisor import Care, Ending, Tending
from companion.devices.watchdog import Notifier
from companion.display.loop import Loop
from companion.display.scene import Dismiss, Go, GoOn, Say, Start
from companion.doctor.health import WORKS, Finding
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from tests.display.table import Guests
from tests.doors import Run

LOCKED = "The journal is locked."


class Evening:
    """Guests at a table that could not open its journal."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "journal.sqlite3"
        self.guests = Guests((800, 480))
        self.said: list[str] = []
        self.trouble: Exception | None = JournalError(LOCKED)
        self.tries = 0
        self.at_once = True
        self.waiting: list[Callable[[], None]] = []
        app = self.guests.app
        app.surroundings.unkept = LOCKED
        self.keeping = Keeping(app, self.opened, self.said.append, self.run)
        disk = lambda path: Disk(path, ask=lambda _: Finding("journal", WORKS), run=lambda work: work())  # noqa: E731
        care = Care(keeping=self.keeping, disk_under=disk)
        self.tending = Tending(app, self.said.append, Ending(), care, Notifier())
        app.listeners.append(self.tending)

    def opened(self) -> AbstractContextManager[Journal]:
        self.tries += 1
        if self.trouble:
            raise self.trouble
        return Journal.open(self.path)

    def run(self, work: Callable[[], None]) -> None:
        if self.at_once:
            work()
        else:
            self.waiting.append(work)

    def waits(self, seconds: int) -> None:
        for _ in range(4 * seconds):
            self.guests.wait(0.25)

    def begins(self) -> None:
        self.guests.do(Go("players", "triplexity"))
        self.guests.do(Start())

    @property
    def is_kept(self) -> bool:
        return not self.guests.app.is_played_unkept

    @property
    def notice(self) -> str:
        found = self.guests.app.view.notice
        return found.sentence if found else ""

    @property
    def kept(self) -> list[str]:
        """The codes of the matches that are really there."""
        with closing(sqlite3.connect(self.path)) as database:
            return [code for (code,) in database.execute("SELECT code FROM match")]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.keeping.close()


def test_it_is_tried_again_ever_later_and_said_once(evening: Evening) -> None:
    evening.waits(1)
    assert evening.notice == NONE
    evening.waits(599)
    assert 10 < evening.tries < 20
    assert evening.said == [], "it was said when the table was opened"
    assert evening.guests.app.view.ailing == ("journal",)
    evening.trouble = JournalError("The journal may not be written.")
    evening.waits(180)
    assert evening.said == ["The journal may not be written. Until then matches are not kept."]
    (part,) = (part for part in evening.tending.parts if part.device == "journal")
    assert part.detail == "The journal may not be written."


def test_whatever_is_raised_people_play_on(evening: Evening) -> None:
    evening.trouble = RuntimeError("boom")
    evening.begins()
    evening.waits(10)
    assert evening.said == ["The journal cannot be opened (RuntimeError: boom). Until then matches are not kept."]
    assert evening.guests.screen == "table"


def test_as_soon_as_it_can_be_opened_matches_are_kept_and_nothing_is_left_of_the_trouble(evening: Evening) -> None:
    evening.waits(1)
    assert evening.notice == NONE
    evening.trouble = None
    evening.waits(2)
    assert (evening.notice, evening.guests.app.view.ailing) == ("", ())
    assert evening.said == ["The journal works again."]
    tries = evening.tries
    evening.begins()
    assert evening.kept == [evening.guests.app.view.match.setup.id]
    evening.waits(120)
    assert evening.tries == tries
    evening.guests.do(Go("menu"))
    evening.guests.do(Go("history"))
    assert len(evening.guests.app.view.shelf.matches) == 1


def test_what_was_kept_before_can_be_gone_on_with(evening: Evening) -> None:
    before = Guests((800, 480), evening.path)
    before.do(Go("players", "triplexity"))
    before.do(Start())
    before.app.take(Say(triplexity.Put("Anna", "left")), before.hour.now)
    code = before.app.view.match.setup.id
    before.close()
    evening.trouble = None
    evening.waits(2)
    evening.guests.do(GoOn(code))
    assert evening.is_kept


def test_a_match_that_began_unkept_stays_so_and_that_is_said(evening: Evening) -> None:
    evening.waits(1)
    evening.guests.do(Dismiss())
    evening.begins()
    evening.trouble = None
    for _ in range(10):
        evening.waits(1)
        if evening.notice == NOT_THIS_ONE:
            break
    assert not evening.is_kept
    assert (evening.notice, evening.guests.app.view.ailing) == (NOT_THIS_ONE, ("journal",))
    assert evening.said == [NOT_THIS_ONE]
    evening.guests.app.take(Say(triplexity.Put("Anna", "left")), evening.guests.hour.now)
    assert evening.kept == []
    evening.guests.app.take(Say(Abandon()), evening.guests.hour.now)
    evening.waits(1)
    assert evening.guests.app.view.ailing == ()
    evening.guests.app.take(Say(Rematch()), evening.guests.hour.now)
    assert evening.is_kept
    assert evening.kept == [evening.guests.app.view.match.setup.id], "the rematch is kept"


def test_nobody_waits_while_it_is_opened(evening: Evening) -> None:
    evening.at_once = False
    evening.waits(300)
    assert (evening.tries, len(evening.waiting)) == (0, 1)
    assert evening.keeping.wakes_at() is None
    evening.trouble = None
    evening.waiting.pop()()
    evening.waits(1)
    evening.begins()
    assert evening.is_kept


def test_what_is_opened_too_late_is_closed_again(evening: Evening) -> None:
    evening.at_once = False
    evening.waits(2)
    evening.trouble = None
    evening.keeping.close()
    evening.waiting.pop()()
    assert evening.guests.app.journal is None
    with closing(sqlite3.connect(evening.path)) as database:
        database.execute("BEGIN EXCLUSIVE")


def test_a_disk_that_hangs_is_noticed_though_it_came_later(evening: Evening) -> None:
    evening.trouble = None
    evening.waits(2)
    disk = evening.tending._disk
    assert disk is not None
    disk._run, disk._asked = (lambda _: None), None
    now = evening.guests.hour.now
    disk.attend(now + 60 * SECOND)
    assert evening.tending._hangs(now + 100 * SECOND) == "The disk with the journal does not answer."


def test_the_lock_is_taken_then_if_it_could_not_be_before(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with opener(path, Journal.open)():
        assert is_open(path)
    assert not is_open(path)
    with only_one(path), opener(path, Journal.open)():
        pass
    with only_one(path), pytest.raises(SecondCopyError), only_one(path):
        pass


def test_a_lock_that_another_table_has_is_respected(tmp_path: Path) -> None:
    """Even by one that could take no lock when it began."""
    path = tmp_path / "journal.sqlite3"
    takes = "import sys, pathlib, companion.devices.lock as one\n"
    takes += "with one.only_one(pathlib.Path(sys.argv[1])): print(flush=True); input()"
    pipe = subprocess.PIPE
    other = subprocess.Popen([sys.executable, "-c", takes, str(path)], stdin=pipe, stdout=pipe)
    assert other.stdout
    assert other.stdout.readline()
    with pytest.raises(SecondCopyError), opener(path, Journal.open)():
        pass
    other.communicate(b"\n")


def test_where_no_thread_can_be_begun_whoever_asks_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refused)
    done: list[str] = []
    in_thread("journal")(lambda: done.append("done"))
    assert done == ["done"]


def test_a_table_that_is_opened_while_another_program_has_the_journal(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real lock, and a real thread."""
    path = tmp_path / "journal.sqlite3"
    Journal.open(path).close()
    for name, value in (("SDL_VIDEODRIVER", "dummy"), ("SDL_AUDIODRIVER", "dummy"), ("COMPANION_JOURNAL", str(path))):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("companion.journal.file.PATIENCE", 0.05)
    database = sqlite3.connect(path)
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    database.execute("BEGIN EXCLUSIVE")
    seen: list[tuple[str, ...]] = []

    def looks(loop: Loop) -> None:
        until = time.monotonic() + 20
        loop.app.attend(time.monotonic_ns())
        seen.append(loop.app.view.ailing)
        database.close()
        while loop.app.journal is None and time.monotonic() < until:
            time.sleep(0.05)
            loop.app.attend(time.monotonic_ns())
        loop.app.take(Go("players", "triplexity"), time.monotonic_ns())
        loop.app.take(Start(), time.monotonic_ns())

    monkeypatch.setattr(Loop, "run", looks)
    code, _, said = run("--size", "960x600", "--no-table")
    assert code == 0
    assert said.count(" Until then matches are not kept.\n") == 1
    assert seen == [("journal",)]
    with Journal.open(path) as journal:
        (match,) = journal.matches()
        assert match.game == "triplexity"
        assert journal.stored(match.code).folded().paused, "it was left in order"

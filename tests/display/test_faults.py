"""Faults at the table, really caused, in the middle of a match: what people see, and that nothing is lost. Those of
cameras, buttons, damaged files and ends in order stand where those are tested; docs/reliability.md names them all."""

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pygame
import pytest

from companion.core.clocks import SECOND
from companion.core.requests import Resume
from companion.devices.supervisor import Care, Tending, ending_in_order
from companion.devices.watchdog import Notifier
from companion.display.app import App
from companion.display.loop import Looks, Loop, NoScreenError, open_window
from companion.display.remembered import Remembered, beside
from companion.display.scene import ChangeTo, Dismiss, Go, GoOn, Say, Start
from companion.display.view import Prefs
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.journal import Journal
from tests.display.table import Guests, Hour
from tests.display.test_played import chosen_way, is_move

PROJECT = Path(__file__).parents[2]
SIZE = (800, 480)
YEAR = timedelta(days=365)
SMALL = 8 << 20  # bytes of a disk


@pytest.fixture
def guests(tmp_path: Path) -> Iterator[Guests]:
    """Three people play Three!; the first has begun."""
    found = at_three(tmp_path / "journal.sqlite3")
    yield found
    found.close()


def at_three(journal: Path) -> Guests:
    found = Guests(SIZE, journal)
    found.app._touches.remember = Remembered(beside(journal))
    found.do(Go("players", "three"))
    found.do(Start())
    found.do(lambda intent: is_move(intent, three.Begin))
    return found


def plays(guests: Guests) -> None:
    """Whoever is on turn plays a card, and nobody says which dog."""
    guests.do(lambda intent: intent == Say(three.Play(guests.app.view.match.state.turn)))


def notice_of(guests: Guests) -> tuple[str, str]:
    notice = guests.app.view.notice
    return (notice.kind, notice.sentence) if notice else ("", "")


def kept(journal: Path) -> tuple[int, object]:
    """How many moves of the newest match are on disk, and the state that they make."""
    with Journal(journal) as opened:
        match = opened.stored().folded()
        return len(match.line), match.state


# --- the disk --------------------------------------------------------------------------------------------------


def test_a_disk_that_fills_up(guests: Guests, tmp_path: Path) -> None:
    """A limit to the size of files, which the kernel keeps as it keeps the end of a disk."""
    plays(guests)
    match, journal = guests.app.match, tmp_path / "journal.sqlite3"
    assert match is not None
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (tmp_path.joinpath("journal.sqlite3-wal").stat().st_size, most))
    try:
        for _ in range(40):  # the log has room for a while
            before = match.state
            plays(guests)
            if match.state is before:
                break
        for _ in range(3):
            plays(guests)
            kind, sentence = notice_of(guests)
            assert kind == "error"
            assert "nothing was changed" in sentence
            assert match.state is before
        guests.wait(20)  # the time cannot be noted either, and it is no reason to stop
        assert guests.screen == "table"
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    plays(guests)
    guests.wait(10)
    assert notice_of(guests) == ("", "")
    assert kept(journal) == (len(match.line), match.state)


@pytest.fixture
def failing_disk(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """A disk of its own, and the file that makes its file system fail; it is read-only from then on."""
    image, folder = tmp_path / "image", tmp_path / "disk"
    folder.mkdir()
    with image.open("wb") as file:
        file.truncate(SMALL)
    if os.geteuid() or not shutil.which("mkfs.ext4"):
        pytest.skip("only root can mount a disk, and make one where there is mkfs.ext4")
    made = subprocess.run(["mkfs.ext4", "-q", "-e", "remount-ro", image], capture_output=True, check=False)
    mounted = subprocess.run(["mount", "-o", "loop", image, folder], capture_output=True, check=False)
    if made.returncode or mounted.returncode:
        pytest.skip("there are no loop devices here")
    try:
        device = Path("/sys/dev/block", _number(folder)).resolve().name
        failing = Path("/sys/fs/ext4", device, "trigger_fs_error")
        if not failing.exists():
            pytest.skip("this kernel does not let a file system fail")
        yield folder, failing
    finally:
        subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_really_full(failing_disk: tuple[Path, Path]) -> None:
    folder, _ = failing_disk
    with closing(at_three(folder / "journal.sqlite3")) as guests:
        plays(guests)
        filler = folder / "filler"
        with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(1024)):
                pass
        for _ in range(40):  # the log has room for a while
            before = guests.app.view.match.state
            plays(guests)
            if notice_of(guests)[0] == "error":
                break
        assert "nothing was changed: database or disk is full; make room on the disk." in notice_of(guests)[1]
        assert guests.app.view.match.state is before
        filler.unlink()
        plays(guests)
        guests.wait(10)
        assert notice_of(guests) == ("", "")
        after, moves = guests.app.view.match.state, len(guests.app.view.match.line)
    assert kept(folder / "journal.sqlite3") == (moves, after)


def _number(folder: Path) -> str:
    device = folder.stat().st_dev
    return f"{os.major(device)}:{os.minor(device)}"


def test_a_disk_that_turns_read_only(failing_disk: tuple[Path, Path], tmp_path: Path) -> None:
    """As the kernel makes a card that has errors."""
    folder, failing = failing_disk
    with closing(at_three(folder / "journal.sqlite3")) as guests:
        before = _played_on_it(guests, failing)
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", folder, copy], check=True)
    assert kept(copy / "journal.sqlite3") == (2, before)


def _played_on_it(guests: Guests, failing: Path) -> object:
    plays(guests)
    match = guests.app.match
    assert match is not None
    before = match.state
    failing.write_text("the card has errors", encoding="ascii")
    plays(guests)
    kind, sentence = notice_of(guests)
    assert kind == "error"
    assert "nothing was changed" in sentence
    assert match.state is before
    guests.do(Dismiss())
    guests.do(Go("menu"))
    guests.do(Go("settings"))
    liked = guests.app.prefs
    guests.do(lambda intent: isinstance(intent, ChangeTo) and isinstance(intent.to, Prefs) and intent.to != liked)
    assert "cannot be saved" in notice_of(guests)[1]
    return before


# --- the screen ------------------------------------------------------------------------------------------------


def test_a_screen_that_goes(tmp_path: Path) -> None:
    hour, journal = Hour(), tmp_path / "journal.sqlite3"
    opened = Journal(journal)
    app = App(SIZE, opened, clock=hour)
    loop = Loop(app, open_window(Looks(SIZE)), hour)
    app.take(ChangeTo(app.view.draft, Go("players", "three")), hour.now)
    app.take(Start(), hour.now)
    assert app.match is not None
    code, turns = app.match.setup.id, iter(range(3))

    def goes(nap: int) -> None:
        if next(turns, None) is None:
            pygame.display.quit()
        Loop.once(loop, min(nap, 1))

    loop.once = goes  # type: ignore[method-assign]
    with pytest.raises(NoScreenError, match="The screen is gone"):
        loop.run()
    assert app.match is not None
    assert app.match.is_running
    app.close(hour.now)  # as whoever has opened it does, whatever ends it
    opened.close()
    with Journal(journal) as again:
        assert again.stored().folded().paused is not None
        other = App(SIZE, again, clock=hour)
        assert [one.intent for one in other.scene.targets() if isinstance(one.intent, GoOn)] == [GoOn(code)]


# --- the clock -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump", [-YEAR, YEAR, timedelta(days=-20_000)], ids=["back", "on", "to 1971"])
def test_a_clock_that_is_set(jump: timedelta, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The date of a machine without a battery jumps when it has found the network, or has not: no clock of a game
    does, and what was played last is what is gone on with."""
    guests = Guests(SIZE, tmp_path / "journal.sqlite3")
    first = _by_the_stopwatch(guests)
    guests.wait(7)
    clock = guests.app.view.match.state.clocks[0].used_at(guests.app.table_time(guests.hour.now))
    monkeypatch.setattr("companion.journal.journal.datetime", _jumped(jump))
    guests.wait(5)
    guests.do(lambda intent: is_move(intent, threepia.Lay))
    assert guests.app.view.match.state.clocks[0].used - clock == pytest.approx(5 * SECOND, abs=SECOND)
    guests.do(Go("menu"))
    guests.do(Go("games"))
    second = _by_the_stopwatch(guests)
    guests.app.close(guests.hour.now)
    guests.close()
    again = Guests(SIZE, tmp_path / "journal.sqlite3")
    assert again.journal is not None
    assert [one.code for one in again.journal.matches()] == [second, first]
    assert [one.intent for one in again.app.scene.targets() if isinstance(one.intent, GoOn)] == [GoOn(second)]
    again.do(Go("history"))
    assert again.screen == "history"
    again.close()


def _by_the_stopwatch(guests: Guests) -> str:
    guests.do(Go("players", "threepia"))
    if guests.app.view.draft.house.way != "stopwatch":
        chosen_way(guests, "stopwatch")
    guests.do(Start())
    guests.do(lambda intent: is_move(intent, threepia.Deal))
    guests.do(lambda intent: is_move(intent, threepia.Begin))
    return str(guests.app.view.match.setup.id)


def _jumped(by: timedelta) -> type[datetime]:
    class Jumped(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]  # noqa: ARG003
            return datetime.now(UTC) + by

    return Jumped


def test_no_game_looks_at_the_date() -> None:
    """Whoever asks for the wall clock: dates of matches and of copies, and none of them rules on anything."""
    asks = subprocess.run(
        ["grep", "-rlE", r"time\.time\(|\.now\(UTC|date\.today|localtime|gmtime", "companion", "hardware", "vision"],
        capture_output=True,
        text=True,
        check=True,
        cwd=PROJECT,
    ).stdout.split()
    dated = {"journal", "place", "backup", "bundle", "publisher", "library", "broker_ear"}
    assert {Path(one).stem for one in asks if one.endswith(".py") and "tools/train" not in one} <= dated


# --- the end, in the middle of a call --------------------------------------------------------------------------


def test_asked_to_end_while_a_call_waits_for_its_answer(tmp_path: Path) -> None:
    """SIGTERM between the strike and the call: paused as it stands, and the time for the call goes on from there."""
    guests = at_three(tmp_path / "journal.sqlite3")
    with ending_in_order() as ending:
        app = guests.app
        app.listeners.append(Tending(app, print, ending, Care(), Notifier()))
        guests.do(lambda intent: is_move(intent, three.Strike) and intent != Say(three.Strike("")))
        match = app.match
        assert match is not None
        state, deadline = match.state, match.deadline
        assert deadline is not None
        assert state.phase == "struck"
        guests.wait(3)
        left = deadline.at - app.table_time(guests.hour.now)
        os.kill(os.getpid(), signal.SIGTERM)
        guests.wait(0.1)
        assert app.is_left
    guests.close()
    again = Guests(SIZE, tmp_path / "journal.sqlite3")
    again.do(GoOn(match.setup.id))
    seated = again.app.match
    assert seated is not None
    assert (seated.state, seated.paused is not None) == (state, True)
    again.wait(600)
    again.do(Say(Resume()))
    assert seated.deadline == deadline
    still = deadline.at - again.app.table_time(again.hour.now)
    assert still == pytest.approx(left, abs=SECOND // 2)
    again.wait(still / SECOND + 1)
    assert seated.state.phase != "struck", "the time is up, and the referee says so"
    again.close()


# --- kills and hunger ------------------------------------------------------------------------------------------


def lives(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tests.kills", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=PROJECT,
    )


def test_killed_at_any_instant() -> None:
    """A few of the thousand that `python -m tests.kills` does."""
    done = lives("8", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 kills" in done.stdout
    assert "0 lost" in done.stdout


def test_a_table_that_forgets_would_be_found_out() -> None:
    done = lives("30", "2", "--forgetful")
    assert done.returncode == 1
    assert " 0 lost" not in done.stdout


def test_memory_that_runs_short() -> None:
    """The process ends wherever it has none left; the next one goes on."""
    done = lives("3", "3", "--starving")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 lost" in done.stdout
    assert "out of memory" in done.stdout  # some of the three; one may get by with what is left until it is killed


# --- the page --------------------------------------------------------------------------------------------------


def test_every_test_that_the_page_names_is_there() -> None:
    page = (PROJECT / "docs" / "reliability.md").read_text(encoding="utf-8")
    file, named = "", 0
    for path, test in re.findall(r"`(tests/[\w/]+\.py)?(?:::(\w+))?`", page):
        file = path or file
        text = (PROJECT / file).read_text(encoding="utf-8") if path or test else ""
        assert not test or f"def {test}(" in text, f"{file} has no {test}"
        named += bool(path or test)
    assert named > 20

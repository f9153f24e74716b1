"""A journal is opened without reading all of it; what is wrong in the rest is found beside the table, and mended."""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.entry import Entry, Made
from companion.core.errors import JournalDamagedError, JournalError
from companion.core.referee import Referee
from companion.core.requests import MoveMessage
from companion.core.session import Session
from companion.devices.disk import Disk
from companion.devices.late_journal import Keeping, opener
from companion.devices.supervisor import Care, Ending, Tending
from companion.devices.watchdog import Notifier
from companion.display.scene import Go, GoOn, Start
from companion.doctor.health import WORKS, Finding
from companion.journal import Journal, look_through
from companion.journal.audit import Audit
from companion.journal.file import File
from companion.journal.log import log_of
from companion.journal.place import suspicion_beside
from companion.journal.rows import PAGE
from companion.words import labels
from tests.display.table import Guests
from tests.kept import companion, contents, keep, many, played
from tests.replies import told as as_told
from tests.stocked import stocked

DAMAGED = "The journal is damaged ("
SAVED = "The journal was damaged ("


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def at_once(work: Callable[[], None]) -> None:
    work()


def spoilt(path: Path, match: int = 2, *, key: str = "entry") -> None:
    """A row in the middle of it is not as it was written."""
    changes = {
        "entry": f"UPDATE entry SET body = replace(body, 'move', 'Move') WHERE match = {match} AND number = 5",
        "match": f"UPDATE match SET time = time + 1 WHERE id = {match}",
        "seat": f"UPDATE seat SET colour = 'none' WHERE match = {match} AND seat = 0",
    }
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(changes[key])
        database.commit()


def lost_in(whole: dict[str, tuple[Entry, ...]], match: int = 2) -> dict[str, tuple[Entry, ...]]:
    """What is left of them when the fifth entry of one is not what was written."""
    code = list(whole)[match - 1]
    return {**whole, code: whole[code][:4]}


# --- opening -----------------------------------------------------------------------------------------------------


def bytes_read(work: Callable[[], object]) -> int:
    """What this process gets from the file system meanwhile, at least; another thread may read too."""
    return min(_read_once(work) for _ in range(3))


def _read_once(work: Callable[[], object]) -> int:
    before = _got()
    work()
    return _got() - before


def _got() -> int:
    return int(Path("/proc/self/io").read_text(encoding="ascii").split()[1])


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Journals of 10 and of 400 matches."""
    folder = tmp_path_factory.mktemp("stock")
    for count in (10, 400):
        stocked(folder / f"{count}.sqlite3", count)
        look_through(folder / f"{count}.sqlite3")
    return folder / "10.sqlite3", folder / "400.sqlite3"


def test_opening_reads_as_much_of_many_matches_as_of_few(stock: tuple[Path, Path]) -> None:
    few, many_more = (bytes_read(lambda path=path: Journal.open(path).close()) for path in stock)  # type: ignore[misc]
    assert many_more <= few + 10 * PAGE, "trees are some pages deeper"
    assert bytes_read(lambda: Journal.open(stock[1], whole=True).close()) > stock[1].stat().st_size


def test_opening_reads_all_of_an_older_version_once(path: Path) -> None:
    many(path, 3)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("DROP INDEX match_running; PRAGMA user_version = 3")
    spoilt(path)
    with Journal.open(path) as journal:
        assert journal.notices[0].startswith(SAVED)
    with Journal.open(path) as journal:
        assert journal.notices == ()


def test_the_match_that_was_begun_last_is_looked_at_before_anything_is_written(path: Path) -> None:
    for key in ("entry", "match", "seat"):
        path.unlink(missing_ok=True)
        whole = many(path, 3)
        spoilt(path, 3, key=key)
        with Journal.open(path) as journal:
            assert journal.notices[0].startswith(SAVED), key
            assert len(journal.matches()) == len(whole)


# --- the log stays where it is until all was read ------------------------------------------------------------------


def test_until_all_was_read_nothing_is_written_into_the_file(path: Path) -> None:
    many(path, 2)
    before = path.read_bytes()
    setup, entries = played("triple3", 7)
    with Journal.open(path) as journal:
        for seed in range(12):  # more than a log has pages, by which it is moved
            keep(journal, *played("tres", seed))
        keep(journal, setup, entries)
        assert log_of(path).stat().st_size > 1000 * PAGE
        assert path.read_bytes() == before
        journal.audit(run=at_once)
        journal.attend()
        assert path.read_bytes() != before
        assert journal.stored(setup.id).entries == entries
    assert not log_of(path).exists()


def test_what_was_played_in_a_journal_that_nobody_has_read_is_there_afterwards(path: Path) -> None:
    whole = many(path, 2)
    before = path.read_bytes()
    setup, entries = played("three", 7)
    for skip in range(0, 12, 4):
        with Journal.open(path) as journal:
            if not skip:
                match = keep(journal, setup, entries[:4])
            else:
                stored = journal.stored(setup.id)
                match = stored.folded(journal.keeper(stored))
                for entry in entries[skip : skip + 4]:
                    match.take(entry)
        assert path.read_bytes() == before
        assert log_of(path).exists()
    assert contents(path) == ({**whole, setup.id: entries[:12]}, ())
    assert not log_of(path).exists()


def test_a_log_is_not_left_to_grow_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many(path, 1)
    for most, is_left in ((4096, True), (20, False)):
        monkeypatch.setattr("companion.journal.journal.BEHIND", most)
        with Journal.open(path) as journal:
            assert journal._file.is_proven != is_left
            if is_left:
                keep(journal, *played("tres"))
                assert log_of(path).stat().st_size > 20 * PAGE
        assert log_of(path).exists() == is_left
    assert len(contents(path)[0]) == 2


def test_what_is_played_into_a_damaged_file_is_saved_too(path: Path) -> None:
    whole = many(path, 3)
    spoilt(path)
    setup, entries = played("triple3", 7)
    with Journal.open(path) as journal:
        keep(journal, setup, entries)
    found, [notice] = contents(path)
    assert notice.startswith(SAVED)
    assert found == {**lost_in(whole), setup.id: entries}


def test_a_log_that_hides_moves_of_an_older_match_is_noticed_before_it_is_gone_on_with(path: Path) -> None:
    setup, entries = played("three")
    with Journal.open(path) as journal:
        keep(journal, setup, entries[:5])
        for seed in range(30):
            journal.take_in(*played("triple3", seed), 0)
    with Journal.open(path, whole=True) as journal:
        stored = journal.stored(setup.id)
        match = stored.folded(journal.keeper(stored))
        match.take(entries[5])
        old = log_of(path).read_bytes()
        for entry in entries[6:8]:
            match.take(entry)
    log_of(path).write_bytes(old)
    with Journal.open(path) as journal:
        assert not journal.notices, "more moves than are looked at came after them"
        with pytest.raises(JournalDamagedError):
            journal.check()
        stored = journal.stored(setup.id)
        assert stored.entries == entries[:6]
        with pytest.raises(JournalError, match="cannot be read: its log is missing, another one, or an older one"):
            journal.keeper(stored)
    with Journal.open(path) as journal:
        assert journal.notices[0].startswith(SAVED)
        assert journal.stored(setup.id).entries == entries[:8]
        assert len(journal.matches()) == 31


# --- what is found -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["entry", "match", "seat"])
def test_damage_is_found_beside_whoever_plays_and_mended_by_the_next_opening(path: Path, key: str) -> None:
    whole = many(path, 3)
    spoilt(path, key=key)
    with Journal.open(path) as journal:
        assert not journal.notices
        journal.audit(run=at_once)
        [news] = journal.news()
        assert news.startswith(DAMAGED)
        assert journal.news() == ()
        assert journal.notices == (news,)
    assert suspicion_beside(path).exists()
    with Journal.open(path) as journal:
        assert journal.notices[0].startswith(SAVED)
        assert len(journal.matches()) == len(whole)
    assert not suspicion_beside(path).exists()
    assert contents(path)[1] == ()


def test_a_suspicion_that_is_none_is_forgotten(path: Path) -> None:
    whole = many(path, 2)
    suspicion_beside(path).touch()
    with Journal.open(path) as journal:
        assert journal.notices == ()
        assert len(journal.matches()) == len(whole)
    assert not suspicion_beside(path).exists()


@pytest.mark.parametrize("key", ["entry", "match", "seat"])
def test_what_is_read_before_all_was_read_is_what_was_written(path: Path, key: str) -> None:
    whole = many(path, 3)
    spoilt(path, key=key)
    with Journal.open(path) as journal, pytest.raises(JournalError, match="cannot be read: a row of its table"):
        journal.stored(list(whole)[1]) if key == "entry" else journal.matches()
    found, [notice] = contents(path)
    assert notice.startswith(SAVED)
    assert found == (lost_in(whole) if key == "entry" else whole)


def test_a_command_that_looks_at_one_match_says_so_and_the_next_one_mends(path: Path) -> None:
    whole = many(path, 3)
    spoilt(path)
    code = list(whole)[1]
    done = companion("replay", code, "--journal", path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be read" in done.stderr
    done = companion("replay", code, "--journal", path)
    assert done.returncode == 0
    assert SAVED in done.stderr


def test_the_finding_is_told_with_a_ruling(path: Path) -> None:
    many(path, 3)
    spoilt(path)
    setup, entries = played("triplexity", 5)
    with Journal.open(path) as journal:
        session = Session(Referee.begin(setup, 0, journal), None)
        journal.audit(run=at_once)
        assert isinstance(entries[0], Made)
        move = entries[0].move
        kinds = [reply["kind"] for reply in as_told(session.answer(MoveMessage(move, move.at, "")))]
    assert kinds == ["notice", "ruling"]


def test_the_referee_command_tells_it_too_and_keeps_what_is_played(path: Path) -> None:
    whole = many(path, 3)
    spoilt(path)
    begin = '{"do":"move","move":{"move":"begin","player":"Anna","at":0}}\n'
    done = companion("referee", "three", "--players", "Anna,Ben", "--journal", path, told=begin)
    assert DAMAGED in done.stdout + done.stderr
    found, [notice] = contents(path)
    assert notice.startswith(SAVED)
    assert {code: found[code] for code in whole} == lost_in(whole)
    assert len(found) == 4


def test_an_audit_is_broken_off_when_the_journal_is_closed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many(path, 5)
    monkeypatch.setattr("companion.journal.checks.AT_ONCE", 1)
    paces: list[int] = []
    begun, go_on = threading.Event(), threading.Event()
    pace = Audit._pace

    def paced(self: Audit) -> None:
        paces.append(1)
        begun.set()
        go_on.wait(60)
        pace(self)

    monkeypatch.setattr(Audit, "_pace", paced)
    journal = Journal.open(path)
    journal.audit()
    assert begun.wait(60)
    ending = threading.Thread(target=journal._audit.end)  # type: ignore[union-attr]
    ending.start()
    while not journal._audit._ended.is_set():  # type: ignore[union-attr]
        pass
    go_on.set()
    ending.join(60)
    assert len(paces) == 1
    journal.close()
    assert not journal._file.is_proven
    assert contents(path)[1] == ()


def test_an_audit_is_broken_off_in_the_middle_of_a_question(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many(path, 1)
    asked = threading.Event()
    endless = "WITH RECURSIVE one(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM one) SELECT count(*) FROM one"

    def check(file: File, *_: object) -> None:
        asked.set()
        file.run(endless).fetchone()

    monkeypatch.setattr("companion.journal.inspection.check", check)
    with Journal.open(path) as journal:
        journal.audit()
        assert asked.wait(60)
        began = time.monotonic()
        audit = journal._audit
    assert time.monotonic() - began < 30
    assert audit
    assert (audit.is_over, audit.is_sound, audit.damage) == (True, False, "")
    assert not suspicion_beside(path).exists()


# --- at the table --------------------------------------------------------------------------------------------------


class Evening:
    """Guests at a table whose journal is read beside them when `audits` lets it be."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.said: list[str] = []
        self.waiting: list[Callable[[], None]] = []
        self.audits: list[Callable[[], None]] = []
        self.guests = Guests((800, 480), path)
        app = self.guests.app
        if app.journal:
            self._held(app.journal)

        def disk(place: Path) -> Disk:
            return Disk(place, ask=lambda _: Finding("journal", WORKS), run=at_once)

        opened = opener(path, self._opened)
        self.keeping = Keeping(app, opened, self.said.append, self.waiting.append)
        care = Care(keeping=self.keeping, disk=disk(path), disk_under=disk)
        self.tending = Tending(app, self.said.append, Ending(), care, Notifier())
        app.listeners.append(self.tending)

    def _opened(self, place: Path, alive: Callable[[], None]) -> Journal:
        return self._held(Journal.open(place, alive))

    def _held(self, journal: Journal) -> Journal:
        """It is read when `is_read` is asked for, and not before."""
        audit = journal.audit

        def later(wake: Callable[[], None] = lambda: None, run: object = None) -> None:  # noqa: ARG001
            audit(wake, self.audits.append)

        setattr(journal, "audit", later)  # noqa: B010
        return journal

    def waits(self, seconds: float = 1.0) -> None:
        for _ in range(4):
            self.guests.wait(seconds / 4)

    def mends(self) -> None:
        self.waiting.pop()()
        self.waits()

    def is_read(self) -> None:
        """The audit has come to its end."""
        journal = self.guests.app.journal
        assert journal
        self.waits()
        while self.audits:
            self.audits.pop()()
        self.waits()

    @property
    def notice(self) -> str:
        found = self.guests.app.view.notice
        return found.sentence if found else ""


@pytest.fixture
def damaged(path: Path) -> tuple[Path, dict[str, tuple[Entry, ...]]]:
    whole = many(path, 3)
    spoilt(path)
    return path, lost_in(whole)


def test_a_sound_journal_is_read_and_nobody_notices(path: Path) -> None:
    many(path, 3)
    evening = Evening(path)
    evening.is_read()
    journal = evening.guests.app.journal
    assert journal
    assert journal._file.is_proven
    assert (evening.notice, evening.said, evening.guests.app.view.ailing) == ("", [], ())
    evening.keeping.close()
    journal.close()


def test_the_table_starts_and_what_is_damaged_is_mended_as_nobody_plays(
    damaged: tuple[Path, dict[str, tuple[Entry, ...]]],
) -> None:
    path, left = damaged
    evening = Evening(path)
    app = evening.guests.app
    assert app.view.past.last, "it stands before anything is known"
    evening.is_read()
    assert app.journal is None
    assert evening.notice == labels.IS_BEING_MENDED
    app.take(Go("players", "three"), app.now)
    app.take(Start(), app.now)
    assert app.match is None, "no match begins that could not be kept"
    evening.mends()
    assert app.journal
    assert app.journal.notices[0].startswith(SAVED)
    assert app.view.past.last
    app.take(Start(), app.now)
    assert app.match
    said = set()
    for _ in range(60):
        evening.waits()
        said.add(evening.notice)
    assert [line for line in said if line.startswith(SAVED)]
    app.journal.close()
    found, notices = contents(path)
    assert notices == ()
    assert {code: found[code] for code in left} == left


def test_in_a_match_it_is_said_and_mended_when_people_go_home(
    damaged: tuple[Path, dict[str, tuple[Entry, ...]]],
) -> None:
    path, left = damaged
    evening = Evening(path)
    app = evening.guests.app
    evening.guests.do(Go("players", "triplexity"))
    evening.guests.do(Start())
    evening.is_read()
    assert app.match
    assert app.view.ailing == ("journal",)
    assert evening.notice.startswith(DAMAGED)
    assert [line for line in evening.said if line.startswith(DAMAGED)]
    assert app.journal, "it goes on being kept"
    code, moves = app.match.setup.id, app.match.entries
    app.take(Go("games"), app.now)
    evening.waits()
    assert app.journal is None
    assert app.match is None
    evening.mends()
    assert app.journal
    found = app.journal.stored(code)
    assert len(found.entries) == moves + 1, "and the pause"
    app.take(GoOn(code), app.now)
    assert app.match
    assert app.match.setup.id == code
    app.journal.close()
    found_all, notices = contents(path)
    assert notices == ()
    assert {one: found_all[one] for one in left} == left


def test_what_cannot_be_mended_is_said_and_people_play_on(
    damaged: tuple[Path, dict[str, tuple[Entry, ...]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, left = damaged
    evening = Evening(path)
    evening.is_read()

    def fails(*_: object) -> None:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr("companion.journal.salvage._put_in_place", fails)
        evening.mends()
    app = evening.guests.app
    assert app.journal is None
    why = "cannot be mended: make the file and its folder writable. Until then matches are not kept."
    assert [line for line in evening.said if why in line]
    app.take(Go("players", "three"), app.now)
    app.take(Start(), app.now)
    assert app.match, "as at every table without a journal"
    evening.waits(3)
    evening.mends()
    assert app.journal
    app.journal.close()
    assert contents(path)[0] == left

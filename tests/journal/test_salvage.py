"""Damage of every kind: either the journal opens with everything right, or what was not hit is saved and it says so."""

import contextlib
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.core.clocks import SECOND
from companion.core.entry import Entry
from companion.core.errors import JournalError
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.rules import Foul
from companion.games import game
from companion.games.three import rules as three
from companion.journal import Journal
from companion.journal.carving import carved
from companion.journal.log import FRAME_HEADER, LOG_HEADER, log_of
from companion.journal.place import mended_beside
from companion.journal.rows import MIGRATIONS, PAGE, checksum
from tests.amounts import amounts
from tests.kept import companion as run_companion
from tests.kept import contents, keep, many, played, without_rights

MATCHES = 5


@cache
def small() -> tuple[bytes, dict[str, tuple[Entry, ...]]]:
    """A journal of a few short matches."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        with Journal.open(path) as journal:
            matches = [played("triplexity", seed) for seed in range(3)]
            for setup, entries in matches:
                journal.take_in(setup, entries, 0)
        return path.read_bytes(), {setup.id: entries for setup, entries in matches}


@cache
def sound() -> tuple[bytes, dict[str, tuple[Entry, ...]]]:
    """A journal of a whole match of each game, and their entries."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        whole = many(path, MATCHES)
        return path.read_bytes(), whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def opened(path: Path, data: bytes) -> tuple[dict[str, tuple[Entry, ...]], tuple[str, ...]]:
    """What a journal with these bytes holds, checked: a part of what was written, and a notice if not all of it."""
    for file in path.parent.iterdir():
        file.unlink()
    path.write_bytes(data)
    found, notices = contents(path)
    _, whole = sound()
    for code, entries in found.items():
        assert entries == whole[code][: len(entries)]  # a beginning, and contents() has read it
    if found == whole and not notices:
        return found, notices
    [notice] = notices
    assert notice.startswith("The journal was damaged (")
    [aside] = path.parent.glob("journal.damaged-*.sqlite3")
    assert aside.read_bytes() == data
    assert aside.name in notice
    said = sum(entries == whole[code] for code, entries in found.items())
    assert f"{said} matches whole, {len(found) - said} up to the damage" in notice
    assert contents(path) == (found, ())  # the second time there is nothing to say
    return found, notices


def flipped(data: bytes, at: int, by: int) -> bytes:
    return data[:at] + bytes([data[at] ^ by]) + data[at + 1 :]


def whole_in(found: dict[str, tuple[Entry, ...]]) -> int:
    _, whole = sound()
    return sum(found.get(code) == entries for code, entries in whole.items())


# --- one byte --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", [0x01, 0xFF])
@amounts("apart", 3, 1)
def test_each_byte_of_the_header(path: Path, by: int, apart: int) -> None:
    """Nothing that SQLite needs to know of the file is needed to read it."""
    data, whole = small()
    for at in range(0, 100, apart):
        for file in path.parent.iterdir():
            file.unlink()
        path.write_bytes(flipped(data, at, by))
        found, notices = contents(path)
        assert found == whole, at
        assert len(notices) == len(list(path.parent.glob("*damaged*.sqlite3")))


@amounts("apart", 7, 1)
def test_a_byte_in_every_page(path: Path, apart: int) -> None:
    """One byte costs at most the end of one match, or one match if it was the set-up. In short: in every seventh."""
    data, whole = sound()
    chance = random.Random(11)
    saved = [
        whole_in(opened(path, flipped(data, page + chance.randrange(PAGE), chance.randrange(1, 256)))[0])
        for page in range(0, len(data), apart * PAGE)
    ]
    assert min(saved) >= len(whole) - 1
    assert sum(saved) / len(saved) > len(whole) - 0.95


@pytest.mark.parametrize("rubbed_out", [b"\x00", b"\xff"])
@amounts("pages", 6, 25)
def test_a_whole_page(path: Path, rubbed_out: bytes, pages: int) -> None:
    """Matches in undamaged pages are saved whole."""
    data, _ = sound()
    chance = random.Random(7)
    for page in chance.sample(range(len(data) // PAGE), pages):
        lost = data[: page * PAGE] + rubbed_out * PAGE + data[(page + 1) * PAGE :]
        found, _ = opened(path, lost)
        assert whole_in(found) >= MATCHES - _matches_in(data[page * PAGE : (page + 1) * PAGE])


def _matches_in(page: bytes) -> int:
    """At most so many matches have a row in a page: one goes on there, some begin there, one may run over into it."""
    return 2 + page.count(b'{"id"')


def test_saved_matches_can_be_gone_on_with(path: Path) -> None:
    data, _ = sound()
    chance = random.Random(5)
    for _ in range(10):
        opened(path, flipped(data, chance.randrange(len(data)), 0x10))
        with Journal.open(path) as journal:
            for one in journal.matches():
                match = journal.stored(one.code).folded()
                assert one.status == ("running" if match.is_running else "over")
                assert bool(one.winners) == (match.outcome is not None and bool(match.outcome.winners))
                if match.is_running:
                    Referee.go_on(journal, 0, one.code).undo(0)


# --- the file cut short, or none of ours -----------------------------------------------------------------------


def test_cut_at_many_lengths(path: Path) -> None:
    data, _ = sound()
    chance = random.Random(3)
    lengths = [1, 15, 16, 99, 100, 101, PAGE - 1, PAGE, PAGE + 1, len(data) - 1, len(data) - PAGE]
    before = 0
    for length in sorted(lengths + chance.sample(range(len(data)), 15)):
        found, _ = opened(path, data[:length])
        assert sum(map(len, found.values())) >= before * 0.9
        before = sum(map(len, found.values()))


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 5000,
        b"SQLite format 3\x00",
        b"SQLite format 3\x00" + b"\xff" * 9000,
        b"no journal at all\n" * 400,
        bytes(range(256)) * 99,
    ],
)
def test_garbage(path: Path, content: bytes) -> None:
    found, notices = opened(path, content)
    assert found == {}
    assert len(notices) == 1


def test_an_empty_file_is_a_new_journal(path: Path) -> None:
    path.touch()
    assert contents(path) == ({}, ())


# --- right files with wrong contents ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = replace(body, 'move', 'Move') WHERE match = 3 AND number = 5",
        "UPDATE entry SET kind = 'undone' WHERE match = 3 AND number = 5",
        "UPDATE entry SET body = x'ff00' WHERE match = 3 AND number = 5",
        "DELETE FROM entry WHERE match = 3 AND number = 5",
    ],
)
def test_an_entry_that_was_altered_is_noticed(path: Path, statement: str) -> None:
    data, whole = sound()
    path.write_bytes(data)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()
    found, [notice] = contents(path)
    assert "of its table entry" in notice or "an entry of match 3" in notice
    code = list(whole)[2]
    assert found.pop(code) == whole[code][:4]
    assert found == {other: entries for other, entries in whole.items() if other != code}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE match SET time = time + 1",
        "UPDATE match SET game = 'tres' WHERE id = 1",
        "UPDATE match SET id = 99 WHERE id = 2",
        "UPDATE seat SET name = 'Ben' WHERE name = 'Anna'",
        "UPDATE result SET won = 1 - won WHERE match = 1 AND seat = 0",
        "UPDATE fact SET value = value / 2",
        "UPDATE player SET colour = 'pink'",
        "DROP TABLE fact",
        "DROP INDEX fact_by_kind",
        "UPDATE entry SET number = 500 WHERE match = 3 AND number = 5",
        "UPDATE entry SET match = 1 WHERE match = 3 AND number = 5",
        "UPDATE entry SET id = 9 WHERE id = 3 << 32 | 5",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 1",
        "PRAGMA user_version = 77",
        "PRAGMA application_id = 77",
    ],
)
def test_what_is_said_twice_is_made_again(path: Path, statement: str) -> None:
    data, whole = sound()
    path.write_bytes(data)
    with Journal.open(path) as journal:
        before = journal.matches(), journal.most_wins(), journal.longest_rounds(1000), journal.time_trials()
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute(statement)
        database.commit()
    found, notices = contents(path)
    assert len(notices) == 1
    assert found == whole
    with Journal.open(path) as journal:
        after = journal.matches(), journal.most_wins(), journal.longest_rounds(1000), journal.time_trials()
    if not statement.startswith("UPDATE match"):  # when it began is said once
        assert after == before


def test_rows_of_every_length_are_saved(path: Path) -> None:
    """Long ones run over into other pages."""
    setup, entries = played("tres")
    with Journal.open(path) as journal:
        match = keep(journal, setup, entries[:3])
        for length in [*range(880, 960), *range(1800, 4000, 83)]:
            match.pause(match.now, "x" * length)
            match.resume()
        whole = journal.stored(setup.id).entries
    data = path.read_bytes()
    path.write_bytes(flipped(data, 0, 1))
    assert contents(path)[0] == {setup.id: whole}


def test_clocks_and_fouls_are_saved_too(path: Path) -> None:
    playing = game("three")
    with Journal.open(path) as journal:
        referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0, journal)
        code = referee.match.setup.id
        with pytest.raises(Foul):
            referee.make(three.Pass("Anna"), 0)
        referee.make(three.Begin("Ben"), 0)
        referee.mark(60 * SECOND)
        keep(journal, *played("tres"))
        fouls, began = journal.fouls(code), journal.stored(code).began
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM entry WHERE match = 2 AND number = 9")
        database.commit()
    with Journal.open(path) as journal:
        assert len(journal.notices) == 1
        stored = journal.stored(code)
        assert (stored.time, stored.began) == (60 * SECOND, began)
        assert journal.fouls(code) == fouls


# --- the log ---------------------------------------------------------------------------------------------------


@pytest.fixture
def log(path: Path) -> tuple[bytes, bytes, tuple[Entry, ...]]:
    """The file and the write-ahead log as they lie there after a power cut in the middle of a match."""
    setup, entries = played("triple3")
    with Journal.open(path) as journal:
        keep(journal, setup, entries[:40])
        found = path.read_bytes(), path.with_name(path.name + "-wal").read_bytes()
    return *found, entries[:40]


def after_the_cut(path: Path, data: bytes, log: bytes) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    for file in path.parent.iterdir():
        file.unlink()
    path.write_bytes(data)
    path.with_name(path.name + "-wal").write_bytes(log)
    found, notices = contents(path)
    assert len(found) <= 1
    return next(iter(found.values()), ()), notices


def test_a_log_cut_short(path: Path, log: tuple[bytes, bytes, tuple[Entry, ...]]) -> None:
    """What is still there is there, in order; a log that just ends is what every power cut leaves."""
    data, whole_log, entries = log
    chance = random.Random(2)
    before = 0
    for length in sorted(chance.sample(range(len(whole_log)), 30)):
        found, _ = after_the_cut(path, data, whole_log[:length])
        assert found == entries[: len(found)]
        assert len(found) >= before
        before = len(found)
    assert after_the_cut(path, data, whole_log) == (entries, ())


def test_a_log_with_a_damaged_byte(path: Path, log: tuple[bytes, bytes, tuple[Entry, ...]]) -> None:
    """What stands behind the damage is not dropped without a word, as SQLite does: it is saved."""
    data, whole_log, entries = log
    chance = random.Random(4)
    lost, size = [], FRAME_HEADER + PAGE
    places = [*range(0, LOG_HEADER, 5), *chance.sample(range(LOG_HEADER, len(whole_log)), 40)]
    for at in places:
        found, notices = after_the_cut(path, data, flipped(whole_log, at, 0x20))
        assert found == entries[: len(found)]
        lost.append(len(entries) - len(found))
        assert notices or at >= len(whole_log) - 4 * size or not lost[-1]  # or in the very last transaction
    assert sum(lost) / len(lost) < 3
    assert lost[: LOG_HEADER // 5] == [0] * (LOG_HEADER // 5)


def test_what_is_left_of_an_earlier_log_is_older_than_the_file(path: Path) -> None:
    """The log begins anew at its start when it is long; behind its new frames lie the old ones."""
    with Journal.open(path) as journal:
        for seed in range(16):
            keep(journal, *played("three", seed))
        log = log_of(path).read_bytes()
        real = {row: (status, time) for row, status, time in journal._file.ask("SELECT id, status, time FROM match")}
        data = path.read_bytes()
    frames = range(LOG_HEADER, len(log), FRAME_HEADER + PAGE)
    assert len({log[at + 8 : at + 16] for at in frames}) == 2, "it has begun anew"
    for spoilt in (log, log[:16] + bytes(8) + log[24:]):
        path.write_bytes(data)
        log_of(path).write_bytes(spoilt)
        with path.open("rb") as file, contextlib.closing(carved(file, log_of(path), lambda: None)) as found:
            assert {row: (found.noted(row).status, found.noted(row).time) for row in real} == real


def test_a_file_in_use_is_not_moved_away(path: Path) -> None:
    """The other referee would go on writing into a file that nobody reads any more."""
    data, _ = sound()
    path.write_bytes(data)
    code = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM match').fetchone(); "
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "open\n"
        damaged = flipped(data, 20 * PAGE + 500, 1)
        with path.open("r+b") as file:
            file.write(damaged)
        with pytest.raises(JournalError, match="another program has it open; close that first"):
            Journal.open(path, whole=True)
        assert path.read_bytes() == damaged
        assert list(path.parent.glob("*damaged*")) == []
        other.communicate("")
    assert len(contents(path)[1]) == 1


class PowerCutError(BaseException):
    """Nothing after it is done, and nothing cleans up."""


def cut_after(steps: int) -> Callable[[Path, Path], Path]:
    """Renaming, until the power goes."""
    left, really = iter(range(steps)), Path.rename

    def rename(self: Path, target: Path) -> Path:
        if next(left, None) is None:
            raise PowerCutError
        return really(self, target)

    return rename


@pytest.mark.parametrize("steps", range(5))
def test_the_power_goes_while_it_is_mended(path: Path, steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a log and the index of it beside the damaged file there are five steps; between any two it may end."""
    data, whole = sound()
    damaged = flipped(data, 20 * PAGE + 500, 1)
    path.write_bytes(damaged)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).write_bytes(b"old")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", cut_after(steps))
        with pytest.raises(PowerCutError):
            Journal.open(path, whole=True)
    found, notices = contents(path)
    assert whole_in(found) >= len(whole) - 1
    [notice] = notices
    assert notice.startswith("The journal was damaged")
    assert damaged in [aside.read_bytes() for aside in path.parent.glob("journal.damaged-*.sqlite3")]
    assert contents(path) == (found, ())
    assert not list(path.parent.glob("*.mended*"))


def test_what_is_called_like_a_mended_journal_takes_the_place_of_nothing(path: Path) -> None:
    """Neither that of a sound journal, nor that of one that was set aside if it has other matches."""
    whole = many(path, 2)
    stranger = path.with_name("stranger.sqlite3")
    with Journal.open(stranger) as journal:
        journal.take_in(*played("tres", 9), 0)
    for content in (b"", b"no journal", stranger.read_bytes()):
        mended_beside(path).write_bytes(content)
        assert contents(path) == (whole, ())
        assert mended_beside(path).read_bytes() == content
    path.rename(path.with_name("journal.damaged-20260101-000000.sqlite3"))
    assert contents(path) == ({}, ())
    path.unlink()
    mended_beside(path).write_bytes(path.with_name("journal.damaged-20260101-000000.sqlite3").read_bytes())
    found, [notice] = contents(path)
    assert found == whole
    assert notice.startswith("The journal was damaged and has been mended")


def test_a_hole_of_ten_gigabytes_is_not_read(path: Path) -> None:
    data, whole = small()
    with path.open("wb") as file:
        file.write(flipped(data, 0, 1))
        file.truncate(10 << 30)
    calls = []
    with Journal.open(path, lambda: calls.append(0)) as journal:
        assert {one.code: journal.stored(one.code).entries for one in journal.matches()} == whole
    assert len(calls) < 100


def test_what_was_mended_and_may_not_be_put_in_place(path: Path) -> None:
    data, _ = sound()
    path.write_bytes(flipped(data, 3000, 1))
    mended_beside(path).write_bytes(data)
    path.parent.chmod(0o555)
    try:
        done = run_companion("matches", "--journal", path, **without_rights())
    finally:
        path.parent.chmod(0o755)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert mended_beside(path).read_bytes() == data


@pytest.mark.parametrize("byte", [3000, 15_000])
def test_a_damaged_file_in_a_folder_that_is_read_only(path: Path, byte: int) -> None:
    data, _ = sound()
    path.write_bytes(flipped(data, byte, 1))
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        done = run_companion("matches", "--journal", path, **without_rights())
    finally:
        path.parent.chmod(0o755)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "make the file and its folder writable" in done.stderr
    assert path.read_bytes() == flipped(data, byte, 1)


def test_the_newest_version_shows_in_the_schema() -> None:
    """A version number that was damaged is told from a newer one by that."""
    schemas = []
    for version in range(len(MIGRATIONS) + 1):
        with contextlib.closing(sqlite3.connect(":memory:")) as database:
            for script in MIGRATIONS[:version]:
                database.executescript(script)
            schemas.append(database.execute("SELECT sql FROM sqlite_schema ORDER BY name").fetchall())
    assert all(one != other for one, other in pairwise(schemas))


def test_a_checksum_knows_its_table() -> None:
    assert checksum("seat", (1, 2)) != checksum("entry", (1, 2))

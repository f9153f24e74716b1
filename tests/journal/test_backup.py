"""Copies of the journal: whole or not there, so many; no full, strange or read-only stick harms the journal."""

import contextlib
import errno
import fcntl
import getpass
import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from companion.journal import Journal, backup
from companion.journal.backup import BackupError, NothingToCopyError, back_up, on_stick
from companion.journal.copies import PATTERN
from companion.journal.copies import copies as copies_in
from companion.journal.rows import APPLICATION, MIGRATIONS
from tests.doors import Run
from tests.kept import companion, contents, many, played, without_rights

NOON = datetime(2026, 5, 17, 12, tzinfo=UTC)


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "state" / "journal.sqlite3"
    many(path, 5)
    return path


def clock(*minutes: int) -> Callable[[], datetime]:
    left = iter(minutes)
    return lambda: NOON + timedelta(minutes=next(left))


def another(journal: Path, name: str = "triplexity") -> None:
    """A match more."""
    with Journal.open(journal) as opened:
        setup, entries = played(name, 100 + len(opened.matches()))
        opened.take_in(setup, entries, 0)


def copies(stick: Path) -> list[str]:
    return sorted(path.name for path in stick.iterdir())


def test_a_copy_is_a_journal_with_all_matches(journal: Path, stick: Path) -> None:
    before = journal.read_bytes()
    copy = back_up(journal, stick, 10)
    assert contents(copy) == contents(journal)
    assert copies(stick) == [copy.name]
    assert journal.read_bytes() == before


def test_while_a_match_is_played(journal: Path, stick: Path) -> None:
    with Journal.open(journal) as open_, sqlite3.connect(journal) as _other:
        copy = back_up(journal, stick, 10)
        assert len(open_.matches()) == len(contents(copy)[0]) == 5
    assert len(contents(journal)[0]) == 5


def test_two_copies_at_a_time_are_made_one_after_the_other(
    journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one of the day, and the one of a stick just plugged in."""
    refused = []

    def another_comes(*_: object) -> None:
        door = os.open(stick, os.O_RDONLY)
        try:
            fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            refused.append(True)
        finally:
            os.close(door)

    monkeypatch.setattr(backup, "_clear", another_comes)
    back_up(journal, stick, 10)
    assert refused == [True]


def test_the_oldest_go_and_nothing_else(journal: Path, stick: Path) -> None:
    (stick / "holiday.jpg").write_bytes(b"1")
    (stick / "matches-of-the-club.sqlite3").write_bytes(b"2")
    now = clock(*range(6))
    for _ in range(6):
        another(journal)
        back_up(journal, stick, 3, now)
    assert copies(stick) == [
        "holiday.jpg",
        "matches-20260517-120300.sqlite3",
        "matches-20260517-120400.sqlite3",
        "matches-20260517-120500.sqlite3",
        "matches-of-the-club.sqlite3",
    ]


def test_a_clock_that_went_back_does_not_make_the_newest_the_oldest(journal: Path, stick: Path) -> None:
    now = clock(0, -600, -500_000, 10)
    names = []
    for _ in range(4):
        another(journal)
        names.append(back_up(journal, stick, 3, now).name)
    assert names == sorted(names)
    assert copies(stick) == names[1:]


def full_after(room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stick with so much room; what does not fit is not there."""
    copy = backup._copy

    def limited(journal: Path, part: Path) -> None:
        copy(journal, part)
        if sum(path.stat().st_size for path in part.parent.iterdir()) > room:
            raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(backup, "_copy", limited)


def test_a_full_stick_gives_up_its_oldest_copy(journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = back_up(journal, stick, 10, clock(0)).stat().st_size
    full_after(7 * size // 2, monkeypatch)
    now = clock(1, 2, 3)
    for _ in range(3):
        another(journal)
        back_up(journal, stick, 10, now)
    assert copies(stick) == [f"matches-20260517-120{minute}00.sqlite3" for minute in (1, 2, 3)]


def test_the_same_is_not_copied_again(journal: Path, stick: Path) -> None:
    now = clock(0, 1, 2)
    first = back_up(journal, stick, 10, now)
    assert back_up(journal, stick, 10, now) == first
    another(journal)
    second = back_up(journal, stick, 10, now)
    assert copies(stick) == [first.name, second.name]
    second.write_bytes(second.read_bytes()[:-3000])
    back_up(journal, stick, 10, now)
    assert len(copies(stick)) == 3, "one that is spoilt is no copy"


def test_copies_of_a_journal_that_was_lost_are_not_pushed_out_by_those_of_a_new_one(journal: Path, stick: Path) -> None:
    rich = back_up(journal, stick, 3, clock(0))
    journal.unlink()
    for minute in range(1, 8):
        another(journal)
        newest = back_up(journal, stick, 3, clock(minute))
    assert rich.name in copies(stick)
    assert newest.name in copies(stick)
    assert len(copies(stick)) == 3


def test_of_one_copy_the_newest_is_kept(journal: Path, stick: Path) -> None:
    for minute in range(3):
        another(journal)
        newest = back_up(journal, stick, 1, clock(minute))
        assert copies(stick) == [newest.name]


def test_a_stick_that_is_full_of_other_things(journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = back_up(journal, stick, 10)
    another(journal)
    full_after(0, monkeypatch)
    with pytest.raises(BackupError, match=r"No copy of the matches was made in .*full; make room there"):
        back_up(journal, stick, 10)
    assert copies(stick) == [kept.name], "the only copy stays, and no half one beside it"
    assert len(contents(journal)[0]) == 6


@pytest.mark.parametrize("number", [errno.EROFS, errno.EIO, errno.ENOSPC, errno.EACCES])
def test_a_stick_that_refuses(number: int, journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise OSError(number, "Read-only file system" if number == errno.EROFS else "It refuses")

    monkeypatch.setattr(backup, "_last", refuses)
    with pytest.raises(BackupError) as refused:
        back_up(journal, stick, 10)
    assert str(refused.value).count(".") >= 1
    assert copies(stick) == []
    assert len(contents(journal)[0]) == 5


def test_a_copy_of_which_nobody_knows_whether_it_lasts_is_none(
    journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = back_up(journal, stick, 10)
    another(journal)

    def fails(_folder: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(backup, "keep_names", fails)
    with pytest.raises(BackupError, match=r"No copy of the matches was made in .*input/output error; it fails: take"):
        back_up(journal, stick, 10)
    assert copies(stick) == [kept.name]
    monkeypatch.setattr(backup, "_is_away", lambda _: False)
    with pytest.raises(BackupError, match="nobody knows whether the copy lasts: take another stick"):
        back_up(journal, stick, 10)


def test_what_was_broken_off_is_cleared_away(journal: Path, stick: Path) -> None:
    (stick / ".matches-20260101-000000.sqlite3.part").write_bytes(b"half")
    (stick / ".matches-20260101-000000.sqlite3.part-journal").write_bytes(b"half")
    back_up(journal, stick, 10)
    assert len(copies(stick)) == 1


def test_a_copy_that_is_not_what_was_written_is_none(
    journal: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lies(_journal: Path, part: Path) -> None:
        part.write_bytes(b"SQLite format 3\0" + bytes(5000))
        backup._must_be_whole(part)

    monkeypatch.setattr(backup, "_copy", lies)
    with pytest.raises(BackupError):
        back_up(journal, stick, 10)
    assert copies(stick) == []


def test_a_journal_that_is_damaged_harms_no_older_copy(journal: Path, stick: Path) -> None:
    kept = back_up(journal, stick, 1)
    content = bytearray(journal.read_bytes())
    content[2000:9000] = bytes(7000)
    journal.write_bytes(content)
    with pytest.raises(BackupError, match="which is mended when the table is started"):
        back_up(journal, stick, 1)
    assert copies(stick) == [kept.name]
    assert journal.read_bytes() == bytes(content)


# --- what somebody else put there --------------------------------------------------------------------------------


def endless(path: Path) -> None:
    """A database that is marked as ours, and whose entries are a view that never ends."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE VIEW entry AS WITH RECURSIVE endless(crc) AS (SELECT 1 UNION ALL SELECT crc + 1 FROM endless) "
            "SELECT crc FROM endless;"
            f"PRAGMA user_version = {len(MIGRATIONS)}; PRAGMA application_id = {APPLICATION};"
        )


def hole(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


STRANGE: dict[str, Callable[[Path], object]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a link": lambda path: path.symlink_to("/dev/zero"),
    "endless": endless,
    "a hole": hole,
}


@pytest.mark.parametrize("date", ["20200101-000000", "99999999-999999"])
@pytest.mark.parametrize("what", STRANGE)
def test_what_only_looks_like_a_copy_is_not_touched_and_hides_none(
    journal: Path, stick: Path, what: str, date: str
) -> None:
    strange = stick / f"matches-{date}.sqlite3"
    STRANGE[what](strange)
    before = strange.lstat().st_ino, strange.lstat().st_mtime_ns  # looking may change when it was last looked at
    now = clock(*range(4))
    made = []
    for _ in range(3):
        another(journal)
        made.append(back_up(journal, stick, 2, now))
        assert back_up(journal, stick, 2, clock(9)) == made[-1], "the same is not copied again"
    assert copies(stick) == sorted([made[1].name, made[2].name, strange.name])
    assert contents(made[2]) == contents(journal)
    assert (strange.lstat().st_ino, strange.lstat().st_mtime_ns) == before


def test_a_spoilt_copy_goes_first_and_those_of_a_newer_companion_stay(journal: Path, stick: Path) -> None:
    now = clock(*range(5))
    first = back_up(journal, stick, 9, now)
    newer = stick / "matches-20200101-000000.sqlite3"
    newer.write_bytes(first.read_bytes())
    with contextlib.closing(sqlite3.connect(newer)) as database:
        database.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        database.execute("CREATE TABLE mood (a)")
    another(journal)
    spoilt = back_up(journal, stick, 9, now)
    spoilt.write_bytes(bytes(9000))
    another(journal)
    newest = back_up(journal, stick, 2, now)
    assert copies(stick) == sorted([newer.name, first.name, newest.name])


def test_names_at_the_end_of_all_dates_are_free(journal: Path, stick: Path) -> None:
    last = back_up(journal, stick, 5, lambda: datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
    assert last.name == "matches-99991231-235959.sqlite3"
    before = last.read_bytes()
    for minute in range(3):
        another(journal)
        made = back_up(journal, stick, 2, clock(minute))
        assert len(contents(made)[0]) == 6 + minute
    assert last.read_bytes() == before
    assert made.name in copies(stick)
    assert [copy.is_sound for copy in copies_in(stick)] == [True, True]


# --- the door --------------------------------------------------------------------------------------------------


def test_the_door(run: Run, journal: Path, stick: Path) -> None:
    code, told, said = run("backup", str(stick), "--journal", str(journal), "--keep", "2")
    assert (code, said) == (0, "")
    assert told.startswith(f"All matches are copied to {stick}/matches-")
    assert len(list(stick.glob(PATTERN))) == 1


def test_the_configuration_names_folder_journal_and_number(
    run: Run, journal: Path, stick: Path, tmp_path: Path
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(f'[journal]\nfile = "{journal}"\n[backup]\nfolder = "{stick}"\nkeep = 1\n', encoding="utf-8")
    for _ in range(3):
        another(journal)
        assert run("backup", "--configuration", str(file))[0] == 0
    assert len(copies(stick)) == 1


def test_where_there_is_nothing_to_do_that_may_be_well(
    run: Run, journal: Path, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(backup.MOUNTED, str(tmp_path / "none"))
    monkeypatch.setattr(backup, "MEDIA", tmp_path / "media")
    code, told, said = run("backup", "--journal", str(journal))
    assert (code, told) == (2, "")
    assert said == "companion: There is no stick called COMPANION: plug it in, or name a folder.\n"
    code, told, said = run("backup", "--if-any", "--journal", str(journal))
    assert (code, told, said) == (0, "There is no stick called COMPANION: plug it in, or name a folder.\n", "")
    assert run("backup", "--if-any", str(stick), "--journal", str(tmp_path / "none"))[0] == 0
    assert run("backup", "--if-any", str(tmp_path / "none"), "--journal", str(journal))[0] == 2


def test_the_stick_is_where_the_machine_or_the_desktop_has_mounted_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(backup.MOUNTED, str(tmp_path / "mounted"))
    monkeypatch.setattr(backup, "MEDIA", tmp_path / "media")
    stick = tmp_path / "media" / getpass.getuser() / "COMPANION"
    stick.mkdir(parents=True)
    with pytest.raises(NothingToCopyError):
        on_stick()
    monkeypatch.setattr(Path, "is_mount", lambda path: path == stick)
    assert on_stick() == stick / "companion"
    assert on_stick().is_dir()
    monkeypatch.setattr(Path, "is_mount", lambda path: path == tmp_path / "mounted")
    with pytest.raises(BackupError, match="is full, or it is read-only"):
        on_stick()
    (tmp_path / "mounted" / "companion").mkdir(parents=True)
    assert on_stick() == tmp_path / "mounted" / "companion"


@pytest.mark.parametrize("words", [("none",), (".", "--keep", "0"), (".", "--keep", "x"), (".", "--journal", "none")])
def test_one_sentence(words: tuple[str, ...], run: Run, journal: Path, tmp_path: Path) -> None:
    usual = () if "--journal" in words else ("--journal", str(journal))
    code, told, said = run("backup", str(tmp_path / words[0]), *words[1:], *usual)
    assert (code, told) == (2, "")
    assert said.count("\n") == 1
    assert said.startswith("companion: ")


def test_a_folder_without_rights(journal: Path, stick: Path) -> None:
    stick.chmod(0o500)
    done = companion("backup", stick, "--journal", journal, **without_rights())
    assert (done.returncode, done.stdout) == (2, "")
    assert "permission denied; it cannot be written: take another place, or format the stick." in done.stderr

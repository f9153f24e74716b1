"""Copies of the journal, on a stick or in a folder: whole or not there, so many. The journal is only read."""

import contextlib
import errno
import fcntl
import getpass
import os
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.plainfile import content
from companion.core.wholefile import keep_names, write
from companion.journal import TABLES
from companion.journal.copies import PATTERN, copies, free_name, looked_at
from companion.journal.file import PATIENCE
from companion.journal.rows import APPLICATION

NAMED = "COMPANION"  # a stick that is called so
MOUNTED = "COMPANION_MOUNTED"  # where setup/stick.sh has mounted one, which makes the folder for the table's user
MEDIA = Path("/media")  # by a desktop, in a folder of whoever sits at it

SHEETS = "sheets"  # score sheets, in a folder beside the journal and beside its copies
MOST_SHEETS, LARGEST_SHEET = 1000, 8 << 20  # the newest by their names; bytes

CHECKED = 600.0  # seconds for reading all of a copy that is known to be a journal, from a slow stick


class BackupError(CompanionError, OSError):
    """There is no copy, and the message says why and what to do. The journal is as it was."""


def _now() -> datetime:
    return datetime.now(UTC)


class NothingToCopyError(BackupError):
    """There is no journal yet, or no stick."""


def on_stick() -> Path:
    """The folder for copies on the stick that is plugged in; a NothingToCopyError if there is none."""
    mounted = Path(os.environ.get(MOUNTED, "/run/companion-stick/any"))
    if (folder := mounted / "companion").is_dir():
        return folder
    if mounted.is_mount():  # and root could not make the folder
        raise BackupError(f"The stick {NAMED} is full, or it is read-only: make room on it, or take another.")
    stick = MEDIA / getpass.getuser() / NAMED
    if not stick.is_mount():
        raise NothingToCopyError(f"There is no stick called {NAMED}: plug it in, or name a folder.")
    folder = stick / "companion"
    with contextlib.suppress(OSError):  # copying says why
        folder.mkdir(exist_ok=True)
    return folder


def back_up(journal: Path, folder: Path, keep: int, now: Callable[[], datetime] = _now) -> Path:
    """A copy of the journal in the folder: another one, unless the newest holds the same. Of more copies than are to be
    kept the oldest go, but never the one with the most in it: a journal that was lost has copies too."""
    if not os.access(journal, os.F_OK):
        raise NothingToCopyError(f"There is no journal {journal} to be copied: play a match first.")
    if not os.access(folder / ".", os.F_OK):
        raise BackupError(f"There is no folder {folder} for the copy: make it, or name another.")
    with _alone_in(folder):
        _clear(folder)
        newest = next((copy.path for copy in reversed(copies(folder)) if copy.is_sound), None)
        if newest is None or not _has_the_same(newest, journal):
            newest = _another(journal, folder, keep, now)
        _take_along(journal.parent / SHEETS, folder / SHEETS)
        return newest


def _take_along(sheets: Path, folder: Path) -> None:
    """The score sheets that were saved beside the journal and are not there yet."""
    try:
        for sheet in sorted(sheets.glob("*.pdf"))[-MOST_SHEETS:]:
            there = folder / sheet.name
            if not (there.exists() and there.stat().st_size == sheet.stat().st_size):
                _must_be_here(folder)
                folder.mkdir(exist_ok=True)
                write(there, content(sheet, LARGEST_SHEET))
    except (OSError, CompanionError) as error:
        said = _said(error)
        raise BackupError(f"The matches are copied to {folder.parent}, and not all score sheets: {said}.") from None


def _must_be_here(folder: Path) -> None:
    if folder.is_symlink():
        raise NotADirectoryError(errno.ENOTDIR, "it leads elsewhere", str(folder))


def _another(journal: Path, folder: Path, keep: int, now: Callable[[], datetime]) -> Path:
    whole = free_name(folder, now())
    while (error := _copied(journal, whole)) is not None:
        if not _is_full(error) or not _is_one_less(folder):
            raise BackupError(f"No copy of the matches was made in {folder}: {_reason(error)}.") from None
    with contextlib.suppress(OSError):  # there is one more, which is what was asked for
        while len(copies(folder)) > keep and _is_one_less(folder, whole):
            pass
    return whole


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """The copy of the day and that of a stick just plugged in may be made on the same one: one after the other."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # not every file system can
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def _is_one_less(folder: Path, made: Path | None = None) -> bool:
    """Whether a copy could go: a spoilt one, or the oldest; not the newest, the one with the most in it, or the one
    just made."""
    found = copies(folder)
    if not found:
        return False
    richest = max(found, key=lambda copy: copy.entries)  # of those with as much the first
    stay = {found[-1].path, richest.path, made}
    going = sorted((copy for copy in found if copy.path not in stay), key=lambda copy: copy.is_sound)
    return bool(going) and _is_away(going[0].path)


def _has_the_same(copy: Path, journal: Path) -> bool:
    """By the checksums of their rows; whatever cannot be told is another."""
    try:
        _must_be_whole(copy)
        with looked_at(copy, CHECKED) as one, _read(journal) as other:
            return all(_sum(one, table) == _sum(other, table) for table in TABLES)
    except (OSError, sqlite3.Error):
        return False


def _sum(database: sqlite3.Connection, table: str) -> tuple[int, int]:
    count, total = database.execute(f"SELECT count(*), sum(crc) FROM {table}").fetchone()
    return count, total


def _is_away(old: Path) -> bool:
    try:
        old.unlink()
    except OSError:
        return False
    return True


def _copied(journal: Path, whole: Path) -> Exception | None:
    """Why there is no copy; None if there is one."""
    part = whole.with_name(f".{whole.name}.part")
    try:
        part.open("xb").close()  # the system's own words, where nothing can be written
        _copy(journal, part)
        _last(part)
        part.replace(whole)
        keep_names(whole.parent)
    except (OSError, sqlite3.Error) as error:
        _clear(whole.parent)
        if whole.exists() and not _is_away(whole):
            raise BackupError(
                f"{whole} fails ({_said(error)}), and nobody knows whether the copy lasts: take another stick."
            ) from None
        return error
    return None


def _is_full(error: Exception) -> bool:
    return getattr(error, "errno", None) == errno.ENOSPC or "disk is full" in str(error)


def _clear(folder: Path) -> None:
    """What an earlier copy has left that was broken off, for it takes the room."""
    for part in folder.glob(f".{PATTERN}.part*"):
        with contextlib.suppress(OSError):
            part.unlink()


def _copy(journal: Path, part: Path) -> None:
    with _read(journal) as database:
        database.execute("VACUUM INTO ?", (str(part),))
    _must_be_whole(part)


def _read(journal: Path) -> contextlib.closing[sqlite3.Connection]:
    """While others may be writing."""
    place = f"{journal.absolute().as_uri()}?mode=ro"
    return contextlib.closing(sqlite3.connect(place, uri=True, timeout=PATIENCE, isolation_level=None))


def _must_be_whole(part: Path) -> None:
    with looked_at(part, CHECKED) as copied:
        found = copied.execute("PRAGMA integrity_check(1)").fetchone()[0]
        mark = copied.execute("PRAGMA application_id").fetchone()[0]
    if found != "ok" or mark != APPLICATION:
        raise sqlite3.DatabaseError("the copy is not what was written; take another stick")


def _last(path: Path) -> None:
    """Until it is really there."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _said(error: Exception) -> str:
    said = (error.strerror or str(error)) if isinstance(error, OSError) else str(error).partition(": ")[0]
    return said[:1].lower() + said[1:]


def _reason(error: Exception) -> str:
    if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return "the journal is damaged, which is mended when the table is started"
    said = _said(error)
    for word, remedy in (
        ("full", "make room there, or take a larger stick"),
        ("no space", "make room there, or take a larger stick"),
        ("read-only", "it cannot be written: take another place"),
        ("readonly", "it cannot be written: take another place"),
        ("permission", "it cannot be written: take another place, or format the stick"),
        ("unable to open", "it cannot be written: take another place, or format the stick"),
        ("i/o", "it fails: take another stick"),
        ("input/output", "it fails: take another stick"),
    ):
        if word in said.lower():
            return f"{said}; {remedy}"
    return said

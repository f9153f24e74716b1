"""Copies of the journal, on a stick or in a folder: whole or not there, so many. The journal is only read."""

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from companion.exc import CompanionError
from companion.journal import APPLICATION, PATIENCE

STICK = Path("/run/companion-stick/companion")  # where setup/stick.sh mounts the one called COMPANION
NAME = "matches-{moment}.sqlite3"
PATTERN = "matches-????????-??????.sqlite3"  # nothing else in the folder is ever touched
MOMENT = "%Y%m%d-%H%M%S"


class BackupError(CompanionError, OSError):
    """There is no copy, and the message says why and what to do. The journal is as it was."""


def _now() -> datetime:
    return datetime.now(UTC)


def back_up(journal: Path, folder: Path, keep: int, now: Callable[[], datetime] = _now) -> Path:
    """Copy the journal into the folder; of more copies than are to be kept the oldest go."""
    if not os.access(journal, os.F_OK):
        raise BackupError(f"There is no journal {journal} to be copied: play a match first.")
    if not os.access(folder / ".", os.F_OK):
        if folder == STICK:
            raise BackupError("There is no stick called COMPANION: plug it in, or name a folder.")
        raise BackupError(f"There is no folder {folder} for the copy: make it, or name another.")
    _clear(folder)
    whole = _free(folder, now())
    while (error := _copied(journal, whole)) is not None:
        copies = _copies(folder)
        if not _is_full(error) or len(copies) < 2 or not _is_away(copies[0]):
            raise BackupError(f"No copy of the matches was made in {folder}: {_reason(error)}.") from None
    for old in _copies(folder)[:-keep]:
        _is_away(old)
    return whole


def _copies(folder: Path) -> list[Path]:
    """Oldest first."""
    return sorted(folder.glob(PATTERN))


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
        _last(whole.parent)
    except (OSError, sqlite3.Error) as error:
        _clear(whole.parent)
        return error
    return None


def _is_full(error: Exception) -> bool:
    return getattr(error, "errno", None) == errno.ENOSPC or "disk is full" in str(error)


def _free(folder: Path, now: datetime) -> Path:
    """A name that sorts behind all others, whatever the clock of the machine says: a Pi has none of its own."""
    name = NAME.format(moment=now.strftime(MOMENT))
    newest = max((path.name for path in _copies(folder)), default="")
    if name > newest:
        return folder / name
    stem, _, number = newest.removesuffix(".sqlite3").rpartition("-")
    return folder / f"{stem}-{int(number) + 1:06}.sqlite3" if number.isdecimal() else folder / name


def _clear(folder: Path) -> None:
    """What an earlier copy has left that was broken off, for it takes the room."""
    for part in folder.glob(f".{PATTERN}.part*"):
        with contextlib.suppress(OSError):
            part.unlink()


def _copy(journal: Path, part: Path) -> None:
    place = f"{journal.absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(place, uri=True, timeout=PATIENCE, isolation_level=None)) as database:
        database.execute("VACUUM INTO ?", (str(part),))
    _must_be_whole(part)


def _must_be_whole(part: Path) -> None:
    place = f"{part.absolute().as_uri()}?mode=ro&immutable=1"
    with contextlib.closing(sqlite3.connect(place, uri=True)) as copied:
        found = copied.execute("PRAGMA integrity_check(1)").fetchone()[0]
        mark = copied.execute("PRAGMA application_id").fetchone()[0]
    if found != "ok" or mark != APPLICATION:
        raise sqlite3.DatabaseError("the copy is not what was written; take another stick")


def _last(path: Path) -> None:
    """Until it is really there. Not every file system can say so of a folder."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(opened)


def _reason(error: Exception) -> str:
    if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return "the journal is damaged, which is mended when the table is started"
    said = (error.strerror or str(error)) if isinstance(error, OSError) else str(error).partition(": ")[0]
    said = said[:1].lower() + said[1:]
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

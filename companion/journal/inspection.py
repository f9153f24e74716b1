"""What a file is, before anything touches it."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path

from companion.core import plainfile
from companion.core.errors import JournalDamagedError, JournalError, JournalTooNewError, TooLargeError
from companion.core.sentence import N_
from companion.journal.checks import Pace, at_once, check
from companion.journal.file import File, damage_noticed, not_opened
from companion.journal.log import Log, index_of, is_another, log_of, read_log
from companion.journal.place import is_in_use
from companion.journal.rows import APPLICATION, MIGRATIONS, is_sound, schema, schema_of

SMALLEST = 512  # bytes, of a SQLite file with anything in it
SUFFIX = ".sqlite3"
SIGNS = (b"SQLite format 3", b"CREATE TABLE entry", b"CREATE TABLE player")  # one of them is left of most damaged ones
LOOKED_AT = 1_000_000  # bytes
ALONE = "mode=ro&immutable=1"  # without its log
REMOVE = "remove it"
NEWEST = 2000  # entries, of which opening looks whether the log lacks them
OLDER_LOG = N_("its log is missing, another one, or an older one")
_LACKING = """
    SELECT * FROM (SELECT * FROM alone.entry WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?) AS one
    WHERE NOT EXISTS (SELECT 1 FROM main.entry AS other WHERE other.id = one.id AND other.crc = one.crc)
    """

_THERE = "SELECT 1 FROM main.entry WHERE id = ? AND crc = ?"
ALL = (-(1 << 63), (1 << 63) - 1)  # the ids of all entries


def look_at(path: Path) -> Log | None:
    """Raise if the file is not a sound journal of a version that is known. Nothing of it is changed by looking, and not
    all of it is read. Returns the log that it has and nobody else has open."""
    try:
        _must_be_a_file(path)
        size = path.stat().st_size if path.exists() else 0
        if not size:
            return None
        in_use = is_in_use(path)
        log = _log(path)
        is_stale = not in_use and is_another(log, index_of(path))  # before the index is made anew by opening
    except TooLargeError as error:
        raise JournalDamagedError(f"of its log: {error.strerror}") from None
    except OSError as error:
        raise JournalError(not_opened(path, error)) from None
    if size < SMALLEST:  # to SQLite this is an empty file
        raise JournalDamagedError(N_("it was cut short"))
    with contextlib.closing(opened_to_look(path)) as file:
        with damage_noticed(path):
            must_be_ours(file)
            if is_stale or (log and not in_use and _lacks_entries(file, ALL, NEWEST)):
                raise JournalDamagedError(OLDER_LOG)
        if log and log.has_lost:
            raise JournalDamagedError(N_("its log was changed"))
    return None if in_use else log


def look_through(path: Path, pace: Pace = at_once) -> None:
    """The same, and every row is read; that takes its time, in which `pace` is called."""
    read_through(path, pace, has_log=look_at(path) is not None)


def read_through(
    path: Path, pace: Pace = at_once, begun: Callable[[File], None] = lambda _: None, *, has_log: bool
) -> None:
    """Raise if anything in the file is not as it was written. Others may be writing it. `begun` is told by what it is
    read, which may be interrupted. `has_log`: it had one before this process has opened it, and the file may hold what
    that does not."""
    with contextlib.closing(opened_to_look(path)) as file, damage_noticed(path):
        begun(file)
        check(file, file.run("PRAGMA user_version").fetchone()[0], pace)
        if has_log and _lacks_entries(file, ALL):
            raise JournalDamagedError(OLDER_LOG)


def must_be_whole(path: Path, match: int) -> None:
    """Raise if the file alone holds an entry of this match that is gone when its log is laid over it."""
    with contextlib.closing(opened_to_look(path)) as file:
        if _lacks_entries(file, (match << 32, (match + 1 << 32) - 1)):
            raise JournalDamagedError(OLDER_LOG)


def opened_to_look(path: Path) -> File:
    """To look at only. Without a log nothing is made beside it."""
    log = log_of(path)
    return File(path, "mode=ro" if log.exists() and log.stat().st_size else ALONE)


def _must_be_a_file(path: Path) -> None:
    if str(path) == ":memory:":
        raise OSError("what is kept in memory is not kept; name a file, or keep nothing with --no-journal")
    for file, remedy in ((path, "name a file in it"), (log_of(path), REMOVE), (index_of(path), REMOVE)):
        if file.is_dir():
            raise OSError(f"{'it' if file == path else file.name} is a folder; {remedy}")
        if file.exists() and not file.is_file():
            raise OSError(f"{'it' if file == path else file.name} is no plain file; remove it, or name another journal")


def _log(path: Path) -> Log | None:
    log = log_of(path)
    return read_log(log) if log.exists() and log.stat().st_size else None


def _lacks_entries(file: File, ids: tuple[int, int], most: int = -1) -> bool:
    """Whether the file alone holds an entry that is gone when its log is laid over it: nothing is ever taken away."""
    alone = f"{file.path.absolute().as_uri()}?{ALONE}"
    try:
        file.run("ATTACH ? AS alone", (alone,))
        found = [row for row in file.run(_LACKING, (*ids, most)) if is_sound("entry", row)]
        return not all(file.run(_THERE, (row[0], row[5])).fetchone() for row in found)  # it may just have come
    except sqlite3.Error:  # in the middle of being brought up to date it cannot be read alone
        return False


def may_be_ours(path: Path) -> bool:
    """Whether a damaged file may be set aside: one that is called like a journal, or has something of one in it."""
    if path.suffix == SUFFIX:
        return True
    try:
        beginning = plainfile.beginning(path, LOOKED_AT)
    except OSError:
        return False
    return any(sign in beginning for sign in SIGNS)


def must_be_ours(file: File) -> None:
    """The schema is ours to the last word: a trigger, say, could take away again what was kept."""
    version = file.run("PRAGMA user_version").fetchone()[0]
    found = schema(file.run)
    if not found:
        return
    is_known = any(found == schema_of(known) for known in range(1, len(MIGRATIONS) + 1))
    is_marked = file.run("PRAGMA application_id").fetchone()[0] == APPLICATION
    if not is_known and not is_marked:
        raise JournalError(f"{file.path} is a database of another program: name another file with --journal.")
    if version > len(MIGRATIONS) and not is_known:
        raise JournalTooNewError(
            f"{file.path} was written by a newer companion (version {version}, this one knows "
            f"{len(MIGRATIONS)}): update the companion."
        )
    if not is_known:
        raise JournalDamagedError(N_("its tables are not as they were made"))
    if not is_marked or not 0 < version <= len(MIGRATIONS) or found != schema_of(version):
        raise JournalDamagedError(N_("its first page was changed"))

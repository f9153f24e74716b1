"""What a file is, before anything touches it."""

import contextlib
from pathlib import Path

from companion.exc import JournalDamagedError, JournalError, JournalTooNewError
from companion.journal.checks import check
from companion.journal.file import File, damage_noticed, reason
from companion.journal.log import has_lost_commits, log_of
from companion.journal.rows import APPLICATION, MIGRATIONS, schema, schema_of

SMALLEST = 512  # bytes, of a SQLite file with anything in it
SUFFIX = ".sqlite3"
SIGNS = (b"SQLite format 3", b"CREATE TABLE entry", b"CREATE TABLE player")  # one of them is left of most damaged ones
LOOKED_AT = 1_000_000  # bytes


def look_at(path: Path) -> None:
    """Raise if the file is not a sound journal of a version that is known. Nothing of it is changed by looking."""
    try:
        size = path.stat().st_size if path.exists() else 0
        if not size:
            return
        if path.is_dir():
            raise OSError("it is a folder; name a file in it")
        log = log_of(path)
        kept = log.read_bytes() if log.exists() else b""
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be opened: {reason(error)}.") from None
    if size < SMALLEST:  # to SQLite this is an empty file
        raise JournalDamagedError("it was cut short")
    with contextlib.closing(_opened(path, has_log=bool(kept))) as file:
        with damage_noticed(path):
            must_be_ours(file)
        if has_lost_commits(kept):
            raise JournalDamagedError("its log was changed")


def look_through(path: Path) -> None:
    """The same, and every row is read; that takes its time."""
    look_at(path)
    with contextlib.closing(_opened(path, has_log=log_of(path).exists())) as file, damage_noticed(path):
        check(file, file.run("PRAGMA user_version").fetchone()[0])


def _opened(path: Path, *, has_log: bool) -> File:
    """To look at only. Without a log nothing is made beside it."""
    return File(path, "mode=ro" if has_log else "mode=ro&immutable=1")


def may_be_ours(path: Path) -> bool:
    """Whether a damaged file may be set aside: one that is called like a journal, or has something of one in it."""
    if path.suffix == SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            beginning = file.read(LOOKED_AT)
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
        raise JournalDamagedError("its tables are not as they were made")
    if not is_marked or not 0 < version <= len(MIGRATIONS) or found != schema_of(version):
        raise JournalDamagedError("its first page was changed")

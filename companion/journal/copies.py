"""The copies of the journal that lie in a folder. Whoever has had the stick may have put anything there: what is called
like a copy is looked into with bounds, and what is none of ours is never touched."""

import contextlib
import os
import sqlite3
import stat
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.journal.rows import APPLICATION, MIGRATIONS, schema, schema_of

NAME = "matches-{moment}.sqlite3"
PATTERN = "matches-????????-??????.sqlite3"
MOMENT = "%Y%m%d-%H%M%S"
SECOND = timedelta(seconds=1)
LOOKED_AT = 200  # files of such names, the newest
LARGEST = 4 << 30  # bytes, of a copy that is looked into
PATIENCE = 5.0  # seconds for one
STEPS = 10_000  # of SQLite, between two looks at the clock


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that lies there."""

    path: Path
    entries: int  # how much is in it; -1 if it is spoilt

    @property
    def is_sound(self) -> bool:
        return self.entries >= 0


def copies(folder: Path) -> list[Copy]:
    """Oldest first."""
    found = (_looked_into(path) for path in _dated(folder)[-LOOKED_AT:])
    return [copy for copy in found if copy is not None]


def free_name(folder: Path, now: datetime) -> Path:
    """A name that nothing has, and that sorts behind all others, whatever the clock of the machine says: a Pi has none
    of its own. Behind the end of all dates nothing does."""
    now = now.replace(microsecond=0)
    newest = max(filter(None, map(_moment, _dated(folder))), default=now - SECOND)
    with contextlib.suppress(OverflowError):
        now = max(now, newest + SECOND)
    while os.path.lexists(found := folder / NAME.format(moment=now.strftime(MOMENT))):
        now += SECOND
    return found


def looked_at(copy: Path, patience: float = PATIENCE) -> contextlib.closing[sqlite3.Connection]:
    """Nobody writes into it, and nothing that is asked of it takes longer."""
    database = sqlite3.connect(f"{copy.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    until = time.monotonic() + patience
    database.set_progress_handler(lambda: time.monotonic() > until, STEPS)
    database.execute("PRAGMA trusted_schema = OFF")
    return contextlib.closing(database)


def _dated(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob(PATTERN) if _moment(path) is not None)


def _moment(path: Path) -> datetime | None:
    """The date of a copy by its name, if that is one."""
    text = path.name.removeprefix("matches-").removesuffix(".sqlite3")
    try:
        found = datetime.strptime(text, MOMENT).replace(tzinfo=UTC)
    except ValueError:
        return None
    return found if f"{found:{MOMENT}}".rjust(len(text), "0") == text else None


def _looked_into(path: Path) -> Copy | None:
    """It is asked for nothing before it is known to be a journal of ours, and only for so long."""
    try:
        status = path.lstat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return None
        with looked_at(path) as database:
            return Copy(path, _entries(database)) if _is_journal(database) else None
    except sqlite3.Error as error:
        is_spoilt = getattr(error, "sqlite_errorname", "").startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))
        return Copy(path, -1) if is_spoilt else None
    except OSError:
        return None


def _is_journal(database: sqlite3.Connection) -> bool:
    """Its schema is ours to the last word: no view that never ends."""
    version = database.execute("PRAGMA user_version").fetchone()[0]
    mark = database.execute("PRAGMA application_id").fetchone()[0]
    is_known = 0 < version <= len(MIGRATIONS) and mark == APPLICATION
    return is_known and schema(database.execute) == schema_of(version)


def _entries(database: sqlite3.Connection) -> int:
    """Row by row: a count alone cannot be broken off."""
    return int(database.execute("SELECT count(crc) FROM entry").fetchone()[0])

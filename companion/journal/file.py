"""The database file: every row has its checksum, every write is one transaction."""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import JournalDamagedError, JournalError, JournalUnsureError
from companion.core.sentence import N_, Sentence
from companion.core.wholefile import keep_names
from companion.journal.log import log_of
from companion.journal.place import FilePlace, anew_beside, suspicion_beside
from companion.journal.rows import MIGRATIONS, PAGE, checksum, schema, schema_of, whole_row

PATIENCE = 5  # seconds that another program may have the file locked
CACHE = 512  # kB of the file that are kept in memory
# After these SQLite has written nothing, certainly; after any other, a failed sync say, nobody knows what is on disk.
CERTAIN = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CONSTRAINT,
)
AWAY = "it was moved, cut or deleted; open it anew"
PLENTY = 16_000_000  # bytes; more than opening a sound file needs


MOST_REMEMBERED = 2000  # changes; then the log is written into the file
LOG_MOVED = 1000  # pages in the log, after which SQLite writes it into the file

Row = tuple[str, tuple[Any, ...]]  # its table and what it holds
Change = tuple[str, tuple[Any, ...]]  # a statement, which may be run twice, and its values


@dataclass(frozen=True, slots=True)
class Unsure:
    """A transaction of which nobody knows whether it is on the disk."""

    why: str
    begun: Row | None = None  # its first row tells, for it is there whole or not at all; without one nothing is


class File:
    """The database file: every row has its checksum, every write is one transaction.

    Until everything in it was read and found sound, what is written stays in the log beside it: a damaged page then
    spoils nothing that was written later, and salvage finds the file as the damage left it.
    """

    def __init__(self, path: Path, how: str = "") -> None:
        self.path = path
        self.news: list[str] = []  # what has happened to it, for the people at the table
        self.is_proven = False  # all of it was read, or made by us
        self._how = how
        self._begun: Row | None = None  # the first row that the newest transaction has put
        self._unsure: Unsure | None = None
        self._place: FilePlace | None = None  # from when it was checked
        self._is_known = False  # and must not be made anew
        self._cookie = 0  # which SQLite changes with the schema
        self._changes: list[Change] = []  # of the transaction that is open
        self._in_log: list[Change] = []  # of those that may be in the log alone, which somebody may cut
        self._has_old_log = False  # from before it was opened, with what a power cut has left
        try:
            self._connect()
        except (OSError, sqlite3.Error) as error:
            raise JournalError(not_opened(path, error)) from None

    def _connect(self) -> None:
        if self._how:
            place = f"{self.path.absolute().as_uri()}?{self._how}"
            self._database = sqlite3.connect(place, uri=True, isolation_level=None)
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            place = f"{self.path.absolute().as_uri()}?mode={'rw' if self._is_known else 'rwc'}"
            # One thread may open it, another work with it; two at once never do.
            self._database = sqlite3.connect(
                place, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True
            )
        self._database.text_factory = lambda raw: raw.decode(errors="replace")  # the checksum notices
        self.run = self._database.execute
        self.interrupt = self._database.interrupt  # from another thread
        self.run_script = self._database.executescript

    def set_up(self) -> None:
        """How it is written: a commit is on the disk when it is done."""
        self.run(f"PRAGMA page_size = {PAGE}")  # of a new file; that of an old one stays
        self.run("PRAGMA journal_mode = WAL")
        self.run("PRAGMA synchronous = FULL")
        self.run(f"PRAGMA cache_size = -{CACHE}")
        self.run("PRAGMA foreign_keys = ON")
        self.run(f"PRAGMA wal_autocheckpoint = {LOG_MOVED if self.is_proven else 0}")

    @property
    def is_written(self) -> bool:
        """Something may be in the log alone."""
        return bool(self._in_log)

    def prove(self) -> None:
        """All of it is sound: from now on the log is moved into it."""
        self.is_proven = True
        with contextlib.suppress(sqlite3.Error):  # it is tried again with each move
            self.run(f"PRAGMA wal_autocheckpoint = {LOG_MOVED}")
        self._empty_log()

    def suspect(self) -> None:
        """It is damaged: whoever opens it next reads all of it first, and saves what is sound."""
        with contextlib.suppress(OSError):  # where nothing can be written, nothing could be saved
            suspicion_beside(self.path).touch()

    def hold(self) -> None:
        """From now on it is noticed when somebody takes it away, exchanges it or changes its schema."""
        if self._place:
            self._place.leave()
        self._empty_log()
        self._has_old_log = not self.is_proven and _has_log(self.path)
        self._place, self._is_known = FilePlace(self.path), True
        self._cookie = self._schema_cookie()

    def _schema_cookie(self) -> int:
        found: int = self.run("PRAGMA schema_version").fetchone()[0]
        return found

    def ask(self, query: str, *values: Any) -> list[Any]:
        """The rows that answer a query."""
        self.settle()
        try:
            return self.run(query, values).fetchall()
        except sqlite3.Error as error:
            why = self._noted(error)
            raise JournalError(Sentence("The journal {path} cannot be read: {why}.", path=self.path, why=why)) from None

    def _noted(self, error: sqlite3.Error) -> str:
        """Why something failed; damage is remembered beyond this process."""
        if _is_damage(error):
            self.suspect()
        return reason(error)

    def put(self, table: str, *values: Any, instead: bool = False) -> None:
        """Write a row; `instead` of the one with the same key."""
        row = whole_row(table, values)
        self._begun = self._begun or (table, row)
        places = ", ".join("?" * len(row))
        self.run(f"INSERT {'OR REPLACE ' if instead else ''}INTO {table} VALUES ({places})", row)
        self._remember(f"INSERT OR {'REPLACE' if instead else 'IGNORE'} INTO {table} VALUES ({places})", row)

    def change(self, statement: str, *values: Any) -> None:
        """Run an UPDATE or a DELETE."""
        self.run(statement, values)
        self._remember(statement, values)

    def _remember(self, statement: str, values: tuple[Any, ...]) -> None:
        if len(self._changes) < MOST_REMEMBERED or not self.is_proven:
            self._changes.append((statement, values))

    def next_id(self, table: str) -> int:
        found: int = self.run(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]
        return found

    def change_match(self, row: int, **changes: Any) -> None:
        asked = self.run("SELECT * FROM match WHERE id = ?", (row,))
        names = [column[0] for column in asked.description]
        values = {**dict(zip(names, asked.fetchone(), strict=True)), **changes}
        changes["crc"] = values["crc"] = checksum("match", (value for name, value in values.items() if name != "crc"))
        self._begun = self._begun or ("match", tuple(values.values()))
        columns = ", ".join(f"{name} = ?" for name in changes)  # only these: what stays needs no page written
        self.change(f"UPDATE match SET {columns} WHERE id = ?", *changes.values(), row)

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction, whole or not at all. A JournalError says that nothing of it is there, a JournalUnsureError
        that nobody knows; what has failed and is on the disk all the same is no failure."""
        self.settle()
        self._begun = None
        self._changes = []
        self._must_be_held()
        try:
            self.run("BEGIN IMMEDIATE")
            try:
                self._must_be_unchanged()
                yield
                self.run("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.run("ROLLBACK")
                raise
        except sqlite3.Error as error:
            why = self._noted(error)
            if not _is_certain(error):
                self._unsure = Unsure(why, self._begun)
            if not self.settle():
                raise self._unchanged(why) from None
        self._in_log += self._changes
        self._must_be_held()
        if len(self._in_log) >= MOST_REMEMBERED:
            self._empty_log()

    def _empty_log(self) -> None:
        """Write all of the log into the file, if nobody reads it just now, and it is known to be sound."""
        if not self.is_proven:
            return
        with contextlib.suppress(sqlite3.Error):
            is_busy, frames, moved = self.run("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            if not is_busy and frames == moved:
                self._in_log = []

    def _must_be_held(self) -> None:
        if self._place and not self._place.is_held():
            self._unsure = Unsure(AWAY, self._begun)
            self.settle()

    def _must_be_unchanged(self) -> None:
        if self._place is None or self._schema_cookie() == self._cookie:
            return
        if schema(self.run) != schema_of(len(MIGRATIONS)):
            raise JournalError(
                Sentence(
                    "The tables of the journal {path} were changed by another program: close that one, and open "
                    "the journal anew.",
                    path=self.path,
                )
            )
        self._cookie = self._schema_cookie()

    def settle(self) -> bool:
        """After a failure that leaves open what is on the disk: close, read again, and see. True if it is all there."""
        if self._unsure is None:
            return False
        why, begun = self._unsure.why, self._unsure.begun
        try:
            if self._place and not self._place.is_held():
                self._put_back(self._place)
            else:
                self._open_again()
            is_there = begun is not None and self.has(*begun)
            if is_there:
                self._make_last()
        except (OSError, sqlite3.Error):
            if begun is None or _is_away(self.path, begun):
                self._unsure = Unsure(why)
                raise self._unchanged(why) from None
            raise JournalUnsureError(
                Sentence(
                    "The journal {path} fails, and nobody knows whether the newest entry is in it: {why}.",
                    path=self.path,
                    why=why,
                )
            ) from None
        self._unsure = None
        return is_there

    def _open_again(self) -> None:
        self.close()
        if (anew := anew_beside(self.path)).exists() and not self.path.exists():
            anew.replace(self.path)
        self._connect()
        self.set_up()
        self.run("SELECT 1 FROM match").fetchone()  # only now there is a log
        self.hold()

    def leave(self) -> None:
        """Close it; what somebody has cut off its log is written anew before."""
        if self._place and self._place.has_file():
            with contextlib.suppress(JournalError):
                self._must_be_held()
        self.close()

    def close(self) -> None:
        """Which takes the log away, if nobody else has it open, and the file is known to be sound."""
        keeps_log = self._place is not None and not self.is_proven and (self._has_old_log or bool(self._in_log))
        with _log_kept(self.path) if keeps_log else contextlib.nullcontext():
            self._disconnect()

    def _disconnect(self) -> None:
        if self._place:
            self._place.leave()
            self._place = None
        self._database.close()

    def _put_back(self, place: FilePlace) -> None:
        """Whoever has it open has all of it, wherever it is: write that anew in its place."""
        fresh = anew_beside(self.path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)
        try:
            self.run("VACUUM INTO ?", (str(fresh),))
        except sqlite3.Error:
            if not place.has_file():
                raise
            self._write_without_log(fresh)
        with fresh.open("rb") as file:
            os.fsync(file.fileno())
        aside = place.set_strangers_aside()
        self._disconnect()
        place.clear_log()
        fresh.replace(self.path)
        keep_names(self.path.parent)
        self._open_again()
        if aside:
            self.news.append(
                Sentence(
                    "Another file was put in the place of the journal {path} while it was open: it is kept as "
                    "{name}, and the journal is written anew.",
                    path=self.path,
                    name=aside.name,
                )
            )
        else:
            self.news.append(
                Sentence(
                    "The journal {path} was moved, cut or deleted while it was open: it is written anew, and "
                    "nothing is missing.",
                    path=self.path,
                )
            )

    def _write_without_log(self, fresh: Path) -> None:
        """What was in the log is gone, and here it is remembered."""
        fresh.unlink(missing_ok=True)
        with contextlib.closing(File(self.path, "mode=ro&immutable=1")) as alone:
            alone.run("VACUUM INTO ?", (str(fresh),))
        with contextlib.closing(File(fresh)) as anew:
            anew.run("BEGIN")
            for statement, values in self._in_log:
                anew.run(statement, values)
            anew.run("COMMIT")

    def _unchanged(self, why: str) -> JournalError:
        return JournalError(
            Sentence("The journal {path} cannot be written, and nothing was changed: {why}.", path=self.path, why=why)
        )

    def has(self, table: str, row: tuple[Any, ...]) -> bool:
        """Exactly this row is there."""
        names = [name for _, name, *_ in self.run(f"PRAGMA table_info({table})")]
        same = " AND ".join(f"{name} IS ?" for name in names)
        return self.run(f"SELECT 1 FROM {table} WHERE {same}", row).fetchone() is not None

    def _make_last(self) -> None:
        """Write all of the log into the file and sync it: what could be read may have been in memory only."""
        is_busy, frames, moved = self.run("PRAGMA wal_checkpoint(FULL)").fetchone()
        if is_busy or frames != moved:
            raise sqlite3.OperationalError("database is locked")


def _is_away(path: Path, begun: Row) -> bool:
    """Where no log can be opened, for want of room say, the file alone may tell, if there is no log any more."""
    try:
        if _has_log(path):
            return False
        with contextlib.closing(File(path, "mode=ro&immutable=1")) as alone:
            return not alone.has(*begun)
    except (OSError, sqlite3.Error):
        return False


def _has_log(path: Path) -> bool:
    log = log_of(path)
    return log.exists() and log.stat().st_size > 0


@contextlib.contextmanager
def _log_kept(path: Path) -> Iterator[None]:
    """Whoever closes a file as the last one moves the log into it, unless that one may only read."""
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(sqlite3.Error):
            reader = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
            stack.callback(reader.close)
            reader.execute("SELECT 1 FROM match").fetchone()
        yield


@contextlib.contextmanager
def damage_noticed(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
            raise JournalError(not_opened(path, error)) from None
        raise JournalDamagedError(reason(error)) from None
    except MemoryError:
        bytearray(PLENTY)  # where there is no memory at all, the file is not to blame
        raise JournalDamagedError(N_("more is asked for than any memory holds")) from None
    except UnicodeDecodeError:  # what SQLite says of the damage names what is damaged
        raise JournalDamagedError(N_("its schema is no text")) from None


def _is_certain(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF in CERTAIN


def _is_damage(error: sqlite3.Error) -> bool:
    signs = ("malformed", "unsupported file format", "no such table", "no such column")
    return any(sign in str(error) for sign in signs)


def not_opened(path: Path, error: Exception) -> Sentence:
    return Sentence("The journal {path} cannot be opened: {why}.", path=path, why=reason(error))


def reason(error: Exception) -> str:
    """What SQLite or the system says, as the rest of a sentence with a remedy."""
    said = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    said = said[:1].lower() + said[1:]
    for word, remedy in (
        ("full", Sentence("make room on the disk")),
        ("read", Sentence("make the file and its folder writable")),
        ("unable to open", Sentence("check that its folder exists and may be written")),
        ("i/o error", Sentence("the disk fails: look at its cable, or take another one")),
        ("locked", Sentence("close the other program that uses it")),
    ):
        if word in said.lower():
            return Sentence("{failure}; {remedy}", failure=said, remedy=remedy)
    return said

"""The database file: every row has its checksum, every write is one transaction."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.exc import JournalDamagedError, JournalError
from companion.journal.rows import checksum

PATIENCE = 5  # seconds that another program may have the file locked
PLENTY = 16_000_000  # bytes; more than opening a sound file needs


class File:
    """The database file: every row has its checksum, every write is one transaction."""

    def __init__(self, path: Path, how: str = "") -> None:
        self.path = path
        try:
            if how:
                self._database = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                # One thread may open it, another work with it; two at once never do.
                self._database = sqlite3.connect(path, PATIENCE, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"The journal {path} cannot be opened: {reason(error)}.") from None
        self._database.text_factory = lambda raw: raw.decode(errors="replace")  # the checksum notices
        self.run = self._database.execute
        self.run_script = self._database.executescript
        self.close = self._database.close

    def ask(self, query: str, *values: Any) -> list[Any]:
        """The rows that answer a query."""
        try:
            return self.run(query, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} cannot be read: {reason(error)}.") from None

    def put(self, table: str, *values: Any, instead: bool = False) -> None:
        """Write a row; `instead` of the one with the same key."""
        row = (*values, checksum(table, values))
        places = ", ".join("?" * len(row))
        self.run(f"INSERT {'OR REPLACE ' if instead else ''}INTO {table} VALUES ({places})", row)

    def next_id(self, table: str) -> int:
        found: int = self.run(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]
        return found

    def change_match(self, row: int, **changes: Any) -> None:
        asked = self.run("SELECT * FROM match WHERE id = ?", (row,))
        names = [column[0] for column in asked.description]
        values = {**dict(zip(names, asked.fetchone(), strict=True)), **changes}
        del values["crc"]
        changes["crc"] = checksum("match", values.values())
        columns = ", ".join(f"{name} = ?" for name in changes)  # only these: what stays needs no page written
        self.run(f"UPDATE match SET {columns} WHERE id = ?", (*changes.values(), row))

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction; if it fails nothing of it is there, and the error says why in a sentence."""
        try:
            self.run("BEGIN IMMEDIATE")
            try:
                yield
                self.run("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.run("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(
                f"The journal {self.path} cannot be written, and nothing was changed: {reason(error)}."
            ) from None


@contextlib.contextmanager
def damage_noticed(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
            raise JournalError(f"The journal {path} cannot be opened: {reason(error)}.") from None
        raise JournalDamagedError(reason(error)) from None
    except MemoryError:
        bytearray(PLENTY)  # where there is no memory at all, the file is not to blame
        raise JournalDamagedError("more is asked for than any memory holds") from None
    except UnicodeDecodeError:  # what SQLite says of the damage names what is damaged
        raise JournalDamagedError("its schema is no text") from None


def _is_damage(error: sqlite3.Error) -> bool:
    signs = ("malformed", "unsupported file format", "no such table", "no such column")
    return any(sign in str(error) for sign in signs)


def reason(error: Exception) -> str:
    """What SQLite or the system says, as the rest of a sentence with a remedy."""
    said = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    said = said[:1].lower() + said[1:]
    for word, remedy in (
        ("full", "make room on the disk"),
        ("read", "make the file and its folder writable"),
        ("unable to open", "check that its folder exists and may be written"),
        ("locked", "close the other program that uses it"),
    ):
        if word in said:
            return f"{said}; {remedy}"
    return said

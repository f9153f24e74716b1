"""How much of each match the broker has: a small file beside the journal.

It is not in the journal, which has one writer, who waits for the disk with every move and must wait for nobody else.
It may be behind what the broker has, never ahead of it: what is sent twice changes nothing. Without it nothing is lost
but the knowledge of what is owed from earlier evenings.
"""

import contextlib
import sqlite3
from pathlib import Path

from companion.core.errors import CompanionError

ENDING = ".published"
_TABLE = """
    CREATE TABLE IF NOT EXISTS cursor (
        broker TEXT NOT NULL, match TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (broker, match)
    )
    """
OWED_LONG = 500  # matches of which it is still remembered that nothing is owed


class CursorError(CompanionError, OSError):
    """The file cannot be used; the message says why."""


def cursor_beside(journal: Path) -> Path:
    return journal.with_name(journal.name + ENDING)


class Cursor:
    """For one broker and one name of the table there. `numbers`: the newest entry of each match that the broker has; -1
    for a match of which it has nothing yet."""

    def __init__(self, path: Path, broker: str) -> None:
        self._broker = broker
        self._changed: set[str] = set()
        try:
            self._database = _opened(path)
            found = self._database.execute(
                "SELECT match, number FROM cursor WHERE broker = ? ORDER BY rowid", (broker,)
            ).fetchall()
        except (sqlite3.Error, OSError) as error:
            raise CursorError(f"{path} cannot be used: {error}.") from None
        self.numbers: dict[str, int] = dict(found)

    def owe(self, match: str) -> None:
        """From now on this match is owed, whatever becomes of this process or of the power."""
        if match in self.numbers:
            return
        self.numbers[match] = -1
        self._database.execute("PRAGMA synchronous = FULL")
        self._put([match])
        self._database.execute("PRAGMA synchronous = NORMAL")

    def move(self, match: str, number: int) -> None:
        self.numbers[match] = number
        self._changed.add(match)

    def save(self) -> None:
        """What was moved; a power cut may take the newest of it away again."""
        changed, self._changed = self._changed, set()
        if changed:
            self._put([*changed])

    def forget_old(self, settled: set[str]) -> None:
        """Matches of which nothing is owed, but for the newest."""
        old = [match for match in list(self.numbers)[:-OWED_LONG] if match in settled]
        for match in old:
            del self.numbers[match]
        with contextlib.suppress(sqlite3.Error), self._database:
            self._database.executemany(
                "DELETE FROM cursor WHERE broker = ? AND match = ?", [(self._broker, match) for match in old]
            )

    def _put(self, matches: list[str]) -> None:
        try:
            with self._database:
                self._database.executemany(
                    "INSERT INTO cursor VALUES (?, ?, ?) "
                    "ON CONFLICT (broker, match) DO UPDATE SET number = excluded.number",
                    [(self._broker, match, self.numbers[match]) for match in matches],
                )
        except sqlite3.Error as error:
            self._changed.update(matches)  # with the next one
            raise CursorError(f"What the broker has cannot be written down: {error}.") from None

    def close(self) -> None:
        with contextlib.suppress(CursorError):
            self.save()
        self._database.close()


def _opened(path: Path) -> sqlite3.Connection:
    """One that is no database any more is set aside."""
    try:
        return _connected(path)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            raise
        path.replace(path.with_name(path.name + ".damaged"))
        for ending in ("-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        return _connected(path)


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=1, check_same_thread=False)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        with database:
            database.execute(_TABLE)
        database.execute("SELECT count(*) FROM cursor").fetchone()
    except BaseException:
        database.close()
        raise
    return database

"""What the journal's file holds: its tables, version by version, and the checksum of a row."""

import contextlib
import sqlite3
import zlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

APPLICATION = 0x54524553  # "TRES", how SQLite tells our files from others
PAGE = 1024  # bytes: a move is a hundred, and small pages spare the memory card
TABLES = ("player", "match", "seat", "entry", "foul", "result", "fact")
CHAINED = {"entry": 7, "match": 10}  # columns of rows that may end with a chain: older ones have fewer, or NULL

# Each script makes the next version of the file from the one before. A file of version n has had the first n.
# A version must show in the schema: a higher number on a schema that is known is a damaged number.
MIGRATIONS = (
    """
    CREATE TABLE player (name TEXT PRIMARY KEY, colour TEXT NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE match (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        began TEXT NOT NULL,         -- wall clock, for people; nothing is decided by it
        rematch_of TEXT NOT NULL,
        status TEXT NOT NULL,        -- running, over, abandoned
        reason TEXT NOT NULL,
        time INTEGER NOT NULL,       -- table time that has certainly passed
        crc INTEGER NOT NULL
    );
    CREATE TABLE seat (
        match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL,
        name TEXT NOT NULL REFERENCES player, colour TEXT NOT NULL,
        crc INTEGER NOT NULL, PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    CREATE TABLE entry (
        id INTEGER PRIMARY KEY,  -- match << 32 | number: in order without an index, and no row in an inner page
        match INTEGER NOT NULL, number INTEGER NOT NULL,  -- 0 is the set-up
        kind TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL
    );
    CREATE TABLE foul (
        id INTEGER PRIMARY KEY, match INTEGER NOT NULL, after INTEGER NOT NULL,  -- the entry it came after
        code TEXT NOT NULL, player TEXT NOT NULL, sentence TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL
    );
    CREATE TABLE result (
        match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL,
        score INTEGER NOT NULL, won INTEGER NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE fact (
        id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match,
        kind TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, crc INTEGER NOT NULL
    );
    CREATE INDEX fact_by_kind ON fact (kind, value);
    CREATE INDEX fact_by_match ON fact (match);
    """,
    """
    ALTER TABLE entry ADD COLUMN chain INTEGER;  -- covers the entries before it; older entries have none
    ALTER TABLE match ADD COLUMN chain INTEGER;  -- of the last entry, when it is over
    """,
    """
    CREATE INDEX match_running ON match (id) WHERE status = 'running';
    """,
)


def checksum(table: str, values: Iterable[Any]) -> int:
    """Of what a row holds; a chain that is not there is none of it."""
    values = [*values]
    if table in CHAINED and values[-1:] == [None]:
        values.pop()
    return zlib.crc32(" ".join((table, *map(str, values))).encode(errors="replace"))


def whole_row(table: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """With its checksum, which stands before a chain: that was added later."""
    if table in CHAINED:
        *columns, chain = values
        return (*columns, checksum(table, values), chain)
    return (*values, checksum(table, values))


def is_sound(table: str, row: Iterable[Any]) -> bool:
    """A row is what was written."""
    *values, crc = row
    if CHAINED.get(table) == len(values) + 1:
        values, crc = [*values[:-1], crc], values[-1]
    return bool(crc == checksum(table, values))


Schema = tuple[tuple[str, str, str, str | None], ...]  # type, name, table and words of everything in it


@cache
def schema_of(version: int) -> Schema:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        for script in MIGRATIONS[:version]:
            database.executescript(script)
        return schema(database.execute)


def schema(run: Callable[[str], sqlite3.Cursor]) -> Schema:
    return tuple(run("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"))

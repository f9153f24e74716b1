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
)


def checksum(table: str, values: Iterable[Any]) -> int:
    return zlib.crc32(" ".join((table, *map(str, values))).encode(errors="replace"))


@cache
def schema_of(version: int) -> tuple[tuple[str, str], ...]:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        for script in MIGRATIONS[:version]:
            database.executescript(script)
        return schema(database.execute)


def schema(run: Callable[[str], sqlite3.Cursor]) -> tuple[tuple[str, str], ...]:
    return tuple(run("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name"))

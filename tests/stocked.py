"""Journals with as many matches as anybody asks for, made quickly: ten of bots, again and again under other codes."""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from companion.journal import TABLES
from companion.journal.chain import links
from companion.journal.rows import whole_row
from tests.kept import many

TEN = 10
Rows = list[tuple[Any, ...]]


def stocked(path: Path, count: int) -> None:
    """A journal of so many matches, a multiple of ten; all of it is as a companion would have written it."""
    many(path, TEN)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        first = {table: database.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES}
        database.execute("BEGIN")
        for start in range(TEN, count, TEN):
            for table, rows in _again(first, start):
                places = ", ".join("?" * len(rows[0]))
                database.executemany(f"INSERT INTO {table} VALUES ({places})", rows)
        database.execute("COMMIT")


def _again(first: dict[str, Rows], start: int) -> Iterator[tuple[str, Rows]]:
    """The rows of the ten matches as those that come after `start` others."""
    codes = {row: (code, f"{code[:-6]}{start + row:06d}") for row, code, *_ in first["match"]}
    last: dict[int, int] = {}
    entries = []
    for row, (code, other) in codes.items():
        mine = [(kind, body.replace(code, other)) for _, match, _, kind, body, *_ in first["entry"] if match == row]
        for number, ((kind, body), chain) in enumerate(zip(mine, links(mine), strict=True)):
            entries.append(("entry", (start + row << 32 | number, start + row, number, kind, body, chain)))
            last[row] = chain
    yield (
        "match",
        _whole(
            ("match", (start + row, codes[row][1], *rest, None if chain is None else last[row]))
            for row, _, *rest, _, chain in first["match"]
        ),
    )
    yield "seat", _whole(("seat", (start + match, *rest)) for match, *rest, _ in first["seat"])
    yield "entry", _whole(entries)
    yield "result", _whole(("result", (start + match, *rest)) for match, *rest, _ in first["result"])
    facts = len(first["fact"])
    yield (
        "fact",
        _whole(
            ("fact", (start // TEN * facts + number, start + match, *rest)) for number, match, *rest, _ in first["fact"]
        ),
    )


def _whole(rows: Iterable[tuple[str, tuple[Any, ...]]]) -> Rows:
    return [whole_row(table, values) for table, values in rows]

"""Whether what is in the file is as it was written, and nothing is missing.

`check` reads it from beginning to end, which takes the longer the more was played; `check_newest` reads no more than
the match that was begun last.
"""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any

from companion.core.errors import JournalDamagedError
from companion.core.sentence import N_, Sentence
from companion.journal.chain import BEGINNING, broken, link
from companion.journal.file import File
from companion.journal.rows import MIGRATIONS, TABLES, is_sound

_WITHOUT_AN_ENTRY = """
    SELECT id >> 32 FROM entry GROUP BY id >> 32
    HAVING count(*) != max(number) + 1 OR id >> 32 NOT IN (SELECT id FROM match)
    UNION SELECT id FROM match WHERE id NOT IN (SELECT match FROM entry) LIMIT 1
    """
_CHAINED = """
    SELECT match.chain, entry.match, number, kind, body, entry.chain FROM entry JOIN match ON match.id = entry.match
    {where} ORDER BY entry.id
    """
_ENTRIES = "id BETWEEN ?1 << 32 AND (?1 << 32) + 0xffffffff"
_OF_MATCH = {
    "match": "id = ?1",
    "seat": "match = ?1",
    "entry": _ENTRIES,
    "result": "match = ?1",
    "fact": "match = ?1",
    "foul": "id = (SELECT max(id) FROM foul) AND match <= ?1",  # they have no index
}
FIRST_CHAINED = 3  # version
AT_ONCE = 200  # rows that are read before whoever waits is asked


Pace = Callable[[], None]  # called again and again by what takes long


def at_once() -> None:
    """As quickly as it can be done."""


def check(file: File, version: int = len(MIGRATIONS), pace: Pace = at_once) -> None:
    """Raise if it is damaged. Of an older version what that had is looked at."""
    if not version:
        return
    found = file.run("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise JournalDamagedError(found.splitlines()[-1])
    for table in TABLES[: TABLES.index("fact")] if version == 1 else TABLES:
        _check_rows(table, _paced(file.run(f"SELECT * FROM {table}"), pace))
    if lost := file.run(_WITHOUT_AN_ENTRY).fetchone():
        raise JournalDamagedError(Sentence("an entry of match {match} is missing", match=lost[0]))
    if file.run("SELECT count(*) != coalesce(max(id), 0) FROM match").fetchone()[0]:
        raise JournalDamagedError(N_("a match is missing"))
    if version >= FIRST_CHAINED:
        _check_chains(_paced(file.run(_CHAINED.format(where="")), pace))


def check_newest(file: File) -> None:
    """The same of the match that was begun last, in a journal of the newest version."""
    newest = file.run("SELECT max(id) FROM match").fetchone()[0]
    if newest is None:
        return
    for table, which in _OF_MATCH.items():
        _check_rows(table, file.run(f"SELECT * FROM {table} WHERE {which}", (newest,)))
    count, last = file.run(f"SELECT count(*), max(number) FROM entry WHERE {_ENTRIES}", (newest,)).fetchone()
    if not count or count != last + 1:
        raise JournalDamagedError(Sentence("an entry of match {match} is missing", match=newest))
    _check_chains(file.run(_CHAINED.format(where=f"WHERE entry.{_ENTRIES}"), (newest,)))


def _check_rows(table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    for row in rows:
        if not is_sound(table, row):
            raise JournalDamagedError(Sentence("a row of its table {table} is not what was written", table=table))


def _paced(rows: sqlite3.Cursor, pace: Pace) -> Iterator[tuple[Any, ...]]:
    while some := rows.fetchmany(AT_ONCE):
        yield from some
        pace()


def _check_chains(rows: Iterable[tuple[Any, ...]]) -> None:
    """That each entry follows the one before it, to the end of a match that is over."""
    for (last, match), entries in groupby(rows, lambda row: row[:2]):
        chain, is_chained = BEGINNING, False
        for _, _, number, kind, body, kept in entries:
            chain = link(chain, number, kind, body)
            must_be_chained = is_chained or kept is not None  # the first ones may be from before there were chains
            if must_be_chained and kept != chain:
                raise JournalDamagedError(Sentence("of match {match} {broken}", match=match, broken=broken(number)))
            is_chained = kept is not None
        if last not in (None, chain):
            raise JournalDamagedError(Sentence("the last entry of match {match} is missing", match=match))

"""What the board keeps: every entry once, and what follows from them.

What comes twice, late or in another order changes nothing, and everything but the entries can be made anew.
"""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Engine, Row, case, delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from companion.board.database import ENTRY, HEAD, MATCH, SEAT
from companion.core.codec import parsed, read
from companion.publishing.entry_payloads import EntryNow, HeadNow

FROM_BROKER, FROM_FILE = "broker", "file"
UNKNOWN = ""  # status of a match whose standing nobody could tell


@dataclass(frozen=True, slots=True)
class ArrivedEntry:
    """An entry and the text in which it came."""

    entry: EntryNow
    payload: str
    origin: str = FROM_BROKER


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a line, with its newest entry."""

    match: str
    table: str
    game: str
    began: str
    status: str
    number: int
    is_whole: bool
    entry: EntryNow


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """A player of a table: one name at one table. Equal names at two tables may be two people."""

    table: str
    name: str
    game: str
    matches: int
    won: int


@dataclass(slots=True)
class _Newest:
    """A match as it stands while entries are taken in."""

    number: int
    hash: str
    is_whole: bool
    was: str  # its status before
    entry: EntryNow | None = None  # where another one is the newest now


class Results:
    """One thread writes, any number ask. Each call is one transaction, whole or not at all."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time) -> None:
        self._engine, self._now = engine, now
        self._writing = threading.Lock()
        self._insert: Any = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert

    # --- taking in ---

    def take(self, arrivals: Sequence[ArrivedEntry], heads: Iterable[HeadNow] = ()) -> set[str]:
        """The codes of the matches in which something is new."""
        with self._writing, self._engine.begin() as connection:
            told = {head.table: head for head in heads}
            for head in told.values():
                self._put_head(connection, head)
            fresh = [arrival for arrival in arrivals if self._put(connection, arrival)]
            codes = {arrival.entry.match for arrival in fresh} | {head.match for head in told.values()}
            known = _known(connection, codes)
            for code in codes:
                entries = [arrival.entry for arrival in fresh if arrival.entry.match == code]
                newest = self._newest(connection, code, known.get(code), entries)
                if newest is not None and (newest.entry is not None or code in known):
                    self._put_match(connection, code, newest)
            return codes

    def _put(self, connection: Connection, arrival: ArrivedEntry) -> bool:
        """Whether it was not there."""
        entry = arrival.entry
        values = {
            "match": entry.match,
            "number": entry.number,
            "hash": entry.hash,
            "before": entry.before,
            "kind": entry.kind,
            "table_name": entry.table,
            "payload": arrival.payload,
            "origin": arrival.origin,
            "received": self._now(),
        }
        put = self._insert(ENTRY).values(values).on_conflict_do_nothing().returning(ENTRY.c.number)
        return connection.execute(put).first() is not None

    def _put_head(self, connection: Connection, head: HeadNow) -> None:
        values = {"match": head.match, "number": head.number, "hash": head.hash}
        put = self._insert(HEAD).values(table_name=head.table, **values)
        connection.execute(put.on_conflict_do_update(index_elements=["table_name"], set_=values))

    def _newest(
        self, connection: Connection, code: str, known: _Newest | None, entries: list[EntryNow]
    ) -> _Newest | None:
        """As it stands now. Entries that follow one another need no look at the others."""
        newest = known
        for entry in sorted(entries, key=lambda entry: entry.number):
            follows = newest is not None and (entry.number, entry.before) == (newest.number + 1, newest.hash)
            if newest is None or not follows or not newest.is_whole:
                return _newest_anew(connection, code, known.was if known else UNKNOWN)
            newest = _Newest(entry.number, entry.hash, is_whole=True, was=newest.was, entry=entry)
        last = connection.scalar(select(func.max(ENTRY.c.number)).where(ENTRY.c.match == code))
        is_last = entries and newest is not None and newest.number == last  # else one behind it came earlier
        return newest if is_last else _newest_anew(connection, code, known.was if known else UNKNOWN)

    def _put_match(self, connection: Connection, code: str, newest: _Newest) -> None:
        values: dict[str, Any] = {"number": newest.number, "hash": newest.hash, "is_whole": newest.is_whole}
        if newest.entry is not None:
            entry = newest.entry
            status = _status(entry)
            values |= {"table_name": entry.table, "game": entry.game, "began": entry.began, "status": status}
            if "over" in (status, newest.was):
                _put_seats(connection, code, entry if status == "over" else None)
        values["changed"] = self._now()
        if newest.entry is None:
            connection.execute(MATCH.update().where(MATCH.c.match == code).values(values))
            return
        put = self._insert(MATCH).values(match=code, **values)
        connection.execute(put.on_conflict_do_update(index_elements=["match"], set_=values))

    def make_anew(self) -> int:
        """Everything that follows from the entries; how many matches there are."""
        with self._writing, self._engine.begin() as connection:
            connection.execute(delete(SEAT))
            connection.execute(delete(MATCH))
            codes = connection.scalars(select(ENTRY.c.match).distinct()).all()
            for code in codes:
                newest = _newest_anew(connection, code, UNKNOWN)
                if newest is not None:
                    self._put_match(connection, code, newest)
            return len(codes)

    # --- asking ---

    def tables(self) -> dict[str, MatchLine]:
        """What was last played at each table: the match that the table names, or else the one that began last."""
        latest = select(MATCH.c.table_name, func.max(MATCH.c.began).label("began")).group_by(MATCH.c.table_name)
        newest = latest.subquery()
        is_newest = (newest.c.table_name == MATCH.c.table_name) & (newest.c.began == MATCH.c.began)
        is_named = (HEAD.c.table_name == MATCH.c.table_name) & (HEAD.c.match == MATCH.c.match)
        with self._engine.connect() as connection:
            rows = [
                *connection.execute(_LINES.join(newest, is_newest)),
                *connection.execute(_LINES.join(HEAD, is_named)),
            ]
        return {line.table: line for line in map(_line, rows)}

    def matches(self, table: str = "", *, most: int = 50) -> list[MatchLine]:
        """The newest first."""
        asked = _LINES.order_by(MATCH.c.began.desc(), MATCH.c.match).limit(most)
        with self._engine.connect() as connection:
            rows = connection.execute(asked.where(MATCH.c.table_name == table) if table else asked).all()
        return [*map(_line, rows)]

    def match(self, code: str) -> MatchLine | None:
        with self._engine.connect() as connection:
            row = connection.execute(_LINES.where(MATCH.c.match == code)).one_or_none()
        return None if row is None else _line(row)

    def course(self, code: str) -> list[EntryNow]:
        """The entries of a match that lead to its newest, as far as they are there."""
        with self._engine.connect() as connection:
            row = connection.execute(select(MATCH.c.number, MATCH.c.hash).where(MATCH.c.match == code)).one_or_none()
            kept = connection.execute(select(ENTRY.c.payload).where(ENTRY.c.match == code)).scalars().all()
        entries = {(entry.number, entry.hash): entry for entry in map(_entry, kept)}
        found: list[EntryNow] = []
        key = None if row is None else (row.number, row.hash)
        while key in entries:
            found.append(entries.pop(key))
            key = (found[-1].number - 1, found[-1].before)
        return found[::-1]

    def players(self, *, most: int = 500) -> list[PlayerLine]:
        """Who has played what to an end, and won it how often, the most matches first."""
        asked = (
            select(SEAT.c.table_name, SEAT.c.name, MATCH.c.game, func.count(), func.sum(case((SEAT.c.won, 1), else_=0)))
            .join(MATCH, MATCH.c.match == SEAT.c.match)
            .where(MATCH.c.status == "over")
            .group_by(SEAT.c.table_name, SEAT.c.name, MATCH.c.game)
            .order_by(func.count().desc(), SEAT.c.name, SEAT.c.table_name, MATCH.c.game)
            .limit(most)
        )
        with self._engine.connect() as connection:
            return [PlayerLine(*row) for row in connection.execute(asked)]


_LINES = select(MATCH, ENTRY.c.payload).join(
    ENTRY,
    (ENTRY.c.match == MATCH.c.match) & (ENTRY.c.number == MATCH.c.number) & (ENTRY.c.hash == MATCH.c.hash),
)


def _line(row: Row[Any]) -> MatchLine:
    return MatchLine(
        row.match, row.table_name, row.game, row.began, row.status, row.number, row.is_whole, _entry(row.payload)
    )


def _entry(payload: str) -> EntryNow:
    return read(EntryNow, parsed(payload))


def _status(entry: EntryNow) -> str:
    standing = entry.standing
    if standing is None:
        return UNKNOWN
    return "abandoned" if standing.over is not None and standing.over.abandoned else standing.status


def _known(connection: Connection, codes: set[str]) -> dict[str, _Newest]:
    asked = select(MATCH.c.match, MATCH.c.number, MATCH.c.hash, MATCH.c.is_whole, MATCH.c.status)
    rows = connection.execute(asked.where(MATCH.c.match.in_(codes)))
    return {row.match: _Newest(row.number, row.hash, row.is_whole, row.status) for row in rows}


def _newest_anew(connection: Connection, code: str, was: str) -> _Newest | None:
    """The newest entry by the chain: the one that the table names as such, or else the end of the longest line from the
    set-up on. An entry that follows nothing may be of anybody, so it is shown only where there is no other."""
    asked = select(ENTRY.c.number, ENTRY.c.hash, ENTRY.c.before).where(ENTRY.c.match == code)
    rows = connection.execute(asked.order_by(ENTRY.c.number, ENTRY.c.received)).all()
    if not rows:
        return None
    connected: set[tuple[int, str]] = set()
    for row in rows:
        if row.number == 0 or (row.number - 1, row.before) in connected:
            connected.add((row.number, row.hash))
    head = connection.execute(select(HEAD.c.number, HEAD.c.hash).where(HEAD.c.match == code)).first()
    named = (head.number, head.hash) if head else None
    ends = [(row.number, row.hash) for row in rows if (row.number, row.hash) in connected]
    furthest = max(number for number, _ in ends) if ends else max(row.number for row in rows)
    longest = next(key for row in rows if (key := (row.number, row.hash))[0] == furthest and (not ends or key in ends))
    is_there = named is not None and any((row.number, row.hash) == named for row in rows)
    newest = named if is_there and named is not None and named[0] >= furthest else longest
    is_whole = newest in connected and (named is None or is_there or named[0] < newest[0])
    kept = connection.execute(
        select(ENTRY.c.payload).where(ENTRY.c.match == code, ENTRY.c.number == newest[0], ENTRY.c.hash == newest[1])
    ).scalar_one()
    return _Newest(*newest, is_whole=is_whole, was=was, entry=_entry(kept))


def _put_seats(connection: Connection, code: str, entry: EntryNow | None) -> None:
    """The result of a match; none where its end was taken back."""
    connection.execute(delete(SEAT).where(SEAT.c.match == code))
    standing = entry.standing if entry else None
    if entry is None or standing is None or standing.over is None:
        return
    winners = standing.over.winners
    rows = [
        {
            "match": code,
            "seat": seat,
            "table_name": entry.table,
            "name": player.name,
            "score": player.score,
            "won": player.name in winners,
        }
        for seat, player in enumerate(standing.players)
    ]
    if rows:
        connection.execute(insert(SEAT), rows)

"""What the board keeps: every entry once, and what follows from them.

What comes twice, late or in another order changes nothing, and everything but the entries can be made anew.
"""

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Row, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from companion.board.database import CHANGE, ENTRY, HEAD, MATCH, RUN, SEAT
from companion.board.finished import FinishedMatch
from companion.board.match_outcomes import (
    OVER,
    ResultChange,
    RunLine,
    changes_kept,
    finished_in,
    put_outcome,
    result_of,
    runs_in,
)
from companion.core.codec import parsed, read
from companion.publishing.entry_payloads import EntryNow, HeadNow

FROM_BROKER, FROM_FILE = "broker", "file"
AT_ONCE = 500  # rows in one statement
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


class ResultRow(NamedTuple):
    """A player of a match, as a line of a table."""

    match: str
    table: str
    game: str
    began: str
    status: str
    seconds: float
    seat: int
    name: str
    score: int
    won: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """What the database says of a match."""

    number: int
    hash: str
    is_whole: bool
    status: str

    def is_at(self, named: tuple[int, str]) -> bool:
        return (self.number, self.hash) == named


@dataclass(frozen=True, slots=True)
class _Newest:
    """The newest entry of a match. `has_outcome`: its result may be another one now."""

    entry: EntryNow
    is_whole: bool
    has_outcome: bool


class Results:
    """One thread writes, any number ask. Each call is one transaction, whole or not at all."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time) -> None:
        self._engine, self._now = engine, now
        self._writing = threading.Lock()
        self._insert: Any = sqlite.insert if engine.dialect.name == "sqlite" else postgresql.insert

    # --- taking in ---

    def take(self, arrivals: Sequence[ArrivedEntry], heads: Iterable[HeadNow] = ()) -> dict[str, MatchLine]:
        """The matches in which something is new, by their codes."""
        told = {head.table: head for head in heads}
        with self._writing, self._engine.begin() as connection:
            if told:
                self._put_heads(connection, [*told.values()])
            fresh = self._put(connection, arrivals) if arrivals else {}
            codes = {*fresh, *(head.match for head in told.values())}
            known = _known(connection, codes)
            last = _last(connection, [*fresh])
            named = {head.match: (head.number, head.hash) for head in told.values()}
            found = {}
            for code in codes:
                before = known.get(code)
                if code not in fresh and before is not None and before.is_whole and before.is_at(named[code]):
                    continue  # a head that tells nothing new
                newest = _newest(connection, code, before, fresh.get(code, []), last.get(code, -1))
                if newest is not None:
                    found[code] = newest
            self._put_matches(connection, found)
        return {code: _line_of(newest) for code, newest in found.items()}

    def _put(self, connection: Connection, arrivals: Sequence[ArrivedEntry]) -> dict[str, list[EntryNow]]:
        """Those that were not there, by their matches."""
        now = self._now()
        rows = {
            (arrival.entry.match, arrival.entry.number, arrival.entry.hash): {
                "match": arrival.entry.match,
                "number": arrival.entry.number,
                "hash": arrival.entry.hash,
                "before": arrival.entry.before,
                "kind": arrival.entry.kind,
                "table_name": arrival.entry.table,
                "payload": arrival.payload,
                "origin": arrival.origin,
                "received": now,
            }
            for arrival in reversed(arrivals)
        }
        entries = {(one.entry.match, one.entry.number, one.entry.hash): one.entry for one in reversed(arrivals)}
        found: dict[str, list[EntryNow]] = {}
        values = [*rows.values()]
        for at in range(0, len(values), AT_ONCE):
            put = self._insert(ENTRY).values(values[at : at + AT_ONCE]).on_conflict_do_nothing()
            for row in connection.execute(put.returning(ENTRY.c.match, ENTRY.c.number, ENTRY.c.hash)):
                found.setdefault(row.match, []).append(entries[tuple(row)])
        return found

    def _put_heads(self, connection: Connection, heads: list[HeadNow]) -> None:
        put = self._insert(HEAD).values(
            [
                {"table_name": head.table, "match": head.match, "number": head.number, "hash": head.hash}
                for head in heads
            ]
        )
        new = {name: put.excluded[name] for name in ("match", "number", "hash")}
        connection.execute(put.on_conflict_do_update(index_elements=["table_name"], set_=new))

    def _put_matches(self, connection: Connection, found: dict[str, _Newest]) -> None:
        now = self._now()
        rows = []
        for code, newest in found.items():
            entry, status = newest.entry, status_of(newest.entry)
            if newest.has_outcome:
                put_outcome(connection, entry, partial(_course, connection, code, (entry.number, entry.hash)))
            rows.append(
                {
                    "match": code,
                    "table_name": entry.table,
                    "game": entry.game,
                    "began": entry.began,
                    "status": status,
                    "number": entry.number,
                    "hash": entry.hash,
                    "is_whole": newest.is_whole,
                    "changed": now,
                    "heard": now,
                }
            )
        if rows:
            put = self._insert(MATCH).values(rows)
            new = {name: put.excluded[name] for name in rows[0] if name not in ("match", "heard")}
            connection.execute(put.on_conflict_do_update(index_elements=["match"], set_=new))

    def make_anew(self) -> int:
        """Everything that follows from the entries; how many matches there are."""
        with self._writing, self._engine.begin() as connection:
            for table in (CHANGE, RUN, SEAT, MATCH):
                connection.execute(delete(table))
            codes = connection.scalars(select(ENTRY.c.match).distinct()).all()
            for code in codes:
                newest = _newest_anew(connection, code)
                if newest is not None:
                    self._put_matches(connection, {code: newest})
            first = select(func.min(ENTRY.c.received)).where(ENTRY.c.match == MATCH.c.match).scalar_subquery()
            connection.execute(update(MATCH).values(heard=first))
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

    def matches(self, table: str = "", *, most: int = 50, after: int = 0) -> list[MatchLine]:
        """The newest first, without so many of them."""
        asked = _LINES.order_by(MATCH.c.began.desc(), MATCH.c.match).limit(most).offset(after)
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
            return [] if row is None else _course(connection, code, (row.number, row.hash))

    def moment(self, code: str, number: int) -> EntryNow | None:
        """One entry of that course."""
        asked = select(ENTRY.c.number, ENTRY.c.hash, ENTRY.c.before).where(ENTRY.c.match == code)
        with self._engine.connect() as connection:
            row = connection.execute(select(MATCH.c.number, MATCH.c.hash).where(MATCH.c.match == code)).one_or_none()
            before = {(at, digest): followed for at, digest, followed in connection.execute(asked)}
            key = (row.number, row.hash) if row else (-1, "")
            while key in before and key[0] > number:
                key = (key[0] - 1, before[key])
            if key not in before or key[0] != number:
                return None
            is_it = (ENTRY.c.match == code) & (ENTRY.c.number == number) & (ENTRY.c.hash == key[1])
            return _entry(connection.execute(select(ENTRY.c.payload).where(is_it)).scalar_one())

    def finished(self) -> list[FinishedMatch]:
        with self._engine.connect() as connection:
            return finished_in(connection)

    def mark(self) -> tuple[object, ...]:
        """Another one after every change of a result."""
        asked = select(func.count(), func.max(MATCH.c.changed), func.sum(MATCH.c.number)).where(MATCH.c.status == OVER)
        with self._engine.connect() as connection:
            return tuple(connection.execute(asked).one())

    def runs(self) -> list[RunLine]:
        with self._engine.connect() as connection:
            return runs_in(connection)

    def changes(self, code: str = "") -> list[ResultChange]:
        """Of this match, or of all."""
        with self._engine.connect() as connection:
            return changes_kept(connection, code)

    def rows(self) -> list[ResultRow]:
        """Every player of every match, the oldest match first."""
        with self._engine.connect() as connection:
            lines = [*map(_line, connection.execute(_LINES.order_by(MATCH.c.began, MATCH.c.match)))]
        return [row for line in lines for row in _rows_of(line)]


def _rows_of(line: MatchLine) -> Iterator[ResultRow]:
    standing = line.entry.standing
    for seat, player in enumerate(standing.players if standing else ()):
        assert standing
        won = standing.over is not None and player.name in standing.over.winners
        head = (line.match, line.table, line.game, line.began, line.status, standing.time)
        yield ResultRow(*head, seat, player.name, player.score, won)


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


def status_of(entry: EntryNow) -> str:
    standing = entry.standing
    if standing is None:
        return UNKNOWN
    return "abandoned" if standing.over is not None and standing.over.abandoned else standing.status


def _line_of(newest: _Newest) -> MatchLine:
    entry = newest.entry
    return MatchLine(
        entry.match, entry.table, entry.game, entry.began, status_of(entry), entry.number, newest.is_whole, entry
    )


def _known(connection: Connection, codes: set[str]) -> dict[str, _Known]:
    asked = select(MATCH.c.match, MATCH.c.number, MATCH.c.hash, MATCH.c.is_whole, MATCH.c.status)
    rows = connection.execute(asked.where(MATCH.c.match.in_(codes)))
    return {code: _Known(*row) for code, *row in rows}


def _last(connection: Connection, codes: list[str]) -> dict[str, int]:
    """The highest number of each match."""
    if not codes:
        return {}
    asked = select(ENTRY.c.match, func.max(ENTRY.c.number)).where(ENTRY.c.match.in_(codes)).group_by(ENTRY.c.match)
    return {code: int(number) for code, number in connection.execute(asked)}


def _newest(
    connection: Connection, code: str, known: _Known | None, fresh: list[EntryNow], last: int
) -> _Newest | None:
    """As it stands now. Entries that follow one another, with none behind them, need no look at the others."""
    in_order = sorted(fresh, key=lambda entry: entry.number)
    reached = (known.number, known.hash) if known and known.is_whole else None
    for entry in in_order if reached else ():
        if reached != (entry.number - 1, entry.before):
            reached = None
            break
        reached = (entry.number, entry.hash)
    if in_order and reached and reached[0] == last:
        was_over = known is not None and known.status == OVER
        return _Newest(in_order[-1], is_whole=True, has_outcome=was_over or any(map(result_of, in_order)))
    return _newest_anew(connection, code)


def _newest_anew(connection: Connection, code: str) -> _Newest | None:
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
    return _Newest(_entry(kept), is_whole, has_outcome=True)


def _course(connection: Connection, code: str, newest: tuple[int, str]) -> list[EntryNow]:
    """The entries that lead to this one, as far as they are there."""
    kept = connection.execute(select(ENTRY.c.payload).where(ENTRY.c.match == code)).scalars().all()
    entries = {(entry.number, entry.hash): entry for entry in map(_entry, kept)}
    found: list[EntryNow] = []
    key = newest
    while key in entries:
        found.append(entries.pop(key))
        key = (found[-1].number - 1, found[-1].before)
    return found[::-1]

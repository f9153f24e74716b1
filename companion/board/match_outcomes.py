"""What follows from the entries of a match: its result, how that changed since, a run against the clock."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select

from companion.board.database import CHANGE, ENTRY, MATCH, RUN, SEAT
from companion.board.finished import FinishedMatch, FinishedSeat
from companion.core.codec import parsed, plain, read, written
from companion.publishing.entry_payloads import EntryNow, PieceNow

OVER = "over"
TAKES_BACK = ("undone", "corrected", "abandoned")  # kinds of entries by which a result may change


@dataclass(frozen=True, slots=True)
class SeatResult:
    name: str
    score: int
    won: bool


@dataclass(frozen=True, slots=True)
class MatchResult:
    players: tuple[SeatResult, ...]


@dataclass(frozen=True, slots=True)
class ResultChange:
    """The result of a match was one and is another. None: it has none."""

    match: str
    table: str
    game: str
    number: int
    kind: str
    at: str
    before: MatchResult | None
    after: MatchResult | None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for result in (self.before, self.after) if result for player in result.players)


class RunLine(NamedTuple):
    """A run against the clock, with the pieces of what it is compared by."""

    match: str
    table: str
    game: str
    began: str
    name: str
    used: float
    left: int
    course: tuple[PieceNow, ...]


def result_of(entry: EntryNow) -> MatchResult | None:
    """What a match has come to by this entry, if it is over and not abandoned."""
    standing = entry.standing
    if standing is None or standing.over is None or standing.over.abandoned:
        return None
    winners = standing.over.winners
    return MatchResult(
        tuple(SeatResult(player.name, player.score, player.name in winners) for player in standing.players)
    )


def changes_in(course: Iterable[EntryNow]) -> Iterator[ResultChange]:
    """How the result of a match changed after it had been reached for the first time."""
    had: MatchResult | None = None
    was_over = False
    for entry in course:
        result = result_of(entry)
        if was_over and result != had:
            yield ResultChange(entry.match, entry.table, entry.game, entry.number, entry.kind, entry.as_of, had, result)
        had, was_over = result, was_over or result is not None


# --- kept beside the match


def put_outcome(connection: Connection, entry: EntryNow, course: Callable[[], Iterable[EntryNow]]) -> None:
    """Of a match with this newest entry; its course is asked for only where a result may have changed."""
    code, result = entry.match, result_of(entry)
    for table in (SEAT, RUN, CHANGE):
        connection.execute(delete(table).where(table.c.match == code))
    if result is not None:
        rows = [
            {"match": code, "seat": seat, "table_name": entry.table, **plain(player)}
            for seat, player in enumerate(result.players)
        ]
        if rows:
            connection.execute(insert(SEAT), rows)
        _put_run(connection, entry)
    if _may_have_changed(connection, code):
        rows = [_change_row(change) for change in changes_in(course())]
        if rows:
            connection.execute(insert(CHANGE), rows)


def _put_run(connection: Connection, entry: EntryNow) -> None:
    assert entry.standing
    assert entry.standing.over
    run = entry.standing.over.run
    if run is not None:
        course = written(plain(run.course))
        row = {"match": entry.match, "name": run.player, "used": run.used, "left": run.left, "course": course}
        connection.execute(insert(RUN), row)


def _may_have_changed(connection: Connection, code: str) -> bool:
    asked = select(ENTRY.c.number).where(ENTRY.c.match == code, ENTRY.c.kind.in_(TAKES_BACK)).limit(1)
    return connection.execute(asked).first() is not None


def _change_row(change: ResultChange) -> dict[str, Any]:
    before, after = (written(plain(one)) if one else "" for one in (change.before, change.after))
    kept = {"match": change.match, "number": change.number, "kind": change.kind[:32], "at": change.at[:40]}
    return {**kept, "before": before, "after": after}


# --- asking


def finished_in(connection: Connection) -> list[FinishedMatch]:
    """Every match with a result, the oldest first; those of one moment by their codes, so it is always one order."""
    asked = (
        select(SEAT, MATCH.c.game, MATCH.c.began, MATCH.c.heard)
        .join(MATCH, MATCH.c.match == SEAT.c.match)
        .where(MATCH.c.status == OVER)
        .order_by(MATCH.c.began, MATCH.c.match, SEAT.c.seat)
    )
    found: dict[str, list[Row[Any]]] = {}
    for row in connection.execute(asked):
        found.setdefault(row.match, []).append(row)
    return [
        FinishedMatch(
            code,
            rows[0].table_name,
            rows[0].game,
            rows[0].began,
            rows[0].heard,
            tuple(FinishedSeat(row.name, row.score, row.won) for row in rows),
        )
        for code, rows in found.items()
    ]


def runs_in(connection: Connection) -> list[RunLine]:
    """Every run that counts, the oldest first."""
    asked = (
        select(RUN, MATCH.c.table_name, MATCH.c.game, MATCH.c.began)
        .join(MATCH, MATCH.c.match == RUN.c.match)
        .where(MATCH.c.status == OVER)
        .order_by(MATCH.c.began, MATCH.c.match)
    )
    return [
        RunLine(
            row.match,
            row.table_name,
            row.game,
            row.began,
            row.name,
            row.used,
            row.left,
            read(tuple[PieceNow, ...], parsed(row.course)),
        )
        for row in connection.execute(asked)
    ]


def changes_kept(connection: Connection, code: str = "") -> list[ResultChange]:
    """Of this match, or of all, in the order in which they came about."""
    asked = select(CHANGE, MATCH.c.table_name, MATCH.c.game).join(MATCH, MATCH.c.match == CHANGE.c.match)
    asked = asked.order_by(CHANGE.c.match, CHANGE.c.number)
    return [*map(_change, connection.execute(asked.where(CHANGE.c.match == code) if code else asked))]


def _change(row: Row[Any]) -> ResultChange:
    before, after = (read(MatchResult, parsed(one)) if one else None for one in (row.before, row.after))
    return ResultChange(row.match, row.table_name, row.game, row.number, row.kind, row.at, before, after)

"""All that the board has, as tables: a line each, for a spreadsheet or a program."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from companion.board.accounts import EVERY_TABLE, ClubPlayer
from companion.board.books import BoardBooks
from companion.board.match_outcomes import MatchResult
from companion.board.pages import piece_said
from companion.publishing.entry_payloads import EntryNow
from companion.words import Words
from companion.words.speaking import ENGLISH


class ExportedName(NamedTuple):
    account: int
    player: str
    table: str  # * is every table
    name: str


class ExportedPlayer(NamedTuple):
    game: str
    account: int
    table: str
    player: str
    matches: int
    won: int
    rating: int | None
    strength: float | None
    doubt: float | None


class ExportedTime(NamedTuple):
    game: str
    course: str
    place: int
    account: int
    table: str
    player: str
    left: int
    seconds: float
    match: str
    began: str


class ExportedStanding(NamedTuple):
    tournament: str
    kind: str
    game: str
    place: int
    player: str
    points: float
    played: int
    ties: str


class ExportedPairing(NamedTuple):
    tournament: str
    round: int
    number: int
    table: str
    first: str
    second: str
    first_points: float | None
    second_points: float | None
    decided: str
    match: str


class ExportedChange(NamedTuple):
    match: str
    number: int
    kind: str
    at: str
    before: str
    after: str


class ExportedMove(NamedTuple):
    match: str
    number: int
    kind: str
    as_of: str
    player: str
    move: str
    said: str
    scores: str
    open: str


def _accounts(books: BoardBooks) -> Iterator[ExportedName]:
    registry = books.accounts.registry()
    for account, name in sorted(registry.names.items()):
        for table, alias in registry.names_of(account) or [("", "")]:
            yield ExportedName(account, name, "*" if alias and table == EVERY_TABLE else table, alias)


def _players(books: BoardBooks) -> Iterator[ExportedPlayer]:
    for line in books.club().players:
        rating = line.rating
        rated = (rating.points, round(rating.strength, 3), round(rating.doubt, 3)) if rating else (None, None, None)
        yield ExportedPlayer(line.game, *_who(line.player), line.matches, line.won, *rated)


def _times(books: BoardBooks) -> Iterator[ExportedTime]:
    words = Words(ENGLISH)
    for course in books.club().courses:
        named = " · ".join(piece_said(piece, words) for piece in course.pieces)
        for place, run in enumerate(course.runs, 1):
            yield ExportedTime(course.game, named, place, *_who(run.player), run.left, run.used, run.match, run.began)


def _standings(books: BoardBooks) -> Iterator[ExportedStanding]:
    names = books.accounts.registry().names
    for now in books.tournaments_now():
        one = now.tournament
        for line in now.table:
            ties = " ".join(f"{tie:g}" for tie in line.ties)
            yield ExportedStanding(
                one.name, one.kind, one.game, line.place, names.get(line.account, ""), line.points, line.played, ties
            )


def _pairings(books: BoardBooks) -> Iterator[ExportedPairing]:
    names = books.accounts.registry().names
    for now in books.tournaments_now():
        for found in now.pairings:
            one = found.pairing
            second = "" if one.second is None else names.get(one.second, "")
            points = found.points or (None, None)
            named = (now.tournament.name, one.round, one.number, one.table, names.get(one.first, ""), second)
            yield ExportedPairing(
                *named, points[0], None if one.second is None else points[1], one.decided, found.match
            )


def _changes(books: BoardBooks) -> Iterator[ExportedChange]:
    for change in books.results.changes():
        before, after = map(_in_short, (change.before, change.after))
        yield ExportedChange(change.match, change.number, change.kind, change.at, before, after)


def _in_short(result: MatchResult | None) -> str:
    """Winners have a star."""
    return ", ".join(f"{one.name} {one.score}{'*' * one.won}" for one in result.players) if result else ""


def _who(player: ClubPlayer) -> tuple[int, str, str]:
    return player.account, player.table, player.name


TABLES: Mapping[str, tuple[type[Any], Callable[[BoardBooks], Iterable[Any]]]] = MappingProxyType(
    {
        "accounts": (ExportedName, _accounts),
        "players": (ExportedPlayer, _players),
        "times": (ExportedTime, _times),
        "tournaments": (ExportedStanding, _standings),
        "pairings": (ExportedPairing, _pairings),
        "changes": (ExportedChange, _changes),
    }
)


def course_rows(course: Iterable[EntryNow], said: Callable[[EntryNow], Iterable[str]]) -> Iterator[ExportedMove]:
    """A match move by move, with what lay open after each."""
    for entry in course:
        players = entry.standing.players if entry.standing else ()
        lying = entry.standing.open if entry.standing else ()
        yield ExportedMove(
            entry.match,
            entry.number,
            entry.kind,
            entry.as_of,
            entry.player,
            entry.move,
            " ".join(said(entry)),
            ", ".join(f"{player.name} {player.score}" for player in players),
            "; ".join(f"{one.kind} {one.of}: {one.count} ({', '.join(one.cards)})" for one in lying if one.count),
        )

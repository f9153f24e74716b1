"""Leagues and tournaments, as the host has made them. What came of a pairing is read from matches, and never kept."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion.board.accounts import ClubError, Registry, account_named, must_be_a_name
from companion.board.database import ENTRANT, PAIRING, TOURNAMENT, TOURNAMENT_TABLE
from companion.board.finished import FinishedMatch
from companion.board.match_outcomes import ResultChange
from companion.board.reading import is_table
from companion.board.rounds import (
    DECISIONS,
    KINDS,
    LEAGUE,
    ROUND_ROBIN,
    Pair,
    Pairing,
    Pairings,
    PlayedPairing,
    all_rounds,
    next_round,
    played,
)
from companion.board.standings import StandingLine, league_matches, league_table, tournament_table
from companion.games import game

MOST_PLAYERS, MOST_ROUNDS, MOST_TABLES = 500, 100, 500


@dataclass(frozen=True, slots=True)
class Tournament:
    """`left`: who has gone, and is paired no more. A league has no pairings."""

    number: int
    name: str
    kind: str
    game: str
    rounds: int
    began: float
    ended: float | None
    accounts: tuple[int, ...]
    left: frozenset[int]
    tables: tuple[str, ...]
    pairings: tuple[Pairing, ...]

    @property
    def still_there(self) -> list[int]:
        return [account for account in self.accounts if account not in self.left]


@dataclass(frozen=True, slots=True)
class TournamentNow:
    """With its results. `matches`: that count."""

    tournament: Tournament
    table: tuple[StandingLine, ...]
    pairings: tuple[PlayedPairing, ...]
    matches: tuple[FinishedMatch, ...]


def tournament_now(one: Tournament, matches: Iterable[FinishedMatch], registry: Registry) -> TournamentNow:
    in_time = [match for match in matches if match.heard <= (one.ended or match.heard)]
    if one.kind == LEAGUE:
        within = [match for match in in_time if match.game == one.game and match.table in one.tables]
        counting = league_matches(one.accounts, (match for match in within if match.heard >= one.began), registry)
        return TournamentNow(one, tuple(league_table(one.accounts, counting, registry)), (), tuple(counting))
    rest = 0.0 if one.kind == ROUND_ROBIN else 1.0
    pairings = played(Pairings(one.game, one.tables, one.pairings, rest), in_time, registry)
    codes = {pairing.match for pairing in pairings}
    counting = [match for match in in_time if match.code in codes]
    return TournamentNow(one, tuple(tournament_table(one.accounts, pairings)), tuple(pairings), tuple(counting))


def changes_within(one: Tournament, changes: Iterable[ResultChange], registry: Registry) -> list[ResultChange]:
    """Those of matches of its players at its tables, also where the match has no result any more."""
    return [
        change
        for change in changes
        if change.game == one.game
        and change.table in one.tables
        and all(registry.account_of(change.table, name) in one.accounts for name in change.names)
    ]


class Tournaments:
    """Each call is one transaction."""

    def __init__(self, engine: Engine, now: Callable[[], float] = time.time) -> None:
        self._engine, self._now = engine, now

    # --- asking

    def all(self) -> list[Tournament]:
        """The newest first."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(TOURNAMENT).order_by(TOURNAMENT.c.tournament.desc())).all()
            return [_tournament(connection, row) for row in rows]

    def numbered(self, number: int) -> Tournament | None:
        with self._engine.connect() as connection:
            row = connection.execute(select(TOURNAMENT).where(TOURNAMENT.c.tournament == number)).one_or_none()
            return None if row is None else _tournament(connection, row)

    def named(self, name: str) -> Tournament:
        with self._engine.connect() as connection:
            return _named(connection, name)

    # --- what the host does

    def make(
        self, name: str, kind: str, game_name: str, players: Sequence[str], tables: Sequence[str], rounds: int
    ) -> Tournament:
        """Of a round robin `rounds` is how often everybody meets everybody."""
        must_be_a_name(name)
        _must_be_possible(kind, game_name, players, tables, rounds)
        try:
            with self._engine.begin() as connection:
                number = (
                    1 + connection.execute(select(func.coalesce(func.max(TOURNAMENT.c.tournament), 0))).scalar_one()
                )
                accounts = [account_named(connection, player) for player in players]
                kept = {"tournament": number, "name": name, "kind": kind, "game": game_name}
                connection.execute(insert(TOURNAMENT), {**kept, "rounds": rounds, "began": self._now(), "ended": None})
                _put_entrants(connection, number, accounts, 0)
                named = [{"tournament": number, "number": at, "table_name": one} for at, one in enumerate(tables)]
                connection.execute(insert(TOURNAMENT_TABLE), named)
                return _named(connection, name)
        except IntegrityError:
            raise ClubError(f"There is a tournament {name!r} already.") from None

    def enter(self, name: str, player: str) -> None:
        """Somebody comes later, or comes back; not where it is settled from the beginning who plays whom."""
        with self._engine.begin() as connection:
            one = _running(connection, name)
            account = account_named(connection, player)
            if one.kind == ROUND_ROBIN and one.pairings:
                raise ClubError(f"{name!r} has all its rounds: who comes later has no place in them.")
            if account in one.accounts:
                _put_left(connection, one.number, account, has_left=False)
            elif len(one.accounts) >= MOST_PLAYERS:
                raise ClubError(f"A tournament has {MOST_PLAYERS} players at most.")
            else:
                _put_entrants(connection, one.number, [account], len(one.accounts))

    def withdraw(self, name: str, player: str) -> None:
        """Is paired no more; what was played counts on."""
        with self._engine.begin() as connection:
            one = _running(connection, name)
            account = account_named(connection, player)
            if account not in one.accounts:
                raise ClubError(f"{player!r} does not play in {name!r}.")
            _put_left(connection, one.number, account, has_left=True)

    def end(self, name: str) -> None:
        with self._engine.begin() as connection:
            one = _running(connection, name)
            connection.execute(
                update(TOURNAMENT).where(TOURNAMENT.c.tournament == one.number).values(ended=self._now())
            )

    def remove(self, name: str) -> None:
        """The matches stay."""
        with self._engine.begin() as connection:
            one = _named(connection, name)
            for table in (PAIRING, ENTRANT, TOURNAMENT_TABLE, TOURNAMENT):
                connection.execute(delete(table).where(table.c.tournament == one.number))

    def decide(self, name: str, round_number: int, number: int, decision: str) -> None:
        """What counts instead of the match; empty: the match again."""
        if decision and decision not in DECISIONS:
            raise ClubError(f"{decision[:20]!r} is no decision; write {', '.join(DECISIONS)} or match.")
        with self._engine.begin() as connection:
            one = _named(connection, name)
            is_it = (PAIRING.c.tournament == one.number) & (PAIRING.c.round == round_number)
            is_it &= (PAIRING.c.number == number) & PAIRING.c.second.is_not(None)
            if not connection.execute(update(PAIRING).where(is_it).values(decided=decision)).rowcount:
                raise ClubError(f"{name!r} has no pairing {number} of two players in round {round_number}.")

    def pair(self, name: str, matches: Iterable[FinishedMatch], registry: Registry) -> list[Pairing]:
        """The next round; of a round robin all of them."""
        with self._engine.begin() as connection:
            one = _running(connection, name)
            rounds = [*self._paired(one, matches, registry)]
            begin = 1 + max((pairing.round for pairing in one.pairings), default=0)
            made = [
                Pairing(begin + at, number, first, second, one.tables[(number - 1) % len(one.tables)], self._now())
                for at, pairs in enumerate(rounds)
                for number, (first, second) in enumerate(pairs, 1)
            ]
            try:
                connection.execute(insert(PAIRING), [_row(one.number, pairing) for pairing in made])
            except IntegrityError:
                raise ClubError(f"Somebody else has paired {name!r} meanwhile.") from None
            return made

    @staticmethod
    def _paired(one: Tournament, matches: Iterable[FinishedMatch], registry: Registry) -> Iterable[list[Pair]]:
        there = one.still_there
        if len(there) < 2:
            raise ClubError(f"{one.name!r} has fewer than two players.")
        if one.kind == LEAGUE:
            raise ClubError(f"{one.name!r} is a league: its members play whom they like.")
        if one.kind == ROUND_ROBIN:
            if one.pairings:
                raise ClubError(f"{one.name!r} has all its rounds.")
            return all_rounds(there, one.rounds)
        now = tournament_now(one, matches, registry)
        open_ones = [pairing for pairing in now.pairings if pairing.points is None]
        if open_ones:
            last = open_ones[0].pairing
            raise ClubError(
                f"Round {last.round} is not over: pairing {last.number} has no result. Wait for its match, or "
                f"`companion board tournament decide`."
            )
        if max((pairing.round for pairing in one.pairings), default=0) >= one.rounds:
            raise ClubError(f"{one.name!r} has had its {one.rounds} rounds.")
        return [next_round(there, now.pairings, one.rounds)]


def _must_be_possible(kind: str, name: str, players: Sequence[str], tables: Sequence[str], rounds: int) -> None:
    if kind not in KINDS:
        raise ClubError(f"{kind[:20]!r} is none of {', '.join(KINDS)}.")
    fewest, most = game(name).players
    if not fewest <= 2 <= most and kind != LEAGUE:
        raise ClubError(f"In a {kind} two play against each other, and {game(name).title} needs {fewest} at least.")
    if not 2 <= len(players) <= MOST_PLAYERS or len({*players}) < len(players):
        raise ClubError(f"A tournament has 2 to {MOST_PLAYERS} players, each of them once.")
    if not 1 <= len(tables) <= MOST_TABLES or len({*tables}) < len(tables) or not all(map(is_table, tables)):
        raise ClubError(f"A tournament has 1 to {MOST_TABLES} tables, by their names in [publish], each of them once.")
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ClubError(f"A tournament has 1 to {MOST_ROUNDS} rounds.")


# --- rows


def _named(connection: Connection, name: str) -> Tournament:
    row = connection.execute(select(TOURNAMENT).where(TOURNAMENT.c.name == name)).one_or_none()
    if row is None:
        raise ClubError(
            f"There is no tournament {name[:60]!r}; `companion board tournament list` tells which are there."
        )
    return _tournament(connection, row)


def _running(connection: Connection, name: str) -> Tournament:
    one = _named(connection, name)
    if one.ended is not None:
        raise ClubError(f"{name!r} has ended.")
    return one


def _tournament(connection: Connection, row: Row[tuple[object, ...]]) -> Tournament:
    is_its = ENTRANT.c.tournament == row.tournament
    entrants = connection.execute(select(ENTRANT).where(is_its).order_by(ENTRANT.c.number)).all()
    tables = connection.execute(
        select(TOURNAMENT_TABLE.c.table_name)
        .where(TOURNAMENT_TABLE.c.tournament == row.tournament)
        .order_by(TOURNAMENT_TABLE.c.number)
    )
    pairings = connection.execute(
        select(PAIRING).where(PAIRING.c.tournament == row.tournament).order_by(PAIRING.c.round, PAIRING.c.number)
    )
    return Tournament(
        row.tournament,
        row.name,
        row.kind,
        row.game,
        row.rounds,
        row.began,
        row.ended,
        tuple(one.account for one in entrants),
        frozenset(one.account for one in entrants if one.has_left),
        tuple(tables.scalars()),
        tuple(
            Pairing(one.round, one.number, one.first, one.second, one.table_name, one.made, one.decided)
            for one in pairings
        ),
    )


def _put_entrants(connection: Connection, tournament: int, accounts: Sequence[int], begin: int) -> None:
    rows = [
        {"tournament": tournament, "account": account, "number": number, "has_left": False}
        for number, account in enumerate(accounts, begin)
    ]
    connection.execute(insert(ENTRANT), rows)


def _put_left(connection: Connection, tournament: int, account: int, *, has_left: bool) -> None:
    is_it = (ENTRANT.c.tournament == tournament) & (ENTRANT.c.account == account)
    connection.execute(update(ENTRANT).where(is_it).values(has_left=has_left))


def _row(tournament: int, pairing: Pairing) -> dict[str, object]:
    return {
        "tournament": tournament,
        "round": pairing.round,
        "number": pairing.number,
        "first": pairing.first,
        "second": pairing.second,
        "table_name": pairing.table,
        "made": pairing.made,
        "decided": pairing.decided,
    }

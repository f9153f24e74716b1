"""Who plays whom in a tournament: what was paired, what came of it, and the next round by a library's engines."""

import logging
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from companion.board.accounts import ClubError, Registry
from companion.board.finished import FinishedMatch

LEAGUE, ROUND_ROBIN, SWISS = "league", "round-robin", "swiss"
KINDS = (LEAGUE, ROUND_ROBIN, SWISS)
DECISIONS = {"first": (1.0, 0.0), "second": (0.0, 1.0), "draw": (0.5, 0.5), "none": (0.0, 0.0)}

Pair = tuple[int, int | None]  # accounts, and who sits down first; None: nobody, a point without a match


@dataclass(frozen=True, slots=True)
class Pairing:
    """As it was made. `decided`: by the host; empty: by the match."""

    round: int
    number: int
    first: int
    second: int | None  # nobody: the first rests
    table: str
    made: float
    decided: str = ""


@dataclass(frozen=True, slots=True)
class Pairings:
    """Whose matches may count for pairings: of this game, at these tables. `rest`: the points of who has nobody to
    play against; where everybody rests as often, that is none."""

    game: str
    tables: Collection[str]
    made: tuple[Pairing, ...]
    rest: float = 1.0


@dataclass(frozen=True, slots=True)
class PlayedPairing:
    """`points` of the first and the second; None: it is still to be played. `match`: the one that counts, if any."""

    pairing: Pairing
    points: tuple[float, float] | None
    match: str = ""


def played(pairings: Pairings, matches: Iterable[FinishedMatch], registry: Registry) -> list[PlayedPairing]:
    """Each pairing with its result: the first match of these two that the board has heard of since it was made."""
    at_tables = [match for match in matches if match.game == pairings.game and match.table in pairings.tables]
    free = sorted(at_tables, key=lambda match: (match.heard, match.began, match.code))
    return [
        PlayedPairing(pairing, (pairings.rest, 0.0)) if pairing.second is None else _played(pairing, free, registry)
        for pairing in sorted(pairings.made, key=_place)
    ]


def _place(pairing: Pairing) -> tuple[int, int]:
    return pairing.round, pairing.number


def _played(pairing: Pairing, free: list[FinishedMatch], registry: Registry) -> PlayedPairing:
    """A match that counts is free no more, even where the host has decided otherwise."""
    found, points = None, None
    for match in free:
        accounts = [player.account for player in registry.players(match)]
        if match.heard >= pairing.made and sorted(accounts) == sorted((pairing.first, pairing.second or 0)):
            places = dict(zip(accounts, match.places(), strict=True))
            found, points = match, _points(places[pairing.first], places[pairing.second or 0])
            free.remove(match)
            break
    if pairing.decided:
        points = DECISIONS[pairing.decided]
    return PlayedPairing(pairing, points, found.code if found else "")


def _points(one: int, other: int) -> tuple[float, float]:
    if one == other:
        return 0.5, 0.5
    return (1.0, 0.0) if one < other else (0.0, 1.0)


# --- the next round


def all_rounds(accounts: Sequence[int], cycles: int) -> Iterator[list[Pair]]:
    """Everybody against everybody, so many times."""
    rounds = (len(accounts) - 1 + len(accounts) % 2) * cycles
    players = [_as_engine(account, number) for number, account in enumerate(accounts, 1)]
    for number in range(1, rounds + 1):
        yield _paired("round_robin", players, set(), number, rounds, cycles=cycles)


def next_round(accounts: Sequence[int], before: Sequence[PlayedPairing], rounds: int) -> list[Pair]:
    """By the Swiss system, for those who are still there."""
    met = {(one.pairing.first, one.pairing.second) for one in before if one.pairing.second is not None}
    number = 1 + max((one.pairing.round for one in before), default=0)
    histories = {account: _History() for account in accounts}
    for at in range(1, number):
        _add_round(histories, [one for one in before if one.pairing.round == at])
    players = [_as_engine(account, at, histories[account]) for at, account in enumerate(accounts, 1)]
    found = _paired("dutch", players, {*met, *((other, one) for one, other in met)}, number, rounds)
    met_before = {frozenset(pair) for pair in met}
    byes = sum(second is None for _, second in found)
    if byes != len(accounts) % 2 or any(frozenset(pair) in met_before for pair in found):
        raise ClubError("Nobody is left for a further round: they have all met, or would have to meet again.")
    return found


class _History:
    """What an engine asks of somebody's rounds so far."""

    def __init__(self) -> None:
        self.score = 0.0
        self.sides: list[str] = []
        self.floats: list[str] = []
        self.byes = 0

    def add(self, points: float, side: str, moved: str) -> None:
        self.score += points
        self.sides.append(side)
        self.floats.append(moved)


def _add_round(histories: dict[int, _History], of_round: list[PlayedPairing]) -> None:
    """By the scores before it; a second player of 0 is nobody's account, so one who is not there is left out."""
    before = {account: history.score for account, history in histories.items()}
    sat = set()
    for one in of_round:
        first, second = one.pairing.first, one.pairing.second
        points = one.points or (0.0, 0.0)
        for account, other, gets, side in ((first, second, points[0], "white"), (second, first, points[1], "black")):
            if account in histories and account is not None:
                history = histories[account]
                sat.add(account)
                if other is None:
                    history.byes += 1
                    history.add(gets, "none", "down")
                else:
                    history.add(gets, side, _float(before[account], before.get(other, before[account])))
    for account in histories.keys() - sat:
        histories[account].add(0.0, "none", "none")


def _float(own: float, other: float) -> str:
    return "none" if own == other else "down" if own > other else "up"


def _as_engine(account: int, number: int, history: _History | None = None) -> dict[str, Any]:
    so_far = history or _History()
    return {
        "id": account,
        "name": "",
        "rating": 0,
        "starting_number": number,
        "score": so_far.score,
        "color_hist": so_far.sides,
        "float_history": so_far.floats,
        "bye_count": so_far.byes,
    }


def _paired(
    system: str, players: list[dict[str, Any]], met: set[Any], number: int, rounds: int, **more: Any
) -> list[Pair]:
    from caissify_pairings import generate_pairings  # noqa: PLC0415  (networkx, for whoever makes a round)

    logging.getLogger("caissify_pairings").setLevel(logging.ERROR)
    found = generate_pairings(system, players, met, number, rounds, **more)
    return [(one["white_id"], one["black_id"]) for one in found]

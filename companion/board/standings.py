"""The table of a tournament or a league, with what settles equal points. Made from results, each time anew."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.board.accounts import Registry
from companion.board.finished import FinishedMatch
from companion.board.rounds import PlayedPairing


@dataclass(frozen=True, slots=True)
class StandingLine:
    """`ties`: what settles equal points, the first first. Who is equal in all of it shares a place."""

    account: int
    place: int
    points: float
    played: int
    ties: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class _Meeting:
    """What somebody got against an opponent; None: nobody was there."""

    other: int | None
    points: float


def tournament_table(accounts: Sequence[int], pairings: Iterable[PlayedPairing]) -> list[StandingLine]:
    """By points; then what those who are equal got against each other, the opponents' points (Buchholz), those of the
    beaten ones (Sonneborn and Berger), and wins. A round without an opponent settles nothing."""
    met: dict[int, list[_Meeting]] = {account: [] for account in accounts}
    for one in pairings:
        if one.points is not None:
            first, second = one.pairing.first, one.pairing.second
            met.get(first, []).append(_Meeting(second, one.points[0]))
            if second is not None:
                met.get(second, []).append(_Meeting(first, one.points[1]))
    points = {account: sum(meeting.points for meeting in meetings) for account, meetings in met.items()}

    def ties(account: int) -> tuple[float, ...]:
        equal = {other for other in accounts if points[other] == points[account]}
        worth = [(points.get(one.other, 0.0), one) for one in met[account] if one.other is not None]
        return (
            _against(account, equal, met),
            sum(worth_of for worth_of, _ in worth),
            sum(worth_of * one.points for worth_of, one in worth),
            float(sum(one.points == 1 and one.other is not None for one in met[account])),
        )

    return _placed(
        [StandingLine(one, 0, points[one], sum(m.other is not None for m in met[one]), ties(one)) for one in accounts],
        lambda line: (line.points, *line.ties),
    )


def _against(account: int, equal: set[int], met: Mapping[int, Sequence[_Meeting]]) -> float:
    """Points among those who are equal; it settles something only where all of them have met."""
    have_met = all({meeting.other for meeting in met[one]} >= equal - {one} for one in equal)
    return sum(meeting.points for meeting in met[account] if meeting.other in equal) if have_met else 0.0


def league_table(accounts: Sequence[int], matches: Iterable[FinishedMatch], registry: Registry) -> list[StandingLine]:
    """A point for each opponent left behind in a match, half of one for an equal; then wins, and fewer matches."""
    found = {account: StandingLine(account, 0, 0.0, 0, (0.0,)) for account in accounts}
    for match in matches:
        places = match.places()
        for seat, player, place in zip(match.seats, registry.players(match), places, strict=True):
            line = found[player.account]
            points = sum(other > place for other in places) + 0.5 * (sum(other == place for other in places) - 1)
            found[player.account] = replace(
                line, points=line.points + points, played=line.played + 1, ties=(line.ties[0] + seat.won,)
            )
    return _placed([*found.values()], lambda line: (line.points, *line.ties, float(-line.played)))


def league_matches(
    accounts: Collection[int], matches: Iterable[FinishedMatch], registry: Registry
) -> list[FinishedMatch]:
    """Those in which members of the league played among themselves."""
    return [
        match
        for match in matches
        if match.is_contest
        and (players := registry.players(match))
        and all(player.account in accounts for player in players)
    ]


def _placed(lines: list[StandingLine], key: Callable[[StandingLine], tuple[float, ...]]) -> list[StandingLine]:
    """In their order; among equals that in which they were named."""
    keys = [key(line) for line in lines]
    placed = [
        replace(line, place=1 + sum(other > own for other in keys)) for line, own in zip(lines, keys, strict=True)
    ]
    return sorted(placed, key=lambda line: line.place)

"""What is counted of players, match by match, from the matches as they were ruled on; and nothing else is known.

Only matches that were played to their end count. A win is one over others: who plays alone has a time, not a win.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.game_house import house_of
from companion.core.match import Match
from companion.core.rules import Ahead, Event
from companion.games import NAMES, part
from companion.games import game as game_named


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody did in a game: in one match, or in many together. None: that has not happened, or nobody knows."""

    game: str
    player: str
    matches: int = 0
    wins: int = 0
    best_score: int | None = None
    refused: int = 0  # moves that the referee refused
    illegal: int = 0  # cards laid illegally that stayed on the table: Triple³ by the house rule `keep`
    calls: int = 0  # of others: Three!, Tres
    right: int = 0  # of those calls
    strikes: int = 0  # first on the token
    closest: int | None = None  # nanoseconds of the narrowest lead of such a strike
    rounds: int = 0  # won
    longest_round: int | None = None  # nanoseconds of play, of a round that was won


Moment = tuple[str, int]  # what something is called that decides a match, and how much it counts
_SUMS = ("matches", "wins", "refused", "illegal", "calls", "right", "strikes", "rounds")
_LEAST = ("closest",)
_MOST = ("longest_round",)
Found = dict[str, Tally]  # by player
Count = Callable[[Found, Any], None]  # what an event adds


@dataclass(frozen=True, slots=True)
class GameTallies:
    """TALLIES of a game: what is counted of its matches, and what decides them."""

    counts: Mapping[type[Event], Count] = field(default_factory=dict)
    moments: Mapping[str, Moment] = field(default_factory=dict)  # by the words of events
    fouls: Mapping[str, Moment] = field(default_factory=dict)  # by their codes: those from which something is learnt


def tallies_of(game: str) -> GameTallies:
    return part(game, "tallies", GameTallies)


def tallied(match: Match) -> tuple[Tally, ...]:
    """What each player did in a match that is over."""
    outcome = match.outcome
    if outcome is None:
        return ()
    found, of_game = {}, tallies_of(match.setup.game)
    is_scored = not house_of(match.setup.game).is_alone(match.setup.house)
    counts: Mapping[type[Event], Count] = {Ahead: _ahead, **of_game.counts}
    for player, score in zip(match.setup.names, outcome.scores, strict=True):
        wins = int(player in outcome.winners and len(match.setup.names) > 1)
        found[player] = Tally(match.setup.game, player, 1, wins, score if is_scored else None)
    for done in match.line:
        for event in done.ruling.events:
            count = counts.get(type(event))
            if count:
                count(found, event)
    for fact in match.game.facts(match.state):
        add_to(found, fact.player, **_fact(fact.kind, fact.value))
    return tuple(found.values())


def _fact(kind: str, value: int) -> dict[str, int]:
    return {"longest_round": value, "rounds": 1} if kind == "round" else {}


def add_to(found: Found, player: str, **more: int) -> None:
    """Add to somebody's tally, if it is somebody who played."""
    if player in found:
        before = found[player]
        found[player] = _together(before, Tally(before.game, player, **more))


def adds(**more: int) -> Count:
    """Of an event that counts for its player."""
    return lambda found, event: add_to(found, event.player, **more)


def _together(one: Tally, other: Tally) -> Tally:
    sums: dict[str, Any] = {name: getattr(one, name) + getattr(other, name) for name in _SUMS}
    least: dict[str, Any] = {name: _best(min, getattr(one, name), getattr(other, name)) for name in _LEAST}
    most: dict[str, Any] = {name: _best(max, getattr(one, name), getattr(other, name)) for name in _MOST}
    score = _best(min if _is_fewest_best(one.game) else max, one.best_score, other.best_score)
    return replace(one, best_score=score, **sums, **least, **most)


def _is_fewest_best(game: str) -> bool:
    return game in NAMES and game_named(game).is_fewest_best


def _best(choose: Callable[..., int], one: int | None, other: int | None) -> int | None:
    known = [value for value in (one, other) if value is not None]
    return choose(known) if known else None


def together(tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """One tally for each player and game, in the order in which they were first met."""
    found: dict[tuple[str, str], Tally] = {}
    for tally in tallies:
        key = tally.game, tally.player
        found[key] = _together(found[key], tally) if key in found else tally
    return tuple(found.values())


def in_all(tallies: Iterable[Tally]) -> tuple[Tally, ...]:
    """One tally for each player over all games, most wins first; scores of different games are not one score."""
    added = together(replace(tally, game="", best_score=None) for tally in tallies)
    return tuple(sorted(added, key=lambda tally: (-tally.wins, -tally.matches, tally.player)))


def with_refusals(tallies: Iterable[Tally], refusals: Iterable[tuple[str, str, int]]) -> tuple[Tally, ...]:
    """The same with the moves that were refused; they are not among the entries of a match."""
    refused = {(game, player): count for game, player, count in refusals}
    return tuple(replace(tally, refused=refused.get((tally.game, tally.player), 0)) for tally in tallies)


def _ahead(found: Found, event: Ahead) -> None:
    add_to(found, event.player, closest=event.gap)

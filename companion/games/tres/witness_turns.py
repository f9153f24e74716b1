"""Whose play it was that was seen, and what must have been before it: ways to explain it, with odds.

A turn that is not seen to end has ended if somebody else plays: then a card was drawn, and kept. Arms tell who plays,
and who turns up the next card tells whose turn it was.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any, NamedTuple

from companion.core.correction import Done
from companion.core.rules import Foul, Move
from companion.games.tres.rules import GAME, Draw, Keep, Play, State
from companion.games.tres.rules.turns import next_player


@dataclass(frozen=True, slots=True)
class TurnOdds:
    """How likely what befalls a turn is; assumed, none was counted with people."""

    unseen: float = 0.01  # a draw at which no hand was seen
    taken: float = 0.5  # a draw, where a card was taken from the pile and nobody knows by whom
    touched: float = 0.04  # the same, where the pile looks as it did
    played: float = 0.4  # the card that was drawn is played
    two: float = 0.01  # two cards are played after a draw
    arm: float = 0.02  # an arm is taken for another player's


SURE = 3.0  # odds, as a logarithm, by which one way must be ahead of all others ...
AT_ONCE = 3.4  # ... and as long as it is not known who fills the table afterwards
ODDS = TurnOdds()


class Way(NamedTuple):
    """What was done up to a play; `odds` is a logarithm."""

    moves: tuple[Move, ...]
    player: str
    odds: float
    is_legal: bool = True


class PlaySeen(NamedTuple):
    """What is known of it: whose arms played, where that is known, and who filled the table afterwards."""

    table_card: str
    cards: tuple[str, ...]
    who: str = ""
    filler: str = ""
    own: float = 0.0  # how likely hands that were at the pile in this turn were those of whoever has it, and drew ...
    any_one: float = 0.0  # ... and anybody's


def ways(state: State, seen: PlaySeen) -> list[Way]:
    """In which ways it can have come about, the likeliest first."""
    told = [way._replace(odds=way.odds + _evidence(state, way, seen)) for way in _in_turn(state, seen)]
    return sorted(told, key=lambda way: -way.odds)


def ahead(found: list[Way]) -> float:
    """By how much the likeliest is ahead of all that tell of another player or another draw."""
    return found[0].odds - found[1].odds if len(found) > 1 else AT_ONCE


def _in_turn(state: State, seen: PlaySeen) -> Iterator[Way]:
    turn, follower = state.turn, next_player(state)
    keeps = Keep(turn)
    if state.phase == "turn":
        yield Way((), turn, 0.0)
        if seen.own and len(seen.cards) == 1:
            yield Way((Draw(turn),), turn, log(seen.own))
        if follower != turn:
            yield Way((Draw(turn), keeps), follower, log(max(seen.any_one, ODDS.unseen)))
    elif state.phase == "drawn":
        is_one = len(seen.cards) == 1
        yield Way((), turn, log(ODDS.played if is_one else ODDS.two), is_one)
        yield Way((keeps,), follower, log(1 - ODDS.played))


def _evidence(state: State, way: Way, seen: PlaySeen) -> float:
    sure = -log(ODDS.arm)
    found = sure if seen.who == way.player else 0.0
    if seen.filler and way.is_legal:
        found += sure if _turn_after(state, way, seen) == seen.filler else 0.0
    return found


def _turn_after(state: State, way: Way, seen: PlaySeen) -> str:
    """Whose turn it is behind the play; nobody's if it cannot be made."""
    try:
        for move in way.moves:
            state = _after(state, move)
        state = _after(state, Play(way.player, seen.table_card, seen.cards))
    except Foul:
        return way.player
    return _upcoming(state)


def told_otherwise(line: Sequence[Done], filler: str) -> tuple[int, tuple[Move, ...]]:
    """Whoever fills the table behind a play has the turn: how many of the newest moves are taken back, and what was
    done instead, if the play was another one's than was told; none if that does not explain it either."""
    words = [done.move.word for done in line[-3:]]
    played: Any = line[-1].move if line else None
    if words == ["draw", "keep", "play"] and len(played.cards) == 1:
        back, drawer = 2, line[-2].move.player
        moves: tuple[Move, ...] = (replace(played, player=drawer),)
    elif words[-2:] == ["draw", "play"]:
        back, before = 1, line[-2].ruling.state
        moves = (Keep(played.player), replace(played, player=next_player(before)))
    else:
        return 0, ()
    state = line[-back - 1].ruling.state
    try:
        for move in moves:
            state = _after(state, move)
    except Foul:
        return 0, ()
    return (back, moves) if _upcoming(state) == filler else (0, ())


def _upcoming(state: State) -> str:
    return state.upcoming if state.phase == "pay" else state.turn


def _after(state: State, move: Move) -> State:
    found: State = GAME.rule(state, replace(move, at=0)).state
    return found

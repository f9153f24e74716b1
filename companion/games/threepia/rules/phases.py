"""What each phase allows next, and why it refuses the rest."""

from functools import lru_cache

from companion.core.clocks import shown as time_shown
from companion.core.rules import Event, Foul, May, Move, Ruling
from companion.core.sentence import Sentence
from companion.games.threepia.rules.state import State


def out_of_phase(state: State, move: Move) -> Foul:
    match state.phase:
        case "deal":
            return move.foul("not-dealt", "{player} cannot {move} yet: lay out the field and deal first.")
        case "ready":
            return move.foul("not-begun", "{who} cannot {move} now: choose who begins.", who=who(move.player))
        case "counting":
            return move.foul(
                "points-owed",
                "{who} cannot {move} now: play is finished, and points are still to be entered for {owed}.",
                who=who(move.player),
                owed=state.owed,
            )
        case "over":
            return move.foul("match-over", "{who} cannot {move}: the match is over.", who=who(move.player))
        case _:
            return move.foul("not-now", "{who} cannot {move} now: the match has begun.", who=who(move.player))


def who(player: str) -> str:
    return player or Sentence("The table")


def in_time(state: State, move: Move) -> None:
    up = state.runs_out_at
    if up is not None and move.at > up:
        raise move.foul(
            "time-was-up",
            "{player}'s {move} comes {late} after {turn}'s time was up.",
            late=time_shown(move.at - up),
            turn=state.turn,
        )


def own_turn(state: State, move: Move) -> None:
    if move.player != state.turn:
        raise move.foul("not-your-turn", "{player} cannot {move} now: it is {turn}'s turn.", turn=state.turn)


def ruling(state: State, events: list[Event]) -> Ruling:
    return Ruling(state, tuple(events), _may(state))


def _may(state: State) -> tuple[May, ...]:
    match state.phase:
        case "deal":
            return (May("deal", state.players),)
        case "ready":
            return (May("begin", state.players),)
        case "turn":
            return _may_in_turn(state.players, state.turn, state.owed[:1], state.house.way, state.deck > 0)
        case "counting":
            return (May("points", state.owed[:1]),)
        case _:
            return ()


@lru_cache(maxsize=1024)
def _may_in_turn(players: tuple[str, ...], turn: str, owes: tuple[str, ...], way: str, deck: bool) -> tuple[May, ...]:
    may = [May("lay", (turn,)), May("draw", (turn,))]
    if owes:
        may.append(May("points", owes))
    if deck:
        may.append(May("deck-empty", players))
    may.append(May("deck-count", players))
    if way == "relaxed":
        may.append(May("finish", (turn,)))
    return tuple(may)

"""Strikes on the token: who was first, ties, and when the token is free again."""

from dataclasses import replace

from companion.core.clocks import SECOND, short
from companion.core.photo_finish import Finish, How
from companion.core.rules import Event, Foul, Move, Ruling, ahead
from companion.core.sentence import N_, Sentence
from companion.games.three.rules.events import Rearming, Released, Struck, StruckTogether, WhoseHand
from companion.games.three.rules.moves import Choose, Hand, Release, Strike
from companion.games.three.rules.phases import phase_between_calls, ruling
from companion.games.three.rules.state import State


def strike(state: State, move: Strike) -> Ruling:
    for player in (move.player, *move.tied):
        _may_strike(state, player, move.at)
    state = replace(state, caller="", struck_at=move.at)
    if move.tied:
        return _tie(state, move)
    if not move.player:
        return ruling(replace(state, phase="whose"), WhoseHand(move.at))
    return _struck(state, move.player, *ahead(move.player, move.finish))


def _may_strike(state: State, player: str, at: int) -> None:
    """The token is free, and the player is not kept out."""
    if at < state.free_at:
        text = N_("{player} struck {early} too early: the token was not free yet.")
        if not player:
            text = N_("The token was struck {early} too early: it was not free yet.")
        raise Foul("early", player, text, early=short(state.free_at - at))
    if player in state.players and at < state.may_strike_at(player):
        raise Foul(
            "kept-out",
            player,
            "{player} called wrongly and may not strike for another {left}.",
            left=short(state.may_strike_at(player) - at),
        )


def rearmed(state: State, at: int) -> tuple[State, tuple[Event, ...]]:
    """A call is over: the token is free again in a while."""
    if not state.house.rearm:
        return state, ()
    free_at = at + state.house.rearm * SECOND
    return replace(state, free_at=free_at), (Rearming(free_at),)


def _struck(state: State, caller: str, *events: Event) -> Ruling:
    return ruling(replace(state, phase="struck", caller=caller, tied=()), *events, Struck(caller, state.struck_at))


def _tie(state: State, move: Strike) -> Ruling:
    tied = tuple(player for player in state.players if player in move.tied)
    if len(tied) < 2 or len(tied) < len(move.tied):
        raise move.foul("impossible-tie", "A tie needs two or more players of this match, not {tied}.", tied=move.tied)
    margin = move.finish.margin if move.finish else None
    order = move.finish.order if move.finish else ()
    untimed = tuple(arrival.seat for arrival in order if arrival.how is How.UNTIMED)
    if state.house.tie == "seats":
        first = next(player for player in _from_turn(state) if player in tied)
        return _struck(
            state,
            first,
            StruckTogether(tied, Sentence("{first} is next in the order of the seats", first=first), margin, untimed),
        )
    if state.house.tie == "choice" and len(tied) < len(state.players):
        state = replace(state, phase="tied", tied=tied)
        return ruling(
            state, StruckTogether(tied, N_("a player who did not strike chooses who has the call"), margin, untimed)
        )
    state, rearming = rearmed(state, move.at)
    return ruling(state, StruckTogether(tied, N_("nobody has the call, strike again"), margin, untimed), *rearming)


def _from_turn(state: State) -> tuple[str, ...]:
    """The players in the order of the seats, from the one whose turn it is."""
    seat = state.players.index(state.turn)
    return (*state.players[seat:], *state.players[:seat])


def hand(state: State, move: Hand) -> Ruling:
    _may_strike(state, move.player, state.struck_at)
    return _struck(state, move.player)


def choose(state: State, move: Choose) -> Ruling:
    if move.player in state.tied:
        raise move.foul("tied-oneself", "{player} struck too and cannot choose between {tied}.", tied=state.tied)
    if move.caller not in state.tied:
        raise move.foul(
            "not-tied", "{caller} is not among those who struck together: {tied}.", caller=move.caller, tied=state.tied
        )
    return _struck(state, move.caller)


def release(state: State, move: Release) -> Ruling:
    if state.caller and move.player != state.caller:
        raise move.foul("not-the-caller", "{player} cannot release the token: {caller} struck it.", caller=state.caller)
    waited = move.at - state.struck_at
    state, rearming = rearmed(state, move.at)
    state = replace(state, phase=phase_between_calls(state), caller="", tied=())
    return ruling(state, Released(move.player, waited), *rearming)


def together(first: Move, claim: Move, finish: Finish) -> Move | None:
    both = isinstance(first, Strike) and isinstance(claim, Strike)
    return Strike("", finish.tied, finish) if both else None

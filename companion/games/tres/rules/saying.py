"""Tres said, or not said and caught."""

from collections.abc import Iterator
from dataclasses import replace

from companion.core.photo_finish import Finish
from companion.core.rules import Foul, Move, Ruling, ahead, changed
from companion.games.tres.rules.events import Caught, MustDraw, SaidTogether, SaidTres
from companion.games.tres.rules.house import THREE
from companion.games.tres.rules.moves import Catch, Tres
from companion.games.tres.rules.phases import ruling
from companion.games.tres.rules.state import Due, State
from companion.games.tres.rules.turns import settled


def tres(state: State, move: Tres) -> Ruling:
    if not state.may_say(move.player):
        raise _cannot_say(state, move)
    seat = state.players.index(move.player)
    state = replace(state, tres=changed(state.tres, seat, "said"))
    if not state.house.only_with_three:
        state = replace(state, announced=(*state.announced, move.player))
    return ruling(state, *_together_with(move), SaidTres(move.player, move.at))


def _cannot_say(state: State, move: Tres) -> Foul:
    if move.player in state.announced and len(state.hand(move.player)) != THREE:
        return move.foul("already-said", "{player} has said tres in this turn already.")
    seat = _seat_with_three(state, move.player, move.player)
    if state.tres[seat] == "said":
        return move.foul("already-said", "{player} has said tres for these three cards already.")
    return move.foul("already-caught", "{player} says tres too late and was caught without it.")


def _together_with(move: Tres) -> Iterator[SaidTogether]:
    if move.finish and (catchers := tuple(seat for seat in move.finish.tied if seat != move.player)):
        yield SaidTogether(move.player, catchers, move.finish.margin)


def together(first: Move, claim: Move, finish: Finish) -> Move | None:
    """Who says tres at the moment of the catch says it in time."""
    late = isinstance(first, Catch) and isinstance(claim, Tres) and first.whom == claim.player
    return Tres(claim.player, finish) if late else None


def catch(state: State, move: Catch) -> Ruling:
    if move.whom not in state.players:
        raise move.foul("unknown-player", "{player} wants to catch {whom}, who is not in this match.", whom=move.whom)
    if move.whom == move.player:
        raise move.foul("caught-oneself", "{player} cannot catch {player}: only another player can.")
    seat = _seat_with_three(state, move.player, move.whom)
    if state.tres[seat] == "said":
        raise move.foul("already-said", "{player} cannot catch {whom}, who said tres in time.", whom=move.whom)
    if state.tres[seat] == "caught":
        raise move.foul("already-caught", "{player} cannot catch {whom}, who has been caught already.", whom=move.whom)
    if state.tres[seat] == "late":
        raise move.foul(
            "too-late",
            "{player} is too late to catch {whom}: a card of the next turn was laid or drawn before.",
            whom=move.whom,
        )
    due = Due(move.whom, THREE, ("caught",))
    caught = Caught(move.player, move.whom, move.at)
    then, upcoming = (state.then, state.upcoming) if state.phase == "pay" else (state.phase, state.turn)
    return settled(
        state,
        [*ahead(move.player, move.finish), caught, MustDraw(due.player, due.count, due.why)],
        upcoming,
        then,
        tres=changed(state.tres, seat, "caught"),
        dues=(*state.dues, due),
    )


def _seat_with_three(state: State, player: str, whom: str) -> int:
    seat = state.players.index(whom)
    if len(state.hands[seat]) != THREE:
        raise Foul(
            "not-three-cards",
            player,
            "{player} is wrong: {whom} has {count} cards, and tres is said with exactly three.",
            whom=whom,
            count=len(state.hands[seat]),
        )
    return seat

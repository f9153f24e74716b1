"""What each phase allows next, and why it refuses the rest."""

from companion.core.rules import Event, Foul, May, Move, Ruling
from companion.core.sentence import N_
from companion.games.three.rules.moves import Play, Strike
from companion.games.three.rules.state import State


def nobodys_strike(state: State) -> Foul:
    """Of a hand that nobody knows."""
    match state.phase:
        case "setup":
            return Foul("not-begun", "", "The token was struck too early: choose who begins first.")
        case "over":
            return Foul("match-over", "", "The token was struck too late: the match is over.")
        case "struck" | "check":
            text = N_("This strike is void: {owner} was first and that call is still being settled.")
            return Foul("strike-void", "", text, owner=state.caller or state.called)
        case _:
            return Foul("strike-void", "", "This strike is void: an earlier strike is still being settled.")


def out_of_phase(state: State, move: Move) -> Foul:
    match state.phase:
        case "setup":
            return move.foul("not-begun", "{player} cannot {move} yet: choose who begins first.")
        case "over":
            return move.foul("match-over", "{player} cannot {move}: the match is over.")
        case "struck" | "check" if isinstance(move, Strike):
            return move.foul(
                "strike-void",
                "{player}'s strike is void: {owner} was first and that call is still being settled.",
                owner=state.caller or state.called,
            )
        case "whose" | "tied" if isinstance(move, Strike):
            return move.foul("strike-void", "{player}'s strike is void: an earlier strike is still being settled.")
        case "whose":
            return move.foul("whose-hand", "{player} cannot {move} now: say first whose hand struck the token.")
        case "tied":
            return move.foul(
                "tie-open", "{player} cannot {move} now: choose first which of {tied} has the call.", tied=state.tied
            )
        case "struck":
            return move.foul(
                "call-open",
                "{player} cannot {move} now: {caller} has struck and names a player and a dog.",
                caller=state.caller,
            )
        case "check":
            return move.foul(
                "check-open",
                "{player} cannot {move} now: {called} is checking for {dog}.",
                called=state.called,
                dog=state.dog,
            )
        case "final" if isinstance(move, Play):
            return move.foul("no-cards", "{player} cannot play: all hands are empty.")
        case _:
            return move.foul(
                "not-now", "{player} cannot {move} now: nobody has struck or declared, and cards are still in hand."
            )


def own_turn(state: State, move: Move, text: str) -> None:
    if move.player != state.turn:
        raise move.foul("not-your-turn", text, turn=state.turn)


def phase_between_calls(state: State) -> str:
    return "turn" if any(state.hands) else "final"


def ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, _may(state))


def _may(state: State) -> tuple[May, ...]:
    turn = (state.turn,)
    declare = (May("declare", turn),) if state.declared < state.house.declarations_per_turn else ()
    match state.phase:
        case "setup":
            return (May("begin", state.players),)
        case "turn":
            return (May("play", turn), *declare, May("strike", state.players))
        case "final":
            return (May("pass", turn), *declare, May("strike", state.players))
        case "whose":
            return (May("hand", state.players), May("release", state.players))
        case "tied":
            choosers = tuple(player for player in state.players if player not in state.tied)
            return (May("choose", choosers), May("release", state.players))
        case "struck":
            return (May("call", (state.caller,)), May("release", (state.caller,)))
        case "check":
            return (May("check", (state.called,)),)
        case _:
            return ()

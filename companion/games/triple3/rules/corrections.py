"""What stays of a match when something before is put right."""

from dataclasses import replace

from companion.core.rules import Foul, Move, Ruling
from companion.core.sentence import N_
from companion.games.triple3.rules.events import RoundStands
from companion.games.triple3.rules.moves import Lay, Lies
from companion.games.triple3.rules.phases import may
from companion.games.triple3.rules.state import Round, State


def adjusted(_state: State, move: Move, foul: Foul) -> Move | None:
    """A card that was laid lies there, also where the rules would have called it."""
    if isinstance(move, Lay) and foul.code == "no-new-triple":
        return Lies(move.player, move.cell, move.card, at=move.at)
    return None


def carried(state: State, played: State) -> Ruling:
    """A round as it began when it was played, with the chips of now."""
    ended_before = state.outcome is not None or len(state.rounds) == len(played.rounds)
    missing = len(played.rounds) - len(state.rounds)
    rounds = (*state.rounds, *(Round((), N_("It was not played to its end."), 0),) * missing)
    after = replace(played, chips=state.chips, rounds=rounds)
    return Ruling(after, () if ended_before else (RoundStands(len(rounds) + 1),), may(after))

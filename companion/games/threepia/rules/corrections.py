"""What stays of a move when something before it is put right."""

from dataclasses import replace

from companion.core.rules import Foul, Move
from companion.games.threepia.rules.moves import Draw, Lay
from companion.games.threepia.rules.state import State


def adjusted(_state: State, move: Move, foul: Foul) -> Move | None:
    """A card that was laid lies there, and the referee counts its points by what lies around it now. Of cards that were
    drawn there may be more or fewer than were shown."""
    if isinstance(move, Lay | Draw) and foul.code == "hand-size":
        return replace(move, drawn=())
    if not isinstance(move, Lay) or foul.code not in ("does-not-fit", "not-in-hand", "points-differ"):
        return None
    return replace(move, points=None, lies=move.lies or foul.code != "points-differ")


def went_on(state: State, played: State) -> State | None:
    """The target was reached earlier than anybody knew, and play went on."""
    if state.house.way != "points" or played.phase != "turn":
        return None
    return replace(state, phase="turn", turn=played.turn, waiting=(), outcome=None)

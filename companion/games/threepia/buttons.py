"""What the buttons mean in Threepia: the turn button, at a seat or shared, says that a card was laid."""

from companion.core.button_meanings import ButtonKind, ButtonMeanings
from companion.core.sentence import N_
from companion.games.threepia.rules import Lay, State


def _laid(state: State, player: str) -> Lay | None:
    """The shared button is for whoever has the turn. Before a camera a card may be of somebody else, who says so."""
    if state.turn and player in ("", state.turn):
        return Lay(state.turn)
    return Lay(player) if state.turn and state.field else None


BUTTONS = ButtonMeanings(
    kinds=(ButtonKind("turn", N_("turn button"), _laid, at_seats=True, at_table=True, is_shared=True, sign="»"),),
)

"""What lies open on the table."""

from companion.core.rules import UNSEEN, FaceUp, Place
from companion.games.triple3.rules.grid import CELLS
from companion.games.triple3.rules.state import State


def face_up(state: State) -> tuple[FaceUp, ...]:
    """The top card of each cell, if the grid is seen."""
    tops = ((cell, len(pile), pile[-1].card) for cell, pile in zip(CELLS, state.piles, strict=False))
    return tuple(
        FaceUp(Place("cell", str(cell)), count, () if card == UNSEEN else (card,)) for cell, count, card in tops
    )

"""What lies open on the table: everything."""

from companion.core.rules import FaceUp, Place
from companion.games.triplexity.rules.house import PLACES
from companion.games.triplexity.rules.state import State


def face_up(state: State) -> tuple[FaceUp, ...]:
    """The pieces of each stack by their owners, from bottom to top, and how many are in hand."""
    stacks = zip(PLACES, state.stacks, strict=True)
    hands = zip(state.players, state.in_hand, strict=False)
    return (
        *(FaceUp(Place("stack", place), len(stack), tuple(piece.owner for piece in stack)) for place, stack in stacks),
        *(FaceUp(Place("hand", player), len(pieces)) for player, pieces in hands),
    )

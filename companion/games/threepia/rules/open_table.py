"""What lies open on the table."""

from companion.core.rules import FaceUp, Place
from companion.games.threepia.rules.state import State


def face_up(state: State) -> tuple[FaceUp, ...]:
    """The cards of the field that nothing covers; of everything else only how much there is."""
    hands = (FaceUp(Place("hand", player), hand) for player, hand in zip(state.players, state.hands, strict=True))
    return (FaceUp(Place("field"), state.laid, state.field), FaceUp(Place("deck"), state.deck), *hands)

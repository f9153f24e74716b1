"""What lies open on the table."""

from companion.core.rules import Lying, Place
from companion.games.threepia.rules.state import State


def face_up(state: State) -> tuple[Lying, ...]:
    """The cards of the field that nothing covers; of everything else only how much there is."""
    hands = (Lying(Place("hand", player), hand) for player, hand in zip(state.players, state.hands, strict=True))
    return (Lying(Place("field"), state.laid, state.field), Lying(Place("deck"), state.deck), *hands)

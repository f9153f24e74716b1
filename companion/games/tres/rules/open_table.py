"""What lies open on the table."""

from companion.core.rules import FaceUp, Place
from companion.games.tres.rules.state import State


def face_up(state: State) -> tuple[FaceUp, ...]:
    """The cards of the table and the newest discard; of everything else only how much there is."""
    hands = (FaceUp(Place("hand", player), len(hand)) for player, hand in zip(state.players, state.hands, strict=True))
    return (
        FaceUp(Place("table"), len(state.table), state.table),
        FaceUp(Place("discards"), len(state.discards), state.discards[-1:]),
        FaceUp(Place("deck"), state.pile),
        *hands,
    )

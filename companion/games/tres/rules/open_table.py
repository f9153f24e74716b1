"""What lies open on the table."""

from companion.core.rules import Lying, Place
from companion.games.tres.rules.state import State


def face_up(state: State) -> tuple[Lying, ...]:
    """The cards of the table and the newest discard; of everything else only how much there is."""
    hands = (Lying(Place("hand", player), len(hand)) for player, hand in zip(state.players, state.hands, strict=True))
    return (
        Lying(Place("table"), len(state.table), state.table),
        Lying(Place("discards"), len(state.discards), state.discards[-1:]),
        Lying(Place("deck"), state.pile),
        *hands,
    )

"""What lies open on the table."""

from companion.core.rules import UNSEEN, Lying, Place
from companion.games.three.rules.state import State


def face_up(state: State) -> tuple[Lying, ...]:
    """The top of each pile; of everything else only how much there is."""
    found = []
    for player, pile, hand, bank in zip(state.players, state.piles, state.hands, state.banks, strict=True):
        top = pile[-1:] if pile and pile[-1] != UNSEEN else ()
        found += [
            Lying(Place("pile", player), len(pile), top),
            Lying(Place("hand", player), hand),
            Lying(Place("bank", player), bank),
        ]
    return (*found, Lying(Place("deck"), state.deck))

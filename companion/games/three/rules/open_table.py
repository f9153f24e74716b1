"""What lies open on the table."""

from companion.core.rules import UNSEEN, FaceUp, Place
from companion.games.three.rules.state import State


def face_up(state: State) -> tuple[FaceUp, ...]:
    """The top of each pile; of everything else only how much there is."""
    found = []
    for player, pile, hand, bank in zip(state.players, state.piles, state.hands, state.banks, strict=True):
        top = pile[-1:] if pile and pile[-1] != UNSEEN else ()
        found += [
            FaceUp(Place("pile", player), len(pile), top),
            FaceUp(Place("hand", player), hand),
            FaceUp(Place("bank", player), bank),
        ]
    return (*found, FaceUp(Place("deck"), state.deck))

"""Three! before a camera."""

from companion.games.three.dispute import PlayedDogs
from companion.games.three.witness import Witness
from companion.watch.game_watch import GameWatch, Seating


def _witness(seating: Seating) -> Witness:
    return Witness(seats=seating.seats)


WATCH = GameWatch(_witness, PlayedDogs)

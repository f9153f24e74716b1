"""Threepia before a camera."""

from companion.games.threepia.dispute import LaidCards
from companion.games.threepia.witness import Witness
from companion.watch.game_watch import GameWatch, Seating


def _witness(seating: Seating) -> Witness:
    from companion.games.threepia.paper import PAPER  # noqa: PLC0415
    from vision.mat import LATTICE  # noqa: PLC0415

    return Witness(seats=seating.seats, printed=PAPER.cards, shape=LATTICE.shape)


WATCH = GameWatch(_witness, LaidCards)

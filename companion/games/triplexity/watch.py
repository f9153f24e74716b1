"""Triplexity before a camera."""

from companion.games.triplexity.dispute import MovedPieces
from companion.games.triplexity.witness import Witness
from companion.watch.game_watch import GameWatch, Seating


def _witness(seating: Seating) -> Witness:
    return Witness(seats=seating.seats)


WATCH = GameWatch(_witness, MovedPieces)

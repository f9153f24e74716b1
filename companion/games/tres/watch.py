"""Tres before a camera."""

from companion.games.tres.dispute import TresDisputes
from companion.games.tres.witness import TresWitness
from companion.watch.game_watch import GameWatch, Seating


def _witness(seating: Seating) -> TresWitness:
    return TresWitness(seats=seating.seats)


WATCH = GameWatch(_witness, TresDisputes)

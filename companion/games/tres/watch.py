"""Tres before a camera."""

from typing import TYPE_CHECKING

from companion.games.tres.dispute import PlainTresGallery, TresDisputes
from companion.games.tres.witness import TresWitness
from companion.watch.game_watch import GameWatch, Seating

if TYPE_CHECKING:
    from companion.watch.album import Album
    from vision.ring import Ring


def _witness(seating: Seating) -> TresWitness:
    return TresWitness(seats=seating.seats)


def _gallery(album: "Album", ring: "Ring") -> PlainTresGallery:
    return PlainTresGallery(album, ring)


WATCH = GameWatch(_witness, TresDisputes, _gallery)

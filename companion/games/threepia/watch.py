"""Threepia before a camera."""

from typing import TYPE_CHECKING

from companion.games.threepia.dispute import LaidCards
from companion.games.threepia.witness import Witness
from companion.watch.game_watch import GameWatch, Seating

if TYPE_CHECKING:
    from companion.watch.album import Album
    from companion.watch.dispute_gallery import Gallery
    from vision.ring import Ring


def _witness(seating: Seating) -> Witness:
    from companion.games.threepia.paper import PAPER  # noqa: PLC0415

    return Witness(seats=seating.seats, printed=PAPER.cards)


def _gallery(album: "Album", ring: "Ring") -> "Gallery":
    from companion.watch.dispute_gallery import Gallery, verdict_on_plan  # noqa: PLC0415

    return Gallery(album, ring, verdict_on_plan)


WATCH = GameWatch(_witness, LaidCards, _gallery)

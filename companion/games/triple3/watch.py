"""Triple³ before a camera."""

from typing import TYPE_CHECKING

from companion.games.triple3.dispute import Recollection
from companion.games.triple3.witness import Witness
from companion.watch.game_watch import GameWatch, Seating

if TYPE_CHECKING:
    from companion.watch.album import Album
    from companion.watch.dispute_gallery import Gallery
    from vision.ring import Ring


def _witness(seating: Seating) -> Witness:
    return Witness(deals=seating.deals, seats=seating.seats)


def _gallery(album: "Album", ring: "Ring") -> "Gallery":
    from companion.games.triple3 import dispute_pictures  # noqa: PLC0415
    from companion.watch.dispute_gallery import Gallery  # noqa: PLC0415

    return Gallery(album, ring, lambda play, seen, _table: dispute_pictures.verdict_of(play, seen.after))


WATCH = GameWatch(_witness, Recollection, _gallery)

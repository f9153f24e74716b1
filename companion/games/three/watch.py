"""Three! before a camera."""

from typing import TYPE_CHECKING

from companion.games.three.dispute import PlayedDogs
from companion.games.three.witness import Witness
from companion.watch.game_watch import GameWatch, Seating

if TYPE_CHECKING:
    from companion.games.three.dispute import PlainGallery
    from companion.watch.album import Album
    from vision.ring import Ring


def _witness(seating: Seating) -> Witness:
    return Witness(seats=seating.seats)


def _gallery(album: "Album", ring: "Ring") -> "PlainGallery":
    from companion.games.three.dispute import PlainGallery  # noqa: PLC0415

    return PlainGallery(album, ring)


WATCH = GameWatch(_witness, PlayedDogs, _gallery)

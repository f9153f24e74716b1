"""Where the nine cells are in a picture: by the mat's markers, by four corners given by hand, or by the cards alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core.sentence import Sentence, in_turn
from vision.eye_errors import NoTableError, PictureError
from vision.frames import Picture, Points
from vision.mat import Mat

if TYPE_CHECKING:
    from vision.markers import Finder

SMALLEST = 96  # pixels of a picture's shorter side


@dataclass(frozen=True, slots=True, eq=False)
class TableView:
    """The cells as they lie in a picture, nine of them but on a lattice.

    `cells` is cells × 4 × 2: for each cell the corners of the square that the reader is shown, clockwise from its top
    left, in pixels. With a mat it is `Mat.sight` wide around the place's middle; without one it is around the card,
    whose longer side is then about 0.82 of it, and the first corner is a guess among four.
    """

    cells: Points
    how: str  # markers, corners, cards
    mat: Mat | None = None
    note: str = ""  # one sentence for the player if something is less than good: "I see 3 of 4 markers; …"
    shape: tuple[int, int] = (3, 3)  # cells across and down
    per_card: int = 1  # cells that a card covers, across and down
    piles: Points | None = None  # the corners of places beside the cells, where nothing is read


def find_table(
    picture: Picture,
    *,
    corners: Sequence[Sequence[float]] | Points | None = None,
    mat: bool = True,
    finder: "Finder | None" = None,
) -> TableView:
    """The table in a picture: between given corners, or by a mat's markers, or else by the nine cards alone.

    A finder remembers where the mat was; hand in the same one for every picture of a camera. NoTableError says what
    was seen and what to do, PictureError that this is no picture.
    """
    # Each way of finding hands back a Table, so they can be imported only when this file is whole.
    from vision.corners import by_corners  # noqa: PLC0415
    from vision.grid import by_cards  # noqa: PLC0415
    from vision.markers import Finder, NoMatError  # noqa: PLC0415

    _must_be_picture(picture)
    if corners is not None:
        return by_corners(picture, corners)
    if not mat:
        return by_cards(picture)
    try:
        return (finder or Finder()).find(picture)
    except NoMatError as error:
        return _without_mat(picture, error.seen)


def _without_mat(picture: Picture, seen: str) -> TableView:
    """The table by its cards; what was seen of a mat is told with it."""
    from vision.grid import NoCardsError, by_cards  # noqa: PLC0415

    try:
        table = by_cards(picture)
    except NoCardsError:
        raise NoTableError(
            Sentence(
                "{seen}, and no nine cards in three rows; lay the mat with its corners in the picture, or nine "
                "cards apart on a table of another colour, or tell where the corners are.",
                seen=seen,
            )
        ) from None
    note = Sentence("{seen}; I go by the cards.", seen=seen)
    return replace(table, note=in_turn(note, table.note) if table.note else note)


def _must_be_picture(picture: Any) -> None:
    """Rows and columns of blue, green and red bytes, and enough of them."""
    if not isinstance(picture, np.ndarray) or picture.dtype != np.uint8 or picture.ndim != 3 or picture.shape[2] != 3:
        raise PictureError("This is not a picture of blue, green and red bytes; load it as one.")
    if min(picture.shape[:2]) < SMALLEST:
        height, width = picture.shape[:2]
        raise PictureError(
            f"The picture is only {width} × {height} pixels; cards can be read from about 640 × 480, larger is better."
        )

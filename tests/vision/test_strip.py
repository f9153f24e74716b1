"""A moment as a strip: every picture with its time, around the cell, the picture of the ruling framed."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.eye_errors import PictureError
from vision.frames import Picture, Points
from vision.locate import TableView
from vision.ring import SECOND, Moment
from vision.signs import INK_OF
from vision.strip import seconds, strip

AT = 900 * SECOND
MARK = (0, 0, 255)
SIZES = [(1280, 230), (800, 480), (720, 1280), (1920, 1080), (800, 160)]


def table() -> TableView:
    """Cells of 60 pixels in a picture of 640 × 360."""
    square = np.array(((0, 0), (60, 0), (60, 60), (0, 60)), np.float32)
    cells = [square + (220 + 66 * column, 80 + 66 * row) for row in range(3) for column in range(3)]
    return TableView(np.array(cells, np.float32), "corners")


def moments(count: int = 7, by: int = 1) -> tuple[Moment, ...]:
    """Grey, with cell 5 red."""
    picture: Picture = np.full((360, 640, 3), 128, np.uint8)
    picture[146:206, 286:346] = MARK
    small = np.asarray(cv2.resize(picture, (640 // by, 360 // by), interpolation=cv2.INTER_AREA), np.uint8)
    return tuple(Moment(AT + (number - 4) * SECOND // 4, number, small, by) for number in range(count))


def blobs(picture: Picture, ink: tuple[int, int, int]) -> list[tuple[int, int, int, int]]:
    """Left, top, width, height of what has a colour, from left to right and row by row."""
    mask = (np.abs(picture.astype(int) - ink) < 40).all(2).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
    rows = [[int(value) for value in stats[at]] for at in range(1, count) if stats[at][4] > 60]
    found = [(left, top, width, height) for left, top, width, height, _ in rows]
    return sorted(found, key=lambda one: (one[1] // 20, one[0]))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("by", [1, 2])
def test_the_cell_is_in_the_middle_of_every_picture(size: tuple[int, int], by: int) -> None:
    drawn = strip(moments(by=by), table(), AT, cells=(5,), size=size, ink=INK_OF["legal"])
    assert drawn.shape == (size[1], size[0], 3)
    cells = blobs(drawn, MARK)
    assert len(cells) == 7
    assert max(one[2] for one in cells) - min(one[2] for one in cells) <= 2
    frame, *_ = (one for one in blobs(drawn, INK_OF["legal"][::-1]) if one[2] > cells[4][2])
    assert abs(frame[0] + frame[2] / 2 - cells[4][0] - cells[4][2] / 2) <= 3  # the fifth is the one of the ruling


@pytest.mark.parametrize("cell", [1, 3, 9, None])
def test_what_is_shown_has_its_proportions(cell: int | None) -> None:
    with_disc = moments(3)
    for moment in with_disc:
        cv2.circle(moment.picture, (316, 176), 24, (0, 255, 0), -1)
    drawn = strip(with_disc, table(), AT, cells=(cell,) if cell else (), size=(900, 320))
    discs = blobs(drawn, (0, 255, 0))
    assert len(discs) == 3
    assert all(abs(width - height) <= 3 for _, _, width, height in discs)


def test_without_a_table_all_is_shown() -> None:
    drawn = strip(moments(2), None, AT, size=(800, 300))
    assert len(blobs(drawn, MARK)) == 2


def test_a_cell_at_the_edge_of_the_picture_is_shown() -> None:
    cells: Points = table().cells - (215, 75)
    drawn = strip(moments(3), replace(table(), cells=cells), AT, cells=(1,), size=(900, 320))
    assert (drawn == (150, 152, 154)).all(2).any()


def test_times_have_a_sign() -> None:
    assert [seconds(round(away * SECOND)) for away in (-0.82, -0.04, 0, 0.06, 12)] == [
        "-0.8 s",
        "0.0 s",
        "0.0 s",
        "+0.1 s",
        "+12.0 s",
    ]


def test_pictures_are_left_alone() -> None:
    given = moments()
    before = given[0].picture.copy()
    strip(given, table(), AT, cells=(5,))
    assert (given[0].picture == before).all()


def test_what_cannot_be_shown_is_refused() -> None:
    with pytest.raises(PictureError, match="There is no picture of that moment"):
        strip((), table(), AT)
    with pytest.raises(PictureError, match="There is no cell 0"):
        strip(moments(), table(), AT, cells=(0,))
    with pytest.raises(PictureError, match="too few to be read"):
        strip(moments(), table(), AT, size=(200, 100))
    with pytest.raises(PictureError, match="400 pictures have no room in 400 × 200 pixels"):
        strip(moments(400), table(), AT, size=(400, 200))

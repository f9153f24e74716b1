"""Cells between four given corners."""

import numpy as np
import pytest

from tests.amounts import amounts
from tests.vision.drawn import Laying, cards_photographed, ground_drawn, pose
from tests.vision.grids import judged
from vision.corners import by_corners
from vision.eye_errors import NoTableError
from vision.frames import Points
from vision.lens import through

BLANK = np.zeros((720, 1280, 3), np.uint8)
SQUARE = np.array(((300, 100), (800, 100), (800, 600), (300, 600)), np.float32)


def test_cells_in_reading_order_around_their_cards() -> None:
    table = by_corners(BLANK, SQUARE)
    assert table.how == "corners"
    middles = table.cells.mean(axis=1)
    assert np.abs(middles[0] - (383.3, 183.3)).max() < 1
    assert np.abs(middles[5] - (716.7, 350)).max() < 1
    sides = np.linalg.norm(table.cells[:, 1] - table.cells[:, 0], axis=1)
    assert np.abs(sides * 0.82 - 0.94 * 500 / 3).max() < 2


def test_the_first_corner_is_the_tables_top_left_wherever_it_is() -> None:
    upright, turned = by_corners(BLANK, SQUARE).cells, by_corners(BLANK, np.roll(SQUARE, 1, axis=0)).cells
    assert np.abs(upright.mean(axis=1)[6] - turned.mean(axis=1)[0]).max() < 1


@pytest.mark.parametrize("card", [(54, 54), (57, 88), (88, 57)])
@amounts("tables", 2, 5)
def test_cards_of_any_shape_seen_from_the_side(card: tuple[float, float], tables: int) -> None:
    for seed in range(tables):
        dice = np.random.default_rng(seed)
        laying = Laying(card=card, gap=0.08, slip=0, twist=0)
        ground = ground_drawn((1280, 720), "wood", dice)
        view, cards = cards_photographed(laying, ground, dice, turn=180)
        corners = cards[(0, 2, 8, 6), (0, 1, 2, 3)]
        assert judged(by_corners(view.picture, corners).cells, cards).is_good


def test_it_follows_the_perspective() -> None:
    matrix = pose((300, 300), (1280, 720), np.random.default_rng(2), tilt=40)
    corners = through(matrix, np.array(((0, 0), (300, 0), (300, 300), (0, 300)), np.float32))
    middles = through(matrix, np.array([(50 + 100 * (k % 3), 50 + 100 * (k // 3)) for k in range(9)], np.float32))
    cells = by_corners(BLANK, corners).cells
    assert np.abs(cells.mean(axis=1) - middles).max() < 6


@pytest.mark.parametrize(
    ("corners", "sentence"),
    [
        (SQUARE[:3], "not four points"),
        ([["a", "b"]] * 4, "not four points"),
        (SQUARE * np.nan, "not four points"),
        (SQUARE[::-1], "anticlockwise"),
        (SQUARE[[0, 2, 1, 3]], "do not go round"),
        (SQUARE + 2000, "not in the picture, which is 1280 × 720"),
        ((SQUARE - 300) / 20 + 300, "pixels apart"),
    ],
)
def test_corners_that_cannot_be(corners: Points, sentence: str) -> None:
    with pytest.raises(NoTableError, match=sentence) as error:
        by_corners(BLANK, corners)
    assert str(error.value).endswith(".")

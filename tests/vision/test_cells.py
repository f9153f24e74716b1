"""Squares cut out of pictures, and their white set right."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.cells import WHITE, cut, side_of, whitened
from vision.frames import Picture, Points
from vision.squares import SIDE

CORNERS: Points = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def card(ink: tuple[int, int, int]) -> Picture:
    """A disc on white paper."""
    picture: Picture = np.full((SIDE, SIDE, 3), 250, np.uint8)
    cv2.circle(picture, (SIDE // 2, SIDE // 2), SIDE // 4, ink, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("side", [60, 96, 150, 400])
def test_a_square_is_the_same_from_near_and_from_far(side: int) -> None:
    near = cv2.resize(card((40, 30, 200)), (side, side), interpolation=cv2.INTER_AREA)
    picture = cv2.copyMakeBorder(near, 20, 20, 30, 30, cv2.BORDER_CONSTANT, value=(0, 0, 0))
    square = cut(picture, (CORNERS * side + (30, 20))[None].astype(np.float32))[0]
    assert np.abs(square.astype(int) - card((40, 30, 200))).mean() < 6


def test_the_first_corner_is_the_top_left_of_the_square() -> None:
    picture: Picture = np.zeros((SIDE, SIDE, 3), np.uint8)
    picture[:20, :20] = 255
    quarters = np.stack([np.roll(CORNERS * SIDE, turn, 0) for turn in range(4)])
    bright = [
        [int(square[y, x, 0]) for y, x in ((5, 5), (5, -5), (-5, -5), (-5, 5))] for square in cut(picture, quarters)
    ]
    assert [np.argmax(four) for four in bright] == [0, 1, 2, 3]


def test_a_cell_outside_the_picture_is_no_error() -> None:
    assert cut(card((0, 0, 0)), (CORNERS * SIDE - 500)[None].astype(np.float32)).shape == (1, SIDE, SIDE, 3)


@given(st.floats(0.45, 1.0), st.floats(0.6, 1.0), st.floats(0.25, 1.0))
def test_a_card_looks_the_same_in_any_light(red: float, blue: float, strength: float) -> None:
    light = np.array([blue, 0.8, red]) * strength
    lit = (card((40, 30, 200)) * light).astype(np.uint8)
    [done] = whitened(lit[None])
    paper, ink = done[4, 4].astype(float), done[SIDE // 2, SIDE // 2].astype(float)
    assert np.abs(paper - WHITE).max() < 6
    assert np.abs(ink - np.array([40, 30, 200]) * WHITE / 250).max() < 12


def test_paint_all_over_a_card_is_not_taken_for_light() -> None:
    [done] = whitened(np.full((1, SIDE, SIDE, 3), (10, 190, 230), np.uint8))
    blue, _, red = done[SIDE // 2, SIDE // 2].astype(float)
    assert red > 2 * blue


def test_darkness_is_not_stretched_into_a_picture() -> None:
    assert whitened(np.full((1, SIDE, SIDE, 3), 1, np.uint8)).max() < 40


def test_sides_are_measured_through_any_slant() -> None:
    assert side_of(CORNERS * 50) == pytest.approx(50)

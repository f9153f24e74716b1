"""Coloured light that lies on a card is noticed, and what it may have changed has to be surer than else."""

import cv2
import numpy as np
import pytest

from tests.vision.laid import seen, some_cards
from vision.cells import cut
from vision.frames import Picture
from vision.reader import TINGED
from vision.squares import SIDE, Squares
from vision.veil import tinge


def squares() -> Squares:
    dice = np.random.default_rng(4)
    shot = seen(some_cards(dice), dice)
    return cut(shot.picture, shot.cells)


def veiled(square: Picture, colour: tuple[float, float, float], strength: float) -> Picture:
    """A lamp mirrored in one corner of it."""
    spot = np.zeros((SIDE, SIDE), np.float32)
    cv2.circle(spot, (60, 40), 16, 1.0, -1)
    spot = cv2.GaussianBlur(spot, (0, 0), 8)[..., None] * np.array(colour, np.float32) * strength
    light = np.clip((square / 255) ** 2.2 + spot, 0, 1)
    return np.asarray(light ** (1 / 2.2) * 255, np.uint8)


def test_a_coloured_veil_shows_in_the_paper_and_plain_cards_have_none() -> None:
    for square in squares():
        assert tinge(square) < TINGED
        assert tinge(veiled(square, (0.4, 0.2, 1.0), 0.5)) > TINGED


@pytest.mark.parametrize("cast", [(1.0, 0.85, 0.6), (0.6, 0.8, 1.0)])
def test_the_colour_of_the_room_is_no_veil(cast: tuple[float, float, float]) -> None:
    for square in squares():
        assert tinge(np.asarray(square * np.array(cast), np.uint8)) < TINGED

"""Nine cells between four corners that somebody pointed at: those of the three by three of cards, no more."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.eye_errors import NoTableError
from vision.frames import Picture, Points
from vision.lens import through
from vision.locate import TableView
from vision.tabletop import tabletop

SHARE = 0.82  # of a cell that the longer side of a card takes
FULL = 0.94  # of a third that a card takes; the rest is the gap to the next one
SMALLEST = 20  # pixels of a card, with which nothing can be read any more
BEYOND = 0.1  # of the picture: so far outside it a corner may be


def by_corners(picture: Picture, corners: Sequence[Sequence[float]] | Points) -> TableView:
    """The table between the outer corners of nine cards, clockwise from the top left one as the players see it."""
    size = (picture.shape[1], picture.shape[0])
    four = _four(corners, size)
    width, height = _sides(four, size)
    flat = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    onto = np.asarray(cv2.getPerspectiveTransform(flat, four), np.float64)
    half = FULL * max(width, height) / 3 / SHARE / 2
    square = half * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    middles = np.array(
        [((column + 0.5) * width / 3, (row + 0.5) * height / 3) for row in range(3) for column in range(3)]
    )
    return TableView(through(onto, (middles[:, None] + square).astype(np.float32)), "corners")


def _four(corners: Sequence[Sequence[float]] | Points, size: tuple[int, int]) -> Points:
    """The corners, if they can be those of a table."""
    try:
        four = np.array(corners, np.float32)
    except (TypeError, ValueError):
        four = np.empty(0, np.float32)
    if four.shape != (4, 2) or not np.isfinite(four).all():
        raise NoTableError("The corners are not four points; give x and y of four, clockwise from the top left.")
    room = BEYOND * np.array(size)
    for x, y in four:
        if not (-room[0] <= x <= size[0] + room[0] and -room[1] <= y <= size[1] + room[1]):
            raise NoTableError(f"The corner {x:g},{y:g} is not in the picture, which is {size[0]} × {size[1]} pixels.")
    _must_be_round(four)
    return four


def _must_be_round(four: Points) -> None:
    """Clockwise, without crossing, and large enough."""
    sides = np.roll(four, -1, axis=0) - four
    after = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0]
    if (turns < 0).all():
        raise NoTableError("The corners go round anticlockwise; give them clockwise, the top left one first.")
    if not (turns > 0).all():
        raise NoTableError("The corners do not go round a table; give them clockwise, the top left one first.")
    shortest = float(np.linalg.norm(sides, axis=1).min())
    if shortest < 3 * SMALLEST:
        raise NoTableError(
            f"Two corners are only {shortest:.0f} pixels apart; three cards in a row need at least {3 * SMALLEST}."
        )


def _sides(four: Points, size: tuple[int, int]) -> tuple[float, float]:
    """How wide and how high the table is, in pixels of a picture from straight above."""
    top = tabletop(four[None].astype(np.float64), size)
    flat = top.plan(four.astype(np.float64))
    lengths = np.linalg.norm(np.roll(flat, -1, axis=0) - flat, axis=1) * top.focal
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2

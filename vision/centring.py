"""Squares of a lattice cut out around what is drawn in them: cards lie a little off its places, symbols with them."""

import cv2
import numpy as np

from vision.cells import cut, whitened
from vision.frames import Picture, Points
from vision.squares import SIDE, Squares

DARKER = 60  # than white, in one of the three colours: ink
WITHIN = 0.44  # of a square's side from its middle: beyond may be what is drawn in the next one
FEWEST = 2  # points of ink in a row that is taken for part of what is drawn
SMALLEST, LARGEST = 0.35, 0.85  # of a square's side: what is drawn is so large
FARTHEST = 0.14  # of a square's side

WHITE = 235


def centred(picture: Picture, cells: Points) -> Points:
    """The cells as they should be cut out."""
    squares = whitened(cut(picture, cells))
    shifts = np.array([_shift(square) for square in squares], np.float32)
    across, down = cells[:, 1] - cells[:, 0], cells[:, 3] - cells[:, 0]
    moved = across * shifts[:, :1] + down * shifts[:, 1:]
    return np.asarray(cells + moved[:, None], np.float32)


def _shift(square: Squares) -> tuple[float, float]:
    """How far right and down of the middle something is drawn, by the square's side."""
    ink = cv2.threshold(square.min(axis=2), WHITE - DARKER, 255, cv2.THRESH_BINARY_INV)[1] > 0
    rim = round((0.5 - WITHIN) * SIDE)
    ink[:rim], ink[-rim:], ink[:, :rim], ink[:, -rim:] = False, False, False, False
    shifts = [_off(ink.sum(axis=axis)) for axis in (0, 1)]
    if any(shift is None for shift in shifts):
        return 0.0, 0.0
    x, y = (min(max(shift or 0.0, -FARTHEST), FARTHEST) for shift in shifts)
    return x, y


def _off(points: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> float | None:
    """How far off the middle the drawn part of a line is; None where it is none that could be a symbol."""
    on = np.flatnonzero(points >= FEWEST)
    if not on.size:
        return None
    first, last = int(on[0]), int(on[-1]) + 1
    if not SMALLEST * SIDE <= last - first <= LARGEST * SIDE:
        return None
    return (first + last - SIDE) / 2 / SIDE

"""The nine squares that the reader is shown: cut out of a picture, and their white set right."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture, Points

SIDE = 96  # pixels of a square
WHITE = 235.0  # what the brightest part of a square is brought to
SAMPLED = 24  # the white is looked for among SAMPLED × SAMPLED points
BRIGHT = 0.1  # of them, so many are the brightest
DARKEST = 12.0  # what is darker is not stretched further
TINT = 2.6  # a light may have so much more red than blue; more than that is paint

Squares = NDArray[np.uint8]  # … × SIDE × SIDE × 3

_TARGET = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def cut(picture: Picture, cells: Points) -> Squares:
    """The squares as the camera saw them."""
    squares: Squares = np.empty((len(cells), SIDE, SIDE, 3), np.uint8)
    for square, corners in zip(squares, cells, strict=True):
        finer = min(4, max(1, round(side_of(corners) / SIDE)))
        matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), _TARGET * (SIDE * finer))
        size = (SIDE * finer, SIDE * finer)
        seen = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        square[:] = seen if finer == 1 else cv2.resize(seen, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    return squares


def side_of(corners: Points) -> float:
    """How long the sides of a cell are in the picture, about."""
    sides = corners - np.roll(corners, 1, 0)
    return float(np.sqrt((sides * sides).sum(1)).mean())


def whitened(squares: Squares) -> Squares:
    """The same with the white of each square's card white, so that colours can be told in any light."""
    step = SIDE // SAMPLED
    points = squares[:, step // 2 :: step, step // 2 :: step].reshape(len(squares), -1, 3).astype(np.float32)
    grey = points @ np.array([0.25, 0.5, 0.25], np.float32)
    count = int(BRIGHT * grey.shape[1])
    brightest = np.argpartition(grey, -count, 1)[:, -count:]
    whites = np.take_along_axis(points, brightest[..., None], 1).mean(1)
    whites = np.maximum(whites, np.maximum(DARKEST, whites.max(1, keepdims=True) / TINT))
    done: Squares = np.empty_like(squares)
    for square, white, into in zip(squares, whites, done, strict=True):
        cv2.multiply(square, (*(WHITE / white).tolist(), 0.0), into)
    return done

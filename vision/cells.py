"""The nine squares that the reader is shown: cut out of a picture, and their white set right."""

import cv2
import numpy as np

from vision.frames import Picture, Points
from vision.squares import SIDE, Squares

WHITE = 235.0  # what the brightest part of a square is brought to
SAMPLED = 24  # the white is looked for among SAMPLED × SAMPLED points
BRIGHT = 0.1  # of them, so many are the brightest
DARKEST = 12.0  # what is darker is not stretched further
COARSEST = 4  # a picture is made so much smaller before squares are cut out of it
MARGIN = 2  # pixels around a cell that are needed to cut it out
TINT = 2.6  # a light may have so much more red than blue; more than that is paint

_TARGET = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def cut(picture: Picture, cells: Points, side: int = SIDE) -> Squares:
    """The squares as the camera saw them, so many pixels wide."""
    squares: Squares = np.empty((len(cells), side, side, 3), np.uint8)
    smaller: dict[int, Picture] = {1: picture}
    for square, corners in zip(squares, cells, strict=True):
        by = min(COARSEST, max(1, round(side_of(corners) / side)))
        if by not in smaller:
            height, width = (side // by for side in picture.shape[:2])
            smaller[by] = np.empty((height, width, 3), np.uint8)
        there = (corners.astype(np.float32) + 0.5) / by - 0.5
        if by > 1:
            _shrink_around(there, picture, by, smaller[by])
        matrix = cv2.getPerspectiveTransform(there, _TARGET * side)
        square[:] = cv2.warpPerspective(
            smaller[by], matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    return squares


def _shrink_around(corners: Points, picture: Picture, by: int, into: Picture) -> None:
    """Only as much of the picture as a square is cut out of; the rest of it stays as it was."""
    height, width = into.shape[:2]
    left, top = (max(0, int(least) - MARGIN) for least in corners.min(0))
    right, bottom = (min(most, int(at) + MARGIN + 1) for most, at in zip((width, height), corners.max(0), strict=True))
    left, top = min(left, width - 1), min(top, height - 1)  # of a cell beside the picture, its edge
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    part = into[top:bottom, left:right]
    part[:] = shrunk(picture[top * by : bottom * by, left * by : right * by], by)


def shrunk(picture: Picture, by: int) -> Picture:
    """A point for each so many in a row and so many rows, their mean."""
    height, width = (side // by * by for side in picture.shape[:2])
    return cv2.resize(picture[:height, :width], (width // by, height // by), interpolation=cv2.INTER_AREA)


def side_of(corners: Points) -> float:
    """How long the sides of a cell are in the picture, about."""
    sides = corners - np.roll(corners, 1, 0)
    return float(np.sqrt((sides * sides).sum(1)).mean())


def whitened(squares: Squares) -> Squares:
    """The same with the white of each square's card white, so that colours can be told in any light."""
    step = squares.shape[1] // SAMPLED
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

"""A lens that bends straight lines: from where points are seen to where they would be without it, and back.

The model is OpenCV's radial one with two numbers, around the middle of the picture.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Matrix, Points

USUAL_FOCAL = 0.8  # of the longer side of the picture; k1 makes up for what is wrong with it
STEPS = 12  # of Newton; eight are enough for the widest lens that has a middle
FARTHEST = 3.0  # focal lengths from the middle; beyond 70 degrees there is no picture
BENDS = np.linspace(-0.6, 0.3, 19)  # the values of k1 that are tried


@dataclass(frozen=True, slots=True)
class Lens:
    """What one camera's lens does to pictures of one size, in pixels."""

    size: tuple[int, int]
    focal: float
    k1: float = 0.0
    k2: float = 0.0

    @property
    def middle(self) -> Points:
        width, height = self.size
        return np.array(((width - 1) / 2, (height - 1) / 2), np.float32)

    def at(self, size: tuple[int, int]) -> "Lens":
        """The same lens for pictures of another size."""
        return Lens(size, self.focal * max(size) / max(self.size), self.k1, self.k2)

    def straight(self, points: Points) -> Points:
        """Points of the picture as a lens without fault would show them."""
        if not (self.k1 or self.k2):
            return points
        seen = (points - self.middle) / self.focal
        far = np.linalg.norm(seen, axis=-1, keepdims=True)
        true = far.copy()
        for _ in range(STEPS):
            square = true * true
            slope = 1 + 3 * self.k1 * square + 5 * self.k2 * square * square
            true -= (true * (1 + self.k1 * square + self.k2 * square * square) - far) / np.maximum(slope, 0.1)
            true = np.clip(true, 0, FARTHEST)
        return _points(seen * (true / np.maximum(far, 1e-9)) * self.focal + self.middle)

    def bent(self, points: Points) -> Points:
        """Where points of a faultless picture are in the real one."""
        if not (self.k1 or self.k2):
            return points
        true = (points - self.middle) / self.focal
        square = (true * true).sum(axis=-1, keepdims=True)
        return _points(true * (1 + self.k1 * square + self.k2 * square * square) * self.focal + self.middle)


def faultless(size: tuple[int, int]) -> Lens:
    """What a camera is taken for until something else is known."""
    return Lens(size, USUAL_FOCAL * max(size))


def lens_of(flat: Points, seen: Points, size: tuple[int, int]) -> Lens:
    """The lens that best explains how points of a flat thing are seen: one number is fitted, k1."""
    focal = USUAL_FOCAL * max(size)

    def fault(k1: float) -> float:
        straight = Lens(size, focal, k1).straight(seen)
        return misfit(homography(flat, straight), flat, straight)

    step = float(BENDS[1] - BENDS[0])
    best = min((float(bend) for bend in BENDS), key=fault)
    while step > 0.002:
        step /= 2
        best = min((best - step, best, best + step), key=fault)
    return Lens(size, focal, best)


def homography(flat: Points, seen: Points) -> Matrix:
    """The least squares of a plane seen in perspective; all zero if the points allow none."""
    found, _ = cv2.findHomography(flat.reshape(-1, 1, 2), seen.reshape(-1, 1, 2))
    return np.zeros((3, 3)) if found is None else np.asarray(found, np.float64)


def through(matrix: Matrix, points: Points) -> Points:
    """Points of a plane as a homography shows them."""
    seen = cv2.perspectiveTransform(points.reshape(-1, 1, 2).astype(np.float32), matrix)
    return np.asarray(seen, np.float32).reshape(points.shape)


def misfit(matrix: Matrix, flat: Points, seen: Points) -> float:
    """How far points are from where a homography puts them: the root of the mean square."""
    apart = through(matrix, flat) - seen
    return float(np.sqrt((apart * apart).sum(axis=-1).mean()))


def _points(array: NDArray[np.floating[Any]]) -> Points:
    return array.astype(np.float32)

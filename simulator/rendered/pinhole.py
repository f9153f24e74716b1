"""The camera on its stand: where a point over the table is seen, and which point of the table a pixel sees.

Points are millimetres from the middle of the mat as it lay at first: x to its right, y to its lower side, and the
height over the table. The lens bends a little, its axis misses the middle of the sensor a little, and so does the
sensor its right angle to the axis.
"""

from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat import Point

Array = NDArray[np.floating[Any]]
Rng = np.random.Generator

STEPS = 7  # of undoing the lens
COARSE = 8  # pixels between the points for which rays are worked out
NEAREST = 60.0  # millimetres before the lens; nearer points are drawn as if there
WIDEST = 1.1  # square of the slope beyond which the lens bends no further
STILL = np.eye(2, 3)


@dataclass(frozen=True, slots=True, eq=False)
class Pinhole:
    """Where it is, how it is turned, and what its lens does."""

    size: tuple[int, int]
    place: Array  # x, y, and how far below the table: a camera over it is at a negative one
    turn: Array  # 3 × 3
    focal: float
    middle: Array
    bend: tuple[float, float, float, float]  # two of the radius, two of a lens out of centre
    nudge: Array  # 2 × 3, of the picture

    def seen(self, points: Array) -> Array:
        """Pixels (… × 2) of points (… × 3)."""
        away = (points * (1.0, 1.0, -1.0) - self.place) @ self.turn.T
        flat = away[..., :2] / np.maximum(away[..., 2:], NEAREST)
        pixels = self._bent(flat) * self.focal + self.middle
        return pixels @ self.nudge[:, :2].T + self.nudge[:, 2]

    def on_table(self, pixels: Array) -> Array:
        """Where the table (height 0) is that pixels see: x and y."""
        back = cv2.invertAffineTransform(self.nudge)
        seen = (pixels @ back[:, :2].T + back[:, 2] - self.middle) / self.focal
        flat = seen
        for _ in range(STEPS):
            flat = flat - (self._bent(flat) - seen)
        rays = np.concatenate([flat, np.ones_like(flat[..., :1])], -1) @ self.turn
        return self.place[:2] - rays[..., :2] * (self.place[2] / np.maximum(rays[..., 2:], 1e-3))

    def ground(self, fine: int = 1) -> NDArray[np.float32]:
        """x and y of the table for every pixel, each split into `fine` × `fine`."""
        width, height = self.size
        across, down = np.meshgrid(np.arange(-1, width // COARSE + 3), np.arange(-1, height // COARSE + 3))
        coarse = self.on_table(np.stack([across, down], -1) * float(COARSE)).astype(np.float32)
        places = [((np.arange(size * fine) + 0.5) / fine - 0.5) / COARSE + 1 for size in (height, width)]
        return _between(_between(coarse, places[0], 0), places[1], 1)

    def nudged(self, x: float, y: float, turn: float) -> "Pinhole":
        """Its picture shifted by so many pixels and turned about its middle, on top of what it was."""
        return replace(self, nudge=_after(nudge_matrix(self.size, x, y, turn), self.nudge))

    def _bent(self, flat: Array) -> Array:
        k1, k2, p1, p2 = self.bend
        x, y = flat[..., 0], flat[..., 1]
        square = np.minimum(x * x + y * y, WIDEST)
        more = 1 + square * (k1 + square * k2)
        return np.stack(
            [x * more + 2 * p1 * x * y + p2 * square, y * more + p1 * square + 2 * p2 * x * y],
            -1,
        )


def _between(values: NDArray[np.float32], places: Array, axis: int) -> NDArray[np.float32]:
    """Values at places along an axis, linearly; OpenCV knows places between two points only to 1/32."""
    low = np.clip(np.floor(places).astype(int), 0, values.shape[axis] - 2)
    share = (places - low).astype(np.float32)
    share = share[:, None, None] if axis == 0 else share[None, :, None]
    first, second = np.take(values, low, axis), np.take(values, low + 1, axis)
    second -= first
    second *= share
    first += second
    return first


def nudge_matrix(size: tuple[int, int], x: float, y: float, turn: float) -> Array:
    """What a nudge does to a picture."""
    matrix = cv2.getRotationMatrix2D(((size[0] - 1) / 2, (size[1] - 1) / 2), -turn, 1.0)
    matrix[:, 2] += x, y
    return matrix


def _after(second: Array, first: Array) -> Array:
    return np.asarray(second[:, :2] @ first + np.c_[np.zeros((2, 2)), second[:, 2]])


def on_a_stand(rng: Rng, mat: Point, size: tuple[int, int]) -> Pinhole:
    """A camera that somebody set up over a mat of this size: nearly from above, nearly straight, all of it in view."""
    width, height = size
    quarter = int(rng.choice(4, p=(0.55, 0.15, 0.15, 0.15)))
    roll = np.radians(90 * quarter + rng.normal(0, 2.0))
    tilt, toward = np.radians(abs(rng.normal(4, 5))), rng.uniform(0, 2 * np.pi)
    turn = _about(np.array([np.cos(toward), np.sin(toward), 0.0]) * tilt) @ _about(np.array([0, 0, roll]))
    bend = (rng.uniform(-0.13, 0.03), rng.uniform(-0.01, 0.02), *rng.normal(0, 0.0006, 2))
    middle = np.array([(width - 1) / 2, (height - 1) / 2]) + rng.normal(0, 0.006 * width, 2)
    aim = np.array([*rng.normal(0, 5, 2), 0.0])
    focal = rng.uniform(0.72, 1.0) * max(size)
    share = rng.uniform(0.8, 0.93)
    corners = np.array([[x, y, 0.0] for x in (-0.5, 0.5) for y in (-0.5, 0.5)]) * (*mat, 0.0)
    away = 600.0
    for _ in range(12):
        camera = Pinhole(size, aim - turn.T @ (0, 0, away), turn, focal, middle, bend, STILL)
        off = np.abs(camera.seen(corners) - middle).max(0) * 2 / size
        away *= float(off.max()) / share
    return camera


def _about(axis: Array) -> Array:
    return np.asarray(cv2.Rodrigues(axis.astype(float))[0])

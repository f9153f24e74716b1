"""How a table top lies before the camera, which turns a picture of it into a plan and back.

Nobody measured the camera: its focal length is taken for a usual one, and corrected as far as the picture tells.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Matrix
from vision.lens import USUAL_FOCAL

Points = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Tabletop:
    """How the table top lies before the camera, which turns a picture into a plan of it and back."""

    size: tuple[int, int]
    slope: tuple[float, float]
    focal: float

    @property
    def turn(self) -> Matrix:
        """The rotation that makes the table's upright the line of sight."""
        upright = np.array((*self.slope, 1.0))
        upright /= np.linalg.norm(upright)
        axis = np.cross(upright, (0.0, 0.0, 1.0))
        sine = np.linalg.norm(axis)
        angle = np.arctan2(sine, upright[2])
        return np.asarray(cv2.Rodrigues(axis / max(sine, 1e-12) * angle)[0], np.float64)

    def plan(self, points: Points) -> Points:
        """Where points of the picture are on the table."""
        rays = np.concatenate(((points - self._middle) / self.focal, np.ones((*points.shape[:-1], 1))), axis=-1)
        far = rays @ np.array((*self.slope, 1.0))
        return np.asarray((rays / np.maximum(far, 0.05)[..., None]) @ self.turn.T, np.float64)[..., :2]

    def shows(self, points: Points) -> Points:
        """Where points of the table are in the picture."""
        height = 1 / np.linalg.norm((*self.slope, 1.0))
        rays = np.concatenate((points, np.full((*points.shape[:-1], 1), height)), axis=-1) @ self.turn
        return np.asarray(rays[..., :2] / rays[..., 2:] * self.focal + self._middle, np.float64)

    @property
    def _middle(self) -> Points:
        return np.array(((self.size[0] - 1) / 2, (self.size[1] - 1) / 2), np.float32)


def tabletop(corners: Points, size: tuple[int, int]) -> Tabletop:
    """The plane on which all these four-sided things become rectangles of one size."""

    def at(knobs: Points) -> Tabletop:
        return Tabletop(size, (float(knobs[0]), float(knobs[1])), USUAL_FOCAL * max(size) * float(np.exp(knobs[2])))

    def faults(knobs: Points) -> Points:
        sides = np.roll(flat := at(knobs).plan(corners), -1, axis=1) - flat
        lengths = np.linalg.norm(sides, axis=2)
        pairs = lengths.reshape(-1, 2, 2)
        sizes = np.log(pairs / np.median(pairs, axis=(0, 1)))
        cosines = (sides * np.roll(sides, -1, axis=1)).sum(axis=2) / lengths / np.roll(lengths, -1, axis=1)
        all_faults = np.concatenate((sizes.ravel(), cosines.ravel()))
        gentle = all_faults / np.sqrt(1 + (all_faults / 0.08) ** 2)
        return np.concatenate((gentle, knobs * (0.02, 0.02, 0.25)))

    knobs, damping = np.zeros(3), 1e-3
    now = faults(knobs)
    for _ in range(15):
        slopes = np.stack([(faults(knobs + step) - now) / 1e-4 for step in np.eye(3) * 1e-4], axis=1)
        move = np.linalg.solve(slopes.T @ slopes + damping * np.eye(3), -slopes.T @ now)
        moved = np.clip(knobs + move, -1.2, 1.2)
        if (then := faults(moved)) @ then < now @ now:
            knobs, now, damping = moved, then, damping / 4
        else:
            damping *= 8
    return at(knobs)

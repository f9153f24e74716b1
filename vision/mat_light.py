"""What the light, the camera and the printer do to colours, told by the mat's printed patches, and taken off again.

Each patch is compared with the bare paper around it, so shade that falls over the mat counts for nothing. What is
covered, mirrored in or not in the picture is left out; where too little is left, or the patches say what no light
does, nothing is taken off.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture, Points
from vision.mat import ColourPatch, Mat
from vision.squares import Squares

GAMMA = 2.2
NINE = 9
INSIDE, AROUND = (0.0, 0.3, 0.55), 1.38  # of a patch's radius, where its colour and the paper beside it are looked at
SPOTS = (1, 6, 10, 16)  # on each of those rings
ONE_COLOUR, ONE_PAPER = 0.15, 0.15  # of the paper's brightness: what differs more is partly covered
DARK, BURNT = 0.02, 0.995  # brightness of paper by which no colour can be told
COLOURED = ("red", "yellow", "green", "cyan", "blue", "magenta")
ENOUGH = 5  # of the coloured ones
STIFF = 0.02  # of a patch: how much knowing nothing of the light weighs
PASSES, OFF = 3, 0.05  # what is off by more than that counts less each time
STRANGEST = 0.35  # no light mixes colours more than that: the patches are faded, or are none

Colours = NDArray[np.float32]

_LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
_LEVELS = 4095
_BYTES = np.round((np.arange(_LEVELS + 1) / _LEVELS) ** (1 / GAMMA) * 255).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class MatLight:
    """How colours as they are seen become those that were printed: 3 × 3, of light, greys staying grey."""

    matrix: Colours

    def off(self, squares: Squares) -> Squares:
        """The squares as they would look without it."""
        light = cv2.transform(_LINEAR[squares].reshape(-1, 1, 3), self.matrix).reshape(squares.shape)
        return _BYTES[(np.clip(light, 0, 1) * _LEVELS + 0.5).astype(np.int32)]


def mat_light(picture: Picture, cells: Points, mat: Mat) -> MatLight | None:
    """By the patches that can be seen, if they are enough. `cells` are all those of the mat in the picture."""
    patches, spots = mat.patches, _spots(cells, mat)
    height, width = picture.shape[:2]
    is_in = ((spots >= 1) & (spots < (width - 2, height - 2))).all((1, 2))
    seen = cv2.remap(picture, spots[..., 0].copy(), spots[..., 1].copy(), cv2.INTER_LINEAR)
    light = _LINEAR[seen]
    inside, around = light[:, : -SPOTS[-1]], light[:, -SPOTS[-1] :]
    colour, paper = np.median(inside, axis=1), np.median(around, axis=1)
    brightest = np.maximum(paper.max(1), DARK)
    is_good = (
        is_in
        & (np.percentile(np.abs(inside - colour[:, None]).max(2), 80, axis=1) < ONE_COLOUR * brightest)
        & (np.percentile(np.abs(around - paper[:, None]).max(2), 75, axis=1) < ONE_PAPER * brightest)
        & (paper.min(1) > DARK)
        & (paper.max(1) < BURNT)
    )
    if len({patch.name for patch, good in zip(patches, is_good, strict=True) if good} & {*COLOURED}) < ENOUGH:
        return None
    told = np.stack([_LINEAR[np.array(patch.ink[::-1])] for patch in patches])
    matrix = _fitted(colour[is_good] / paper[is_good], told[is_good])
    if np.abs(matrix - np.eye(3)).max() > STRANGEST:
        return None
    matrix /= matrix.sum(1, keepdims=True)  # white stays white
    white = np.median(paper[is_good], axis=0)
    return MatLight(np.asarray(white[:, None] * matrix / white, np.float32))


def _spots(cells: Points, mat: Mat) -> Points:
    """Where each patch and the paper around it are in the picture: patches × spots × 2, by the nearest of three rows
    of cells where there are three."""
    half = mat.sight / 2
    square = half * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    found = []
    middle = len(mat.patches) // 2
    upper, lower = (slice(0, 3), slice(6, 9)) if len(cells) == NINE else (slice(None), slice(None))
    for row, patches in ((upper, mat.patches[:middle]), (lower, mat.patches[middle:])):
        there = np.array(mat.places)[row, None] + square
        onto = cv2.findHomography(there.reshape(-1, 2), np.asarray(cells[row], np.float64).reshape(-1, 2))[0]
        spots = np.stack([_around(patch) for patch in patches])
        found.append(cv2.perspectiveTransform(spots.reshape(1, -1, 2), onto).reshape(spots.shape))
    return np.concatenate(found).astype(np.float32)


def _around(patch: ColourPatch) -> NDArray[np.float64]:
    rings = []
    for share, count in zip((*INSIDE, AROUND), SPOTS, strict=True):
        turn = np.arange(count) * 2 * np.pi / count
        rings.append(share * patch.radius * np.stack([np.cos(turn), np.sin(turn)], 1))
    return np.concatenate(rings) + patch.centre


def _fitted(seen: Colours, told: Colours) -> NDArray[np.float64]:
    """What takes the ways from white to each other; a patch counts by how well it agrees with the others."""
    away, wanted = seen.astype(np.float64) - 1, told.astype(np.float64) - 1
    weights = np.ones(len(away))
    for _ in range(PASSES):
        stiff = STIFF * weights.sum() * np.eye(3)
        weighed = away.T * weights
        matrix = np.linalg.solve(weighed @ away + stiff, weighed @ wanted + stiff).T
        weights = 1 / np.maximum(np.abs(wanted - away @ matrix.T).max(1), OFF)
    return np.asarray(matrix)

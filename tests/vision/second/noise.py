"""Value noise: chance on a lattice, smoothly between, and the same for the same seed."""

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # of 32-bit floats, wherever nothing else is said

ROW = 256  # cv2.remap takes no dimension above 32,767: long rows of samples are folded
LATTICE = 256


@lru_cache(maxsize=64)
def _lattice(seed: int) -> Array:
    return np.random.default_rng(seed).uniform(-1, 1, (LATTICE, LATTICE)).astype(np.float32)


def looked_up(texture: Array, x: Array, y: Array, border: int = cv2.BORDER_REPLICATE) -> Array:
    """The texture at places given in its own pixels, any number of them."""
    many = len(x)
    rows = -(-many // ROW)
    folded = [np.zeros(rows * ROW, np.float32) for _ in range(2)]
    for line, places in zip(folded, (x, y), strict=True):
        line[:many] = places
    found = cv2.remap(
        texture, folded[0].reshape(rows, ROW), folded[1].reshape(rows, ROW), cv2.INTER_LINEAR, None, border
    )
    return found.reshape(rows * ROW, *texture.shape[2:])[:many]


def value(x: Array, y: Array, seed: int) -> Array:
    """One octave, from -1 to 1; the lattice is one unit wide."""
    return looked_up(_lattice(seed % 64), x + 17.31 * (seed // 64 % 97), y, cv2.BORDER_WRAP)


def octaves(x: Array, y: Array, seed: int, number: int) -> Array:
    """Several, each twice as fine and half as strong."""
    total = value(x, y, seed)
    for octave in range(1, number):
        total = total + value(x * 2**octave, y * 2**octave, seed + octave) / 2**octave
    return total

"""Coloured light mirrored in a card or its sleeve: nothing is burnt out, and still blue ink looks purple.

What the light adds to ink it adds to the paper beside it, so it shows where the paper of a square has several colours.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture

GAMMA = 2.2
FINE = 2  # pixels of the square that are looked at together
BRIGHT, PALE = 0.49, 0.4  # of the brightest beside it, and of its own brightness: what is paper
BESIDE = 27  # pixels across that are beside one
SMOOTH = 5.0  # pixels; a veil is smoother than print
ENOUGH = 0.08  # of the square must be paper
FEW = 5  # per cent of the paper that may have any colour

_LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)

Light = NDArray[np.float32]


def tinge(square: Picture) -> float:
    """How much the colour of the paper differs within a square, as a share of its brightness."""
    light: Light = cv2.resize(_LINEAR[square], None, fx=1 / FINE, fy=1 / FINE, interpolation=cv2.INTER_AREA)
    paper = _paper(light)
    share = cv2.GaussianBlur(paper, (0, 0), SMOOTH)
    there = (paper > 0) & (share > 0.1)
    if float(there.mean()) < ENOUGH:
        return 0.0
    seen = cv2.GaussianBlur(light * paper[..., None], (0, 0), SMOOTH)[there]
    colours = seen / np.maximum(seen.mean(1, keepdims=True), 1e-4)
    return float((np.percentile(colours, 100 - FEW, axis=0) - np.percentile(colours, FEW, axis=0)).max())


def _paper(light: Light) -> Light:
    """One where there is paper: bright for its neighbourhood, and pale."""
    most, least = light.max(2), light.min(2)
    around = cv2.dilate(most, np.ones((BESIDE, BESIDE), np.uint8))
    return ((most > BRIGHT * around) & (most - least < PALE * most)).astype(np.float32)

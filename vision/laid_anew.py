"""How likely it is that a card was laid on one of the same face, by how the place looked before and after.

A card that was laid lies otherwise than the one before, and what stuck out under that one sticks out still. A pile that
was put straight has moved as a whole. Where nothing has moved, nothing was laid: two cards never lie alike.
"""

from math import exp, hypot
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Picture
from vision.squares import SIDE

WHITE, BRIGHT, DARKEST = 235.0, 90.0, 12.0  # what the brightest tenth of a square is brought to, at most how much
REACH = 0.75  # of half a square, from its middle: by what is drawn there the two looks are laid over each other
RIM = (0.727, 0.985)  # the same: where edges of cards are
EDGE = 8.0  # grey levels a pixel: what is steeper is an edge, or something drawn
SAME = 6.0  # grey levels
ALIKE = 0.97  # looks that agree so well are not turned by a quarter
UNLIKE = 0.5  # and those that agree less by no turn at all
STEPS = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-3)
QUARTERS = 4
TURNED = 0.0045  # of a square's side: so far a turn by a degree moves what is drawn
STILL, MOVES, MOST = 0.006, 0.003, 0.045  # of a square's side: a motion is seen from here on; more tells no more
QUARTER = 0.995  # a card that lies turned by a quarter was laid
UNKNOWN = 0.5
# Fitted as `python -m tests.benchmarks.laid_alike --fit` does it.
BIAS, STAYS, MOVED, BOTH = -2.83, -1.7, -147.0, 705.0

Grey = NDArray[np.float32]


class Motion(NamedTuple):
    """From one look to the other."""

    far: float  # by how much, of a square's side, turns counted in
    quarters: int
    stays: float  # of the edges around the card: so much stayed where it was though the card has moved


def laid_anew(before: Picture, after: Picture) -> float:
    """By two squares of the same face; with nothing else known, it was laid as likely as not."""
    motion = motion_of(before, after)
    if motion is None:
        return UNKNOWN
    if motion.quarters:
        return QUARTER
    far = min(motion.far, MOST)
    odds = BIAS + STAYS * motion.stays + MOVED * far + BOTH * far * motion.stays
    has_moved = 1 / (1 + exp((STILL - motion.far) / MOVES * QUARTERS))
    return min(QUARTER, has_moved / (1 + exp(-odds)))


def motion_of(before: Picture, after: Picture) -> Motion | None:
    """None where the two do not show the same."""
    first, then = _grey(before), _grey(after)
    found = _laid_over(first, then)
    if found is None:
        return None
    quarters, over = found
    middle = np.array(((SIDE - 1) / 2, (SIDE - 1) / 2, 1.0))
    shift = float(np.linalg.norm(over @ middle - middle[:2])) / SIDE
    turn = float(np.degrees(np.arctan2(over[1, 0], over[0, 0])))
    size, how = (SIDE, SIDE), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = cv2.warpAffine(np.rot90(first, quarters).copy(), over, size, flags=how, borderMode=cv2.BORDER_REPLICATE)
    edges = _RIM & (_steepness(first) > EDGE)
    stood, went = np.abs(then - first), np.abs(then - moved)
    stays = float((edges & (stood < SAME) & (stood < went)).sum() / max(int(edges.sum()), 1))
    return Motion(hypot(shift, TURNED * turn), quarters, stays)


def _grey(square: Picture) -> Grey:
    grey = cv2.cvtColor(square, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(grey * np.float32(WHITE / max(DARKEST, float(np.percentile(grey, BRIGHT)))), np.float32)


def _laid_over(first: Grey, then: Grey) -> tuple[int, NDArray[np.float32]] | None:
    """By how many quarters the first look is to be turned, and where each point of the second is in it then."""
    best: tuple[float, int, NDArray[np.float32]] | None = None
    for quarters in range(QUARTERS):
        start = np.eye(2, 3, dtype=np.float32)
        turned = np.rot90(first, quarters).copy()
        try:
            agrees, over = cv2.findTransformECC(turned, then, start, cv2.MOTION_EUCLIDEAN, STEPS, _DRAWN, 5)
        except cv2.error:  # it finds no way from one to the other
            continue
        if best is None or agrees > best[0]:
            best = float(agrees), quarters, np.asarray(over, np.float32)
        if best[0] > ALIKE:
            break
    return best[1:] if best is not None and best[0] > UNLIKE else None


def _steepness(grey: Grey) -> Grey:
    across, down = (cv2.Sobel(grey, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _ring(least: float, most: float) -> NDArray[np.bool_]:
    """Where in a square it is so far from the middle."""
    away = np.abs(np.arange(SIDE) - (SIDE - 1) / 2) / (SIDE / 2)
    far = np.maximum(away[:, None], away[None])
    return np.asarray((far >= least) & (far < most))


_DRAWN = _ring(0.0, REACH).astype(np.uint8)
_RIM = _ring(*RIM)

"""Sharpening: the four straight edges of something, a marker or a card, to a fraction of a pixel."""

import cv2
import numpy as np

from vision.frames import Picture, Plane, Points

ALONG = np.linspace(0.08, 0.92, 16, dtype=np.float32)  # of a side; its ends are rounded by blur
ACROSS = np.linspace(-1, 1, 13, dtype=np.float32)  # of the reach; negative is inside
ROUNDS = (1.0, 0.75, 0.6)  # of the reach: what lies further away matters less each time
FAINT = 6  # of 255: an edge with less contrast is none
ENOUGH = 0.05  # pixels: nothing moves any more


def sharpened(picture: Plane | Picture, corners: Points, reach: float) -> Points | None:
    """The corners of a four-sided thing (clockwise), from corners that are right to within the reach.

    Where an edge is between inside and outside follows from how much of a line across it looks like either: that is
    the same however blurred the edge is, and noise cancels out. A side without contrast stays where it is; None if the
    corners end where they make no sense.
    """
    fine = corners
    for share in ROUNDS:
        found = _once(picture, fine, share * reach)
        if found is None or float(np.abs(found - corners).max()) > 1.5 * reach:
            return None
        moved, fine = float(np.abs(found - fine).max()), found
        if moved < ENOUGH:
            break
    return fine


def _once(picture: Plane | Picture, corners: Points, reach: float) -> Points | None:
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1, keepdims=True)
    if float(lengths.min()) < 4:
        return None
    outward = np.stack((sides[:, 1], -sides[:, 0]), axis=1) / lengths
    on = corners[:, None] + ALONG[None, :, None] * sides[:, None]
    spots = on[:, :, None] + (reach * ACROSS)[None, None, :, None] * outward[:, None, None]
    flat = spots.reshape(-1, len(ACROSS), 2).astype(np.float32)
    border = cv2.BORDER_REPLICATE
    looks = cv2.remap(picture, flat[:, :, 0].copy(), flat[:, :, 1].copy(), cv2.INTER_LINEAR, borderMode=border)
    shifts = _shifts(looks.reshape(4, len(ALONG), len(ACROSS), -1).astype(np.float32), reach)
    starts = corners + shifts[:, :1] * outward
    ends = corners + sides + shifts[:, 1:] * outward
    return _crossings(starts, ends)


def _shifts(looks: Points, reach: float) -> Points:
    """How far outward each side's start and end must move."""
    inside = looks[:, :, :2].mean(axis=(1, 2))
    change = looks[:, :, -2:].mean(axis=(1, 2)) - inside
    contrast = np.maximum((change * change).sum(axis=1), 1e-3)
    shares = ((looks.mean(axis=2) - inside[:, None]) * change[:, None]).sum(axis=2) / contrast[:, None]
    apart = np.clip(reach * (1 - 2 * shares), -reach, reach)
    ordered = np.sort(apart, axis=1)
    typical = ordered[:, len(ALONG) // 2, None]
    spread = ordered[:, -len(ALONG) // 4, None] - ordered[:, len(ALONG) // 4, None]
    shifts = _lines(apart, (np.abs(apart - typical) <= 2 * spread + 0.2).astype(np.float32))
    return np.asarray(shifts * (contrast > FAINT**2)[:, None], np.float32)


def _lines(heights: Points, weights: Points) -> Points:
    """Straight lines through heights at ALONG: their values at 0 and at 1."""
    total = weights.sum(axis=1)
    middle = (weights * ALONG).sum(axis=1) / total
    level = (weights * heights).sum(axis=1) / total
    spread = ALONG[None] - middle[:, None]
    slope = (weights * spread * heights).sum(axis=1) / np.maximum((weights * spread * spread).sum(axis=1), 1e-3)
    return np.asarray(np.stack((level - slope * middle, level + slope * (1 - middle)), axis=1), np.float32)


def _crossings(starts: Points, ends: Points) -> Points | None:
    """Where each side meets the one before it."""
    a, b = np.roll(starts, 1, axis=0), np.roll(ends, 1, axis=0)
    one, two = b - a, ends - starts
    across = one[:, 0] * two[:, 1] - one[:, 1] * two[:, 0]
    if float(np.abs(across).min()) < 1e-3:
        return None
    gap = starts - a
    share = (gap[:, 0] * two[:, 1] - gap[:, 1] * two[:, 0]) / across
    return np.asarray(a + share[:, None] * one, np.float32)

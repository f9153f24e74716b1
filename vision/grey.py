"""The small grey plane of a picture, for noticing change: 320 wide, or as high as that for pictures on end."""

import cv2
import numpy as np

from vision.frames import Picture, Plane

LONG_SIDE = 320


def grey_size(size: tuple[int, int]) -> tuple[int, int]:
    """Width and height, even as cameras want them, of the same proportions as nearly as that allows."""
    width, height = size
    shrink = min(1.0, LONG_SIDE / max(size))
    return max(2, round(width * shrink / 2) * 2), max(2, round(height * shrink / 2) * 2)


def grey_of(picture: Picture) -> Plane:
    size = grey_size((picture.shape[1], picture.shape[0]))
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # first, because one plane is made smaller in less time than three
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)

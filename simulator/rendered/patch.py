"""A piece of a picture that is laid over another: its colours, weakened where it is not opaque, and how opaque."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.rendered.pinhole import Array
from vision.frames import Picture

Pixels = NDArray[np.uint8]  # rows × columns × (blue, green, red, opacity)


@dataclass(frozen=True, slots=True)
class PatchBox:
    """Pixels from left to before right, from top to before bottom."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def is_empty(self) -> bool:
        return self.right <= self.left or self.bottom <= self.top

    @property
    def size(self) -> tuple[int, int]:
        return self.right - self.left, self.bottom - self.top

    @property
    def slices(self) -> tuple[slice, slice]:
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def within(self, other: "PatchBox") -> "PatchBox":
        """What both have."""
        return PatchBox(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def wider(self, by: int) -> "PatchBox":
        return PatchBox(self.left - by, self.top - by, self.right + by, self.bottom + by)


def box_around(points: Array, by: int = 0) -> PatchBox:
    """The box that holds points, and so many pixels more on each side."""
    low, high = np.floor(points.min(0)).astype(int), np.ceil(points.max(0)).astype(int) + 1
    return PatchBox(int(low[0]) - by, int(low[1]) - by, int(high[0]) + by, int(high[1]) + by)


def whole(picture: Picture) -> PatchBox:
    return PatchBox(0, 0, picture.shape[1], picture.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class Patch:
    """Pixels with their place in a picture; they may reach beyond it."""

    box: PatchBox
    pixels: Pixels

    def over(self, picture: Picture, clip: PatchBox | None = None) -> None:
        """Lay it over the picture, or over the part of it that is in a box."""
        seen = self.box.within(whole(picture))
        if clip is not None:
            seen = seen.within(clip)
        if seen.is_empty:
            return
        rows, columns = seen.slices
        own = self.pixels[
            rows.start - self.box.top : rows.stop - self.box.top,
            columns.start - self.box.left : columns.stop - self.box.left,
        ]
        put(picture[rows, columns], own)


def put(there: Picture, own: Pixels) -> None:
    """Pixels over as many others, which are changed."""
    colours = cv2.cvtColor(own, cv2.COLOR_BGRA2BGR)
    left = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(own, 3)), cv2.COLOR_GRAY2BGR)
    cv2.multiply(there, left, dst=there, scale=1 / 255)
    cv2.add(there, colours, dst=there)


def corners_of(width: float, height: float) -> Array:
    """The outer corners of a texture of so many texels, clockwise from its top left."""
    return np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]])


def warped(texture: Pixels, onto: Array, box: PatchBox, *, fine: float = 1) -> Pixels:
    """A texture with its corners at four points of the picture, in the pixels of a box.

    Drawn so much finer first; with less than 1 it stays as coarse as that.
    """
    source = corners_of(texture.shape[1], texture.shape[0])
    there = (onto - (box.left, box.top) + 0.5) * fine - 0.5
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), there.astype(np.float32))
    width, height = box.size
    size = (round(width * fine), round(height * fine))
    done = cv2.warpPerspective(texture, matrix, size, flags=cv2.INTER_LINEAR)
    return done if fine <= 1 else cv2.resize(done, (width, height), interpolation=cv2.INTER_AREA)

"""Pictures and films, decoded in a process of its own: blue, green, red, upright, eight bits, without holes.

The decoders are OpenCV's and what it brings, and what they are given others made. `vision/apart.py` says what this
process may do; the pixels go back in memory that has no name.
"""

import os
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.apart import Answer, Order, serve
from vision.eye_errors import PictureError
from vision.frames import Picture
from vision.header import DAMAGED, MOST_BYTES, MOST_ROOM, TOO_MUCH, Header, header_of

ROOM = 200_000_000  # bytes beside those that this process begins with
WHITE = 255
_MOST_TOLD = 1e12  # frames, pixels or milliseconds
_ROWS = 256  # at a time, where a picture needs more room than it has


class Decoding:
    """What is asked of this process: pictures, or one film."""

    def __init__(self) -> None:
        self._film: Any = None
        self._memory = os.memfd_create("picture")  # where pixels are handed over: they are taken before the next order

    def answer(self, order: Order, files: list[int]) -> Answer:
        try:
            match order:
                case {"picture": most}:
                    return self._picture(files[0], most)
                case {"film": _}:
                    return self._opened(files[0])
                case _:
                    return self._next()
        except PictureError as error:
            return {"wrong": str(error)}, []

    def _picture(self, number: int, most: int | None) -> Answer:
        with os.fdopen(number, "rb", buffering=0) as file:
            data = file.read(min(os.fstat(number).st_size, MOST_BYTES))
        return self._packed(picture_of(data, most))

    def _opened(self, number: int) -> Answer:
        self._film = cv2.VideoCapture(f"/proc/self/fd/{number}", cv2.CAP_FFMPEG)
        asked = {"width": cv2.CAP_PROP_FRAME_WIDTH, "height": cv2.CAP_PROP_FRAME_HEIGHT}
        asked |= {"rate": cv2.CAP_PROP_FPS, "frames": cv2.CAP_PROP_FRAME_COUNT}
        told = {name: self._told(number) for name, number in asked.items()}
        return {"is_open": self._film.isOpened(), **told}, []

    def _next(self) -> Answer:
        is_good, pixels = self._film.read()
        if not is_good or pixels is None:
            return {}, []
        answer, files = self._packed(np.asarray(pixels, np.uint8))
        return {**answer, "ms": self._told(cv2.CAP_PROP_POS_MSEC)}, files

    def _told(self, number: int) -> float:
        """What the film says of itself; nought for what cannot be."""
        told = float(self._film.get(number))
        return told if 0 <= told < _MOST_TOLD else 0.0

    def _packed(self, picture: Picture) -> Answer:
        os.ftruncate(self._memory, picture.size)
        if os.pwrite(self._memory, np.ascontiguousarray(picture).data, 0) != picture.size:
            raise MemoryError
        return {"shape": picture.shape}, [os.dup(self._memory)]


def main(*words: str) -> None:
    cv2.setNumThreads(1)
    serve(words, ROOM, Decoding().answer)


# --- a picture -------------------------------------------------------------------------------------------------

_SMALLER = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


def _shrink(header: Header, most: int | None) -> int:
    """By what to divide width and height so that no more pixels are left."""
    sizes = (1, *_SMALLER)
    return next((by for by in sizes if not most or header.width * header.height <= most * by * by), sizes[-1])


def picture_of(data: bytes, most: int | None = None) -> Picture:
    """The picture in a file, smaller if it has more than so many pixels; a PictureError says what is wrong with it."""
    header = header_of(data)
    by = _shrink(header, most)
    if len(data) + header.room(by) > MOST_ROOM:
        raise PictureError(TOO_MUCH)
    return _decoded(data, header, by)


def _decoded(data: bytes, header: Header, by: int) -> Picture:
    # A JPEG is decoded smaller; anything else is decoded and then made smaller.
    is_scaled = by > 1 and header.is_scaled
    flags = _SMALLER[by] | cv2.IMREAD_IGNORE_ORIENTATION if is_scaled else cv2.IMREAD_UNCHANGED
    size = (-(-header.width // by), -(-header.height // by))
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
        if by > 1 and pixels is not None and pixels.shape[:2] == (header.height, header.width):
            pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    except cv2.error as error:
        if error.code == cv2.Error.STS_NO_MEM:
            raise MemoryError from None
        pixels = None
    if pixels is None or pixels.shape[:2] != size[::-1]:
        raise PictureError(DAMAGED)
    return upright(_opaque(_eight_bits(pixels)), header.orientation)


def _eight_bits(pixels: NDArray[np.generic]) -> NDArray[np.uint8]:
    if pixels.dtype == np.uint8:
        return np.asarray(pixels, np.uint8)
    if pixels.dtype != np.uint16:
        raise PictureError("has pixels of a kind that the companion cannot read. Save it as JPEG or PNG.")
    return np.asarray(cv2.convertScaleAbs(np.asarray(pixels, np.uint16), alpha=1 / 257), np.uint8)


def _opaque(pixels: NDArray[np.uint8]) -> Picture:
    """Three colours; what is transparent is laid on white."""
    if pixels.ndim == 2 or pixels.shape[2] == 1:
        return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2BGR), np.uint8)
    if pixels.shape[2] == 3:
        return pixels
    whole = np.empty((*pixels.shape[:2], 3), np.uint8)
    for row in range(0, len(pixels), _ROWS):
        part = pixels[row : row + _ROWS].astype(np.uint16)
        alpha = part[..., -1:]
        whole[row : row + _ROWS] = (alpha * part[..., :-1] + (WHITE - alpha) * WHITE + WHITE // 2) // WHITE
    return whole


def upright(picture: Picture, orientation: int) -> Picture:
    """As EXIF wants it: mirrored, turned, or both."""
    if orientation >= 5:
        picture = np.transpose(picture, (1, 0, 2))
    rows = slice(None, None, -1 if orientation in (3, 4, 7, 8) else 1)
    columns = slice(None, None, -1 if orientation in (2, 3, 6, 7) else 1)
    return np.ascontiguousarray(picture[rows, columns])

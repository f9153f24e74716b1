"""One still picture from a file, as the eye wants it: blue, green, red, upright, eight bits, without holes.

Whatever its decoder makes of it happens in a process of its own, one for all pictures.
"""

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from companion.core import plainfile
from companion.core.errors import TooLargeError
from vision.apart import Apart, ApartError, NoRoomError, Order, SpentError, close_all
from vision.eye_errors import PictureError
from vision.frames import Picture
from vision.header import MOST_BYTES, TOO_MUCH, header_of

EMPTY = "is empty."
IDLE = 60.0  # seconds after which the decoder leaves
CRASHED = "cannot be decoded: what decodes it ended over it."
TOO_LONG = "takes too long to decode."
ANEW = "Save it anew as JPEG or PNG."

_decoder = Apart("vision.decoding", idle=IDLE)
atexit.register(_decoder.close)
start_decoder = _decoder.start


def load_picture(path: Path, *, most: int | None = None) -> Picture:
    """The picture in a file, smaller if it has more than so many pixels; a PictureError says what is wrong with it."""
    with _named(path), plainfile.opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if not size:
            raise PictureError(EMPTY)
        if size > MOST_BYTES:
            raise TooLargeError(path, MOST_BYTES)
        picture = decoded(_decoder, {"picture": most}, file.fileno())[1]
        if picture is None:
            raise PictureError(f"{CRASHED} {ANEW}")
        return picture


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height as `load_picture` would give it, without decoding."""
    with _named(path):
        data = plainfile.content(path, MOST_BYTES)
        if not data:
            raise PictureError(EMPTY)
        return header_of(data).upright


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What is wrong begins with the name of the file."""
    try:
        yield
    except PictureError as error:
        raise PictureError(f"{path} {error}") from None
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror or error}.") from None


def decoded(decoder: Apart, order: Order, *files: int, anew: str = ANEW) -> tuple[dict[str, Any], Picture | None]:
    """What a decoder answers, and the pixels with it; none, if it has none. A PictureError says why it has not."""
    try:
        with decoder.turn:
            answer, made = decoder.ask(order, *files)
            try:
                pixels = _pixels(answer, made)
            finally:
                close_all(made)
    except NoRoomError:
        raise PictureError(TOO_MUCH) from None
    except SpentError:
        raise PictureError(f"{TOO_LONG} {anew}") from None
    except ApartError:
        raise PictureError(f"{CRASHED} {anew}") from None
    if "wrong" in answer:
        raise PictureError(str(answer["wrong"]))
    return answer, pixels


def _pixels(answer: dict[str, Any], made: list[int]) -> Picture | None:
    match answer.get("shape"), made:
        case [int(height), int(width), 3], [memory] if 0 < width * height * 3 == os.fstat(memory).st_size:
            picture = np.empty((height, width, 3), np.uint8)
            if os.preadv(memory, [picture.data], 0) == picture.size:
                return picture
    return None

"""One still picture from a file, as the eye wants it: blue, green, red, upright, eight bits, without holes.

The header is read here, before anything is decoded: how large the picture is, which way up, whether all of it is
there. The decoder itself is OpenCV's.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion import plainfile
from vision.exc import PictureError
from vision.frames import Picture

MOST_PIXELS = 100_000_000
MOST_BYTES = 64_000_000
WHITE = 255
_SILENT = 0  # level of OpenCV's log
_ROWS = 256  # at a time, where a picture needs more room than it has

# What cannot be read is at least named: by the bytes it begins with, or has at the fifth place.
_OTHERS = (
    (re.compile(rb"GIF8"), "a GIF"),
    (re.compile(rb"II\*\0|MM\0\*|II\+\0|MM\0\+"), "a TIFF or a raw picture"),
    (re.compile(rb".{4}ftyp(hei|hev|mif|msf)", re.DOTALL), "a HEIC picture"),
    (re.compile(rb".{4}ftypavi", re.DOTALL), "an AVIF picture"),
    (re.compile(rb".{4}ftyp", re.DOTALL), "a film"),
    (re.compile(rb"\x1aE\xdf\xa3|RIFF.{4}AVI ", re.DOTALL), "a film"),
    (re.compile(rb"%PDF"), "a PDF"),
    (re.compile(rb"\0\0\0\x0cJXL |\xff\x0a|\0\0\0\x0cjP  ", re.DOTALL), "a JPEG XL or JPEG 2000 picture"),
    (re.compile(rb"\s*<(\?xml|svg)"), "a drawing (SVG)"),
)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of its picture before it is decoded."""

    width: int
    height: int
    orientation: int = 1  # as EXIF counts them

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height of the picture when it is the right way up."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)


_BROKEN_OFF = "is damaged: it breaks off before its end. Copy it or take it again."
_DAMAGED = "is damaged and cannot be decoded. Copy it or take it again."
_ANIMATED = "is animated. Save one of its pictures as JPEG or PNG."


def load_picture(path: Path, *, most: int | None = None) -> Picture:
    """The picture in a file, smaller if it has more than so many pixels; a PictureError says what is wrong with it."""
    data = _bytes(path)
    with _named(path):
        header = _header(data)
        return _decoded(data, header, _shrink(header, most))


def picture_size(path: Path) -> tuple[int, int]:
    """Width and height as `load_picture` would give it, without decoding."""
    data = _bytes(path)
    with _named(path):
        return _header(data).upright


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """What is wrong begins with the name of the file."""
    try:
        yield
    except PictureError as error:
        raise PictureError(f"{path} {error}") from None


def _bytes(path: Path) -> bytes:
    try:
        data = plainfile.content(path, MOST_BYTES)
    except OSError as error:
        raise PictureError(f"{path} cannot be read: {error.strerror or error}.") from None
    if not data:
        raise PictureError(f"{path} is empty.")
    return data


# --- Before decoding


def _header(data: bytes) -> Header:
    """Of a whole picture that may be decoded; whatever else it is, a PictureError."""
    kinds = ((b"\xff\xd8\xff", _jpeg), (b"\x89PNG\r\n\x1a\n", _png), (b"BM", _bmp))
    read = next((read for start, read in kinds if data.startswith(start)), None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        read = _webp
    if read is None:
        raise _unknown(data)
    try:
        return read(data)
    except (struct.error, IndexError):  # a header that is shorter than it must be
        raise PictureError(_BROKEN_OFF) from None


def _unknown(data: bytes) -> PictureError:
    for start, name in _OTHERS:
        if start.match(data[:64]):
            return PictureError(f"is {name}, which the companion cannot read. Save it as JPEG or PNG.")
    return PictureError("is not a picture that the companion can read: JPEG, PNG, WebP and BMP are.")


def _sized(width: int, height: int, orientation: int = 1) -> Header:
    if width < 1 or height < 1:
        raise PictureError("has no pixels.")
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"is too large: {width} × {height} are {round(width * height / 1e6)} megapixels, and "
            f"{MOST_PIXELS // 10**6} is the most. Make it smaller."
        )
    return Header(width, height, orientation)


_SCANNED = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")  # the next marker that is not part of the scan


def _jpeg(data: bytes) -> Header:
    found, orientation = None, 1
    for marker, start, end in _segments(data):
        if marker == 0xE1 and data[start : start + 6] == b"Exif\0\0":
            orientation = _orientation(data[start + 6 : end])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, start + 1)
            found = _sized(width, height)
    if found is None:
        raise PictureError(_DAMAGED)
    return Header(found.width, found.height, orientation)


def _segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Marker, start and end of each segment; a JPEG without an end marker after its last scan breaks off."""
    place = 2
    while marker := _SCANNED.search(data, place):
        code = marker[1][0]
        if code == 0xD9:
            return
        (length,) = struct.unpack_from(">H", data, marker.end())
        yield code, marker.end() + 2, marker.end() + length
        place = marker.end() + max(2, length)
    raise PictureError(_BROKEN_OFF)


def _png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    header, orientation, place, kind = _sized(width, height), 1, 8, b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + 8 + length]
        (check,) = struct.unpack_from(">I", data, place + 8 + length)
        if kind[:1].isupper() and zlib.crc32(content, zlib.crc32(kind)) != check:
            raise PictureError(_DAMAGED)
        if kind == b"acTL":
            raise PictureError(_ANIMATED)
        if kind == b"eXIf":
            orientation = _orientation(content)
        place += 12 + length
    return Header(header.width, header.height, orientation)


def _webp(data: bytes) -> Header:
    (length,) = struct.unpack_from("<I", data, 4)
    if length + 8 > len(data):
        raise PictureError(_BROKEN_OFF)
    header, orientation, place = None, 1, 12
    while place + 8 <= length + 8:
        kind, size = struct.unpack_from("<4sI", data, place)
        content = data[place + 8 : place + 8 + size]
        if kind in (b"ANIM", b"ANMF"):
            raise PictureError(_ANIMATED)
        if kind == b"EXIF":
            orientation = _orientation(content.removeprefix(b"Exif\0\0"))
        header = header or _webp_size(kind, content)
        place += 8 + size + size % 2
    if header is None:
        raise PictureError(_DAMAGED)
    return Header(header.width, header.height, orientation)


def _webp_size(kind: bytes, content: bytes) -> Header | None:
    match kind:
        case b"VP8X":
            return _sized(int.from_bytes(content[4:7], "little") + 1, int.from_bytes(content[7:10], "little") + 1)
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", content, 6)
            return _sized(width & 0x3FFF, height & 0x3FFF)
        case b"VP8L":
            bits = int.from_bytes(content[1:5], "little")
            return _sized((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    return None


def _bmp(data: bytes) -> Header:
    start, size = struct.unpack_from("<II", data, 10)
    if size == 12:
        width, height, _, depth = struct.unpack_from("<HHHH", data, 18)
        packing = 0
    else:
        width, height, _, depth, packing = struct.unpack_from("<iiHHI", data, 18)
    header = _sized(width, abs(height))
    if packing in (0, 3) and start + (width * depth + 31) // 32 * 4 * abs(height) > len(data):
        raise PictureError(_BROKEN_OFF)
    return header


def _orientation(exif: bytes) -> int:
    """The one number of EXIF that matters here; upright where it is not readable."""
    order = {b"II": "<", b"MM": ">"}.get(exif[:2])
    if order is None:
        return 1
    try:
        (place,) = struct.unpack_from(order + "I", exif, 4)
        (count,) = struct.unpack_from(order + "H", exif, place)
        for entry in range(place + 2, place + 2 + 12 * count, 12):
            tag, _, _, value = struct.unpack_from(order + "HHIH", exif, entry)
            if tag == 0x0112:
                return int(value) if 1 <= value <= 8 else 1
    except struct.error:
        pass
    return 1


# --- Decoding


_SMALLER = {2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8}


def _shrink(header: Header, most: int | None) -> int:
    """By what to divide width and height so that no more pixels are left."""
    sizes = (1, *_SMALLER)
    return next((by for by in sizes if not most or header.width * header.height <= most * by * by), sizes[-1])


def _decoded(data: bytes, header: Header, by: int) -> Picture:
    # A JPEG is decoded smaller; anything else is decoded and then made smaller.
    flags = _SMALLER[by] | cv2.IMREAD_IGNORE_ORIENTATION if by > 1 and data[:2] == b"\xff\xd8" else cv2.IMREAD_UNCHANGED
    size = (-(-header.width // by), -(-header.height // by))
    try:
        with quiet_opencv():
            pixels = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
            if by > 1 and pixels is not None and pixels.shape[:2] == (header.height, header.width):
                pixels = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA)
    except (cv2.error, MemoryError):
        pixels = None
    if pixels is None or pixels.shape[:2] != size[::-1]:
        raise PictureError(_DAMAGED)
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


@contextmanager
def quiet_opencv() -> Iterator[None]:
    """What is wrong is said in a sentence of our own; OpenCV's log would go to the screen beside it."""
    opencv: Any = cv2
    logging = opencv if hasattr(opencv, "setLogLevel") else opencv.utils.logging  # OpenCV 4 and 5
    before = logging.getLogLevel()
    logging.setLogLevel(_SILENT)
    try:
        yield
    finally:
        logging.setLogLevel(before)

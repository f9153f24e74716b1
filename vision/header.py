"""What the file of a picture says before it is decoded: how large it is, which way up, whether all of it is there, and
how much memory decoding takes. All of this is read here, in Python; what is inside is left to others.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from vision.eye_errors import PictureError

MOST_PIXELS = 100_000_000
MOST_BYTES = 64_000_000  # of a file
MOST_ROOM = 160_000_000  # bytes that a picture takes while it is decoded, its file included
_MOST_PARTS = 100_000  # segments or chunks; a large picture has ten thousand

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
    """What a file says of its picture."""

    width: int
    height: int
    orientation: int = 1  # as EXIF counts them
    decoded: float = 3.0  # bytes for a pixel, as it comes out of the decoder
    kept: float = 0.0  # bytes for a pixel that the decoder keeps of the whole picture meanwhile
    is_scaled: bool = False  # the decoder itself makes it smaller

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height of the picture when it is the right way up."""
        return (self.height, self.width) if self.orientation >= 5 else (self.width, self.height)

    def room(self, by: int) -> float:
        """Bytes that it takes to decode it and to have it so many times smaller."""
        whole, small = self.width * self.height, self.width * self.height / by**2
        return whole * self.kept + (small if self.is_scaled else whole) * self.decoded + small * 3


_BROKEN_OFF = "is damaged: it breaks off before its end. Copy it or take it again."
DAMAGED = "is damaged and cannot be decoded. Copy it or take it again."
TOO_MUCH = "takes too much memory to decode. Make it smaller, or save it as JPEG."
_ANIMATED = "is animated. Save one of its pictures as JPEG or PNG."


def header_of(data: bytes) -> Header:
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


def _sized(width: int, height: int) -> Header:
    if width < 1 or height < 1:
        raise PictureError("has no pixels.")
    if width * height > MOST_PIXELS:
        raise PictureError(
            f"is too large: {width} × {height} are {round(width * height / 1e6)} megapixels, and "
            f"{MOST_PIXELS // 10**6} is the most. Make it smaller."
        )
    return Header(width, height)


_SCANNED = re.compile(rb"\xff([^\x00\xff\xd0-\xd7])")  # the next marker that is not part of the scan


Part = TypeVar("Part")


def _few(parts: Iterator[Part]) -> Iterator[Part]:
    """As many as a picture has; more of them, however small, would take very long."""
    for number, part in enumerate(parts):
        if number == _MOST_PARTS:
            raise PictureError("has more parts than any picture has. Save it anew as JPEG or PNG.")
        yield part


def _jpeg(data: bytes) -> Header:
    found, exif, scans = None, b"", 0
    for marker, start, end in _few(_segments(data)):
        if marker == 0xE1 and not exif and data[start : start + 6] == b"Exif\0\0":
            exif = data[start + 6 : end]
        elif marker == 0xDA:
            scans += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width, colours = struct.unpack_from(">HHB", data, start + 1)
            samples = _samples(data[start + 6 : start + 6 + 3 * colours])
            found = replace(_sized(width, height), decoded=min(colours, 3), kept=2 * samples, is_scaled=True)
    if found is None:
        raise PictureError(DAMAGED)
    return replace(found, orientation=_orientation(exif), kept=found.kept if scans > 1 else 0)


def _samples(components: bytes) -> float:
    """For a pixel, of all colours, some of which are coarser than others."""
    factors = [(each >> 4) * (each & 15) for each in components[1::3]]
    return sum(factors) / max([1, *factors])


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


_CHANNELS = {0: 1, 2: 3, 3: 3}  # of a PNG's kinds of colours; the others have four


def _png(data: bytes) -> Header:
    width, height, depth, colours = struct.unpack_from(">IIBB", data, 16)
    channels, exif = _CHANNELS.get(colours, 4), b""
    for kind, content in _few(_chunks(data)):
        if kind == b"acTL":
            raise PictureError(_ANIMATED)
        if kind == b"eXIf":
            exif = exif or content
    header = replace(_sized(width, height), orientation=_orientation(exif))
    return replace(header, decoded=channels * (3 if depth == 16 else 1))  # sixteen bits, and then eight of them


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Those that matter are whole."""
    place, kind = 8, b""
    while kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", data, place)
        content = data[place + 8 : place + 8 + length]
        (check,) = struct.unpack_from(">I", data, place + 8 + length)
        if kind[:1].isupper() and zlib.crc32(content, zlib.crc32(kind)) != check:
            raise PictureError(DAMAGED)
        yield kind, content
        place += 12 + length


def _webp(data: bytes) -> Header:
    header, exif = None, b""
    for kind, content in _few(_pieces(data)):
        if kind in (b"ANIM", b"ANMF"):
            raise PictureError(_ANIMATED)
        if kind == b"EXIF":
            exif = exif or content.removeprefix(b"Exif\0\0")
        header = header or _webp_size(kind, content)
    if header is None:
        raise PictureError(DAMAGED)
    return replace(header, orientation=_orientation(exif), decoded=4, kept=4)


def _pieces(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    (length,) = struct.unpack_from("<I", data, 4)
    if length + 8 > len(data):
        raise PictureError(_BROKEN_OFF)
    place = 12
    while place + 8 <= length + 8:
        kind, size = struct.unpack_from("<4sI", data, place)
        yield kind, data[place + 8 : place + 8 + size]
        place += 8 + size + size % 2


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

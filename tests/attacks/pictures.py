"""Pictures and films that were made to crash, hold up, fill or command whoever decodes them."""

import random
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from tests.attacks.attack import Attack
from tests.attacks.files import a_length, a_pipe
from tests.attacks.meter import MOST, companion, must_be_refused

CLEAR_SCREEN = b"\x1b[2J\x1b]0;yours\x07"


# --- PNG -------------------------------------------------------------------------------------------------------


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, *, depth: int = 8, more: bytes = b"", rows: bytes | None = None) -> bytes:
    """One of nothing but black, with other chunks in it."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, 2, 0, 0, 0))
    return (
        b"\x89PNG\r\n\x1a\n" + head + more + chunk(b"IDAT", rows or _black(width, height, depth)) + chunk(b"IEND", b"")
    )


def _black(width: int, height: int, depth: int) -> bytes:
    packed, row = zlib.compressobj(1), bytes(1 + width * 3 * depth // 8)
    return b"".join(packed.compress(row) for _ in range(height)) + packed.flush()


def huge_png() -> bytes:
    return png(10_000, 10_000, depth=16)


def speaking_png() -> bytes:
    """libpng prints the name of a profile that it does not like."""
    profile = struct.pack(">I", 400) + random.Random(1).randbytes(396)
    return png(640, 480, more=chunk(b"iCCP", CLEAR_SCREEN + b"\0\0" + zlib.compress(profile)))


def png_of_chunks() -> bytes:
    return png(64, 48, more=chunk(b"teXt", b"") * 5_000_000)


def swelling_png() -> bytes:
    """Texts that are a thousand times as long when they are unpacked."""
    text = chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(7_900_000), 9))
    return png(64, 48, more=text * 1000)


# --- JPEG ------------------------------------------------------------------------------------------------------


def jpeg(width: int, height: int, *, progressive: bool = False) -> bytes:
    pixels = np.zeros((height, width), np.uint8)
    pixels[::400, ::400] = 255
    done, data = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_PROGRESSIVE, int(progressive)])
    assert done
    return data.tobytes()


def jpeg_of_scans() -> bytes:
    """A thousand scans over twenty megapixels."""
    data = jpeg(5000, 4000, progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:last] + data[last:-2] * 1000 + data[-2:]


def jpeg_of_segments(count: int = 5_000_000) -> bytes:
    data = jpeg(64, 48)
    return data[:2] + b"\xff\xe1\x00\x02" * count + data[2:]


def large_progressive_jpeg() -> bytes:
    return jpeg(10_000, 10_000, progressive=True)


def jpeg_of_restarts() -> bytes:
    data = jpeg(64, 48)
    return data[:-2] + b"\xff\xd0" * 31_000_000 + data[-2:]


# --- others ----------------------------------------------------------------------------------------------------


def huge_webp() -> bytes:
    head = b"VP8L" + struct.pack("<I", 10) + b"\x2f" + (9999 | 9999 << 14).to_bytes(4, "little") + bytes(5)
    return b"RIFF" + struct.pack("<I", 4 + len(head)) + b"WEBP" + head


def webp_of_pieces() -> bytes:
    content = (b"junk" + bytes(4)) * 7_000_000
    return b"RIFF" + struct.pack("<I", 4 + len(content)) + b"WEBP" + content


def packed_bmp() -> bytes:
    """Its pixels are told in a few bytes."""
    head = struct.pack("<IiiHHIIiiII", 40, 9999, 9999, 1, 8, 1, 64, 0, 0, 256, 0)
    return b"BM" + struct.pack("<IHHI", 54 + 1024 + 64, 0, 0, 54 + 1024) + head + bytes(1024 + 64)


PICTURES: dict[str, Callable[[], bytes]] = {
    "a PNG of 10,000 × 10,000 with 16 bits": huge_png,
    "a PNG of five million chunks": png_of_chunks,
    "a JPEG of 1,000 scans": jpeg_of_scans,
    "a JPEG of five million empty segments": jpeg_of_segments,
    "a progressive JPEG of 100 megapixels": large_progressive_jpeg,
    "a WebP of 10,000 × 10,000 in 30 bytes": huge_webp,
    "a WebP of seven million pieces": webp_of_pieces,
    "a BMP of 9,999 × 9,999 in 1 kB": packed_bmp,
}

# Odd, but pictures: they are decoded, and then there is no table in them.
ODD: dict[str, Callable[[], bytes]] = {
    "a PNG that speaks to the terminal": speaking_png,
    "a PNG whose texts swell": swelling_png,
    "a JPEG of 31 million restarts": jpeg_of_restarts,
}


def refused(make: Callable[[], bytes]) -> Callable[[Path], str]:
    def run(folder: Path) -> str:
        (folder / "table.jpg").write_bytes(make())
        return must_be_refused(companion("read", "table.jpg", folder=folder), "table.jpg")

    return run


def looked_at(make: Callable[[], bytes]) -> Callable[[Path], str]:
    """Nothing of it reaches the terminal, and it takes no longer than what is refused."""

    def run(folder: Path) -> str:
        (folder / "table.jpg").write_bytes(make())
        found = companion("read", "table.jpg", folder=folder)
        said = (found.told + found.complaint).splitlines()
        assert len(said) == 1 and said[0].isprintable(), repr(said)[:500]  # noqa: PT018
        assert found.is_bearable, found.cost
        return f"{said[0].removeprefix('companion: ')[:160]} ({found.cost})"

    return run


# --- films -----------------------------------------------------------------------------------------------------


def film(path: Path, frames: int = 30) -> None:
    writer = cv2.VideoWriter(str(path), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*"mp4v"), 30, (320, 240))
    chance = np.random.default_rng(3)
    for _ in range(frames):
        writer.write(chance.integers(0, 255, (240, 320, 3), np.uint8))
    writer.release()


def a_playlist(path: Path) -> None:
    """It leads to other files, and to other computers."""
    path.write_text("#EXTM3U\n#EXTINF:1,\n/etc/passwd\n#EXTINF:1,\nhttp://127.0.0.1:9/x.ts\n", encoding="ascii")


def a_large_film(path: Path) -> None:
    code, beside = cv2.VideoWriter.fourcc(*"MJPG"), path.with_suffix(".avi")
    writer = cv2.VideoWriter(str(beside), cv2.CAP_FFMPEG, code, 30, (6000, 6000))
    writer.write(np.zeros((6000, 6000, 3), np.uint8))
    writer.release()
    beside.rename(path)


FILMS: dict[str, Callable[[Path], None]] = {
    "a pipe": a_pipe,
    "10 GB of nothing": a_length,
    "a list of other films": a_playlist,
    "6,000 × 6,000": a_large_film,
}


def filmed(make: Callable[[Path], None]) -> Callable[[Path], str]:
    def run(folder: Path) -> str:
        make(folder / "film.mp4")
        return must_be_refused(companion("watch", "film.mp4", folder=folder), "film.mp4")

    return run


def spoilt_films(folder: Path) -> str:
    """A hundred bytes of each are others; nothing is printed but sentences."""
    film(folder / "whole.mp4")
    whole, chance, worst, most = (folder / "whole.mp4").read_bytes(), random.Random(5), 0.0, 0
    for number in range(12):
        spoilt = bytearray(whole)
        for _ in range(100):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        (folder / "film.mp4").write_bytes(spoilt)
        found = companion("watch", "film.mp4", folder=folder)
        assert found.code in (0, 2), f"{number}: {found.code} {found.complaint[-300:]}"
        assert "Traceback" not in found.complaint, found.complaint[-500:]
        assert all(line.isprintable() for line in found.complaint.splitlines()), found.complaint[:300]
        worst, most = max(worst, found.seconds), max(most, found.megabytes)
    assert most <= MOST, f"{most} MB"
    return f"12 of 12 ended in order, within {worst:.1f} s and {most} MB"


def _attacks() -> Iterator[Attack]:
    for what, make in PICTURES.items():
        yield Attack("picture", what, refused(make))
    for what, make in ODD.items():
        yield Attack("picture", what, looked_at(make))
    for what, wrong in FILMS.items():
        yield Attack("film", f"a film is {what}", filmed(wrong))
    yield Attack("film", "with bytes changed", spoilt_films)


ATTACKS = tuple(_attacks())

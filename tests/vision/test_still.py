"""One still from a file: what it holds comes out upright and opaque, and what is wrong with it is one sentence."""

import os
import signal
import struct
import zlib
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.attacks import pictures
from vision import still
from vision.apart import Apart, Order
from vision.eye_errors import PictureError
from vision.frames import Picture
from vision.header import MOST_BYTES
from vision.still import decoded, load_picture, picture_size

PNG = b"\x89PNG\r\n\x1a\n"
RED, GREEN, BLUE, GREY = (40, 40, 220), (60, 200, 60), (220, 60, 40), (128, 128, 128)


def quarters(width: int = 96, height: int = 64) -> Picture:
    """A picture that looks different any way it is turned."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[: height // 2, : width // 2], picture[: height // 2, width // 2 :] = RED, GREEN
    picture[height // 2 :, : width // 2], picture[height // 2 :, width // 2 :] = BLUE, GREY
    return picture


def encoded(kind: str, pixels: NDArray[np.generic]) -> bytes:
    done, data = cv2.imencode(kind, pixels)
    assert done
    return data.tobytes()


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *more: bytes) -> bytes:
    """A PNG from its parts, which need not fit together."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return PNG + head + b"".join(more) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def exif(orientation: int, order: str = ">") -> bytes:
    head = b"MM\0*" if order == ">" else b"II*\0"
    entries = [(0x010F, 2, 4, 0x41424300), (0x0112, 3, 1, orientation << 16 if order == ">" else orientation)]
    body = b"".join(struct.pack(order + "HHII", *entry) for entry in entries)
    return head + struct.pack(order + "IH", 8, len(entries)) + body + b"\0\0\0\0"


def with_exif(jpeg: bytes, tiff: bytes) -> bytes:
    content = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content + jpeg[2:]


def corners(picture: Picture) -> list[tuple[int, ...]]:
    """The colours near the four corners, clockwise, as the nearest of ours."""
    rows, columns = picture.shape[0] // 4, picture.shape[1] // 4
    places = ((rows, columns), (rows, -columns), (-rows, -columns), (-rows, columns))
    return [
        min((RED, GREEN, BLUE, GREY), key=lambda colour: int(np.abs(np.subtract(picture[place], colour)).sum()))
        for place in places
    ]


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[bytes], Path]:
    def keep(data: bytes) -> Path:
        path = tmp_path / "picture"
        path.write_bytes(data)
        return path

    return keep


Keep = Callable[[bytes], Path]

# --- What can be read


def test_nobody_is_given_the_picture_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pixels lie in memory that the next picture is written to; here that is asked for before they are taken."""
    dark, light = tmp_path / "dark.png", tmp_path / "light.png"
    for path, value in ((dark, 10), (light, 200)):
        path.write_bytes(encoded(".png", np.full((48, 64, 3), value, np.uint8)))
    load_picture(dark)
    take, others = still._pixels, [Thread(target=load_picture, args=(light,))]

    def late(*given: Any) -> Picture | None:
        for other in [others.pop()] if others else []:
            other.start()
            other.join(0.3)
        return take(*given)

    monkeypatch.setattr(still, "_pixels", late)
    assert (load_picture(dark) == 10).all()


@pytest.mark.parametrize("kind", [".png", ".bmp", ".jpg", ".webp"])
def test_a_picture_is_what_it_was(kept: Keep, kind: str) -> None:
    path = kept(encoded(kind, quarters()))
    assert corners(load_picture(path)) == [RED, GREEN, GREY, BLUE]
    assert picture_size(path) == (96, 64)
    if kind in (".png", ".bmp"):
        assert np.array_equal(load_picture(path), quarters())


@pytest.mark.parametrize("kind", [".png", ".jpg"])
def test_grey_becomes_three_equal_colours(kept: Keep, kind: str) -> None:
    picture = load_picture(kept(encoded(kind, np.full((20, 30), 77, np.uint8))))
    assert picture.shape == (20, 30, 3)
    assert (picture == 77).all()


def test_alpha_is_laid_on_white(kept: Keep) -> None:
    pixels = np.zeros((600, 4, 4), np.uint8)  # more rows than are done at a time
    pixels[..., :3], pixels[..., 3] = (0, 100, 200), 51  # a fifth
    pixels[300:, :, 3] = 0
    picture = load_picture(kept(encoded(".png", pixels)))
    assert picture[0, 0].tolist() == [204, 224, 244]
    assert (picture[300:] == 255).all()


def test_grey_with_alpha_is_laid_on_white(kept: Keep) -> None:
    picture = load_picture(kept(png(2, 1, 8, 4, bytes([0, 100, 255, 100, 0]))))
    assert picture.tolist() == [[[100] * 3, [255] * 3]]


@pytest.mark.parametrize(
    ("value", "becomes"), [(0, 0), (65535, 255), (257 * 80, 80), (257 * 80 + 128, 80), (12850, 50)]
)
def test_sixteen_bits_become_eight(kept: Keep, value: int, becomes: int) -> None:
    assert (load_picture(kept(encoded(".png", np.full((8, 8, 3), value, np.uint16)))) == becomes).all()


def test_sixteen_bits_with_alpha(kept: Keep) -> None:
    pixels = np.full((4, 4, 4), 257 * 100, np.uint16)
    pixels[..., 3] = 0
    assert (load_picture(kept(encoded(".png", pixels))) == 255).all()


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_a_palette_is_looked_up(kept: Keep, depth: int) -> None:
    palette = chunk(b"PLTE", bytes([*RED[::-1], *GREEN[::-1]]))
    picture = load_picture(kept(png(1, 2, depth, 3, bytes([0, 0, 0, 1 << (8 - depth)]), palette)))
    assert [row[0].tolist() for row in picture] == [list(RED), list(GREEN)]


def test_a_palette_with_transparency_is_laid_on_white(kept: Keep) -> None:
    more = chunk(b"PLTE", bytes([*RED[::-1], *GREEN[::-1]])), chunk(b"tRNS", bytes([255, 0]))
    picture = load_picture(kept(png(2, 1, 8, 3, bytes([0, 0, 1]), *more)))
    assert picture.tolist() == [[list(RED), [255] * 3]]


TURNED = {
    1: [RED, GREEN, GREY, BLUE],
    2: [GREEN, RED, BLUE, GREY],
    3: [GREY, BLUE, RED, GREEN],
    4: [BLUE, GREY, GREEN, RED],
    5: [RED, BLUE, GREY, GREEN],
    6: [BLUE, RED, GREEN, GREY],
    7: [GREY, GREEN, RED, BLUE],
    8: [GREEN, GREY, BLUE, RED],
}


@pytest.mark.parametrize("orientation", TURNED)
@pytest.mark.parametrize("order", [">", "<"])
def test_exif_turns_a_jpeg(kept: Keep, orientation: int, order: str) -> None:
    path = kept(with_exif(encoded(".jpg", quarters()), exif(orientation, order)))
    picture = load_picture(path)
    assert corners(picture) == TURNED[orientation]
    assert picture_size(path) == (picture.shape[1], picture.shape[0]) == ((96, 64) if orientation < 5 else (64, 96))


def test_exif_is_understood_as_opencv_does(kept: Keep) -> None:
    for orientation in TURNED:
        data = with_exif(encoded(".jpg", quarters()), exif(orientation))
        theirs = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert np.array_equal(load_picture(kept(data)), theirs)


def test_exif_turns_a_png(kept: Keep) -> None:
    data = encoded(".png", quarters())
    assert corners(load_picture(kept(data[:33] + chunk(b"eXIf", exif(6)) + data[33:]))) == TURNED[6]


@pytest.mark.parametrize("lead", [b"", b"Exif\0\0"])
def test_exif_turns_a_webp(kept: Keep, lead: bytes) -> None:
    plain = encoded(".webp", quarters())[12:]
    size = (95).to_bytes(3, "little") + (63).to_bytes(3, "little")
    body = b"WEBPVP8X" + struct.pack("<II", 10, 0x08) + size + plain
    more = lead + exif(6, "<")
    body += b"EXIF" + struct.pack("<I", len(more)) + more
    path = kept(b"RIFF" + struct.pack("<I", len(body)) + body)
    assert corners(load_picture(path)) == TURNED[6]
    assert picture_size(path) == (64, 96)


@pytest.mark.parametrize("tiff", [b"", b"MM", exif(9), exif(0), exif(6)[:20], b"XX" + exif(6)[2:]])
def test_exif_that_makes_no_sense_turns_nothing(kept: Keep, tiff: bytes) -> None:
    assert corners(load_picture(kept(with_exif(encoded(".jpg", quarters()), tiff)))) == TURNED[1]


def test_progressive_jpegs_and_what_follows_a_jpeg(kept: Keep) -> None:
    _, data = cv2.imencode(".jpg", quarters(), [cv2.IMWRITE_JPEG_PROGRESSIVE, 1, cv2.IMWRITE_JPEG_RST_INTERVAL, 2])
    assert corners(load_picture(kept(data.tobytes() + b"some maker's note"))) == TURNED[1]


# --- What cannot


def sentence(path: Path) -> str:
    """The one sentence that comes instead of a picture."""
    with pytest.raises(PictureError) as caught:
        load_picture(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix(str(path)).strip()


def test_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "is a folder" in sentence(tmp_path)
    assert "No such file" in sentence(tmp_path / "nothing")
    assert "not a file" in sentence(tmp_path / "pipe")
    assert "not a file" in sentence(Path("/dev/zero"))


def test_a_file_that_may_not_be_read(kept: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    path = kept(encoded(".png", quarters()))
    monkeypatch.setattr(os, "open", refuse)
    assert sentence(path) == "cannot be read: Permission denied."


def test_an_empty_file_and_one_that_is_no_picture(kept: Keep) -> None:
    assert sentence(kept(b"")) == "is empty."
    assert "not a picture" in sentence(kept(b"Dear diary, today"))
    assert "not a picture" in sentence(kept(b"\0"))


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"GIF89a", "GIF"),
        (b"II*\0", "TIFF"),
        (b"\0\0\0\x18ftypheic", "HEIC"),
        (b"\0\0\0\x18ftypavif", "AVIF"),
        (b"\0\0\0\x18ftypisom", "film"),
        (b"%PDF-1.7", "PDF"),
        (b'<?xml version="1.0"?><svg>', "SVG"),
    ],
)
def test_other_kinds_are_named(kept: Keep, start: bytes, name: str) -> None:
    said = sentence(kept(start + bytes(100)))
    assert name in said
    assert "Save it as JPEG or PNG" in said


def test_animated_pictures(kept: Keep) -> None:
    moving = chunk(b"acTL", struct.pack(">II", 2, 0))
    assert "animated" in sentence(kept(png(1, 1, 8, 0, b"\0\0", moving)))
    body = b"WEBPVP8X" + struct.pack("<I", 10) + bytes(10) + b"ANIM" + struct.pack("<I", 6) + bytes(6)
    assert "animated" in sentence(kept(b"RIFF" + struct.pack("<I", len(body)) + body))


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp", ".bmp"])
def test_a_picture_that_breaks_off(kept: Keep, kind: str) -> None:
    whole = encoded(kind, np.random.default_rng(1).integers(0, 255, (120, 160, 3)).astype(np.uint8))
    for share in (0.999, 0.9, 0.5, 0.1):
        assert "breaks off" in sentence(kept(whole[: int(len(whole) * share)])), share


def test_a_jpeg_with_a_preview_inside_breaks_off(kept: Keep) -> None:
    """Its preview has an end of its own, which is not the picture's."""
    preview = encoded(".jpg", quarters(32, 16))
    whole = with_exif(encoded(".jpg", quarters()), exif(1) + preview)
    assert corners(load_picture(kept(whole))) == TURNED[1]
    assert "breaks off" in sentence(kept(whole[:-10]))


def test_a_damaged_png(kept: Keep) -> None:
    whole = bytearray(encoded(".png", quarters()))
    whole[whole.index(b"IDAT") + 20] ^= 4
    path = kept(bytes(whole))
    assert "is damaged" in sentence(path)
    with pytest.raises(PictureError, match="is damaged"):  # its checksums say so
        picture_size(path)


def test_pixels_that_are_missing(kept: Keep) -> None:
    assert "is damaged" in sentence(kept(png(64, 64, 8, 2, b"\0" * 100)))


def test_no_pixels_at_all(kept: Keep) -> None:
    assert sentence(kept(png(0, 5, 8, 0, b""))) == "has no pixels."


def huge_jpeg() -> bytes:
    data = bytearray(encoded(".jpg", quarters()))
    place = data.index(b"\xff\xc0") + 5
    data[place : place + 4] = struct.pack(">HH", 60_000, 60_000)
    return bytes(data)


@pytest.mark.parametrize("data", [png(30_000, 30_000, 8, 2, b""), huge_jpeg()], ids=["png", "jpeg"])
def test_a_huge_picture_is_refused_before_it_is_decoded(
    kept: Keep, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)  # nobody must call it
    assert "megapixels, and 100 is the most" in sentence(kept(data))


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    assert sentence(path) == "cannot be read: it is larger than 64 MB."


@pytest.mark.parametrize(
    "make",
    [pictures.huge_webp, pictures.packed_bmp, lambda: pictures.png(10_000, 10_000, depth=16, rows=b"x")],
    ids=["webp", "bmp", "png"],
)
def test_a_picture_that_would_take_all_memory(kept: Keep, make: Callable[[], bytes]) -> None:
    assert "takes too much memory to decode" in sentence(kept(make()))


def test_a_picture_of_nothing_but_parts(kept: Keep) -> None:
    assert "has more parts than any picture has" in sentence(kept(pictures.jpeg_of_segments(100_000)))


def test_the_decoder_says_nothing_to_the_terminal(kept: Keep, capfd: pytest.CaptureFixture[str]) -> None:
    assert load_picture(kept(pictures.speaking_png())).shape == (480, 640, 3)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ({"signal": signal.SIGSEGV}, "cannot be decoded: what decodes it ended over it."),
        ({"take": 10**9}, "takes too much memory to decode."),
        ({"sleep": 9}, "takes too long to decode."),
        ({"say": "nothing"}, "cannot be decoded: what decodes it ended over it."),
    ],
)
def test_a_decoder_that_fails(kept: Keep, monkeypatch: pytest.MonkeyPatch, order: Order, said: str) -> None:
    with closing(Apart("tests.vision.working", patience=0.3 if "sleep" in order else 30)) as odd:
        monkeypatch.setattr(odd, "ask", partial(lambda ask, _order: ask(order), odd.ask))
        monkeypatch.setattr(still, "_decoder", odd)
        monkeypatch.setattr(still, "decoded", lambda decoder, order, _file: decoded(decoder, order))
        assert said in sentence(kept(encoded(".png", quarters())))


@given(data=st.data())
def test_no_damage_does_worse_than_a_sentence(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from([".jpg", ".png", ".bmp", ".webp"]))
    whole = bytearray(with_exif(encoded(kind, quarters()), exif(6)) if kind == ".jpg" else encoded(kind, quarters()))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(bytes(whole[: data.draw(st.integers(0, len(whole)))]))
    with suppress(PictureError):
        picture = load_picture(path)
        assert picture.dtype == np.uint8
        assert picture.shape[2] == 3


# --- smaller


@pytest.mark.parametrize("kind", [".jpg", ".png", ".webp"])
@pytest.mark.parametrize(("most", "size"), [(10**6, (97, 65)), (4000, (49, 33)), (1000, (25, 17)), (1, (13, 9))])
def test_a_large_picture_is_handed_over_smaller(kept: Keep, kind: str, most: int, size: tuple[int, int]) -> None:
    path = kept(encoded(kind, quarters(97, 65)))
    picture = load_picture(path, most=most)
    assert picture.shape[1::-1] == size
    assert np.abs(corners_of(picture) - corners_of(load_picture(path))).max() < 16
    assert picture_size(path) == (97, 65)


def test_what_is_smaller_is_turned_too(kept: Keep) -> None:
    path = kept(with_exif(encoded(".jpg", quarters()), exif(6)))
    whole, less = load_picture(path), load_picture(path, most=2000)
    assert less.shape[:2] == (48, 32)
    assert np.abs(corners_of(less) - corners_of(whole)).max() < 16


def test_what_is_smaller_breaks_off_all_the_same(kept: Keep) -> None:
    assert "breaks off" in sentence(kept(encoded(".jpg", quarters())[:-40]))
    with pytest.raises(PictureError, match="breaks off"):
        load_picture(kept(encoded(".jpg", quarters())[:-40]), most=1000)


def corners_of(picture: Picture) -> NDArray[np.int64]:
    return np.array([picture[y, x] for y in (2, -3) for x in (2, -3)], np.int64)

"""Stills become a file: a GIF with one palette and only what changes, or an MP4. It is there whole or not at all."""

import importlib.util
import io
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from companion.core import wholefile as whole
from companion.core.errors import CompanionError
from companion.display.layout import Size
from companion.display.reel import Still

if TYPE_CHECKING:
    from PIL import Image

Numbers = np.ndarray[Any, Any]

COLOURS = 255  # of a GIF's palette, with one more for what does not change
EXACT = 96  # of them are the most frequent colours as they are; the others are shared among the rest
SAMPLE = 256  # pixels along a side of the picture that the rest is reckoned from
AT_ONCE = 8192  # colours for which the nearest are looked for
RATE = 10  # pictures a second in an MP4
CODECS = ("vp09", "mp4v")  # the first that this OpenCV can write: VP9 is what browsers play, too
NEEDS = {
    ".gif": ("PIL", "A GIF needs Pillow (python3-pil, or pip install pillow); a file that ends with .mp4 does not."),
    ".mp4": ("cv2", "An MP4 needs OpenCV (pip install opencv-python-headless); a file that ends with .gif does not."),
}


def must_be_possible(file: Path) -> None:
    """Refuse at once what cannot be written in the end."""
    needs = NEEDS.get(file.suffix.lower())
    if needs is None:
        raise CompanionError(f"{file} is neither a GIF nor an MP4: name a file that ends with .gif or .mp4.")
    if importlib.util.find_spec(needs[0]) is None:
        raise CompanionError(needs[1])
    if file.is_dir():
        raise CompanionError(f"{file} is a folder: name a file in it.")
    try:
        with tempfile.TemporaryFile(dir=file.parent):
            pass
    except OSError as error:
        raise _unwritable(file, error) from None


def write_film(file: Path, size: Size, stills: Sequence[Still]) -> int:
    """Keep it, and say how many bytes it has."""
    try:
        content = gif(size, stills) if file.suffix.lower() == ".gif" else mp4(size, stills)
        whole.write(file, content)
    except OSError as error:
        raise _unwritable(file, error) from None
    return len(content)


def _unwritable(file: Path, error: OSError) -> CompanionError:
    return CompanionError(f"{file} cannot be written: {error.strerror or error}.")


# --- GIF -------------------------------------------------------------------------------------------------------


def gif(size: Size, stills: Sequence[Still]) -> bytes:
    palette = _palette(stills)
    first, *others = (_in_colours(still, palette, size) for still in stills)
    found = io.BytesIO()
    first.save(
        found,
        "GIF",
        save_all=True,
        append_images=others,
        duration=_hundredths(stills),
        loop=0,
        optimize=True,
        palette=palette.colours.tobytes(),
        transparency=COLOURS,
        disposal=1,
    )
    return found.getvalue()


def _hundredths(stills: Sequence[Still]) -> list[int]:
    """How long each is shown, in milliseconds that a GIF can tell; what is lost by one is given to the next."""
    found, begun = [], 0
    for still in stills:
        ends = begun + still.lasts
        found.append(10 * (round(ends / 10) - round(begun / 10)))
        begun = ends
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Palette:
    """A few colours, and for every colour that is seen the number of the nearest of them."""

    colours: Numbers
    seen: Numbers  # as one number each, in their order
    nearest: Numbers


def _palette(stills: Sequence[Still]) -> _Palette:
    """The most frequent colours of all of them as they are, and for the others what they are near to."""
    seen, counts = _counted(stills)
    channels = np.stack((seen >> 16, seen >> 8 & 255, seen & 255), axis=1).astype(np.uint8)
    order = np.argsort(-counts, kind="stable")
    exact, rest = order[:EXACT], order[EXACT:]
    few = channels[exact]
    if len(rest):
        few = np.concatenate((few, _shared(channels[rest], counts[rest], COLOURS - len(exact))))
    colours = np.concatenate((few, np.repeat(few[:1], COLOURS + 1 - len(few), axis=0)))
    return _Palette(colours, seen, _nearest(channels, few))


def _counted(stills: Sequence[Still]) -> tuple[Numbers, Numbers]:
    """Every colour that is seen, and how often."""
    each = [np.unique(_codes(still), return_counts=True) for still in stills]
    seen, which = np.unique(np.concatenate([codes for codes, _ in each]), return_inverse=True)
    return seen, np.bincount(which, np.concatenate([count for _, count in each]))


def _codes(still: Still) -> Numbers:
    """Each pixel as one number."""
    channels = np.frombuffer(still.pixels, np.uint8).reshape(-1, 3).astype(np.uint32)
    codes: Numbers = channels[:, 0] << 16 | channels[:, 1] << 8 | channels[:, 2]
    return codes


def _shared(colours: Numbers, counts: Numbers, most: int) -> Numbers:
    """A few colours for many: each has room by the root of how often it is seen in a picture that is reckoned down."""
    from PIL import Image  # noqa: PLC0415  (an extra, and slow to load)

    reach = np.cumsum(np.sqrt(counts))
    places = np.linspace(0, reach[-1], SAMPLE * SAMPLE, endpoint=False)
    chosen = colours[np.minimum(np.searchsorted(reach, places, side="right"), len(colours) - 1)]
    sample = Image.frombytes("RGB", (SAMPLE, SAMPLE), chosen.tobytes())
    few = sample.quantize(colors=most, method=Image.Quantize.MEDIANCUT, kmeans=2).getpalette() or []
    return np.array(few[: 3 * most], np.uint8).reshape(-1, 3)


def _nearest(colours: Numbers, few: Numbers) -> Numbers:
    """By the square of the distance, a few thousand at a time."""
    wide = few.astype(np.float32)
    ends = (wide**2).sum(axis=1)
    found = [
        (ends - 2 * colours[at : at + AT_ONCE].astype(np.float32) @ wide.T).argmin(axis=1)
        for at in range(0, len(colours), AT_ONCE)
    ]
    nearest: Numbers = np.concatenate(found).astype(np.uint8)
    return nearest


def _in_colours(still: Still, palette: _Palette, size: Size) -> "Image.Image":
    from PIL import Image  # noqa: PLC0415

    numbers = palette.nearest[np.searchsorted(palette.seen, _codes(still))]
    picture = Image.frombytes("P", size, numbers.tobytes())
    picture.putpalette(palette.colours.tobytes())
    return picture


# --- MP4 -------------------------------------------------------------------------------------------------------


def mp4(size: Size, stills: Sequence[Still]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"
        written = _encoded(file, size, stills)
        if _count(file) != written:  # OpenCV says nothing of a disk that is full
            raise CompanionError(f"The film cannot be made in {tempfile.gettempdir()}: there is no room on the disk.")
        return file.read_bytes()


def _encoded(file: Path, size: Size, stills: Sequence[Still]) -> int:
    """Each picture as often as its time wants; how many those were."""
    import cv2  # noqa: PLC0415

    width, height = size
    even = width // 2 * 2, height // 2 * 2  # colours are kept at half the size
    film = _opened(file, even)
    written = ends = 0
    for still in stills:
        ends += still.lasts
        picture = np.frombuffer(still.pixels, np.uint8).reshape(height, width, 3)
        fit = cv2.cvtColor(picture[: even[1], : even[0]], cv2.COLOR_RGB2BGR)
        while written * 1000 < ends * RATE:
            film.write(fit)
            written += 1
    film.release()
    return written


def _opened(file: Path, size: Size) -> Any:
    import cv2  # noqa: PLC0415

    for codec in CODECS:
        film = cv2.VideoWriter(str(file), cv2.CAP_FFMPEG, cv2.VideoWriter.fourcc(*codec), float(RATE), size)
        if film.isOpened():
            return film
    raise CompanionError("This OpenCV can write no MP4: name a file that ends with .gif.")


def _count(file: Path) -> int:
    """The pictures that are really there."""
    import cv2  # noqa: PLC0415

    film, found = cv2.VideoCapture(str(file)), 0
    while film.grab():
        found += 1
    film.release()
    return found

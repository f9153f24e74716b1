"""Letters: fonts by size, how wide words are, and how a text is fitted into a box. It needs no screen."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import pygame

ELLIPSIS = "…"
LINE = 1.16  # from line to line, in sizes
DIGIT = 0.73  # how high a digit is, in sizes
_SHRINK = 0.92
_LARGEST = 900  # pixels; the font engine's caches are not made for more
_ABSENT = "\ue0ff"  # a letter that no font has

# Where other scripts may be found; whichever is there first and has the letters is taken. None of them is needed.
_OTHERS = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
    "/usr/share/fonts/truetype/noto/NotoSans-Bold.ttf",
    "/usr/share/fonts/truetype/freefont/FreeSansBold.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/unifont/unifont.ttf",
)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text as it stands in its box."""

    lines: tuple[str, ...]
    size: int
    file: str
    is_cut: bool = False  # not all of it is there

    @property
    def height(self) -> int:
        return round(LINE * self.size * len(self.lines))


def fitted(text: str, box: tuple[int, int], size: int, *, least: int = 10, lines: int = 1) -> Fitted:
    """As large as `size` if that fits; else smaller, else in more lines, else cut short."""
    return _fitted(_one_line(text) if lines == 1 else text, box[0], box[1], min(size, _LARGEST), least, lines)


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text else text


@lru_cache(maxsize=4096)
def _fitted(text: str, width: int, height: int, size: int, least: int, lines: int) -> Fitted:
    file = font_for(text)
    least = max(1, min(least, size))
    while True:
        room = max(1, min(lines, int(height / (LINE * size))))
        wrapped = _wrapped(text, width, size, file, room)
        too_high = size > least and round(LINE * size) > height
        if wrapped and not too_high:
            return Fitted(wrapped, size, file)
        if size <= least:
            return Fitted(_cut(text, width, size, file, room), size, file, is_cut=True)
        size = max(least, min(size - 1, int(size * _SHRINK)))


def _wrapped(text: str, width: int, size: int, file: str, room: int) -> tuple[str, ...]:
    """The text in at most so many lines; none if it does not go in."""
    done: list[str] = []
    space = width_of(" ", size, file)
    for part in text.split("\n"):
        line, filled = "", 0
        for word in _words(part, width, size, file):
            wide = width_of(word, size, file)
            if line and _goes_on(line, word, filled + space + wide, width, size, file):
                line, filled = f"{line} {word}", filled + space + wide
                continue
            if wide > width or len(done) >= room:
                return ()
            if line:
                done.append(line)
            line, filled = word, wide
        done.append(line)
    fits = len(done) <= room and all(width_of(line, size, file) <= width for line in done)
    return tuple(done) if fits else ()


def _words(text: str, width: int, size: int, file: str) -> Iterator[str]:
    """One that is too long for a line by itself is broken at its hyphens, as late as may be."""
    for word in text.split(" "):
        rest = word
        while "-" in rest and width_of(rest, size, file) > width:
            gaps = [at for at, letter in enumerate(rest[:-1], 1) if letter == "-" and at > 1]  # a minus is no hyphen
            fitting = [at for at in gaps if width_of(rest[:at], size, file) <= width]
            if not fitting:
                break
            yield rest[: fitting[-1]]
            rest = rest[fitting[-1] :]
        yield rest


def _goes_on(line: str, word: str, wide: int, width: int, size: int, file: str) -> bool:
    """Does a word still go into a line? Widths add up roughly; where it is close they are measured together."""
    close = 2 + width // 50
    return wide <= width + close and (wide <= width - close or width_of(f"{line} {word}", size, file) <= width)


def _cut(text: str, width: int, size: int, file: str, room: int) -> tuple[str, ...]:
    """What goes in of a text that does not, broken within words where it must be."""
    done: list[str] = []
    rest = " ".join(text.split())
    while rest and len(done) < room:
        count = _letters_in(rest, width, size, file)
        if count >= len(rest):
            done.append(rest)
            break
        if len(done) + 1 == room:
            while count and width_of(rest[:count].rstrip() + ELLIPSIS, size, file) > width:
                count -= 1
            done.append(rest[:count].rstrip() + ELLIPSIS if count else "")
            break
        gap = max(rest.rfind(" ", 0, count + 1), rest.rfind("-", 1, count) + 1)
        count = gap if gap > 0 else max(1, count)
        done.append(rest[:count])
        rest = rest[count:].lstrip()
    return tuple(done) or ("",)


def _letters_in(text: str, width: int, size: int, file: str) -> int:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(text[:middle], size, file) <= width else (low, middle - 1)
    return low


@lru_cache(maxsize=1024)
def digits_size(text: str, box: tuple[int, int], size: int) -> int:
    """How large digits can be: they stand on their line, so no room is lost above and below them."""
    size = max(4, min(size, round(0.92 * box[1] / DIGIT), _LARGEST))
    wide = width_of(text, 100, "")
    size = min(size, max(4, box[0] * 100 // max(1, wide)))
    while size > 4 and width_of(text, size, "") > box[0]:
        size -= 1
    return size


def middle_of_digits(size: int) -> int:
    """How far below the top of a line the middle of its digits is."""
    return round(font(size).get_ascent() - DIGIT * size / 2)


@lru_cache(maxsize=16384)
def width_of(text: str, size: int, file: str) -> int:
    return font(size, file).size(text)[0]


@cache
def font(size: int, file: str = "") -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    name = file or _standard()
    # From memory: a font of each size would keep its file open.
    return pygame.font.Font(io.BytesIO(_content(name)) if name else None, size)


@cache
def _content(name: str) -> bytes:
    return Path(name).read_bytes()


@cache
def _standard() -> str:
    """The font that comes with pygame; nothing where a package has put it elsewhere, and pygame finds it itself."""
    file = Path(pygame.__file__).with_name(pygame.font.get_default_font())
    return str(file) if file.exists() else ""


@lru_cache(maxsize=4096)
def font_for(text: str) -> str:
    """The file of a font that has all letters of a text; the standard one where none has."""
    if text.isascii():
        return ""
    for file in ("", *_others()):
        if _has(text, file):
            return file
    return ""


@cache
def _others() -> tuple[str, ...]:
    return tuple(file for file in _OTHERS if Path(file).exists())


def _has(text: str, file: str) -> bool:
    tried = font(40, file)
    absent = tried.metrics(_ABSENT)[0]
    letters = "".join(letter for letter in text if not letter.isspace() and letter.isprintable())
    return all(found is not None and found != absent for found in tried.metrics(letters))

"""Letters: how wide words are, and how a text is fitted into a box. It needs no screen."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from companion.display.typeface import BOLD, REGULAR, FontRun, font, runs

ELLIPSIS = "…"
LINE = 1.16  # from line to line, in sizes; ...
TALL = {"": LINE, "Hebr": LINE, "Arab": 1.47}  # ... where letters reach lower or have marks above them, ...
TALLER = 1.42  # ... and of other scripts that have to be told
DIGIT = 0.69  # how high a digit is, in sizes
FRAME = 0.9  # how wide a letter is that no font has
_SHRINK = 0.92
_LARGEST = 900  # pixels; the font engine's caches are not made for more


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text as it stands in its box."""

    lines: tuple[str, ...]
    size: int
    face: str
    line: float = LINE
    is_cut: bool = False  # not all of it is there

    @property
    def height(self) -> int:
        return round(self.line * self.size * len(self.lines))


def fitted(
    text: str, box: tuple[int, int], size: int, *, least: int = 10, lines: int = 1, bold: bool = False
) -> Fitted:
    """As large as `size` if that fits; else smaller, else in more lines, else cut short."""
    face = BOLD if bold else REGULAR
    text = text.replace(f" {ELLIPSIS}", f"\N{NO-BREAK SPACE}{ELLIPSIS}")  # dots stand on no line of their own
    return _fitted(_one_line(text) if lines == 1 else text, box[0], box[1], min(size, _LARGEST), least, lines, face)


def _one_line(text: str) -> str:
    return " ".join(text.split()) if "\n" in text else text


@lru_cache(maxsize=4096)
def _fitted(text: str, width: int, height: int, size: int, least: int, lines: int, face: str) -> Fitted:
    least = max(1, min(least, size))
    line = line_of(text, face)
    while True:
        room = max(1, min(lines, int(height / (line * size))))
        wrapped = _wrapped(text, width, size, face, room)
        too_high = size > least and round(line * size) > height
        if wrapped and not too_high:
            return Fitted(wrapped, size, face, line)
        if size <= least:
            return Fitted(_cut(text, width, size, face, room), size, face, line, is_cut=True)
        size = max(least, min(size - 1, int(size * _SHRINK)))


def _wrapped(text: str, width: int, size: int, face: str, room: int) -> tuple[str, ...]:
    """The text in at most so many lines; none if it does not go in."""
    done: list[str] = []
    space = width_of(" ", size, face)
    for part in text.split("\n"):
        line, filled = "", 0
        for word in _words(part, width, size, face):
            wide = width_of(word, size, face)
            if line and _goes_on(line, word, filled + space + wide, width, size, face):
                line, filled = f"{line} {word}", filled + space + wide
                continue
            if wide > width or len(done) >= room:
                return ()
            if line:
                done.append(line)
            line, filled = word, wide
        done.append(line)
    fits = len(done) <= room and all(width_of(line, size, face) <= width for line in done)
    return tuple(done) if fits else ()


def _words(text: str, width: int, size: int, face: str) -> Iterator[str]:
    """One that is too long for a line by itself is broken at its hyphens, as late as may be."""
    for word in text.split(" "):
        rest = word
        while "-" in rest and width_of(rest, size, face) > width:
            gaps = [at for at, letter in enumerate(rest[:-1], 1) if letter == "-" and at > 1]  # a minus is no hyphen
            fitting = [at for at in gaps if width_of(rest[:at], size, face) <= width]
            if not fitting:
                break
            yield rest[: fitting[-1]]
            rest = rest[fitting[-1] :]
        yield rest


def _goes_on(line: str, word: str, wide: int, width: int, size: int, face: str) -> bool:
    """Does a word still go into a line? Widths add up roughly; where it is close they are measured together."""
    close = 2 + width // 50
    return wide <= width + close and (wide <= width - close or width_of(f"{line} {word}", size, face) <= width)


def _cut(text: str, width: int, size: int, face: str, room: int) -> tuple[str, ...]:
    """What goes in of a text that does not, broken within words where it must be."""
    done: list[str] = []
    rest = " ".join(text.split())
    while rest and len(done) < room:
        count = _letters_in(rest, width, size, face)
        if count >= len(rest):
            done.append(rest)
            break
        if len(done) + 1 == room:
            while count and width_of(rest[:count].rstrip() + ELLIPSIS, size, face) > width:
                count -= 1
            done.append(rest[:count].rstrip() + ELLIPSIS if count else "")
            break
        gap = max(rest.rfind(" ", 0, count + 1), rest.rfind("-", 1, count) + 1)
        count = gap if gap > 0 else max(1, count)
        done.append(rest[:count])
        rest = rest[count:].lstrip()
    return tuple(done) or ("",)


def _letters_in(text: str, width: int, size: int, face: str) -> int:
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if width_of(text[:middle], size, face) <= width else (low, middle - 1)
    return low


# --- digits that change: they stand in places of one width, so that nothing moves when another is shown -------------


@lru_cache(maxsize=1024)
def digits_size(text: str, box: tuple[int, int], size: int) -> int:
    """How large digits can be: they stand on their line, so no room is lost above and below them."""
    size = max(4, min(size, round(0.92 * box[1] / DIGIT), _LARGEST))
    wide = digits_width(text, 100)
    size = min(size, max(4, box[0] * 100 // max(1, wide)))
    while size > 4 and digits_width(text, size) > box[0]:
        size -= 1
    return size


def digits_width(text: str, size: int) -> int:
    return sum(place(letter, size) for letter in text)


@lru_cache(maxsize=1024)
def place(letter: str, size: int) -> int:
    """How wide the place of a digit is, or of what stands between digits."""
    alike = "0123456789" if letter.isdigit() else letter
    return max(width_of(one, size, BOLD) for one in alike)


def middle_of_digits(size: int) -> int:
    """How far below the top of a line the middle of its digits is."""
    return round(font(size, BOLD).get_ascent() - DIGIT * size / 2)


# --- how wide and high words are -----------------------------------------------------------------------------------


@lru_cache(maxsize=16384)
def width_of(text: str, size: int, face: str) -> int:
    return sum(run_width(run, size) for run in runs(text, face))


def run_width(run: FontRun, size: int) -> int:
    return font(size, run.face, run.script).size(run.text)[0] if run.face else max(3, round(FRAME * size))


@lru_cache(maxsize=4096)
def line_of(text: str, face: str) -> float:
    """From line to line, in sizes."""
    if text.isascii():
        return LINE
    usual, over = font(100, face).get_height() / 100, above(text, 100, face) / 100
    return max([TALL.get(run.script, TALLER) for run in runs(text, face)] + [usual + 2 * over if over else LINE])


@lru_cache(maxsize=4096)
def above(text: str, size: int, face: str) -> int:
    """How far a line reaches over the top of its font: marks upon capitals, letters of a higher font."""
    if text.isascii():
        return 0
    usual = font(size, face).get_ascent()
    tops = (font(size, run.face or face, run.script).get_ascent() + rise(run, size) for run in runs(text, face))
    return max([usual, *tops]) - usual


def rise(run: FontRun, size: int) -> int:
    """The same of letters of one font, over that font's own top."""
    if not run.face or run.text.isascii():
        return 0
    found = font(size, run.face, run.script)
    tops = [letter[3] for letter in found.metrics(run.text) if letter]
    return max([found.get_ascent(), *tops]) - found.get_ascent()

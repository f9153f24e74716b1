"""Words on pictures for people: letters with their accents, as wide as they are, wrapped and fitted into a box.

OpenCV 5 brings a font of its own; before that it has strokes for plain letters only, and accents are drawn here.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np

from vision.drawing import Ink
from vision.frames import Picture, Plane

CAPITAL = 21.0  # pixels of a capital letter at size 1
FINELY = 4
LEADING = 1.75  # from one line to the next, in capitals
LARGE, SMALL = cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_SIMPLEX

PAPER: Ink = (247, 245, 240)
TEXT: Ink = (38, 44, 50)
FAINT: Ink = (120, 126, 132)
RULE: Ink = (216, 213, 206)
SURE: Ink = (0, 150, 110)
DOUBT: Ink = (226, 120, 0)
NONE: Ink = (112, 120, 132)

Align = Literal["left", "middle", "right"]
Box = tuple[int, int, int, int]  # left, top, right, bottom; the last two are just outside

_HAS_LETTERS = hasattr(cv2, "FontFace")  # OpenCV 5
_SAME = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "–": "-", "—": "-", "−": "-", "…": "..."}
    | {
        "×": "x",
        "ß": "ss",
        "œ": "oe",
        "Œ": "OE",
        "æ": "ae",
        "Æ": "AE",
        "·": "-",
        "→": "->",
        "\u00a0": " ",
        "\u202f": " ",
    }
)
# Accents as lines in parts of a capital letter, around the middle of the letter, up from the line that letters hang
# from; the one below a letter hangs from the line that it stands on.
_ACCENTS: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "\u0300": (((-0.16, 0.34), (0.08, 0.16)),),
    "\u0301": (((-0.08, 0.16), (0.16, 0.34)),),
    "\u0302": (((-0.2, 0.16), (0.0, 0.36), (0.2, 0.16)),),
    "\u0303": (((-0.25, 0.18), (-0.12, 0.32), (0.1, 0.2), (0.24, 0.34)),),
    "\u0308": (((-0.17, 0.25), (-0.17, 0.26)), ((0.17, 0.25), (0.17, 0.26))),
    "\u030a": (((-0.1, 0.18), (0.1, 0.18), (0.1, 0.36), (-0.1, 0.36), (-0.1, 0.18)),),
    "\u030c": (((-0.2, 0.36), (0.0, 0.16), (0.2, 0.36)),),
    "\u0327": (((0.0, -0.04), (0.1, -0.18), (-0.1, -0.3)),),
}
_BELOW = "\u0327"
_RAISED = {"¹": "1", "²": "2", "³": "3", "°": "o", "ª": "a", "º": "o"}
_TURNED = {"¿": "?", "¡": "!"}
_RAISED_SIZE, _RAISED_BY = 0.6, 0.5
_LOW = 0.67  # of a capital: how high a small letter is


@dataclass(frozen=True, slots=True)
class Pen:
    """Which strokes, how wide, and so many times finer than the picture."""

    font: int
    weight: int
    finely: int = 1


@dataclass(frozen=True, slots=True)
class _Piece:
    """Letters that are drawn in one go, or one that needs something done to it."""

    text: str
    accent: str = ""
    is_raised: bool = False
    is_turned: bool = False


def fine(size: float) -> Pen:
    """The doubled strokes of the large letters would run together in small ones."""
    return Pen(LARGE if size >= 0.6 else SMALL, 1)


def bold(size: float) -> Pen:
    """To be read from afar; drawn finely, so that strokes are as wide as the letters' size asks for."""
    return Pen(SMALL, max(2, round(FINELY * 2.7 * size)), FINELY)


def wide(text: str, size: float, pen: Pen | None = None) -> int:
    """Pixels of a line, from the first letter's edge to the last one's."""
    pen = pen or fine(size)
    return math.ceil(_finely_wide(text, size * pen.finely, pen) / pen.finely)


def _finely_wide(text: str, size: float, pen: Pen) -> int:
    return sum(_advance(piece, size, pen) for piece in _pieces(text)) + pen.weight


def write(
    canvas: Picture,
    text: str,
    at: tuple[float, float],
    size: float,
    ink: Ink,
    align: Align = "left",
    pen: Pen | None = None,
) -> None:
    """Letters whose middle line goes through a point."""
    pen = pen or fine(size)
    share = {"left": 0.0, "middle": 0.5, "right": 1.0}[align]
    high, long = math.ceil(CAPITAL * size), wide(text, size, pen)
    left, top = round(at[0] - share * long) - high, round(at[1] - high / 2) - high
    mask = np.zeros((3 * high * pen.finely, (long + 2 * high) * pen.finely), np.uint8)
    x, base = high * pen.finely, (1.5 * high + CAPITAL * size / 2) * pen.finely
    for piece in _pieces(text):
        _draw(mask, piece, (x, base), size * pen.finely, pen)
        x += _advance(piece, size * pen.finely, pen)
    if pen.finely > 1:
        mask = np.asarray(cv2.resize(mask, (long + 2 * high, 3 * high), interpolation=cv2.INTER_AREA), np.uint8)
    _blend(canvas, mask, left, top, ink)


def _blend(canvas: Picture, mask: Plane, left: int, top: int, ink: Ink) -> None:
    """As much of it as is on the canvas."""
    rows = slice(max(0, top), max(0, min(canvas.shape[0], top + mask.shape[0])))
    columns = slice(max(0, left), max(0, min(canvas.shape[1], left + mask.shape[1])))
    part = canvas[rows, columns]
    there = mask[rows.start - top :, columns.start - left :][: part.shape[0], : part.shape[1], None]
    share = there / np.float32(255)
    part[:] = np.round(part * (1 - share) + np.array(ink[::-1], np.float32) * share).astype(np.uint8)


def wrapped(text: str, size: float, width: float, pen: Pen | None = None) -> list[str]:
    """Lines that are not wider, cut between words where there are any; a non-breaking space keeps words together."""
    lines: list[str] = []
    for word in _cut(re.findall(r"[^ \t\r\n]+", text), size, width, pen):
        if lines and wide(f"{lines[-1]} {word}", size, pen) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def fitted(texts: Sequence[str], room: tuple[float, float], largest: float, least: float) -> tuple[float, list[str]]:
    """The largest size in which texts, each on lines of its own, have room; what has none at the least is cut short."""
    size = largest
    while True:
        lines = [line for text in texts for line in wrapped(text, size, room[0], bold(size))]
        most = max(1, int(room[1] / (CAPITAL * size * LEADING)))
        if len(lines) <= most:
            return size, lines
        if size <= least:
            return size, [*lines[: most - 1], _shortened(lines[most - 1] + " ...", size, room[0])]
        size = max(least, size * 0.95)


def has_room(texts: Sequence[str], room: tuple[float, float], size: float) -> bool:
    """All of it, at this size."""
    lines = [line for text in texts for line in wrapped(text, size, room[0], bold(size))]
    return len(lines) * CAPITAL * size * LEADING <= room[1]


def put(canvas: Picture, texts: Sequence[str], box: Box, sizes: tuple[float, float], ink: Ink = TEXT) -> int:
    """Texts into a box from its top, as large as they can be between two sizes; where the next line would begin.

    A box without room for a single line stays empty.
    """
    if box[3] - box[1] < CAPITAL * sizes[0] * 1.2:
        return box[1]
    size, lines = fitted(texts, (box[2] - box[0], box[3] - box[1]), sizes[1], sizes[0])
    step = CAPITAL * size * LEADING
    for number, line in enumerate(lines):
        write(canvas, line, (box[0], box[1] + (number + 0.5) * step), size, ink, "left", bold(size))
    return box[1] + round(len(lines) * step)


def blank(height: int, width: int, ink: Ink) -> Picture:
    tile = np.empty((height, width, 3), np.uint8)
    tile[:] = ink[::-1]
    return tile


def paste(canvas: Picture, tile: Picture, left: int, top: int) -> None:
    """As much of it as there is room for: moved inside first."""
    left = max(0, min(left, canvas.shape[1] - tile.shape[1]))
    top = max(0, min(top, canvas.shape[0] - tile.shape[0]))
    part = canvas[top : top + tile.shape[0], left : left + tile.shape[1]]
    part[:] = tile[: part.shape[0], : part.shape[1]]


def _shortened(text: str, size: float, width: float) -> str:
    """Without what is before its dots, as much as must go."""
    head, pen = text[:-4], bold(size)
    while head and wide(f"{head} ...", size, pen) > width:
        head = head[:-1]
    return f"{head.rstrip()} ..."


def _cut(words: Iterable[str], size: float, width: float, pen: Pen | None) -> Iterator[str]:
    """Words, cut where one alone is wider than a line."""
    for word in words:
        rest = word
        while wide(rest, size, pen) > width and len(rest) > 1:
            fits = next(at for at in range(len(rest) - 1, 0, -1) if wide(rest[:at], size, pen) <= width or at == 1)
            yield rest[:fits]
            rest = rest[fits:]
        yield rest


# --- Pieces


@lru_cache(maxsize=4096)
def _pieces(text: str) -> tuple[_Piece, ...]:
    """Plain letters together, the others one by one."""
    pieces: list[_Piece] = []
    for letter in unicodedata.normalize("NFC", text.translate(_SAME)):
        piece = _piece(letter)
        if pieces and _is_plain(piece) and _is_plain(pieces[-1]):
            pieces[-1] = _Piece(pieces[-1].text + piece.text)
        else:
            pieces.append(piece)
    return tuple(pieces)


def _is_plain(piece: _Piece) -> bool:
    return not (piece.accent or piece.is_raised or piece.is_turned)


def _piece(letter: str) -> _Piece:
    if " " <= letter <= "~" or (_HAS_LETTERS and "¡" <= letter <= "ſ"):
        return _Piece(letter)
    if letter in _RAISED:
        return _Piece(_RAISED[letter], is_raised=True)
    if letter in _TURNED:
        return _Piece(_TURNED[letter], is_turned=True)
    base, *accents = list(unicodedata.normalize("NFD", letter))
    if " " < base <= "~" and accents and accents[0] in _ACCENTS:
        return _Piece(base, accents[0])
    return _Piece("?" if letter.isprintable() else " ")


def _scaled(piece: _Piece, size: float) -> float:
    return size * _RAISED_SIZE if piece.is_raised else size


def _advance(piece: _Piece, size: float, pen: Pen) -> int:
    """How far the next piece is from the beginning of this one; OpenCV counts the stroke's width once for a line."""
    return _long(piece.text, _scaled(piece, size), pen)


@lru_cache(maxsize=8192)
def _long(text: str, size: float, pen: Pen) -> int:
    nothing, some = (cv2.getTextSize(each, pen.font, size, pen.weight)[0][0] for each in ("", text))
    return int(some - nothing)


def _draw(mask: Plane, piece: _Piece, at: tuple[float, float], size: float, pen: Pen) -> None:
    (x, base), high = at, CAPITAL * size
    if piece.is_raised:
        base -= _RAISED_BY * high
    middle = x + _advance(piece, size, pen) / 2
    if piece.is_turned:
        _draw_turned(mask, piece.text, (x, base), size, pen)
    elif piece.accent and piece.text == "i":
        _strokes(mask, (((0.0, 0.0), (0.0, _LOW)),), (middle, base), high, pen)
    else:
        where = round(x), round(base)
        cv2.putText(mask, piece.text, where, pen.font, _scaled(piece, size), 255, pen.weight, cv2.LINE_AA)
    if piece.accent:
        top = 0.0 if piece.accent == _BELOW else 1.0 if piece.text.isupper() else _LOW
        _strokes(mask, _ACCENTS[piece.accent], (middle, base - top * high), high, pen)


def _draw_turned(mask: Plane, text: str, at: tuple[float, float], size: float, pen: Pen) -> None:
    """Upside down, hanging a little lower than letters stand."""
    width, high = _long(text, size, pen), round(CAPITAL * size)
    x, middle = round(at[0]), round(at[1] - 0.3 * high)
    upright = np.zeros_like(mask)
    cv2.putText(upright, text, (x, middle + high // 2), pen.font, size, 255, pen.weight, cv2.LINE_AA)
    rows = slice(max(0, middle - high), middle + high)
    columns = slice(max(0, x - pen.weight), x + width + pen.weight)
    mask[rows, columns] = np.maximum(mask[rows, columns], upright[rows, columns][::-1, ::-1])


def _strokes(
    mask: Plane, lines: Iterable[Sequence[tuple[float, float]]], middle: tuple[float, float], high: float, pen: Pen
) -> None:
    for line in lines:
        points = [(middle[0] + x * high, middle[1] - y * high) for x, y in line]
        weight = max(2, pen.weight) if math.dist(line[0], line[-1]) < 0.1 else pen.weight  # of a dot
        corners = np.round(np.array(points) * 16).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(mask, [corners], False, 255, weight, cv2.LINE_AA, 4)  # noqa: FBT003

"""Signs that need no words: what was ruled, which attribute counts, which line it is in.

Each sign has a form of its own beside its colour, and the colours differ in grey too, for whoever cannot tell them
apart.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, get_args

import numpy as np

from vision.card_drawing import DEEP, INKS, drop, outline
from vision.deck import COLOURS, COUNTS, SHAPES
from vision.drawing import (
    BLACK,
    WHITE,
    Drawing,
    DrawnMark,
    DrawnWords,
    Ink,
    Path,
    disc,
    line,
    moved,
    polygon,
    rectangle,
    wave,
)
from vision.eye_errors import PictureError
from vision.frames import Picture
from vision.ink import painted
from vision.lettering import PAPER, TEXT
from vision.mat import Point

Kind = Literal["legal", "illegal", "unsure", "taken back"]
KINDS: tuple[Kind, ...] = get_args(Kind)
INK_OF: dict[Kind, Ink] = {
    "legal": (0, 138, 96),
    "illegal": (168, 0, 28),
    "unsure": (232, 144, 0),
    "taken back": (84, 92, 104),
}
SIZE: Point = (100.0, 100.0)
VALUES = (*COLOURS, *SHAPES, *COUNTS)
GREY_WAVE: Ink = (60, 66, 74)
EMPTY: Ink = (226, 224, 218)


@lru_cache(maxsize=96)
def badge(kind: Kind, side: int, paper: Ink = PAPER) -> Picture:
    """A tick in a disc, a cross in an octagon, a question mark in a lozenge, an arrow back."""
    return painted(_badge(kind), SIZE, (side, side), paper)


def _badge(kind: Kind) -> Drawing:
    ink = INK_OF[kind]
    match kind:
        case "legal":
            return DrawnMark((disc((50, 50), 46),), ink), *_strokes(((27, 52), (44, 69), (74, 34)))
        case "illegal":
            return DrawnMark((_octagon(),), ink), *_strokes(((32, 32), (68, 68)), ((68, 32), (32, 68)))
        case "unsure":
            form = polygon([(50, 1), (99, 50), (50, 99), (1, 50)])
            return DrawnMark((form,), ink, ink, 2), *_asked(TEXT)
        case _:
            tile = DrawnMark((rectangle((5, 5, 95, 95), 16),), ink)
            return tile, *_strokes(((76, 64), (76, 42), (26, 42)), ((42, 26), (26, 42), (42, 58)))


def _octagon() -> Path:
    corners = [(50 + 49 * math.cos(a), 50 + 49 * math.sin(a)) for a in (math.pi / 8 * (2 * n + 1) for n in range(8))]
    return polygon(corners)


def _strokes(*lines: Iterable[Point], ink: Ink = WHITE, width: float = 11) -> Drawing:
    return tuple(DrawnMark((line(*points),), None, ink, width) for points in lines)


def _asked(ink: Ink) -> Drawing:
    hook = ((36, 38), (40, 28), (50, 24), (60, 28), (64, 38), (60, 46), (52, 52), (50, 61))
    return *_strokes(hook, ink=ink, width=9), DrawnMark((disc((50, 76), 5.5),), ink)


@lru_cache(maxsize=96)
def symbol(value: str, side: int, paper: Ink = PAPER) -> Picture:
    """An attribute alone: a colour with its drop, a shape without colour, a count of waves."""
    if value not in VALUES:
        raise PictureError(f"{value[:40]!r} is no colour, shape or count of the deck; name one of {', '.join(VALUES)}.")
    return painted(_symbol(value), SIZE, (side, side), paper)


def _symbol(value: str) -> Drawing:
    if value in COLOURS:
        swatch = DrawnMark((rectangle((5, 5, 95, 95), 14),), INKS[value], DEEP[value], 5)
        return swatch, DrawnMark((disc((50, 50), 31),), WHITE), *moved(drop(value), (50, 49), scale=7.4)
    sheet = DrawnMark((rectangle((5, 5, 95, 95), 14),), WHITE, TEXT, 3)
    if value in SHAPES:
        return sheet, *moved((DrawnMark((outline(value),), EMPTY, TEXT, 3),), (50, 50), scale=1.75)
    waves = (wave((66, 50 + (number - (int(value) - 1) / 2) * 19), 42, 6, 3) for number in range(int(value)))
    middle = 50 if value == "0" else 26
    digit = DrawnWords((middle, 65), value, 30, TEXT, "middle")
    return sheet, digit, *(DrawnMark((each,), None, GREY_WAVE, 8) for each in waves)


@lru_cache(maxsize=96)
def line_sign(cells: tuple[int, ...], covered: int, side: int, ink: Ink, paper: Ink = PAPER) -> Picture:
    """Nine small squares, those of a line filled, and a dot in the one that was covered."""
    drawing: Drawing = ()
    for cell in range(1, 10):
        x, y = (cell - 1) % 3 * 32 + 18, (cell - 1) // 3 * 32 + 18
        box = rectangle((x - 13, y - 13, x + 13, y + 13), 3)
        drawing += (DrawnMark((box,), ink if cell in cells else EMPTY, ink if cell in cells else GREY_WAVE, 2),)
        if cell == covered:
            drawing += (DrawnMark((disc((x, y), 6.5),), WHITE if cell in cells else GREY_WAVE),)
    return painted(drawing, SIZE, (side, side), paper)


@lru_cache(maxsize=96)
def arrow(side: int, ink: Ink = TEXT, paper: Ink = PAPER) -> Picture:
    """To the right."""
    drawing = _strokes(((14, 50), (84, 50)), ((58, 24), (84, 50), (58, 76)), ink=ink, width=12)
    return painted(drawing, SIZE, (side, side), paper)


def stamp(canvas: Picture, kind: Kind, side: int, middle: Point) -> None:
    """A badge onto a picture, without any paper around it; it is moved inside first."""
    height, width = canvas.shape[:2]
    side = min(side, height, width)
    left = max(0, min(round(middle[0] - side / 2), width - side))
    top = max(0, min(round(middle[1] - side / 2), height - side))
    part = canvas[top : top + side, left : left + side]
    on_black = badge(kind, side, BLACK).astype(np.float32)
    through = (badge(kind, side, WHITE) - on_black) / np.float32(255)
    part[:] = np.clip(part * through + on_black, 0, 255).astype(np.uint8)

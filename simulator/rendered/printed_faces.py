"""The faces of the cards as they came out of somebody's printer, and one of another deck."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.printed_decks import cards_of, deck_of
from simulator.rendered.pinhole import Rng
from vision.card_drawing import BACK, NAMES, RADIUS, SLEEVED, SQUARE, face_picture
from vision.drawing import BLACK, WHITE, Drawing, DrawnMark, DrawnWords, disc, line, polygon, rectangle
from vision.frames import Picture
from vision.ink import painted
from vision.mat import LARGE, Mat, Point

TEXELS = 6  # for each millimetre
FOREIGN = "foreign"  # what a card of another deck is called here

Texture = NDArray[np.uint8]  # blue, green, red, and how opaque it is


def card_size(mat: Mat | None) -> Point:
    """Our deck's, or what the large mat is for."""
    return SLEEVED if mat is not None and mat.name == LARGE.name else SQUARE


@dataclass(frozen=True, slots=True)
class PrintingPress:
    """A printer: how dense its inks are, how far they run, and the paper's tint."""

    size: Point
    density: tuple[float, float, float]
    paper: tuple[float, float, float]
    runs: float  # texels
    game: str = ""  # whose cards; empty: the deck that the reader comes with

    def face(self, name: str) -> Texture:
        return _printed(self, name)


def a_press(rng: Rng, size: Point, paper: str = "") -> PrintingPress:
    density = rng.uniform(0.86, 1.0) * (1 + rng.uniform(-0.03, 0.03, 3))
    tint = np.clip(rng.uniform(0.95, 1.0) * (1 + rng.uniform(-0.025, 0.01, 3)), 0, 1)
    return PrintingPress(size, _triplet(density), _triplet(tint), float(rng.uniform(0.3, 0.9)), paper)


def _triplet(values: NDArray[np.float64]) -> tuple[float, float, float]:
    blue, green, red = values.tolist()
    return blue, green, red


def is_face(name: str, paper: str) -> bool:
    """Whether there is a card of that name, or it is one of another deck."""
    return name in (FOREIGN, BACK) or name in (cards_of(paper) if paper else NAMES)


@cache
def _drawn(name: str, size: Point, paper: str) -> Picture:
    if name == FOREIGN:
        return painted(_foreign(size), size, (round(size[0] * TEXELS), round(size[1] * TEXELS)))
    if not paper:
        return face_picture(name, round(max(size) * TEXELS), size)
    deck = deck_of(paper)
    drawing = deck.back(next(iter(deck.cards)), size) if name == BACK else deck.lying(name, size)
    return painted(drawing, size, (round(size[0] * TEXELS), round(size[1] * TEXELS)))


_kept: dict[tuple[PrintingPress, str], Texture] = {}
KEPT = 80


def _printed(press: PrintingPress, name: str) -> Texture:
    if (press, name) not in _kept:
        if len(_kept) >= KEPT:
            _kept.pop(next(iter(_kept)))
        _kept[press, name] = _print(press, name)
    return _kept[press, name]


def _print(press: PrintingPress, name: str) -> Texture:
    ink = np.float32(255) - cv2.GaussianBlur(_drawn(name, press.size, press.game), (0, 0), press.runs)
    face = np.clip(
        (255.0 - ink * np.array(press.density, np.float32)) * np.array(press.paper, np.float32) + 0.5, 0, 255
    ).astype(np.uint8)
    mask = _rounded(face.shape[1], face.shape[0])
    cv2.multiply(face, cv2.merge([mask] * 3), dst=face, scale=1 / 255)
    return cv2.merge([*cv2.split(face), mask])


@cache
def _rounded(width: int, height: int) -> Picture:
    """White where the card is, with its corners cut round."""
    size = (width / TEXELS, height / TEXELS)
    outline: Drawing = (DrawnMark((rectangle((0, 0, *size), RADIUS),), WHITE),)
    return painted(outline, size, (width, height), BLACK)[..., 0]


def _foreign(size: Point) -> Drawing:
    """A lodger from some other game: a green triangle on cream, with letters."""
    width, height = size
    middle = (width / 2, height / 2)
    green, cream = (20, 110, 60), (244, 236, 214)
    reach = 0.3 * width
    triangle = polygon(
        [(middle[0], middle[1] - reach), (middle[0] + reach, middle[1] + reach), (middle[0] - reach, middle[1] + reach)]
    )
    return (
        DrawnMark((rectangle((0, 0, width, height)),), cream),
        DrawnMark((rectangle((3, 3, width - 3, height - 3), 2.0),), None, green, 0.8),
        DrawnMark((triangle,), green, (10, 50, 30), 1.2),
        DrawnMark((disc((middle[0], middle[1] + 0.3 * reach), 0.3 * reach),), cream),
        DrawnMark((line((6, height - 8), (width - 6, height - 8)),), None, green, 0.6),
        DrawnWords((6, 10), "K7", 4.5, green),
    )

"""Fourteen editions that nobody published, unlike each other in design, ink, paper, numerals and card.

Eight of them may be looked at while something is tuned. Six are held out: they are for judging only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from tests.vision.second import distance, noise
from tests.vision.second.faces import DARK, WHITE, Deck, FaceCard, FacePage, Ink, mixed
from tests.vision.second.noise import Array
from vision.deck import COLOURS, SHAPES

GREY: Ink = (150, 152, 156)
SEPIA: Ink = (74, 50, 34)
RULED: Ink = (196, 212, 228)


@dataclass(frozen=True, slots=True)
class Edition:
    """Lengths are shares of half the card's width; the inks are red, blue, purple, yellow."""

    name: str
    size: tuple[float, float]  # of a card, mm
    corner: float  # mm
    paper: Ink
    inks: tuple[Ink, Ink, Ink, Ink]
    design: "Callable[[Edition, FacePage, FaceCard], None]"
    is_held_out: bool = False


# --- Shapes and waves


def _star(x: Array, y: Array, reach: float, points: int = 5, inner: float = 0.45) -> Array:
    return distance.star(x, y - reach * 0.05, reach * 1.14, points, inner)


def _plain(shape: int, x: Array, y: Array, reach: float) -> Array:
    """The four of them as a sign painter cuts them."""
    match SHAPES[shape]:
        case "circle":
            return distance.circle(x, y, reach)
        case "diamond":
            return distance.diamond(x, y, reach * 0.86, reach * 1.1)
        case "plus":
            return distance.plus(x, y, reach * 0.98, reach * 0.34)
        case _:
            return _star(x, y, reach)


def _soft(shape: int, x: Array, y: Array, reach: float, round_: float = 0.2) -> Array:
    """With round corners and round tips."""
    return _plain(shape, x, y, reach * (1 - round_)) - reach * round_


def _ornate(shape: int, x: Array, y: Array, reach: float) -> Array:
    """A hollow-sided diamond, a plus with flaring arms, a star of six."""
    match SHAPES[shape]:
        case "diamond":
            bowed = [distance.circle(np.abs(x) - reach * 1.5, np.abs(y) - reach * 1.75, reach * 1.68)]
            return np.maximum(distance.diamond(x, y, reach * 0.98, reach * 1.14), -bowed[0])
        case "plus":
            wide = np.minimum(np.abs(x) - 0.2 * reach - 0.24 * np.abs(y), np.abs(y) - 0.2 * reach - 0.24 * np.abs(x))
            return np.maximum(wide * 0.94, distance.box(x, y, reach * 0.98, reach * 0.98))
        case "star":
            return _star(x, y, reach, 6, 0.55)
        case _:
            return _plain(shape, x, y, reach)


def _bar(x: Array, y: Array, form: str, length: float, swing: float, period: float) -> Array:
    """Distance to a wavy line that lies level, of another form than a sine's."""
    nearest = np.clip(x, -length / 2, length / 2)
    at = 2 * np.pi / period * nearest + 0.7
    if form == "zigzag":
        height, slope = 2 / np.pi * np.arcsin(np.sin(at)), np.full_like(at, 4 / period)
    elif form == "arcs":
        height, slope = 2 * np.abs(np.sin(at / 2)) - 1, np.cos(at / 2) * 2 * np.pi / period
    else:
        height, slope = np.sin(at), np.cos(at) * 2 * np.pi / period
    return np.hypot(x - nearest, (y - swing * height) / np.sqrt(1 + (swing * slope) ** 2))


def _stacked(card: FaceCard, x: Array, y: Array, gap: float, line: Callable[[Array, Array], Array]) -> Array:
    """So many lines above each other; far away if there are none."""
    nearest = np.full_like(x, 9)
    for number in range(card.count):
        nearest = np.minimum(nearest, line(x, y - (number - (card.count - 1) / 2) * gap))
    return nearest


def _rough(page: FacePage, fine: float, seed: int) -> Array:
    """Chance over the card, from -1 to 1."""
    return noise.octaves(page.x.ravel() * fine, page.y.ravel() * fine, seed, 2).reshape(page.x.shape)


def _corners(page: FacePage, across: float, down: float, draw: Callable[[Array, Array], None]) -> None:
    """Something in two corners, the second time upside down."""
    for sign in (1, -1):
        draw(page.x * sign + 1 - across, page.y * sign + page.tall - down)


def _serif(x: Array, y: Array, number: int, height: float) -> Array:
    """A numeral whose stroke is thick where it falls, with feet."""
    stroke = distance.digit(x, y, number, height) - height * (0.075 + 0.05 * np.abs(np.sin(3 * y / height + 1.2)))
    if number == 1:
        return np.minimum(stroke, distance.box(x - 0.05 * height, y - 0.48 * height, 0.26 * height, 0.05 * height))
    return stroke


# --- Designs


def _harbour(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """White waves cut out of a solid shape, inside a grey rule."""
    page.lay(np.abs(distance.box(page.x, page.y, 0.9, page.tall - 0.1, 0.1)) - 0.008, GREY)
    shape = _plain(card.shape, page.x, page.y, 0.68)
    page.lay(shape, edition.inks[card.colour])
    waves = _stacked(card, page.x, page.y, 0.29, lambda x, y: _bar(x, y, "sine", 1.5, 0.05, 0.52))
    page.lay(np.maximum(waves - 0.042, shape - 0.01), WHITE)


def _vellum(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """An edged shape above, sepia waves below, numerals with feet."""
    shape = _plain(card.shape, page.x, page.y + 0.3, 0.56)
    page.lay(shape - 0.025, SEPIA)
    page.lay(shape + 0.015, edition.inks[card.colour])
    waves = _stacked(card, page.x, page.y - 0.86, 0.19, lambda x, y: _bar(x, y, "arcs", 1.1, 0.045, 0.24))
    page.lay(waves - 0.033, SEPIA)
    _corners(page, 0.2, 0.22, lambda x, y: page.lay(_serif(x, y, card.count, 0.2), SEPIA))


def _kraft(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Stamped in opaque ink on brown paper; it did not take everywhere."""
    taken = np.clip(1.15 - 0.5 * np.maximum(_rough(page, 26, 5), 0), 0, 1)
    page.canvas *= (1 + 0.03 * _rough(page, 60, 9))[..., None]
    page.lay(_soft(card.shape, page.x, page.y, 0.72, 0.08), edition.inks[card.colour], taken)
    waves = _stacked(card, page.x, page.y, 0.32, lambda x, y: _bar(x, y, "sine", 1.72, 0.055, 0.68))
    page.lay(waves - 0.045, (40, 30, 24), taken)


def _pool(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Clear inks on pale blue: light waves on the shape, in its ink beside it."""
    ink = edition.inks[card.colour]
    shape = _soft(card.shape, page.x, page.y, 0.62)
    waves = _stacked(card, page.x, page.y, 0.31, lambda x, y: _bar(x, y, "sine", 1.74, 0.06, 0.44)) - 0.038
    page.stain(np.maximum(waves, -shape), ink)
    page.stain(np.maximum(shape, -waves), ink)


def _brush(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Painted: nothing is quite round or straight, and strokes run dry."""
    seed = 7 * card.shape + 3 * card.count
    x, y = page.x + 0.035 * _rough(page, 3, seed), page.y + 0.035 * _rough(page, 3, seed + 20)
    wet = np.clip(1.1 - 0.35 * np.abs(_rough(page, 18, seed + 2)), 0, 1)
    page.lay(_soft(card.shape, x, y, 0.66, 0.1) + 0.02 * _rough(page, 14, seed + 4), edition.inks[card.colour], wet)
    thick = 0.05 + 0.022 * np.sin(2.4 * page.x + seed) + 0.012 * _rough(page, 9, seed + 6)
    page.lay(_stacked(card, x, y, 0.33, lambda u, v: _bar(u, v, "sine", 1.64, 0.06, 0.8)) - thick, (24, 24, 30), wet)


def _contour(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Only the outline, and waves of the same ink in it; small signs in the corners."""
    ink = edition.inks[card.colour]
    shape = _plain(card.shape, page.x, page.y, 0.76)
    page.lay(np.abs(shape + 0.06) - 0.06, ink)
    waves = _stacked(card, page.x, page.y, 0.26, lambda x, y: _bar(x, y, "sine", 1.3, 0.045, 0.36))
    page.lay(np.maximum(waves - 0.036, distance.circle(page.x, page.y, 0.66)), ink)
    _corners(page, 0.2, 0.22, lambda x, y: page.lay(_plain(card.shape, x, y, 0.09), ink))


def _panel(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """A broad band of the ink around a white oval, and in it the shape with white waves."""
    ink = edition.inks[card.colour]
    page.lay(page.x * 0 - 1, ink)
    page.lay((np.hypot(page.x / 0.9, page.y / (page.tall * 0.9)) - 1) * 0.9, edition.paper)
    page.lay(_plain(card.shape, page.x, page.y, 0.62), ink)
    waves = _stacked(card, page.x, page.y, 0.27, lambda x, y: _bar(x, y, "zigzag", 1.0, 0.05, 0.3))
    page.lay(waves - 0.04, edition.paper)


def _post(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """The shape to the left, standing waves to its right, a dotted edge as of a stamp."""
    ink = edition.inks[card.colour]
    dots = np.hypot(np.mod(page.x + 0.06, 0.12) - 0.06, np.mod(page.y + 0.06, 0.12) - 0.06) - 0.026
    page.lay(np.maximum(dots, np.abs(distance.box(page.x, page.y, 0.9, page.tall - 0.1)) - 0.045), ink)
    page.lay(_plain(card.shape, page.x + 0.2, page.y, 0.5), ink)
    waves = [
        distance.wave(page.y, page.x - 0.44 - 0.15 * number, 0.95, 0.045, 0.34, 0.2) for number in range(card.count)
    ]
    if waves:
        page.lay(np.minimum.reduce(waves) - 0.03, ink)


def _rose(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Clear inks on pink, dark zigzags below the shape."""
    page.stain(_soft(card.shape, page.x, page.y + 0.26, 0.56, 0.14), edition.inks[card.colour])
    waves = _stacked(card, page.x, page.y - 0.8, 0.2, lambda x, y: _bar(x, y, "zigzag", 1.3, 0.05, 0.26))
    page.stain(waves - 0.032, DARK)


def _mint(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Ornate shapes on pale green, long black waves over them."""
    page.stain(_ornate(card.shape, page.x, page.y, 0.7), edition.inks[card.colour])
    waves = _stacked(card, page.x, page.y, 0.27, lambda x, y: _bar(x, y, "sine", 1.78, 0.05, 0.4))
    page.lay(waves - 0.034, (16, 18, 16))


def _halo(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Ringed shapes, and slanting white waves with a dark edge."""
    ink = edition.inks[card.colour]
    shape = _plain(card.shape, page.x, page.y, 0.7)
    page.lay(shape, mixed(ink, WHITE, 0.35))
    page.lay(shape + 0.06, ink)
    slant = np.radians(-24)
    x, y = page.x * np.cos(slant) + page.y * np.sin(slant), page.y * np.cos(slant) - page.x * np.sin(slant)
    waves = _stacked(card, x, y, 0.32, lambda u, v: _bar(u, v, "sine", 1.5, 0.06, 0.6))
    page.lay(waves - 0.07, DARK)
    page.lay(waves - 0.045, WHITE)


def _ledger(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Ruled paper, a small shape, coloured waves over it at the head, plain numerals."""
    page.lay(np.abs(np.mod(page.y, 0.16) - 0.08) - 0.006, RULED)
    ink = edition.inks[card.colour]
    page.lay(_plain(card.shape, page.x, page.y - 0.22, 0.5), ink)
    page.lay(_stacked(card, page.x, page.y + 0.74, 0.22, lambda x, y: _bar(x, y, "sine", 1.0, 0.05, 0.32)) - 0.04, ink)
    _corners(page, 0.18, 0.2, lambda x, y: page.lay(distance.digit(x, y, card.count, 0.18) - 0.017, DARK))


def _orchard(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """A shape inside a thick ring of its ink, arcs of the same ink above the ring and below it."""
    ink = edition.inks[card.colour]
    page.lay(np.abs(distance.circle(page.x, page.y, 0.66)) - 0.05, mixed(ink, WHITE, 0.25))
    page.lay(_soft(card.shape, page.x, page.y, 0.42, 0.12), ink)
    for head in (-1, 1):
        waves = _stacked(card, page.x, page.y - head * 1.02, 0.15, lambda x, y: _bar(x, y, "arcs", 1.2, 0.04, 0.3))
        page.lay(waves - 0.03, ink)


def _slate(edition: Edition, page: FacePage, card: FaceCard) -> None:
    """Light inks on a dark tile, white zigzags at its foot."""
    page.lay(distance.box(page.x, page.y, 0.84, page.tall - 0.16, 0.08), (58, 62, 70))
    page.lay(_plain(card.shape, page.x, page.y + 0.22, 0.5), edition.inks[card.colour])
    waves = _stacked(card, page.x, page.y - 0.56, 0.17, lambda x, y: _bar(x, y, "zigzag", 1.3, 0.045, 0.3))
    page.lay(waves - 0.035, WHITE)


# fmt: off
DRAWN = (
    Edition("harbour", (60, 60), 3, (255, 255, 255),
            ((212, 40, 44), (22, 82, 178), (112, 50, 146), (250, 200, 30)), _harbour),
    Edition("vellum", (63, 88), 4, (246, 235, 208),
            ((158, 52, 42), (44, 74, 120), (104, 58, 118), (206, 156, 48)), _vellum),
    Edition("kraft", (56, 87), 3.5, (206, 178, 138),
            ((190, 36, 34), (20, 70, 150), (96, 44, 128), (246, 206, 40)), _kraft),
    Edition("pool", (63, 63), 6, (214, 231, 242),
            ((222, 44, 54), (30, 96, 190), (128, 62, 162), (252, 206, 40)), _pool, is_held_out=True),
    Edition("brush", (57, 57), 2, (252, 251, 247),
            ((196, 46, 38), (34, 86, 152), (120, 66, 140), (234, 178, 40)), _brush),
    Edition("contour", (58, 87), 3, (255, 252, 240),
            ((200, 30, 46), (16, 92, 170), (136, 54, 168), (228, 170, 16)), _contour),
    Edition("panel", (63, 88), 4, (253, 253, 253),
            ((194, 42, 46), (38, 100, 182), (124, 72, 160), (240, 190, 44)), _panel, is_held_out=True),
    Edition("post", (62, 62), 0.8, (250, 247, 238),
            ((206, 54, 40), (26, 66, 140), (110, 44, 130), (238, 186, 24)), _post),
    Edition("rose", (57, 88), 3.5, (245, 216, 212),
            ((206, 28, 40), (28, 84, 172), (118, 48, 150), (250, 200, 20)), _rose, is_held_out=True),
    Edition("mint", (62, 62), 4, (215, 236, 214),
            ((210, 40, 44), (24, 88, 180), (124, 52, 154), (250, 204, 24)), _mint),
    Edition("halo", (59, 86), 5, (250, 243, 226),
            ((208, 48, 40), (36, 98, 176), (122, 60, 158), (242, 190, 32)), _halo),
    Edition("ledger", (60, 84), 2.5, (253, 253, 250),
            ((186, 36, 48), (28, 60, 128), (102, 52, 134), (222, 164, 20)), _ledger, is_held_out=True),
    Edition("orchard", (61, 89), 4.5, (247, 243, 230),
            ((202, 40, 48), (30, 78, 166), (116, 52, 148), (232, 172, 24)), _orchard, is_held_out=True),
    Edition("slate", (61, 61), 3, (226, 229, 232),
            ((232, 76, 70), (88, 156, 230), (182, 124, 214), (252, 214, 76)), _slate, is_held_out=True),
)
# fmt: on
NAMES = tuple(edition.name for edition in DRAWN)
HELD_OUT = tuple(edition.name for edition in DRAWN if edition.is_held_out)
TUNED_BY = tuple(edition.name for edition in DRAWN if not edition.is_held_out)


@lru_cache(maxsize=900)
def face(edition: str, name: str) -> Array:
    """One of the 64 cards, "back" or "blank", as a printer is sent it: rows × columns × (red, green, blue)."""
    style = DRAWN[NAMES.index(edition)]
    page = FacePage(style.size)
    page.lay(page.x * 0 - 1, style.paper)
    if name == "back":
        _back(style, page)
    elif name != "blank":
        colour, shape, count = name.split("-")
        style.design(style, page, FaceCard(COLOURS.index(colour), SHAPES.index(shape), int(count)))
    return np.clip(page.canvas * 255 + 0.5, 0, 255).astype(np.uint8)


def _back(style: Edition, page: FacePage) -> None:
    """One ink inside a border: scales, stripes or squares."""
    at = NAMES.index(style.name)
    ink = mixed(style.inks[at % 4], DARK, 0.35)
    page.lay(distance.box(page.x, page.y, 0.88, page.tall - 0.12, 0.1), ink)
    if at % 3 == 0:
        lines = np.abs(np.hypot(np.mod(page.x, 0.3) - 0.15, np.mod(page.y, 0.15)) - 0.12) - 0.02
    elif at % 3 == 1:
        lines = np.abs(np.mod(page.x + 0.4 * page.y, 0.2) - 0.1) - 0.03
    else:
        lines = np.maximum(np.abs(np.mod(page.x, 0.25) - 0.125), np.abs(np.mod(page.y, 0.25) - 0.125)) - 0.06
    page.lay(np.maximum(lines, distance.box(page.x, page.y, 0.8, page.tall - 0.2, 0.05)), mixed(ink, WHITE, 0.6))


def drawn(name: str) -> Deck:
    """The edition as a deck to lay out."""
    style = DRAWN[NAMES.index(name)]
    return Deck(style.name, style.size, style.corner, lambda card: face(style.name, card))

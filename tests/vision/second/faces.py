"""The decks that are laid out: our printed one, and editions that nobody published, drawn by signed distances.

A face is a texture: rows × columns × (red, green, blue) of 8 bits as a printer is sent them, `FINE` texels for each
millimetre. What the printer makes of it is `Printer`'s business.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from tests.vision.second import distance
from tests.vision.second.noise import Array
from vision.card_drawing import RADIUS, SQUARE, face_picture
from vision.deck import CARDS, COLOURS, SHAPES
from vision.printed_deck import PrintedDeck
from vision.printed_deck import face_picture as paper_picture

FINE = 6.0
WHITE = (255, 255, 255)
DARK = (38, 36, 40)
Ink = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Style:
    """How an edition is drawn. Lengths are shares of half the card's width."""

    name: str
    size: tuple[float, float]  # of a card, mm
    draw: "Callable[[Style, FacePage, FaceCard], None]"
    inks: tuple[Ink, Ink, Ink, Ink]  # red, blue, purple, yellow
    corner: float = 3.5  # mm
    star: tuple[int, float] = (5, 0.42)
    arm: float = 0.33
    slim: float = 0.8  # of a diamond
    reach: float = 0.6
    line: float = 0.1
    period: float = 0.5
    swing: float = 0.1
    gap: float = 0.27
    ground: Ink = WHITE
    index: str = "none"


@dataclass(frozen=True, slots=True)
class FaceCard:
    colour: int
    shape: int
    count: int


@dataclass(slots=True)
class FacePage:
    """What is drawn on: the middle is 0, one is half a card's width, and y points down."""

    size: tuple[float, float]
    canvas: Array = field(init=False)
    x: Array = field(init=False)
    y: Array = field(init=False)

    def __post_init__(self) -> None:
        width, height = (round(side * FINE) for side in self.size)
        self.canvas = np.ones((height, width, 3), np.float32)
        across, down = (np.arange(width) + 0.5) * 2 / width - 1, (np.arange(height) * 2 + 1 - height) / width
        self.x, self.y = (plane.astype(np.float32) for plane in np.meshgrid(across, down))

    def lay(self, reach: Array, ink: Ink, amount: Array | float = 1.0) -> None:
        """Ink wherever the distance is below zero; what is under it does not show through."""
        self.canvas += self._cover(reach, amount) * (np.array(ink, np.float32) / 255 - self.canvas)

    def stain(self, reach: Array, ink: Ink, amount: Array | float = 1.0) -> None:
        """The same with an ink that the paper shows through."""
        self.canvas *= 1 - self._cover(reach, amount) * (1 - np.array(ink, np.float32) / 255)

    def _cover(self, reach: Array, amount: Array | float) -> Array:
        return (np.clip(0.5 - reach * self.canvas.shape[1] / 2, 0, 1) * amount)[..., None]

    @property
    def tall(self) -> float:
        return self.size[1] / self.size[0]


def _shape(style: Style, shape: int, x: Array, y: Array, reach: float) -> Array:
    if SHAPES[shape] == "circle":
        return distance.circle(x, y, reach)
    if SHAPES[shape] == "diamond":
        return distance.diamond(x, y, reach * 1.12 * style.slim, reach * 1.12)
    if SHAPES[shape] == "plus":
        return distance.plus(x, y, reach, reach * style.arm, reach * 0.06)
    return distance.star(x, y - reach * 0.05, reach * 1.16, *style.star)


def _waves(style: Style, card: FaceCard, x: Array, y: Array, length: float) -> Array:
    """Distance to the nearest wavy line's middle; far away if there is none."""
    nearest = np.full_like(x, 9)
    for number in range(card.count):
        level = (number - (card.count - 1) / 2) * style.gap
        line = distance.wave(x, y - level, length, style.swing / 2, style.period, 0.4)
        nearest = np.minimum(nearest, line)
    return nearest - style.line / 2


def mixed(ink: Ink, other: Ink, share: float) -> Ink:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(ink, other, strict=True))
    return red, green, blue


# --- The styles


def _crossed(style: Style, page: FacePage, card: FaceCard) -> None:
    """White lines across the shape, and nowhere else."""
    page.lay(_shape(style, card.shape, page.x, page.y, style.reach), style.inks[card.colour])
    page.lay(_waves(style, card, page.x, page.y, 2 * style.reach), WHITE)


def _through(style: Style, page: FacePage, card: FaceCard) -> None:
    """Lines that are white on the shape and coloured beside it."""
    shape = _shape(style, card.shape, page.x, page.y, style.reach)
    waves = _waves(style, card, page.x, page.y, 1.8)
    page.lay(waves, style.inks[card.colour])
    page.lay(shape, style.inks[card.colour])
    page.lay(np.maximum(waves, shape), WHITE)


def _under(style: Style, page: FacePage, card: FaceCard) -> None:
    """The shape above, the lines below it."""
    frame = np.abs(distance.box(page.x, page.y, 0.9, page.tall - 0.1, 0.08)) - 0.012
    page.lay(frame, style.inks[card.colour])
    page.lay(_shape(style, card.shape, page.x, page.y + 0.42, style.reach), style.inks[card.colour])
    page.lay(_waves(style, card, page.x, page.y - 0.78, 1.3), style.inks[card.colour])


def _behind(style: Style, page: FacePage, card: FaceCard) -> None:
    """Lines from edge to edge that pass behind the shape."""
    page.lay(_waves(style, card, page.x, page.y, 1.8), mixed(style.inks[card.colour], DARK, 0.15))
    shape = _shape(style, card.shape, page.x, page.y, style.reach)
    page.lay(shape - 0.05, WHITE)
    page.lay(shape, style.inks[card.colour])


def _tinted(style: Style, page: FacePage, card: FaceCard) -> None:
    """A pale card of the colour, darker lines over the shape."""
    ink = style.inks[card.colour]
    page.lay(page.x * 0 - 1, mixed(ink, WHITE, 0.78))
    page.lay(_shape(style, card.shape, page.x, page.y, style.reach), ink)
    page.lay(_waves(style, card, page.x, page.y, 1.7), mixed(ink, DARK, 0.75))


def _outlined(style: Style, page: FacePage, card: FaceCard) -> None:
    """A thick outline, dark lines in it."""
    shape = _shape(style, card.shape, page.x, page.y, style.reach)
    page.lay(shape, mixed(style.inks[card.colour], WHITE, 0.28))
    page.lay(_waves(style, card, page.x, page.y, 2.1 * style.reach), DARK)
    page.lay(np.abs(shape) - 0.07, style.inks[card.colour])


def _reversed(style: Style, page: FacePage, card: FaceCard) -> None:
    """A coloured field, the shape left white, coloured lines across it."""
    ink = style.inks[card.colour]
    page.lay(distance.box(page.x, page.y, 0.88, page.tall - 0.12, 0.1), ink)
    shape = _shape(style, card.shape, page.x, page.y, style.reach)
    page.lay(shape, WHITE)
    page.lay(np.maximum(_waves(style, card, page.x, page.y, 2 * style.reach), shape), mixed(ink, DARK, 0.3))


def _upright(style: Style, page: FacePage, card: FaceCard) -> None:
    """Lines that stand, white with a dark edge, longer than the shape."""
    page.lay(_shape(style, card.shape, page.x, page.y, style.reach), style.inks[card.colour])
    waves = _waves(style, card, page.y, page.x, 2.5 * style.reach)
    page.lay(waves - 0.025, DARK)
    page.lay(waves, WHITE)


# --- Corner indices


def _indexed(style: Style, page: FacePage, card: FaceCard) -> None:
    for sign in (1, -1):
        x, y = page.x * sign + 0.76, page.y * sign + page.tall - 0.24
        if style.index == "digit":
            page.lay(distance.digit(x, y, card.count, 0.2) - 0.022, style.inks[card.colour])
        elif style.index == "sign":
            page.lay(_shape(style, card.shape, x, y, 0.1), style.inks[card.colour])
        elif style.index == "both":
            page.lay(distance.digit(x, y, card.count, 0.2) - 0.024, DARK)
            page.lay(_shape(style, card.shape, x, y - 0.27, 0.095), style.inks[card.colour])


STYLES = (
    Style(
        "crossed", (58, 58), _crossed, ((190, 42, 38), (28, 72, 160), (118, 44, 150), (236, 188, 28)),
        line=0.08, gap=0.3, reach=0.66, index="digit",
    ),
    Style(
        "through", (63, 63), _through, ((206, 32, 58), (20, 110, 190), (140, 84, 176), (248, 208, 44)),
        star=(5, 0.5), arm=0.42, reach=0.66, line=0.075, gap=0.34, swing=0.09, corner=5, ground=(252, 248, 240),
    ),
    Style(
        "under", (58, 87), _under, ((172, 50, 40), (30, 48, 112), (112, 58, 140), (214, 160, 36)),
        reach=0.56, line=0.085, gap=0.21, swing=0.12, period=0.36, arm=0.28, slim=0.68,
    ),
    Style(
        "behind", (63, 88), _behind, ((214, 52, 44), (52, 122, 196), (150, 100, 190), (240, 196, 20)),
        reach=0.48, line=0.09, gap=0.34, period=0.62, swing=0.13, star=(5, 0.38), index="both",
    ),
    Style(
        "tinted", (57, 57), _tinted, ((200, 44, 52), (36, 84, 176), (108, 48, 156), (232, 178, 24)),
        reach=0.55, line=0.085, gap=0.3, period=0.44, star=(6, 0.58), arm=0.3, index="sign",
    ),
    Style(
        "outlined", (58, 87), _outlined, ((186, 34, 30), (24, 62, 138), (132, 60, 160), (224, 168, 30)),
        reach=0.74, line=0.075, gap=0.27, swing=0.12, star=(5, 0.54), arm=0.42, slim=0.9, index="digit",
    ),
    Style(
        "reversed", (60, 60), _reversed, ((196, 50, 40), (40, 90, 170), (126, 66, 158), (238, 184, 30)),
        reach=0.64, line=0.1, gap=0.28, star=(5, 0.46), arm=0.38, corner=2.5,
    ),
    Style(
        "upright", (56, 84), _upright, ((202, 40, 34), (44, 104, 184), (136, 76, 172), (244, 200, 50)),
        reach=0.68, line=0.075, gap=0.33, period=0.5, star=(5, 0.48), arm=0.4, ground=(250, 250, 252), index="both",
    ),
)  # fmt: skip


@lru_cache(maxsize=512)
def _drawn(style_at: int, name: str) -> Array:
    style = STYLES[style_at]
    page = FacePage(style.size)
    page.lay(page.x * 0 - 1, style.ground)
    if name == "back":
        _ornament(style, page)
    elif name != "blank":
        colour, shape, count = name.split("-")
        card = FaceCard(COLOURS.index(colour), SHAPES.index(shape), int(count))
        style.draw(style, page, card)
        _indexed(style, page, card)
    return np.clip(page.canvas * 255 + 0.5, 0, 255).astype(np.uint8)


def _ornament(style: Style, page: FacePage) -> None:
    """The back: rings or lattices in one ink, inside a border."""
    ink = mixed(style.inks[len(style.name) % 4], DARK, 0.45)
    page.lay(distance.box(page.x, page.y, 0.9, page.tall - 0.1, 0.1), ink)
    field = distance.box(page.x, page.y, 0.82, page.tall - 0.18, 0.05)
    if style.index == "none":
        rings = np.abs(np.mod(np.hypot(page.x, page.y), 0.22) - 0.11) - 0.025
    else:
        rings = np.minimum(*(np.abs(np.mod(page.x + s * page.y, 0.3) - 0.15) - 0.02 for s in (1, -1)))
    page.lay(np.maximum(rings, field), mixed(ink, WHITE, 0.7))


# --- The decks


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards to lay out: `face` knows the names, "back" and mostly "blank"."""

    name: str
    size: tuple[float, float]
    corner: float
    face: Callable[[str], Array]
    names: tuple[str, ...] = CARDS


@lru_cache(maxsize=256)
def _printed(name: str, size: tuple[float, float]) -> Array:
    return np.ascontiguousarray(face_picture(name, round(max(size) * FINE), size)[..., ::-1])


def printed(size: tuple[float, float] = SQUARE) -> Deck:
    """Our own deck, as `companion print` draws it."""
    return Deck("ours", size, RADIUS, lambda name: _printed(name, size))


def of_game(paper: PrintedDeck, game: str, size: tuple[float, float]) -> Deck:
    """What is printed of a game, of whatever a camera tells apart."""
    face = lru_cache(maxsize=128)(lambda name: _of_paper(paper, name, size))
    return Deck(game, size, RADIUS, face, paper.faces)


def _of_paper(paper: PrintedDeck, name: str, size: tuple[float, float]) -> Array:
    return np.ascontiguousarray(paper_picture(paper, name, round(max(size) * FINE), size)[..., ::-1])


def edition(number: int) -> Deck:
    """One of the other editions."""
    at = number % len(STYLES)
    style = STYLES[at]
    return Deck(style.name, style.size, style.corner, lambda name: _drawn(at, name))


# --- Printing


@dataclass(frozen=True, slots=True)
class Printer:
    """What becomes of a picture on paper: how white that is, how much ink it takes, how far ink creeps and stains."""

    paper: tuple[float, float, float]
    amount: tuple[float, float, float]  # of cyan, magenta, yellow
    gain: float
    creep: float  # mm
    blackest: float
    stain: Array  # 3 × 3, rows add up to 1

    def printed(self, picture: Array) -> Array:
        """Linear reflectance."""
        level = (np.arange(256, dtype=np.float32) / 255) ** 2.2
        density = -np.log10(np.maximum(level, 0.01))
        table = np.empty((256, 1, 3), np.float32)
        for channel, amount in enumerate(self.amount):
            laid = density * amount * (1 + self.gain * (1 - density / 2))
            table[:, 0, channel] = self.blackest + (1 - self.blackest) * 10**-laid
        soft = cv2.GaussianBlur(picture, (0, 0), max(0.2, self.creep * FINE))
        return cv2.transform(cv2.LUT(soft, table), self.stain) * np.array(self.paper, np.float32)


def a_printer(rng: np.random.Generator) -> Printer:
    stain = np.eye(3, dtype=np.float32) * 0.94 + rng.dirichlet((1, 1, 1), 3).astype(np.float32) * 0.06
    white, warm = rng.uniform(0.76, 0.92), rng.choice([0.0, rng.uniform(-0.02, 0.09)])
    return Printer(
        paper=(white, white * (1 - 0.35 * warm), white * (1 - warm)),
        amount=tuple(rng.uniform(0.85, 1.12, 3)),
        gain=rng.uniform(0, 0.15),
        creep=rng.uniform(0.03, 0.12),
        blackest=rng.uniform(0.015, 0.05),
        stain=stain,
    )

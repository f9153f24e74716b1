"""What is printed of Tres: numbers in four colours, each with a shape of its own, the three that act, and jokers."""

from dataclasses import dataclass

from companion.display.theme import shape_of
from companion.games.tres.rules import JOKER, PLUS3, REVERSE, SKIP, House
from companion.games.tres.rules.cards import deck
from vision.card_drawing import SQUARE
from vision.curves import arc, scallops
from vision.drawing import WHITE, Drawing, DrawnMark, Ink, disc, line, moved, polygon, rectangle
from vision.mat import Point
from vision.printed_deck import PrintedDeck
from vision.printed_shapes import DARK, DEEP, INKS, shape
from vision.stroke_letters import numeral, stroked

GROUND: Ink = (70, 44, 104)  # the back
STRIPE: Ink = (132, 104, 170)
INSET = 5.4  # from the edges of a card to the middle of what is in a corner


@dataclass(frozen=True, slots=True)
class Field:
    """A shape with a number on it: how far it reaches, how high the number is, and how far below the middle."""

    reach: float
    numeral: float
    low: float = 0.0
    up: float = 0.0  # how far above the card's middle the shape is


FIELDS = {
    "circle": Field(19.0, 20.0, -1.2),
    "square": Field(18.4, 19.4, -1.6),
    "diamond": Field(19.6, 18.4, -0.8),
    "triangle": Field(19.0, 15.6, 0.4, 4.2),
}
DOT, DOTS_STEP = 1.25, 3.2
STROKE = 0.22  # of a number, by its height
DARK_ON = ("yellow", "green")  # what is light has dark numbers
GLOW: Ink = (255, 214, 64)


def _front(name: str, size: Point) -> Drawing:
    colour, dash, number = name.partition("-")
    return _number(colour, number, size) if dash else _sign(name, size)


def _number(colour: str, number: str, size: Point) -> Drawing:
    (width, height), scale, form = size, size[0] / SQUARE[0], shape_of(colour)
    field, ink = FIELDS[form], DARK if colour in DARK_ON else WHITE
    big: Drawing = (
        DrawnMark((shape(form, field.reach),), INKS[colour], DEEP[colour], 1.2),
        *moved(numeral(number, field.numeral, STROKE * field.numeral, ink), (0, field.low)),
    )
    small: Drawing = (DrawnMark((shape(form, 2.0),), INKS[colour], DEEP[colour], 0.6),)
    corner = (*numeral(number, 4.4, 1.1, DEEP[colour]), *moved(small, (0, 6.8)))
    dots = moved(_dots(int(number), colour), (SQUARE[0] - 2 * INSET - 1.0, 1.2))
    return (*moved(big, (width / 2, height / 2 - field.up * scale), scale=scale), *_corners(corner, dots, size))


def _dots(number: int, colour: str) -> Drawing:
    """As many as the number, three in a row: for whoever cannot read yet."""
    places = ((place % 3 - 1, place // 3 - 1) for place in range(number))
    return (DrawnMark(tuple(disc((x * DOTS_STEP, y * DOTS_STEP), DOT) for x, y in places), DEEP[colour]),)


def _corners(left: Drawing, right: Drawing, size: Point) -> Drawing:
    """At the top, and for the player opposite at the bottom."""
    (width, height), scale, inset = size, size[0] / SQUARE[0], INSET * size[0] / SQUARE[0]
    drawing = (*left, *right)
    return (
        *moved(drawing, (inset, inset), scale=scale),
        *moved(drawing, (width - inset, height - inset), turn=180, scale=scale),
    )


def _sign(name: str, size: Point) -> Drawing:
    """On a dark field, so that nobody takes it for a number."""
    (width, height), scale = size, size[0] / SQUARE[0]
    margin = 3.4 * scale
    field = DrawnMark((rectangle((margin, margin, width - margin, height - margin), 3 * scale),), DARK)
    big, small = _SIGNS[name](), moved(_SIGNS[name](), scale=0.19)
    return (field, *moved(big, (width / 2, height / 2), scale=scale), *_corners(moved(small, (2.6, 2.6)), (), size))


def _reverse() -> Drawing:
    """Two arrows that go round."""
    half: Drawing = (
        DrawnMark((arc((0, 0), (13.4, 13.4), 195, 318),), None, WHITE, 4.6),
        DrawnMark((polygon([(5.4, -8.6), (15.6, -12.6), (14.4, -1.0)]),), WHITE, WHITE, 1.4),
    )
    return (*half, *moved(half, turn=180))


def _skip() -> Drawing:
    """No entry."""
    return (
        DrawnMark((disc((0, 0), 14.2),), None, WHITE, 4.6),
        DrawnMark((line((-9.6, 9.6), (9.6, -9.6)),), None, WHITE, 4.6),
    )


def _plus3() -> Drawing:
    return stroked("+3", 18.0, 4.4, GLOW)


def _joker() -> Drawing:
    """A flower of all four shapes in their colours."""
    petals: Drawing = ()
    for (x, y), colour in zip(((-8.6, -8.6), (8.6, -8.6), (-8.6, 8.6), (8.6, 8.6)), INKS, strict=True):
        petals += moved((DrawnMark((shape(shape_of(colour), 7.4),), INKS[colour], WHITE, 1.4),), (x, y))
    middle = scallops([_star(step) for step in range(8)], 0.4)
    return (*petals, DrawnMark((middle,), WHITE, DARK, 1.0))


def _star(step: int) -> Point:
    return ((0.0, -3.4), (2.4, -2.4), (3.4, 0.0), (2.4, 2.4), (0.0, 3.4), (-2.4, 2.4), (-3.4, 0.0), (-2.4, -2.4))[step]


_SIGNS = {REVERSE: _reverse, SKIP: _skip, PLUS3: _plus3, JOKER: _joker}


def _back(_name: str, size: Point) -> Drawing:
    """Three stripes across, the same whichever way round it lies."""
    (width, height), margin = size, 3.0
    x, y = width / 2, height / 2
    stripes = tuple(
        line((x - 8 + away, y + 12), (x + 8 + away, y - 12)) for away in (-9.0, 0.0, 9.0)
    )  # fmt: skip
    return (
        DrawnMark((rectangle((margin, margin, width - margin, height - margin), 1.5),), GROUND),
        DrawnMark(
            (rectangle((margin + 2.5, margin + 2.5, width - margin - 2.5, height - margin - 2.5), 1.5),),
            None,
            STRIPE,
            0.8,
        ),
        DrawnMark(stripes, None, STRIPE, 4.0),
    )


PAPER = PrintedDeck(dict(deck(House())), _front, _back)

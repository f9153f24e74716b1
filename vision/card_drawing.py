"""Our own Triple³ deck as drawings: 64 faces, the blank one, and the back.

A face is its shape in its colour with ribbons across it, the count again as strokes under a small shape in two corners,
and in the other two a drop that tells the colour to whoever cannot see it.
"""

import math
from functools import cache

from vision.deck import CARDS
from vision.drawing import WHITE, Drawing, DrawnMark, Ink, Path, disc, line, moved, polygon, rectangle, wave
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.ink import painted
from vision.mat import Point

SQUARE: Point = (54.0, 54.0)
SLEEVED: Point = (63.0, 88.0)
RADIUS = 3.0  # of the corners that are cut round
BLANK, BACK = "blank", "back"
BLANKS = 2  # in a deck
NAMES = (*CARDS, BLANK, BACK)

# Each differs from the others in grey too, darkest first: purple, red, blue, yellow.
INKS: dict[str, Ink] = {"red": (212, 32, 44), "blue": (28, 134, 230), "purple": (98, 28, 126), "yellow": (252, 198, 14)}
DEEP: dict[str, Ink] = {"red": (84, 6, 14), "blue": (4, 34, 84), "purple": (40, 4, 56), "yellow": (84, 56, 0)}
FIELD: Ink = (24, 74, 78)  # the back
RIPPLE: Ink = (62, 122, 122)
FAINT: Ink = (205, 208, 212)

EDGE = 0.7  # of the big shape
RIBBON, RIBBON_EDGE = 3.2, 0.8
SWING = 0.235  # to either side, by the length of an arc
# Ribbons lie inside a shape, so that it keeps its outline: how far below its middle, how long, of how many arcs.
RIBBONS: dict[str, tuple[tuple[tuple[float, float, int], ...], ...]] = {
    "circle": ((), ((0, 24, 4),), ((-4.6, 23, 4), (4.6, 23, 4)), ((-8.5, 16, 3), (0, 25, 5), (8.5, 16, 3))),
    "diamond": ((), ((0, 24, 4),), ((-4.6, 18, 3), (4.6, 18, 3)), ((-8.3, 13, 3), (0, 24, 5), (8.3, 13, 3))),
    "plus": ((), ((0, 24, 4),), ((-4.1, 24, 4), (4.1, 24, 4)), ((-13, 10, 2), (0, 24, 4), (13, 10, 2))),
    "star": ((), ((2.4, 17, 3),), ((-1.6, 18, 3), (6.6, 14, 3)), ((-4.5, 14.4, 3), (2.6, 15, 3), (9.7, 14.4, 3))),
}
INDEX_INSET = (6.2, 6.4)  # from the card's edges to the middle of the small shape
DROP_INSET = (5.6, 6.6)


def face_picture(name: str, pixels: int, size: Point = SQUARE) -> Picture:
    """A face, `blank` or `back` in pixels, the longer side so many; the corners are white."""
    per_mm = pixels / max(size)
    return painted(card(name, size), size, (max(1, round(size[0] * per_mm)), max(1, round(size[1] * per_mm))))


@cache
def card(name: str, size: Point = SQUARE) -> Drawing:
    """What is printed on a card, from its top left corner."""
    if name == BACK:
        return _back(size)
    if name == BLANK:
        return blank_card(size)
    if name not in CARDS:
        raise PrintError(f"There is no card {name[:40]!r}; cards are called like {CARDS[0]}, and {BLANK}, and {BACK}.")
    colour, shape, count = name.split("-")
    return _face(colour, shape, int(count), size)


def _face(colour: str, shape: str, count: int, size: Point) -> Drawing:
    (width, height), scale = size, size[0] / SQUARE[0]
    drawing = moved(_big(colour, shape, count), (width / 2, height / 2), scale=scale)
    index, tear = _index(colour, shape, count), drop(colour)
    for turn in (0, 180):
        drawing += _cornered(index, INDEX_INSET, size, scale, turn)
        drawing += _cornered(tear, (SQUARE[0] - DROP_INSET[0], DROP_INSET[1]), size, scale, turn)
    return drawing


def _cornered(drawing: Drawing, inset: Point, size: Point, scale: float, turn: int) -> Drawing:
    """Into a corner, and for the player opposite into the other one."""
    x, y = inset[0] * scale, inset[1] * scale
    return moved(drawing, (size[0] - x, size[1] - y) if turn else (x, y), turn=turn, scale=scale)


def outline(shape: str) -> Path:
    """A shape around its middle, as large as a card's big one."""
    match shape:
        case "circle":
            return disc((0, 0), 17.4)
        case "diamond":
            return polygon([(0, -21), (18.6, 0), (0, 21), (-18.6, 0)])
        case "plus":
            out, arm = 17.8, 8.8
            corner = [(-arm, -arm), (-arm, -out), (arm, -out)]
            return polygon(_turned(point, 90 * quarter) for quarter in range(4) for point in corner)
        case _:
            return polygon(_turned((0, (-21, -11.6)[point % 2]), 36 * point, (0, 1.6)) for point in range(10))


def _turned(point: Point, degrees: float, to: Point = (0, 0)) -> Point:
    (x, y), a = point, math.radians(degrees)
    return to[0] + x * math.cos(a) - y * math.sin(a), to[1] + x * math.sin(a) + y * math.cos(a)


def _big(colour: str, shape: str, count: int) -> Drawing:
    """The shape with white ribbons on it, each with a dark edge."""
    drawing: Drawing = (DrawnMark((outline(shape),), INKS[colour], DEEP[colour], EDGE),)
    for y, length, arcs in RIBBONS[shape][count]:
        swing = SWING * length / arcs
        path = wave((0, y), length, -swing if arcs == 3 else swing, arcs)  # a middle arc is up
        drawing += (
            DrawnMark((path,), None, DEEP[colour], RIBBON + 2 * RIBBON_EDGE),
            DrawnMark((path,), None, WHITE, RIBBON),
        )
    return drawing


def _index(colour: str, shape: str, count: int) -> Drawing:
    """A small shape with the count under it."""
    small = moved((DrawnMark((outline(shape),), INKS[colour], DEEP[colour], 1.8),), scale=0.17)
    strokes = (line((-2.3, 5.2 + number * 1.85), (2.3, 5.2 + number * 1.85)) for number in range(count))
    return (*small, *(DrawnMark((stroke,), None, DEEP[colour], 0.95) for stroke in strokes))


def drop(colour: str) -> Drawing:
    """Full for red, half full for blue, with a hole for purple, empty for yellow."""
    ink = DEEP[colour]
    whole = Path(
        (0, -3.3),
        (
            ((0.5, -1.9), (2.1, -0.5), (2.1, 1.1)),
            ((2.1, 3.9), (-2.1, 3.9), (-2.1, 1.1)),
            ((-2.1, -0.5), (-0.5, -1.9), (0, -3.3)),
        ),
    )
    lower = Path((2.1, 0.9), (((2.1, 3.9), (-2.1, 3.9), (-2.1, 0.9)),))
    match colour:
        case "red":
            return (DrawnMark((whole,), ink, ink, 0.5),)
        case "blue":
            return (DrawnMark((whole,), WHITE, ink, 0.5), DrawnMark((lower,), ink))
        case "purple":
            return (DrawnMark((whole,), ink, ink, 0.5), DrawnMark((disc((0, 1.1), 1.0),), WHITE))
        case _:
            return (DrawnMark((whole,), WHITE, ink, 0.5),)


def blank_card(size: Point) -> Drawing:
    """White, with a faint frame to write or draw in."""
    return (DrawnMark((rectangle((4, 4, size[0] - 4, size[1] - 4), 2),), None, FAINT, 0.3),)


def _back(size: Point) -> Drawing:
    """The same whichever way round it lies."""
    (width, height), scale = size, size[0] / SQUARE[0]
    margin = 3.0
    drawing: Drawing = (DrawnMark((rectangle((margin, margin, width - margin, height - margin), 1.5),), FIELD),)
    long, step = width - 2 * margin - 5, 4.0
    rows = int((height - 2 * margin - 5) / step / 2)
    for row in range(-rows, rows + 1):
        path = wave((width / 2, height / 2 + row * step), long, 0.9, 12)
        drawing += (DrawnMark((path,), None, RIPPLE, 0.7),)
    return drawing + moved(_seal(), (width / 2, height / 2), scale=scale)


def _seal() -> Drawing:
    """Three by three in the four colours, the same upside down."""
    drawing: Drawing = (DrawnMark((disc((0, 0), 12.5),), WHITE, FIELD, 1.5),)
    colours = ("red", "yellow", "blue", "purple", "none", "purple", "blue", "yellow", "red")
    for number, colour in enumerate(colours):
        x, y = (number % 3 - 1) * 5.4, (number // 3 - 1) * 5.4
        drawing += (DrawnMark((rectangle((x - 2, y - 2, x + 2, y + 2), 0.8),), INKS.get(colour, FIELD)),)
    return drawing

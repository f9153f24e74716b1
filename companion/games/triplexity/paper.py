"""What is printed of Triplexity: the six pieces as tiles of two sides, each with its pips as a die has them.

Tiles are for thick cardboard; the small size is for stickers on pieces of wood.
"""

from companion.display.theme import shape_of
from companion.games.triplexity.faces import OWNERS
from companion.games.triplexity.rules import House
from vision.card_drawing import SQUARE
from vision.drawing import WHITE, Drawing, DrawnMark, disc, moved, rectangle
from vision.mat import Point
from vision.printed_deck import PrintedDeck
from vision.printed_shapes import DEEP, INKS, shape

STICKER: Point = (25.0, 25.0)
REACH = {"circle": 25.4, "square": 27.6}
AWAY, PIP = 12.6, 5.2  # from the middle, and half as wide as a pip
SPOTS = {
    "1": "5", "2": "19", "3": "159", "4": "1379", "5": "13579", "6": "134679",
}  # fmt: skip  # of three rows of three, counted from the top left


def _front(name: str, size: Point) -> Drawing:
    colour, _, pips = name.partition("-")
    form = shape_of(colour)
    top = DrawnMark((shape(form, REACH[form]),), INKS[colour], DEEP[colour], 1.2)
    drawing: Drawing = (top,)
    for spot in SPOTS[pips]:
        row, column = divmod(int(spot) - 1, 3)
        drawing += moved((_pip(form, DEEP[colour]),), ((column - 1) * AWAY, (row - 1) * AWAY))
    return moved(drawing, (size[0] / 2, size[1] / 2), scale=size[0] / SQUARE[0])


def _pip(form: str, rim: tuple[int, int, int]) -> DrawnMark:
    """Round on the round pieces, square on the others."""
    outline = disc((0, 0), PIP) if form == "circle" else rectangle((-PIP, -PIP, PIP, PIP), 0.6)
    return DrawnMark((outline,), WHITE, rim, 0.8)


def _under() -> dict[str, str]:
    """What is on the other side of each face."""
    pairs = [faces.split("/") for faces in House().faces]
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


UNDER = _under()


def _back(name: str, size: Point) -> Drawing:
    colour, _, pips = name.partition("-")
    return _front(f"{colour}-{UNDER[pips]}", size)


_UP = [faces.split("/")[0] for faces in House().faces]
PAPER = PrintedDeck(
    {f"{colour}-{pips}": 1 for colour in OWNERS for pips in _UP},
    _front,
    _back,
    sizes=(SQUARE, STICKER),
    what="pieces",
    legend="The backs are the other sides of the pieces.",
    symbols=tuple(f"{colour}-{pips}" for colour in OWNERS for pips in SPOTS),
)

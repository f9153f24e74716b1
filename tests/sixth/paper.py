"""What is printed of Sticks: five of them, to be cut out, the same on both sides."""

from vision.drawing import Drawing, DrawnMark, Ink, rectangle
from vision.mat import Point
from vision.printed_deck import PrintedDeck

WOOD: Ink = (214, 164, 84)


def _stick(_name: str, size: Point) -> Drawing:
    width, height = size
    return (DrawnMark((rectangle((0.44 * width, 6, 0.56 * width, height - 6), 2),), WOOD),)


PAPER = PrintedDeck({"stick": 5}, _stick, _stick, what="sticks")

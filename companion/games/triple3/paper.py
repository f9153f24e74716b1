"""What is printed of Triple³: its 64 cards, and two blank ones."""

from vision.card_drawing import BACK, BLANKS, card
from vision.deck import CARDS
from vision.drawing import Drawing
from vision.mat import Point
from vision.printed_deck import PrintedDeck


def _back(_name: str, size: Point) -> Drawing:
    return card(BACK, size)


PAPER = PrintedDeck(
    dict.fromkeys(CARDS, 1),
    card,
    _back,
    blanks=BLANKS,
    legend="Drops: full red, half blue, with a hole purple, empty yellow.",
)

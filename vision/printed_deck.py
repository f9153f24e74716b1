"""What is printed of a game: which cards, how many of each, and how front and back are drawn.

The game says it in the file `paper.py` of its package; nothing here knows a game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from vision.card_drawing import BACK, BLANK, SLEEVED, SQUARE, blank_card
from vision.drawing import Drawing
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.ink import painted
from vision.mat import Point

Drawn = Callable[[str, Point], Drawing]  # by its name and the size of a card, from its top left corner


@dataclass(frozen=True, slots=True)
class PrintedDeck:
    """PAPER of a game. As it is here, nothing of it is printed."""

    cards: Mapping[str, int] = field(default_factory=dict)  # each front, and how often it is printed
    front: Drawn = lambda _name, _size: ()
    back: Drawn = lambda _name, _size: ()  # what is behind that front
    blanks: int = 0
    sizes: tuple[Point, ...] = (SQUARE, SLEEVED)  # the first is the usual one
    what: str = "cards"  # that are cut out
    legend: str = ""  # at the foot of each sheet
    symbols: tuple[str, ...] = ()  # what a camera tells apart where that is not the cards
    symbol: Drawn | None = None

    @property
    def faces(self) -> tuple[str, ...]:
        """What a camera tells apart."""
        return self.symbols or tuple(self.cards)

    @property
    def fronts(self) -> tuple[str, ...]:
        """Every card in the order in which they are laid out, blanks last."""
        return (*(name for name, count in self.cards.items() for _ in range(count)), *[BLANK] * self.blanks)

    def __bool__(self) -> bool:
        return bool(self.cards)

    @property
    def pictured(self) -> tuple[str, ...]:
        """Every name that `face_picture` knows."""
        return (*self.faces, *([BLANK] if self.blanks else []), *([] if self.is_two_sided else [BACK]))

    @property
    def is_two_sided(self) -> bool:
        """Other cards have other backs."""
        return len({self.back(name, self.sizes[0]) for name in self.cards}) > 1

    def lying(self, name: str, size: Point) -> Drawing:
        """A front by its name, or a blank one."""
        return blank_card(size) if name == BLANK else self.front(name, size)


def face_picture(deck: PrintedDeck, name: str, pixels: int, size: Point) -> Picture:
    """What a camera is shown of a deck by the name of a face, `blank` or `back`; the longer side so many pixels.

    A symbol that is a part of a card comes as a square of its own, as large as the card would be.
    """
    if name not in deck.pictured:
        raise PrintError(f"There is no face {name[:40]!r}; faces are called like {deck.faces[0]}.")
    if name == BACK:
        drawing = deck.back(next(iter(deck.cards)), size)
    elif name == BLANK:
        drawing = blank_card(size)
    else:
        drawing = (deck.symbol or deck.front)(name, size)
    per_mm = pixels / max(size)
    return painted(drawing, size, (max(1, round(size[0] * per_mm)), max(1, round(size[1] * per_mm))))

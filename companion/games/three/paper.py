"""What is printed of Three!: six cards of each of the eight dogs."""

from companion.games.three.dog_marks import MARKS
from companion.games.three.dogs import DRAWN, INK
from companion.games.three.rules import House
from vision.card_drawing import SQUARE
from vision.drawing import Drawing, DrawnMark, Ink, disc, moved, rectangle
from vision.mat import Point
from vision.printed_deck import PrintedDeck
from vision.stroke_letters import stroked

MARK_INSET = 6.0  # from the edges to the middle of a mark
DISC = 20.0  # that a dog stands on
DOG = 0.92  # how large, by its drawing
NAME_UP = 4.0  # from the lower edge to the middle of a name
GROUND: Ink = (140, 72, 40)  # the back
PAW: Ink = (226, 170, 120)


def _front(name: str, size: Point) -> Drawing:
    (width, height), scale = size, size[0] / SQUARE[0]
    draw, tint = DRAWN[name]
    middle = (width / 2, height / 2 - 2.2 * scale)
    stand: Drawing = (DrawnMark((disc((0, 0), DISC),), tint),)
    drawing = moved((*stand, *moved(draw(), (0, 0.6), scale=DOG)), middle, scale=scale)
    inset = MARK_INSET * scale
    for x, y, turn in ((inset, inset, 0), (width - inset, height - inset, 180)):
        drawing += moved(MARKS[name], (x, y), turn=turn, scale=1.1 * scale)
    return drawing + moved(stroked(name.upper(), 3.0, 0.75, INK), (width / 2, height - NAME_UP * scale), scale=scale)


def _back(_name: str, size: Point) -> Drawing:
    """Paws, the same whichever way round it lies."""
    width, height = size
    margin = 3.0
    drawing: Drawing = (DrawnMark((rectangle((margin, margin, width - margin, height - margin), 1.5),), GROUND),)
    across, down = 4, round(4 * height / width)
    for row in range(down):
        for column in range(across):
            at = ((column + 0.5) * (width - 8) / across + 4, (row + 0.5) * (height - 8) / down + 4)
            opposite = row * across + column >= across * down / 2
            drawing += moved(_paw(), at, turn=180 if opposite else 0, scale=1.0)
    return drawing


def _paw() -> Drawing:
    toes = tuple(disc(at, 1.05) for at in ((-2.7, -0.6), (-1.0, -2.5), (1.0, -2.5), (2.7, -0.6)))
    return (DrawnMark((*toes, disc((0, 1.5), 2.0)), PAW),)


_HOUSE = House()
PAPER = PrintedDeck({dog.name: _HOUSE.copies for dog in _HOUSE.dogs}, _front, _back)

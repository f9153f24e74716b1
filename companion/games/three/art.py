"""The picture of Three!, and its dogs."""

from companion.display.art import (
    DARK,
    PAPER,
    RED,
    SAND,
    SYMBOLS,
    Drawing,
    Form,
    GameArt,
    Paint,
    arc,
    block,
    disc,
    inked,
    line,
    moved,
    paper,
)

# A dog of Three! by its colour: the coat, and darker ears.
COATS: dict[str, tuple[Paint, Paint]] = {
    "red": ((196, 84, 44), (134, 46, 24)),
    "blue": ((112, 140, 178), (66, 90, 130)),
    "green": ((138, 160, 104), (84, 108, 60)),
    "yellow": ((240, 204, 110), (196, 150, 54)),
    "brown": ((146, 98, 58), (92, 56, 30)),
    "black": ((66, 64, 70), (34, 32, 38)),
    "white": ((240, 236, 226), (190, 182, 168)),
    "grey": ((166, 168, 174), (116, 118, 126)),
}


def _dog(coat: Paint, ear: Paint) -> Drawing:
    """A head that looks at you."""
    return (
        Form(((16, 26), (34, 18), (36, 62), (20, 66), (10, 48)), ear),
        Form(((84, 26), (66, 18), (64, 62), (80, 66), (90, 48)), ear),
        disc(50, 46, 29, coat),
        block(33, 50, 34, 36, 16, coat),
        disc(39, 42, 5, DARK),
        disc(61, 42, 5, DARK),
        block(42, 58, 16, 11, 5, DARK),
        line((50, 69), (50, 76), width=3, paint=DARK),
        line(*arc(50, 70, 9, 20, 160, 12), width=3, paint=DARK),
    )


def _three() -> Drawing:
    cards = ((24, 54, -14, _dog((190, 120, 60), (120, 70, 34))), (76, 54, 14, _dog((90, 90, 100), (50, 50, 58))))
    side = tuple(f for x, y, a, dog in cards for f in moved(paper(*moved(dog, 50, 50, 0.66)), x, y, 0.5, a))
    front = moved(paper(*moved(_dog((240, 214, 160), (190, 140, 80)), 50, 50, 0.72)), 50, 48, 0.6)
    token = (disc(50, 85, 13, (0, 0, 0)), disc(50, 83.5, 13, RED), disc(50, 83.5, 9, PAPER, 1.6))
    return (*side, *front, *token, *moved(inked(SYMBOLS["hand"], PAPER), 50, 84, 0.14))


def _of_colour(colour: str) -> Drawing:
    return _dog(*COATS.get(colour, COATS["brown"]))


ART = GameArt(_three, SAND, {"dog": _of_colour})

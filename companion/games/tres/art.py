"""The picture of Tres."""

from companion.display.art import (
    BLUE,
    DUSK,
    GREEN,
    PAPER,
    RED,
    SHAPES,
    Drawing,
    Form,
    GameArt,
    block,
    inked,
    moved,
    paper,
)


def _tres() -> Drawing:
    found: list[Form] = []
    for x, a, paint, shape in ((22, -16, RED, "circle"), (78, 16, GREEN, "triangle"), (50, 0, BLUE, "square")):
        bars = tuple(block(36 + 10 * n, 34, 6.5, 32, 3, PAPER) for n in range(3))
        card = paper(block(20, 6, 60, 88, 6, paint), *bars, *moved(inked(SHAPES[shape], PAPER), 30, 17, 0.12),
                      *moved(inked(SHAPES[shape], PAPER), 70, 83, 0.12))  # fmt: skip
        found += moved(card, x, 50 + abs(a) * 0.4, 0.62, a)
    return tuple(found)


ART = GameArt(_tres, DUSK)

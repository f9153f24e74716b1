"""The picture of Triple³."""

import math

from companion.display.art import (
    BLUE,
    CLOTH,
    PAPER,
    PURPLE,
    RED,
    SHAPES,
    YELLOW,
    Drawing,
    Form,
    GameArt,
    block,
    inked,
    line,
    moved,
)


def _ribbons(count: int) -> Drawing:
    tops = {1: (50.0,), 2: (43.0, 57.0), 3: (37.0, 50.0, 63.0)}[count]
    return tuple(
        line(*((34 + 32 * s / 24, y + 2.6 * math.sin(s * math.pi / 4)) for s in range(25)), width=5.5, paint=PAPER)
        for y in tops
    )


def _triple3() -> Drawing:
    cells = (
        ("circle", BLUE, 1), ("diamond", RED, 2), ("star", YELLOW, 3),
        ("plus", PURPLE, 2), ("circle", YELLOW, 3), ("diamond", BLUE, 1),
        ("star", RED, 1), ("plus", BLUE, 3), ("circle", PURPLE, 2),
    )  # fmt: skip
    found: list[Form] = []
    for number, (shape, paint, count) in enumerate(cells):
        x, y = 22 + 28 * (number % 3), 22 + 28 * (number // 3)
        face = (*moved(inked(SHAPES[shape], paint), 50, 50, 0.74), *_ribbons(count))
        found += moved((block(6, 8, 92, 92, 10, (0, 0, 0)), block(4, 4, 92, 92, 10, PAPER), *face), x, y, 0.26)
    return (*found, line((10, 22), (90, 22), width=2.4, paint=YELLOW))


ART = GameArt(_triple3, CLOTH)

"""The picture of Threepia."""

from companion.display.art import BLUE, GREEN, PAPER, RED, SHAPES, YELLOW, Drawing, Form, GameArt, block, inked, moved


def _threepia() -> Drawing:
    cards = (
        (30, 30, (("circle", RED), ("square", BLUE), ("cross", YELLOW), ("circle", GREEN))),
        (70, 30, (("square", RED), ("square", GREEN), ("triangle", BLUE), ("cross", BLUE))),
        (30, 70, (("triangle", YELLOW), ("circle", BLUE), ("square", GREEN), ("cross", RED))),
        (70, 70, (("circle", YELLOW), ("cross", GREEN), ("square", YELLOW), ("triangle", RED))),
    )
    found: list[Form] = []
    for x, y, symbols in cards:
        found += moved((block(8, 10, 88, 88, 9, (0, 0, 0)), block(5, 5, 90, 90, 9, PAPER)), x, y, 0.4)
        for corner, (shape, paint) in enumerate(symbols):
            dx, dy = (-1, 1)[corner % 2] * 8.8, (-1, 1)[corner // 2] * 8.8
            found += moved(inked(SHAPES[shape], paint), x + dx, y + dy, 0.15)
    return tuple(found)


ART = GameArt(_threepia, (120, 52, 46))

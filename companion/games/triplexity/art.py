"""The picture of Triplexity."""

from companion.display.art import BLUE, PAPER, RED, SEA, WOOD, Drawing, Form, GameArt, Paint, disc


def _slice(x: float, y: float, paint: Paint, pips: int) -> Drawing:
    """A third of a die, seen a little from above."""
    top = Form(((x - 13, y), (x, y - 6), (x + 13, y), (x, y + 6)), paint)
    dark = tuple(int(c * 0.62) for c in paint) if not isinstance(paint, str) else (0, 0, 0)
    darker = (dark[0] * 3 // 4, dark[1] * 3 // 4, dark[2] * 3 // 4)
    left = Form(((x - 13, y), (x, y + 6), (x, y + 16), (x - 13, y + 10)), (dark[0], dark[1], dark[2]))
    right = Form(((x + 13, y), (x, y + 6), (x, y + 16), (x + 13, y + 10)), darker)
    dots = {1: ((0, 0),), 2: ((-5, 0), (5, 0)), 3: ((-6, 0), (0, 0), (6, 0))}[pips]
    return (left, right, top, *(disc(x + dx, y + dy, 1.9, PAPER) for dx, dy in dots))


def _triplexity() -> Drawing:
    found: list[Form] = [Form(((4, 66), (50, 40), (96, 66), (50, 94)), WOOD)]
    stacks = ((26, (RED,)), (74, (BLUE, RED)), (50, (BLUE, BLUE, RED)))
    for x, paints in stacks:
        base = 62 + (8 if x == 50 else 0)
        for height, paint in enumerate(paints):
            found += _slice(x, base - 12 * height, paint, 1 + (height + x) % 3)
    return tuple(found)


ART = GameArt(_triplexity, SEA)

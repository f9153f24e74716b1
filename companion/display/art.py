"""Our own drawings as data: symbols, players' shapes, and a picture for each game. Measured from 0 to 100.

A stroke is a list of points with a width, a form is a filled outline. Colours are words of the theme, or `ink` for the
one colour of a symbol, or red, green and blue.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

Point = tuple[float, float]
Paint = str | tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Form:
    """A filled outline, or with a width the line along it."""

    points: tuple[Point, ...]
    paint: Paint = "ink"
    width: float = 0.0
    closed: bool = True


Drawing = tuple[Form, ...]


def disc(x: float, y: float, r: float, paint: Paint = "ink", width: float = 0.0) -> Form:
    return Form(_arc(x, y, r, 0, 360)[:-1], paint, width)


def _arc(x: float, y: float, r: float, start: float, stop: float, steps: int = 40) -> tuple[Point, ...]:
    angles = (math.radians(start + (stop - start) * step / steps) for step in range(steps + 1))
    return tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles)


def block(x: float, y: float, w: float, h: float, r: float = 0.0, paint: Paint = "ink") -> Form:
    """A rectangle with round corners."""
    if not r:
        return Form(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), paint)
    corners = ((x + w - r, y + r, -90), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90), (x + r, y + r, 180))
    return Form(tuple(p for cx, cy, a in corners for p in _arc(cx, cy, r, a, a + 90, 8)), paint)


def line(*points: Point, width: float = 10.0, paint: Paint = "ink") -> Form:
    return Form(points, paint, width, closed=False)


def _around(count: int, r: float, first: float = -90.0, *, middle: Point = (50, 50)) -> tuple[Point, ...]:
    angles = (math.radians(first + 360 * step / count) for step in range(count))
    return tuple((middle[0] + r * math.cos(a), middle[1] + r * math.sin(a)) for a in angles)


def _star(outer: float = 48.0, inner: float = 21.0) -> tuple[Point, ...]:
    tips, dents = _around(5, outer, middle=(50, 53)), _around(5, inner, -54, middle=(50, 53))
    return tuple(point for pair in zip(tips, dents, strict=True) for point in pair)


def _plus() -> tuple[Point, ...]:
    return (
        (34, 6),
        (66, 6),
        (66, 34),
        (94, 34),
        (94, 66),
        (66, 66),
        (66, 94),
        (34, 94),
        (34, 66),
        (6, 66),
        (6, 34),
        (34, 34),
    )


SHAPES: dict[str, Drawing] = {
    "circle": (disc(50, 50, 43),),
    "square": (block(10, 10, 80, 80, 6),),
    "triangle": (Form(((50, 8), (96, 90), (4, 90))),),
    "diamond": (Form(((50, 2), (94, 50), (50, 98), (6, 50))),),
    "star": (Form(_star()),),
    "hexagon": (Form(_around(6, 47, 0)),),
    "plus": (Form(_plus()),),
    "ring": (disc(50, 50, 34, width=20),),
    "thin ring": (disc(50, 50, 34, width=13),),
    "pentagon": (Form(_around(5, 48, middle=(50, 53))),),
    "cross": (line((20, 20), (80, 80), width=26), line((80, 20), (20, 80), width=26)),
}


def _die(pips: int) -> Drawing:
    low, mid, high = 24.0, 50.0, 76.0
    at = {
        1: ((mid, mid),),
        2: ((low, low), (high, high)),
        3: ((low, low), (mid, mid), (high, high)),
        4: ((low, low), (high, low), (low, high), (high, high)),
        5: ((low, low), (high, low), (mid, mid), (low, high), (high, high)),
        6: ((low, low), (high, low), (low, mid), (high, mid), (low, high), (high, high)),
    }[pips]
    return tuple(disc(x, y, 11.5) for x, y in at)


def _arrow(degrees: float) -> Drawing:
    turn = math.radians(degrees)

    def at(x: float, y: float) -> Point:
        x, y = x - 50, y - 50
        return 50 + x * math.cos(turn) - y * math.sin(turn), 50 + x * math.sin(turn) + y * math.cos(turn)

    head = (at(52, 14), at(92, 50), at(52, 86))
    return (line(at(10, 50), at(70, 50), width=15), Form(head))


_HAND = (
    (36, 96), (22, 70), (12, 56), (18, 48), (28, 54), (34, 60), (34, 14), (40, 8), (47, 14), (47, 44),
    (51, 38), (59, 40), (60, 48), (65, 43), (72, 46), (72, 53), (78, 50), (84, 54), (84, 74), (76, 96),
)  # fmt: skip

SYMBOLS: dict[str, Drawing] = {
    **SHAPES,
    **{f"die{pips}": _die(pips) for pips in range(1, 7)},
    "back": (line((62, 14), (26, 50), (62, 86), width=13),),
    "next": (line((38, 14), (74, 50), (38, 86), width=13),),
    "up": (line((14, 64), (50, 28), (86, 64), width=13),),
    "down": (line((14, 36), (50, 72), (86, 36), width=13),),
    "right": _arrow(0),
    "left": _arrow(180),
    "menu": tuple(line((14, y), (86, y), width=12) for y in (22, 50, 78)),
    "check": (line((12, 54), (38, 80), (88, 22), width=15),),
    "no": (disc(50, 50, 38, width=12), line((24, 24), (76, 76), width=12)),
    "wrong": (line((18, 18), (82, 82), width=15), line((82, 18), (18, 82), width=15)),
    "equal": (line((16, 36), (84, 36), width=14), line((16, 64), (84, 64), width=14)),
    "more": (line((50, 14), (50, 86), width=15), line((14, 50), (86, 50), width=15)),
    "less": (line((14, 50), (86, 50), width=15),),
    "pause": (block(20, 14, 20, 72, 4), block(60, 14, 20, 72, 4)),
    "play": (Form(((22, 8), (90, 50), (22, 92))),),
    "undo": (line(*_arc(52, 56, 32, -130, 120), width=12), Form(((8, 30), (44, 16), (40, 54)))),
    "redo": (line(*_arc(48, 56, 32, -50, -300), width=12), Form(((92, 30), (56, 16), (60, 54)))),
    "clock": (disc(50, 54, 38, width=10), line((50, 54), (50, 30), width=9), line((50, 54), (66, 62), width=9)),
    "hand": (Form(_HAND),),
    "camera": (
        line((9, 30), (91, 30), (91, 84), (9, 84), (9, 30), (30, 30), width=10),
        block(34, 12, 32, 18, 4),
        disc(50, 57, 15, width=10),
    ),
    "eye": (line(*_arc(50, 84, 56, -140, -40), width=10), line(*_arc(50, 16, 56, 40, 140), width=10), disc(50, 50, 14)),
    "first": (line((20, 14), (20, 86), width=13), line((84, 14), (44, 50), (84, 86), width=13)),
    "bulb": (disc(50, 40, 32), block(38, 74, 24, 8, 3), block(42, 86, 16, 8, 3)),
    "gear": (
        disc(50, 50, 24, width=16),
        *(line((50 + 32 * math.cos(a), 50 + 32 * math.sin(a)), (50 + 44 * math.cos(a), 50 + 44 * math.sin(a)), width=14)
          for a in (math.radians(45 * step) for step in range(8))),
    ),
    "cup": (
        Form(((26, 10), (74, 10), (72, 40), (60, 58), (40, 58), (28, 40))),
        line(*_arc(26, 26, 15, 90, 270), width=7), line(*_arc(74, 26, 15, -90, 90), width=7),
        block(45, 56, 10, 22), block(28, 78, 44, 12, 4),
    ),
    "people": (
        disc(34, 32, 15), Form((*_arc(34, 84, 26, 180, 360), (60, 92), (8, 92))),
        disc(70, 38, 12), Form((*_arc(72, 84, 21, 210, 360), (93, 92), (66, 92))),
    ),
    "person": (disc(50, 30, 20), Form((*_arc(50, 90, 36, 180, 360), (86, 94), (14, 94)))),
    "bot": (
        line((50, 8), (50, 26), width=9), disc(50, 9, 8),
        Form(((20, 28), (80, 28), (80, 74), (20, 74)), width=11), disc(38, 48, 8), disc(62, 48, 8),
        block(36, 60, 28, 6, 2), block(26, 84, 48, 10, 4), block(4, 42, 8, 20, 3), block(88, 42, 8, 20, 3),
    ),
    "cards": (block(8, 22, 46, 66, 7), block(62, 12, 8, 66, 3), block(78, 20, 8, 60, 3)),
    "sheet": (
        Form(((16, 10), (84, 10), (84, 90), (16, 90)), width=9),
        *(line((32, y), (68, y), width=8) for y in (32, 50, 68)),
    ),
    "printer": (
        Form(((26, 8), (74, 8), (74, 34), (26, 34)), width=8), block(8, 34, 84, 34, 7),
        Form(((26, 60), (74, 60), (74, 92), (26, 92)), width=8), line((38, 76), (62, 76), width=7),
    ),
    "chart": (block(10, 54, 20, 36, 3), block(40, 32, 20, 58, 3), block(70, 10, 20, 80, 3)),
    "pulse": (line((4, 54), (28, 54), (40, 18), (58, 86), (70, 54), (96, 54), width=11),),
    "flag": (line((20, 8), (20, 94), width=10), Form(((24, 10), (88, 22), (24, 56)))),
    "erase": (
        Form(((4, 50), (32, 18), (96, 18), (96, 82), (32, 82))),
    ),
    "shift": (Form(((50, 8), (90, 52), (68, 52), (68, 90), (32, 90), (32, 52), (10, 52))),),
    "globe": (
        disc(50, 50, 40, width=8), line((10, 50), (90, 50), width=7), line((50, 10), (50, 90), width=7),
        line(*((50 + (x - 50) / 2, y) for x, y in _arc(50, 50, 40, 0, 360)), width=7),
    ),
    "sun": (
        disc(50, 50, 20),
        *(line((50 + 32 * math.cos(a), 50 + 32 * math.sin(a)), (50 + 45 * math.cos(a), 50 + 45 * math.sin(a)), width=9)
          for a in (math.radians(45 * step) for step in range(8))),
    ),
    "seats": (
        block(28, 28, 44, 44, 6), disc(50, 12, 9), disc(50, 88, 9), disc(12, 50, 9), disc(88, 50, 9),
    ),
}  # fmt: skip


# --- a picture for each game -----------------------------------------------------------------------------------

RED, BLUE, YELLOW, GREEN, PURPLE = (212, 40, 52), (30, 122, 214), (250, 204, 40), (60, 170, 90), (118, 52, 150)
PAPER, SHADE, DARK = (252, 250, 244), (188, 180, 166), (38, 32, 40)
WOOD, CLOTH, SEA, DUSK, SAND = (232, 196, 142), (34, 96, 84), (24, 74, 110), (74, 46, 104), (206, 164, 96)


def _moved(drawing: Iterable[Form], x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> Drawing:
    """The drawing with its middle there, smaller and turned clockwise by degrees."""
    a = math.radians(turn)
    cos, sin = math.cos(a) * scale, math.sin(a) * scale

    def at(point: Point) -> Point:
        px, py = point[0] - 50, point[1] - 50
        return x + px * cos - py * sin, y + px * sin + py * cos

    return tuple(Form(tuple(map(at, f.points)), f.paint, f.width * scale, f.closed) for f in drawing)


def _inked(drawing: Iterable[Form], paint: Paint) -> Drawing:
    return tuple(Form(f.points, paint, f.width, f.closed) for f in drawing)


def _paper(*inside: Form, high: float = 100.0) -> Drawing:
    """A card with something on it."""
    return (block(18, 50 - high / 2 + 3, 68, high, 9, (0, 0, 0)), block(14, 50 - high / 2, 72, high, 9, PAPER), *inside)


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
        line(*_arc(50, 70, 9, 20, 160, 12), width=3, paint=DARK),
    )


def _three() -> Drawing:
    cards = ((24, 54, -14, _dog((190, 120, 60), (120, 70, 34))), (76, 54, 14, _dog((90, 90, 100), (50, 50, 58))))
    side = tuple(f for x, y, a, dog in cards for f in _moved(_paper(*_moved(dog, 50, 50, 0.66)), x, y, 0.5, a))
    front = _moved(_paper(*_moved(_dog((240, 214, 160), (190, 140, 80)), 50, 50, 0.72)), 50, 48, 0.6)
    token = (disc(50, 85, 13, (0, 0, 0)), disc(50, 83.5, 13, RED), disc(50, 83.5, 9, PAPER, 1.6))
    return (*side, *front, *token, *_moved(_inked(SYMBOLS["hand"], PAPER), 50, 84, 0.14))


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
        face = (*_moved(_inked(SHAPES[shape], paint), 50, 50, 0.74), *_ribbons(count))
        found += _moved((block(6, 8, 92, 92, 10, (0, 0, 0)), block(4, 4, 92, 92, 10, PAPER), *face), x, y, 0.26)
    return (*found, line((10, 22), (90, 22), width=2.4, paint=YELLOW))


def _tres() -> Drawing:
    found: list[Form] = []
    for x, a, paint, shape in ((22, -16, RED, "circle"), (78, 16, GREEN, "triangle"), (50, 0, BLUE, "square")):
        bars = tuple(block(36 + 10 * n, 34, 6.5, 32, 3, PAPER) for n in range(3))
        card = _paper(block(20, 6, 60, 88, 6, paint), *bars, *_moved(_inked(SHAPES[shape], PAPER), 30, 17, 0.12),
                      *_moved(_inked(SHAPES[shape], PAPER), 70, 83, 0.12))  # fmt: skip
        found += _moved(card, x, 50 + abs(a) * 0.4, 0.62, a)
    return tuple(found)


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


def _threepia() -> Drawing:
    cards = (
        (30, 30, (("circle", RED), ("square", BLUE), ("cross", YELLOW), ("circle", GREEN))),
        (70, 30, (("square", RED), ("square", GREEN), ("triangle", BLUE), ("cross", BLUE))),
        (30, 70, (("triangle", YELLOW), ("circle", BLUE), ("square", GREEN), ("cross", RED))),
        (70, 70, (("circle", YELLOW), ("cross", GREEN), ("square", YELLOW), ("triangle", RED))),
    )
    found: list[Form] = []
    for x, y, symbols in cards:
        found += _moved((block(8, 10, 88, 88, 9, (0, 0, 0)), block(5, 5, 90, 90, 9, PAPER)), x, y, 0.4)
        for corner, (shape, paint) in enumerate(symbols):
            dx, dy = (-1, 1)[corner % 2] * 8.8, (-1, 1)[corner // 2] * 8.8
            found += _moved(_inked(SHAPES[shape], paint), x + dx, y + dy, 0.15)
    return tuple(found)


_GROUNDS = {"three": SAND, "triple3": CLOTH, "tres": DUSK, "triplexity": SEA, "threepia": (120, 52, 46)}
_PICTURES = {"three": _three, "triple3": _triple3, "tres": _tres, "triplexity": _triplexity, "threepia": _threepia}


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


FILLED = 24  # steps of a ring that fills


def _filled(step: int) -> Drawing:
    ground = disc(50, 50, 38, "line", 14)
    arc = Form(_arc(50, 50, 38, -90, -90 + 360 * step / FILLED), "ink", 14, closed=False)
    return (ground, arc) if step else (ground,)


@cache
def drawing(name: str) -> Drawing:
    """A symbol by its name, the picture of a game on its own ground by `game-` and the game's, a dog by `dog-` and
    its colour, or a ring that is so far filled by `filled-` and the step."""
    if name.startswith("dog-"):
        return _dog(*COATS.get(name.removeprefix("dog-"), COATS["brown"]))
    if name.startswith("filled-"):
        return _filled(int(name.removeprefix("filled-")))
    if name.startswith("game-"):
        game = name.removeprefix("game-")
        ground = block(0, 0, 100, 100, 8, _GROUNDS.get(game, SEA))
        return (ground, *_PICTURES[game]()) if game in _PICTURES else (ground,)
    return SYMBOLS.get(name, SYMBOLS["ring"])

"""Our own drawings as data: symbols, players' shapes, and a picture for each game. Measured from 0 to 100.

A stroke is a list of points with a width, a form is a filled outline. Colours are words of the theme, or `ink` for the
one colour of a symbol, or red, green and blue.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from companion.games import NAMES, part

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
    return Form(arc(x, y, r, 0, 360)[:-1], paint, width)


def arc(x: float, y: float, r: float, start: float, stop: float, steps: int = 40) -> tuple[Point, ...]:
    angles = (math.radians(start + (stop - start) * step / steps) for step in range(steps + 1))
    return tuple((x + r * math.cos(a), y + r * math.sin(a)) for a in angles)


def block(x: float, y: float, w: float, h: float, r: float = 0.0, paint: Paint = "ink") -> Form:
    """A rectangle with round corners."""
    if not r:
        return Form(((x, y), (x + w, y), (x + w, y + h), (x, y + h)), paint)
    corners = ((x + w - r, y + r, -90), (x + w - r, y + h - r, 0), (x + r, y + h - r, 90), (x + r, y + r, 180))
    return Form(tuple(p for cx, cy, a in corners for p in arc(cx, cy, r, a, a + 90, 8)), paint)


def line(*points: Point, width: float = 10.0, paint: Paint = "ink") -> Form:
    return Form(points, paint, width, closed=False)


def around(count: int, r: float, first: float = -90.0, *, middle: Point = (50, 50)) -> tuple[Point, ...]:
    angles = (math.radians(first + 360 * step / count) for step in range(count))
    return tuple((middle[0] + r * math.cos(a), middle[1] + r * math.sin(a)) for a in angles)


def _star(outer: float = 48.0, inner: float = 21.0) -> tuple[Point, ...]:
    tips, dents = around(5, outer, middle=(50, 53)), around(5, inner, -54, middle=(50, 53))
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
    "hexagon": (Form(around(6, 47, 0)),),
    "plus": (Form(_plus()),),
    "ring": (disc(50, 50, 34, width=20),),
    "thin ring": (disc(50, 50, 34, width=13),),
    "pentagon": (Form(around(5, 48, middle=(50, 53))),),
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
    "undo": (line(*arc(52, 56, 32, -130, 120), width=12), Form(((8, 30), (44, 16), (40, 54)))),
    "redo": (line(*arc(48, 56, 32, -50, -300), width=12), Form(((92, 30), (56, 16), (60, 54)))),
    "clock": (disc(50, 54, 38, width=10), line((50, 54), (50, 30), width=9), line((50, 54), (66, 62), width=9)),
    "hand": (Form(_HAND),),
    "camera": (
        line((9, 30), (91, 30), (91, 84), (9, 84), (9, 30), (30, 30), width=10),
        block(34, 12, 32, 18, 4),
        disc(50, 57, 15, width=10),
    ),
    "eye": (line(*arc(50, 84, 56, -140, -40), width=10), line(*arc(50, 16, 56, 40, 140), width=10), disc(50, 50, 14)),
    "first": (line((20, 14), (20, 86), width=13), line((84, 14), (44, 50), (84, 86), width=13)),
    "bulb": (disc(50, 40, 32), block(38, 74, 24, 8, 3), block(42, 86, 16, 8, 3)),
    "gear": (
        disc(50, 50, 24, width=16),
        *(line((50 + 32 * math.cos(a), 50 + 32 * math.sin(a)), (50 + 44 * math.cos(a), 50 + 44 * math.sin(a)), width=14)
          for a in (math.radians(45 * step) for step in range(8))),
    ),
    "cup": (
        Form(((26, 10), (74, 10), (72, 40), (60, 58), (40, 58), (28, 40))),
        line(*arc(26, 26, 15, 90, 270), width=7), line(*arc(74, 26, 15, -90, 90), width=7),
        block(45, 56, 10, 22), block(28, 78, 44, 12, 4),
    ),
    "people": (
        disc(34, 32, 15), Form((*arc(34, 84, 26, 180, 360), (60, 92), (8, 92))),
        disc(70, 38, 12), Form((*arc(72, 84, 21, 210, 360), (93, 92), (66, 92))),
    ),
    "person": (disc(50, 30, 20), Form((*arc(50, 90, 36, 180, 360), (86, 94), (14, 94)))),
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
    "phone": (Form(((26, 6), (74, 6), (74, 94), (26, 94)), width=9), line((42, 80), (58, 80), width=7)),
    "pulse": (line((4, 54), (28, 54), (40, 18), (58, 86), (70, 54), (96, 54), width=11),),
    "flag": (line((20, 8), (20, 94), width=10), Form(((24, 10), (88, 22), (24, 56)))),
    "erase": (
        Form(((4, 50), (32, 18), (96, 18), (96, 82), (32, 82))),
    ),
    "shift": (Form(((50, 8), (90, 52), (68, 52), (68, 90), (32, 90), (32, 52), (10, 52))),),
    "globe": (
        disc(50, 50, 40, width=8), line((10, 50), (90, 50), width=7), line((50, 10), (50, 90), width=7),
        line(*((50 + (x - 50) / 2, y) for x, y in arc(50, 50, 40, 0, 360)), width=7),
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


# --- what the pictures of games are made of ------------------------------------------------------------------------

RED, BLUE, YELLOW, GREEN, PURPLE = (212, 40, 52), (30, 122, 214), (250, 204, 40), (60, 170, 90), (118, 52, 150)
PAPER, SHADE, DARK = (252, 250, 244), (188, 180, 166), (38, 32, 40)
WOOD, CLOTH, SEA, DUSK, SAND = (232, 196, 142), (34, 96, 84), (24, 74, 110), (74, 46, 104), (206, 164, 96)


def moved(drawing: Iterable[Form], x: float, y: float, scale: float = 1.0, turn: float = 0.0) -> Drawing:
    """The drawing with its middle there, smaller and turned clockwise by degrees."""
    a = math.radians(turn)
    cos, sin = math.cos(a) * scale, math.sin(a) * scale

    def at(point: Point) -> Point:
        px, py = point[0] - 50, point[1] - 50
        return x + px * cos - py * sin, y + px * sin + py * cos

    return tuple(Form(tuple(map(at, f.points)), f.paint, f.width * scale, f.closed) for f in drawing)


def inked(drawing: Iterable[Form], paint: Paint) -> Drawing:
    return tuple(Form(f.points, paint, f.width, f.closed) for f in drawing)


def paper(*inside: Form, high: float = 100.0) -> Drawing:
    """A card with something on it."""
    return (block(18, 50 - high / 2 + 3, 68, high, 9, (0, 0, 0)), block(14, 50 - high / 2, 72, high, 9, PAPER), *inside)


@dataclass(frozen=True, slots=True)
class GameArt:
    """ART of a game: its picture, what that stands on, and drawings of its own by the word their names begin with."""

    picture: Callable[[], Drawing] = lambda: ()
    ground: Paint = SEA
    kinds: Mapping[str, Callable[[str], Drawing]] = field(default_factory=dict)


def art_of(game: str) -> GameArt:
    return part(game, "art", GameArt)


FILLED = 24  # steps of a ring that fills


def _filled(step: int) -> Drawing:
    ground = disc(50, 50, 38, "line", 14)
    filled = Form(arc(50, 50, 38, -90, -90 + 360 * step / FILLED), "ink", 14, closed=False)
    return (ground, filled) if step else (ground,)


@cache
def drawing(name: str) -> Drawing:
    """A symbol by its name, the picture of a game on its own ground by `game-` and the game's, a ring that is so far
    filled by `filled-` and the step, or what a game draws by a word of its own and more of it."""
    if name in SYMBOLS:
        return SYMBOLS[name]
    kind, _, of = name.partition("-")
    if kind == "filled":
        return _filled(int(of))
    if kind == "game":
        art = art_of(of)
        return (block(0, 0, 100, 100, 8, art.ground), *art.picture())
    draw = next((art.kinds[kind] for art in map(art_of, NAMES) if kind in art.kinds), None)
    return draw(of) if draw else SYMBOLS["ring"]

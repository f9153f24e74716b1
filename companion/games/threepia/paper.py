"""What is printed of Threepia: 64 square cards of four symbols.

Each of the sixteen symbols is there sixteen times, each card has one triangle and no symbol twice, and any two cards
differ in two symbols at least, however they are turned.
"""

from companion.games.threepia.rules import COLOURS, SHAPES, SYMBOLS, card_of
from vision.card_drawing import SQUARE
from vision.drawing import Drawing, DrawnMark, Ink, line, moved, rectangle
from vision.mat import Point
from vision.printed_deck import PrintedDeck
from vision.printed_shapes import DEEP, INKS, inside, shape

# A symbol is the last letter of its shape (circle, square, cross: x, triangle: t) and the first of its colour.
CARDS = """
    or xb tb oy  |  oy sy ob tb  |  sb og tb sg  |  sr xb xr tb
    tb oy ob xy  |  tb sg og or  |  tb sg xr ob  |  tb sy sr og
    tb xb xy sb  |  tb xr or sy  |  tb xy sb sg  |  xb xg og tb
    xb xy tb xr  |  xg tb xy sr  |  xg xb or tb  |  xy tb or xg
    ob sy or tg  |  ob tg xg xr  |  og oy tg sy  |  og tg ob sr
    oy or tg sg  |  sb or og tg  |  sb xb tg ob  |  sg sr tg xg
    sr sg tg xr  |  sy sg tg xb  |  tg xb sb xr  |  tg xg or og
    tg xy oy sy  |  xb sr ob tg  |  xg sr tg xr  |  xy tg sb sy
    ob tr xr or  |  og tr sr ob  |  og xy tr xb  |  or tr sr xy
    sb tr ob og  |  sb xg tr or  |  sb xr xy tr  |  sg sb ob tr
    sr tr oy sg  |  sy oy sb tr  |  sy tr or xr  |  sy xb tr sg
    tr sr xy ob  |  xg sg tr sy  |  xg tr oy xb  |  xr tr og oy
    ob xg oy ty  |  oy sg xy ty  |  sb ty oy xr  |  sg xg sb ty
    sr sb ty oy  |  sr sy oy ty  |  sr ty or xb  |  sr ty sb or
    sy xg ty xr  |  ty ob sy xb  |  ty og oy xg  |  ty og xr sy
    ty sg or xy  |  ty sg xb og  |  xr xy ob ty  |  xy og xg ty
"""
LETTERS = dict(zip("osxt", SHAPES, strict=True)) | {colour[0]: colour for colour in COLOURS}
REACH = 9.4  # of a symbol on a card of the usual size
LOW = {"triangle": 1.2}  # how far below the middle of its quarter a shape's own middle is
GROUND: Ink = (128, 54, 46)  # the back
LIGHT: Ink = (206, 132, 116)


def _names() -> tuple[str, ...]:
    """As the rules call the cards."""
    symbols = (f"{LETTERS[code[0]]}-{LETTERS[code[1]]}" for code in CARDS.replace("|", " ").split())
    return tuple(" ".join(four) for four in zip(*[symbols] * 4, strict=True))


def _symbol(name: str, size: Point) -> Drawing:
    """A symbol as it is on a quarter of a card."""
    form, colour = name.split("-")
    reach = REACH * size[0] * 2 / SQUARE[0]
    at = (size[0] / 2, size[1] / 2 + LOW.get(form, 0.0) * reach / REACH)
    mark = moved(inside(colour, 0.28 * reach), (0, 0.16 * reach if form == "triangle" else 0.0))
    return moved((DrawnMark((shape(form, reach),), INKS[colour], DEEP[colour], 0.1 * reach), *mark), at)


def _front(name: str, size: Point) -> Drawing:
    quarter = size[0] / 2, size[1] / 2
    drawing: Drawing = ()
    for corner, symbol in enumerate(card_of(name).symbols):
        at = (corner % 2 * quarter[0], corner // 2 * quarter[1])
        drawing += moved(_symbol(f"{symbol.shape}-{symbol.colour}", quarter), at)
    return drawing


def _back(_name: str, size: Point) -> Drawing:
    """Four quarters with a triangle in each, the same after every quarter turn."""
    (width, height), margin = size, 3.0
    drawing: Drawing = (
        DrawnMark((rectangle((margin, margin, width - margin, height - margin), 1.5),), GROUND),
        DrawnMark((line((width / 2, margin + 3), (width / 2, height - margin - 3)),), None, LIGHT, 0.8),
        DrawnMark((line((margin + 3, height / 2), (width - margin - 3, height / 2)),), None, LIGHT, 0.8),
    )
    for number in range(4):
        triangle: Drawing = (DrawnMark((shape("triangle", 6.0),), None, LIGHT, 1.4),)
        away = moved(triangle, (-width / 4 + 0.8, -height / 4 + 0.8))
        drawing += moved(away, (width / 2, height / 2), turn=90 * number)
    return drawing


PAPER = PrintedDeck(
    dict.fromkeys(_names(), 1),
    _front,
    _back,
    sizes=(SQUARE,),
    legend="Red has a dot, blue a ring, green a plus, yellow nothing.",
    symbols=tuple(f"{symbol.shape}-{symbol.colour}" for symbol in SYMBOLS),
    symbol=_symbol,
)

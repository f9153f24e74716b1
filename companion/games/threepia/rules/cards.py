"""The cards, and which fits on which."""

from dataclasses import dataclass
from functools import lru_cache

from companion.core.sentence import N_

SHAPES = ("circle", "square", "cross", "triangle")
COLOURS = ("red", "blue", "yellow", "green")
TRIANGLE = "triangle"
CORNERS = (N_("top left"), N_("top right"), N_("bottom left"), N_("bottom right"))


@dataclass(frozen=True, slots=True)
class Symbol:
    shape: str
    colour: str

    def __str__(self) -> str:
        return f"{self.shape}-{self.colour}"


SYMBOLS = tuple(Symbol(shape, colour) for shape in SHAPES for colour in COLOURS)
_CODES = {str(symbol): code for code, symbol in enumerate(SYMBOLS)}

WILD = -1  # a triangle, when rows are counted
_SHAPE_VALUES = tuple(WILD if symbol.shape == TRIANGLE else SHAPES.index(symbol.shape) for symbol in SYMBOLS)
_COLOUR_VALUES = tuple(WILD if symbol.shape == TRIANGLE else COLOURS.index(symbol.colour) for symbol in SYMBOLS)

Values = tuple[int, ...]  # of the four symbols of a card, in shape or in colour


@dataclass(frozen=True, slots=True)
class Card:
    """Four symbols: top left, top right, bottom left, bottom right. The rest follows from them."""

    symbols: tuple[Symbol, ...]
    text: str
    codes: Values
    shapes: Values
    colours: Values

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=1024)
def card_of(text: str, turned: int = 0) -> Card:
    """The card that is written so, as it lies after so many quarter turns clockwise."""
    words = text.split()
    if len(words) != len(CORNERS) or not all(word in _CODES for word in words):
        raise ValueError(f"'{text}' is not a card")
    for _ in range(turned):
        words = [words[2], words[0], words[3], words[1]]
    codes = tuple([_CODES[word] for word in words])
    return Card(
        tuple([SYMBOLS[code] for code in codes]),
        " ".join(words),
        codes,
        tuple([_SHAPE_VALUES[code] for code in codes]),
        tuple([_COLOUR_VALUES[code] for code in codes]),
    )


def fits(symbol: Symbol, covered: Symbol, *, triangle_fits: bool = True) -> bool:
    """May a symbol lie on another?"""
    if covered.shape == TRIANGLE or (triangle_fits and symbol.shape == TRIANGLE):
        return True
    return symbol.shape == covered.shape or symbol.colour == covered.colour


_FITS = {
    choice: tuple(tuple(fits(symbol, covered, triangle_fits=choice) for covered in SYMBOLS) for symbol in SYMBOLS)
    for choice in (False, True)
}


def misfits(card: Card, covered: Card, *, triangle_fits: bool = True) -> list[int]:
    """The corners at which a card does not fit on another."""
    table = _FITS[triangle_fits]
    return [
        corner
        for corner, (code, under) in enumerate(zip(card.codes, covered.codes, strict=True))
        if not table[code][under]
    ]

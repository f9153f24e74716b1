"""Cards in a few letters, for small screens: signs in their colour, and the whole name for whoever hears it."""

from dataclasses import dataclass

from companion.words import Words, labels

_SIGNS = {
    "circle": "●",
    "diamond": "◆",
    "plus": "✚",
    "star": "★",
    "square": "■",
    "cross": "✖",
    "triangle": "▲",
}


@dataclass(frozen=True, slots=True)
class CardSign:
    """`colour`: one of ours, or none."""

    text: str
    colour: str


@dataclass(frozen=True, slots=True)
class CardFace:
    """`name`: what is said; `signs`: what is drawn, one, or the four of a card with four symbols. `tells_all`: nothing
    has to stand beside it for whoever does not tell colours apart."""

    name: str
    signs: tuple[CardSign, ...]
    tells_all: bool = False


def card_face(card: str, words: Words) -> CardFace:
    name = words.card(card)
    signs = [_sign(part) for part in card.split()]
    if any(sign is None for sign in signs):
        colour = card.partition("-")[0]
        return CardFace(name, (CardSign(name, colour if colour in labels.COLOURS else ""),), tells_all=True)
    return CardFace(name, tuple(sign for sign in signs if sign is not None))


def _sign(symbol: str) -> CardSign | None:
    """Of a shape in a colour, with a number or without; of anything else there is none."""
    parts = symbol.split("-")
    colour = next((part for part in parts if part in labels.COLOURS), "")
    shape = next((part for part in parts if part in _SIGNS), "")
    number = next((part for part in parts if part.isdecimal()), "")
    if not colour or not shape or len(parts) != 2 + bool(number):
        return None
    return CardSign(f"{_SIGNS[shape]} {number}".strip(), colour)

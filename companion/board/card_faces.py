"""Cards in a few letters, for small screens: signs in their colour, and the whole name for whoever hears it."""

from dataclasses import dataclass

from companion.core.rules import UNSEEN
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
class CardFace:
    """`sign`: what is drawn; `colour`: one of ours, or none; `name`: what is said."""

    sign: str
    colour: str
    name: str


def card_face(card: str, words: Words) -> CardFace:
    name = words.card(card)
    if card == UNSEEN:
        return CardFace("?", "", name)
    parts = card.split("-")
    colour = next((part for part in parts if part in labels.COLOURS), "")
    shape = next((part for part in parts if part in _SIGNS), "")
    number = next((part for part in parts if part.isdecimal()), "")
    if not colour or len(parts) != 1 + bool(shape) + bool(number) or not (shape or number):
        return CardFace(name, "", name)
    return CardFace(f"{_SIGNS.get(shape, '')} {number}".strip(), colour, name)

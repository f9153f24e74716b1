"""What stands in the blanks of the games' sentences, by the name of the blank: a player's name is left alone, the rest
is said in the language of the table. Numbers need no entry."""

from string import Formatter

_NAMES = (
    *("player", "players", "winners", "whom", "second", "turn", "owner", "caller", "called", "by", "first", "catchers"),
    *("tied", "contenders", "dealer", "payer", "owed", "who", "seat"),
)
_CARDS = (
    *("card", "cards", "table_card", "table", "symbol", "under", "back", "top", "gone"),
    *("newer", "counting"),
)
_PHRASES = (
    *("move", "reason", "reasons", "why", "settled", "how", "line", "old", "runs", "triangles", "combination"),
    *("place", "source", "target", "where", "corners", "wanted", "value", "word"),
    *("damage", "broken", "remedy", "failure"),
    *("error", "seen", "missing", "spoilt", "unlike", "one", "other", "numbers2", "button"),
)
KINDS = {
    **dict.fromkeys(_NAMES, "name"),
    **dict.fromkeys(_CARDS, "card"),
    **dict.fromkeys(("new", "said", "what", "hue"), "value"),
    "accepts": "either",
    **dict.fromkeys(("way", "field"), "choice"),
    "to": "to",
    **dict.fromkeys(("ahead", "told_apart", "early", "late", "left", "gap", "used"), "time"),
    "dog": "dog",  # a name, or a card that nobody has shown
    **dict.fromkeys(_PHRASES, "phrase"),  # with a translation of their own
    **dict.fromkeys(
        ("name", "title", "cell", "cells", "up", "faces", "places", "colour", "hidden", "key", "dogs"), "raw"
    ),
}


def blanks(text: str) -> frozenset[str]:
    """The names of the blanks in a text, also of those within the forms of a number."""
    found: set[str] = set()
    for _, name, form, _ in Formatter().parse(text):
        if name is not None:
            found |= {name, *blanks(form or "")}
    return frozenset(found)

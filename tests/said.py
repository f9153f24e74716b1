"""All that the compiled catalogues say, and the short texts of which their keys are made."""

from collections.abc import Iterator
from importlib import import_module

from companion.games import NAMES
from companion.words import catalogue, labels
from companion.words.game_words import words_of


def said_in(language: str) -> dict[str, str]:
    """Every text with what is said for it in this language."""
    said: dict[str, str] = vars(catalogue.opened(language))["_catalog"]
    return {text: said[text] for text in said if text}


def short_texts() -> Iterator[object]:
    """The values of all labels, of the whole table and of each game."""
    for module in (labels, *(import_module(f"{package}.words") for package in NAMES.values())):
        yield from (value for name, value in vars(module).items() if name.isupper())
    for game in NAMES:
        yield from words_of(game).cards.values()

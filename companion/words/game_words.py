"""What a game calls its house rules, what they can be set to, and its cards: what `words.py` of its package offers."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from companion.games import NAMES, part

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class GameWords:
    """WORDS of a game. Every text is a key of the catalogues; what has no name here is called as it is written."""

    rules: Names = field(default_factory=dict)  # its house rules by their fields
    choices: Names = field(default_factory=dict)  # what they can be set to
    explained: Names = field(default_factory=dict)  # such a choice in a sentence
    cards: Names = field(default_factory=dict)  # that are not called by colour, shape or number


def words_of(game: str) -> GameWords:
    return part(game, "words", GameWords)


def of_all_games() -> GameWords:
    """The same of all games together: a value is said wherever it stands, without its game."""
    return _together(tuple(NAMES))


@cache
def _together(games: tuple[str, ...]) -> GameWords:
    found = [words_of(game) for game in games]
    rules: dict[str, str] = {}
    choices = {value: name for one in reversed(found) for value, name in one.choices.items()}
    explained = {value: said for one in reversed(found) for value, said in one.explained.items()}
    cards = {card: name for one in reversed(found) for card, name in one.cards.items()}
    return GameWords(rules, choices, explained, cards)

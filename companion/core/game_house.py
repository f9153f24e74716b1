"""What a game says of its house rules beside their fields: what `house.py` of its package offers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.games import part


@dataclass(frozen=True, slots=True)
class GameHouse:
    """HOUSE of a game: what there is to know of its house rules beside their fields. As it is here, each stands for
    itself."""

    follows: tuple[str, ...] = ()  # rules that follow from others, or of which there is only one: nobody chooses them
    matters: Callable[[Any, str], bool] = lambda _house, _rule: True  # the rule means something beside the others
    is_any: Callable[[Any, str], bool] = lambda _house, _rule: False  # its number does not, and any would do
    with_it: Callable[[Any, str, Any], dict[str, Any]] = lambda _house, _rule, _value: {}  # what changes with a rule
    way: str = ""  # the rule that says in which way the game is played: it is chosen beside who plays
    is_alone: Callable[[Any], bool] = lambda _house: False  # by these rules somebody plays alone, without points
    steps: Mapping[str, int] = field(default_factory=dict)  # between two numbers of a rule
    named: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)  # from a name, where a value is a thing
    offered: Mapping[str, Callable[[], tuple[Any, ...]]] = field(default_factory=dict)  # all such values to choose from
    checked: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)  # raises FieldError
    short: tuple[str, ...] = ()  # KEY=VALUE, of a match that is only to show the game
    shows_cards: bool = True  # a screen can ask for its cards; else only a drawn table tells them


def house_of(game: str) -> GameHouse:
    return part(game, "house", GameHouse)

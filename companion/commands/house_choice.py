"""The house rules of a match, as they are given to a command."""

from collections.abc import Iterable
from typing import Any

from companion.core.errors import CompanionError
from companion.core.house import house_from_text
from companion.games import game


def house_of(game_name: str, rules: Iterable[str]) -> Any:
    """The house of a game with the rules that were given as KEY=VALUE."""
    given: dict[str, str] = {}
    for rule in rules:
        key, found, value = rule.partition("=")
        if not found:
            raise CompanionError(f"--house {rule}: a house rule is written KEY=VALUE.")
        if key in given:
            raise CompanionError(f"--house {rule}: {key} is given twice.")
        given[key] = value
    return house_from_text(game(game_name), given)

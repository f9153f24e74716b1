"""The house rules of Triplexity, beside their fields in rules.py."""

from companion.core.game_house import GameHouse
from companion.games.triplexity.rules import House


def _is_any(house: House, rule: str) -> bool:
    """Where points end a match, there are as many rounds as it takes."""
    return rule == "rounds" and bool(house.points)


HOUSE = GameHouse(is_any=_is_any, steps={"points": 5})

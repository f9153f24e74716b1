"""The house rules of Three!, beside their fields in rules.py."""

from typing import Any

from companion.core.game_house import GameHouse
from companion.games.three.rules import House


def _with_it(house: House, rule: str, value: Any) -> dict[str, Any]:
    """The deck is as many cards of each dog."""
    return {"deck": value * len(house.dogs)} if rule == "copies" else {}


HOUSE = GameHouse(follows=("deck",), with_it=_with_it, steps={"call_timeout": 5, "cooldown": 5})

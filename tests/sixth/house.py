"""The house rules of Sticks, beside their fields in rules.py."""

from companion.core.game_house import GameHouse

HOUSE = GameHouse(steps={"sticks": 5})

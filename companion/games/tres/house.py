"""The house rules of Tres, beside their fields in rules.py."""

from companion.core.game_house import GameHouse

HOUSE = GameHouse()

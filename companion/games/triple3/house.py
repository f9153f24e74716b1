"""The house rules of Triple³, beside their fields in rules.py."""

from companion.core.game_house import GameHouse

HOUSE = GameHouse(short=("chips_to_win=1",))

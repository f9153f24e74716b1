"""The house rules of Threepia, beside their fields in rules.py."""

from functools import cache

from companion.core.game_house import GameHouse
from companion.games.threepia.fields import field, must_be_drawable, names
from companion.games.threepia.rules import ALONE, Field, House

# Rules that only mean something in one way to play, on one kind of field, or where points are counted.
ONLY_IN = {"target": "points", "rounds": "rounds", "turn_seconds": "time", "match_seconds": "stopwatch"}
ONLY_ON = {"overlapping_l": "L", "axis_bonus": "row"}
POINTS = ("overlapping_l", "axis_bonus", "flush_bonus", "only_new_rows")


def _is_alone(house: House) -> bool:
    return house.way in ALONE


def _matters(house: House, rule: str) -> bool:
    if rule in POINTS and _is_alone(house):
        return False
    way, line = house.way, house.field.line
    return ONLY_IN.get(rule, way) == way and ONLY_ON.get(rule, line) == line


@cache
def _fields() -> tuple[Field, ...]:
    return tuple(field(name) for name in names())


HOUSE = GameHouse(
    follows=("card",),
    matters=_matters,
    way="way",
    is_alone=_is_alone,
    steps={"turn_seconds": 5, "match_seconds": 30, "target": 5, "deck": 4},
    named={"field": field},
    offered={"field": _fields},
    checked={"field": must_be_drawable},
    shows_cards=False,
)

"""How the referee of a match learns of the cards: a camera sees them, it is told each of them, or how many there are.

Each game names its ways as the choices of its house rule `cards`, the one that people at a real table want first.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

from companion.core.game_house import house_of
from companion.core.rules import COUNTED, SEEN, TOLD, Game
from companion.games import has, having

RULE = "cards"


@dataclass(frozen=True, slots=True)
class Senses:
    """What a table has for that."""

    sees: bool = False  # a camera, and what reads its pictures
    draws: bool = False  # its cards are drawn beside the screen


def ways(game: Game) -> tuple[str, ...]:
    """Those of a game; none where there is nothing to choose."""
    found: tuple[str, ...] = next((field.metadata["choices"] for field in fields(game.house) if field.name == RULE), ())
    return tuple(way for way in found if way != SEEN or has(game.name, "watch"))


def seen_games() -> tuple[str, ...]:
    """Those that a camera can see at a table."""
    return having("watch")


def ways_at(game: Game, senses: Senses) -> tuple[str, ...]:
    """Those that this table can do."""
    is_drawn = not senses.draws or has(game.name, "watched_spread")  # a drawn camera sees what is drawn for it
    can = {SEEN: senses.sees and is_drawn, TOLD: senses.draws or house_of(game.name).shows_cards, COUNTED: True}
    return tuple(way for way in ways(game) if can[way])


def usual(game: Game, senses: Senses) -> dict[str, Any]:
    """The house rule where nobody has chosen yet. Drawn cards tell themselves with each drag."""
    named = ways(game)
    return {RULE: named[0]} if named and not senses.draws else {}


def way_of(game: Game, house: Any, senses: Senses) -> str:
    """How this table will do it: as the house says if it can be, else the next best."""
    able = ways_at(game, senses)
    asked = getattr(house, RULE, "")
    return asked if asked in able else next(iter(able), "")


def as_it_can_be(game: Game, house: Any, senses: Senses) -> Any:
    """The house rules of a match at this table, perhaps set up last at another."""
    way = way_of(game, house, senses)
    return replace(house, **{RULE: way}) if way else house


def is_seen(game: str, house: Any) -> bool:
    """A camera is to see the cards, if there is one."""
    return has(game, "watch") and bool(getattr(house, RULE, SEEN) == SEEN)

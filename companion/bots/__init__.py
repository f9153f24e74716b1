"""Players that play by themselves: a table with really shuffled cards, for demos, soaks and property tests.

Each file holds the table of one game. A table knows every card; it hands the referee moves, mostly legal ones,
and is told which were accepted.
"""

from importlib import import_module
from typing import Any, Protocol

from companion.rules import COUNTED, Game, Move, Ruling


class Table(Protocol):
    def next_move(self, state: Any) -> Move: ...

    def ruled(self, ruling: Ruling) -> None: ...


def table(
    game: Game, players: tuple[str, ...], house: Any, seed: int, *, seen: bool = True, mistakes: float = 0.1
) -> Table:
    """A table of bots. `seen`: the referee is shown the cards; `mistakes`: how often somebody plays wrongly."""
    is_counted = game.name == "tres" and house.cards == COUNTED
    module, kind = ("tres_counted", "Counted") if is_counted else (game.name, "Table")
    made = getattr(import_module(f"companion.bots.{module}"), kind)
    found: Table = made(players, house, seed, seen=seen, mistakes=mistakes)
    return found

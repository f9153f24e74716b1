"""Players that play by themselves: a table with really shuffled cards, for demos, soaks and property tests.

A game's `bot.py` has BOT. A table knows every card; it hands the referee moves, mostly legal ones,
and is told which were accepted.
"""

from dataclasses import dataclass
from typing import Any, Protocol

from companion.core.errors import CompanionError
from companion.core.rules import Game, Move, Ruling
from companion.games import part


class BotTable(Protocol):
    def next_move(self, state: Any) -> Move: ...

    def ruled(self, ruling: Ruling) -> None: ...


class MakesTable(Protocol):
    def __call__(self, players: tuple[str, ...], house: Any, seed: int, *, seen: bool, mistakes: float) -> BotTable: ...


@dataclass(frozen=True, slots=True)
class GameBot:
    """BOT of a game: a table of bots, as `table` below makes it."""

    table: MakesTable | None = None


def table(
    game: Game, players: tuple[str, ...], house: Any, seed: int, *, seen: bool = True, mistakes: float = 0.1
) -> BotTable:
    """A table of bots. `seen`: the referee is shown the cards; `mistakes`: how often somebody plays wrongly."""
    made = part(game.name, "bot", GameBot).table
    if made is None:
        raise CompanionError(f"No bot plays {game.title}.")
    return made(players, house, seed, seen=seen, mistakes=mistakes)

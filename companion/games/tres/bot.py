"""Bots at a table of Tres: told_bot.py where the referee is told each card, counted_bot.py where it only counts."""

from companion.core.rules import COUNTED
from companion.games.tres.counted_bot import Counted
from companion.games.tres.rules import House
from companion.games.tres.told_bot import Table
from simulator.bots import GameBot


def _table(players: tuple[str, ...], house: House, seed: int, *, seen: bool, mistakes: float) -> Table:
    return (Counted if house.cards == COUNTED else Table)(players, house, seed, seen=seen, mistakes=mistakes)


BOT = GameBot(_table)

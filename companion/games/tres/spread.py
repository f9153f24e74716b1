"""Tres on the drawn table: told_spread.py where the referee is told each card, else counted_spread.py."""

from companion.core.match import Match
from companion.core.rules import COUNTED
from companion.games.tres.counted_spread import CountedTable
from companion.games.tres.told_spread import TresTable
from simulator.drawn.spread import DrawnGame, Spread


def _table(match: Match, seed: int) -> Spread:
    return (CountedTable if match.setup.house.cards == COUNTED else TresTable)(match, seed)


SPREAD = DrawnGame(_table)

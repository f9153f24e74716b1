"""Bots at Sticks: they leave a number that is won, if they can, and sometimes take too many."""

from random import Random

from companion.core.clocks import SECOND
from companion.core.rules import Ruling
from simulator.bots import GameBot
from tests.sixth.rules import House, State, Take


def best(state: State) -> int:
    """So many that the other cannot win."""
    return state.left % (state.house.most + 1) or 1


class Table:
    def __init__(self, players: tuple[str, ...], house: House, seed: int, *, seen: bool, mistakes: float) -> None:
        del players, seen  # everything lies open, and everybody plays alike
        self._most, self._random, self._mistakes, self._now = house.most, Random(seed), mistakes, 0

    def next_move(self, state: State) -> Take:
        self._now += self._random.randrange(SECOND, 5 * SECOND)
        is_wrong = self._random.random() < self._mistakes
        return Take(state.turn, self._most + 1 if is_wrong else best(state), at=self._now)

    def ruled(self, ruling: Ruling) -> None:
        """There is nothing that the state does not say."""


BOT = GameBot(Table)

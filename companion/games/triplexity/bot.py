"""Bots at a table of Triplexity: the first looks things up in the solution most of the time, the other guesses."""

import random

from companion.core.clocks import SECOND
from companion.core.rules import Move, Ruling
from companion.games.triplexity import rules as triplexity
from companion.games.triplexity.rules import PLACES, House, Option, State, options
from companion.games.triplexity.solver import ways
from simulator.bots import GameBot

PATIENCE = 60  # moves in a round after which a bot helps the other to win


class Table:
    def __init__(
        self, players: tuple[str, ...], house: House, seed: int, *, seen: bool = True, mistakes: float = 0.1
    ) -> None:
        del seen  # everything lies open in this game
        self._random = random.Random(seed)
        self._mistakes = mistakes
        self._clever = players[0]
        self._advanced = house.play == "advanced"
        self._now = 0
        self._moves = 0

    def next_move(self, state: State) -> Move:
        self._now += self._random.randrange(SECOND, 12 * SECOND)
        player = state.turn or self._random.choice(state.players)
        if self._random.random() < self._mistakes:
            return self._wrong(state)
        option = self._choice(state, player)
        if option.source is None:
            return triplexity.Put(player, PLACES[option.target], self._face(state, player), at=self._now)
        return triplexity.Shift(player, PLACES[option.source], PLACES[option.target], at=self._now)

    def ruled(self, ruling: Ruling) -> None:
        self._moves = 0 if ruling.state.phase == "place" else self._moves + 1

    def _choice(self, state: State, player: str) -> Option:
        position = state.position._replace(mover=state.players.index(player))
        if self._moves > PATIENCE and self._random.random() < 0.8:  # else two that help each other may go in circles
            return ways(position)[-1][0]
        if player == self._clever and self._random.random() < 0.8:
            return ways(position)[0][0]
        return self._random.choice(options(position))

    def _face(self, state: State, player: str) -> int:
        if not self._advanced:
            return 0
        piece = self._random.choice(state.in_hand[state.players.index(player)])
        return self._random.choice((piece.up, piece.down))

    def _wrong(self, state: State) -> Move:
        player = self._random.choice(state.players)
        if self._random.random() < 0.5:
            return triplexity.Put(player, self._random.choice((*PLACES, "middle")), 7, at=self._now)
        return triplexity.Shift(player, self._random.choice(PLACES), self._random.choice(PLACES), at=self._now)


BOT = GameBot(Table)

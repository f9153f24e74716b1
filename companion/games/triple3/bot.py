"""Bots at a table of Triple³: real hands and stacks, plays at half to three a second, legal and not."""

import random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import UNSEEN, CardsMoved, Move, Ruling
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, DECK, TO_DEAL, VALUES, House, Leftover, State
from simulator.bots import GameBot


class Table:
    """Who holds which cards. With `seen` off nobody shows the grid, and the bots only report the end of a round."""

    def __init__(
        self, players: tuple[str, ...], house: House, seed: int, *, seen: bool = True, mistakes: float = 0.1
    ) -> None:
        self._random = random.Random(seed)
        self._players = players
        self._house = house
        self._seen = seen
        self._mistakes = mistakes
        self._now = 0
        self._hands: dict[str, list[str]] = {}
        self._laid: dict[str, str] = {}  # who laid which card, also where the referee was not told
        self._by = ""
        self._covered: dict[str, list[str]] = {}  # by cell, the cards that were covered before anybody saw them

    def next_move(self, state: State) -> Move:
        self._now += self._random.randrange(300 * MILLISECOND, 2 * SECOND)
        if self._random.random() < self._mistakes and (wrong := self._wrong(state)):
            return wrong
        return self._right(state)

    def ruled(self, ruling: Ruling) -> None:
        for event in ruling.events:
            if isinstance(event, CardsMoved):
                for card in event.cards:
                    self._moved(card, event)

    def _moved(self, card: str, event: CardsMoved) -> None:
        if event.source.kind == event.target.kind:
            return
        if event.source.kind == "hand":
            real = self._covered[event.target.of][-1] if card == UNSEEN else card
            self._hands[self._by].remove(real)
            self._laid[real] = self._by
        else:
            real = self._covered[event.source.of].pop() if card == UNSEEN else card
            self._hands[self._laid.pop(real)].append(real)

    def _right(self, state: State) -> Move:
        at = self._now
        match state.phase:
            case "deal":
                return self._deal(state)
            case "ready":
                return triple3.Go("", at=at)
            case "stopped":
                return self._tidy(state) or triple3.GoOn("", at=at)
            case "count":
                player = next(name for name, cards in zip(state.players, state.left, strict=True) if cards < 0)
                return triple3.Left(player, self._cards_left(state, player), at=at)
        if not state.is_seen:
            return self._unseen_end(state)
        finished = [player for player in state.players if not self._hands[player] and player not in state.void]
        if finished:
            return triple3.Out(finished[0], at=at)
        if self._random.random() < 0.02:
            return triple3.Stop(self._random.choice(("", *state.players)), at=at)
        if self._random.random() < self._mistakes / 5 and (move := self._too_quick(state)):
            return move
        return self._lay(state)

    def _too_quick(self, state: State) -> Move | None:
        """Two cards on one cell before anybody looked: only the upper one was seen."""
        player = self._random.choice(state.players)
        if len(self._hands[player]) < 4:
            return None
        self._by = player
        lower, upper = self._random.sample(self._hands[player], 2)
        cell = self._random.choice(CELLS)
        self._covered.setdefault(str(cell), []).append(lower)
        return triple3.Lies("", cell, upper, hidden=1, at=self._now)

    def _deal(self, state: State) -> Move:
        deck = list(DECK)
        self._random.shuffle(deck)
        share, over = divmod(TO_DEAL, len(state.players))
        grid, leftovers, rest = deck[:9], deck[9 : 9 + over], deck[9 + over :]
        deals = [share] * len(state.players)
        if self._random.random() < 0.3:  # a handicap: the first player takes some of the last one's cards
            deals[0], deals[-1] = deals[0] + 3, deals[-1] - 3
        self._laid, self._covered = {}, {}
        for player, cards in zip(state.players, deals, strict=True):
            self._hands[player], rest = rest[:cards], rest[cards:]
        if not self._seen:
            return triple3.Deal("", deals=tuple(deals), at=self._now)
        laid = tuple(Leftover(self._random.choice(CELLS), card) for card in leftovers)
        return triple3.Deal("", tuple(grid), laid, tuple(deals), at=self._now)

    def _lay(self, state: State) -> Move:
        cells = list(CELLS)
        self._random.shuffle(cells)
        players = list(state.players)
        self._random.shuffle(players)
        grid = state.grid
        for player in players:
            for cell in cells:
                for card in self._hands[player][:6]:
                    if triple3.is_legal(grid, cell, card):
                        return self._laying(player, cell, card)
        for player in players:  # nobody finds one among the top six: look through everything
            for cell in cells:
                for card in self._hands[player]:
                    if triple3.is_legal(grid, cell, card):
                        return self._laying(player, cell, card)
        return triple3.Stuck("", at=self._now)

    def _laying(self, player: str, cell: int, card: str) -> Move:
        self._by = player
        named = player if self._random.random() < 0.7 else ""  # the camera often does not see whose arm it was
        said = self._random.choice(VALUES) if self._random.random() < 0.05 else ""
        return triple3.Lay(named, cell, card, said, at=self._now)

    def _tidy(self, state: State) -> Move | None:
        """Take the first illegal play back that lies on top."""
        for cell, pile in zip(CELLS, state.piles, strict=False):
            if not pile[-1].legal:
                return triple3.TakeBack(pile[-1].by, cell, at=self._now)
        return None

    def _cards_left(self, state: State, player: str) -> int:
        if self._seen:
            return len(self._hands[player]) + sum(self._laid[laid.card] == player for laid in state.to_lift)
        return self._random.randrange(1, state.deals[state.players.index(player)] + 1)

    def _unseen_end(self, state: State) -> Move:
        self._now += self._random.randrange(60 * SECOND, 300 * SECOND)
        if self._random.random() < 0.2:
            return triple3.Stuck("", at=self._now)
        return triple3.Out(self._random.choice(state.players), at=self._now)

    def _wrong(self, state: State) -> Move | None:
        at, player = self._now, self._random.choice(state.players)
        if state.phase != "play" or not state.is_seen:
            return triple3.Lay(player, 5, "red-plus-2", at=at)
        hand = self._hands[player]
        choices: list[Move] = [
            triple3.Lay(player, 10, DECK[0], at=at),
            triple3.Stuck(player, at=at),
            triple3.Lay("", self._random.choice(CELLS), state.grid[4], at=at),
            triple3.Lay("", 1, "green-plus-2", at=at),
            triple3.TakeBack("", self._random.choice(CELLS), at=at),
            triple3.Lies("", self._random.choice(CELLS), state.piles[4][0].card, at=at),
        ]
        if len(hand) > 1:
            self._by = player
            card = self._random.choice(hand)
            choices += [
                triple3.Lay(player, self._random.choice(CELLS), card, at=at),
                triple3.Lay("", self._random.choice(CELLS), card, at=at),
                triple3.Out(player, at=at),
            ]
        return self._random.choice(choices)


BOT = GameBot(Table)

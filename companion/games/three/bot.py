"""Bots at a table of Three!: they remember roughly what went onto the piles, strike, call and declare."""

import random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.rules import CardsMoved, Move, Ruling
from companion.games.three import rules as three
from companion.games.three.rules import HAND, THREE, House, State
from simulator.bots import GameBot

MARGIN = MILLISECOND // 10  # of the buttons that they strike: closer than that is a tie


class Table:
    """The shuffled deck, the hands and the piles as they really are."""

    def __init__(
        self, players: tuple[str, ...], house: House, seed: int, *, seen: bool = True, mistakes: float = 0.1
    ) -> None:
        self._random = random.Random(seed)
        self._seen = seen
        self._mistakes = mistakes
        self._now = 0
        self._deck = [dog.name for dog in house.dogs for _ in range(house.copies)]
        self._random.shuffle(self._deck)
        self.hands = {player: [self._deck.pop() for _ in range(HAND)] for player in players}
        self.piles: dict[str, list[str]] = {player: [] for player in players}
        self._played = ""  # the card of the move last proposed
        self._reflexes = random.Random(f"{seed} strikes")

    def next_move(self, state: State) -> Move:
        self._now += self._random.randrange(SECOND // 2, 6 * SECOND)
        if state.deadline and self._now > state.deadline.at:
            self._now = state.deadline.at
        move = self._wrong(state) if self._random.random() < self._mistakes else None
        return move or self._right(state)

    def ruled(self, ruling: Ruling) -> None:
        for event in ruling.events:
            if isinstance(event, CardsMoved):
                self._moved(event)

    def _moved(self, event: CardsMoved) -> None:
        match event.source.kind, event.target.kind:
            case "hand", "pile":
                self.hands[event.source.of].remove(self._played)
                self.piles[event.source.of].append(self._played)
            case "deck", "hand":
                self.hands[event.target.of].append(self._deck.pop())
            case "pile", "bank" | "box" if len(set(event.cards)) == 1 and event.cards[0] != "?":
                dog = event.cards[0]
                self.piles[event.source.of] = [card for card in self.piles[event.source.of] if card != dog]

    def _right(self, state: State) -> Move:
        at, chance = self._now, self._random.random()
        match state.phase:
            case "setup":
                return three.Begin(self._random.choice(state.players), at=at)
            case "struck":
                return self._call(state)
            case "check":
                return self._check(state)
        if chance < 0.12 and at >= state.free_at and (suspect := self._suspect(state)):
            callers = [who for who in state.players if who != suspect[0] and at >= state.may_strike_at(who)]
            if callers:
                return self._strike(self._random.choice(callers), callers)
        own = self._threes(state.turn)
        if own and chance < 0.6 and state.declared < state.house.declarations_per_turn:
            return three.Declare(state.turn, self._random.choice(own), at=at)
        if state.phase == "final":
            return three.Pass(state.turn, at=at)
        return self._play(state.turn)

    def _strike(self, first: str, awake: list[str]) -> Move:
        """Others who have seen it too are often a moment later."""
        others = [player for player in awake if player != first and self._reflexes.random() < 0.7]
        late = sorted(self._reflexes.randrange(2 * MARGIN, 60 * MILLISECOND) for _ in others)
        order = [Arrival(first, How.STAMPED, self._now, 0)]
        order += [Arrival(who, How.STAMPED, self._now + gap, gap) for who, gap in zip(others, late, strict=True)]
        return three.Strike(first, finish=Finish(tuple(order), MARGIN, ()), at=self._now)

    def _play(self, player: str) -> Move:
        self._played = self._random.choice(self.hands[player])
        return three.Play(player, self._played if self._seen else "", at=self._now)

    def _call(self, state: State) -> Move:
        if self._random.random() < 0.1:
            return three.Release(state.caller, at=self._now)
        whom, dog = self._suspect(state, but=state.caller) or self._guess(state)
        return three.Call(state.caller, whom, dog, at=self._now)

    def _check(self, state: State) -> Move:
        found = self.piles[state.called].count(state.dog)
        if self._seen and self._random.random() < 0.3:
            return three.Check(state.called, at=self._now)  # the referee has seen them all
        return three.Check(state.called, found, at=self._now)

    def _threes(self, player: str) -> list[str]:
        pile = self.piles[player]
        return sorted({dog for dog in pile if pile.count(dog) >= THREE})

    def _suspect(self, state: State, but: str = "") -> tuple[str, str] | None:
        found = [(player, dog) for player in state.players if player != but for dog in self._threes(player)]
        return self._random.choice(found) if found else None

    def _guess(self, state: State) -> tuple[str, str]:
        others = [player for player in state.players if player != state.caller]
        return self._random.choice(others), self._random.choice(state.house.dogs).colour

    def _wrong(self, state: State) -> Move | None:
        player, at = self._random.choice(state.players), self._now
        dog = self._random.choice(state.house.dogs).name
        return self._random.choice(
            (
                lambda: three.Declare(player, dog, at=at),
                lambda: three.Check(player, self._random.randrange(9), at=at),
                lambda: three.Call(player, player, dog, at=at),
                lambda: three.Strike(player, at=at),
                lambda: three.Pass(player, at=at),
                lambda: three.Play(player, "Rex", at=at),
            )
        )()


BOT = GameBot(Table)

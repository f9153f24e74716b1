"""Bots at a table of Tres: they hold the real cards, play them sensibly, and err as people do."""

from itertools import permutations
from random import Random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import CardsMoved, Move, Ruling, seat_after
from companion.games.tres.rules import (
    DISCARDS,
    HAND,
    JOKER,
    PILE,
    THREE,
    Catch,
    Deal,
    Dealer,
    Draw,
    Fill,
    House,
    Keep,
    Pass,
    Play,
    ShowCard,
    State,
    Take,
    Tres,
    deck,
    is_run,
)

CATCHES = 0.5  # how often somebody notices that another forgot to say tres
AHEAD = 0.3  # how often it is said before the cards are laid


class Table:
    """The real cards of a match. What is seen of them depends on `seen`: everything, or only what lies open."""

    def __init__(
        self, players: tuple[str, ...], house: House, seed: int, *, seen: bool = True, mistakes: float = 0.1
    ) -> None:
        self.players = players
        self.house = house
        self.seen = seen
        self.mistakes = mistakes
        self._random = Random(seed)
        self.pile = [card for card, copies in deck(house).items() for _ in range(copies)]  # the top is the end
        self._random.shuffle(self.pile)
        self._next_pile: list[str] = []  # the discards as they will lie when they are the pile
        self.hands: dict[str, list[str]] = {player: [] for player in players}
        self._forgot: set[str] = set()  # who has three cards and did not think of saying so
        self._last_drawn = ""
        self._erred = False
        self._at = 0

    def next_move(self, state: State) -> Move:
        """What somebody at the table does now."""
        self._at += self._random.randint(1, 5) * SECOND + self._random.randrange(1000) * MILLISECOND
        self._erred = not self._erred and self._random.random() < self.mistakes
        if self._erred:
            return self._random.choice(self._mistakes(state))
        choices = {
            "dealer": self._show_card,
            "deal": self._deal,
            "fill": self._fill,
            "turn": self._turn,
            "drawn": self._drawn,
            "pay": self._pay,
        }
        return self._word(state) or choices[state.phase](state)

    def ruled(self, ruling: Ruling) -> None:
        """The hidden cards go where the ruling says that cards went."""
        for event in ruling.events:
            if isinstance(event, CardsMoved):
                self._carry(event)

    def _carry(self, moved: CardsMoved) -> None:
        if moved.source == PILE:
            cards = [self.pile.pop() for _ in moved.cards]
            if moved.target.of:
                self.hands[moved.target.of] += cards
        elif moved.source == DISCARDS:
            self.pile = self._shuffled(moved.cards)
            self._next_pile = []
        elif moved.source.of:
            for card in moved.cards:
                self.hands[moved.source.of].remove(card)

    def _shuffled(self, discards: tuple[str, ...]) -> list[str]:
        """The discards as a pile; asked again, the same one."""
        if sorted(self._next_pile) != sorted(discards):
            self._next_pile = self._random.sample(discards, len(discards))
        return self._next_pile

    def _top(self, state: State, count: int) -> tuple[str, ...]:
        """The next cards to be drawn, through the end of the pile."""
        top = self.pile[::-1][:count]
        if count > len(top):
            top += self._shuffled(state.discards)[::-1][: count - len(top)]
        return tuple(top)

    def _open(self, cards: tuple[str, ...]) -> tuple[str, ...]:
        return cards if self.seen else ()

    # --- sensible ---

    def _word(self, state: State) -> Move | None:
        """Tres, or somebody who noticed that it was not said."""
        if state.phase in ("dealer", "deal"):
            return None
        self._forgot.intersection_update(state.silent)
        for player in state.silent:
            if player not in self._forgot and self._random.random() >= self.mistakes:
                return Tres(player, at=self._at)
            self._forgot.add(player)
            if self._random.random() < CATCHES:
                return Catch(self._another(player), player, at=self._at)
        return None

    def _another(self, player: str) -> str:
        return self._random.choice([other for other in self.players if other != player])

    def _show_card(self, state: State) -> Move:
        shown = [player for player, _ in state.shown]
        return self.shows(state, next(player for player in state.contenders if player not in shown))

    def shows(self, state: State, player: str) -> Move:
        """The card that the player has drawn for dealer."""
        drawn = self.pile.copy()
        for _, card in state.shown:
            drawn.remove(card)
        return ShowCard(player, self._random.choice(drawn), at=self._at)

    def _deal(self, state: State) -> Move:
        cards = self.pile[::-1]
        dealt = len(self.players) * HAND
        hands = tuple(tuple(cards[first : first + HAND]) for first in range(0, dealt, HAND))
        return Deal(state.dealer, tuple(cards[dealt : dealt + THREE]), hands if self.seen else (), at=self._at)

    def _fill(self, state: State) -> Move:
        return Fill(state.turn, self.pile[-1], at=self._at)

    def _turn(self, state: State) -> Move:
        plays = self._plays(state, self.hands[state.turn])
        if plays and (not state.pile or self._random.random() >= self.mistakes / 2):
            play = max(plays, key=lambda play: len(play.cards))
            return self._said_ahead(state, play) or play
        if state.pile:
            self._last_drawn = self.pile[-1]
            return Draw(state.turn, *self._open((self._last_drawn,)), at=self._at)
        return Pass(state.turn, at=self._at)

    def _said_ahead(self, state: State, play: Play) -> Move | None:
        will_be_three = len(self.hands[state.turn]) - len(play.cards) == THREE and state.may_say(state.turn)
        return Tres(state.turn, at=self._at) if will_be_three and self._random.random() < AHEAD else None

    def _drawn(self, state: State) -> Move:
        plays = self._plays(state, [self._last_drawn])
        return plays[0] if plays else Keep(state.turn, at=self._at)

    def _pay(self, state: State) -> Move:
        player = state.dues[0].player
        return Take(player, self._open(self._top(state, state.owed(player))), at=self._at)

    def _plays(self, state: State, hand: list[str]) -> list[Play]:
        """Every play of these cards, in chance order."""
        chosen = list(permutations(hand, 1)) + list(permutations(hand, 2))
        plays = [
            Play(state.turn, card, cards, at=self._at)
            for card in state.table
            for cards in chosen
            if is_run(card, *cards)
        ]
        self._random.shuffle(plays)
        return plays

    # --- as people err ---

    def _mistakes(self, state: State) -> list[Move]:
        """What the rules refuse now, and what somebody might try all the same."""
        player = state.turn or self.players[0]
        other = seat_after(self.players, player)
        hand = self.hands[player]
        slips: list[Move] = [
            Keep(other, at=self._at),
            Draw(other, at=self._at),
            Pass(other, at=self._at),
            Fill(other, JOKER, at=self._at),
            Deal(other, ("joker",), at=self._at),
            Catch(other, other, at=self._at),
            Play(other, "red-1", ("red-2",), at=self._at),
            Catch(other, "a stranger", at=self._at),
            Play(player, "plus3", (), at=self._at),
        ]
        if state.phase != "dealer":
            slips.append(Dealer(other, at=self._at))
        slips += [Tres(name, at=self._at) for name in self.hands if state.phase == "dealer" or not state.may_say(name)]
        slips += [
            Play(player, card, (own,), at=self._at) for card in state.table for own in hand[:2] if not is_run(card, own)
        ]
        if state.phase == "turn":
            slips.append(Pass(player, at=self._at) if state.pile else Draw(player, at=self._at))
        if self.seen:
            slips += [
                Play(player, card, (foreign,), at=self._at)
                for card in state.table
                for foreign in self.hands[other][:2]
                if foreign not in hand
            ]
        if state.dues:
            slips.append(Take(state.dues[0].player, ("joker",) * 99, at=self._at))
        return slips

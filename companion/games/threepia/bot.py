"""Bots at a table of Threepia: they hold the real cards, play them sensibly, and err as people do."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import UNSEEN, Move, Ruling
from companion.games.threepia.rules import (
    ALONE,
    HAND,
    SYMBOLS,
    Begin,
    Deal,
    DeckCount,
    DeckEmpty,
    Draw,
    Finish,
    House,
    Lay,
    Points,
    State,
    card_of,
    misfits,
    most_points,
    score,
)
from simulator.bots import GameBot

CONSIDERED = 4  # cards that fit and are compared before one is laid
OWES = 0.3  # how often somebody who types points leaves them for later
PAYS = 0.4  # how often owed points are entered while play goes on
FINISHES = 0.02  # how often somebody has had enough of a relaxed game
MISCOUNTS = 0.005  # how often the deck is found to be used up before the referee expects it, and how often to be larger
MORE = 3  # cards that are found then


def card_by(chance: Random) -> str:
    """Four symbols, as they fall."""
    return " ".join(str(chance.choice(SYMBOLS)) for _ in range(4))


class Table:
    """The real cards of a match. With `seen` each card is shown; without, only points are said."""

    def __init__(
        self, players: tuple[str, ...], house: House, seed: int, *, seen: bool = True, mistakes: float = 0.1
    ) -> None:
        self.players = players
        self.house = house
        self.seen = seen
        self.mistakes = mistakes
        self._random = Random(seed)
        self.field = tuple(self._card() for _ in house.field.places)
        self.hands: dict[str, list[str]] = {player: [] for player in players}
        self._next: list[str] = []  # of the deck, as far as somebody has looked
        self._debts: list[int] = []  # points that are owed, oldest first
        self._said: Move = Deal("")  # the move that was made last
        self._held = ""  # the card it laid, as it was held
        self._at = 0

    def next_move(self, state: State) -> Move:
        """What somebody at the table does now, or the referee at its deadline."""
        self._at += self._random.randint(1, 8) * SECOND + self._random.randrange(1000) * MILLISECOND
        up = state.deadline
        if up is not None and self._at > up.at:
            self._at = up.at
            self._said = up.move
            return up.move
        self._take_cards(state)
        self._held = ""
        wrong = self._random.random() < self.mistakes
        self._said = self._random.choice(self._mistakes(state))(state) if wrong else self._sensible(state)
        return self._said

    def ruled(self, ruling: Ruling) -> None:
        """The move that was made last has been accepted: the real cards lie as it says."""
        state, said = ruling.state, self._said
        if isinstance(said, Points) and self._debts:
            del self._debts[0]
        if not isinstance(said, Lay):
            return
        if self._held in self.hands[said.player]:
            self.hands[said.player].remove(self._held)
        if not said.place:
            return
        number = self.house.field.geometry.numbers[said.place]
        covered = self.field[number]
        lies = str(card_of(self._held, said.turned)) if self._held else self._card()
        self.field = (*self.field[:number], lies, *self.field[number + 1 :])
        if state.owed and said.points is None and not self.seen:
            self._debts.append(score(self.house, self.field, said.place, covered).points)

    def _card(self) -> str:
        return card_by(self._random)

    def upcoming(self, count: int) -> tuple[str, ...]:
        """The next cards of the deck, which are shown where the referee sees everything of who plays alone."""
        if not self.seen or self.house.way not in ALONE:
            return ()
        self._next += [self._card() for _ in range(count - len(self._next))]
        return tuple(self._next[:count])

    def drawn_after(self, state: State) -> tuple[str, ...]:
        """The cards that are drawn when another card of the hand has been laid."""
        is_last = state.turn in state.players and state.hands[state.players.index(state.turn)] == 1
        return self.upcoming(min(HAND, state.deck)) if is_last else ()

    def _drawn(self) -> str:
        return self._next.pop(0) if self._next else self._card()

    def _draw(self, state: State) -> Draw:
        return Draw(state.turn, drawn=self.upcoming(min(1, state.deck)), at=self._at)

    def _take_cards(self, state: State) -> None:
        """Hands as large as the referee counts them, also after a correction."""
        for player, count in zip(state.players, state.hands, strict=True):
            hand = self.hands[player]
            del hand[count:]
            hand += [self._drawn() for _ in range(count - len(hand))]
        if state.held and UNSEEN not in state.held:
            self.hands[state.players[0]] = list(state.held)
        self.field = state.field or self.field

    def _sensible(self, state: State) -> Move:
        match state.phase:
            case "deal":
                return Deal("", field=self.field if self.seen else (), hand=self.upcoming(HAND), at=self._at)
            case "ready":
                return Begin(self._random.choice(state.players), at=self._at)
            case "counting":
                return self._pay(state)
            case _:
                return self._turn(state)

    def _turn(self, state: State) -> Move:
        if state.owed and self._random.random() < PAYS:
            return self._pay(state)
        if state.house.way == "relaxed" and self._random.random() < FINISHES:
            return Finish(state.turn, at=self._at)
        miscounted = self._random.random() if state.deck else 1.0
        if miscounted < MISCOUNTS:
            return DeckEmpty(self._random.choice(state.players), at=self._at)
        if miscounted < 2 * MISCOUNTS:
            return DeckCount(self._random.choice(state.players), state.deck + MORE, at=self._at)
        fitting = self._fitting(state)
        if not fitting:
            return self._draw(state)
        ways = self._random.sample(fitting, min(CONSIDERED, len(fitting)))
        card, place, turned = max(ways, key=lambda way: self._worth(*way))
        return self._lay(state, card, place, turned)

    def _fitting(self, state: State) -> list[tuple[str, str, int]]:
        turns = range(4) if state.house.rotate else range(1)
        return [
            (card, place, turned)
            for card in self.hands[state.turn]
            for turned in turns
            for place, covered in zip(state.house.field.letters, self.field, strict=True)
            if not misfits(card_of(card, turned), card_of(covered), triangle_fits=state.house.triangle_fits)
        ]

    def _worth(self, card: str, place: str, turned: int) -> int:
        number = self.house.field.geometry.numbers[place]
        lies = str(card_of(card, turned))
        field = (*self.field[:number], lies, *self.field[number + 1 :])
        return score(self.house, field, place, self.field[number]).points

    def _lay(self, state: State, card: str, place: str, turned: int) -> Lay:
        """A card with the points that are said for it: none where the referee counts, or where they are left owed."""
        self._held = card
        if self.seen:
            return Lay(state.turn, place, card, turned, drawn=self.drawn_after(state), at=self._at)
        counted = state.house.way not in ALONE and self._random.random() >= OWES
        return Lay(state.turn, place, "", turned, self._worth(card, place, turned) if counted else None, at=self._at)

    def _pay(self, state: State) -> Points:
        return Points(state.owed[0], self._debts[0] if self._debts else 0, at=self._at)

    # --- mistakes: what people do wrong, most of it against the rules, some of it only unwise -----------------

    def _mistakes(self, state: State) -> list[Callable[[State], Move]]:
        if state.phase in ("deal", "ready"):
            return [self._deal_short, self._begin_early]
        if state.phase == "counting":
            return [self._pay_another, self._pay_too_much]
        return [
            self._lay_any,
            self._out_of_turn,
            self._say_wrong,
            self._pay_another,
            self._deal_short,
            self._draw_needlessly,
        ]

    def _other(self, player: str) -> str:
        return self._random.choice([name for name in self.players if name != player] or [player])

    def _deal_short(self, _state: State) -> Move:
        return Deal("", field=self.field[1:], at=self._at)

    def _begin_early(self, _state: State) -> Move:
        return Begin(self._random.choice(self.players), at=self._at)

    def _lay_any(self, state: State) -> Move:
        card = self._random.choice(self.hands[state.turn])
        return self._lay(state, card, self._random.choice(state.house.field.letters), 0)

    def _out_of_turn(self, state: State) -> Move:
        return replace(self._draw(state), player=self._other(state.turn))

    def _draw_needlessly(self, state: State) -> Move:
        return self._draw(state)

    def _say_wrong(self, state: State) -> Move:
        fitting = self._fitting(state)
        if not fitting:
            return self._lay_any(state)
        card, place, turned = self._random.choice(fitting)
        self._held = card
        wrong = self._worth(card, place, turned) + self._random.choice((-1, 1, 2))
        return Lay(state.turn, place, card if self.seen else "", turned, wrong, at=self._at)

    def _pay_another(self, state: State) -> Move:
        return Points(self._other(state.owed[0] if state.owed else state.turn), 1, at=self._at)

    def _pay_too_much(self, state: State) -> Move:
        return Points(state.owed[0], most_points(state.house) + 1, at=self._at)


BOT = GameBot(Table)

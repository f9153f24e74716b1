"""The table at one moment, and what can be asked of it."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from companion.core.rules import Outcome, inner
from companion.games.tres.rules.cards import RUNS, number
from companion.games.tres.rules.house import NUMBERS, THREE, House


@dataclass(frozen=True, slots=True)
class Due:
    """Cards that a player has to draw before anything else, and what for."""

    player: str
    count: int
    why: tuple[str, ...]  # take-three, plus3, turned-up, caught


@dataclass(frozen=True, slots=True)
class State:
    """A table of Tres. Cards add up: hands + pile + table + discards = the whole deck."""

    players: tuple[str, ...]
    house: House
    phase: str  # dealer, deal, fill, turn, drawn, pay, over
    turn: str
    hands: tuple[tuple[str, ...], ...]  # UNSEEN where nobody showed the card
    pile: int
    contenders: tuple[str, ...]  # who may still become dealer
    tres: tuple[str, ...]  # of each player with three cards: said, caught, late (nobody was quick enough), or nothing
    shown: tuple[tuple[str, str], ...] = ()  # players and the cards they drew for dealer
    dealer: str = ""
    direction: int = 1  # -1 after a Reverse
    table: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    drawn: str = ""  # the card that may be played although its player has drawn
    dues: tuple[Due, ...] = ()
    then: str = ""  # the phase after everything due is drawn; begin for a new turn
    upcoming: str = ""  # whose turn it is then
    passes: int = 0  # in a row
    announced: tuple[str, ...] = ()  # who has said tres in this turn, whatever their hands are
    recent: tuple[str, ...] = ()  # whose hand became three in this turn
    stock: tuple[str, ...] | None = inner(None)  # of the cards shuffled last, those not seen since; none shuffled yet
    filled: int = inner(0)  # cards that were only counted onto the table in this turn; any may have been an action card
    drawn_before: bool = inner(default=False)  # the card that was drawn is none of those: it was the last of the pile
    outcome: Outcome | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        """The cards in each hand; fewest is best."""
        return tuple(map(len, self.hands))

    @property
    def deadline(self) -> None:
        return None

    @property
    def silent(self) -> tuple[str, ...]:
        """Who has exactly three cards, has not said so, and can be caught."""
        return tuple(
            player
            for player, hand, word in zip(self.players, self.hands, self.tres, strict=True)
            if len(hand) == THREE and not word
        )

    def may_say(self, player: str) -> bool:
        """Whether tres can be said: with three cards, or in the turn in which they may become three."""
        seat = self.players.index(player)
        has_three = len(self.hands[seat]) == THREE
        if has_three and self.tres[seat] == "caught":
            return False
        may_become = not self.house.only_with_three and (player == self.turn or self._owes(player))
        return (has_three and self.tres[seat] != "said") or (may_become and player not in self.announced)

    def _owes(self, player: str) -> bool:
        return any(due.player == player for due in self.dues)

    def hand(self, player: str) -> tuple[str, ...]:
        return self.hands[self.players.index(player)]

    def owed(self, player: str) -> int:
        """How many cards a player has to draw; never more than there are."""
        owed = sum(due.count for due in self.dues if due.player == player)
        return min(owed, self.pile + len(self.discards))


@dataclass(frozen=True, slots=True)
class Fits:
    """The numbers that go with a card of the table, one alone or two together. A joker may stand for any."""

    card: str
    one: tuple[int, ...]
    two: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=1024)
def fits(card: str) -> Fits:
    own = number(card)
    return Fits(
        card,
        tuple(other for other in NUMBERS if (own, other) in RUNS),
        tuple(pair for pair in combinations(NUMBERS, 2) if (own, *pair) in RUNS),
    )


@dataclass(frozen=True, slots=True)
class Silent:
    """Somebody who has three cards and has not said so."""

    whom: str

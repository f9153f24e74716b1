"""A drawn table at which everybody holds a hand of cards, and a card is picked up from one's own by its number."""

from typing import Any, Generic, Protocol, TypeVar

from companion.core.match import Match
from companion.core.rules import Move, Ruling
from companion.display.layout import Box
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from simulator.drawn.items import Thing
from simulator.drawn.spread import Sight, Spread, fan


class RealCards(Protocol):
    """Where the cards of a match really are."""

    hands: dict[str, list[str]]

    def done(self, move: Move, ruling: Ruling) -> None: ...


R = TypeVar("R", bound=RealCards)


class HandSpread(Spread, Generic[R]):
    shape: float  # of a card, width by height
    cards: R

    def __init__(self, match: Match, seed: int) -> None:
        self.match = match
        super().__init__(match, seed)

    def shuffled(self) -> R:
        """The cards before the first move."""
        raise NotImplementedError

    def begin(self) -> None:
        self.cards = self.shuffled()

    def done(self, move: Move, ruling: Ruling) -> None:
        self.cards.done(move, ruling)

    def can_pick(self, thing: Thing, me: str) -> bool:
        return self.card_at(thing, me) is not None

    def card_at(self, thing: Thing, me: str) -> Any:
        hand = self.cards.hands[me]
        return hand[thing.of] if thing.kind == "hand" and thing.of < len(hand) else None

    def counts(self, player: str) -> int:
        return len(self.cards.hands[player])

    def draw_hand(self, sight: Sight, gap: int) -> None:
        hand = self.cards.hands[sight.me]
        for number, place in enumerate(fan(sight.hand, len(hand), self.shape, gap)):
            thing = Thing("hand", number)
            self.draw_held(sight.page, place, number, hand[number], thing, on=thing in sight.picked)

    def draw_held(self, page: Page, box: Box, number: int, card: str, intent: Intent | None, *, on: bool) -> None:
        """A card of a hand, and which one it is there."""
        raise NotImplementedError

    def face(self, page: Page, box: Box, thing: Thing) -> None:
        hand = self.cards.hands.get(page.view.about, [])
        if isinstance(thing.of, int) and thing.of < len(hand):
            self.draw_held(page, box.shaped(self.shape, 1), thing.of, hand[thing.of], None, on=True)

"""Threepia on the drawn table: the field, the cards in hand, and the deck."""

from dataclasses import replace
from random import Random
from typing import Any

from companion.core.button_meanings import ButtonKind
from companion.core.match import Match
from companion.core.requests import Request
from companion.core.rules import COUNTED, UNSEEN, Move, Ruling
from companion.core.seats import EASY, STRONG, USUAL
from companion.display.layout import Box, columns, rows
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from companion.games.threepia import bot as bots
from companion.games.threepia.drawn_card import draw_square
from companion.games.threepia.rules import HAND, Begin, Deal, Draw, Lay, State
from companion.words import Words, labels
from simulator.drawn import card_faces as cards
from simulator.drawn.hand_spread import HandSpread
from simulator.drawn.items import Thing
from simulator.drawn.spread import DrawnGame, Minds, Picked, Sight

COMPARES = {EASY: 1, USUAL: bots.CONSIDERED, STRONG: 1000}  # cards that fit, in their places, before one is laid


class _Cards(bots.Table):
    """The real cards, and what bots make of them."""

    def __init__(self, match: Match, seed: int) -> None:
        self._deck = Random(f"{seed} deck")  # apart from what bots think of, so that the cards follow from the moves
        super().__init__(match.setup.names, match.setup.house, seed)
        self._deals = self.field

    def stack(self, field: tuple[str, ...], deck: tuple[str, ...]) -> None:
        """These cards in this order, the next one first."""
        self.field, self._next = field, list(deck)

    def done(self, move: Move, ruling: Ruling) -> None:
        self.seen = ruling.state.is_seen
        if isinstance(move, Lay):
            hand = self.hands[move.player]
            self._held = move.card or (self._held if self._held in hand else (hand or [""])[0])
            if not move.place:  # nobody has said where: somewhere
                move = replace(move, place=self._deck.choice(self.house.field.letters))
        self._said = move
        self.ruled(ruling)
        self.settle(ruling.state)

    def _card(self) -> str:
        return bots.card_by(self._deck)

    def settle(self, state: State) -> None:
        if state.phase not in ("deal", "over"):
            self._take_cards(state)

    def holds(self, card: str) -> None:
        """A card that is laid without being shown to the referee."""
        self._held = card

    def propose(self, state: State, minds: Minds) -> Move | None:
        if state.phase == "counting" or (state.owed and state.owed[0] in minds.bots):
            return self._pay(state) if state.owed[0] in minds.awake else None
        if state.phase != "turn" or state.turn not in minds.awake:
            return None
        if self._random.random() < minds.errs(state.turn) and state.is_seen:
            card = self._random.choice(self.hands[state.turn])
            return self._lay(state, card, self._random.choice(state.house.field.letters), 0)
        return self._plays(state, minds.of(state.turn, COMPARES))

    def _plays(self, state: State, compares: int) -> Move:
        fitting = self._fitting(state)
        if not fitting:
            return self.draw(state)
        ways = self._random.sample(fitting, min(compares, len(fitting)))
        return self._lay(state, *max(ways, key=lambda way: self._worth(*way)))

    def deal(self) -> Move:
        if self.house.cards == COUNTED:
            return Deal("")
        return Deal("", field=self.field, hand=self.upcoming(HAND))

    def draw(self, state: State) -> Draw:
        return Draw(state.turn, drawn=self.upcoming(min(1, state.deck)))


class Threepia(HandSpread[_Cards]):
    pace = (1.5, 4.0)
    shape = 1.0

    def __init__(self, match: Match, seed: int) -> None:
        self.turned: dict[int, int] = {}  # of the cards in the hand that is seen, quarters
        super().__init__(match, seed)

    def shuffled(self) -> _Cards:
        return _Cards(self.match, self.seed)

    def done(self, move: Move, ruling: Ruling) -> None:
        super().done(move, ruling)
        self.turned = {}

    def settle(self) -> None:
        self.cards.settle(self.state)

    def bot_move(self, minds: Minds, _now: int) -> Move | None:
        if self.state.phase in ("deal", "ready"):
            if not minds.is_alone:
                return None
            return self.cards.deal() if self.state.phase == "deal" else Begin(self.rng.choice(self.names))
        return self.cards.propose(self.state, minds)

    def wanted(self) -> str:
        return str(self.state.owed[0] if self.state.phase == "counting" else self.state.turn)

    @property
    def seen_besides(self) -> tuple[Any, ...]:
        return (tuple(sorted(self.turned.items())),)

    @property
    def second_buttons(self) -> tuple[ButtonKind, ...]:
        """A card that is shown needs no button."""
        return super().second_buttons if self.state.phase == "turn" and not self.state.is_seen else ()

    # --- people ----------------------------------------------------------------------------------------------

    def again(self, thing: Thing) -> None:
        if self.house.rotate:
            self.turned[thing.of] = (self.turned.get(thing.of, 0) + 1) % 4

    def pick(self, thing: Thing, _picked: Picked, me: str) -> Picked | None:
        return (thing,) if self.can_pick(thing, me) else None

    def put(self, picked: Picked, onto: Thing, me: str) -> Move | Request | None:
        if onto.kind == "pile":
            return self._from_pile(me)
        if onto.kind != "place" or not picked:
            return None
        number = picked[0].of
        card, turned = self.cards.hands[me][number], self.turned.get(number, 0)
        if self.state.is_seen:
            return Lay(me, onto.of, card, turned, drawn=self.cards.drawn_after(self.state))
        self.cards.holds(card)
        return Lay(me, onto.of, "", turned)

    def _from_pile(self, me: str) -> Move | None:
        match self.state.phase:
            case "deal":
                return self.cards.deal()
            case "ready":
                return Begin(me)
            case "turn":
                return replace(self.cards.draw(self.state), player=me)
            case _:
                return None

    def hint(self, words: Words, me: str) -> str:
        match self.state.phase:
            case "deal":
                return words.say("Click the pile to deal.")
            case "ready":
                return words.say("Say on the screen who begins.")
            case "turn" if self.state.turn == me:
                return words.say("Drag a card onto a place; click it to turn it. If none fits, click the pile.")
            case _:
                return ""

    # --- what is seen ----------------------------------------------------------------------------------------

    def draw(self, sight: Sight) -> None:
        page, m, state = sight.page, sight.page.m, self.state
        deck, field, _ = columns(sight.middle.inset(m.edge), m.of(26), 1.0, m.of(26), gap=m.gap)
        name, place = rows(deck, m.of(5), 1.0, gap=m.gap)
        page.text(name, page.words.say(labels.DRAW_PILE), m.small, "on-black")
        cards.deck_of(page, place.shaped(1, 1).inset(m.gap), state.deck, Thing("pile"))
        self._field(page, field)
        self.draw_hand(sight, 2 * m.gap)

    def draw_held(self, page: Page, box: Box, number: int, card: str, intent: Intent | None, *, on: bool) -> None:
        draw_square(page, box, card, intent, on=on, turned=self.turned.get(number, 0))

    def _field(self, page: Page, box: Box) -> None:
        places = self.house.field.places
        across = max(x for _, x, _ in places) + 2
        down = max(y for _, _, y in places) + 2
        half = min(box.w // across, box.h // down)
        area = box.middle(half * across, half * down)
        dealt = self.state.phase != "deal"
        for number, (letter, x, y) in enumerate(places):
            at = Box(area.x + x * half, area.y + y * half, 2 * half, 2 * half).inset(max(1, half // 24))
            card = self.cards.field[number] if dealt else UNSEEN
            draw_square(page, at, card, Thing("place", letter))


SPREAD = DrawnGame(Threepia)

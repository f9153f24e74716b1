"""Tres on the drawn table: real hands, the three cards in the middle, the pile to draw from."""

from collections.abc import Callable, Mapping
from itertools import permutations
from random import Random

from companion.core.match import Match
from companion.core.rules import CardsMoved, Move, Ruling
from companion.core.seats import EASY, STRONG, USUAL
from companion.display.layout import Box, columns, rows
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from companion.games.tres import told_bot as bots
from companion.games.tres import words as own
from companion.games.tres.drawn_card import draw_face
from companion.games.tres.rules import (
    ACTIONS,
    JOKER,
    Catch,
    Draw,
    Fill,
    Keep,
    Pass,
    Play,
    ShowCard,
    State,
    Take,
    Tres,
    is_one_colour,
    is_run,
)
from companion.words import Words, labels
from simulator.drawn import card_faces as cards
from simulator.drawn.hand_spread import HandSpread
from simulator.drawn.items import Thing
from simulator.drawn.spread import Minds, Picked, Sight, fan, waited

SHAPE = 0.7
MOST_PICKED = 2
THREE_LEFT = 3  # cards with which nobody plays rashly
NOTICED = 2.0  # seconds after which somebody may notice that another is silent
CATCHES = {EASY: 0.1, USUAL: 0.3, STRONG: 0.9}
OVERLOOKS = {EASY: 0.4, USUAL: 0.1, STRONG: 0.0}  # how often somebody draws who could have played
FORGETS = 3.0  # times as often as other mistakes


class Hands(bots.Table):
    """The real cards, and what bots make of them. The referee sees only what lies open."""

    def __init__(self, match: Match, seed: int) -> None:
        super().__init__(match.setup.names, match.setup.house, seed, seen=False)
        self._seed = seed
        self._silent_since: dict[str, int] = {}
        self._shown: Mapping[str, str] = {}

    def stack(self, deck: tuple[str, ...], shown: Mapping[str, str]) -> None:
        """These cards in this order, the next one first, and who draws which for dealer."""
        self.pile, self._shown = list(deck[::-1]), shown

    def done(self, move: Move, ruling: Ruling) -> None:
        if isinstance(move, Draw) and self.pile:
            self._last_drawn = self.pile[-1]
        self.ruled(ruling)

    def dealt(self, state: State) -> Move:
        return self._deal(state)

    def shows(self, state: State, player: str) -> Move:
        if player in self._shown:
            return ShowCard(player, self._shown[player])
        return super().shows(state, player)

    # --- cards that were called otherwise than they are lie there all the same ---------------------------------

    def _carry(self, moved: CardsMoved) -> None:
        for card in sorted(set(moved.cards)):
            if moved.target.kind == "table":
                self._bring_up(card)
            elif moved.source.kind == "hand":
                hand = self.hands[moved.source.of]
                for _ in range(moved.cards.count(card) - hand.count(card)):
                    self._swap_in(hand, card, moved.cards)
        super()._carry(moved)

    def _bring_up(self, card: str) -> None:
        """The card is the next of the pile, wherever it was."""
        place = self._where(card)
        if place is not None and self.pile:
            number = len(place) - 1 - place[::-1].index(card)
            place[number], self.pile[-1] = self.pile[-1], card
        elif self.pile:
            self.pile[-1] = card

    def _swap_in(self, hand: list[str], card: str, kept: tuple[str, ...]) -> None:
        """The card is in the hand instead of another, wherever it was."""
        place = self._where(card)
        spare = next((number for number, own in enumerate(hand) if own not in kept), None)
        if spare is None:
            hand.append(card)
            return
        if place is not None:
            place[place.index(card)] = hand[spare]
        hand[spare] = card

    def _where(self, card: str) -> list[str] | None:
        return next((cards for cards in (self.pile, *self.hands.values()) if card in cards), None)

    def _shuffled(self, discards: tuple[str, ...]) -> list[str]:
        if sorted(self._next_pile) != sorted(discards):
            self._next_pile = Random(f"{self._seed} {len(discards)}").sample(discards, len(discards))
        return self._next_pile

    # --- bots ------------------------------------------------------------------------------------------------

    def propose(self, state: State, minds: Minds, now: int) -> Move | None:
        self._minds = minds
        word = self._word_of(state, now)
        if word is not None:
            return word
        match state.phase:
            case "dealer":
                shown = [player for player, _ in state.shown]
                able = [player for player in state.contenders if player in minds.awake and player not in shown]
                return self.shows(state, able[0]) if able else None
            case "deal":
                return self._deal(state) if state.dealer in minds.awake else None
            case "pay":
                return Take(state.dues[0].player) if state.dues[0].player in minds.awake else None
        if state.turn not in minds.awake:
            return None
        errs = minds.errs(state.turn)
        if state.phase == "turn" and self._random.random() < errs and (wrong := self._wrong_play(state)):
            return wrong
        return {"fill": self._fill, "turn": self._turn, "drawn": self._drawn}[state.phase](state)

    def _word_of(self, state: State, now: int) -> Move | None:
        """Bots say tres, or forget it; and notice who forgot."""
        minds = self._minds
        self._silent_since = {player: self._silent_since.get(player, now) for player in state.silent}
        self._forgot.intersection_update(state.silent)
        for player in state.silent:
            if player in minds.awake and player not in self._forgot:
                if self._random.random() >= FORGETS * minds.errs(player):
                    return Tres(player)
                self._forgot.add(player)
            others = [other for other in state.players if other in minds.awake and other != player]
            if others and waited(self._silent_since[player], now, NOTICED):
                catcher = self._random.choice(others)
                if self._random.random() < minds.of(catcher, CATCHES):
                    return Catch(catcher, player)
        return None

    def _turn(self, state: State) -> Move:
        """As people play: two cards rather than one, and now and then none because nobody looked long enough."""
        plays = self._plays(state, self.hands[state.turn])
        overlooks = state.pile and self._random.random() < self._minds.of(state.turn, OVERLOOKS)
        if plays and not overlooks:
            return plays[0] if self._minds.level(state.turn) == EASY else max(plays, key=self._worth(state))
        return Draw(state.turn) if state.pile else Pass(state.turn)

    def _worth(self, state: State) -> Callable[[Play], tuple[int, ...]]:
        """Of a play. Whoever plays well makes the next player draw, keeps jokers for later, and what goes together."""
        if self._minds.level(state.turn) != STRONG:
            return lambda play: (len(play.cards),)
        return lambda play: (
            len(play.cards),
            len(play.cards) > 1 and is_one_colour(state.house, play.table_card, *play.cards),
            sum(card in ACTIONS for card in play.cards),
            -play.cards.count(JOKER),
            self._left_by(state, play),
        )

    def _left_by(self, state: State, play: Play) -> int:
        """How many runs of two cards the hand still has afterwards with one that may be turned up."""
        hand = self.hands[state.turn].copy()
        for card in play.cards:
            hand.remove(card)
        table = [card for card in state.table if card != play.table_card]
        return sum(is_run(card, *pair) for card in table for pair in permutations(hand, 2))

    def _wrong_play(self, state: State) -> Move | None:
        """Two cards that are no run: it is refused."""
        hand = self.hands[state.turn]
        return (
            Play(state.turn, self._random.choice(state.table), (hand[0], hand[-1])) if len(hand) > THREE_LEFT else None
        )


class TresTable(HandSpread[Hands]):
    pace = (1.0, 2.4)
    shape = SHAPE

    def shuffled(self) -> Hands:
        return Hands(self.match, self.seed)

    def bot_move(self, minds: Minds, now: int) -> Move | None:
        return self.cards.propose(self.state, minds, now)

    def wanted(self) -> str:
        state = self.state
        if state.phase == "pay":
            return str(state.dues[0].player)
        return str(state.dealer if state.phase == "deal" else state.turn)

    # --- people ----------------------------------------------------------------------------------------------

    def pick(self, thing: Thing, picked: Picked, me: str) -> Picked | None:
        if not self.can_pick(thing, me):
            return None
        if thing in picked:
            return tuple(one for one in picked if one != thing)
        return (*picked, thing)[-MOST_PICKED:]

    def put(self, picked: Picked, onto: Thing, me: str) -> Move | None:
        if onto.kind == "pile":
            return self._from_pile(me)
        if onto.kind != "table" or not picked:
            return None
        hand = self.cards.hands[me]
        return Play(me, self.state.table[onto.of], tuple(hand[thing.of] for thing in picked))

    def _from_pile(self, me: str) -> Move | None:
        """What touching the pile is for this player now."""
        state = self.state
        match state.phase:
            case "dealer":
                return self.cards.shows(state, me)
            case "deal":
                return self.cards.dealt(state) if state.dealer == me else None
            case "fill":
                return Fill(me, self.cards.pile[-1]) if self.cards.pile else None
            case "turn":
                return Draw(me) if state.pile else Pass(me)
            case "drawn":
                return Keep(me)
            case "pay":
                return Take(me)
            case _:
                return None

    def hint(self, words: Words, me: str) -> str:
        state = self.state
        if state.phase == "dealer":
            return words.say("Click the pile to draw for dealer.")
        if state.phase != "deal" and state.silent:
            silent = me if me in state.silent else state.silent[0]
            if silent == me:
                return words.say("You have three cards: press Tres! before somebody notices.")
            return words.say("{player} has three cards and is silent: strike!", player=silent)
        if self.wanted() != me:
            return ""
        return {
            "deal": words.say("You deal: click the pile."),
            "fill": words.say("Click the pile to turn a card up."),
            "turn": words.say("Drag one or two cards onto a card of the table, or click the pile to draw."),
            "drawn": words.say("Play the card you drew, or click the pile to keep it."),
            "pay": words.say("Click the pile to draw what is due."),
        }.get(state.phase, "")

    # --- what is seen ----------------------------------------------------------------------------------------

    def draw(self, sight: Sight) -> None:
        page, m, state = sight.page, sight.page.m, self.state
        shown = dict(state.shown)
        pile, *table, discards = columns(sight.middle.inset(m.edge), *(1.0,) * 5, gap=2 * m.gap)
        self._named(page, pile, labels.DRAW_PILE)
        cards.deck_of(page, self._place(page, pile), len(self.cards.pile), Thing("pile"))
        for number, place in enumerate(table):
            card = state.table[number] if number < len(state.table) else ""
            if state.phase == "dealer" and number < len(shown):
                player = list(shown)[number]
                page.text(rows(place, m.of(5), 1.0)[0], player, m.small, "on-black")
                card = shown[player]
            if card:
                draw_face(page, self._place(page, place), card, Thing("table", number))
            else:
                cards.deck_of(page, self._place(page, place), 0)
        self._named(page, discards, own.DISCARDS)
        if state.discards:
            draw_face(page, self._place(page, discards), state.discards[-1])
        else:
            cards.deck_of(page, self._place(page, discards), 0)
        hand = self.cards.hands[sight.me]
        for number, place in enumerate(fan(sight.hand, len(hand), SHAPE, m.gap)):
            thing = Thing("hand", number)
            lifted = place._replace(y=place.y - min(m.gap, place.y - sight.hand.y)) if thing in sight.picked else place
            self.draw_held(page, lifted, number, hand[number], thing, on=thing in sight.picked)

    def _named(self, page: Page, box: Box, label: str) -> None:
        page.text(rows(box, page.m.of(5), 1.0)[0], page.words.say(label), page.m.small, "on-black")

    def _place(self, page: Page, box: Box) -> Box:
        return rows(box, page.m.of(5), 1.0, gap=page.m.gap)[1].inset(page.m.gap // 2).shaped(SHAPE, 1)

    def draw_held(self, page: Page, box: Box, _number: int, card: str, intent: Intent | None, *, on: bool) -> None:
        draw_face(page, box, card, intent, on=on)

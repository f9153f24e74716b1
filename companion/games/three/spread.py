"""Three! on the drawn table: the dogs in everybody's hands, on the piles and in the banks."""

from collections.abc import Mapping

from companion.core.match import Match
from companion.core.rules import COUNTED, CardsMoved, Move, Ruling
from companion.core.seats import EASY, STRONG, USUAL
from companion.display.layout import Box, columns, rows
from companion.display.scene import Intent, Symbol
from companion.display.screens.elements import Page
from companion.games.three import bot as bots
from companion.games.three import words as own
from companion.games.three.drawn_card import draw_dog
from companion.games.three.rules import Begin, Call, Check, Choose, Declare, Pass, Play, State, Strike
from companion.words import Words, labels
from hardware.panel import Key
from simulator.drawn import card_faces as cards
from simulator.drawn.hand_spread import HandSpread
from simulator.drawn.items import Lamp, PressKey, Thing
from simulator.drawn.spread import DrawnGame, Minds, Picked, Sight, fan

SHAPE = 0.72  # width by height of a card
CALLS = {EASY: 0.08, USUAL: 0.3, STRONG: 0.8}  # how often somebody who could call a pile thinks of it
DECLARES = {EASY: 0.4, USUAL: 0.7, STRONG: 1.0}


class _Dogs(bots.Table):
    """The shuffled dogs, and what bots make of them."""

    def __init__(self, match: Match, seed: int) -> None:
        house = match.setup.house
        super().__init__(match.setup.names, house, seed, seen=house.cards != COUNTED)
        self.banks: dict[str, list[str]] = {player: [] for player in match.setup.names}

    def stack(self, hands: Mapping[str, tuple[str, ...]], deck: tuple[str, ...]) -> None:
        """These cards in the hands, and those to draw, the next one first."""
        self.hands = {player: list(hand) for player, hand in hands.items()}
        self._deck = list(deck[::-1])

    def done(self, move: Move, ruling: Ruling) -> None:
        if isinstance(move, Play):
            hand = self.hands[move.player]
            meant = (dog for dog in (move.dog, self._played) if dog in hand)
            self._played = next(meant, hand[-1])
        self.ruled(ruling)

    def means(self, dog: str) -> None:
        """The card that is played next, though nobody may say which it is."""
        self._played = dog

    def _moved(self, event: CardsMoved) -> None:
        if event.source.kind == "pile" and event.target.kind == "bank":
            self.banks[event.target.of] += event.cards
        super()._moved(event)

    def propose(self, state: State, minds: Minds) -> Move | None:
        """What one of the bots does now."""
        wants = {"struck": (state.caller,), "check": (state.called,), "tied": state.players}.get(state.phase)
        if wants is not None:
            return self._settles(state, [player for player in wants if player in minds.awake])
        return self._strikes(state, minds) or (
            self._on_turn(state, minds) if state.turn in minds.awake and state.phase in ("turn", "final") else None
        )

    def _settles(self, state: State, able: list[str]) -> Move | None:
        if state.phase == "tied":
            able = [player for player in able if player not in state.tied]
            return Choose(self._random.choice(able), self._random.choice(state.tied)) if able else None
        if not able:
            return None
        return self._call(state) if state.phase == "struck" else self._check(state)

    def _strikes(self, state: State, minds: Minds) -> Move | None:
        if state.phase not in ("turn", "final"):
            return None
        suspect = self._suspect(state)
        for player in self._random.sample(state.players, len(state.players)):
            if player not in minds.awake:
                continue
            if suspect and player != suspect[0] and self._random.random() < minds.of(player, CALLS):
                return Strike(player)
            if not suspect and len(self.piles[player]) > 1 and self._random.random() < minds.errs(player) / 4:
                return Strike(player)
        return None

    def _on_turn(self, state: State, minds: Minds) -> Move:
        own, may_declare = self._threes(state.turn), state.declared < state.house.declarations_per_turn
        if own and may_declare and self._random.random() < minds.of(state.turn, DECLARES):
            return Declare(state.turn, self._random.choice(own))
        if state.phase == "final":
            return Pass(state.turn)
        others = [player for player in state.players if player in minds.bots and player != state.turn]
        if others and self._random.random() < minds.errs(state.turn) / 2:  # out of turn: it is refused
            return Play(self._random.choice(others), "")
        return self._play(state.turn)

    def _call(self, state: State) -> Move:
        whom, dog = self._suspect(state, but=state.caller) or self._guess(state)
        return Call(state.caller, whom, dog)

    def _check(self, state: State) -> Move:
        return Check(state.called, self.piles[state.called].count(state.dog))


class Three(HandSpread[_Dogs]):
    pace = (1.1, 2.6)
    shape = SHAPE

    def shuffled(self) -> _Dogs:
        self._colours = {dog.name: dog.colour for dog in self.house.dogs}
        return _Dogs(self.match, self.seed)

    def bot_move(self, minds: Minds, _now: int) -> Move | None:
        if self.state.phase == "setup":
            return Begin(self.rng.choice(self.names)) if minds.is_alone else None
        return self.cards.propose(self.state, minds)

    def is_too_early(self, move: Move, at: int) -> bool:
        """The token is not free yet."""
        return isinstance(move, Strike) and at < self.state.may_strike_at(move.player)

    def is_joined(self, move: Move) -> bool:
        return isinstance(move, Strike)

    def wanted(self) -> str:
        state: State = self.state
        return {"struck": state.caller, "check": state.called}.get(state.phase, state.turn)

    # --- people ----------------------------------------------------------------------------------------------

    def put(self, picked: Picked, onto: Thing, me: str) -> Move | None:
        if not picked or onto != Thing("pile", me):
            return None
        dog = self.cards.hands[me][picked[0].of]
        self.cards.means(dog)
        return Play(me, "" if self.house.cards == COUNTED else dog)

    def hint(self, words: Words, me: str) -> str:
        state = self.state
        if state.phase == "setup":
            return words.say("Say on the screen who begins.")
        if state.phase == "check" and state.called == me:
            return words.say("Your pile is checked: answer on the screen.")
        if state.phase == "struck" and state.caller == me:
            return words.say("Say on the screen whom you call, and for which dog.")
        if state.phase == "turn" and state.turn == me:
            return words.say("Drag a dog onto your pile, or strike if another pile hides three of a kind.")
        if state.phase in ("turn", "final"):
            return words.say("Strike if another pile hides three of a kind.")
        return ""

    # --- what is seen ----------------------------------------------------------------------------------------

    def draw(self, sight: Sight) -> None:
        page, m = sight.page, sight.page.m
        above, below = rows(sight.middle, 1.0, 1.1, gap=m.gap)
        for player, column in sight.columns:
            self._things_of(page, Box(column.x, above.y, column.w, above.h), player, sight)
        deck, own, token, box = columns(below, 1.0, 2.0, 0.9, 0.8, gap=m.gap)
        self._deck(page, deck)
        self._things_of(page, own, sight.me, sight)
        self._token(page, token, sight)
        self._out(page, box)
        if self.state.phase == "check" and self.state.called == sight.me:
            self._checked(sight)
            return
        self.draw_hand(sight, m.gap)

    def draw_held(self, page: Page, box: Box, _number: int, card: str, intent: Intent | None, *, on: bool) -> None:
        draw_dog(page, box, card, self._colours[card], intent, on=on)

    def _checked(self, sight: Sight) -> None:
        """Only the player who is checked sees the pile: it is in the hand, dog by dog."""
        pile = sorted(self.cards.piles[sight.me])
        for name, place in zip(pile, fan(sight.hand, len(pile), SHAPE, 2), strict=True):
            draw_dog(sight.page, place, name, self._colours[name], on=name == self.state.dog)

    def _deck(self, page: Page, box: Box) -> None:
        m = page.m
        name, place = rows(box, m.of(5), 1.0, gap=m.gap)
        page.text(name, page.words.say(labels.DRAW_PILE), m.small, "on-black")
        cards.deck_of(page, place.inset(m.gap).shaped(SHAPE, 1), self.state.deck)

    def _token(self, page: Page, box: Box, sight: Sight) -> None:
        """The token of the game, in the middle of the table: a touch strikes it with one's own hand."""
        m = page.m
        name, place = rows(box, m.of(5), 1.0, gap=m.gap)
        page.text(name, page.words.say(own.TOKEN), m.small, "on-black")
        square = place.inset(m.gap).shaped(1, 1)
        strike = PressKey(Key("strike", self.names.index(sight.me)))
        page.add(Lamp(square, "red", sight.token, intent=strike))
        side = square.w // 3
        page.add(Symbol(square.middle(side, side), "hand", "on-red"))

    def _out(self, page: Page, box: Box) -> None:
        """Cards that are out of the game."""
        m = page.m
        if not self.state.out:
            return
        name, place = rows(box, m.of(5), 1.0, gap=m.gap)
        page.text(name, page.words.say(own.BOX), m.small, "on-black")
        cards.deck_of(page, place.inset(m.gap).shaped(SHAPE, 1), self.state.out)

    def _things_of(self, page: Page, box: Box, player: str, sight: Sight) -> None:
        """A player's pile, of which only the top is seen, and the bank."""
        m, pile, bank = page.m, self.cards.piles[player], self.cards.banks[player]
        is_mine = player == sight.me
        target = Thing("pile", player) if is_mine else None
        names, places = rows(box, m.of(5), 1.0, gap=m.gap)
        left, right = columns(places, 1.6 if is_mine else 1.0, 1.0, gap=m.gap)
        one, two = columns(names, 1.6 if is_mine else 1.0, 1.0, gap=m.gap)
        page.text(one, f"{page.words.say(own.PILE)} {len(pile)}", m.small, "on-black")
        page.text(two, f"{page.words.say(own.BANK)} {len(bank)}", m.small, "on-black")
        self._pile(page, left, pile, target)
        cards.deck_of(page, right.inset(m.gap).shaped(SHAPE, 1), 0)
        if bank:
            place = right.inset(m.gap).shaped(SHAPE, 1)
            draw_dog(page, place, bank[-1], self._colours.get(bank[-1], "brown"))
            side = place.w // 3
            page.add(Symbol(Box(place.right - side * 3 // 4, place.y - side // 4, side, side), "cup", "yellow"))

    def _pile(self, page: Page, box: Box, pile: list[str], target: Thing | None) -> None:
        place = box.inset(page.m.gap).shaped(SHAPE, 1)
        if len(pile) > 1:
            cards.deck_of(page, place, len(pile) - 1, target)
            place = Box(place.x + 3, place.y - 3, place.w, place.h)
        if pile:
            draw_dog(page, place, pile[-1], self._colours[pile[-1]], target)
        else:
            cards.deck_of(page, place, 0, target)


SPREAD = DrawnGame(Three)

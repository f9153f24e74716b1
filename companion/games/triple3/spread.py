"""Triple³ on the drawn table: the grid and everybody's cards. Without a camera a card that is laid is said; with one
(`watched.py`) it is laid by an arm, and what the camera sees of it counts."""

from collections.abc import Container
from random import Random

from companion.core.match import Match
from companion.core.requests import Request
from companion.core.rules import Move, Ruling
from companion.core.seats import EASY, STRONG, USUAL
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import CardItem
from companion.display.screens.elements import Page
from companion.games.triple3.rules import (
    CELLS,
    DECK,
    TO_DEAL,
    Deal,
    Go,
    GoOn,
    Lay,
    Left,
    Leftover,
    Out,
    TakeBack,
    is_legal,
)
from companion.words import Words, labels
from simulator.drawn import card_faces as cards
from simulator.drawn.items import Cloth, Spot, Thing
from simulator.drawn.spread import DrawnGame, Minds, Picked, Sight, Spread

FEW = 6
LOOKS_AT = {EASY: 1, USUAL: FEW, STRONG: len(DECK)}  # cards of its hand, before a bot lets others go first
FELT_LINE = (120, 160, 150)
GAP = 3  # between the cards of a hand


class Triple3(Spread):
    pace = (1.0, 2.6)
    deep = (21, 38)
    is_race = True

    def __init__(self, match: Match, seed: int) -> None:
        self.dealt: dict[str, list[str]] = {}
        self.stock: tuple[str, ...] = ()
        self._round = -1
        super().__init__(match, seed)

    # --- the cards -------------------------------------------------------------------------------------------

    def shuffled(self) -> list[str]:
        """The deck of this round."""
        return Random(f"{self.seed} {len(self.state.rounds)}").sample(DECK, len(DECK))

    def done(self, move: Move, ruling: Ruling) -> None:
        self.state = ruling.state
        if isinstance(move, Deal):
            self.deal_out(move)

    def deal_out(self, deal: Deal) -> None:
        """Everybody gets what is not on the grid."""
        there = {*deal.grid, *(leftover.card for leftover in deal.leftovers)}
        rest = [card for card in self.shuffled() if card not in there]
        share = TO_DEAL // len(self.names)
        self.dealt = {}
        for player, count in zip(self.names, deal.deals or (share,) * len(self.names), strict=True):
            self.dealt[player], rest = rest[:count], rest[count:]

    def to_deal(self) -> Deal:
        """As it lies after shuffling and dealing."""
        deck = self.shuffled()
        over = TO_DEAL % len(self.names)
        leftovers = tuple(Leftover(cell, card) for cell, card in zip((5, 1, 9), deck[9 : 9 + over], strict=False))
        return Deal("", tuple(deck[:9]), leftovers, (TO_DEAL // len(self.names),) * len(self.names))

    @property
    def piles(self) -> tuple[tuple[str, ...], ...]:
        """What lies on the nine cells, from bottom to top."""
        return tuple(tuple(laid.card for laid in pile) for pile in self.state.piles)

    def hand(self, player: str) -> list[str]:
        there = {card for pile in self.piles for card in pile}
        return [card for card in self.dealt.get(player, []) if card not in there]

    def owner(self, card: str) -> str:
        return next((player for player, dealt in self.dealt.items() if card in dealt), "")

    # --- people ----------------------------------------------------------------------------------------------

    def wanted(self) -> str:
        return ""

    def can_pick(self, thing: Thing, me: str) -> bool:
        if thing.kind == "cell":
            pile = self.piles[thing.of - 1] if self.piles else ()
            return len(pile) > 1 and self.owner(pile[-1]) == me
        return thing.kind == "card"

    def put(self, picked: Picked, onto: Thing, me: str) -> Move | Request | None:
        if onto.kind == "pile":
            return self.deals(me)
        if not picked:
            return None
        match picked[0].kind, onto.kind:
            case "card", "cell":
                return self.lay(me, onto.of, picked[0].of)
            case "cell", "hand" | "card":
                return self.take(me, picked[0].of)
            case _:
                return None

    def deals(self, _me: str) -> Move | None:
        return self.to_deal() if self.state.phase == "deal" else None

    def lay(self, player: str, cell: int, card: str) -> Move | None:
        return Lay(player, cell, card) if self.state.phase == "play" else None

    def take(self, player: str, cell: int) -> Move | None:
        return TakeBack(player, cell)

    def hint(self, words: Words, _me: str) -> str:
        match self.state.phase:
            case "deal":
                return words.say("Click the pile to deal.")
            case "ready":
                return words.say("Say Go! on the screen.")
            case "play":
                return words.say("Drag your cards onto the grid: each must make a new triple.")
            case "stopped":
                return words.say("Put right what is wrong, and go on by the screen.")
            case _:
                return ""

    # --- bots ------------------------------------------------------------------------------------------------

    def bot_move(self, minds: Minds, _now: int) -> Move | Request | None:
        match self.state.phase:
            case "deal" if minds.is_alone:
                return self.deals(self.names[0])
            case "ready" if minds.is_alone:
                return Go("")
            case "stopped":
                return self._takes_back(minds.bots) or (GoOn("") if minds.is_alone else None)
            case "count":
                return self._count(minds.bots)
            case "play" if self.state.is_seen:
                return self._plays(minds)
            case _:
                return None

    def _count(self, bots: Container[str]) -> Move | None:
        for player, left in zip(self.names, self.state.left, strict=True):
            if left < 0 and player in bots:
                lifted = sum(self.owner(laid.card) == player for laid in self.state.to_lift)
                return Left(player, len(self.hand(player)) + lifted)
        return None

    def _takes_back(self, bots: Container[str]) -> Move | None:
        """At a Stop! whoever has laid an illegal card that lies on top takes it back."""
        for cell, pile in zip(CELLS, self.state.piles, strict=False):
            if not pile[-1].legal and pile[-1].by in bots:
                return TakeBack(pile[-1].by, cell)
        return None

    def _plays(self, minds: Minds) -> Move | None:
        for player in self.rng.sample(sorted(minds.awake), len(minds.awake)):
            if not self.hand(player):
                if player in self.state.void:
                    continue
                return Out(player)
            choice = self.thought(player, minds)
            if choice:
                return self.lay(player, *choice)
        return None

    def thought(self, player: str, minds: Minds) -> tuple[int, str] | None:
        """What a bot lays next, if it finds anything in the time it has."""
        wrong = self.rng.random() < minds.errs(player)
        return self.choice(player, wrong=wrong, looks_at=minds.of(player, LOOKS_AT))

    def choice(self, player: str, *, wrong: bool, looks_at: int = FEW) -> tuple[int, str] | None:
        """A cell and a card for it, or, by mistake, one that does not go there."""
        tops = tuple(pile[-1] for pile in self.piles)
        if len(tops) < len(CELLS):
            return None
        hand = self.hand(player)
        looked_at = self.rng.sample(hand, min(looks_at, len(hand)))
        for cell in self.rng.sample(CELLS, len(CELLS)):
            for card in looked_at if looks_at < FEW or self.rng.random() < 0.8 else hand:
                if is_legal(tops, cell, card) is not wrong:
                    return cell, card
        return None

    # --- what is seen ----------------------------------------------------------------------------------------

    def counts(self, player: str) -> int:
        return len(self.hand(player))

    def draw(self, sight: Sight) -> None:
        page, m = sight.page, sight.page.m
        deck, board, _ = columns(sight.middle.inset(m.gap), m.of(25), 1.0, m.of(25), gap=m.gap)
        self.draw_deck(page, deck)
        for cell, at in zip(CELLS, grid(board.shaped(1, 1), 9, 3, m.gap), strict=True):
            self._cell(page, at, cell, sight.picked)
        self.draw_hand(sight)

    def draw_deck(self, page: Page, box: Box) -> None:
        """The shuffled cards before they are dealt."""
        if self.state.phase != "deal":
            return
        m = page.m
        name, place = rows(box, m.of(5), 1.0, gap=m.gap)
        page.text(name, page.words.say(labels.DEAL), m.small, "on-black")
        cards.deck_of(page, place.shaped(1, 1).inset(m.gap), len(DECK), Thing("pile"))

    def _cell(self, page: Page, box: Box, cell: int, picked: Picked) -> None:
        thing = Thing("cell", cell)
        pile = self.piles[cell - 1] if self.piles else ()
        page.add(Spot(box, cards.CHOSEN if thing in picked else FELT_LINE, 4 if thing in picked else 1, intent=thing))
        if pile:
            page.add(CardItem(box.inset(max(3, box.w // 30)), pile[-1]))

    def draw_hand(self, sight: Sight) -> None:
        page, hand = sight.page, self.hand(sight.me)
        page.add(Spot(sight.hand, intent=Thing("hand")))
        if not hand:
            return
        for card, at in zip(hand, _spread_out(sight.hand, len(hand)), strict=True):
            side, thing = at.w, Thing("card", card)
            if thing in sight.picked:
                page.add(Cloth(at, cards.CHOSEN, None, 0, side // 8))
            inset = max(1, side // 20) if thing in sight.picked else 0
            page.add(CardItem(at.inset(inset), card, intent=thing))

    def face(self, page: Page, box: Box, thing: Thing) -> None:
        card = thing.of if thing.kind == "card" else ""
        if thing.kind == "cell" and self.piles and self.piles[thing.of - 1]:
            card = self.piles[thing.of - 1][-1]
        if card:
            page.add(CardItem(box.shaped(1, 1), card))


def _spread_out(box: Box, count: int) -> list[Box]:
    """Squares for so many cards, in as many rows as make them largest."""

    def side(across: int) -> int:
        return min((box.w + GAP) // across, (box.h + GAP) // -(-count // across)) - GAP

    across = max(range(1, count + 1), key=side)
    wide, lines = side(across), -(-count // across)
    whole = box.middle(across * (wide + GAP) - GAP, lines * (wide + GAP) - GAP)
    return grid(whole, count, across, GAP)


SPREAD = DrawnGame(Triple3)

"""Tres where cards are only counted, from the sheet: every card is "?", and what goes without saying is not said."""

from collections.abc import Sequence
from copy import deepcopy
from random import Random

from tests.oracles.model import Data, Refused
from tests.oracles.tres import ACTIONS, UNSEEN, Model


class Counted(Model):
    """A match of which the paper knows only how many cards lie where."""

    def __init__(self, names: Sequence[str], house: Data) -> None:
        super().__init__(names, house)
        self.house["any_card_drawn"] = True  # nobody knows what was shuffled
        self.turned = 0  # cards that have turned up in this turn without a word

    def rule(self, move: Data) -> None:
        before = deepcopy(vars(self))
        try:
            super().rule(move)
        except Refused:
            vars(self).update(before)
            raise

    def _open(self) -> tuple[str, ...]:
        words = tuple(word for word in super()._open() if word != "play")
        more = {"turn": ("lay", "keep", "fill"), "drawn": ("lay",)}
        return (*words, *more.get(self.phase, ()))

    def _must_be_a_card(self, card: str) -> None:
        if card != UNSEEN or self.phase == "dealer":
            super()._must_be_a_card(card)

    def _deal(self, player: str, move: Data) -> None:
        self._must_be_counted(move["table"], ACTIONS)
        for hand in move.get("hands") or ():
            self._must_be_counted(hand)
        super()._deal(player, move)

    def _must_be_counted(self, cards: Sequence[str], named: Sequence[str] = ()) -> None:
        if set(cards) - {UNSEEN, "", *named}:
            raise Refused("cards are only counted")

    def _turn_up(self, card: str) -> None:
        super()._turn_up(card)
        self.table[-1] = UNSEEN

    def _fill(self, player: str, move: Data) -> None:
        self._must_be_counted([move["card"]], ACTIONS)
        if self.phase == "fill":
            super()._fill(player, move)
            return
        self._must_have_turn(player)
        if not self.turned or move["card"] not in ACTIONS:
            raise Refused("no action card has turned up")
        self._must_be_a_card(move["card"])
        self.turned -= 1
        self._turn_up(move["card"])
        self.table.pop()
        self._begin_turn_or_pay()

    def _lay(self, player: str, move: Data) -> None:  # type: ignore[override]
        if move.get("drew") and self.phase == "turn":
            self._draw(player, {})
        self._must_have_turn(player)
        count, action, is_three = move.get("cards", 1), move.get("action", ""), move.get("one_colour", False)
        if action and (action not in ACTIONS or action not in self.deck):
            raise Refused("no such action card")
        most = 1 if self.phase == "drawn" else min(2, len(self.hands[player]))
        if not 1 <= count <= most or not self.table or (is_three and count == 1):
            raise Refused("not so many cards")
        del self.hands[player][:count]
        self.table.pop()
        self.discards += [UNSEEN] * (count + 1)
        self.passes, self.drawn, self.turned = 0, "", 0
        self._too_late_to_catch()
        self._hand_changed(player)
        if not self.hands[player]:
            self._over(player)
            return
        if action == "reverse":
            self.direction = -self.direction
        if due := 3 * is_three + 3 * (action == "plus3"):
            self._owes(self._next(), due)
        self.then = self._next(2 if action == "skip" else 1)
        self._begin_turn_or_pay()

    def _draw(self, player: str, move: Data) -> None:
        self._must_be_counted([move.get("card", "")])
        super()._draw(player, move)
        self.turned = 0

    def _keep(self, player: str, move: Data) -> None:
        if self.phase == "turn":
            self._draw(player, {})
        super()._keep(player, move)

    def _pass(self, player: str, move: Data) -> None:
        self.turned = 0
        super()._pass(player, move)

    def _take(self, player: str, move: Data) -> None:
        self._must_be_counted(move.get("cards") or ())
        super()._take(player, move)

    def _catch(self, player: str, move: Data) -> None:
        super()._catch(player, move)
        self._go_without_saying()

    def _begin_turn_or_pay(self) -> None:
        super()._begin_turn_or_pay()
        self._go_without_saying()

    def _go_without_saying(self) -> None:
        """Cards that somebody must draw are drawn, and the table is filled, where the order cannot matter."""
        if self.phase == "pay" and self._is_enough():
            self._take(next(iter(self.dues)), {})
        elif self.phase == "fill" and self._is_enough():
            for _ in range(3 - len(self.table)):
                self._take_from_pile("", [UNSEEN])
                self.table.append(UNSEEN)
                self.turned += 1
            self.phase = "turn"

    def _is_enough(self) -> bool:
        """For all that is due, and whatever may become due before the next card is laid: each card that turns up may be
        a +3, and whoever is silent may be caught. Who has to draw and is silent can be caught for as long."""
        missing = 3 - len(self.table)
        most = missing + sum(self.dues.values()) + 3 * (missing + len(self.silent))
        return not set(self.dues) & set(self.silent) and self._available() >= most


# --- matches to compare ----------------------------------------------------------------------------------------


def likely(model: Counted, chance: Random) -> Data:
    """Of the phases after the dealer was found."""
    turned_up = [UNSEEN] * 6 + [card for card in ACTIONS if card in model.deck]
    match model.phase:
        case "deal":
            return {"move": "deal", "player": model.dealer, "table": [chance.choice(turned_up) for _ in range(3)]}
        case "fill":
            return {"move": "fill", "player": model.turn, "card": chance.choice(turned_up)}
        case "pay":
            return {"move": "take", "player": next(iter(model.dues))}
    words = ["lay", "lay", "lay", "keep", "draw"] if model.phase == "turn" else ["lay", "keep"]
    if model.phase == "turn" and not model._available():
        words = ["lay", "pass"]
    word = "fill" if model.turned and chance.random() < 0.15 else chance.choice(words)
    move: Data = {"move": word, "player": model.turn}
    if word == "fill":
        return move | {"card": chance.choice(turned_up[6:] or [UNSEEN])}
    return move | _played(model, chance) if word == "lay" else move


def _played(model: Counted, chance: Random) -> Data:
    two = model.phase == "turn" and len(model.hands[model.turn]) > 1 and chance.random() < 0.5
    acts = [card for card in ACTIONS if card in model.deck] if chance.random() < 0.25 else []
    found: Data = {"cards": 2, "one_colour": chance.random() < 0.3} if two else {"drew": chance.random() < 0.3}
    return found | {"action": chance.choice([*acts, ""])}


def wild(model: Counted, chance: Random) -> Data:
    """What nobody should say, or not now."""
    word = chance.choice(("lay", "lay", "lay", "fill", "keep"))
    move: Data = {"move": word, "player": chance.choice((*model.names, model.turn or model.names[0]))}
    cards = (*ACTIONS, UNSEEN, "red-9", "joker", "green-12", "")
    if word == "fill":
        move["card"] = chance.choice(cards)
    if word == "lay":
        move |= {"cards": chance.choice((0, 1, 1, 2, 2, 3)), "action": chance.choice(("", "", *cards))}
        move |= {"one_colour": chance.random() < 0.3, "drew": chance.random() < 0.3}
    return move

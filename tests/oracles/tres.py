"""Tres, from the sheet: three cards on the table, runs of two or three, and who has three cards says so."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, permutations, product
from random import Random
from typing import Any

from tests.oracles.model import NAMES, NOBODY, Data, Refused

ACTIONS = ("reverse", "skip", "plus3")
JOKER, UNSEEN = "joker", "?"
HOUSE = {
    "players": 8,
    "colours": ["red", "blue", "green", "yellow"],
    "number_copies": 2,
    "action_copies": 2,
    "jokers": 4,
    "joker_is_any_colour": False,
    "only_with_three": False,
    "any_card_drawn": False,
    "drawn_is_shuffled": False,
    "cards": "told",
}


class Model:
    """A match. Hands, table and discards are cards by name, or "?" for one that nobody has shown."""

    nameless = ()
    unordered = ("hands", "discards")

    def __new__(cls, _names: Sequence[str], house: Data) -> "Model":
        from tests.oracles.tres_counted import Counted  # noqa: PLC0415  (it is made of this one)

        return object.__new__(Counted if house.get("cards") == "counted" else cls)

    def __init__(self, names: Sequence[str], house: Data) -> None:
        self.names = list(names)
        self.house = {**HOUSE, **house}
        self.deck = Counter(
            {
                f"{colour}-{number}": self.house["number_copies"]
                for colour in self.house["colours"]
                for number in range(1, 10)
            }
        )
        self.deck.update(dict.fromkeys(ACTIONS, self.house["action_copies"]))
        self.deck[JOKER] = self.house["jokers"]
        self.deck += Counter()  # without those that there are none of
        self.pile = self.deck.total()
        self.hands: dict[str, list[str]] = {name: [] for name in names}
        self.table: list[str] = []
        self.discards: list[str] = []
        self.contenders = list(names)  # for dealer
        self.shown: dict[str, str] = {}
        self.dealer = ""
        self.direction = 1
        self.phase, self.turn = "dealer", ""
        self.stock: Counter[str] | None = None  # what was shuffled: the pile, and what was drawn of it unseen
        self.was_last = False  # of the pile: what is there now was shuffled after it
        self.drawn = ""  # the card that may still be played
        self.dues: dict[str, int] = {}  # how many cards have to be drawn, in that order
        self.then = ""  # whose turn begins when all is drawn; nobody's: the turn goes on
        self.passes = 0
        self.turns = 0
        self.announced: set[str] = set()  # who said it in this turn, whose hand may still change
        self.caught: set[str] = set()  # with the three cards that they have
        self.said: set[str] = set()  # of those with three cards
        self.silent: dict[str, int] = {}  # who can be caught, and since which turn
        self.outcome: list[Any] | None = None

    # --- moves

    def rule(self, move: Data) -> None:
        word = move["move"]
        if word not in self._open():
            raise Refused(f"not in this phase: {self.phase}")
        getattr(self, "_" + word.replace("-", "_"))(move["player"], move)

    def _open(self) -> tuple[str, ...]:
        words = {
            "dealer": ("show-card", "dealer"),
            "deal": ("deal",),
            "fill": ("fill",),
            "turn": ("play", "draw", "pass"),
            "drawn": ("play", "keep"),
            "pay": ("take",),
            "over": (),
        }[self.phase]
        return (*words, "tres", "catch") if self.dealer and self.phase not in ("deal", "over") else words

    def _number(self, card: str) -> int:
        """Of a card that is drawn for dealer."""
        return 0 if card == JOKER else 3 if card in ACTIONS else int(card.rsplit("-", 1)[1])

    def _must_be_a_card(self, card: str) -> None:
        if card not in self.deck:
            raise Refused("there is no such card")

    def _show_card(self, player: str, move: Data) -> None:
        if player not in self.contenders or player in self.shown:
            raise Refused("has drawn already, or draws no more")
        self._must_be_a_card(move["card"])
        if list(self.shown.values()).count(move["card"]) == self.deck[move["card"]]:
            raise Refused("all of these are drawn")
        self.shown[player] = move["card"]
        if len(self.shown) == len(self.contenders):
            most = max(map(self._number, self.shown.values()))
            self.contenders = [name for name in self.contenders if self._number(self.shown[name]) == most]
            self.shown = {}
            if len(self.contenders) == 1:
                self._dealer(self.contenders[0], move)

    def _dealer(self, player: str, _move: Data) -> None:
        self.dealer = self.turn = player
        self.phase = "deal"

    def _deal(self, player: str, move: Data) -> None:
        if player != self.dealer:
            raise Refused("somebody else deals")
        table, hands = move["table"], move.get("hands") or [[UNSEEN] * 7 for _ in self.names]
        if len(table) != 3 or len(hands) != len(self.names) or any(len(hand) != 7 for hand in hands):
            raise Refused("three on the table and seven for everybody")
        for card in table:
            self._must_be_a_card(card)
        self._must_exist([*table, *(card for hand in hands for card in hand if card != UNSEEN)])
        self.pile -= 7 * len(self.names) + 3
        self.hands = {name: list(hand) for name, hand in zip(self.names, hands, strict=True)}
        self._turn_of(self._next())
        for card in table:
            self._turn_up(card)
        self.then = self.turn  # who begins when all is drawn
        self._begin_turn_or_pay()

    def _must_exist(self, cards: list[str]) -> None:
        """There are so many of each beside those that are known to lie elsewhere."""
        known = Counter(self.table) + Counter(self.discards) + Counter(cards)
        for hand in self.hands.values():
            known.update(hand)
        del known[UNSEEN]
        if any(count > self.deck[card] for card, count in known.items()):
            raise Refused("so many of that card do not exist")

    def _next(self, steps: int = 1) -> str:
        return self.names[(self.names.index(self.turn) + steps * self.direction) % len(self.names)]

    # --- a turn

    def _turn_up(self, card: str) -> None:
        """A card comes to lie on the table: an action acts at once on whoever's turn it is."""
        self.table.append(card)
        if card == "reverse":
            self.direction = -self.direction
        if card in ("reverse", "skip"):
            self._turn_of(self._next())
        if card == "plus3":
            self._owes(self.turn, 3)

    def _owes(self, player: str, count: int) -> None:
        self.dues[player] = self.dues.get(player, 0) + count

    def _begin_turn_or_pay(self) -> None:
        """What is next: cards that are due, the table to be filled, or a play."""
        self._shuffle()
        self._settle_dues()
        if self.dues:
            self.phase = "pay"
            return
        if self.then:
            self._turn_of(self.then)
            self.then = ""
        if self.drawn:
            self.phase = "drawn"
        elif len(self.table) < 3 and self._available():
            self.phase = "fill"
        else:
            self.phase = "turn"

    def _available(self) -> int:
        return self.pile + len(self.discards)

    def _settle_dues(self) -> None:
        if not self._available():
            self.dues = {}

    def _must_have_turn(self, player: str) -> None:
        if player != self.turn:
            raise Refused("it is another player's turn")

    def _take_from_pile(self, player: str, cards: list[str]) -> None:
        """Cards off the pile, one by one; the discards become the pile when it is used up. Nobody's: for the table."""
        self._must_be_in_pile(cards)
        for card in cards:
            self.pile -= 1
            if player:
                self.hands[player].append(card)
            if self.stock is not None and card != UNSEEN:
                self.stock[card] -= 1
            self._shuffle()

    def _must_be_in_pile(self, cards: list[str]) -> None:
        for card in cards:
            if card != UNSEEN:
                self._must_be_a_card(card)
        pile = self.pile
        first, rest = cards[:pile], cards[pile:]
        self._must_be_in(first, self.stock)
        self._must_be_in(rest, Counter(self.discards))

    def _must_be_in(self, cards: list[str], stock: Counter[str] | None) -> None:
        shown = Counter(card for card in cards if card != UNSEEN)
        if stock is None:
            self._must_exist(list(shown.elements()))
        elif shown - stock or shown - self._nowhere() - Counter(self.discards):
            raise Refused("that card was not shuffled")

    def _shuffle(self) -> None:
        if not self.pile and self.discards:
            self.was_last |= bool(self.drawn) and not self.house["drawn_is_shuffled"]
            self.stock = None if self.house["any_card_drawn"] else Counter(self.discards)
            self.pile, self.discards = len(self.discards), []

    def _fill(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        self._must_be_a_card(move["card"])
        self._take_from_pile("", [move["card"]])
        self._turn_up(move["card"])
        self._begin_turn_or_pay()

    def _play(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        cards, on = move["cards"], move["table_card"]
        if on not in self.table:
            raise Refused("that card does not lie on the table")
        if len(cards) not in (1, 2):
            raise Refused("one or two cards")
        for card in cards:
            self._must_be_a_card(card)
        if self.phase == "drawn":
            self._must_be_the_drawn(cards)
        else:
            self._must_be_in_hand(player, cards)
        if not is_run([on, *cards]):
            raise Refused("these are not consecutive")
        self._lay(player, on, cards)

    def _must_be_the_drawn(self, cards: list[str]) -> None:
        if len(cards) > 1 or self.drawn not in (cards[0], UNSEEN):
            raise Refused("only the card just drawn")
        if self.drawn == UNSEEN and self.was_last:
            self._could_be_in_hand(Counter(cards))
        elif self.drawn == UNSEEN:
            self._must_be_in(cards, self.stock)

    def _must_be_in_hand(self, player: str, cards: list[str]) -> None:
        missing = Counter(cards) - Counter(self.hands[player])
        if missing.total() > self.hands[player].count(UNSEEN):
            raise Refused("that card is not in this hand")
        self._could_be_in_hand(missing)

    def _could_be_in_hand(self, missing: Counter[str]) -> None:
        """Of what was shuffled no more can be in hands than have left the pile unseen."""
        nowhere, stock = self._nowhere(), self.stock or Counter()
        left_unseen = stock.total() - self.pile if self.stock else 0
        for card, count in missing.items():
            if nowhere[card] - max(0, stock[card] - left_unseen) < count:
                raise Refused("that card is in the pile, or lies elsewhere")

    def _nowhere(self) -> Counter[str]:
        """Cards that nobody knows the place of."""
        nowhere = self.deck - Counter(self.table) - Counter(self.discards)
        for hand in self.hands.values():
            nowhere -= Counter(hand)
        return nowhere

    def _lay(self, player: str, on: str, cards: list[str]) -> None:
        hand = self.hands[player]
        if self.drawn == UNSEEN and not self.was_last and self.stock is not None:
            self.stock[cards[0]] -= 1
        for card in cards:
            hand.remove(self.drawn or (card if card in hand else UNSEEN))
        self.table.remove(on)
        self.discards += [on, *cards]
        if self.stock is not None:
            self.stock &= self._nowhere()
        self.passes, self.drawn = 0, ""
        self._too_late_to_catch()
        self._hand_changed(player)
        if not hand:
            self._over(player)
            return
        if "reverse" in cards:
            self.direction = -self.direction
        due = 3 * (len(cards) == 2 and self._is_one_colour([on, *cards])) + 3 * ("plus3" in cards)
        if due:
            self._owes(self._next(), due)
        self.then = self._next(2 if "skip" in cards else 1)
        self._begin_turn_or_pay()

    def _is_one_colour(self, cards: list[str]) -> bool:
        if JOKER in cards and not self.house["joker_is_any_colour"]:
            return False
        return len({card.rsplit("-", 1)[0] for card in cards if card not in (*ACTIONS, JOKER)}) <= 1

    def _draw(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        if not self._available():
            raise Refused("nothing to draw")
        card = move.get("card", "") or UNSEEN
        self.was_last = self.pile == 1
        self._take_from_pile(player, [card])
        self.passes, self.drawn, self.phase = 0, card, "drawn"
        self._too_late_to_catch()
        self._hand_changed(player)

    def _keep(self, player: str, _move: Data) -> None:
        self._must_have_turn(player)
        self._pass_on()

    def _pass_on(self) -> None:
        self.drawn, self.then = "", self._next()
        self._begin_turn_or_pay()

    def _pass(self, player: str, _move: Data) -> None:
        self._must_have_turn(player)
        if self._available():
            raise Refused("a card has to be drawn")
        self.passes += 1
        self._too_late_to_catch()
        if self.passes == len(self.names):
            self._stuck()
        else:
            self._pass_on()

    def _take(self, player: str, move: Data) -> None:
        owing, count = next(iter(self.dues.items()))
        if player != owing:
            raise Refused("another player draws")
        count = min(count, self._available())
        cards = move.get("cards") or [UNSEEN] * count
        if len(cards) != count:
            raise Refused("another number is due")
        self._take_from_pile(player, cards)
        self._hand_changed(player)
        del self.dues[owing]
        self._begin_turn_or_pay()

    # --- tres

    def _tres(self, player: str, _move: Data) -> None:
        may_change = (player == self.turn or player in self.dues) and not self.house["only_with_three"]
        if player in self.announced or player in self.caught or (player in self.said and not may_change):
            raise Refused("said already, or too late")
        if len(self.hands[player]) != 3 and not may_change:
            raise Refused("that is said with three cards")
        if may_change:
            self.announced.add(player)
        if len(self.hands[player]) == 3:
            self.said.add(player)
            self.silent.pop(player, None)

    def _catch(self, player: str, move: Data) -> None:
        whom = move["whom"]
        if player == whom or whom not in self.silent:
            raise Refused("nobody is caught so")
        del self.silent[whom]
        self.caught.add(whom)
        if self._available():
            self._owes(whom, 3)
            self.phase = "pay"

    def _hand_changed(self, player: str) -> None:
        """Each time a hand becomes three it has to be said, in that turn or before anybody catches its player."""
        self.said.discard(player)
        self.caught.discard(player)
        self.silent.pop(player, None)
        if len(self.hands[player]) != 3:
            return
        if player in self.announced:
            self.said.add(player)
        else:
            self.silent[player] = self.turns

    def _too_late_to_catch(self) -> None:
        """The first card of a turn is laid or drawn, or none is: who was silent before it gets away."""
        if self.house["only_with_three"]:
            return
        self.silent = {name: turn for name, turn in self.silent.items() if turn == self.turns}

    def _turn_of(self, player: str) -> None:
        self.turn, self.announced = player, set()
        self.turns += 1

    # --- the end

    def _over(self, winner: str) -> None:
        self._end([winner])

    def _stuck(self) -> None:
        fewest = min(map(len, self.hands.values()))
        self._end([name for name in self.names if len(self.hands[name]) == fewest])

    def _end(self, winners: list[str]) -> None:
        self.turn, self.phase, self.dues = "", "over", {}
        self.outcome = [winners, self.scores()]

    def scores(self) -> list[int]:
        return [len(hand) for hand in self.hands.values()]

    # --- what can be compared

    def due(self) -> Data | None:
        return None

    def moments(self) -> list[int]:
        return []

    def told(self) -> Data:
        return {
            "phase": self.phase,
            "turn": self.turn,
            "scores": self.scores(),
            "hands": list(self.hands.values()),
            "pile": self.pile,
            "table": self.table,
            "discards": self.discards,
            "direction": self.direction,
            "dealer": self.dealer,
            "drawn": self.drawn,
            "outcome": self.outcome,
        }


def is_run(cards: Sequence[str]) -> bool:
    return _are_consecutive(
        tuple(sorted(JOKER if card == JOKER else "3" if card in ACTIONS else card[-1] for card in cards))
    )


@cache
def _are_consecutive(faces: tuple[str, ...]) -> bool:
    """In some order one after the other, where 1 comes after 9; a joker is any number."""
    choices = [range(9) if face == JOKER else [int(face) - 1] for face in faces]
    return any(
        all((after - before) % 9 == 1 for before, after in pairwise(order))
        for numbers in product(*choices)
        for order in permutations(numbers)
    )


# --- matches to compare ----------------------------------------------------------------------------------------


def seats(chance: Random) -> tuple[list[str], Data]:
    house: Data = {
        "colours": ["red", "blue", "green", "yellow"][: chance.choice((1, 2, 4, 4))],
        "number_copies": chance.choice((1, 2, 2, 4)),
        "action_copies": chance.choice((0, 1, 2, 6)),
        "jokers": chance.choice((0, 4, 12)),
        "joker_is_any_colour": chance.random() < 0.5,
        "only_with_three": chance.random() < 0.1,
        "any_card_drawn": chance.random() < 0.1,
        "drawn_is_shuffled": chance.random() < 0.1,
        "cards": "counted" if chance.random() < 0.3 else "told",
    }
    cards = 9 * len(house["colours"]) * house["number_copies"] + 3 * house["action_copies"] + house["jokers"]
    most = min(8, (cards - 3) // 7)
    if most < 2:
        return seats(chance)
    return list(NAMES[: chance.choice((2, min(3, most), chance.randint(2, most)))]), house


def likely(model: Model, chance: Random) -> Data:
    from tests.oracles import tres_counted as counted  # noqa: PLC0415  (it is made of this one)

    if isinstance(model, counted.Counted) and model.phase in ("deal", "fill", "pay"):
        return counted.likely(model, chance)
    match model.phase:
        case "dealer" if chance.random() < 0.7:
            waiting = [name for name in model.contenders if name not in model.shown]
            return {"move": "show-card", "player": chance.choice(waiting), "card": chance.choice(list(model.deck))}
        case "dealer":
            return {"move": "dealer", "player": chance.choice(model.names)}
        case "deal":
            return _dealt(model, chance)
        case "fill":
            return {"move": "fill", "player": model.turn, "card": _unknown(model, chance)}
        case "pay":
            return _paid(model, chance)
    spoken = chance.random()
    if spoken < 0.08:
        return {"move": "tres", "player": chance.choice((model.turn, *model.names))}
    if spoken < 0.16:
        return {
            "move": "catch",
            "player": chance.choice(model.names),
            "whom": chance.choice([*model.silent, *model.names]),
        }
    if isinstance(model, counted.Counted):
        return counted.likely(model, chance)
    return _played(model, chance)


def _left(model: Model) -> list[str]:
    """What the pile can be of."""
    return sorted((model._nowhere() if model.stock is None else model.stock).elements())


def _unknown(model: Model, chance: Random) -> str:
    return chance.choice(_left(model) or [JOKER])


def _dealt(model: Model, chance: Random) -> Data:
    cards = chance.sample(sorted(model.deck.elements()), model.deck.total())
    deal: Data = {"move": "deal", "player": model.dealer, "table": cards[:3]}
    if chance.random() < 0.7:
        deal["hands"] = [cards[3 + 7 * seat : 10 + 7 * seat] for seat in range(len(model.names))]
    return deal


def _paid(model: Model, chance: Random) -> Data:
    player, count = next(iter(model.dues.items()))
    left = _left(model)
    if chance.random() < 0.3 or len(left) < count:
        return {"move": "take", "player": player}
    return {"move": "take", "player": player, "cards": chance.sample(left, min(count, model._available()))}


def _played(model: Model, chance: Random) -> Data:
    """The best play there is, mostly; else draw."""
    player = model.turn
    hand = [card for card in model.hands[player] if card != UNSEEN] or chance.sample(
        _left(model), min(4, len(_left(model)))
    )
    if model.phase == "drawn":
        hand = [model.drawn] if model.drawn != UNSEEN else hand[:2]
    plays = [
        {"move": "play", "player": player, "table_card": on, "cards": list(cards)}
        for size in (2, 1)
        for cards in permutations(hand, size)
        for on in model.table
        if is_run([on, *cards])
    ]
    if plays and chance.random() < 0.85:
        return plays[0] if chance.random() < 0.7 else chance.choice(plays)
    if model.phase == "drawn":
        return {"move": "keep", "player": player}
    if not model._available():
        return {"move": "pass", "player": player}
    return {"move": "draw", "player": player, **({"card": _unknown(model, chance)} if chance.random() < 0.7 else {})}


def wild(model: Model, chance: Random) -> Data:
    from tests.oracles import tres_counted as counted  # noqa: PLC0415  (it is made of this one)

    if isinstance(model, counted.Counted) and chance.random() < 0.5:
        return counted.wild(model, chance)
    words = (
        "show-card",
        "dealer",
        "deal",
        "fill",
        "play",
        "play",
        "play",
        "draw",
        "keep",
        "take",
        "pass",
        "tres",
        "tres",
        "catch",
    )
    word = chance.choice(words)
    move: Data = {"move": word, "player": chance.choice((*model.names, model.turn, model.turn, "", NOBODY))}
    cards = (*model.deck, *model.table, UNSEEN, "red-10", "")
    match word:
        case "show-card" | "fill":
            move["card"] = chance.choice(cards)
        case "deal":
            move |= _dealt(model, chance)
            move["table"][0] = chance.choice(cards)
        case "play":
            hand = model.hands.get(move["player"]) or list(cards)
            move["cards"] = [chance.choice((*hand, *cards)) for _ in range(chance.choice((1, 1, 2, 2, 0, 3)))]
            move["table_card"] = chance.choice((*model.table, *model.table, *cards))
        case "draw" if chance.random() < 0.8:
            move["card"] = chance.choice(cards)
        case "take" if chance.random() < 0.8:
            move["cards"] = [chance.choice(cards) for _ in range(chance.choice((3, 3, 3, 2, 6, 0)))]
        case "catch":
            move["whom"] = chance.choice((*model.names, NOBODY))
    return move

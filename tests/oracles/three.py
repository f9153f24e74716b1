"""Three!, from the sheet: piles that nobody may look into, a token, and who was first on it."""

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.oracles.model import NAMES, NOBODY, SECOND, Data, Refused, best

COLOURS = ("red", "blue", "green", "yellow", "brown", "black", "white", "grey")
BREEDS = ("Ember", "Sky", "Juniper", "Honey", "Biscuit", "Domino", "Snow", "Misty")
DOGS = [{"name": name, "colour": colour} for name, colour in zip(BREEDS, COLOURS, strict=True)]
HOUSE = {
    "dogs": DOGS,
    "copies": 6,
    "deck": 48,
    "declarations_per_turn": 1,
    "call_timeout": 10,
    "tie": "replay",
    "rearm": 1,
    "cooldown": 0,
    "everybody_passes": False,
}
UNSEEN = "?"


class Model:
    """A match. What is being settled is in `caller`, `called`, `dog` and `tied`, all empty when the token is free."""

    nameless = ("strike", "release")
    unordered = ()

    def __init__(self, names: Sequence[str], house: Data) -> None:
        self.names = list(names)
        self.house = {**HOUSE, **house}
        self.dogs = [dog["name"] for dog in self.house["dogs"]]
        self.said = {dog[key]: dog["name"] for dog in self.house["dogs"] for key in ("name", "colour")}
        self.hands = dict.fromkeys(names, 3)
        self.deck = self.house["deck"] - 3 * len(names)
        self.piles: dict[str, list[str]] = {name: [] for name in names}
        self.banks = dict.fromkeys(names, 0)
        self.out = 0
        self.gone = dict.fromkeys(self.dogs, 0)  # cards of a dog that a check took from a pile
        self.turn = ""
        self.phase = "setup"
        self.turns_left = -1  # of the last round, once all hands are empty
        self.declared = 0
        self.free_at = 0
        self.kept_out = dict.fromkeys(names, 0)
        self.outcome: list[Any] | None = None
        self._settled()

    def _settled(self) -> None:
        self.caller = self.called = self.dog = ""
        self.struck_at = 0
        self.tied: list[str] = []

    # --- moves

    def rule(self, move: Data) -> None:
        if move["move"] not in self._open():
            raise Refused(f"not while this is going on: {self.phase}")
        getattr(self, "_" + move["move"])(move["player"], move)

    def _open(self) -> tuple[str, ...]:
        """What may be done now, by somebody."""
        return {
            "setup": ("begin",),
            "turn": ("play", "declare", "strike"),
            "final": ("declare", "pass", "strike"),
            "struck": ("call", "release"),
            "whose": ("hand", "release"),
            "tied": ("choose", "release"),
            "check": ("check",),
            "over": (),
        }[self.phase]

    def _begin(self, player: str, _move: Data) -> None:
        self.turn = player
        self.phase = "turn"

    def _must_have_turn(self, player: str) -> None:
        if player != self.turn:
            raise Refused("it is another player's turn")

    def _named(self, dog: str) -> str:
        if dog not in self.said:
            raise Refused("no such dog in this deck")
        return str(self.said[dog])

    def _play(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        dog = self._named(move["dog"]) if move.get("dog") else UNSEEN
        if dog != UNSEEN and self._unknown(dog) <= 0:
            raise Refused("all cards with this dog have been seen already")
        self.piles[player].append(dog)
        if self.deck:
            self.deck -= 1
        else:
            self.hands[player] -= 1
        self._next_turn()

    def _unknown(self, dog: str) -> int:
        """Cards with this dog of which nobody knows where they are."""
        return int(self.house["copies"] - self.gone[dog] - sum(pile.count(dog) for pile in self.piles.values()))

    def _next_turn(self) -> None:
        self.turn = self._after(self.turn)
        self.declared = 0
        if self.turns_left > 0:
            self.turns_left -= 1
        elif not any(self.hands.values()):
            self.turns_left = len(self.names)
        if self.turns_left == 0:
            self._end()
        else:
            self.phase = self._of_the_turn()

    def _after(self, player: str) -> str:
        return self.names[(self.names.index(player) + 1) % len(self.names)]

    def _of_the_turn(self) -> str:
        return "final" if self.turns_left >= 0 else "turn"

    def _end(self) -> None:
        self.turn, self.phase = "", "over"
        self.out += sum(map(len, self.piles.values()))
        self.piles = {name: [] for name in self.names}
        self.outcome = [best(self.names, self.scores()), self.scores()]

    def _pass(self, player: str, _move: Data) -> None:
        self._must_have_turn(player)
        if not self.house["declarations_per_turn"] and not self.house["everybody_passes"]:
            self._end()  # there is no round of turns where nobody may declare
        else:
            self._next_turn()

    def _declare(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        if self.declared >= self.house["declarations_per_turn"]:
            raise Refused("no more declarations in this turn")
        self.dog = self._named(move["dog"])
        self.called = player
        self.declared += 1
        self.phase = "check"

    def _may_declare(self) -> bool:
        return bool(self.declared < self.house["declarations_per_turn"])

    # --- the token

    def _strike(self, player: str, move: Data) -> None:
        at, tied = move["at"], move.get("tied", [])
        if at < self.free_at:
            raise Refused("the token is not armed yet")
        if player:
            self._must_not_be_kept_out(player, at)
        if tied:
            self._strike_together(tied, at)
        else:
            self._struck(player, at)

    def _must_not_be_kept_out(self, player: str, at: int) -> None:
        if at < self.kept_out[player]:
            raise Refused("called wrongly and may not strike yet")

    def _struck(self, player: str, at: int) -> None:
        self.struck_at = at
        self.caller = player
        self.phase = "struck" if player else "whose"

    def _strike_together(self, tied: list[str], at: int) -> None:
        if len(set(tied)) < 2 or len(set(tied)) < len(tied) or not set(tied) <= set(self.names):
            raise Refused("no such tie is possible")
        for name in tied:
            self._must_not_be_kept_out(name, at)
        if self.house["tie"] == "seats":
            self._struck(self._next_in_order(tied), at)
        elif self.house["tie"] == "choice" and len(tied) < len(self.names):
            self.struck_at, self.tied, self.phase = at, tied, "tied"
        else:
            self._free(at)

    def _next_in_order(self, players: list[str]) -> str:
        name = self.turn
        while name not in players:
            name = self._after(name)
        return name

    def _hand(self, player: str, _move: Data) -> None:
        self._must_not_be_kept_out(player, self.struck_at)
        self.caller, self.phase = player, "struck"

    def _choose(self, player: str, move: Data) -> None:
        if player in self.tied:
            raise Refused("struck too")
        if move["caller"] not in self.tied:
            raise Refused("did not strike")
        self.caller, self.tied, self.phase = move["caller"], [], "struck"

    def _call(self, player: str, move: Data) -> None:
        if player != self.caller:
            raise Refused("somebody else struck")
        if move["whom"] == player or move["whom"] not in self.names:
            raise Refused("another player of this match has to be named")
        self.dog = self._named(move["dog"])
        self.called, self.phase = move["whom"], "check"

    def _release(self, player: str, move: Data) -> None:
        if player != self.caller and self.caller:
            raise Refused("somebody else struck")
        self._free(move["at"])

    def _free(self, at: int) -> None:
        """The call is over; the token is armed again after a while."""
        self._settled()
        self.free_at = at + self.house["rearm"] * SECOND
        self.phase = self._of_the_turn()

    # --- the check

    def _check(self, player: str, move: Data) -> None:
        if player != self.called:
            raise Refused("it is not this player's pile")
        pile = self.piles[player]
        known, unseen = pile.count(self.dog), pile.count(UNSEEN)
        found = move.get("found")
        if found is None and unseen:
            raise Refused("nobody but the player can know how many there are")
        found = known if found is None else found
        if not 0 <= found <= min(len(pile), max(known, self.house["copies"] - self.gone[self.dog])):
            raise Refused("so many there cannot be")
        if not known <= found <= known + max(0, min(unseen, self._unknown(self.dog))) and not move.get("insist"):
            raise Refused("the referee has seen otherwise")
        if known <= found <= known + unseen:
            self._take(pile, self.dog, known)
            self._take(pile, UNSEEN, found - known)
        else:  # so nothing is known of this pile
            self.piles[player] = [UNSEEN] * (len(pile) - found)
        self.gone[self.dog] += found
        self._give(player, found, move["at"])

    def _take(self, pile: list[str], card: str, count: int) -> None:
        for _ in range(count):
            pile.remove(card)

    def _give(self, player: str, found: int, at: int) -> None:
        caller, right = self.caller, found >= 3
        if not caller:  # declared
            if right:
                self.banks[player] += found
            else:
                self.out += found
            self._settled()
            self.phase = self._of_the_turn()
            if self.phase == "final" and not self._may_declare() and not self.house["everybody_passes"]:
                self._next_turn()
            return
        self.banks[caller if right else player] += found
        self._free(at)
        if not right:
            self.kept_out[caller] = at + self.house["cooldown"] * SECOND

    # --- what can be compared

    def due(self) -> Data | None:
        if self.phase not in ("struck", "whose", "tied"):
            return None
        at = self.struck_at + self.house["call_timeout"] * SECOND
        return {"move": "release", "at": at, **({"player": self.caller} if self.caller else {})}

    def moments(self) -> list[int]:
        return [self.free_at, *self.kept_out.values()]

    def scores(self) -> list[int]:
        return list(self.banks.values())

    def told(self) -> Data:
        return {
            **({} if self.outcome else {"declared": self.declared}),
            "phase": self.phase,
            "turn": self.turn,
            "scores": self.scores(),
            "hands": list(self.hands.values()),
            "deck": self.deck,
            "piles": list(self.piles.values()),
            "banks": self.scores(),
            "out": self.out,
            "caller": self.caller,
            "called": self.called,
            "dog": self.dog,
            "tied": [name for name in self.names if name in self.tied],
            "outcome": self.outcome,
        }


# --- matches to compare ----------------------------------------------------------------------------------------


def seats(chance: Random) -> tuple[list[str], Data]:
    names = list(NAMES[: chance.randint(2, 4)])
    dogs, copies = DOGS[: chance.choice((1, 3, 5, 8))], chance.choice((3, 4, 6, 12))
    if len(dogs) * copies < 3 * len(names):
        copies = 3 * len(names)
    return names, {
        "dogs": dogs,
        "copies": copies,
        "deck": len(dogs) * copies,
        "declarations_per_turn": chance.choice((0, 1, 1, 2, 10)),
        "call_timeout": chance.choice((1, 3, 10, 600)),
        "tie": chance.choice(("replay", "seats", "choice")),
        "rearm": chance.choice((0, 1, 5)),
        "cooldown": chance.choice((0, 0, 2, 20)),
        "everybody_passes": chance.random() < 0.1,
    }


def likely(model: Model, chance: Random) -> Data:
    """One of the moves that are open now, by whom it concerns."""
    words = model._open()
    words = (words[0],) * 12 + words if model.phase in ("turn", "struck") else words
    return _move(model, chance, chance.choice(words), careful=True)


def wild(model: Model, chance: Random) -> Data:
    words = ("begin", "play", "declare", "strike", "call", "hand", "choose", "release", "check", "pass")
    return _move(model, chance, chance.choice(words), careful=chance.random() < 0.3)


def _move(model: Model, chance: Random, word: str, *, careful: bool) -> Data:
    anybody = chance.choice((*model.names, *model.names, NOBODY, "")) if not careful else chance.choice(model.names)
    dogs = (*model.dogs, *model.house["dogs"][0].values(), *(() if careful else ("", "dachshund", "?", "RED")))
    whose = {"check": model.called, "call": model.caller, "release": model.caller}.get(word, model.turn)
    player = whose if careful and whose and word != "strike" else anybody
    move: Data = {"move": word, "player": player}
    match word:
        case "play" if chance.random() < 0.9:
            move["dog"] = chance.choice([dog for dog in model.dogs if careful and model._unknown(dog)] or dogs)
        case "declare":
            move["dog"] = chance.choice(dogs)
        case "strike" if chance.random() < 0.4:
            _in_other_ways(model, move, chance)
        case "call":
            others = [name for name in model.names if name != player] if careful else [*model.names, NOBODY, ""]
            move |= {"whom": chance.choice(others), "dog": chance.choice(dogs)}
        case "choose":
            move["player"] = chance.choice(model.names)
            move["caller"] = chance.choice(model.tied or model.names)
        case "check":
            _answer(model, move, chance)
    return move


def _in_other_ways(model: Model, move: Data, chance: Random) -> None:
    """Nobody knows whose hand it was, or several struck together."""
    if chance.random() < 0.5:
        move["player"] = ""
    if chance.random() < 0.7:
        move["tied"] = chance.sample((*model.names, move["player"]), chance.randint(1, len(model.names)))


def _answer(model: Model, move: Data, chance: Random) -> None:
    pile = model.piles.get(model.called, [])
    known, unseen = pile.count(model.dog), pile.count(UNSEEN)
    move["found"] = known + (chance.randint(0, unseen) if chance.random() < 0.8 else chance.randint(-known - 1, 8))
    if chance.random() < 0.2:
        del move["found"]
    if chance.random() < 0.1:
        move["insist"] = True

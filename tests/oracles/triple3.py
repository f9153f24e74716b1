"""Triple³, from the sheet: nine piles, and a card has to make a line agree on something that it did not agree on."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

from tests.oracles.model import NAMES, NOBODY, Data, Refused, best

COLOURS, SHAPES = ("red", "blue", "purple", "yellow"), ("circle", "diamond", "plus", "star")
CARDS = {
    f"{colour}-{shape}-{count}": (colour, shape, count) for colour, shape, count in product(COLOURS, SHAPES, range(4))
}
LINES = ((1, 2, 3), (4, 5, 6), (7, 8, 9), (1, 4, 7), (2, 5, 8), (3, 6, 9), (1, 5, 9), (3, 5, 7))
OTHERS = {cell: [[one for one in line if one != cell] for line in LINES if cell in line] for cell in range(1, 10)}
HOUSE = {"chips_to_win": 4, "illegal_plays": "call", "illegal_wins": False}
UNSEEN = "?"


class Model:
    """A match of some rounds. What lies there is {card, by, dealt, legal, ruled, open}."""

    nameless = ("deal", "go", "lay", "take-back", "lies", "stop", "go-on", "stuck")
    unordered = ()

    def __init__(self, names: Sequence[str], house: Data) -> None:
        self.names = list(names)
        self.house = {**HOUSE, **house}
        self.chips = dict.fromkeys(names, 0)
        self.won: list[tuple[list[str], int]] = []  # who won each round, and how long it took
        self.phase = "deal"
        self.outcome: list[Any] | None = None
        self._clear()

    def _clear(self) -> None:
        self.piles: dict[int, list[Data]] = {}  # none where the grid was not shown
        self.deals: dict[str, int] = {}
        self.laid: dict[str, int] = {}
        self.unclaimed = 0  # laid, nobody knows by whom
        self.hidden = 0  # cards under the grid's that nobody saw
        self.left: dict[str, int] = {}
        self.claims: set[str] = set()  # who says to be out and has illegal cards that nobody has looked at
        self.void: set[str] = set()  # whose claim is void until a legal card is laid
        self.used, self.since = 0, -1

    # --- moves

    def rule(self, move: Data) -> None:
        word = move["move"]
        if word not in self._open():
            raise Refused(f"not in this phase: {self.phase}")
        getattr(self, "_" + word.replace("-", "_"))(move["player"], move)

    def _open(self) -> tuple[str, ...]:
        laying = ("lay", "take-back", "lies") if self.piles else ()
        return {
            "deal": ("deal",),
            "ready": ("deal", "go"),
            "play": (*laying, "stop", "out", "stuck"),
            "stopped": (*laying[1:], "go-on", "out"),
            "count": ("left",),
            "over": (),
        }[self.phase]

    def _deal(self, _player: str, move: Data) -> None:
        grid, leftovers, hidden = move.get("grid", []), move.get("leftovers", []), move.get("hidden", 0)
        deals = move.get("deals") or [55 // len(self.names)] * len(self.names)
        if len(deals) != len(self.names) or min(deals) < 1:
            raise Refused("everybody gets cards")
        shown = [*grid, *(one["card"] for one in leftovers)]
        if not set(shown) <= set(CARDS) or len(set(shown)) < len(shown):
            raise Refused("a card that is not in the deck, or twice there")
        if not all(one["cell"] in OTHERS for one in leftovers) or hidden < 0:
            raise Refused("there is no such cell")
        if grid and (len(grid) != 9 or len(shown) + hidden + sum(deals) != 64):
            raise Refused("nine cards, and all that is dealt and left over is sixty-four")
        if not grid and (leftovers or hidden or sum(deals) > 55):
            raise Refused("at most fifty-five are dealt")
        self._clear()
        self.deals, self.laid = dict(zip(self.names, deals, strict=True)), dict.fromkeys(self.names, 0)
        self.piles = {cell: [_lying(card)] for cell, card in enumerate(grid, 1)}
        for one in leftovers:
            self.piles[one["cell"]].append(_lying(one["card"]))
        self.hidden = hidden
        self.phase = "ready"

    def _go(self, _player: str, move: Data) -> None:
        self.phase, self.since = "play", move["at"]
        self._look(move["at"])

    def _stop(self, _player: str, move: Data) -> None:
        self._stop_clock(move["at"])
        self.phase = "stopped"

    def _stop_clock(self, at: int) -> None:
        if self.since >= 0:
            self.used, self.since = self.used + at - self.since, -1

    def _go_on(self, _player: str, move: Data) -> None:
        for name in self.claims:
            if any(one is self.piles[cell][-1] for cell, one in self._open_cards(name)):
                raise Refused("what can be lifted is taken back first")
        for name in self.names:
            has_none = self.laid[name] == self.deals[name]
            if self._open_cards(name) and (name in self.claims or has_none):
                self.void.add(name)
        for _, one in self._lying():
            one["open"] = False
        self.claims = set()
        self.phase, self.since = "play", move["at"]
        self._look(move["at"])

    # --- cards

    def _lay(self, player: str, move: Data) -> None:
        cell, card = self._cell(move), self._card(move)
        if card in self._seen():
            raise Refused("that card lies on the table")
        self._must_have_cards(player, 1)
        legal = self.fits(cell, card)
        if not legal and self.house["illegal_plays"] == "call":
            raise Refused("no line gets anything new")
        self.piles[cell].append(
            {
                "card": card,
                "by": player,
                "dealt": False,
                "legal": legal,
                "ruled": True,
                "open": not legal and not self.house["illegal_wins"],
            }
        )
        self._count(player, 1)
        if legal:  # it may be of anybody whose cards are not all known
            self.void -= {player} if player else {name for name in self.names if self.laid[name] < self.deals[name]}
        if (
            (legal or self.house["illegal_wins"])
            and player
            and self.laid[player] == self.deals[player]
            and not self._open_cards(player)
        ):
            self._round_over([player], move["at"])
        else:
            self._look(move["at"])

    def _lying(self) -> list[tuple[int, Data]]:
        return [(cell, one) for cell, pile in self.piles.items() for one in pile]

    def _open_cards(self, player: str) -> list[tuple[int, Data]]:
        """Illegal cards of a player, or of nobody knows whom, that lie there since the last Stop!."""
        if self.house["illegal_wins"]:
            return []
        return [(cell, one) for cell, one in self._lying() if one["open"] and one["by"] == player]

    def _liftable(self) -> list[Data]:
        found = [pile[-1] for pile in self.piles.values() if not pile[-1]["legal"]]
        return [] if self.house["illegal_wins"] else found

    def _cell(self, move: Data) -> int:
        if move["cell"] not in OTHERS:
            raise Refused("there is no such cell")
        return int(move["cell"])

    def _card(self, move: Data) -> str:
        if move["card"] not in CARDS:
            raise Refused("there is no such card")
        return str(move["card"])

    def _seen(self) -> set[str]:
        return {one["card"] for pile in self.piles.values() for one in pile if one["card"] != UNSEEN}

    def _must_have_cards(self, player: str, count: int) -> None:
        in_hands = sum(self.deals.values()) - sum(self.laid.values()) - self.unclaimed
        if in_hands < count or (player and self.deals[player] - self.laid[player] < count):
            raise Refused("so many cards are not in hand")

    def _count(self, player: str, step: int) -> None:
        if player:
            self.laid[player] += step
        else:
            self.unclaimed += step

    def takes(self, cell: int) -> set[Any]:
        """What a line through the cell would have in common that it has not now: a card with any of it may go there."""
        covered = CARDS[self.piles[cell][-1]["card"]]
        found = set()
        for one, other in OTHERS[cell]:
            ones, others = CARDS[self.piles[one][-1]["card"]], CARDS[self.piles[other][-1]["card"]]
            found |= {value for value, same, now in zip(ones, others, covered, strict=True) if value == same != now}
        return found

    def fits(self, cell: int, card: str) -> bool:
        return not self.takes(cell).isdisjoint(CARDS[card])

    def _take_back(self, player: str, move: Data) -> None:
        pile = self.piles[self._cell(move)]
        named = move.get("card", "")
        lying = pile[-1] if not named else next((one for one in pile if one["card"] == named), None)
        if lying is None or lying["dealt"]:
            raise Refused("it lay there before, or does not lie there")
        if player and lying["by"] not in ("", player):
            raise Refused("another player laid it")
        if lying is pile[-1] and pile[-2]["card"] == UNSEEN:
            raise Refused("nobody knows what lies beneath")
        pile.remove(lying)
        self._count(lying["by"], -1)
        self._look_again(move["at"])

    def _lies(self, _player: str, move: Data) -> None:
        """What lies there, however it came: nothing is ruled on it."""
        cell, card = self._cell(move), self._card(move)
        hidden, taken = move.get("hidden", 0), move.get("taken", 0)
        if hidden < 0 or taken < 0:
            raise Refused("so many cannot be")
        there = next((one for one, pile in self.piles.items() if any(lying["card"] == card for lying in pile)), 0)
        if there and (hidden or taken):
            raise Refused("it has been seen")
        if there == cell:
            self._uncovered(cell, card)
        elif there:
            self._moved(there, cell, card)
        else:
            self._found(cell, card, hidden, taken)
        self._look_again(move["at"])

    def _uncovered(self, cell: int, card: str) -> None:
        pile = self.piles[cell]
        above = len(pile) - 1 - [one["card"] for one in pile].index(card)
        if not above:
            raise Refused("it lies there already")
        self._taken_off(cell, above)

    def _taken_off(self, cell: int, count: int) -> None:
        """The upper cards go back to the hands that they came from."""
        pile = self.piles[cell]
        if count > len(pile) - 1 or any(one["dealt"] for one in pile[len(pile) - count :]):
            raise Refused("what was dealt came from nobody's hand")
        for _ in range(count):
            one = pile.pop()
            self._count(one["by"], -1)
            self.hidden -= one["card"] == UNSEEN

    def _moved(self, source: int, target: int, card: str) -> None:
        pile = self.piles[source]
        if pile[-1]["card"] != card:
            raise Refused("it lies under others")
        if len(pile) == 1 or pile[-2]["card"] == UNSEEN:
            raise Refused("nobody knows what lies beneath")
        self.piles[target].append({**pile.pop(), "ruled": False})

    def _found(self, cell: int, card: str, hidden: int, taken: int) -> None:
        pile = self.piles[cell]
        rest = pile[: len(pile) - taken]
        is_hidden_one = not hidden and taken > 0 and rest and rest[-1]["card"] == UNSEEN
        new = {"card": card, "by": "", "dealt": False, "legal": True, "ruled": False, "open": False}
        self._taken_off(cell, taken)
        if is_hidden_one:
            self.hidden -= 1
            pile[-1]["card"] = card
            return
        self._must_have_cards("", hidden + 1)
        pile += [{**new, "card": UNSEEN} for _ in range(hidden)] + [new]
        self.hidden += hidden
        self._count("", hidden + 1)

    def _look_again(self, at: int) -> None:
        if self.phase == "play":
            self._look(at)

    # --- the end of a round

    def unseen(self) -> list[str]:
        seen = self._seen()
        return [card for card in CARDS if card not in seen]

    def playable(self) -> int:
        """How many of the cards that nobody has seen would fit somewhere."""
        wanted = set().union(*(self.takes(cell) for cell in OTHERS))
        return sum(not wanted.isdisjoint(CARDS[card]) for card in self.unseen())

    def _in_hands(self) -> int:
        return sum(self.deals.values()) - sum(self.laid.values()) - self.unclaimed

    def _look(self, at: int) -> None:
        """Does nothing fit any more?"""
        if self.piles and not (self._in_hands() and self.playable()):
            self._nobody_can_lay(at)

    def _nobody_can_lay(self, at: int) -> None:
        self._stop_clock(at)
        if self.piles and not self.unclaimed:
            self._fewest({name: self._may_have(name) for name in self.names}, at)
        else:
            self.phase = "count"

    def _out(self, player: str, move: Data) -> None:
        tied = move.get("tied") or [player]
        if (
            player not in tied
            or not set(tied) <= set(self.names)
            or len(set(tied)) < max(len(tied), 2 * ("tied" in move))
        ):
            raise Refused("no such tie is possible")
        if self.piles and sum(self.deals[name] - self.laid[name] for name in tied) > self.unclaimed:
            raise Refused("not all of their cards have been seen")
        tied = [name for name in tied if name not in self.void]
        if not tied:
            raise Refused("the claim is void")
        if all(name in self.claims and self._open_cards(name) for name in tied):
            raise Refused("that is being looked at")
        free = [name for name in tied if not self._has_open(name)]
        if not free:
            self.claims |= set(tied)
            self._stop_clock(move["at"])
            self.phase = "stopped"
        else:
            self._round_over([name for name in self.names if name in free], move["at"])

    def _has_open(self, player: str) -> bool:
        """There are illegal cards of this player, or there may be, that nobody has looked at."""
        perhaps = self.laid[player] < self.deals[player] and player not in self.claims
        return bool(self._open_cards(player) or (perhaps and self._open_cards("")))

    def _stuck(self, _player: str, move: Data) -> None:
        if self.piles and self.playable() > self.hidden:
            raise Refused("somebody can lay")
        self._nobody_can_lay(move["at"])

    def _left(self, player: str, move: Data) -> None:
        if not 0 <= move["cards"] <= self._may_have(player):
            raise Refused("so many cannot be left")
        counted = {**self.left, player: move["cards"]}
        over, all_counted = (
            self._in_hands() + len(self._liftable()) - sum(counted.values()),
            len(counted) == len(self.names),
        )
        if self.piles and (over < 0 or (over and all_counted)):
            raise Refused("it does not add up")
        self.left = counted
        if all_counted:
            self._fewest(counted, move["at"])

    def _may_have(self, player: str) -> int:
        """Cards left at the most; illegal ones that can be lifted count as in hand."""
        return self.deals[player] - self.laid[player] + [one["by"] for one in self._liftable()].count(player)

    def _fewest(self, left: dict[str, int], at: int) -> None:
        self._round_over([name for name in self.names if left[name] == min(left.values())], at)

    def _round_over(self, winners: list[str], at: int) -> None:
        self._stop_clock(at)
        self.won.append((winners, self.used))
        for name in winners:
            self.chips[name] += 1
        self.phase, self.claims, self.void = "deal", set(), set()
        scores = list(self.chips.values())
        if max(scores) >= self.house["chips_to_win"]:
            self.phase, self.outcome = "over", [best(self.names, scores), scores]

    # --- what can be compared

    def due(self) -> Data | None:
        return None

    def moments(self) -> list[int]:
        return []

    def told(self) -> Data:
        return {
            "phase": self.phase,
            "turn": "",
            "scores": list(self.chips.values()),
            "piles": list(self.piles.values()),
            "deals": list(self.deals.values()),
            "laid": list(self.laid.values()),
            "unclaimed": self.unclaimed,
            "hidden": self.hidden,
            "claim": [name for name in self.names if name in self.claims],
            "void": [name for name in self.names if name in self.void],
            "clock": {"limit": None, "used": self.used, "since": self.since if self.since >= 0 else None},
            "outcome": self.outcome,
        }


def _lying(card: str) -> Data:
    return {"card": card, "by": "", "dealt": True, "legal": True, "ruled": True, "open": False}


# --- matches to compare ----------------------------------------------------------------------------------------


def seats(chance: Random) -> tuple[list[str], Data]:
    return list(NAMES[: chance.randint(2, 4)]), {
        "chips_to_win": chance.choice((1, 1, 2, 4)),
        "illegal_plays": chance.choice(("call", "keep")),
        "illegal_wins": chance.random() < 0.1,
    }


def likely(model: Model, chance: Random) -> Data:
    match model.phase:
        case "deal":
            return _dealt(model, chance)
        case "ready":
            return {"move": "go"}
        case "play" if model.piles and chance.random() < 0.05:
            return _somehow(model, chance)
        case "play" | "stopped" if model.piles and chance.random() < 0.3 and (claim := _claimed(model, chance)):
            return claim
        case "play" if model.piles and chance.random() < 0.96:
            return _fitting(model, chance)
        case "stopped":
            tops = [cell for cell, pile in model.piles.items() if not pile[-1]["legal"]] or [chance.randint(1, 9)]
            take: Data = {"move": "take-back", "cell": chance.choice(tops)}
            return take if chance.random() < 0.4 else {"move": "go-on"}
        case "count":
            return _rest(model, chance)
        case _:
            return wild(model, chance)


def _dealt(model: Model, chance: Random) -> Data:
    """Mostly few cards in hand, the rest on the table already: such rounds come to an end."""
    seats, deck = len(model.names), chance.sample(list(CARDS), 64)
    if chance.random() < 0.1:
        return {"move": "deal", "deals": [chance.randint(1, 55 // seats) for _ in model.names]}
    deals = [chance.randint(1, chance.choice((2, 4, 55 // seats))) for _ in model.names]
    rest = 55 - sum(deals)
    hidden = chance.choice((0, 0, 1, rest)) if rest else 0
    leftovers = [{"cell": chance.randint(1, 9), "card": card} for card in deck[9 : 64 - sum(deals) - hidden]]
    return {"move": "deal", "grid": deck[:9], "leftovers": leftovers, "deals": deals, "hidden": hidden}


def _claimed(model: Model, chance: Random) -> Data | None:
    """Somebody who can be out says so, or a player who has one card left lays it wherever it falls."""
    known = [name for name in model.names if model.laid[name] == model.deals[name]]
    able = known or [name for name in model.names if model.laid[name] + model.unclaimed >= model.deals[name]]
    if able:
        out: Data = {"move": "out", "player": chance.choice(able)}
        return out | ({"tied": chance.sample(able, len(able))} if len(able) > 1 and chance.random() < 0.7 else {})
    if model.phase == "stopped" or model.house["illegal_plays"] == "call" or not model.unseen():
        return None
    last = [name for name in model.names if model.laid[name] == model.deals[name] - 1] or model.names
    card = chance.choice(model.unseen())
    return {"move": "lay", "player": chance.choice(last), "cell": chance.randint(1, 9), "card": card}


def _fitting(model: Model, chance: Random) -> Data:
    lay = _anything(model, chance)
    for card in chance.sample(model.unseen(), len(model.unseen()))[:20]:
        cells = [cell for cell in OTHERS if model.fits(cell, card)]
        if cells:
            return lay | {"cell": chance.choice(cells), "card": card}
    return {"move": "stuck", "player": chance.choice(model.names)}


def _anything(model: Model, chance: Random) -> Data:
    lay: Data = {"move": "lay", "cell": chance.randint(1, 9), "card": chance.choice([*CARDS, *model.unseen()])}
    if chance.random() < 0.9:
        lay["player"] = chance.choice(model.names)
    if chance.random() < 0.2:
        lay["said"] = chance.choice((*COLOURS, *SHAPES, "0", "1", "2", "3", ""))
    return lay


def _somehow(model: Model, chance: Random) -> Data:
    """A card that lies there, and nobody could follow how."""
    cell, piles = chance.randint(1, 9), model.piles or {one: [_lying("")] for one in OTHERS}
    card = chance.choice(
        (chance.choice(list(CARDS)), chance.choice(piles[cell])["card"], piles[1 + cell % 9][-1]["card"])
    )
    lies: Data = {"move": "lies", "cell": cell, "card": card, "player": chance.choice((*model.names, ""))}
    for key in ("hidden", "taken"):
        if chance.random() < 0.25:
            lies[key] = chance.choice((1, 1, 2, 3, 0, -1))
    return lies


def _rest(model: Model, chance: Random) -> Data:
    player = chance.choice(model.names)
    most = model.deals[player] - model.laid[player]
    return {"move": "left", "player": player, "cards": chance.choice((most, chance.randint(0, most), -1, most + 1))}


def wild(model: Model, chance: Random) -> Data:
    word = chance.choice(
        ("lies", "deal", "go", "lay", "lay", "lay", "take-back", "stop", "go-on", "out", "stuck", "left")
    )
    move: Data = {"move": word, "player": chance.choice((*model.names, *model.names, "", NOBODY))}
    match word:
        case "deal":
            return _badly_dealt(model, chance)
        case "lies":
            return {**_somehow(model, chance), "cell": chance.randint(0, 10)}
        case "lay":
            return {**_anything(model, chance), **move, "cell": chance.randint(0, 10)}
        case "take-back":
            named = {"card": chance.choice([*CARDS, UNSEEN])} if chance.random() < 0.3 else {}
            return {**move, "cell": chance.randint(0, 10), **named}
        case "out" if chance.random() < 0.3:
            return {**move, "tied": chance.choices((*model.names, NOBODY), k=chance.randint(1, 3))}
        case "left":
            return {**move, "cards": chance.randint(-1, 20)}
    return move


def _badly_dealt(model: Model, chance: Random) -> Data:
    deal = _dealt(model, chance)
    key = chance.choice([key for key in deal if key != "move"])
    match key:
        case "grid":
            deal["grid"][chance.randrange(9)] = chance.choice((*CARDS, UNSEEN, ""))
        case "leftovers":
            deal["leftovers"].append({"cell": chance.randint(0, 10), "card": chance.choice(list(CARDS))})
        case "deals":
            deal["deals"][0] += chance.choice((-1, 1, 30))
        case "hidden":
            deal["hidden"] += chance.choice((-1, 1, 60))
    return deal

"""Triplexity, from the sheet: six pieces, three places, stacks of at most three."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.oracles.model import NAMES, NOBODY, Data, Refused, best

PLACES = ("left", "centre", "right")
DICE = ("1/6", "2/5", "3/4")
HOUSE = {
    "play": "basic",
    "faces": DICE,
    "rounds": 1,
    "points": 0,
    "count_covered": True,
    "repetition_draw": False,
    "rounds_too": False,
    "no_return": "last",
}


class Model:
    """A match of some rounds. A piece is {owner, up, down, came}: where it came from by its own last move."""

    nameless = ()
    unordered = ("choices",)

    def __init__(self, names: Sequence[str], house: Data) -> None:
        self.names = list(names)
        self.house = {**HOUSE, **house}
        self.is_advanced = self.house["play"] == "advanced"
        self.points = dict.fromkeys(names, 0)
        self.rounds = 0
        self.outcome: list[Any] | None = None
        self._lay_out("")

    def _lay_out(self, turn: str) -> None:
        self.turn = self.starter = turn
        self.stacks: dict[str, list[Data]] = {place: [] for place in PLACES}
        self.hands = {name: [self._piece(name, faces) for faces in self.house["faces"]] for name in self.names}
        self.last: Data | None = None  # the piece that was moved last
        self.seen: Counter[Any] = Counter()

    def _piece(self, owner: str, faces: str) -> Data:
        up, down = map(int, faces.split("/")) if self.is_advanced else (0, 0)
        return {"owner": owner, "up": up, "down": down, "came": ""}

    # --- moves

    def rule(self, move: Data) -> None:
        if self.outcome:
            raise Refused("the match is over")
        player = move["player"]
        if self.turn and player != self.turn:
            raise Refused("it is the other player's turn")
        {"put": self._put, "shift": self._shift}[move["move"]](player, move)
        self._after(player)

    def _put(self, player: str, move: Data) -> None:
        if not self.hands[player]:
            raise Refused("all pieces lie on the table")
        stack = self._with_room(move["place"])
        stack.append(self._from_hand(player, move.get("up", 0)))
        self.starter = self.starter or player

    def _from_hand(self, player: str, up: int) -> Data:
        hand = self.hands[player]
        for number, piece in enumerate(hand):
            if up in (piece["up"], piece["down"]):
                if up != piece["up"]:
                    _turn_over(piece)
                return hand.pop(number)
        raise Refused("there is no such piece in this hand")

    def _with_room(self, place: str) -> list[Data]:
        if place not in PLACES:
            raise Refused("there is no such place")
        if len(self.stacks[place]) == 3:
            raise Refused("three lie there")
        return self.stacks[place]

    def _shift(self, _player: str, move: Data) -> None:
        source, target = move["source"], move["target"]
        if any(self.hands.values()):
            raise Refused("all pieces are placed first")
        if source not in PLACES or not self.stacks[source]:
            raise Refused("there is nothing to take")
        if source == target:
            raise Refused("it has to go to another place")
        self._with_room(target)
        if not self._may_go(source, target):
            raise Refused("it came from there")
        piece = self.stacks[source].pop()
        if self.is_advanced:
            _turn_over(piece)
        piece["came"] = source
        self.stacks[target].append(piece)
        self.last = piece

    def _may_go(self, source: str, target: str) -> bool:
        piece = self.stacks[source][-1]
        bound = piece is self.last or self.house["no_return"] == "each"
        return not bound or piece["came"] != target

    def shifts(self) -> list[tuple[str, str]]:
        """Every move of a piece that is allowed now."""
        return [
            (source, target)
            for source in PLACES
            for target in PLACES
            if source != target
            and self.stacks[source]
            and len(self.stacks[target]) < 3
            and self._may_go(source, target)
        ]

    # --- what a move does

    def _after(self, player: str) -> None:
        won = self._winning()
        if won:
            self.points[won[0]["owner"]] += self._worth(won)
        if won or self._is_stuck() or self._is_repeated(player):
            self._round_over()
        else:
            self.turn = self._other(player)

    def _is_stuck(self) -> bool:
        """Whoever has no move passes, to somebody who has none either: moves are the same for both."""
        return not any(self.hands.values()) and not self.shifts()

    def _other(self, player: str) -> str:
        return self.names[1 - self.names.index(player)]

    def _winning(self) -> list[Data]:
        """The three pieces that win, those of a stack from the bottom."""
        tops = [stack[-1] for stack in self.stacks.values() if stack]
        for three in [*self.stacks.values(), tops]:
            if len(three) == 3 and len({piece["owner"] for piece in three}) == 1:
                return list(three)
        return []

    def _worth(self, won: list[Data]) -> int:
        if not self.is_advanced:
            return 1
        if won in self.stacks.values() and not self.house["count_covered"]:
            return int(won[-1]["up"])
        return sum(piece["up"] for piece in won)

    def _is_repeated(self, player: str) -> bool:
        """Counts the position with its player and its forbidden move; is it there for the third time?"""
        if any(self.hands.values()) or not self.house["repetition_draw"]:
            return False
        lying = tuple(tuple((piece["owner"], piece["up"]) for piece in stack) for stack in self.stacks.values())
        position = repr((lying, player, self._forbidden()))
        self.seen[position] += 1
        return self.seen[position] == 3

    def _forbidden(self) -> Any:
        """Where which pieces may not go."""
        each = self.house["no_return"] == "each"
        return [
            [piece["came"] if each or piece is self.last else "" for piece in stack] for stack in self.stacks.values()
        ]

    def _round_over(self) -> None:
        self.rounds += 1
        scores = list(self.points.values())
        if self._is_match_over(max(scores)):
            self.turn = ""
            self.outcome = [best(self.names, scores) if any(scores) else [], scores]
        else:
            self._lay_out(self._other(self.starter))

    def _is_match_over(self, most: int) -> bool:
        """By rounds or by points, whichever was agreed; only matches from before could have both."""
        points, by_rounds = self.house["points"], bool(self.rounds == self.house["rounds"])
        if not points:
            return by_rounds
        return bool(most >= points or (by_rounds and self.house["rounds_too"]))

    # --- what can be compared

    def due(self) -> Data | None:
        return None

    def moments(self) -> list[int]:
        return []

    def told(self) -> Data:
        placing = any(self.hands.values())
        return {
            "turn": self.turn,
            "phase": "over" if self.outcome else "place" if placing else "move",
            "scores": list(self.points.values()),
            "rounds_played": self.rounds,
            "stacks": [[_shown(piece) for piece in stack] for stack in self.stacks.values()],
            "in_hand": [[_shown(piece) for piece in hand] for hand in self.hands.values()],
            "choices": self._choices(),
            "outcome": self.outcome,
        }

    def _choices(self) -> list[Data]:
        if self.outcome:
            return []
        if not any(self.hands.values()):
            return [{"source": source, "target": target} for source, target in self.shifts()]
        return [{"source": "", "target": place} for place, stack in self.stacks.items() if len(stack) < 3]


def _turn_over(piece: Data) -> None:
    piece["up"], piece["down"] = piece["down"], piece["up"]


def _shown(piece: Data) -> Data:
    return {"owner": piece["owner"], "up": piece["up"], "down": piece["down"]}


# --- matches to compare ----------------------------------------------------------------------------------------


def seats(chance: Random) -> tuple[list[str], Data]:
    house: Data = {"rounds": chance.choice((1, 2, 5)), "repetition_draw": chance.random() < 0.5}
    if chance.random() < 0.4:
        house["no_return"] = "each"
    if chance.random() < 0.3:
        house |= {"points": chance.choice((1, 3, 10, 40)), "rounds_too": chance.random() < 0.3}
    if chance.random() < 0.6:
        house |= {"play": "advanced", "faces": _faces(chance), "count_covered": chance.random() < 0.5}
    return list(NAMES[:2]), house


def _faces(chance: Random) -> list[str]:
    pips = chance.sample(range(1, 7), 6) if chance.random() < 0.5 else [1, 6, 2, 5, 3, 4]
    return [f"{pips[0]}/{pips[1]}", f"{pips[2]}/{pips[3]}", f"{pips[4]}/{pips[5]}"]


def likely(model: Model, chance: Random) -> Data:
    player = model.turn or chance.choice(model.names)
    if not any(model.hands.values()):
        source, target = chance.choice(model.shifts())
        return {"move": "shift", "player": player, "source": source, "target": target}
    free = [place for place in PLACES if len(model.stacks[place]) < 3]
    put: Data = {"move": "put", "player": player, "place": chance.choice(free)}
    if model.is_advanced and model.hands[player]:
        put["up"] = chance.choice(model.hands[player])[chance.choice(("up", "down"))]
    return put


def wild(model: Model, chance: Random) -> Data:
    player = chance.choice((*model.names, model.turn, model.turn, NOBODY))
    places = (*PLACES, *PLACES, *PLACES, "", "Left", "middle")
    if chance.random() < 0.4:
        put: Data = {"move": "put", "player": player, "place": chance.choice(places)}
        return put | ({"up": chance.randrange(-1, 9)} if chance.random() < 0.7 else {})
    return {"move": "shift", "player": player, "source": chance.choice(places), "target": chance.choice(places)}

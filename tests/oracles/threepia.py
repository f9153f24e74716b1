"""Threepia, from the sheet: symbols over symbols, rows of three, and five ways to say when it is over."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations, product
from random import Random
from typing import Any

from tests.oracles.model import NAMES, NOBODY, SECOND, Data, Refused, best

SHAPES, COLOURS = ("circle", "square", "cross"), ("red", "yellow", "blue", "green")
JOKER = "triangle"
CORNERS = ((0, 0), (1, 0), (0, 1), (1, 1))  # of a card: top left, top right, bottom left, bottom right
ALONE = ("time-trial", "relaxed")
HOUSE: Data = {
    "way": "points",
    "target": 15,
    "rounds": 5,
    "turn_seconds": 30,
    "match_seconds": 180,
    "deck": 64,
    "rotate": True,
    "triangle_fits": True,
    "overlapping_l": False,
    "axis_bonus": 0,
    "flush_bonus": 0,
    "only_new_rows": False,
    "trial_ends_with_deck": False,
    "field": {"name": "Square", "line": "row", "places": [["A", 0, 0], ["B", 2, 0], ["C", 0, 2], ["D", 2, 2]]},
}

Line = tuple[tuple[int, int], ...]  # half cards
Symbols = dict[tuple[int, int], tuple[str, str]]  # shape and colour
Values = dict[tuple[int, int], str | None]  # one of the two; None for a triangle


class Model:
    """A match. The field is {(x, y): [shape, colour]} by half cards; none where nobody shows it."""

    nameless = ("deal",)
    unordered = ()

    def __init__(self, names: Sequence[str], house: Data) -> None:
        self.names = list(names)
        self.house = {**HOUSE, **house}
        self.way = self.house["way"]
        self.places = {letter: (x, y) for letter, x, y in self.house["field"]["places"]}
        self.lattice = {cell for place in self.places for cell in self._cells(place)}
        self.is_l = self.house["field"]["line"] == "L"
        self.scores = dict.fromkeys(names, 0)
        self.hands = dict.fromkeys(names, 0)
        self.deck = self.house["deck"]
        self.laid = 0  # cards on the field
        self.missing = 0  # counted in the deck, and not there
        self.field: dict[str, str] = {}
        self.symbols: Symbols = {}
        self.held: list[str] = []  # by who plays alone; "?" for what is not shown
        self.needless = 0  # draws while a card was seen to fit
        self.phase, self.turn, self.ending = "deal", "", ""
        self.out: list[str] = []
        self.waiting: list[Data] = []  # points in the order of turns, some of them not said yet
        self.turns = self.idle = 0
        self.used = dict.fromkeys(names, 0)  # of the whole match, or of this turn
        self.since = -1
        self.outcome: list[Any] | None = None

    # --- moves

    def rule(self, move: Data) -> None:
        word = move["move"]
        if word not in self._open():
            raise Refused(f"not in this phase: {self.phase}")
        getattr(self, "_" + word.replace("-", "_"))(move["player"], move)

    def _open(self) -> tuple[str, ...]:
        return {
            "deal": ("deal",),
            "ready": ("begin",),
            "turn": ("lay", "draw", "points", "deck-empty", "deck-count", "time-up", "finish"),
            "counting": ("points",),
            "over": (),
        }[self.phase]

    def _deal(self, _player: str, move: Data) -> None:
        shown = move.get("field", [])
        if shown and len(shown) != len(self.places):
            raise Refused("a card for each place")
        cards = [_symbols(card) for card in shown]
        hand = move.get("hand", [])
        if hand and (self.way not in ALONE or len(hand) != 3):
            raise Refused("three cards, by who plays alone")
        self._show(hand, 3)
        self.field, self.symbols = {}, {}
        for place, card in zip(self.places, cards, strict=False):
            self._put(place, card)
        self.laid = len(self.places)
        self.hands = dict.fromkeys(self.names, 3)
        self.deck = self.house["deck"] - 3 * len(self.names) - self.laid
        self.phase = "ready"

    def _show(self, cards: list[str], drawn: int) -> None:
        """Cards that come into the hand of who plays alone."""
        for card in cards:
            _symbols(card)
        if self.way in ALONE:
            self.held += list(cards) or ["?"] * drawn

    def _put(self, place: str, card: list[tuple[str, str]]) -> None:
        self.field[place] = " ".join("-".join(symbol) for symbol in card)
        self.symbols.update(zip(self._cells(place), card, strict=True))

    def _cells(self, place: str) -> Line:
        x, y = self.places[place]
        return tuple((x + across, y + down) for across, down in CORNERS)

    def _begin(self, player: str, move: Data) -> None:
        self.turn, self.phase, self.since = player, "turn", move["at"]

    def _must_have_turn(self, player: str) -> None:
        if player != self.turn:
            raise Refused("it is another player's turn")

    # --- a turn

    def _lay(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        if not self.hands[player]:
            raise Refused("no cards in hand")
        left = self._hand_without(move.get("card", ""))
        self._must_be_drawable(move, min(3, self.deck) if self.hands[player] == 1 else 0)
        points = self._points_of(move)
        self.held = left
        self.laid += 1
        self.hands[player] -= 1
        self.idle = 0
        bonus = 0
        if not self.hands[player]:
            bonus = 3
            self._draw_cards(player, 3, move)
        if self.way not in ALONE:
            self.waiting.append({"player": player, "points": points, "bonus": bonus})
        self._settle()
        self._turn_over(move["at"])

    def _hand_without(self, card: str) -> list[str]:
        """The cards held without one that is held in any way, or else is one that was not shown."""
        if not card:  # it may have been any of them
            return ["?"] * (len(self.held) - 1)
        turned = self._ways_to_hold(card)
        known = next((one for one in self.held if one in turned), "?")
        if self.way in ALONE and known not in self.held:
            raise Refused("that card is not in hand")
        left = list(self.held)
        if left:
            left.remove(known)
        return left

    def _ways_to_hold(self, card: str) -> set[str]:
        symbols = _symbols(card)
        ways = [self._turned(symbols, turned) for turned in range(4 if self.house["rotate"] else 1)]
        return {" ".join("-".join(symbol) for symbol in way) for way in ways}

    def _can_lay(self) -> bool:
        """The referee sees a card that fits somewhere."""
        return any(
            self._fits(place, [(shape, colour) for shape, colour in (symbol.split("-") for symbol in way.split(" "))])
            for card in self.held
            if card != "?"
            for way in self._ways_to_hold(card)
            for place in self.field
        )

    def _points_of(self, move: Data) -> int | None:
        """The points of the card, which lies there then; none where they are still to be said."""
        place, card, said = move.get("place", ""), move.get("card", ""), move.get("points")
        if said is not None and self.way in ALONE:
            raise Refused("no points are counted")
        if not self.field:
            if place and place not in self.places:
                raise Refused("there is no such place")
            self._turned(_symbols(card) if card else [], move.get("turned", 0))
            if said is not None and not 0 <= said <= (self.most_at(place) if place else self.most()):
                raise Refused("so many points cannot be")
            return said if said is None else int(said)
        if place not in self.places:
            raise Refused("there is no such place")
        symbols = self._turned(_symbols(card), move.get("turned", 0))
        if not self._fits(place, symbols):
            raise Refused("it does not agree with what lies there")
        before = self.field.copy(), self.symbols.copy()
        self._put(place, symbols)
        points = self.worth(place, before[1])
        if said is not None and said != points:
            self.field, self.symbols = before
            raise Refused("it is worth something else")
        return points

    def _turned(self, card: list[tuple[str, str]], turned: int) -> list[tuple[str, str]]:
        if not 0 <= turned <= 3 or (turned and not self.house["rotate"]):
            raise Refused("cards are not turned so")
        for _ in range(turned if card else 0):
            card = [card[2], card[0], card[3], card[1]]
        return card

    def _fits(self, place: str, card: list[tuple[str, str]]) -> bool:
        return all(self._may_cover(new, self.symbols[cell]) for cell, new in zip(self._cells(place), card, strict=True))

    def _may_cover(self, new: tuple[str, str], old: tuple[str, str]) -> bool:
        if old[0] == JOKER or (new[0] == JOKER and self.house["triangle_fits"]):
            return True
        return new[0] == old[0] or new[1] == old[1]

    def _draw_cards(self, player: str, wanted: int, move: Data) -> None:
        drawn = min(wanted, self.deck)
        self.deck -= drawn
        self.hands[player] += drawn
        self._show(move.get("drawn", []), drawn)

    def _draw(self, player: str, move: Data) -> None:
        self._must_have_turn(player)
        self._must_be_drawable(move, min(1, self.deck))
        if self.way == "time-trial" and self._is_known() and self._can_lay():
            if not self.deck:
                raise Refused("a card fits")
            self.needless += 1
        self.idle = 0 if self.deck else self.idle + 1
        self._draw_cards(player, 1, move)
        self._turn_over(move["at"])

    def _is_known(self) -> bool:
        return bool(self.field) and "?" not in self.held

    def _must_be_drawable(self, move: Data, count: int) -> None:
        cards = move.get("drawn", [])
        if cards and (self.way not in ALONE or len(cards) != count):
            raise Refused("another number is drawn, or nobody looks")
        for card in cards:
            _symbols(card)

    def _deck_empty(self, _player: str, move: Data) -> None:
        if not self.deck:
            raise Refused("it is known already")
        self.missing, self.deck = self.missing + self.deck, 0
        self._trial_may_be_over(move["at"])

    def _trial_may_be_over(self, at: int) -> None:
        is_trial = self.way == "time-trial" and not self.house["trial_ends_with_deck"]
        if is_trial and not self.deck and self._is_stuck():
            self._turn_over(at)

    def _is_stuck(self) -> bool:
        """No card in the hand fits, as everybody sees."""
        return self._is_known() and not self._can_lay()

    def _deck_count(self, _player: str, move: Data) -> None:
        if move["cards"] < 0 or move["cards"] == self.deck:
            raise Refused("so many cannot be, or are known")
        self.missing, self.deck = self.missing + self.deck - move["cards"], move["cards"]
        first = self.names.index(self.turn)
        for name in self.names[first:] + self.names[:first]:
            if not self.hands[name] and name not in self.out:
                self._draw_cards(name, 3, {})
        self._trial_may_be_over(move["at"])

    def _time_up(self, player: str, move: Data) -> None:
        due = self.due()
        if not due or player != self.turn or move["at"] < due["at"]:
            raise Refused("there is time left")
        if self.way == "stopwatch":
            self.out.append(player)
        self._turn_over(move["at"])

    def _finish(self, _player: str, move: Data) -> None:
        if self.way != "relaxed":
            raise Refused("only a relaxed game ends so")
        self._clock_stops(move["at"])
        self._play_over("finished")

    # --- the end of a turn, and of the match

    def _turn_over(self, at: int) -> None:
        if self.outcome:
            return
        self._clock_stops(at)
        while True:
            self.turns += 1
            if self._is_played_out([name for name in self.names if name not in self.out]):
                self._play_over("played out")
                return
            self.turn = self._next(self.turn)
            if self.hands[self.turn] or self.deck:
                break  # who has neither a card to lay nor one to draw has had his turn
        self.since = at
        if self.way == "time":
            self.used = dict.fromkeys(self.names, 0)

    def _clock_stops(self, at: int) -> None:
        if self.since >= 0:
            self.used[self.turn] += at - self.since
        self.since = -1

    def _sure(self, player: str) -> int:
        """What a player has at least, once all is said."""
        waiting = [one for one in self.waiting if one["player"] == player]
        return int(self.scores[player] + sum((one["points"] or 0) + one["bonus"] for one in waiting))

    def _is_played_out(self, playing: list[str]) -> bool:
        if self.way == "points" and max(map(self._sure, self.names)) >= self.house["target"]:
            return True
        if self.way == "rounds":
            return bool(self.turns == self.house["rounds"] * len(self.names))
        if self.way in ("deck", "time", "relaxed") and not self.deck:
            return True
        if self.way == "time-trial" and not self.deck and (self.house["trial_ends_with_deck"] or self._is_stuck()):
            return True
        able = playing if self.deck else [name for name in playing if self.hands[name]]
        return self.idle >= len(able)

    def _next(self, player: str) -> str:
        order = self.names + self.names
        after = order[self.names.index(player) + 1 :]
        return next(name for name in after if name not in self.out)

    def _play_over(self, why: str) -> None:
        self.turn, self.ending, self.phase, self.since = "", why, "counting", -1
        self._settle()

    def _points(self, player: str, move: Data) -> None:
        if not self.waiting or self.waiting[0]["player"] != player:
            raise Refused("nothing is owed, or others owe theirs before")
        if not 0 <= move["points"] <= self.most():
            raise Refused("so many points cannot be")
        self.waiting[0]["points"] = move["points"]
        self._settle(move["at"])

    def _settle(self, at: int = 0) -> None:
        """Points count in the order of turns."""
        while self.waiting and self.waiting[0]["points"] is not None and not self.outcome:
            one = self.waiting.pop(0)
            self.scores[one["player"]] += one["points"] + one["bonus"]
            if self.way == "points" and self.scores[one["player"]] >= self.house["target"]:
                self._over(at)
        if self.ending and not self.waiting and not self.outcome:
            self._count_out()

    def _count_out(self) -> None:
        if self.way == "deck":
            for name in self.names:
                self.scores[name] -= self.hands[name]
        self._over(0)

    def _over(self, at: int) -> None:
        if self.since >= 0:
            self._clock_stops(at)
        scores = list(self.scores.values())
        winners = self.names if self.way == "time-trial" else [] if self.way == "relaxed" else best(self.names, scores)
        self.turn, self.phase, self.waiting = "", "over", []
        self.outcome = [list(winners), scores]

    # --- points

    def worth(self, place: str, under: Symbols) -> int:
        """The points of the card that lies there over what it covered: each triangle stands for what gives most."""
        new = self._cells(place)
        lines = self.lines(new)
        best_known = 0
        by_shape, by_colour = (self._ways(lines, new, under, by) for by in (0, 1))
        for shapes, colours in product(by_shape, by_colour):
            best_known = max(best_known, sum(shapes) + sum(colours) + self._bonus(lines, shapes, colours))
        return best_known

    def _ways(self, lines: list[Line], new: Line, under: Symbols, by: int) -> set[tuple[int, ...]]:
        """What each line scores by shape (0) or colour (1), for everything that the triangles could stand for."""
        shown = {cell: None if symbol[0] == JOKER else symbol[by] for cell, symbol in self.symbols.items()}
        before = {**shown, **{cell: None if symbol[0] == JOKER else symbol[by] for cell, symbol in under.items()}}
        values = (SHAPES, COLOURS)[by]
        count = self._block_counts if self.is_l else self._row_counts
        shared = [cell for cell in new if shown[cell] is None]
        if self.is_l:
            shared = sorted({cell for line in lines for cell in line if shown[cell] is None})
        found = set()
        for chosen in product(values, repeat=len(shared)):
            stands = {**shown, **dict(zip(shared, chosen, strict=True))}
            found.add(tuple(count(line, stands, before, new, values) for line in lines))
        return found

    def _row_counts(self, line: Line, stands: Values, before: Values, new: Line, values: tuple[str, ...]) -> int:
        stood = tuple(before[cell] for cell in line) if self.house["only_new_rows"] else ()
        return _of_row(tuple(stands[cell] for cell in line), tuple(cell in new for cell in line), stood, values)

    def _block_counts(self, line: Line, stands: Values, before: Values, _new: Line, values: tuple[str, ...]) -> int:
        """3 equal ones in a two by two: 1 point, 4: 2."""
        most = max(values, key=[stands[cell] for cell in line].count)
        equal = [cell for cell in line if stands[cell] == most]
        old = self.house["only_new_rows"] and all(before[cell] in (most, None) for cell in equal)
        return len(equal) - 2 if len(equal) > 2 and not old else 0

    def _bonus(self, lines: list[Line], shapes: tuple[int, ...], colours: tuple[int, ...]) -> int:
        """A combination gives more once, however many lines make it."""
        is_flush = any(shape > 0 and colour > 0 for shape, colour in zip(shapes, colours, strict=True))
        return int(is_flush * self.house["flush_bonus"] + self._axis(lines, shapes, colours) * self.house["axis_bonus"])

    def _axis(self, lines: list[Line], shapes: tuple[int, ...], colours: tuple[int, ...]) -> bool:
        """A row and a column score."""
        scoring = [
            line for line, points in zip(lines, map(sum, zip(shapes, colours, strict=True)), strict=True) if points
        ]
        return not self.is_l and len({line[0][0] == line[1][0] for line in scoring}) == 2

    def lines(self, new: Line) -> list[Line]:
        """Everything through the card that can score: rows and columns, blocks, or in an older house each L of them."""
        if not self.is_l:
            return self.rows(new)
        blocks = self.blocks(new)
        if not self.house["overlapping_l"]:
            return blocks
        ls = {three for block in blocks for three in combinations(block, 3)}
        return sorted(three for three in ls if any(cell in new for cell in three) and not set(three) <= set(new))

    def rows(self, new: Line) -> list[Line]:
        """Every row and column through the card, as far as it goes on without a gap."""
        found = set()
        for cell in new:
            for step in ((1, 0), (0, 1)):
                row = [cell]
                while (before := (row[0][0] - step[0], row[0][1] - step[1])) in self.lattice:
                    row.insert(0, before)
                while (after := (row[-1][0] + step[0], row[-1][1] + step[1])) in self.lattice:
                    row.append(after)
                found.add(tuple(row))
        return sorted(row for row in found if len(row) > 2)

    def blocks(self, new: Line) -> list[Line]:
        """Every two by two with a symbol of the card and one of another: where an L can be."""
        found = set()
        for corner in {(x - across, y - down) for x, y in new for across, down in CORNERS}:
            block = [(corner[0] + across, corner[1] + down) for across, down in CORNERS]
            found.add(tuple(cell for cell in block if cell in self.lattice))
        return sorted(block for block in found if len(block) > 2 and not set(block) <= set(new))

    def most_at(self, place: str) -> int:
        """What a card can be worth there at the most."""
        lines = self.lines(self._cells(place))
        points = tuple(len(line) - 2 for line in lines)
        return 2 * sum(points) + self._bonus(lines, points, points)

    def most(self) -> int:
        return max(map(self.most_at, self.places))

    # --- what can be compared

    def due(self) -> Data | None:
        limit = {"time": "turn_seconds", "stopwatch": "match_seconds"}.get(self.way)
        if not limit or self.phase != "turn":
            return None
        at = self.since + self.house[limit] * SECOND - self.used[self.turn]
        return {"move": "time-up", "player": self.turn, "at": at}

    def moments(self) -> list[int]:
        return []

    def _clocks(self) -> list[Data]:
        """As the door tells them: one for the turn, one for each player, one alone, or none."""
        if self.way == "stopwatch":
            return [self._clock(name, self.house["match_seconds"] * SECOND) for name in self.names]
        if self.way == "time":
            return [self._clock(self.turn, self.house["turn_seconds"] * SECOND)]
        return [self._clock(self.names[0], None)] if self.way == "time-trial" else []

    def _clock(self, name: str, limit: int | None) -> Data:
        if self.way == "time-trial" and self.since >= 0:  # one clock, which runs on from turn to turn
            return {"limit": None, "used": 0, "since": self.since - self.used[name]}
        runs = self.since >= 0 and name == self.turn
        return {"limit": limit, "used": self.used.get(name, 0), "since": self.since if runs else None}

    def told(self) -> Data:
        return {
            "phase": self.phase,
            "turn": self.turn,
            "scores": list(self.scores.values()),
            "hands": list(self.hands.values()),
            "deck": self.deck,
            "laid": self.laid,
            "missing": self.missing,
            "field": list(self.field.values()),
            **({} if self.way == "time" and not self.turn else {"clocks": self._clocks()}),
            "out": self.out,
            "waiting": self.waiting,
            "held": self.held if set(self.held) != {"?"} else [],
            "needless": self.needless,
            "outcome": self.outcome,
        }


def _symbols(card: str) -> list[tuple[str, str]]:
    symbols = [tuple(symbol.split("-")) for symbol in card.split(" ")]
    known = set(product((*SHAPES, JOKER), COLOURS))
    if len(symbols) != 4 or not set(symbols) <= known:
        raise Refused("that is no card")
    return [(shape, colour) for shape, colour in symbols]


@lru_cache(maxsize=100_000)
def _of_row(
    row: tuple[str | None, ...], new: tuple[bool, ...], stood: tuple[str | None, ...], values: tuple[str, ...]
) -> int:
    """A row; what triangles are left in it lie in no other row, so they stand for what gives most here."""
    jokers = [number for number, value in enumerate(row) if value is None]
    most = 0
    for chosen in product(values, repeat=len(jokers)):
        stands = list(row)
        for number, value in zip(jokers, chosen, strict=True):
            stands[number] = value
        most = max(most, _of_runs(stands, new, stood))
    return most


def _of_runs(row: list[str | None], new: tuple[bool, ...], stood: tuple[str | None, ...]) -> int:
    """3 equal ones in a row: 1 point, 4: 2, 5: 3, 6: 4; a symbol of the card is among them."""
    points = start = 0
    for end in range(1, len(row) + 1):
        if end == len(row) or row[end] != row[start]:
            old = stood and all(one in (row[start], None) for one in stood[start:end])
            if end - start >= 3 and any(new[start:end]) and not old:
                points += end - start - 2
            start = end
    return points


# --- matches to compare ----------------------------------------------------------------------------------------

WAYS = ("points", "rounds", "deck", "time", "stopwatch", "time-trial", "relaxed")


def seats(chance: Random) -> tuple[list[str], Data]:
    way = chance.choice(WAYS)
    players = 1 if way in ALONE else chance.choice((2, 2, 3, 4, 6))
    field = _field(chance)
    deck = 3 * players + len(field["places"]) + chance.choice((0, 1, 3, 10, 30))
    house: Data = {
        "way": way,
        "field": field,
        "deck": deck,
        "target": chance.choice((1, 5, 15, 30)),
        "rounds": chance.choice((1, 2, 5, 10)),
        "turn_seconds": chance.choice((1, 5, 30)),
        "match_seconds": chance.choice((5, 20, 180)),
        "rotate": chance.random() < 0.7,
        "triangle_fits": chance.random() < 0.7,
        "overlapping_l": chance.random() < 0.2,
        "axis_bonus": chance.choice((0, 0, 0, 1, 20)),
        "flush_bonus": chance.choice((0, 0, 0, 1, 5)),
        "only_new_rows": chance.random() < 0.2,
        "trial_ends_with_deck": chance.random() < 0.2,
    }
    return list(NAMES[:players]), house


def _field(chance: Random) -> Data:
    """Card places at random, each touching another."""
    places = [(20, 20)]
    wanted = chance.choice((2, 4, 6, 8))
    while len(places) < wanted:
        x, y = chance.choice(places)
        step = chance.choice(((2, 0), (0, 2), (-2, 0), (0, -2), (2, 1), (1, 2), (-2, 1), (-1, 2)))
        new = (x + step[0], y + step[1])
        if all(abs(new[0] - other[0]) > 1 or abs(new[1] - other[1]) > 1 for other in places):
            places.append(new)
    left, top = min(x for x, _ in places), min(y for _, y in places)
    letters = "ABCDEFGH"[: len(places)]
    drawn = [[letter, x - left, y - top] for letter, (x, y) in zip(letters, places, strict=True)]
    field = {"name": "Any", "line": chance.choice(("row", "row", "L")), "places": drawn}
    model = Model(NAMES[:2], {"field": field})
    longest = max((len(row) for place in model.places for row in model.rows(model._cells(place))), default=0)
    return field if longest <= 6 and model.most() else _field(chance)


def _card(chance: Random, jokers: float) -> str:
    shapes = [JOKER if chance.random() < jokers else chance.choice(SHAPES) for _ in range(4)]
    return " ".join(f"{shape}-{chance.choice(COLOURS)}" for shape in shapes)


def likely(model: Model, chance: Random) -> Data:
    if model.phase == "deal":
        shown = [_card(chance, 0.15) for _ in model.places] if chance.random() < 0.8 else []
        hand = [_card(chance, 0.3) for _ in range(3)] if model.way in ALONE and chance.random() < 0.7 else []
        return {"move": "deal", "field": shown, "hand": hand}
    if model.phase == "counting" or (model.waiting and chance.random() < 0.5):
        return {"move": "points", "player": model.waiting[0]["player"], "points": chance.randint(0, model.most())}
    if model.phase == "ready":
        return {"move": "begin", "player": chance.choice(model.names)}
    if chance.random() < 0.15 or not model.hands[model.turn]:
        return {"move": "draw", "player": model.turn, **_drawn(model, chance, 1)}
    lay = {"move": "lay", "player": model.turn, **(_fitting(model, chance) if model.field else _unseen(model, chance))}
    if any(card != "?" for card in model.held) and model.field and "?" not in model.held:
        return _held(model, chance) or {"move": "draw", "player": model.turn, **_drawn(model, chance, 1)}
    return lay | (_drawn(model, chance, 3) if model.hands[model.turn] == 1 else {})


def _drawn(model: Model, chance: Random, wanted: int) -> Data:
    """Who plays alone mostly shows what is drawn."""
    if model.way not in ALONE or chance.random() < 0.2:
        return {}
    return {"drawn": [_card(chance, 0.3) for _ in range(min(wanted, model.deck))]}


def _held(model: Model, chance: Random) -> Data | None:
    """A card of the hand that is known, where it fits."""
    fitting = [
        {"place": place, "card": card, "turned": turned}
        for card in model.held
        for turned in range(4 if model.house["rotate"] else 1)
        for place in model.places
        if model._fits(place, model._turned(_symbols(card), turned))
    ]
    if not fitting:
        return None
    lay = {"move": "lay", "player": model.turn, **chance.choice(fitting)}
    return lay | (_drawn(model, chance, 3) if len(model.held) == 1 else {})


def _unseen(model: Model, chance: Random) -> Data:
    if model.way in ALONE or chance.random() < 0.4:
        return {}
    return {"points": chance.randint(0, model.most())}


def _fitting(model: Model, chance: Random) -> Data:
    """A card made from what it covers: each symbol keeps the shape or the colour."""
    place = chance.choice(list(model.places))
    symbols = []
    for cell in model._cells(place):
        shape, colour = model.symbols[cell]
        keeps = chance.random()
        if shape == JOKER or keeps < 0.4:
            shape = chance.choice((*SHAPES, JOKER) if chance.random() < 0.3 else SHAPES)
        elif keeps < 0.8:
            colour = chance.choice(COLOURS)
        symbols.append(f"{shape}-{colour}")
    turned = chance.randint(0, 3) if model.house["rotate"] else 0
    for _ in range(turned):
        symbols = [symbols[1], symbols[3], symbols[0], symbols[2]]
    return {"place": place, "card": " ".join(symbols), "turned": turned}


def wild(model: Model, chance: Random) -> Data:
    words = ("deal", "begin", "lay", "lay", "lay", "draw", "points", "deck-empty", "deck-count", "time-up", "finish")
    word = chance.choice(words)
    move: Data = {"move": word, "player": chance.choice((*model.names, model.turn, model.turn, "", NOBODY))}
    match word:
        case "deal":
            count = len(model.places) + chance.choice((0, 0, 1, -1))
            hand = [_card(chance, 0.2)] * chance.choice((0, 0, 2, 3))
            return {**move, "field": [_card(chance, 0.2) for _ in range(count)], "hand": hand}
        case "lay":
            return move | _badly_laid(model, chance)
        case "draw" if chance.random() < 0.4:
            return {**move, "drawn": [_card(chance, 0.2)] * chance.choice((1, 1, 2, 0))}
        case "deck-count":
            return {**move, "cards": max(-1, model.deck + chance.randint(-3, 3))}
        case "points":
            return {**move, "points": chance.randint(-1, 20)}
    return move


def _badly_laid(model: Model, chance: Random) -> Data:
    lay = _fitting(model, chance) if model.field else _unseen(model, chance)
    match chance.randrange(7):
        case 6:
            lay["drawn"] = [_card(chance, 0.2)] * chance.choice((1, 3, 3))
        case 0:
            lay["place"] = chance.choice((*model.places, "Z", ""))
        case 1:
            lay["card"] = chance.choice((_card(chance, 0.3), "circle-red", "", "circle-red square-blue", "?"))
        case 2:
            lay["turned"] = chance.choice((-1, 0, 1, 2, 3, 4))
        case 3:
            lay["points"] = chance.randint(-1, 30)
        case 4 if "card" in lay:
            del lay["card"]
    return lay

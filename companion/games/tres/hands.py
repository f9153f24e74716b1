"""Bots whose hands play matches of Tres on the simulated table: a seed makes a script, and the truth of it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import plain
from companion.core.rules import CardsMoved
from companion.games.tres.hands_course import Course, Deed
from companion.games.tres.rules import GAME, THREE, Deal, Dealer, House, State
from companion.games.tres.told_bot import Table
from simulator.hands.hand_visits import lying, span
from simulator.hands.script_file import read_script, script_plain
from simulator.playing import NAMES
from simulator.rendered.script import GameScripts, Lying, Script, ScriptLine, Seat
from vision.card_drawing import BACK
from vision.mat import COLUMNS

# With each turn, the chance of each kind of trouble.
TROUBLE: Mapping[str, float] = {
    "illegal": 0.06,
    "swept illegal": 0.01,
    "taken back": 0.03,
    "hover": 0.04,
    "slipped": 0.03,
    "rests": 0.02,
    "touches": 0.01,
    "stays": 0.01,
    "glare": 0.004,
    "nudged": 0.006,
    "moved": 0.004,
    "light": 0.008,
    "flicker": 0.004,
    "covered": 0.004,
}
ROUND: tuple[Seat, ...] = ("bottom", "left", "top", "right")  # clockwise, as the camera sees it
STACKED = 40  # cards of the draw pile that are drawn one by one
TURNS = 24  # of a match at most: the draw pile lasts as long
FORGETS = 0.15  # of those who have three cards; and so often a card is drawn though one could be played


class Players(Table):
    """Hands that know their cards. What they lay wrongly is none of their moves: the course makes it up."""

    def next_move(self, state: State) -> Any:
        self._erred = True  # whoever has erred just now does not err again
        return super().next_move(state)


def write_script(
    seed: int,
    *,
    players: int | None = None,
    turns: int = TURNS,
    pace: float | None = None,
    trouble: Mapping[str, float] = TROUBLE,
    rate: float = 20.0,
) -> Script:
    """A match until somebody has won, or so many turns of it. `pace`: turns a second that are thought over, about."""
    rng = Random(seed)
    count = players or rng.randint(2, 4)
    seats = dict(zip(NAMES, _round(rng, count), strict=False))
    house = House()
    bots = Players(tuple(seats), house, seed, seen=True, mistakes=FORGETS)
    dealer = rng.choice(list(seats))
    begins = span(rng, (2500, 3500))
    state = _dealt(bots, house, dealer, begins)
    course = Course(rng, seats, bots, state, dict(trouble), pace or rng.uniform(0.25, 0.5))
    dealt = [lying(rng, card) for card in course.columns.values()]
    course.run(begins, turns)
    pile = tuple(Lying(BACK, (rng.uniform(-2, 2), rng.uniform(-2, 2)), rng.uniform(-4, 4)) for _ in range(STACKED))
    about = {
        "game": "tres",
        "players": list(seats),
        "seats": seats,
        "house": plain(house),
        "seed": seed,
        "dealer": dealer,
        "plays": [plain(deed) for deed in course.deeds],
        "hands": [len(hand) for hand in course.state.hands],
        "turn": course.state.turn,
        "winners": list(course.state.outcome.winners) if course.state.outcome else [],
    }
    said = (ScriptLine(SECOND, {"move": "dealer", "player": dealer}), *course.said)
    ends = max([arm.gone for arm in course.arms] + [one.until for one in course.mishaps]) + 5 * SECOND
    return Script(
        seed,
        ends,
        (*((one,) for one in dealt), *((),) * 6, pile, ()),
        tuple(sorted(course.arms, key=lambda arm: (arm.enters, arm.deed))),
        tuple(course.mishaps),
        said,
        mat=COLUMNS,
        rate=rate,
        about=about,
        places=(*COLUMNS.places, *COLUMNS.piles),
        paper="tres",
    )


def _round(rng: Random, count: int) -> list[Seat]:
    """Sides of the table, clockwise."""
    sides = rng.sample(ROUND, count)
    return sorted(sides, key=ROUND.index)


def _dealt(bots: Table, house: House, dealer: str, at: int) -> State:
    state: State = GAME.start(bots.players, house).state
    state = GAME.rule(state, Dealer(dealer, at=at)).state
    deal = bots.next_move(state)
    assert isinstance(deal, Deal)
    ruling = GAME.rule(state, deal)
    moved = [event for event in ruling.events if isinstance(event, CardsMoved)]
    assert len(moved) == len(bots.players) + 1
    assert len(deal.table) == THREE
    bots.ruled(ruling)
    dealt: State = ruling.state
    return dealt


def plays_of(script: Script) -> tuple[Any, ...]:
    """As the script's maker kept them."""
    kept = (dict(deed) for deed in script.about.get("plays", ()))
    return tuple(Deed(**{**deed, "cards": tuple(deed["cards"])}) for deed in kept)


HANDS = GameScripts(write_script, read_script, script_plain, plays_of)

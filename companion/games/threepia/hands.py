"""Bots whose hands play matches of Threepia on the simulated table: a seed makes a script, and the truth of it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import plain
from companion.games.threepia import rules as threepia
from companion.games.threepia.fields import field
from companion.games.threepia.hands_course import Course, Play
from companion.games.threepia.lattice import LaidField, found_in, ways_to_lie
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import HAND, Begin, Deal, House, State
from simulator.hands.hand_visits import span
from simulator.hands.script_file import read_script, script_plain
from simulator.playing import NAMES
from simulator.rendered.script import GameScripts, Lying, Script, ScriptLine, Seat
from vision.card_drawing import BACK
from vision.mat import LATTICE, Point

# With each turn, the chance of each kind of trouble.
TROUBLE: Mapping[str, float] = {
    "illegal": 0.06,
    "taken back": 0.02,
    "hover": 0.04,
    "slipped": 0.03,
    "squared": 0.03,
    "rests": 0.02,
    "glare": 0.004,
    "nudged": 0.006,
    "moved": 0.004,
    "light": 0.008,
    "flicker": 0.004,
    "covered": 0.004,
}
FIELDS = ("square", "windmill", "x", "fridge", "snake", "worm", "l-box")
ROUND: tuple[Seat, ...] = ("bottom", "left", "top", "right")  # clockwise, as the camera sees it
STACKED = 12  # cards of the draw pile that are drawn one by one; the rest is below them
ROUNDS = 6


def write_script(
    seed: int,
    *,
    players: int | None = None,
    name: str = "",
    rounds: int = ROUNDS,
    pace: float | None = None,
    trouble: Mapping[str, float] = TROUBLE,
    rate: float = 20.0,
) -> Script:
    """A match by rounds. `pace`: turns a second, about."""
    rng = Random(seed)
    count = players or rng.randint(2, 4)
    seats = dict(zip(NAMES, rng.sample(ROUND, count), strict=False))
    fits = rng.random() < 0.6
    house = House(field=field(name or rng.choice(FIELDS)), way="rounds", rounds=rounds, triangle_fits=fits)
    lies = rng.choice(list(ways_to_lie(house.field, LATTICE.shape)))
    lies = found_in(house.field, LATTICE.shape, lies.places) or lies  # many fields look the same turned by half
    deck = rng.sample(list(PAPER.cards), len(PAPER.cards))
    cards = [deck.pop() for _ in house.field.places]
    hands = {player: [deck.pop() for _ in range(HAND)] for player in seats}
    begins = span(rng, (2500, 3500))
    first = rng.choice(list(seats))
    state = _begun(tuple(seats), house, cards, first, begins)
    course = Course(rng, seats, hands, deck, lies, state, dict(trouble), pace or rng.uniform(0.25, 0.5))
    course.run(begins)
    pile = tuple(Lying(BACK, (rng.uniform(-2, 2), rng.uniform(-2, 2)), rng.uniform(-4, 4)) for _ in range(STACKED))
    grid = (*((course.lying(card, 0),) for card in cards), pile)
    about = {
        "game": "threepia",
        "players": list(seats),
        "seats": seats,
        "house": plain(house),
        "seed": seed,
        "lies": [lies.quarters, lies.column, lies.row],
        "hands": hands,
        "plays": [plain(play) for play in course.plays],
        "scores": list(course.state.scores),
    }
    said = (ScriptLine(begins, {"move": "begin", "player": first}),)
    ends = max([arm.gone for arm in course.arms] + [one.until for one in course.mishaps]) + 3 * SECOND
    return Script(
        seed,
        ends,
        grid,
        tuple(sorted(course.arms, key=lambda arm: (arm.enters, arm.deed))),
        tuple(course.mishaps),
        said,
        mat=LATTICE,
        rate=rate,
        about=about,
        places=(*middles_of(lies), *LATTICE.piles),
        paper="threepia",
    )


def middles_of(lies: LaidField) -> tuple[Point, ...]:
    """Of the cards on the mat."""
    found = []
    for four in lies.cells:
        corners = [LATTICE.places[cell - 1] for cell in four]
        found.append((sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)))
    return tuple(found)


def _begun(names: tuple[str, ...], house: House, cards: list[str], first: str, at: int) -> State:
    state: State = threepia.GAME.start(names, house).state
    for move in (Deal("", field=tuple(cards)), Begin(first, at=at)):
        state = threepia.GAME.rule(state, move).state
    return state


def plays_of(script: Script) -> tuple[Any, ...]:
    """As the script's maker kept them."""
    return tuple(Play(**play) for play in script.about.get("plays", ()))


HANDS = GameScripts(write_script, read_script, script_plain, plays_of)

"""Bots whose hands play matches of Three! on the simulated table: a seed makes a script, and the truth of it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import plain
from companion.games.three import rules as three
from companion.games.three.hands_course import Course, Played
from companion.games.three.rules import AT_ONCE, FIRST_COUNTED, HAND, Begin, House, State
from simulator.hands.hand_visits import span
from simulator.hands.script_file import read_script, script_plain
from simulator.playing import NAMES
from simulator.rendered.script import GameScripts, Lying, Script, ScriptLine, Seat
from vision.card_drawing import BACK
from vision.mat import BANKS

# With each turn, the chance of each kind of trouble.
TROUBLE: Mapping[str, float] = {
    "out of turn": 0.02,
    "taken back": 0.02,
    "hover": 0.04,
    "slipped": 0.03,
    "squared": 0.05,
    "squared early": 0.015,
    "rests": 0.04,
    "shuffled": 0.15,  # with each pile that was looked through
    "glare": 0.004,
    "nudged": 0.006,
    "moved": 0.004,
    "light": 0.008,
    "flicker": 0.004,
    "covered": 0.004,
}
ROUND: tuple[Seat, ...] = ("bottom", "left", "top", "right")  # clockwise, as the camera sees it


def write_script(
    seed: int,
    *,
    players: int | None = None,
    house: House | None = None,
    pace: float | None = None,
    trouble: Mapping[str, float] = TROUBLE,
    rate: float = 20.0,
) -> Script:
    """A match. `pace`: turns a second, about."""
    rng = Random(seed)
    count = players or rng.randint(2, 4)
    begins_at = rng.randrange(len(ROUND))
    sides = sorted(rng.sample(range(len(ROUND)), count), key=lambda side: (side - begins_at) % len(ROUND))
    seats = {name: ROUND[side] for name, side in zip(NAMES, sides, strict=False)}
    house = house or House(checks=rng.choice((AT_ONCE, AT_ONCE, FIRST_COUNTED)))
    deck = [dog.name for dog in house.dogs for _ in range(house.copies)]
    rng.shuffle(deck)
    hands = {player: [deck.pop() for _ in range(HAND)] for player in seats}
    begins = span(rng, (2500, 3500))
    first = rng.choice(list(seats))
    stacked = len(deck)
    course = Course(
        rng, seats, hands, deck, _begun(tuple(seats), house, first, begins), trouble, pace or rng.uniform(0.3, 0.7)
    )
    course.run(begins)
    pile = tuple(Lying(BACK, (rng.uniform(-2, 2), rng.uniform(-2, 2)), rng.uniform(-4, 4)) for _ in range(stacked))
    about = {
        "game": "three",
        "players": list(seats),
        "seats": seats,
        "house": plain(house),
        "seed": seed,
        "hands": hands,
        "plays": [plain(play) for play in course.plays],
        "scores": list(course.state.scores),
    }
    said = (ScriptLine(begins, {"move": "begin", "player": first}), *course.said)
    stamps = [arm.gone for arm in course.arms] + [one.until for one in course.mishaps] + [one.at for one in said]
    assert BANKS.token is not None
    return Script(
        seed,
        max(stamps) + 3 * SECOND,
        (*((),) * len(BANKS.places), pile, ()),
        tuple(sorted(course.arms, key=lambda arm: (arm.enters, arm.deed))),
        tuple(course.mishaps),
        said,
        mat=BANKS,
        rate=rate,
        about=about,
        places=(*BANKS.places, *BANKS.piles, BANKS.token),
        paper="three",
    )


def _begun(names: tuple[str, ...], house: House, first: str, at: int) -> State:
    state: State = three.GAME.start(names, house).state
    begun: State = three.GAME.rule(state, Begin(first, at=at)).state
    return begun


def plays_of(script: Script) -> tuple[Any, ...]:
    """As the script's maker kept them."""
    return tuple(Played(**play) for play in script.about.get("plays", ()))


HANDS = GameScripts(write_script, read_script, script_plain, plays_of)

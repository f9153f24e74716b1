"""Bots whose hands play matches of Triplexity on the simulated table: a seed makes a script, and the truth of it."""

from collections.abc import Mapping
from random import Random
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import plain
from companion.games.triplexity import rules as triplexity
from companion.games.triplexity.hands_course import Course, Play
from companion.games.triplexity.rules import House
from simulator.hands.hand_visits import span
from simulator.hands.script_file import read_script, script_plain
from simulator.playing import NAMES
from simulator.rendered.script import GameScripts, Script, Seat
from vision.mat import STACKS

# With each turn, the chance of each kind of trouble.
TROUBLE: Mapping[str, float] = {
    "illegal": 0.05,
    "out of turn": 0.01,
    "taken back": 0.03,
    "unturned": 0.03,
    "slipped": 0.03,
    "rests": 0.04,
    "glare": 0.004,
    "nudged": 0.006,
    "moved": 0.004,
    "light": 0.008,
    "flicker": 0.004,
    "covered": 0.004,
}
FACING: tuple[tuple[Seat, Seat], ...] = (("bottom", "top"), ("top", "bottom"), ("left", "right"), ("bottom", "right"))
USUALLY = (6, 6, 1, 1)  # so often
MOST_ROUNDS = 3
LONG = (6, 16)  # moves of a round before anybody wants to win


def write_script(
    seed: int,
    *,
    play: str = "",
    rounds: int = 0,
    long: int = 0,
    pace: float | None = None,
    trouble: Mapping[str, float] = TROUBLE,
    rate: float = 20.0,
) -> Script:
    """A match. `pace`: turns a second, about; `long`: moves of a round at least, if it can be helped."""
    rng = Random(seed)
    seats = dict(zip(NAMES, rng.choices(FACING, USUALLY)[0], strict=False))
    kind = play or rng.choice(("basic", "advanced"))
    house = House(play=kind, rounds=rounds or rng.randint(1, MOST_ROUNDS))
    begins = span(rng, (2500, 3500))
    state = triplexity.GAME.start(tuple(seats), house).state
    course = Course(rng, seats, state, dict(trouble), pace or rng.uniform(0.35, 0.7), long or rng.randint(*LONG))
    course.run(begins)
    about = {
        "game": "triplexity",
        "players": list(seats),
        "seats": seats,
        "house": plain(house),
        "seed": seed,
        "plays": [plain(one) for one in course.plays],
        "scores": list(course.state.scores),
    }
    ends = max([arm.gone for arm in course.arms] + [one.until for one in course.mishaps]) + 3 * SECOND
    return Script(
        seed,
        ends,
        ((), (), ()),
        tuple(sorted(course.arms, key=lambda arm: (arm.enters, arm.deed))),
        tuple(course.mishaps),
        mat=STACKS,
        rate=rate,
        about=about,
        places=STACKS.places,
        paper="triplexity",
    )


def plays_of(script: Script) -> tuple[Any, ...]:
    """As the script's maker kept them."""
    return tuple(Play(**play) for play in script.about.get("plays", ()))


HANDS = GameScripts(write_script, read_script, script_plain, plays_of)

"""Bots whose hands play real matches of Triple³ on the simulated table: a seed makes a script.

They hold real cards, lay some of them wrongly, take cards back, get in each other's way, and do what else people do
at a table. `plays_of` tells what truly happened, as the rules see it.
"""

from collections.abc import Mapping
from random import Random

from companion.core.clocks import SECOND
from companion.core.codec import plain
from companion.core.errors import HouseRuleError, PlayersError
from companion.games.triple3 import rules as triple3
from companion.games.triple3.hands_course import Manner
from companion.games.triple3.hands_round import Round
from companion.games.triple3.hands_truth import Play, match_setup, moves_of, plays_of
from companion.games.triple3.hands_ways import KINDS
from companion.games.triple3.rules import CELLS, DECK, TO_DEAL, Deal, Go, House, Leftover, State
from simulator.hands.hand_visits import lying, span, visit
from simulator.hands.script_file import read_script, script_plain
from simulator.playing import NAMES
from simulator.rendered.script import GameScripts, Lying, Script, ScriptedArm, ScriptLine, Seat
from vision.mat import SMALL, Mat

__all__ = [
    "KINDS",
    "TROUBLE",
    "Play",
    "match_setup",
    "moves_of",
    "plays_of",
    "read_script",
    "script_plain",
    "write_script",
]

# With each card that somebody decides to lay, the chance of each kind of trouble.
TROUBLE: Mapping[str, float] = {
    "simultaneous": 0.02,
    "covered twice": 0.01,
    "taken back": 0.015,
    "hover": 0.02,
    "passing": 0.015,
    "slipped": 0.03,
    "squared": 0.01,
    "knocked": 0.004,
    "same arms": 0.01,
    "stop": 0.015,
    "on an illegal card": 0.01,
    "glare": 0.004,
    "nudged": 0.003,
    "moved": 0.002,
    "light": 0.004,
    "flicker": 0.002,
    "covered": 0.002,
}

ROUND: tuple[Seat, ...] = ("bottom", "left", "top", "right")  # clockwise, as the camera sees it
ONE_ROUND = House(chips_to_win=1)
BUSIEST = 0.75  # plays a second that one pair of hands can bring about


def write_script(
    seed: int,
    *,
    players: int = 3,
    plays: int | None = None,
    pace: float | None = None,
    illegal: float = 0.1,
    trouble: Mapping[str, float] = TROUBLE,
    house: House = ONE_ROUND,
    mat: Mat | None = SMALL,
) -> Script:
    """A round from the nine cards to its end, or until so many cards are laid. `pace`: plays a second, all together."""
    _must_be_known(players, trouble)
    rng = Random(seed)
    pace = min(pace or rng.uniform(0.5, 3.0), BUSIEST * players)
    seats = _seated(rng, players)
    deck = rng.sample(DECK, len(DECK))
    share, over = divmod(TO_DEAL, players)
    on_table, leftover, rest = deck[:9], deck[9 : 9 + over], deck[9 + over :]
    hands = {name: rest[at * share : (at + 1) * share] for at, name in enumerate(seats)}
    grid = tuple((lying(rng, card),) for card in on_table)
    set_up = _leftovers_laid(rng, leftover, rng.choice(list(seats.values())))
    go = set_up[-1].gone + 3 * SECOND // 2
    around = Round(rng, seats, hands, Manner(pace, illegal, trouble, plays), mat or SMALL)
    told = around.play(_piles(grid, set_up), _begun(tuple(seats), house, on_table, set_up, go))
    about = {
        "game": "triple3",
        "players": list(seats),
        "seats": seats,
        "house": plain(house),
        "seed": seed,
        "pace": round(pace, 3),
        "illegal": illegal,
        "plays": plays,
        "trouble": dict(trouble),
        "hands": hands,
    }
    arms = sorted((*set_up, *told.arms), key=lambda arm: (arm.enters, arm.deed))
    said = sorted((ScriptLine(go, {"move": "go"}), *told.said), key=lambda one: one.at)
    ends = max(arms[-1].gone, said[-1].at, *(arm.gone for arm in arms), *(one.until for one in told.mishaps))
    return Script(seed, ends + 3 * SECOND, grid, tuple(arms), tuple(told.mishaps), tuple(said), mat=mat, about=about)


def _must_be_known(players: int, trouble: Mapping[str, float]) -> None:
    if not 2 <= players <= 4:
        raise PlayersError(f"Triple³ needs 2 to 4 players, not {players}.")
    for kind in trouble:
        if kind not in KINDS:
            raise HouseRuleError(f"There is no trouble called '{kind}'; there are {', '.join(KINDS)}.")


def _seated(rng: Random, players: int) -> dict[str, Seat]:
    """Clockwise around the table; of three players one sits at the bottom."""
    empty: dict[int, tuple[Seat, ...]] = {2: ("left", "right"), 3: (rng.choice(ROUND[1:]),), 4: ()}
    return dict(zip(NAMES, [side for side in ROUND if side not in empty[players]], strict=False))


def _leftovers_laid(rng: Random, cards: list[str], seat: Seat) -> list[ScriptedArm]:
    """The nine cards lie for a while with nobody over them, then the leftovers come, one by one."""
    at, arms = span(rng, (1800, 2500)), []
    for card in cards:
        times = visit(rng, at)
        where = rng.choice(CELLS)
        arms.append(
            ScriptedArm(
                seat, times.enters, times.there, times.deed, times.leaves, times.gone, where, "lay", lying(rng, card)
            )
        )
        at = times.gone + span(rng, (100, 500))
    return arms


def _piles(grid: tuple[tuple[Lying, ...], ...], arms: list[ScriptedArm]) -> list[list[Lying]]:
    piles = [list(pile) for pile in grid]
    for arm in arms:
        if arm.lying:
            piles[arm.cell - 1].append(arm.lying)
    return piles


def _begun(names: tuple[str, ...], house: House, grid: list[str], set_up: list[ScriptedArm], go: int) -> State:
    leftovers = tuple(Leftover(arm.cell, arm.lying.card) for arm in set_up if arm.lying)
    state: State = triple3.start(names, house).state
    for move in (Deal("", tuple(grid), leftovers), Go("", at=go)):
        state = triple3.rule(state, move).state
    return state


HANDS = GameScripts(write_script, read_script, script_plain, plays_of)

"""The calls that one ruling of each game costs, counted over matches of bots: a figure that no load disturbs."""

import json
import sys
from types import FrameType
from typing import Any

from companion.core.match import Match
from companion.core.rules import Foul, Game, Move
from companion.games import NAMES, game
from simulator.playing import play_out, seated

SEEDS = (1, 2)
MOST = 300  # rulings of a match


def calls_of(playing: Game, state: Any, move: Move) -> int:
    """Calls of a ruling, built-in functions included."""
    count = 0

    def note(_frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        playing.rule(state, move)
    finally:
        sys.setprofile(None)
    return count - 1  # the one that ends it


def calls_per_ruling(name: str) -> float:
    playing = game(name)
    found: list[int] = []
    for seed in SEEDS:
        match = Match(seated(playing, playing.house()))
        before = match.state
        for (move, told), _ in zip(play_out(match, seed), range(MOST), strict=False):
            if not isinstance(told, Foul):
                found.append(calls_of(playing, before, move))
            before = match.state
    return sum(found) / len(found)


if __name__ == "__main__":
    print(json.dumps({name: round(calls_per_ruling(name), 2) for name in NAMES}))  # noqa: T201

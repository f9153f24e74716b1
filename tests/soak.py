"""Many thousand bot moves of every game, everything checked after every move.

`python -m tests.soak [MOVES] [GAME …]`: at least MOVES moves of each game (100,000 if not said), as many acts of the
theorem of undo, redo and correct (tests/theorem.py), and as many rulings beside the model of the sheet (tests/oracles).
`--hours N` and `--minutes N` are whole evenings at the table instead, and what they leave behind (tests/soaking.py).
"""

import sys
import time
from functools import partial

from companion.games import NAMES
from tests.invariants import matches, played
from tests.oracles.__main__ import told
from tests.theorem import many


def soak(name: str, wanted: int) -> str:
    """Play until enough moves are made; a line that says what was played."""
    began = time.monotonic()
    moves = fouls = ended = seed = 0
    while moves < wanted:
        for setup, how in matches(name, seed):
            _, tried, refused = played(setup, **how)
            moves, fouls, ended = moves + tried, fouls + refused, ended + 1
        seed += 1
    seconds = time.monotonic() - began
    return f"{name:10}  {moves:9,} moves  {fouls:8,} refused  {ended:6,} matches  {seconds:6.0f} s"


def main(arguments: list[str]) -> int:
    if any(one.startswith("--") for one in arguments):
        from tests.soaking import asked  # noqa: PLC0415  (only an evening needs a screen)

        return asked(arguments, partial(print, flush=True))
    wanted = int(arguments[0]) if arguments else 100_000
    for name in arguments[1:] or NAMES:
        print(soak(name, wanted), flush=True)  # noqa: T201
        print(many(name, wanted), flush=True)  # noqa: T201
    return told(arguments[1:] or NAMES, wanted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

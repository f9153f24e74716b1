"""How well matches of Triplexity are watched and ruled on: `python -m tests.benchmarks.stacks_watched`.

Bots play on the simulated table with all its troubles; nobody helps. What was told is compared with what was done.
`--out FILE` keeps a line of figures for each match and goes on behind those that are there. `--told` tells the witness
what was seen, without pixels; a few arms are not known then, or taken for another's. `--cost` says what watching takes.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

import cv2

from companion.games import part
from companion.games.triplexity.hands import write_script
from companion.watch.bench import Bench
from companion.watch.game_watch import GameWatch, Seating
from simulator.rendered.rendered_table import SimulatedTable
from tests.benchmarks.match_figures import keep_figures, kept_figures, share, together, wrong_rulings
from tests.benchmarks.watching_cost import processor_time
from tests.triplexity.watched import Noise, Tally, judged, reader, seats_of, session_of, told, watched
from vision.mat import STACKS
from vision.watcher import Watcher

FIRST = 62_000
MATCHES = 10
RATE = 10.0  # frames a second: fewer than a camera gives, which is harder, and three times as quick to draw
FAST = 30.0
NOISE = Noise(armless=0.01, wrong_arm=0.001)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--told", action="store_true", help="without pixels")
    parser.add_argument("--out", type=Path, help="keeps the figures of each match")
    parser.add_argument("--cost", action="store_true", help="of a core, at 30 frames a second")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.cost:
        print(cost(options.first))  # noqa: T201
        return
    kept = kept_figures(options.out, Tally)
    by = None if options.told else reader()
    for seed in range(options.first, options.first + options.matches):
        if seed in kept:
            continue
        began = processor_time()
        script = write_script(seed, rate=options.rate)
        kept[seed] = judged(watched(script, by) if by else told(script, NOISE, seed))
        if not options.told:
            seconds = (processor_time() - began) / 1e9
            print(_line(seed, kept[seed]), f"{seconds:.0f} s of a core", flush=True)  # noqa: T201
        keep_figures(options.out, seed, kept[seed])
    print(*figures(kept.values()), sep="\n")  # noqa: T201


def cost(seed: int) -> str:
    """Of watching alone, without what it takes to draw the table."""
    script = write_script(seed, rounds=1, rate=FAST)
    eye, spent = Watcher(reader(), mats=(STACKS,)), 0
    seating = Seating(seats_of(script))
    bench = Bench(eye, lambda stamp: session_of(script, stamp), part("triplexity", "watch", GameWatch), seating)
    for frame in SimulatedTable(script).frames():
        began = processor_time()
        for _ in bench.saw(eye.watch(frame), frame):
            pass
        spent += processor_time() - began
    moves = len(bench.match.line) if bench.match else 0
    return f"{spent / script.length:.1%} of a core, {moves} moves in {script.length / 1e9:.0f} s of table"


def _line(seed: int, tally: Tally) -> str:
    return f"{seed}: {tally.seen} of {tally.moves} moves, {tally.wrong} of {tally.rulings} rulings wrong"


def figures(tallies: Iterable[Tally]) -> list[str]:
    """All of them together, with what each share may come to with 95 % certainty."""
    total = together(tallies, Tally)
    matches = max(total.matches, 1)
    return [
        *total.faults,
        f"{total.matches} matches, {total.scores} of them with the right points at the end",
        share("moves seen with player, places and face", total.seen, total.moves),
        share("moves that are not allowed and were called for the right reason", total.called, total.refused),
        share("moves taken back and undone", total.undone, total.backs),
        wrong_rulings(total.wrong, total.rulings),
        f"asked: {total.asked / matches:.2f} a match, of these by a touch on the screen {total.touches / matches:.2f}",
    ]


if __name__ == "__main__":
    main()

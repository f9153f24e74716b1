"""How well matches of Three! are watched and ruled on, by pixels: `python -m tests.benchmarks.piles_watched`.

Bots play on the simulated table with all its troubles; what the table asks they answer, and each answer is a touch.
What was told is compared with what was done. `--out FILE` keeps a line of figures for each match and goes on behind
those that are there.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from companion.games.three.hands import write_script
from simulator.rendered.script import Script
from tests.benchmarks.match_figures import keep_figures, kept_figures, share, together, wrong_rulings
from tests.benchmarks.watching_cost import processor_time
from tests.three.dog_deck import dog_reader
from tests.three.told_table import ToldTable
from tests.three.watched import Tally, WatchedMatch, judged, ruled, watched

FIRST = 61_000
MATCHES = 10
RATE = 10.0  # frames a second: fewer than a camera gives, which is harder, and three times as quick to draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--told", action="store_true", help="without pixels, with noise that is partly assumed")
    parser.add_argument("--out", type=Path, help="keeps the figures of each match")
    options = parser.parse_args()
    kept = kept_figures(options.out, Tally)
    for seed in range(options.first, options.first + options.matches):
        if seed in kept:
            continue
        began = processor_time()
        kept[seed] = judged(_ruled(write_script(seed, rate=options.rate), told_only=options.told))
        print(_line(seed, kept[seed]), f"{(processor_time() - began) / 1e9:.0f} s of a core", flush=True)  # noqa: T201
        keep_figures(options.out, seed, kept[seed])
    print(*told(kept.values()), sep="\n")  # noqa: T201


def _ruled(script: Script, *, told_only: bool) -> WatchedMatch:
    if not told_only:
        return watched(script, dog_reader())
    eye = ToldTable(script)
    return ruled(script, eye, eye.frames())


def _line(seed: int, tally: Tally) -> str:
    checks = f"{tally.told} of {tally.checks} checks"
    return f"{seed}: {tally.seen} of {tally.played} cards, {checks}, {tally.wrong} of {tally.rulings} rulings wrong"


def told(tallies: Iterable[Tally]) -> list[str]:
    """All of them together, with what each share may come to with 95 % certainty."""
    total = together(tallies, Tally)
    touches, said = (count / max(total.matches, 1) for count in (total.touches, total.said))
    return [
        *total.faults,
        f"{total.matches} matches",
        share("cards played and told with dog and player, nobody asked", total.seen, total.played),
        share("of these a dog on the same dog", total.again_seen, total.again),
        share("cards out of turn that were called", total.called, total.refused),
        share("checks told without asking, where the house wants it", total.told, total.checks),
        share("matches with the right banks in the end", total.ended, total.matches),
        wrong_rulings(total.wrong, total.rulings),
        f"touches a match for what the table asked: {touches:.2f}; strikes, calls, declarations, passes: {said:.1f}",
    ]


if __name__ == "__main__":
    main()

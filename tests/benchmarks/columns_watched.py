"""How well matches of Tres are watched and ruled on, by pixels: `python -m tests.benchmarks.columns_watched`.

Bots play on the simulated table with all its troubles; people answer what they are asked, and that is counted. What was
told is compared with what was done. `--out FILE` keeps a line of figures for each match and goes on behind those that
are there.
"""

import argparse
from collections.abc import Iterable
from pathlib import Path

from companion.games.tres.hands import write_script
from companion.teaching.deck_choice import reader_of
from tests.benchmarks.match_figures import keep_figures, kept_figures, share, together, wrong_rulings
from tests.benchmarks.watching_cost import processor_time
from tests.tres.watched import TresTally, judged, watched

FIRST = 84_000
MATCHES = 10
RATE = 10.0  # frames a second: fewer than a camera gives, which is harder, and three times as quick to draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--out", type=Path, help="keeps the figures of each match")
    options = parser.parse_args()
    kept = kept_figures(options.out, TresTally)
    reader = reader_of("tres")
    for seed in range(options.first, options.first + options.matches):
        if seed in kept:
            continue
        began = processor_time()
        kept[seed] = judged(watched(write_script(seed, rate=options.rate), reader, helped=True))
        print(_line(seed, kept[seed]), f"{(processor_time() - began) / 1e9:.0f} s of a core", flush=True)  # noqa: T201
        keep_figures(options.out, seed, kept[seed])
    print(*told(kept.values()), sep="\n")  # noqa: T201


def _line(seed: int, tally: TresTally) -> str:
    return f"{seed}: {tally.played} of {tally.plays} plays, {tally.wrong} of {tally.rulings} rulings wrong"


def told(tallies: Iterable[TresTally]) -> list[str]:
    """All of them together, with what each share may come to with 95 % certainty."""
    total = together(tallies, TresTally)
    rounds = max(total.rounds, 1)
    return [
        *total.faults,
        f"{total.rounds} matches",
        share("plays told with all cards, that of the table, and the player", total.played, total.plays),
        share("cards turned up", total.filled, total.fills),
        share("plays that are no run and were called", total.called, total.refused),
        share("draws, of one card or of what is due, with the player", total.drawn, total.draws),
        share("matches with all hands as large as they are in the end", total.sizes, total.rounds),
        wrong_rulings(total.wrong, total.rulings),
        f"touches a match: {1 + total.touches / rounds:.1f}, one of them for who deals",
        f"moves a match, which are typed without a camera: {total.moves / rounds:.1f}",
    ]


if __name__ == "__main__":
    main()

"""How well matches of Threepia are watched and ruled on, by pixels: `python -m tests.benchmarks.fields_watched`.

Bots play on the simulated table with all its troubles, and answer what they are asked; what was told is compared with
what was done. `--out FILE` keeps a line of figures for each match and goes on behind those that are there. `--seen
FOLDER` keeps what the eye saw of each, and takes it from there: what is made of it is counted anew in a second.
"""

import argparse
import gzip
import pickle
from collections.abc import Iterable
from pathlib import Path

from companion.games.threepia.hands import write_script
from companion.teaching.deck_choice import reader_of
from simulator.rendered.script import Script
from tests.benchmarks.match_figures import keep_figures, kept_figures, share, wrong_rulings
from tests.benchmarks.watching_cost import processor_time
from tests.threepia.watched import KeptEye, KeptFrame, Tally, WatchedMatch, by_pixels, judged, watched
from vision.mat import LATTICE
from vision.watcher import Watcher

FIRST = 83_100
MATCHES = 10
RATE = 10.0  # frames a second: fewer than a camera gives, which is harder, and three times as quick to draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--out", type=Path, help="keeps the figures of each match")
    parser.add_argument("--seen", type=Path, help="keeps what was seen of each match in this folder")
    options = parser.parse_args()
    kept = kept_figures(options.out, Tally)
    for seed in range(options.first, options.first + options.matches):
        if seed in kept:
            continue
        began = processor_time()
        kept[seed] = judged(_watched(write_script(seed, rate=options.rate), options.seen))
        print(_line(seed, kept[seed]), f"{(processor_time() - began) / 1e9:.0f} s of a core", flush=True)  # noqa: T201
        keep_figures(options.out, seed, kept[seed])
    print(*told(kept.values()), sep="\n")  # noqa: T201


def _watched(script: Script, folder: Path | None) -> WatchedMatch:
    """By pixels, or by what was seen when they were."""
    file = folder / f"{script.seed}-{script.rate:.0f}.seen" if folder else None
    if file is not None and file.exists():
        kept_eye = KeptEye()
        return watched(script, kept_eye.seen(pickle.loads(gzip.decompress(file.read_bytes()))), kept_eye)
    eye, kept = Watcher(reader_of("threepia"), mats=(LATTICE,)), list[KeptFrame]()
    found = watched(script, by_pixels(script, eye, kept), eye)
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(gzip.compress(pickle.dumps(kept)))
    return found


def _line(seed: int, tally: Tally) -> str:
    cards, wrong = f"{tally.read} of {tally.laid} cards", f"{tally.wrong} of {tally.rulings} rulings wrong"
    return f"{seed}: {cards}, {wrong}, {tally.touches} touches"


def told(tallies: Iterable[Tally]) -> list[str]:
    """All of them together, with what each share may come to with 95 % certainty."""
    total, matches = Tally(), 0
    for tally in tallies:
        total.add(tally)
        matches += 1

    return [
        *total.faults,
        f"{matches} matches",
        share("cards laid and seen with all symbols, place and player", total.read, total.laid),
        share("of these with the right points", total.points, total.read),
        share("cards that do not fit and were called", total.called, total.refused),
        share("draws seen", total.drawn, total.draws),
        f"touches a match: {total.touches / max(matches, 1):.2f} ({total.touches} in all)",
        wrong_rulings(total.wrong, total.rulings),
    ]


if __name__ == "__main__":
    main()

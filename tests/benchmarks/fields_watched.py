"""How well matches of Threepia are watched and ruled on, by pixels: `python -m tests.benchmarks.fields_watched`.

Bots play on the simulated table with all its troubles; nobody helps. What was told is compared with what was done.
`--out FILE` keeps a line of figures for each match and goes on behind those that are there.
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from companion.games.threepia.hands import write_script
from tests.benchmarks.bounds import upper_bound
from tests.benchmarks.watching_cost import processor_time
from tests.threepia.symbol_deck import symbol_deck
from tests.threepia.watched import Tally, judged, watched
from vision.reader import Reader

FIRST = 52_000
MATCHES = 10
RATE = 10.0  # frames a second: fewer than a camera gives, which is harder, and three times as quick to draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--out", type=Path, help="keeps the figures of each match")
    options = parser.parse_args()
    kept = _kept(options.out)
    reader = Reader(taught=symbol_deck())
    for seed in range(options.first, options.first + options.matches):
        if seed in kept:
            continue
        began = processor_time()
        script = write_script(seed, rate=options.rate)
        kept[seed] = judged(watched(script, reader))
        print(_line(seed, kept[seed]), f"{(processor_time() - began) / 1e9:.0f} s of a core", flush=True)  # noqa: T201
        if options.out:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"seed": seed, **asdict(kept[seed])}) + "\n")
    print(*told(kept.values()), sep="\n")  # noqa: T201


def _kept(path: Path | None) -> dict[int, Tally]:
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.pop("seed"): Tally(**line) for line in lines}


def _line(seed: int, tally: Tally) -> str:
    return f"{seed}: {tally.read} of {tally.laid} cards, {tally.wrong} of {tally.rulings} rulings wrong"


def told(tallies: Iterable[Tally]) -> list[str]:
    """All of them together, with what each share may come to with 95 % certainty."""
    total, matches = Tally(), 0
    for tally in tallies:
        total.add(tally)
        matches += 1

    def share(what: str, count: int, of: int) -> str:
        most = upper_bound(of - count, of) if of else 1.0
        return f"{what}: {count} of {of}, {count / max(of, 1):.2%} (at least {1 - most:.2%})"

    wrong = upper_bound(total.wrong, total.rulings) if total.rulings else 1.0
    return [
        *total.faults,
        f"{matches} matches",
        share("cards laid and seen with all symbols, place and player", total.read, total.laid),
        share("of these with the right points", total.points, total.read),
        share("cards that do not fit and were called", total.called, total.refused),
        share("draws seen", total.drawn, total.draws),
        f"wrong rulings: {total.wrong} of {total.rulings} (at most {wrong:.2%}, 1 in {1 / wrong:.0f})",
    ]


if __name__ == "__main__":
    main()

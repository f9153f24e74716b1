"""How well matches of Tres are watched and ruled on, by pixels: `python -m tests.benchmarks.columns_watched`.

Bots play on the simulated table with all its troubles; people answer what they are asked, and that is counted. What was
told is compared with what was done. `--out FILE` keeps a line of figures for each match and goes on behind those that
are there.
"""

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

from companion.games.tres.hands import write_script
from companion.teaching.deck_choice import reader_of
from tests.benchmarks.bounds import upper_bound
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
    kept = _kept(options.out)
    reader = reader_of("tres")
    for seed in range(options.first, options.first + options.matches):
        if seed in kept:
            continue
        began = processor_time()
        kept[seed] = judged(watched(write_script(seed, rate=options.rate), reader, helped=True))
        print(_line(seed, kept[seed]), f"{(processor_time() - began) / 1e9:.0f} s of a core", flush=True)  # noqa: T201
        if options.out:
            with options.out.open("a", encoding="utf-8") as file:
                file.write(json.dumps({"seed": seed, **asdict(kept[seed])}) + "\n")
    print(*told(kept.values()), sep="\n")  # noqa: T201


def _kept(path: Path | None) -> dict[int, TresTally]:
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.pop("seed"): TresTally(**line) for line in lines}


def _line(seed: int, tally: TresTally) -> str:
    return f"{seed}: {tally.played} of {tally.plays} plays, {tally.wrong} of {tally.rulings} rulings wrong"


def told(tallies: Iterable[TresTally]) -> list[str]:
    """All of them together, with what each share may come to with 95 % certainty."""
    total = TresTally()
    for tally in tallies:
        total.add(tally)

    def share(what: str, count: int, of: int) -> str:
        most = upper_bound(of - count, of) if of else 1.0
        return f"{what}: {count} of {of}, {count / max(of, 1):.2%} (at least {1 - most:.2%})"

    wrong = upper_bound(total.wrong, total.rulings) if total.rulings else 1.0
    rounds = max(total.rounds, 1)
    return [
        *total.faults,
        f"{total.rounds} matches",
        share("plays told with all cards, that of the table, and the player", total.played, total.plays),
        share("cards turned up", total.filled, total.fills),
        share("plays that are no run and were called", total.called, total.refused),
        share("draws, of one card or of what is due, with the player", total.drawn, total.draws),
        share("matches with all hands as large as they are in the end", total.sizes, total.rounds),
        f"wrong rulings: {total.wrong} of {total.rulings} (at most {wrong:.2%}, 1 in {1 / wrong:.0f})",
        f"touches a match: {1 + total.touches / rounds:.1f}, one of them for who deals",
        f"moves a match, which are typed without a camera: {total.moves / rounds:.1f}",
    ]


if __name__ == "__main__":
    main()

"""Measures how well matches are watched, by pixels and without, and writes docs/watching.md: one command, at the end.

    python -m tests.benchmarks.measure FOLDER [--pixels N] [--generated N] [--jobs J]

FOLDER keeps each match as soon as it was judged, so that what was broken off goes on where it was. Delete it when the
watcher, the tracker or the calibration has changed.
"""

import argparse
import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.benchmarks import watching
from tests.benchmarks.sightings import Judging, judged
from tests.benchmarks.watching_page import OLD_TOWER, read_lines, write_page

PACES = {0.35: 60, 0.8: 20, 1.5: 20, 2.5: 20}  # plays a second, and how many matches by pixels; each has some 60 plays
FIRST = {
    0.35: 94_000,
    0.8: 95_000,
    1.5: 96_000,
    2.5: 97_000,
}  # the first seeds; nothing is fitted to what was ruled there
OF_ONE_PACE = 9_000  # seeds of the old tower from which on the pace was asked for
MORE = 72_000  # the first seed of matches without pixels, at each pace
Match = tuple[int, float | None]  # its seed, and the pace that is asked for


def main() -> None:
    parser = argparse.ArgumentParser(description="Measures how well matches are watched, and writes docs/watching.md.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pixels", type=int, help="matches at each pace by pixels, beside those of the old tower")
    parser.add_argument("--generated", type=int, default=1600, help="matches at each pace without pixels")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    watched: list[Match] = list(_of_old_tower())
    for pace, usual in PACES.items():
        count = usual if options.pixels is None else options.pixels
        watched += [(FIRST[pace] + number, pace) for number in range(count)]
    more: list[Match] = [(seed, pace) for pace in PACES for seed in range(MORE, MORE + options.generated)]
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for name, source, matches in (
            ("pixels", "watched", watched),
            ("bound", "bound", watched),
            ("generated", "generated", more),
            ("bound of more", "bound", more),
            ("worse", "worse reader", more),
        ):
            _measure(options.folder / f"{name}.jsonl", source, matches, pool.imap_unordered, whole=matches is watched)
    write_page(options.folder)


def _of_old_tower() -> Iterator[Match]:
    """The matches that it judged: those of the first seeds at a pace of their own."""
    for line in read_lines(OLD_TOWER):
        yield line["seed"], line["pace"] if line["seed"] >= OF_ONE_PACE else None


def _measure(
    path: Path,
    source: str,
    matches: Iterable[Match],
    imap: Callable[..., Iterable[dict[str, Any]]],
    *,
    whole: bool,
) -> None:
    """Judges what the file does not have yet; keeps whole results, or what was counted of them."""
    known = {(line["seed"], line["asked"]) for line in read_lines(path)}
    left = [(source, seed, pace, whole) for seed, pace in matches if (seed, pace) not in known]
    began = time.monotonic()
    with path.open("a", encoding="utf-8") as file:
        for number, (_, line) in enumerate(zip(left, imap(_one, left), strict=True), 1):
            file.write(f"{json.dumps(line)}\n")
            file.flush()
            if number % 20 == 0 or number == len(left):
                each = (time.monotonic() - began) / number
                print(f"{path.stem}: {number} of {len(left)} matches, {each:.1f} s each", flush=True)  # noqa: T201


def _one(job: tuple[str, int, float | None, bool]) -> dict[str, Any]:
    source, seed, pace, whole = job
    if source == "watched":
        result = watching.played(watching.Job(seed, pace=pace))
    else:
        result = judged(Judging(seed, pace, source))
    return {"asked": pace, **(asdict(result) if whole else watching.counts(result))}


if __name__ == "__main__":
    main()

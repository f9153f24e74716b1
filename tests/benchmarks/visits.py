"""How well it is known that hands came to a cell more than once while nobody saw it: bots on the simulated table.

`python -m tests.benchmarks.visits` watches matches at each pace and prints how often it was so, how well `again` of
the sightings tells it, how far that can be trusted, and how often a card that was covered before anybody saw it clearly
was made out. `--fit` fits the weights in vision/visits.py to them anew.
"""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from companion.core.clocks import SECOND
from companion.games.triple3.hands import write_script
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from vision.reader import Reader
from vision.sightings import CardSeen
from vision.watcher import Watcher

PACES = (0.8, 1.5, 2.5)  # plays a second
SEED = 13_000  # the weights are fitted to matches from 12,000 on
MATCHES = 6
SLACK = SECOND // 15  # a hand that was there for less of a stretch than that, was there before it or after
FALSE = 0.01  # of the stretches with one visit may be told to have had two
STEPS = (0.0, 0.01, 0.03, 0.1, 0.3, 0.6, 0.85, 1.0)
LIKELY = 0.5  # so likely a covered card is made out
WEAK = 0.3  # pulls the weights to nothing, as strongly as so many sightings would

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Stretch:
    """In which nobody saw a cell."""

    pace: float
    visits: int
    again: float
    evidence: tuple[float, float, float]
    covered: frozenset[str]  # cards that were laid there and covered
    between: tuple[tuple[str, float], ...]


def watched(seed: int, pace: float, rate: float) -> Iterator[Stretch]:
    """One match."""
    script = replace(write_script(seed, players=2 + seed % 3, pace=pace), rate=rate)
    watcher = Watcher(Reader())
    for frame in SimulatedTable(script).frames():
        for seen in watcher.watch(frame):
            if isinstance(seen, CardSeen):
                stretch = seen.cell, seen.since, seen.by
                evidence = watcher._reading.visits.evidence(*stretch)
                covered = covered_by(script, str(seen.after.card), *stretch)
                yield Stretch(pace, visits(script, *stretch), seen.again, evidence, covered, seen.between)


def visits(script: Script, cell: int, since: int, by: int) -> int:
    """How many there truly were."""
    return sum(
        cell in (arm.cell, arm.onto) and arm.there <= by + SLACK and arm.leaves >= since + SLACK for arm in script.arms
    )


def covered_by(script: Script, card: str, cell: int, since: int, by: int) -> frozenset[str]:
    """The cards that were laid on a cell within a stretch, before this one."""
    laid = [
        (arm.deed, arm.lying.card)
        for arm in script.arms
        if arm.what == "lay" and arm.cell == cell and arm.lying and since - SLACK <= arm.deed <= by + SLACK
    ]
    last = max((deed for deed, one in laid if one == card), default=0)
    return frozenset(one for deed, one in laid if deed < last and one != card)


# --- Figures


def better(chances: Numbers, twice: Flags) -> float:
    """How often a stretch with two visits has a higher chance than one with one (the area under the curve)."""
    two, one = chances[twice][:, None], chances[~twice]
    return float((two > one).mean() + (two == one).mean() / 2)


def recall(chances: Numbers, twice: Flags) -> float:
    """Of the stretches with two visits, those that are told so if few with one are."""
    one = np.sort(chances[~twice])[::-1]
    return float((chances[twice] > one[int(FALSE * one.size)]).mean())


def table(name: str, stretches: Iterable[Stretch]) -> Iterator[str]:
    stretches = list(stretches)
    chances, twice = told(stretches)
    yield f"{name}: {(~twice).sum()} stretches with one visit, {twice.sum()} with two or more"
    yield f"  better {better(chances, twice):.3f}, recall {recall(chances, twice):.0%} with {FALSE:.0%} false"
    for low, high in pairwise(STEPS):
        here = (chances >= low) & (chances < high + (high == 1))
        if here.any():
            yield f"  {low:4} to {high:4}: {here.sum():5}, told {chances[here].mean():.3f}, so {twice[here].mean():.3f}"

    hidden = [one for one in stretches if one.covered]
    right = sum(any(card in one.covered and chance >= LIKELY for card, chance in one.between) for one in hidden)
    wrong = sum(any(chance >= LIKELY for _, chance in one.between) for one in stretches if not one.covered)
    yield f"  {len(hidden)} covered a card, {right} of them made out; {wrong} are said to have and did not"


def told(stretches: Iterable[Stretch]) -> tuple[Numbers, Flags]:
    pairs = [(one.again, one.visits > 1) for one in stretches]
    return np.array([again for again, _ in pairs]), np.array([twice for _, twice in pairs])


def fitted(evidence: Numbers, twice: Flags) -> Numbers:
    """Bias and weights, by Newton's method."""
    middle, spread = evidence.mean(axis=0), evidence.std(axis=0)
    x = np.c_[np.ones(len(evidence)), (evidence - middle) / spread]
    weights, pull = np.zeros(x.shape[1]), WEAK * np.diag([0.0, *np.ones(evidence.shape[1])])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-x @ weights))
        curve = (x * (chances * (1 - chances))[:, None]).T @ x + pull
        weights += np.linalg.solve(curve, x.T @ (twice - chances) - pull @ weights)
    slopes = weights[1:] / spread
    return np.array([weights[0] - slopes @ middle, *slopes])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", type=int, default=SEED)
    parser.add_argument("--matches", type=int, default=MATCHES, help="at each pace")
    parser.add_argument("--rate", type=float, default=30.0, help="frames a second")
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    found: list[Stretch] = []
    for number, pace in enumerate(PACES):
        first = options.first + 100 * number
        of = [one for seed in range(first, first + options.matches) for one in watched(seed, pace, options.rate)]
        found += of
        print(*table(f"{pace} plays a second", of), sep="\n", flush=True)  # noqa: T201
    print(*table("all", found), sep="\n")  # noqa: T201
    if options.fit:
        weights = fitted(np.array([one.evidence for one in found]), told(found)[1])
        print("BIAS, SHARE, MOVED, LASTED =", *weights.round(2))  # noqa: T201


if __name__ == "__main__":
    main()

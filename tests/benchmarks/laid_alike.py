"""How well a card laid on another of its face is told by the place alone: `python -m tests.benchmarks.laid_alike`.

Matches of Three! with three dogs by pixels, with more hands that rest, hover and put straight than usual; each visit to
a pile that leaves the same face there is compared with what was done. `--fit` fits the odds of `vision/laid_anew.py`.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from companion.games.three.hands import TROUBLE, write_script
from companion.games.three.rules import DOGS, House
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Script
from tests.three.dog_deck import dog_reader
from vision.laid_anew import MOST, STILL, laid_anew, motion_of
from vision.mat import BANKS
from vision.sightings import SameSeen
from vision.watcher import Watcher

FIRST = 71_000
MATCHES = 6
RATE = 10.0
OFTEN = {**TROUBLE, "squared": 0.2, "squared early": 0.1, "rests": 0.15, "hover": 0.1}
STEPS, STEADY = 60, 0.02  # of the fit
KINDS = ("lay", "square", "put", "nothing")


@dataclass(frozen=True)
class Visit:
    what: str  # one of KINDS, or several
    anew: float
    features: tuple[float, ...] | None  # none where nothing has moved, or a quarter turn tells it all


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--fit", action="store_true", help="print the odds that fit best")
    options = parser.parse_args()
    visits: list[Visit] = []
    for seed in range(options.first, options.first + options.matches):
        visits += visits_of(a_match(seed))
        print(f"{seed}: {len(visits)} visits", flush=True)  # noqa: T201
    print(*told(visits), sep="\n")  # noqa: T201
    if options.fit:
        print("BIAS, STAYS, MOVED, BOTH =", fitted(visits))  # noqa: T201


def a_match(seed: int) -> Script:
    dogs = tuple(Random(seed).sample(DOGS, 3))
    return write_script(seed, house=House(dogs=dogs, copies=8, deck=24), trouble=OFTEN, rate=RATE, pace=1.5)


def visits_of(script: Script) -> Iterator[Visit]:
    eye = Watcher(dog_reader(), mats=(BANKS,))
    for frame in SimulatedTable(script).frames():
        for seen in eye.watch(frame):
            if isinstance(seen, SameSeen):
                yield Visit(_done(script, seen), laid_anew(seen.before.square, seen.after.square), _features(seen))


def _done(script: Script, seen: SameSeen) -> str:
    """What hands did there between the two looks."""
    arms = [arm for arm in script.arms if arm.cell == seen.cell and seen.before.stamp <= arm.deed <= seen.after.stamp]
    return "+".join(arm.what for arm in arms if arm.what != "hover") or "nothing"


def _features(seen: SameSeen) -> tuple[float, ...] | None:
    motion = motion_of(seen.before.square, seen.after.square)
    if motion is None or motion.quarters or motion.far < STILL:
        return None
    far = min(motion.far, MOST)
    return 1.0, motion.stays, far, far * motion.stays


def told(visits: list[Visit]) -> list[str]:
    found = []
    for kind in KINDS:
        chances = np.array([one.anew for one in visits if one.what == kind])
        if chances.size:
            spread = " ".join(f"{one:.3f}" for one in np.quantile(chances, (0, 0.05, 0.25, 0.5, 0.75, 0.95, 1)))
            found.append(f"{kind}: {chances.size} visits, chance that a card was laid from least to most: {spread}")
    return found


def fitted(visits: list[Visit]) -> tuple[float, ...]:
    """By maximum likelihood, laid against put straight or put back."""
    of = [one for one in visits if one.features is not None and one.what in KINDS[:3]]
    features = np.array([one.features for one in of])
    laid = np.array([float(one.what == "lay") for one in of])
    scale = np.maximum(np.abs(features).max(axis=0), 1e-9)
    features = features / scale
    odds = np.zeros(features.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-features @ odds))
        slope = features.T @ (chance - laid) + STEADY * odds
        bend = features.T @ (features * (chance * (1 - chance))[:, None]) + STEADY * np.eye(len(odds))
        odds = odds - np.linalg.solve(bend, slope)
    return tuple(round(float(one), 2) for one in odds / scale)


if __name__ == "__main__":
    main()

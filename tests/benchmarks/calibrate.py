"""`make calibrate`: prior odds and thresholds, counted in recordings and tried on matches that were not counted.

    python -m tests.benchmarks.calibrate FOLDER [--matches N]

FOLDER holds matches that `tests.benchmarks.sightings record` kept, watched by the reader and the watcher at hand. The
noise of generated sightings is fitted to them (noise.json), the odds are counted in them, and the thresholds are chosen
by what wrong verdicts cost beside open ones. Each value is tried on generated matches; one that makes them worse is
left as it was, and that is said. What comes of all is judged on other seeds, before and after.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from companion.games.triple3 import sight_calibrated
from companion.games.triple3.sight_odds import Odds, Sureness
from tests.benchmarks import noise, watching
from tests.benchmarks.counted_odds import counted_odds
from tests.benchmarks.sightings import Judging, judge_all

MODULE = Path(sight_calibrated.__file__)
PACES = (0.35, 0.75, 1.5, 2.5)  # plays a second
TRIED_ON, HELD_OUT = 62_000, 66_000  # the first seeds; tests.benchmarks.measure judges others
MATCHES = 24  # at each pace
# What a verdict costs beside one that stays open: .93 and .97 follow from it if chances are right.
MISSED, CALLED = 13.0, 32.0  # a foul that passes; an honest player who is called a cheat
LEGAL = (0.85, 0.9, 0.95, 0.97)
ILLEGAL = (0.01, 0.02, 0.05)
HEAD = '''"""Made by `make calibrate`, not by hand.

{about}
"""

from companion.games.triple3.sight_odds import Odds, Sureness

'''


@dataclass(frozen=True, slots=True)
class Calibration:
    odds: Odds
    sureness: Sureness

    @property
    def plain(self) -> dict[str, float]:
        of_all = [(one, field.name) for one in (self.odds, self.sureness) for field in fields(one)]
        return {f"{type(one).__name__.lower()}.{name}": getattr(one, name) for one, name in of_all}


@dataclass(frozen=True, slots=True)
class Cost:
    """Of wrong and open verdicts, on the plays of some matches."""

    plays: int
    wrong: int
    unjust: int
    open: int

    @property
    def total(self) -> float:
        return self.open + MISSED * (self.wrong - self.unjust) + CALLED * self.unjust

    def __str__(self) -> str:
        per_play = 1000 * self.total / max(self.plays, 1)
        return (
            f"{self.wrong} wrong ({self.unjust} honest plays called), {self.open} open of {self.plays} plays: "
            f"{per_play:.1f} per thousand"
        )


def cost(found: Iterable[watching.Result]) -> Cost:
    of = watching.figures(list(found))
    return Cost(of.visible, of.untrue, of.unjust, of.visible - of.told_visible)


class Trials:
    """Judges calibrations on the same matches."""

    def __init__(self, first: int, matches: int, processes: int) -> None:
        self._seeds = [(seed, pace) for pace in PACES for seed in range(first, first + matches)]
        self._processes = processes

    def cost(self, calibration: Calibration) -> Cost:
        found = self.judged(calibration)
        return cost(found)

    def judged(self, calibration: Calibration) -> Sequence[watching.Result]:
        told = calibration.odds, calibration.sureness
        jobs = [Judging(seed, pace, "generated", calibrated=told) for seed, pace in self._seeds]
        return list(judge_all(jobs, self._processes))


def chosen(now: Calibration, counted: dict[str, float], trials: Trials) -> Iterator[tuple[Calibration, str]]:
    """Value by value: what is taken, and a line about it."""
    best, so_far = now, trials.cost(now)
    yield best, f"as it is: {so_far}"
    ways: list[tuple[str, Calibration]] = []
    for name, value in counted.items():
        ways.append((f"{name} {getattr(now.odds, name):g} → {value:g}", _with_odds(best, name, value)))
    every = replace(best, odds=replace(now.odds, **counted))
    at_once = trials.cost(every)
    yield best, f"all that was counted: {at_once}"
    if at_once.total <= so_far.total:
        best, so_far, ways = every, at_once, []
        yield best, "all of it is taken"
    for text, one in ways:
        name = text.split()[0]
        way = _with_odds(best, name, getattr(one.odds, name))
        came_to = trials.cost(way)
        is_taken = came_to.total <= so_far.total
        best, so_far = (way, came_to) if is_taken else (best, so_far)
        yield best, f"{text}: {came_to}; {'taken' if is_taken else 'left as it was'}"
    for name, values in (("legal", LEGAL), ("illegal", ILLEGAL)):
        for value in values:
            way = replace(best, sureness=replace(best.sureness, **{name: value}))
            came_to = trials.cost(way)
            is_taken = came_to.total < so_far.total
            best, so_far = (way, came_to) if is_taken else (best, so_far)
            yield best, f"threshold {name} {value:g}: {came_to}; {'taken' if is_taken else 'left as it was'}"


def _with_odds(calibration: Calibration, name: str, value: float) -> Calibration:
    return replace(calibration, odds=replace(calibration.odds, **{name: value}))


def written(calibration: Calibration, about: str) -> str:
    """The module: what differs from what is assumed."""
    lines = [HEAD.format(about=about)]
    for name, one, usual in (("ODDS", calibration.odds, Odds()), ("SURENESS", calibration.sureness, Sureness())):
        other = [
            f"    {field.name}={getattr(one, field.name):g},\n"
            for field in fields(one)
            if getattr(one, field.name) != getattr(usual, field.name)
        ]
        inside = "\n" + "".join(other) if other else ""
        lines.append(f"{name} = {type(one).__name__}({inside})\n")
    return "".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts prior odds in recordings, and chooses the thresholds.")
    parser.add_argument("folder", type=Path, help="of matches that tests.benchmarks.sightings has recorded")
    parser.add_argument("--matches", type=int, default=MATCHES, help="generated at each pace to try values on")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    matches = list(noise.kept_matches(options.folder))
    if not matches:
        sys.exit(f"There is nothing kept in {options.folder}: record matches into it first.")
    try:
        noise.FILE.write_text(noise.fitted(matches).text, encoding="utf-8")
    except noise.TooFewError as error:
        sys.exit(str(error))
    found = counted_odds(matches)
    for line in found.told:
        print(line, flush=True)  # noqa: T201
    now = before = Calibration(sight_calibrated.ODDS, sight_calibrated.SURENESS)
    for now, line in chosen(before, found.odds, Trials(TRIED_ON, options.matches, options.jobs)):  # noqa: B007
        print(line, flush=True)  # noqa: T201
    held_out = Trials(HELD_OUT, options.matches, options.jobs)
    was, will_be = held_out.cost(before), held_out.cost(now)
    print(f"held out, before: {was}\nheld out, after: {will_be}")  # noqa: T201
    if will_be.total > was.total:
        print("The held-out matches are no better for it: everything stays as it was.")  # noqa: T201
        return
    about = (
        f"From {len(matches)} recorded matches. On {len(PACES) * options.matches} held-out ones, generated at "
        f"{PACES[0]:g} to {PACES[-1]:g} plays\na second: {was} before,\n{will_be} after."
    )
    MODULE.write_text(written(now, about), encoding="utf-8")


if __name__ == "__main__":
    main()

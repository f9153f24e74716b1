"""How far what the watcher tells lies from what truly was: counted in recordings, kept as data, drawn from anew.

`python -m tests.benchmarks.noise FOLDER` fits `noise.json` to matches that `tests.benchmarks.sightings record` kept.
"""

import argparse
import gzip
import json
import sys
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from companion.core.clocks import MILLISECOND
from companion.games.triple3.hands import write_script
from simulator.rendered.script import Script
from tests.benchmarks.true_table import CellVisit, TrueCell, true_cells

FILE = Path(__file__).with_name("noise.json")
POINTS = 40  # of a distribution that is kept
FEWEST = 12  # cases that a distribution of its own is made from
NEEDED = ("again one", "again more", "since", "by", "told")  # where there is none of its own
NEARLY = 66 * MILLISECOND  # before and after a stretch a hand is on its way to the cell
FRAME = 34 * MILLISECOND
FAINT = 0.001  # a chance that is less likely is none
GAPS = (-400, -200, -100, -33, 0, 33, 66, 100, 150, 200, 300, 500, 1000)  # ms between two visits
LENGTHS = (450, 600, 750, 900, 1200, 1800)  # ms, of stretches in which nobody saw a cell


class TooFewError(ValueError):
    """What was recorded does not say enough."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What was counted."""

    about: dict[str, int]
    seen: list[float]  # by the length of a gap between two visits: how often a card was seen in it
    spread: dict[str, list[float]]  # distributions, as so many of their points; milliseconds, or chances
    share: dict[str, float]

    def is_seen(self, rng: Random, gap: int) -> bool:
        return rng.random() < self.seen[bisect_right(GAPS, gap / MILLISECOND)]

    def drawn(self, rng: Random, *names: str) -> float:
        """From the first of these distributions that there is."""
        points = next((self.spread[name] for name in names if name in self.spread), None)
        if points is None:
            raise TooFewError(f"Too few matches were recorded: there is no {names[-1]!r} among what was counted.")
        at = rng.random() * (len(points) - 1)
        low = points[int(at)]
        return low + (points[min(int(at) + 1, len(points) - 1)] - low) * (at - int(at))

    def time(self, rng: Random, *names: str) -> int:
        return int(self.drawn(rng, *names) * MILLISECOND)

    def is_so(self, rng: Random, name: str) -> bool:
        return rng.random() < self.share[name]

    def chance(self, rng: Random, name: str) -> float:
        """What is seldom more than nothing."""
        return self.drawn(rng, name) if name in self.spread and self.is_so(rng, name) else 0.0


def noise(path: Path = FILE) -> Noise:
    """What is kept."""
    return Noise(**json.loads(path.read_text(encoding="utf-8")))


def gap_after(cell: TrueCell, ends: int, follows: CellVisit) -> int:
    """The longest free piece of what lies between two visits; less than nothing where they overlap."""
    apart = follows.begins - ends
    return min(apart, cell.longest_free(ends, follows.begins)) if apart > 0 else apart


def is_crossed(cell: TrueCell, at: int) -> str:
    """Whether something else is over a cell at a moment: as the distributions are named."""
    return "crossed" if any(begins <= at <= ends for begins, ends in cell.across) else "alone"


def visits(script: Script, cell: int, since: int, by: int) -> int:
    """How many hands truly came to a cell in a stretch in which nobody saw it."""
    return sum(
        arm.there <= by + NEARLY and arm.leaves >= since + NEARLY for arm in script.arms if cell in (arm.cell, arm.onto)
    )


def visits_of(cell: TrueCell, since: int, by: int) -> list[CellVisit]:
    """The visits of a stretch; a card that was lifted is seen to be gone only as the hand goes."""
    of = [one for one in cell.visits if since - FRAME <= one.deed <= by + FRAME]
    return of or [one for one in cell.visits if one.deed < since < one.ends + FRAME][-1:]


def of_since(cell: TrueCell, first: CellVisit) -> tuple[str, ...]:
    """The distributions of when a stretch begins, from when its first hand comes."""
    if first.arm.what == "take":
        return "since take", "since"
    return f"since {is_crossed(cell, first.begins - FRAME)}", "since"


def of_by(cell: TrueCell, ends: int) -> tuple[str, ...]:
    """The distributions of when it ends, from when its last hand is gone."""
    return f"by {is_crossed(cell, ends + FRAME)}", "by"


def of_again(cell: TrueCell, came: int, since: int, by: int) -> tuple[str, ...]:
    """The distributions from which `again` is drawn, the most special one first."""
    kind = "one" if came < 2 else "hidden" if cell.changes(since, by) > 1 else "more"
    return f"again {kind} {bisect_right(LENGTHS, (by - since) / MILLISECOND)}", f"again {kind}", "again more"


def of_carried(cell: TrueCell, since: int, by: int) -> str:
    """The distribution of how likely a card was held there and carried away."""
    is_held = any(begins < by and since < ends for _, begins, ends in cell.held())
    return "carried" if is_held else "not carried"


# --- Fitted


@dataclass(frozen=True, slots=True)
class Told:
    """A card that was seen, as it was kept."""

    since: int
    by: int
    stamp: int
    card: str
    again: float
    arms: tuple[str, ...]
    between: dict[str, float]
    carried: float


@dataclass
class Counting:
    """Counts match after match."""

    seen: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(len(GAPS) + 1)])
    spread: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    share: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    about: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def take(self, match: dict[str, Any]) -> None:
        script = write_script(match["seed"], players=2 + match["seed"] % 3, pace=match["pace"])
        told = told_cards(match["frames"])
        self.about["matches"] += 1
        for cell in true_cells(script):
            of = told.get(cell.number, [])
            self._gaps(script, cell, of)
            self._crossings(cell, match["frames"])
            for one in of:
                self._sighting(script, cell, one)
            for held, begins, ends in cell.held():
                is_told = any(one.card == held and begins < one.stamp <= ends for one in of)
                self._count("held card is told", is_told)

    def _gaps(self, script: Script, cell: TrueCell, told: Sequence[Told]) -> None:
        """What a lamp or an edge of something keeps from being read does not count."""
        ends = 0
        for visit, after in cell.with_next():
            ends = max(ends, visit.ends)
            if after is None or _is_spoilt(script, ends, after.begins):
                continue
            if (was_seen := _was_seen(cell, visit, after, told)) is None:
                continue
            counted = self.seen[bisect_right(GAPS, gap_after(cell, ends, after) / MILLISECOND)]
            counted[0] += was_seen
            counted[1] += 1

    def _sighting(self, script: Script, cell: TrueCell, one: Told) -> None:
        self.about["sightings"] += 1
        self._read(script, cell, one)
        of = visits_of(cell, one.since, one.by)
        came = visits(script, cell.number, one.since, one.by)
        for name in set(of_again(cell, came, one.since, one.by)[: 2 if came < 2 else 3]):
            self.spread[name].append(one.again)
        self._glimpsed(cell, one)
        if not of:
            self.about["without a visit"] += 1
            return
        first, ends = min(of, key=lambda visit: visit.begins), max(visit.ends for visit in of)
        for name in of_since(cell, first):
            self.spread[name].append((one.since - first.begins) / MILLISECOND)
        for name in of_by(cell, ends):
            self.spread[name].append((one.by - ends) / MILLISECOND)
        self.spread["told"].append((one.stamp - one.by) / MILLISECOND)
        for seat in {visit.arm.seat for visit in of}:
            self._count("side is told", seat in one.arms)

    def _glimpsed(self, cell: TrueCell, one: Told) -> None:
        """What was made out of a card that the next one covered, or that was carried away; and of none."""
        if covered := cell.covered(one.since, one.by):
            self._chance("covered", one.between.get(covered, 0.0))
        else:
            self._chance("not covered", max(one.between.values(), default=0.0))
            self._chance(of_carried(cell, one.since, one.by), one.carried)

    def _chance(self, name: str, chance: float) -> None:
        self._count(name, chance > FAINT)
        if chance > FAINT:
            self.spread[name].append(chance)

    def _read(self, script: Script, cell: TrueCell, one: Told) -> None:
        """Whether it was read rightly; what lies under an edge of something does not count."""
        wrong = one.card not in (cell.shows(one.by), cell.shows(one.stamp))
        if any(one.card == held and begins < one.stamp <= ends for held, begins, ends in cell.held()):
            return
        if wrong and _is_spoilt(script, one.stamp, one.stamp):
            self.about["told of what is half covered"] += 1
        else:
            self._count("misread", wrong)

    def _crossings(self, cell: TrueCell, frames: Sequence[Any]) -> None:
        """Whether a cell that arms only reach across is still seen."""
        stamps = [row[0] for row in frames]
        for begins, ends in cell.across:
            if any(one.begins < ends and begins < one.ends for one in cell.visits):
                continue
            middle = (begins + ends) // 2
            at = bisect_right(stamps, middle) - 1
            now, _, seen = frames[at][2][cell.number - 1]
            self._count("crossed unseen", now != "clear" and seen < begins)

    def _count(self, name: str, *happened: bool) -> None:
        for one in happened:
            self.share[name][0] += one
            self.share[name][1] += 1

    @property
    def text(self) -> str:
        """As it is kept; a TooFewError says what is missing."""
        if missing := [name for name in NEEDED if len(self.spread[name]) < FEWEST]:
            raise TooFewError(f"Too few matches were recorded: of {missing[0]!r} there are not {FEWEST} cases.")
        found = self.noise()
        return json.dumps({name: getattr(found, name) for name in Noise.__dataclass_fields__}, indent=1) + "\n"

    def noise(self) -> Noise:
        return Noise(
            dict(self.about),
            _shares(self.seen),
            {name: _points(values) for name, values in sorted(self.spread.items()) if len(values) >= FEWEST},
            {name: round(count / max(of, 1), 5) for name, (count, of) in self.share.items()},
        )


def told_cards(frames: Iterable[Any]) -> dict[int, list[Told]]:
    found: dict[int, list[Told]] = defaultdict(list)
    for _, sightings, _ in frames:
        for kind, of in sightings:
            if kind == "CardSeen" and of["after"][2]:
                by = max(of["by"] or of["stamp"], of["since"])
                between, carried = dict(of.get("between", ())), of.get("carried", 0.0)
                hands = of["again"], tuple(of["arms"])
                found[of["cell"]].append(Told(of["since"], by, of["stamp"], of["after"][2], *hands, between, carried))
    return found


def _is_spoilt(script: Script, begins: int, ends: int) -> bool:
    """Whether something but hands may have kept cells from being read."""
    return any(one.what in ("cover", "glare") and one.at <= ends and begins <= one.until for one in script.mishaps)


def _was_seen(cell: TrueCell, visit: CellVisit, after: CellVisit, told: Sequence[Told]) -> bool | None:
    """Whether the cell was seen between two visits; None if nothing tells."""
    done, next_done = sorted((visit.deed, after.deed))
    if any(one.card == cell.shows(done) and done - FRAME <= one.by < next_done for one in told):
        return True
    if any(max(after.begins - 2 * FRAME, done) <= one.since <= next_done for one in told):
        return True
    return False if any(one.since < done and one.by > next_done - FRAME for one in told) else None


def _shares(counted: Sequence[Sequence[int]]) -> list[float]:
    """Never falling with the length: neighbours that fall are taken together."""
    groups = [[count + 0.25, of + 0.5, 1.0] for count, of in counted]
    at = 0
    while at + 1 < len(groups):
        one, other = groups[at], groups[at + 1]
        if one[0] * other[1] > other[0] * one[1]:
            groups[at : at + 2] = [[a + b for a, b in zip(one, other, strict=True)]]
            at = max(at - 1, 0)
        else:
            at += 1
    return [round(count / of, 4) for count, of, bins in groups for _ in range(int(bins))]


def _points(values: Iterable[float]) -> list[float]:
    ordered = sorted(values)
    last = len(ordered) - 1
    return [round(ordered[round(at * last / POINTS)], 4) for at in range(POINTS + 1)]


def kept_matches(folder: Path, pace: str = "") -> Iterator[dict[str, Any]]:
    """The matches that are kept in a folder."""
    for path in sorted(folder.glob(f"{pace}*.json.gz")):
        yield json.loads(gzip.decompress(path.read_bytes()))


def fitted(matches: Iterable[dict[str, Any]]) -> "Counting":
    """Counted in these matches."""
    counting = Counting()
    for match in matches:
        counting.take(match)
    return counting


def main() -> None:
    parser = argparse.ArgumentParser(description="Fits the noise of what the watcher tells to recordings.")
    parser.add_argument("folder", type=Path)
    counting = fitted(kept_matches(parser.parse_args().folder))
    try:
        FILE.write_text(counting.text, encoding="utf-8")
    except TooFewError as error:
        sys.exit(str(error))
    print(counting.noise().about, counting.noise().share, sep="\n")  # noqa: T201
    for longer, (count, of) in zip(("overlap", *GAPS), counting.seen, strict=True):
        print(f"gap from {longer} ms: seen in {count} of {of}")  # noqa: T201


if __name__ == "__main__":
    main()

"""Sightings without pixels: what the watcher would tell of a script, by its true table and by counted noise.

A cell is hidden while hands come to it. In a gap between two visits it is seen or not, by the length of the gap; what
is told then has the stamps that the watcher gives, with their errors, and `again` as it comes out for one hand and for
more. `perfect` has no noise: all that a perfect eye could see.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from companion.core.clocks import MILLISECOND, SECOND
from companion.games.triple3.rules import DECK
from simulator.rendered.script import Script
from tests.benchmarks.noise import Noise, gap_after, of_again, of_by, of_carried, of_since, visits
from tests.benchmarks.true_table import CellVisit, TrueCell, joined, true_cells
from tests.watched import TABLE
from vision.sightings import (
    CannotRead,
    CardSeen,
    CellNow,
    GridSeen,
    Look,
    NoCard,
    Now,
    Side,
    Sighting,
    TableSeen,
)

SQUARE = np.zeros((1, 1, 3), np.uint8)
SOON = MILLISECOND  # after a deed a card lies
UNTIL_TOLD = 800 * MILLISECOND  # for which a cell is tried before it is told that it cannot be read
UNSURE = 0.6  # of a doubtful look: the card that it is ...
ALIKE = 0.25  # ... and one that looks like it
Row = tuple[int, list[Sighting], tuple[CellNow, ...]]  # a frame: its stamp, what is told with it, what the cells are


@dataclass(frozen=True, slots=True)
class Reading:
    """How good the reader is, beside what the noise has of it."""

    doubtful: float = 0.0  # of looks at a card that has just come to lie there
    wrong: float = 0.0


GOOD, BAD = Reading(), Reading(0.3, 0.02)


@dataclass(frozen=True, slots=True)
class Seen:
    """A cell is seen again after hands were there."""

    since: int  # nobody saw it from then ...
    by: int  # ... until then
    stamp: int  # when it is told
    again: float
    arms: tuple[Side, ...]
    between: tuple[tuple[str, float], ...] = ()  # what was made out of a card that the next one covered
    carried: float = 0.0


@dataclass
class Telling:
    """What is told, in the order of the stamps."""

    script: Script
    sightings: list[Sighting] = field(default_factory=list)
    nows: list[tuple[int, int, CellNow]] = field(default_factory=list)  # stamp, cell, what it is from then on

    def frame(self, at: float) -> int:
        """The number of the first frame that is not before a moment."""
        return max(0, -int(-at * self.script.rate // SECOND))

    def stamp(self, at: float) -> int:
        return round(self.frame(at) * SECOND / self.script.rate)

    def look(self, at: int, card: str, chance: float = 0.998) -> Look:
        return Look(at, self.frame(at), card or None, "card" if card else "empty", chance, SQUARE)

    def show(self, cell: int, at: int, now: Now, seen: int) -> None:
        self.nows.append((at, cell, CellNow(now, at, seen)))

    def rows(self) -> Iterator[Row]:
        """Frame by frame, where there is something to tell."""
        cells = [CellNow("clear", 0)] * 9
        told: dict[int, list[Sighting]] = {}
        for one in sorted(self.sightings, key=lambda one: one.stamp):
            told.setdefault(one.stamp, []).append(one)
        nows: dict[int, list[tuple[int, CellNow]]] = {}
        for stamp, cell, now in sorted(self.nows, key=lambda one: one[0]):
            nows.setdefault(stamp, []).append((cell, now))
        for stamp in sorted({0, *told, *nows}):
            for cell, now in nows.get(stamp, ()):
                cells[cell - 1] = now
            yield stamp, told.get(stamp, []), tuple(cells)


def generated(script: Script, noise: Noise, reading: Reading = GOOD) -> Iterator[Row]:
    """What the watcher would tell; the same for the same script."""
    telling, rng = Telling(script), Random(f"sightings {script.seed} {script.about.get('pace')}")
    cells = true_cells(script)
    _begin(telling, cells)
    for cell in cells:
        _watch(telling, cell, noise, reading, rng)
        _crossings(telling, cell, noise, rng)
    return telling.rows()


def perfect(script: Script) -> Iterator[Row]:
    """What an eye would tell that reads each cell in every frame in which no arm is over it, and knows each hand."""
    telling, cells = Telling(script), true_cells(script)
    _begin(telling, cells)
    for cell in cells:
        told, since = cell.shows(0), -1
        hidden = cell.hidden()
        for (begins, ends), (following, _) in zip(hidden, [*hidden[1:], (script.length, 0)], strict=True):
            since = begins if since < 0 else since
            telling.show(cell.number, telling.stamp(since), "covered", since)
            stamp = telling.stamp(ends)
            if stamp < following:  # else they leave no frame between them
                again = float(visits(script, cell.number, since, ends) > 1)
                _report(telling, cell, Seen(since, ends, stamp, again, ()), told, cell.shows(ends))
                told, since = cell.shows(ends), -1
    return telling.rows()


def _begin(telling: Telling, cells: Sequence[TrueCell]) -> None:
    looks = tuple(telling.look(0, cell.shows(0)) for cell in cells)
    telling.sightings += [TableSeen(0, 0, TABLE, moved=False), GridSeen(0, 0, looks)]


# --- With noise


def _watch(telling: Telling, cell: TrueCell, noise: Noise, reading: Reading, rng: Random) -> None:
    """Visit after visit: in a stretch in which nobody saw the cell, or could read it, they are one."""
    of: list[CellVisit] = []
    last = Seen(0, 0, 0, 0.0, ())
    told, ends, is_doubted = cell.shows(0), 0, False
    for visit, follows in cell.with_next():
        if visit.arm.what == "hover" and visit.arm.lying and not of and noise.is_so(rng, "held card is told"):
            last = _held(telling, visit, last.by)
            _report(telling, cell, last, told, visit.arm.lying.card)
            told = visit.arm.lying.card
        of.append(visit)
        ends = max(ends, visit.ends)
        if follows is not None and not noise.is_seen(rng, gap_after(cell, ends, follows)):
            continue
        seen = _seen(telling, cell, of, (last.by, ends), follows, noise, rng)
        seen = replace(seen, stamp=max(seen.stamp, telling.stamp(last.stamp + 1)))
        telling.show(cell.number, telling.stamp(seen.since), "covered", telling.stamp(seen.since))
        card = cell.shows(seen.by)
        drawn = rng.random()
        if card and drawn < reading.wrong + noise.share["misread"]:
            card = _alike(rng, card)
        elif card and card != told and drawn < reading.wrong + reading.doubtful:
            last = replace(last, stamp=_doubt(telling, cell, seen, told, follows, rng, is_told=is_doubted))
            is_doubted = is_doubted or last.stamp > seen.stamp
            continue
        _report(telling, cell, seen, told, card)
        told, last, ends, of, is_doubted = card, seen, 0, [], False


def _held(telling: Telling, visit: CellVisit, earliest: int) -> Seen:
    """A card that a hand holds over the cell is taken for one that lies there."""
    since, by = max(earliest, visit.begins), max(earliest, (visit.begins + visit.ends) // 2)
    return Seen(since, by, telling.stamp(by), 0.0, (visit.arm.seat,))


def _seen(
    telling: Telling,
    cell: TrueCell,
    of: Sequence[CellVisit],
    bounds: tuple[int, int],
    follows: CellVisit | None,
    noise: Noise,
    rng: Random,
) -> Seen:
    earliest, ends = bounds
    first, last = min(of, key=lambda visit: visit.begins), max(visit.deed for visit in of)
    since = first.begins + noise.time(rng, *of_since(cell, first))
    done = min(visit.deed if visit.arm.what != "take" else visit.ends for visit in of)
    since = max(earliest, min(since, done))
    by = max(ends + noise.time(rng, *of_by(cell, ends)), last + SOON, since)
    told = by + noise.time(rng, "told")
    if follows is not None:  # before what it does
        by = min(by, max(follows.deed - SOON, last + SOON, since))
        told = min(told, max(follows.begins, by))
    stamp = telling.stamp(told)
    came = visits(telling.script, cell.number, since, by)
    again = noise.drawn(rng, *of_again(cell, came, since, by))
    arms = tuple(dict.fromkeys(visit.arm.seat for visit in of if noise.is_so(rng, "side is told")))
    between, carried = _glimpsed(cell, since, by, noise, rng)
    return Seen(since, by, stamp, min(max(again, 0.0), 1.0), arms, between, carried)


def _glimpsed(
    cell: TrueCell, since: int, by: int, noise: Noise, rng: Random
) -> tuple[tuple[tuple[str, float], ...], float]:
    """What is made out of a card that was covered unseen, or of none, and how likely one was carried away."""
    covered = cell.covered(since, by)
    if covered:
        chance = noise.chance(rng, "covered")
        return (((covered, chance),) if chance else ()), 0.0
    chance, carried = noise.chance(rng, "not covered"), noise.chance(rng, of_carried(cell, since, by))
    other = rng.choice([card for card in DECK if card != cell.shows(by)])
    return (((other, chance),) if chance else ()), carried


def _report(telling: Telling, cell: TrueCell, seen: Seen, told: str, card: str) -> None:
    telling.show(cell.number, seen.stamp, "clear", seen.stamp)
    if card != told:
        telling.sightings.append(_change(telling, cell, seen, told, card))


def _change(telling: Telling, cell: TrueCell, seen: Seen, told: str, card: str) -> Sighting:
    stamp, number = seen.stamp, telling.frame(seen.stamp)
    before, after = telling.look(seen.since, told), telling.look(stamp, card)
    if not card:
        return NoCard(stamp, number, cell.number, before, after, seen.since)
    hands = seen.arms, seen.by, seen.again
    return CardSeen(stamp, number, cell.number, before, after, seen.since, *hands, seen.between, seen.carried)


def _doubt(
    telling: Telling,
    cell: TrueCell,
    seen: Seen,
    told: str,
    follows: CellVisit | None,
    rng: Random,
    *,
    is_told: bool,
) -> int:
    """A look that leaves in doubt what lies there: told once when that has lasted, unless hands come again before. The
    stamp of it."""
    later = telling.stamp(seen.stamp + UNTIL_TOLD)
    if is_told or (follows is not None and follows.begins <= later):
        telling.show(cell.number, seen.stamp, "changed", seen.since)
        return seen.stamp
    card = cell.shows(seen.by)
    faces = tuple(sorted(((card, UNSURE), (_alike(rng, card), ALIKE)), key=lambda one: -one[1]))
    number = telling.frame(later)
    before, likeliest = telling.look(seen.since, told), telling.look(later, *faces[0])
    change = CardSeen(later, number, cell.number, before, likeliest, seen.since, seen.arms, seen.by, seen.again)
    telling.show(cell.number, later, "unreadable", seen.since)
    telling.sightings.append(CannotRead(later, number, cell.number, "it is not clear which", faces, faces, change))
    return later


def _crossings(telling: Telling, cell: TrueCell, noise: Noise, rng: Random) -> None:
    """While only arms on their way elsewhere are over a cell."""
    for begins, ends in joined(cell.across):
        near = any(one.begins <= ends and begins <= one.ends for one in cell.visits)
        if not near and noise.is_so(rng, "crossed unseen"):
            telling.show(cell.number, telling.stamp(begins), "covered", begins)
            telling.show(cell.number, telling.stamp(ends), "clear", ends)


def _alike(rng: Random, card: str) -> str:
    """A card that is one value away from another."""
    values = card.split("-")
    return rng.choice([one for one in DECK if sum(map(str.__ne__, one.split("-"), values)) == 1])

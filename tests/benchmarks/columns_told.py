"""Many matches of Tres by what an eye tells, without pixels: `python -m tests.benchmarks.columns_told`.

Bots' scripts become sightings, with what the eye was counted to miss in matches by pixels (`EyeNoise`): arms that are
not known or another's too, hands at the pile that are told late, or not at all, cards read in doubt. What was never
counted, because it did not happen there, is taken to happen now and then. People answer what they are asked, and that
is counted.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import cast

import numpy as np

from companion.core.clocks import SECOND
from companion.games.tres.columns import COLUMNS, DISCARD_PILE, DRAW_PILE, PLACES
from companion.games.tres.hands import ROUND, write_script
from simulator.rendered.script import Script, ScriptedArm
from tests.benchmarks.columns_watched import told
from tests.tres.told_table import ToldEye
from tests.tres.watched import TresTally, WatchedTres, judged, seated
from vision.frames import Frame
from vision.locate import TableView
from vision.mat import COLUMNS as MAT
from vision.sightings import CannotRead, CardSeen, GridSeen, HandsSeen, Look, NoCard, Side, Sighting, TableSeen
from vision.watcher import Watcher

FIRST, MATCHES = 400_000, 100
SQUARE = np.zeros((1, 1, 3), np.uint8)
STEP = SECOND // 4
ALIKE = {"yellow-3": "yellow-5"}  # what is read in doubt, and what it may be


@dataclass(frozen=True, slots=True)
class EyeNoise:
    """How often the eye tells otherwise than it was."""

    no_arm: float = 0.22  # of cards laid: 86 of 391
    other_arm: float = 0.005  # 2 of 391
    two_arms: float = 0.01  # of hands at the pile: none of 66
    no_hand: float = 0.045  # 3 of 66
    other_hand: float = 0.003  # none of 66
    unseen: float = 0.01  # none of 66
    late: float = 0.03  # of hands at the pile: told two seconds later, with what comes meanwhile; none of 66
    alike: float = 0.02  # the pile looks as it did: 1 of 66
    doubted: float = 0.4  # of the cards that are alike
    misread: float = 0.0005  # none of 924


NOISE = EyeNoise()


@dataclass(slots=True)
class _Timed:
    """Something that is told at a stamp; a place is hidden until then."""

    stamp: int
    place: int
    hidden: int
    face: str | None = None  # what a place shows
    arms: tuple[Side, ...] = ()
    since: int = 0
    by: int = 0
    otherwise: float = 0.0


class NoisyEye:
    """Tells what hands of a script do."""

    def __init__(self, script: Script, noise: EyeNoise = NOISE) -> None:
        self._script, self._noise, self._rng = script, noise, Random(script.seed)
        self._looks = {place: self._look("", 0) for place in range(1, PLACES + 1)}
        for place in COLUMNS:
            self._looks[place] = self._look(script.grid[place - 1][0].card, 0)
        self.timed = sorted(self._all(), key=lambda one: one.stamp)

    def _look(self, face: str, stamp: int, sure: float = 0.99) -> Look:
        return Look(stamp, 0, face or None, "card" if face else "empty", sure, SQUARE)

    def first(self) -> list[Sighting]:
        view = TableView(np.zeros((PLACES, 4, 2), np.float32), "markers", MAT, "", MAT.shape)
        return [TableSeen(0, 0, view, moved=False), GridSeen(0, 0, tuple(self._looks.values()))]

    def _all(self) -> Iterator[_Timed]:
        hands: list[_Timed] = []
        for arm in self._script.arms:
            if arm.what == "lay" and arm.cell <= PLACES and arm.lying:
                yield self._laid(arm, arm.lying.card)
            elif arm.what == "take":
                for cell, at in arm.gathers:
                    if cell <= PLACES:
                        told_at = arm.gone + round(self._rng.uniform(0.4, 1.4) * SECOND)
                        yield _Timed(told_at, cell, at - STEP, "", since=at - STEP, by=told_at)
            if arm.cell == DRAW_PILE and self._rng.random() >= self._noise.unseen:
                hands.append(self._at_the_pile(arm))
        yield from _joined(hands)

    def _laid(self, arm: ScriptedArm, card: str) -> _Timed:
        stamp = arm.gone + round(self._rng.uniform(-0.2, 0.05) * SECOND)
        arms = self._arms(arm.seat, self._noise.no_arm, self._noise.other_arm, 0.0)
        if self._rng.random() < self._noise.misread:
            card = self._rng.choice(["red-1", "blue-7", "green-4"])
        return _Timed(stamp, arm.cell, arm.there - STEP, card, arms, arm.there - STEP, arm.deed + STEP)

    def _at_the_pile(self, arm: ScriptedArm) -> _Timed:
        noise, rng = self._noise, self._rng
        late = rng.uniform(1.5, 2.2) if rng.random() < noise.late else rng.uniform(0, 0.2)
        is_taken = arm.what == "take" and rng.random() >= noise.alike
        arms = self._arms(arm.seat, noise.no_hand, noise.other_hand, noise.two_arms)
        otherwise = rng.uniform(0.15, 0.5) if is_taken else 0.0
        stamp = arm.gone + round(late * SECOND)
        return _Timed(stamp, DRAW_PILE, arm.there, None, arms, arm.there - STEP, arm.gone - STEP, otherwise)

    def _arms(self, seat: Side, none: float, other: float, two: float) -> tuple[Side, ...]:
        chance = self._rng.random()
        if chance < none:
            return ()
        another: Side = self._rng.choice([side for side in ROUND if side != seat])
        if chance < none + other:
            return (another,)
        return (seat, another) if chance < none + other + two else (seat,)

    def told_at(self, one: _Timed) -> list[Sighting]:
        if one.face is None:
            return [HandsSeen(one.stamp, 0, DRAW_PILE, one.since, one.by, one.arms, one.otherwise)]
        before = self._looks[one.place]
        if one.face == (before.card or ""):
            return []
        if one.face in ALIKE and self._rng.random() < self._noise.doubted:
            return [self._doubted(one, before)]
        after = self._looks[one.place] = self._look(one.face, one.stamp)
        if not one.face:
            return [NoCard(one.stamp, 0, one.place, before, after, one.since)]
        return [CardSeen(one.stamp, 0, one.place, before, after, one.since, one.arms, one.by)]

    def _doubted(self, one: _Timed, before: Look) -> Sighting:
        sure = self._rng.uniform(0.5, 0.96)
        faces = ((str(one.face), sure), (ALIKE[str(one.face)], 1 - sure))
        after = self._look(str(one.face), one.stamp, sure)
        change = CardSeen(one.stamp, 0, one.place, before, after, one.since, one.arms, one.by)
        self._looks[one.place] = after
        return CannotRead(one.stamp, 0, one.place, "it may be 3 or 5", faces, faces, change)


def _joined(hands: list[_Timed]) -> Iterator[_Timed]:
    """Who comes to the pile before it was told who had been there is told with him."""
    waiting: _Timed | None = None
    for one in sorted(hands, key=lambda one: one.since):
        if waiting is not None and one.since < waiting.stamp:
            waiting.stamp, waiting.by = max(waiting.stamp, one.stamp), max(waiting.by, one.by)
            waiting.arms = tuple(dict.fromkeys((*waiting.arms, *one.arms)))
            waiting.otherwise = max(waiting.otherwise, one.otherwise)
            continue
        if waiting is not None:
            yield waiting
        waiting = one
    if waiting is not None:
        yield waiting


def watched_without_pixels(script: Script, noise: EyeNoise = NOISE) -> WatchedTres:
    """A match told by an eye that is as good as the one that sees pixels, or as the noise says."""
    noisy, eye = NoisyEye(script, noise), ToldEye()
    found = seated(script, cast("Watcher", eye), helped=True)
    found.step(noisy.first(), _frame(0))
    left = list(noisy.timed)
    for stamp in range(STEP, script.length + 8 * SECOND, STEP):
        _cells(eye, left, stamp)
        while left and left[0].stamp <= stamp:
            one = left.pop(0)
            seen = noisy.told_at(one)
            is_doubted = any(isinstance(sighting, CannotRead) for sighting in seen)
            eye.now_shows(one.place, "unreadable" if is_doubted else "clear", one.stamp)
            found.step(seen, _frame(one.stamp))
        found.step([], _frame(stamp))
    return found


def _cells(eye: ToldEye, left: list[_Timed], stamp: int) -> None:
    for one in left:
        if one.hidden > stamp + 3 * SECOND:
            return
        if one.hidden <= stamp and eye.cells[one.place - 1].now == "clear" and one.place != DISCARD_PILE:
            eye.now_shows(one.place, "covered", one.hidden)


def _frame(stamp: int) -> Frame:
    return Frame(SQUARE, SQUARE[..., 0], stamp, 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    options = parser.parse_args()
    tallies: list[TresTally] = [
        judged(watched_without_pixels(write_script(seed)))
        for seed in range(options.first, options.first + options.matches)
    ]
    print(*told(tallies), sep="\n")  # noqa: T201


if __name__ == "__main__":
    main()

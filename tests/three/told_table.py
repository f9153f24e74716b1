"""A script of Three! told as a watcher would, without pixels, with noise that is partly counted on rendered tables.

What the places look like is taken from the script; how likely a card was laid on its like is drawn as it came on
rendered tables; when a place is seen and whose arms were there is assumed. Nothing of light, of a mat that moves or
of arms that cross.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

import numpy as np

from companion.games.three.hands_course import DRAW, SIDES
from simulator.rendered.script import Script, ScriptedArm
from vision.frames import Frame
from vision.locate import TableView
from vision.mat import BANKS
from vision.sightings import CardSeen, CellNow, GridSeen, HandsSeen, Look, NoCard, SameSeen, Side, Sighting, TableSeen

SECOND = 1_000_000_000
STEP = SECOND // 10
SQUARE = np.zeros((2, 2, 3), np.uint8)
CELLS = len(BANKS.places)
# How likely a card was said to be laid on its like, from least to most, by what was done: eleven rendered matches.
LAID = (0.09, 0.15, 0.15, 0.23, 0.42, 0.6, 0.8, 0.86, 0.9, 0.93, 0.95, 0.97, 0.98, 0.985, *(0.995,) * 6)
PUT_STRAIGHT = (0.001, 0.002, 0.004, 0.01, 0.02, 0.035, 0.05, 0.08, 0.11, 0.15, 0.2, 0.3, 0.43, 0.6)
IN_THE_HAND, NO_ARM, BOTH_ARMS = 0.4, 0.05, 0.03  # shares: a pile is seen while it is lifted; no arm, or one too many
BARE = SECOND // 2  # before a place is told as bare


@dataclass
class ToldTable:
    """The eye that a bench asks; `watch` tells what has become known."""

    script: Script
    looks: tuple[Look | None, ...] = (None,) * CELLS
    table: TableView | None = None
    changed: bool = False
    _due: list[tuple[int, Sighting]] = field(default_factory=list)
    _over: list[tuple[int, int, int]] = field(default_factory=list)  # cell, from and until when an arm is there

    def __post_init__(self) -> None:
        self._rng = Random(self.script.seed)
        self._shown: dict[int, Look] = {cell: self._look("", 0) for cell in range(1, CELLS + 1)}
        self._piles: dict[int, list[str]] = {cell: [] for cell in range(1, CELLS + 1)}
        view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", BANKS)
        self._due = [(0, TableSeen(0, 0, view, moved=False)), (STEP, GridSeen(STEP, 1, tuple(self._shown.values())))]
        for arm in sorted(self.script.arms, key=lambda one: one.deed):
            self._over.append((arm.cell, arm.enters + (arm.there - arm.enters) // 2, arm.gone))
            self._tell(arm)
        self._due.sort(key=lambda one: one[0])

    # --- what a bench asks

    def frames(self) -> Iterator[Frame]:
        for number in range(self.script.length // STEP):
            yield Frame(SQUARE, SQUARE[..., 0], number * STEP, number)

    def watch(self, frame: Frame) -> list[Sighting]:
        self._now = frame.stamp
        found = [one for stamp, one in self._due if frame.stamp - STEP < stamp <= frame.stamp]
        return [replace(one, stamp=frame.stamp, number=frame.number) for one in found]

    @property
    def cells(self) -> Sequence[CellNow]:
        found = []
        for cell in range(1, CELLS + 2):
            since = next((first for at, first, last in self._over if at == cell and first <= self._now < last), None)
            found.append(CellNow("clear", 0) if since is None else CellNow("covered", since))
        return found

    def expect(self, prior: object) -> None:
        del prior

    def look_again(self, cells: tuple[int, ...]) -> None:
        """It sees the same."""

    # --- what becomes known

    def _look(self, dog: str, stamp: int) -> Look:
        return Look(stamp, 0, dog or None, "card" if dog else "empty", 0.999, SQUARE)

    def _tell(self, arm: ScriptedArm) -> None:
        if arm.cell == DRAW and arm.what == "take":
            self._drawn(arm)
        elif arm.cell in self._piles:
            self._visited(arm)

    def _drawn(self, arm: ScriptedArm) -> None:
        arms = [arm.seat]
        if self._rng.random() < BOTH_ARMS:
            arms.append(self._rng.choice([side for side in SIDES if side != arm.seat]))
        self._due.append((arm.gone, HandsSeen(0, 0, CELLS + 1, arm.enters, arm.gone, tuple(arms), 0.3)))

    def _visited(self, arm: ScriptedArm) -> None:
        pile = self._piles[arm.cell]
        anew = 0.0
        match arm.what:
            case "lay" if arm.lying:
                pile.append(arm.lying.card)
                anew = self._rng.choice(LAID)
            case "put" if arm.lying:
                pile[:] = [*(one.card for one in arm.pile), arm.lying.card]
                anew = self._rng.choice((*PUT_STRAIGHT, *LAID))
            case "take":
                pile.pop()
                anew = self._rng.choice(LAID)
            case "square":
                anew = self._rng.choice(PUT_STRAIGHT)
            case "lift":
                if self._rng.random() < IN_THE_HAND:
                    self._shows(arm, pile[-1], 0.5, arm.deed)
                pile.clear()
        at = arm.leaves + int(self._rng.uniform(0.1, 0.6) * (arm.gone - arm.leaves))
        self._shows(arm, pile[-1] if pile else "", anew, at)

    def _shows(self, arm: ScriptedArm, dog: str, anew: float, at: int) -> None:
        before, after = self._shown[arm.cell], self._look(dog, at)
        arms: tuple[Side, ...] = () if self._rng.random() < NO_ARM else (arm.seat,)
        since = arm.enters + (arm.there - arm.enters) // 2
        if not dog:
            if self._is_bare_until(arm) - at < BARE:
                return
            self._due.append((at + BARE, NoCard(0, 0, arm.cell, before, after, since)))
        elif before.card == dog:
            self._due.append((at, SameSeen(0, 0, arm.cell, before, after, since, arms, at, anew)))
        else:
            self._due.append((at, CardSeen(0, 0, arm.cell, before, after, since, arms, at)))
        self._shown[arm.cell] = after

    def _is_bare_until(self, arm: ScriptedArm) -> int:
        """When the next hand comes there."""
        later = [one.there for one in self.script.arms if one.cell == arm.cell and one.enters > arm.deed]
        return min(later, default=self.script.length)

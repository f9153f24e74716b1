"""Matches of Threepia by sightings: `python -m tests.benchmarks.fields_told --seen FOLDER`.

What the eye saw of each visit of an arm is drawn from what it saw by pixels (`fields_watched --seen`): when each place
came to light, whose arm was made out, how the pile looked, what was taken for hands at the pile. What befalls a table
besides is in there only as far as it was in those visits. Bots answer what they are asked.
"""

import argparse
import gzip
import pickle
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from companion.games.threepia.hands import plays_of, write_script
from companion.games.threepia.lattice import LaidField
from simulator.rendered.script import Script, ScriptedArm
from tests.benchmarks.fields_watched import told
from tests.benchmarks.match_figures import keep_figures, kept_figures
from tests.threepia.watched import NOTHING, KeptEye, KeptFrame, Tally, judged, watched
from vision.locate import TableView
from vision.mat import LATTICE
from vision.sightings import CardSeen, CellNow, GridSeen, HandsSeen, Look, Side, Sighting, TableSeen

SECOND = 1_000_000_000
FRAME = SECOND // 10
FIRST = 1_000_000
CELLS = len(LATTICE.places)
SIDES: tuple[Side, ...] = ("top", "right", "bottom", "left")
NEAR, LATE = 6 * SECOND // 10, 4 * SECOND  # around a deed


class CellGlance(NamedTuple):
    """Of one place of the lattice that changed: stamps from the deed on, and whose arms were made out."""

    since: int
    by: int
    stamp: int
    own: bool
    other: bool


class PileGlance(NamedTuple):
    since: int
    by: int
    stamp: int
    own: bool
    other: bool
    otherwise: float


@dataclass
class Seen:
    """What was seen of visits."""

    cards: list[list[CellGlance]] = field(default_factory=list)  # of each card that was laid or lifted
    draws: list[PileGlance | None] = field(default_factory=list)  # of each hand at the pile; None: nothing
    passing: list[PileGlance | None] = field(default_factory=list)  # of each arm that was elsewhere


def _lies(script: Script) -> LaidField:
    from companion.core.house import house_as_kept  # noqa: PLC0415
    from companion.games import game  # noqa: PLC0415

    house = house_as_kept(game("threepia"), script.about["house"])
    return LaidField(house.field, LATTICE.shape, *script.about["lies"])


def learnt(folder: Path) -> Seen:
    """From every match that is kept there."""
    seen = Seen()
    for file in sorted(folder.glob("*.seen")):
        script = write_script(int(file.name.split("-")[0]), rate=10.0)
        kept: list[KeptFrame] = pickle.loads(gzip.decompress(file.read_bytes()))
        _learn(script, [one for frame in kept for one in frame.sightings], seen)
    return seen


def _learn(script: Script, sightings: list[Sighting], seen: Seen) -> None:
    lies, deeds = _lies(script), {play.at for play in plays_of(script) if play.what != "draw"}
    hands = [one for one in sightings if isinstance(one, HandsSeen)]
    changed = [one for one in sightings if isinstance(one, CardSeen)]
    pile = len(lies.cells) + 1
    for arm in script.arms:
        if arm.cell == pile:
            mine = [one for one in hands if one.since - NEAR <= arm.deed <= one.by + NEAR]
            seen.draws.append(_pile_glance(arm, mine[0]) if mine else None)
            hands = [one for one in hands if one not in mine[:1]]
        elif arm.deed in deeds:
            cells = lies.cells[arm.cell - 1]
            following = (one.there for one in script.arms if one.cell == arm.cell and one.there > arm.deed)
            until = min(following, default=arm.deed + LATE) - arm.deed  # then another card lies there
            of = [one for one in changed if one.cell in cells and -NEAR < one.by - arm.deed < min(LATE, until)]
            first = {one.cell: one for one in reversed(of)}
            glances = [_cell_glance(arm, one) for one in first.values()]
            if glances:
                seen.cards.append(glances)
    at_pile = [arm for arm in script.arms if arm.cell == pile]
    hands = [one for one in hands if not any(arm.enters < one.by and one.since < arm.gone for arm in at_pile)]
    others = [arm for arm in script.arms if arm.cell != pile]
    for arm in others:
        mine = [one for one in hands if arm.enters <= one.by and one.since <= arm.gone]
        seen.passing.append(_pile_glance(arm, mine[0]) if mine else None)
        hands = [one for one in hands if one not in mine[:1]]


def _cell_glance(arm: ScriptedArm, one: CardSeen) -> CellGlance:
    stamps = one.since - arm.deed, one.by - arm.deed, one.stamp - arm.deed
    return CellGlance(*stamps, arm.seat in one.arms, any(side != arm.seat for side in one.arms))


def _pile_glance(arm: ScriptedArm, one: HandsSeen) -> PileGlance:
    stamps = one.since - arm.deed, one.by - arm.deed, one.stamp - arm.deed
    return PileGlance(*stamps, arm.seat in one.arms, any(side != arm.seat for side in one.arms), one.otherwise)


# --- a match, as it may be seen


class Told:
    """The sightings of a script."""

    def __init__(self, script: Script, seen: Seen) -> None:
        self._rng, self._script, self._seen = Random(script.seed), script, seen
        self._lies = _lies(script)
        self._others = {seat: [one for one in script.about["seats"].values() if one != seat] for seat in SIDES}
        self._news: list[tuple[int, int, CellGlance | PileGlance, ScriptedArm, str]] = []  # stamp and cell
        self._hidden: list[tuple[int, int, int]] = []  # from, until, cell
        self._looks = {cell: Look(0, 0, None, "empty", 0.99, NOTHING) for cell in range(1, CELLS + 1)}

    def frames(self) -> list[KeptFrame]:
        self._lay_out()
        self._visit()
        frames, news = [], sorted(self._news, key=lambda one: one[:2])
        for number, stamp in enumerate(range(FRAME, self._script.length, FRAME)):
            found: list[Sighting] = [self._table(stamp)] if not number else []
            if number == 2:
                found.append(GridSeen(stamp, number, tuple(self._looks.values())))
            while news and news[0][0] <= stamp:
                _, cell, glance, arm, symbol = news.pop(0)
                if cell > CELLS or self._looks[cell].card != symbol:
                    found.append(self._sighting(cell, glance, arm, symbol, stamp, number))
            frames.append(KeptFrame(stamp, number, found, self._cells(stamp)))
        return frames

    def _table(self, stamp: int) -> TableSeen:
        view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
        return TableSeen(stamp, 0, view, moved=False)

    def _lay_out(self) -> None:
        from companion.games.threepia.hands_course import Play  # noqa: PLC0415

        self._plays: dict[int, Play] = {play.at: play for play in plays_of(self._script) if play.what != "draw"}
        self._field = [card_as_it_lies(pile[-1].card, pile[-1].turn, self._lies.quarters) for pile in self._piles()]
        for four, card in zip(self._lies.cells, self._field, strict=True):
            for cell, symbol in zip(four, card.split(), strict=True):
                self._looks[cell] = Look(0, 0, symbol, "card", 0.99, NOTHING)

    def _piles(self) -> list[Any]:
        return list(self._script.grid[: len(self._lies.cells)])

    def _visit(self) -> None:
        """When what of each visit comes to light; what the next one covers before that does not."""
        below: dict[int, list[str]] = {place: [card] for place, card in enumerate(self._field)}
        pile = len(self._lies.cells) + 1
        for arm in self._script.arms:
            if arm.cell == pile:
                self._at_the_pile(arm, self._rng.choice(self._seen.draws))
                continue
            self._at_the_pile(arm, self._rng.choice(self._seen.passing))
            place, cells = arm.cell - 1, self._lies.cells[arm.cell - 1]
            play = self._plays.get(arm.deed)
            hidden = arm.there - FRAME
            if play is None:
                self._hidden += [(hidden, arm.leaves + 2 * FRAME, cell) for cell in cells]
                continue
            if play.what == "back":
                below[place].pop()
            else:
                below[place].append(play.card)
            glances = self._rng.choice(self._seen.cards)
            self._news = [one for one in self._news if not (one[1] in cells and one[0] > hidden)]
            for cell, symbol in zip(cells, below[place][-1].split(), strict=True):
                glance = self._rng.choice(glances)
                self._hidden.append((hidden, arm.deed + glance.stamp, cell))
                self._news.append((arm.deed + glance.stamp, cell, glance, arm, symbol))

    def _at_the_pile(self, arm: ScriptedArm, glance: PileGlance | None) -> None:
        if glance is not None:
            self._news.append((arm.deed + glance.stamp, CELLS + 1, glance, arm, ""))

    def _sighting(self, cell: int, glance: Any, arm: ScriptedArm, symbol: str, stamp: int, number: int) -> Sighting:
        others = self._others[arm.seat]
        arms = (
            *((arm.seat,) if glance.own else ()),
            *((self._rng.choice(others),) if glance.other and others else ()),
        )
        since, by = arm.deed + glance.since, arm.deed + glance.by
        if isinstance(glance, PileGlance):
            return HandsSeen(stamp, number, cell, since, by, arms, glance.otherwise)
        before, after = self._looks[cell], Look(stamp, number, symbol, "card", 0.99, NOTHING)
        self._looks[cell] = after
        return CardSeen(stamp, number, cell, before, after, since, arms, by)

    def _cells(self, stamp: int) -> tuple[CellNow, ...]:
        self._hidden = [one for one in self._hidden if one[1] > stamp]
        now = {cell: begun for begun, _, cell in self._hidden if begun <= stamp}
        return tuple(CellNow("covered", now[cell]) if cell in now else CLEAR for cell in range(1, CELLS + 2))


CLEAR = CellNow("clear", 0)


def card_as_it_lies(card: str, turn: float, quarters: int) -> str:
    from companion.games.threepia.rules import card_of  # noqa: PLC0415

    return str(card_of(card, (round(turn / 90) - quarters) % 4))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seen", type=Path, required=True, help="what was seen by pixels")
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--first", type=int, default=FIRST, help="the seed of the first match")
    parser.add_argument("--out", type=Path, help="keeps the figures of each match")
    options = parser.parse_args()
    seen, tallies = learnt(options.seen), kept_figures(options.out, Tally)
    for seed in range(options.first, options.first + options.matches):
        if seed not in tallies:
            tallies[seed] = _judged(write_script(seed, rate=10.0), seen)
            keep_figures(options.out, seed, tallies[seed])
    print(*told(tallies.values()), sep="\n")  # noqa: T201


def _judged(script: Script, seen: Seen) -> Tally:
    eye = KeptEye()
    return judged(watched(script, eye.seen(Told(script, seen).frames()), eye))


if __name__ == "__main__":
    main()

"""The three stacks as a camera sees them: what shows on top, what lies below by what was seen before, and what a change
comes to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from companion.core.clocks import SECOND
from companion.games.triplexity.rules import PLACES
from companion.games.triplexity.sight import BARE, PUT, TURN, LaidOut, Odds, Pieces, StacksSight
from companion.watch.tracker import Deed, Hypothesis, PlaceChange, Tracker

if TYPE_CHECKING:
    from vision.sightings import CardSeen, CellNow, Look, NoCard

STILL = SECOND // 8  # all places have been clear for so long: what lies there lies there
ALL = tuple(range(1, len(PLACES) + 1))
SURELY = 0.97

Steps = tuple[tuple[LaidOut, Deed | None], ...]  # how the stacks lay after each deed, and at last


class PlaceSeen(NamedTuple):
    """A place that shows something else."""

    change: PlaceChange
    arms: tuple[str, ...]
    before: "Look | None"
    after: "Look | None"


@dataclass(frozen=True, slots=True)
class Weighed:
    """What everything that was seen since the last time comes to."""

    steps: Steps
    chance: float  # that it was so
    seen: tuple[PlaceSeen, ...]

    @property
    def arms(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(side for one in self.seen for side in one.arms if side))

    def of(self, deed: Deed | None) -> PlaceSeen | None:
        """What was seen of a deed."""
        found = [one for one in self.seen if deed is not None and one.change.number == deed.change]
        return found[0] if found else self.seen[-1] if self.seen else None


class SeenStacks:
    """Places are numbered from 1."""

    def __init__(self, pieces: Pieces, *, is_advanced: bool) -> None:
        self.pieces = pieces
        self.odds = Odds()
        self._sight = StacksSight(pieces, is_advanced=is_advanced, odds=self.odds)
        self.faces: dict[int, str | None] = {}  # what is seen; None: no piece that is known
        self.table: LaidOut | None = None  # what lies there; None: that is not known yet
        self._tracker: Tracker | None = None
        self._open: list[PlaceSeen] = []
        self._looks: dict[int, Look] = {}
        self._now: dict[int, tuple[str, int]] = {}  # what the watcher has of each place, since when
        self._hidden: dict[int, int] = {}  # places that are not clear, since when
        self._changes = self._weighed = 0  # how many, and how many when they were weighed last

    # --- what comes

    def whole(self, looks: "Sequence[Look]", stamp: int) -> None:
        """All places were read, at the beginning or anew."""
        for place, look in enumerate(looks, 1):
            self._see(place, look, self._looks.get(place), (look.stamp, stamp, stamp), ())

    def changed(self, seen: "CardSeen | NoCard") -> None:
        by = getattr(seen, "by", 0) or seen.after.stamp
        self._see(seen.cell, seen.after, seen.before, (min(seen.since, by), by, seen.stamp), getattr(seen, "arms", ()))

    def _see(
        self, place: int, look: "Look", before: "Look | None", stamps: tuple[int, int, int], arms: Sequence[str]
    ) -> None:
        face = look.card or (BARE if look.state == "empty" else None)
        self.faces[place], self._looks[place] = face, look
        if face is None or self._tracker is None:
            return
        if not self._open and self.table is not None and self.pieces.agrees(self.table.top(place - 1), face):
            return  # as it is known
        self._changes += 1
        faces = self.pieces.faces_of(face, look.confidence, self.odds)
        again = float(len({side for side in arms if side}) > 1)
        change = PlaceChange(self._changes, place, faces, *stamps, again=again)
        self._tracker.take(change)
        self._open.append(PlaceSeen(change, tuple(side for side in arms if side), before, look))

    def note(self, cells: "Sequence[CellNow]", stamp: int) -> None:
        for place in ALL:
            self._now[place] = cells[place - 1].now, cells[place - 1].since
            if cells[place - 1].now == "clear":
                self._hidden.pop(place, None)
            else:
                self._hidden.setdefault(place, stamp)

    # --- how it stands

    def hidden_since(self, place: int) -> int | None:
        """Since when a place is covered or cannot be read; None if it is clear."""
        return self._hidden.get(place)

    def is_still(self, stamp: int) -> bool:
        """All places are clear, and have been for a moment, and everything on them is known."""
        return all(
            self._now.get(place, ("", stamp))[0] == "clear"
            and stamp - self._now[place][1] >= STILL
            and self.faces.get(place) is not None
            for place in ALL
        )

    @property
    def is_open(self) -> bool:
        """Something has changed and nothing has been made of it."""
        return bool(self._open)

    @property
    def is_new(self) -> bool:
        """And it was not tried yet with all that is known."""
        return bool(self._open) and self._changes > self._weighed

    @property
    def is_bare(self) -> bool:
        return all(self.faces.get(place) == BARE for place in ALL)

    def look(self, place: int) -> "Look | None":
        return self._looks.get(place)

    # --- what is made of it

    def knows(self, table: LaidOut) -> bool:
        """Whether what is seen may be that table."""
        return all(self.pieces.agrees(table.top(place - 1), self.faces.get(place) or BARE) for place in ALL)

    def begin_anew(self, table: LaidOut) -> None:
        """That is what lies there: turns come one after the other, and this one is done with."""
        for place in ALL:
            face = self.faces.get(place)
            if face and self.pieces.agrees(table.top(place - 1), face):
                table = table.shows(place - 1, face)
        self.table, self._tracker, self._open = table, Tracker(self._sight, table), []

    def forget(self) -> None:
        """Nobody knows what lies there."""
        self.table, self._tracker, self._open = None, None, []

    def weighed(self, plausible: Callable[[Steps], float], surely: float = SURELY) -> Weighed | None:
        """What was done, when everything lies still; it is where the next begins. None where nothing explains it
        surely: what is seen later may. How plausible steps are in the match is told as a logarithm."""
        assert self._tracker is not None
        assert self.table is not None
        seen = {place: face for place in ALL if (face := self.faces.get(place)) is not None}
        agreement = self._sight.agrees(seen)
        self._weighed = self._changes
        hypotheses = [
            one._replace(weight=one.weight + agreement(one.table) + plausible(_steps(self.table, one)))
            for one in self._tracker.hypotheses
        ]
        best, chance = _likeliest(hypotheses)
        if not self.knows(best.table) or chance < surely:
            return None
        found = Weighed(_steps(self.table, best), chance, tuple(self._open))
        self.begin_anew(best.table)
        return found


def _steps(table: LaidOut, hypothesis: Hypothesis) -> Steps:
    steps: list[tuple[LaidOut, Deed | None]] = []
    for deed in hypothesis.line:
        table = _after(table, deed)
        steps.append((table, deed))
    if not steps or steps[-1][0].stacks != hypothesis.table.stacks:
        steps.append((hypothesis.table, hypothesis.line[-1] if hypothesis.line else None))
    return tuple(steps)


def _likeliest(hypotheses: Sequence[Hypothesis]) -> tuple[Hypothesis, float]:
    """With how likely it is that just this was done, whatever the order of what was seen of it."""
    best = max(hypotheses, key=lambda one: one.weight)
    weights = [exp(one.weight - best.weight) for one in hypotheses]
    same = sum(weight for one, weight in zip(hypotheses, weights, strict=True) if _kind(one) == _kind(best))
    return best, same / sum(weights)


def _kind(hypothesis: Hypothesis) -> object:
    return hypothesis.table, tuple((deed.word, deed.place, deed.face) for deed in hypothesis.line)


def _after(table: LaidOut, deed: Deed) -> LaidOut:
    """The stacks behind a deed."""
    if deed.word == TURN:
        return table.shows(deed.place, deed.face)
    if deed.word != PUT:
        source = PLACES.index(deed.word.partition("-")[2])
        stacks = tuple(stack[:-1] if at == source else stack for at, stack in enumerate(table.stacks))
        table = table._replace(stacks=stacks)
    return table.laid(deed.place, deed.face)

"""Watches the nine cells, frame by frame, and tells what was seen to lie on them.

What does not change is not looked at. A cell that has changed is read as soon as nothing moves there and no arm is
over it; what its first look leaves in doubt, the next ones decide together, weighed with the cards that can be there.
What is told is what lies on the cells and when it was seen, never what it means.
"""

from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.sentence import Sentence
from vision.arms import COVERS, RIMS, SURROUNDS, Hands, arms_in, holds
from vision.deck import CARDS
from vision.exc import NoTableError
from vision.faults import SECOND, Faults
from vision.frames import Frame, Matrix, Picture, Plane
from vision.gate import Gate, Mask, Zones
from vision.glimpse import Glimpses, Lain
from vision.markers import Finder
from vision.reader import Answer, Looked, Reader, Reading
from vision.sightings import (
    CELLS,
    CannotRead,
    CardSeen,
    CellNow,
    GridSeen,
    Look,
    NoCard,
    Now,
    Prior,
    Side,
    Sighting,
    TableLost,
    TableSeen,
    Trouble,
    TroubleOver,
)
from vision.table import Table, find_table
from vision.votes import weighed

CHANGED = 0.02  # of a cell: what differs on so much of it is worth a look
MOVING = 0.012  # of a cell
MARKED = 0.08  # of a marker: it is not where it was, or something is on it
MOST_LOOKS = 8  # that are weighed together
UNDISTURBED = 5  # looks that must agree before a cell that nobody touched is told as changed
FRAME = SECOND // 30  # between two frames, about
AGAIN = SECOND // 30  # between two looks at a cell in doubt ...
SELDOM = SECOND // 8  # ... and after it has been told that it cannot be read, or a hand is over it
GLANCED = 0.8  # so sure a glance must be
UNLIKELY = 0.03  # a card that a game holds no likelier than that on a cell is not believed to be there under arms
PATIENCE = 8 * SECOND // 10  # before it is told that a cell cannot be read
BARE = SECOND // 2  # before it is told that a cell shows no card
QUIET = SECOND // 11  # without motion: what is on a cell lies there, or rests
RESTING = 2 * SECOND  # an arm that does not move for so long may be none
AUDIT = SECOND // 2  # at rest, between two looks at a cell that nobody touched
FOLLOW = SECOND // 4  # at rest, between two steps after the light
STEP = 0.2
SNAPSHOT = SECOND // 2  # between two looks at what has come to lie beside the cells ...
OLD = 6  # ... of which so many must agree before it belongs to the table
FIND = SECOND // 4  # between two searches for the table
LOST = SECOND  # before it is told that there is no table
GAP = 7 * SECOND // 10  # without frames: everything may have changed
SHIFTED = 0.008  # of a cell's side: what the table moves less than that is no move
FLOOD = 0.45  # of the plane: when so much differs at rest, the light has changed
HIDDEN = 10 * SECOND  # before it is told that cells have been covered for long
MOST_HIDDEN = 3  # cells


@dataclass(slots=True)
class _Cell:
    """One cell as it was last seen clearly, and what has been going on since."""

    number: int
    look: Look | None = None
    dirty: int | None = 0  # since when it may show something else; None: it is as it was
    disturbed: bool = False  # something was over it, or it looked different
    beside: bool = False  # an arm is close by
    shows_card: bool = False  # as far as a glance at a cell tells that may be covered
    next_glance: int = 0
    arms: list[Side] = field(default_factory=list)
    moved: tuple[int, int] | None = None  # the first and the last frame since then in which something moved there
    answers: list[Answer] = field(default_factory=list)
    tried: int | None = None  # when the last look in doubt was ...
    doubted: int = 0  # ... and for how long there was doubt in all, arms over the cell or not in between
    next_try: int = 0
    still: int | None = None  # since when nothing moves there
    bare: tuple[str, int] | None = None
    told: bool = False  # that it cannot be read
    called: dict[str, str] = field(default_factory=dict)  # what is read there, and what people say it is
    seen: int = 0  # when the last look was last seen to hold
    now: CellNow = field(default_factory=lambda: CellNow("unknown", 0))

    def forget_looks(self) -> None:
        self.answers.clear()
        self.tried = self.bare = None

    def soil(self, since: int, *, disturbed: bool) -> None:
        if self.dirty is None:
            self.dirty = since
            self.arms.clear()
            self.moved = None
            self.forget_looks()
            self.doubted, self.told, self.next_try = 0, False, 0
        self.disturbed = self.disturbed or disturbed

    def moves(self, stamp: int) -> None:
        self.still, self.beside, self.shows_card, self.next_glance = None, False, False, 0
        self.moved = (self.moved[0] if self.moved else stamp, stamp)
        self.forget_looks()

    def doubt(self, stamp: int) -> bool:
        """Another look in doubt; whether that has been going on for long."""
        if self.tried is not None:
            self.doubted += min(stamp - self.tried, 2 * SELDOM)
        self.tried = stamp
        return self.doubted >= PATIENCE

    def worked_on(self, side: Side) -> None:
        if self.dirty is not None and side not in self.arms:
            self.arms.append(side)

    def call(self, card: str, read: str | None) -> None:
        """What is read there is this card: somebody has said so, and means it however often it is read again."""
        self.called = {one: card if really == read else really for one, really in self.called.items()}
        if read is not None and read != card:
            self.called[read] = card

    def clean(self) -> None:
        self.dirty = self.moved = None
        self.doubted, self.told = 0, False
        self.disturbed = False
        self.arms.clear()
        self.forget_looks()

    def show(self, now: Now, stamp: int) -> None:
        if self.now.now != now:
            self.now = CellNow(now, stamp, self.seen)


class Watcher:
    """Hand it every frame; what it returns is news. It has no clock but the frames' stamps."""

    def __init__(
        self, reader: Reader, finder: Finder | None = None, *, mat: bool = True, most_looks: int = MOST_LOOKS
    ) -> None:
        self.table: Table | None = None
        self._reader, self._finder, self._mat = reader, finder or Finder(), mat
        self._most_looks = most_looks
        self._prior: Prior | None = None
        self._faults = Faults()
        self._cells = tuple(map(_Cell, range(1, CELLS + 1)))
        self._hands = Hands()
        self._glimpses = Glimpses()
        self._gate: Gate | None = None
        self._zones: Zones | None = None
        self._grid_told = False
        self._lost: int | None = None  # since when there is no table
        self._lost_told = False
        self._next_find = self._next_audit = self._next_follow = self._next_snapshot = 0
        self._audited = 0
        self._snapshot: Plane | None = None
        self._ages: Plane | None = None
        self._hidden: int | None = None
        self._hidden_told = False
        self._size: tuple[int, ...] = ()
        self.changed = False  # whether the last frame showed anything but the table at rest

    # --- what a game may say

    def expect(self, prior: Prior | None) -> None:
        """Which cards can be where; until told otherwise."""
        self._prior = prior

    def know(self, cards: dict[int, str]) -> None:
        """Somebody says what lies on cells."""
        for number, card in cards.items():
            cell = self._cells[number - 1]
            if cell.look is not None:
                cell.call(card, cell.look.card)
                cell.look = replace(cell.look, card=card, state="card", confidence=1.0)
            cell.clean()

    def look_again(self, cells: tuple[int, ...] = ()) -> None:
        """Read these cells anew; without any, forget all nine, and a GridSeen follows when all can be read."""
        for cell in self._cells if not cells else [self._cells[number - 1] for number in cells]:
            cell.called.clear()
            cell.clean()
            cell.soil(self._stamp, disturbed=bool(cells))
            if not cells:
                cell.look = None
                cell.now = CellNow("unknown", self._stamp)
        if not cells:
            self._grid_told = False

    @property
    def cells(self) -> tuple[CellNow, ...]:
        return tuple(cell.now for cell in self._cells)

    @property
    def looks(self) -> tuple[Look | None, ...]:
        """The last clear look at each cell."""
        return tuple(cell.look for cell in self._cells)

    @property
    def _stamp(self) -> int:
        return self._faults.last.stamp if self._faults.last else 0

    # --- frame by frame

    def watch(self, frame: Frame) -> list[Sighting]:
        """What has become known with this frame."""
        found: list[Sighting] = []
        last = self._faults.last
        usable = self._faults.take(frame, found)
        self.changed = not usable
        if not usable:
            return found
        if last is not None and frame.stamp - last.stamp > GAP:
            self._soil_all(last.stamp, disturbed=True)
            for cell in self._cells:
                cell.moves(last.stamp)
        if frame.picture.shape != self._size:
            self._new_camera(frame)
        if (self.table is None or self._lost_told) and not self._find(frame, found):
            self.changed = True
            return found
        assert self._gate is not None
        if all(cell.dirty is None for cell in self._cells) and self._gate.is_at_rest(frame):
            self._at_rest(frame, found)
        else:
            self.changed = True
            self._active(frame, found)
        self._gate.before = frame.grey
        return found

    def _new_camera(self, frame: Frame) -> None:
        self._size = frame.picture.shape
        self._finder.forget()
        self.table = None
        self._soil_all(frame.stamp, disturbed=False)

    def _soil_all(self, since: int, *, disturbed: bool) -> None:
        for cell in self._cells:
            cell.soil(since, disturbed=disturbed)

    # --- nothing happens

    def _at_rest(self, frame: Frame, found: list[Sighting]) -> None:
        assert self._gate is not None
        if frame.stamp >= self._next_follow:
            self._next_follow = frame.stamp + FOLLOW
            self._gate.follow(frame, STEP)
            for cell in self._cells:
                cell.show("clear", frame.stamp)
            self._hands.tips.clear()
            self._hide(0, frame, found)
        if frame.stamp >= self._next_audit:
            self._next_audit = frame.stamp + AUDIT
            self._audited = (self._audited + 1) % (CELLS + 1)
            if self._audited == CELLS:
                self._find(frame, found)
            else:
                cell = self._cells[self._audited]
                cell.soil(frame.stamp, disturbed=False)
                self._read(frame, [cell], found)

    # --- something happens

    def _active(self, frame: Frame, found: list[Sighting]) -> None:
        assert self._gate is not None
        assert self._zones is not None
        differing, moving = self._gate.compare(frame), self._gate.motion(frame)
        zones, gate = self._zones, self._gate
        differs, moves = zones.share(gate.differs), zones.share(gate.moves)
        quiet = self._quiet(frame)
        arms, everywhere = arms_in(gate.differs, quiet, zones)
        hidden = sum((arm.shares for arm in arms), np.zeros(len(differs))) > COVERS
        for number in quiet:
            rim = float((everywhere.ravel()[zones.rims[number - 1]] > 0).mean())
            self._cells[number - 1].beside = rim > RIMS
            hidden[number] = rim > RIMS and (rim > SURROUNDS or holds(arms, zones, number))
        if self._is_misplaced(differs, moves, differing, moving) and self._look_for_table(frame, moving, found):
            return
        at_work = self._hands.follow(arms, zones, frame.stamp)
        ready = [cell for cell in self._cells if self._is_ready(cell, frame, differs, moves, hidden)]
        for side, number in at_work:
            self._cells[number - 1].worked_on(side)
        self._glimpse(frame, [cell for cell in self._cells if cell.dirty is not None and cell not in ready], found)
        if ready:
            self._read(frame, ready, found)
        self._absorb(frame, everywhere if hidden[1 : CELLS + 1].any() else None)
        self._hide(int(hidden[1 : CELLS + 1].sum()), frame, found)

    def _quiet(self, frame: Frame) -> set[int]:
        """The cells on which nothing moves and a card is seen, whoever else is about; others are glanced at first."""
        still = [cell for cell in self._cells if cell.still is not None and frame.stamp - cell.still >= QUIET]
        glanced = [cell for cell in still if cell.now.now == "covered" and frame.stamp >= cell.next_glance]
        if glanced:
            assert self.table is not None
            looked = self._reader.look(frame.picture, self.table.cells[[cell.number - 1 for cell in glanced]])
            for cell, answer in zip(glanced, looked.answers, strict=True):
                cell.shows_card = bool(answer.state.argmax() == 0 and answer.confidence > GLANCED)
                cell.next_glance = frame.stamp + SELDOM
        return {cell.number for cell in still if cell.shows_card or cell.now.now != "covered"}

    def _is_ready(
        self,
        cell: _Cell,
        frame: Frame,
        differs: NDArray[np.float64],
        moves: NDArray[np.float64],
        hidden: NDArray[np.bool_],
    ) -> bool:
        """Whether a cell is worth a look now; and what it is to be called meanwhile."""
        number, stamp = cell.number, frame.stamp
        covered, moving = bool(hidden[number]), moves[number] > MOVING
        if covered or moving or differs[number] > CHANGED:
            cell.soil(stamp, disturbed=True)
        if cell.dirty is None:
            return False
        if moving:
            cell.moves(stamp)
        elif cell.still is None:
            cell.still = stamp
        if covered:
            cell.show("covered", stamp)
            rests = cell.still is not None and stamp - cell.still >= RESTING
            return rests and stamp >= cell.next_try
        if cell.now.now not in ("unknown", "unreadable"):
            cell.show("changed", stamp)
        return not moving and stamp >= cell.next_try

    def _glimpse(self, frame: Frame, cells: list[_Cell], found: list[Sighting]) -> None:
        """What lies under arms, as far as it can be seen."""
        known = [cell for cell in cells if cell.look is not None and cell.look.card is not None]
        if not known:
            self._glimpses.forget()
            return
        assert self.table is not None
        numbers = [cell.number for cell in known]
        looked = self._reader.glance(frame.picture, self.table.cells[[number - 1 for number in numbers]])
        lain = self._glimpses.take(frame.stamp, numbers, looked)
        for cell, square in zip(known, looked.squares, strict=True):
            if cell.number in lain:
                self._lies(cell, lain[cell.number], square, frame, found)

    def _lies(self, cell: _Cell, lain: Lain, square: Picture, frame: Frame, found: list[Sighting]) -> None:
        """A card lies on a cell that is not clear."""
        assert cell.look is not None
        card = cell.called.get(lain.card, lain.card)
        if card == cell.look.card:
            cell.seen = frame.stamp
        elif lain.is_enough and self._can_be(cell, card):
            before, cell.look = cell.look, Look(frame.stamp, frame.number, card, "card", lain.confidence, square.copy())
            since = max(cell.dirty or 0, cell.moved[0] - FRAME if cell.moved else 0, cell.seen)
            arms, by = tuple(cell.arms), max(lain.first, since)
            found.append(CardSeen(frame.stamp, frame.number, cell.number, before, cell.look, since, arms, by))
            cell.clean()
            cell.soil(lain.first, disturbed=True)
            cell.seen = frame.stamp
        cell.now = replace(cell.now, seen=cell.seen)

    def _can_be(self, cell: _Cell, card: str) -> bool:
        prior = self._prior_of(cell)
        return prior is None or bool(prior[CARDS.index(card)] > UNLIKELY)

    # --- reading

    def _read(self, frame: Frame, cells: list[_Cell], found: list[Sighting]) -> None:
        assert self.table is not None
        numbers = [cell.number for cell in cells]
        looked = self._reader.look(frame.picture, self.table.cells[[number - 1 for number in numbers]])
        for cell, answer in zip(cells, looked.answers, strict=True):
            cell.answers = [*cell.answers, answer][-self._most_looks :]
            cell.next_try = frame.stamp + AGAIN // 2
        answers = [weighed(cell.answers, self._prior_of(cell)) for cell in cells]
        readings = self._reader.told(Looked(looked.squares, answers, looked.sides), numbers)
        for cell, reading, square in zip(cells, readings, looked.squares, strict=True):
            self._take(cell, reading, square, frame, found)
        self._tell_grid(frame, found)

    def _prior_of(self, cell: _Cell) -> NDArray[np.float64] | None:
        return None if self._prior is None else self._prior[cell.number - 1]

    def _take(self, cell: _Cell, reading: Reading, square: Picture, frame: Frame, found: list[Sighting]) -> None:
        if reading.card:
            reading = replace(reading, card=cell.called.get(reading.card, reading.card))
            self._card(cell, reading, square, frame, found)
        elif cell.beside or cell.now.now == "covered":
            self._hidden_by_arm(cell, frame)
        elif reading.state == "hand":
            self._hidden_by_something(cell, reading, frame, found)
        elif reading.state == "unclear":
            self._doubt(cell, reading, frame, found)
        else:
            self._bare(cell, reading, square, frame, found)

    def _hidden_by_arm(self, cell: _Cell, frame: Frame) -> None:
        cell.forget_looks()
        cell.next_try = frame.stamp + SELDOM
        cell.show("covered", frame.stamp)

    def _hidden_by_something(self, cell: _Cell, reading: Reading, frame: Frame, found: list[Sighting]) -> None:
        """No arm is near, and still it looks like one: after a while it is none, but a reflection or a thing."""
        cell.bare = None
        cell.answers.clear()
        cell.next_try = frame.stamp + SELDOM
        if cell.doubt(frame.stamp):
            cell.show("unreadable", frame.stamp)
            if not cell.told:
                cell.told = True
                reason = "something bright or dark hides it"
                found.append(CannotRead(frame.stamp, frame.number, cell.number, reason, reading.likely))

    def _card(self, cell: _Cell, reading: Reading, square: Picture, frame: Frame, found: list[Sighting]) -> None:
        before = cell.look
        changed = before is not None and before.card != reading.card
        wanted = 2 if cell.beside else 1 if cell.disturbed else UNDISTURBED  # looks; nobody touched it: not on one
        if changed and len(cell.answers) < min(wanted, self._most_looks):
            return
        after = Look(frame.stamp, frame.number, reading.card, "card", reading.confidence, square.copy())
        if changed:
            assert before is not None
            since = cell.dirty if cell.disturbed and cell.dirty is not None else frame.stamp
            by = frame.stamp
            if cell.moved and cell.disturbed:
                since, by = max(since, cell.moved[0] - FRAME), min(by, cell.moved[1] + FRAME)
            since = max(since, min(cell.seen, by))
            found.append(CardSeen(frame.stamp, frame.number, cell.number, before, after, since, tuple(cell.arms), by))
        self._settle(cell, after, frame)

    def _settle(self, cell: _Cell, after: Look, frame: Frame) -> None:
        assert self._gate is not None
        assert self._zones is not None
        cell.look = after
        cell.seen = frame.stamp
        cell.clean()
        cell.show("clear", frame.stamp)
        around = self._zones.whole[cell.number - 1]
        self._gate.accept(frame, self._zones.inside(cell.number) if cell.beside else around)

    def _doubt(self, cell: _Cell, reading: Reading, frame: Frame, found: list[Sighting]) -> None:
        cell.bare = None
        if not cell.doubt(frame.stamp):
            return
        cell.next_try = frame.stamp + SELDOM
        cell.show("unreadable", frame.stamp)
        if not cell.told:
            cell.told = True
            found.append(CannotRead(frame.stamp, frame.number, cell.number, reading.reason, reading.likely))

    def _bare(self, cell: _Cell, reading: Reading, square: Picture, frame: Frame, found: list[Sighting]) -> None:
        """A cell that shows no card of the deck: told when it has done so for a while."""
        if cell.bare is None or cell.bare[0] != reading.state:
            cell.bare = (reading.state, frame.stamp)
        if frame.stamp - cell.bare[1] < BARE:
            cell.next_try = frame.stamp + SELDOM // 2
            return
        before = cell.look
        after = Look(frame.stamp, frame.number, None, reading.state, reading.confidence, square.copy())
        if before is None:
            cell.next_try = frame.stamp + SELDOM
            cell.show("unknown", frame.stamp)
            if not cell.told and reading.state != "empty" and frame.stamp - cell.bare[1] >= PATIENCE:
                cell.told = True
                found.append(CannotRead(frame.stamp, frame.number, cell.number, reading.reason, reading.likely))
            return
        if before.card is not None or before.state != after.state:
            since = cell.dirty if cell.dirty is not None else frame.stamp
            found.append(NoCard(frame.stamp, frame.number, cell.number, before, after, since))
        self._settle(cell, after, frame)

    def _tell_grid(self, frame: Frame, found: list[Sighting]) -> None:
        if self._grid_told or any(cell.dirty is not None for cell in self._cells):
            return
        looks = tuple(cell.look for cell in self._cells if cell.look is not None and cell.look.card)
        if len(looks) == CELLS:
            self._grid_told = True
            found.append(GridSeen(frame.stamp, frame.number, looks))

    # --- the table

    def _is_misplaced(
        self, differs: NDArray[np.float64], moves: NDArray[np.float64], differing: int, moving: int
    ) -> bool:
        """The table may have moved, or the light changed: and nothing moves just now."""
        assert self._zones is not None
        markers = slice(CELLS + 1, None)
        wrong = (differs[markers] > MARKED) & (moves[markers] < MOVING)
        plane = self._zones.labels.size
        cells = int((differs[1 : CELLS + 1] > CHANGED).sum())
        return bool(wrong.sum() >= 2) or (moving < plane // 100 and (differing > FLOOD * plane or cells >= 7))

    def _look_for_table(self, frame: Frame, moving: int, found: list[Sighting]) -> bool:
        """Whether it is another table now, so that this frame has nothing more to tell."""
        if frame.stamp < self._next_find:
            return False
        before = self.table
        if not self._find(frame, found):
            return self._lost_told
        assert self._gate is not None
        assert self._zones is not None
        flooded = cv2.countNonZero(self._gate.differs) > FLOOD * self._zones.labels.size
        if self.table is before and flooded and moving < self._zones.labels.size // 100:
            self._gate.accept(frame)
            self._soil_all(frame.stamp, disturbed=False)
            return True
        return self.table is not before

    def _find(self, frame: Frame, found: list[Sighting]) -> bool:
        """Look where the table is; whether there is one."""
        if (self.table is None or self._lost_told) and frame.stamp < self._next_find:
            return False
        self._next_find = frame.stamp + FIND
        try:
            table = _as_before(self.table, find_table(frame.picture, mat=self._mat, finder=self._finder))
        except NoTableError as error:
            self._without_table(frame, error.sentence, found)
            return False
        told, self._lost, self._lost_told = self._lost_told, None, False
        moved = self.table is not None and _is_elsewhere(self.table, table)
        if self.table is None or moved or told:
            found.append(TableSeen(frame.stamp, frame.number, table, moved))
        if self.table is None or moved:
            self._set_table(frame, table)
        if told:
            self._soil_all(frame.stamp, disturbed=True)
        return True

    def _set_table(self, frame: Frame, table: Table) -> None:
        scale = frame.grey.shape[1] / frame.picture.shape[1]
        if self.table is None or self._gate is None:
            self._gate = Gate(frame)
        else:
            self._gate.shift(frame, _shift(self.table, table, scale))
        self.table = table
        self._zones = Zones.of(table, self._finder.markers if table.mat else None, frame.grey, scale)
        self._ages, self._snapshot = np.zeros_like(frame.grey), None
        self._soil_all(frame.stamp, disturbed=False)

    def _without_table(self, frame: Frame, why: str, found: list[Sighting]) -> None:
        self._lost = frame.stamp if self._lost is None else self._lost
        if frame.stamp - self._lost < LOST or self._lost_told:
            return
        self._lost_told = True
        for cell in self._cells:
            cell.soil(frame.stamp, disturbed=True)
            cell.show("unknown", frame.stamp)
        found.append(TableLost(frame.stamp, frame.number, why))

    # --- what lies about

    def _absorb(self, frame: Frame, arms: Mask | None) -> None:
        """What has come to rest beside the cells belongs to the table after a while; what hides cells never does."""
        assert self._gate is not None
        assert self._zones is not None
        assert self._ages is not None
        if frame.stamp < self._next_snapshot:
            return
        self._next_snapshot = frame.stamp + SNAPSHOT
        if self._snapshot is not None:
            rests = cv2.compare(cv2.absdiff(frame.grey, self._snapshot), 8.0, cv2.CMP_LT)
            rests = cv2.bitwise_and(rests, self._gate.differs)
            if arms is not None:
                rests = cv2.bitwise_and(rests, cv2.bitwise_not(arms))
            older = cv2.add(self._ages, 1)
            self._ages = np.asarray(cv2.bitwise_and(older, rests), np.uint8)
            beside = (self._zones.labels == 0) | (self._zones.labels > CELLS)
            old = np.asarray((self._ages >= OLD) & beside, np.uint8)
            if old.any():
                self._gate.accept(frame, old)
        self._snapshot = frame.grey

    def _hide(self, hidden: int, frame: Frame, found: list[Sighting]) -> None:
        """Say it when a good part of the table has been covered for long, and when it no longer is."""
        if hidden <= MOST_HIDDEN:
            if self._hidden_told:
                found.append(TroubleOver(frame.stamp, frame.number, "covered"))
            self._hidden, self._hidden_told = None, False
            return
        self._hidden = frame.stamp if self._hidden is None else self._hidden
        if frame.stamp - self._hidden >= HIDDEN and not self._hidden_told:
            self._hidden_told = True
            sentence = Sentence(
                "{hidden} of the nine cells have been covered for a while: clear the table, I do not see them.",
                hidden=hidden,
            )
            found.append(Trouble(frame.stamp, frame.number, "covered", sentence))


def _shift(old: Table, new: Table, scale: float) -> Matrix:
    """How pixels of the small plane have moved with the table."""
    corners = [(0, 0), (2, 1), (8, 2), (6, 3)]
    there, here = (
        np.array([(table.cells[cell, corner] + 0.5) * scale - 0.5 for cell, corner in corners], np.float32)
        for table in (old, new)
    )
    return np.asarray(cv2.getPerspectiveTransform(there, here), np.float64)


def _as_before(old: Table | None, new: Table) -> Table:
    """The table that was found, as the same that it was before: cards alone do not tell which way up it lies."""
    if old is None or new.how != "cards":
        return new
    if old.mat:
        raise NoTableError("I see too little of the mat: uncover the markers in its corners.")  # said
    return min((_turned(new, quarters) for quarters in range(4)), key=lambda table: _askew(old, table))


def _turned(table: Table, quarters: int) -> Table:
    cells = np.rot90(table.cells.reshape(3, 3, 4, 2), -quarters).reshape(CELLS, 4, 2)
    return replace(table, cells=np.roll(cells, quarters, axis=1))


def _askew(old: Table, new: Table) -> float:
    """How far the cells lie from where they lay: least, wherever the table has gone, if they are numbered as before."""
    return float(np.linalg.norm(old.cells.mean(axis=1) - new.cells.mean(axis=1)))


def _is_elsewhere(old: Table, new: Table) -> bool:
    """By more than a reader notices."""
    if old is new:
        return False
    side = float(np.linalg.norm(old.cells[0, 0] - old.cells[0, 1]))
    return bool(np.linalg.norm(new.cells - old.cells, axis=2).max() > SHIFTED * side)

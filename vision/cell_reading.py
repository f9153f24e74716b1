"""What lies on the cells: read, and told as soon as it is sure enough."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.centring import centred
from vision.covered import CoveredCards
from vision.deck import CARDS, STATES
from vision.faults import SECOND
from vision.frames import Frame, Picture, Points
from vision.gate import Gate, Zones
from vision.glimpse import Glimpses, Lain
from vision.laid_anew import laid_anew
from vision.locate import TableView
from vision.mat import Mat
from vision.mat_light import MatLight
from vision.reader import Looked, Reader, Reading
from vision.sightings import CannotRead, CardSeen, GridSeen, HandsSeen, Look, NoCard, Prior, SameSeen, Sighting
from vision.visits import Visits
from vision.watched_cell import PATIENCE, SELDOM, WatchedCell

UNDISTURBED = SECOND // 8  # of looks before a cell that nobody touched is told as changed ...
BESIDE = SECOND // 40  # ... and one beside an arm
FRAME = SECOND // 30  # between two frames, about
AGAIN = SECOND // 30  # between two looks at a cell in doubt
GLANCED = 0.8  # so sure a glance must be
UNLIKELY = 0.03  # a card that a game holds no likelier than that on a cell is not believed to be there under arms
POSSIBLE, FAINT = 8, 0.005  # so many cards, and so likely, a cell may show that cannot be read
CARD, DOWN = STATES.index("card"), STATES.index("face-down")
FEW_FACES = SECOND // 10  # before a face of a lattice is told that is like no other, though hardly as it was taught ...
NO_OTHER = 0.98  # ... of all that it may be
TAKES = SECOND // 5  # a hand at a pile is there for so long at least; what is shorter is the light
BARE = SECOND // 2  # before it is told that a cell shows no card


@dataclass(slots=True)
class Surface:
    """The table as the camera shows it."""

    table: TableView
    gate: Gate
    zones: Zones


@dataclass(slots=True)
class TableFrame:
    """A frame, the table on it, and what it tells."""

    frame: Frame
    surface: Surface
    found: list[Sighting]


class CellReading:
    """Reads cells, weighs what a first look leaves in doubt, and tells it."""

    def __init__(self, reader: Reader, cells: Sequence[WatchedCell], most_looks: int, mat: Mat) -> None:
        self.prior: Prior | None = None
        self.mat = mat
        self.is_grid_told = False
        self.visits = Visits()
        self._reader = reader
        self._cells = cells
        self._most_looks = most_looks
        self._glimpses = Glimpses()
        self._covered = CoveredCards()

    @property
    def _in_parts(self) -> bool:
        """Each cell shows a part of a card, of few kinds and cut out around what is drawn there."""
        return self.mat.spans > 1

    def glance(self, shown: TableFrame, cells: list[WatchedCell]) -> None:
        """Whether cells that are called covered show a card, and piles one, whichever way up."""
        cells = [cell for cell in cells if not (cell.is_pile and self._in_parts)]
        if not cells:
            return
        looked = self._look(shown, cells)
        for cell, answer in zip(cells, looked.answers, strict=True):
            shows_card = answer.state.argmax() == CARD and answer.confidence > GLANCED
            cell.shows_card = bool(shows_card or (cell.is_pile and answer.state[DOWN] > GLANCED))
            cell.next_glance = shown.frame.stamp + SELDOM

    def glimpse(self, shown: TableFrame, cells: list[WatchedCell]) -> None:
        """What lies under arms, as far as it can be seen."""
        known = [cell for cell in cells if cell.look is not None and cell.look.card is not None]
        if not known or not self.mat.reads_under_arms:
            self._glimpses.forget()
            return
        numbers = [cell.number for cell in known]
        looked = self._reader.glance(*self._shown(shown, numbers))
        self._covered.take(shown.frame.stamp, numbers, looked.answers)
        lain = self._glimpses.take(shown.frame.stamp, numbers, looked)
        for cell, square in zip(known, looked.squares, strict=True):
            if cell.number in lain:
                self._lies(cell, lain[cell.number], square, shown)

    def _lies(self, cell: WatchedCell, lain: Lain, square: Picture, shown: TableFrame) -> None:
        """A card lies on a cell that is not clear."""
        frame = shown.frame
        assert cell.look is not None
        card = cell.called.get(lain.card, lain.card)
        if card == cell.look.card:
            cell.seen = frame.stamp
        elif lain.is_enough and self._can_be(cell, card):
            after = Look(frame.stamp, frame.number, card, "card", lain.confidence, square.copy())
            since = max(cell.dirty or 0, cell.moved[0] - FRAME if cell.moved else 0, cell.seen)
            shown.found.append(self._changed(cell, cell.look, after, (since, max(lain.first, since))))
            cell.look = after
            cell.clean()
            cell.soil(lain.first, disturbed=True)
            cell.seen = frame.stamp
        cell.now = replace(cell.now, seen=cell.seen)

    def _can_be(self, cell: WatchedCell, card: str) -> bool:
        prior = self._prior_of(cell)
        return prior is None or bool(prior[CARDS.index(card)] > UNLIKELY)

    def read(self, shown: TableFrame, cells: list[WatchedCell]) -> None:
        self._tell_hands(shown, [cell for cell in cells if cell.is_pile])
        cells = [cell for cell in cells if not cell.is_pile]
        if not cells:
            return
        numbers = [cell.number for cell in cells]
        looked = self._look(shown, cells)
        if self.mat.reads_under_arms:
            self._covered.take(shown.frame.stamp, numbers, looked.answers)
        for cell, square, answer in zip(cells, looked.squares, looked.answers, strict=True):
            cell.votes.take(shown.frame.stamp, square, answer, self._most_looks)
            cell.next_try = shown.frame.stamp + AGAIN // 2
        answers = [cell.votes.weighed(self._prior_of(cell)) for cell in cells]
        readings = self._reader.told(Looked(looked.squares, answers, looked.sides), numbers)
        for cell, reading, square in zip(cells, readings, looked.squares, strict=True):
            self._take(cell, reading, square, shown)
        self._tell_grid(shown)

    def _look(self, shown: TableFrame, cells: list[WatchedCell]) -> Looked:
        return self._reader.look(*self._shown(shown, [cell.number for cell in cells]))

    def _shown(self, shown: TableFrame, numbers: Sequence[int]) -> tuple[Picture, Points, MatLight | None]:
        """Where the cells are with these numbers, and what the mat says of the light there."""
        picture, table = shown.frame.picture, shown.surface.table
        light = self._reader.light_of(picture, table.cells, table.mat)
        all_cells = table.cells if table.piles is None else np.concatenate((table.cells, table.piles))
        corners = all_cells[[number - 1 for number in numbers]]
        return picture, centred(picture, corners) if self._in_parts else corners, light

    def _prior_of(self, cell: WatchedCell) -> NDArray[np.float64] | None:
        return None if self.prior is None else self.prior[cell.number - 1]

    def _take(self, cell: WatchedCell, reading: Reading, square: Picture, shown: TableFrame) -> None:
        if reading.card:
            reading = replace(reading, card=cell.called.get(reading.card, reading.card))
            self._card(cell, reading, square, shown)
        elif cell.beside or cell.now.now == "covered":
            self._hidden_by_arm(cell, shown)
        elif reading.state == "hand":
            self._hidden_by_something(cell, reading, shown)
        elif reading.state == "unclear" or (self._in_parts and reading.state == "foreign"):
            self._doubt(cell, reading, square, shown)
        else:
            self._bare(cell, reading, square, shown)

    def _hidden_by_arm(self, cell: WatchedCell, shown: TableFrame) -> None:
        cell.forget_looks()
        cell.next_try = shown.frame.stamp + SELDOM
        cell.show("covered", shown.frame.stamp)

    def _hidden_by_something(self, cell: WatchedCell, reading: Reading, shown: TableFrame) -> None:
        """No arm is near, and still it looks like one: after a while it is none, but a reflection or a thing."""
        frame = shown.frame
        cell.bare = None
        cell.votes.forget()
        cell.next_try = frame.stamp + SELDOM
        if cell.doubt(frame.stamp):
            cell.show("unreadable", frame.stamp)
            if not cell.told:
                cell.told = True
                reason = "something bright or dark hides it"
                shown.found.append(CannotRead(frame.stamp, frame.number, cell.number, reason, reading.likely))

    def _card(self, cell: WatchedCell, reading: Reading, square: Picture, shown: TableFrame) -> None:
        frame = shown.frame
        before = cell.look
        changed = before is not None and before.card != reading.card
        wanted = BESIDE if cell.beside else 0 if cell.disturbed else UNDISTURBED  # nobody touched it: not on one look
        if changed and self._most_looks > 1 and cell.votes.lasted(frame.stamp) < wanted:
            return
        after = Look(frame.stamp, frame.number, reading.card, "card", reading.confidence, square.copy())
        if changed:
            assert before is not None
            shown.found.append(self._changed(cell, before, after, self._stretch(cell, frame.stamp)))
        elif before is not None and cell.disturbed and self.mat.laid_alike:
            since, by = self._stretch(cell, frame.stamp)
            anew = laid_anew(before.square, after.square)
            hands = tuple(cell.arms), by, anew
            shown.found.append(SameSeen(after.stamp, after.number, cell.number, before, after, since, *hands))
        self._settle(cell, after, shown)

    def _stretch(self, cell: WatchedCell, stamp: int) -> tuple[int, int]:
        """Between which stamps a cell came to show something else."""
        since = cell.dirty if cell.disturbed and cell.dirty is not None else stamp
        by = stamp
        if cell.moved and cell.disturbed:
            since, by = max(since, cell.moved[0] - FRAME), min(by, cell.moved[1] + FRAME)
        return max(since, min(cell.seen, by)), by

    def _changed(self, cell: WatchedCell, before: Look, after: Look, stretch: tuple[int, int]) -> CardSeen:
        """Another card lies there now."""
        since, by = stretch
        if not self.mat.reads_under_arms:
            return CardSeen(after.stamp, after.number, cell.number, before, after, since, tuple(cell.arms), by)
        again = self.visits.again(cell.number, since, by)
        cards = before.card and cell.as_read(before.card), cell.as_read(str(after.card))
        seen = self._covered.between(cell.number, cards, since, by, again)
        again += (1 - again) * seen.brought
        between = tuple((cell.called.get(card, card), chance) for card, chance in seen.laid)
        hands = tuple(cell.arms), by, again
        return CardSeen(after.stamp, after.number, cell.number, before, after, since, *hands, between, seen.held)

    def _settle(self, cell: WatchedCell, after: Look, shown: TableFrame) -> None:
        cell.look = after
        cell.seen = shown.frame.stamp
        cell.settle()
        cell.show("clear", shown.frame.stamp)
        around = shown.surface.zones.whole[cell.number - 1]
        shown.surface.gate.accept(shown.frame, shown.surface.zones.inside(cell.number) if cell.beside else around)

    def _doubt(self, cell: WatchedCell, reading: Reading, square: Picture, shown: TableFrame) -> None:
        frame = shown.frame
        cell.bare = None
        is_due = cell.doubt(frame.stamp)
        if self._in_parts and reading.likely and (sure := self._likeliest(cell, is_due=is_due)):
            self._card(cell, replace(reading, card=sure, confidence=reading.likely[0][1]), square, shown)
            return
        if not is_due:
            return
        cell.next_try = frame.stamp + SELDOM
        cell.show("unreadable", frame.stamp)
        if not cell.told:
            cell.told = True
            told = CannotRead(frame.stamp, frame.number, cell.number, reading.reason, reading.likely)
            shown.found.append(self._by_picture(cell, told, square, frame))

    def _likeliest(self, cell: WatchedCell, *, is_due: bool) -> str:
        """What it is if it is one of the faces: few they are, and whoever watches weighs how unlike it is to it."""
        cards = cell.votes.weighed(None).cards
        is_clear = cards.max() > (GLANCED if is_due else NO_OTHER)
        return self._reader.cards[int(cards.argmax())] if is_clear and cell.doubted >= FEW_FACES else ""

    def _by_picture(self, cell: WatchedCell, told: CannotRead, square: Picture, frame: Frame) -> CannotRead:
        """With the cards that it may be by the picture alone, and what was seen if it is the likeliest."""
        answer = cell.votes.weighed(None)
        cards = answer.cards * answer.state[0]
        names = self._reader.cards
        likeliest = [int(at) for at in np.argsort(-cards)[:POSSIBLE] if cards[at] > FAINT]
        faces = tuple((cell.called.get(names[at], names[at]), float(cards[at])) for at in likeliest)
        if cell.look is None or not faces:
            return told
        after = Look(frame.stamp, frame.number, faces[0][0], "card", faces[0][1], square.copy())
        change = self._changed(cell, cell.look, after, self._stretch(cell, frame.stamp))
        return replace(told, faces=faces, change=change)

    def believe(self, cell: WatchedCell, card: str, confidence: float, surface: Surface | None, frame: Frame) -> None:
        """Somebody who knows more than the picture has made out which card it is."""
        if cell.look is not None:
            cell.look = replace(
                cell.look, stamp=frame.stamp, card=card, state="card", confidence=confidence, shows_card=False
            )
        cell.seen = frame.stamp
        cell.settle()
        cell.show("clear", frame.stamp)
        if surface is not None:
            surface.gate.accept(frame, surface.zones.whole[cell.number - 1])

    def _bare(self, cell: WatchedCell, reading: Reading, square: Picture, shown: TableFrame) -> None:
        """A cell that shows no card of the deck: told when it has done so for a while."""
        frame = shown.frame
        if (
            self.mat.may_be_bare
            and cell.look is not None
            and (None, reading.state) == (cell.look.card, cell.look.state)
        ):
            after = Look(frame.stamp, frame.number, None, reading.state, reading.confidence, square.copy())
            self._settle(cell, after, shown)  # as bare as it was
            return
        if cell.bare is None or cell.bare[0] != reading.state:
            cell.bare = (reading.state, frame.stamp)
        if frame.stamp - cell.bare[1] < BARE:
            cell.next_try = frame.stamp + SELDOM // 2
            return
        before = cell.look
        after = Look(frame.stamp, frame.number, None, reading.state, reading.confidence, square.copy())
        if before is None and self.mat.may_be_bare and reading.state == "empty":
            self._settle(cell, after, shown)
            return
        if before is None:
            cell.next_try = frame.stamp + SELDOM
            cell.show("unknown", frame.stamp)
            is_missed = reading.state != "empty" or self._is_last(cell)
            if not cell.told and is_missed and frame.stamp - cell.bare[1] >= PATIENCE:
                cell.told = True
                shown.found.append(CannotRead(frame.stamp, frame.number, cell.number, reading.reason, reading.likely))
            return
        if before.card is not None or before.state != after.state:
            since = cell.dirty if cell.dirty is not None else frame.stamp
            shown.found.append(NoCard(frame.stamp, frame.number, cell.number, before, after, since))
        self._settle(cell, after, shown)

    def _tell_hands(self, shown: TableFrame, piles: list[WatchedCell]) -> None:
        """Hands were at a pile, and are gone."""
        frame = shown.frame
        for pile in piles:
            since, by = self._stretch(pile, frame.stamp)
            if pile.disturbed and by - since >= TAKES:
                surface, arms = shown.surface, tuple(pile.arms)
                otherwise = float(surface.zones.share(surface.gate.differs)[pile.number])
                shown.found.append(HandsSeen(frame.stamp, frame.number, pile.number, since, by, arms, otherwise))
            pile.settle()
            pile.seen = frame.stamp
            pile.show("clear", frame.stamp)
            shown.surface.gate.accept(frame, shown.surface.zones.whole[pile.number - 1])

    def _is_last(self, cell: WatchedCell) -> bool:
        """All others show cards: a match cannot open for this one."""
        return all(other.look is not None and other.look.card for other in self._cells if other is not cell)

    def _tell_grid(self, shown: TableFrame) -> None:
        cells = [cell for cell in self._cells if not cell.is_pile]
        if self.is_grid_told or any(cell.dirty is not None for cell in cells):
            return
        looks = tuple(cell.look for cell in cells if cell.look is not None and (cell.look.card or self.mat.may_be_bare))
        if len(looks) == len(cells) and (not self._in_parts or any(look.card for look in looks)):
            self.is_grid_told = True
            shown.found.append(GridSeen(shown.frame.stamp, shown.frame.number, looks))

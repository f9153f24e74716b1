"""The field as a camera sees it: where it lies on the lattice, which symbols it shows, and what is to be made of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.core.clocks import SECOND
from companion.games.threepia.fields import field as field_named
from companion.games.threepia.fields import names
from companion.games.threepia.lattice import LaidField, all_found_in, found_in, laid_out
from companion.games.threepia.rules import Field, House
from companion.games.threepia.sight import KnownDeck, LaidOut, Lain, SeenSymbol, ThreepiaSight, faces_of_card
from companion.watch.tracker import Belief, PlaceChange, Tracker

if TYPE_CHECKING:
    from vision.sightings import CardSeen, CellNow, Look, NoCard

STILL = SECOND // 8  # all of a card has been clear for so long: it lies there
PATIENCE = 3 * SECOND // 2  # for hands that may hide what was laid before it ...
LONGEST = 4 * SECOND  # ... and where something was, or somebody who does not have the turn has laid this


class PlaceSeen(NamedTuple):
    """A place that has come to show something else."""

    change: PlaceChange
    arms: tuple[str, ...]
    before: "Look | None"
    after: "Look | None"
    between: tuple[tuple[int, str], ...] = ()  # by corner: what was read there for a moment, and covered again


@dataclass(slots=True)
class _Disturbed:
    """A place of which some symbol was seen to change."""

    since: int
    by: int
    arms: tuple[str, ...] = ()
    before: "Look | None" = None
    after: "Look | None" = None
    cells: set[int] = field(default_factory=set)  # that were seen to change
    between: dict[int, str] = field(default_factory=dict)  # by corner


class SeenField:
    """What lies there, as far as it was seen; places are numbered from 1, as the field has them."""

    def __init__(self, printed: Sequence[str], shape: tuple[int, int]) -> None:
        self.shape = shape
        self._printed = tuple(printed)
        self._looks: dict[int, Look] = {}
        self._lies: LaidField | None = None
        self._known_cells: dict[int, tuple[int, int]] = {}
        self._clear: dict[int, int] = {}  # cells that are clear, since when
        self._hidden: dict[int, int] = {}  # cells that are not, since when
        self._disturbed: dict[int, _Disturbed] = {}
        self._lain: list[PlaceSeen] = []  # what lay still there since, by when it was done
        self._tracker: Tracker | None = None
        self._sight: ThreepiaSight | None = None
        self._changes = 0
        self._counting: tuple[str, ...] = ()  # the cards that count, place by place

    # --- where it lies

    @property
    def is_whole(self) -> bool:
        """Every place of the lattice has been looked at."""
        return bool(self._looks) and len(self._looks) >= self.shape[0] * self.shape[1]

    @property
    def pile(self) -> int:
        """The number that the draw pile has, behind the places of the lattice."""
        return self.shape[0] * self.shape[1] + 1

    @property
    def symbols(self) -> int:
        return len(self._with_symbols())

    def _with_symbols(self) -> list[int]:
        return [cell for cell, look in self._looks.items() if look.card]

    @property
    def is_found(self) -> bool:
        return self._lies is not None

    def find(self, field: Field, cards: Sequence[str] = ()) -> bool:
        """Whether it is that field which lies there; where it may lie in several ways, as these cards say."""
        ways = list(all_found_in(field, self.shape, self._with_symbols()))
        self._lies = max(ways, key=lambda way: _agreeing(_cards_of(way, self._looks), cards), default=None)
        self._known_cells = self._lies.places if self._lies else {}
        return self._lies is not None

    def take_as_laid(self, line: str) -> Field:
        """What lies there is the field, one that comes along if it is one; NotAFieldError if none can be."""
        cells = self._with_symbols()
        known = (one for one in map(field_named, names()) if one.line == line)
        lies = next((way for one in known if (way := found_in(one, self.shape, cells))), None)
        self._lies = lies or laid_out(self.shape, cells, line)
        self._known_cells = self._lies.places
        return self._lies.field

    def compare(self, cards: Sequence[str], stamp: int) -> None:
        """Where other cards lie than these, something was done that nobody saw."""
        for place, (seen, known) in enumerate(zip(self.cards(), cards, strict=True), 1):
            if seen != known:
                self._disturbed[place] = _Disturbed(stamp, stamp)

    def place_of(self, cell: int) -> int:
        """Of the field, by a place of the lattice; 0 for none."""
        return self._known_cells[cell][0] + 1 if cell in self._known_cells else 0

    # --- what comes

    def whole(self, looks: "Sequence[Look]", stamp: int) -> None:
        """All of the lattice was read, at the beginning or anew."""
        before = self._looks
        self._looks = dict(enumerate(looks, 1))
        for cell, look in self._looks.items():
            if before and (cell not in before or before[cell].card != look.card):
                self._disturb(cell, stamp, stamp, (), before.get(cell), look)

    def changed(self, seen: "CardSeen | NoCard") -> None:
        self._looks[seen.cell] = seen.after
        self._clear.pop(seen.cell, None)
        by = getattr(seen, "by", 0) or seen.after.stamp
        self._disturb(seen.cell, min(seen.since, by), by, getattr(seen, "arms", ()), seen.before, seen.after)

    def _disturb(
        self, cell: int, since: int, by: int, arms: Sequence[str], before: "Look | None", after: "Look | None"
    ) -> None:
        place = self.place_of(cell)
        if not place:
            return
        known = self._disturbed.setdefault(place, _Disturbed(since, by, (), before, after))
        if cell in known.cells and before is not None and before.card:
            known.between[self._known_cells[cell][1]] = before.card
        known.cells.add(cell)
        known.since, known.by = min(known.since, since), max(known.by, by)
        known.arms = tuple(dict.fromkeys((*known.arms, *(side for side in arms if side))))

    def note(self, cells: "Sequence[CellNow]", stamp: int) -> None:
        """What the watcher has of each place of the lattice now."""
        for cell in self._known_cells:
            now = cells[cell - 1]
            if now.now == "clear":
                self._clear.setdefault(cell, stamp)
                self._hidden.pop(cell, None)
                continue
            if now.now != "changed":  # light that flickers hides nothing
                self._clear.pop(cell, None)
            self._hidden[cell] = now.since
        for place in [one for one in self._disturbed if self._is_still(one, stamp - STILL)]:
            self._lies_still(place, stamp)

    def _lies_still(self, place: int, stamp: int) -> None:
        """What lies on a place now is kept, whatever is laid on it before it can be told."""
        assert self._lies is not None
        corners = [self._looks[cell] for cell in self._lies.cells[place - 1]]
        known = self._disturbed.pop(place)
        if any(look.card is None for look in corners):
            return
        self._changes += 1
        faces = faces_of_card([SeenSymbol(str(look.card), look.confidence) for look in corners])
        change = PlaceChange(self._changes, place, faces, known.since, max(known.since, known.by), stamp)
        read = {corner: str(look.card) for corner, look in enumerate(corners)}
        between = tuple((corner, symbol) for corner, symbol in known.between.items() if symbol != read[corner])
        self._lain.append(PlaceSeen(change, known.arms, known.before, known.after, between))
        self._lain.sort(key=lambda one: one.change.since)

    @property
    def is_open(self) -> bool:
        """A place has changed, and nothing has been made of it yet."""
        return bool(self._disturbed or self._lain)

    def open_since(self, stamp: int) -> int:
        """Since when something of it is hidden, or has changed and nothing was made of it; now, if nothing is."""
        changed = (*(one.since for one in self._disturbed.values()), *(one.change.since for one in self._lain))
        return min([stamp, *self._hidden.values(), *changed])

    def is_known(self, place: int) -> bool:
        is_open = place in self._disturbed or any(one.change.place == place for one in self._lain)
        return not is_open and self._is_still(place) and place not in self.without_symbols()

    def without_symbols(self, since: int | None = None) -> list[int]:
        """Places that show no symbol somewhere, for as long as that: a card lies face down there, or none does."""
        if self._lies is None:
            return []
        return [
            place
            for place, cells in enumerate(self._lies.cells, 1)
            if any(self._looks[cell].card is None and self._is_clear(cell, since) for cell in cells)
        ]

    def _is_clear(self, cell: int, since: int | None) -> bool:
        return cell not in self._hidden and (since is None or self._clear.get(cell, since + 1) <= since)

    def _is_still(self, place: int, since: int | None = None) -> bool:
        """All of its symbols can be seen, and have been since then."""
        assert self._lies is not None
        cells = self._lies.cells[place - 1]
        clear = [None if cell in self._hidden else self._clear.get(cell) for cell in cells]
        return all(one is not None and (since is None or one <= since) for one in clear)

    def settled(self, stamp: int, side: str) -> Iterator[PlaceSeen]:
        """Places that have changed and lie still now, in the order in which it was done; whoever has the turn sits at
        that side. What was disturbed earlier and is not seen yet comes first, if it does not take too long."""
        for seen in tuple(self._lain):
            since, by = seen.change.since, seen.change.by
            if any(one.since < since and stamp - one.by < LONGEST for one in self._disturbed.values()):
                return
            is_anothers = bool(seen.arms and side) and side not in seen.arms
            hidden = any(begun < by for begun in self._hidden.values())
            if hidden and stamp - by < (LONGEST if is_anothers else PATIENCE):
                return
            self._lain.remove(seen)
            yield seen

    def cells_of(self, place: int) -> tuple[int, ...]:
        """The places of the lattice that a place of the field lies on."""
        if self._lies is None or not 1 <= place <= len(self._lies.cells):
            return ()
        return self._lies.cells[place - 1]

    # --- what is made of it

    def cards(self) -> tuple[str, ...]:
        """The cards as they lie, as they were read."""
        assert self._lies is not None
        return _cards_of(self._lies, self._looks)

    def agrees(self, field: Sequence[str]) -> bool:
        """Whether the match still has what was last made of it here."""
        return self._tracker is not None and tuple(field) == self._counting

    def as_the_match(self, house: House, field: Sequence[str]) -> None:
        """What the match has lies there."""
        known = {lain for pile in self._table().piles for lain in pile} if self._tracker else set()
        seen = [*field, *(lain.card for lain in known)]
        self._sight = ThreepiaSight(house, KnownDeck.of(self._printed, seen))
        before = self._table().piles if self._tracker else ()
        piles = []
        for at, card in enumerate(field):
            pile = [lain for lain in before[at] if lain.counts] if at < len(before) else []
            cards = [lain.card for lain in pile]
            if card in cards:
                piles.append(tuple(pile[: cards.index(card) + 1]))
            else:
                piles.append((*pile, Lain(card)))
        self._tracker = Tracker(self._sight, LaidOut(tuple(piles)))
        self._counting = tuple(field)

    def weighed(self, change: PlaceChange) -> Belief | None:
        """What a change comes to; None where nothing was done."""
        assert self._tracker is not None
        self._tracker.take(change)
        belief, best = self._tracker.beliefs().get(change.number), self._tracker.best
        self._begin_anew(best.table)
        return belief if best.line else None

    def may_lie_beneath(self, place: int, card: str, read: Sequence[tuple[int, str]]) -> tuple[str, ...]:
        """Cards of the printed deck that show these symbols, that fit there, and on which this one fits."""
        sight, table = self._sight, self._table()
        assert sight is not None
        lies = {lain.card for pile in table.piles for lain in pile}
        under = _counting(table.piles[place - 1][:-1] or table.piles[place - 1])
        found = sight.cards_showing(read, lies)
        return tuple(one for one in found if sight.fits(one, under) and sight.fits(card, one))

    def is_of_the_deck(self, card: str) -> bool:
        """As far as the deck is known."""
        return self._sight is None or self._sight.is_of_the_deck(card)

    def forget_newest(self, place: int) -> None:
        """What was made of a place is not told: it is as it was."""
        self.lies(place, "", counts=False)

    def lies(self, place: int, card: str, *, counts: bool) -> None:
        """Whether the card on top of a place counts, as the referee has it; without a card, there is none of it."""
        piles = list(self._table().piles)
        pile = piles[place - 1]
        if len(pile) > 1:
            pile = pile[:-1]
        piles[place - 1] = (*pile, Lain(card, counts)) if card else pile
        self._begin_anew(LaidOut(tuple(piles)))

    def _table(self) -> LaidOut:
        assert self._tracker is not None
        table: LaidOut = self._tracker.best.table
        return table

    def _begin_anew(self, table: LaidOut) -> None:
        """Turns come one after the other: what one came to is where the next begins."""
        assert self._sight is not None
        self._tracker = Tracker(self._sight, table)
        self._counting = tuple(_counting(pile) for pile in table.piles)


def _counting(pile: Sequence[Lain]) -> str:
    """The uppermost card that counts."""
    return next((lain.card for lain in reversed(pile) if lain.counts), pile[0].card)


def _cards_of(lies: LaidField, looks: "Mapping[int, Look]") -> tuple[str, ...]:
    """As they were read, if the field lies so."""
    return tuple(" ".join(str(looks[cell].card) for cell in four) for four in lies.cells)


def _agreeing(cards: Sequence[str], others: Sequence[str]) -> int:
    return sum(one == other for one, other in zip(cards, others, strict=False))

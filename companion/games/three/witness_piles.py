"""The piles as a camera sees them: what they show, what has changed, and what is to be made of it."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, NamedTuple

from companion.core.clocks import SECOND
from companion.games.three.rules import State, unseen_left
from companion.games.three.sight import (
    ANYBODY,
    BARE,
    KEPT,
    LAY,
    LEAST,
    NOBODY,
    READ,
    TAKE,
    Lain,
    PileSight,
    PilesLaid,
    top_of,
)
from companion.watch.tracker import Deed, Hypothesis, PlaceChange, Tracker

if TYPE_CHECKING:
    from vision.sightings import CellNow, Look

PLACES = 4
SURE_OF_ALL = 0.98  # that just this was done; otherwise cards that do not count are left out
MOST_OPEN = 6  # changes of which nothing was made; of more, the oldest was nothing
OLD = 30 * SECOND  # and one that is older


class SeenChange(NamedTuple):
    """A pile has come to show something else, or the same anew."""

    change: PlaceChange
    arms: tuple[str, ...] = ()
    before: "Look | None" = None
    after: "Look | None" = None
    in_doubt: bool = False  # it could not be read


@dataclass(frozen=True, slots=True)
class Explained:
    """What explains best what was seen: deeds in their order, and how likely just that is."""

    line: tuple[Deed, ...]
    chance: float


class SeenPiles:
    """`owners` are the players by place, `order` the places as the turn goes round; both counted from 0."""

    def __init__(self, places: int = PLACES) -> None:
        self.owners: dict[int, str] = {}
        self.order: tuple[int, ...] = ()
        self.shown: list[str] = [BARE] * places  # as they were last seen to lie there
        self._really: dict[int, tuple[str, str]] = {}  # what was read there, and what people say that it is
        self._turned: dict[int, tuple[int, str]] = {}  # piles put back in another order: how many cards, and the top
        self._lengths: list[int] = [0] * places
        self._tops: list[str] = [BARE] * places  # as the match has them
        self.checked: set[int] = set()  # piles that are being looked through
        self.refused: dict[int, str] = {}  # cards on top that do not count
        self.open: dict[int, SeenChange] = {}
        self._before: dict[int, str] = {}  # what lay on top of piles before they were looked through
        self.visited: set[int] = set()  # by their player's hand since the turn began
        self._drawn: set[int] = set()  # who has drawn since the newest card was laid
        self.known_at = 0  # when all of them were last known
        self._now: dict[int, CellNow] = {}
        self._tracker: Tracker | None = None
        self._sight = PileSight(())
        self._key: tuple[object, ...] = ()
        self._turn = ""
        self._last = NOBODY  # who has played last, in the match
        self._changes = 0

    # --- whose they are

    def seat(self, owners: Mapping[int, str], players: Sequence[str]) -> None:
        self.owners = dict(owners)
        self.order = tuple(sorted(owners, key=lambda place: players.index(owners[place])))

    def place_of(self, player: str) -> int:
        """NOBODY where nobody knows."""
        return next((place for place, owner in self.owners.items() if owner == player), NOBODY)

    # --- what comes

    def note(self, cells: "Sequence[CellNow]") -> None:
        """What the watcher has of each pile now."""
        self._now = dict(enumerate(cells[: len(self.shown)]))

    def hidden_since(self, place: int) -> int | None:
        """None where it can be seen."""
        now = self._now.get(place)
        return now.since if now is not None and now.now in ("covered", "changed") else None

    def top(self, place: int) -> str:
        """As the match has it, with what was refused on top."""
        return top_of(self._tracker.best.table.piles[place]) if self._tracker is not None else BARE

    def is_in_doubt(self, place: int) -> bool:
        """Something may have been done there which has not been told."""
        if self._tracker is None or not self.open:
            return False
        return any(deed.place == place + 1 for deed in self._tracker.best.line)

    def is_lifted(self, place: int) -> bool:
        """Seen to be gone, while it is looked through."""
        return self._tracker is not None and place in self._tracker.best.table.lifted

    def clear_since(self, place: int) -> int | None:
        """None where it cannot be seen."""
        now = self._now.get(place)
        return now.since if now is not None and now.now == "clear" else None

    def number(self) -> int:
        self._changes += 1
        return self._changes

    def take(self, seen: SeenChange) -> None:
        """One more; what was in doubt at the same place, and is seen clearly now, is looked at anew."""
        place = seen.change.place
        for number in [one for one, other in self.open.items() if other.change.place == place and other.in_doubt]:
            self.withdraw(number)
        self.open[seen.change.number] = seen
        self.shows(place - 1, seen.change.faces[0][0])
        if self._tracker is not None:
            self._tracker.take(seen.change)
        while len(self.open) > MOST_OPEN:
            self.withdraw(next(iter(self.open)))

    def shows(self, place: int, face: str) -> None:
        self.shown[place] = face

    def as_said(self, place: int, card: str, *, is_same: bool) -> str:
        """What is read there is what somebody has said, for as long as it lies there."""
        read, really = self._really.get(place, (card, card))
        if read == card and is_same:
            return really
        self._really.pop(place, None)
        return card

    def withdraw(self, number: int) -> None:
        """Nothing is made of a change."""
        seen = self.open.pop(number)
        if self._tracker is not None:
            self._tracker.withdraw(seen.change)

    def forget_old(self, stamp: int) -> None:
        for number in [one for one, seen in self.open.items() if stamp - seen.change.stamp > OLD]:
            self.withdraw(number)

    def drawn_by(self, places: Set[int], since: int, *, is_taken: bool) -> None:
        """Hands of these players were at the draw pile. Whoever has drawn before does not draw again, and whoever has
        played before may draw late."""
        draw = places - self._drawn or places
        self._drawn |= places
        is_late = self._last in draw or any(seen.change.by > since for seen in self.open.values())
        if self._tracker is not None and self.open and not is_late:
            self._tracker.learn(lambda table: self._sight.drawn_by(table, draw, is_taken=is_taken))

    def spoken_by(self, place: int) -> None:
        """Somebody says what is only said in one's own turn."""
        if self._tracker is not None and self.open:
            self._tracker.learn(lambda table: self._sight.spoken_by(table, place))

    # --- what is made of it

    def agrees(self, state: State) -> bool:
        """Whether the match still is as this was made with."""
        return self._tracker is not None and self._key == _key(state)

    def as_the_match(self, state: State, last: str = "", *, is_newest: bool = True) -> None:
        """The piles are what the match says, with what was refused on top; what is open is explained anew."""
        for place, owner in self.owners.items():
            self._follow(place, state.pile(owner))
        if self._turn != state.turn:
            self._turn = state.turn
            self.visited.clear()
            self._drawn.clear()
        self._key, self._last = _key(state), self.place_of(last)
        left = {dog.name: unseen_left(state, dog.name) for dog in state.house.dogs}
        within = {place: frozenset(state.pile(owner)) for place, owner in self.owners.items()}
        self._sight = PileSight(self.order, left, within, self._before, self.visited, self._drawn, is_newest)
        piles, hands = [], []
        for place in range(len(self.shown)):
            owner = self.owners.get(place, "")
            lies = self._as_it_lies(place, state.pile(owner)) if owner else ()
            pile = tuple(Lain(dog) for dog in lies[-KEPT:])
            if place in self.refused:
                pile = (*pile, Lain(self.refused[place], counts=False))
            piles.append(pile)
            hands.append(state.hands[state.players.index(owner)] if owner else 0)
        turn = ANYBODY if state.phase == "setup" else self.place_of(state.turn) if any(state.hands) else NOBODY
        table = PilesLaid(
            tuple(piles), turn, tuple(hands), state.deck, checked=frozenset(self.checked), last=self._last
        )
        self._tracker = Tracker(self._sight, table)
        for seen in self.open.values():
            self._tracker.take(seen.change)

    def _follow(self, place: int, pile: tuple[str, ...]) -> None:
        """What others have made of a pile: a card on top that is taken back in the match, or has another name."""
        before, self._lengths[place] = self._lengths[place], len(pile)
        top, shown = (pile[-1] if pile else BARE), self.shown[place]
        was, self._tops[place] = self._tops[place], top
        if place in self.checked or self._tracker is None:
            return
        if len(pile) == before - 1 and shown == self.top(place) != top:
            self.refused[place] = shown
        elif len(pile) == before and place not in self.refused and shown == was != top:
            self._really[place] = (self._really.get(place, (shown, top))[0], top)
            self.shown[place] = top
        elif len(pile) > before and self.refused.get(place) == top:
            del self.refused[place]

    def explained(self) -> Explained | None:
        """None where nothing was done, as far as can be told."""
        if self._tracker is None or not self.open:
            return None
        best, total, same, alike = self._tracker.best, 0.0, 0.0, 0.0
        for one in self._tracker.hypotheses:
            weight = exp(one.weight - best.weight)
            total += weight
            same += weight * (_done(one.line) == _done(best.line))
            alike += weight * (_done(_counting(one.line)) == _done(_counting(best.line)))
        counting = _counting(best.line)
        uncounted = tuple(deed for deed in best.line if deed.legal is False)
        if not counting:
            return Explained(uncounted, (same if uncounted else alike) / total)
        if same / total >= SURE_OF_ALL:  # cards that do not count are told too
            counting = tuple(deed for deed in best.line if deed in counting or deed in uncounted)
        return Explained(counting, alike / total)

    def laid_at(self, place: int) -> float:
        """How likely it is that a card lies on a pile which has not been told."""
        return self._share(lambda one: any((deed.place, deed.word) == (place, LAY) for deed in one.line))

    def _lies_again(self, place: int) -> float:
        """How likely a pile that was looked through lies there again, and nothing else has been done."""
        return self._share(
            lambda one: place not in one.table.checked and all(deed.place != place + 1 for deed in one.line)
        )

    def _share(self, is_so: Callable[[Hypothesis], bool]) -> float:
        if self._tracker is None or not self.open:
            return 0.0
        hypotheses: Sequence[Hypothesis] = self._tracker.hypotheses
        heaviest = max(one.weight for one in hypotheses)
        weights = [exp(one.weight - heaviest) for one in hypotheses]
        return sum(weight for weight, one in zip(weights, hypotheses, strict=True) if is_so(one)) / sum(weights)

    def done(self) -> None:
        """What was open is told."""
        self.is_put_back()
        self.open.clear()

    def forget_the_match(self) -> None:
        """It is to be compared anew."""
        self._key = ()

    def is_put_back(self) -> None:
        """Piles that were looked through and lie there again, perhaps in another order."""
        if self._tracker is None:
            return
        table: PilesLaid = self._tracker.best.table
        for place in [one for one in self.checked - table.checked if self._lies_again(one) >= SURE_OF_ALL]:
            self.checked.discard(place)
            self._turned[place] = self._lengths[place], top_of(table.piles[place])
            self.open = {number: seen for number, seen in self.open.items() if seen.change.place != place + 1}
            self.forget_the_match()

    def put_back(self, place: int, top: str) -> None:
        """A pile that was looked through lies there again, with this on top."""
        if place in self.checked:
            self.checked.discard(place)
            self._turned[place] = self._lengths[place], top
            self.forget_the_match()

    def looks_through(self, place: int) -> None:
        """Somebody takes a pile up."""
        self.checked.add(place)
        self._before[place] = self.shown[place]
        self._turned.pop(place, None)
        self.open = {number: seen for number, seen in self.open.items() if seen.change.place != place + 1}
        self.forget_the_match()

    def _as_it_lies(self, place: int, pile: tuple[str, ...]) -> tuple[str, ...]:
        """The order in which a pile was put back is not that of the match."""
        length, top = self._turned.get(place, (0, BARE))
        lain = list(pile[:length])
        if top not in lain or len(pile) < length:
            return pile
        lain.remove(top)
        return (*lain, top, *pile[length:])


def scaled(chance: float, odds: float) -> float:
    """A chance, where something makes it so much likelier or less likely."""
    if chance in (0.0, 1.0):
        return chance
    weighed = log(max(chance, LEAST) / max(1 - chance, LEAST)) + log(odds)
    return 1 / (1 + exp(-weighed))


def _counting(line: Sequence[Deed]) -> tuple[Deed, ...]:
    """What changes the match in the end: a card that was laid and taken back, or the other way round, was not."""
    found: list[Deed] = []
    for deed in line:
        if deed.legal is False:
            continue
        last = next((at for at in reversed(range(len(found))) if found[at].place == deed.place), None)
        words = (found[last].word, deed.word) if last is not None else ()
        if last is not None and words in ((LAY, TAKE), (TAKE, LAY)) and found[last].face == deed.face:
            del found[last]
        elif last is not None and words == (LAY, READ):
            found[last] = found[last]._replace(face=deed.face)
        else:
            found.append(deed)
    return tuple(found)


def _done(line: Sequence[Deed]) -> list[tuple[object, ...]]:
    """What was done, by whichever change it came to light."""
    return [(deed.word, deed.place, deed.face, deed.legal) for deed in line]


def _key(state: State) -> tuple[object, ...]:
    """What the piles depend on."""
    return state.phase == "setup", state.turn, state.hands, state.deck, state.piles

"""How Triplexity looks from above: three stacks of which the top faces are seen, and the ways in which one can change.

A piece is known by its colour and by the pair of pips on its two sides, so what leaves one place is known again where
it arrives, turned over or not.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from companion.games.triplexity.rules import PIECES, PLACES, House
from companion.watch.tracker import SECOND, Deed, PlaceChange, Story

BARE = ""
PUT, TURN = "put", "turn"
FROM = tuple(f"from-{place}" for place in PLACES)
LEAST = 1e-9
LONG = 3 * SECOND // 2  # a visit takes less


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely what befalls a table is; assumed, none was counted with people."""

    more: float = 0.02  # one more piece is lifted at once
    unturned: float = 0.04  # a piece that is to be turned over is laid as it lay
    turned_back: float = 0.1  # a piece comes back to where it lay with its other side up
    just_that: float = 0.15  # a piece that nobody has seen shows this face
    turned: float = 0.03  # a piece is turned over where it lies
    exchanged: float = 0.02  # between two looks at a place a piece was lifted there and another one laid
    misread: float = 0.004  # a face that is read surely is another one ...
    colour: float = 0.1  # ... of the other colour
    unseen: float = 0.02  # what was lifted was laid on a place unseen, before something else came to lie there ...
    unseen_long: float = 0.3  # ... which was hidden for long
    put_unseen: float = 0.0003  # a piece out of the hand was, by one hand that was seen ...
    again: float = 0.8  # ... and where hands of both players were
    illegal: float = 0.05  # what was done is against the rules ...
    out_of_turn: float = 0.02  # ... or was done by the other player
    taken_back: float = 0.1  # a piece that was placed last is taken into the hand again
    beyond: float = 0.02  # no move leads there
    aloft: float = 0.005  # something has been lifted and not been laid, though everything lies still


class Held(NamedTuple):
    """A piece that was lifted: how it lay, and where, counted from 0."""

    face: str
    source: int


class LaidOut(NamedTuple):
    """The stacks from bottom to top, and what has been lifted. A face that nobody saw is its colour with a dash."""

    stacks: tuple[tuple[str, ...], ...] = ((), (), ())
    aloft: tuple[Held, ...] = ()

    def top(self, at: int) -> str:
        return self.stacks[at][-1] if self.stacks[at] else BARE

    def lifted(self, at: int, count: int = 1) -> "LaidOut":
        stack = self.stacks[at]
        held = tuple(Held(face, at) for face in stack[len(stack) - count :])
        return LaidOut(_with(self.stacks, at, stack[: len(stack) - count]), (*self.aloft, *held))

    def laid(self, at: int, face: str) -> "LaidOut":
        return self._replace(stacks=_with(self.stacks, at, (*self.stacks[at], face)))

    def shows(self, at: int, face: str) -> "LaidOut":
        """The top piece shows that face."""
        return self._replace(stacks=_with(self.stacks, at, (*self.stacks[at][:-1], face)))

    def without(self, held: Held) -> "LaidOut":
        left = list(self.aloft)
        left.remove(held)
        return self._replace(aloft=tuple(left))


def _all(table: LaidOut) -> list[str]:
    """Every piece that is not in a hand."""
    return [*(one for stack in table.stacks for one in stack), *(held.face for held in table.aloft)]


def _with(stacks: tuple[tuple[str, ...], ...], at: int, stack: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*stacks[:at], stack, *stacks[at + 1 :])


class Pieces:
    """The pieces of a match by their faces."""

    def __init__(self, house: House, colours: tuple[str, str]) -> None:
        pairs = [faces.split("/") for faces in house.faces]
        self._under = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
        self.colours = colours
        self.faces = tuple(f"{colour}-{pips}" for colour in colours for pips in sorted(self._under))

    def turned(self, face: str) -> str:
        colour, _, pips = face.partition("-")
        return f"{colour}-{self._under[pips]}" if pips else face

    def is_same(self, one: str, other: str) -> bool:
        """Whether two faces are of one piece; of one that nobody saw only the colour is known."""
        if not one or not other or one.partition("-")[0] != other.partition("-")[0]:
            return False
        return one.endswith("-") or other.endswith("-") or other in (one, self.turned(one))

    def agrees(self, known: str, seen: str) -> bool:
        """Whether what is known to lie there shows what is seen."""
        return known == seen or (known.endswith("-") and seen.startswith(known))

    def faces_of(self, seen: str, sure: float, odds: Odds) -> tuple[tuple[str, float], ...]:
        """What may lie where a face is read."""
        if seen == BARE:
            return ((BARE, 1.0),)
        doubt = max(odds.misread, (1 - sure) * odds.misread * 10)
        colour = seen.partition("-")[0]
        same = [face for face in self.faces if face != seen and face.startswith(f"{colour}-")]
        other = [face for face in self.faces if not face.startswith(f"{colour}-")]
        shares = {face: doubt * (1 - odds.colour) / len(same) for face in same}
        shares |= {face: doubt * odds.colour / len(other) for face in other}
        return ((seen, 1 - doubt), *shares.items())


class StacksSight:
    """Which stories explain a change."""

    def __init__(self, pieces: Pieces, *, is_advanced: bool, odds: Odds | None = None) -> None:
        self._pieces, self._is_advanced, self._odds = pieces, is_advanced, odds or Odds()

    def shows(self, table: LaidOut, place: int) -> str:
        return table.top(place - 1)

    def stories(self, table: LaidOut, change: PlaceChange, *, again: bool) -> Iterator[Story]:
        at, pieces = change.place - 1, self._pieces
        for face, chance in change.faces:
            seen = log(max(chance, LEAST))
            if again:  # what nobody saw was covered by something
                yield from self._came(table, change, face, seen)
                continue
            if pieces.agrees(table.top(at), face):
                yield Story(table.shows(at, face) if face else table, seen)
                continue
            yield from self._lifted(table, at, face, seen)
            yield from self._came(table, change, face, seen)
            if pieces.is_same(table.top(at), face):
                yield Story(table.shows(at, face), seen + log(self._odds.turned), Deed(change.number, TURN, at, face))
            elif table.stacks[at]:
                yield from self._came(table.lifted(at), change, face, seen + log(self._odds.exchanged))

    def unseen(self, table: LaidOut, change: PlaceChange) -> Iterator[Story]:
        """What was lifted came to lie there before, while nobody saw the place; or somebody's piece out of the hand."""
        at, is_long = change.place - 1, change.by - change.since > LONG
        again = change.again * self._odds.again
        odds = log(max(self._odds.unseen_long if is_long else self._odds.unseen, again))
        for colour in self._pieces.colours:
            if sum(one.startswith(f"{colour}-") for one in _all(table)) < PIECES:
                face = f"{colour}-"
                put = Deed(change.number, PUT, at, face, unseen=1)
                yield Story(table.laid(at, face), log(max(self._odds.put_unseen, again)), put)
        for held in dict.fromkeys(table.aloft):
            is_turned = self._is_advanced and held.source != at
            face = self._pieces.turned(held.face) if is_turned else held.face
            yield self._laid(table.without(held), change, face, held, odds)

    def settled(self, table: LaidOut, now: int, doubts: Mapping[int, float]) -> Iterable[tuple[LaidOut, float]]:
        del now, doubts
        return ((table, 0.0),)

    def agrees(self, seen: Mapping[int, str]) -> "Agreement":
        """How well a table agrees with what is seen of all places at last."""
        return Agreement(self._pieces, self._odds, tuple(seen.items()))

    def _lifted(self, table: LaidOut, at: int, face: str, seen: float) -> Iterator[Story]:
        """What is seen was below: one piece was lifted, or several at once."""
        stack = table.stacks[at]
        for count in range(1, len(stack) + 1):
            below = stack[len(stack) - count - 1] if count < len(stack) else BARE
            if self._pieces.agrees(below, face):
                after = table.lifted(at, count)
                odds = seen + (count - 1) * log(self._odds.more)
                if below != face:
                    odds += log(self._odds.just_that)
                yield Story(after.shows(at, face) if face else after, odds)

    def _came(self, table: LaidOut, change: PlaceChange, face: str, seen: float) -> Iterator[Story]:
        """A piece came to lie there: out of the air, from the top of another stack, or from a hand."""
        at, pieces = change.place - 1, self._pieces
        if not face:
            return
        is_known = False
        for held in table.aloft:
            if pieces.is_same(held.face, face):
                is_known = True
                yield self._laid(table.without(held), change, face, held, seen)
                if held.source == at and held != table.aloft[0]:
                    yield from self._all_back(table, change, held, seen)
        for other in range(len(PLACES)):
            if other != at and pieces.is_same(table.top(other), face):
                is_known = True
                lifted = table.lifted(other)
                held = lifted.aloft[-1]
                yield self._laid(lifted.without(held), change, face, held, seen)
        if not is_known and not self._lies(table, face):
            yield Story(table.laid(at, face), seen, Deed(change.number, PUT, at, face))

    def _all_back(self, table: LaidOut, change: PlaceChange, last: Held, seen: float) -> Iterator[Story]:
        """What was lifted with it and lay below lies there again as well."""
        below = [held for held in table.aloft[: table.aloft.index(last)] if held.source == last.source]
        for held in below:
            table = table.without(held).laid(last.source, held.face)
        if below:
            yield self._laid(table.without(last), change, last.face, last, seen)

    def _lies(self, table: LaidOut, face: str) -> bool:
        """Whether that piece is on the table already, or all of its colour are."""
        colour = face.partition("-")[0]
        same = [one for one in _all(table) if one.partition("-")[0] == colour]
        return len(same) == PIECES or any(not one.endswith("-") and self._pieces.is_same(one, face) for one in same)

    def _laid(self, table: LaidOut, change: PlaceChange, face: str, held: Held, seen: float) -> Story:
        at, odds = change.place - 1, self._odds
        is_turned = not self._pieces.agrees(held.face, face)
        after = table.laid(at, face)
        if held.source == at:
            return Story(after, seen + log(odds.turned_back if is_turned else 1 - odds.turned_back))
        unlikely = odds.unturned if self._is_advanced else 0.5
        chance = 1 - unlikely if is_turned else unlikely
        return Story(after, seen + log(chance), Deed(change.number, FROM[held.source], at, face))


@dataclass(frozen=True, slots=True)
class Agreement:
    """What is seen of all places when everything lies still: it speaks of those that did not change as well."""

    pieces: Pieces
    odds: Odds
    seen: tuple[tuple[int, str], ...]  # by place

    def __call__(self, table: LaidOut) -> float:
        wrong = sum(not self.pieces.agrees(table.top(place - 1), face) for place, face in self.seen)
        return wrong * log(self.odds.misread) + (log(self.odds.aloft) if table.aloft else 0.0)

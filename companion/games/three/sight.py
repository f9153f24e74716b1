"""How Three! looks from above: a pile at each side of the table, and the ways in which one can have changed.

Everybody lays one card in turn, on a pile of one's own. So a dog on the same dog, which looks like a pile put straight,
is known by what comes next: whoever draws has played, and whoever plays has the turn.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from math import log
from typing import NamedTuple

from companion.core.rules import UNSEEN
from companion.games.three.rules import HAND
from companion.watch.tracker import Deed, PlaceChange, Story

LAY, TAKE, READ, LIFT, SWAP = "lay", "take", "read", "lift", "swap"
BARE = ""  # nothing lies there
NOBODY, ANYBODY = -1, -2  # instead of the place of whoever has the turn
KEPT = 4  # cards of a pile that are remembered: nobody takes back more
LEAST = 1e-9
OTHERS = 7  # dogs that a dog may be taken for, about


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely what befalls a table is; assumed, none was counted with people."""

    illegal: float = 0.02  # of cards that are laid: by somebody who does not have the turn ...
    hasty: float = 0.004  # ... and has played last
    named: float = 0.1  # in one's own turn what is seen is the card that was played unseen, and not the next one
    idle: float = 0.08  # of one's own turns: a hand is at the pile and lays nothing
    taken: float = 0.05  # a card that counts is taken back before anybody has drawn ...
    taken_late: float = 0.00002  # ... or behind that
    taken_refused: float = 0.6  # ... and one that does not count
    reread: float = 0.00002  # what lies there was read wrongly, as one of the other dogs
    lifted: float = 0.001  # a pile is gone though nobody checks it
    other_top: float = 0.15  # a pile that was looked through has another card on top ...
    foreign_top: float = 0.0005  # ... which was not in it
    at_once: float = 0.05  # it was put back and the next card laid on it before anybody saw it
    missed: float = 0.0001  # a dog was laid on the same dog, and nothing of it was seen
    draws: float = 0.9  # whoever draws has played last ...
    idles: float = 0.06  # ... and whoever has not is at the draw pile as seldom ...
    mistaken: float = 0.03  # of what is said only in one's own turn
    steals: float = 0.004  # ... and takes a card from it hardly ever


class Lain(NamedTuple):
    """A card in a pile."""

    dog: str
    counts: bool = True


class PilesLaid(NamedTuple):
    """What lies at the sides of the table, each pile from bottom to top, and who has the turn; all by place."""

    piles: tuple[tuple[Lain, ...], ...]
    turn: int
    hands: tuple[int, ...]
    deck: int
    checked: frozenset[int] = frozenset()  # piles that are being looked through ...
    lifted: frozenset[int] = frozenset()  # ... and those that were seen to be gone
    last: int = NOBODY  # who has played last


@dataclass(frozen=True, slots=True)
class PileSight:
    """Which stories explain a change. Places are counted from 0 here, and from 1 in what is seen."""

    order: tuple[int, ...]  # the places that are played at, as the turn goes round
    left: Mapping[str, int] = field(default_factory=dict)  # of each dog, how many cards nobody has seen yet
    within: Mapping[int, frozenset[str]] = field(default_factory=dict)  # dogs in the pile of each place
    before: Mapping[int, str] = field(default_factory=dict)  # what lay on top of piles before they were looked through
    visited: Set[int] = frozenset()  # places at which their player's hand has been since the turn began
    drawn: Set[int] = frozenset()  # places whose player has drawn since the newest card was laid
    is_newest: bool = True  # the newest move of the match is a card
    odds: Odds = field(default_factory=Odds)

    def shows(self, table: PilesLaid, place: int) -> str:
        return top_of(table.piles[place - 1])

    def stories(self, table: PilesLaid, change: PlaceChange, *, again: bool) -> Iterator[Story]:
        """`again` of a change is how likely another card of the same face was laid, as far as the place tells."""
        del again
        place = change.place - 1
        top = top_of(table.piles[place])
        for face, chance in change.faces:
            seen = log(max(chance, LEAST))
            if face == top:
                yield from self._same(table, change, face, seen)
            elif face == BARE:
                yield from self._bare(table, change, seen)
            else:
                yield self._laid(table, change, face, seen)
                yield from self._taken(table, change, face, seen)
                yield from self._other_top(table, change, face, seen)

    def unseen(self, table: PilesLaid, change: PlaceChange) -> Iterable[Story]:
        """Whoever had the turn has laid a dog on the same dog."""
        turn = table.turn
        face = change.faces[0][0]
        is_card = face not in (BARE, top_of(table.piles[change.place - 1]))
        if turn not in self.visited - {change.place - 1} or not table.piles[turn] or not is_card:
            return
        dog = top_of(table.piles[turn])
        deed = Deed(change.number, LAY, turn + 1, dog, legal=True)
        yield Story(self._played(table, turn, dog), log(self.odds.missed), deed)

    def settled(self, table: PilesLaid, now: int, doubts: Mapping[int, float]) -> Iterable[tuple[PilesLaid, float]]:
        del now, doubts
        return ((table, 0.0),)

    def drawn_by(self, table: PilesLaid, places: Collection[int], *, is_taken: bool) -> float:
        """How likely hands of these are at the draw pile, as a logarithm: whoever has just played draws."""
        others = self.odds.steals if is_taken else self.odds.idles
        return log(self.odds.draws if table.last in places else others)

    def spoken_by(self, table: PilesLaid, place: int) -> float:
        """The same of what is only said by whoever has the turn."""
        return log(1 - self.odds.mistaken if table.turn == place else self.odds.mistaken)

    # --- one card

    def _same(self, table: PilesLaid, change: PlaceChange, face: str, seen: float) -> Iterator[Story]:
        place = change.place - 1
        is_turn = table.turn == place and place not in table.checked
        idle = log(self.odds.idle) if is_turn and face != BARE else 0.0
        is_back = place in table.lifted or face == BARE
        same = _put_back(table, place) if is_back else table
        yield Story(same, seen + idle + log(max(1 - change.again, LEAST)))
        if face == BARE or not change.again:
            return
        yield self._laid(table, change, face, seen + log(change.again))
        pile = table.piles[place]
        if len(pile) > 1 and pile[-2].dog == face and place not in table.checked:
            yield self._off(table, change, seen + log(change.again))

    def _laid(self, table: PilesLaid, change: PlaceChange, face: str, seen: float) -> Story:
        place = change.place - 1
        legal = table.turn in (place, ANYBODY) and table.hands[place] > 0
        total = max(sum(self.left.values()), 1)
        share = max(self.left.get(face, 0) / total, LEAST) if self.left else 0.1
        illegal = self.odds.hasty if table.last == place else self.odds.illegal
        odds = seen + log(1 - illegal if legal else illegal) + log(share)
        odds += log(self.odds.at_once) if place in table.checked else 0.0
        laid = self._played(table, place, face) if legal else _with(table, place, Lain(face, counts=False))
        return Story(laid, odds, Deed(change.number, LAY, change.place, face, legal))

    def _taken(self, table: PilesLaid, change: PlaceChange, face: str, seen: float) -> Iterator[Story]:
        """The card on top is gone, or was read wrongly."""
        place = change.place - 1
        pile = table.piles[place]
        if not pile or place in table.checked:
            return
        if pile[-1].dog == UNSEEN:
            odds = log(self.odds.named) if table.turn == place else 0.0
            deed = Deed(change.number, READ, change.place, face)
            yield Story(_with(table, place, Lain(face), over=1), seen + odds, deed)
            return
        below = pile[-2].dog if len(pile) > 1 else BARE
        if below == face:
            yield self._off(table, change, seen)
        elif face != BARE and pile[-1].counts:
            odds = log(self.odds.reread / OTHERS)
            table = _with(table, place, Lain(face), over=1)
            yield Story(table, seen + odds, Deed(change.number, READ, change.place, face))

    def _off(self, table: PilesLaid, change: PlaceChange, seen: float) -> Story:
        """The card on top is taken back."""
        place = change.place - 1
        top = table.piles[place][-1]
        is_fresh = self.is_newest and table.last == place and place not in self.drawn
        odds = self.odds.taken if is_fresh else self.odds.taken_late
        odds = odds if top.counts else self.odds.taken_refused
        deed = Deed(change.number, TAKE, change.place, top.dog, None if top.counts else False)
        return Story(_taken_back(table, place), seen + log(odds), deed)

    def _bare(self, table: PilesLaid, change: PlaceChange, seen: float) -> Iterator[Story]:
        """Nothing lies there any more."""
        place = change.place - 1
        if place in table.checked:
            yield Story(table._replace(lifted=table.lifted | {place}), seen)
            return
        yield from self._taken(table, change, BARE, seen)
        yield Story(table, seen + log(self.odds.lifted), Deed(change.number, LIFT, change.place, BARE))

    def _other_top(self, table: PilesLaid, change: PlaceChange, face: str, seen: float) -> Iterator[Story]:
        """A pile that was looked through lies in another order, or something else lies there."""
        place = change.place - 1
        if place not in table.checked:
            return
        if face == self.before.get(place):  # nobody has taken anything out yet
            yield Story(table, seen)
            return
        turned = _put_back(_with(table, place, Lain(face), over=1), place)
        within = self.within.get(place, frozenset())
        if face in within or UNSEEN in within:
            yield Story(turned, seen + log(self.odds.other_top / len(within)))
        else:
            deed = Deed(change.number, SWAP, change.place, face)
            yield Story(turned, seen + log(self.odds.foreign_top), deed)

    def _played(self, table: PilesLaid, place: int, dog: str) -> PilesLaid:
        """Behind a card that counts: one is drawn, and the next one with cards has the turn."""
        drawn = 1 if table.deck else 0
        hands = tuple(hand - (at == place) + drawn * (at == place) for at, hand in enumerate(table.hands))
        laid = _with(table, place, Lain(dog))
        turn = self._next(place, hands)
        return _put_back(laid, place)._replace(turn=turn, hands=hands, deck=table.deck - drawn, last=place)

    def _next(self, place: int, hands: Sequence[int]) -> int:
        at = self.order.index(place)
        after = (*self.order[at + 1 :], *self.order[: at + 1])
        return next((one for one in after if hands[one]), NOBODY)


def top_of(pile: Sequence[Lain]) -> str:
    return pile[-1].dog if pile else BARE


def _put_back(table: PilesLaid, place: int) -> PilesLaid:
    """The pile lies there again."""
    return table._replace(checked=table.checked - {place}, lifted=table.lifted - {place})


def _with(table: PilesLaid, place: int, lain: Lain, *, over: int = 0) -> PilesLaid:
    """One card more, instead of so many."""
    pile = table.piles[place]
    return _piled(table, place, (*pile[: len(pile) - over], lain))


def _taken_back(table: PilesLaid, place: int) -> PilesLaid:
    """Without the card on top; where that counted, and was the newest, its player has the turn again."""
    pile = table.piles[place]
    without = _piled(table, place, pile[:-1])
    if not pile[-1].counts or table.last != place:
        return without
    drawn = 1 if table.hands[place] == HAND else 0
    hands = tuple(hand + (at == place) * (1 - drawn) for at, hand in enumerate(table.hands))
    return without._replace(turn=place, hands=hands, deck=table.deck + drawn, last=NOBODY)


def _piled(table: PilesLaid, place: int, pile: tuple[Lain, ...]) -> PilesLaid:
    return table._replace(piles=(*table.piles[:place], pile[-KEPT:], *table.piles[place + 1 :]))

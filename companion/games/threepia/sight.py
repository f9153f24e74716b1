"""How Threepia looks from above: a pile on each place of the field, and the ways in which one can have changed.

A card is told by its four symbols, each with its chances; where the cards that lie there are all of a deck that is
known, four symbols that are none of its cards are read wrongly.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import NamedTuple

from companion.games.threepia.rules import SYMBOLS, House, card_of, misfits
from companion.watch.tracker import Deed, PlaceChange, Story

NOBODY = -1
QUARTERS = 4
LAY, TAKE, TURN, READ = "lay", "take", "turn", "read"
KEPT = 4  # cards of a pile that are remembered: nobody takes back more
ALIKE = 0.9  # of the doubt about a symbol is between it and those of its shape or its colour
LEAST = 1e-12


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely what befalls a table is; assumed, none was counted with people."""

    illegal: float = 0.08  # of cards that are laid
    taken: float = 0.03  # a card that counts is taken back ...
    taken_refused: float = 0.6  # ... and one that does not
    turned: float = 0.01  # a card is turned where it lies
    reread: float = 0.01  # what lies there was read wrongly in one symbol ...
    reread_foreign: float = 0.5  # ... and is no card of the deck, as it was read
    near: float = 0.02  # of cards that are laid: three symbols are those that they cover
    foreign: float = 0.00001  # a card is none of the deck that is known
    twice: float = 0.01  # another one of a card that lies there is laid, of a deck that is not known
    misread: float = 0.004  # a symbol that is read surely is another one


@dataclass(frozen=True, slots=True)
class Sureness:
    """Whoever is called wrongly has more to lose than one whose foul is missed."""

    legal: float = 0.93
    illegal: float = 0.03


class Lain(NamedTuple):
    """A card in a pile, as it lies in the field."""

    card: str
    counts: bool = True


class LaidOut(NamedTuple):
    """What lies on the places of the field, each pile from bottom to top."""

    piles: tuple[tuple[Lain, ...], ...]


@lru_cache(maxsize=4096)
def identity(card: str) -> str:
    """The same for a card however it is turned."""
    return min(str(card_of(card, turned)) for turned in range(QUARTERS))


@dataclass(frozen=True, slots=True)
class KnownDeck:
    """Cards that may come, by what has been seen of them; none: any four symbols are a card."""

    cards: frozenset[str] = frozenset()

    def has(self, card: str) -> bool:
        """Whether it may be one of its cards; of a deck that is not known, any may."""
        return not self.cards or identity(card) in self.cards

    @classmethod
    def of(cls, printed: Iterable[str], seen: Iterable[str]) -> "KnownDeck":
        """The printed deck, if all that was seen is of it."""
        cards = frozenset(map(identity, printed))
        return cls(cards) if all(identity(card) in cards for card in seen) else cls()


class ThreepiaSight:
    """Which stories explain a change."""

    def __init__(self, house: House, deck: KnownDeck | None = None, odds: Odds | None = None) -> None:
        self._house, self._deck, self._odds = house, deck or KnownDeck(), odds or Odds()

    def is_of_the_deck(self, card: str) -> bool:
        return self._deck.has(card)

    def fits(self, card: str, under: str) -> bool:
        return not misfits(card_of(card), card_of(under), triangle_fits=self._house.triangle_fits)

    def cards_showing(self, read: Sequence[tuple[int, str]], lies: Iterable[str]) -> Iterator[str]:
        """Of the known deck, as they would lie, those that show symbols on some corners and lie nowhere yet."""
        gone = {identity(one) for one in lies}
        for card in sorted(self._deck.cards - gone):
            for turned in range(QUARTERS):
                lain = str(card_of(card, turned))
                words = lain.split()
                if all(words[corner] == symbol for corner, symbol in read):
                    yield lain

    def shows(self, table: LaidOut, place: int) -> str:
        return table.piles[place - 1][-1].card

    def stories(self, table: LaidOut, change: PlaceChange, *, again: bool) -> Iterator[Story]:
        del again  # in turn everybody lays one card: nothing is laid unseen
        pile = table.piles[change.place - 1]
        for face, chance in change.faces:
            seen = log(max(chance, LEAST))
            if face == pile[-1].card:
                yield Story(table, seen)
                continue
            yield from self._taken(table, change, face, seen)
            yield from self._the_same(table, change, face, seen)
            yield self._laid(table, change, face, seen)

    def unseen(self, table: LaidOut, change: PlaceChange) -> Iterable[Story]:
        del table, change
        return ()

    def settled(self, table: LaidOut, now: int, doubts: Mapping[int, float]) -> Iterable[tuple[LaidOut, float]]:
        del now, doubts
        return ((table, 0.0),)

    def _laid(self, table: LaidOut, change: PlaceChange, face: str, seen: float) -> Story:
        pile = table.piles[change.place - 1]
        under = next((lain.card for lain in reversed(pile) if lain.counts), pile[0].card)
        legal = not misfits(card_of(face), card_of(under), triangle_fits=self._house.triangle_fits)
        odds = seen + log(1 - self._odds.illegal if legal else self._odds.illegal) + self._of_the_deck(table, face)
        if _is_near(face, pile[-1].card):
            odds += log(self._odds.near)
        laid = _with(table, change.place, (*pile, Lain(face, legal)))
        return Story(laid, odds, Deed(change.number, LAY, change.place, face, legal))

    def _taken(self, table: LaidOut, change: PlaceChange, face: str, seen: float) -> Iterator[Story]:
        pile = table.piles[change.place - 1]
        if len(pile) > 1 and pile[-2].card == face:
            odds = self._odds.taken if pile[-1].counts else self._odds.taken_refused
            deed = Deed(change.number, TAKE, change.place, pile[-1].card)
            yield Story(_with(table, change.place, pile[:-1]), seen + log(odds), deed)

    def _the_same(self, table: LaidOut, change: PlaceChange, face: str, seen: float) -> Iterator[Story]:
        """The card on top was turned where it lies, or was read wrongly before."""
        pile = table.piles[change.place - 1]
        if len(pile) == 1:
            return
        top = pile[-1].card
        other = _with(table, change.place, (*pile[:-1], pile[-1]._replace(card=face)))
        if identity(face) == identity(top):
            yield Story(other, seen + log(self._odds.turned), Deed(change.number, TURN, change.place, face))
        elif _is_near(face, top):
            odds = log(self._odds.reread if self._deck.has(top) else self._odds.reread_foreign)
            odds += self._of_the_deck(table, face)
            yield Story(other, seen + odds, Deed(change.number, READ, change.place, face))

    def _of_the_deck(self, table: LaidOut, face: str) -> float:
        lies = {identity(lain.card) for pile in table.piles for lain in pile}
        if not self._deck.cards:
            return log(self._odds.twice) if identity(face) in lies else 0.0
        return 0.0 if identity(face) in self._deck.cards - lies else log(self._odds.foreign)


def _is_near(face: str, other: str) -> bool:
    """Only one symbol differs."""
    return sum(one != two for one, two in zip(face.split(), other.split(), strict=True)) == 1


def _with(table: LaidOut, place: int, pile: tuple[Lain, ...]) -> LaidOut:
    return LaidOut((*table.piles[: place - 1], pile[-KEPT:], *table.piles[place:]))


# --- four symbols are a card -----------------------------------------------------------------------------------


class SeenSymbol(NamedTuple):
    """One corner of a card: what is read there, and how surely."""

    symbol: str
    sure: float


def faces_of_card(corners: Sequence[SeenSymbol], odds: Odds | None = None) -> tuple[tuple[str, float], ...]:
    """The cards that may lie there: as they were read, and with any one symbol read wrongly."""
    misread = (odds or Odds()).misread
    doubts = [max(misread, (1 - seen.sure) * DOUBTED) for seen in corners]
    all_right = 1.0
    for doubt in doubts:
        all_right *= 1 - doubt
    found = {" ".join(seen.symbol for seen in corners): all_right}
    for at, (seen, doubt) in enumerate(zip(corners, doubts, strict=True)):
        for other, share in _others(seen.symbol):
            words = [other if corner == at else one.symbol for corner, one in enumerate(corners)]
            found[" ".join(words)] = all_right / (1 - doubt) * doubt * share
    return tuple(sorted(found.items(), key=lambda one: -one[1]))


DOUBTED = 0.03  # of readings that are not told surely so many are wrong, at most


@lru_cache(maxsize=64)
def _others(symbol: str) -> tuple[tuple[str, float], ...]:
    """What else it may be, with its share of the doubt."""
    shape, colour = symbol.split("-")
    near = [str(one) for one in SYMBOLS if (one.shape == shape) != (one.colour == colour)]
    far = [str(one) for one in SYMBOLS if one.shape != shape and one.colour != colour]
    shares = {one: ALIKE / len(near) for one in near} | {one: (1 - ALIKE) / len(far) for one in far}
    return tuple(shares.items())

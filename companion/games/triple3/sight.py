"""How Triple³ looks from above: nine places with a pile each, and the ways in which what one shows can have changed.

A card that nobody saw is a set of those that it may be, as bits of the deck; it is narrowed where a ruling hangs on it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import log
from typing import NamedTuple

from companion.games.triple3 import sight_calibrated
from companion.games.triple3.rules import ALL_CARDS, BITS, CELLS, DECK, LINES, PLACE_IN_DECK, WITH_VALUE
from companion.games.triple3.sight_odds import Odds
from companion.watch.tracker import Deed, PlaceChange, Story

SECOND = 1_000_000_000
IN_LINE = tuple(
    tuple(sorted({other - 1 for _, line in LINES if cell in line for other in line if other != cell})) for cell in CELLS
)
_LINES = tuple(
    tuple(tuple(other - 1 for other in line if other != cell) for _, line in LINES if cell in line) for cell in CELLS
)
_BITS = tuple(BITS[card] for card in DECK)
NOBODY = -1  # the number of a change that nobody saw, or that is settled
GLIMPSED = -2  # of one that nobody saw clearly


class Lain(NamedTuple):
    """A card in a pile."""

    cards: int  # which it may be
    counts: bool  # whether the rules let it pass
    change: int = NOBODY  # that showed it
    at: int = 0  # when it was laid


class Moment(NamedTuple):
    """What counted on a cell until then."""

    at: float
    cell: int
    cards: int


class Grid(NamedTuple):
    """What lies on the nine cells."""

    piles: tuple[tuple[Lain, ...], ...]
    tops: tuple[int, ...]  # the card that counts on each
    known: int  # the cards that have been seen
    away: tuple[tuple[int, int], ...] = ()  # cards that were knocked over, and onto which cell; -1: not seen yet
    recent: tuple[Moment, ...] = ()  # what people may not have seen yet


def grid_of(piles: Sequence[Sequence[str]], called: Collection[str] = ()) -> Grid:
    """The table with these piles, from bottom to top; "?" is a card that nobody saw, and what was called counts not."""
    unseen = ALL_CARDS & ~sum(PLACE_IN_DECK[card] for pile in piles for card in pile if card in PLACE_IN_DECK)
    return _table(
        tuple(tuple(Lain(PLACE_IN_DECK.get(card, unseen), card not in called) for card in pile) for pile in piles)
    )


def _table(piles: tuple[tuple[Lain, ...], ...]) -> Grid:
    return Grid(piles, tuple(map(_counting, piles)), sum(map(_known_in, piles)))


class Triple3Sight:
    """Which stories explain a change."""

    def __init__(self, odds: Odds | None = None, *, keeps: bool = False) -> None:
        self._odds = odds or sight_calibrated.ODDS
        self._keeps = keeps  # illegal plays lie there and count until the next Stop!

    def shows(self, table: Grid, cell: int) -> str:
        """The card on top of a cell, if it is known."""
        cards = table.piles[cell - 1][-1].cards
        return DECK[_lowest(cards)] if _is_one(cards) else ""

    def counts(self, table: Grid, cell: int, card: str) -> bool | None:
        """Whether a card counts that lies on a cell; None if it does not lie there."""
        cards = PLACE_IN_DECK[card]
        return next((lain.counts for lain in table.piles[cell - 1] if lain.cards == cards), None)

    def moved(self, table: Grid, cell: int, card: str) -> Grid | None:
        """With a card that was knocked over where it lies now; nothing if none was."""
        cards, place = PLACE_IN_DECK[card], cell - 1
        where = next((at for at, pile in enumerate(table.piles) if pile[-1].cards == cards), place)
        if dict(table.away).get(cards) != place or where == place or len(table.piles[where]) == 1:
            return None
        lain = table.piles[where][-1]
        table = _with(table, where, table.piles[where][:-1])
        table = _with(table, place, (*table.piles[place], lain))
        return table._replace(away=tuple(one for one in table.away if one[0] != cards))

    # --- in which ways

    def stories(self, table: Grid, change: PlaceChange, *, again: bool) -> Iterator[Story]:
        for face, chance in change.faces:
            for story in self._ways(table, change, PLACE_IN_DECK[face], again=again):
                yield story._replace(odds=story.odds + log(chance))
        if (misread := self._odds.misread * (1 - sum(chance for _, chance in change.faces))) > self._odds.never_misread:
            cards = ALL_CARDS & ~table.known & ~sum(PLACE_IN_DECK[face] for face, _ in change.faces)
            yield from self._laid(table, change, cards, log(misread / cards.bit_count()), again=again)

    def _ways(self, table: Grid, change: PlaceChange, card: int, *, again: bool) -> Iterator[Story]:
        place = change.place - 1
        pile = table.piles[place]
        away = dict(table.away)
        if pile[-1].cards & card and not _is_one(pile[-1].cards):  # what could not be read is this one
            read = pile[-1]._replace(cards=card)
            yield Story(_with(table, place, (*pile[:-1], read)), -log(pile[-1].cards.bit_count()))
        if pile[-1].cards == card:  # it lies there anyhow, or was put back
            away.pop(card, None)
            yield Story(table._replace(away=tuple(sorted(away.items()))), 0.0)
        elif len(pile) > 1 and pile[-1].cards in away and pile[-2].cards == card:
            yield Story(table, 0.0)  # what lay above it was knocked over
        elif (depth := _depth(pile, card)) is not None and pile[depth].change != GLIMPSED:
            yield from self._uncovered(table, place, depth)
        elif depth is not None:
            yield from self._brought_to_light(table, change, card)
        else:
            yield from self._brought_to_light(table, change, card)
            where = next((cell for cell, other in enumerate(table.piles) if _depth(other, card) is not None), None)
            if where is None:
                yield from self._laid(table, change, card, again=again)
            else:
                yield from self._from_elsewhere(table, change, card, where, again=again)

    def _uncovered(self, table: Grid, place: int, depth: int) -> Iterator[Story]:
        """What lay above it was taken away, or knocked over."""
        pile = table.piles[place]
        above, top = pile[depth + 1 :], pile[-1]
        if len(above) == 1 and top.counts and _is_one(top.cards):
            away = tuple(sorted({**dict(table.away), top.cards: -1}.items()))
            yield Story(table._replace(away=away), log(self._odds.knocked_away))
        odds = sum(log(self._odds.taken if one.counts else self._odds.taken_called) for one in above)
        deed = Deed(NOBODY, "take", place + 1, _named(top.cards), unseen=len(above) - 1) if top.counts else None
        yield Story(_with(table, place, pile[: depth + 1]), odds, deed)

    def _brought_to_light(self, table: Grid, change: PlaceChange, card: int) -> Iterator[Story]:
        """It is the card that nobody had seen, and what lay above it is gone."""
        place = change.place - 1
        pile = table.piles[place]
        for depth, lain in enumerate(pile[:-1]):
            if lain.cards & card and (lain.change == GLIMPSED or not _is_one(lain.cards)):
                gone = sum(
                    log(self._odds.taken if one.counts else self._odds.taken_called) for one in pile[depth + 1 :]
                )
                new = (*pile[:depth], Lain(card, lain.counts, change.number, change.by))
                deed = Deed(change.number, "show", change.place, _named(card), lain.counts)
                yield Story(_with(table, place, new), gone - log(lain.cards.bit_count()), deed)

    def _from_elsewhere(
        self, table: Grid, change: PlaceChange, card: int, where: int, *, again: bool
    ) -> Iterator[Story]:
        """A card that lay on another cell: knocked over to here, taken and laid anew, or dug out."""
        pile, place = table.piles[where], change.place - 1
        top, away = pile[-1], dict(table.away)
        is_beside = max(abs(where // 3 - place // 3), abs(where % 3 - place % 3)) <= 1
        if top.cards == card and top.counts:
            if is_beside:
                known = 0.0 if away.get(card) == -1 else log(self._odds.knocked)
                deed = Deed(change.number, "knock", change.place, _named(card))
                yield Story(table._replace(away=tuple(sorted({**away, card: place}.items()))), known, deed)
            if len(pile) > 1:
                yield from self._laid(_with(table, where, pile[:-1]), change, card, log(self._odds.taken), again=again)
        elif top.cards == card:
            yield from self._laid(
                _with(table, where, pile[:-1]), change, card, log(self._odds.taken_called), again=again
            )
        elif pile[0].cards != card:
            rest = tuple(one for one in pile if one.cards != card)
            yield from self._laid(_with(table, where, rest), change, card, log(self._odds.dug_out), again=again)

    # --- laid

    def _laid(self, table: Grid, change: PlaceChange, card: int, odds: float = 0.0, *, again: bool) -> Iterator[Story]:
        """A card from a hand, or one of several, perhaps on what lay under a card that was taken away unseen."""
        if _is_one(card):
            table, narrowed = _seen(table, card)
            odds += narrowed
            table = table._replace(away=tuple(one for one in table.away if one[0] != card))
        place, pile = change.place - 1, table.piles[change.place - 1]
        hidden = self._hidden(table, change)
        ways = [(table, odds if again else odds + log(1 - hidden))]
        unglimpsed = self._unglimpsed(change)
        if not again and len(pile) > 1 and pile[-1].counts and unglimpsed >= self._odds.negligible:
            ways.append((_with(table, place, pile[:-1]), odds + log(self._odds.taken_unseen * unglimpsed)))
        for on, weight in ways:
            before = on.tops[place]
            for grid, some, legal, share in self._rulings(on, place, card, change.moment):
                lain = Lain(some, legal or self._keeps, change.number, int(change.moment))
                new = _with(grid, place, (*grid.piles[place], lain))
                if legal:
                    new = _remember(new, Moment(change.moment, place, before))
                deed = Deed(change.number, "lay", change.place, _named(some), legal, unseen=int(again))
                yield Story(new, weight + share, deed)

    def unseen(self, table: Grid, change: PlaceChange) -> Iterator[Story]:
        """A card that nobody saw clearly, laid before the one that was seen: one that was glimpsed, or any."""
        if self._is_known(table, change):
            return
        shown = sum(PLACE_IN_DECK[face] for face, _ in change.faces)
        free = ALL_CARDS & ~table.known & ~shown
        glimpsed = self._between(table, change)
        for card, chance in glimpsed:
            yield from self._covered(table, change, card, log(chance * free.bit_count()))
        unglimpsed = self._unglimpsed(change) * (1 - sum(chance for _, chance in glimpsed))
        if unglimpsed >= self._odds.negligible:
            yield from self._covered(table, change, free, log(unglimpsed))

    def _covered(self, table: Grid, change: PlaceChange, cards: int, odds: float) -> Iterator[Story]:
        """One of these cards, laid early in the stretch."""
        place, at = change.place - 1, change.since + 0.3 * (change.by - change.since)
        before = table.tops[place]
        for grid, some, legal, share in self._rulings(table, place, cards, at):
            new = _with(grid, place, (*grid.piles[place], Lain(some, legal or self._keeps, GLIMPSED, int(at))))
            if legal:
                new = _remember(new, Moment(at, place, before))
            deed = Deed(NOBODY, "unseen", change.place, f"{some:x}")
            yield Story(new, odds + share, deed)

    def _hidden(self, table: Grid, change: PlaceChange) -> float:
        """That something was laid and covered unseen."""
        glimpsed = sum(chance for _, chance in self._between(table, change))
        return glimpsed + (1 - glimpsed) * self._unglimpsed(change)

    def _between(self, table: Grid, change: PlaceChange) -> list[tuple[int, float]]:
        """The cards that were glimpsed there; one that lies elsewhere was only carried past."""
        cards = [(PLACE_IN_DECK[face], chance) for face, chance in change.between]
        elsewhere = sum(chance for card, chance in cards if card & table.known)
        return [(card, chance / (1 - elsewhere)) for card, chance in cards if not card & table.known]

    def _unglimpsed(self, change: PlaceChange) -> float:
        return min(self._odds.hidden_most, self._odds.hidden_once + self._odds.hidden_again * change.again)

    def _is_known(self, table: Grid, change: PlaceChange) -> bool:
        return any(PLACE_IN_DECK[face] & table.known for face, _ in change.faces[:1])

    # --- legal or not

    def _rulings(self, table: Grid, place: int, cards: int, at: float) -> Iterator[tuple[Grid, int, bool, float]]:
        """A card (or one of several) laid on a cell: legal or not, with what has to be so for that, and the odds."""
        tops = table.tops
        unknown = next((cell for cell in (place, *IN_LINE[place]) if not _is_one(tops[cell])), None)
        grid = [cards.bit_length() - 1 for cards in tops]
        if unknown is None:
            yield from self._ruled(table, grid, place, cards, 0.0, at)
            return
        groups: dict[int, int] = {}
        for one in _members(tops[unknown]):
            grid[unknown] = one
            takes = _takers(grid, place) & cards
            groups[takes] = groups.get(takes, 0) | 1 << one
        for some in groups.values():
            grid[unknown] = _lowest(some)
            share = log(some.bit_count() / tops[unknown].bit_count())
            yield from self._ruled(_narrowed(table, unknown, tops[unknown], some), grid, place, cards, share, at)

    def _ruled(
        self, table: Grid, grid: list[int], place: int, cards: int, odds: float, at: float
    ) -> Iterator[tuple[Grid, int, bool, float]]:
        takes = _takers(grid, place)
        free = ALL_CARDS & ~table.known
        views = list(self._views(table, grid, place, takes, at))
        for legal, some in ((True, cards & takes), (False, cards & ~takes)):
            if some:
                chance = sum(
                    share * self._chosen(some, view, free, heeds=not legal and view is not takes)
                    for view, share in views
                )
                if chance:
                    yield table, some, legal, odds + log(chance)

    def _chosen(self, some: int, view: int, free: int, *, heeds: bool) -> float:
        """How likely one of these cards is laid by somebody to whom those of a view seem legal."""
        fitting, all_of = (view & free).bit_count(), free.bit_count()
        good = (some & view).bit_count()
        bad = some.bit_count() - good
        found = float(1 - (1 - fitting / max(all_of, 1)) ** self._odds.looked_through)
        meant = (1 - self._odds.illegal) * good / max(fitting, 1) * found / self._odds.usually_found
        return (self._odds.unheeding if heeds else 1.0) * meant + self._odds.illegal * bad / max(all_of - fitting, 1)

    def _views(
        self, table: Grid, grid: Sequence[int], place: int, takes: int, at: float
    ) -> Iterator[tuple[int, float]]:
        """What seemed legal to whoever laid: by the table as it is, as it was when the arm set out, and with a card
        that lies there and of which nobody has heard yet that it was called."""
        around = (place, *IN_LINE[place])
        old, share = self._as_it_was(table, grid, around, at)
        uncalled = self._uncalled(table, grid, around, at)
        rest = 1.0 if uncalled is None else 1 - self._odds.uncalled
        yield takes, rest * (1 - share)
        if old is not None:
            yield _takers(old, place), rest * share
        if uncalled is not None:
            yield _takers(uncalled, place), self._odds.uncalled

    def _as_it_was(
        self, table: Grid, grid: Sequence[int], around: Sequence[int], at: float
    ) -> tuple[list[int] | None, float]:
        old: list[int] | None = None
        share = 0.0
        for moment in table.recent:
            age = (at - moment.at) / SECOND
            if age < self._odds.sets_out and moment.cell in around and _is_one(moment.cards):
                if old is None:
                    old, share = list(grid), min(max((self._odds.sets_out - age) / 0.6, 0.05), 0.95)
                if old[moment.cell] == grid[moment.cell]:
                    old[moment.cell] = _lowest(moment.cards)
        return old, share

    def _uncalled(self, table: Grid, grid: Sequence[int], around: Sequence[int], at: float) -> list[int] | None:
        seen: list[int] | None = None
        for cell in around:
            top = table.piles[cell][-1]
            if not top.counts and _is_one(top.cards) and -0.2 < (at - top.at) / SECOND < self._odds.heard_after:
                seen = seen or list(grid)
                seen[cell] = _lowest(top.cards)
        return seen

    # --- settled

    def settled(self, table: Grid, now: int, doubts: Mapping[int, float]) -> Iterator[tuple[Grid, float]]:
        """What a hypothesis comes to; and that a card on top counts, or does not, other than was thought."""
        odds = sum(log(self._odds.stays) for pile in table.piles for lain in pile if self._stays(lain, now))
        piles = tuple(
            tuple(
                lain._replace(change=min(lain.change, NOBODY), at=0 if self._stays(lain, now) else lain.at)
                for lain in pile
            )
            for pile in table.piles
        )
        newest = max((moment.at for moment in table.recent), default=0.0)
        recent = tuple(moment for moment in table.recent if newest - moment.at < SECOND)
        found = table._replace(piles=piles, recent=recent)
        yield found, odds
        for place, pile in enumerate(table.piles):
            top = pile[-1]
            if top.change > NOBODY and top.change in doubts and _is_one(top.cards) and any(x.counts for x in pile[:-1]):
                other = (*piles[place][:-1], piles[place][-1]._replace(counts=not top.counts))
                yield _with(found, place, other), odds + log(self._otherwise(doubts[top.change]))
        yield self._as_it_lies(found), odds + log(self._odds.astray)

    def _as_it_lies(self, table: Grid) -> Grid:
        """What people see who have forgotten how it came about: the way back from a hypothesis that went astray."""
        return _table(tuple((*pile[:-1], pile[-1]._replace(counts=True)) for pile in table.piles))

    def _otherwise(self, doubt: float) -> float:
        return self._odds.otherwise * min(1.0, doubt / self._odds.doubtful) + self._odds.otherwise_least

    def _stays(self, lain: Lain, now: int) -> bool:
        """A card that does not count, and that nobody has taken back for long: counted once."""
        return not lain.counts and lain.at > 0 and now - lain.at > self._odds.stays_after * SECOND


# --- sets of cards, as bits of the deck


def _lowest(cards: int) -> int:
    return (cards & -cards).bit_length() - 1


def _is_one(cards: int) -> bool:
    return not cards & (cards - 1)


def _members(cards: int) -> Iterator[int]:
    while cards:
        yield _lowest(cards)
        cards &= cards - 1


def _named(cards: int) -> str:
    return DECK[_lowest(cards)] if _is_one(cards) else "?"


def _depth(pile: Sequence[Lain], card: int) -> int | None:
    return next((depth for depth, lain in enumerate(pile) if lain.cards == card), None)


def _counting(pile: Sequence[Lain]) -> int:
    """The card that counts on a cell."""
    return next((lain.cards for lain in reversed(pile) if lain.counts), pile[0].cards)


def _known_in(pile: Sequence[Lain]) -> int:
    known = 0
    for lain in pile:
        if _is_one(lain.cards):
            known |= lain.cards
    return known


_HOLDING: dict[int, int] = {}


def _takers(grid: Sequence[int], place: int) -> int:
    """The cards that are legal on a cell. `accepted` of the rules, on numbers of cards: it is asked a million times."""
    gain = 0
    for one, two in _LINES[place]:
        gain |= _BITS[grid[one]] & _BITS[grid[two]]
    gain &= ~_BITS[grid[place]]
    found = _HOLDING.get(gain)
    if found is None:
        found = _HOLDING[gain] = sum_of(WITH_VALUE[bit] for bit in range(len(WITH_VALUE)) if gain >> bit & 1)
    return found


def sum_of(sets: Iterator[int]) -> int:
    """All the cards of some sets."""
    found = 0
    for one in sets:
        found |= one
    return found


# --- tables


def _with(table: Grid, place: int, pile: tuple[Lain, ...]) -> Grid:
    piles, tops = table.piles, table.tops
    known = (table.known & ~_known_in(piles[place])) | _known_in(pile)
    piles = (*piles[:place], pile, *piles[place + 1 :])
    return Grid(piles, (*tops[:place], _counting(pile), *tops[place + 1 :]), known, table.away, table.recent)


def _remember(table: Grid, moment: Moment) -> Grid:
    recent = (*(one for one in table.recent if moment.at - one.at < 1.2 * SECOND), moment)
    return table._replace(recent=recent[-4:])


def _narrowed(table: Grid, place: int, cards: int, some: int) -> Grid:
    """What counts on a cell is one of fewer cards."""
    pile = list(table.piles[place])
    for depth in reversed(range(len(pile))):
        if pile[depth].cards == cards and pile[depth].counts:
            pile[depth] = pile[depth]._replace(cards=some)
            break
    return _with(table, place, tuple(pile))


def _seen(table: Grid, card: int) -> tuple[Grid, float]:
    """A card that is seen elsewhere is none of those that nobody saw."""
    odds = 0.0
    for place, pile in enumerate(table.piles):
        if any(lain.cards & card and not _is_one(lain.cards) for lain in pile):
            for lain in pile:
                if lain.cards & card and not _is_one(lain.cards):
                    odds += log((lain.cards.bit_count() - 1) / lain.cards.bit_count())
            less = tuple(one if _is_one(one.cards) else one._replace(cards=one.cards & ~card) for one in pile)
            table = _with(table, place, less)
    return table, odds

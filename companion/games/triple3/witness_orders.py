"""In which order cards came onto the grid that were laid under the same arms: if one order is legal, it is legal."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.triple3.rules import is_legal

MOST = 6  # happenings that are put in order; more at once are not two hands at a table


@dataclass(frozen=True, slots=True)
class Happening:
    """A card was laid on a cell or taken from it, somewhere between two stamps."""

    cell: int
    card: str
    since: int
    stamp: int
    is_laid: bool = True

    def is_before(self, other: "Happening") -> bool:
        """Whether it cannot have been after the other."""
        if self.stamp < other.since:
            return True
        is_tied = self.cell == other.cell or self.card == other.card
        return is_tied and (self.stamp, self.is_laid) < (other.stamp, other.is_laid)

    def overlaps(self, other: "Happening") -> bool:
        return self.since <= other.stamp and other.since <= self.stamp


Piles = tuple[tuple[str, ...], ...]


def legal_order(piles: Piles, happenings: Sequence[Happening]) -> tuple[Happening, ...] | None:
    """An order in which every card that was laid was legal; of several the one nearest to that of settling."""
    if len(happenings) > MOST:
        return None
    return _order(piles, tuple(sorted(happenings, key=lambda one: one.stamp)))


def _order(piles: Piles, left: tuple[Happening, ...]) -> tuple[Happening, ...] | None:
    if not left:
        return ()
    for at, one in enumerate(left):
        others = (*left[:at], *left[at + 1 :])
        if any(other.is_before(one) for other in others):
            continue
        after = _after(piles, one)
        if after is not None and (rest := _order(after, others)) is not None:
            return (one, *rest)
    return None


def _after(piles: Piles, one: Happening) -> Piles | None:
    """The piles after it; nothing if it cannot be, or is illegal."""
    pile = piles[one.cell - 1]
    if not one.is_laid:
        if len(pile) < 2 or pile[-1] != one.card:
            return None
        return (*piles[: one.cell - 1], pile[:-1], *piles[one.cell :])
    if is_legal(tuple(pile[-1] for pile in piles), one.cell, one.card):
        return (*piles[: one.cell - 1], (*pile, one.card), *piles[one.cell :])
    return None

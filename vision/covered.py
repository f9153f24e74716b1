"""Which card was laid on a cell and covered by the next one before it lay free: by what the cell showed in between.

Whoever lays a card holds it over its place first, and of a card under a hand a part is seen. What is read of a cell
from frame to frame fits the old card and then the new one, or fits better with a third card in between. A card that is
held over a cell and carried away again is seen in between too, but then the new card is seen before it, or the old one
behind it.
"""

from collections import deque
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer
from vision.deck import CARDS
from vision.faults import SECOND
from vision.sightings import CELLS

KEPT = 8 * SECOND  # for so long readings are remembered
LOOK = SECOND // 30  # readings closer together count less than one look each
BEFORE = SECOND // 10  # a cell may show the next card for so long before anything is seen to move there
LAYING = SECOND // 5  # from holding a card over a cell to the hand being off it a laying takes so long at least
BLIND = 0.2  # of the looks that see a card, so many tell nothing of which
# Between two fits by maximum likelihood to 723 sightings on the simulated table, of which 62 are of a card that covered
# another: with so many of them, and with as few as there are in matches.
POWER = 0.44  # of the evidence: looks at one scene are not independent
LAID, LAID_AGAIN = -7.5, 0.9  # how likely one card of the deck is to have been laid, by how likely hands came again ...
HELD, HELD_AGAIN = -9.2, 0.7  # ... or to have been held over the cell and carried away; all as logarithms of odds
NEVER = -1e6  # as a logarithm
FAINT = 0.001  # a card that is less likely is not told

Chances = NDArray[np.float64]


class Between(NamedTuple):
    """What was seen on a cell between two cards."""

    laid: tuple[tuple[str, float], ...] = ()  # cards that may have been laid there and covered, and how likely each is
    held: float = 0.0  # how likely it is that one was held over the cell and carried away

    @property
    def brought(self) -> float:
        """How likely it is that a card was brought that is not the one seen last: by another hand."""
        return min(1.0, sum(chance for _, chance in self.laid) + self.held)


class CoveredCards:
    """Hand it all that is read of the cells."""

    def __init__(self) -> None:
        self._read: tuple[deque[tuple[int, CellAnswer]], ...] = tuple(deque() for _ in range(CELLS))

    def take(self, stamp: int, numbers: Sequence[int], answers: Sequence[CellAnswer]) -> None:
        """One frame."""
        for number, answer in zip(numbers, answers, strict=True):
            read = self._read[number - 1]
            read.append((stamp, answer))
            while read[0][0] < stamp - KEPT:
                read.popleft()

    def between(self, cell: int, cards: tuple[str | None, str], since: int, by: int, again: float) -> Between:
        """What was seen there between two cards that were seen clearly."""
        read = [one for one in self._read[cell - 1] if since - BEFORE <= one[0] <= by]
        if not read:
            return Between()
        old, new = None if cards[0] is None else CARDS.index(cards[0]), CARDS.index(cards[1])
        laid, held = _evidence(read, old, new, by)
        comes = log(max(again, FAINT) / max(1 - again, FAINT))
        strongest = max(float(laid.max()), float(held.max()), 0.0)
        were_laid = _odds(laid, LAID + LAID_AGAIN * comes, strongest)
        were_held = _odds(held, HELD + HELD_AGAIN * comes, strongest)
        of_all = exp(-POWER * strongest) + float(were_laid.sum() + were_held.sum())
        chances = were_laid / of_all
        found = [int(at) for at in np.argsort(-chances) if chances[at] >= FAINT]
        return Between(tuple((CARDS[at], float(chances[at])) for at in found), float(were_held.sum()) / of_all)


def _evidence(read: Sequence[tuple[int, CellAnswer]], old: int | None, new: int, by: int) -> tuple[Chances, Chances]:
    """Of each card of the deck, how much better it fits that it was laid in between, or held there, than that it was
    neither; as logarithms."""
    stamps = np.array([stamp for stamp, _ in read])
    sees = (1 - BLIND) * np.array([answer.state[0] for _, answer in read])[:, None]
    cards = np.stack([answer.cards for _, answer in read])
    weights = np.minimum(np.diff(stamps, prepend=stamps[0] - LOOK), LOOK)[:, None] / LOOK
    fits = np.log(sees * len(CARDS) * cards + (1 - sees)) * weights
    any_one = np.cumsum(np.pad(fits, ((1, 0), (0, 0))), axis=0)
    first = np.zeros((len(any_one), 1)) if old is None else any_one[:, [old]]
    last = any_one[:, [new]]
    in_time = np.cumsum(np.pad(np.where(stamps[:, None] > by - LAYING, NEVER, fits), ((1, 0), (0, 0))), axis=0)
    neither = _best(first, last)
    laid = _best(first, in_time, last) - neither
    held = np.maximum(_best(first, last, any_one, last), _best(first, any_one, first, last)) - neither
    for of in (laid, held):
        of[[card for card in (old, new) if card is not None]] = NEVER
    return laid, held


def _odds(evidence: Chances, before: float, strongest: float) -> Chances:
    """Against the strongest evidence, and as far as there is any: without it a card is none that was seen."""
    return np.asarray(exp(before) * (np.exp(POWER * (evidence - strongest)) - exp(-POWER * strongest)).clip(0))


def _best(*sums: Chances) -> Chances:
    """How well it fits, at best, that these were to be seen one after the other; each by the sum of how well it fits
    up to each look."""
    so_far, *later = sums
    for then in later:
        so_far = np.maximum.accumulate(so_far - then, axis=0) + then
    return np.asarray(so_far[-1], np.float64)

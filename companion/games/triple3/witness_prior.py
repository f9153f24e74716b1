"""Which card can be where: what a game tells the watcher, as 9 × 64 numbers.

The reader's own doubt is some hundredths where it is in doubt at all, so each step may turn a doubt, and none of them a
clear look.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, State

if TYPE_CHECKING:
    from vision.sightings import Prior

# How likely a card is on a cell, beside the card that was last seen there.
STAYS = 1.0
LEGAL = 1.0
ILLEGAL = 0.1  # one play in ten is illegal
BELOW = 0.05  # a card taken back shows what lies under it; under one that was called it is as likely as a legal play
KNOCKED_OVER = 0.02  # from the top of another cell
BURIED = 1e-6  # in a pile: it would have to be dug out


def likely(state: State, stacks: Sequence[Sequence[str]], called: Collection[str]) -> "Prior":
    """By the match, what lies on the cells from bottom to top, and which of that was called illegal."""
    import numpy as np  # noqa: PLC0415

    found = np.ones((len(CELLS), len(triple3.DECK)))
    place = {card: number for number, card in enumerate(triple3.DECK)}
    bits = np.array([triple3.BITS[card] for card in triple3.DECK])
    for row, cell in enumerate(CELLS):
        found[row] = np.where(bits & triple3.accepted(state.grid, cell), LEGAL, ILLEGAL)
    for stack in stacks:
        for card, _ in pairwise(stack):
            if card in place:
                found[:, place[card]] = BURIED
        if stack and stack[-1] in place:
            found[:, place[stack[-1]]] = KNOCKED_OVER
    for row, stack in enumerate(stacks):
        if len(stack) > 1 and stack[-2] in place:
            found[row, place[stack[-2]]] = LEGAL if stack[-1] in called else BELOW
        if stack and stack[-1] in place:
            found[row, place[stack[-1]]] = STAYS
    return found

"""No card lies on two cells: what the looks at all of them say, given that.

The chances of each card on each cell are summed, exactly, over every way in which the cells can hold different cards
or none. So a doubt is settled by what lies elsewhere as far as that is sure, and of two cells that say the same each
keeps what is left for it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer

NOBODYS = 1e-5  # so unlikely to be on two cells at once, a card is the concern of its own cell alone
LEAST = 1e-9  # no cell is surer than that of a card: two could contradict each other

Numbers = NDArray[np.float64]


def once(answers: Sequence[CellAnswer]) -> list[CellAnswer]:
    """Each answer, given that no card lies on two of the cells."""
    if len(answers) < 2:
        return list(answers)
    chances = np.stack([answer.state[0] * answer.cards for answer in answers]) * (1 - LEAST)
    twice = (chances.sum(0) ** 2 - (chances**2).sum(0)) / 2
    columns = np.flatnonzero(twice > NOBODYS)
    if not len(columns):
        return list(answers)
    rows = np.flatnonzero(chances[:, columns].max(1) > NOBODYS / len(answers))
    contested = chances[np.ix_(rows, columns)]
    free = 1 - contested.sum(1)
    given = shares(contested, free)
    told = list(answers)
    for at, row, left in zip(rows, given, (1 - given.sum(1)) / free, strict=True):
        mine = chances[at] * left
        mine[columns] = row
        told[at] = _said(answers[at], mine)
    return told


def _said(answer: CellAnswer, cards: Numbers) -> CellAnswer:
    """The same with these chances of each card, and none of them in what is left."""
    card = float(cards.sum())
    others = answer.state + LEAST
    others[0] = 0
    state = others * ((1 - card) / others.sum())
    state[0] = card
    return CellAnswer(state, cards / card)


def shares(chances: Numbers, free: Numbers) -> Numbers:
    """How likely each row has each column, if no column is had twice and a row may be free.

    `chances` are rows × columns, `free` is the chance of each row to have none of them. Sets of rows are numbers, a
    bit for each row: what columns before and after one come to is summed for every set, and joined.
    """
    rows, columns = chances.shape
    sets, bits = np.arange(1 << rows)[:, None], 1 << np.arange(rows)
    has, other = (sets & bits) > 0, sets ^ bits
    before = np.zeros((columns + 1, 1 << rows))  # that a set has columns before this one
    before[0, 0] = 1
    for at in range(columns):
        before[at + 1] = before[at] + (before[at][other] * has) @ chances[:, at]
    after = np.where(has, 1.0, free).prod(1)  # that the rows out of a set are free, or have columns after this one
    found = np.empty_like(chances)
    for at in reversed(range(columns)):
        found[:, at] = chances[:, at] * (before[at][:, None] * np.where(has, 0, after[other])).sum(0)
        after = after + np.where(has, 0, after[other]) @ chances[:, at]
    return np.asarray(found / after[0])

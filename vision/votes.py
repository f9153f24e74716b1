"""Several looks at one cell, weighed together with what a game holds possible there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.reader import CellAnswer

SOFT = 0.6  # looks one after another are alike, so that each after the first counts for less than a whole one
FAINT = 0.02  # a card to which the looks give less than this is not made likely by any game
LEAST = 1e-9


def weighed(answers: Sequence[CellAnswer], prior: NDArray[np.float64] | None) -> CellAnswer:
    """What the looks say together. Where they agree on a card that cannot be there, the looks are believed."""
    state = _together([answer.state for answer in answers])
    cards = _together([answer.cards for answer in answers])
    if prior is None:
        return CellAnswer(state, cards)
    likely = cards * np.maximum(prior, LEAST)
    likely /= likely.sum()
    if cards[likely.argmax()] < FAINT:
        return CellAnswer(state, cards)
    return CellAnswer(state, likely)


def _together(chances: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    if len(chances) == 1:
        return chances[0]
    power = (1 + SOFT * (len(chances) - 1)) / len(chances)
    logs = np.log(np.maximum(np.stack(chances), LEAST)).sum(axis=0) * power
    raised = np.exp(logs - logs.max())
    return np.asarray(raised / raised.sum(), np.float64)

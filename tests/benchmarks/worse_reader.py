"""A reader that is made worse on purpose: of the looks at cards 30 % are doubtful and 2 % wrong.

Looks at one unmoving scene are one look, so what a card on its cell looks like stays so until table or camera move. The
nine cards of the first whole look are spared: without them no match begins.
"""

from random import Random

import numpy as np

from vision.cell_answer import CellAnswer
from vision.deck import CARDS
from vision.frames import Picture, Points
from vision.mat_light import MatLight
from vision.reader import Looked, Reader

DOUBTFUL, WRONG = 0.3, 0.02
UNSURE, ALIKE = 0.6, 0.25  # of a doubtful look: the card that it is, and one that looks like it
SURE = 0.97  # of a wrong one
NINE = 9
PIXELS = 8  # a cell whose middle is not farther off is where it was


class WorseReader(Reader):
    """Reads as a `Reader`, and spoils what it has read; one for each match."""

    def __init__(self) -> None:
        super().__init__()
        self._dealt: set[int] = set()

    def glance(self, picture: Picture, cells: Points, light: MatLight | None = None) -> Looked:
        looked = super().glance(picture, cells, light)
        if not self._dealt and len(cells) == NINE:
            self._dealt = {int(one.cards.argmax()) for one in looked.answers}
        spoilt = [self._spoilt(one, corners) for one, corners in zip(looked.answers, cells, strict=True)]
        return Looked(looked.squares, spoilt, looked.sides)

    def _again(self, picture: Picture, corners: Points, light: MatLight | None) -> CellAnswer:
        return self._spoilt(super()._again(picture, corners, light), corners)

    def _spoilt(self, answer: CellAnswer, corners: Points) -> CellAnswer:
        is_spared = answer.state.argmax() != 0 or int(answer.cards.argmax()) in self._dealt
        return answer if is_spared else _spoilt(answer, corners)


def _spoilt(answer: CellAnswer, corners: Points) -> CellAnswer:
    best = int(answer.cards.argmax())
    across, down = (corners.mean(0) // PIXELS).astype(int).tolist()
    rng = Random(f"{best} {across} {down}")
    drawn, other = rng.random(), _alike(rng, best)
    if drawn < WRONG:
        return CellAnswer(answer.state, _cards({other: SURE}))
    if drawn < WRONG + DOUBTFUL:
        return CellAnswer(answer.state, _cards({best: UNSURE, other: ALIKE}))
    return answer


def _alike(rng: Random, card: int) -> int:
    """A card that is one value away from another."""
    values = CARDS[card].split("-")
    near = [at for at, one in enumerate(CARDS) if sum(map(str.__ne__, one.split("-"), values)) == 1]
    return rng.choice(near)


def _cards(chances: dict[int, float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    found = np.full(len(CARDS), (1 - sum(chances.values())) / (len(CARDS) - len(chances)))
    for card, chance in chances.items():
        found[card] = chance
    return found

"""What a square shows, as chances, and who says so: a deck that a reader knows."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.cells import whitened
from vision.deck import CARDS
from vision.runtime import HEADS, Logits, Model, ModelCard
from vision.squares import Squares

Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CellAnswer:
    """What is said of one cell, as chances."""

    state: Chances
    cards: Chances  # of the deck's, in its order, given that it is a card

    @property
    def confidence(self) -> float:
        """That it is a card, and which."""
        return float(self.state[0] * self.cards.max())


class KnownDeck(Protocol):
    """Cards, and what says which of them squares show. Squares are as the camera saw them."""

    cards: tuple[str, ...]
    accepted: float  # readings of at least this confidence are told
    is_once: bool  # no card lies on two cells
    has_colours: bool  # a picture without any cannot be read

    def answers(self, squares: Squares) -> list[CellAnswer]:
        """One look at each."""

    def together(self, looks: Squares) -> CellAnswer:
        """Several looks at one cell, each turned by a quarter more than the one before."""


class BuiltInDeck:
    """The deck that the reader's network was trained for."""

    is_once = has_colours = True

    def __init__(self, about: ModelCard, model: Model) -> None:
        self._about, self._model = about, model
        self.cards, self.accepted = CARDS, about.accepted

    def answers(self, squares: Squares) -> list[CellAnswer]:
        return [self._weighed(logits[None]) for logits in self._model.run(whitened(squares))]

    def together(self, looks: Squares) -> CellAnswer:
        return self._weighed(self._model.run(whitened(looks)))

    def _weighed(self, looks: Logits) -> CellAnswer:
        """The looks' mean, as chances."""
        mean = looks.astype(np.float64).mean(0)
        chances, start = {}, 0
        for name, values in HEADS.items():
            part = mean[start : start + len(values)] / self._about.temperatures[name]
            raised = np.exp(part - part.max())
            chances[name] = raised / raised.sum()
            start += len(values)
        together = np.einsum("i,j,k->ijk", chances["colour"], chances["shape"], chances["count"]).ravel()
        return CellAnswer(chances["state"], together)

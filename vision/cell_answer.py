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
    accepted: float  # cards are told from this confidence on
    accepted_state: float  # and from this one that none lies there
    is_once: bool  # no card lies on two cells
    has_colours: bool  # a picture without any cannot be read

    def answers(self, squares: Squares) -> list[CellAnswer]:
        """One look at each."""

    def together(self, looks: Squares, fine: Squares) -> CellAnswer:
        """Several looks at one cell, each turned by a quarter more than the one before; `fine` are some, larger."""


class BuiltInDeck:
    """The deck that the reader's networks were trained for: one looks at every cell, one closely at doubtful ones."""

    is_once = has_colours = True

    def __init__(self, about: ModelCard, model: Model, closer: Model) -> None:
        self._about, self._model, self._closer = about, model, closer
        self.cards, self.accepted, self.accepted_state = CARDS, about.closer.accepted, about.accepted

    def answers(self, squares: Squares) -> list[CellAnswer]:
        return [self.told(logits) for logits in self._model.run(whitened(squares))]

    def together(self, looks: Squares, fine: Squares) -> CellAnswer:
        """The looks' mean, in which both networks have a say."""
        about = self._about.closer
        first = self._cooled(self._model.run(whitened(looks)).mean(0))
        second = self._closer.run(whitened(fine)).mean(0)
        return self._answer((first + about.weight * second) / spread_over(about.temperatures))

    def told(self, logits: Logits) -> CellAnswer:
        """What the first network said of one look."""
        return self._answer(self._cooled(logits))

    def _cooled(self, logits: Logits) -> Logits:
        return logits / spread_over(self._about.temperatures)

    def _answer(self, logits: Logits) -> CellAnswer:
        """As chances."""
        chances, start = {}, 0
        for name, values in HEADS.items():
            part = logits[start : start + len(values)].astype(np.float64)
            raised = np.exp(part - part.max())
            chances[name] = raised / raised.sum()
            start += len(values)
        together = np.einsum("i,j,k->ijk", chances["colour"], chances["shape"], chances["count"]).ravel()
        return CellAnswer(chances["state"], together)


def spread_over(temperatures: dict[str, float]) -> Logits:
    """One for each logit."""
    return np.concatenate([np.full(len(values), temperatures[name], np.float32) for name, values in HEADS.items()])

"""A deck that was taught: squares become features, and features the face whose looks they are near.

Light moves the features of all cells of a picture alike. What is surely read tells by how much, and everything is read
again without that; it is remembered from one picture to the next.
"""

import numpy as np
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer, Chances, KnownDeck
from vision.deck import STATES
from vision.deck_file import TURNS, DeckFile
from vision.eye_errors import DeckError
from vision.features import FeatureNetwork, Features
from vision.kin import believed, kinship
from vision.squares import Squares

ACCEPTED = 0.97  # of the confidence
HEAT = 2.0  # so much less do distances say than they would if features scattered as they should
FAR = 1.45  # times as far as a card of the deck usually is from its looks, a square is as likely as not no card of it
SOFT = 0.06  # of the distance at which a card is as likely as not of another deck: around it is doubt
PASSES = 2  # of reading a picture again without its light
FIRM = 4.0  # so many sure cells weigh as much as knowing nothing of the light
SURE = 0.9
TRUST = 0.7  # power of what the reader's own network says, where it knows the same cards by their meaning
FADES = 0.8  # of what is remembered of the light, with each picture

CARD, DOWN, EMPTY, FOREIGN = (STATES.index(state) for state in ("card", "face-down", "empty", "foreign"))


class TaughtDeck:
    """What a deck file says of squares; `others` says what lies there where no card of the deck does."""

    has_colours = False

    def __init__(self, deck: DeckFile, network: FeatureNetwork, others: KnownDeck) -> None:
        if deck.network != network.name or deck.means.shape[2] != network.width:
            raise DeckError(f"The deck {deck.name} was taught by another version of the companion: teach it again.")
        self.cards, self.accepted, self.is_once = deck.faces, ACCEPTED, deck.is_once
        self._network, self._others = network, others
        self._is_known = others.cards == deck.faces
        names = [deck.tiles[at] for at in deck.shown]
        means, doubt = believed(
            deck.means.astype(np.float32), kinship(names, deck.parts), deck.counts, network.spread.strength
        )
        self._scale = np.sqrt(1 + doubt)
        self._means = (means / self._scale).reshape(-1, network.width)
        self._far = FAR * float(np.sqrt(network.width))
        self._squared = (self._means * self._means).sum(1)
        looks_of = np.repeat(deck.shown, TURNS)
        self._is_look_of = looks_of == np.arange(len(deck.faces) + 2)[:, None]  # groups × looks
        self._light = np.zeros(network.width, np.float32)  # how far it moves features
        self._weight = 0.0  # of so many sure cells

    def answers(self, squares: Squares) -> list[CellAnswer]:
        if not len(squares):
            return []
        features = self._network.of(squares) / self._scale
        light = self._light_of(features)
        chances, distances, _ = self._near(features - light)
        others = self._others.answers(squares)
        return [self._told(*each) for each in zip(chances, distances, others, strict=True)]

    def together(self, looks: Squares) -> CellAnswer:
        chances, distances, _ = self._near(self._network.of(looks) / self._scale - self._light)
        logs = np.log(np.maximum(chances, 1e-12)).mean(0)
        mean = np.exp(logs - logs.max())
        return self._told(mean / mean.sum(), float(np.median(distances)), self._others.together(looks))

    def _near(self, features: Features) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
        """The chances of each face, of back and mat, if it is one of them; how far the nearest look is, and which."""
        squared = (features * features).sum(1)[:, None] - 2 * features @ self._means.T + self._squared
        least = np.maximum(squared.min(1), 0)
        raised = np.exp((least[:, None] - squared) / (2 * HEAT))
        sums = np.stack([np.where(mine, raised, 0).sum(1) for mine in self._is_look_of], 1).astype(np.float64)
        return sums / sums.sum(1, keepdims=True), np.sqrt(least), squared.argmin(1)

    def _light_of(self, features: Features) -> Features:
        """What the surely read cells have in common beyond their faces, with what is remembered."""
        light = self._light
        for _ in range(PASSES):
            chances, distances, nearest = self._near(features - light)
            sure = (chances.max(1) > SURE) & (distances < self._far)
            weight = float(sure.sum())
            moved = (features - self._means[nearest])[sure].sum(0)
            light = (moved + self._weight * self._light) / (weight + self._weight + FIRM)
        self._light, self._weight = light, min(FADES * self._weight + weight, 2 * FIRM)
        return light

    def _told(self, chances: Chances, distance: float, other: CellAnswer) -> CellAnswer:
        is_of_it = 1 / (1 + np.exp((distance - self._far) / (SOFT * self._far)))
        faces = len(self.cards)
        cards = np.maximum(chances[:faces], 1e-12)
        if self._is_known:
            cards = cards * np.maximum(other.cards, 1e-6) ** TRUST
        state = np.zeros(len(STATES))
        state[CARD], state[DOWN], state[EMPTY] = is_of_it * np.array([chances[:faces].sum(), *chances[faces:]])
        instead = other.state.copy()
        instead[FOREIGN] += instead[CARD]
        instead[CARD] = 0
        state += (1 - is_of_it) * instead / instead.sum()
        return CellAnswer(state / state.sum(), cards / cards.sum())

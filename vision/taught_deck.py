"""A deck that was taught: squares become features, and features the face whose looks they are near.

Two judges are weighed together: how near the looks of each face are, along the features in which cards of a deck differ
most, and the lines through all features that tell the values of its names apart. Light moves the features of all cells
of a picture alike. What is surely read tells by how much, and everything is judged again without that; it is remembered
from one picture to the next.
"""

import numpy as np
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer, Chances, KnownDeck
from vision.deck import STATES
from vision.deck_file import TURNS, DeckFile
from vision.discriminant import Discriminant, values_of
from vision.eye_errors import DeckError
from vision.features import NEAR, RAW, FeatureNetwork, Features
from vision.kin import believed, kinship, whitening
from vision.squares import Squares

ACCEPTED = 0.97  # of the confidence
NEARNESS, LINES, MEANING = 0.2, 0.45, 0.9  # powers of what looks, lines, and the reader's own network say of a card
ONE = 0.6  # power of one look, where several have one
PASSES = 2  # of reading a picture again without its light
FIRM = 4.0  # so many sure cells weigh as much as knowing nothing of the light
SURE = 0.9
FADES = 0.8  # of what is remembered of a picture, with each that follows
STRANGE = 1.5  # so much stranger to this deck than to any, a square is as likely as not no card of it
FAR = 1.75  # times as far from all looks as a card usually is, the same
SOFT = 0.015  # of these: around them is doubt

CARD, DOWN, EMPTY, FOREIGN = (STATES.index(state) for state in ("card", "face-down", "empty", "foreign"))

Numbers = NDArray[np.float64]


class TaughtDeck:
    """What a deck file says of squares; `others` says what lies there where no card of the deck does."""

    has_colours = False

    def __init__(self, deck: DeckFile, network: FeatureNetwork, others: KnownDeck) -> None:
        if deck.network != network.name or deck.means.shape[2] != RAW:
            raise DeckError(f"The deck {deck.name} was taught by another version of the companion: teach it again.")
        self.cards, self.is_once = deck.faces, deck.is_once
        self.accepted = self.accepted_state = ACCEPTED
        self._network, self._others = network, others
        self._is_known = others.cards == deck.faces
        names, scatter = [deck.tiles[at] for at in deck.shown], deck.scatter.matrix
        self._looks = _Looks(deck, names, scatter[:NEAR, :NEAR], network.spread.strength[:NEAR])
        faces = [row for row, at in enumerate(deck.shown) if at < len(deck.faces)]
        self._shown = [deck.shown[row] for row in faces]
        values = values_of([names[row] for row in faces], deck.parts)
        self._lines = Discriminant(deck.means[faces], scatter, values)
        self._light = np.zeros(NEAR, np.float32)  # how far it moves features
        self._weight = 0.0  # of so many sure cells
        self._strange, self._strangers = 0.0, 0.0  # how strange the cells of a picture were, in the mean; of so many

    def answers(self, squares: Squares) -> list[CellAnswer]:
        if not len(squares):
            return []
        features = self._network.all_of(squares)
        others = self._others.answers(squares)
        seen = self._looks.white(features)
        strange = self._strangeness(features, seen)
        is_card = np.array([other.state[CARD] + other.state[FOREIGN] > 0.5 for other in others])
        self._remember(strange[is_card])
        light = self._light_of(seen, strange)
        chances, distances, _ = self._looks.near(seen - light)
        lines = self._lines.logs(features)
        return [self._told(*each, ONE) for each in zip(chances, lines, distances, strange, others, strict=True)]

    def together(self, looks: Squares, fine: Squares) -> CellAnswer:
        features = self._network.all_of(looks)
        seen = self._looks.white(features)
        strange = float(np.median(self._strangeness(features, seen)))
        chances, distances, _ = self._looks.near(seen - self._light)
        logs = np.log(np.maximum(chances, 1e-12)).mean(0)
        mean = np.exp(logs - logs.max())
        lines, other = self._lines.logs(features).mean(0), self._others.together(looks, fine)
        return self._told(mean / mean.sum(), lines, float(np.median(distances)), strange, other, 1.0)

    def _strangeness(self, features: Features, seen: Features) -> NDArray[np.float32]:
        """How much farther squares are from the looks of this deck than from those of any."""
        return np.asarray(self._looks.near(seen)[1] / self._network.spread.strangeness(features))

    def _remember(self, strange: NDArray[np.float32]) -> None:
        """Cards of one picture are of one deck, as a rule."""
        before = FADES * self._strangers if len(strange) else self._strangers
        total = before + len(strange)
        if total:
            self._strange = (before * self._strange + float(strange.sum())) / total
        self._strangers = min(total, 2 * FIRM)

    def _is_of_it(self, distance: float, strange: float) -> float:
        together = (strange + self._strange) / 2 if self._strangers else strange
        odds = (together - STRANGE) / (SOFT * STRANGE), (distance / np.sqrt(NEAR) - FAR) / (SOFT * FAR)
        return float(1 / (1 + np.exp(min(max(odds), 50.0))))

    def _light_of(self, seen: Features, strange: NDArray[np.float32]) -> Features:
        """What the surely read cells have in common beyond their faces, with what is remembered."""
        light = self._light
        for _ in range(PASSES):
            chances, distances, nearest = self._looks.near(seen - light)
            ours = [self._is_of_it(*each) > 0.5 for each in zip(distances, strange, strict=True)]
            sure = (chances.max(1) > SURE) & np.array(ours)
            weight = float(sure.sum())
            moved = (seen - self._looks.means[nearest])[sure].sum(0)
            light = (moved + self._weight * self._light) / (weight + self._weight + FIRM)
        self._light, self._weight = light, min(FADES * self._weight + weight, 2 * FIRM)
        return light

    def _told(
        self, chances: Chances, lines: Numbers, distance: float, strange: float, other: CellAnswer, power: float
    ) -> CellAnswer:
        is_of_it = self._is_of_it(distance, strange)
        faces = len(self.cards)
        logs = np.full(faces, -np.inf)
        logs[self._shown] = NEARNESS * np.log(np.maximum(chances[self._shown], 1e-12)) + LINES * lines
        if self._is_known:
            logs += MEANING * np.log(np.maximum(other.cards, 1e-6))
        cards = np.exp(power * (logs - logs.max()))
        state = np.zeros(len(STATES))
        state[CARD], state[DOWN], state[EMPTY] = is_of_it * np.array([chances[:faces].sum(), *chances[faces:]])
        instead = other.state.copy()
        instead[FOREIGN] += instead[CARD]
        instead[CARD] = 0
        state += (1 - is_of_it) * instead / instead.sum()
        return CellAnswer(state / state.sum(), cards / cards.sum())


class _Looks:
    """What each face, the back and the mat look like, in each turn, along features that scatter alike."""

    def __init__(self, deck: DeckFile, names: list[str], scatter: Features, strength: NDArray[np.float32]) -> None:
        white = whitening(scatter)
        strong = np.asarray(((white * white) * strength[:, None]).sum(0))
        means, doubt = believed(deck.means[:, :, :NEAR] @ white, kinship(names, deck.parts), deck.counts, strong)
        self._white = white / np.sqrt(1 + doubt)
        self.means = (means / np.sqrt(1 + doubt)).reshape(-1, NEAR)
        self._squared = (self.means * self.means).sum(1)
        looks_of = np.repeat(deck.shown, TURNS)
        self._is_look_of = (looks_of[:, None] == np.arange(len(deck.faces) + 2)).astype(np.float32)  # looks × groups

    def white(self, features: Features) -> Features:
        return features[:, :NEAR] @ self._white

    def near(self, seen: Features) -> tuple[Numbers, NDArray[np.float64], NDArray[np.int64]]:
        """The chances of each face, of back and mat, if it is one of them; how far the nearest look is, and which."""
        squared = (seen * seen).sum(1)[:, None] - 2 * seen @ self.means.T + self._squared
        least = np.maximum(squared.min(1), 0)
        raised = np.exp((least[:, None] - squared) / 2)
        sums = (raised @ self._is_look_of).astype(np.float64)
        return sums / sums.sum(1, keepdims=True), np.sqrt(least), squared.argmin(1)

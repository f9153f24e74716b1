"""Several looks at one cell, weighed together with what a game holds possible there.

Looks at one unmoving scene are one look, however long it is stared at: their noise is averaged out, and no more. What
makes a look count is that something has changed since the others: the light, the place, the focus, what hides a part.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer
from vision.deck import STATES
from vision.faults import SECOND
from vision.frames import Picture

SOFT = 0.3  # so much of a whole look is one at another scene: the card and its print are the same ones
LASTS = SECOND  # a scene that was not seen for so long counts no more
SAME = 3.0  # grey levels; scenes that differ by less beyond their noise are one scene ...
ANOTHER = 5.0  # ... and if something moved in between, by more than this, another card may have been laid
OTHER = 12.0  # by so much more they differ if they count as two in full
FINE = 24  # a square is compared by the brightness of FINE × FINE patches ...
RIM = 3  # ... without so many at each side
BRIGHT = 0.1  # of the patches, so many are the brightest, which are the white of the card
WHITE = 235.0
DARKEST = 12.0  # what is darker is not stretched further
CALM = 0.25  # of the patches, so many at least show the noise and no change ...
DEVIATION = 3.14  # ... and the calmest differ by its deviation divided by this
NOISIEST = 8.0  # grey levels; more is no noise
FAINT = 0.02  # a card to which the looks give less than this is not made likely by any game
LEAST = 1e-9

Chances = NDArray[np.float64]
Patches = NDArray[np.float32]  # FINE × FINE


@dataclass(slots=True)
class SameLooks:
    """Looks between which nothing changed but the noise."""

    patches: Patches  # of the first of them: what creeps is another scene in the end
    weight: float
    last: int = 0  # when it was last looked at
    looks: int = 0
    is_told: bool = False  # the card that it shows
    states: Chances = field(default_factory=lambda: np.zeros(len(STATES)))  # the sum of what they say
    cards: Chances = field(default_factory=lambda: np.zeros(1))  # the same, each as far as it sees a card

    def add(self, stamp: int, answer: CellAnswer) -> None:
        self.last = stamp
        self.looks += 1
        self.states = self.states + answer.state
        self.cards = self.cards + max(float(answer.state[0]), LEAST) * answer.cards

    @property
    def mean(self) -> CellAnswer:
        """Never surer of a card than the surest of the looks."""
        return CellAnswer(self.states / self.looks, self.cards / self.cards.sum())


@dataclass(slots=True)
class Votes:
    """The looks at one cell since it may show something else, and those by which it was told what it showed before."""

    since: int = 0  # when the first look since then was
    scenes: list[SameLooks] = field(default_factory=list)
    is_stirred: bool = False  # something moved there since the last look

    def forget(self) -> None:
        self.scenes.clear()

    def settle(self) -> None:
        """It is told what lies there: the next doubt is weighed against these scenes, whenever it comes."""
        for scene in self.scenes:
            scene.is_told = True

    def stir(self, stamp: int) -> None:
        """It may show something else from now on."""
        self.is_stirred = True
        for scene in self.scenes:
            scene.last = stamp

    def lasted(self, stamp: int) -> int:
        """Nanoseconds since the first look."""
        return stamp - self.since

    def take(self, stamp: int, square: Picture, answer: CellAnswer, most: int) -> None:
        """One more look. Of so many scenes the newest are kept; with one at most only the newest look."""
        patches = patches_of(square)
        self.scenes = [
            scene
            for scene in self.scenes
            if most > 1 and stamp - scene.last < LASTS and self._holds(scene, patches, answer)
        ]
        self.since = stamp if self.is_stirred or not self.scenes else self.since
        self.is_stirred = False
        self._scene(patches).add(stamp, answer)
        del self.scenes[:-most]

    def _holds(self, scene: SameLooks, patches: Patches, answer: CellAnswer) -> bool:
        """Whether it can be the same card: nothing moved since then, or it looks as it did, or as it was told."""
        if not self.is_stirred or apart(patches, scene.patches) <= ANOTHER:
            return True
        return scene.is_told and scene.cards.argmax() == answer.cards.argmax()

    def _scene(self, patches: Patches) -> SameLooks:
        """The one that is looked at, a new one if it is like none so far."""
        far = [apart(patches, scene.patches) for scene in self.scenes]
        if far and min(far) < SAME:
            return self.scenes[int(np.argmin(far))]
        self.scenes.append(SameLooks(patches, min(1.0, (min(far) - SAME) / OTHER) if far else 1.0))
        return self.scenes[-1]

    def weighed(self, prior: Chances | None) -> CellAnswer:
        """What the looks say together. Where they agree on a card that cannot be there, the looks are believed."""
        told, weights = [scene.mean for scene in self.scenes], self._weights()
        state = _together([answer.state for answer in told], weights)
        cards = _together([answer.cards for answer in told], weights)
        if prior is None:
            return CellAnswer(state, cards)
        likely = cards * np.maximum(prior, LEAST)
        likely /= likely.sum()
        if cards[likely.argmax()] < FAINT:
            return CellAnswer(state, cards)
        return CellAnswer(state, likely)

    def _weights(self) -> list[float]:
        """The oldest scene that is left counts in full, whatever it was compared with."""
        return [1.0, *(scene.weight for scene in self.scenes[1:])]


def patches_of(square: Picture) -> Patches:
    """How bright it is here and there, as seen in white light of one strength."""
    grey = cv2.cvtColor(cv2.resize(square, (FINE, FINE), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    patches = grey.astype(np.float32)
    white = np.sort(patches, axis=None)[-int(BRIGHT * patches.size) :].mean()
    return np.asarray(patches[RIM:-RIM, RIM:-RIM] * (WHITE / max(DARKEST, float(white))), np.float32)


def apart(one: Patches, other: Patches) -> float:
    """How far two scenes differ beyond their noise, in grey levels: noise is everywhere, a change is somewhere."""
    differs = np.abs(one - other)
    calm = np.partition(differs, int(CALM * differs.size), axis=None)[int(CALM * differs.size)]
    noise = min(NOISIEST, DEVIATION * float(calm))
    return max(0.0, float((differs * differs).mean()) - noise * noise) ** 0.5


def _together(chances: list[Chances], weights: list[float]) -> Chances:
    if len(chances) == 1:
        return chances[0]
    all_of_them = sum(weights)
    power = (1 + SOFT * (all_of_them - 1)) / all_of_them
    logs = np.log(np.maximum(np.stack(chances), LEAST))
    summed = (logs * np.array(weights)[:, None]).sum(axis=0) * power
    raised = np.exp(summed - summed.max())
    return np.asarray(raised / raised.sum(), np.float64)

"""Which face each square shows that was taught without being named: of a deck in which every card is there once.

The reader's own network guesses, and its guesses for all squares are solved together, each face once. Then the squares
say themselves what a colour, a shape or a count looks like in this edition, and who was named wrongly shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.assignment import assigned
from vision.cell_answer import CellAnswer
from vision.features import NEAR, Features
from vision.kin import OWN, Numbers
from vision.teaching import TaughtPicture, aligned

TRUST = 0.7  # power of what the reader's own network guesses
HEAT = 2.0  # so much less do distances say than they would if features scattered as they should
PASSES = 4  # of naming anew by what the squares say themselves
LEAST = 1e-4  # no guess is thought less likely
RIDGE = 0.5  # faces' worth of knowing nothing of what a part looks like
FEW = 40.0  # squares that say what parts look like, at which the looks of a face say half of what they would
APART = 4.0  # natural logarithm of how much less likely all must be with two faces exchanged, to be sure of them
AGREED = 0.5  # of the squares are named as the reader guesses them; with fewer it does not know this edition's signs
ALONE = 4.0  # the same for a few squares, of which only the reader's guess is known
TWICE = 4.5  # so much likelier a square is a face that another square has, if it is the same card again

Faces = NDArray[np.int64]  # of each square its face by number, −1 for none


@dataclass(frozen=True, slots=True)
class Named:
    """What one square is taken for; nothing for a card that was shown already. `or_else`: what it may be instead."""

    face: str
    or_else: str = ""


def named(
    examples: Sequence[TaughtPicture], answers: Sequence[CellAnswer], cards: Sequence[str], free: Sequence[str],
    strength: Features, parts: int,
) -> list[Named]:  # fmt: skip
    """The squares' faces, of those that are free; `cards` is the order of the answers' chances."""
    if not examples or not free:
        return [Named("") for _ in examples]
    columns = [cards.index(face) for face in free]
    guesses = TRUST * np.log(np.maximum(np.stack([one.cards[columns] for one in answers]), LEAST))
    taken = _solved(guesses)
    if parts < 2 or len(examples) <= 2 * len(free) ** 0.5:
        return [_told(guesses / TRUST, taken, at, free, ALONE) for at in range(len(examples))]
    near, strength = [one.features[:, :NEAR] for one in examples], strength[:NEAR]
    looks = np.stack(aligned(near)).reshape(len(examples), -1)
    turns = looks.shape[1] // len(strength)
    edition = _Edition(guesses, looks / np.tile(np.sqrt(turns * (1 + OWN * strength)), turns), _parts_of(free, parts))
    for _ in range(PASSES):
        taken = _solved(edition.gains(taken))
    gains = edition.gains(taken)
    agreed = float((guesses.argmax(1) == taken).mean())
    return [_told(gains, taken, at, free, APART if agreed >= AGREED else np.inf) for at in range(len(examples))]


@dataclass(frozen=True, slots=True, eq=False)
class _Edition:
    """What is guessed of squares, what they look like, and which parts each face has."""

    guesses: Numbers  # squares × faces
    looks: Features
    parts: Numbers  # faces × values

    def gains(self, taken: Faces) -> Numbers:
        """How well each face fits each square, by the guess and by what its parts look like on the others."""
        predicted = self._predicted(taken)
        squared = (self.looks**2).sum(1)[:, None] - 2 * self.looks @ predicted.T + (predicted**2).sum(1)
        heat = HEAT * (1 + FEW / max(1, int((taken >= 0).sum())))
        return np.asarray(self.guesses - squared / (2 * heat))

    def _predicted(self, taken: Faces) -> Features:
        """What each face looks like, if it is the sum of what its parts look like."""
        is_named = taken >= 0
        design = self.parts[taken[is_named]]
        square = design.T @ design + RIDGE * np.eye(design.shape[1])
        return np.asarray(self.parts @ np.linalg.solve(square, design.T @ self.looks[is_named]), np.float32)


def _solved(gains: Numbers) -> Faces:
    """For each square the number of its face, −1 for none."""
    squares, faces = gains.shape
    if squares <= faces:
        return assigned(gains)
    of_face = assigned(gains.T)
    taken = np.full(squares, -1)
    taken[of_face] = np.arange(faces)
    return taken


def _parts_of(free: Sequence[str], parts: int) -> Numbers:
    """Faces × all values of all parts, and one for what all faces share."""
    words = [face.split("-") for face in free]
    columns = [[word[part] == value for word in words] for part in range(parts) for value in {w[part] for w in words}]
    return np.array([[True] * len(free), *columns], np.float64).T


def _told(gains: Numbers, taken: Faces, at: int, free: Sequence[str], apart: float) -> Named:
    """The face of a square, and another if all is nearly as likely with that one."""
    mine = int(taken[at])
    if mine < 0:
        return Named("")
    owner = {int(face): square for square, face in enumerate(taken) if face >= 0}
    best = int(gains[at].argmax())
    if best != mine and best in owner and gains[at, best] - gains[at, mine] > TWICE:
        return Named("")
    losses = []
    for other in range(len(free)):
        lost = gains[at, mine] - gains[at, other]
        if other in owner:
            lost += gains[owner[other], other] - gains[owner[other], mine]
        losses.append(np.inf if other == mine else float(lost))
    second = int(np.argmin(losses))
    return Named(free[mine], free[second] if losses[second] < apart else "")

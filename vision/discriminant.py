"""What tells the faces of one deck from each other: a line through all features for each value of each part of a name.

A line is fitted to say one of looks at faces that have its value and nothing of others, as well as can be where looks
at a face scatter as they did when it was taught, and as looks at drawn cards do. How far from that a look may lie is
known too, so that what all lines say together makes some faces likelier than others. Where names have no parts, each
face has a line of its own.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.features import Features

DRAWN = 0.3  # of how looks at drawn cards scatter is expected of a deck, beside what was seen of it
FIRM = 0.01  # of the mean scatter of what lines say is added: no line is without any

Numbers = NDArray[np.float64]


def values_of(names: Sequence[str], parts: int) -> Numbers:
    """Names × values of all parts: 1 where a name has it. Without parts each name is a value."""
    words = [name.split("-") for name in names]
    if parts < 2 or any(len(each) != parts for each in words):
        return np.eye(len(names))
    columns = [
        [each[part] == value for each in words] for part in range(parts) for value in sorted({w[part] for w in words})
    ]
    return np.array(columns, np.float64).T


class Discriminant:
    """Fitted to how faces look (faces × turns × features), and how looks at one of them scatter."""

    def __init__(self, means: Features, scatter: Features, values: Numbers) -> None:
        faces, turns, width = means.shape
        looks, said = means.reshape(-1, width), np.repeat(values, turns, 0)
        self._middle = looks.mean(0)
        away = looks - self._middle
        noise = scatter + DRAWN * np.eye(width, dtype=np.float32)
        self._lines = np.linalg.solve(
            away.T @ away / len(away) + noise, (away.T @ (said - said.mean(0)) / len(away)).astype(np.float32)
        )
        told = (away @ self._lines).astype(np.float64)
        self._faces = told.reshape(faces, turns, -1).mean(1)
        off = told - np.repeat(self._faces, turns, 0)
        spread = self._lines.T @ noise @ self._lines + off.T @ off / len(off)
        spread += np.eye(len(spread)) * max(FIRM * np.trace(spread) / len(spread), np.finfo(np.float32).tiny)
        self._exact = np.linalg.inv(spread)
        self._squared = ((self._faces @ self._exact) * self._faces).sum(1)

    def logs(self, features: Features) -> Numbers:
        """Looks × faces: the logarithm of how likely a look is, if it is at this face, but for a number of its own."""
        told = ((features - self._middle) @ self._lines).astype(np.float64) @ self._exact
        return np.asarray(told @ self._faces.T - self._squared / 2)

"""What faces of one deck have in common: a face that was seen once borrows from those that share its parts.

Faces are drawn from a prior: along each feature they differ by its strength, and two of them by the less the more parts
of their names are the same. What is believed of a face is what its pictures and its kin say together.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from vision.features import Features

PART, PAIR, OWN = 0.6, 0.25, 0.15  # how much of a face's looks comes from its parts, from two together, from itself

FIRM = 0.3  # of how looks at drawn cards scatter, beside how those at this deck do

Numbers = NDArray[np.float64]

assert PART + PAIR + OWN == 1


def whitening(scatter: Features) -> Features:
    """Turns features into others, along which looks at one face of this deck scatter alike in all directions."""
    values, vectors = np.linalg.eigh(scatter.astype(np.float64))
    return np.asarray(vectors / np.sqrt(np.maximum(values, 0) + FIRM), np.float32)


def kinship(names: Sequence[str], parts: int) -> Numbers:
    """How much of what faces look like they have in common, by the parts of their names; nothing, without parts."""
    kin = np.eye(len(names))
    words = [name.split("-") for name in names]
    for at, other in combinations(range(len(names)), 2):
        if parts > 1 and len(words[at]) == len(words[other]) == parts:
            shared = np.equal(words[at], words[other])
            pairs = [shared[one] and shared[two] for one, two in combinations(range(parts), 2)]
            kin[at, other] = kin[other, at] = PART * shared.mean() + PAIR * np.mean(pairs)
    return kin


def believed(
    means: Features, kin: Numbers, counts: Sequence[int], strength: NDArray[np.float32]
) -> tuple[Features, NDArray[np.float32]]:
    """Each face as its pictures and its kin say together, and how far off that may be along each feature."""
    middle = means.mean(0)
    noise = 1 / float(np.mean(counts))
    values, vectors = np.linalg.eigh(kin)
    known = strength * values[:, None] / (strength * values[:, None] + noise)  # faces × features
    away = np.einsum("fk,ftj->ktj", vectors, means - middle)
    believed = middle + np.einsum("fk,ktj->ftj", vectors, known[:, None] * away)
    doubt = ((vectors * vectors) @ (strength * np.maximum(values, 0)[:, None] * (1 - known))).mean(0)
    return believed.astype(np.float32), doubt.astype(np.float32)

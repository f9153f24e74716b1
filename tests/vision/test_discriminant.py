"""Lines that tell faces apart, on features that are made up."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.discriminant import Discriminant, values_of

WIDTH, TURNS = 40, 4
NAMES = [f"{colour}-{count}" for colour in ("red", "blue", "green") for count in "0123"]

Looks = NDArray[np.float32]


@pytest.fixture
def means() -> Looks:
    """Faces that are the sum of what their parts look like, a little different in each turn."""
    rng = np.random.default_rng(3)
    values = values_of(NAMES, 2)
    faces = values @ rng.normal(0, 1, (values.shape[1], WIDTH))
    return (faces[:, None] + rng.normal(0, 0.2, (len(NAMES), TURNS, WIDTH))).astype(np.float32)


def taken_for(discriminant: Discriminant, looks: Looks) -> list[int]:
    return [int(best) for best in discriminant.logs(looks).argmax(1)]


def test_values_of_names() -> None:
    assert values_of(NAMES, 2).sum() == 2 * len(NAMES)
    assert values_of(NAMES, 2).shape == (len(NAMES), 3 + 4)
    assert np.array_equal(values_of(["Ember", "Sky"], 0), np.eye(2))
    assert np.array_equal(values_of(["red-1", "back"], 2), np.eye(2))


def test_looks_in_every_turn_are_told(means: Looks) -> None:
    discriminant = Discriminant(means, np.zeros((WIDTH, WIDTH), np.float32), values_of(NAMES, 2))
    assert taken_for(discriminant, means.reshape(-1, WIDTH)) == [at for at in range(len(NAMES)) for _ in range(TURNS)]


def test_a_direction_along_which_looks_scatter_tells_nothing(means: Looks) -> None:
    """As light does that makes every card redder."""
    rng = np.random.default_rng(4)
    light = rng.normal(0, 1, WIDTH).astype(np.float32)
    looks = means[:, 0] + rng.normal(0, 3, (len(NAMES), 1)).astype(np.float32) * light
    known = Discriminant(means, 9 * np.outer(light, light).astype(np.float32), values_of(NAMES, 2))
    unknown = Discriminant(means, np.zeros((WIDTH, WIDTH), np.float32), values_of(NAMES, 2))
    right = list(range(len(NAMES)))
    assert taken_for(known, looks) == right != taken_for(unknown, looks)


def test_one_face_alone() -> None:
    """Nothing can be told apart, and nothing is said that is no number."""
    means = np.ones((1, TURNS, WIDTH), np.float32)
    logs = Discriminant(means, np.zeros((WIDTH, WIDTH), np.float32), np.eye(1)).logs(means[0])
    assert logs.shape == (TURNS, 1)
    assert np.isfinite(logs).all()

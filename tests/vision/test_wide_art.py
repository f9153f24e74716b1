"""Wide editions: what their cards say can be seen on them, and a seed says everything."""

from itertools import pairwise

import numpy as np
import pytest

from tools.train.data import SECOND
from tools.train.wide_art import LONG, WideEdition, a_wide_style, edition_face
from vision.deck import CARDS

SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_wave_more_can_be_seen(seed: int) -> None:
    style = a_wide_style(np.random.default_rng(seed))
    faces = [edition_face(style, 1, 3, count).astype(int) for count in range(4)]
    for fewer, more in pairwise(faces):
        assert (np.abs(more - fewer).max(2) > 40).mean() > 0.003


@pytest.mark.parametrize("seed", SEEDS)
def test_cards_back_and_blank_differ(seed: int) -> None:
    edition = WideEdition(np.random.default_rng(seed))
    faces = [edition(name) for name in (*CARDS[seed % 4 :: 7], "back", "blank")]
    assert {one.shape[0] for one in faces} == {LONG}
    unlike = [np.abs(one.astype(int) - other).mean() for at, one in enumerate(faces) for other in faces[:at]]
    assert min(unlike) > 0.1


def test_a_seed_says_everything() -> None:
    one, other = (WideEdition(np.random.default_rng([3, 1])) for _ in range(2))
    assert np.array_equal(one("red-star-3"), other("red-star-3"))


def test_a_third_of_the_second_networks_squares_is_of_other_kinds() -> None:
    rng = np.random.default_rng(5)
    wide = [isinstance(SECOND.edition(rng), WideEdition) for _ in range(300)]
    assert 0.5 < np.mean(wide) < 0.7
    assert abs(sum(SECOND.shares.values()) - 1) < 1e-9

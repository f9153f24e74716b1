"""Cards that nobody names, of an edition that is made up: looks are the sum of what a card's parts look like."""

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer
from vision.deck import CARDS, STATES
from vision.deck_file import TURNS
from vision.features import NEAR, RAW
from vision.naming import Named, named
from vision.teaching import TaughtPicture

STRENGTH = np.full(RAW, 4, np.float32)
PARTS = [card.split("-") for card in CARDS]


@pytest.fixture
def shown() -> list[TaughtPicture]:
    """Each card once, turned as it may be."""
    rng = np.random.default_rng(2)
    looks = {value: rng.normal(0, 2, (TURNS, NEAR)) for parts in PARTS for value in parts}
    pictures = []
    for parts in PARTS:
        look = sum(looks[value] for value in parts) + rng.normal(0, 0.5, (TURNS, NEAR))
        pictures.append(
            TaughtPicture(np.roll(look, rng.integers(TURNS), 0).astype(np.float32), np.empty((0, 0, 3), np.uint8))
        )
    return pictures


def answer(likely: str, sure: float) -> CellAnswer:
    chances: NDArray[np.float64] = np.full(len(CARDS), (1 - sure) / (len(CARDS) - 1))
    chances[CARDS.index(likely)] = sure
    return CellAnswer(np.eye(len(STATES))[0], chances)


def names(shown: list[TaughtPicture], guesses: list[str]) -> list[Named]:
    return named(shown, [answer(guess, 0.9) for guess in guesses], CARDS, CARDS, STRENGTH, 3)


def test_guesses_that_are_right_are_believed(shown: list[TaughtPicture]) -> None:
    assert names(shown, [*CARDS]) == [Named(card) for card in CARDS]


def test_what_squares_look_like_mends_a_few_wrong_guesses(shown: list[TaughtPicture]) -> None:
    guesses = [CARDS[at ^ 1] if at % 16 < 2 else card for at, card in enumerate(CARDS)]
    assert [told.face for told in names(shown, guesses)] == [*CARDS]


def test_where_most_guesses_cannot_be_right_nothing_is_sure(shown: list[TaughtPicture]) -> None:
    """Everything is taken for a circle, as in an edition whose shapes stand in a ring."""
    guesses = [f"{colour}-circle-{count}" for colour, _, count in PARTS]
    assert all(told.or_else for told in names(shown, guesses) if told.face)

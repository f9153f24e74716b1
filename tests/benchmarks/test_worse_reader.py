"""A reader that is worse on purpose is so as often as is asked, and always in the same way of the same scene."""

import numpy as np

from tests.benchmarks.worse_reader import WorseReader, _spoilt
from tests.vision.laid import seen, some_cards
from vision.cell_answer import CellAnswer
from vision.deck import CARDS
from vision.frames import Points
from vision.locate import find_table


def answer(card: int) -> CellAnswer:
    cards = np.full(len(CARDS), 1e-6)
    cards[card] = 1.0
    return CellAnswer(np.array([1.0, 0, 0, 0, 0]), cards)


def place(number: int) -> Points:
    corners = [[0, 0], [40, 0], [40, 40], [0, 40]]
    return np.asarray(corners, np.float32) + 60 * number


def test_so_many_looks_are_doubtful_and_so_many_wrong() -> None:
    found = [(card, _spoilt(answer(card), place(number))) for card in range(len(CARDS)) for number in range(40)]
    wrong = sum(int(one.cards.argmax()) != card for card, one in found)
    doubtful = sum(one.confidence < 0.7 for _, one in found)
    assert 0.01 < wrong / len(found) < 0.03
    assert 0.27 < doubtful / len(found) < 0.33
    assert all(abs(one.cards.sum() - 1) < 1e-3 for _, one in found)


def test_the_same_scene_looks_the_same() -> None:
    for card in range(0, len(CARDS), 7):
        one, other = (_spoilt(answer(card), place(3) + moved) for moved in (0.0, 0.5))
        assert np.array_equal(one.cards, other.cards)


def test_the_nine_cards_of_the_first_look_are_spared() -> None:
    dice = np.random.default_rng(5)
    shot = seen(some_cards(dice), dice)
    cells = find_table(shot.picture).cells
    reader = WorseReader()
    assert [CARDS[int(one.cards.argmax())] for one in reader.glance(shot.picture, cells).answers] == list(shot.truth)
    others = [seen(some_cards(dice), dice) for _ in range(4)]
    looks = [one for shot in others for one in reader.glance(shot.picture, find_table(shot.picture).cells).answers]
    assert sum(one.confidence < 0.7 for one in looks) > 3

"""A deck that was taught from pictures of the mat: what it says of its cards and of others, and what it learns."""

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from tests.vision.laid import FACE_DOWN, seen
from vision.cell_answer import CellAnswer
from vision.deck import CARDS
from vision.deck_file import BACK, DeckFile, packed, unpacked
from vision.eye_errors import DeckError
from vision.features import FeatureNetwork
from vision.reader import Reader
from vision.taught_deck import CARD, DOWN, TaughtDeck
from vision.teaching import DIRECTIONS, Lesson, example_of, lesson_of, tiles_of

SHOWN, OTHERS = CARDS[0:63:7], CARDS[4:64:7]  # of all colours, shapes and counts


@cache
def network() -> FeatureNetwork:
    return FeatureNetwork()


def lesson(names: Sequence[str] = SHOWN, parts: int = 3) -> Lesson:
    return Lesson("mine", "triple3", tuple(names), parts, is_once=True, known={})


def show(lesson: Lesson, cards: Sequence[str], seed: int) -> None:
    shot, rng = seen(cards, np.random.default_rng(seed)), np.random.default_rng(5)
    for card, corners in zip(cards, shot.cells, strict=True):
        lesson.show(BACK if card == FACE_DOWN else card, example_of(shot.picture, corners, network(), rng))


@cache
def deck() -> DeckFile:
    """Of nine cards, as it comes out of its file."""
    taught = lesson()
    show(taught, SHOWN, 1)
    return unpacked(packed(taught.deck(network().name)))


def answers(deck: DeckFile, cards: Sequence[str], seed: int) -> list[CellAnswer]:
    shot = seen(cards, np.random.default_rng(seed))
    reader = Reader(taught=deck)
    return reader.look(shot.picture, shot.cells).answers


def test_its_own_cards_are_surely_read() -> None:
    told = answers(deck(), SHOWN[::-1], 11)
    assert [SHOWN[int(answer.cards.argmax())] for answer in told] == [*SHOWN[::-1]]
    assert min(answer.confidence for answer in told) > 0.97


def test_faces_that_nobody_showed_are_never_told() -> None:
    taught = lesson(CARDS)
    show(taught, SHOWN, 1)
    told = answers(taught.deck(network().name), OTHERS, 12)
    assert {CARDS[int(answer.cards.argmax())] for answer in told} <= {*SHOWN}


def test_cards_of_another_deck_are_refused() -> None:
    """And whatever else there may be, even in all nine places."""
    dogs = ("Ember", "Sky", "Snow")
    taught = lesson(dogs, 0)
    shot, rng = seen(SHOWN, np.random.default_rng(1)), np.random.default_rng(5)
    for name, corners in zip(dogs, shot.cells[:3], strict=True):
        taught.show(name, example_of(shot.picture, corners, network(), rng))
    plain = TaughtDeck(taught.deck(network().name), network(), Reader()._deck)
    grey = np.random.default_rng(2).integers(0, 255, (9, 96, 96, 3)).astype(np.uint8)
    told = plain.answers(grey)
    assert max(answer.state[CARD] for answer in told) < 0.03


def test_the_back_is_told_where_it_was_taught() -> None:
    cards = (*SHOWN[:8], FACE_DOWN)
    taught = lesson()
    show(taught, cards, 1)
    told = answers(taught.deck(network().name), cards, 13)
    assert told[8].state[DOWN] > 0.97
    assert min(answer.confidence for answer in told[:8]) > 0.97


def test_a_lesson_goes_on_where_it_ended() -> None:
    again = lesson_of(deck(), tiles_of(np.zeros((112, 560, 3), np.uint8), 11))
    show(again, SHOWN, 3)
    more = again.deck(network().name)
    assert more.counts == (2,) * 9
    assert len(more.scatter.directions) == DIRECTIONS
    before, after = np.trace(deck().scatter.matrix), np.trace(more.scatter.matrix)
    assert before < after, "another picture of a face differs from the first by more than looks at one"
    assert np.abs(more.means - deck().means).mean() < 1


def test_how_looks_scatter_is_kept_nearly_whole() -> None:
    taught = lesson()
    show(taught, SHOWN, 1)
    exact = sum(each.astype(np.float64).T @ each for one in taught.known.values() for each in one.looks) / (9 * 4 * 5)
    kept = taught.deck(network().name).scatter.matrix
    assert np.trace(kept) == pytest.approx(np.trace(exact), rel=0.01)
    assert np.linalg.norm(kept - exact) < 0.3 * np.linalg.norm(exact)


def test_a_deck_of_another_network() -> None:
    with pytest.raises(DeckError, match="teach it again"):
        TaughtDeck(lesson_deck_of("other"), network(), Reader()._deck)


def lesson_deck_of(name: str) -> DeckFile:
    taught = lesson()
    show(taught, SHOWN, 1)
    return taught.deck(name)

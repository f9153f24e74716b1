"""A card that the next one covered: told by what a cell showed in between, from frame to frame."""

import numpy as np
import pytest

from tests.vision.scenes import MS
from vision.cell_answer import CellAnswer
from vision.covered import FAINT, KEPT, LAYING, Between, CoveredCards
from vision.deck import CARDS, STATES
from vision.faults import SECOND

OLD, THIRD, NEW, OTHER = "red-circle-0", "blue-star-3", "yellow-plus-1", "purple-diamond-2"
BEGIN = 5 * SECOND
Course = tuple[tuple[str, float], ...]  # what is read, and for how many seconds; "" is a hand


def answer(card: str, sure: float = 0.97) -> CellAnswer:
    states = np.full(len(STATES), 0.002)
    states[STATES.index("card" if card else "hand")] = 1 - 0.002 * (len(STATES) - 1)
    cards = np.full(len(CARDS), (1 - sure) / (len(CARDS) - 1))
    cards[CARDS.index(card or OTHER)] = sure
    return CellAnswer(states, cards)


def seen(course: Course, *, rate: int = 30, again: float = 0.3, old: str | None = OLD) -> Between:
    """Between the old card and the new one."""
    covered, ends = CoveredCards(), np.cumsum([seconds for _, seconds in course])
    for number in range(int(ends[-1] * rate)):
        card = course[int(np.searchsorted(ends, (number + 0.5) / rate))][0]
        covered.take(BEGIN + number * SECOND // rate, [4], [answer(card)])
    by = BEGIN + int(ends[-1] * SECOND)
    return covered.between(4, (old, NEW), BEGIN, by, again)


ONE_HAND: Course = ((OLD, 0.2), ("", 0.1), (NEW, 0.3), ("", 0.2), (NEW, 0.1))
COVERED: Course = ((OLD, 0.2), (THIRD, 0.2), ("", 0.1), (NEW, 0.4))
HELD_BEHIND: Course = ((OLD, 0.2), (NEW, 0.2), (THIRD, 0.3), ("", 0.1), (NEW, 0.3))
HELD_BEFORE: Course = ((OLD, 0.2), (THIRD, 0.3), (OLD, 0.2), (NEW, 0.4))


def test_one_card_after_the_other_leaves_room_for_none() -> None:
    assert seen(ONE_HAND).brought < 0.01


def test_a_third_card_in_between_was_laid_there() -> None:
    [(card, chance), *others] = seen(COVERED).laid
    assert card == THIRD
    assert 0.7 < chance < 0.97  # it may have been held: surer it was not measured to be
    assert sum(one for _, one in others) < 0.01


@pytest.mark.parametrize("course", [HELD_BEHIND, HELD_BEFORE], ids=["behind", "before"])
def test_a_card_that_is_carried_away_was_held_there(course: Course) -> None:
    """The new card lay there already when it came, or the old one when it had gone."""
    found = seen(course)
    assert dict(found.laid).get(THIRD, 0.0) < 0.05
    assert found.held > 0.9


def test_a_card_that_gives_way_to_one_that_lies_was_held_there() -> None:
    """Who lays a card is not off it at once."""
    at_once: Course = ((OLD, 0.2), ("", 0.2), (THIRD, 0.4), (NEW, 0.5 * LAYING / SECOND))
    found = seen(at_once)
    assert dict(found.laid).get(THIRD, 0.0) < 0.5 < found.brought
    longer: Course = (*at_once[:-1], (NEW, 2.5 * LAYING / SECOND))
    assert dict(seen(longer).laid)[THIRD] > dict(found.laid).get(THIRD, 0.0) + 0.3


def test_what_a_hand_looks_like_tells_nothing() -> None:
    assert seen(((OLD, 0.2), ("", 0.8), (NEW, 0.3))).brought < 0.01


def test_one_frame_is_not_enough() -> None:
    assert seen(((OLD, 0.2), (THIRD, 1 / 30), (NEW, 0.4)), again=0.05).brought < 0.05


def test_evidence_is_per_second_and_not_per_frame() -> None:
    """For a camera that is quicker than the fitted one."""
    course: Course = ((OLD, 0.2), (THIRD, 0.1), (NEW, 0.4))
    usual, quick = (dict(seen(course, rate=rate).laid)[THIRD] for rate in (30, 120))
    assert quick == pytest.approx(usual, abs=0.1)
    assert dict(seen(course, rate=15).laid)[THIRD] < usual


def test_a_second_hand_makes_it_likelier() -> None:
    course: Course = ((OLD, 0.2), (THIRD, 0.1), (NEW, 0.4))
    chances = [dict(seen(course, again=again).laid).get(THIRD, 0.0) for again in (0.001, 0.3, 0.9)]
    assert chances == sorted(chances)
    assert chances[0] + 0.3 < chances[-1]


def test_where_no_card_was_seen_before_it_is_told_all_the_same() -> None:
    assert seen(COVERED, old=None).laid[0][0] == THIRD


def test_chances_are_chances() -> None:
    for course in (ONE_HAND, COVERED, HELD_BEHIND, HELD_BEFORE):
        for again in (0.0, 0.5, 1.0):
            found = seen(course, again=again)
            assert all(FAINT <= chance <= 1.0 and card not in (OLD, NEW) for card, chance in found.laid)
            assert 0.0 <= found.held <= 1.0
            assert 0.0 <= found.brought <= 1.0


def test_only_the_stretch_and_the_cell_count() -> None:
    covered = CoveredCards()
    for number in range(20):
        covered.take(number * 33 * MS, [4, 7], [answer(THIRD), answer(OTHER)])
    assert covered.between(5, (OLD, NEW), 0, SECOND, 0.5) == Between()
    assert covered.between(4, (OLD, NEW), 2 * SECOND, 3 * SECOND, 0.5) == Between()
    assert covered.between(4, (OLD, NEW), 0, SECOND, 0.5).laid[0][0] == THIRD
    assert covered.between(7, (OLD, NEW), 0, SECOND, 0.5).laid[0][0] == OTHER


def test_what_is_long_past_is_forgotten() -> None:
    covered = CoveredCards()
    covered.take(0, [4], [answer(THIRD)])
    covered.take(KEPT + 1, [4], [answer(NEW)])
    assert len(covered._read[3]) == 1

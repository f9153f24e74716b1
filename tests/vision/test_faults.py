"""Frames that come in the wrong order: when that is a fault, and when it is over."""

from collections.abc import Iterable

import pytest

from tests.watched import frame
from vision.faults import LATE, Faults
from vision.sightings import Sighting, Trouble, TroubleOver

RATE = 10  # frames of tests.watched a second
THREE = (10, 12, 14)
assert len(THREE) == LATE


def told(late: Iterable[int], until: int) -> list[str]:
    """What is told of the order of so many frames, if after some of them an older one comes again."""
    faults, found = Faults(), list[Sighting]()
    for number in range(until + 1):
        faults.take(frame(number), found)
        if number in late:
            assert not faults.take(frame(number - 2), found)
            assert faults.last
            assert faults.last.number == number
    return [type(one).__name__ for one in found if isinstance(one, Trouble | TroubleOver) and one.code == "backwards"]


@pytest.mark.parametrize("late", [(10,), (10, 11), (10, 12, 20), range(5, 100, RATE // 2)])
def test_a_late_frame_now_and_then_is_left_out_and_no_fault(late: Iterable[int]) -> None:
    assert told(late, 100) == []


@pytest.mark.parametrize("late", [(10, 11, 12), THREE, (10, 11, 19), range(5, 80, 4)])
def test_three_within_a_second_are_told_once(late: Iterable[int]) -> None:
    last = max(late)
    assert told(late, last) == ["Trouble"]
    assert told(late, last + RATE) == ["Trouble", "TroubleOver"]


@pytest.mark.parametrize(
    ("late", "over"), [(THREE, 24), ((*THREE, 23), 33), ((*THREE, 25), 24), ((*THREE, 30, 31), 24)]
)
def test_it_is_over_after_a_second_without_any(late: Iterable[int], over: int) -> None:
    assert told(late, over - 1) == ["Trouble"]
    assert told(late, over) == told(late, 100) == ["Trouble", "TroubleOver"]


def test_a_clock_that_stands_still_is_told_at_the_third_frame() -> None:
    faults, found = Faults(), list[Sighting]()
    for number in range(5):
        faults.take(frame(number, 0), found)
        assert [type(one) for one in found] == ([Trouble] if number >= LATE else [])
    for number in (5, 6, 15, 16):
        faults.take(frame(number), found)
    assert [one.code for one in found if isinstance(one, TroubleOver)] == ["backwards"]

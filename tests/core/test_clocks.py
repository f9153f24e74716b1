"""Clocks as values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.clocks import MILLISECOND, MINUTE, SECOND, Clock, short, shown

stamps = st.integers(0, 2**60)


def test_a_new_clock_stands_still() -> None:
    clock = Clock(MINUTE)
    assert not clock.is_running
    assert clock.used_at(0) == clock.used_at(10 * MINUTE) == 0
    assert clock.left_at(10 * MINUTE) == MINUTE
    assert clock.runs_out_at is None


def test_a_running_clock_counts_from_its_start() -> None:
    clock = Clock(MINUTE).start(5 * SECOND)
    assert clock.is_running
    assert clock.used_at(12 * SECOND) == 7 * SECOND
    assert clock.left_at(12 * SECOND) == 53 * SECOND
    assert clock.runs_out_at == 65 * SECOND


def test_stopped_it_keeps_what_was_used() -> None:
    clock = Clock(MINUTE).start(5).stop(25)
    assert clock == Clock(MINUTE, used=20)
    assert clock.start(1000).runs_out_at == 1000 + MINUTE - 20


def test_what_is_left_is_never_less_than_nothing() -> None:
    assert Clock(SECOND).start(0).left_at(MINUTE) == 0


def test_without_a_limit_it_counts_up_for_ever() -> None:
    clock = Clock().start(0)
    assert clock.runs_out_at is None
    assert clock.left_at(MINUTE) is None
    assert clock.used_at(MINUTE) == MINUTE


def test_starting_twice_or_stopping_twice_changes_nothing() -> None:
    running = Clock().start(3)
    assert running.start(9) == running
    assert running.stop(9).stop(20) == running.stop(9)


@given(st.lists(stamps, min_size=2, max_size=40))
def test_what_was_used_is_the_sum_of_the_runs(times: list[int]) -> None:
    times.sort()
    clock = Clock()
    for number, at in enumerate(times):
        clock = clock.stop(at) if number % 2 else clock.start(at)
    used = sum(end - begin for begin, end in zip(times[::2], times[1::2], strict=False))
    assert clock.used_at(times[-1]) == used


@given(st.integers(1, 2**50), stamps, st.integers(0, 2**50))
def test_it_runs_out_exactly_when_nothing_is_left(limit: int, since: int, used: int) -> None:
    clock = Clock(limit, min(used, limit - 1)).start(since)
    end = clock.runs_out_at
    assert end is not None
    assert clock.left_at(end) == 0
    assert clock.left_at(end - 1) == 1


@pytest.mark.parametrize(
    ("nanoseconds", "text"),
    [
        (0, "0.0 s"),
        (99 * MILLISECOND, "0.0 s"),
        (100 * MILLISECOND, "0.1 s"),
        (12_345 * MILLISECOND, "12.3 s"),
        (MINUTE - 1, "59.9 s"),
        (MINUTE, "1:00.0"),
        (4 * MINUTE + 5 * SECOND, "4:05.0"),
        (60 * MINUTE - 1, "59:59.9"),
        (60 * MINUTE, "1:00:00.0"),
        (25 * 60 * MINUTE + 61 * SECOND, "25:01:01.0"),
    ],
)
def test_a_time_for_people(nanoseconds: int, text: str) -> None:
    assert shown(nanoseconds) == text


@pytest.mark.parametrize(
    ("gap", "said"),
    [
        (0, "0 µs"),
        (84_600, "85 µs"),
        (999_400, "999 µs"),
        (999_600, "1.000 ms"),
        (2_104_000, "2.104 ms"),
        (999_999_600, "1.000 s"),
        (1_250_000_000, "1.250 s"),
    ],
)
def test_a_gap_is_said_in_the_unit_that_fits(gap: int, said: str) -> None:
    assert short(gap) == said

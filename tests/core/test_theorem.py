"""Undo, redo and correct: what tests/theorem.py holds, over acts that hypothesis makes up and shortens."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import NAMES
from tests.theorem import ACTS, Act, many, setup_of, walked

NUMBERS = st.integers(0, 2**31)
MADE = st.lists(
    st.tuples(st.sampled_from([*ACTS, "move", "move", "move", "correct", "undo"]), NUMBERS, NUMBERS), max_size=80
)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25)
@given(seed=st.integers(0, 1000), acts=MADE)
def test_theorem_holds_after_any_acts(name: str, seed: int, acts: list[Act]) -> None:
    walked(setup_of(name, seed), seed, acts)


@pytest.mark.parametrize("name", NAMES)
def test_theorem_holds_in_long_matches(name: str) -> None:
    many(name, 400)


def test_theorem_holds_when_the_power_is_cut(tmp_path: Path) -> None:
    cut: list[Act] = [("move", number * 7919**3, number) for number in range(30)]
    cut[10:10] = cut[20:20] = [("correct", 5, 0), ("kill", 0, 77), ("undo", 0, 0), ("kill", 0, 5), ("redo", 0, 0)]
    walked(setup_of("three", 1), 1, cut, tmp_path)

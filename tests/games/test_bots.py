"""Whole matches of bots, by seed: every invariant after every move. `make soak` plays many more."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import NAMES
from tests.invariants import matches, played


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=3)
@given(seed=st.integers(0, 10**6))
def test_invariants_hold(name: str, seed: int) -> None:
    for setup, how in matches(name, seed):
        played(setup, **how)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=20)
@given(seed=st.integers(0, 10**6))
def test_invariants_hold_in_many_matches(name: str, seed: int) -> None:
    for setup, how in matches(name, seed):
        played(setup, **how)


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_is_a_match(name: str) -> None:
    setup, how = next(matches(name, 4))
    one, two = played(setup, **how)[0], played(setup, **how)[0]
    assert [done.move for done in one.line] == [done.move for done in two.line]

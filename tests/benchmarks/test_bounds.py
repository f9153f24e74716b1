"""What can be said of a share by so many cases."""

from math import isclose

import pytest

from tests.benchmarks.bounds import upper_bound
from tests.benchmarks.watching import Figures, strictly


@pytest.mark.parametrize("of", [1, 10, 3000])
def test_none_of_so_many(of: int) -> None:
    assert isclose(upper_bound(0, of), 1 - 0.05 ** (1 / of), rel_tol=1e-9)


def test_some_and_all() -> None:
    assert isclose(upper_bound(1, 10), 0.39416, abs_tol=1e-5)  # as in the tables
    assert isclose(upper_bound(5, 100), 0.10225, abs_tol=1e-5)
    assert upper_bound(7, 7) == 1.0


def test_more_cases_of_the_same_share_say_more() -> None:
    assert upper_bound(1, 50) > upper_bound(10, 500) > upper_bound(100, 5000) > 0.02


def test_the_line_of_figures() -> None:
    of = Figures(1, 210, 200, 190, 195, 197, 2, 4, 0, 200, 0, 0, 0.0, 0.1, 1.0, 2.0)
    assert strictly(of) == (
        "4 of 200 rulings wrong as the match truly went (1 in 50; 95 %: not more than 1 in 22), "
        "of these 0 honest plays called illegal (none; 95 %: not more than 1 in 67); "
        "told and right 95.0% of 200 that could be seen"
    )

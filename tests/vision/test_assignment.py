"""Each row one column, and no column twice, so that all together have the most."""

from itertools import permutations

import numpy as np
import pytest

from vision.assignment import assigned


@pytest.mark.parametrize("seed", range(40))
def test_nothing_is_better(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 6))
    columns = int(rng.integers(rows, 7))
    gains = rng.normal(size=(rows, columns)) if seed % 2 else rng.integers(0, 3, (rows, columns)).astype(float)
    found = assigned(gains)
    best = max(gains[np.arange(rows), list(order)].sum() for order in permutations(range(columns), rows))
    assert len(set(found)) == rows
    assert gains[np.arange(rows), found].sum() == pytest.approx(best)


def test_more_rows_than_columns() -> None:
    with pytest.raises(ValueError, match="3 rows"):
        assigned(np.zeros((3, 2)))

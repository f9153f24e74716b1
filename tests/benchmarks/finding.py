"""How often nine cards and mats are found on tables drawn for the tests, on many more of them than those look at."""

from collections.abc import Iterator

import numpy as np

from tests.benchmarks import Row
from tests.vision.grids import is_found, laid
from tests.vision.mats import how_many_are_found

TABLES, MATS = 200, 320


def rows() -> Iterator[Row]:
    """Per cent of the tables that are missed, and how far off the cells are."""
    missed = TABLES - sum(is_found(*laid(seed)) for seed in range(TABLES))
    yield Row("nine cards without a mat not found whole", 100 * missed / TABLES, "%", 3, note=f"{missed} of {TABLES}")
    found, faults = how_many_are_found(MATS)
    missed = MATS - found
    yield Row("mats not found, half with a marker covered", 100 * missed / MATS, "%", 0.5, note=f"{missed} of {MATS}")
    yield Row("cells of a mat that are found, aside from their place", float(np.percentile(faults, 99)), "pixels", 2,
              note="99 of 100 are nearer")  # fmt: skip

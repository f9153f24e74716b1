"""What must be quick and small, measured against a named baseline in the same run.

Each module has `rows()`. A bound is a ratio to the baseline or a count, never a time: times differ from machine to
machine. `make bench` prints the table, writes docs/benchmarks.md, and fails where a bound is missed.
"""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One figure. `bound` is the most that the ratio (or, without a baseline, the value) may be."""

    what: str
    value: float
    unit: str
    bound: float | None = None
    baseline: str = ""
    baseline_value: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        return self.value / self.baseline_value if self.baseline_value else None

    @property
    def is_kept(self) -> bool:
        return self.bound is None or (self.value if self.ratio is None else self.ratio) <= self.bound


def best_of(run: Callable[[], object], times: int = 5) -> float:
    """Microseconds of the quickest of a few runs: the least disturbed one."""
    found = []
    for _ in range(times):
        began = time.perf_counter_ns()
        run()
        found.append(time.perf_counter_ns() - began)
    return min(found) / 1000


def median(values: list[float]) -> float:
    return statistics.median(values)

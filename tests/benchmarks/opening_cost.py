"""What opening a journal costs, and looking for what the first screen shows: as much with many matches as with few."""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.display.past import past
from companion.journal import Journal
from tests.benchmarks import Row
from tests.stocked import stocked

FEW, SOME, MANY = 10, 1_000, 10_000  # matches
TIMES = 60
BOUND = 1.25


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        paths = {count: Path(folder) / f"{count}.sqlite3" for count in (FEW, SOME, MANY)}
        for count, path in paths.items():
            stocked(path, count)
        few, many = _least(_opened, paths[FEW], paths[MANY])
        yield Row("a journal of 10,000 matches opened", many, "µs", BOUND, "one of 10 matches", few)
        some, many = _least(_looked_back, paths[SOME], paths[MANY])
        what = "what the first screen shows, asked of 10,000 matches"
        yield Row(what, many, "µs", BOUND, "of 1,000 matches", some, "it looks at the newest 200")
        yield Row("bytes read by opening 10,000 matches", _got(paths[MANY]), "bytes", 65_536, note="count")


def _least(run: Callable[[Path], float], *paths: Path) -> list[float]:
    """Of each the least disturbed of many runs, which take turns: what else the machine does hits all of them."""
    found: list[list[float]] = [[run(path) for path in paths] for _ in range(TIMES)]
    return [min(column) for column in zip(*found, strict=True)]


def _opened(path: Path) -> float:
    """Microseconds until it can be asked and written."""
    began = time.perf_counter_ns()
    journal = Journal.open(path)
    cost = time.perf_counter_ns() - began
    journal.close()
    return cost / 1000


def _looked_back(path: Path) -> float:
    with Journal.open(path) as journal:
        began = time.perf_counter_ns()
        past(journal)
        return (time.perf_counter_ns() - began) / 1000


def _got(path: Path) -> int:
    before = _read_bytes()
    Journal.open(path).close()
    return _read_bytes() - before


def _read_bytes() -> int:
    return int(Path("/proc/self/io").read_text(encoding="ascii").split()[1])

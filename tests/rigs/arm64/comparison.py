"""What the machines read, side by side: a row for each machine and model file, and what must not be."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tests.rigs.arm64.machines import Machine

CLOSE = 0.01  # logits of the float file may be so far from those of the network that it was made from

Cells = dict[str, list[str]]  # of each picture


@dataclass(frozen=True, slots=True)
class Row:
    """One file on one machine."""

    machine: Machine
    file: str
    runtime: str
    told: dict[str, Any]
    source: dict[str, Any]

    @property
    def name(self) -> str:
        return f"{self.machine}, {self.file}"

    @property
    def kernels(self) -> str:
        return str(self.told["kernels"])

    @property
    def labels(self) -> list[str]:
        found: list[str] = self.told["squares"]["labels"]
        return found

    @property
    def cells(self) -> Cells:
        found: Cells = self.told["cells"]
        return found

    @property
    def from_source(self) -> float:
        return apart(self.told["squares"]["logits"], self.source["logits"])

    def otherwise(self) -> Iterator[tuple[str, str]]:
        """Squares that the network is sure of and that got another label."""
        for is_sure, wanted, got in zip(self.source["sure"], self.source["labels"], self.labels, strict=True):
            if is_sure and got != wanted:
                yield wanted, got


def rows_of(machine: Machine, told: dict[str, Any]) -> list[Row]:
    runtime = f"{told['runtime']} {told['versions'][told['runtime'].replace('-', '_')]}"
    return [Row(machine, file, runtime, one, told["source"]) for file, one in told["files"].items()]


def apart(some: Sequence[Sequence[float]], others: Sequence[Sequence[float]]) -> float:
    """The largest difference of any logit."""
    return max(abs(a - b) for one, other in zip(some, others, strict=True) for a, b in zip(one, other, strict=True))


def alike(some: Sequence[str], others: Sequence[str]) -> str:
    return f"{sum(a == b for a, b in zip(some, others, strict=True))} of {len(others)}"


def home_of(row: Row, rows: Sequence[Row]) -> Row:
    """The same file in the same runtime on the first processor."""
    return next(one for one in rows if (one.runtime, one.file) == (row.runtime, row.file))


def flat(cells: Cells, pictures: Cells) -> list[str]:
    return [label for name in pictures for label in cells[name]]


# --- The table

COLUMNS = {
    "processor": 18, "runtime": 22, "file": 8, "kernels": 8, "squares": 9, "pictures": 9, "right": 9, "from source": 12,
    "from x86": 9, "nine cells": 0,
}  # fmt: skip


def line_of(words: Iterable[str]) -> str:
    return "  ".join(f"{word:{width}}" for word, width in zip(words, COLUMNS.values(), strict=True)).rstrip()


def lines_of(rows: Sequence[Row], truth: Cells) -> Iterator[str]:
    """Each row beside the first, beside the truth, and beside the same on the first processor."""
    first = rows[0]
    yield line_of(COLUMNS)
    for row in rows:
        home = home_of(row, rows)
        speed = f"{row.told['milliseconds']:.{0 if row.machine.processor.is_emulated else 1}f} ms"
        yield line_of((
            row.machine.processor.name, row.runtime, row.file, row.kernels,
            alike(row.labels, row.source["labels"]),
            alike(flat(row.cells, first.cells), flat(first.cells, first.cells)),
            alike(flat(row.cells, truth), flat(truth, truth)),
            f"{row.from_source:.6f}",
            "" if home is row else f"{apart(row.told['squares']['logits'], home.told['squares']['logits']):.6f}",
            f"{speed}, emulated" if row.machine.processor.is_emulated else speed,
        ))  # fmt: skip


# --- What must not be


def faults(rows: Sequence[Row]) -> Iterator[str]:
    """Labels that depend on where they were read, and code that a Pi would not run."""
    for row in rows:
        if row.kernels != home_of(row, rows).kernels:
            yield f"{row.name}: the kernels are {row.kernels}, and {home_of(row, rows).kernels} on x86-64"
        for wanted, got in row.otherwise():
            yield f"{row.name}: a square that the network calls {wanted} is called {got}"
        if row.file == "float32" and not row.from_source < CLOSE:
            yield f"{row.name}: logits are {row.from_source:.3f} away from the network's"
        yield from _cells_otherwise(row, rows[0])


def _cells_otherwise(row: Row, first: Row) -> Iterator[str]:
    for picture, cells in first.cells.items():
        for number, (wanted, got) in enumerate(zip(cells, row.cells[picture], strict=True), 1):
            if got != wanted:
                yield f"{row.name}: cell {number} of {picture} is {got}, and {wanted} on {first.name}"

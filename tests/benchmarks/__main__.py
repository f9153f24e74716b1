"""`make bench`: run every benchmark, print the table, write docs/benchmarks.md, fail where a bound is missed."""

import platform
import sys
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from tests.benchmarks import Row

MODULES = ("rulings", "keeping", "opening_cost", "writing", "finding", "reading", "watching_cost", "watching")
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def machine() -> str:
    processor = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith(("model name", "Model"))
        ),
        platform.machine(),
    )
    return f"{processor}, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def line(row: Row) -> str:
    value = f"{row.value:,.3g} {row.unit}" if row.value < 1000 else f"{row.value:,.0f} {row.unit}"
    beside = f"{row.baseline}: {row.baseline_value:,.3g} {row.unit}" if row.baseline_value is not None else ""
    ratio = f"{row.ratio:.2f}" if row.ratio is not None else ""
    bound = "" if row.bound is None else f"{row.bound:g}{'' if row.is_kept else ' MISSED'}"
    return f"| {row.what} | {value} | {beside} | {ratio} | {bound} | {row.note} |"


def page(rows: list[Row]) -> str:
    head = f"""# Benchmarks

Written by `make bench`: {datetime.now(UTC).date()}, {machine()}. Nothing here was measured on a Raspberry Pi.

A bound holds for the ratio to what stands beside it, measured in the same run; where nothing stands beside it, for the
figure itself.

| what | measured | beside it | ratio | bound | |
|---|---|---|---|---|---|
"""
    return head + "\n".join(map(line, rows)) + "\n"


def main() -> int:
    rows = []
    for name in MODULES:
        for row in import_module(f"tests.benchmarks.{name}").rows():
            rows.append(row)
            print(line(row), flush=True)  # noqa: T201
    PAGE.write_text(page(rows), encoding="utf-8")
    missed = [row.what for row in rows if not row.is_kept]
    for what in missed:
        print(f"bound missed: {what}", file=sys.stderr)  # noqa: T201
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())

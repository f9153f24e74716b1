"""Figures of watched matches: kept match by match, so that a run goes on where it ended, and told with their bounds."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar

from tests.benchmarks.bounds import upper_bound


class Adding(Protocol):
    def add(self, other: Self) -> None: ...


T = TypeVar("T", bound=Adding)


def kept_figures(path: Path | None, kind: type[T]) -> dict[int, T]:
    """Those of each match in the file, by its seed."""
    if path is None or not path.exists():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.pop("seed"): kind(**line) for line in lines}


def keep_figures(path: Path | None, seed: int, figures: Any) -> None:
    if path is not None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"seed": seed, **asdict(figures)}) + "\n")


def together(figures: Iterable[T], kind: type[T]) -> T:
    total = kind()
    for one in figures:
        total.add(one)
    return total


def share(what: str, count: int, of: int) -> str:
    """With what it comes to at least, with 95 % certainty."""
    most = upper_bound(of - count, of) if of else 1.0
    return f"{what}: {count} of {of}, {count / max(of, 1):.2%} (at least {1 - most:.2%})"


def wrong_rulings(wrong: int, of: int) -> str:
    """With what it comes to at most."""
    most = upper_bound(wrong, of) if of else 1.0
    return f"wrong rulings: {wrong} of {of} (at most {most:.3%}, 1 in {1 / most:.0f})"

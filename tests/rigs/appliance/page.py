"""What was seen, as a table for people."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.rigs.gpio.workshop import RigError, say


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    good: bool
    words: str
    seconds: float


@dataclass
class Page:
    rows: list[Row] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def is_good(self) -> bool:
        return all(row.good for row in self.rows)

    def add(self, what: str, good: bool, words: str, seconds: float) -> None:
        self.rows.append(Row(what, good, words, seconds))
        say(f"{'  ' if good else '! '}{what:34} {seconds:6.0f} s  {words}")

    @contextmanager
    def act(self, what: str) -> Iterator["Act"]:
        """One row: what is noted in it must all be good. Whatever goes wrong is a row too, and the rest is tried."""
        act = Act()
        start = time.monotonic()
        try:
            yield act
        except RigError as error:
            act.note(good=False, words=str(error).splitlines()[0])
            say(str(error))
        self.add(what, all(good for good, _ in act.noted), "; ".join(words for _, words in act.noted),
                 time.monotonic() - start)  # fmt: skip

    def whole(self) -> str:
        wide = max(len(row.what) for row in self.rows)
        lines = [f"| {row.what:{wide}} | {'yes' if row.good else 'NO':3} | {row.seconds:5.0f} s | {row.words}"
                 for row in self.rows]  # fmt: skip
        minutes = (time.monotonic() - self.began) / 60
        return "\n".join([*lines, f"{minutes:.1f} minutes in all"])


@dataclass
class Act:
    noted: list[tuple[bool, str]] = field(default_factory=list)

    def note(self, words: str, *, good: bool = True) -> None:
        self.noted.append((good, words if good else f"NOT: {words}"))

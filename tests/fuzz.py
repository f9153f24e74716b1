"""Spoilt inputs for everything that reads a file or a line: nothing may crash, nothing may hang.

`python -m tests.fuzz [WHAT …] [--inputs N] [--seconds S] [--seed N]`: WHAT is one of TARGETS, or all of them. An input
is a sound example with something wrong in it (tests/mutating.py); one that reaches lines of ours that none has reached
before is an example from then on, if it is not much longer than a sound one. It is read or refused with a
CompanionError of one sentence, within PATIENCE. What is found is kept in `tests/found/WHAT/`, and tried again by every
`make test`.
"""

import argparse
import contextlib
import hashlib
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from inspect import CO_NEWLOCALS
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from companion.core.errors import OBEYED, CompanionError
from tests.mutating import Mutator

PROJECT = Path(__file__).parents[1]
FOUND = Path(__file__).parent / "found"
OURS = tuple(str(PROJECT / room) for room in ("companion", "hardware", "vision"))
PATIENCE = 10  # seconds for one input
MEMORY = Path("/dev/shm")  # a disk that nothing waits for
PLATEAU = 0.01  # of the lines beyond the examples', at most, that the second half of the inputs is the first to reach
LONG = 2  # times as long as the longest sound example: what is longer is tried, and is no example for others

Try = Callable[[bytes, Path], None]
Step = Callable[[FrameType, str, Any], Any]


@dataclass(frozen=True, slots=True)
class Target:
    """Something that reads; `tries` raises a CompanionError where it refuses, and refuses none of the examples."""

    examples: Callable[[], list[bytes]]
    tries: Try


class Hang(BaseException):
    """It takes too long."""


# --- which lines are reached -----------------------------------------------------------------------------------


class Lines:
    """How many lines of our functions have been run. What runs once when a file is imported says nothing of an input;
    a function of which all lines have been run is not looked at any more."""

    def __init__(self) -> None:
        self.reached = 0
        self._left: dict[int, set[int]] = {}  # by the address of a code: to compare codes takes longer than to run them
        self._steps: dict[int, Step] = {}
        self._codes: list[CodeType] = []  # kept, so that no address comes twice

    @contextlib.contextmanager
    def looked_at(self) -> Iterator[None]:
        sys.settrace(self._called)
        try:
            yield
        finally:
            sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> "Step | None":
        address = id(frame.f_code)
        left = self._left.get(address)
        if left is None:
            left = self._begin(frame.f_code)
        left.discard(frame.f_lineno)  # of the `def` itself nothing more is told
        return self._steps[address] if left else None

    def _begin(self, code: CodeType) -> set[int]:
        is_ours = code.co_filename.startswith(OURS) and code.co_flags & CO_NEWLOCALS
        left = {line for _, _, line in code.co_lines() if line} if is_ours else set[int]()

        def step(frame: FrameType, _event: str, _argument: Any) -> Any:
            if frame.f_lineno in left:
                left.discard(frame.f_lineno)
                self.reached += 1
            return step

        self._codes.append(code)
        self._left[id(code)], self._steps[id(code)] = left, step
        return left


# --- one target ------------------------------------------------------------------------------------------------


@dataclass
class Report:
    what: str
    inputs: int = 0
    refused: int = 0
    seconds: float = 0
    known: int = 0  # lines that the examples reach
    lines: int = 0
    news: list[tuple[int, int]] = field(default_factory=list)  # an input, and the lines once it had been tried
    slowest: float = 0
    found: list[str] = field(default_factory=list)

    @property
    def halfway(self) -> int:
        """Lines that the examples and the first half of the inputs had reached."""
        return max(lines for number, lines in self.news if number <= self.inputs / 2)

    @property
    def stands(self) -> bool:
        return self.lines - self.halfway <= PLATEAU * (self.lines - self.known)

    def __str__(self) -> str:
        plateau = f"{self.halfway - self.known:,} of them by half of the inputs" + (" (plateau)" if self.stands else "")
        found = f"FOUND {len(self.found)}: {'; '.join(self.found[:5])}" if self.found else "no crash, no hang"
        return (
            f"{self.what:14} {self.inputs:9,} inputs in {self.seconds:4.0f} s, {self.refused:,} refused; "
            f"{self.lines - self.known:,} lines reached beyond the {self.known:,} of the examples, {plateau}; "
            f"the slowest took {self.slowest:.2f} s; {found}"
        )


def is_sentence(text: str) -> bool:
    """One, in one line, that no terminal obeys."""
    return text.endswith((".", "?", "!", ")")) and OBEYED.keys().isdisjoint(map(ord, text))


class Fuzz:
    def __init__(self, what: str, target: Target, seed: int, folder: Path) -> None:
        self.report = Report(what)
        self._target, self._folder = target, folder
        self._mutator = Mutator(target.examples(), seed)
        self._lines = Lines()
        self._kinds: set[str] = set()
        for example in self._mutator.examples:
            self._tried(example)
        self._longest = LONG * max(map(len, self._mutator.examples))
        self.report.refused = 0
        self.report.known = self._lines.reached
        self.report.news.append((0, self._lines.reached))

    def run(self, inputs: int, seconds: float) -> Report:
        began, report = time.monotonic(), self.report
        while report.inputs < inputs and time.monotonic() - began < seconds:
            content = self._mutator.spoilt()
            report.inputs += 1
            before = self._lines.reached
            is_well = self._tried(content)
            if self._lines.reached > before:
                report.news.append((report.inputs, self._lines.reached))
                if is_well and len(content) <= self._longest:
                    self._mutator.examples.append(content)
        report.seconds, report.lines = time.monotonic() - began, self._lines.reached
        return report

    def _tried(self, content: bytes) -> bool:
        """False if it was found out."""
        began = time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        try:
            with self._lines.looked_at():
                self._target.tries(content, self._folder)
        except CompanionError as error:
            self.report.refused += 1
            return self._is_a_sentence(error, content)
        except Hang:
            return self._find("it hangs", content)
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            return self._find(f"{type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}", content)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.report.slowest = max(self.report.slowest, time.monotonic() - began)
        return True

    def _is_a_sentence(self, error: CompanionError, content: bytes) -> bool:
        return is_sentence(str(error)) or self._find(f"no sentence: {str(error)[-80:]!r}", content)

    def _find(self, kind: str, content: bytes) -> bool:
        if kind not in self._kinds:
            self._kinds.add(kind)
            self.report.found.append(kind)
            place = FOUND / self.report.what
            place.mkdir(parents=True, exist_ok=True)
            (place / f"{hashlib.sha256(content).hexdigest()[:12]}.spoilt").write_bytes(content)
        return False


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """What takes too long is ended, wherever Python can be interrupted."""

    def late(_signal: int, _frame: FrameType | None) -> None:
        raise Hang

    before = signal.signal(signal.SIGALRM, late)
    try:
        yield
    finally:
        signal.signal(signal.SIGALRM, before)


def fuzzed(what: str, inputs: int, seconds: float, seed: int) -> Report:
    from tests.fuzz_targets import TARGETS  # noqa: PLC0415  (each opens what it needs)

    where = MEMORY if MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=where) as folder, patience():
        return Fuzz(what, TARGETS[what], seed, Path(folder)).run(inputs, seconds)


def main(arguments: list[str]) -> int:
    from tests.fuzz_targets import TARGETS  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("what", nargs="*", metavar="WHAT", help=", ".join(TARGETS))
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    if unknown := set(asked.what) - set(TARGETS):
        parser.error(f"{', '.join(unknown)}: choose from {', '.join(TARGETS)}")
    bad = 0
    for what in asked.what or TARGETS:
        report = fuzzed(what, asked.inputs, asked.seconds, asked.seed)
        print(report, flush=True)  # noqa: T201
        bad += bool(report.found)
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

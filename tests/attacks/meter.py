"""A program that runs, and what it takes: seconds, and the memory of all its processes together."""

import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).parents[2]
WITHIN = 5.0  # seconds for what is refused, of a processor ...
BY_THE_CLOCK = 30.0  # ... and beside other work
MOST = 300  # MB for whatever is read
PATIENCE = 60.0  # seconds until an attack counts as one that hangs
_EVERY = 0.01  # seconds


@dataclass(frozen=True, slots=True)
class Measured:
    """How a program ended."""

    code: int
    told: str
    complaint: str
    seconds: float  # by the clock
    processor: float  # seconds, of all its processes
    megabytes: int  # at most, of all processes, what they share counted once

    @property
    def cost(self) -> str:
        return f"{self.seconds:.1f} s, {self.processor:.1f} s of a processor, {self.megabytes} MB"

    @property
    def is_bearable(self) -> bool:
        return self.processor <= WITHIN and self.seconds <= BY_THE_CLOCK and self.megabytes <= MOST


def companion(*words: str | Path, folder: Path, say: bytes = b"", project: Path = PROJECT) -> Measured:
    """`companion` with these words, in this folder."""
    return measured([sys.executable, "-m", "companion", *map(str, words)], folder, say, project)


def measured(command: Sequence[str], folder: Path, say: bytes = b"", project: Path = PROJECT) -> Measured:
    surroundings = {"PATH": os.defpath, "HOME": str(folder), "PYTHONPATH": str(project)}
    began, processor = time.monotonic(), _processor()
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=surroundings, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        weighed = _Weighed(process.pid)
        try:
            told, complaint = process.communicate(say, PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            told, complaint = process.communicate()
        seconds = time.monotonic() - began
        most = weighed.done()
    return Measured(
        process.returncode,
        told.decode(errors="replace"),
        complaint.decode(errors="replace"),
        seconds,
        _processor() - processor,
        most,
    )


def _processor() -> float:
    """Seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class _Weighed:
    """Looks again and again how much a process and those that it started have."""

    def __init__(self, number: int) -> None:
        self._number, self._most, self._is_over = number, 0, threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._is_over.wait(_EVERY):
            self._most = max(self._most, sum(_kilobytes(one) for one in family(self._number)))

    def done(self) -> int:
        self._is_over.set()
        self._thread.join()
        return self._most // 1000


def family(number: int) -> list[int]:
    """A process and all that it started."""
    try:
        children = Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii").split()
    except OSError:
        return []
    return [number, *(one for child in children for one in family(int(child)))]


def _kilobytes(number: int) -> int:
    """The process's own memory and its share of what it shares."""
    try:
        told = Path(f"/proc/{number}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")), 0)


def must_be_refused(found: Measured, *words: str) -> str:
    """One sentence on the error output, in time, with little memory; else it has done harm."""
    lines = found.complaint.splitlines()
    assert found.code == 2, f"exit code {found.code}: {found.complaint[-500:]}"
    assert len(lines) == 1, f"{len(lines)} lines: {found.complaint[:500]!r}"
    assert lines[0].isprintable(), f"what a terminal obeys: {lines[0]!r}"
    assert all(word in lines[0] for word in words), lines[0]
    assert found.is_bearable, f"{found.cost}: {lines[0]}"
    return f"{lines[0].removeprefix('companion: ')[:160]} ({found.cost})"

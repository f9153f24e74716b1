"""What other jobs take of this computer's processors, measured beside a rig.

Whatever is neither idle nor of this process and its descendants is somebody else's: another program's, or taken away by
the host of this computer (steal). A rig is disturbed while hardly any processor is idle and others have a share.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from types import TracebackType
from typing import Self

PROC = Path("/proc")
TICKS = os.sysconf("SC_CLK_TCK")
IDLE = slice(3, 5)  # columns of /proc/stat: idle, waiting for a disk
COUNTED = 8  # columns; the others are counted in these already
EVERY = 5.0  # seconds between readings
LEAST_IDLE = 0.1  # shares of all processors: less is hardly any, ...
MOST_OTHERS = 0.1  # ... and more is a disturbance
SLOWEST = 0.05  # of time goes by however busy others are, so that every wait has an end
ASLEEP = 10.0  # seconds: this computer was suspended if it did not look for longer


@dataclass(frozen=True, slots=True)
class Reading:
    """Processor seconds since this computer was started."""

    total: float  # of all processors
    idle: float
    ours: float


@dataclass(frozen=True, slots=True)
class Share:
    """Of all processors between two readings."""

    idle: float
    others: float
    seconds: float = 0.0

    @property
    def is_disturbing(self) -> bool:
        return self.idle < LEAST_IDLE and self.others >= MOST_OTHERS


def read() -> Reading:
    columns = (PROC / "stat").read_text(encoding="ascii").splitlines()[0].split()[1 : COUNTED + 1]
    ticks = [int(column) for column in columns]
    return Reading(sum(ticks) / TICKS, sum(ticks[IDLE]) / TICKS, _ours())


def share(before: Reading, after: Reading, seconds: float = 0.0) -> Share:
    total = max(after.total - before.total, 1 / TICKS)
    idle = (after.idle - before.idle) / total
    ours = (after.ours - before.ours) / total
    return Share(idle, min(1.0, max(0.0, 1 - idle - ours)), seconds)


def _ours() -> float:
    """Of this process, its descendants, and those of them that have ended and were waited for."""
    used: dict[int, float] = {}
    parents: dict[int, int] = {}
    for entry in PROC.iterdir():
        if entry.name.isdecimal():
            fields = _stat(entry)
            if fields:
                parents[int(entry.name)] = int(fields[1])
                used[int(entry.name)] = sum(map(int, fields[11:15])) / TICKS
    me = os.getpid()
    return sum(seconds for pid, seconds in used.items() if _descends(pid, me, parents))


def _stat(process: Path) -> list[str]:
    """What follows the name, which may have anything in it: state, parent, …; nothing if it has ended."""
    try:
        return (process / "stat").read_text(encoding="utf-8", errors="replace").rpartition(") ")[2].split()
    except OSError:
        return []


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid > 1 and pid != ancestor:
        pid = parents.get(pid, 0)
    return pid == ancestor


# --- Beside a rig


class Watch:
    """Reads every few seconds while a rig runs, and says what others did to it."""

    def __init__(self) -> None:
        self._readings = [(time.monotonic(), read())]
        self._is_over = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._is_over.set()
        self._thread.join()
        self._readings.append((time.monotonic(), read()))

    def _look(self) -> None:
        while not self._is_over.wait(EVERY):
            self._readings.append((time.monotonic(), read()))

    @property
    def disturbance(self) -> str:
        """What others did, in words; nothing if they did not disturb."""
        pairs = pairwise(self._readings)
        return in_words([share(one, two, late - early) for (early, one), (late, two) in pairs])


def in_words(shares: Iterable[Share]) -> str:
    all_shares = list(shares)
    found = [one for one in all_shares if one.is_disturbing]
    if not found:
        return ""
    seconds, whole = (sum(one.seconds for one in some) for some in (found, all_shares))
    most = max(one.others for one in found)
    return f"other jobs took up to {most:.0%} of the processors, in {seconds:.0f} of {whole:.0f} s"


class Patience:
    """So many seconds of a computer that is ours: what other jobs take of it makes them longer, and while it is
    suspended none go by."""

    def __init__(self, seconds: float) -> None:
        self._left = seconds
        self._seen, self._reading = time.monotonic(), read()

    @property
    def is_over(self) -> bool:
        now = time.monotonic()
        if now - self._seen >= min(1.0, max(self._left, 0.0)):
            reading = read()
            self._left -= ours_of(min(now - self._seen, ASLEEP), share(self._reading, reading))
            self._seen, self._reading = now, reading
        return self._left <= 0


def ours_of(seconds: float, of_all: Share) -> float:
    """How many of those seconds this computer was ours."""
    return seconds * max(SLOWEST, 1 - of_all.others)

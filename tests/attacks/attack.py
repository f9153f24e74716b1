"""An attack: something that somebody does to a table, and how it ends.

Each module of this folder has `ATTACKS`. `python -m tests.attacks` runs them all (`make attack`).
"""

import signal
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

PATIENCE = 600.0  # seconds until an attack counts as one that hangs


@dataclass(frozen=True, slots=True)
class Attack:
    """What is done, to what, and the function that does it: in an empty folder of its own, with the real program."""

    on: str  # the part of the table: disk, stick, picture, broker, ...
    name: str  # what is done, in a few words
    run: Callable[[Path], str]  # how it ended, in a few words; an AssertionError where it harmed


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attack ended."""

    on: str
    name: str
    words: str
    seconds: float
    has_harmed: bool

    def __str__(self) -> str:
        sign = "HARMED" if self.has_harmed else "stood"
        return f"{sign:6}  {self.seconds:6.1f} s  {self.on}: {self.name}: {self.words}"


def made(attack: Attack) -> Ending:
    """Run an attack."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        try:
            with _patience():
                words, has_harmed = attack.run(Path(folder)), False
        except Exception as error:  # whatever an attack does, the others are run
            words = f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
            has_harmed = True
    return Ending(attack.on, attack.name, words, time.monotonic() - began, has_harmed)


@contextmanager
def _patience() -> Iterator[None]:
    def late(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"it was not over after {PATIENCE:g} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

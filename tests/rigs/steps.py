"""Steps that leave a stamp with what they were made from; when that changes, a step and all after it are done again."""

import hashlib
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.rigs.running import say


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to make, and what it is made from besides the steps before it."""

    what: str
    make: Callable[[], None]
    made_from: str


def make_all(steps: Iterable[Step], stamps: Path) -> None:
    """Do what has to be done, and say how long it took."""
    chain = ""
    stamps.mkdir(parents=True, exist_ok=True)
    for number, step in enumerate(steps):
        chain = hashlib.sha256(f"{chain}\n{step.what}\n{step.made_from}".encode()).hexdigest()
        stamp = stamps / str(number)
        if stamp.exists() and stamp.read_text(encoding="utf-8") == chain:
            continue
        _forget_from(number, stamps)
        say(f"Making {step.what}")
        start = time.monotonic()
        step.make()
        stamp.write_text(chain, encoding="utf-8")
        say(f"  {time.monotonic() - start:.0f} s")


def _forget_from(number: int, stamps: Path) -> None:
    """A step may take away what later ones have made."""
    for stamp in stamps.iterdir():
        if int(stamp.name) >= number:
            stamp.unlink()

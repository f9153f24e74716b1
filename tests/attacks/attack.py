"""An attack: something that somebody does to a table, and how it ends.

Each module of this folder has `ATTACKS`. `python -m tests.attacks` runs them all (`make attack`).
"""

import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Attack:
    """What is done, to what, and the function that does it: in an empty folder of its own, with the real program."""

    on: str  # the part of the table: disk, stick, picture, broker, ...
    name: str  # what is done, in a few words
    run: Callable[[Path], str]  # how it ended, in a few words; an AssertionError where it harmed


@dataclass(frozen=True, slots=True)
class Ending:
    """How an attack ended."""

    attack: Attack
    words: str
    seconds: float
    has_harmed: bool


def made(attack: Attack) -> Ending:
    """Run an attack."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="attack-") as folder:
        try:
            words, has_harmed = attack.run(Path(folder)), False
        except Exception as error:  # whatever an attack does, the others are run
            words = f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
            has_harmed = True
    return Ending(attack, words, time.monotonic() - began, has_harmed)

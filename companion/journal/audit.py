"""Reads all of a journal beside whoever works with it, and says whether it is as it was written.

It has a connection of its own, which only reads. For half of the time it rests, so that whoever works is not held up.
"""

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.core.background import in_thread
from companion.core.errors import CompanionError, JournalDamagedError
from companion.journal.file import File
from companion.journal.inspection import read_through

SLICE = 0.005  # seconds of reading, and as many of rest ...
LONGEST_REST = 0.1  # ... but no more than these
AGAIN = 0.05  # seconds after which it is broken off once more: between two questions nothing is
PATIENCE = 60.0  # seconds until a disk that hangs is left alone

Run = Callable[[Callable[[], None]], None]


class AuditEndedError(Exception):
    """Nobody wants to know any more."""


class Audit:
    """Begins at once; `damage` and `is_sound` are known when it `is_over`."""

    def __init__(self, path: Path, wake: Callable[[], None], run: Run | None = None, *, has_log: bool) -> None:
        self.is_sound = False
        self.damage = ""  # what is wrong; neither: it could not be read to the end
        self._path, self._wake, self._has_log = path, wake, has_log
        self._over, self._ended = threading.Event(), threading.Event()
        self._rested = time.monotonic()
        self._file: File | None = None
        (run or in_thread("audit"))(self._read)

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    def end(self, patience: float = 0.0) -> None:
        """Wait for it so long, and then break it off."""
        self._over.wait(patience)
        self._ended.set()
        until = time.monotonic() + PATIENCE
        while not self._over.wait(AGAIN) and time.monotonic() < until:
            with contextlib.suppress(sqlite3.Error):
                if self._file is not None:
                    self._file.interrupt()

    def _read(self) -> None:
        try:
            read_through(self._path, self._pace, self._begin, has_log=self._has_log)
            self.is_sound = True
        except JournalDamagedError as damage:
            self.damage = damage.sentence
        except (AuditEndedError, CompanionError, OSError, MemoryError):
            pass  # the next opening reads it again
        finally:
            self._over.set()
        with contextlib.suppress(AuditEndedError):
            self._wake()

    def _begin(self, file: File) -> None:
        self._file = file

    def _pace(self) -> None:
        if self._ended.is_set():
            raise AuditEndedError
        if (worked := time.monotonic() - self._rested) > SLICE:
            time.sleep(min(worked, LONGEST_REST))
            self._rested = time.monotonic()

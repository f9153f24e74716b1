"""A camera that may go and come back: its frames are taken in by a thread, so that nobody waits for them."""

import contextlib
import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.core.sentence import N_, Sentence

if TYPE_CHECKING:
    from vision.frames import Frame, Source

WAITING = 3  # frames; of more the oldest is left out
PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)  # seconds before another try to open the camera; the last one again and again
LINGER = 0.5  # seconds that are waited for a camera to close
ENDED = N_("The camera gives no more pictures.")


@dataclass(frozen=True, slots=True)
class Gone:
    """The camera does not give pictures any more, and is tried again."""

    at: int
    why: str


class Feed:
    """A camera's newest frames, and what goes wrong with it."""

    def __init__(
        self,
        source: "Source",
        again: "Callable[[], Source]",
        *,
        pauses: tuple[float, ...] = PAUSES,
        now: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._source, self._again, self._pauses, self._now = source, again, pauses, now
        self._news: deque[Frame | Gone] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._next = 0  # the number of the next frame, if none gets lost
        self._ear, self._mouth = os.pipe()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """Readable when there is something to take."""
        return self._ear

    def take(self) -> "list[Frame | Gone]":
        """What has come since the last time."""
        with self._lock:
            found = list(self._news)
            self._news.clear()
            if found:
                os.read(self._ear, 1)
        return found

    def close(self) -> None:
        """Soon: a camera that hangs, or takes its time to end, is left behind."""
        self._closed.set()
        closing = threading.Thread(target=self._let_go, name="camera-closing", daemon=True)
        with contextlib.suppress(RuntimeError):  # there are too many threads: it goes with the process
            closing.start()
            closing.join(LINGER)
        self._thread.join(LINGER)
        with self._lock:
            os.close(self._ear)
            os.close(self._mouth)

    def _let_go(self) -> None:
        with contextlib.suppress(Exception):  # whatever a driver does
            self._source.close()

    # --- in the thread

    def _run(self) -> None:
        while not self._closed.is_set():
            self._put(Gone(self._now(), self._failed()))
            self._let_go()
            for pause in self._waits():
                if self._closed.wait(pause) or self._is_open_again():
                    break

    def _failed(self) -> str:
        """Hand over frames until there are no more; why there are none."""
        base = self._next
        try:
            for frame in self._source.frames():
                self._next = base + frame.number + 1
                self._put(frame if not base else replace(frame, number=base + frame.number))
                if self._closed.is_set():
                    break
        except CompanionError as error:
            return error.sentence
        except Exception as error:  # whatever a driver does: the match goes on
            return Sentence("The camera fails: {error}.", error=error)
        return ENDED

    def _waits(self) -> Iterator[float]:
        yield from self._pauses
        while True:
            yield self._pauses[-1]

    def _is_open_again(self) -> bool:
        try:
            source = self._again()
        except Exception:  # it was told that it is gone
            return False
        self._next += 1  # at least one is lost
        self._source = source
        if self._closed.is_set():
            self._let_go()
        return True

    def _put(self, news: "Frame | Gone") -> None:
        with self._lock:
            if self._closed.is_set():
                return
            was_empty = not self._news
            self._news.append(news)
            frames = [one for one in self._news if not isinstance(one, Gone)]
            if len(frames) > WAITING:
                self._news.remove(frames[0])
            if was_empty:
                os.write(self._mouth, b"!")


def lost_the_thread(error: Exception) -> Sentence:
    """Who watches, or judges what is seen, has failed, and another begins."""
    kind = type(error).__name__
    text = N_("I lost the thread ({kind}: {error}) and look at the table anew: hands off, please.")
    return Sentence(text, kind=kind, error=str(error))

"""Dimming by switching: one thread turns lights on and off at their rates. Good enough for eyes, not for motors."""

import contextlib
import heapq
import threading
import time
from collections.abc import Callable

Drive = Callable[[bool], None]


class Pulses:
    """The lights that are being dimmed. The thread lives while there are any."""

    def __init__(self) -> None:
        self._dimmed: dict[Drive, tuple[float, float]] = {}
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def set(self, drive: Drive, frequency: float, duty: float) -> None:
        """Switch a light at this many hertz, on for this fraction of the time."""
        with self._change:
            self._dimmed[drive] = (frequency, duty)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="dimmed lights", daemon=True)
                self._thread.start()
            self._change.notify()

    def stop(self, drive: Drive) -> None:
        with self._change:
            self._dimmed.pop(drive, None)
            self._change.notify()

    def close(self) -> None:
        with self._change:
            self._closed = True
            self._dimmed.clear()
            self._change.notify()
            thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join()

    def _run(self) -> None:
        due: list[tuple[float, int, bool]] = []  # when, which, on or off
        drives: dict[int, Drive] = {}
        while True:
            with self._change:
                self._begin(due, drives)
                if not due:
                    self._thread = None
                    return
                wait = due[0][0] - time.monotonic()
                if wait > 0:
                    self._change.wait(wait)
                    continue
                when, which, on = heapq.heappop(due)
                self._switch(due, drives, when, which, on)

    def _begin(self, due: list[tuple[float, int, bool]], drives: dict[int, Drive]) -> None:
        """Take up what is new, forget what is no longer dimmed."""
        wanted = {id(drive): drive for drive in self._dimmed}
        for which, drive in wanted.items():
            if which not in drives:
                heapq.heappush(due, (time.monotonic(), which, True))
                drives[which] = drive
        if len(wanted) < len(drives):
            for which in set(drives) - set(wanted):
                del drives[which]
            due[:] = [entry for entry in due if entry[1] in drives]
            heapq.heapify(due)

    def _switch(
        self, due: list[tuple[float, int, bool]], drives: dict[int, Drive], when: float, which: int, on: bool
    ) -> None:
        drive = drives[which]
        frequency, duty = self._dimmed[drive]
        lit, period = duty / frequency, 1 / frequency
        with contextlib.suppress(OSError):
            drive(on and duty > 0)
        if on and 0 < duty < 1:
            heapq.heappush(due, (when + lit, which, False))
        else:
            heapq.heappush(due, (max(when + period - (0 if on else lit), time.monotonic()), which, True))

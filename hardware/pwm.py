"""Dimming by switching: one thread turns lights on and off at their rates. Good enough for eyes, not for motors."""

import contextlib
import heapq
import threading
import time
from collections.abc import Callable

from hardware.pin_errors import PinsError

Drive = Callable[[bool], None]


class Pulses:
    """The lights that are being dimmed. The thread lives while there are any; fully on or off needs none."""

    def __init__(self) -> None:
        self._dimmed: dict[Drive, tuple[float, float]] = {}
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None

    def set(self, drive: Drive, frequency: float, duty: float) -> None:
        """Switch a light at this many hertz, on for this fraction of the time."""
        with self._change:
            if not 0 < duty < 1:
                self.stop(drive)
                drive(duty > 0)
                return
            self._dimmed[drive] = (frequency, duty)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="dimmed lights", daemon=True)
                self._thread.start()
            self._change.notify()

    def stop(self, drive: Drive) -> None:
        """When this returns, the light is nobody else's."""
        with self._change:
            self._dimmed.pop(drive, None)
            self._change.notify()

    def close(self) -> None:
        with self._change:
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
                self._switch(due, drives[which], when, which, on)

    def _begin(self, due: list[tuple[float, int, bool]], drives: dict[int, Drive]) -> None:
        """Take up what is new, forget what is no longer dimmed."""
        wanted = {id(drive): drive for drive in list(self._dimmed)}
        for which, drive in wanted.items():
            if which not in drives:
                heapq.heappush(due, (time.monotonic(), which, True))
                drives[which] = drive
        if len(wanted) < len(drives):
            for which in set(drives) - set(wanted):
                del drives[which]
            due[:] = [entry for entry in due if entry[1] in drives]
            heapq.heapify(due)

    def _switch(self, due: list[tuple[float, int, bool]], drive: Drive, when: float, which: int, on: bool) -> None:
        frequency, duty = self._dimmed.get(drive, (1.0, 0.0))  # collected a moment ago
        lit = duty / frequency
        with contextlib.suppress(OSError, PinsError):  # the chip went; it may come back
            drive(on and duty > 0)
        step = lit if on else 1 / frequency - lit
        # Late by more than a period: begin anew, and do not catch up.
        heapq.heappush(due, (max(when + step, time.monotonic() - 1 / frequency), which, not on))

"""What takes its time before the table stands: another copy that is still ending, a journal that is being mended.

Systemd is told that it goes on, people see why they wait, and whoever asks the process to end is heard.
"""

import time
from collections.abc import Callable

from companion.core.clocks import MINUTE, SECOND
from companion.devices.supervisor import Ending
from companion.devices.watchdog import MICROSECOND, Notifier

EVERY = SECOND // 2  # it is told and shown so often at most
LONGER = MINUTE  # that systemd is to wait, each time


class AskedToEndError(Exception):
    """Somebody has asked this process to end before the table stood."""


class Starting:
    """`alive` is called now and then by whatever takes its time."""

    def __init__(self, ending: Ending, notifier: Notifier, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.show: Callable[[], None] | None = None  # that people have to wait, as soon as there is a screen
        self._ending, self._notifier, self._clock = ending, notifier, clock
        self._next = clock()

    def alive(self) -> None:
        """An AskedToEndError ends what takes its time."""
        if self._ending.is_asked:
            raise AskedToEndError
        now = self._clock()
        if now < self._next:
            return
        self._next = now + EVERY
        self._notifier.tell(f"EXTEND_TIMEOUT_USEC={LONGER // MICROSECOND}")
        if self.show:
            self.show()

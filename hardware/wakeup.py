"""What wakes whoever reads the lines: an edge, a chip that comes or goes, somebody who rouses him, or the time."""

import contextlib
import os
import select
import time

from hardware import chips

NEVER = 1 << 63


class Wakeup:
    """All of these in one file that can be waited on."""

    def __init__(self) -> None:
        # Not poll: that would keep a request alive for as long as the thread sleeps, and its lines busy with it.
        self.epoll = select.epoll()
        self.nap: float | None = None
        self.due = 0  # when to look although nothing has come
        self._rouser = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self.epoll.register(self._rouser, select.EPOLLIN)
        self._uevents = chips.uevents()  # says when chips come and go: not every kernel wakes those who wait on one
        if self._uevents:
            self.epoll.register(self._uevents, select.EPOLLIN)

    @property
    def hears_of_chips(self) -> bool:
        return self._uevents is not None

    def register(self, number: int) -> None:
        self.epoll.register(number, select.EPOLLIN)

    def unregister(self, number: int) -> None:
        with contextlib.suppress(OSError):
            self.epoll.unregister(number)

    def rouse(self) -> None:
        if self._rouser >= 0:
            os.eventfd_write(self._rouser, 1)

    def sleep(self, seconds: float | None) -> None:
        """How long to wait at most, from now on."""
        self.nap = seconds
        self.due = NEVER if seconds is None else time.monotonic_ns() + int(seconds * 1e9)

    def wait(self, seconds: float | None) -> None:
        """Until there is something, or so many seconds; at once if it is closed by somebody who would not wait."""
        with contextlib.suppress(OSError, ValueError):
            for number, _ in self.epoll.poll(seconds, 3):
                if number == self._rouser:
                    os.eventfd_read(self._rouser)
                elif self._uevents and number == self._uevents.fileno():
                    chips.drain(self._uevents)

    def close(self) -> None:
        if self._rouser >= 0:
            self.epoll.close()
            os.close(self._rouser)
            self._rouser = -1
            if self._uevents:
                self._uevents.close()

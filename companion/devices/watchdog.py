"""The word with systemd: ready, well, stopping; and the watchdog, which is fed when everything was looked at.

It is fed from the loop that draws the screen, never by a timer of its own: a loop that hangs feeds nobody. What else
may not hang is asked each time. What is only gone, such as a camera, is no reason to end.
"""

import contextlib
import os
import socket
from collections.abc import Callable, Sequence
from typing import Self

from companion.core.clocks import MILLISECOND, SECOND

SOCKET, PERIOD, OWNER = "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"
SHARE = 4  # it is fed so many times within the period after which systemd would end it
MICROSECOND = MILLISECOND // 1000
LONGEST_STATUS = 200

Check = Callable[[int], str]  # why the table hangs, at this stamp; nothing if it does not


class Notifier:
    """Datagrams to whoever supervises this process; nobody may be there."""

    def __init__(self, address: str = "") -> None:
        self._socket: socket.socket | None = None
        if not address:
            return
        path = f"\0{address[1:]}" if address.startswith("@") else address
        found = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC)
        found.settimeout(0)  # whoever does not read keeps nobody waiting
        try:
            found.connect(path)
        except OSError:
            found.close()
        else:
            self._socket = found

    @classmethod
    def usual(cls) -> Self:
        """What systemd has told this process, and no child of it."""
        return cls(os.environ.get(SOCKET, ""))

    def tell(self, *lines: str) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.send("\n".join(lines).encode(errors="replace"))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def stopping() -> None:
    """This process ends; what it does from now on may not take long."""
    with contextlib.closing(Notifier.usual()) as notifier:
        notifier.tell("STOPPING=1", "STATUS=The match is kept.")


def is_supervised() -> bool:
    """Somebody starts this table again when it ends."""
    return bool(os.environ.get(SOCKET))


def usual_period() -> int | None:
    """Nanoseconds after which systemd ends what does not speak; None if it does not."""
    text, owner = os.environ.get(PERIOD, ""), os.environ.get(OWNER, "")
    if not text.isdecimal() or not int(text) or (owner and owner != str(os.getpid())):
        return None
    return int(text) * MICROSECOND


class Watchdog:
    """Asked now and then by the loop; `hangs` is why it was not fed the last time."""

    def __init__(self, notifier: Notifier, checks: Sequence[Check], period: int | None) -> None:
        self.hangs = ""
        self._notifier, self._checks = notifier, checks
        self._every = period // SHARE if period else 5 * SECOND
        self._next: int | None = None
        self._status = ""

    def attend(self, now: int, status: str = "") -> None:
        """Look at everything if it is time to, and tell systemd."""
        if self._next is not None and now < self._next:
            return
        lines = ["READY=1"] if self._next is None else []
        self._next = now + self._every
        self.hangs = next((why for check in self._checks if (why := check(now))), "")
        if not self.hangs:
            lines.append("WATCHDOG=1")
        status = (self.hangs or status).replace("\n", " ")[:LONGEST_STATUS]
        if status != self._status:
            self._status = status
            lines.append(f"STATUS={status}")
        if lines:
            self._notifier.tell(*lines)

    def wakes_at(self) -> int | None:
        return self._next

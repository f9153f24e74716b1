"""Which screens are connected, as the kernel tells; one that comes is a reason to begin anew where there was none."""

import contextlib
from pathlib import Path

from companion.core.clocks import SECOND

CONNECTORS = Path("/sys/class/drm")
LOOK_EVERY = 5 * SECOND
TRY_EVERY = 600 * SECOND  # with one that is connected and could not be drawn on; systemd counts the starts


def connected(folder: Path = CONNECTORS) -> frozenset[str]:
    """The names of the sockets that have one."""
    found = set()
    for status in folder.glob("card*-*/status"):
        with contextlib.suppress(OSError):
            if status.read_text(encoding="ascii", errors="replace").strip() == "connected":
                found.add(status.parent.name)
    return frozenset(found)


class NewScreens:
    """Asked by a table that has no screen."""

    def __init__(self, folder: Path = CONNECTORS) -> None:
        self._folder = folder
        self._known = connected(folder)
        self._next = 0
        self._next_try: int | None = None

    def wakes_at(self) -> int:
        return self._next

    def has_come(self, now: int, *, may_try: bool) -> bool:
        """Another is connected than when the table found that it could draw on none. Where nobody plays, what is
        connected may be tried again: whatever had it may have let go of it."""
        self._next_try = now + TRY_EVERY if self._next_try is None else self._next_try
        if now < self._next:
            return False
        self._next = now + LOOK_EVERY
        there = connected(self._folder)
        is_new, self._known = bool(there - self._known), there
        return is_new or (may_try and bool(there) and now >= self._next_try)

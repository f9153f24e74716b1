"""Everything on pins as the table sees it: presses that come in with their stamps, lights that go out.

Real and simulated panels stand behind the same few methods. A press is appended to the inbox by whoever noticed
it, and nothing else happens there; what it means is decided by whoever takes it out, by its stamp.
"""

import contextlib
import os
import select
import time
from collections import deque
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, Protocol

from hardware.wiring import Wiring


class Key(NamedTuple):
    """Something that can be pressed: the strike button of a seat, one of another kind there, or one for the table."""

    kind: str  # strike, or as the wiring has it
    seat: int | None = None  # counted from 0; None: the table's

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"{self.kind} {self.seat + 1}"


class Press(NamedTuple):
    """An edge of a key. Not `sure` where an edge got lost around it and its stamp cannot be trusted; `after_gap` where
    the kernel's own count says that edges are missing before it."""

    key: Key
    at: int  # nanoseconds of time.monotonic_ns
    is_down: bool
    sure: bool = True
    after_gap: bool = False


class Light(Enum):
    """What a light shows, apart enough for everybody to tell."""

    OFF = "off"
    FILLING_1 = "filling 1"  # brighter in four steps: the token is being armed again, ...
    FILLING_2 = "filling 2"
    FILLING_3 = "filling 3"
    FILLING_4 = "filling 4"
    ARMED = "armed"  # ... and then dim
    TURN = "turn"  # slow pulse
    WON = "won"  # bright
    TIED = "tied"  # quick pulse
    LOCKED = "locked"  # one short blink a second: your button does not count now
    HELD = "held"  # quick blinking: take your hand off


FILLING = (Light.FILLING_1, Light.FILLING_2, Light.FILLING_3, Light.FILLING_4)


class PressQueue:
    """Presses in the order in which they were noticed. Putting one in wakes whoever waits on its file number."""

    def __init__(self) -> None:
        self._presses: deque[Press] = deque()
        self._closed = False
        self._out, self._in = os.pipe()
        os.set_blocking(self._out, False)
        os.set_blocking(self._in, False)

    def put(self, press: Press) -> None:
        self._presses.append(press)
        if self._closed:
            return
        with contextlib.suppress(OSError):  # full: whoever waits has been woken; closed: nobody waits
            os.write(self._in, b"!")

    def take(self) -> list[Press]:
        """All presses noticed so far."""
        with contextlib.suppress(BlockingIOError):
            while len(os.read(self._out, 4096)) == 4096:
                pass
        found = []
        while self._presses:
            found.append(self._presses.popleft())
        return found

    def fileno(self) -> int:
        return self._out

    @property
    def nap(self) -> float | None:
        """Seconds after which to look although nothing is readable."""
        return None

    def wait(self, seconds: float) -> None:
        """Until there is a press, or so long."""
        select.select([self], [], [], seconds if self.nap is None else min(seconds, self.nap))

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            os.close(self._in)
            os.close(self._out)


class Panel(Protocol):
    """Buttons and lights, real or simulated."""

    @property
    def wiring(self) -> Wiring: ...

    @property
    def inbox(self) -> PressQueue: ...

    def levels(self) -> dict[Key, bool]:
        """Which keys are down now, read from where they are wired."""

    def show(self, key: Key, light: Light) -> None: ...

    def status(self, light: Light) -> None: ...

    def buzz(self, seconds: float) -> None: ...

    def close(self) -> None: ...


def keys_of(wiring: Wiring) -> dict[Key, int]:
    """Each key with its pin."""
    found: dict[Key, int | None] = {Key(kind): pin for kind, pin in wiring.keys.items()}
    found[Key("strike")] = wiring.button
    for seat, pins in enumerate(wiring.seats):
        found[Key("strike", seat)] = pins.button
        found |= {Key(kind, seat): pin for kind, pin in pins.keys.items()}
    return {key: pin for key, pin in found.items() if pin is not None}


def lights_of(wiring: Wiring) -> dict[Key, int]:
    """Each lit button with the pin of its light."""
    found = {Key("strike"): wiring.light} | {Key("strike", seat): pins.light for seat, pins in enumerate(wiring.seats)}
    return {key: pin for key, pin in found.items() if pin is not None}


Clock = Callable[[], int]
MONOTONIC: Clock = time.monotonic_ns

"""A panel without pins: keys of a keyboard, touches, or a script press its buttons. It says that it is simulated.

A script gives each contact the time at which it closes or opens, so it can bounce, come microseconds apart, or be
lost on purpose; the stamps are then the script's, as the kernel's would be.
"""

import threading
from dataclasses import dataclass

from hardware.panel import MONOTONIC, Clock, Key, Light, Press, PressQueue, keys_of
from hardware.wiring import Wiring

NOTICE = "The buttons are simulated: keys, touches and messages stand in for them."


@dataclass(frozen=True, slots=True)
class SimulatedContact:
    """A contact that closes or opens. `lost`: the chip never reports it; `late`: so many nanoseconds on its way."""

    at: int
    key: Key
    is_down: bool
    lost: bool = False
    late: int = 0


class SimulatedPanel:
    """Buttons that are pressed by calling, and lights that can be looked at."""

    def __init__(self, wiring: Wiring, clock: Clock = MONOTONIC) -> None:
        self.wiring = wiring
        self.inbox = PressQueue()
        self.lights: dict[Key, Light] = {}
        self.status_light = Light.OFF
        self.buzzed: list[float] = []
        self._clock = clock
        self._down = dict.fromkeys(keys_of(wiring), False)
        self._lock = threading.Lock()

    def press(self, key: Key) -> None:
        self.contact(SimulatedContact(self._clock(), key, is_down=True))

    def release(self, key: Key) -> None:
        self.contact(SimulatedContact(self._clock(), key, is_down=False))

    def contact(self, contact: SimulatedContact) -> None:
        """A contact changes; its edge is reported unless it gets lost."""
        if contact.key not in self._down:
            return
        with self._lock:
            self._down[contact.key] = contact.is_down
        if not contact.lost:
            self.inbox.put(Press(contact.key, contact.at, contact.is_down))

    def levels(self) -> dict[Key, bool]:
        with self._lock:
            return dict(self._down)

    def show(self, key: Key, light: Light) -> None:
        self.lights[key] = light

    def status(self, light: Light) -> None:
        self.status_light = light

    def buzz(self, seconds: float) -> None:
        self.buzzed.append(seconds)

    def close(self) -> None:
        self.inbox.close()

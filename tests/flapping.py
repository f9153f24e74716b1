"""The devices of an evening, which come and go: buttons whose chip is pulled out and whose driver fails, and a disk."""

import errno
import random
import threading
from collections.abc import Callable
from pathlib import Path

from companion.devices import disk
from companion.devices.buttons import Buttons
from companion.devices.disk import Disk
from companion.doctor.health import AILING, Finding
from hardware.panel import Key, Light, Press, PressQueue
from hardware.pin_errors import ChipGoneError, NoChipError
from hardware.simulated import SimulatedPanel
from hardware.wiring import Seat, Wiring

WIRING = Wiring(
    "simulated", seats=tuple(Seat(10 * seat, 10 * seat + 1, {"tres": 10 * seat + 2}) for seat in range(1, 9))
)
PINS = Wiring(seats=WIRING.seats)  # the same, to be opened by a driver
FLAPS = 0.004  # how often, when somebody looks, something goes or comes back
MISSING = 0.5  # of the tries to open the pins, while they cannot be had
ERRORS = 0.01  # how often a disk that is asked has errors
TROUBLES: tuple[Callable[[], Exception], ...] = (  # made anew each time: one that is raised keeps what it has seen
    lambda: OSError(errno.ENOMEM, "Cannot allocate memory"),
    lambda: OSError(errno.EIO, "I/O error"),
    lambda: RuntimeError("-1"),
)


class _Edges(PressQueue):
    """Of the drawn buttons; none while the chip is away."""

    def __init__(self, pins: "Pins") -> None:
        super().__init__()
        self._pins = pins

    def take(self) -> list[Press]:
        found = self._pins.drawn.inbox.take()
        return [] if self._pins.is_gone else found

    def fileno(self) -> int:
        return self._pins.drawn.inbox.fileno()


class Pins:
    """The drawn buttons as the driver of real ones would have them."""

    wiring = PINS
    is_read = True

    def __init__(self, drawn: SimulatedPanel) -> None:
        self.drawn = drawn
        self.is_gone = False
        self.trouble: Callable[[], Exception] | None = None
        self._edges = _Edges(self)

    @property
    def inbox(self) -> PressQueue:
        if self.trouble:
            raise self.trouble()
        return self._edges

    def _must_work(self) -> None:
        if self.trouble:
            raise self.trouble()
        if self.is_gone:
            raise ChipGoneError("gpiochip0 is gone.")

    def levels(self) -> dict[Key, bool]:
        self._must_work()
        return self.drawn.levels()

    def show(self, key: Key, light: Light) -> None:
        self._must_work()
        self.drawn.show(key, light)

    def status(self, light: Light) -> None:
        self._must_work()
        self.drawn.status(light)

    def buzz(self, seconds: float) -> None:
        self._must_work()
        self.drawn.buzzed[:] = [seconds]

    def close(self) -> None:
        self._edges.close()


class Devices:
    """What is looked after at the table."""

    def __init__(
        self,
        journal: Path,
        clock: Callable[[], int],
        say: Callable[[str], None],
        chance: random.Random,
    ) -> None:
        self._chance = chance
        self.at_once = True  # nothing is done in threads while time travels
        self.drawn = SimulatedPanel(WIRING, clock)
        self.buttons = Buttons(lambda: PINS, self._opened, say, self._run)
        self.disk = Disk(journal, ask=self._asked, run=self._run)
        self._pins: Pins | None = None
        self.flaps = 0

    def _run(self, work: Callable[[], None]) -> None:
        if self.at_once:
            work()
        else:
            threading.Thread(target=work, daemon=True).start()

    def _opened(self, *_: object) -> Pins:
        if self._pins and self._pins.trouble and self._chance.random() < MISSING:
            raise NoChipError("There is no GPIO chip of a Raspberry Pi's header here.")
        self.drawn.inbox.take()  # what nobody was told
        self._pins = Pins(self.drawn)
        return self._pins

    def _asked(self, journal: Path) -> Finding:
        if self._chance.random() < ERRORS:
            return Finding("journal", AILING, "The disk with the journal has errors.")
        return disk.ask(journal)

    def flap(self) -> None:
        """Now and then the chip goes or comes back, or the driver fails."""
        pins = self._pins
        if pins is None or pins.trouble or self._chance.random() >= FLAPS:
            return
        self.flaps += 1
        if pins.is_gone or self._chance.random() < 0.5:
            pins.is_gone = not pins.is_gone
        else:
            pins.trouble = self._chance.choice(TROUBLES)

    @property
    def waiting(self) -> int:
        return len(self.drawn.inbox._presses)

    def close(self) -> None:
        self.buttons.close()
        self.drawn.close()

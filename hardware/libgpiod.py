"""A pin factory for gpiozero on libgpiod: the kernel's stamps, no polling, one request for all inputs.

    GPIOZERO_PIN_FACTORY=libgpiod python my_script.py

or

    from gpiozero import Button, Device
    from hardware.libgpiod import LibgpiodFactory
    Device.pin_factory = LibgpiodFactory()

Ticks are whole nanoseconds of CLOCK_MONOTONIC: for an edge, those at which the kernel was interrupted. An edge is
told at once and `bounce_time` shuts the line afterwards, so that a press keeps the time of its first contact.
"""

import contextlib
import errno
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinInvalidState,
    PinPWMFixedValue,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware import chips
from hardware.edge_reader import Edge
from hardware.lines import COME_BACK, InputLines
from hardware.pin_errors import PinsError
from hardware.pwm import Pulses

HEADER_OF_40 = 0xC03111  # a Pi 4: the header that every Pi since the B+ has. For chips on other machines.
PULLS = ("up", "down", "floating")
EDGES = {"both": (False, True), "rising": (True,), "falling": (False,)}


class LibgpiodFactory(LocalPiFactory):
    """Pins of one GPIO chip. `chip` is a path, a name or a label; without it the chip of a Pi's header is looked
    for by its label. On a machine that is no Pi, name the chip, and it gets the usual header of 40.

    Without `threaded`, edges are told when the program calls `lines.pump()`, best when `lines.fileno()` is readable.
    """

    def __init__(
        self,
        chip: str | None = None,
        *,
        revision: int | None = None,
        on_notice: Callable[[str], None] | None = None,
        threaded: bool = True,
    ) -> None:
        super().__init__()
        self._revision = revision
        self._named = chip or os.environ.get("GPIOZERO_LIBGPIOD_CHIP", "")
        self.lines = InputLines(self._named, on_notice, threaded=threaded)
        self.pulses = Pulses()
        self.telling = threading.local()  # the edge that is being told by this thread
        self.pin_class = LibgpiodPin

    @property
    def chip(self) -> str:
        return str(self.lines.path)

    @property
    def edge_is_sure(self) -> bool:
        """Of the edge that is being told now, asked from a callback; gpiozero's own have no place for it."""
        return getattr(self.telling, "is_sure", True)

    def find(self) -> str:
        """The chip as it is called now: it may have come back under another name."""
        return str(chips.find(self._named))

    def close(self) -> None:
        self.lines.close()  # all lines at once, before the pins would give them back one by one
        super().close()
        self.pulses.close()

    def _get_revision(self) -> int:
        if self._revision is not None:
            return self._revision
        try:
            return int(super()._get_revision())
        except PinUnknownPi:
            return HEADER_OF_40

    @staticmethod
    def ticks() -> int:
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        return (later - earlier) / 1e9


class LibgpiodPin(LocalPiPin):
    """A line of the chip: an input of the one request, or an output with a request of its own."""

    def __init__(self, factory: LibgpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._lines = factory.lines
        self._output: Any = None  # the request, while the pin is an output
        self._frequency: float | None = None
        self._duty: float = 0.0
        self._retry_at = 0.0
        self._returns = 0  # of the chip, when the output was last tried
        self._edges = "both"
        self._bounce = 0  # nanoseconds
        self._turn = threading.RLock()  # of telling
        self._told: bool | None = None
        self._shut_until = 0
        self._reopen: threading.Timer | None = None

    def close(self) -> None:
        """Back to a line that nobody uses. gpiozero keeps the pin and hands it out again."""
        self.when_changed = None
        self._stop_output()
        self._lines.release(self._number)
        self._edges, self._bounce = "both", 0

    # --- input or output ---

    def _get_function(self) -> str:
        return "input" if self._output is None else "output"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f"invalid function {value!r} for pin {self!r}")
        if value == "input":
            self._stop_output()
            self._claim()
        elif self._output is None:
            self.output_with_state(0)

    def output_with_state(self, state: float) -> None:
        """Become an output that has this level from its first moment on."""
        if self._output is not None:
            self._set_frequency(None)
            self._drive(bool(state))
            return
        self.when_changed = None
        self._lines.release(self._number)
        try:
            self._output = self._request(self.factory.chip, is_high=bool(state))
        except OSError as error:
            raise chips.explained(error, self._lines.path, self._number) from None
        except ValueError as error:  # the bindings' own word for a line that the chip does not have
            raise chips.explained(OSError(errno.EINVAL, str(error)), self._lines.path, self._number) from None

    def input_with_pull(self, pull: str) -> None:
        self._check_pull(pull)
        self._stop_output()
        self._lines.claim(self._number, pull)

    def _claim(self) -> None:
        if not self._lines.claimed(self._number):
            self._lines.claim(self._number, self.info.pull or "floating")

    def _request(self, path: str, *, is_high: bool) -> Any:
        gpiod = chips.bindings()
        settings = gpiod.LineSettings(direction=gpiod.line.Direction.OUTPUT, output_value=_value(is_high))
        with gpiod.Chip(path) as chip:
            return chip.request_lines({self._number: settings}, "companion")

    def _stop_output(self) -> None:
        self._set_frequency(None)
        if self._output is not None:
            with contextlib.suppress(OSError):
                self._output.release()
            self._output = None

    # --- levels ---

    def _get_state(self) -> float:
        if self._frequency is not None:
            return self._duty
        if self._output is None:
            self._claim()
            return int(self._lines.is_high(self._number))
        try:
            return int(self._output.get_value(self._number) is _value(is_high=True))
        except OSError as error:
            raise chips.explained(error, self._lines.path, self._number) from None

    def _set_state(self, value: float) -> None:
        if self._output is None:
            raise PinSetInput(f"cannot set state of pin {self!r}")
        if not 0 <= value <= 1:
            raise PinInvalidState(f"invalid state {value!r} for pin {self!r}")
        if self._frequency is None:
            self._drive(bool(value))
        else:
            self._duty = float(value)
            self.factory.pulses.set(self._drive, self._frequency, self._duty)

    def _drive(self, is_high: bool) -> None:
        if self._output is None:
            return
        try:
            self._output.set_value(self._number, _value(is_high))
        except OSError as error:
            if not self._is_back(is_high):
                raise chips.explained(error, self._lines.path, self._number) from None

    def _is_back(self, is_high: bool) -> bool:
        """The chip went; if it has come back, so does the output."""
        if time.monotonic() < self._retry_at and self._returns == self._lines.returns:
            return False
        self._retry_at, self._returns = time.monotonic() + COME_BACK, self._lines.returns
        try:
            output = self._request(self.factory.find(), is_high=is_high)
        except (OSError, ValueError, PinsError):
            return False
        self._output.release()
        self._output, self._retry_at = output, 0.0
        return True

    def _get_frequency(self) -> float | None:
        return self._frequency

    def _set_frequency(self, value: float | None) -> None:
        if value is not None and value > 0:
            if self._output is None:
                raise PinPWMFixedValue(f"cannot start PWM on pin {self!r}")
            self._frequency = float(value)
            self.factory.pulses.set(self._drive, self._frequency, self._duty)
        elif self._frequency is not None:
            self._frequency, self._duty = None, 0.0
            self.factory.pulses.stop(self._drive)
            with contextlib.suppress(OSError, PinsError):
                self._drive(is_high=False)

    # --- bias, edges, bounce ---

    def _get_pull(self) -> str:
        if self._output is None and self._lines.claimed(self._number):
            return self._lines.pull_of(self._number)
        return "floating" if self._output is not None else self.info.pull or "floating"

    def _set_pull(self, value: str) -> None:
        if self._output is not None:
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self._check_pull(value)
        self._lines.claim(self._number, value)

    def _check_pull(self, value: str) -> None:
        if value not in PULLS:
            raise PinInvalidPull(f"invalid pull {value!r} for pin {self!r}")
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f"invalid edges {value!r} for pin {self!r}")
        self._edges = value

    def _get_bounce(self) -> float | None:
        return self._bounce / 1e9 if self._bounce else None

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and value < 0:
            raise PinInvalidBounce("bounce must be 0 or greater")
        self._bounce = int((value or 0) * 1e9)

    # --- telling ---

    def _enable_event_detect(self) -> None:
        self._claim()
        self._told, self._shut_until = None, 0
        self._lines.notify(self._number, self._heard)

    def _disable_event_detect(self) -> None:
        timer, self._reopen = self._reopen, None
        if timer:
            timer.cancel()
        with contextlib.suppress(KeyError):
            self._lines.notify(self._number, None)

    def _heard(self, edge: Edge) -> None:
        """An edge of the kernel: tell it, unless the line is shut after the one before."""
        with self._turn:
            if edge.at < self._shut_until:
                return
            self._told = edge.is_high
            if self._bounce:
                self._shut(edge.at + self._bounce)
            self._tell(edge)

    def _shut(self, until: int) -> None:
        self._shut_until = until
        if self._reopen:
            self._reopen.cancel()
        self._reopen = threading.Timer(max(0, until - time.monotonic_ns()) / 1e9, self._look_again)
        self._reopen.daemon = True
        self._reopen.start()

    def _look_again(self) -> None:
        """The line has come to rest: if that is elsewhere than what was told, tell it."""
        with self._turn:
            if self._reopen is not threading.current_thread():
                return  # a later edge was told meanwhile, or nobody wants to know any more
            with contextlib.suppress(OSError, PinsError):
                is_high = self._lines.is_high(self._number)
                if is_high != self._told:
                    self._told = is_high
                    self._tell(Edge(self._number, is_high, time.monotonic_ns(), sure=False))

    def _tell(self, edge: Edge) -> None:
        wanted = self._when_changed  # another thread may take it away at any time
        if wanted is None or edge.is_high not in EDGES[self._edges]:
            return
        method = wanted()
        if method is None:
            self.when_changed = None
            return
        self.factory.telling.is_sure = edge.sure
        try:
            method(edge.at, int(edge.is_high))
        finally:
            self.factory.telling.is_sure = True


def _value(is_high: bool) -> Any:
    value = chips.bindings().line.Value
    return value.ACTIVE if is_high else value.INACTIVE

"""A panel on real pins, through gpiozero: on our libgpiod factory, or on lgpio where that is asked for."""

import contextlib
import re
import sys
from collections.abc import Callable
from typing import Any

from hardware.lines import InputLines
from hardware.panel import FILLING, Key, Light, Press, PressQueue, keys_of, lights_of
from hardware.pin_errors import ChipGoneError, NoChipError, PinsError
from hardware.wiring import Wiring

_DIM = 0.15


class _Pumped(PressQueue):
    """The inbox of lines that have no thread of their own: whoever takes from it reads them."""

    def __init__(self, lines: InputLines) -> None:
        super().__init__()
        self._lines = lines
        self._number = lines.fileno()

    def put(self, press: Press) -> None:
        self._presses.append(press)

    def take(self) -> list[Press]:
        self._lines.pump()
        found = list(self._presses)
        self._presses.clear()
        return found

    def fileno(self) -> int:
        return self._number

    @property
    def nap(self) -> float | None:
        return self._lines.nap


class RealPanel:
    """Pins of a gpiozero factory as buttons, each edge with the kernel's stamp, and gpiozero's lights.

    gpiozero's own Button would tell that it was pressed, but not when.
    """

    def __init__(self, wiring: Wiring, on_notice: Callable[[str], None] | None = None) -> None:
        self.wiring = wiring
        self.inbox = PressQueue()
        self._factory: Any = None
        self._numbers = keys_of(wiring)
        self._pins: dict[Key, Any] = {}
        self._changed: list[Callable[[float, int], None]] = []  # gpiozero's pins keep no reference of their own
        self._lights: dict[Key, Any] = {}
        self._shown: dict[Key | None, Light] = {}  # None: the status light
        self._notice = on_notice or (lambda _sentence: None)
        self._returns = 0  # of the chip, when all lights were last lit
        self._status: Any = None
        self._buzzer: Any = None
        try:
            self._factory = _factory(wiring, self._noticed)
            self._open()
        except BaseException as error:
            self.close()
            if isinstance(error, PinsError) or not isinstance(error, Exception):
                raise
            raise PinsError(f"The pins cannot be used: {_sentence(error)}.") from None

    @property
    def chip(self) -> str:
        """The chip that is really used."""
        chip = self._factory.chip
        return f"/dev/gpiochip{chip}" if isinstance(chip, int) else str(chip)

    @property
    def is_gone(self) -> bool:
        """The chip is away, and is looked for; lgpio would not tell."""
        return self._lines is not None and self._lines.is_gone

    @property
    def is_read(self) -> bool:
        """Whoever reads the edges still does: our lines' thread, if they have one, or lgpio's."""
        if self._lines is not None:
            return self._lines.is_read
        thread = getattr(sys.modules.get("lgpio"), "_notify_thread", None)
        return thread is None or thread.ident is None or bool(thread.is_alive())

    def levels(self) -> dict[Key, bool]:
        if self._lines is None:
            return {key: not pin.state for key, pin in self._pins.items()}
        high = self._lines.levels()
        return {key: not high[line] for key, line in self._numbers.items()}

    def show(self, key: Key, light: Light) -> None:
        if key in self._lights:
            self._shown[key] = light
            _light(self._lights[key], light)

    def status(self, light: Light) -> None:
        if self._status:
            self._shown[None] = light
            _light(self._status, light)

    def buzz(self, seconds: float) -> None:
        if self._buzzer:
            self._buzzer.blink(on_time=seconds, off_time=0, n=1)

    def close(self) -> None:
        for device in (*self._lights.values(), self._status, self._buzzer):
            if device is not None:
                with contextlib.suppress(Exception):  # if one fails, the pins are given back all the same
                    device.close()
        if self._factory is not None:
            self._factory.close()
        self.inbox.close()

    def _noticed(self, sentence: str) -> None:
        if self._lines is not None and self._returns != self._lines.returns:
            self._returns = self._lines.returns
            for key, light in self._shown.items():  # a light that went out with the chip
                _light(self._status if key is None else self._lights[key], light)
        self._notice(sentence)

    def _open(self) -> None:
        lamp, buzzer = _patient()
        if self._lines is not None:
            self.inbox.close()
            self.inbox = _Pumped(self._lines)
        for key, number in self._numbers.items():
            pin = self._pins[key] = self._factory.pin(f"GPIO{number}")
            pin.input_with_pull("up")
            self._hear(key, number, pin)
        for key, pin in lights_of(self.wiring).items():
            self._lights[key] = lamp(pin, pin_factory=self._factory)
        if self.wiring.status is not None:
            self._status = lamp(self.wiring.status, pin_factory=self._factory)
        if self.wiring.buzzer is not None:
            self._buzzer = buzzer(self.wiring.buzzer, pin_factory=self._factory)

    @property
    def _lines(self) -> InputLines | None:
        """The lines of our own factory; lgpio has none."""
        found: InputLines | None = getattr(self._factory, "lines", None)
        return found

    def _hear(self, key: Key, number: int, pin: Any) -> None:
        """Put every edge of the pin into the inbox: from our lines at once, from lgpio by gpiozero's own way."""
        put = self.inbox.put
        if self._lines is not None:
            self._lines.notify(
                number, lambda edge: put(Press(key, edge.at, not edge.is_high, edge.sure, edge.after_gap))
            )
            return

        def changed(ticks: float, state: int) -> None:
            put(Press(key, round(ticks * 1e9), not state))  # seconds, made of the same nanoseconds

        self._changed.append(changed)
        pin.when_changed = changed


def _factory(wiring: Wiring, on_notice: Callable[[str], None] | None) -> Any:
    if wiring.driver == "lgpio":
        number = _chip_number(wiring)
        from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415

        return LGPIOFactory(number)
    from hardware.libgpiod import LibgpiodFactory  # noqa: PLC0415

    try:
        return LibgpiodFactory(wiring.chip or None, on_notice=on_notice, threaded=False)
    except NoChipError as error:
        raise NoChipError(wiring.at_fault("chip", str(error)) if wiring.chip else str(error)) from None


def _chip_number(wiring: Wiring) -> int | None:
    """lgpio knows chips by their numbers only."""
    if not wiring.chip:
        return None
    if number := re.fullmatch(r"(?:/dev/)?gpiochip(\d{1,3})", wiring.chip):
        return int(number[1])
    raise NoChipError(
        wiring.at_fault(
            "chip",
            f'lgpio knows no chip {wiring.chip}: write gpiochip0, gpiochip1 and so on, or take driver = "libgpiod".',
        )
    )


def _sentence(error: Exception) -> str:
    if isinstance(error, ImportError):
        return f"the package {error.name or error} is not installed"
    return str(error).strip("'\"").rstrip(".") or type(error).__name__


def _patient() -> tuple[Any, Any]:
    """gpiozero's light and buzzer, for whom a chip that is gone is no reason to stop: it may come back."""
    from gpiozero import PWMLED, Buzzer  # noqa: PLC0415

    class PatientLight(PWMLED):  # type: ignore[misc]
        def _write(self, value: float) -> None:
            with contextlib.suppress(ChipGoneError):
                super()._write(value)

    class PatientBuzzer(Buzzer):  # type: ignore[misc]
        def _write(self, value: float) -> None:
            with contextlib.suppress(ChipGoneError):
                super()._write(value)

    return PatientLight, PatientBuzzer


def _light(led: Any, light: Light) -> None:
    match light:
        case Light.OFF:
            led.off()
        case Light.ARMED:
            led.value = _DIM
        case Light.FILLING_1 | Light.FILLING_2 | Light.FILLING_3 | Light.FILLING_4:
            led.value = FILLING.index(light) / len(FILLING) * (1 - _DIM) + _DIM
        case Light.TURN:
            led.pulse(fade_in_time=0.8, fade_out_time=0.8)
        case Light.WON:
            led.on()
        case Light.TIED:
            led.blink(on_time=0.25, off_time=0.25)
        case Light.LOCKED:
            led.blink(on_time=0.05, off_time=0.95)
        case Light.HELD:
            led.blink(on_time=0.08, off_time=0.08)

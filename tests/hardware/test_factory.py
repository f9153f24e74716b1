"""gpiozero's devices on our pin factory, on a stand-in for the kernel: what any factory has to do, and our stamps."""

import errno
import os
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
from gpiozero import (
    LED,
    PWMLED,
    Button,
    Buzzer,
    Device,
    DigitalInputDevice,
    GPIOPinInUse,
    InputDevice,
    LEDBoard,
    OutputDevice,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPin,
    PinInvalidPull,
    PinInvalidState,
    PinPWMFixedValue,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.mixins import CallbackSetToNone

from hardware import chips, libgpiod
from hardware.libgpiod import LibgpiodFactory
from hardware.pin_errors import ChipGoneError, LineTakenError, NoChipError, NoLineError, NoPermissionError
from tests.hardware.fake_gpiod import DEADLINE, FakeChip, Heard, Kernel, until

PROJECT = Path(__file__).parents[2]
MS = 1_000_000


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    monkeypatch.delenv("GPIOZERO_LIBGPIOD_CHIP", raising=False)
    return Kernel.booted(tmp_path, monkeypatch)


@pytest.fixture
def chip(kernel: Kernel) -> FakeChip:
    return kernel.plug()


@pytest.fixture
def notices() -> Heard:
    return Heard()


@pytest.fixture
def factory(chip: FakeChip, notices: Heard, monkeypatch: pytest.MonkeyPatch) -> Iterator[LibgpiodFactory]:  # noqa: ARG001
    factory = LibgpiodFactory(revision=libgpiod.HEADER_OF_40, on_notice=notices)
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> list["Timer"]:
    """Timers that go off when the test says so."""
    started: list[Timer] = []
    monkeypatch.setattr(threading, "Timer", lambda *how: Timer(started, *how))
    return started


class Timer(threading.Thread):
    def __init__(self, started: list["Timer"], wait: float, call: Any) -> None:
        super().__init__(target=call)
        self.wait, self.is_cancelled, self._list = wait, False, started

    def start(self) -> None:
        self._list.append(self)

    def cancel(self) -> None:
        self.is_cancelled = True

    def go_off(self) -> None:
        super().start()
        self.join(DEADLINE)


class Stamped(Button):  # type: ignore[misc]
    """A button that keeps what the pin told it."""

    def __init__(self, pin: int, **how: Any) -> None:
        self.told = Heard()
        super().__init__(pin, hold_time=0.01, **how)

    def _pin_changed(self, ticks: int, state: int) -> None:
        self.told(ticks, state)
        super()._pin_changed(ticks, state)


# --- inputs ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("factory")
def test_a_button_between_pin_and_ground(chip: FakeChip) -> None:
    with Button(4) as button:
        assert (button.pull_up, button.is_pressed, button.value) == (True, False, 0)
        chip.press(4)
        assert (button.is_pressed, button.value) == (True, 1)


@pytest.mark.usefixtures("factory")
def test_a_button_between_pin_and_plus(chip: FakeChip) -> None:
    with Button(4, pull_up=False) as button:
        assert (button.pull_up, button.is_pressed) == (False, False)
        chip.contact(4, level=True)
        assert button.is_pressed


@pytest.mark.usefixtures("factory")
@pytest.mark.parametrize("active", [True, False])
def test_a_button_that_is_pulled_outside(chip: FakeChip, active: bool) -> None:
    chip.contact(4, level=not active)
    with Button(4, pull_up=None, active_state=active) as button:
        assert (button.pull_up, button.is_pressed) == (None, False)
        heard = Heard()
        button.when_pressed = heard.hear
        chip.contact(4, level=active)
        assert heard.wait(1) == [button]
        assert button.is_pressed


@pytest.mark.usefixtures("factory")
def test_an_input_takes_its_line_at_once(chip: FakeChip) -> None:
    with InputDevice(4, pull_up=None, active_state=True):
        assert chip.holder(4)
    assert chip.holder(4) is None


@pytest.mark.usefixtures("factory")
def test_a_floating_button_has_to_say_what_is_active() -> None:
    with pytest.raises(PinInvalidState):
        Button(4, pull_up=None)
    with pytest.raises(PinInvalidState):
        Button(4, active_state=True)
    Button(4).close()


@pytest.mark.usefixtures("factory")
def test_pressed_and_released_are_told_once_each(chip: FakeChip) -> None:
    with Button(4) as button:
        heard = Heard()
        button.when_pressed = lambda: heard("pressed")
        button.when_released = lambda: heard("released")
        chip.press(4)
        chip.let_go(4)
        chip.press(4)
        assert heard.wait(3) == ["pressed", "released", "pressed"]
        chip.let_go(4)


@pytest.mark.usefixtures("factory")
def test_held(chip: FakeChip) -> None:
    with Button(4, hold_time=0.01) as button:
        heard = Heard()
        button.when_held = heard.hear
        chip.press(4)
        assert heard.wait(1) == [button]
        assert button.is_held
        assert button.held_time >= 0
        assert button.pressed_time > button.held_time
        chip.let_go(4)
        assert button.wait_for_release(DEADLINE)
        assert not button.is_held


@pytest.mark.usefixtures("factory")
def test_waiting_for_a_press(chip: FakeChip) -> None:
    with Button(4) as button:
        assert not button.wait_for_press(0)
        chip.press(4)
        assert button.wait_for_press(DEADLINE)
        assert not button.wait_for_release(0)


@pytest.mark.usefixtures("factory")
def test_held_at_construction_fires_nothing(chip: FakeChip) -> None:
    chip.press(4)
    with Button(4) as button:
        heard = Heard()
        button.when_pressed = heard.hear
        assert button.is_pressed
        chip.let_go(4)
        assert button.wait_for_release(DEADLINE)
        assert heard.all == []


@pytest.mark.usefixtures("factory")
def test_ticks_are_the_kernels_nanoseconds(chip: FakeChip) -> None:
    with Stamped(4) as button:
        pressed, let_go = chip.press(4), chip.let_go(4)
        assert button.told.wait(2) == [(pressed, 0), (let_go, 1)]
        assert isinstance(pressed, int)


def test_ticks_are_counted_in_seconds(factory: LibgpiodFactory) -> None:
    assert isinstance(factory.ticks(), int)
    assert factory.ticks_diff(5_000_000_001, 2_500_000_001) == 2.5


def test_a_callback_can_ask_whether_the_stamp_is_sure(chip: FakeChip, factory: LibgpiodFactory) -> None:
    with Button(4, hold_time=0.01) as button:
        heard = Heard()
        button.when_pressed = button.when_released = lambda: heard(factory.edge_is_sure)
        chip.press(4)
        assert heard.wait(1) == [True]
        chip.let_go(4, lost=True)
        chip.press(4)
        assert heard.wait(2) == [False, False]
        assert factory.edge_is_sure


@pytest.mark.usefixtures("factory")
def test_nobody_is_told_any_more_when_the_callback_is_taken_away(chip: FakeChip) -> None:
    with Button(4) as button:
        heard = Heard()
        button.when_pressed = heard.hear
        button.when_pressed = None
        with pytest.warns(CallbackSetToNone):
            button.when_pressed = None
        chip.press(4)
        assert button.wait_for_press(DEADLINE)
        assert heard.all == []


@pytest.mark.usefixtures("factory")
def test_a_device_that_was_forgotten_is_told_nothing(chip: FakeChip) -> None:
    heard = Heard()
    device = DigitalInputDevice(4, pull_up=True)
    pin = device.pin
    device.close()
    pin.input_with_pull("up")
    callback = Heard()
    pin.when_changed = callback
    chip.press(4)
    assert len(callback.wait(1)) == 1
    del callback
    chip.let_go(4)
    until(lambda: pin._when_changed is None)
    assert heard.all == []
    pin.close()


def test_a_callback_that_raises_costs_nothing(
    chip: FakeChip, factory: LibgpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised = Heard()
    monkeypatch.setattr(threading, "excepthook", raised)

    def refuse() -> None:
        raise ValueError

    with Button(4) as button, Button(5) as other:
        button.when_pressed = refuse
        heard = Heard()
        other.when_pressed = heard.hear
        with chip.at_once():
            chip.press(4)
            chip.press(5)
        assert heard.wait(1) == [other]
        raised.wait(1)
    assert not factory.lines.is_gone


# --- bounce ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("factory")
def test_with_a_bounce_time_the_first_contact_is_told_at_once(chip: FakeChip, patient: list[Timer]) -> None:
    with Stamped(4, bounce_time=0.02) as button:
        pressed = chip.press(4)
        assert button.told.wait(1) == [(pressed, 0)]
        assert 0 < patient[0].wait <= 0.02


@pytest.mark.usefixtures("factory")
def test_what_comes_until_then_is_not(chip: FakeChip, patient: list[Timer]) -> None:
    with Stamped(4, bounce_time=10) as button:
        with chip.at_once():
            pressed = chip.press(4)
            for _ in range(5):
                chip.let_go(4)
                chip.press(4)
        assert button.told.wait(1) == [(pressed, 0)]
        patient[0].go_off()
        assert button.told.all == []
        assert len(patient) == 1


@pytest.mark.usefixtures("factory")
def test_the_level_in_which_it_comes_to_rest_is_told(chip: FakeChip, patient: list[Timer]) -> None:
    with Stamped(4, bounce_time=10) as button:
        pressed = chip.press(4)
        assert button.told.wait(1) == [(pressed, 0)]
        let_go = chip.let_go(4)
        patient[0].go_off()
        [(told, state)] = button.told.wait(1)
        assert state == 1
        assert told > let_go
        assert not button.is_pressed


@pytest.mark.usefixtures("factory")
def test_behind_the_bounce_time_edges_are_told_again(chip: FakeChip, patient: list[Timer]) -> None:
    with Stamped(4, bounce_time=0.02) as button:
        pressed = chip.press(4)
        button.told.wait(1)
        let_go = chip.let_go(4, at=pressed + 20 * MS)
        assert button.told.wait(1) == [(let_go, 1)]
        patient[0].go_off()  # late, and overtaken
        assert button.told.all == []
        assert patient[0].is_cancelled
        assert not patient[1].is_cancelled


@pytest.mark.usefixtures("factory")
def test_a_timer_that_was_overtaken_tells_nothing(chip: FakeChip, patient: list[Timer]) -> None:
    with Stamped(4, bounce_time=10) as button:
        pressed = chip.press(4)
        let_go = chip.let_go(4, at=pressed + 10_000 * MS)
        assert button.told.wait(2) == [(pressed, 0), (let_go, 1)]
        chip.press(4, at=let_go + 1)  # while shut
        patient[0].go_off()
        assert button.told.all == []
        patient[1].go_off()
        assert [state for _, state in button.told.wait(1)] == [0]


@pytest.mark.usefixtures("factory")
def test_whoever_opens_the_pin_next_is_not_shut_out(chip: FakeChip, patient: list[Timer]) -> None:
    for number in range(2):
        with Stamped(4, bounce_time=10) as button:
            pressed = chip.press(4)
            assert button.told.wait(1) == [(pressed, 0)]
        chip.let_go(4)
        assert patient[number].is_cancelled


@pytest.mark.usefixtures("factory")
def test_closing_stops_the_bounce_time(chip: FakeChip, patient: list[Timer]) -> None:
    button = Stamped(4, bounce_time=0.02)
    chip.press(4)
    button.told.wait(1)
    button.close()
    chip.let_go(4)
    patient[0].go_off()
    assert patient[0].is_cancelled
    assert button.told.all == []


@pytest.mark.usefixtures("factory")
def test_really_waiting_for_the_bounce_time(chip: FakeChip) -> None:
    with Stamped(4, bounce_time=0.01) as button:
        with chip.at_once():
            pressed = chip.press(4)
            chip.let_go(4)
        assert [state for _, state in button.told.wait(2)] == [0, 1]
        assert button.pin.bounce == 0.01
        assert pressed


# --- closing and opening ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("factory")
def test_closed_and_opened_again(chip: FakeChip) -> None:
    for _ in range(3):
        with Button(4) as button:
            heard = Heard()
            button.when_pressed = heard.hear
            chip.press(4)
            assert heard.wait(1) == [button]
            chip.let_go(4)
            assert button.wait_for_release(DEADLINE)
        assert button.closed
        assert chip.holder(4) is None


@pytest.mark.usefixtures("factory")
def test_a_pin_can_change_its_trade(chip: FakeChip) -> None:
    with Button(4, bounce_time=0.5):
        pass
    with LED(4) as led:
        led.on()
        assert chip.wires[4].output
    with PWMLED(4) as led:
        led.value = 0.5
    with Button(4) as button:
        assert button.pull_up
        assert button.pin.bounce is None
        chip.press(4)
        assert button.wait_for_press(DEADLINE)


@pytest.mark.usefixtures("factory")
def test_closing_one_button_silences_no_other(chip: FakeChip) -> None:
    with Button(5) as other:
        heard = Heard()
        other.when_pressed = heard.hear
        Button(4).close()
        chip.press(5)
        assert heard.wait(1) == [other]


@pytest.mark.usefixtures("factory")
def test_lights_leave_the_buttons_alone(chip: FakeChip) -> None:
    with Button(5):
        asked = chip.requests[-1]
        LED(4).close()
        PWMLED(6).close()
        assert chip.holder(5) is asked


@pytest.mark.usefixtures("factory")
def test_a_button_used_after_closing_says_so() -> None:
    button = Button(4)
    button.close()
    button.close()
    with pytest.raises(Exception, match="closed"):
        _ = button.is_pressed


def test_closing_the_factory_closes_everything(chip: FakeChip, factory: LibgpiodFactory) -> None:
    button, led, pwm = Button(4), LED(5), PWMLED(6, initial_value=0.5)
    asked = chip.requested
    factory.close()
    assert chip.holder(4) is chip.holder(5) is chip.holder(6) is None
    assert chip.requested == asked
    assert threading.active_count() <= 3  # this one, and the button's for holding
    factory.close()
    for device in (button, led, pwm):
        device.close()


@pytest.mark.usefixtures("factory")
def test_a_pin_used_twice() -> None:
    with Button(4), pytest.raises(GPIOPinInUse):
        LED(4)


@pytest.mark.usefixtures("factory")
def test_two_programs_that_want_one_line(chip: FakeChip) -> None:
    settings = chips.bindings().LineSettings(direction=chips.bindings().line.Direction.INPUT)
    other = chip.request({4: settings}, 16)
    with pytest.raises(LineTakenError, match=r"^Line 4 of gpiochip0 is held by another program"):
        Button(4)
    with pytest.raises(LineTakenError):
        LED(4)
    other.release()
    LED(4).close()
    Button(4).close()


# --- outputs ---------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("factory")
@pytest.mark.parametrize(("initial", "level"), [(True, True), (False, False), (None, False)])
def test_an_output_begins_with_its_value(chip: FakeChip, initial: bool | None, level: bool) -> None:
    with OutputDevice(4, initial_value=initial) as output:
        assert chip.level(4) is level
        assert output.value == level


@pytest.mark.usefixtures("factory")
@pytest.mark.parametrize("initial", [True, False])
def test_an_output_that_is_active_low(chip: FakeChip, initial: bool) -> None:
    with OutputDevice(4, active_high=False, initial_value=initial) as output:
        assert chip.level(4) is not initial
        assert output.value == initial


@pytest.mark.usefixtures("factory")
def test_an_output_never_has_another_level_first(chip: FakeChip, monkeypatch: pytest.MonkeyPatch) -> None:
    had, put = list[bool](), chip.set

    def and_look(line: int, settings: Any) -> None:
        put(line, settings)
        had.append(chip.level(line))

    monkeypatch.setattr(chip, "set", and_look)
    OutputDevice(4, initial_value=True).close()
    assert had == [True]


@pytest.mark.usefixtures("factory")
def test_a_light(chip: FakeChip) -> None:
    with LED(4) as led:
        for switch, lit in ((led.on, True), (led.off, False), (led.toggle, True), (led.toggle, False)):
            switch()
            assert chip.level(4) is led.is_lit is lit


@pytest.mark.usefixtures("factory")
def test_a_light_that_blinks(chip: FakeChip) -> None:
    with LED(4) as led:
        led.blink(0.001, 0.001)
        until(lambda: chip.level(4))
        until(lambda: not chip.level(4))
        led.blink(0.001, 0.001, n=2, background=False)
        assert not led.is_lit


@pytest.mark.usefixtures("factory")
def test_a_board_of_lights(chip: FakeChip) -> None:
    with LEDBoard(4, 5, red=LEDBoard(6, 7)) as board:
        board.value = (1, 0, (0, 1))
        assert [chip.level(line) for line in (4, 5, 6, 7)] == [True, False, False, True]
        board.red.on()
        assert board.value == (1, 0, (1, 1))
        board.off()
        assert not any(chip.level(line) for line in (4, 5, 6, 7))


@pytest.mark.usefixtures("factory")
def test_a_buzzer(chip: FakeChip) -> None:
    with Buzzer(4) as buzzer:
        buzzer.on()
        assert chip.level(4)
        buzzer.beep(0.001, 0.001, n=1, background=False)
        assert not buzzer.is_active


@pytest.mark.usefixtures("factory")
def test_a_dimmed_light(chip: FakeChip) -> None:
    with PWMLED(4, frequency=500) as led:
        assert (led.value, led.is_lit, led.frequency) == (0, False, 500)
        led.value = 0.5
        for _ in range(3):
            until(lambda: chip.level(4))
            until(lambda: not chip.level(4))
        assert led.value == led.pin.state == 0.5
        led.on()
        assert chip.level(4)
        led.off()
        assert not chip.level(4)
        led.pulse(0.01, 0.01, n=1, background=False)
        led.toggle()
        assert led.value == 1


def test_a_light_fully_on_or_off_needs_no_thread(chip: FakeChip, factory: LibgpiodFactory) -> None:
    with PWMLED(4) as led:
        led.value = 0.3
        assert factory.pulses._thread
        led.value = 1
        until(lambda: factory.pulses._thread is None)
        assert chip.level(4)
        led.value = 0
        assert factory.pulses._thread is None
        assert not chip.level(4)


@pytest.mark.usefixtures("factory")
def test_a_dimmed_light_is_dark_when_it_is_closed(chip: FakeChip) -> None:
    """And stays so: nobody switches it on any more once closing is done."""
    for _ in range(20):
        led = PWMLED(4, frequency=1000, initial_value=0.9)
        until(lambda: chip.level(4))
        wire = chip.holder(4)
        led.close()
        assert wire
        assert wire.is_released
        assert led.closed


@pytest.mark.usefixtures("factory")
def test_two_lights_dimmed_at_their_own_rates(chip: FakeChip) -> None:
    with PWMLED(4, frequency=400, initial_value=0.5), PWMLED(5, frequency=300, initial_value=0.5):
        for line in (4, 5, 4, 5):
            until(lambda line=line: chip.level(line))  # type: ignore[misc]
            until(lambda line=line: not chip.level(line))  # type: ignore[misc]


def test_lights_at_their_duty(factory: LibgpiodFactory) -> None:
    """Over many periods the time lit is what was asked for; a machine that is busy makes it late, not brighter."""
    switched: list[tuple[float, bool]] = []
    factory.pulses.set(lambda on: switched.append((time.monotonic(), on)), 200.0, 0.25)
    until(lambda: len(switched) > 40)
    factory.pulses.close()
    assert [on for _, on in switched] == [number % 2 == 0 for number in range(len(switched))]


# --- pins ------------------------------------------------------------------------------------------------------


def test_a_pin_speaks_of_itself(factory: LibgpiodFactory) -> None:
    pin = factory.pin(4)
    assert pin is factory.pin("GPIO4") is factory.pin("BCM4") is factory.pin("J8:7")
    assert (pin.function, pin.pull, pin.frequency, pin.bounce, pin.edges) == ("input", "floating", None, None, "both")
    assert repr(pin) == "GPIO4"
    assert pin.state in (0, 1)


def test_what_a_pin_refuses(factory: LibgpiodFactory) -> None:
    pin = factory.pin(4)
    pin.function = "input"
    with pytest.raises(PinInvalidFunction):
        pin.function = "spam"
    with pytest.raises(PinInvalidPull):
        pin.pull = "sideways"
    with pytest.raises(PinInvalidEdges):
        pin.edges = "sharp"
    with pytest.raises(PinInvalidBounce):
        pin.bounce = -1
    with pytest.raises(PinSetInput):
        pin.state = 1
    with pytest.raises(PinPWMFixedValue):
        pin.frequency = 100
    pin.function = "output"
    with pytest.raises(PinFixedPull):
        pin.pull = "up"
    with pytest.raises(PinInvalidState):
        pin.state = 2
    assert pin.pull == "floating"


def test_a_pin_that_was_closed_has_forgotten_its_settings(factory: LibgpiodFactory) -> None:
    pin = factory.pin(4)
    pin.input_with_pull("up")
    pin.bounce, pin.edges = 0.1, "rising"
    pin.close()
    assert (pin.pull, pin.bounce, pin.edges) == ("floating", None, "both")


def test_a_chip_with_too_few_lines(kernel: Kernel) -> None:
    kernel.plug("gpiochip1", "gpio-sim.0-node0", 8)
    with LibgpiodFactory("gpiochip1") as factory:
        for device in (LED, Button):
            with pytest.raises(NoLineError, match=r"^There is no line 17 of gpiochip1 that can be used so\.$"):
                device(17, pin_factory=factory)


def test_pins_that_do_not_exist(factory: LibgpiodFactory) -> None:
    for name in (60, "GPIO99", "spam"):
        with pytest.raises(PinInvalidPin):
            factory.pin(name)
    with pytest.raises(PinInvalidPin):
        factory.pin("3V3")


def test_pins_with_a_resistor_on_the_board(factory: LibgpiodFactory) -> None:
    """The two pins of the bus are pulled up, whatever anybody wants."""
    pin = factory.pin(2)
    assert pin.pull == "up"
    with pytest.raises(PinFixedPull):
        pin.pull = "down"
    with pytest.raises(PinFixedPull):
        pin.input_with_pull("down")
    with Button(2) as button:
        assert button.pull_up
    with pytest.raises(PinFixedPull):
        InputDevice(3, pull_up=False)


def test_only_the_edges_that_are_wanted(chip: FakeChip, factory: LibgpiodFactory) -> None:
    pin = factory.pin(4)
    pin.input_with_pull("up")
    for edges, states in (("rising", [1]), ("falling", [0]), ("both", [0, 1])):
        heard = Heard()
        pin.edges = edges
        pin.when_changed = heard
        with chip.at_once():
            chip.press(4)
            chip.let_go(4)
        assert [state for _, state in heard.wait(len(states))] == states
        pin.when_changed = None


def test_an_output_told_its_function_again_keeps_its_level(chip: FakeChip, factory: LibgpiodFactory) -> None:
    pin = factory.pin(4)
    pin.function = "output"
    pin.state = 1
    pin.function = "output"
    assert chip.level(4)
    pin.output_with_state(0)
    assert not chip.level(4)


def test_dimming_can_be_given_up(chip: FakeChip, factory: LibgpiodFactory) -> None:
    pin = factory.pin(4)
    pin.function = "output"
    pin.frequency = 200
    pin.state = 0.5
    assert (pin.frequency, pin.state) == (200, 0.5)
    pin.frequency = 300
    assert (pin.frequency, pin.state) == (300, 0.5)
    pin.frequency = None
    assert (pin.frequency, pin.state) == (None, 0)
    pin.state = 1
    assert chip.level(4)


# --- trouble ---------------------------------------------------------------------------------------------------


def test_a_light_on_a_chip_that_goes_and_comes(
    kernel: Kernel, chip: FakeChip, factory: LibgpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libgpiod, "COME_BACK", 0.0)
    with LED(4) as led, PWMLED(5, initial_value=0.5) as dimmed:
        kernel.unplug(chip)
        with pytest.raises(ChipGoneError, match=r"^Line 4 of gpiochip0 is gone"):
            led.on()
        with pytest.raises(ChipGoneError):
            _ = led.value
        again = kernel.plug("gpiochip2")
        led.on()
        assert again.level(4)
        until(lambda: again.level(5))
        assert dimmed.value == 0.5
    assert not factory.lines.is_gone


def test_a_light_does_not_look_for_its_chip_all_the_time(
    kernel: Kernel, chip: FakeChip, factory: LibgpiodFactory
) -> None:
    with LED(4) as led:
        kernel.unplug(chip)
        kernel.plug("gpiochip7", "no-header")
        opened = kernel.opened
        for _ in range(20):
            with pytest.raises(ChipGoneError):
                led.on()
        assert kernel.opened <= opened + 1
    assert factory.chip.endswith("gpiochip0")


@pytest.mark.usefixtures("factory")
def test_closing_when_the_chip_is_gone(kernel: Kernel, chip: FakeChip) -> None:
    devices = [Button(4), LED(5), PWMLED(6, initial_value=0.5)]
    kernel.unplug(chip)
    for device in devices:
        device.close()


def test_a_button_on_a_chip_that_goes_and_comes(
    kernel: Kernel, chip: FakeChip, notices: Heard, factory: LibgpiodFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hardware.lines.COME_BACK", 0.01)
    with Button(4) as button:
        heard = Heard()
        button.when_pressed = heard.hear
        kernel.unplug(chip)
        notices.wait(1)
        again = kernel.plug()
        notices.wait(1)
        again.press(4)
        assert heard.wait(1) == [button]
    assert not factory.lines.is_gone


def test_no_permission(kernel: Kernel, chip: FakeChip, factory: LibgpiodFactory) -> None:
    chip.permitted = False
    with pytest.raises(NoPermissionError):
        LED(4)
    with pytest.raises(NoPermissionError):
        LibgpiodFactory()
    chip.permitted = True
    LED(4).close()
    assert kernel.chips
    assert factory.chip.endswith("gpiochip0")


def test_a_line_that_fails_in_its_own_way(chip: FakeChip, factory: LibgpiodFactory) -> None:
    chip.refuses[4] = errno.EINVAL
    with pytest.raises(Exception, match=r"^There is no line 4 of gpiochip0 that can be used so"):
        LED(4)
    with pytest.raises(Exception, match=r"^There is no line 4 of gpiochip0 that can be used so"):
        Button(4)
    chip.refuses.clear()
    LED(4).close()
    assert factory.chip.endswith("gpiochip0")


# --- which chip, which factory ---------------------------------------------------------------------------------


def test_the_chip_can_be_named(kernel: Kernel, chip: FakeChip, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel.plug("gpiochip1", "gpio-sim.0-node0", 28)
    with LibgpiodFactory("gpio-sim.0-node0") as factory:
        assert factory.chip == str(kernel.folder / "gpiochip1")
    monkeypatch.setenv("GPIOZERO_LIBGPIOD_CHIP", "gpiochip1")
    with LibgpiodFactory() as factory:
        assert factory.chip == str(kernel.folder / "gpiochip1")
    with pytest.raises(NoChipError):
        LibgpiodFactory("gpiochip9")
    assert chip.requested == 0


@pytest.mark.usefixtures("chip")
def test_where_there_is_no_pi_there_is_a_header_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pi() -> int:
        raise PinUnknownPi

    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", no_pi)
    with LibgpiodFactory() as factory:
        assert factory.board_info.model == "4B"
        assert factory.pin(17).info.name == "GPIO17"


def test_importing_it_warns_of_nothing() -> None:
    code = "import hardware.libgpiod, hardware.lines, hardware.pwm"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, cwd=PROJECT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


FOUND = """
import gpiozero, hardware.chips, hardware.line_request
from tests.hardware.fake_gpiod import Kernel
from pathlib import Path
import sys
kernel = Kernel(Path(sys.argv[1]))
kernel.plug().press(4)
hardware.chips.DEVICES, hardware.chips.bindings = kernel.folder, lambda: kernel
hardware.line_request.levels_of = kernel.levels_of
button = gpiozero.Button(4)
print(type(gpiozero.Device.pin_factory).__module__, button.is_pressed)
"""


def test_gpiozero_finds_it_by_its_name_and_lets_go_at_the_end(tmp_path: Path) -> None:
    if "libgpiod" not in {point.name for point in entry_points(group="gpiozero_pin_factories")}:
        info = tmp_path / "site" / "table_companion-0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: table-companion\nVersion: 0\n")
        (info / "entry_points.txt").write_text(
            "[gpiozero_pin_factories]\nlibgpiod = hardware.libgpiod:LibgpiodFactory\n"
        )
    environment = os.environ | {
        "GPIOZERO_PIN_FACTORY": "libgpiod",
        "PYTHONPATH": os.pathsep.join([str(PROJECT), str(tmp_path / "site")]),
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", FOUND, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        check=False,
        timeout=60,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("hardware.libgpiod True\n", "", 0)
    assert [path.name for path in tmp_path.iterdir()] in (["gpiochip0"], ["site", "gpiochip0"], ["gpiochip0", "site"])


def test_the_entry_point_is_in_the_projects_file() -> None:
    assert 'libgpiod = "hardware.libgpiod:LibgpiodFactory"' in (PROJECT / "pyproject.toml").read_text(encoding="utf-8")


def test_no_warning_while_a_light_is_lit(chip: FakeChip, factory: LibgpiodFactory) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with LED(4) as led, Button(5, hold_time=0.01) as button:
            led.source = button
            chip.press(5)
            until(lambda: chip.level(4))
    assert factory.pins

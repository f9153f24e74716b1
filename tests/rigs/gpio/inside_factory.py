"""Inside the guest: gpiozero's devices on our pin factory and on a real chip: what anybody expects of a factory."""

import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpiozero import LED, PWMLED, Button, Device, GPIOPinInUse, LEDBoard

from hardware.libgpiod import LibgpiodFactory
from hardware.panel import Press
from hardware.real import RealPanel
from hardware.wiring import Seat, Wiring
from tests.rigs.gpio import guest
from tests.rigs.gpio.guest import PRESSED, RELEASED, Change

BUTTON, OTHER, LIGHT = 4, 5, 9
MS = 1_000_000
PATIENCE = 20.0  # seconds for what has to come
STRAY = 0.3  # seconds for what must not come


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.005)


class Told(list[Any]):
    """What callbacks were given. gpiozero would call list.append itself with nothing."""

    def hear(self, device: object) -> None:
        self.append(device)

    def wait(self, count: int = 1) -> "Told":
        until(lambda: len(self) >= count, f"{count} callbacks, there were {self}")
        return self


def press(line: int = BUTTON) -> None:
    guest.line_pull(line, PRESSED)


def let_go(line: int = BUTTON) -> None:
    guest.line_pull(line, RELEASED)


class Stamped(Button):  # type: ignore[misc]
    """A button that keeps what the pin told it, and whether the stamp was sure."""

    def __init__(self, pin: int, **how: Any) -> None:
        self.told: list[tuple[int, int, bool]] = []
        super().__init__(pin, **how)

    def _pin_changed(self, ticks: int, state: int) -> None:
        self.told.append((ticks, state, self.pin_factory.edge_is_sure))
        super()._pin_changed(ticks, state)


# --- inputs ----------------------------------------------------------------------------------------------------


def pulled_up() -> None:
    with Button(BUTTON) as button:
        assert guest.line_level(BUTTON) == 1
        assert (button.pull_up, button.is_pressed, button.value) == (True, False, 0)
        press()
        assert (button.is_pressed, button.value) == (True, 1)
        let_go()
        assert not button.is_pressed


def pulled_down() -> None:
    with Button(BUTTON, pull_up=False) as button:
        assert guest.line_level(BUTTON) == 0
        assert (button.pull_up, button.is_pressed) == (False, False)
        guest.line_pull(BUTTON, 1)
        assert button.is_pressed


def floating() -> None:
    for active in (True, False):
        guest.line_pull(BUTTON, not active)
        with Button(BUTTON, pull_up=None, active_state=active) as button:
            told = Told()
            button.when_pressed = told.hear
            assert (button.pull_up, button.is_pressed) == (None, False)
            guest.line_pull(BUTTON, active)
            assert button.is_pressed
            assert told.wait() == [button]


def pressed_and_released() -> None:
    with Button(BUTTON) as button:
        told = Told()
        button.when_pressed = lambda: told.hear("pressed")
        button.when_released = lambda: told.hear("released")
        wanted = ["pressed", "released", "pressed", "released"]
        for number, change in enumerate((press, let_go, press, let_go), 1):
            change()
            told.wait(number)
        assert told == wanted


def held() -> None:
    with Button(BUTTON, hold_time=0.05) as button:
        told = Told()
        button.when_held = told.hear
        press()
        assert told.wait() == [button]
        assert button.is_held
        assert button.pressed_time > button.held_time
        let_go()
        assert button.wait_for_release(PATIENCE)
        until(lambda: not button.is_held, "its end")


def held_from_the_start() -> None:
    guest.ground(BUTTON)
    try:
        with Button(BUTTON) as button:
            told = Told()
            button.when_pressed = told.hear
            assert button.is_pressed
            guest.ground()
            let_go()
            assert button.wait_for_release(PATIENCE)
            assert not told
    finally:
        guest.ground()


def two_buttons() -> None:
    with Button(BUTTON) as first, Button(OTHER) as second:
        told = Told()
        first.when_pressed = second.when_pressed = told.hear
        press(OTHER)
        told.wait(1)
        press(BUTTON)
        assert told.wait(2) == [second, first]
        assert first.is_pressed
        assert second.is_pressed


def ticks_are_the_kernels() -> None:
    with Stamped(BUTTON) as button:
        played = guest.play(guest.presses(10, [BUTTON], hold_ns=30 * MS, every_ns=60 * MS))
        until(lambda: len(button.told) >= len(played), "the edges")
        sure = [(ticks, state) for ticks, state, is_sure in button.told if is_sure]
        assert len(sure) >= len(played) // 2, f"only {len(sure)} stamps are sure"
        for ticks, state in sure:
            assert any(p.before_ns <= ticks <= p.after_ns and p.level == state for p in played), f"{ticks}: {played}"


def bounce_time() -> None:
    chatter = [Change(step * 2 * MS, BUTTON, step % 2) for step in range(11)]
    with Stamped(BUTTON, bounce_time=0.5) as button:
        [first, *_] = guest.play(chatter)
        until(lambda: button.told, "the first contact")
        time.sleep(0.5 + STRAY)
        [(ticks, state, is_sure)] = button.told
        assert state == PRESSED
        assert not is_sure or first.before_ns <= ticks <= first.after_ns, "it is not the first contact's time"
        let_go()
        until(lambda: len(button.told) == 2, "the release")
        assert button.told[1][1] == RELEASED


# --- closing, failing ------------------------------------------------------------------------------------------


def closed_and_opened_again() -> None:
    for _ in range(3):
        with Button(BUTTON) as button:
            told = Told()
            button.when_pressed = told.hear
            press()
            assert told.wait() == [button]
            let_go()
            assert button.wait_for_release(PATIENCE)
        assert button.closed
    with LED(BUTTON) as led:  # and the line in another trade
        led.on()
        assert guest.line_level(BUTTON) == 1


def closing_silences_no_other() -> None:
    with Button(OTHER) as other:
        told = Told()
        other.when_pressed = told.hear
        for opened in (Button, LED, PWMLED):
            opened(BUTTON).close()
        press(OTHER)
        assert told.wait() == [other]


def a_callback_that_raises() -> None:
    raised: list[str] = []
    hook, threading.excepthook = threading.excepthook, lambda args: raised.append(args.exc_type.__name__)
    try:
        with Button(BUTTON) as button:
            told = Told()

            def refuse() -> None:
                told.hear(button)
                raise ZeroDivisionError

            button.when_pressed = refuse
            for number in (1, 2):
                press()
                told.wait(number)
                let_go()
                assert button.wait_for_release(PATIENCE)
            until(lambda: raised == ["ZeroDivisionError"] * 2, "two reports of the fault")
    finally:
        threading.excepthook = hook


def one_pin_twice() -> None:
    with Button(BUTTON):
        try:
            LED(BUTTON)
        except GPIOPinInUse:
            return
        raise AssertionError("a pin was used twice")


# --- outputs ---------------------------------------------------------------------------------------------------


def a_light() -> None:
    with LED(LIGHT) as led:
        assert (led.value, guest.line_level(LIGHT)) == (0, 0)
        for change, level in ((led.on, 1), (led.off, 0), (led.toggle, 1), (led.toggle, 0)):
            change()
            assert (led.value, guest.line_level(LIGHT)) == (level, level)


def first_value() -> None:
    for value in (True, False):
        with LED(LIGHT, initial_value=value) as led:
            assert (led.is_lit, guest.line_level(LIGHT)) == (value, value)
        with LED(LIGHT, initial_value=value, active_high=False) as led:
            assert (led.is_lit, guest.line_level(LIGHT)) == (value, not value)


def a_dimmed_light() -> None:
    with PWMLED(LIGHT) as led:
        led.value = 0.5
        assert led.value == 0.5
        for level in (1, 0, 1):
            until(lambda level=level: guest.line_level(LIGHT) == level, f"{level}, by turns")  # type: ignore[misc]
        for value in (1, 0):
            led.value = value
            assert led.value == value
            assert {guest.line_level(LIGHT) for _ in range(100)} == {value}


def a_board_of_lights() -> None:
    lines = (9, 10, 11)
    with LEDBoard(*lines) as board:
        for value in ((1, 1, 1), (1, 0, 1), (0, 1, 0), (0, 0, 0)):
            board.value = value
            assert tuple(board.value) == value
            assert tuple(map(guest.line_level, lines)) == value
        board.on()
        board[1].off()
        assert tuple(map(guest.line_level, lines)) == (1, 0, 1)


# --- other processes -------------------------------------------------------------------------------------------

WANTS = """
import sys
from gpiozero import LED, Button
from hardware.pin_errors import LineTakenError
for device in (Button, LED):
    try:
        device(int(sys.argv[1]))
    except LineTakenError as error:
        print(error)
"""
LISTENS = """
import sys
from gpiozero import Button, Device
with Button(int(sys.argv[1])) as button:
    print(type(Device.pin_factory).__module__, flush=True)
    button.wait_for_press(20)
    print(button.is_pressed)
"""


@contextmanager
def program(text: str, folder: str = "/tmp") -> Iterator[subprocess.Popen[str]]:
    """A program of somebody who chose our factory by its name."""
    how = os.environ | {"GPIOZERO_PIN_FACTORY": "libgpiod"}
    command = [sys.executable, "-W", "error", "-c", text, str(BUTTON)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=folder, env=how, text=True, stdout=pipe, stderr=subprocess.STDOUT) as running:
        yield running


def two_processes() -> None:
    with Button(BUTTON) as button:
        with program(WANTS) as other:
            said, _ = other.communicate(timeout=60)
        wanted = (
            f"Line {BUTTON} of {guest.chip().name} is held by another program or by the kernel: close it, or use "
            "another pin.\n"
        )
        assert said == wanted * 2, said
        press()
        assert button.wait_for_press(PATIENCE)
    with program(LISTENS) as other:  # the line is free now
        assert other.stdout
        assert other.stdout.readline() == "hardware.libgpiod\n"
        press()
        assert other.communicate(timeout=60)[0] == "True\n"


def by_its_name() -> None:
    """The entry point; and it leaves no file where the program was started."""
    with tempfile.TemporaryDirectory() as folder, program(LISTENS, folder) as other:
        assert other.stdout
        said = other.stdout.readline()
        press()
        rest, _ = other.communicate(timeout=60)
        assert (said, rest, other.returncode) == ("hardware.libgpiod\n", "True\n", 0), said + rest
        assert not list(Path(folder).iterdir())


def lgpio_as_second_choice() -> None:
    lines = (BUTTON, OTHER)
    wiring = Wiring(driver="lgpio", chip=guest.chip().name, seats=tuple(Seat(button=line) for line in lines))
    panel = RealPanel(wiring)
    try:
        played = guest.play(guest.presses(4, list(lines), hold_ns=30 * MS, every_ns=60 * MS))
        heard: list[Press] = []
        end = time.monotonic() + PATIENCE
        while len(heard) < len(played) and time.monotonic() < end:
            panel.inbox.wait(1)
            heard += panel.inbox.take()
        down = [press for press in heard if press.is_down]
        assert [press.key.seat for press in down] == [0, 1, 0, 1]
        for press, edge in zip(down, played[::2], strict=True):
            assert edge.before_ns - 1000 <= press.at <= edge.after_ns + 1000, "lgpio's stamp is another time"
        assert not any(panel.levels().values())
    finally:
        panel.close()


CHECKS = (
    pulled_up, pulled_down, floating, pressed_and_released, held, held_from_the_start, two_buttons,
    ticks_are_the_kernels, bounce_time, closed_and_opened_again, closing_silences_no_other, a_callback_that_raises,
    one_pin_twice, a_light, first_value, a_dimmed_light, a_board_of_lights,
)  # fmt: skip
ALONE = (by_its_name, lgpio_as_second_choice)  # where our own factory would be in the way


def is_good(check: Callable[[], None]) -> bool:
    name = check.__name__.replace("_", " ")
    try:
        check()
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        guest.tell(say=f"BAD: {name}: {type(error).__name__}: {error} ({at.line})", failed=traceback.format_exc())
        return False
    guest.say(f"ok: {name}")
    return True


def main() -> int:
    Device.pin_factory = LibgpiodFactory()
    good = [is_good(check) for check in (*CHECKS, two_processes)]
    Device.pin_factory.close()
    Device.pin_factory = None
    good += [is_good(check) for check in ALONE]
    guest.say(f"{sum(good)} of {len(good)} behaviours of a pin factory")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

"""Inside the guest: ways of noticing presses, each in a process of its own, as programs at a table would.

`python3 -m tests.rigs.gpio.readers KIND` says `ready`, notes presses until its input ends, and says what it noted: in
its own order, the line, when it noticed, and the kernel's stamp where it has one. Ours says photo finishes too.
"""

import json
import resource
import select
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.rigs.gpio import guest

LINES = (4, 5, 6, 7)
Notes = list[tuple[int, int, int | None]]


def input_ended(seconds: float = 0) -> bool:
    """The parent closes the input when it is done playing."""
    ready, _, _ = select.select([sys.stdin], [], [], seconds)
    return bool(ready) and not sys.stdin.readline()


def used_so_far() -> float:
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


used_for_starting = 0.0


def ready() -> None:
    """Say so. What is used from now on is what noticing costs."""
    global used_for_starting  # noqa: PLW0603
    print("ready", flush=True)
    used_for_starting = used_so_far()


def wait_for_end(notes: Notes) -> dict[str, Any]:
    del notes
    while not input_ended(0.5):
        pass
    time.sleep(0.3)
    return {}


def our_panel(settings: Any = None) -> Any:
    from hardware.contact import Settings
    from hardware.real import RealPanel
    from hardware.wiring import Seat, Wiring

    wiring = Wiring(seats=tuple(Seat(button=line) for line in LINES), settings=settings or Settings())
    return RealPanel(wiring)


def listening(panel: Any, wakes: int | None = None) -> bool:
    """Wait for presses on our panel, or until something is due; False when the input ends."""
    seconds = 5.0 if wakes is None else min(5.0, max(0, wakes - time.monotonic_ns()) / 1e9)
    if panel.inbox.nap is not None:
        seconds = min(seconds, panel.inbox.nap)
    ready, _, _ = select.select([panel.inbox, sys.stdin], [], [], seconds)
    return sys.stdin not in ready or bool(sys.stdin.readline())


def noted(panel: Any, notes: Notes) -> Iterator[Any]:
    """The presses that are there, the way down noted."""
    for press in panel.inbox.take():
        if press.is_down:
            notes.append((LINES[press.key.seat or 0], time.monotonic_ns(), press.at))
        yield press


def our_presses(notes: Notes) -> dict[str, Any]:
    """The panel on real pins, up to the door of the arbiter."""
    panel = our_panel()
    ready()
    while listening(panel):
        for _ in noted(panel, notes):
            pass
    panel.close()
    return {}


def take_down(finishes: list[dict[str, Any]], answers: list[Any]) -> None:
    """Photo finishes as they are told, and put right where a stamp came late."""
    from hardware.answers import Amended, Settled

    for answer in answers:
        if isinstance(answer, Settled):
            finishes.append(plain(answer.finish))
        elif isinstance(answer, Amended):
            finishes[finishes.index(plain(answer.stood))] = plain(answer.finish)


def plain(finish: Any) -> dict[str, Any]:
    order = [[int(one.seat), one.how.value, one.at] for one in finish.order]
    return {"order": order, "tied": list(map(int, finish.tied))}


def ours(notes: Notes) -> dict[str, Any]:
    """The panel on real pins, the token, the arbiter: as the table runs it, but with no margin for ties."""
    from hardware.contact import Settings
    from hardware.token import Token

    panel = our_panel(Settings(margin=0))
    token = Token(panel, tuple(map(str, LINES)))
    finishes: list[dict[str, Any]] = []
    armed: list[int] = []

    def arm() -> None:
        token.arm(time.monotonic_ns())
        armed.append(time.monotonic_ns())

    arm()
    ready()
    while listening(panel, token.wakes_at):
        for press in noted(panel, notes):
            take_down(finishes, token.heard(press))
        take_down(finishes, token.time_is(time.monotonic_ns()))
        if not token.is_armed and not any(panel.levels().values()):
            arm()
    panel.close()
    return {"finishes": finishes, "armed": armed}


def gpiozero_on_lgpio(
    notes: Notes, bounce: float | None = None, then: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Four Buttons and their when_pressed, decided by whose callback runs first."""
    from gpiozero import Button
    from gpiozero.pins.lgpio import LGPIOFactory

    factory = LGPIOFactory(chip=int(guest.chip().name.removeprefix("gpiochip")))
    stamps: dict[int, float] = {}

    class Stamped(Button):  # type: ignore[misc]
        def _pin_changed(self, ticks: float, state: int) -> None:
            stamps[self.pin._number] = ticks
            super()._pin_changed(ticks, state)

    def pressed(button: Any) -> None:
        line = button.pin._number
        notes.append((line, time.monotonic_ns(), round(stamps[line] * 1e9)))
        if then:
            then(line)

    buttons = [Stamped(line, pull_up=True, bounce_time=bounce, pin_factory=factory) for line in LINES]
    for button in buttons:
        button.when_pressed = pressed
    ready()
    return wait_for_end(notes)


def lgpio_callbacks(notes: Notes) -> dict[str, Any]:
    import lgpio

    handle = lgpio.gpiochip_open(int(guest.chip().name.removeprefix("gpiochip")))
    for line in LINES:
        lgpio.gpio_claim_alert(handle, line, lgpio.FALLING_EDGE, lgpio.SET_PULL_UP)
    kept = [
        lgpio.callback(
            handle,
            line,
            lgpio.FALLING_EDGE,
            lambda _chip, line, _level, tick: notes.append((line, time.monotonic_ns(), tick)),
        )
        for line in LINES
    ]
    ready()
    found = wait_for_end(notes)
    del kept
    return found


def polling_at_60_hertz(notes: Notes) -> dict[str, Any]:
    """A game loop that looks at every button once a frame."""
    import gpiod
    from gpiod.line import Bias, Direction, Value

    settings = gpiod.LineSettings(direction=Direction.INPUT, bias=Bias.PULL_UP)
    with gpiod.request_lines(str(guest.chip().path), consumer="rig", config={LINES: settings}) as request:
        ready()
        down = dict.fromkeys(LINES, False)
        due = time.monotonic()
        while not input_ended():
            values = request.get_values(list(LINES))
            for line, value in zip(LINES, values, strict=True):
                is_down = value is Value.INACTIVE
                if is_down and not down[line]:
                    notes.append((line, time.monotonic_ns(), None))
                down[line] = is_down
            due += 1 / 60
            time.sleep(max(0, due - time.monotonic()))
    return {}


def pygame_events(notes: Notes) -> dict[str, Any]:
    """gpiozero's callbacks post events, and a loop of 60 frames a second takes them in the order of the queue."""
    import os

    os.environ["SDL_VIDEODRIVER"] = "dummy"
    import pygame

    pygame.display.init()
    pygame.display.set_mode((64, 64))
    unordered: Notes = []
    helper = threading.Thread(
        target=gpiozero_on_lgpio,
        daemon=True,
        args=(unordered, None, lambda line: pygame.event.post(pygame.event.Event(pygame.USEREVENT, line=line))),
    )
    helper.start()
    clock = pygame.time.Clock()
    while helper.is_alive():
        for event in pygame.event.get():
            if event.type == pygame.USEREVENT:
                notes.append((event.line, time.monotonic_ns(), None))
        clock.tick(60)
    return {}


KINDS: dict[str, Callable[[Notes], dict[str, Any]]] = {
    "ours": ours,
    "our-presses": our_presses,
    "gpiozero": gpiozero_on_lgpio,
    "gpiozero-bounce": lambda notes: gpiozero_on_lgpio(notes, 0.02),
    "lgpio": lgpio_callbacks,
    "polling": polling_at_60_hertz,
    "pygame": pygame_events,
}


def main(kind: str) -> int:
    notes: Notes = []
    found = KINDS[kind](notes)
    used = used_so_far() - used_for_starting
    print(json.dumps({"notes": notes, "cpu": used, **found}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

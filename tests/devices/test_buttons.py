"""Buttons that are missing at the start, vanish and come back: tried again, and the match goes on all the while."""

import errno
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.requests import MoveMessage
from companion.devices.buttons import HANGS, OPENS_WITHIN, TOUCH, UNREAD, Buttons
from companion.devices.device import PAUSES, Part, Patience
from companion.games import game
from companion.games.three import rules as three
from companion.inputs.presses import Meant, Presses
from hardware.panel import Key, Light, Press, PressQueue
from hardware.pin_errors import ChipGoneError, NoChipError, NotWiredError, PinsError, WiringError
from hardware.simulated import NOTICE
from hardware.wiring import Seat, Wiring

WIRING = Wiring(seats=(Seat(17, 18), Seat(27, 23)))
STRIKE = Key("strike", 0)


class Heard(PressQueue):
    """What may be read, unless the driver fails."""

    trouble: Exception | None = None
    naps: float | None = None
    taken = 0

    def take(self) -> list[Press]:
        if self.trouble:
            raise self.trouble
        found = super().take()
        self.taken += len(found)
        return found

    @property
    def nap(self) -> float | None:
        return self.naps


@dataclass
class Pins:
    """A panel on pins as far as a table sees it."""

    wiring: Wiring
    inbox: Heard = field(default_factory=Heard)
    is_gone: bool = False
    is_read: bool = True
    is_closed: bool = False
    shown: dict[Key, Light] = field(default_factory=dict)
    status_light: Light = Light.OFF
    buzzed: list[float] = field(default_factory=list)
    troubles: dict[str, Exception] = field(default_factory=dict)  # by what is asked of the driver

    def fails(self, what: str, trouble: Exception) -> None:
        self.troubles[what] = trouble
        if what == "take":
            self.inbox.trouble = trouble

    def _do(self, what: str) -> None:
        if what in self.troubles:
            raise self.troubles[what]

    def levels(self) -> dict[Key, bool]:
        self._do("levels")
        return {STRIKE: False}

    def show(self, key: Key, light: Light) -> None:
        self._do("show")
        self.shown[key] = light

    def status(self, light: Light) -> None:
        self._do("status")
        self.status_light = light

    def buzz(self, seconds: float) -> None:
        self._do("buzz")
        self.buzzed.append(seconds)

    def close(self) -> None:
        self.is_closed = True
        self.inbox.close()
        self._do("close")


class Bench:
    """Buttons whose driver can be told what to do."""

    def __init__(self, wiring: Wiring = WIRING) -> None:
        self.wiring = wiring
        self.wrong: Exception | None = None  # with the wiring
        self.trouble: Exception | None = None  # with the pins
        self.said: list[str] = []
        self.tries = 0
        self.waiting: list[Callable[[], None]] = []
        self.at_once = True
        self.pins: Pins | None = None
        self.now = 0
        self.make()

    def make(self) -> None:
        self.buttons = Buttons(self.read, self.open, self.said.append, self.run)

    def read(self) -> Wiring:
        if self.wrong:
            raise self.wrong
        return self.wiring

    def open(self, wiring: Wiring, _say: Callable[[str], None]) -> Pins:
        self.tries += 1
        if self.trouble:
            raise self.trouble
        self.pins = Pins(wiring)
        return self.pins

    def run(self, work: Callable[[], None]) -> None:
        if self.at_once:
            work()
        else:
            self.waiting.append(work)

    def wait(self, seconds: float) -> None:
        until = self.now + round(seconds * SECOND)
        while self.now < until:
            self.now += SECOND // 4
            self.buttons.attend(self.now)

    @property
    def part(self) -> Part:
        return self.buttons.part


def test_they_are_opened_behind_everybodys_back() -> None:
    bench = Bench()
    assert bench.buttons.is_wired
    assert (bench.part.state, bench.tries) == ("starting", 0)
    bench.wait(1)
    assert (bench.part.state, bench.tries, bench.said) == ("working", 1, [])
    assert bench.pins is not None
    bench.buttons.close()
    assert bench.pins.is_closed


def test_missing_at_the_start_they_are_tried_again_ever_later_and_it_is_said_once() -> None:
    bench = Bench()
    bench.trouble = NoChipError("There is no GPIO chip of a Raspberry Pi's header here.")
    bench.wait(600)
    assert bench.said == [str(bench.trouble)]
    assert bench.part == Part("buttons", "gone", "The buttons cannot be used.", TOUCH, str(bench.trouble))
    assert 10 < bench.tries < 20
    bench.trouble = None
    bench.wait(PAUSES[-1] // SECOND + 1)
    assert bench.part.state == "working"
    assert bench.said[1:] == ["The buttons work again."]


def test_a_match_sits_down_before_the_buttons_are_there_and_its_lights_are_lit_when_they_come() -> None:
    bench = Bench()
    bench.trouble = NoChipError("It is gone.")
    bench.wait(1)
    match = Match(set_up(game("three"), ("Anna", "Ben"), three.House()))
    match.make(three.Begin("Anna", at=0))
    match.make(three.Play("Anna", three.DOGS[0].name, at=0))
    presses = Presses(bench.buttons, match)
    presses.arm(bench.now)
    assert presses.attend(bench.now) == []
    before = presses.fileno()
    bench.trouble = None
    bench.wait(60)
    assert bench.pins is not None
    assert bench.pins.shown, "what was to be shown while they were away"
    assert presses.fileno() != before, "and whoever listens, listens to them"
    bench.pins.inbox.put(Press(STRIKE, bench.now, is_down=True))
    presses.attend(bench.now)
    assert presses.attend(bench.now + SECOND), "a press counts in the match that runs"


def test_a_chip_that_vanishes_is_gone_and_comes_back_by_itself() -> None:
    bench = Bench()
    bench.wait(1)
    assert bench.pins is not None
    bench.pins.is_gone = True
    assert bench.part.is_missed
    assert bench.buttons.hangs(bench.now) == "", "that is no reason to end"
    bench.pins.is_gone = False
    assert bench.part.state == "working"
    assert bench.tries == 1


def in_play(bench: Bench) -> tuple[Match, Presses]:
    match = Match(set_up(game("three"), ("Anna", "Ben"), three.House()))
    match.make(three.Begin("Anna", at=0))
    return match, Presses(bench.buttons, match)


def goes_on(bench: Bench, match: Match, presses: Presses) -> None:
    """Somebody strikes, the light changes, the table buzzes, and time is looked at, as in a match."""
    assert bench.pins
    presses.arm(bench.now)
    bench.pins.inbox.put(Press(STRIKE, bench.now, is_down=True))
    for _ in range(3):
        bench.now += presses.window
        for meant in presses.attend(bench.now):
            message = meant.message() if isinstance(meant, Meant) else meant
            if isinstance(message, MoveMessage):
                match.make(replace(message.move, at=match.now))
        presses.arm(bench.now)


@pytest.mark.parametrize("trouble", [OSError(errno.ENOMEM, "no memory"), PinsError("Line 4: odd."), RuntimeError("-1")])
@pytest.mark.parametrize("what", ["levels", "show", "status", "buzz", "take"])
def test_whatever_a_driver_raises_in_a_match_it_is_opened_again_and_the_match_goes_on(
    what: str, trouble: Exception
) -> None:
    bench = Bench()
    bench.wait(20)
    match, presses = in_play(bench)
    presses.arm(bench.now)
    spent = bench.pins
    assert spent is not None
    spent.fails(what, trouble)
    spent.fails("close", trouble)
    goes_on(bench, match, presses)
    assert bench.part == Part("buttons", "gone", "The buttons cannot be used.", TOUCH, bench.said[0])
    assert bench.said == [f"The buttons fail ({type(trouble).__name__}: {trouble})."]
    assert presses.attend(bench.now) == []
    bench.wait(2)
    assert (bench.part.state, bench.tries, spent.is_closed) == ("working", 2, True)
    assert bench.said[1:] == ["The buttons work again."]
    while len(match.line) > 1:
        match.undo()
    goes_on(bench, match, presses)
    assert bench.pins is not None
    assert bench.pins.shown[STRIKE] is Light.WON
    assert match.state.phase == "struck"


def test_a_chip_that_is_away_for_a_moment_is_waited_for_and_not_opened_anew() -> None:
    bench = Bench()
    bench.wait(1)
    assert bench.pins is not None
    bench.pins.fails("levels", ChipGoneError("gpiochip0 is gone."))
    assert bench.buttons.levels() == {}
    bench.wait(5)
    assert (bench.part.state, bench.tries, bench.said) == ("working", 1, [])


def test_a_driver_that_fails_again_and_again_is_tried_ever_later() -> None:
    bench = Bench()
    for _ in range(240):
        bench.wait(1)
        if bench.pins:
            bench.pins.fails("status", OSError(errno.ENOMEM, "no memory"))
        bench.buttons.status(Light.ARMED)
    assert 5 < bench.tries < 12
    bench.wait(120)
    bench.buttons.status(Light.OFF)
    bench.wait(2)
    assert bench.part.state == "working", "and soon, when they have worked for a while"


def test_nobody_who_reads_starves_the_watchdog_after_a_while() -> None:
    bench = Bench()
    bench.wait(1)
    assert bench.pins is not None
    bench.pins.is_read = False
    assert bench.buttons.hangs(bench.now) == ""
    assert bench.buttons.hangs(bench.now + 6 * SECOND) == UNREAD
    bench.pins.is_read = True
    assert bench.buttons.hangs(bench.now + 7 * SECOND) == ""


def test_a_driver_that_hangs_keeps_nobody_waiting_and_starves_the_watchdog() -> None:
    bench = Bench()
    bench.at_once = False
    bench.wait(30)
    assert (len(bench.waiting), bench.part.state) == (1, "starting")
    assert bench.buttons.hangs(bench.now) == ""
    assert bench.buttons.hangs(bench.now + OPENS_WITHIN) == HANGS
    bench.waiting.pop()()
    bench.wait(1)
    assert (bench.part.state, bench.buttons.hangs(bench.now)) == ("working", "")


def test_what_is_opened_too_late_is_closed_again() -> None:
    bench = Bench()
    bench.at_once = False
    bench.wait(1)
    bench.buttons.close()
    bench.waiting.pop()()
    assert bench.pins is not None
    assert bench.pins.is_closed


def test_whatever_a_driver_raises_the_table_goes_on() -> None:
    bench = Bench()
    bench.trouble = RuntimeError("boom")
    bench.wait(1)
    assert bench.said == ["The buttons cannot be opened (RuntimeError: boom)."]


def test_a_table_without_buttons_misses_none() -> None:
    bench = Bench()
    bench.wrong = NotWiredError("There is no table.toml.")
    bench.said.clear()
    bench.make()
    assert not bench.buttons.is_wired
    bench.wait(300)
    assert (bench.part.state, bench.part.is_missed, bench.tries) == ("absent", False, 0)
    assert bench.said == ["There is no table.toml."]


def test_a_wiring_that_is_mended_counts_with_the_next_try() -> None:
    bench = Bench()
    bench.wrong = WiringError("table.toml, line 3: GPIO77.")
    bench.make()
    bench.wait(5)
    assert (bench.part.state, bench.part.is_missed, bench.buttons.is_wired) == ("gone", True, False)
    bench.wrong = None
    bench.wait(60)
    assert (bench.part.state, bench.buttons.is_wired) == ("working", True)


def test_simulated_ones_say_so() -> None:
    bench = Bench(Wiring(driver="simulated", seats=WIRING.seats))
    bench.wait(1)
    assert bench.said == [NOTICE]
    assert bench.part == Part("buttons", "working", "The buttons are simulated: no pins are used.")


def test_patience() -> None:
    patience = Patience((1, 2))
    assert patience.at == 0
    found = []
    for _ in range(4):
        patience.failed(100)
        found.append(patience.at - 100)
    assert found == [1, 2, 2, 2]
    patience.worked()
    patience.failed(100)
    assert patience.at == 101

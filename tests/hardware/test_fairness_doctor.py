"""How far apart two lines stamp one contact, measured with a joined button, in travelled time."""

import random
from collections.abc import Callable

from hardware.contact import MICROSECOND, MILLISECOND
from hardware.fairness_doctor import ENOUGH, FINEST, HANDS_OFF, PATIENCE, PRESSES, Fairness, measure
from hardware.panel import Key
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.wiring import Seat, Wiring

WIRING = Wiring(seats=(Seat(button=17), Seat(button=27), Seat(button=22)))
ONE, TWO, THREE = (Key("strike", seat) for seat in range(3))
START = 5_000 * MILLISECOND

Pressing = Callable[[int, int], list[SimulatedContact]]  # the number of a press, and when it begins


class Joined:
    """One button on two lines, and a table with a clock of its own."""

    def __init__(self, pressing: Pressing, noise: list[SimulatedContact] | None = None, presses: int = PRESSES) -> None:
        self.now = START
        self.panel = SimulatedPanel(WIRING, lambda: self.now)
        self.said: list[str] = []
        self._pressing, self._presses = pressing, presses
        self._due = list(noise or [])

    def measured(self, *, has_cables: bool = True) -> Fairness:
        try:
            return measure(self.panel, (ONE, TWO), self._say, self._wait, lambda: self.now, has_cables=has_cables)
        finally:
            self.panel.close()

    def _say(self, sentence: str) -> None:
        self.said.append(sentence)
        if sentence.startswith("Now press"):
            begins = self.now + 500 * MILLISECOND
            for number in range(self._presses):
                self._due += self._pressing(number, begins + number * 400 * MILLISECOND)
            self._due.sort(key=lambda contact: contact.at)

    def _wait(self, nanoseconds: int) -> None:
        until = self.now + nanoseconds
        if self._due and self._due[0].at <= until:
            contact = self._due.pop(0)
            self.now = max(self.now, contact.at)
            self.panel.contact(contact)
            self.now += min(nanoseconds, 200 * MICROSECOND)
        else:
            self.now = until


def joined(apart: int, lasts: int = 70 * MILLISECOND) -> Pressing:
    """Both lines close, the second later by so much at most."""
    rng = random.Random(apart)

    def press(number: int, at: int) -> list[SimulatedContact]:
        later = apart if number == 7 else rng.randint(0, apart)
        return [
            SimulatedContact(when + (later if key is TWO else 0), key, is_down=down)
            for when, down in ((at, True), (at + lasts + number * MILLISECOND, False))
            for key in (ONE, TWO)
        ]

    return press


def test_the_margin_is_twice_the_most_that_the_two_stamps_were_apart() -> None:
    found = Joined(joined(34 * MICROSECOND)).measured()
    assert (len(found.apart), found.on_one_line, found.broken) == (PRESSES, 0, 0)
    assert max(found.apart) == 34 * MICROSECOND
    assert found.margin == 68 * MICROSECOND


def test_no_margin_is_finer_than_a_clock_is_to_be_trusted() -> None:
    assert Joined(joined(0)).measured().margin == FINEST


def test_hands_are_off_first_and_the_shortest_press_is_known() -> None:
    table = Joined(joined(10 * MICROSECOND, lasts=61 * MILLISECOND))
    found = table.measured()
    assert table.said[0] == "Hands off all buttons for 10 seconds."
    assert found.noise == []
    assert 61 * MILLISECOND <= found.shortest_press < 62 * MILLISECOND
    assert found.shortest == 0


def noise(lasts: int) -> list[SimulatedContact]:
    at = START + HANDS_OFF // 3
    return [SimulatedContact(at, THREE, is_down=True), SimulatedContact(at + lasts, THREE, is_down=False)]


def test_what_the_cables_pick_up_says_how_short_a_spike_may_be() -> None:
    found = Joined(joined(10 * MICROSECOND), noise(700 * MICROSECOND)).measured()
    assert [(one.key, one.lasted) for one in found.noise] == [(THREE, 700 * MICROSECOND)]
    assert found.shortest == 2 * MILLISECOND


def test_noise_as_long_as_a_press_cannot_be_told_from_one() -> None:
    found = Joined(joined(10 * MICROSECOND, lasts=30 * MILLISECOND), noise(20 * MILLISECOND)).measured()
    assert found.shortest is None


def test_a_jumper_that_is_not_there_is_noticed() -> None:
    def alone(_number: int, at: int) -> list[SimulatedContact]:
        return [SimulatedContact(at, ONE, is_down=True), SimulatedContact(at + 60 * MILLISECOND, ONE, is_down=False)]

    found = Joined(alone).measured()
    assert (found.apart, found.on_one_line, found.is_enough) == ([], PRESSES, False)


def test_a_press_with_a_lost_edge_is_left_out() -> None:
    whole = joined(10 * MICROSECOND)

    def one_lost(number: int, at: int) -> list[SimulatedContact]:
        contacts = whole(number, at)
        return contacts[:-1] if number == PRESSES - 1 else contacts

    found = Joined(one_lost).measured()
    assert (len(found.apart), found.broken) == (PRESSES - 1, 1)


def test_whoever_stops_pressing_is_not_waited_for_for_ever() -> None:
    table = Joined(joined(10 * MICROSECOND), presses=ENOUGH - 1)
    found = table.measured(has_cables=False)
    assert not found.is_enough
    assert table.now < START + ENOUGH * 400 * MILLISECOND + PATIENCE + 1_000 * MILLISECOND

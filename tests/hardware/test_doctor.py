"""The walk around the table, in travelled time: hands that press what they are asked, and all that can be wrong."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from hardware.button_doctor import PATIENCE, Report, examine
from hardware.contact import MICROSECOND, MILLISECOND
from hardware.panel import Key, Light, Press
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.wiring import Seat, Wiring

WIRING = Wiring(
    seats=(Seat(button=17, light=18, keys={"tres": 6}), Seat(button=27)), keys={"stop": 16}, status=20, buzzer=21
)
STOP, ONE, TRES, TWO = Key("stop"), Key("strike", 0), Key("tres", 0), Key("strike", 1)
KEYS = (STOP, ONE, TRES, TWO)
TAP = 90 * MILLISECOND
START = 7_000 * MILLISECOND

Hand = Callable[[int, Key], list[SimulatedContact]]


def tap(at: int, key: Key, *, late: int = 0) -> list[SimulatedContact]:
    """A clean press by a hand."""
    return [
        SimulatedContact(at, key, is_down=True, late=late),
        SimulatedContact(at + TAP, key, is_down=False, late=late),
    ]


def chatter(at: int, key: Key, *, times: int, every: int, down: bool = True) -> list[SimulatedContact]:
    """A contact that changes again and again before it rests."""
    return [
        SimulatedContact(at + number * every, key, is_down=(number % 2 == 0) == down) for number in range(2 * times + 1)
    ]


class Walk:
    """A doctor's walk with a clock of its own. `hand` says what a hand does when it is asked for a key."""

    def __init__(self, hand: Hand = tap, wiring: Wiring = WIRING) -> None:
        self.now = START
        self.panel = SimulatedPanel(wiring, lambda: self.now)
        self.said: list[str] = []
        self.lit: list[dict[Key, Light]] = []  # the lights at each question
        self._hand = hand
        self._asked: Iterator[Key] = iter(())
        self._due: list[SimulatedContact] = []
        self.reached: dict[Key, int] = {}

    def examine(self, *keys: Key) -> Report:
        """Walk; the keys are those that the hand expects to be asked for."""
        self._asked = iter(keys or KEYS)
        try:
            return examine(self.panel, self._say, self._wait, lambda: self.now)
        finally:
            self.panel.close()

    def _say(self, sentence: str) -> None:
        self.said.append(sentence)
        if sentence.startswith("Press "):
            self.lit.append({key: light for key, light in self.panel.lights.items() if light is not Light.OFF})
            self._due += self._hand(self.now + 700 * MILLISECOND, next(self._asked))
            self._due.sort(key=lambda contact: contact.at + contact.late)

    def _wait(self, nanoseconds: int) -> None:
        assert nanoseconds > 0
        until = self.now + nanoseconds
        if self._due and self._due[0].at + self._due[0].late <= until:
            contact = self._due.pop(0)
            self.now = contact.at + contact.late
            self.panel.contact(contact)
        else:
            self.now = until


def verdicts(report: Report) -> dict[Key, str]:
    return {finding.key: finding.verdict for finding in report.findings}


def sentences(report: Report) -> str:
    return "\n".join(finding.sentence for finding in report.findings)


def doing(key: Key, hand: Hand) -> Hand:
    """A hand that does this at one key, and taps all others."""
    return lambda at, asked: hand(at, asked) if asked == key else tap(at, asked)


def nothing(_at: int, _key: Key) -> list[SimulatedContact]:
    return []


# --- what works ------------------------------------------------------------------------------------------------


def test_buttons_that_work_and_are_clean() -> None:
    report = Walk().examine()
    assert report.is_well
    assert verdicts(report) == dict.fromkeys(KEYS, "works")
    assert sentences(report).count("works, is clean, 0 µs from stamp to program.") == len(KEYS)
    assert [finding.spacing for finding in report.findings] == [TAP] * len(KEYS)
    assert report.advice == ["The closest two stamps were 90000.0 µs apart."]


def test_every_button_is_asked_for_in_words_and_its_light_is_on() -> None:
    walk = Walk()
    walk.examine()
    assert [line for line in walk.said if line.startswith("Press")] == [
        "Press the stop button.",
        "Press the strike button of seat 1 (its light is on).",
        "Press the tres button of seat 1.",
        "Press the strike button of seat 2.",
    ]
    assert walk.lit == [{}, {ONE: Light.WON}, {}, {}]
    assert walk.panel.lights == {ONE: Light.OFF}


def test_the_status_light_and_the_buzzer_are_tried() -> None:
    walk = Walk()
    walk.examine()
    assert walk.said[:2] == ["The status light on GPIO20 blinks until the end.", "The buzzer on GPIO21 sounds once."]
    assert walk.panel.buzzed == [0.3]
    assert walk.panel.status_light is Light.OFF


def test_one_big_button() -> None:
    walk = Walk(wiring=Wiring(kind="single", button=17, light=18))
    assert walk.examine(Key("strike")).is_well
    assert walk.said[0] == "Press the strike button (its light is on)."


# --- what does not ---------------------------------------------------------------------------------------------


def test_a_dead_button() -> None:
    walk = Walk(doing(TRES, nothing))
    report = walk.examine()
    assert not report.is_well
    assert verdicts(report) == {STOP: "works", ONE: "works", TRES: "dead", TWO: "works"}
    sentence = "tres 1: no press came in. Look at its wire, its pin, and the ground."
    assert sentence in report.advice
    assert sentence in walk.said
    assert PATIENCE <= walk.now - START < 2 * PATIENCE


def test_a_press_whose_edges_all_got_lost_is_dead() -> None:
    def hand(at: int, key: Key) -> list[SimulatedContact]:
        return [replace(contact, lost=True) for contact in tap(at, key)]

    assert verdicts(Walk(doing(TWO, hand)).examine())[TWO] == "dead"


def test_no_button_works() -> None:
    report = Walk(nothing).examine()
    assert set(verdicts(report).values()) == {"dead"}
    assert report.advice[-1] == "No button works: is the ground of the buttons on a ground pin of the header?"


def test_swapped_buttons() -> None:
    other = {ONE: TWO, TWO: ONE}
    report = Walk(lambda at, key: tap(at, other.get(key, key))).examine()
    assert {finding.key: finding.swapped_with for finding in report.findings if finding.verdict == "swapped"} == other
    assert "strike 1: strike 2 came in instead. Swap their wires, or their pins in the file." in report.advice


def test_a_button_that_is_stuck_from_the_start_is_not_asked_for_and_disturbs_nobody() -> None:
    walk = Walk(lambda at, key: [*chatter(at - MILLISECOND, ONE, times=2, every=MICROSECOND), *tap(at, key)])
    walk.panel.contact(SimulatedContact(START, ONE, is_down=True))
    report = walk.examine(STOP, TRES, TWO)
    assert verdicts(report) == {STOP: "works", ONE: "stuck", TRES: "works", TWO: "works"}
    assert "strike 1: it is down without being pressed." in sentences(report)
    assert not any("seat 1 (its light" in line for line in walk.said)


def test_a_button_that_does_not_come_up_again() -> None:
    report = Walk(doing(ONE, lambda at, key: tap(at, key)[:1])).examine()
    assert verdicts(report) == {STOP: "works", ONE: "hangs", TRES: "works", TWO: "works"}
    assert "strike 1: it was pressed and does not come up again." in sentences(report)


def test_a_button_that_another_press_left_down_is_stuck() -> None:
    walk = Walk(doing(STOP, lambda at, key: [*tap(at, key), SimulatedContact(at + 1, TWO, is_down=True)]))
    report = walk.examine(STOP, ONE, TRES)
    assert verdicts(report) == {STOP: "works", ONE: "works", TRES: "works", TWO: "stuck"}


# --- what is measured ------------------------------------------------------------------------------------------


def bouncing(at: int, key: Key) -> list[SimulatedContact]:
    return [*chatter(at, key, times=3, every=300 * MICROSECOND), SimulatedContact(at + TAP, key, is_down=False)]


def test_a_bouncing_button_works() -> None:
    report = Walk(doing(ONE, bouncing)).examine()
    assert report.is_well
    finding = report.findings[1]
    assert (finding.bounces, finding.bounce_for, finding.spacing) == (3, 1_800 * MICROSECOND, 300 * MICROSECOND)
    assert "strike 1: works, bounces 3 times for 1.80 ms, 0 µs from stamp to program." in sentences(report)
    assert report.advice == ["The closest two stamps were 300.0 µs apart."]


def test_a_release_that_bounces_is_no_press_of_the_next_button() -> None:
    def hand(at: int, key: Key) -> list[SimulatedContact]:
        up = at + 400 * MILLISECOND  # a slow hand
        return [SimulatedContact(at, key, is_down=True), *chatter(up, key, times=2, every=MILLISECOND, down=False)]

    report = Walk(hand).examine()
    assert report.is_well
    assert "stop: works, is clean, bounces for 4.00 ms when let go, 0 µs from stamp" in sentences(report)
    assert [finding.release_for for finding in report.findings] == [4 * MILLISECOND] * len(KEYS)


def test_long_bounce_is_answered_by_a_setting() -> None:
    def hand(at: int, key: Key) -> list[SimulatedContact]:
        return [*chatter(at, key, times=4, every=2_550 * MICROSECOND), SimulatedContact(at + TAP, key, is_down=False)]

    report = Walk(doing(TWO, hand)).examine()
    assert report.advice[0] == "A contact bounces for 20.4 ms: set bounce_ms = 41, twice that (it is 30)."


@pytest.mark.parametrize(("late", "wanted"), [(10, None), (11, 22), (14, 28), (400, 500)])
def test_slow_stamps_are_answered_by_a_setting(late: int, wanted: int | None) -> None:
    report = Walk(doing(ONE, lambda at, key: tap(at, key, late=late * MILLISECOND))).examine()
    advice = [line for line in report.advice if "window_ms" in line]
    assert report.is_well
    assert advice == (
        [] if wanted is None else [f"A stamp took {late}.0 ms to the program: set window_ms = {wanted} (it is 20)."]
    )
    assert f"{late * 1000} µs from stamp to program" in sentences(report)


def test_edges_that_got_lost_are_told_and_not_measured() -> None:
    walk = Walk()
    put = walk.panel.inbox.put

    def unsure(press: Press) -> None:
        put(press._replace(sure=press.key != ONE))

    walk.panel.inbox.put = unsure  # type: ignore[method-assign]
    report = walk.examine()
    assert report.findings[1].sentence == "strike 1: works, is clean, 2 of its edges got lost."
    assert (report.findings[1].latency, report.findings[1].spacing) == ([], None)
    assert any(line.startswith("Edges got lost") for line in report.advice)

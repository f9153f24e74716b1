"""What the lights of the strike buttons show, in every phase of the token."""

import pytest

from companion.core.photo_finish import Finish
from hardware.arbiter import Arbiter, Phase, StrikeButton
from hardware.contact import MICROSECOND, MILLISECOND
from hardware.panel import Key, Light, Press
from hardware.pin_errors import WiringError
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.token import Token, lights
from hardware.wiring import Seat, Wiring

NAMES = ("Ada", "Ben", "Cleo")
RING = Wiring(seats=tuple(Seat(button=pin, light=pin + 12) for pin in (4, 5, 6)))
SINGLE = Wiring(kind="single", button=4, light=16)
ONE, TWO, THREE = (Key("strike", number) for number in range(3))
BIG = Key("strike")
MARGIN = RING.settings.margin
STUCK_AFTER = RING.settings.stuck_after


class Lamps(SimulatedPanel):
    """A simulated panel that remembers every light it was told."""

    def __init__(self, wiring: Wiring) -> None:
        super().__init__(wiring, lambda: 0)
        self.told: list[tuple[Key, Light]] = []

    def show(self, key: Key, light: Light) -> None:
        super().show(key, light)
        self.told.append((key, light))


class At:
    """A token on a panel, at a time of its own."""

    def __init__(self, wiring: Wiring = RING) -> None:
        self.panel = Lamps(wiring)
        self.token = Token(self.panel, NAMES)

    def press(self, at: int, key: Key, *, down: bool = True) -> None:
        self.panel.contact(SimulatedContact(at, key, down))
        for press in self.panel.inbox.take():
            self.token.heard(press)

    def unseen(self, at: int, key: Key) -> None:
        """An edge down behind one of a release that was lost."""
        self.token.heard(Press(key, at, is_down=False, sure=False))
        self.token.heard(Press(key, at, is_down=True, sure=False))

    def strike(self, *presses: tuple[int, Key]) -> None:
        """Arm at 0, press, and let the window pass."""
        self.token.arm(0)
        for at, key in presses:
            self.press(at, key)
        self.settle()

    def settle(self) -> None:
        """Let the window pass, as often as the arbiter wants it."""
        while self.token.arbiter.phase is Phase.STRUCK:
            self.token.time_is(self.token.arbiter.closes_at)

    def shown(self, turn: str = "") -> list[Light]:
        self.token.show(turn)
        return list(self.panel.lights.values())


# --- one phase after the other ---------------------------------------------------------------------------------


def test_idle_is_dark() -> None:
    assert At().shown() == [Light.OFF] * 3


def test_whose_turn_it_is() -> None:
    assert At().shown("Ben") == [Light.OFF, Light.TURN, Light.OFF]


def test_armed() -> None:
    at = At()
    at.token.arm(0)
    assert at.shown() == [Light.ARMED] * 3
    assert at.shown("Cleo") == [Light.ARMED, Light.ARMED, Light.TURN]


def test_nothing_is_given_away_while_stamps_are_still_on_their_way() -> None:
    at = At()
    at.token.arm(0)
    at.press(MILLISECOND, TWO)
    assert at.token.arbiter.phase is Phase.STRUCK
    assert at.shown() == [Light.ARMED] * 3


def test_the_winner_and_those_whose_presses_no_longer_count() -> None:
    at = At()
    at.strike((MILLISECOND, TWO), (3 * MILLISECOND, ONE))
    assert at.shown() == [Light.LOCKED, Light.WON, Light.LOCKED]
    assert at.shown("Cleo") == [Light.LOCKED, Light.WON, Light.LOCKED]  # a turn is not shown over a strike


def test_the_winner_is_whose_stamp_is_first_not_who_was_noticed_first() -> None:
    at = At()
    at.strike((3 * MILLISECOND, ONE), (MILLISECOND, TWO))
    assert at.shown() == [Light.LOCKED, Light.WON, Light.LOCKED]


def test_tied() -> None:
    at = At()
    at.strike((MILLISECOND, ONE), (MILLISECOND + MARGIN, THREE))
    assert at.shown() == [Light.TIED, Light.LOCKED, Light.TIED]


def test_just_not_tied() -> None:
    at = At()
    at.strike((MILLISECOND, ONE), (MILLISECOND + MARGIN + MICROSECOND, THREE))
    assert at.shown() == [Light.WON, Light.LOCKED, Light.LOCKED]


def test_a_press_without_a_time_is_tied_with_the_first() -> None:
    at = At()
    at.token.arm(0)
    at.press(MILLISECOND, ONE)
    at.panel.contact(SimulatedContact(2 * MILLISECOND, TWO, is_down=True, lost=True))
    at.settle()
    assert at.shown() == [Light.TIED, Light.TIED, Light.LOCKED]


def test_held_while_the_token_is_armed_and_while_another_strikes() -> None:
    at = At()
    at.press(-MILLISECOND, THREE)
    at.token.arm(0)
    assert at.shown("Cleo") == [Light.ARMED, Light.ARMED, Light.HELD]  # over the turn too
    at.press(MILLISECOND * 50, ONE)
    at.settle()
    assert at.shown() == [Light.WON, Light.LOCKED, Light.HELD]
    at.press(200 * MILLISECOND, THREE, down=False)
    assert at.shown() == [Light.WON, Light.LOCKED, Light.LOCKED]


def test_held_until_the_hand_comes_off() -> None:
    at = At()
    at.press(-MILLISECOND, ONE)
    at.token.arm(0)
    assert at.shown() == [Light.HELD, Light.ARMED, Light.ARMED]
    at.press(100 * MILLISECOND, ONE, down=False)
    assert at.shown() == [Light.ARMED] * 3


def test_a_button_that_is_down_for_too_long_blinks_even_when_idle() -> None:
    at = At()
    at.press(0, TWO)
    at.token.time_is(STUCK_AFTER - 1)
    assert at.shown() == [Light.OFF] * 3
    at.token.time_is(STUCK_AFTER)
    assert at.shown() == [Light.OFF, Light.HELD, Light.OFF]


def test_armed_again_after_a_strike() -> None:
    at = At()
    at.strike((MILLISECOND, TWO))
    at.press(60 * MILLISECOND, TWO, down=False)
    at.shown()
    at.token.arm(200 * MILLISECOND)
    assert at.shown("Ada") == [Light.TURN, Light.ARMED, Light.ARMED]


@pytest.mark.parametrize("turn", ["", "Ada", "Nobody of that name"])
def test_the_one_big_button(turn: str) -> None:
    at = At(SINGLE)
    assert at.shown(turn) == [Light.OFF]
    at.token.arm(0)
    assert at.shown(turn) == [Light.ARMED]
    at.press(MILLISECOND, BIG)
    at.settle()
    assert at.shown(turn) == [Light.WON]


# --- the table of all of them ----------------------------------------------------------------------------------

# Phase, is this seat's button left out, is it this seat's turn: what its light shows where nobody has struck.
BEFORE = {
    (Phase.IDLE, False, False): Light.OFF,
    (Phase.IDLE, False, True): Light.TURN,
    (Phase.IDLE, True, False): Light.HELD,
    (Phase.IDLE, True, True): Light.HELD,
    (Phase.ARMED, False, False): Light.ARMED,
    (Phase.ARMED, False, True): Light.TURN,
    (Phase.ARMED, True, False): Light.HELD,
    (Phase.ARMED, True, True): Light.HELD,
    (Phase.STRUCK, False, False): Light.ARMED,
    (Phase.STRUCK, False, True): Light.TURN,
    (Phase.STRUCK, True, False): Light.HELD,
    (Phase.STRUCK, True, True): Light.HELD,
}


@pytest.mark.parametrize(("phase", "is_out", "is_turn"), list(BEFORE))
@pytest.mark.parametrize("why", ["held", "stuck", "bounce"])
def test_every_light_before_it_is_settled(phase: Phase, is_out: bool, is_turn: bool, why: str) -> None:
    arbiter = Arbiter(NAMES, phase=phase, buttons={"Ben": StrikeButton(excluded=why if is_out else "")})
    found = lights(arbiter, "Ben" if is_turn else "")
    assert found["Ben"] is BEFORE[phase, is_out, is_turn]
    assert found["Ada"] is found["Cleo"] is BEFORE[phase, False, False]


def test_a_finish_without_anybody_locks_all() -> None:
    arbiter = Arbiter(NAMES, phase=Phase.SETTLED, finish=Finish((), MARGIN, ()))
    assert set(lights(arbiter).values()) == {Light.LOCKED}


# --- telling ---------------------------------------------------------------------------------------------------


def test_only_lights_that_change_are_told() -> None:
    at = At()
    at.shown()
    at.panel.told.clear()
    at.shown()
    assert at.panel.told == []
    at.shown("Ben")
    assert at.panel.told == [(TWO, Light.TURN)]


def test_a_ring_needs_a_button_for_each_player() -> None:
    with pytest.raises(WiringError, match="4 players and buttons for 3: wire 1 more"):
        Token(SimulatedPanel(RING), (*NAMES, "Dan"))


def test_buttons_of_empty_seats_stay_dark_and_do_not_count() -> None:
    panel = Lamps(RING)
    token = Token(panel, NAMES[:2])
    token.arm(0)
    token.show()
    assert list(panel.lights) == [ONE, TWO]
    assert not token.knows(THREE)


def test_nobody_is_woken_again_and_again_for_what_was_looked_at() -> None:
    at = At()
    at.token.arm(0)
    at.unseen(100 * MILLISECOND, ONE)
    at.unseen(110 * MILLISECOND, THREE)
    at.token.time_is(120 * MILLISECOND)  # both were the chatter of a release
    at.press(125 * MILLISECOND, TWO)
    for now in range(126, 400):
        at.token.time_is(now * MILLISECOND)
        due = at.token.wakes_at
        assert due is None or due > now * MILLISECOND, now
    assert at.token.arbiter.finish
    assert at.token.arbiter.finish.winner == NAMES[1]

"""One button: every row of its table, and what fingers, contacts and chips do to it."""

import pytest

from hardware import contact as machine
from hardware.contact import (
    BRIEF,
    LOOK,
    LOOK_STUCK,
    MILLISECOND,
    TRACE,
    Contact,
    ContactEdge,
    ContactFreed,
    ContactStuck,
    Level,
    News,
    Pressed,
    PressEnded,
    Settings,
    Wavered,
    Where,
    is_brief,
    is_chatter,
)
from hardware.keys import Keys
from hardware.panel import Key, Press
from tests.hardware.fingers import sittings

S = Settings()
P = 10_000 * MILLISECOND


class Button:
    """A button, spoken to in milliseconds behind P."""

    def __init__(self, where: Where = Where.OPEN) -> None:
        self.contact = Contact(where)

    def goes(self, after: float, *, down: bool, sure: bool = True, stays: bool | None = None) -> list[News]:
        edge = ContactEdge(ms(after), down, sure, down if stays is None else stays)
        self.contact, news = machine.edge(self.contact, S, edge)
        return news

    def waits(self, until: float, level: bool | None = None) -> list[News]:
        read = None if level is None else Level(level, ms(until))
        self.contact, news = machine.time_is(self.contact, S, ms(until), read)
        return news

    def down(self, after: float, *, sure: bool = True, stays: bool = True) -> list[News]:
        return self.goes(after, down=True, sure=sure, stays=stays)

    def up(self, after: float, *, sure: bool = True) -> list[News]:
        return self.goes(after, down=False, sure=sure)

    @property
    def where(self) -> Where:
        return self.contact.where


def ms(after: float) -> int:
    return P + round(after * MILLISECOND)


def held(down_for: float = 100) -> Button:
    """Pressed at P, and at rest since."""
    button = Button()
    button.down(0)
    button.waits(down_for, level=True)
    assert button.where is Where.CLOSED
    return button


# --- the table -------------------------------------------------------------------------------------------------


def test_open_down_is_a_press() -> None:
    button = Button()
    assert button.down(0) == [Pressed(P)]
    assert button.where is Where.CLOSING


def test_open_up_is_a_press_whose_edge_was_lost() -> None:
    button = Button()
    assert button.up(0) == [Pressed(P, sure=False)]
    assert button.waits(30) == [PressEnded(P, None)]
    assert button.where is Where.OPEN


def test_the_chatter_of_a_press_whose_first_edge_was_lost_is_no_second_one() -> None:
    button = Button()
    assert button.up(0) == [Pressed(P, sure=False)]
    assert button.down(1) == []
    assert button.waits(31, level=True) == []
    assert button.where is Where.CLOSED


def test_down_by_its_level_and_up_by_its_edges_is_waited_for_once_and_is_no_release() -> None:
    button = Button()
    button.down(0)
    button.up(1)
    assert button.waits(31, level=True) == []
    assert button.contact.wakes_at(S) == ms(31) + S.window
    assert button.waits(51, level=True) == []
    assert button.where is Where.CLOSED
    button.up(100)
    assert [type(news) for news in button.waits(130, level=False)] == [PressEnded]


def test_a_release_long_after_the_level_was_found_up_is_that_of_another_press() -> None:
    button = found_up()
    assert button.up(700) == [Pressed(ms(700), sure=False)]


def test_unknown_up_is_nothing() -> None:
    button = Button(Where.UNKNOWN)
    assert button.up(0) == []
    assert button.waits(30) == []
    assert button.down(70) == [Pressed(ms(70))]


def test_unknown_down_is_a_press() -> None:
    assert Button(Where.UNKNOWN).down(0) == [Pressed(P)]


@pytest.mark.parametrize("down", [True, False])
def test_closing_all_is_chatter_and_kept_as_a_trace(down: bool) -> None:
    button = Button()
    button.down(0)
    assert button.goes(1, down=down) == []
    assert button.contact.edges == (MILLISECOND,)
    assert button.where is Where.CLOSING


def test_closed_up_is_a_release_and_its_chatter_no_press() -> None:
    button = held()
    for after in range(100, 107):
        assert button.goes(after, down=after % 2 == 1, stays=False) == []
    assert button.waits(136) == [
        PressEnded(P, 106 * MILLISECOND, tuple(after * MILLISECOND for after in range(100, 107)))
    ]
    assert button.where is Where.OPEN


def test_closed_down_that_stays_is_the_next_press() -> None:
    button = held()
    assert button.down(200) == [PressEnded(P, None), Pressed(ms(200), sure=False)]


def test_closed_down_that_does_not_stay_is_the_chatter_of_a_release() -> None:
    button = held()
    assert button.down(200, stays=False) == []
    assert button.up(201) == []
    assert button.waits(231) == [PressEnded(P, None, (200 * MILLISECOND, 201 * MILLISECOND))]


def test_closed_down_when_it_was_down_a_moment_ago_is_no_press() -> None:
    button = held(100)
    assert button.down(110) == []
    assert button.waits(140) == []
    assert button.where is Where.CLOSED


def test_opening_down_is_chatter_and_a_contact_that_came_off_is_no_second_press() -> None:
    button = held()
    button.up(100)
    assert button.down(112) == []
    assert button.waits(142) == [Wavered(ms(112), 12 * MILLISECOND)]
    assert button.where is Where.CLOSED


def test_after_a_release_that_nobody_stamped_down_is_the_next_press_if_it_stays() -> None:
    button = held()
    button.up(200, sure=False)
    assert button.down(200, sure=False) == [PressEnded(P, None, (200 * MILLISECOND,)), Pressed(ms(200), sure=False)]
    other = held()
    other.up(200, sure=False)
    assert other.down(200, sure=False, stays=False) == other.up(201) == []
    assert other.where is Where.OPENING


# --- time and levels -------------------------------------------------------------------------------------------


def test_nothing_is_waited_for_while_it_is_open() -> None:
    assert Button().contact.wakes_at(S) is None


def found_up() -> Button:
    """Its release was lost, and its level has told so by 170 ms."""
    button = held(100)
    assert button.contact.wakes_at(S) == ms(100) + LOOK
    assert button.waits(150, level=False) == [], "the edge may be on its way"
    assert button.contact.wakes_at(S) == ms(150) + S.window
    assert button.waits(170, level=False) == [PressEnded(P, None)]
    assert button.where is Where.OPEN
    return button


def test_a_lost_release_is_healed_by_the_level() -> None:
    button = found_up()
    assert button.up(149) == [], "its edge comes after all"
    assert button.down(220) == [Pressed(ms(220))]


def test_a_release_whose_edge_comes_behind_its_level_is_one_as_any_other() -> None:
    button = held(100)
    button.waits(150, level=False)
    button.up(149)
    assert button.waits(179) == [PressEnded(P, 149 * MILLISECOND, (149 * MILLISECOND,))]


def test_the_chatter_of_a_release_that_only_the_level_told_of_is_no_press() -> None:
    button = found_up()
    assert button.down(171, stays=False) == button.up(172) == []
    assert button.waits(202) == []
    assert button.down(240) == [Pressed(ms(240))]


def test_let_go_and_pressed_and_all_edges_lost_shows_in_the_levels() -> None:
    button = held(100)
    assert button.waits(150, level=False) == button.waits(170, level=True) == []
    assert button.waits(190, level=True) == [PressEnded(P, None), Pressed(ms(190), sure=False)]


def test_a_release_that_chatters_and_whose_last_edge_was_lost_is_found_up() -> None:
    button = held()
    button.up(100)
    button.down(101, stays=False)
    assert button.waits(131, level=False) == []
    assert button.waits(151, level=False) == [PressEnded(P, None, (100 * MILLISECOND, 101 * MILLISECOND))]
    assert button.up(150) == []


def test_what_was_taken_for_the_tail_of_a_release_and_stays_down_is_a_press() -> None:
    button = found_up()
    assert button.down(171, stays=False) == []
    assert button.waits(201, level=True) == [Pressed(ms(171), sure=False)]


def test_stuck_it_is_looked_at_less_often() -> None:
    button = held()
    button.waits(5_000, level=True)
    assert button.contact.wakes_at(S) == ms(5_000) + LOOK_STUCK


def test_a_level_that_is_not_known_changes_nothing_and_is_not_asked_for_at_once() -> None:
    button = held(100)
    assert button.waits(150) == []
    assert button.contact.wakes_at(S) == ms(150) + LOOK


def test_down_for_too_long_is_stuck_until_it_comes_up() -> None:
    button = held()
    assert button.waits(4_999, level=True) == []
    assert button.waits(5_000, level=True) == [ContactStuck(P)]
    assert button.waits(9_000, level=True) == []
    button.up(9_100)
    assert button.waits(9_130) == [ContactFreed(), PressEnded(P, 9_100 * MILLISECOND, (9_100 * MILLISECOND,))]


def test_an_edge_from_before_the_newest_changes_nothing() -> None:
    button = held()
    button.up(100)
    before = button.contact
    assert button.down(60) == []
    assert button.contact == before


def test_a_button_that_chatters_for_ever_is_one_press_and_is_not_remembered_for_ever() -> None:
    button = Button()
    told = [news for step in range(500) for news in button.goes(step, down=step % 2 == 0)]
    assert told == [Pressed(P)]
    assert len(button.contact.edges) == TRACE


def test_how_long_is_brief() -> None:
    assert [is_brief(lasted) for lasted in (0, 1, BRIEF - 1, BRIEF)] == [False, True, True, False]
    assert is_chatter(P, P + S.bounce - 1, S.bounce)
    assert not is_chatter(P, P + S.bounce, S.bounce)
    assert not is_chatter(None, P, S.bounce)


# --- many of them ----------------------------------------------------------------------------------------------


def test_of_a_thousand_presses_each_is_noticed_and_named_as_the_oracle_says() -> None:
    assert [(number, wrong) for number, _, wrong in sittings(1_000, seed=7) if wrong] == []


def test_a_button_that_was_down_when_the_match_began_is_no_press() -> None:
    key = Key("turn")
    keys = Keys(S, lambda: {key: True})
    keys.heard(Press(key, P, is_down=False))
    assert keys.time_is(P + 1_000 * MILLISECOND) == []


def test_where_edges_are_waiting_the_level_is_not_asked_and_nobody_is_woken_for_it() -> None:
    key = Key("turn")
    keys = Keys(S, dict)
    keys.heard(Press(key, P, is_down=True))
    assert keys.wakes_at == P + S.window
    keys.time_is(P + S.window)
    assert keys.wakes_at == P + S.bounce + S.window
    keys.heard(Press(key, ms(40), is_down=False))
    assert keys.wakes_at == ms(40) + S.window

"""One button: every row of its table, and what fingers, contacts and chips do to it."""

import pytest

from hardware import contact as machine
from hardware.arbiter import MILLISECOND, Settings
from hardware.contact import (
    BRIEF,
    LOOK,
    TRACE,
    Contact,
    Edge,
    Ended,
    Freed,
    News,
    Pressed,
    Stuck,
    Wavered,
    Where,
    is_brief,
    is_chatter,
)

S = Settings()
P = 10_000 * MILLISECOND


class Button:
    """A button, spoken to in milliseconds behind P."""

    def __init__(self, where: Where = Where.OPEN) -> None:
        self.contact = Contact(where)

    def goes(self, after: float, *, down: bool, sure: bool = True, stays: bool | None = None) -> list[News]:
        edge = Edge(ms(after), down, sure, down if stays is None else stays)
        self.contact, news = machine.edge(self.contact, S, edge)
        return news

    def waits(self, until: float, level: bool | None = None) -> list[News]:
        self.contact, news = machine.time_is(self.contact, S, ms(until), level)
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
    assert button.waits(30) == [Ended(P, None)]
    assert button.where is Where.OPEN


def test_unknown_up_is_nothing() -> None:
    button = Button(Where.UNKNOWN)
    assert button.up(0) == []
    assert button.waits(30) == []
    assert button.down(50) == [Pressed(ms(50))]


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
    assert button.waits(136) == [Ended(P, 106 * MILLISECOND, tuple(after * MILLISECOND for after in range(100, 107)))]
    assert button.where is Where.OPEN


def test_closed_down_that_stays_is_the_next_press() -> None:
    button = held()
    assert button.down(200) == [Ended(P, None), Pressed(ms(200), sure=False)]


def test_closed_down_that_does_not_stay_is_the_chatter_of_a_release() -> None:
    button = held()
    assert button.down(200, stays=False) == []
    assert button.up(201) == []
    assert button.waits(231) == [Ended(P, None, (200 * MILLISECOND, 201 * MILLISECOND))]


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
    assert button.down(200, sure=False) == [Ended(P, None, (200 * MILLISECOND,)), Pressed(ms(200), sure=False)]
    other = held()
    other.up(200, sure=False)
    assert other.down(200, sure=False, stays=False) == other.up(201) == []
    assert other.where is Where.OPENING


# --- time and levels -------------------------------------------------------------------------------------------


def test_nothing_is_waited_for_while_it_is_open() -> None:
    assert Button().contact.wakes_at(S) is None


def test_a_lost_release_is_healed_by_the_level() -> None:
    button = held(100)
    assert button.contact.wakes_at(S) == ms(100) + LOOK
    assert button.waits(350, level=False) == [Ended(P, None)]
    assert button.where is Where.UNKNOWN
    assert button.up(352) == [], "its edge comes after all"
    assert button.down(400) == [Pressed(ms(400))]


def test_the_chatter_of_a_release_that_only_the_level_told_of_is_no_press() -> None:
    button = held(100)
    button.waits(350, level=False)
    assert button.down(351, stays=False) == button.up(352) == []
    assert button.down(400) == [Pressed(ms(400))]


def test_a_release_that_chatters_and_whose_last_edge_was_lost_is_found_up() -> None:
    button = held()
    button.up(100)
    button.down(101, stays=False)
    assert button.waits(131, level=False) == [Ended(P, None, (100 * MILLISECOND, 101 * MILLISECOND))]
    assert button.up(150) == []


def test_a_level_that_is_not_known_changes_nothing_and_is_not_asked_for_at_once() -> None:
    button = held(100)
    assert button.waits(350) == []
    assert button.contact.wakes_at(S) == ms(350) + LOOK


def test_down_for_too_long_is_stuck_until_it_comes_up() -> None:
    button = held()
    assert button.waits(4_999, level=True) == []
    assert button.waits(5_000, level=True) == [Stuck(P)]
    assert button.waits(9_000, level=True) == []
    button.up(9_100)
    assert button.waits(9_130) == [Freed(), Ended(P, 9_100 * MILLISECOND, (9_100 * MILLISECOND,))]


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

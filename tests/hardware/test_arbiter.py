"""Who struck first: the table of the arbiter row by row, the cases that tables quarrel about, and the oracle."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.photo_finish import Arrival, Finish, How
from hardware import arbiter as machine
from hardware.answers import Amended, Answer, Freed, Settled, Stuck, Void, WakeAt
from hardware.arbiter import Arbiter, Phase
from hardware.contact import MICROSECOND, MILLISECOND, Settings
from tests.hardware.oracle import confidence, ruled, strikes, verdict

SEATS = ("Ann", "Bob", "Cat", "Dan")
S = Settings()
T = 10_000 * MILLISECOND  # when the token is armed
P = T + 1_000 * MILLISECOND  # when somebody strikes
UP = dict.fromkeys(SEATS, False)


class Token:
    """An arbiter with the levels of its buttons, spoken to in the words of the table."""

    def __init__(self, *seats: str, settings: Settings = S) -> None:
        self.arbiter = Arbiter(seats or SEATS, settings)
        self.levels = dict.fromkeys(self.arbiter.seats, False)

    def arm(self, at: int = T, **down: bool) -> list[Answer]:
        self.levels |= down
        self.arbiter, answers = machine.arm(self.arbiter, at, self.levels)
        return answers

    def edge(self, seat: str, at: int, *, down: bool, sure: bool = True) -> list[Answer]:
        self.levels[seat] = down
        self.arbiter, answers = machine.edge(self.arbiter, seat, at, down=down, sure=sure)
        return answers

    def press(self, seat: str, at: int, *, sure: bool = True) -> list[Answer]:
        return self.edge(seat, at, down=True, sure=sure)

    def release(self, seat: str, at: int) -> list[Answer]:
        return self.edge(seat, at, down=False)

    def time_is(self, at: int, levels: Mapping[str, bool] | None = None) -> list[Answer]:
        self.arbiter, answers = machine.time_is(self.arbiter, at, self.levels if levels is None else levels)
        return answers

    def settle(self) -> Finish:
        """Let the window pass, and what is waited for behind it."""
        while self.arbiter.phase is Phase.STRUCK:
            self.time_is(self.arbiter.closes_at)
        assert self.arbiter.finish
        return self.arbiter.finish


def armed(*seats: str, settings: Settings = S, **down: bool) -> Token:
    token = Token(*seats, settings=settings)
    token.arm(**down)
    return token


def settled(*seats: str) -> Token:
    """Ann has struck, and that stands."""
    token = armed(*seats)
    token.press("Ann", P)
    token.settle()
    return token


def order(finish: Finish) -> list[str]:
    return [arrival.seat for arrival in finish.order]


# --- the table -------------------------------------------------------------------------------------------------


def test_idle_a_press_is_void() -> None:
    token = Token()
    assert token.press("Ann", P) == [Void("Ann", P, "idle")]
    assert token.arbiter.phase is Phase.IDLE


def test_idle_a_release_is_nothing() -> None:
    token = Token()
    token.press("Ann", P)
    assert token.release("Ann", P + S.bounce) == []


def test_armed_the_first_press_opens_the_window() -> None:
    token = armed()
    assert token.press("Ann", P) == [WakeAt(P + S.window)]
    assert token.arbiter.phase is Phase.STRUCK


def test_armed_a_release_is_nothing() -> None:
    token = armed()
    before = token.arbiter
    assert token.release("Ann", P) == []
    assert token.arbiter.phase is before.phase
    assert token.arbiter.button("Ann").press is None


def test_struck_a_further_press_is_latched_and_the_window_stays() -> None:
    token = armed()
    token.press("Ann", P)
    assert token.press("Bob", P + MILLISECOND) == []
    assert token.arbiter.closes_at == P + S.window
    assert order(token.settle()) == ["Ann", "Bob"]


def test_struck_a_release_is_noted() -> None:
    token = armed()
    token.press("Ann", P)
    assert token.release("Ann", P + MILLISECOND) == []
    assert token.settle().order[0].released


def test_settled_a_press_is_late() -> None:
    token = settled()
    later = P + 3 * S.window
    assert token.press("Bob", later) == [Void("Bob", later, "late", later - P)]
    assert order(token.settle()) == ["Ann"]


def test_settled_a_release_is_nothing() -> None:
    token = settled()
    assert token.release("Ann", P + S.window + 1) == []
    assert token.arbiter.phase is Phase.SETTLED


def test_struck_before_the_window_is_over_time_changes_nothing() -> None:
    token = armed()
    token.press("Ann", P)
    before = token.arbiter
    assert token.time_is(P + S.window - 1) == []
    assert token.arbiter == before


def test_struck_when_the_window_is_over_it_settles_once() -> None:
    token = armed()
    token.press("Ann", P)
    assert [type(answer) for answer in token.time_is(P + S.window)] == [Settled]
    assert token.time_is(P + 2 * S.window) == []


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.ARMED])
def test_where_nobody_has_struck_time_settles_nothing(phase: Phase) -> None:
    token = Token() if phase is Phase.IDLE else armed()
    before = token.arbiter
    assert token.time_is(P) == []
    assert token.arbiter == before


def test_settled_it_can_be_armed_again() -> None:
    token = settled()
    token.release("Ann", P + 100 * MILLISECOND)
    assert token.arm(P + 200 * MILLISECOND) == []
    assert token.arbiter.finish is None
    token.press("Bob", P + 300 * MILLISECOND)
    assert token.settle().winner == "Bob"


def test_a_seat_that_does_not_play_changes_nothing() -> None:
    token = armed("Ann", "Bob")
    before = token.arbiter
    assert machine.edge(before, "Cat", P, down=True) == (before, [])
    assert machine.edge(before, "Cat", P, down=False) == (before, [])


# --- order and margin ------------------------------------------------------------------------------------------


@given(st.permutations([("Ann", 300), ("Bob", 100), ("Cat", 0), ("Dan", 900)]))
def test_the_stamps_decide_and_not_the_order_of_arrival(arriving: list[tuple[str, int]]) -> None:
    token = armed()
    for seat, behind in arriving:
        token.press(seat, P + behind * MICROSECOND + (seat == "Bob"))
    finish = token.settle()
    assert order(finish) == ["Cat", "Bob", "Ann", "Dan"]
    assert [arrival.after for arrival in finish.order] == [0, 100_001, 300_000, 900_000]
    assert (finish.winner, confidence(finish)) == ("Cat", "clear")


@pytest.mark.parametrize(("gap", "tied"), [(0, True), (S.margin - 1, True), (S.margin, True), (S.margin + 1, False)])
def test_inside_the_margin_it_is_a_tie(gap: int, tied: bool) -> None:
    token = armed()
    token.press("Ann", P + gap)
    token.press("Bob", P)
    finish = token.settle()
    assert finish.tied == (("Ann", "Bob") if gap == 0 else ("Bob", "Ann") if tied else ())
    assert finish.winner == ("" if tied else "Bob")
    assert confidence(finish) == ("tie" if tied else "clear")


def test_three_can_tie_and_a_fourth_not() -> None:
    token = armed()
    for seat, behind in zip(SEATS, (50, 0, 100, 101), strict=True):
        token.press(seat, P + behind * MICROSECOND)
    finish = token.settle()
    assert finish.tied == ("Bob", "Ann", "Cat")
    assert order(finish) == ["Bob", "Ann", "Cat", "Dan"]


def test_the_margin_is_counted_from_the_first_and_not_from_the_neighbour() -> None:
    token = armed()
    for seat, behind in zip(SEATS[:3], (0, 80, 160), strict=True):
        token.press(seat, P + behind * MICROSECOND)
    assert token.settle().tied == ("Ann", "Bob")


def test_an_earlier_stamp_in_the_window_wins() -> None:
    token = armed()
    token.press("Ann", P)
    token.press("Bob", P - MILLISECOND)
    assert token.settle().winner == "Bob"


def test_an_earlier_stamp_behind_the_window_makes_another_finish() -> None:
    token = settled()
    stood = token.settle()
    [told] = token.press("Bob", P - MILLISECOND)
    finish = token.settle()
    assert told == Amended("Bob", -MILLISECOND, stood, finish)
    assert (order(finish), finish.winner, confidence(finish)) == (["Bob", "Ann"], "Bob", "clear")
    assert token.release("Bob", P) == token.press("Bob", P + MILLISECOND) == [], "its chatter is nothing more"


def test_a_stamp_within_the_margin_behind_the_window_makes_a_tie() -> None:
    token = settled()
    [told] = token.press("Bob", P + S.margin)
    assert isinstance(told, Amended)
    assert told.finish.tied == ("Ann", "Bob")
    assert [type(answer) for answer in token.press("Cat", P + S.margin + 1)] == [Void]


def test_who_is_held_stays_so_in_another_finish() -> None:
    token = Token()
    token.arm(Dan=True)
    token.press("Ann", P)
    token.settle()
    token.release("Dan", P + 50 * MILLISECOND)
    token.press("Bob", P - MILLISECOND)
    assert [(one.seat, one.how) for one in token.settle().order][2:] == [("Dan", How.HELD)]


def test_a_late_press_is_told_once_however_it_bounces() -> None:
    token = settled()
    later = P + 3 * S.window
    answers = [answer for number in range(9) for answer in token.edge("Bob", later + number, down=number % 2 == 0)]
    assert answers == [Void("Bob", later, "late", later - P)]


def test_the_winner_who_presses_again_is_late_too() -> None:
    token = settled()
    token.release("Ann", P + 100 * MILLISECOND)
    again = P + 200 * MILLISECOND
    assert token.press("Ann", again) == [Void("Ann", again, "late", again - P)]
    assert token.release("Ann", again + 1) == token.press("Ann", again + 2) == []


def test_a_button_that_chatters_for_ever_is_not_remembered_for_ever() -> None:
    token = settled()
    for number in range(200):
        token.edge("Ann", P + S.window + number * MILLISECOND, down=number % 2 == 1)
    assert token.arbiter.button("Ann").edges == ()


# --- bounce ----------------------------------------------------------------------------------------------------


def test_a_bouncing_press_keeps_its_first_contact() -> None:
    token = armed()
    token.press("Ann", P)
    for number in range(1, 7):
        token.edge("Ann", P + number * 500 * MICROSECOND, down=number % 2 == 0)
    token.press("Bob", P + MILLISECOND)
    finish = token.settle()
    assert finish.winner == "Ann"
    assert finish.order[0] == Arrival("Ann", How.STAMPED, P, 0, tuple(n * 500_000 for n in range(1, 7)))


def test_released_before_the_window_ends_it_counts_all_the_same() -> None:
    token = armed()
    token.press("Ann", P)
    token.release("Ann", P + 9 * MILLISECOND)
    assert token.settle().order == (Arrival("Ann", How.STAMPED, P, 0, (9 * MILLISECOND,), released=True),)


def test_the_chatter_of_a_release_before_arming_is_no_strike() -> None:
    token = Token()
    token.press("Ann", T + 100 * MILLISECOND)
    release = T + 300 * MILLISECOND
    token.release("Ann", release)
    token.arm(release + MILLISECOND)
    for number in range(2, 8):
        assert token.edge("Ann", release + number * MILLISECOND, down=number % 2 == 0) == []
    assert token.arbiter.phase is Phase.ARMED
    assert token.arbiter.excluded == {}


def test_a_press_well_behind_that_chatter_is_one() -> None:
    token = Token()
    token.press("Ann", T - 300 * MILLISECOND)
    token.release("Ann", T - MILLISECOND)
    token.arm()
    assert token.press("Ann", T - MILLISECOND + S.bounce) == [WakeAt(T - MILLISECOND + S.bounce + S.window)]


def test_the_chatter_of_a_press_before_arming_is_held() -> None:
    token = Token()
    token.press("Ann", T - 2 * MILLISECOND)
    token.release("Ann", T - MILLISECOND)
    token.arm()
    assert token.press("Ann", T + MILLISECOND) == []
    token.press("Bob", P)
    assert token.settle().order[1:] == (Arrival("Ann", How.HELD, None, None),)


def test_a_held_button_that_chatters_has_not_come_up() -> None:
    token = armed(Ann=True)
    assert token.release("Ann", T + 50 * MILLISECOND) == [Freed("Ann")]
    assert token.press("Ann", T + 51 * MILLISECOND) == []
    token.press("Bob", P)
    finish = token.settle()
    assert (finish.winner, confidence(finish)) == ("Bob", "clear")
    assert finish.order[1].how is How.HELD


def test_a_release_that_chatters_is_told_once() -> None:
    token = armed(Ann=True)
    told = [
        answer
        for number in range(7)
        for answer in token.edge("Ann", T + (50 + number) * MILLISECOND, down=number % 2 == 1)
    ]
    assert told == [Freed("Ann")]
    assert token.arbiter.excluded == {}
    assert token.press("Ann", P) == [WakeAt(P + S.window)]


# --- held, stuck, too early ------------------------------------------------------------------------------------


def test_held_at_arming_it_does_not_count_and_that_shows() -> None:
    token = armed(Ann=True)
    assert token.arbiter.excluded == {"Ann": "held"}
    token.press("Bob", P)
    finish = token.settle()
    assert finish.winner == "Bob"
    assert finish.order == (Arrival("Bob", How.STAMPED, P, 0), Arrival("Ann", How.HELD, None, None))


def test_a_held_button_counts_again_once_it_came_up() -> None:
    token = armed(Ann=True)
    assert token.release("Ann", P) == [Freed("Ann")]
    token.press("Ann", P + S.bounce)
    assert token.settle().winner == "Ann"


def test_a_held_button_whose_release_was_lost_is_found_up() -> None:
    token = armed(Ann=True)
    assert token.time_is(P, {"Ann": True}) == token.time_is(P, {}) == []
    assert token.time_is(P, UP) == [Freed("Ann")]
    assert token.press("Ann", P + MILLISECOND) == [WakeAt(P + MILLISECOND + S.window)]


def test_up_in_the_middle_of_a_strike_counts_from_the_next_one() -> None:
    token = armed(Ann=True)
    token.press("Bob", P)
    assert token.release("Ann", P + MILLISECOND) == []
    assert token.time_is(P + S.window)[1:] == [Freed("Ann")]
    assert token.arbiter.finish == Finish(
        (Arrival("Bob", How.STAMPED, P, 0), Arrival("Ann", How.HELD, None, None)), S.margin, ()
    )
    assert token.arbiter.excluded == {}


@pytest.mark.parametrize("read", [0, 1, 15])
def test_a_press_made_while_the_levels_were_being_read_is_not_held(read: int) -> None:
    """Armed at T; the levels are read a little later, and the edge comes behind them."""
    token = armed(Ann=True)
    pressed = T + read * MILLISECOND
    assert token.press("Ann", pressed) == [WakeAt(pressed + S.window)]
    assert token.settle().winner == "Ann"
    assert token.arbiter.excluded == {}


def test_nor_where_its_edge_comes_in_the_middle_of_a_strike_or_behind_it() -> None:
    token = armed(Ann=True)
    token.press("Bob", T + 2 * MILLISECOND)
    assert token.press("Ann", T + MILLISECOND) == []
    assert token.settle().winner == "Ann"
    other = armed(Ann=True)
    other.press("Bob", T + 2 * MILLISECOND)
    assert other.settle().order[1].how is How.HELD
    [told] = other.press("Ann", T + MILLISECOND)
    assert isinstance(told, Amended)
    assert order(told.finish) == ["Ann", "Bob"]


def test_a_press_of_a_held_button_is_void() -> None:
    token = Token()
    token.press("Ann", T - 100 * MILLISECOND)
    token.arm(Ann=True)
    assert token.press("Ann", P) == [Void("Ann", P, "held")]
    assert token.arbiter.phase is Phase.ARMED


def test_everybody_held() -> None:
    token = armed(Ann=True, Bob=True, Cat=True, Dan=True)
    assert token.arbiter.excluded == dict.fromkeys(SEATS, "held")
    assert token.time_is(P) == []
    assert token.arbiter.phase is Phase.ARMED
    token.release("Dan", P)
    token.press("Dan", P + S.bounce)
    assert order(token.settle()) == ["Dan", "Ann", "Bob", "Cat"]


def test_nobody_presses() -> None:
    token = armed()
    assert token.time_is(T + 3_600_000 * MILLISECOND) == []
    assert token.arbiter.finish is None


def test_edges_from_before_arming_that_come_behind_it_change_nothing() -> None:
    token = armed(Ann=True)
    assert token.release("Ann", T - 90 * MILLISECOND) == []
    assert token.press("Ann", T - 50 * MILLISECOND) == [Void("Ann", T - 50 * MILLISECOND, "held")]
    assert token.press("Bob", T - 90 * MILLISECOND) == [Void("Bob", T - 90 * MILLISECOND, "idle")]
    assert token.arbiter.phase is Phase.ARMED
    assert token.arbiter.excluded == {"Ann": "held"}
    assert token.release("Bob", T - 50 * MILLISECOND) == []
    token.press("Bob", P)
    assert order(token.settle()) == ["Bob", "Ann"]


def test_at_the_very_moment_of_arming_a_press_counts() -> None:
    token = armed()
    assert token.press("Ann", T) == [WakeAt(T + S.window)]


def test_the_chatter_of_a_press_from_before_arming_is_told_once() -> None:
    token = armed()
    early = T - 20 * MILLISECOND
    told = [answer for number in range(6) for answer in token.edge("Ann", early + number, down=number % 2 == 0)]
    assert told == [Void("Ann", early, "idle")]


def test_not_even_in_the_middle_of_a_strike() -> None:
    token = armed()
    token.press("Bob", P)
    assert token.press("Ann", T - MILLISECOND) == [Void("Ann", T - MILLISECOND, "idle")]
    token.release("Ann", T - MILLISECOND // 2)
    token.press("Ann", P + MILLISECOND)
    assert order(token.settle()) == ["Bob", "Ann"]


@pytest.mark.parametrize("phase", [Phase.IDLE, Phase.ARMED, Phase.SETTLED])
def test_down_for_too_long_is_stuck_and_told_once(phase: Phase) -> None:
    token = settled() if phase is Phase.SETTLED else Token()
    if phase is Phase.ARMED:
        token.arm(T, Dan=True)
    else:
        token.press("Dan", P)
    since = T if phase is Phase.ARMED else P
    assert token.time_is(since + S.stuck_after - 1, {}) == []
    told = token.time_is(since + S.stuck_after, {"Dan": True})
    assert Stuck("Dan", since) in told
    assert token.arbiter.excluded["Dan"] == "stuck"
    assert Stuck("Dan", since) not in token.time_is(since + 2 * S.stuck_after, {"Dan": True})
    assert Freed("Dan") in token.release("Dan", since + 3 * S.stuck_after)


def test_a_stuck_button_stays_stuck_when_the_token_is_armed_again() -> None:
    token = settled()
    token.time_is(P + S.stuck_after)
    assert token.arm(P + 2 * S.stuck_after) == []
    assert token.arbiter.excluded == {"Ann": "stuck"}
    assert token.arm(P + 3 * S.stuck_after, Ann=False) == [Freed("Ann")]
    assert token.arbiter.excluded == {}


def test_a_button_that_is_up_is_not_stuck_whatever_edges_were_lost() -> None:
    token = settled()
    assert token.time_is(P + S.stuck_after, UP) == []
    assert token.arbiter.excluded == {}


def test_a_program_that_was_away_for_long_settles_first() -> None:
    token = armed()
    token.press("Ann", P)
    told = token.time_is(P + 2 * S.stuck_after)
    assert told == [Settled(Finish((Arrival("Ann", How.STAMPED, P, 0),), S.margin, ())), Stuck("Ann", P)]


def test_a_button_gets_stuck_in_the_middle_of_a_strike() -> None:
    token = armed(Dan=True)
    token.press("Ann", T + S.stuck_after - MILLISECOND)
    assert token.time_is(T + S.stuck_after, {}) == [Stuck("Dan", T)]
    assert order(token.settle()) == ["Ann", "Dan"]


def test_whoever_has_struck_is_never_held_as_well() -> None:
    token = armed(settings=Settings(stuck_after=S.window // 2))
    token.press("Ann", P)
    assert token.time_is(P + S.window // 2) == [Stuck("Ann", P)]
    assert token.settle().order == (Arrival("Ann", How.STAMPED, P, 0),)


# --- lost edges ------------------------------------------------------------------------------------------------


def test_down_without_an_edge_is_a_press_of_unknown_time() -> None:
    token = armed()
    token.press("Ann", P)
    token.press("Bob", P + 5 * MILLISECOND)
    token.levels["Cat"] = True
    finish = token.settle()
    assert finish.order == (
        Arrival("Ann", How.STAMPED, P, 0),
        Arrival("Bob", How.STAMPED, P + 5_000_000, 5_000_000),
        Arrival("Cat", How.UNTIMED, None, None),
    )
    assert (finish.tied, finish.winner, confidence(finish)) == (("Ann", "Cat"), "", "unknown")


def test_before_an_edge_is_called_lost_it_is_waited_for_once() -> None:
    token = armed()
    token.press("Ann", P)
    token.levels["Bob"] = True
    assert token.time_is(P + S.window) == [WakeAt(P + 2 * S.window)]
    token.press("Bob", P + S.window - MICROSECOND)
    finish = token.settle()
    assert (finish.winner, confidence(finish)) == ("Ann", "clear")


def test_who_was_down_without_an_edge_and_is_up_again_has_pressed() -> None:
    token = armed()
    token.press("Ann", P)
    token.time_is(P + S.window, {"Ann": True, "Bob": True})
    token.time_is(P + 2 * S.window, UP)
    assert token.arbiter.finish
    assert token.arbiter.finish.order[1] == Arrival("Bob", How.UNTIMED, None, None, released=True)


def test_who_comes_down_only_while_that_is_waited_for_is_late() -> None:
    token = armed()
    token.press("Ann", P)
    token.time_is(P + S.window, {"Ann": True, "Bob": True})
    token.time_is(P + 2 * S.window, {"Ann": True, "Bob": True, "Cat": True})
    assert token.arbiter.finish
    assert order(token.arbiter.finish) == ["Ann", "Bob"]


def test_the_edge_of_a_press_that_was_found_in_the_levels_tells_its_time_after_all() -> None:
    token = armed()
    token.press("Ann", P)
    token.levels["Bob"] = True
    assert confidence(token.settle()) == "unknown"
    [told] = token.press("Bob", P - 5 * MILLISECOND)
    assert isinstance(told, Amended)
    assert (token.settle().winner, confidence(token.settle())) == ("Bob", "clear")


def test_edges_behind_a_lost_release_that_come_when_the_press_was_found_are_no_late_press() -> None:
    token = let_go_unseen()
    token.press("Bob", P)
    token.levels["Ann"] = True
    assert confidence(token.settle()) == "unknown"
    assert token.edge("Ann", P - MILLISECOND, down=False, sure=False) == []
    assert token.press("Ann", P - MILLISECOND, sure=False) == []
    assert token.time_is(P + 100 * MILLISECOND) == []


@pytest.mark.parametrize("sure", [True, False])
def test_an_edge_that_comes_when_the_press_was_found_in_the_levels_is_no_second_one(sure: bool) -> None:
    token = armed()
    token.press("Ann", P)
    token.levels["Bob"] = True
    token.settle()
    later = P + 3 * S.window
    assert token.press("Bob", later, sure=sure) == []
    assert token.release("Bob", later + S.bounce) == []
    again = later + 2 * S.bounce
    assert token.press("Bob", again) == [Void("Bob", again, "late", again - P)]


def let_go_unseen(*seats: str) -> Token:
    """Ann has pressed long ago, and the edge with which she came up was lost."""
    token = Token(*seats)
    token.press("Ann", T - 300 * MILLISECOND)
    token.arm(Ann=False)
    return token


def test_a_lost_release_swallows_no_strike() -> None:
    token = let_go_unseen()
    token.edge("Ann", P, down=False, sure=False)
    assert token.press("Ann", P, sure=False) == [WakeAt(P + S.window)]
    assert token.settle().order == (Arrival("Ann", How.UNTIMED, None, None),)


def test_the_chatter_of_a_release_whose_first_edge_was_lost_is_no_strike() -> None:
    token = armed(Ann=True)
    token.edge("Ann", P, down=False, sure=False)
    token.press("Ann", P, sure=False)
    token.release("Ann", P + MILLISECOND)
    assert [type(answer) for answer in token.time_is(P + S.window)] == [WakeAt]
    assert token.time_is(P + 2 * S.window) == []
    assert (token.arbiter.phase, token.arbiter.excluded) == (Phase.ARMED, {})
    token.press("Ann", P + 100 * MILLISECOND)
    assert token.settle().winner == "Ann"


def test_a_late_press_behind_a_lost_release_is_named_when_it_has_stayed_down() -> None:
    token = settled()
    later = P + 300 * MILLISECOND
    token.edge("Ann", later, down=False, sure=False)
    assert token.press("Ann", later, sure=False) == [WakeAt(later + S.window)]
    assert token.time_is(later + S.window) == [Void("Ann", later, "late", later - P)]
    token.edge("Ann", later + 300 * MILLISECOND, down=False, sure=False)
    token.press("Ann", later + 300 * MILLISECOND, sure=False)
    token.release("Ann", later + 301 * MILLISECOND)
    assert token.time_is(later + 320 * MILLISECOND) == [], "that was the chatter of a release"


def test_the_chatter_of_an_unseen_release_does_not_stand_beside_a_strike() -> None:
    token = armed(Ann=True)
    token.press("Bob", P)
    token.edge("Ann", P + MILLISECOND, down=False, sure=False)
    token.press("Ann", P + MILLISECOND, sure=False)
    token.release("Ann", P + 2 * MILLISECOND)
    assert (token.settle().winner, confidence(token.settle())) == ("Bob", "clear")


# --- armed, and not free yet -----------------------------------------------------------------------------------


def filling(**frees: int) -> Token:
    token = armed()
    token.arbiter = token.arbiter._replace(frees=frees)
    return token


def test_before_its_seat_is_free_a_press_is_early_and_has_to_come_up() -> None:
    token = filling(Ann=P)
    assert token.press("Ann", P - MILLISECOND) == [Void("Ann", P - MILLISECOND, "early", -MILLISECOND)]
    assert token.arbiter.phase is Phase.ARMED
    assert token.arbiter.excluded == {"Ann": "early"}
    assert token.release("Ann", P + 100 * MILLISECOND) == []
    assert token.press("Ann", P + 200 * MILLISECOND) == [WakeAt(P + 220 * MILLISECOND)]


def test_another_seat_may_strike_meanwhile() -> None:
    token = filling(Ann=P + MILLISECOND)
    token.press("Bob", P)
    assert token.press("Ann", P) == [Void("Ann", P, "early", -MILLISECOND)]
    finish = token.settle()
    assert (finish.winner, finish.order[1].how) == ("Bob", How.HELD)


def test_an_early_stamp_that_comes_late_puts_no_strike_right() -> None:
    token = filling(Ann=P, Bob=P)
    token.press("Bob", P)
    token.settle()
    assert token.press("Ann", P - 1) == [Void("Ann", P - 1, "early", -1)]
    assert token.settle().winner == "Bob"


def test_an_unsure_edge_is_a_press_of_unknown_time() -> None:
    token = armed()
    token.press("Ann", P)
    token.press("Bob", P - 5 * MILLISECOND, sure=False)
    finish = token.settle()
    assert finish.order[1] == Arrival("Bob", How.UNTIMED, None, None)
    assert finish.tied == ("Ann", "Bob")


def test_one_of_unknown_time_alone_needs_no_time() -> None:
    token = armed()
    token.press("Bob", P, sure=False)
    finish = token.settle()
    assert (finish.winner, finish.tied, confidence(finish)) == ("Bob", (), "unknown")


def test_two_of_unknown_time_tie() -> None:
    token = armed()
    token.press("Bob", P, sure=False)
    token.press("Ann", P + MILLISECOND, sure=False)
    assert token.settle().tied == ("Ann", "Bob")


# --- the oracle ------------------------------------------------------------------------------------------------


def test_the_arbiter_says_what_the_oracle_says() -> None:
    for number, truth in strikes(3_000, seed=7):
        assert ruled(truth) == verdict(truth), number


@given(
    st.lists(
        st.tuples(
            st.sampled_from((*SEATS, "nobody")),
            st.integers(-40, 200),
            st.booleans(),
            st.booleans(),
            st.sampled_from(("edge", "edge", "edge", "time", "arm")),
        ),
        max_size=40,
    )
)
def test_whatever_happens_there_is_one_winner_or_a_reason(happens: list[tuple[str, int, bool, bool, str]]) -> None:
    arbiter = Arbiter(SEATS)
    for seat, at, down, sure, what in happens:
        when = T + at * MILLISECOND
        levels = {seat: down} if seat in SEATS else {}
        match what:
            case "edge":
                arbiter, answers = machine.edge(arbiter, seat, when, down=down, sure=sure)
            case "time":
                arbiter, answers = machine.time_is(arbiter, when, levels)
            case _:
                arbiter, answers = machine.arm(arbiter, when, levels)
        finishes = [answer.finish for answer in answers if isinstance(answer, Settled)]
        assert (arbiter.finish is not None) == (arbiter.phase is Phase.SETTLED)
        for finish in finishes:
            assert bool(finish.winner) != bool(finish.tied)
            assert finish.order[0].how is not How.HELD
            assert len(set(order(finish))) == len(finish.order)

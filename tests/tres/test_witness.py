"""What the witness makes of what is told to it: moves, calls, questions, and none of them guessed."""

import pytest

from companion.core.requests import Undo
from companion.games.tres.rules import Catch, Draw, Fill, House, Keep, Play, Tres
from companion.watch.bench import Bench
from companion.watch.messages import Really
from tests.tres.told_table import STEP, ToldTable
from vision.sightings import GridSeen, HandsSeen, TableLost, TableSeen


def begun(**more: object) -> ToldTable:
    return ToldTable(**more).begin()  # type: ignore[arg-type]


def test_the_match_is_dealt_when_three_cards_lie_there_and_somebody_deals() -> None:
    table = begun()
    assert table.line == ["dealer", "deal"]
    assert table.state.table == ("red-5", "blue-8", "green-2")
    assert (table.state.turn, table.asked) == ("Ben", [])


def test_two_cards_are_a_play_as_soon_as_they_lie_there() -> None:
    table = begun().lays("Ben", 4, "red-6").lays("Ben", 7, "blue-7").wait(0.3)
    assert table.moves[-1] == Play("Ben", "red-5", ("red-6", "blue-7"), at=table.moves[-1].at)
    assert table.hands["Ben"] == 5


def test_one_card_is_a_play_when_the_table_card_is_gone_with_it() -> None:
    table = begun().lays("Ben", 4, "red-6").wait(4)
    assert table.line[-1] == "deal"
    table.lifts(1, 4).wait(0.4)
    assert table.line[-1] == "play"
    table.fills("Clara", 1, "yellow-1").wait(0.3)
    assert (table.line[-1], table.state.phase, table.state.turn) == ("fill", "turn", "Clara")
    assert table.state.table == ("blue-8", "green-2", "yellow-1")


def test_a_play_that_is_no_run_is_called_and_told_when_it_is_off_again() -> None:
    table = begun().lays("Ben", 4, "red-9").lays("Ben", 7, "blue-7").wait(0.5)
    assert (table.fouls, table.line[-1]) == (["not-consecutive"], "deal")
    table.lifts(4, 7).wait(1.5)
    assert table.put_right == [(4, "red-9"), (7, "blue-7")]
    table.plays("Ben", 2, "blue-9")
    assert (table.fouls, table.line[-1]) == (["not-consecutive"], "play")


def test_one_card_that_does_not_fit_may_be_the_first_of_two() -> None:
    table = begun().lays("Ben", 4, "red-7").wait(2).lays("Ben", 7, "green-6").wait(0.5)
    assert (table.fouls, table.line[-1]) == ([], "play")
    other = begun().lays("Ben", 4, "red-7").wait(5)
    assert other.fouls == ["not-consecutive"]


def test_what_was_swept_up_wrongly_is_put_back() -> None:
    table = begun().plays("Ben", 1, "red-9", "blue-7").lays("Ben", 1, "red-5").wait(1.5)
    assert (table.fouls, table.asked) == (["not-consecutive"], [])
    assert table.put_right
    table.plays("Ben", 1, "red-6").fills("Clara", 1, "red-7")
    assert table.line[-2:] == ["play", "fill"]


def test_a_card_that_is_taken_back_is_none() -> None:
    table = begun().lays("Ben", 4, "red-6").wait(1).lifts(4).wait(1.5)
    assert (table.line[-1], table.fouls, table.asked) == ("deal", [], [])
    table.plays("Ben", 2, "blue-9")
    assert table.state.table == ("red-5", "green-2")


def test_two_cards_that_counted_and_are_taken_back_are_undone() -> None:
    table = begun().lays("Ben", 4, "red-6").lays("Ben", 7, "blue-7").wait(0.5).lifts(4, 7).wait(4)
    assert (table.line[-1], table.hands["Ben"], table.state.turn) == ("deal", 7, "Ben")
    table.plays("Ben", 1, "red-6", "blue-7").fills("Clara", 1, "red-7")
    assert table.hands["Ben"] == 5


def test_whoever_sweeps_up_the_own_card_first_has_played_it() -> None:
    table = begun().lays("Ben", 4, "red-6").wait(0.5).lifts(4).wait(1.5).lifts(1).wait(0.5)
    assert table.line[-1] == "play"


def test_hands_at_the_pile_draw_for_whoever_has_the_turn() -> None:
    table = begun().draws("Ben")
    assert (table.line[-1], table.state.phase, table.hands["Ben"]) == ("draw", "drawn", 8)
    table.plays("Ben", 1, "red-6")
    assert (table.line[-1], table.hands["Ben"]) == ("play", 7)


def test_the_next_player_ends_a_turn_in_which_a_card_was_drawn() -> None:
    table = begun().draws("Ben").draws("Clara")
    assert table.line[2:] == ["draw", "keep", "draw"]
    table.plays("Anna", 3, "green-3", "blue-4")
    assert table.line[5:] == ["keep", "play"]
    assert table.hands == {"Anna": 5, "Ben": 8, "Clara": 8}


def test_the_hand_that_turns_up_a_card_has_drawn_none() -> None:
    table = begun().plays("Ben", 1, "red-6").fills("Clara", 1, "yellow-1").wait(2)
    assert (table.line[-1], table.state.phase) == ("fill", "turn")


def test_a_draw_that_nobody_saw_is_asked_for() -> None:
    """Clara plays, and it is Ben's turn."""
    table = begun().plays("Clara", 1, "red-6").wait(10)
    assert (table.asked, table.line[-1]) == (["who-plays"], "deal")
    table.say(Draw("Ben"))
    table.wait(1)
    assert (table.asked, table.line[2:]) == ([], ["draw", "keep", "play"])
    assert table.hands == {"Anna": 7, "Ben": 8, "Clara": 6}


def test_hands_at_the_pile_may_have_drawn_where_the_next_player_goes_on() -> None:
    table = begun().at_the_pile("Clara", otherwise=0.0).wait(1)
    assert table.line[-1] == "deal"
    table.plays("Clara", 1, "red-6").fills("Anna", 1, "red-1")
    assert table.line[-1] == "fill"
    assert (table.asked, table.line[2:]) == ([], ["draw", "keep", "play", "fill"])


def test_whoever_turns_up_the_next_card_tells_whose_the_play_was() -> None:
    """Nobody saw whose arm it was, behind a draw of Ben's."""
    table = begun().draws("Ben").plays("", 1, "red-6").wait(1)
    assert table.line[-1] == "draw"
    other = begun().draws("Ben").plays("", 1, "red-6")
    table.fills("Clara", 1, "yellow-1").wait(1)
    assert table.line[2:] == ["draw", "play", "fill"]
    other.fills("Anna", 1, "yellow-1").wait(1)
    assert other.line[2:] == ["draw", "keep", "play", "fill"]


def test_what_is_due_is_drawn_once_however_many_hands_it_takes() -> None:
    table = begun().plays("Ben", 1, "plus3", "blue-4").draws("Clara").draws("Clara").draws("Clara")
    assert (table.line[-1], table.hands["Clara"], table.state.phase) == ("take", 10, "fill")
    table.fills("Clara", 1, "yellow-1").draws("Clara")
    assert (table.line[-1], table.hands["Clara"]) == ("draw", 11)


def test_an_action_that_turns_up_acts() -> None:
    table = begun().plays("Ben", 1, "red-6").fills("Clara", 1, "reverse")
    assert (table.state.turn, table.state.direction) == ("Ben", -1)
    table.plays("Ben", 2, "blue-9").fills("Anna", 2, "plus3").draws("Anna")
    assert (table.line[-1], table.hands["Anna"], table.state.phase) == ("take", 10, "turn")
    table.wait(2).draws("Anna")
    assert (table.line[-1], table.hands["Anna"]) == ("draw", 11)


def test_what_is_due_and_was_not_seen_is_asked_for() -> None:
    table = begun().plays("Ben", 1, "plus3", "blue-4").lays("Clara", 1, "yellow-1").wait(1)
    assert (table.asked, table.line[-1]) == (["due"], "play")
    table.at_the_pile("Clara").wait(1)
    assert (table.asked, table.line[-2:]) == ([], ["take", "fill"])


def test_two_cards_behind_a_draw_are_asked_for_and_not_called() -> None:
    table = begun().draws("Ben").plays("Ben", 1, "red-6", "blue-7").wait(10)
    assert (table.asked, table.fouls) == (["drawn-and-two"], [])
    table.say(Undo(at=table.now))
    table.wait(1)
    assert (table.asked, table.line[2:], table.hands["Ben"]) == ([], ["play"], 5)


def test_a_table_card_that_is_gone_is_asked_for() -> None:
    table = begun().lifts(2).wait(3)
    assert (table.asked, table.line[-1]) == (["card-gone"], "deal")
    table.say(Play("Ben", "blue-8", ("blue-9",)))
    table.wait(0.5)
    assert (table.asked, table.state.table) == ([], ("red-5", "green-2"))
    table.fills("Clara", 2, "yellow-1")
    assert table.line[-2:] == ["play", "fill"]


def test_a_card_that_is_read_again_otherwise_is_corrected() -> None:
    table = begun()
    table.see(table.shows(2, "blue-3"))
    table.wait(1.5)
    assert table.state.table == ("red-5", "blue-3", "green-2")
    assert table.line == ["dealer", "deal"]


def test_a_card_in_doubt_is_made_out_by_what_can_lie_there() -> None:
    table = begun(table=("yellow-4", "blue-8", "green-2"))
    table.wait(1).cannot_read(4, ("yellow-3", 0.9), ("yellow-5", 0.1)).wait(1)
    assert (table.eye.believed, table.asked) == ({4: "yellow-3"}, [])
    other = begun(table=("yellow-4", "blue-8", "green-2")).wait(1)
    other.cannot_read(4, ("yellow-3", 0.5), ("yellow-5", 0.45)).wait(1)
    assert (other.eye.believed, other.asked) == ({}, ["cannot-read"])
    other.say(Really(4, "?", "yellow-5", at=other.now))
    other.lifts(1, 4).wait(0.5)
    assert (other.asked, other.line[-1], other.state.discards) == ([], "play", ("yellow-4", "yellow-5"))


def test_a_card_face_down_is_told() -> None:
    table = begun()
    table.see(table.shows(4, "?", "Ben"))
    table.wait(0.5)
    assert table.asked == ["face-down"]
    table.lays("Ben", 4, "red-6").wait(0.5)
    assert table.asked == []


def test_a_hand_that_stays_on_the_pile_is_told_and_draws_when_it_is_off() -> None:
    table = begun().cell(10, "covered").wait(9)
    assert table.asked == ["hand-stays"]
    table.cell(10, "clear").at_the_pile("Ben", 9).wait(0.5)
    assert (table.asked, table.line[-1]) == ([], "draw")


def test_cards_below_two_cards_of_the_table_are_asked_for() -> None:
    table = begun().lays("Ben", 4, "red-6").lays("Ben", 5, "blue-9").wait(2)
    assert (table.asked, table.line[-1]) == (["two-columns"], "deal")
    table.lifts(4).wait(2)
    assert table.asked == []


def test_tres_is_said_by_whoever_goes_on_before_the_last_turn_is_over() -> None:
    table = begun(names=("Anna", "Ben")).draws("Ben")
    table.say(Tres("Anna"))
    table.wait(0.2)
    assert table.line[2:] == ["draw", "keep", "tres"]
    assert table.fouls == []


def test_a_catch_waits_for_the_play_that_leaves_three() -> None:
    table = begun(names=("Anna", "Ben")).plays("Ben", 1, "red-6", "blue-7").fills("Anna", 1, "red-1").draws("Anna")
    table.plays("Ben", 1, "red-9").fills("Anna", 1, "red-4").draws("Anna").lays("Ben", 4, "blue-3").wait(0.5)
    table.say(Catch("Anna", "Ben"))
    assert (table.line[-1], table.fouls, table.hands["Ben"]) == ("draw", [], 4)
    table.lifts(1, 4).wait(0.5)
    assert (table.line[-1], table.fouls) == ("catch", [])
    assert table.state.dues[0].player == "Ben"


def test_without_seats_every_hand_at_the_pile_is_of_the_turn() -> None:
    table = begun(seated=False).at_the_pile().wait(0.5)
    assert (table.line[-1], table.hands["Ben"]) == ("draw", 8)
    table.at_the_pile().wait(0.5)
    assert table.line[2:] == ["draw", "keep", "draw"]


def test_cards_that_are_only_counted_are_no_game_for_a_camera() -> None:
    table = begun(house=House(cards="counted"))
    assert table.asked == ["counted"]


def test_another_witness_goes_on_from_the_match() -> None:
    """As after a fault: it reads the table, and knows by the match what lies there."""
    table = begun().plays("Ben", 1, "red-6").fills("Clara", 1, "yellow-1").lays("Clara", 5, "blue-9").wait(1)
    lost(table.bench)
    table.see(grid(table))
    table.wait(0.5).lifts(2, 5).wait(0.5)
    assert (table.line[-1], table.state.table) == ("play", ("green-2", "yellow-1"))
    table.fills("Anna", 2, "skip")
    assert table.state.turn == "Ben"


@pytest.mark.parametrize("phase", ["deal", "turn", "drawn", "fill"])
def test_the_table_may_be_lost_and_found_again(phase: str) -> None:
    table = begun()
    if phase == "drawn":
        table.draws("Ben")
    elif phase == "fill":
        table.plays("Ben", 1, "red-6")
    table.see(TableLost(table.now, 0, "It is gone."))
    assert table.asked == ["table"]
    table.wait(2)
    table.see(TableSeen(table.now, 0, None, moved=False))  # type: ignore[arg-type]
    assert table.eye.anew == [()]
    table.see(grid(table))
    table.wait(0.3)
    assert table.asked == []
    table.plays(table.state.turn, 2, "blue-9") if phase != "fill" else table.fills("Clara", 1, "blue-9")
    assert table.line[-1] == ("fill" if phase == "fill" else "play")


def lost(bench: Bench) -> None:
    """Its witness has lost his head."""
    bench._witness = bench._another_witness()


def grid(table: ToldTable) -> GridSeen:
    return GridSeen(table.now, 0, tuple(table.looks.values()))


def test_a_card_taken_by_nobody_knows_whom_was_drawn_by_whoever_has_the_turn() -> None:
    table = begun().at_the_pile().wait(1)
    assert (table.line[-1], table.hands["Ben"]) == ("draw", 8)
    table.at_the_pile().wait(1)
    assert (table.line[-2:], table.hands["Clara"]) == (["keep", "draw"], 8)


def test_a_hand_that_passes_over_the_pile_draws_nothing() -> None:
    table = begun().at_the_pile("Ben", otherwise=0.0).at_the_pile("", otherwise=0.0).wait(1)
    assert table.line[-1] == "deal"
    table.plays("Ben", 1, "red-6", "blue-7")
    assert (table.line[-1], table.asked) == ("play", [])


def test_who_draws_twice_is_asked_about() -> None:
    table = begun(names=("Anna", "Ben")).draws("Ben").wait(2).draws("Ben")
    assert (table.line[2:], table.asked) == (["draw"], ["drawn-twice"])
    table.say(Keep("Ben"))
    table.say(Draw("Anna"))
    table.wait(0.5)
    assert (table.line[2:], table.asked) == (["draw", "keep", "draw", "keep", "draw"], [])


def test_the_hand_that_turns_up_a_card_that_makes_draw_has_not_drawn_yet() -> None:
    """It is told later than the card that it turned up."""
    table = begun().plays("Ben", 1, "red-6").wait(0.5)
    since = table.now
    table.lays("Clara", 1, "plus3").wait(0.3)
    table.see(HandsSeen(table.now, 0, 10, since, since + STEP, ("top",), 0.3))
    table.wait(0.5)
    assert (table.line[-1], table.state.phase) == ("fill", "pay")
    table.draws("Clara")
    assert (table.line[-1], table.hands["Clara"]) == ("take", 10)


def test_a_card_that_was_turned_up_and_not_read_may_be_said() -> None:
    table = begun().plays("Ben", 1, "red-6").at_the_pile("Clara").cannot_read(1).wait(2)
    assert table.asked == ["cannot-read"]
    table.draws("Clara")
    assert (table.line[-1], table.state.phase) == ("play", "fill")
    table.say(Fill("Clara", "yellow-3"))
    table.wait(1)
    assert (table.asked, table.line[-2:], table.hands["Clara"]) == ([], ["fill", "draw"], 8)
    assert table.eye.known == {1: "yellow-3"}


def test_what_is_played_behind_a_refusal_is_ruled_on_alone() -> None:
    table = begun().lays("Ben", 4, "red-9").lays("Ben", 7, "blue-7").wait(0.5).lifts(7, 4)
    table.lays("Ben", 4, "red-6").wait(0.5)
    assert table.put_right == [(7, "blue-7"), (4, "red-9")]
    table.lifts(1, 4).wait(1)
    assert (table.fouls, table.line[-1], table.hands["Ben"]) == (["not-consecutive"], "play", 6)


def test_what_was_swept_up_wrongly_and_is_left_off_is_asked_for() -> None:
    table = begun().plays("Ben", 1, "red-9", "blue-7").wait(6)
    assert table.asked == ["card-gone"]
    table.draws("Clara")
    assert table.line[-1] == "deal"
    table.lays("Ben", 1, "red-5").wait(1)
    assert (table.asked, table.fouls) == ([], ["not-consecutive"])


def test_whoever_fills_the_table_puts_right_whose_the_play_was() -> None:
    """Ben has drawn and plays the card, and his arm is taken for Clara's; or the other way round."""
    table = begun().draws("Ben").plays("Clara", 1, "red-6")
    assert table.line[2:] == ["draw", "keep", "play"]
    table.fills("Clara", 1, "yellow-1").wait(0.5)
    assert table.line[2:] == ["draw", "play", "fill"]
    assert (table.hands["Ben"], table.hands["Clara"], table.state.turn) == (7, 7, "Clara")
    other = begun().draws("Ben").plays("Ben", 1, "red-6").fills("Anna", 1, "yellow-1").wait(0.5)
    assert other.line[2:] == ["draw", "keep", "play", "fill"]
    assert (other.hands["Ben"], other.hands["Clara"], other.state.turn) == (8, 6, "Anna")


def test_the_same_card_may_turn_up_behind_the_one_that_was_played_with() -> None:
    """Before it was ruled on whose play that was: the deck has each card twice."""
    table = begun().draws("Ben").plays("", 1, "red-6")
    assert table.line[-1] == "draw"
    table.fills("Clara", 1, "red-5").wait(1)
    assert (table.line[2:], table.asked) == (["draw", "play", "fill"], [])

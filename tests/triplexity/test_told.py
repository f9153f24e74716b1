"""A witness of Triplexity to whom it is told what lies where, no pixels."""

import numpy as np
import pytest

from companion.core.clocks import SECOND
from companion.core.replies import RulingReply
from companion.core.requests import Correct, MoveMessage, Undo
from companion.games import game
from companion.games.triplexity.hands import write_script
from companion.games.triplexity.rules import Put, Shift
from companion.games.triplexity.witness import STAYS
from companion.watch.evidence import InStep, Noticed, OutOfStep, PutRight, Statement
from tests.triplexity.scene import ANNA, BEN, CENTRE, FOREIGN, LEFT, OPENING, RIGHT, Scene
from tests.triplexity.watched import Noise, Tally, judged, told
from vision.locate import TableView
from vision.mat import STACKS
from vision.sightings import (
    CannotRead,
    CardSeen,
    CellNow,
    GridSeen,
    TableLost,
    TableSeen,
)


@pytest.mark.parametrize("seed", range(8))
def test_every_move_is_ruled_on_as_it_was_made(seed: int) -> None:
    """Refused, forgotten, taken back, slipped, two rounds and more: whatever bots do."""
    tally = judged(told(write_script(seed), seed=seed))
    assert tally.faults == []
    assert tally.seen == tally.moves > 0
    assert (tally.scores, tally.touches) == (1, 0)


def test_arms_that_are_not_known_make_questions_and_no_rulings() -> None:
    """One arm of five is not known, and one of fifty is taken for another side's: what only the arm tells is asked."""
    total = Tally()
    trouble = {"taken back": 0.3, "illegal": 0.2}
    for seed in range(10):
        script = write_script(seed, rounds=1, trouble=trouble)
        total.add(judged(told(script, Noise(armless=0.2, wrong_arm=0.02), seed)))
    assert total.asked >= total.touches > 0
    assert total.wrong <= total.rulings // 50


def test_the_opening_is_placed_by_whose_pieces_they_are() -> None:
    scene = Scene().opened()
    assert scene.match.line[0].move.player == "Anna"
    assert [[piece.up for piece in stack] for stack in scene.match.state.stacks] == [[1, 2, 5], [4, 6], [3]]
    assert scene.turn == "Anna"


def test_a_piece_that_is_turned_over_on_its_way_is_moved() -> None:
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT)
    assert scene.match.line[-1].move.source == "left"
    assert scene.match.state.stacks[2][-1].up == 2
    assert scene.turn == "Ben"
    statement = [act for act in scene.acts if isinstance(act, Statement)][-1]
    assert statement.evidence is not None
    assert (statement.evidence.guess, statement.evidence.cell, statement.evidence.card) == ("Anna", RIGHT, "blue-2")


def test_the_basic_game_does_not_care_which_side_is_up() -> None:
    scene = Scene("basic").opened()
    scene.move(ANNA, LEFT, RIGHT, "blue-5")
    scene.move(BEN, CENTRE, LEFT)
    assert [done.move.word for done in scene.match.line[-2:]] == ["shift", "shift"]
    assert scene.codes() == []


def test_who_forgets_to_turn_it_over_is_told_and_it_counts_when_it_is() -> None:
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT, "blue-5", seconds=3)
    assert scene.codes() == ["unturned"]
    assert scene.turn == "Anna"
    assert "shows blue-2" in next(act.way_back for act in scene.acts if isinstance(act, OutOfStep))
    scene.stacks[RIGHT][-1] = "blue-2"
    scene.shows(RIGHT, arm=ANNA)
    assert scene.turn == "Ben"
    assert scene.codes(InStep) == ["unturned"]


def test_the_forbidden_move_is_called_and_told_when_it_is_put_back() -> None:
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT)
    scene.move(BEN, RIGHT, LEFT)
    assert scene.fouls == ["moved-back"]
    scene.wait(5)
    assert scene.codes() == []
    scene.move(BEN, LEFT, RIGHT)
    assert [(act.cell, act.place) for act in scene.acts if isinstance(act, PutRight)] == [(LEFT, "left")]
    scene.move(BEN, LEFT, CENTRE)
    assert scene.turn == "Anna"
    assert scene.fouls == ["moved-back"]


def test_a_refused_piece_may_go_on_to_a_place_that_is_allowed() -> None:
    scene = Scene("basic", rounds=2).opened()
    scene.move(ANNA, CENTRE, LEFT)  # a fourth piece
    assert scene.fouls == ["stack-full"]
    scene.move(ANNA, LEFT, RIGHT)
    assert (scene.match.line[-1].move.source, scene.match.line[-1].move.target) == ("centre", "right")
    assert scene.fouls == ["stack-full"]
    assert len([act for act in scene.acts if isinstance(act, PutRight)]) == 1


def test_whoever_moved_last_takes_it_back() -> None:
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT)
    scene.move(ANNA, RIGHT, LEFT)
    assert len(scene.match.line) == len(OPENING)
    assert scene.turn == "Anna"
    assert scene.fouls == []


def test_a_piece_that_is_back_by_nobody_knows_whom_is_asked_about() -> None:
    """It is taken back, or it is moved back, which is forbidden: the same to look at."""
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT)
    scene.move("", RIGHT, LEFT)
    assert scene.codes() == ["whose"]
    assert scene.fouls == []
    scene.say(Undo())
    scene.wait()
    assert scene.codes(InStep) == ["whose"]
    assert scene.turn == "Anna"


def test_the_other_players_hand_in_ones_turn_is_called() -> None:
    scene = Scene().opened()
    scene.move(BEN, CENTRE, RIGHT)
    assert scene.fouls == ["not-your-turn"]
    scene.move(BEN, RIGHT, CENTRE)
    assert len([act for act in scene.acts if isinstance(act, PutRight)]) == 1
    assert scene.turn == "Anna"


def test_a_piece_placed_and_taken_off_again_is_undone() -> None:
    scene = Scene()
    scene.put(ANNA, LEFT, "red-1")
    scene.take(ANNA, LEFT)
    assert scene.match.line == []
    scene.put(ANNA, CENTRE, "red-6")
    assert [done.move.up for done in scene.match.line] == [6]
    assert scene.codes() == []


def test_a_pile_that_is_knocked_over_is_told_with_what_must_lie_there() -> None:
    scene = Scene().opened()
    scene.stacks = {LEFT: ["red-1"], CENTRE: ["blue-4", "blue-6"], RIGHT: ["red-3"]}
    scene.shows(LEFT, seconds=4)
    assert scene.codes() == ["missing"]
    scene.stacks[LEFT] += ["red-2", "blue-5"]
    scene.shows(LEFT, arm=ANNA)
    assert scene.codes(InStep) == ["missing"]
    assert len(scene.match.line) == len(OPENING)
    scene.stacks = {LEFT: [], CENTRE: ["blue-5"], RIGHT: ["red-6"]}
    scene.shows(LEFT, CENTRE, RIGHT, seconds=4)
    scene.wait(3)
    assert len(scene.match.line) == len(OPENING)
    way_back = [act.way_back for act in scene.acts if isinstance(act, OutOfStep)][-1]
    assert "red-1, red-2, blue-5 on the left" in way_back
    scene.stacks = {LEFT: ["red-1", "red-2", "blue-5"], CENTRE: ["blue-4", "blue-6"], RIGHT: ["red-3"]}
    scene.shows(LEFT, CENTRE, RIGHT)
    assert len(scene.match.line) == len(OPENING)
    scene.move(ANNA, LEFT, RIGHT)
    assert scene.turn == "Ben"


def test_a_piece_of_a_third_colour_is_told() -> None:
    scene = Scene().opened()
    scene.put(ANNA, RIGHT, FOREIGN)
    assert scene.codes() == ["unknown"]
    assert scene.fouls == []
    scene.take(ANNA, RIGHT)
    assert scene.codes(InStep) == ["unknown"]
    scene.move(ANNA, LEFT, RIGHT)
    assert scene.turn == "Ben"


def test_a_piece_that_cannot_be_read_is_told() -> None:
    scene = Scene()
    scene.cells[LEFT] = CellNow("unreadable", scene.now)
    scene.see(CannotRead(scene.now, 0, LEFT, "it cannot be made out", ()))
    assert scene.codes() == ["cannot-read"]
    scene.cells[LEFT] = CellNow("clear", scene.now)
    scene.put(ANNA, LEFT, "red-1")
    assert scene.codes(InStep) == ["cannot-read"]
    assert len(scene.match.line) == 1


def test_a_hand_that_stays_on_the_pile_is_told() -> None:
    scene = Scene().opened()
    scene.cells[CENTRE] = CellNow("covered", scene.now)
    scene.wait(STAYS / SECOND - 0.5)
    assert scene.codes() == []
    scene.wait(1)
    assert scene.codes() == ["covered"]
    scene.cells[CENTRE] = CellNow("clear", scene.now)
    scene.wait()
    assert scene.codes(InStep) == ["covered"]


def test_another_witness_in_mid_match_goes_on_from_the_match() -> None:
    for play in ("basic", "advanced"):
        scene = Scene(play).opened()
        scene.move(ANNA, LEFT, RIGHT)
        scene.another_witness()
        scene.move(BEN, LEFT, RIGHT)
        scene.move(ANNA, CENTRE, LEFT)
        assert scene.turn == "Ben"
        assert scene.codes() == []
        assert scene.fouls == []


def test_another_witness_who_sees_something_else_says_what_must_lie_there() -> None:
    scene = Scene().opened()
    scene.stacks[RIGHT].append("red-5")
    scene.another_witness()
    scene.wait(3)
    assert scene.codes() == ["differs"]
    scene.take("", RIGHT)
    assert scene.codes(InStep) == ["differs"]


def test_what_people_undo_on_the_screen_is_to_be_put_back() -> None:
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT)
    scene.say(Undo())
    scene.wait(4)
    assert scene.codes() == ["differs"]
    scene.move(ANNA, RIGHT, LEFT)
    assert scene.codes(InStep) == ["differs"]
    assert len(scene.match.line) == len(OPENING)


def test_what_is_typed_and_then_done_is_one_move() -> None:
    scene = Scene().opened()
    scene.say(MoveMessage(Shift("Anna", "left", "right"), None, ""))
    scene.wait(0.5)
    scene.move(ANNA, LEFT, RIGHT)
    assert len(scene.match.line) == len(OPENING) + 1
    assert scene.fouls == []


def test_a_correction_that_the_table_agrees_with_is_no_trouble() -> None:
    scene = Scene()
    scene.put(ANNA, LEFT, "red-1")
    scene.say(Correct(1, {"move": "put", "player": "Anna", "place": "centre", "up": 1}))
    scene.wait(3)
    assert scene.codes() == ["differs"]
    scene.move(ANNA, LEFT, CENTRE, "red-1")
    assert scene.codes(InStep) == ["differs"]
    assert len(scene.match.line) == 1


def test_a_table_that_was_lost_is_compared_when_it_is_back() -> None:
    scene = Scene().opened()
    scene.see(TableLost(scene.now, 0, "I see no marker of a mat."))
    scene.move(ANNA, LEFT, RIGHT)
    assert len(scene.match.line) == len(OPENING)
    view = TableView(np.zeros((3, 4, 2), np.float32), "markers", STACKS, "", STACKS.shape)
    scene.see(TableSeen(scene.now, 0, view, moved=False))
    scene.see(GridSeen(scene.now, 0, tuple(scene.looks.values())))
    scene.wait()
    assert scene.codes(InStep) == ["table"]
    assert scene.turn == "Ben"


def test_a_won_round_is_cleared_before_the_next_one_begins() -> None:
    scene = Scene("basic", rounds=2)
    for arm, place, face in (
        *((ANNA, LEFT, "red-1"), (BEN, RIGHT, "blue-1"), (ANNA, LEFT, "red-2")),
        *((BEN, RIGHT, "blue-2"), (ANNA, LEFT, "red-3")),
    ):
        scene.put(arm, place, face)
    assert scene.match.state.rounds_played == 1
    assert [act.code for act in scene.acts if isinstance(act, Noticed)] == ["clear"]
    for place in (LEFT, RIGHT, LEFT, RIGHT, LEFT):
        scene.take(BEN, place)
    scene.wait(4)
    assert len(scene.match.line) == 5
    assert scene.codes() == []
    scene.put(BEN, LEFT, "blue-3")
    assert scene.match.line[-1].move.player == "Ben"


def test_what_was_put_back_unseen_is_under_what_came_to_lie_there() -> None:
    """Glare lies over the centre while a piece is moved from there, which is called, and moved back."""
    scene = Scene()
    scene.put(ANNA, CENTRE, "red-1")
    since = scene.now
    scene.stacks = {LEFT: ["red-6"], CENTRE: [], RIGHT: []}
    scene.cells[CENTRE] = CellNow("covered", since)
    scene.shows(LEFT, arm=BEN)
    scene.stacks = {LEFT: [], CENTRE: ["red-1"], RIGHT: []}
    scene.shows(LEFT)
    scene.wait(2)
    scene.stacks[CENTRE].append("blue-4")
    scene.cells[CENTRE] = CellNow("clear", scene.now)
    before, scene.looks[CENTRE] = scene.looks[CENTRE], scene.look(CENTRE)
    scene.see(CardSeen(scene.now, 0, CENTRE, before, scene.looks[CENTRE], since, ("top",), scene.now))
    scene.wait()
    assert scene.fouls == ["place-first"]
    assert [[piece.up for piece in stack] for stack in scene.match.state.stacks] == [[], [1, 4], []]
    assert scene.codes() == []


def test_what_is_said_where_the_table_was_not_understood_is_so() -> None:
    scene = Scene().opened()
    scene.stacks = {LEFT: ["red-1", "red-2"], CENTRE: ["blue-4"], RIGHT: ["red-3", "blue-2"]}
    scene.shows(LEFT, CENTRE, RIGHT, seconds=4)  # nobody saw where the one in the middle went
    assert scene.codes() == ["unsure"]
    scene.say(Undo())
    scene.say(MoveMessage(Put("Ben", "right", 2), None, ""))
    scene.wait()
    assert scene.codes(InStep) == []
    scene.stacks[CENTRE].append("blue-6")
    scene.shows(CENTRE)
    assert scene.codes(InStep) == ["unsure"]
    scene.move(ANNA, LEFT, RIGHT)
    assert scene.turn == "Ben"


def test_the_next_round_may_begin_as_soon_as_the_last_piece_is_off() -> None:
    """A hand takes it and lays another one, and the bare mat is not seen; but not while others lie there."""
    scene = Scene("basic", rounds=2)
    for arm, place, face in (
        *((ANNA, LEFT, "red-1"), (BEN, RIGHT, "blue-1"), (ANNA, LEFT, "red-2")),
        *((BEN, LEFT, "blue-2"), (ANNA, CENTRE, "red-3"), (BEN, RIGHT, "blue-3")),
    ):
        scene.put(arm, place, face)
    scene.move(ANNA, LEFT, RIGHT)
    assert scene.match.state.rounds_played == 1
    for place in (RIGHT, RIGHT, RIGHT, LEFT, LEFT):
        scene.take(ANNA, place)
    scene.stacks[CENTRE] = ["blue-5"]
    scene.shows(CENTRE, arm=BEN)
    assert scene.codes() == []
    assert (scene.match.line[-1].move.player, scene.match.line[-1].move.place) == ("Ben", "centre")


def test_a_piece_that_is_placed_before_the_mat_is_bare_is_told() -> None:
    scene = Scene("basic", rounds=2)
    for arm, place, face in (
        *((ANNA, LEFT, "red-1"), (BEN, RIGHT, "blue-1"), (ANNA, LEFT, "red-2")),
        *((BEN, RIGHT, "blue-2"), (ANNA, LEFT, "red-3")),
    ):
        scene.put(arm, place, face)
    scene.take(ANNA, LEFT)
    scene.put(BEN, CENTRE, "blue-4")
    assert scene.codes() == ["clear"]
    for place in (CENTRE, LEFT, LEFT, RIGHT, RIGHT):
        scene.take(ANNA, place)
    assert scene.codes(InStep) == ["clear"]
    scene.put(BEN, CENTRE, "blue-4")
    assert scene.match.line[-1].move.player == "Ben"


def test_the_move_that_won_can_be_taken_back() -> None:
    scene = Scene("basic", rounds=2).opened()
    scene.move(ANNA, LEFT, CENTRE)  # three of Ben's
    assert scene.match.state.rounds_played == 1
    scene.move(ANNA, CENTRE, LEFT)
    assert scene.match.state.rounds_played == 0
    assert scene.turn == "Anna"
    scene.move(ANNA, CENTRE, RIGHT)
    assert scene.turn == "Ben"


def test_the_solver_answers_beside_the_camera() -> None:
    from companion.core.requests import read_message  # noqa: PLC0415

    scene = Scene().opened()
    before = len(scene.told)
    scene.say(read_message(game("triplexity"), {"do": "advise"}))
    assert "advice" in [reply.kind for reply in scene.told[before:]]


def test_the_last_moves_can_be_looked_at_again() -> None:
    scene = Scene().opened()
    scene.move(ANNA, LEFT, RIGHT)
    scene.move(BEN, RIGHT, LEFT)
    called, *legal = scene.disputes.plays(scene.match)
    assert (called.verdict, called.cell, called.card, called.number) == ("called", LEFT, "blue-5", 0)
    assert [play.number for play in legal] == [7, 6, 5, 4, 3, 2, 1]
    assert (legal[0].cell, legal[0].card, legal[0].covered, legal[0].player) == (RIGHT, "blue-2", "red-3", "Anna")
    assert all(play.evidence is not None for play in legal)
    scene.move(BEN, LEFT, RIGHT)
    assert {play.verdict for play in scene.disputes.plays(scene.match)} == {"legal"}


def test_a_placed_piece_that_was_read_wrongly_is_put_right() -> None:
    from companion.watch.messages import Really  # noqa: PLC0415

    scene = Scene()
    scene.put(ANNA, LEFT, "red-1")
    [play] = scene.disputes.plays(scene.match)
    assert play.likely == ("red-6", "red-2", "red-3", "red-4", "red-5")
    correction = scene.disputes.put_right(Really(LEFT, "red-1", "red-2"), play, scene.match)
    assert isinstance(correction, Correct)
    scene.say(correction)
    assert scene.match.state.stacks[0][-1].up == 2
    assert isinstance(scene.match.line[0].move, Put)
    assert any(isinstance(reply, RulingReply) for reply in scene.told)

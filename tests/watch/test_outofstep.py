"""What is open between a table and its match, reply by reply."""

from dataclasses import replace

import pytest

from companion.core.match import Match
from companion.core.replies import (
    CorrectionReply,
    DoneReply,
    EvidenceData,
    FoulReply,
    NoticeReply,
    Reply,
    RulingReply,
    match_reply,
    table_of,
)
from companion.core.rules import Foul, Move
from companion.games import game
from companion.games.threepia import rules as threepia
from companion.games.triple3.rules import Deal, Lay, Lies
from companion.watch.messages import InStepReply, OutOfStepReply, PutRightReply
from companion.watch.out_of_step import GUESSES, Astray, CalledCard, Differences, SeenMove
from simulator.playing import seated

LOST = OutOfStepReply(0, [], "dark", "It is dark.", "Light.")
TWICE = OutOfStepReply(0, [5], "covered-twice", "Twice.", "Hands off.")
MATCH = Match(seated(game("triple3"), game("triple3").house()))
TABLE = table_of(MATCH)


def after(*replies: Reply) -> Differences:
    step = Differences()
    for reply in replies:
        step = step.after(reply)
    return step


def seen(cell: int = 4, card: str = "red-star-1", guess: str = "") -> EvidenceData:
    return EvidenceData(cell, card, None, None, 0, 0, [], guess, 0, [])


def called(cell: int = 4, card: str = "red-star-1") -> Reply:
    return FoulReply(Foul("no-triple", "", "It makes no triple."), evidence=seen(cell, card, "Ben"))


def ruling(number: int, move: Move = Lay("", 1, "red-star-2"), guess: str = "") -> Reply:  # noqa: B008
    return RulingReply(number, move, (), TABLE, evidence=seen(guess=guess))


def corrected(number: int, now: Move | None) -> Reply:
    return CorrectionReply(number, Lay("", 1, "red-star-2"), now, (), {}, {}, None, None, TABLE)


def test_out_of_step_until_in_step() -> None:
    step = after(LOST, TWICE)
    assert dict(step.astray) == {
        0: Astray("dark", "It is dark.", "Light."),
        5: Astray("covered-twice", "Twice.", "Hands off.", (5,)),
    }
    step = step.after(InStepReply(0, [], "dark", 1, ""))
    assert list(step.astray) == [5]
    assert not step.after(InStepReply(0, [5], "covered-twice", 1, "")).astray


@pytest.mark.parametrize(
    "over",
    [
        PutRightReply(0, 4, "red-star-1", 1, ""),
        ruling(3, Lies("", 4, "red-star-1")),
        corrected(2, Lay("", 4, "red-star-1")),
        ruling(9, Deal("")),
        match_reply(MATCH, 0),
    ],
    ids=lambda reply: reply.kind,
)
def test_a_card_that_was_called_until_it_is_gone_or_counts(over: Reply) -> None:
    step = after(called())
    assert dict(step.called) == {4: CalledCard("red-star-1", "Ben", "It makes no triple.", "", (4,))}
    assert not step.after(over).called


def test_a_called_card_counts_when_it_is_said_of_its_place() -> None:
    on_b = EvidenceData(2, "?", None, None, 0, 0, [], "", 0, [], spots=[9, 10], place="B")
    step = after(FoulReply(Foul("does-not-fit", "", "No."), evidence=on_b))
    assert step.called[2].spots == (9, 10)
    lay = threepia.Lay("Anna", "A")
    assert step.after(RulingReply(3, lay, (), TABLE)).called
    assert not step.after(RulingReply(3, replace(lay, place="B"), (), TABLE)).called


def test_how_surely_the_newest_move_was_seen() -> None:
    step = after(ruling(3))
    assert step.newest == SeenMove(3, 1.0)
    assert step.after(DoneReply("pause", 0, replace(TABLE, moves=3))).newest == step.newest
    assert step.after(DoneReply("undo", 0, replace(TABLE, moves=2))).newest is None
    assert step.after(RulingReply(4, Lay("", 1, "red-star-2"), (), TABLE)).newest is None, "it was said"


def test_a_foul_of_somebody_is_no_card_on_the_table() -> None:
    assert not after(FoulReply(Foul("not-yet", "", "Not yet."))).called


def test_guesses_belong_to_their_moves() -> None:
    step = after(ruling(3, guess="Ben"), ruling(4), ruling(5, guess="Anna"))
    assert dict(step.guesses) == {3: "Ben", 5: "Anna"}
    undone = DoneReply("undo", 0, replace(TABLE, moves=4))
    assert dict(step.after(undone).guesses) == {3: "Ben"}
    assert dict(step.after(corrected(3, None)).guesses) == {}
    assert len(after(*(ruling(number, guess="Ben") for number in range(1, 40))).guesses) == GUESSES


def test_what_has_nothing_to_do_with_it_changes_nothing() -> None:
    step = after(LOST)
    assert step.after(NoticeReply("…")) is step

"""What a correction would cost somebody is asked before it is made; nothing is lost, and nobody's clock pays."""

from dataclasses import replace
from typing import Any

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.referee import GONE_ON, Referee
from companion.core.requests import Abandon, Correct, MoveMessage, Rematch, Request, Undo
from companion.core.rules import Move
from companion.display.scene import Back, Dismiss, Intent, Mark, Say
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import GoOn, Stop, TakeBack
from hardware.panel import Key
from tests.display.camera import Mixed
from tests.display.table import Guests
from tests.display.test_dispute_screen import lays, words_of
from tests.display.test_triple3_table import CARDS, dealt, is_move, lay, state_of
from tests.display.test_watched_app import RING

DOGS = [dog.name for dog in three.DOGS]


def is_answer(intent: Intent) -> bool:
    """The answer to the question."""
    return isinstance(intent, Say) and isinstance(intent.message, Correct) and intent.message.as_of is not None


def asks(guests: Guests, number: int, move: dict[str, Any] | None) -> None:
    """As a screen would have it put right."""
    guests.app.take(Say(Correct(number, move, preview=True)), guests.hour.now)


def say(guests: Guests, move: Move, after: float = 1.0) -> None:
    guests.wait(after)
    guests.app.take(Say(move), guests.hour.now)


def seated(game: str, names: tuple[str, ...], *moves: Move, at: Guests | None = None, **house: object) -> Guests:
    guests = at or Guests()
    playing = game_named(game)
    guests.app._touches.sit_down(Referee.begin(set_up(playing, names, playing.house(**house)), guests.hour.now))
    for move in moves:
        say(guests, move)
    return guests


def called(at: Guests | None = None, plays: int = 5) -> Guests:
    """Three!: Anna laid the first dog three times, and they are in Ben's bank."""
    guests = seated("three", ("Anna", "Ben"), three.Begin("Anna"), at=at)
    for card in range(plays):
        say(guests, three.Play(("Anna", "Ben")[card % 2], DOGS[card % 2]))
    for move in (three.Strike("Ben"), three.Call("Ben", "Anna", DOGS[0]), three.Check("Anna", 3)):
        say(guests, move)
    return guests


def match_of(guests: Guests) -> Match:
    assert guests.app.match is not None
    return guests.app.match


OTHER = {"move": "play", "player": "Anna", "dog": DOGS[2]}


def test_who_would_lose_points_is_asked_before() -> None:
    guests = called()
    before, entries = match_of(guests).ruling, match_of(guests).line[:]
    asks(guests, 4, OTHER)
    assert guests.screen == "question"
    assert match_of(guests).line == entries, "nothing has changed yet"
    assert "3 → 0" in words_of(guests.app.scene)
    guests.do(is_answer)
    assert guests.screen == "table"
    assert match_of(guests).state.scores == (2, 0)
    guests.do(Dismiss())
    guests.do(Say(Undo()))
    assert match_of(guests).state == before.state


def test_a_move_that_was_due_only_after_a_correction_is_told_as_not_due_any_more() -> None:
    """Ben strikes and does not call; that is put right, and put back: nobody has to be released."""
    play, strike = three.Play("Ben", DOGS[1]), {"move": "strike", "player": "Ben"}
    guests = seated("three", ("Anna", "Ben"), three.Begin("Anna"), three.Play("Anna", DOGS[0]), play)
    say(guests, three.Play("Anna", DOGS[0]), after=30)
    asks(guests, 3, strike)
    guests.do(is_answer)
    for move in (three.Strike("Anna"), three.Call("Anna", "Ben", DOGS[1]), three.Check("Ben", 0)):
        say(guests, move)
    asks(guests, 3, {"move": "play", "player": "Ben", "dog": DOGS[1]})
    assert any("the time was not up" in text for text in words_of(guests.app.scene))
    guests.do(is_answer)
    assert match_of(guests).state.scores == (0, 1)


def test_another_call_is_asked_without_what_it_finds() -> None:
    guests = called()
    asks(guests, 8, {"move": "call", "player": "Ben", "whom": "Anna", "dog": DOGS[1]})
    words = words_of(guests.app.scene)
    assert "What the check finds is told once it is put right." in words
    assert not any("0 of" in text for text in words)
    guests.do(is_answer)
    assert match_of(guests).state.scores == (0, 0)


def test_leave_it_leaves_all_as_it_was() -> None:
    guests = called()
    before = match_of(guests).ruling
    asks(guests, 4, None)
    assert guests.screen == "question"
    guests.do(Back())
    assert guests.screen == "table"
    assert match_of(guests).ruling is before
    assert not match_of(guests).stands


def test_what_costs_nobody_anything_is_done_at_once() -> None:
    guests = called()
    asks(guests, 3, {"move": "play", "player": "Ben", "dog": DOGS[4]})
    assert guests.screen == "table"
    assert match_of(guests).line[2].move == three.Play("Ben", DOGS[4], at=match_of(guests).line[2].move.at)
    assert not match_of(guests).stands


def test_no_clock_pays_for_the_question() -> None:
    guests = seated("threepia", ("Anna", "Ben"), threepia.Deal(""), threepia.Begin("Anna"), way="stopwatch")
    for player in ("Anna", "Ben", "Anna"):
        say(guests, threepia.Lay(player, points=3), after=7)
    guests.wait(4)
    before = [clock.used_at(guests.app.table_time(guests.hour.now)) for clock in match_of(guests).state.clocks]
    asks(guests, 3, {"move": "lay", "player": "Anna", "points": 1})
    assert guests.screen == "question"
    guests.wait(600)
    assert guests.screen == "question", "nobody runs out of time"
    guests.do(is_answer)
    after = [clock.used_at(guests.app.table_time(guests.hour.now)) for clock in match_of(guests).state.clocks]
    assert after == before
    guests.wait(5)
    later = [clock.used_at(guests.app.table_time(guests.hour.now)) for clock in match_of(guests).state.clocks]
    assert later[1] == before[1] + 5 * SECOND


def test_in_triple3_the_round_stands_still_anyhow_and_a_play_falls_away_only_after_the_question() -> None:
    guests, number = asking()
    before = lays(guests)
    assert match_of(guests).paused is None
    assert any("no longer counts" in text for text in words_of(guests.app.scene))
    guests.do(Back())
    assert lays(guests) == before
    assert guests.app.view.marks["play"] == number, "where it was before"
    guests.do(was_not_laid)
    guests.do(is_answer)
    assert len(lays(guests)) == len(before) - 1
    assert not any(isinstance(done.move, TakeBack) for done in match_of(guests).line)
    assert any(text.startswith("What changed") for text in words_of(guests.app.scene))


def was_not_laid(intent: Intent) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, Correct) and intent.message.move is None


def asking() -> tuple[Guests, int]:
    """After Stop!: a card that makes no triple was laid and taken back; that it was laid at all is put right."""
    guests = dealt(illegal_plays="keep")
    cells = ((cell, card) for card in CARDS[10:] for cell in triple3.CELLS)
    wrong = next(place for place in cells if not triple3.is_legal(state_of(guests).grid, *place))
    lay(guests, *wrong)
    guests.do(is_move(Stop))
    guests.do(Mark("play", 0))
    guests.do(Say(TakeBack("", *wrong)))
    guests.do(Mark("play", 1))
    guests.do(was_not_laid)
    assert guests.screen == "question"
    return guests, 1


# --- meanwhile -------------------------------------------------------------------------------------------------


def said_elsewhere(guests: Guests, message: Move | Request) -> None:
    """By somebody else at the table: a button, the other side of the screen."""
    told = (
        MoveMessage(message, guests.hour.now, "") if isinstance(message, Move) else replace(message, at=guests.hour.now)
    )
    table = guests.app._conversation.table
    assert table is not None
    table.say(told, guests.hour.now)


def test_a_move_made_before_the_answer_is_told_and_asked_anew() -> None:
    guests, _ = asking()
    answer = guests.find(is_answer).intent
    assert answer is not None
    before = match_of(guests).line[:]
    said_elsewhere(guests, GoOn(""))
    guests.app.take(answer, guests.hour.now)  # before the screen has shown what is so now
    assert match_of(guests).line == [*before, match_of(guests).line[-1]], "nothing is lost, nothing is put right"
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.sentence == GONE_ON
    assert guests.screen == "question"
    guests.do(Dismiss())
    guests.do(is_answer)
    assert guests.screen == "table"
    assert len(match_of(guests).line) == len(before) - 1
    assert match_of(guests).paused is None


def test_a_move_made_while_it_is_asked_is_looked_at_too() -> None:
    guests, _ = asking()
    answer = guests.find(is_answer).intent
    said_elsewhere(guests, GoOn(""))
    guests.wait(1)
    assert guests.screen == "question"
    assert guests.find(is_answer).intent != answer
    guests.do(is_answer)
    assert guests.app.view.match.state.phase == "play"


def test_two_who_put_the_same_move_right() -> None:
    guests = called()
    asks(guests, 4, OTHER)
    said_elsewhere(guests, Correct(4, None))
    guests.wait(1)
    assert guests.screen == "table", "it is not that move any more"
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.sentence == GONE_ON
    assert not match_of(guests).stands


def test_a_token_that_is_struck_while_it_is_asked() -> None:
    """Where there are buttons, every message waits for presses from before it."""
    guests = Mixed(RING)
    called(guests)
    guests.wait(1)
    line = match_of(guests).line[:]
    asks(guests, 4, OTHER)
    guests.wait(0.1)
    assert guests.screen == "question"
    guests.press(Key("strike", 1))
    assert match_of(guests).line == line
    assert guests.app.view.notice is not None, "why nothing comes of it"
    assert guests.screen == "question"
    guests.wait(20)
    assert guests.app.view.notice is None
    guests.do(is_answer)
    assert match_of(guests).history.undoes == "correction"
    assert match_of(guests).state.scores == (2, 0)
    assert not match_of(guests).stands
    guests.press(Key("strike", 1))
    assert isinstance(match_of(guests).line[-1].move, three.Strike)


def test_what_cannot_be_is_said_and_nothing_stands_for_it() -> None:
    guests = called()
    before = match_of(guests).line[:]
    asks(guests, 40, None)
    asks(guests, 4, {"move": "play", "player": "Anna", "dog": "Nobody"})
    assert guests.app.view.notice is not None
    assert guests.screen == "table"
    assert match_of(guests).line == before
    assert not match_of(guests).stands


def test_a_new_match_forgets_what_was_asked() -> None:
    guests = called()
    asks(guests, 4, OTHER)
    said_elsewhere(guests, Abandon())
    said_elsewhere(guests, Rematch())
    guests.wait(1)
    assert guests.screen == "table"
    assert guests.app.view.question is None


# --- a match that would have ended earlier ---------------------------------------------------------------------


def to_nine() -> Guests:
    """Threepia to nine points, in which Anna has six after three turns: one for each, and three for an empty hand."""
    guests = seated("threepia", ("Anna", "Ben"), threepia.Deal(""), threepia.Begin("Anna"), way="points", target=9)
    for turn in range(6):
        say(guests, threepia.Lay(("Anna", "Ben")[turn % 2], points=1 if turn % 2 == 0 else 0))
    return guests


def test_it_ended_then() -> None:
    guests = to_nine()
    asks(guests, 3, {"move": "lay", "player": "Anna", "points": 9})
    assert "The match would have ended before its last move." in words_of(guests.app.scene)
    guests.do(lambda intent: is_answer(intent) and intent.message.counts is False)  # type: ignore[attr-defined]
    assert guests.screen == "result"
    assert match_of(guests).outcome is not None
    assert match_of(guests).state.scores == (9, 0)


def test_what_came_after_counts_is_looked_at_before_too() -> None:
    guests = to_nine()
    asks(guests, 3, {"move": "lay", "player": "Anna", "points": 9})
    guests.do(lambda intent: isinstance(intent, Say) and getattr(intent.message, "preview", False) is True)
    assert guests.screen == "question"
    assert "6 → 14" in words_of(guests.app.scene)
    guests.do(is_answer)
    assert match_of(guests).state.scores == (14, 3)
    assert not match_of(guests).paused


def test_undo_goes_past_bots_to_a_correction_and_no_further() -> None:
    names = ("Anna", "Ben", "Clara")
    drawn = [threepia.Draw(name) for name in names[:2]]
    guests = seated("threepia", names, threepia.Deal(""), threepia.Begin("Anna"), *drawn, way="points")
    guests.app.surroundings.bots = lambda: frozenset(names[1:])
    before = match_of(guests).state
    guests.app.take(Say(Correct(3, {"move": "lay", "player": "Anna", "points": 2})), guests.hour.now)
    assert match_of(guests).history.undoes == "correction"
    say(guests, threepia.Draw("Clara"))
    guests.app.take(Say(Undo()), guests.hour.now)
    assert match_of(guests).state.turn == before.turn
    assert match_of(guests).state.scores == before.scores
    assert [done.move.word for done in match_of(guests).line[2:]] == ["draw", "draw"]

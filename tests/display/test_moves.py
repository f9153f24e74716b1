"""Any move of any game is put right in two touches, without showing what players may not look up."""

from collections.abc import Callable

import pytest

from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.core.requests import Correct
from companion.display.scene import Dismiss, Go, Intent, Mark, Say
from companion.display.screens import scene
from companion.display.view import View, seen
from companion.games import NAMES
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.triplexity import rules as triplexity
from simulator.playing import play_out
from tests.display.table import Guests
from tests.display.test_question import DOGS, called, is_answer, match_of, say, seated

MOST = 25  # moves


def is_gone(intent: Intent) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, Correct) and intent.message.move is None


def is_really(**wanted: object) -> Callable[[Intent], bool]:
    def fits(intent: Intent) -> bool:
        move = intent.message.move if isinstance(intent, Say) and isinstance(intent.message, Correct) else None
        return move is not None and wanted.items() <= move.items()

    return fits


def played(game: str) -> Guests:
    """A table at which bots have played so far."""
    guests = Guests()
    playing = game_named(game)
    match = Match(set_up(playing, ("Anna", "Ben"), playing.house()))
    for _ in play_out(match, 3, mistakes=0):
        if len(match.line) == MOST:
            break
    guests.app._touches.sit_down(Referee(match, guests.hour.now, table=match.now))
    return guests


def list_of(guests: Guests) -> None:
    guests.do(Go("menu"))
    guests.do(Go("moves"))


@pytest.mark.parametrize("by_keys", [False, True])
@pytest.mark.parametrize("game", NAMES)
def test_a_move_is_taken_out_in_two_touches_and_undone_again(game: str, by_keys: bool) -> None:
    guests = played(game)
    guests.by_keys = by_keys
    if guests.screen == "result":
        guests.do(Go("moves"))
    else:
        list_of(guests)
    before, line = match_of(guests).state, match_of(guests).line[:]
    guests.do(Mark("move", len(line) - 1))
    guests.do(is_gone)
    if guests.screen == "question":
        assert match_of(guests).line == line
        guests.do(is_answer)
    assert match_of(guests).history.undoes == "correction"
    match_of(guests).undo()
    assert match_of(guests).state == before


def test_the_number_found_at_a_check() -> None:
    guests = called()
    list_of(guests)
    guests.do(Mark("move", len(match_of(guests).line)))
    guests.do(is_really(found=2))
    assert guests.app.view.notice is not None, "the referee has seen three"
    assert "has seen 3" in guests.app.view.notice.sentence


def test_whom_and_for_what_somebody_was_called() -> None:
    guests = called()
    list_of(guests)
    guests.do(Mark("move", len(match_of(guests).line) - 1))
    said = [intent.message for intent in guests.intents if isinstance(intent, Say)]
    offered = {message.move["dog"] for message in said if isinstance(message, Correct) and message.move}
    assert offered == set(DOGS), "which of them it was nobody may look up"


def test_a_place_of_triplexity() -> None:
    moves = (triplexity.Put("Anna", "left"), triplexity.Put("Ben", "centre"))
    guests = seated("triplexity", ("Anna", "Ben"), *moves)
    list_of(guests)
    guests.do(Mark("move", 2))
    guests.do(is_really(place="right"))
    assert guests.screen == "table"
    assert match_of(guests).line[1].move.place == "right"  # type: ignore[attr-defined]


def test_points_of_threepia() -> None:
    guests = seated("threepia", ("Anna", "Ben"), threepia.Deal(""), threepia.Begin("Anna"))
    say(guests, threepia.Lay("Anna", points=3))
    list_of(guests)
    guests.do(Mark("move", 3))
    guests.do(is_really(points=2))
    assert guests.screen == "question"
    guests.do(is_answer)
    assert match_of(guests).state.scores == (2, 0)


def test_whose_strike_it_was() -> None:
    guests = seated("three", ("Anna", "Ben", "Clara"), three.Begin("Anna"), three.Strike("Ben"))
    list_of(guests)
    guests.do(Mark("move", 2))
    guests.do(is_really(player="Clara"))
    assert match_of(guests).state.caller == "Clara"


def test_what_players_may_not_look_up_is_not_to_be_seen() -> None:
    """Whatever dog it was, the screen is the same."""

    def shown(dog: str) -> View:
        match = match_of(seated("three", ("Anna", "Ben"), three.Begin("Anna"), three.Play("Anna", dog)))
        return View((800, 480), screen="moves", seen=seen(match), marks={"move": 2})

    assert scene(shown(DOGS[0])).items == scene(shown(DOGS[3])).items


def test_the_referees_own_move_cannot_be_touched() -> None:
    guests = seated("threepia", ("Anna", "Ben"), threepia.Deal(""), threepia.Begin("Anna"), way="time")
    guests.wait(31)
    assert match_of(guests).line[-1].move.by_referee
    list_of(guests)
    assert [intent.value for intent in guests.intents if isinstance(intent, Mark)] == [2, 1]


def test_a_match_that_is_over_is_put_right_from_its_result() -> None:
    guests = seated("threepia", ("Anna", "Ben"), threepia.Deal(""), threepia.Begin("Anna"), way="points", target=9)
    say(guests, threepia.Lay("Anna", points=9))
    assert guests.screen == "result"
    guests.do(Go("moves"))
    guests.do(Mark("move", 3))
    guests.do(is_really(points=8))
    assert guests.screen == "question", "she had won"
    guests.do(is_answer)
    assert guests.screen == "table"
    assert match_of(guests).stands, "nobody's clock runs before somebody goes on"
    guests.do(Dismiss())
    assert not match_of(guests).paused

"""The last round of Three!: who may declare no more has had the turn, at the door and on the screen."""

from typing import Any

import pytest

from companion.display.scene import Button, Mark, Say
from companion.games.three import rules as three
from tests.core.test_ties import Door
from tests.display.table import Guests
from tests.display.test_three_table import moves, seated

FEW: dict[str, Any] = {"dogs": three.DOGS[:3], "copies": 3, "deck": 9, "rearm": 0}


def at_the_door(declarations: int = 1) -> Door:
    """All cards are laid, and it is Anna's turn in the last round."""
    door = Door("three", three.House(**FEW, declarations_per_turn=declarations))
    door.says(move="begin", player="Anna")
    for dog in ("red", "blue", "green"):
        for player in ("Anna", "Ben", "Clara"):
            door.says(move="play", player=player, dog=dog)
    return door


def test_who_has_declared_has_had_the_turn_at_the_door() -> None:
    door = at_the_door()
    door.says(move="declare", player="Anna", dog="red")
    reply = door.says(move="check", player="Anna")
    assert [event["event"] for event in reply["events"]] == ["checked", "cards-moved", "turn"]
    assert (reply["table"]["phase"], reply["table"]["turn"]) == ("final", "Ben")
    assert door.says(move="pass", player="Anna")["code"] == "not-your-turn"
    door.says(move="pass", player="Ben")
    door.says(move="declare", player="Clara", dog="red")
    assert door.says(move="check", player="Clara")["table"]["over"]["scores"] == {"Anna": 0, "Ben": 0, "Clara": 0}
    assert door.folded().state == door.match.state


def test_an_undo_gives_the_turn_back() -> None:
    door = at_the_door()
    door.says(move="declare", player="Anna", dog="red")
    door.says(move="check", player="Anna")
    assert door.says(do="undo")["table"]["phase"] == "check"
    assert door.says(do="redo")["table"]["turn"] == "Ben"


def test_who_may_declare_twice_has_nothing_more_at_the_door() -> None:
    door = at_the_door(2)
    door.says(move="declare", player="Anna", dog="red")
    assert door.says(move="check", player="Anna")["table"]["turn"] == "Anna"
    assert door.says(move="pass", player="Anna")["events"][0]["sentence"] == "Anna has nothing more to declare."


MOST = 100  # cards; the deck has fewer


def on_the_screen(size: tuple[int, int], **house: Any) -> Guests:
    guests = seated(size, 2, **FEW, **house)
    guests.do(moves(guests, three.Begin)[0])
    for _ in range(MOST):
        if guests.app.view.match.state.phase == "final":
            return guests
        guests.do(lambda intent: intent == Say(three.Play(guests.app.view.match.state.turn)))
    raise AssertionError(guests.app.view.match.state.phase)


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_who_has_declared_is_not_asked_again_on_the_screen(size: tuple[int, int]) -> None:
    guests = on_the_screen(size)
    turn = guests.app.view.match.state.turn
    guests.do(Mark("declare", value=True))
    guests.do(Say(three.Declare(turn, "Ember")))
    guests.do(Mark("found", 0))
    guests.do(Say(three.Check(turn, 0)))
    after = guests.app.view.match.state.turn
    assert after not in (turn, "")
    assert moves(guests, three.Pass) == [Say(three.Pass(after))]
    assert three.Passed(turn) not in guests.app.view.match.events
    guests.close()


def test_where_nobody_may_declare_one_touch_ends_the_match() -> None:
    guests = on_the_screen((800, 480), declarations_per_turn=0)
    assert "Nobody calls" in [item.label for item in guests.app.scene.items if isinstance(item, Button)]
    guests.do(moves(guests, three.Pass)[0])
    assert guests.app.view.match.state.phase == "over"
    guests.close()

"""All ways to play before the camera, and their clocks."""

import pytest

from companion.core.clocks import SECOND
from companion.core.replies import RulingReply
from companion.games.threepia.fields import field
from companion.games.threepia.rules import ALONE, GAME, WAYS, Deal, Draw, Finish, House, Lay, State
from tests.threepia.scene import CARDS, WatchedScene

SQUARE = field("square")


def house(way: str) -> House:
    return House(field=SQUARE, way=way, target=15, rounds=4, deck=18, turn_seconds=30, match_seconds=60)


def begun(way: str) -> WatchedScene:
    scene = WatchedScene(house(way), players=("Ann",) if way in ALONE else ("Ann", "Bob"))
    scene.begin()
    return scene


def turn(scene: WatchedScene) -> None:
    """Whoever has the turn lays a card, and draws three if it was the last one."""
    state: State = scene.match.state
    side, hand = scene.side, state.hands[state.players.index(state.turn)]
    scene.lay(scene.match.state.laid % 4, scene.fitting(scene.match.state.laid % 4), side)
    if hand == 1 and state.deck:
        scene.at_the_pile(side)


@pytest.mark.parametrize("way", WAYS)
def test_a_match_to_its_end(way: str) -> None:
    """What is seen comes to the same as what the rules make of the cards, one after the other."""
    scene = begun(way)
    for _ in range(40):
        if scene.match.state.phase != "turn":
            break
        turn(scene)
    if way == "relaxed" and scene.match.state.phase == "turn":
        scene.say(Finish("Ann"))
    assert scene.match.state.phase == "over"
    assert scene.open == set()
    state = GAME.start(scene.match.state.players, scene.house).state
    for done in scene.match.line:
        state = GAME.rule(state, done.move).state
    assert state == scene.match.state
    assert state.outcome is not None
    rulings = [one for one in scene.told if isinstance(one, RulingReply) and isinstance(one.move, Lay)]
    assert len(rulings) == sum(isinstance(done.move, Lay) for done in scene.match.line) > 3


@pytest.mark.parametrize("way", ["time", "stopwatch"])
def test_time_that_is_up_ends_the_turn(way: str) -> None:
    scene = begun(way)
    turn(scene)
    assert scene.match.state.turn == "Bob"
    scene.wait(35 if way == "time" else 65)
    assert scene.match.state.turn == "Ann"
    assert scene.match.state.out == (("Bob",) if way == "stopwatch" else ())
    turn(scene)
    laid = [done.move.player for done in scene.match.line if isinstance(done.move, Lay)]
    assert laid == ["Ann", "Ann"]


@pytest.mark.parametrize("way", ["time", "stopwatch"])
def test_the_clock_stops_when_the_card_lies_there(way: str) -> None:
    """And not when it was told: a hand kept it from being seen for a second."""
    scene = begun(way)
    scene.wait(5)
    since, cell = scene.now, scene.cells[0][0]
    scene.state_of[cell] = scene.state_of[cell].__class__("covered", since)
    scene.lay(0, scene.fitting(0), "bottom", waits=1.0)
    assert scene.match.state.turn == "Ann"
    scene.state_of[cell] = scene.state_of[cell].__class__("clear", scene.now)
    scene.wait(1)
    assert scene.match.state.turn == "Bob"
    assert scene.match.line[-1].move.at - since < SECOND


def test_a_draw_that_waits_for_proof_stops_the_clock_when_the_hand_was_there() -> None:
    scene = begun("stopwatch")
    scene.wait(2)
    at = scene.now
    scene.at_the_pile("bottom", otherwise=-1.0)
    scene.wait(3)
    assert scene.match.state.turn == "Ann"
    scene.lay(0, scene.fitting(0), "top")
    assert [type(done.move) for done in scene.match.line[-2:]] == [Draw, Lay]
    assert scene.match.line[-2].move.at <= at + SECOND


def test_points_that_a_player_names_count_where_he_says_so() -> None:
    """The referee counts them as the rules do; others are said to be wrong, and nothing is changed by that."""
    scene = begun("rounds")
    card = scene.fitting(0)
    scene.say(Lay("Ann", "A", card, points=19))
    assert scene.match.line[-1].move.word == "begin"
    scene.lay(0, card, "bottom")
    assert isinstance(scene.match.line[-1].move, Lay)


def test_a_field_that_nobody_shows_takes_the_players_word() -> None:
    """The deal was said, and what lies there is shown with it as soon as it is seen."""
    scene = WatchedScene(house("rounds"))
    scene.say(Deal(""))
    scene.begin()
    scene.wait(0.5)
    assert scene.match.state.field == tuple(CARDS[:4])

"""Tres at the door and on the screen: tres said while laying, caught in time, and cards that were not shuffled."""

import pytest

from companion.core.record import move_plain
from companion.display.scene import Mark, Say
from companion.games.tres import rules as tres
from companion.games.tres.rules.stock import copies_left
from companion.games.tres.told_bot import Table
from tests.core.test_ties import NAMES, SECOND, Door
from tests.display.table import Guests
from tests.display.test_tres_table import moves, pick, seated
from tests.inputs.test_presses import At, _play_on


def four_left() -> Door:
    """It is Anna's turn, and she has four cards."""
    at = At("tres")
    at.says(move="dealer", player="Clara")
    at.says(move="deal", player="Clara", table=["red-1", "red-5", "blue-9"])
    while (len(at.match.state.hand("Anna")), at.match.state.turn, at.match.state.phase) != (4, "Anna", "turn"):
        _play_on(at)
    door = Door("tres")
    for done in at.match.line:
        door.match.make(done.move)
    door.at = at.match.now
    return door


def lays_one(door: Door) -> None:
    card = door.match.state.table[0]
    door.says(move="play", player="Anna", table_card=card, cards=[f"blue-{int(card[-1]) % 9 + 1}"])


def test_tres_said_while_laying_is_in_time_at_the_door() -> None:
    door = four_left()
    said = door.says(move="tres", player="Anna")
    assert (said["kind"], said["events"][0]["event"]) == ("ruling", "said-tres")
    lays_one(door)
    assert door.says(move="catch", player="Ben", whom="Anna")["code"] == "already-said"
    assert door.folded().state == door.match.state


def test_the_time_to_catch_is_over_with_the_next_turns_card_at_the_door() -> None:
    door = four_left()
    lays_one(door)
    assert door.match.state.silent == ("Anna",)
    door.says(move="fill", player="Ben", card="yellow-7")
    drawn = door.says(move="draw", player="Ben")
    assert "catch" not in [may["move"] for may in drawn["table"]["may"]]
    assert door.says(move="catch", player="Clara", whom="Anna")["code"] == "too-late"
    door.says(do="undo")
    assert door.says(move="catch", player="Clara", whom="Anna")["table"]["phase"] == "pay"


def test_a_card_that_was_not_shuffled_is_refused_at_the_door() -> None:
    """Bots that show no card but those they lay, until the pile has run out and somebody draws."""
    house = tres.House(colours=("red",), number_copies=3, jokers=0)
    door, bots = Door("tres", house), Table(NAMES, house, 4, seen=False, mistakes=0)
    while door.match.state.stock is None or door.match.state.phase != "turn":
        door.says(**move_plain(bots.next_move(door.match.state)) | {"at": door.at + SECOND})
        bots.ruled(door.match.ruling)
    state = door.match.state
    in_hands = [card for card in tres.deck(house) if copies_left(state, card) and card not in state.stock]
    reply = door.says(move="draw", player=state.turn, card=in_hands[0])
    assert (reply["kind"], reply["code"]) == ("foul", "no-such-card-left")
    assert reply["sentence"].endswith("of it lie elsewhere.")
    assert door.says(move="draw", player=state.turn, card=state.stock[0])["kind"] == "ruling"


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)])
def test_tres_is_said_by_a_touch_while_laying(size: tuple[int, int]) -> None:
    guests = seated(size)
    guests.do(Say(tres.Dealer("Clara")))
    pick(guests, "red-1", "red-5", "blue-9")
    guests.do(moves(guests, tres.Deal)[0])
    while len(guests.app.view.match.state.hand("Anna")) > 4 or guests.app.view.match.state.turn != "Anna":
        _goes_on(guests)
    guests.do(Say(tres.Tres("Anna")))
    assert guests.app.view.notice is None
    assert Say(tres.Tres("Anna")) not in moves(guests, tres.Tres)
    while guests.app.view.match.state.turn == "Anna":
        _goes_on(guests)
    state = guests.app.view.match.state
    assert (len(state.hand("Anna")), state.silent, state.tres[0]) == (3, (), "said")
    guests.close()


def _goes_on(guests: Guests) -> None:
    """Anna lays a card each turn; the others draw and keep."""
    state = guests.app.view.match.state
    match state.phase:
        case "fill":
            guests.do(Say(tres.Fill(state.turn, f"green-{len(guests.app.view.match.line) % 9 + 1}")))
        case "drawn":
            guests.do(Say(tres.Keep(state.turn)))
        case "turn" if state.turn == "Anna":
            guests.do(Mark("with", 0))
            pick(guests, f"blue-{int(state.table[0][-1]) % 9 + 1}")
            guests.do(moves(guests, tres.Play)[0])
        case _:
            guests.do(moves(guests, tres.Draw)[0])

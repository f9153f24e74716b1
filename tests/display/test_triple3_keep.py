"""Illegal cards that are kept, at the display: a claim to be out is looked at, and what can be lifted goes back."""

from companion.display.scene import Mark, Say, Text
from companion.games.triple3.rules import CELLS, Deal, Go, GoOn, Lay, Out, Stop, TakeBack, is_legal
from tests.display.table import Guests
from tests.display.test_app import started
from tests.games.test_triple3 import dealt

STATE, CARDS = dealt(2, deals=(1, 54))


def begun() -> Guests:
    """Anna has one card."""
    guests = started("triple3", illegal_plays="keep")
    for move in (Deal("", STATE.grid, deals=(1, 54)), Go("")):
        guests.app.take(Say(move), guests.hour.now)
    return guests


def lays(guests: Guests, *, legal: bool, player: str = "Anna", on: int = 0) -> Lay:
    state = guests.app.view.match.state
    cells = (on,) if on else CELLS
    left = [card for card in CARDS if all(laid.card != card for pile in state.piles for laid in pile)]
    cell, card = next((cell, card) for card in left for cell in cells if is_legal(state.grid, cell, card) == legal)
    guests.app.take(Say(Lay(player, cell, card)), guests.hour.now)
    return Lay(player, cell, card)


def texts(guests: Guests) -> str:
    return " | ".join(item.text for item in guests.app.scene.items if isinstance(item, Text))


def claims(guests: Guests, player: str) -> None:
    guests.do(Mark("out", value=True))
    guests.do(Say(Out(player)))


def test_stop_can_be_touched_after_an_illegal_last_card() -> None:
    guests = begun()
    lays(guests, legal=False)
    guests.do(lambda intent: isinstance(intent, Say) and isinstance(intent.message, Stop))
    assert guests.app.view.match.state.phase == "stopped"


def test_who_is_out_by_an_illegal_card_takes_it_back() -> None:
    guests = begun()
    laid = lays(guests, legal=False)
    claims(guests, "Anna")
    assert guests.app.view.match.state.phase == "stopped"
    assert f"Anna's claim to be out is open: illegal cards on cells {laid.cell}." in texts(guests)
    assert Say(GoOn("")) not in guests.intents
    guests.do(Say(TakeBack("Anna", laid.cell)))
    guests.do(Say(GoOn("")))
    state = guests.app.view.match.state
    assert (state.phase, state.laid) == ("play", (0, 0))


def test_of_a_covered_card_it_is_said_that_the_others_play_on() -> None:
    guests = begun()
    laid = lays(guests, legal=False)
    lays(guests, legal=True, player="Ben", on=next(iter([laid.cell])))
    claims(guests, "Anna")
    guests.do(Say(GoOn("")))
    assert "Anna has no card left, the others play on." in texts(guests)
    guests.do(Mark("out", value=True))
    assert Say(Out("Anna")) not in guests.intents
    assert Say(Out("Ben")) in guests.intents


def test_whoever_did_not_lay_the_card_says_so_again() -> None:
    guests = begun()
    lays(guests, legal=False, player="")
    claims(guests, "Anna")
    assert "nobody knows who laid the illegal cards" in texts(guests)
    claims(guests, "Anna")
    assert guests.app.view.match.state.rounds[-1].winners == ("Anna",)

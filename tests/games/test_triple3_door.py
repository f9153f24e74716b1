"""Triple³ at the door: illegal cards that are kept win nothing, whoever lays them, and claims are looked at."""

import json
from typing import Any

import jsonschema
import pytest

from companion.core.record import read_setup, setup_plain
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import is_legal
from tests.core.test_ties import NAMES, Door
from tests.games.test_triple3 import dealt
from tests.games.test_triple3_keep import blocking
from tools.schema import schema

SENT = jsonschema.Draft202012Validator({"$ref": "#/$defs/triple3.out", "$defs": schema()["$defs"]})
STATE, CARDS = dealt(3, deals=(1, 3, 51))


def begun(**house: Any) -> Door:
    """A round in which Anna has one card, Ben three, Clara the others."""
    door = Door("triple3", triple3.House(illegal_plays="keep", **house))
    door.says(move="deal", grid=list(STATE.grid), deals=[1, 3, 51])
    door.says(move="go")
    return door


def card(door: Door, *, legal: bool, off: int = 0) -> dict[str, Any]:
    """The next card and a cell on which it fits, or does not."""
    grid, seen = door.match.state.grid, door.match.state.seen
    left = [one for one in CARDS if not seen >> triple3.DECK.index(one) & 1]
    cells = [cell for cell in triple3.CELLS if cell != off]
    fits = ((cell, one) for one in left for cell in cells if is_legal(grid, cell, one) == legal)
    cell, one = next(fits)
    return {"cell": cell, "card": one}


def events(reply: dict[str, Any]) -> list[str]:
    SENT.validate(json.loads(json.dumps(reply)))
    return [event["event"] for event in reply["events"] if event["event"] != "cards-moved"]


def test_an_illegal_last_card_wins_no_round_and_stop_is_heard() -> None:
    door = begun()
    assert events(door.says(move="lay", player="Anna", **card(door, legal=False))) == ["played-illegally"]
    assert events(door.says(move="stop", player="Ben")) == ["stopped"]


@pytest.mark.parametrize("player", ["Anna", None])
def test_a_claim_to_be_out_is_looked_at(player: str | None) -> None:
    door = begun()
    laid = card(door, legal=False)
    by: dict[str, Any] = {"player": player} if player else {}
    door.says(move="lay", **laid, **by)
    reply = door.says(move="out", player="Anna")
    assert events(reply) == ["claim-open"]
    assert (reply["table"]["phase"], reply["events"][0]["cells"]) == ("stopped", [laid["cell"]])
    again = door.says(move="out", player="Anna")
    if player:
        assert (again["kind"], again["code"]) == ("foul", "claim-open")
        assert door.says(move="go-on")["code"] == "lift-first"
        door.says(move="take-back", player="Anna", cell=laid["cell"])
        assert events(door.says(move="go-on")) == ["went-on"]
    else:
        assert events(again) == ["round-won"]
    assert door.folded().state == door.match.state


def test_an_illegal_card_that_blocks_the_grid_does_not_win_the_round() -> None:
    """Nobody can lay after it: the card counts as in the hand of Anna, who would have as few as the others."""
    state, lay = blocking("Anna")
    piles = [[laid.card for laid in pile] for pile in state.piles]
    upper = [{"cell": cell, "card": one} for cell, pile in enumerate(piles, 1) for one in pile[1:]]
    door = Door("triple3", triple3.House(illegal_plays="keep"))
    door.says(move="deal", grid=[pile[0] for pile in piles], leftovers=upper, deals=[2, 1, 1])
    door.says(move="go")
    reply = door.says(move="lay", player="Anna", cell=lay.cell, card=lay.card)
    assert events(reply) == ["played-illegally", "nobody-can-lay", "round-won"]
    assert door.match.state.rounds[-1].winners == ("Ben", "Clara")


def test_of_claims_that_cannot_be_told_apart_the_one_with_legal_cards_wins() -> None:
    door = begun()
    wrong = card(door, legal=False)
    door.says(move="lay", player="Anna", **wrong)
    for _ in range(3):
        door.says(move="lay", **card(door, legal=True, off=wrong["cell"]))  # Ben's, perhaps
    at = door.at + 10**9
    assert events(door.says(at, move="out", player="Anna")) == ["claim-open"]
    reply = door.says(at, move="out", player="Ben")
    assert reply["kind"] == "correction"
    assert door.match.state.rounds[-1].winners == ("Ben",)


def test_a_match_from_before_goes_on_by_its_rules() -> None:
    setup = setup_plain(begun().match.setup)
    del setup["house"]["illegal_wins"]
    assert read_setup(setup).house.illegal_wins
    door = begun(illegal_wins=True)
    assert events(door.says(move="lay", player="Anna", **card(door, legal=False))) == ["played-illegally", "round-won"]
    assert NAMES[0] in door.match.state.rounds[-1].winners

"""Competing claims that cannot be told apart are a tie, at the door, by touches and by buttons."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.entry import Corrected, Entry
from companion.core.match import Match, set_up
from companion.core.photo_finish import MARGIN, Arrival, Finish, How, alone, joint
from companion.core.record import entry_plain, read_entry
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.display.scene import Intent, Say
from companion.games import game
from companion.games.three import rules as three
from companion.games.triple3 import rules as triple3
from companion.journal import Journal
from hardware.panel import Key, Light
from hardware.simulated import SimulatedContact
from tests.display.table import Guests
from tests.display.test_three_table import moves, seated
from tests.inputs.test_presses import MS, At, begun, silent
from tests.replies import told as as_told

SECOND = 10**9
NAMES = ("Anna", "Ben", "Clara")


class Door:
    """The JSON door with stamps that are given."""

    def __init__(self, name: str, house: Any = None) -> None:
        playing = game(name)
        self.entries: list[Entry] = []
        setup = set_up(playing, NAMES, house or playing.house())
        match = Match(setup, lambda entry, _state: self.entries.append(entry))
        self.session = Session(Referee(match, 0), None)
        self.at = 0

    @property
    def match(self) -> Match:
        return self.session.referee.match

    def says(self, at: int | None = None, **message: Any) -> dict[str, Any]:
        """The last reply to a message; without a stamp it is a second later."""
        self.at = max(self.at, at if at is not None else self.at + SECOND)
        said = {**message, "at": self.at if at is None else at}
        replies = as_told(self.session.answer(read_message(self.match.game, json.loads(json.dumps(said)))))
        return replies[-1]

    def folded(self) -> Match:
        """The match that the entries make, as they are on disk."""
        kept = [(kind, json.loads(json.dumps(body))) for kind, body in map(entry_plain, self.entries)]
        return Match.folded(self.match.setup, [read_entry(self.match.game, *one) for one in kept])


def struck(gap: int, second: str = "Ben", **house: Any) -> tuple[Door, dict[str, Any]]:
    """Anna strikes, and another so many nanoseconds later."""
    door = Door("three", three.House(**house))
    door.says(move="begin", player="Anna")
    door.says(5 * SECOND, move="strike", player="Anna")
    return door, door.says(5 * SECOND + gap, move="strike", player=second)


@pytest.mark.parametrize("gap", [0, 1, MARGIN, -1, -MARGIN])
def test_strikes_within_the_margin_are_a_tie(gap: int) -> None:
    door, reply = struck(gap, tie="choice")
    assert (reply["kind"], door.match.state.phase) == ("correction", "tied")
    assert set(door.match.state.tied) == {"Anna", "Ben"}
    assert [(one["seat"], one["after"]) for one in reply["now"]["finish"]["order"]] == (
        [("Anna", 0), ("Ben", gap)] if gap >= 0 else [("Ben", 0), ("Anna", -gap)]
    )


@pytest.mark.parametrize(("gap", "code"), [(MARGIN + 1, "strike-void"), (-MARGIN - 1, "time")])
def test_strikes_that_can_be_told_apart_keep_their_order(gap: int, code: str) -> None:
    door, reply = struck(gap)
    assert (reply["code"], door.match.state.caller) == (code, "Anna")


def test_a_tie_is_told_in_words_and_as_the_correction_that_it_is() -> None:
    door = Door("three")
    door.says(move="begin", player="Anna")
    door.says(5 * SECOND, move="strike", player="Anna")
    message = {"move": "strike", "player": "Ben", "at": 5 * SECOND, "id": "b"}
    notice, reply = as_told(door.session.answer(read_message(door.match.game, message)))
    assert notice == {
        "kind": "notice",
        "sentence": "Anna, Ben struck together: nobody has the call, strike again.",
        "text": "{players} struck together: {settled}.",
        "facts": {"players": ["Anna", "Ben"], "settled": "nobody has the call, strike again"},
    }
    assert (reply["kind"], reply["re"], reply["number"]) == ("correction", "b", 2)


def test_a_claim_that_cannot_tie_is_kept_as_refused(tmp_path: Path) -> None:
    """Ben has called wrongly, and may not strike at the moment at which Anna does."""
    playing = game("three")
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        setup = set_up(playing, NAMES, three.House(cooldown=60, rearm=0))
        session = Session(Referee.begin(setup, 0, journal), None)
        for message in (
            {"move": "begin", "player": "Anna"},
            {"move": "strike", "player": "Ben"},
            {"move": "call", "player": "Ben", "whom": "Anna", "dog": "red"},
            {"move": "check", "player": "Anna", "found": 0},
            {"move": "strike", "player": "Anna"},
            {"move": "strike", "player": "Ben"},
        ):
            [reply] = as_told(session.answer(read_message(playing, {**message, "at": SECOND})))
        assert reply["code"] == "kept-out"
        assert [sentence for _, _, sentence in journal.fouls(setup.id)] == [reply["sentence"]]


def test_the_tie_is_an_entry_and_folds_to_the_same() -> None:
    door, _ = struck(0)
    assert isinstance(door.entries[-1], Corrected)
    assert door.folded().state == door.match.state
    door.says(do="undo")
    assert (door.match.state.caller, door.folded().state) == ("Anna", door.match.state)


def test_the_house_rule_settles_the_tie() -> None:
    assert struck(0)[0].match.state.phase == "turn"
    assert struck(0, tie="seats")[0].match.state.caller == "Anna"
    door = Door("three", three.House(tie="seats"))
    door.says(move="begin", player="Ben")
    door.says(5 * SECOND, move="strike", player="Anna")
    door.says(5 * SECOND, move="strike", player="Ben")
    assert door.match.state.caller == "Ben"


def test_a_third_strike_joins_the_tie() -> None:
    door, _ = struck(10)
    reply = door.says(5 * SECOND + 20, move="strike", player="Clara")
    assert reply["now"]["tied"] == ["Anna", "Ben", "Clara"]


def test_one_player_cannot_tie_with_himself() -> None:
    _, reply = struck(0, second="Anna")
    assert reply["code"] == "strike-void"


def test_after_the_call_a_strike_is_void() -> None:
    door = Door("three")
    door.says(move="begin", player="Anna")
    door.says(5 * SECOND, move="strike", player="Anna")
    door.says(5 * SECOND, move="call", player="Anna", whom="Ben", dog="red")
    assert door.says(5 * SECOND, move="strike", player="Ben")["code"] == "strike-void"


def test_who_is_kept_out_ties_with_nobody() -> None:
    door = Door("three", three.House(cooldown=60, rearm=0))
    for message in (
        {"move": "begin", "player": "Anna"},
        {"move": "strike", "player": "Ben"},
        {"move": "call", "player": "Ben", "whom": "Anna", "dog": "red"},
        {"move": "check", "player": "Anna", "found": 0},
    ):
        door.says(**message)
    door.says(20 * SECOND, move="strike", player="Anna")
    assert door.says(20 * SECOND, move="strike", player="Ben")["code"] == "kept-out"
    assert door.match.state.caller == "Anna"


def test_a_stranger_ties_with_nobody() -> None:
    _, reply = struck(0, second="Zoe")
    assert reply["kind"] == "foul"
    assert "Zoe" in reply["sentence"]


def test_while_table_time_stands_nothing_ties() -> None:
    """A strike that is free again after an undo is from long ago, though table time says the same."""
    door = Door("three", three.House(rearm=0))
    door.says(move="begin", player="Anna")
    door.says(5 * SECOND, move="strike", player="Anna")
    door.says(5 * SECOND, move="release", player="Anna")
    door.says(9 * SECOND, do="undo")
    assert door.says(9 * SECOND, move="strike", player="Ben")["code"] == "strike-void"


# --- Triple³ -------------------------------------------------------------------------------------------------


def playing() -> Door:
    door = Door("triple3", triple3.House(chips_to_win=1))
    door.says(move="deal")
    door.says(move="go")
    return door


def test_stop_by_two_at_once_has_no_first() -> None:
    door = playing()
    door.says(5 * SECOND, move="stop", player="Anna")
    reply = door.says(5 * SECOND, move="stop", player="Ben")
    assert (reply["kind"], reply["now"]["finish"]["tied"]) == ("correction", ["Anna", "Ben"])
    assert (door.match.line[-1].move.player, door.match.state.phase) == ("", "stopped")
    assert door.says(6 * SECOND, move="stop", player="Clara")["kind"] == "foul"


@pytest.mark.parametrize("gap", [0, MARGIN, -MARGIN])
def test_out_at_once_shares_the_round_even_if_the_match_is_over_by_it(gap: int) -> None:
    door = playing()
    assert door.says(60 * SECOND, move="out", player="Anna")["table"]["over"]["winners"] == ["Anna"]
    reply = door.says(60 * SECOND + gap, move="out", player="Ben")
    assert (reply["winners_before"], reply["winners_after"]) == (["Anna"], ["Anna", "Ben"])
    assert door.match.state.rounds[0].reason == "Anna, Ben are out together, on trust: the grid was not shown."
    assert door.folded().state == door.match.state
    assert door.says(70 * SECOND, move="out", player="Clara")["code"] == "match-over"


def test_out_a_moment_later_is_too_late() -> None:
    door = playing()
    door.says(60 * SECOND, move="out", player="Anna")
    assert door.says(60 * SECOND + MARGIN + 1, move="out", player="Ben")["code"] == "match-over"


def test_who_is_not_out_ties_with_nobody() -> None:
    grid = list(triple3.DECK[:9])
    door = Door("triple3")
    door.says(move="deal", grid=grid, leftovers=[{"cell": 1, "card": triple3.DECK[9]}], deals=[18, 18, 18])
    door.says(move="go")
    assert door.says(9 * SECOND, move="out", player="Anna")["code"] == "not-out"
    assert door.says(9 * SECOND, move="out", player="Ben")["code"] == "not-out"


@pytest.mark.parametrize("tied", [["Anna"], ["Anna", "Zoe"], ["Ben", "Clara"]])
def test_a_tie_that_cannot_be_is_refused(tied: list[str]) -> None:
    assert playing().says(move="out", player="Anna", tied=tied)["code"] == "impossible-tie"


def test_stop_and_out_do_not_compete() -> None:
    door = playing()
    door.says(5 * SECOND, move="stop", player="Anna")
    assert door.says(5 * SECOND, move="out", player="Ben")["kind"] == "ruling"


# --- Tres ----------------------------------------------------------------------------------------------------


def three_left() -> Door:
    """Anna has three cards, and has said nothing yet."""
    door, at = Door("tres"), silent()
    for done in at.match.line:
        door.session.referee.match.make(done.move)
    door.at = at.match.now
    return door


@pytest.mark.parametrize("gap", [0, MARGIN, -MARGIN])
def test_tres_at_the_moment_of_the_catch_is_in_time(gap: int) -> None:
    door = three_left()
    at = door.at + SECOND
    assert door.says(at, move="catch", player="Ben", whom="Anna")["table"]["phase"] == "pay"
    reply = door.says(at + gap, move="tres", player="Anna")
    assert (reply["kind"], reply["now"]["move"]) == ("correction", "tres")
    assert door.match.state.dues == ()
    assert door.match.ruling.sentences == (
        "Anna's tres and the catch by Ben came at the same moment: that is in time.",
        "Anna says tres.",
    )
    assert door.folded().state == door.match.state


def test_the_catch_at_the_moment_of_tres_is_too_late() -> None:
    door = three_left()
    at = door.at + SECOND
    door.says(at, move="tres", player="Anna")
    assert door.says(at, move="catch", player="Ben", whom="Anna")["code"] == "already-said"


def test_tres_behind_the_margin_is_too_late() -> None:
    door = three_left()
    at = door.at + SECOND
    door.says(at, move="catch", player="Ben", whom="Anna")
    assert door.says(at + MARGIN + 1, move="tres", player="Anna")["code"] == "already-caught"


def test_another_word_at_the_moment_of_a_catch_changes_nothing() -> None:
    door = three_left()
    at = door.at + SECOND
    door.says(at, move="catch", player="Ben", whom="Anna")
    assert door.says(at, move="catch", player="Clara", whom="Anna")["code"] == "already-caught"
    assert door.says(at, move="tres", player="Clara")["code"] == "not-three-cards"


# --- buttons and touches together ------------------------------------------------------------------------------


def pressed_and_said(at: At, seat: int, **message: Any) -> At:
    """A button and a message with the same stamp."""
    stamp = at.now + MS
    at.contact("strike", seat, MS)
    at.table.say(read_message(at.match.game, {**message, "at": stamp}), at.now)
    at.pass_time()
    return at


def test_a_button_and_a_message_tie_as_two_buttons_do() -> None:
    at = pressed_and_said(begun(three.House(tie="choice")), 1, move="strike", player="Clara")
    assert set(at.match.state.tied) == {"Ben", "Clara"}
    assert at.panel.buzzed[-1] == max(at.panel.buzzed)


def test_the_lights_say_that_a_message_has_tied_with_a_button() -> None:
    at = pressed_and_said(begun(three.House(tie="choice")), 1, move="strike", player="Clara")
    assert [at.panel.lights[Key("strike", seat)] for seat in range(3)] == [Light.LOCKED, Light.TIED, Light.TIED]
    assert at.panel.status_light is Light.TIED


def test_a_stamp_that_comes_late_leaves_a_message_its_tie() -> None:
    at = begun(three.House(tie="choice"))
    stamp = at.now + MS
    at.contact("strike", 1, MS)
    at.table.say(read_message(at.match.game, {"move": "strike", "player": "Clara", "at": stamp}), at.now)
    at.pass_time(45 * MS)
    assert set(at.match.state.tied) == {"Ben", "Clara"}
    at.panel.contact(SimulatedContact(stamp + MARGIN // 2, Key("strike", 0), is_down=True))
    at.pass_time()
    assert set(at.match.line[-1].move.tied) == {"Anna", "Ben", "Clara"}


def test_the_button_of_tres_and_the_token_tie() -> None:
    at = silent()
    at.contact("tres", 0, MS)
    at.contact("strike", 1, MS)
    at.pass_time()
    assert at.match.state.owed("Anna") == 0
    assert "said" in at.match.state.tres


def test_the_margin_is_that_of_the_buttons() -> None:
    assert At("three").session.margin == MARGIN


# --- photo finishes ----------------------------------------------------------------------------------------------

GAPS = st.lists(st.integers(0, 3 * MARGIN), min_size=3, max_size=3)


@settings(max_examples=60)
@given(GAPS)
def test_strikes_come_to_the_same_in_whatever_way_they_came(gaps: list[int]) -> None:
    """Strikes one by one at the door are told apart as the photo finish of all of them tells them apart."""
    stamps = sorted(zip((5 * SECOND + gap for gap in gaps), NAMES, strict=True))
    door = Door("three")
    door.says(move="begin", player="Anna")
    for stamp, player in stamps:
        door.says(stamp, move="strike", player=player)
    first = stamps[0][0]
    strike = door.match.line[-1].move
    assert isinstance(strike, three.Strike)
    assert set(strike.tied or (strike.player,)) == {player for stamp, player in stamps if stamp - first <= MARGIN}
    assert door.folded().state == door.match.state


@given(st.permutations([(0, "Anna"), (MARGIN // 2, "Ben"), (MARGIN, "Clara")]))
def test_photo_finishes_join_in_any_order(claims: list[tuple[int, str]]) -> None:
    found = alone((claims[0][1],), claims[0][0], MARGIN)
    for at, seat in claims[1:]:
        found = joint(found, alone((seat,), at, MARGIN))
    order = tuple(
        Arrival(seat, How.STAMPED, at, at) for at, seat in ((0, "Anna"), (MARGIN // 2, "Ben"), (MARGIN, "Clara"))
    )
    assert found == Finish(order, MARGIN, NAMES)


def test_who_was_held_and_who_has_no_time_keep_their_places() -> None:
    held, untimed = Arrival("Clara", How.HELD, None, None), Arrival("Ben", How.UNTIMED, None, None)
    found = joint(Finish((untimed, held), MARGIN, ()), alone(("Anna",), 7, MARGIN))
    assert found == Finish((Arrival("Anna", How.STAMPED, 7, 0), untimed, held), MARGIN, ("Anna", "Ben"))


# --- the screen ----------------------------------------------------------------------------------------------


def struck_by_touches(gap: int) -> Guests:
    """Anna and Ben touch their tiles before anything else is drawn."""
    guests = seated((800, 480), tie="choice")
    guests.do(moves(guests, three.Begin)[0])
    strikes: list[Intent] = [Say(three.Strike(who)) for who in NAMES[:2]]
    boxes = [next(item.box for item in guests.app.scene.targets() if item.intent == strike) for strike in strikes]
    assert guests.hands.scene  # drawn
    guests.hour.now += 400 * MS  # and seen
    for stamp, box in zip((guests.hour.now, guests.hour.now + gap), boxes, strict=True):
        guests.hour.now = stamp
        guests.hands.touch(*box.centre, stamp)
    guests.app.attend(guests.hour.now)
    return guests


def test_two_fingers_at_one_moment_on_the_screen_tie() -> None:
    guests = struck_by_touches(MARGIN)
    state = guests.app.view.match.state
    assert (state.phase, state.tied) == ("tied", ("Anna", "Ben"))
    assert moves(guests, three.Choose)
    guests.close()


def test_the_second_finger_on_what_both_have_seen_names_nobody() -> None:
    """Ben struck too: he is not whom Anna calls, though his tile would mean that by now."""
    guests = struck_by_touches(10 * MS)
    assert guests.app.view.match.state.caller == "Anna"
    assert "whom" not in guests.app.view.marks
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "strike-void"
    guests.close()

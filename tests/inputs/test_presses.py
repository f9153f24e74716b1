"""What presses mean in each game, in the order of their stamps and not of their arrival."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.core.entry import Corrected, Made
from companion.core.errors import JournalError, MatchError
from companion.core.match import Match, set_up
from companion.core.record import entry_plain, move_plain, read_entry, read_move
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.games import game
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.inputs.presses import BUZZ, BUZZ_TIE, Presses
from companion.seat.table import PlainTable
from hardware.contact import Settings
from hardware.panel import FILLING, Key, Light
from hardware.pin_errors import ChipGoneError
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.wiring import Seat, Wiring
from tests.hardware.oracle import confidence
from tests.replies import told as as_told

MS = 1_000_000
RING = Wiring(
    seats=tuple(Seat(button=pin, light=pin + 8, keys={"tres": pin + 4, "turn": pin + 12}) for pin in (4, 5, 6)),
    keys={"stop": 20, "turn": 21},
)
NAMES = ("Anna", "Ben", "Clara")


class At:
    """A table with simulated buttons whose clock moves when it is told to."""

    def __init__(self, name: str, house: Any = None, wiring: Wiring = RING, players: tuple[str, ...] = NAMES) -> None:
        self.now = 10**9
        self.panel = SimulatedPanel(wiring, lambda: self.now)
        playing = game(name)
        setup = set_up(playing, players, house or playing.house())
        self.entries: list[Any] = []
        match = Match(setup, lambda entry, _state: self.entries.append(entry))
        self.session = Session(Referee(match, self.now), lambda: self.now)
        self.presses = Presses(self.panel, self.session.referee.match)
        self.table = PlainTable(self.session, self.presses)
        self.replies: list[dict[str, Any]] = []
        self.pass_time()

    @property
    def match(self) -> Any:
        return self.session.referee.match

    def says(self, **message: Any) -> None:
        self.now += MS
        self.table.say(read_message(self.match.game, message), self.now)
        self.pass_time()

    def contact(self, kind: str, seat: int | None, after: int, *, down: bool = True, lost: bool = False) -> None:
        """A contact so many nanoseconds after now; time does not move."""
        self.panel.contact(SimulatedContact(self.now + after, Key(kind, seat), down, lost))

    def pass_time(self, span: int = 100 * MS) -> None:
        until = self.now + span
        while True:
            self.replies += as_told(self.table.attend(self.now))
            due = self.table.wakes_at
            if due is None or due > until:
                self.now = until
                return
            self.now = max(self.now, due)

    def kinds(self) -> list[str]:
        return [reply["move"]["move"] if reply["kind"] == "ruling" else reply["kind"] for reply in self.replies]

    def last(self, kind: str) -> dict[str, Any]:
        return next(reply for reply in reversed(self.replies) if reply["kind"] == kind)


def begun(house: three.House | None = None) -> At:
    at = At("three", house)
    at.says(move="begin", player="Anna")
    return at


def test_arrival_does_not_decide() -> None:
    at = begun()
    at.contact("strike", 2, 3 * MS)  # noticed first, stamped last
    at.contact("strike", 0, 2 * MS)
    at.contact("strike", 1, 1 * MS)
    at.pass_time()
    strike = at.match.line[-1].move
    assert strike.player == "Ben"
    assert [arrival.seat for arrival in strike.finish.order] == ["Ben", "Anna", "Clara"]
    assert [arrival.after for arrival in strike.finish.order] == [0, MS, 2 * MS]
    assert at.match.state.caller == "Ben"
    assert at.last("ruling")["events"][0]["gap"] == MS
    assert at.last("ruling")["events"][0]["sentence"] == (
        "Ben was 1.000 ms before Anna; closer than 100 µs would have been a tie."
    )


def test_the_stamp_of_the_strike_is_the_one_of_the_contact() -> None:
    at = begun()
    pressed = at.now + 1_234_567
    at.contact("strike", 0, 1_234_567)
    at.pass_time()
    assert at.match.line[-1].move.at == pressed - 10**9
    assert at.match.deadline.at == pressed - 10**9 + 10 * 10**9


@pytest.mark.parametrize(
    ("tie", "turn_of", "phase", "caller"),
    [("replay", "Anna", "turn", ""), ("seats", "Anna", "struck", "Ben"), ("choice", "Anna", "tied", "")],
)
def test_a_tie_is_settled_by_the_house_rule(tie: str, turn_of: str, phase: str, caller: str) -> None:
    at = begun(three.House(tie=tie))
    at.contact("strike", 2, 1 * MS)
    at.contact("strike", 1, 1 * MS + 50_000)
    at.pass_time()
    state = at.match.state
    assert (state.phase, state.caller, state.turn) == (phase, caller, turn_of)
    assert set(at.match.line[-1].move.tied) == {"Ben", "Clara"}
    if tie == "choice":
        at.says(move="choose", player="Anna", caller="Clara")
        assert at.match.state.caller == "Clara"
    if tie == "replay":
        at.contact("strike", 1, 0, down=False)
        at.contact("strike", 2, 0, down=False)
        at.pass_time(1_000 * MS)
        at.contact("strike", 2, 50 * MS)
        at.pass_time(200 * MS)
        assert at.match.state.caller == "Clara"


def test_a_lost_edge_is_a_tie_and_not_a_guess() -> None:
    at = begun()
    at.contact("strike", 0, 1 * MS)
    at.contact("strike", 1, 2 * MS, lost=True)
    at.pass_time()
    finish = at.match.line[-1].move.finish
    assert finish.winner == ""
    assert confidence(finish) == "unknown"
    assert set(finish.tied) == {"Anna", "Ben"}
    assert "an edge was lost" in at.last("ruling")["events"][0]["sentence"]


def test_the_light_and_the_buzzer_of_the_table() -> None:
    at = begun()
    seen = [at.panel.status_light]
    at.contact("strike", 0, 1 * MS)
    at.pass_time()
    seen.append(at.panel.status_light)
    assert seen == [Light.ARMED, Light.WON]
    assert at.panel.lights[Key("strike", 0)] is Light.WON
    assert at.panel.lights[Key("strike", 1)] is Light.LOCKED
    assert len(at.panel.buzzed) == 1


def test_a_strike_that_could_not_be_kept_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    at = begun()

    def full(*_: object) -> None:
        raise JournalError("The journal cannot be written, and nothing was changed: the disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(at.match, "_keep", full)
        at.contact("strike", 0, 1 * MS)
        at.pass_time()
    assert at.replies[-1]["kind"] == "error"
    assert at.panel.buzzed == []
    at.contact("strike", 0, 0, down=False)
    at.pass_time()
    at.contact("strike", 0, 1 * MS)
    at.pass_time()
    assert (at.match.state.phase, at.panel.buzzed) == ("struck", [BUZZ]), "and the next one is"


def test_what_is_struck_in_a_pause_is_not_heard() -> None:
    at = begun()
    at.says(do="pause")
    at.contact("strike", 0, 1 * MS)
    at.pass_time()
    assert at.panel.buzzed == []


def test_a_tie_is_heard_longer() -> None:
    at = begun()
    at.contact("strike", 2, 1 * MS)
    at.contact("strike", 1, 1 * MS + 50_000)
    at.pass_time()
    assert at.panel.buzzed == [BUZZ_TIE]


def test_a_chip_that_is_gone_does_not_stop_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> dict[Key, bool]:
        raise ChipGoneError("gpiochip0 is gone.")

    at = At("three")
    monkeypatch.setattr(at.panel, "levels", gone)
    at.says(move="begin", player="Anna")
    at.says(move="play", player="Anna", dog="red")
    at.says(move="strike", player="Ben")
    assert at.kinds()[-3:] == ["begin", "play", "strike"]


def test_late_strikes_are_void_and_shown() -> None:
    at = begun()
    at.contact("strike", 0, 1 * MS)
    at.pass_time()
    at.now += 5 * MS
    at.contact("strike", 1, 0)
    at.pass_time()
    assert at.last("foul")["code"] == "strike-void"
    assert "behind the strike that stands" in at.last("notice")["sentence"]
    assert at.match.state.caller == "Anna"


# --- armed again ------------------------------------------------------------------------------------------------


class Called(At):
    """Anna has called Ben wrongly, which was answered a moment ago."""

    def __init__(self, house: three.House | None = None) -> None:
        super().__init__("three", house)
        self.says(move="begin", player="Anna")
        press(self, "strike", 0)
        self.says(move="call", player="Anna", whom="Ben", dog="red")
        self.says(move="check", player="Ben", found=0)
        self.answered_at = self.match.now + 10**9

    def strikes(self, seat: int, after: int) -> None:
        """A button is pressed so many nanoseconds after the answer, and let go later."""
        self.pass_time(self.answered_at + after - self.now)
        self.contact("strike", seat, 0)
        self.replies += as_told(self.table.attend(self.now))


def test_too_early_by_a_button_or_by_a_message_is_the_same_foul() -> None:
    by_button, by_message = Called(), Called()
    by_button.strikes(2, 750 * MS)
    by_message.pass_time(by_message.answered_at + 749 * MS - by_message.now)
    by_message.says(move="strike", player="Clara")
    assert by_button.last("foul") == by_message.last("foul")
    assert by_button.last("foul")["code"] == "early"
    assert by_button.last("foul")["facts"] == {"early": "250.000 ms"}


@pytest.mark.parametrize("soon", [1, 10, 30])
def test_who_is_too_early_takes_nobody_s_place(soon: int) -> None:
    at = Called()
    at.strikes(2, (1_000 - soon) * MS)
    at.strikes(1, 1_001 * MS)
    at.pass_time()
    assert at.match.state.caller == "Ben"
    assert [(one.seat, one.how.value) for one in at.match.line[-1].move.finish.order] == [
        ("Ben", "stamped"),
        ("Clara", "held"),
    ]


def test_from_the_very_moment_on_a_strike_counts() -> None:
    at = Called()
    at.strikes(2, 1_000 * MS - 1)
    at.strikes(1, 1_000 * MS)
    at.pass_time()
    assert at.match.state.caller == "Ben"
    assert at.last("foul")["facts"] == {"early": "0 µs"}


def test_the_lamps_fill_until_the_token_is_free() -> None:
    at = Called()
    seen: list[tuple[Light, Light]] = []
    for _ in range(60):
        shown = at.panel.lights[Key("strike", 1)], at.panel.status_light
        if not seen or seen[-1] != shown:
            seen.append(shown)
        at.pass_time(20 * MS)
    assert seen == [*((light, light) for light in FILLING), (Light.ARMED, Light.ARMED)]


def test_while_table_time_stands_the_token_gets_no_nearer_to_being_free() -> None:
    at = Called()
    at.says(move="play", player="Anna", dog="red")
    at.says(do="undo")
    at.pass_time(5_000 * MS)
    assert (at.panel.lights[Key("strike", 1)], at.panel.status_light) == (FILLING[0], FILLING[0])
    at.contact("strike", 1, 0)
    at.pass_time()
    at.contact("strike", 1, 0, down=False)
    at.pass_time()
    assert at.last("foul")["code"] == "early"
    at.says(do="resume")
    at.pass_time(1_000 * MS)
    assert at.panel.lights[Key("strike", 1)] is Light.ARMED
    press(at, "strike", 1)
    assert at.match.state.caller == "Ben"


def test_who_called_wrongly_is_kept_out_by_lamp_and_foul() -> None:
    at = Called(three.House(cooldown=10))
    at.strikes(0, 2_000 * MS)
    assert at.last("foul")["sentence"] == "Anna called wrongly and may not strike for another 8.000 s."
    at.contact("strike", 0, 0, down=False)
    at.pass_time()
    assert at.match.state.phase == "turn"
    assert at.panel.lights[Key("strike", 0)] is Light.LOCKED
    assert at.panel.lights[Key("strike", 1)] is Light.ARMED
    at.pass_time(at.answered_at + 10_001 * MS - at.now)
    assert at.panel.lights[Key("strike", 0)] is Light.TURN
    at.strikes(0, 10_002 * MS)
    at.pass_time()
    assert at.match.state.caller == "Anna"


def test_without_the_rule_the_token_is_free_at_once() -> None:
    at = Called(three.House(rearm=0))
    assert not set(FILLING) & set(at.panel.lights.values())
    at.strikes(2, 200 * MS)
    at.pass_time()
    assert at.match.state.caller == "Clara"


# --- stamps that come late ----------------------------------------------------------------------------------


def overtaken(at: At, behind: int = -MS) -> At:
    """Anna has struck; Ben's stamp comes when that was ruled on."""
    struck_at = at.now + MS
    at.contact("strike", 0, MS)
    at.pass_time(45 * MS)
    at.panel.contact(SimulatedContact(struck_at + behind, Key("strike", 1), is_down=True))
    return at


def in_another_life(at: At) -> Match:
    return Match.folded(at.match.setup, at.entries)


def test_an_earlier_stamp_that_comes_late_has_the_strike_until_the_call_is_named() -> None:
    at = overtaken(begun())
    assert at.match.state.caller == "Anna"
    at.pass_time()
    strike = at.match.line[-1].move
    assert (at.match.state.caller, strike.player) == ("Ben", "Ben")
    assert [(one.seat, one.after) for one in strike.finish.order] == [("Ben", 0), ("Anna", MS)]
    assert at.last("correction")["now"]["finish"]["order"][0]["seat"] == "Ben"
    assert at.last("notice")["sentence"] == ("Ben struck 1.000 ms before the strike that stood; the stamp came late.")
    assert (at.panel.lights[Key("strike", 1)], at.panel.lights[Key("strike", 0)]) == (Light.WON, Light.LOCKED)
    at.says(move="call", player="Anna", whom="Clara", dog="red")
    assert at.last("foul")["code"] == "not-the-caller"
    at.says(move="call", player="Ben", whom="Clara", dog="red")
    assert at.match.state.phase == "check"


def test_nothing_is_said_to_be_put_right_before_it_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    at = overtaken(begun())

    def full(*_given: Any) -> None:
        raise JournalError("The journal cannot be written, and nothing was changed: the disk is full.")

    monkeypatch.setattr(at.match, "_keep", full)
    at.pass_time()
    assert (at.match.state.caller, at.kinds()[-2:]) == ("Anna", ["notice", "error"])
    assert "put right" not in at.last("notice")["sentence"]


def test_that_correction_is_an_entry_and_plays_again_to_the_same() -> None:
    at = overtaken(begun())
    at.pass_time()
    assert [type(entry) for entry in at.entries] == [Made, Made, Corrected]
    [*_, corrected] = at.entries
    kind, body = entry_plain(corrected)
    assert read_entry(at.match.game, kind, json.loads(json.dumps(body))) == corrected
    assert in_another_life(at).state == at.match.state


def test_a_late_stamp_within_the_margin_is_a_tie_after_all() -> None:
    at = overtaken(begun(three.House(tie="choice")), behind=50_000)
    at.pass_time()
    assert (at.match.state.phase, set(at.match.state.tied)) == ("tied", {"Anna", "Ben"})
    assert at.last("notice")["sentence"] == "Ben's stamp came late."


def test_behind_the_call_the_table_is_asked() -> None:
    at = begun()
    struck_at = at.now + MS
    at.contact("strike", 0, MS)
    at.pass_time(45 * MS)
    at.says(move="call", player="Anna", whom="Clara", dog="red")
    at.panel.contact(SimulatedContact(struck_at - MS, Key("strike", 1), is_down=True))
    at.pass_time()
    assert (at.match.state.phase, at.match.state.caller) == ("check", "Anna")
    assert at.last("notice")["sentence"] == (
        "Ben struck 1.000 ms before the strike that stands, but the stamp came after the next move. "
        "Does the strike stand? If not, undo back to it, and Ben strikes again."
    )


def test_the_stamp_that_comes_late_is_ruled_on_before_a_call_of_the_same_moment() -> None:
    at = overtaken(begun())
    at.table.say(read_message(at.match.game, {"move": "call", "player": "Anna", "whom": "Clara", "dog": "red"}), at.now)
    at.pass_time()
    assert at.match.state.caller == "Ben"
    assert at.last("foul")["code"] == "not-the-caller"


def test_a_call_that_is_due_when_the_stamp_comes_is_not_dropped() -> None:
    at = overtaken(begun())
    call = {"move": "call", "player": "Anna", "whom": "Clara", "dog": "red", "at": at.now - 21 * MS}
    at.table.say(read_message(at.match.game, call), at.now)
    at.pass_time()
    assert (at.match.state.phase, at.match.state.caller) == ("check", "Anna")
    assert "Does the strike stand?" in at.last("notice")["sentence"]


def test_a_stop_is_put_right_too() -> None:
    at = At("triple3")
    at.says(move="deal")
    at.says(move="go")
    overtaken(at).pass_time()
    assert at.match.line[-1].move.player == "Ben"
    assert at.match.state.phase == "stopped"


@pytest.mark.parametrize("tie", ["choice", "replay"])
def test_the_edge_of_a_press_that_only_its_level_showed_settles_the_tie(tie: str) -> None:
    """Even where the token was armed again, because nobody had the call."""
    at = begun(three.House(tie=tie))
    at.contact("strike", 0, MS)
    at.contact("strike", 1, 0, lost=True)
    pressed = at.now + 2 * MS
    at.pass_time(45 * MS)
    assert at.match.state.phase == {"choice": "tied", "replay": "turn"}[tie]
    at.panel.contact(SimulatedContact(pressed, Key("strike", 1), is_down=True))
    at.pass_time()
    assert at.match.state.caller == "Anna"
    assert (at.panel.lights[Key("strike", 0)], at.panel.lights[Key("strike", 1)]) == (Light.WON, Light.LOCKED)


def test_a_press_made_while_the_token_is_being_armed_is_not_held() -> None:
    at = At("three")
    at.table.say(read_message(at.match.game, {"move": "begin", "player": "Anna"}), at.now)
    at.now += 20 * MS
    at.contact("strike", 1, 100, lost=True)  # down when the levels are read, and its edge is on its way
    pressed = at.now + 100
    at.replies += as_told(at.table.attend(at.now))
    at.panel.contact(SimulatedContact(pressed, Key("strike", 1), is_down=True))
    at.pass_time()
    assert at.match.state.caller == "Ben"


def test_a_held_button_does_not_strike_until_it_was_let_go() -> None:
    at = At("three")
    at.contact("strike", 1, 0)
    at.pass_time()
    at.says(move="begin", player="Anna")
    assert at.panel.lights[Key("strike", 1)] is Light.HELD
    at.contact("strike", 1, MS, down=False)
    at.pass_time()
    assert at.match.state.phase == "turn"
    at.contact("strike", 1, 50 * MS)
    at.pass_time()
    assert at.match.state.caller == "Ben"


def test_a_button_that_is_stuck_is_said_once_and_the_others_strike() -> None:
    at = begun()
    at.contact("strike", 0, 0)
    at.pass_time()
    at.says(do="undo")
    at.pass_time(20_000 * MS)
    said = [reply["sentence"] for reply in at.replies if reply["kind"] == "notice"]
    assert said.count("The button of Anna is down for too long: it does not count until it comes up.") == 1
    at.contact("strike", 1, MS)
    at.pass_time()
    assert at.match.state.caller == "Ben"


def test_a_message_presses_a_simulated_button() -> None:
    at = begun()
    at.presses.touch("strike", 2, None, at.now)
    at.pass_time()
    assert at.match.state.caller == "Ben"
    with pytest.raises(MatchError, match="There is no button horn; there are stop, turn, strike 1"):
        at.presses.touch("horn", 0, None, at.now)


def test_a_message_cannot_press_where_there_are_no_buttons() -> None:
    conversation = begun().session
    [reply] = as_told(conversation.answer(read_message(game("three"), {"do": "touch", "key": "strike", "at": 10**10})))
    assert reply["code"] in ("match", "time")


def test_one_big_button_asks_whose_hand_it_was() -> None:
    at = At("three", wiring=Wiring(kind="single", button=4, light=12))
    at.says(move="begin", player="Anna")
    at.contact("strike", None, MS)
    at.pass_time()
    assert at.match.state.phase == "whose"
    at.says(move="hand", player="Clara")
    assert at.match.state.caller == "Clara"


def test_a_touch_waits_for_a_press_that_was_earlier() -> None:
    """The screen is quicker than the window of the arbiter; the stamps decide all the same."""
    at = begun()
    at.contact("strike", 1, 1 * MS)
    at.now += 2 * MS
    at.table.say(read_message(at.match.game, {"move": "play", "player": "Anna", "dog": "red"}), at.now)
    at.pass_time()
    assert at.kinds()[-2:] == ["strike", "foul"]


def test_tres_or_caught_by_the_stamp() -> None:
    for tres_at, strike_at, caught in ((2 * MS, 1 * MS, True), (1 * MS, 2 * MS, False)):
        at = At("tres", tres.House())
        at.says(move="dealer", player="Clara")
        at.says(move="deal", player="Clara", table=["red-1", "red-5", "blue-9"])
        for card, cards in (("red-5", ("red-6", "red-7")),):
            at.says(move="play", player="Anna", table_card=card, cards=list(cards))
        at.replies.clear()
        while len(at.match.state.hand("Anna")) != 3:
            _play_on(at)
        at.contact("strike", 1, strike_at)
        at.contact("tres", 0, tres_at)
        at.pass_time()
        owed = at.match.state.owed("Anna")
        assert (owed == 3) is caught, at.replies


def silent() -> At:
    """Anna has three cards, and has not said so."""
    at = At("tres", tres.House())
    at.says(move="dealer", player="Clara")
    at.says(move="deal", player="Clara", table=["red-1", "red-5", "blue-9"])
    while len(at.match.state.hand("Anna")) != 3:
        _play_on(at)
    return at


def test_where_two_are_silent_the_table_is_asked_and_the_strike_is_heard_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = silent()
    monkeypatch.setattr(tres.State, "silent", ("Anna", "Clara"))
    moves = len(at.match.line)
    at.contact("strike", 1, 1 * MS)
    at.pass_time()
    assert (len(at.match.line), at.panel.buzzed) == (moves, [BUZZ])
    assert (
        at.last("notice")["sentence"]
        == "Ben struck first, and Anna, Clara were silent: say on the screen who is caught."
    )


def test_who_is_silent_catches_nobody_and_is_in_nobodys_way() -> None:
    at = silent()
    at.contact("strike", 0, 1 * MS)
    at.contact("strike", 1, 2 * MS)
    at.pass_time()
    caught = at.match.line[-1].move
    assert (caught.player, caught.whom, [one.seat for one in caught.finish.order]) == ("Ben", "Anna", ["Ben"])


def test_two_who_catch_together_have_caught() -> None:
    at = silent()
    at.contact("strike", 2, 1 * MS)
    at.contact("strike", 1, 1 * MS + 50_000)
    at.pass_time()
    assert (at.match.line[-1].move.player, at.match.state.owed("Anna")) == ("Clara", 3)


@pytest.mark.parametrize("behind", [-MS, 50_000])
def test_a_stamp_that_comes_late_catches_where_the_strike_that_stood_caught_nobody(behind: int) -> None:
    at = overtaken(silent(), behind)
    assert at.last("notice")["sentence"] == "Anna struck, but nobody else was silent with three cards."
    assert at.match.state.silent == ("Anna",)
    at.pass_time()
    assert (at.match.line[-1].move.player, at.match.state.owed("Anna")) == ("Ben", 3)
    assert in_another_life(at).state == at.match.state


def test_a_stamp_that_comes_late_catches_nobody_who_has_said_tres() -> None:
    at = overtaken(silent())
    at.table.say(read_message(at.match.game, {"move": "tres", "player": "Anna"}), at.now - 21 * MS)
    at.pass_time()
    assert at.match.state.owed("Anna") == 0
    assert at.match.state.silent == ()


def test_a_strike_behind_the_word_is_refused_and_says_why() -> None:
    at = silent()
    at.contact("tres", 0, 1 * MS)
    at.contact("strike", 1, 2 * MS)
    at.now += 50 * MS  # the program looks when both are over
    at.pass_time()
    assert at.last("foul")["sentence"] == "Ben cannot catch Anna, who said tres in time."


def test_one_big_token_asks_who_has_caught_whom() -> None:
    at = At("tres", wiring=Wiring(kind="single", button=4, light=12))
    at.says(move="dealer", player="Clara")
    at.says(move="deal", player="Clara", table=["red-1", "red-5", "blue-9"])
    while len(at.match.state.hand("Anna")) != 3:
        _play_on(at)
    at.contact("strike", None, MS)
    at.pass_time()
    assert at.last("notice")["sentence"] == "The token was struck: say on the screen who has caught whom."


def caught() -> At:
    """Ben has struck a millisecond before Clara."""
    at = silent()
    at.contact("strike", 2, 2 * MS)
    at.contact("strike", 1, 1 * MS)
    at.pass_time()
    return at


def stopped() -> At:
    at = At("triple3")
    at.says(move="deal")
    at.says(move="go")
    at.contact("strike", 2, 2 * MS)
    at.contact("strike", 1, 1 * MS)
    at.pass_time()
    return at


def struck() -> At:
    at = begun()
    at.contact("strike", 2, 2 * MS)
    at.contact("strike", 1, 1 * MS)
    at.pass_time()
    return at


@pytest.mark.parametrize(("made", "word"), [(struck, "strike"), (stopped, "stop"), (caught, "catch")])
def test_the_photo_finish_is_in_the_move_and_its_lights_are_lit_again_in_another_life(
    made: Callable[[], At], word: str
) -> None:
    at = made()
    move = at.match.line[-1].move
    assert move.word == word
    assert [(arrival.seat, arrival.after) for arrival in move.finish.order] == [("Ben", 0), ("Clara", MS)]
    told = at.last("ruling")["events"][0]
    assert told["sentence"] == "Ben was 1.000 ms before Clara; closer than 100 µs would have been a tie."
    kept = [Made(read_move(at.match.game, json.loads(json.dumps(move_plain(done.move))))) for done in at.match.line]
    panel = SimulatedPanel(RING, lambda: at.now)
    again = Presses(panel, Match.folded(at.match.setup, kept))
    again.arm(at.now)
    assert panel.lights == at.panel.lights
    assert panel.status_light == at.panel.status_light == Light.WON


def test_a_move_without_a_photo_finish_is_written_as_it_always_was() -> None:
    assert move_plain(triple3.Stop("Ben")) == {"move": "stop", "player": "Ben"}
    assert move_plain(tres.Catch("Ben", "Anna")) == {"move": "catch", "player": "Ben", "whom": "Anna"}
    at = At("triple3")
    at.says(move="deal")
    at.says(move="go")
    at.says(move="stop", player="Ben")
    assert [event["event"] for event in at.last("ruling")["events"]] == ["stopped"]


def test_a_photo_finish_after_which_others_could_strike_is_past() -> None:
    at = stopped()
    at.says(move="go-on")
    at.says(move="stuck")
    assert at.match.state.phase == "count"
    panel = SimulatedPanel(RING, lambda: at.now)
    Presses(panel, at.match).arm(at.now)
    assert Light.WON not in panel.lights.values()


def test_stop_by_two_at_once_has_no_first() -> None:
    at = At("triple3")
    at.says(move="deal")
    at.says(move="go")
    at.contact("strike", 2, 1 * MS)
    at.contact("strike", 1, 1 * MS + 50_000)
    at.pass_time()
    assert at.match.line[-1].move.player == ""
    assert set(at.match.line[-1].move.finish.tied) == {"Ben", "Clara"}
    assert [event["event"] for event in at.last("ruling")["events"]] == ["stopped"]


def _play_on(at: At) -> None:
    """Anna gets rid of her cards; the others draw and keep."""
    state = at.match.state
    if state.phase == "pay":
        at.says(move="take", player=state.dues[0].player)
    elif state.phase == "fill":
        number = len(at.match.line)
        at.says(move="fill", player=state.turn, card=f"{('green', 'yellow')[number % 2]}-{number % 9 + 1}")
    elif state.phase == "drawn":
        at.says(move="keep", player=state.turn)
    elif state.turn == "Anna":
        number = int(state.table[0].split("-")[1])
        at.says(move="play", player="Anna", table_card=state.table[0], cards=[f"blue-{number % 9 + 1}"])
    else:
        at.says(move="draw", player=state.turn)


def test_the_turn_button_switches_the_clock_at_its_stamp() -> None:
    at = At("threepia", threepia.House(way="stopwatch"))
    at.says(move="deal")
    at.says(move="begin", player="Anna")
    begun_at = at.match.now
    pressed = at.now + 5 * MS + 777
    at.contact("turn", 0, 5 * MS + 777)
    at.pass_time()
    state = at.match.state
    assert state.turn == "Ben"
    assert state.clocks[0].used == pressed - 10**9 - begun_at
    assert state.clocks[1].since == pressed - 10**9


# --- every button, whatever its contact does -----------------------------------------------------------------------


def stopwatch(wiring: Wiring = RING) -> At:
    at = At("threepia", threepia.House(way="stopwatch"), wiring)
    at.says(move="deal")
    at.says(move="begin", player="Anna")
    at.replies.clear()
    return at


def press(at: At, kind: str, seat: int | None, held: int = 60 * MS, chatter: int = 0) -> None:
    """A press whose contact bounces so many times when it closes, and as often when it opens."""
    for begins, down in ((MS, True), (MS + held, False)):
        for step in range(2 * chatter + 1):
            at.contact(kind, seat, begins + step * MS, down=down ^ bool(step % 2))
    at.pass_time(300 * MS)


def laid(at: At) -> list[str]:
    return [done.move.player for done in at.match.line if isinstance(done.move, threepia.Lay)]


def notices(at: At) -> list[str]:
    return [reply["sentence"] for reply in at.replies if reply["kind"] in ("notice", "foul", "error")]


@pytest.mark.parametrize("shared", [True, False])
def test_a_turn_button_that_bounces_ends_one_turn(shared: bool) -> None:
    at = stopwatch()
    for number in range(21):
        press(at, "turn", None if shared else number % 3, chatter=number % 4)
    assert laid(at) == list(NAMES) * 7
    assert notices(at) == []


def test_a_press_of_the_turn_button_is_not_held_up_by_the_bounce_of_its_release() -> None:
    at = stopwatch()
    start = at.now
    at.contact("turn", 0, 0)
    for step in range(9):
        at.contact("turn", 0, (6 + 2 * step) * MS, down=step % 2 == 1)
    at.pass_time(20 * MS)
    assert laid(at) == ["Anna"]
    assert at.match.line[-1].move.at == start - 10**9


@pytest.mark.parametrize("gap", [80, 249])
def test_the_button_that_all_share_does_nothing_twice(gap: int) -> None:
    at = stopwatch()
    for begins in (0, gap):
        at.contact("turn", None, begins * MS)
        at.contact("turn", None, (begins + 40) * MS, down=False)
    at.pass_time(500 * MS)
    assert laid(at) == ["Anna"]
    assert notices(at) == [f"The table, turn button: pressed again after {gap}.000 ms; that is no second press."]


def test_how_soon_is_too_soon_is_counted_from_the_press_that_counts_and_can_be_set() -> None:
    at = stopwatch()
    for begins in (0, 200, 300):
        at.contact("turn", None, begins * MS)
        at.contact("turn", None, (begins + 40) * MS, down=False)
    at.pass_time(500 * MS)
    assert laid(at) == ["Anna", "Ben"]
    quick = stopwatch(replace(RING, settings=Settings(double=0)))
    for begins in (0, 100):
        quick.contact("turn", None, begins * MS)
        quick.contact("turn", None, (begins + 40) * MS, down=False)
    quick.pass_time(500 * MS)
    assert laid(quick) == ["Anna", "Ben"]


def test_on_buttons_of_their_own_everybody_counts_however_close() -> None:
    at = stopwatch()
    for seat, begins in ((2, 2 * MS), (0, 0), (1, MS)):
        at.contact("turn", seat, begins)
    at.pass_time()
    assert laid(at) == ["Anna", "Ben", "Clara"]


def test_a_press_that_is_shorter_than_a_finger_s_is_named_and_counts() -> None:
    at = stopwatch()
    press(at, "turn", 0, held=3 * MS)
    assert laid(at) == ["Anna"]
    assert notices(at) == ["Anna, turn button: pressed for 3.000 ms only; it counts."]
    other = begun()
    press(other, "strike", 1, held=3 * MS)
    assert other.match.state.caller == "Ben"
    assert notices(other)[-1] == "Ben, strike button: pressed for 3.000 ms only; it counts."


def test_a_message_that_presses_is_not_called_short() -> None:
    at = stopwatch()
    at.presses.touch("turn", 1, None, at.now)
    at.pass_time()
    assert (laid(at), notices(at)) == (["Anna"], [])


def test_a_lost_release_swallows_no_press() -> None:
    at = stopwatch()
    at.contact("turn", 0, 0)
    at.pass_time(60 * MS)
    at.contact("turn", 0, 0, down=False, lost=True)
    at.pass_time(1_000 * MS)
    press(at, "turn", 1)
    press(at, "turn", 2)
    press(at, "turn", 0)
    assert laid(at) == ["Anna", "Ben", "Clara", "Anna"]
    assert notices(at) == []


def test_a_press_whose_edge_was_lost_counts_when_it_is_noticed_and_that_is_said() -> None:
    at = stopwatch()
    press(at, "turn", 0)
    press(at, "turn", 1)
    press(at, "turn", 2)
    at.contact("turn", 0, 0, lost=True)
    at.contact("turn", 0, 60 * MS, down=False)
    at.pass_time()
    assert laid(at) == ["Anna", "Ben", "Clara", "Anna"]
    assert notices(at) == ["Anna, turn button: an edge was lost; the press counts from when it was noticed."]


def test_a_finger_that_stays_is_one_press_and_is_named() -> None:
    at = stopwatch()
    at.contact("turn", 0, 0)
    at.pass_time(20_000 * MS)
    at.contact("turn", 0, 0, down=False)
    at.pass_time()
    assert laid(at) == ["Anna"]
    assert notices(at) == [
        "Anna, turn button: it is down for too long; it counts again when it comes up.",
        "Anna, turn button: it counts again.",
    ]


def test_a_contact_that_comes_off_for_a_moment_is_no_second_press() -> None:
    at = stopwatch()
    at.contact("turn", None, 0)
    at.contact("turn", None, 400 * MS, down=False)
    at.contact("turn", None, 412 * MS)
    at.pass_time(500 * MS)
    assert laid(at) == ["Anna"]
    assert notices(at) == ["The table, turn button: it came up for 12.000 ms only; that is no second press."]


def test_a_press_that_means_nothing_says_so() -> None:
    at = stopwatch()
    press(at, "turn", 1)
    press(at, "stop", None)
    press(at, "strike", 5)
    two = At("threepia", threepia.House(way="stopwatch"), players=("Anna", "Ben"))
    press(two, "turn", None)
    press(two, "turn", 2)
    assert laid(at) == []
    assert notices(at) == [
        "Ben, turn button: it does nothing now, it is Anna's turn.",
        "The table, stop button: it does nothing in this game.",
    ]
    assert notices(two) == [
        "The table, turn button: it does nothing now.",
        "Nobody sits at the button turn 3 in this match.",
    ]


def test_stop() -> None:
    at = At("triple3")
    at.says(move="deal")
    at.says(move="go")
    at.contact("strike", 1, MS)
    at.pass_time()
    assert at.match.state.phase == "stopped"
    assert at.match.line[-1].move.player == "Ben"
    at.says(move="out", player="Ben")
    assert at.match.state.chips == (0, 1, 0)


def test_a_strike_button_where_nobody_sits_is_no_token() -> None:
    at = At("triplexity", players=NAMES[:2])
    at.contact("strike", 2, MS)
    at.pass_time()
    assert at.last("notice")["sentence"] == "Nobody sits at the button strike 3 in this match."


# --- spikes on the cables --------------------------------------------------------------------------------------------

QUIET = replace(RING, settings=Settings(shortest=2 * MS))


def test_a_spike_before_a_strike_has_nothing() -> None:
    at = At("three", wiring=QUIET)
    at.says(move="begin", player="Anna")
    at.contact("strike", 0, 1 * MS)
    at.contact("strike", 0, 1 * MS + 400_000, down=False)
    at.contact("strike", 1, 5 * MS)
    at.pass_time()
    assert at.match.state.caller == "Ben"
    assert [arrival.seat for arrival in at.match.line[-1].move.finish.order] == ["Ben"]
    assert notices(at) == ["Anna, strike button: a contact of 400 µs is too short for a finger; it does not count."]


def test_a_spike_on_the_turn_button_ends_no_turn() -> None:
    at = stopwatch(QUIET)
    at.contact("turn", None, 0)
    at.contact("turn", None, 300_000, down=False)
    at.pass_time()
    assert laid(at) == []
    press(at, "turn", None)
    assert laid(at) == ["Anna"]


def test_a_press_that_lasts_counts_from_its_first_contact() -> None:
    at = At("three", wiring=QUIET)
    at.says(move="begin", player="Anna")
    pressed = at.now + 3 * MS
    at.contact("strike", 0, 3 * MS)
    at.pass_time()
    assert at.match.line[-1].move.at == pressed - 10**9

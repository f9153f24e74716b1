"""What `companion watch` puts together: presses as messages of a watched match, and the time that is shown."""

from typing import Any

from companion.bench import Bench
from companion.lookout import Pressed, Teller
from companion.presses import BUZZ, Presses
from companion.witness import Witness
from hardware.panel import Key
from hardware.simulated import Contact, SimulatedPanel
from hardware.wiring import Seat, Wiring
from tests.watched import DEALS, GRID, SECOND, Eye, a_card, at, frame, grid_seen, laid, session, table_seen

WIRING = Wiring(seats=tuple(Seat(button=pin, light=pin + 8) for pin in (4, 5)), stop=20)
MS = 1_000_000
CELL, CARD = a_card(legal=True)


class Watched:
    """A match in play, with simulated buttons whose clock moves when it is told to."""

    def __init__(self) -> None:
        eye: Any = Eye({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]})
        self.bench = Bench(eye, session, lambda: Witness(deals=DEALS))
        for number in range(21):
            list(self.bench.saw(eye.watch(frame(number)), frame(number)))
        assert self.bench.match
        self.now = at(21)
        self.panel = SimulatedPanel(WIRING, lambda: self.now)
        self.pressed = Pressed(Presses(self.panel, self.bench.match), self.bench)

    def pass_time(self, span: int) -> list[Any]:
        until = self.now + span
        found: list[Any] = []
        while True:
            found += self.pressed.attend(self.now)
            due = self.pressed.wakes_at
            if due is None or due > until:
                self.now = until
                return found
            self.now = max(self.now, due)


def test_a_strike_is_a_message_with_the_stamp_of_the_press() -> None:
    watched = Watched()
    watched.pass_time(100 * MS)
    pressed_at = watched.now + 3 * MS
    watched.panel.contact(Contact(pressed_at, Key("strike", 1), is_down=True))
    [cue] = watched.pass_time(200 * MS)
    assert (cue.message["move"], cue.message["player"], cue.at) == ("stop", "Ben", pressed_at)
    assert cue.message["finish"]["order"][0]["at"] == pressed_at
    assert watched.panel.buzzed == []
    [reply] = [one for one in watched.bench.heard(cue.message, cue.at) if one["kind"] == "ruling"]
    assert reply["table"]["phase"] == "stopped"
    watched.pass_time(200 * MS)
    assert watched.panel.buzzed == [BUZZ], "when it was ruled on"


def test_a_simulated_button_can_be_touched() -> None:
    watched = Watched()
    watched.pass_time(100 * MS)
    [done] = watched.pressed.touch({"do": "touch", "key": "strike", "seat": 1, "id": "t"}, watched.now)
    assert (done["kind"], done["do"], done["re"]) == ("done", "touch", "t")
    [cue] = watched.pass_time(200 * MS)
    assert (cue.message["move"], cue.message["player"]) == ("stop", "Anna")
    for message in ({"key": "dance"}, {"key": 7}, {"key": "strike", "seat": 9}):
        [error] = watched.pressed.touch({"do": "touch", "id": "t", **message}, watched.now)
        assert (error["kind"], error["re"]) == ("error", "t")


def test_the_time_that_is_shown_is_that_of_the_match() -> None:
    said: list[str] = []
    teller = Teller(said.append, as_json=False)
    begin = 5000 * SECOND
    notice = {"kind": "notice", "sentence": "Well."}
    teller.tell({"kind": "match", "game": "triple3", "players": [], "id": "x", "at": 0}, begin)
    teller.tell(notice, begin + 7 * SECOND)
    teller.tell({"kind": "done", "do": "undo", "at": 4 * SECOND}, begin + 9 * SECOND)
    teller.tell(notice, begin + 10 * SECOND)
    assert [line.partition(" s  ")[0].split()[-1] for line in said[1:]] == ["7.0", "9.0", "5.0"]

"""What `companion watch` puts together: presses as messages of a watched match, and the time that is shown."""

from typing import Any

from companion.commands.watch_assembly import Teller
from companion.core.match import Match
from companion.core.replies import DoneReply, NoticeReply, match_reply, table_of
from companion.core.requests import Touch
from companion.games import game
from companion.games.triple3.watch import WATCH
from companion.inputs.inbox import Inbox
from companion.inputs.presses import BUZZ, Presses
from companion.watch.bench import Bench
from companion.watch.game_watch import Seating
from hardware.panel import Key
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.wiring import Seat, Wiring
from simulator.playing import seated
from tests.replies import told as as_told
from tests.watched import DEALS, GRID, SECOND, Eye, a_card, at, frame, grid_seen, laid, session, table_seen

WIRING = Wiring(seats=tuple(Seat(button=pin, light=pin + 8) for pin in (4, 5)), keys={"stop": 20})
MS = 1_000_000
CELL, CARD = a_card(legal=True)


class Watched:
    """A match in play, with simulated buttons whose clock moves when it is told to."""

    def __init__(self) -> None:
        eye: Any = Eye({0: [table_seen(), grid_seen()], 20: [laid(20, CELL, CARD, GRID[CELL - 1])]})
        self.bench = Bench(eye, session, WATCH, Seating({}, DEALS))
        for number in range(21):
            list(self.bench.saw(eye.watch(frame(number)), frame(number)))
        assert self.bench.match
        self.now = at(21)
        self.panel = SimulatedPanel(WIRING, lambda: self.now)
        self.inbox = Inbox(Presses(self.panel, self.bench.match))

    def pass_time(self, span: int) -> list[Any]:
        until = self.now + span
        found: list[Any] = []
        while True:
            found += self.inbox.take(self.now)
            assert self.bench.session
            self.inbox.follow(self.bench.session.referee, self.now)
            due = self.inbox.wakes_at
            if due is None or due > until:
                self.now = until
                return found
            self.now = max(self.now, due)


def test_a_strike_is_a_message_with_the_stamp_of_the_press() -> None:
    watched = Watched()
    watched.pass_time(100 * MS)
    pressed_at = watched.now + 3 * MS
    watched.panel.contact(SimulatedContact(pressed_at, Key("strike", 1), is_down=True))
    [struck] = watched.pass_time(200 * MS)
    assert (struck.move.word, struck.move.player, struck.at) == ("stop", "Ben", pressed_at)
    assert struck.move.finish.order[0].at == pressed_at
    assert watched.panel.buzzed == []
    [reply] = [one for one in as_told(watched.bench.heard(struck)) if one["kind"] == "ruling"]
    assert reply["table"]["phase"] == "stopped"
    watched.pass_time(200 * MS)
    assert watched.panel.buzzed == [BUZZ], "when it was ruled on"


def test_a_simulated_button_can_be_touched() -> None:
    watched = Watched()
    watched.pass_time(100 * MS)
    touch = Touch("strike", 1, id="t")
    [done] = as_told(watched.inbox.touched(touch, watched.bench.session, watched.now))
    assert (done["kind"], done["do"], done["re"]) == ("done", "touch", "t")
    [struck] = watched.pass_time(200 * MS)
    assert (struck.move.word, struck.move.player) == ("stop", "Anna")
    for wrong in (Touch("dance", id="t"), Touch("strike", 9, id="t"), Touch("strike", 1, id="t", at=2**62 + 1)):
        [error] = as_told(watched.inbox.touched(wrong, watched.bench.session, watched.now))
        assert (error["kind"], error["re"]) == ("error", "t")


def test_the_time_that_is_shown_is_that_of_the_match() -> None:
    said: list[str] = []
    teller = Teller(said.append, as_json=False)
    begin = 5000 * SECOND
    notice = NoticeReply("Well.")
    match = Match(seated(game("triple3"), game("triple3").house()))
    teller.tell(match_reply(match, 0), begin)
    teller.tell(notice, begin + 7 * SECOND)
    teller.tell(DoneReply("undo", 4 * SECOND, table_of(match)), begin + 9 * SECOND)
    teller.tell(notice, begin + 10 * SECOND)
    assert [line.partition(" s  ")[0].split()[-1] for line in said[1:]] == ["7.0", "9.0", "5.0"]

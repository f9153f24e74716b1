"""The referee: machine time and table time, deadlines, and going on after the power was cut."""

import json
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.errors import JournalError, MatchError, TimeError
from companion.core.match import set_up
from companion.core.referee import LATEST, MARK_EVERY, MARK_SOON, Referee
from companion.core.requests import read_message
from companion.core.rules import Foul
from companion.core.session import Session
from companion.games import game
from companion.games.threepia import rules as threepia
from companion.journal import Journal
from tests.replies import told as as_told

Replies = list[dict[str, Any]]


class Table:
    """A session with a clock that travels: after `wait` it is later, and nobody has slept."""

    def __init__(
        self, path: Path, name: str = "three", *, own_clock: bool = True, players: int = 2, **house: Any
    ) -> None:
        self.path = path
        self.now = 5000
        self.own_clock = own_clock
        self.journal = Journal.open(path)
        playing = game(name)
        names = ("Anna", "Ben")[:players]
        self._sit(Referee.begin(set_up(playing, names, playing.house(**house)), self.now, self.journal))

    def _sit(self, referee: Referee) -> None:
        self.session = Session(referee, self._clock if self.own_clock else None)

    def _clock(self) -> int:
        return self.now

    def say(self, **message: Any) -> Replies:
        if not self.own_clock:
            message.setdefault("at", self.now)
        return as_told(self.session.answer(read_message(self.session.referee.match.game, message)))

    def wait(self, seconds: float) -> "Table":
        self.now += int(seconds * SECOND)
        return self

    def cut_the_power(self, boot: int = 77) -> None:
        """The journal is read again by another process, whose clock began anew."""
        self.journal.close()
        self.now = boot
        self.journal = Journal.open(self.path)
        self._sit(Referee.go_on(self.journal, boot))

    def at(self) -> int:
        """Table time."""
        found = self.say(do="show")[-1]["at"]
        assert isinstance(found, int)
        return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture(params=[True, False], ids=["own", "given"])
def table(path: Path, request: pytest.FixtureRequest) -> Iterator[Table]:
    made = Table(path, own_clock=request.param)
    made.say(move="begin", player="Anna")
    yield made
    made.journal.close()


# --- time ------------------------------------------------------------------------------------------------------


def test_table_time_begins_with_the_match(table: Table) -> None:
    assert table.wait(3).at() == 3 * SECOND


def test_a_pause_does_not_count(table: Table) -> None:
    table.wait(3).say(do="pause", why="dinner")
    assert table.wait(3600).at() == 3 * SECOND
    [refused] = table.say(move="play", player="Anna")
    assert refused["code"] == "match"
    table.say(do="resume")
    assert table.wait(1).at() == 4 * SECOND


def test_undo_takes_the_time_since_back(table: Table) -> None:
    table.wait(5).say(move="play", player="Anna")
    table.wait(100).say(do="undo")
    assert table.at() == 5 * SECOND


def test_stamps_that_go_backwards(table: Table) -> None:
    table.wait(5).say(move="play", player="Anna")
    [refused] = table.say(move="play", player="Ben", at=table.now - 2 * SECOND)
    assert refused["kind"] == "error"
    assert refused["code"] == "time"
    assert "before the last thing" in refused["sentence"]
    table.wait(1).say(do="pause")
    table.wait(1).say(do="resume")
    [refused] = table.say(do="show", at=table.now - 1)
    assert refused["code"] == "time"
    assert len(table.session.referee.match.line) == 2


def test_stamps_from_the_future_of_the_own_clock(path: Path) -> None:
    table = Table(path)
    [refused] = table.say(do="show", at=table.now + 1)
    assert "1 ns in the future" in refused["sentence"]
    table.journal.close()


def test_a_refused_move_is_kept_with_its_table_time(path: Path) -> None:
    table = Table(path)
    table.say(move="begin", player="Anna")
    table.wait(3).say(move="play", player="Ben", dog="red")
    table.journal.close()
    with sqlite3.connect(path) as file:
        [(body,)] = file.execute("SELECT body FROM foul").fetchall()
    assert json.loads(body) == {"move": "play", "player": "Ben", "dog": "red", "at": 3 * SECOND}


@pytest.mark.parametrize("at", [2**63 - 1, 6 * LATEST // 5])
def test_a_stamp_after_the_end_of_time_does_not_hurt(path: Path, at: int) -> None:
    """Otherwise it would be kept, and the journal could not be read again."""
    table = Table(path, own_clock=False)
    for message in ({"do": "time"}, {"do": "pause"}, {"move": "begin", "player": "Anna"}, {"do": "abandon"}):
        [refused] = table.say(**message, at=at)
        assert refused["code"] == "time"
    table.say(move="begin", player="Anna")
    table.cut_the_power()
    assert table.session.referee.match.state.phase == "turn"
    table.journal.close()


# --- undo, redo and correct, and what they cost nobody ---


def phase(table: Table) -> tuple[str, int]:
    state = table.session.referee.match
    return state.state.phase, len(state.line)


def test_an_undo_gets_past_a_move_that_the_referee_made(table: Table) -> None:
    table.wait(1).say(move="play", player="Anna", dog="red")
    table.wait(1).say(move="strike", player="Ben")
    released, _ = table.wait(11).say(do="show")
    assert released["move"]["move"] == "release"
    for left in (("struck", 3), ("turn", 2), ("turn", 1)):
        [done] = table.wait(100).say(do="undo")
        assert (done["what"], done["table"]["stands"]) == ("move", True)
        assert phase(table) == left
        assert len(table.wait(100).say(do="show")) == 1, "nothing falls due until somebody goes on"


def test_who_was_released_wrongly_can_call_after_all(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    table.wait(11).say(do="show")
    table.wait(60).say(do="undo")
    [called] = table.wait(60).say(move="call", player="Ben", whom="Anna", dog="red")
    assert called["kind"] == "ruling"
    assert called["table"]["stands"] is False
    assert called["move"]["at"] == 11 * SECOND


def test_what_was_undone_stands_after_a_power_cut_too(path: Path) -> None:
    table = Table(path)
    table.say(move="begin", player="Anna")
    table.wait(1).say(move="strike", player="Ben")
    table.wait(11).say(do="show")
    table.wait(1).say(do="undo")
    table.cut_the_power()
    assert len(table.wait(100).say(do="show")) == 1
    assert phase(table) == ("struck", 2)
    table.say(do="resume")
    assert [reply["kind"] for reply in table.wait(1).say(do="show")] == ["ruling", "state"]
    table.journal.close()


def stopwatch(path: Path, **house: Any) -> Table:
    table = Table(path, "threepia", way="stopwatch", **house)
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    return table


def used(table: Table) -> list[float]:
    at = table.at()
    return [clock.used_at(at) / SECOND for clock in table.session.referee.match.state.clocks]


def test_a_wrong_time_up_is_put_right_without_losing_the_play_before_it(path: Path) -> None:
    table = stopwatch(path, match_seconds=10)
    table.wait(4).say(move="draw", player="Anna")
    table.wait(11).say(do="show")
    assert table.session.referee.match.state.out == ("Ben",)
    table.wait(2).say(do="undo")
    assert used(table) == [4, 10]
    [laid] = table.wait(30).say(move="draw", player="Ben")
    assert laid["kind"] == "ruling"
    assert used(table.wait(2)) == [6, 10]
    table.journal.close()


def test_undo_and_redo_leave_the_clocks_as_they_were(path: Path) -> None:
    table = stopwatch(path)
    table.wait(4).say(move="draw", player="Anna")
    table.wait(7).say(do="undo")
    table.wait(61).say(do="redo")
    assert used(table) == [4, 7], "Ben has thought for 7 s; the minute between is nobody's"
    table.wait(1).say(do="undo")
    assert used(table.wait(50)) == [4, 0]
    table.say(do="undo")
    assert used(table.wait(50)) == [0, 0]
    table.say(do="redo")
    assert used(table.wait(50)) == [4, 0], "there is something left to be made again"
    table.say(do="redo")
    assert used(table.wait(1)) == [4, 9]
    table.journal.close()


def test_a_redo_stops_no_clock_that_somebody_let_run(path: Path) -> None:
    table = stopwatch(path)
    table.wait(4).say(move="draw", player="Anna")
    table.wait(2).say(move="draw", player="Ben")
    table.say(do="undo")
    table.say(do="undo")
    table.say(do="resume")
    [done] = table.say(do="redo")
    assert done["table"]["stands"] is False
    assert used(table.wait(1)) == [4, 3]
    table.journal.close()


@pytest.mark.parametrize("what", ["undo", "pause"])
def test_a_redo_gives_back_the_time_of_its_own_undo(path: Path, what: str) -> None:
    table = stopwatch(path)
    table.wait(4).say(move="draw", player="Anna")
    table.wait(3).say(move="draw", player="Ben")
    before = used(table.wait(5))
    table.say(do="undo")
    table.wait(60).say(do="resume")
    table.wait(60).say(do=what)
    if what == "undo":
        table.wait(60).say(do="redo")
    else:
        table.wait(60).say(do="resume")
    table.wait(60).say(do="redo")
    assert used(table) == before
    table.journal.close()


def test_a_strike_that_is_made_again_has_its_time_left(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    table.wait(2).say(do="undo")
    table.wait(60).say(do="redo")
    assert len(table.wait(7).say(do="show")) == 1
    assert len(table.wait(2).say(do="show")) == 2


def test_a_match_that_is_open_again_goes_on_when_somebody_does(path: Path) -> None:
    table = stopwatch(path, match_seconds=10)
    table.wait(4).say(move="draw", player="Anna")
    *_, state = table.wait(30).say(do="show")
    assert state["table"]["over"]["reason"] == "Everybody's time is used up: most points win."
    [told] = table.wait(300).say(do="correct", number=3, move=None)
    assert told["table"]["over"] is None
    assert told["table"]["turn"] == "Ben"
    assert len(table.wait(300).say(do="show")) == 1, "nobody is timed out by the talk"
    table.journal.close()


def test_no_turn_passes_by_itself_in_what_was_over(path: Path) -> None:
    table = Table(path, "threepia", way="time", turn_seconds=30, deck=11)
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    [over] = table.wait(5).say(move="draw", player="Anna")
    assert over["table"]["over"]["reason"] == "The deck is used up: most points win."
    [told] = table.wait(390).say(do="correct", number=3, move={"move": "lay", "player": "Anna", "points": 1})
    assert (told["table"]["over"], told["table"]["moves"]) == (None, 3)
    assert len(table.wait(390).say(do="show")) == 1
    [laid] = table.say(move="lay", player="Ben", points=2)
    assert laid["move"]["at"] == 5 * SECOND
    table.journal.close()


def test_every_time_up_can_be_undone_and_redone(path: Path) -> None:
    table = Table(path, "threepia", way="time", turn_seconds=30)
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    table.wait(95).say(do="show")
    match = table.session.referee.match
    for turn in ("Anna", "Ben", "Anna"):
        [done] = table.say(do="undo")
        table.wait(60)
        assert (done["table"]["turn"], match.state.clocks[0].used_at(table.at()) // SECOND) == (turn, 30)
    for turn in ("Ben", "Anna", "Ben"):
        [done] = table.wait(60).say(do="redo")
        assert done["table"]["turn"] == turn
    assert match.state.clocks[0].used_at(table.at()) == 5 * SECOND
    table.journal.close()


def test_a_deck_that_ended_the_match_too_early_is_counted(path: Path) -> None:
    table = Table(path, "threepia", way="deck", deck=11)
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    [over] = table.wait(5).say(move="draw", player="Anna")
    assert over["table"]["over"]["reason"] == "The deck is used up: most points win."
    table.wait(60).say(do="undo")
    [counted] = table.wait(60).say(move="deck-count", player="Ben", cards=17)
    assert counted["events"][0]["sentence"] == "Ben finds 17 cards in the deck; the referee had counted 1."
    [drawn] = table.say(move="draw", player="Anna")
    assert (drawn["table"]["over"], drawn["table"]["turn"]) == (None, "Ben")
    table.journal.close()


def test_draws_alone_play_nothing_out(path: Path) -> None:
    table = Table(path, "threepia", players=1, way="time-trial")
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    for _ in range(57):
        [drawn] = table.say(move="draw", player="Anna")
        assert drawn["table"]["over"] is None
    [over] = table.wait(5).say(move="draw", player="Anna")
    assert over["table"]["over"]["reason"] == "Anna has 60 cards left after 5.0 s, and none of them fits."
    table.journal.close()


THREE = ("red", "blue", "red", "blue", "red")  # Anna, Ben, Anna, Ben, Anna


def called(path: Path) -> Table:
    """Three plays by Anna of the same dog, called by Ben, checked, and three more plays."""
    table = Table(path)
    table.say(move="begin", player="Anna")
    for number, dog in enumerate(THREE):
        table.wait(1).say(move="play", player=("Anna", "Ben")[number % 2], dog=dog)
    table.wait(1).say(move="strike", player="Ben")
    table.say(move="call", player="Ben", whom="Anna", dog="red")
    table.say(move="check", player="Anna", found=3)
    for player, dog in (("Ben", "green"), ("Anna", "blue"), ("Ben", "blue")):
        [told] = table.wait(1).say(move="play", player=player, dog=dog)
        assert told["kind"] == "ruling", told
    return table


def test_an_undo_takes_a_correction_back_whole_and_a_redo_makes_it_again(path: Path) -> None:
    table = called(path)
    match = table.session.referee.match
    before = match.state, tuple(match.line)
    [put_right] = table.say(do="correct", number=2, move={"move": "play", "player": "Anna", "dog": "brown"})
    assert put_right["changes"][0]["kind"] == "adjusted"
    assert not any(change["dropped"] for change in put_right["changes"])
    after = match.state, tuple(match.line)
    for what, wanted in (("undo", before), ("redo", after), ("undo", before)):
        [done] = table.say(do=what)
        assert done["what"] == "correction"
        assert (match.state, tuple(match.line)) == wanted
    table.cut_the_power()
    table.say(do="redo")
    match = table.session.referee.match
    assert (match.state, tuple(match.line)) == after
    table.journal.close()


# --- deadlines -------------------------------------------------------------------------------------------------


def test_the_token_is_free_again_when_the_time_is_up(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    assert table.session.referee.due_at() == table.now + 10 * SECOND
    assert [reply["kind"] for reply in table.wait(10).say(do="show")] == ["state"]  # just in time
    released, state = table.wait(1e-9).say(do="show")
    assert released["move"] == {"move": "release", "player": "Ben", "at": 11 * SECOND}
    assert state["state"]["phase"] == "turn"
    assert table.session.referee.due_at() is None


def test_a_call_stamped_before_the_deadline_counts_until_it_is_ruled(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    stamp = table.wait(9).now
    [called] = table.wait(3).say(move="call", player="Ben", whom="Anna", dog="red", at=stamp)
    assert called["kind"] == "ruling"


def test_deadlines_wait_while_the_table_is_paused(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    table.wait(4).say(do="pause")
    assert table.session.referee.due_at() is None
    assert len(table.wait(3600).say(do="show")) == 1
    table.say(do="resume")
    assert table.session.referee.due_at() == table.now + 6 * SECOND
    assert len(table.wait(5).say(do="show")) == 1
    assert len(table.wait(2).say(do="show")) == 2


def test_many_deadlines_at_once_are_each_told_as_things_stood(path: Path) -> None:
    table = Table(path, "threepia", way="time", turn_seconds=30)
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    *fell_due, shown = table.wait(95).say(do="show")
    assert [reply["move"]["player"] for reply in fell_due] == ["Anna", "Ben", "Anna"]
    assert [reply["table"]["moves"] for reply in fell_due] == [3, 4, 5]
    assert [reply["table"]["turn"] for reply in fell_due] == ["Ben", "Anna", "Ben"]
    assert [reply["move"]["at"] // SECOND for reply in fell_due] == [30, 60, 90]
    assert shown["table"]["moves"] == 5
    table.journal.close()


def test_what_fell_due_before_the_disk_was_full_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(path, "threepia", way="time", turn_seconds=30)
    table.say(move="deal")
    table.say(move="begin", player="Anna")
    _full_after(table, 1, monkeypatch)
    first, failed = table.wait(95).say(do="show")
    assert first["kind"] == "ruling"
    assert failed["code"] == "journal"
    monkeypatch.undo()
    assert [reply["kind"] for reply in table.say(do="show")] == ["ruling", "ruling", "state"]
    table.journal.close()


def _full_after(table: Table, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    match = table.session.referee.match
    keep, left = match._keep, [times]

    def full(*given: Any) -> None:
        if not left[0]:
            raise JournalError("The journal cannot be written, and nothing was changed: the disk is full.")
        left[0] -= 1
        keep(*given)

    monkeypatch.setattr(match, "_keep", full)


@pytest.mark.parametrize("way", ["time", "stopwatch"])
def test_players_cannot_make_the_referees_moves(path: Path, way: str) -> None:
    table = Table(path, "threepia", way=way)
    table.say(move="deal")
    [begun] = table.say(move="begin", player="Anna")
    assert "time-up" not in {may["move"] for may in begun["table"]["may"]}
    [foul] = table.say(move="time-up", player="Anna")
    assert (foul["kind"], foul["code"]) == ("foul", "not-yours")
    table.journal.close()


# --- after a power cut -----------------------------------------------------------------------------------------


def test_time_off_does_not_count(table: Table) -> None:
    table.wait(5).say(move="play", player="Anna")
    state = table.session.referee.match.state
    table.wait(MARK_EVERY / SECOND).say(do="show")  # this much is noted
    table.wait(2)  # and this is not
    table.cut_the_power()
    assert table.session.referee.match.state == state
    assert table.at() == 15 * SECOND
    assert table.wait(1).at() == 16 * SECOND


def test_of_a_call_that_waits_for_its_answer_little_is_given_back(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    for _ in range(9):
        table.wait(1).say(do="show")
    due = table.session.referee.match.deadline
    assert due
    table.cut_the_power()
    assert 0 < due.at - table.at() <= SECOND + MARK_SOON


def test_a_pause_survives(table: Table) -> None:
    table.wait(3).say(do="pause", why="dinner")
    table.cut_the_power()
    [state] = table.wait(1000).say(do="show")
    assert (state["at"], state["table"]["paused"]) == (3 * SECOND, True)
    table.say(do="resume")
    assert table.wait(2).at() == 5 * SECOND


def test_a_deadline_survives(table: Table) -> None:
    table.wait(1).say(move="strike", player="Ben")
    table.wait(4)
    table.cut_the_power()
    assert table.session.referee.due_at() == table.now + 10 * SECOND  # the last four seconds were not noted
    assert len(table.wait(11).say(do="show")) == 2


def test_an_undo_survives_and_so_does_what_can_be_made_again(table: Table) -> None:
    table.wait(5).say(move="play", player="Anna")
    table.wait(20).say(do="show")
    table.say(do="undo")
    table.cut_the_power()
    assert table.at() == 5 * SECOND
    [done] = table.say(do="redo")
    assert done["table"]["moves"] == 2


def test_what_is_made_again_takes_the_time_back_that_was_noted_since(table: Table) -> None:
    table.wait(3).say(move="play", player="Anna", dog="red")
    table.wait(3).say(do="undo")
    table.say(do="resume")
    table.wait(2 * MARK_EVERY / SECOND).say(do="show")  # this is noted
    table.say(do="redo")
    before = table.at()
    table.cut_the_power()
    assert table.at() == before


def test_clocks_of_threepia_stand_as_they_stood(path: Path) -> None:
    table = Table(path, "threepia", way="stopwatch", match_seconds=60)
    table.say(move="deal")
    table.wait(1).say(move="begin", player="Anna")
    table.wait(20).say(move="draw", player="Anna")
    table.wait(25).say(do="show")
    clocks = table.session.referee.match.state.clocks
    table.cut_the_power(boot=10**15)
    assert table.session.referee.match.state.clocks == clocks
    assert [clock.left_at(table.at()) for clock in clocks] == [40 * SECOND, 35 * SECOND]
    assert table.session.referee.due_at() == table.now + 35 * SECOND
    *fell_due, _ = table.wait(36).say(do="show")
    assert fell_due[0]["move"]["player"] == "Ben"
    assert isinstance(table.session.referee.match.line[-1].move, threepia.TimeUp)
    table.journal.close()


def test_what_is_over_cannot_be_gone_on_with(table: Table) -> None:
    code = table.session.referee.match.setup.id
    table.say(do="abandon")
    with pytest.raises(MatchError, match="is over; look at it with"):
        Referee.go_on(table.journal, 0, code)
    with pytest.raises(JournalError, match="there is no match of Tres to go on with"):
        Referee.go_on(table.journal, 0, game="tres")


def test_a_match_of_another_game(table: Table) -> None:
    code = table.session.referee.match.setup.id
    with pytest.raises(MatchError, match="is one of three, not of tres"):
        Referee.go_on(table.journal, 0, code, game="tres")


def test_a_time_error_changes_nothing(table: Table) -> None:
    referee = table.session.referee
    table.wait(1).say(do="pause")
    for late in (referee.redo, referee.pause, referee.resume, referee.abandon):
        with pytest.raises((TimeError, MatchError)):
            late(table.now - 1)
    assert referee.match.paused
    assert not referee.match.abandoned


# --- a journal that cannot be written ---------------------------------------------------------------------------


def test_a_time_that_cannot_be_noted_is_a_notice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_time: int) -> None:
        raise JournalError("The journal cannot be written, and nothing was changed: the disk is full.")

    monkeypatch.setattr(
        table.session.referee,
        "_keeper",
        type("Full", (), {"mark": staticmethod(full), "settled": staticmethod(lambda: None)}),
    )
    notice, state = table.wait(11).say(do="show")
    assert (notice["kind"], state["kind"]) == ("notice", "state")
    assert "disk is full" in notice["sentence"]
    assert [reply["kind"] for reply in table.wait(1).say(do="show")] == ["state"]  # not again and again
    assert [reply["kind"] for reply in table.wait(10).say(do="show")] == ["notice", "state"]


def test_without_a_journal_nothing_is_kept_and_all_else_is_the_same() -> None:
    playing = game("three")
    referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), time.monotonic_ns())
    with pytest.raises(Foul):
        referee.make(read_message(playing, {"move": "pass", "player": "Anna"}).move, time.monotonic_ns())  # type: ignore[union-attr]
    assert referee.journal is None


# --- a disk that fails while something is kept ------------------------------------------------------------------


class Failing(sqlite3.Connection):
    """Its commits fail as with a sync that fails: what they wrote is on the disk, or it is not."""

    fails, does = False, False  # whether commits fail, and happen all the same

    def execute(self, words: str, *given: Any) -> sqlite3.Cursor:
        if words == "COMMIT" and Failing.fails:
            if Failing.does:
                super().execute(words)
            Failing.fails = False
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(words, *given)


class Disk:
    """Fails when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._connect, self.is_gone = sqlite3.connect, False
        monkeypatch.setattr("companion.journal.file.sqlite3.connect", self._opened)

    def fail(self, *, does: bool) -> None:
        Failing.fails, Failing.does = True, does

    def _opened(self, *given: Any, **more: Any) -> sqlite3.Connection:
        if self.is_gone:
            raise sqlite3.OperationalError("disk I/O error")
        found: sqlite3.Connection = self._connect(*given, **{**more, "factory": Failing})
        return found


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def _entries(table: Table) -> int:
    return len(table.journal.stored(table.session.referee.match.setup.id).entries)


@pytest.mark.parametrize("does", [True, False])
def test_after_a_failed_sync_the_disk_is_asked(disk: Disk, path: Path, does: bool) -> None:
    table = Table(path)
    disk.fail(does=does)
    *_, reply = table.say(move="begin", player="Anna")
    assert (reply["kind"], _entries(table)) == (("ruling", 1) if does else ("error", 0))
    if not does:
        assert "nothing was changed: disk I/O error; the disk fails: look at its cable" in reply["sentence"]
        assert table.say(move="begin", player="Anna")[-1]["kind"] == "ruling"
    table.cut_the_power()
    assert len(table.session.referee.match.line) == 1


@pytest.mark.parametrize("does", [True, False])
def test_a_match_whose_beginning_failed_is_there_or_not(disk: Disk, path: Path, does: bool) -> None:
    playing = game("three")
    setup = set_up(playing, ("Anna", "Ben"), playing.house())
    with Journal.open(path) as journal:
        disk.fail(does=does)
        if does:
            Referee.begin(setup, 0, journal)
        else:
            with pytest.raises(JournalError, match="nothing was changed"):
                Referee.begin(setup, 0, journal)
        assert len(journal.matches()) == does


ASKED: dict[str, dict[str, Any]] = {
    "ruling": {"move": "play", "player": "Anna"},
    "undo": {"do": "undo"},
    "redo": {"do": "redo"},
    "pause": {"do": "pause", "why": "tea"},
    "resume": {"do": "resume"},
    "correction": {"do": "correct", "number": 1, "move": {"move": "begin", "player": "Ben"}},
    "abandon": {"do": "abandon"},
}
BEFORE = {"redo": "undo", "resume": "pause"}


@pytest.mark.parametrize("does", [True, False])
@pytest.mark.parametrize("what", ASKED)
def test_while_nobody_knows_nothing_goes_on_and_then_it_is_told_or_was_not(
    disk: Disk, path: Path, what: str, does: bool
) -> None:
    table = Table(path)
    table.say(move="begin", player="Anna")
    if what in BEFORE:
        table.wait(1).say(do=BEFORE[what])
    match = table.session.referee.match
    before, entries = (len(match.line), match.now, match.paused, match.abandoned), _entries(table)
    disk.fail(does=does)
    disk.is_gone = True
    *_, unsure = table.wait(1).say(**ASKED[what])
    *_, again = table.wait(1).say(do="show")
    assert unsure["code"] == again["code"] == "journal"
    assert "nobody knows whether the newest entry is in it: disk I/O error" in unsure["sentence"]
    assert (len(match.line), match.now, match.paused, match.abandoned) == before
    disk.is_gone = False
    *told, state = table.wait(1).say(do="show")
    assert state["kind"] == "state"
    assert [reply.get("do", reply["kind"]) for reply in told] == ([what] if does else [])
    assert _entries(table) == entries + does
    now = table.at()
    assert table.wait(1).at() == now + (0 if match.stands else SECOND)
    assert table.journal.stored(match.setup.id).folded().line == match.line

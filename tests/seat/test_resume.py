"""A table that was killed in the middle of a call, a count, a turn: the next one asks whether to go on, and everything
stands as it stood. Real processes, SIGKILL, a real journal; only the clocks are travelled."""

import os
import pickle
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match, Setup
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.referee import MARK_EVERY, Referee
from companion.core.requests import Pause, Redo, Resume, Undo
from companion.core.rules import Foul, Move
from companion.display.app import App
from companion.display.scene import Dismiss, Go, GoOn, Say, Scene
from companion.display.touches import INTERRUPTED
from companion.games import NAMES, game
from companion.games.three import rules as three
from companion.journal import Journal
from simulator.playing import play_out, seated

SIZE = (800, 480)
BOOTED = 3 * SECOND  # what the clock of the machine says after a power cut
LATER = 100_000 * SECOND  # and what it said before
WAITED = (2, 25)  # seconds since the last move: less than it takes to mark the time, and more


@dataclass(frozen=True)
class Left:
    """How a table stood when it was killed."""

    state: Any
    time: int  # of the table
    moved: int  # when the last thing happened
    scene: Scene
    paused: str | None
    can_redo: bool


def moves_of(name: str, seed: int = 3) -> tuple[Setup, list[Move]]:
    """A match of bots, without the moves that the referee makes by himself."""
    playing = game(name)
    # The status of a token that is armed again lasts a second, and a second may be played again after a power cut.
    setup = seated(playing, three.House(rearm=0) if name == "three" else playing.house())
    found = [move for move, told in play_out(Match(setup), seed, mistakes=0.0) if not isinstance(told, Foul)]
    return setup, [move for move in found if not move.by_referee]


def points(name: str) -> Iterator[int]:
    """After how many moves each phase of a game is there for the first time, and in the middle of it."""
    setup, moves = moves_of(name)
    referee, known = Referee(Match(setup), 0), set()
    for number, move in enumerate(moves, 1):
        list(referee.pass_time(move.at))
        referee.make(move, move.at)
        if not referee.match.is_running:
            return
        what = referee.match.state.phase, referee.match.deadline is not None
        if what not in known or number == len(moves) // 2:
            known.add(what)
            yield number


class Table:
    """In the process that will be killed: a match has begun, and people sit at it."""

    def __init__(self, journal: Path, setup: Setup) -> None:
        self.now = LATER
        opened = Journal.open(journal)
        Referee.begin(setup, self.now, opened)
        self.app = App(SIZE, opened, clock=lambda: self.now)
        self.app.take(GoOn(setup.id), self.now)
        self.app.take(Say(Resume()), self.now)

    def say(self, message: Move | Pause | Undo, at: int) -> None:
        self.now = LATER + at
        self.app.attend(self.now)
        self.app.take(Say(message), self.now)

    def wait(self, seconds: float) -> None:
        until = self.now + round(seconds * SECOND)
        while self.now < until:
            self.now += SECOND // 2
            self.app.attend(self.now)

    @property
    def left(self) -> Left:
        match = self.app.match
        assert match is not None
        paused = match.paused.why if match.paused else None
        return Left(match.state, self.app.table_time(self.now), match.now, self.app.scene, paused, match.can_redo)


def killed(journal: Path, setup: Setup, moves: list[Move], waited: float, why: str = "", *, undone: int = 0) -> Left:
    """Play so far, wait, and be killed. What stood then is what the dying process says of itself."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        try:
            table = Table(journal, setup)
            for move in moves:
                table.say(move, move.at)
            for _ in range(undone):
                table.say(Undo(), moves[-1].at)
                table.app.take(Dismiss(), table.now)  # that it is taken back
            if why:
                table.say(Pause(why), moves[-1].at)
            table.wait(waited)
            with os.fdopen(mouth, "wb") as pipe:
                pickle.dump(table.left, pipe)
            signal.pause()
        finally:
            os._exit(1)
    os.close(mouth)
    with os.fdopen(ear, "rb") as pipe:
        said = pipe.read()
    os.kill(child, signal.SIGKILL)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    found: Left = pickle.loads(said)
    return found


def goes_on(journal: Path, setup: Setup, late: int = 0) -> App:
    """The table is switched on again, and somebody touches what it asks: it waits until everybody is there."""
    app = App(SIZE, Journal.open(journal), clock=lambda: BOOTED)
    assert app.view.screen == "games"
    asked = [target for target in app.scene.targets() if isinstance(target.intent, GoOn)]
    assert [target.intent for target in asked] == [GoOn(setup.id)]
    app.attend(BOOTED)
    assert app.match is None, "nothing runs before anybody says so"
    app.take(GoOn(setup.id), BOOTED - late)
    assert app.match is not None
    assert app.match.stands, "nobody knows yet whose clock will run"
    if app.match.paused and app.match.paused.why == INTERRUPTED:
        app.take(Say(Resume()), BOOTED)
    return app


def stands_as_it_stood(app: App, left: Left) -> None:
    assert app.match is not None
    assert app.match.state == left.state
    assert (app.match.paused and app.match.paused.why) == left.paused
    assert app.scene == left.scene, "clocks, calls, chips: all that can be seen"
    assert app.view.match.can_redo == left.can_redo
    table = app.table_time(BOOTED)
    assert left.moved <= table <= left.time
    assert left.paused or left.time - table <= MARK_EVERY + GRACE
    if (due := app.due) is not None:
        deadline = app.match.deadline
        assert deadline is not None
        assert due[0] - BOOTED == deadline.at - table, "what was left of it is left"


GRACE = SECOND


@pytest.mark.parametrize("name", NAMES)
def test_killed_in_every_phase(name: str, tmp_path: Path) -> None:
    setup, moves = moves_of(name)
    for number, count in enumerate(points(name)):
        journal = tmp_path / f"journal-{number}"
        left = killed(journal, setup, moves[:count], WAITED[number % 2])
        app = goes_on(journal, setup)
        stands_as_it_stood(app, left)
        table = app.table_time(BOOTED)
        app.attend(BOOTED + SECOND // 4)
        assert app.match is not None
        assert left.paused or app.table_time(BOOTED + SECOND // 4) == table + SECOND // 4, "and it goes on from there"
        app.close(BOOTED + SECOND // 4)


def test_a_call_with_its_photo_finish(tmp_path: Path) -> None:
    setup, moves = moves_of("three")
    begun = next(number for number, move in enumerate(moves, 1) if isinstance(move, three.Play)) + 5
    at = moves[begun - 1].at + SECOND
    one, other = setup.names[:2]
    order = (Arrival(one, How.STAMPED, at, 0), Arrival(other, How.STAMPED, at + 400_000, 400_000))
    finish = Finish(order, 100_000, ())
    played = [*moves[:begun], three.Strike(one, (), finish, at=at)]
    left = killed(tmp_path / "journal", setup, played, 2)
    assert left.state.phase == "struck"
    app = goes_on(tmp_path / "journal", setup)
    stands_as_it_stood(app, left)
    assert app.match is not None
    strike = app.match.line[-1].move
    assert isinstance(strike, three.Strike)
    assert strike.finish == finish
    app.close(BOOTED)


def test_no_clock_runs_while_the_table_is_slow_to_come(tmp_path: Path) -> None:
    setup, moves = moves_of("three")
    begun = next(number for number, move in enumerate(moves, 1) if isinstance(move, three.Strike))
    left = killed(tmp_path / "journal", setup, moves[:begun], 1)
    assert left.state.phase == "struck"
    app = goes_on(tmp_path / "journal", setup, late=2 * SECOND)
    stands_as_it_stood(app, left)
    app.close(BOOTED)


def test_a_match_that_was_paused_stays_so(tmp_path: Path) -> None:
    setup, moves = moves_of("threepia")
    left = killed(tmp_path / "journal", setup, moves[:4], 60, "Tea.")
    app = goes_on(tmp_path / "journal", setup)
    assert left.paused == "Tea."
    stands_as_it_stood(app, left)
    assert app.table_time(BOOTED + 60 * SECOND) == app.table_time(BOOTED)
    app.close(BOOTED)


def test_what_was_taken_back_can_be_made_again(tmp_path: Path) -> None:
    setup, moves = moves_of("triplexity")
    left = killed(tmp_path / "journal", setup, moves[:6], 1, undone=2)
    assert left.can_redo
    app = goes_on(tmp_path / "journal", setup)
    stands_as_it_stood(app, left)
    app.take(Go("menu"), BOOTED)
    for number in (5, 6):
        assert Say(Redo()) in [target.intent for target in app.scene.targets()]
        app.take(Say(Redo()), BOOTED)
        assert [done.move for done in app.view.match.line] == moves[:number]
        app.take(Go("menu"), BOOTED)
    assert Say(Redo()) not in [target.intent for target in app.scene.targets()]
    app.close(BOOTED)


def test_killed_again_and_again_nothing_is_lost_and_no_time_runs(tmp_path: Path) -> None:
    """Ten power cuts in one match: the time in which it was off is nobody's."""
    setup, moves = moves_of("threepia")
    left = killed(tmp_path / "journal", setup, moves[:3], 2)
    table = left.moved
    for _ in range(10):
        app = goes_on(tmp_path / "journal", setup)
        assert app.match is not None
        assert app.match.state == left.state
        assert app.table_time(BOOTED) == table
        app.journal.close()  # type: ignore[union-attr]  # not in order

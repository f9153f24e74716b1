"""Undo, redo and correct as a theorem: random acts in a match, in any order, at any stamps, and what holds after each.

(a) What is shown is the fold of the entries, as they are written and read again. (b) What is corrected and undone, or
undone and redone, is as it was before, table time to the nanosecond. (c) So is what is corrected back. (d) Table time
stands while the match is over, paused, or nobody has gone on after an undo, and is given back with what is undone; the
stopwatches of Threepia add up to it. (e) Cards, pieces and points add up. (f) What a preview said is what happens.
(g) Every move that somebody made stands, or waits and was said to.

`python -m tests.theorem [ACTS] [GAME …]` does so many acts of each game (100,000 if not said).
"""

import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from companion.core.clocks import SECOND
from companion.core.correction import Correction
from companion.core.entry import Entry
from companion.core.errors import CompanionError, MatchError
from companion.core.match import Match, Setup
from companion.core.record import entry_plain, read_entry
from companion.core.referee import Referee
from companion.core.rules import Foul, Move
from companion.games import NAMES, game
from companion.journal import Journal
from simulator.bots import BotTable
from simulator.bots import table as bots_at
from simulator.playing import seated
from tests.invariants import HOUSES, checks, players_for

Act = tuple[str, int, int]
ACTS = {  # and how often each is done; so that matches come to their end
    "move": 75, "press": 5, "wait": 5, "undo": 5, "redo": 4, "correct": 8, "remove": 1, "pause": 1, "resume": 6,
    "abandon": 0.05, "kill": 1,
}  # fmt: skip
LOST = (LookupError, ValueError, AssertionError, TypeError, AttributeError)  # bots, where cards were corrected
LONGEST = 400  # acts in a match
TRIED = 120  # moves of bots that are kept as what a move might have been instead


class Walk:
    """One match, and what everything in it should be by now."""

    def __init__(self, setup: Setup, seed: int, folder: Path | None = None) -> None:
        self.setup = setup
        self.random = Random(seed)
        self.stamp = 1000
        self.kept: list[Entry] = []
        self.shadow = Match(setup)
        self.tried: list[Move] = []
        self.waiting: list[Move] = []  # what was said and does not stand, as far as it was told
        self.table = 0  # table time
        self.done: list[_Did] = []
        self.undone: list[tuple[_Did, int]] = []
        self._path = folder / f"{setup.id}.sqlite3" if folder else None
        self._journal = Journal.open(self._path) if self._path else None
        self._sit(Referee.begin(setup, self.stamp, self._journal))
        self._bots = self._new_bots()

    @property
    def match(self) -> Match:
        return self.referee.match

    def _sit(self, referee: Referee) -> None:
        self.referee = referee
        keep = referee.match._keep

        def both(entry: Entry, state: Any) -> None:
            keep(entry, state)
            self.kept.append(entry)

        referee.match._keep = both

    def _new_bots(self) -> BotTable:
        seen = self.random.random() < 0.7
        return bots_at(
            self.match.game, self.setup.names, self.setup.house, self.random.randrange(2**32), seen=seen, mistakes=0.1
        )

    def close(self) -> None:
        if self._journal:
            self._journal.close()

    # --- acts

    def act(self, word: str, one: int, two: int) -> None:
        if self.match.abandoned:
            return
        if word in ("move", "press"):
            self.wait(one % (3 * SECOND))
        self._DO[word](self, one, two)
        self.holds()

    def wait(self, nanoseconds: int) -> None:
        stood = self.match.stands
        self.stamp += nanoseconds
        self.table += 0 if stood else nanoseconds
        self._pass_time()
        assert not stood or self.referee.table_time(self.stamp) == self.table, "(d) time ran while it should stand"

    def _pass_time(self) -> None:
        for told in self.referee.pass_time(self.stamp):
            self._made(told.move)
            if self.match.stands:  # it was over at that deadline
                self.table = self.match.now

    def _wait(self, one: int, _two: int) -> None:
        self.wait(one % (200 * SECOND))

    def _move(self, one: int, two: int) -> None:
        """What a bot would do; or, for want of that, anything that was tried before."""
        move = None
        with contextlib.suppress(*LOST):
            move = self._bots.next_move(self.match.state)
        if move is None:
            self._bots = self._new_bots()
            self._press(one, two)
            return
        if len(self.tried) < TRIED:
            self.tried.append(move)
        self._make(move)

    def _press(self, _one: int, two: int) -> None:
        if self.tried:
            move = self.tried[two % len(self.tried)]
            self._make(replace(move, player=self.setup.names[two % len(self.setup.names)] if move.player else ""))

    def _make(self, move: Move) -> None:
        if move.by_referee:
            return
        stood = self.match.stands
        before = len(self.kept)
        try:
            told = self.referee.make(replace(move, at=0), self.stamp)
        except (Foul, MatchError):
            assert len(self.kept) == before
            return
        assert not stood or told.move.at == self.table, "(d) somebody paid for the time in which all stood still"
        with contextlib.suppress(*LOST):
            self._bots.ruled(told.ruling)
        self._made(told.move)

    def _made(self, move: Move) -> None:
        self.done.append(_Did(move.at, self.waiting))
        self.undone.clear()

    def _undo(self, _one: int, two: int) -> None:
        before = Seen(self)
        if not self._tried(lambda: self.referee.undo(self.stamp)):
            return
        did = self.done.pop()
        self.undone.append((did, self.table))
        self.table, self.waiting = did.at, did.waited
        if two % 2:
            self._redo(0, 0)
            before.is_now("(b) undone and redone", self)

    def _redo(self, _one: int, _two: int) -> None:
        if not self._tried(lambda: self.referee.redo(self.stamp)):
            return
        did, self.table = self.undone.pop()
        self.done.append(_Did(did.at, self.waiting))
        self.waiting = self._waiting()  # of a redo nothing is told

    def _correct(self, one: int, two: int) -> None:
        line = self.match.line
        if not line:
            return
        number = one % len(line) + 1
        old = line[number - 1].move
        self.correct(number, self._instead_of(old, two), two)

    def _remove(self, one: int, two: int) -> None:
        if self.match.line:
            self.correct(one % len(self.match.line) + 1, None, two)

    def _instead_of(self, old: Move, two: int) -> Move:
        alike = [move for move in self.tried if type(move) is type(old)] or [old]
        other = alike[two % len(alike)]
        who = old.player if two % 3 else self.setup.names[two % len(self.setup.names)]
        return replace(other, player=who if old.player else "", at=0)

    def correct(self, number: int, move: Move | None, two: int) -> None:
        counts = (None, None, None, True, False)[two % 5]
        before = Seen(self)
        try:
            told = self.referee.preview(number, move, self.stamp, counts=counts)
        except (Foul, CompanionError):
            assert not self._tried(lambda: self.referee.correct(number, move, self.stamp, counts=counts))
            return
        before.is_now("a preview changed something", self)
        asked = told.asks or counts is not None
        if told.asks:
            assert not self._tried(lambda: self.referee.correct(number, move, self.stamp))
            counts = bool(two % 2)
            told = self.referee.preview(number, move, self.stamp, counts=counts)
        waited = list(self.waiting)
        made = self.referee.correct(number, move, self.stamp, counts=counts, as_of=self.match.entries)
        assert made == told, "(f) something else happened than was said before"
        self.done.append(_Did(self.table, waited))
        self.waiting = now_waiting(waited, made)
        self._stops_at_the_end()
        if two % 4 == 1:
            self._undo(0, 0)
            before.is_now("(b) corrected and undone", self, waits=False)
        elif two % 4 == 3 and move is not None and not asked:
            self._correct_back(number, made.was, before)

    def _stops_at_the_end(self) -> None:
        """Where a correction ends the match, nobody pays for the time since the last thing that happened."""
        if not self.match.is_running:
            assert self.match.now <= self.table
            self.table = self.match.now

    def _correct_back(self, number: int, was: Move, before: "Seen") -> None:
        back = before.line[number - 1].said
        if was.by_referee or back is None or back.move != was:
            return
        waited = list(self.waiting)
        made = self.referee.correct(number, was, self.stamp)
        self.done.append(_Did(self.table, waited))
        self.waiting = now_waiting(waited, made)
        self._stops_at_the_end()
        before.is_now("(c) corrected back", self, waits=False, time=False)

    def _pause(self, _one: int, _two: int) -> None:
        self._tried(lambda: self.referee.pause(self.stamp))

    def _resume(self, _one: int, _two: int) -> None:
        self._tried(lambda: self.referee.resume(self.stamp))

    def _abandon(self, _one: int, _two: int) -> None:
        self._tried(lambda: self.referee.abandon(self.stamp))

    def _kill(self, _one: int, two: int) -> None:
        """The power is cut: the journal is read again, and the clock of the machine begins anew."""
        if self._path is None or self._journal is None or not self.match.is_running:
            return
        seen = Seen(self)
        self._journal.close()
        self._journal = Journal.open(self._path)
        self.stamp = two
        self._sit(Referee.go_on(self._journal, self.stamp))
        assert self.referee.table_time(self.stamp) <= self.table
        self.table = self.referee.table_time(self.stamp)
        seen.is_now("(a) after the power was cut", self, time=False)
        self._bots = self._new_bots()

    def _tried(self, doing: Callable[[], Any]) -> bool:
        before = len(self.kept)
        try:
            doing()
        except (Foul, CompanionError):
            assert len(self.kept) == before
            return False
        return True

    _DO: ClassVar[dict[str, Callable[["Walk", int, int], None]]] = {
        "move": _move, "press": _press, "wait": _wait, "undo": _undo, "redo": _redo, "correct": _correct,
        "remove": _remove, "pause": _pause, "resume": _resume, "abandon": _abandon, "kill": _kill,
    }  # fmt: skip

    # --- what holds

    def holds(self) -> None:
        match = self.match
        self._shadow_follows()
        assert self.referee.table_time(self.stamp) == self.table, "(d) table time"
        stands = [done.move for done in match.line]
        assert [move.at for move in stands] == sorted(move.at for move in stands)
        waiting = self._waiting()
        assert sorted(map(str, waiting)) == sorted(map(str, self.waiting)), "(g) what waits"
        assert len(match._line._said) == len(waiting) + sum(done.said is not None for done in match.line), (
            "(g) what was said"
        )
        checks(self.setup, match.ruling)
        self._stopwatches()

    def _waiting(self) -> list[Move]:
        standing = {id(done.said) for done in self.match.line}
        return [one.move for one in self.match._line._said if id(one) not in standing]

    def _shadow_follows(self) -> None:
        for entry in self.kept:
            kind, body = entry_plain(entry)
            self.shadow.take(read_entry(self.match.game, kind, body))
        self.kept.clear()
        for name in ("state", "line", "now", "waits", "paused", "abandoned", "stands", "can_redo", "entries"):
            assert getattr(self.shadow, name) == getattr(self.match, name), f"(a) {name}"

    def _stopwatches(self) -> None:
        state = self.match.state
        if self.setup.game != "threepia" or self.setup.house.way != "stopwatch" or state.phase in ("deal", "ready"):
            return
        begun = next(done.move.at for done in reversed(self.match.line) if done.move.word == "begin")
        finished = (done.move.at for done in self.match.line if done.ruling.state.phase in ("counting", "over"))
        until = self.table if state.phase == "turn" else next(finished)
        assert sum(clock.used_at(until) for clock in state.clocks) == until - begun, "(d) the clocks of the players"


class _Did:
    """A move or a correction that an undo can take back: the table time that it leads back to, and what waited then."""

    def __init__(self, at: int, waited: list[Move]) -> None:
        self.at, self.waited = at, waited


def now_waiting(waited: list[Move], told: Correction) -> list[Move]:
    """What waits after a correction, as it was told."""
    found = [*waited, *(change.move for change in told.changes if change.kind == "dropped")]
    for change in told.changes:
        if change.kind == "restored":
            found.remove(change.move)
    return found


class Seen:
    """How a match is at one moment."""

    def __init__(self, walk: Walk) -> None:
        match = walk.match
        self.state, self.line, self.said = match.state, tuple(match.line), tuple(match._line._said)
        self.waiting, self.table = sorted(walk.waiting, key=str), walk.table
        self.paused, self.waits = match.paused, match.waits

    def is_now(self, what: str, walk: Walk, *, waits: bool = True, time: bool = True) -> None:
        now = Seen(walk)
        for name in ("state", "line", "said", "waiting", "paused"):
            assert getattr(self, name) == getattr(now, name), f"{what}: {name}"
        assert not time or self.table == now.table, f"{what}: table time"
        assert not waits or self.waits == now.waits, f"{what}: waits"


# --- many of them ----------------------------------------------------------------------------------------------


def random_acts(random: Random, count: int) -> Iterable[Act]:
    words = random.choices(list(ACTS), list(ACTS.values()), k=count)
    return ((word, random.randrange(2**31), random.randrange(2**31)) for word in words)


def walked(setup: Setup, seed: int, acts: Iterable[Act], folder: Path | None = None) -> int:
    """So many acts were done, and the theorem held after each."""
    walk = Walk(setup, seed, folder)
    done = 0
    try:
        for act in acts:
            walk.act(*act)
            done += 1
    finally:
        walk.close()
    return done


def setup_of(name: str, seed: int) -> Setup:
    house = HOUSES[name][seed % len(HOUSES[name])]
    return seated(game(name), house, players_for(name, house, seed))


def many(name: str, wanted: int, seed: int = 0) -> str:
    """A line that says what was done."""
    began = time.monotonic()
    done = matches = 0
    with tempfile.TemporaryDirectory() as folder:
        while done < wanted:
            random = Random(f"{name} {seed}")
            acts = random_acts(random, random.randrange(LONGEST))
            try:
                done += walked(setup_of(name, seed), seed, acts, Path(folder) if seed % 8 == 0 else None)
            except AssertionError as error:
                raise AssertionError(f"{name}, seed {seed}: {error}") from error
            seed, matches = seed + 1, matches + 1
    return f"{name:10}  {done:9,} acts  {matches:6,} matches  {time.monotonic() - began:6.0f} s"


def main(arguments: list[str]) -> int:
    wanted = int(arguments[0]) if arguments else 100_000
    for name in arguments[1:] or NAMES:
        print(many(name, wanted), flush=True)  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

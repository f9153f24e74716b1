"""The referee: one match at a time, the journal beneath it, and the way from machine time to table time."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.clocks import SECOND
from companion.core.correction import Correction
from companion.core.entry import Entry, Paused, Redone, Resumed, Undone
from companion.core.errors import MatchError, TimeError
from companion.core.match import Match, Setup
from companion.core.rules import Advice, Foul, Move, Ruling, Solver
from companion.core.sentence import N_, Sentence
from companion.core.ties import tie
from companion.games import NAMES, game, part
from companion.journal import Journal, Keeper

MARK_EVERY = 10 * SECOND  # how much of a running clock a power cut can cost ...
MARK_SOON = 2 * SECOND  # ... and this much of one that is about to run out
SOON = 12 * SECOND
NEVER = 2**62  # behind every machine stamp
GONE_ON = N_("The match has gone on since this correction was looked at: look at it once more.")
LATEST = 2**62  # the last table time: 146 years; deadlines behind it can still be written down


@dataclass(slots=True)
class Timeline:
    """Table time from the machine's monotonic stamps: it stands still while the table is paused or switched off."""

    machine: int | None  # a machine stamp, or the first that comes, ...
    table: int  # ... and the table time it stands for
    stands: bool = False

    def at(self, stamp: int) -> int:
        if self.machine is None:
            self.machine = stamp
        if stamp < self.machine:
            raise TimeError(f"The stamp {stamp} lies {self.machine - stamp} ns before the last thing ruled on.")
        at = self.table if self.stands else self.table + stamp - self.machine
        if at > LATEST:
            raise TimeError(f"The stamp {stamp} lies more than a century after the beginning of the match.")
        return at

    def set(self, stamp: int, table: int, *, stands: bool) -> None:
        self.machine, self.table, self.stands = stamp, table, stands


@dataclass(frozen=True, slots=True)
class SettledEntry:
    """An entry that was kept although its keeping had failed, and what came of it."""

    entry: Entry
    came: Ruling | Correction | None


@dataclass(frozen=True, slots=True)
class Told:
    """A ruling with the move it is on and its place in the match."""

    number: int
    move: Move
    ruling: Ruling


class Referee:
    """Takes moves with machine stamps and tells rulings, each of them on disk first if there is a journal."""

    def __init__(
        self,
        match: Match,
        stamp: int | None,
        *,
        table: int = 0,
        keeper: Keeper | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.match = match
        self.journal = journal
        self._keeper = keeper
        self._time = Timeline(stamp, table, stands=match.stands)
        self._marked = table

    @classmethod
    def begin(cls, setup: Setup, stamp: int | None, journal: Journal | None = None) -> "Referee":
        """A new match."""
        match = Match(setup)  # checks the set-up before anything is written
        keeper = journal.begin(setup) if journal else None
        if keeper:
            match = Match(setup, keeper)
        return cls(match, stamp, keeper=keeper, journal=journal)

    @classmethod
    def go_on(cls, journal: Journal, stamp: int | None, code: str = "", *, game: str = "") -> "Referee":
        """A match from the journal, its clocks as they stood; the time in between does not count."""
        stored = journal.stored(code, game)
        if game and stored.setup.game != game:
            raise MatchError(f"Match {stored.setup.id} is one of {stored.setup.game}, not of {game}.")
        keeper = journal.keeper(stored)
        match = stored.folded(keeper)
        if not match.is_running:
            raise MatchError(f"Match {stored.setup.id} is over; look at it with `companion replay {stored.setup.id}`.")
        return cls(
            match, stamp, table=max(match.history.latest(match.now), stored.time), keeper=keeper, journal=journal
        )

    @property
    def table(self) -> int:
        """The table time of the last thing that happened."""
        return self._time.table

    @property
    def stamp(self) -> int | None:
        """The machine stamp from which time is counted now; nothing older is ruled on."""
        return self._time.machine

    @property
    def is_kept(self) -> bool:
        """What happens in this match is on disk before it is told."""
        return self._keeper is not None

    def table_time(self, stamp: int) -> int:
        return self._time.at(stamp)

    def stamp_of(self, table: int) -> int | None:
        """The machine stamp that stands for a table time; what lies ahead does not come while table time stands."""
        if self._time.stands and table > self._time.table:
            return NEVER
        return None if self._time.machine is None else self._time.machine + table - self._time.table

    def due_at(self) -> int | None:
        """The machine stamp at which the next deadline falls due."""
        deadline = self.match.deadline
        if deadline is None or self._time.stands or self._time.machine is None:
            return None
        return self._time.machine + deadline.at - self._time.table

    def settle(self, stamp: int) -> SettledEntry | None:
        """What was kept after all, and is part of the match from now on; a JournalError while nobody knows yet."""
        entry = self._keeper.settled() if self._keeper else None
        if entry is None:
            return None
        stamp = max(stamp, self._time.machine or stamp)
        passed = self._time.at(stamp)
        came = self.match.adopt(entry)
        if isinstance(entry, Undone | Redone | Paused | Resumed):
            self._set_time(stamp, passed if isinstance(entry, Resumed) else self.match.now)
        else:
            self._follow(stamp)
        return SettledEntry(entry, came)

    def news(self) -> tuple[str, ...]:
        """What has happened to the journal meanwhile, in sentences; each is told once."""
        return self.journal.news() if self.journal else ()

    def pass_time(self, stamp: int) -> Iterator[Told]:
        """Make the moves whose deadlines lie before this stamp, one by one, each told before the next is made."""
        at = self._time.at(stamp)
        while (deadline := self.match.overdue(at)) is not None:
            yield self._make(deadline.move, stamp)

    def mark(self, stamp: int) -> None:
        """Note in the journal that time has passed, where no move has said so of late; after a failure try again as
        much later."""
        at = self._time.at(stamp)
        deadline = self.match.deadline
        every = MARK_EVERY if deadline is None or deadline.at - at > SOON else MARK_SOON
        if self._keeper and self.match.is_running and at - max(self._marked, self.match.now) >= every:
            self._marked = at
            self._keeper.mark(at)

    def make(self, move: Move, stamp: int) -> Told:
        """Rule on a move made at this stamp; deadlines before it must have been passed."""
        if move.by_referee:
            raise _not_yours(move)
        move = replace(move, at=self._time.at(stamp))
        try:
            return self._make(move, stamp)
        except Foul as foul:
            if self._keeper:
                self._keeper.refused(move, foul)
            raise

    def tie(self, claim: Move, stamp: int, margin: int) -> Move | None:
        """What the newest move really was, if this claim competes with it and cannot be told apart from it."""
        if self._time.machine is None or not self.match.line:
            return None
        table = self._time.table + stamp - self._time.machine  # as if table time went on behind the end of a match
        return tie(self.match, claim, table - self.match.line[-1].move.at, stamp, margin)

    def put_together(self, claim: Move, tie: Move, stamp: int) -> Correction:
        """The newest move and a claim that ties with it are one move from now on."""
        try:
            return self.correct(len(self.match.line), tie, stamp)
        except Foul as foul:
            if self._keeper:
                self._keeper.refused(replace(claim, at=self._time.at(stamp)), foul)
            raise

    def _make(self, move: Move, stamp: int) -> Told:
        ruling = self.match.make(move)
        self._follow(stamp)
        return Told(len(self.match.line), move, ruling)

    def undo(self, stamp: int) -> Ruling:
        ruling = self.match.undo(self._time.at(stamp))
        self._set_time(stamp, self.match.now)
        return ruling

    def redo(self, stamp: int) -> Ruling:
        ruling = self.match.redo()
        self._set_time(stamp, self.match.now)
        return ruling

    def correct(
        self, number: int, move: Move | None, stamp: int, *, counts: bool | None = None, as_of: int | None = None
    ) -> Correction:
        """Put a move right; `as_of`: if the match is as it was after so many entries, as somebody has seen it."""
        at = self._may_correct(number, move, stamp)
        if as_of is not None and as_of != self.match.entries:
            raise MatchError(GONE_ON)
        found = self.match.correct(number, move, at, counts=counts)
        self._follow(stamp)
        return found

    def preview(self, number: int, move: Move | None, stamp: int, *, counts: bool | None = None) -> Correction:
        """What a correction would do; nothing is kept."""
        return self.match.preview(number, move, self._may_correct(number, move, stamp), counts=counts)

    def _may_correct(self, number: int, move: Move | None, stamp: int) -> int:
        """The table time of a correction that people may ask for."""
        if move is not None and move.by_referee:
            raise _not_yours(move)
        line = self.match.line
        old = line[number - 1].move if 1 <= number <= len(line) else None
        if move is None and old is not None and old.by_referee:
            raise MatchError(
                Sentence(
                    "Move {number} is the referee's own, made when the time was up: undo it, or say what was "
                    "done instead.",
                    number=number,
                )
            )
        if move is not None and old is not None and move.at not in (0, old.at):
            raise MatchError(f"A corrected move keeps its stamp, which is {old.at}: leave out another one.")
        return self._time.at(stamp)

    def pause(self, stamp: int, why: str = "") -> None:
        table = self._time.at(stamp)
        self.match.pause(table, why)
        self._set_time(stamp, table)

    def resume(self, stamp: int) -> None:
        table = self._time.at(stamp)
        self.match.resume()
        self._set_time(stamp, table)

    def abandon(self, stamp: int, why: str = "") -> None:
        self.match.abandon(self._time.at(stamp), why)
        self._follow(stamp)

    def rematch(self, stamp: int) -> "Referee":
        return Referee.begin(self.match.rematch(), stamp, self.journal)

    def _follow(self, stamp: int) -> None:
        """Table time stops or goes on here, if the match says so."""
        if self.match.stands != self._time.stands:
            self._set_time(stamp, self.match.now)

    def _set_time(self, stamp: int, table: int) -> None:
        self._time.set(stamp, table, stands=self.match.stands)
        self._marked = min(self._marked, table)


def _not_yours(move: Move) -> Foul:
    return Foul("not-yours", move.player, "{move} is the referee's own move, made when the time is up.", move=move.word)


def opinion(match: Match) -> Advice:
    """What the solver says of a match, where there is a solver for its game."""
    advice = part(match.setup.game, "solver", Solver).advice
    if advice is None:
        solved = " and ".join(game(name).title for name in NAMES if part(name, "solver", Solver).advice)
        raise MatchError(f"There is no solver for {match.game.title}; {solved} is the game that is solved.")
    return advice(match.state)

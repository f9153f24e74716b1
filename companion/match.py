"""One match: who plays what by which house rules, and the line of moves that its state is the fold of.

Nothing here reads a clock. Every stamp is table time: nanoseconds of this match in which the table was neither
paused nor switched off. What changes a match is an `Entry`; the same entries folded again are the same match.
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from companion.exc import MatchError, PlayersError, TimeError
from companion.games import game as game_named
from companion.names import Check, check_names
from companion.rules import Deadline, Foul, Game, Move, Outcome, Ruling

COLOURS = ("red", "blue", "yellow", "green", "purple", "orange", "white", "black")
MOST_CHANGES = 10_000  # by one correction


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed when a match begins. The order of the players is the order of the seats, clockwise."""

    game: str
    players: tuple[Player, ...]
    house: Any
    id: str
    rematch_of: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)


def set_up(
    game: Game,
    names: Iterable[str],
    house: Any,
    *,
    colours: Iterable[str] = (),
    rematch_of: str = "",
    match_id: str = "",
    check: Check = check_names,
) -> Setup:
    """A new match, or a PlayersError."""
    seated = tuple(name.strip() for name in names)
    check_count(game, len(seated))
    check(seated)
    chosen = tuple(colours) or COLOURS[: len(seated)]
    check_colours(chosen, len(seated))
    players = tuple(Player(name, colour) for name, colour in zip(seated, chosen, strict=True))
    return Setup(game.name, players, house, match_id or secrets.token_hex(6), rematch_of)


def check_count(game: Game, seated: int) -> None:
    fewest, most = game.players
    if not fewest <= seated <= most:
        wanted = str(fewest) if fewest == most else f"{fewest} to {most}"
        raise PlayersError(f"{game.title} needs {wanted} players, not {seated}.")


def check_colours(colours: tuple[str, ...], seated: int) -> None:
    if len(colours) != seated or len(set(colours)) < seated:
        raise PlayersError(f"{seated} players need {seated} different colours.")


# --- what a match is made of -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Made:
    move: Move


@dataclass(frozen=True, slots=True)
class Undone:
    """The newest act is taken back at this table time: a move, the referee's own too, or a correction as a whole."""

    correction: bool = False
    at: int = 0  # 0 in matches from before this was kept


@dataclass(frozen=True, slots=True)
class Redone:
    pass


@dataclass(frozen=True, slots=True)
class Paused:
    at: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class Resumed:
    pass


@dataclass(frozen=True, slots=True)
class Corrected:
    """Move `number`, counted from 1, was really another; or, without a move, was none at all."""

    number: int
    move: Move | None
    at: int = 0  # 0 in matches from before this was kept


@dataclass(frozen=True, slots=True)
class Abandoned:
    at: int
    why: str = ""


Entry = Made | Undone | Redone | Paused | Resumed | Corrected | Abandoned


@dataclass(frozen=True, slots=True)
class Done:
    """A move of the line and the ruling it got."""

    move: Move
    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Change:
    """What a correction changed about a later move. `number` is its place in the line before the correction."""

    number: int  # 0 for a move that the referee had to add, because a deadline fell due
    move: Move
    was: tuple[str, ...]  # the sentences of its ruling
    now: tuple[str, ...]
    dropped: str = ""  # why it is no longer possible


@dataclass(frozen=True, slots=True)
class Correction:
    number: int
    was: Move
    now: Move | None
    changes: tuple[Change, ...]
    scores_before: tuple[int, ...]
    scores_after: tuple[int, ...]
    winners_before: tuple[str, ...] | None
    winners_after: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class _PutRight:
    """A correction that was made: the line before it and after it, and the table time then."""

    entry: Corrected
    before: tuple[Done, ...]
    after: tuple[Done, ...]
    now: int


@dataclass(frozen=True, slots=True)
class _TakenBack:
    """What can be made again, what it was done after, and the table time at which it was taken back."""

    act: Done | _PutRight
    after: Ruling
    at: int
    is_timed: bool  # in matches from before that was kept, it is the time of the act


Keep = Callable[[Entry, Any], None]  # an entry and the state after it, on disk before anybody is told


def _keep_nothing(_entry: Entry, _state: Any) -> None:
    pass


class Match:
    """A match in play. Every method that changes it keeps the entry first, and changes nothing if that fails."""

    def __init__(self, setup: Setup, keep: Keep = _keep_nothing) -> None:
        self.setup = setup
        self.game = game_named(setup.game)
        self.start = self.game.start(setup.names, setup.house)
        self.line: list[Done] = []
        self.now = 0  # table time of the last thing that happened
        self.paused: Paused | None = None
        self.abandoned: Abandoned | None = None
        self.waits = False  # something was taken back, and nobody has gone on yet
        self._undone: list[_TakenBack] = []
        self._corrections: list[_PutRight] = []  # those that an undo can reach
        self._keep = keep

    @classmethod
    def folded(cls, setup: Setup, entries: Iterable[Entry], keep: Keep = _keep_nothing) -> "Match":
        """The match that these entries made."""
        match = cls(setup)
        for entry in entries:
            match.take(entry)
        match._keep = keep
        return match

    @property
    def ruling(self) -> Ruling:
        """The newest ruling."""
        return self.line[-1].ruling if self.line else self.start

    @property
    def state(self) -> Any:
        return self.ruling.state

    @property
    def outcome(self) -> Outcome | None:
        found: Outcome | None = self.state.outcome
        return found

    @property
    def stands(self) -> bool:
        """Table time stands still: a pause, what was taken back, and what comes after the end cost nobody anything."""
        return self.paused is not None or self.waits or not self.is_running

    @property
    def deadline(self) -> Deadline | None:
        """What falls due next; nothing while table time stands."""
        if self.stands:
            return None
        found: Deadline | None = self.state.deadline
        return found

    @property
    def is_running(self) -> bool:
        return self.outcome is None and self.abandoned is None

    @property
    def can_redo(self) -> bool:
        """There is an undone move that can be made again."""
        return bool(self._undone) and self.abandoned is None

    def take(self, entry: Entry) -> Ruling | Correction | None:
        """Do what an entry says."""
        match entry:
            case Made(move):
                return self.make(move)
            case Undone():
                return self._undo(entry)
            case Redone():
                return self.redo()
            case Paused(at, why):
                self.pause(at, why)
            case Resumed():
                self.resume()
            case Corrected(number, move, at):
                return self.correct(number, move, at)
            case Abandoned(at, why):
                self.abandon(at, why)
        return None

    def adopt(self, entry: Entry) -> Ruling | Correction | None:
        """Do what an entry says that is kept already."""
        keep, self._keep = self._keep, _keep_nothing
        try:
            return self.take(entry)
        finally:
            self._keep = keep

    def overdue(self, at: int) -> Deadline | None:
        """The deadline that lies before this time: its move must be made before anything else."""
        deadline = self.deadline
        return deadline if deadline is not None and deadline.at < at else None

    def make(self, move: Move) -> Ruling:
        """Rule on a move. A Foul changes nothing."""
        self._must_not_be_abandoned()
        if self.paused:
            raise MatchError("The match is paused: resume it before the next move.")
        due = self.deadline
        if due is None or move != due.move:  # after a redo or a correction something may be due since long ago
            self._must_not_be_before(move.at)
        self._must_be_seated(move)
        ruling = self.game.rule(self.state, move)
        self._keep(Made(move), ruling.state)
        self.line.append(Done(move, ruling))
        self._undone.clear()
        self.waits = False
        self.now = max(self.now, move.at)
        return ruling

    def undo(self, at: int = 0) -> Ruling:
        """Take back the last thing that happened: a move, the referee's own too, or a correction as a whole. Clocks
        stand as they stood then until somebody goes on."""
        return self._undo(Undone(self._is_put_right(), at))

    def _undo(self, entry: Undone) -> Ruling:
        self._must_not_be_abandoned()
        if entry.correction:
            return self._undo_correction(entry)
        if not self.line:
            raise MatchError("There is no move to undo.")
        before = self.line[-2].ruling if len(self.line) > 1 else self.start
        self._keep(entry, before.state)
        done = self.line.pop()
        while self._corrections and len(self._corrections[-1].after) > len(self.line):
            self._corrections.pop()  # in a match from before corrections could be undone
        self._taken_back(done, entry, done.move.at)
        return before

    def _undo_correction(self, entry: Undone) -> Ruling:
        if not self._is_put_right():
            raise MatchError("There is no correction to undo.")
        put_right = self._corrections[-1]
        before = put_right.before[-1].ruling
        self._keep(entry, before.state)
        self.line = list(self._corrections.pop().before)
        self._taken_back(put_right, entry, put_right.now)
        return before

    @property
    def undoes(self) -> str:
        """What an undo would take back: a move or a correction."""
        return "correction" if self._is_put_right() else "move"

    @property
    def redoes(self) -> str:
        """What can be made again."""
        return "correction" if self._undone and isinstance(self._undone[-1].act, _PutRight) else "move"

    def _is_put_right(self) -> bool:
        """The newest thing that happened is a correction."""
        return bool(self._corrections) and len(self._corrections[-1].after) == len(self.line)

    def _taken_back(self, act: Done | _PutRight, entry: Undone, now: int) -> None:
        self._undone.append(_TakenBack(act, self.ruling, entry.at or now, is_timed=entry.at > 0))
        self.now = now
        self.waits = True

    def redo(self) -> Ruling:
        """Make again what was taken back last; the time until then counts again."""
        self._must_not_be_abandoned()
        if not self._undone:
            raise MatchError("There is no undone move to make again.")
        taken = self._undone[-1]
        act = taken.act if self.ruling is taken.after else self._anew(taken.act)
        line = [*self.line, act] if isinstance(act, Done) else list(act.after)
        ruling = line[-1].ruling if line else self.start
        self._keep(Redone(), ruling.state)
        self.line = line
        if isinstance(act, _PutRight):
            self._corrections.append(act)
        self._undone.pop()
        reached = line[-1].move.at if taken.is_timed and line else self.now
        self.now = max(reached, taken.at)
        self.waits = self.waits and bool(self._undone)
        return ruling

    def _anew(self, act: Done | _PutRight) -> Done | _PutRight:
        """What was taken back, as it is after a correction."""
        if isinstance(act, _PutRight):
            return self._corrected(act.entry)[0]
        move, due = act.move, self.state.deadline
        if (self.line and self.line[-1].move.at > move.at) or (due and due.at < move.at and due.move != move):
            raise MatchError("What was undone no longer fits after the correction.")
        return Done(move, self.game.rule(self.state, move))

    def pause(self, at: int, why: str = "") -> None:
        """Stop all clocks, for a dispute or for dinner."""
        self._must_not_be_abandoned()
        if self.paused:
            raise MatchError("The match is paused already.")
        self._must_not_be_before(at)
        entry = Paused(at, why)
        self._keep(entry, self.state)
        self.paused = entry
        self.now = at

    def resume(self) -> None:
        """Go on after a pause, or after something was taken back: clocks run."""
        if not self.paused and not self.waits:
            raise MatchError("The match is not paused.")
        self._keep(Resumed(), self.state)
        self.paused = None
        self.waits = False

    def correct(self, number: int, move: Move | None, at: int = 0) -> Correction:
        """Put another move in the place of an earlier one, or none, and rule on everything after it again. An undo
        takes all of it back."""
        self._must_not_be_abandoned()
        made, told = self._corrected(Corrected(number, move, at))
        was_over = not self.is_running
        after = made.after[-1].ruling.state if made.after else self.start.state
        self._keep(made.entry, after)
        self._corrections.append(made)
        self.line = list(made.after)
        self.waits = self.waits or was_over  # a match that is open again goes on when somebody does
        return told

    def _corrected(self, entry: Corrected) -> tuple[_PutRight, Correction]:
        """What a correction would do; it changes nothing yet."""
        number, move = entry.number, entry.move
        if not 1 <= number <= len(self.line):
            raise MatchError(f"There is no move {number} to correct; the match has {len(self.line)} moves.")
        old, kept = self.line[number - 1], self.line[: number - 1]
        state = kept[-1].ruling.state if kept else self.start.state
        if move is not None:
            move = replace(move, at=old.move.at)
            self._must_be_seated(move)
            ruling = self.game.rule(state, move)  # a Foul here leaves the match as it is
            kept = [*kept, Done(move, ruling)]
            state = ruling.state
        line, changes = self._ruled_again(kept, state, self.line[number:], number)
        before, after = self.state, line[-1].ruling.state if line else self.start.state
        told = Correction(
            number, old.move, move, tuple(changes), before.scores, after.scores, _winners(before), _winners(after)
        )
        return _PutRight(replace(entry, move=move), tuple(self.line), tuple(line), max(self.now, entry.at)), told

    def abandon(self, at: int, why: str = "") -> None:
        self._must_not_be_abandoned()
        self._must_not_be_before(at)
        entry = Abandoned(at, why)
        self._keep(entry, self.state)
        self.abandoned = entry
        self.now = at

    def rematch(self) -> Setup:
        """The same players at the same seats, by the same house rules, again."""
        if self.is_running:
            raise MatchError("A rematch has to wait until this match is over or abandoned.")
        return replace(self.setup, id=secrets.token_hex(6), rematch_of=self.setup.id)

    def _ruled_again(
        self, line: list[Done], state: Any, rest: list[Done], number: int
    ) -> tuple[list[Done], list[Change]]:
        line = list(line)
        changes: list[Change] = []

        def rule(move: Move) -> Ruling:
            nonlocal state
            ruling = self.game.rule(state, move)
            line.append(Done(move, ruling))
            state = ruling.state
            return ruling

        def fall_due(before: int) -> None:
            while state.deadline and state.deadline.at < before:
                if len(changes) > MOST_CHANGES:
                    raise MatchError(f"This correction would change more than {MOST_CHANGES} rulings: undo it instead.")
                due = state.deadline.move
                changes.append(Change(0, due, (), rule(due).sentences))

        for place, done in enumerate(rest, number + 1):
            fall_due(done.move.at)
            try:
                ruling = rule(done.move)
            except Foul as foul:
                changes.append(Change(place, done.move, done.ruling.sentences, (), foul.sentence))
                continue
            if ruling.events != done.ruling.events:
                changes.append(Change(place, done.move, done.ruling.sentences, ruling.sentences))
        fall_due(self.now)
        return line, changes

    def _must_be_seated(self, move: Move) -> None:
        if move.player in self.setup.names or (not move.player and not move.needs_player):
            return
        who = move.player or "Nobody"
        raise Foul(
            "unknown-player",
            move.player,
            "{who} is not in this match; players are {players}.",
            who=who,
            players=self.setup.names,
        )

    def _must_not_be_before(self, at: int) -> None:
        if at < self.now:
            raise TimeError(f"The stamp {at} lies {self.now - at} ns before the last thing that was ruled on.")

    def _must_not_be_abandoned(self) -> None:
        if self.abandoned:
            raise MatchError("The match has been abandoned: start a rematch or a new one.")


def _winners(state: Any) -> tuple[str, ...] | None:
    return state.outcome.winners if state.outcome else None

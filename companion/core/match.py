"""One match: who plays what by which house rules, and the line of moves that its state is the fold of.

Nothing here reads a clock. Every stamp is table time: nanoseconds of this match in which the table was neither
paused nor switched off. What changes a match is an `Entry`; the same entries folded again are the same match.
"""

import secrets
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from companion.correction import Correction, Done, Record, Said, corrected, corrected_as_before
from companion.exc import MatchError, PlayersError, TimeError
from companion.games import game as game_named
from companion.names import Check, check_names
from companion.rules import Deadline, Foul, Game, Move, Outcome, Ruling
from companion.seats import Bot, Bots
from companion.sentence import Sentence

COLOURS = ("red", "blue", "yellow", "green", "purple", "orange", "white", "black")


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    colour: str
    bot: Bot | None = field(default=None, metadata={"inner": True})  # None: a person


@dataclass(frozen=True, slots=True)
class Setup:
    """What is fixed when a match begins. The order of the players is the order of the seats, clockwise."""

    game: str
    players: tuple[Player, ...]
    house: Any
    id: str
    rematch_of: str = ""
    is_seated: bool = False  # it was chosen who is a person and who a bot

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
    bots: Bots | None = None,
) -> Setup:
    """A new match, or a PlayersError. `bots`: who plays by itself, where that was chosen."""
    seated = tuple(name.strip() for name in names)
    check_count(game, len(seated))
    check(seated)
    chosen = tuple(colours) or COLOURS[: len(seated)]
    check_colours(chosen, len(seated))
    sit = bots if bots is not None else (None,) * len(seated)
    players = tuple(Player(*player) for player in zip(seated, chosen, sit, strict=True))
    return Setup(game.name, players, house, match_id or secrets.token_hex(6), rematch_of, bots is not None)


def check_count(game: Game, seated: int) -> None:
    fewest, most = game.players
    if not fewest <= seated <= most:
        wanted = str(fewest) if fewest == most else Sentence("{fewest} to {most}", fewest=fewest, most=most)
        raise PlayersError(
            Sentence("{title} needs {wanted} players, not {seated}.", title=game.title, wanted=wanted, seated=seated)
        )


def check_colours(colours: tuple[str, ...], seated: int) -> None:
    if len(colours) != seated or len(set(colours)) < seated:
        raise PlayersError(Sentence("{seated} players need {seated} different colours.", seated=seated))


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
    whole: bool = False  # nothing is thrown away and rounds stand as played; not so in matches from before
    counts: bool | None = None  # what was played after an end that came earlier counts; None: there was no such end


@dataclass(frozen=True, slots=True)
class Abandoned:
    at: int
    why: str = ""


Entry = Made | Undone | Redone | Paused | Resumed | Corrected | Abandoned


@dataclass(frozen=True, slots=True)
class _PutRight:
    """A correction that was made: the line before it and after it, and the table time then."""

    entry: Corrected
    before: Record
    after: Record
    now: int


@dataclass(frozen=True, slots=True)
class _TakenBack:
    """What can be made again, what it was done after, and the table time at which it was taken back."""

    act: Done | _PutRight
    after: Ruling
    at: int
    is_timed: bool  # in matches from before that was kept, it is the time of the act
    waited: bool  # nobody had gone on yet after what was taken back before


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
        self.entries = 0  # that were taken
        self._said: list[Said] = []
        self._rounds: dict[int, Any] = {}  # how things stood when the first move of each round was made
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
            case Corrected():
                return self._correct(entry)
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
        ruling = self.rule(move)
        self._kept(Made(move), ruling.state)
        self._append(move, ruling)
        self._undone.clear()
        self.waits = False
        self.now = max(self.now, move.at)
        return ruling

    def rule(self, move: Move) -> Ruling:
        """What would come of a move, or a Foul."""
        self._must_be_seated(move)
        return self.game.rule(self.state, move)

    def _kept(self, entry: Entry, state: Any) -> None:
        self._keep(entry, state)
        self.entries += 1

    def _append(self, move: Move, ruling: Ruling) -> None:
        round_ = self.game.round_of(self.state)
        if not any(said.round == round_ for said in reversed(self._said)):
            self._rounds[round_] = self.state
        said = Said(move, round_, self.state)
        self._said.insert(self._place_at(move.at), said)
        self.line.append(Done(move, ruling, said))

    def _place_at(self, at: int) -> int:
        """Behind everything that was said until then: a deadline may be older than moves that wait."""
        place = len(self._said)
        while place and self._said[place - 1].move.at > at:
            place -= 1
        return place

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
        self._kept(entry, before.state)
        done = self.line.pop()
        if done.said is not None:
            self._said = [said for said in self._said if said is not done.said]
        while self._corrections and len(self._corrections[-1].after.line) > len(self.line):
            self._corrections.pop()  # in a match from before corrections could be undone
        self._taken_back(done, entry, done.move.at)
        return before

    def _undo_correction(self, entry: Undone) -> Ruling:
        if not self._is_put_right():
            raise MatchError("There is no correction to undo.")
        put_right = self._corrections[-1]
        before = put_right.before.line[-1].ruling
        self._kept(entry, before.state)
        self._restore(self._corrections.pop().before)
        self._taken_back(put_right, entry, put_right.now)
        return before

    @property
    def latest(self) -> int:
        """Table time of the newest entry that tells one: a correction takes time, and ends nobody's turn."""
        return max(self.now, self._corrections[-1].now) if self._is_put_right() else self.now

    @property
    def undoes(self) -> str:
        """What an undo would take back: a move or a correction."""
        return "correction" if self._is_put_right() else "move"

    def undone_next(self) -> Iterator[Move | None]:
        """What one undo after the other would take back: moves, the newest first, up to a correction, which is None."""
        kept = len(self._corrections[-1].after.line) if self._corrections else 0
        yield from (done.move for done in reversed(self.line[kept:]))
        if self._corrections:
            yield None

    @property
    def redoes(self) -> str:
        """What can be made again."""
        return "correction" if self._undone and isinstance(self._undone[-1].act, _PutRight) else "move"

    def _is_put_right(self) -> bool:
        """The newest thing that happened is a correction."""
        return bool(self._corrections) and len(self._corrections[-1].after.line) == len(self.line)

    def _taken_back(self, act: Done | _PutRight, entry: Undone, now: int) -> None:
        # A match that a correction had opened again ran on after a redo, before corrections were kept whole.
        waited = self.waits if isinstance(act, Done) or act.entry.whole else bool(self._undone)
        self._undone.append(_TakenBack(act, self.ruling, entry.at or now, is_timed=entry.at > 0, waited=waited))
        self.now = now
        self.waits = True

    def redo(self) -> Ruling:
        """Make again what was taken back last; the time until then counts again."""
        self._must_not_be_abandoned()
        if not self._undone:
            raise MatchError("There is no undone move to make again.")
        taken = self._undone[-1]
        act = taken.act if self.ruling is taken.after else self._anew(taken.act)
        ruling = act.ruling if isinstance(act, Done) else act.after.ruling
        self._kept(Redone(), ruling.state)
        if isinstance(act, Done):
            self._append(act.move, act.ruling)
        else:
            self._restore(act.after)
            self._corrections.append(act)
        self._undone.pop()
        reached = max((done.move.at for done in self.line[-1:]), default=0) if taken.is_timed else self.now
        self.now = max(reached, taken.at)
        self.waits = self.waits and taken.waited
        return ruling

    def _anew(self, act: Done | _PutRight) -> Done | _PutRight:
        """What was taken back, as it is after a correction."""
        if isinstance(act, _PutRight):
            return replace(self._corrected(act.entry)[0], now=act.now)
        move, due = act.move, self.state.deadline
        late = self.line and self.line[-1].move.at > move.at
        other_round = act.said is not None and act.said.round != self.game.round_of(self.state)
        if late or other_round or (due and due.at < move.at and due.move != move):
            raise MatchError("What was undone no longer fits after the correction.")
        return Done(move, self.game.rule(self.state, move))

    def pause(self, at: int, why: str = "") -> None:
        """Stop all clocks, for a dispute or for dinner."""
        self._must_not_be_abandoned()
        if self.paused:
            raise MatchError("The match is paused already.")
        self._must_not_be_before(at)
        entry = Paused(at, why)
        self._kept(entry, self.state)
        self.paused = entry
        self.now = at

    def resume(self) -> None:
        """Go on after a pause, or after something was taken back: clocks run."""
        if not self.paused and not self.waits:
            raise MatchError("The match is not paused.")
        self._kept(Resumed(), self.state)
        self.paused = None
        self.waits = False

    def correct(self, number: int, move: Move | None, at: int = 0, *, counts: bool | None = None) -> Correction:
        """Put another move in the place of an earlier one, or none, and rule on everything after it again. An undo
        takes all of it back. `counts`: what was played after an end that comes earlier now counts too."""
        return self._correct(self._correction(number, move, at, counts))

    def preview(self, number: int, move: Move | None, at: int = 0, *, counts: bool | None = None) -> Correction:
        """What a correction would do; it changes nothing."""
        self._must_not_be_abandoned()
        return self._corrected(self._correction(number, move, at, counts))[1]

    def _correction(self, number: int, move: Move | None, at: int, counts: bool | None) -> Corrected:
        answers = (made.entry.counts for made in reversed(self._corrections) if made.entry.counts is not None)
        return Corrected(number, move, at, whole=True, counts=next(answers, None) if counts is None else counts)

    def _correct(self, entry: Corrected) -> Correction:
        self._must_not_be_abandoned()
        made, told = self._corrected(entry)
        if told.asks:
            raise MatchError(
                "The match would have ended before its last move: say whether what was played after that counts."
            )
        was_over = not self.is_running
        self._kept(made.entry, made.after.state)
        self._corrections.append(made)
        self._restore(made.after)
        self.waits = self.waits or was_over  # a match that is open again goes on when somebody does
        return told

    def _corrected(self, entry: Corrected) -> tuple[_PutRight, Correction]:
        """What a correction would do; it changes nothing yet."""
        number, move = entry.number, entry.move
        if not 1 <= number <= len(self.line):
            raise MatchError(
                Sentence(
                    "There is no move {number} to correct; the match has {line} moves.",
                    number=number,
                    line=len(self.line),
                )
            )
        old = self.line[number - 1].move
        if move is not None:
            move = replace(move, at=old.at)
            self._must_be_seated(move)
        before = Record(self.start, tuple(self.line), tuple(self._said), self._rounds)
        if entry.whole:
            made = corrected(self.game, before, number, move, self.now, counts=entry.counts)
        else:
            made = corrected_as_before(self.game, before, number, move, self.now)
        after = replace(before, line=made.line, said=made.said)
        told = Correction(
            number,
            old,
            move,
            made.changes,
            before.state.scores,
            after.state.scores,
            _winners(before.state),
            _winners(after.state),
            made.asks and entry.counts is None,
        )
        entry = replace(entry, move=move, counts=entry.counts if made.asks else None)
        return _PutRight(entry, before, after, max(self.now, entry.at)), told

    def _restore(self, record: Record) -> None:
        self.line, self._said = list(record.line), list(record.said)

    def abandon(self, at: int, why: str = "") -> None:
        self._must_not_be_abandoned()
        self._must_not_be_before(at)
        entry = Abandoned(at, why)
        self._kept(entry, self.state)
        self.abandoned = entry
        self.now = at

    def rematch(self) -> Setup:
        """The same players at the same seats, by the same house rules, again."""
        if self.is_running:
            raise MatchError("A rematch has to wait until this match is over or abandoned.")
        return replace(self.setup, id=secrets.token_hex(6), rematch_of=self.setup.id)

    def _must_be_seated(self, move: Move) -> None:
        if move.player in self.setup.names or (not move.player and not move.needs_player):
            return
        who = move.player or Sentence("Nobody")
        raise Foul(
            "unknown-player",
            move.player,
            "{who} is not in this match; players are {players}.",
            who=who,
            players=self.setup.names,
        )

    def _must_not_be_before(self, at: int) -> None:
        if at < self.now:
            raise TimeError(
                Sentence(
                    "The stamp {at} lies {now} ns before the last thing that was ruled on.", at=at, now=self.now - at
                )
            )

    def _must_not_be_abandoned(self) -> None:
        if self.abandoned:
            raise MatchError("The match has been abandoned: start a rematch or a new one.")


def _winners(state: Any) -> tuple[str, ...] | None:
    return state.outcome.winners if state.outcome else None

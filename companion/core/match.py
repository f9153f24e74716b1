"""One match: who plays what by which house rules, and the line of moves that its state is the fold of.

Nothing here reads a clock. Every stamp is table time: nanoseconds of this match in which the table was neither
paused nor switched off. What changes a match is an `Entry`; the same entries folded again are the same match.
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from companion.core.correction import Correction, Done
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.errors import MatchError, PlayersError, TimeError
from companion.core.move_line import MoveLine
from companion.core.names import Check, check_names
from companion.core.rules import Deadline, Foul, Game, Move, Outcome, Ruling
from companion.core.seats import Bot, Bots
from companion.core.sentence import N_, Sentence
from companion.core.undo_history import MadeCorrection, UndoHistory
from companion.games import game as game_named

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
    deck: str = ""  # the taught one that is read; empty: none, or the one that comes with the companion

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def check_seat(self, move: Move) -> None:
        """A Foul if nobody of this match can make the move."""
        if move.player in self.names or (not move.player and not move.needs_player):
            return
        who = move.player or Sentence("Nobody")
        raise Foul(
            "unknown-player",
            move.player,
            "{who} is not in this match; players are {players}.",
            who=who,
            players=self.names,
        )


def set_up(  # noqa: PLR0913
    game: Game,
    names: Iterable[str],
    house: Any,
    *,
    colours: Iterable[str] = (),
    rematch_of: str = "",
    match_id: str = "",
    check: Check = check_names,
    bots: Bots | None = None,
    deck: str = "",
) -> Setup:
    """A new match, or a PlayersError. `bots`: who plays by itself, where that was chosen."""
    seated = tuple(name.strip() for name in names)
    check_count(game, len(seated))
    check(seated)
    chosen = tuple(colours) or COLOURS[: len(seated)]
    check_colours(chosen, len(seated))
    sit = bots if bots is not None else (None,) * len(seated)
    players = tuple(Player(*player) for player in zip(seated, chosen, sit, strict=True))
    return Setup(game.name, players, house, match_id or secrets.token_hex(6), rematch_of, bots is not None, deck)


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


Keep = Callable[[Entry, Any], None]  # an entry and the state after it, on disk before anybody is told


def _keep_nothing(_entry: Entry, _state: Any) -> None:
    pass


class Match:
    """A match in play. Every method that changes it keeps the entry first, and changes nothing if that fails."""

    def __init__(self, setup: Setup, keep: Keep = _keep_nothing) -> None:
        self.setup = setup
        self.game = game_named(setup.game)
        self.start = self.game.start(setup.names, setup.house)
        self.now = 0  # table time of the last thing that happened
        self.paused: Paused | None = None
        self.abandoned: Abandoned | None = None
        self.waits = False  # something was taken back, and nobody has gone on yet
        self.entries = 0  # that were taken
        self._line = MoveLine(self.game, self.start)
        self.history = UndoHistory(self._line)
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
        moves = self._line.moves
        return moves[-1].ruling if moves else self.start

    @property
    def line(self) -> list[Done]:
        return self._line.moves

    @property
    def state(self) -> Any:
        moves = self._line.moves
        return (moves[-1].ruling if moves else self.start).state

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
        return self.abandoned is None and self.state.outcome is None

    @property
    def can_redo(self) -> bool:
        """There is an undone move that can be made again."""
        return bool(self.history.undone) and self.abandoned is None

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
            raise MatchError(N_("The match is paused: resume it before the next move."))
        due = self.deadline
        if due is None or move != due.move:  # after a redo or a correction something may be due since long ago
            self._must_not_be_before(move.at)
        ruling = self.rule(move)
        self._kept(Made(move), ruling.state)
        self._line.append(move, ruling)
        self.history.undone.clear()
        self.waits = False
        self.now = max(self.now, move.at)
        return ruling

    def rule(self, move: Move) -> Ruling:
        """What would come of a move, or a Foul."""
        self.setup.check_seat(move)
        return self.game.rule(self.state, move)

    def _kept(self, entry: Entry, state: Any) -> None:
        self._keep(entry, state)
        self.entries += 1

    def undo(self, at: int = 0) -> Ruling:
        """Take back the last thing that happened: a move, the referee's own too, or a correction as a whole. Clocks
        stand as they stood then until somebody goes on."""
        return self._undo(Undone(self.history.is_put_right, at))

    def _undo(self, entry: Undone) -> Ruling:
        self._must_not_be_abandoned()
        act = self._undoable(entry)
        if isinstance(act, Done):
            before, now = self._line.ruling_before, act.move.at
        else:
            before, now = act.before.line[-1].ruling, act.now
        self._kept(entry, before.state)
        if isinstance(act, Done):
            self._line.take_back()
            self.history.forget_corrections()
        else:
            self._line.restore(self.history.corrections.pop().before)
        self.history.took_back(act, entry, now, waits=self.waits)
        self.now = now
        self.waits = True
        return before

    def _undoable(self, entry: Undone) -> Done | MadeCorrection:
        if entry.correction:
            if not self.history.is_put_right:
                raise MatchError(N_("There is no correction to undo."))
            return self.history.corrections[-1]
        if not self.line:
            raise MatchError(N_("There is no move to undo."))
        return self.line[-1]

    def redo(self) -> Ruling:
        """Make again what was taken back last; the time until then counts again."""
        self._must_not_be_abandoned()
        history = self.history
        if not history.undone:
            raise MatchError(N_("There is no undone move to make again."))
        taken = history.undone[-1]
        act = taken.act
        if self.ruling is not taken.after:  # as it is after a correction
            act = self._line.anew(act) if isinstance(act, Done) else replace(self._corrected(act.entry)[0], now=act.now)
        ruling = act.ruling if isinstance(act, Done) else act.after.ruling
        self._kept(Redone(), ruling.state)
        if isinstance(act, Done):
            self._line.append(act.move, act.ruling)
        else:
            self._line.restore(act.after)
            history.corrections.append(act)
        history.undone.pop()
        reached = max((done.move.at for done in self.line[-1:]), default=0) if taken.is_timed else self.now
        self.now = max(reached, taken.at)
        self.waits = self.waits and taken.waited
        return ruling

    def pause(self, at: int, why: str = "") -> None:
        """Stop all clocks, for a dispute or for dinner."""
        self._must_not_be_abandoned()
        if self.paused:
            raise MatchError(N_("The match is paused already."))
        self._must_not_be_before(at)
        entry = Paused(at, why)
        self._kept(entry, self.state)
        self.paused = entry
        self.now = at

    def resume(self) -> None:
        """Go on after a pause, or after something was taken back: clocks run."""
        if not self.paused and not self.waits:
            raise MatchError(N_("The match is not paused."))
        self._kept(Resumed(), self.state)
        self.paused = None
        self.waits = False

    def correct(self, number: int, move: Move | None, at: int = 0, *, counts: bool | None = None) -> Correction:
        """Put another move in the place of an earlier one, or none, and rule on everything after it again. An undo
        takes all of it back. `counts`: what was played after an end that comes earlier now counts too."""
        return self._correct(self.history.correction(number, move, at, counts))

    def preview(self, number: int, move: Move | None, at: int = 0, *, counts: bool | None = None) -> Correction:
        """What a correction would do; it changes nothing."""
        self._must_not_be_abandoned()
        return self._corrected(self.history.correction(number, move, at, counts))[1]

    def _correct(self, entry: Corrected) -> Correction:
        self._must_not_be_abandoned()
        made, told = self._corrected(entry)
        if told.asks:
            raise MatchError(
                N_("The match would have ended before its last move: say whether what was played after that counts.")
            )
        was_over = not self.is_running
        self._kept(made.entry, made.after.state)
        self.history.corrections.append(made)
        self._line.restore(made.after)
        self.waits = self.waits or was_over  # a match that is open again goes on when somebody does
        return told

    def _corrected(self, entry: Corrected) -> tuple[MadeCorrection, Correction]:
        """What a correction would do; it changes nothing yet."""
        old, move = self._line.move(entry.number), entry.move
        if move is not None:
            move = replace(move, at=old.at)
            self.setup.check_seat(move)
        before, after, told = self._line.corrected(entry.number, move, self.now, whole=entry.whole, counts=entry.counts)
        entry, told = (
            replace(entry, move=move, counts=entry.counts if told.asks else None),
            replace(told, asks=told.asks and entry.counts is None),
        )
        return MadeCorrection(entry, before, after, max(self.now, entry.at)), told

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
            raise MatchError(N_("A rematch has to wait until this match is over or abandoned."))
        return replace(self.setup, id=secrets.token_hex(6), rematch_of=self.setup.id)

    def _must_not_be_before(self, at: int) -> None:
        if at < self.now:
            raise TimeError(
                Sentence(
                    "The stamp {at} lies {now} ns before the last thing that was ruled on.", at=at, now=self.now - at
                )
            )

    def _must_not_be_abandoned(self) -> None:
        if self.abandoned:
            raise MatchError(N_("The match has been abandoned: start a rematch or a new one."))


def is_stopped(match: Match) -> bool:
    """Somebody has called Stop!: by a move, or by a pause where the rules have no such move."""
    return match.state.phase == "stopped" or (match.paused is not None and match.paused.is_stop)

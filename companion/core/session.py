"""One conversation with the referee: messages in, replies out."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from companion.core.codec import read
from companion.core.entry import Abandoned, Entry, Paused, Redone, Resumed, Undone
from companion.core.errors import CompanionError, JournalError, MatchError, TimeError
from companion.core.photo_finish import MARGIN
from companion.core.record import read_move
from companion.core.referee import Referee, opinion
from companion.core.replies import (
    AdviceReply,
    CorrectionReply,
    DoneReply,
    ErrorReply,
    FoulReply,
    NoticeReply,
    Reply,
    StateReply,
    TimeReply,
    correction_reply,
    done_reply,
    match_reply,
    preview_reply,
    ruling_reply,
    settled_reply,
    table_of,
)
from companion.core.requests import (
    Abandon,
    Advise,
    Correct,
    MoveMessage,
    Pause,
    Redo,
    Rematch,
    Request,
    Resume,
    Show,
    Time,
    Touch,
    Undo,
)
from companion.core.rules import Foul, Move


class Session:
    """One conversation with the referee: messages in, replies out.

    `now` stamps a message that has no stamp; where it is None, every message brings its own.
    """

    def __init__(self, referee: Referee, now: Callable[[], int] | None) -> None:
        self.referee = referee
        self.margin = MARGIN  # nanoseconds: competing claims that are closer are a tie
        self._now = now
        self._answers: dict[type[Request], Callable[[Any, int], Reply]] = {
            Undo: self._undo,
            Redo: self._redo,
            Pause: self._pause,
            Resume: self._resume,
            Correct: self._correct,
            Abandon: self._abandon,
            Rematch: self._rematch,
            Time: self._time,
            Show: self._show,
            Advise: self._advise,
            Touch: self._touch,
        }

    def greeting(self) -> list[Reply]:
        journal = self.referee.journal
        notices = journal.notices if journal else ()
        return [*map(NoticeReply, notices), match_reply(self.referee.match, self.referee.table)]

    def answer(self, message: MoveMessage | Request) -> list[Reply]:
        """The replies to a message: rulings of deadlines that fell due before it first."""
        return list(self.replies(message))

    def replies(self, message: MoveMessage | Request) -> Iterator[Reply]:
        """The same one by one, each before the next thing is ruled on."""
        try:
            stamp = self._stamp(message.at)
            if isinstance(message, MoveMessage) and self.referee.tie(message.move, stamp, self.margin):
                stamp = max(stamp, self.referee.stamp or stamp)  # of two that tie, the older may come last
            yield from self.pass_time(stamp)
            if isinstance(message, MoveMessage):
                reply: Reply = self._tied(message.move, stamp) or self._move(message.move, stamp)
            else:
                reply = self._answers[type(message)](message, stamp)
        except Foul as foul:
            reply = FoulReply(foul)
        except CompanionError as error:
            reply = ErrorReply(error)
        yield from self._news()
        if isinstance(message, MoveMessage) and isinstance(reply, CorrectionReply):
            yield NoticeReply(self.referee.match.ruling.sentences[0])  # what the tie came to
        yield replace(reply, re=message.id) if message.id else reply

    def _news(self) -> Iterator[Reply]:
        yield from map(NoticeReply, self.referee.news())

    def pass_time(self, stamp: int) -> Iterator[Reply]:
        """What is to be told because time has passed: what turns out to be kept, rulings of deadlines, and that clocks
        cannot be kept."""
        if settled := self.referee.settle(stamp):
            at = self.referee.table_time(max(stamp, self.referee.stamp or stamp))
            yield settled_reply(self.referee.match, settled, at)
        for told in self.referee.pass_time(stamp):
            yield ruling_reply(self.referee.match, told)
        try:
            self.referee.mark(stamp)
        except JournalError as error:
            yield NoticeReply(error.sentence)
        yield from self._news()

    def _stamp(self, at: int | None) -> int:
        if self._now is None:
            return read(int, at, "at")
        now = self._now()
        if at is None:
            return now
        if at > now:
            raise TimeError(f"The stamp {at} lies {at - now} ns in the future of this machine's monotonic clock.")
        return at

    def _move(self, move: Move, stamp: int) -> Reply:
        return ruling_reply(self.referee.match, self.referee.make(move, stamp))

    def _tied(self, claim: Move, stamp: int) -> Reply | None:
        """A claim that ties with the newest move puts that one right."""
        tie = self.referee.tie(claim, stamp, self.margin)
        if tie is None:
            return None
        return correction_reply(self.referee.match, self.referee.put_together(claim, tie, stamp))

    def done(self, word: str, stamp: int) -> Reply:
        return DoneReply(word, self.referee.table_time(stamp), table_of(self.referee.match))

    def _entered(self, kind: type[Entry], stamp: int) -> Reply:
        return done_reply(self.referee.match, kind, self.referee.table_time(stamp))

    def _undo(self, _request: Undo, stamp: int) -> Reply:
        self.referee.undo(stamp)
        return self._entered(Undone, stamp)

    def _redo(self, _request: Redo, stamp: int) -> Reply:
        self.referee.redo(stamp)
        return self._entered(Redone, stamp)

    def _pause(self, request: Pause, stamp: int) -> Reply:
        self.referee.pause(stamp, request.why)
        return self._entered(Paused, stamp)

    def _resume(self, _request: Resume, stamp: int) -> Reply:
        self.referee.resume(stamp)
        return self._entered(Resumed, stamp)

    def _abandon(self, request: Abandon, stamp: int) -> Reply:
        self.referee.abandon(stamp, request.why)
        return self._entered(Abandoned, stamp)

    def _correct(self, request: Correct, stamp: int) -> Reply:
        match = self.referee.match
        number, counts = request.number, request.counts
        move = None if request.move is None else read_move(match.game, request.move, "move")
        if request.preview:
            return preview_reply(match, self.referee.preview(number, move, stamp, counts=counts))
        found = self.referee.correct(number, move, stamp, counts=counts, as_of=request.as_of)
        return correction_reply(match, found)

    def _rematch(self, _request: Rematch, stamp: int) -> Reply:
        self.referee = self.referee.rematch(stamp)
        return match_reply(self.referee.match, self.referee.table)

    def _time(self, _request: Time, stamp: int) -> Reply:
        return TimeReply(self.referee.table_time(stamp))

    def _show(self, _request: Show, stamp: int) -> Reply:
        match = self.referee.match
        return StateReply(self.referee.table_time(stamp), match.state, table_of(match))

    def _touch(self, _request: Touch, _stamp: int) -> Reply:
        raise MatchError("There are no simulated buttons here: start the referee with --buttons FILE.")

    def _advise(self, _request: Advise, _stamp: int) -> Reply:
        advice = opinion(self.referee.match)
        return AdviceReply(advice.value, advice.moves, advice.ways)

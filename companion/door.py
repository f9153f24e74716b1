"""The door of the referee: lines of JSON in, lines of JSON out. Nothing that comes in can hurt the match."""

import os
import select
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from companion.clocks import MILLISECOND, SECOND
from companion.codec import parsed, written
from companion.exc import CompanionError, MalformedError
from companion.match import Match
from companion.presses import Presses
from companion.protocol import LONGEST_LINE, Session, Touch, error_reply, read_message, reply_plain
from companion.referee import MARK_EVERY
from companion.table import Table

GRACE = 50 * MILLISECOND  # how late a line may come that was stamped before a deadline
_READ = 65_536

Hearer = Callable[[dict[str, Any], Match], None]


class Lines:
    """Bytes cut into lines; of a line that is too long only the beginning is ever held."""

    def __init__(self) -> None:
        self._part = bytearray()
        self._too_long = False

    def cut(self, data: bytes) -> Iterator[bytes | None]:
        """The lines that these bytes complete; None for one that was too long."""
        *whole, rest = data.split(b"\n")
        for piece in whole:
            self._append(piece)
            yield None if self._too_long else bytes(self._part)
            self._part.clear()
            self._too_long = False
        self._append(rest)

    def last(self) -> Iterator[bytes | None]:
        """What stood after the last line end."""
        if self._part or self._too_long:
            yield from self.cut(b"\n")

    def _append(self, piece: bytes) -> None:
        if self._too_long or len(self._part) + len(piece) > LONGEST_LINE:
            self._too_long = True
            self._part.clear()
        else:
            self._part += piece


class Door:
    """Serves one session from one file descriptor to another; with buttons, what is pressed goes in by the side."""

    def __init__(
        self, session: Session, say: Callable[[str], None], *, own_clock: bool, presses: Presses | None = None
    ) -> None:
        self._session = session
        self._say = say
        self._own_clock = own_clock
        self._presses = presses
        self._table = Table(session, presses)
        self._grace = max(GRACE, 2 * presses.window) if presses else GRACE  # a press is told one window late
        self._rest_until = 0  # after a failure that no message has caused
        self.errors = 0
        self.hearers: list[Hearer] = []  # what else is to hear the replies, after they were said

    def serve(self, source: int) -> None:
        """Answer lines until there are no more."""
        self._tell(self._session.greeting())
        self._attend()
        lines = Lines()
        while True:
            if self._own_clock and not self._is_spoken_to(source):
                self._attend()
                self._let_time_pass()
                continue
            data = os.read(source, _READ)
            for line in lines.cut(data) if data else lines.last():
                self._tell(self._replies(line))
            if not data:
                return self._end()

    def _is_spoken_to(self, source: int) -> bool:
        """Wait until something is said, or pressed, or due; True if it is something said."""
        ears: list[Any] = [source, self._presses] if self._presses else [source]
        ready, _, _ = select.select(ears, [], [], self._patience())
        return source in ready

    def _attend(self) -> None:
        """Answer what was pressed, and what was said before it."""
        if self._presses:
            self._tell(self._table.attend(time.monotonic_ns()))

    def _end(self) -> None:
        """Nothing more will be said; what was said before is still answered."""
        while (due := self._table.wakes_at) is not None and self._table.is_spoken_to:
            time.sleep(max(0, due - time.monotonic_ns()) / SECOND)
            self._attend()

    def _replies(self, line: bytes | None) -> Iterable[dict[str, Any]]:
        identity = ""
        try:
            if line is None:
                raise MalformedError(f"The line is longer than {LONGEST_LINE} bytes.")
            if not line.strip():
                return []
            data = parsed(line)
            identity = _identity(data)
            message = read_message(self._session.referee.match.game, data)
            if message.at is None and not self._own_clock:
                raise MalformedError("at: this is missing, and the referee was started with --time given.")
        except CompanionError as error:
            return [reply_plain(error_reply(error), identity)]
        if self._presses and isinstance(message, Touch):
            return self._touched(self._presses, message)
        if self._presses:
            self._table.say(message, time.monotonic_ns())
            return self._table.attend(time.monotonic_ns())
        return self._session.replies(message)

    def _touched(self, presses: Presses, touch: Touch) -> list[dict[str, Any]]:
        stamp = time.monotonic_ns() if touch.at is None else touch.at
        try:
            presses.touch(touch.key, touch.seat, touch.down, stamp)
        except CompanionError as error:
            return [reply_plain(error_reply(error), touch.id)]
        done = self._session.done(touch.word, stamp)
        return [reply_plain(done, touch.id), *self._table.attend(time.monotonic_ns())]

    def _patience(self) -> float:
        """Seconds until the referee has to do something by itself."""
        due = self._session.referee.due_at()
        wakes = [] if due is None else [max(due + self._grace, self._rest_until)]
        if self._table.wakes_at is not None:
            wakes.append(self._table.wakes_at)
        return min([MARK_EVERY, *(max(0, at - time.monotonic_ns()) for at in wakes)]) / SECOND

    def _let_time_pass(self) -> None:
        stamp = time.monotonic_ns() - self._grace
        oldest = self._session.referee.stamp
        if oldest is None or stamp < oldest:
            return
        try:
            self._tell(self._session.pass_time(stamp))
        except CompanionError as error:
            self._rest_until = time.monotonic_ns() + MARK_EVERY
            self._tell([reply_plain(error_reply(error))])

    def _tell(self, replies: Iterable[dict[str, Any]]) -> None:
        for reply in replies:
            self.errors += reply["kind"] == "error"
            self._say(written(reply))
            for hearer in self.hearers:
                hearer(reply, self._session.referee.match)


def _identity(data: Any) -> str:
    """The id of a message that may be wrong in everything else."""
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) and found.isprintable() and len(found) <= 100 else ""

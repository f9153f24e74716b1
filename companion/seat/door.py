"""The door of the referee: lines of JSON in, lines of JSON out. Nothing that comes in can hurt the match."""

import select
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from companion.core.clocks import SECOND
from companion.core.codec import written
from companion.core.errors import MalformedError
from companion.core.match import Match
from companion.core.referee import MARK_EVERY
from companion.core.replies import ErrorReply, Reply
from companion.core.requests import Message, Touch, read_message
from companion.core.wire import reply_plain
from companion.inputs.line_source import LineSource, NoMessage
from companion.seat.table import PlainTable

Hearer = Callable[[Reply, Match], None]


class Door:
    """Serves one match from one file descriptor to another; with buttons, what is pressed goes in by the side."""

    def __init__(self, table: PlainTable, say: Callable[[str], None], *, own_clock: bool) -> None:
        self._table = table
        self._say = say
        self._own_clock = own_clock
        self.errors = 0
        self.hearers: list[Hearer] = []  # what else is to hear the replies, after they were said

    def serve(self, source: int) -> None:
        """Answer lines until there are no more."""
        self._tell(self._table.session.greeting())
        self._attend()
        lines = LineSource(source, self._read)
        while lines.is_open:
            if self._own_clock and not self._is_spoken_to(source):
                self._attend()
                self._let_time_pass()
                continue
            for message in lines.take():
                self._tell([message.reply] if isinstance(message, NoMessage) else self._answered(message))
        self._end()

    def _is_spoken_to(self, source: int) -> bool:
        """Wait until something is said, or pressed, or due; True if it is something said."""
        ears: list[Any] = [source, *self._table.ears]
        ready, _, _ = select.select(ears, [], [], self._patience())
        return source in ready

    def _attend(self) -> None:
        """Answer what was pressed, and what was said before it."""
        if self._own_clock:
            self._tell(self._table.replies(time.monotonic_ns()))

    def _end(self) -> None:
        """Nothing more will be said; what was said before is still answered."""
        while (due := self._table.wakes_at) is not None and self._table.inbox.is_spoken_to:
            time.sleep(max(0, due - time.monotonic_ns()) / SECOND)
            self._attend()

    def _read(self, data: Any) -> Message:
        message = read_message(self._table.session.referee.match.game, data)
        if message.at is None and not self._own_clock:
            raise MalformedError("at: this is missing, and the referee was started with --time given.")
        return message

    def _answered(self, message: Message) -> Iterator[Reply]:
        inbox, now = self._table.inbox, self._due(message)
        if isinstance(message, Touch) and inbox.has_buttons:
            yield from inbox.touched(message, self._table.session, now)
        else:
            self._table.say(message, now)
        yield from self._table.replies(now)

    def _due(self, message: Message) -> int:
        """Now; where no press can be on its way, a message is answered at once whatever its stamp is."""
        now = time.monotonic_ns() if self._own_clock else 0
        return now if self._table.inbox.window or message.at is None else max(now, message.at)

    def _patience(self) -> float:
        """Seconds until the referee has to do something by itself."""
        wakes = (self._table.wakes_at, self._table.inbox.passing.wakes_at(self._table.session))
        return min([MARK_EVERY, *(max(0, at - time.monotonic_ns()) for at in wakes if at is not None)]) / SECOND

    def _let_time_pass(self) -> None:
        self._tell(self._table.inbox.passing.pass_time(self._table.session, time.monotonic_ns()))

    def _tell(self, replies: Iterable[Reply]) -> None:
        for reply in replies:
            self.errors += isinstance(reply, ErrorReply)
            self._say(written(reply_plain(reply)))
            for hearer in self.hearers:
                hearer(reply, self._table.session.referee.match)

"""Where all that goes into a match comes together: what is pressed and what is said, in the order of their stamps."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Protocol

from companion.core.clocks import MILLISECOND
from companion.core.errors import CompanionError
from companion.core.referee import MARK_EVERY, Referee
from companion.core.replies import ErrorReply, Reply
from companion.core.requests import Message, Touch, stamp_of
from companion.core.session import Session
from companion.inputs.presses import Meant, Noted, Presses

GRACE = 50 * MILLISECOND  # how late something may come that was stamped before a deadline


class Ear(Protocol):
    """Readable when there is something to attend to."""

    def fileno(self) -> int: ...


class Inbox:
    """Messages and presses wait here for whatever was stamped before them and may still be on its way."""

    def __init__(self, presses: Presses | None = None) -> None:
        self._presses = presses
        self._said: list[Message] = []  # each has its stamp
        self.window = presses.window if presses else 0  # for which something stamped earlier may still come
        self.passing = PassingTime(self.window)

    @property
    def has_buttons(self) -> bool:
        return self._presses is not None

    @property
    def ears(self) -> list[Ear]:
        return [self._presses] if self._presses else []

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which there is something to take, apart from what comes by the ears."""
        found = [stamp_of(message) + self.window for message in self._said]
        if self._presses and self._presses.wakes_at is not None:
            found.append(self._presses.wakes_at)
        return min(found, default=None)

    @property
    def is_spoken_to(self) -> bool:
        """Messages are waiting."""
        return bool(self._said)

    def put(self, message: Message, now: int) -> None:
        """A message; one without a stamp was said now."""
        self._said.append(message if message.at is not None else replace(message, at=now))

    def touched(self, touch: Touch, session: Session | None, now: int) -> Iterator[Reply]:
        """A simulated button is pressed."""
        assert self._presses
        stamp = now if touch.at is None else touch.at
        newest = session.referee.stamp if session else None
        try:
            done = session.done(touch.word, max(stamp, newest or stamp)) if session else None
            self._presses.touch(touch.key, touch.seat, touch.down, stamp)
        except CompanionError as error:
            yield ErrorReply(error, re=touch.id)
        else:
            if done:
                yield replace(done, re=touch.id)

    def take(self, now: int) -> Iterator[Message | Noted]:
        """What is due, in the order of the stamps; what is only to be told of the buttons comes first. A press is
        asked for its meaning when its turn has come: what was before it has had its effect by then."""
        due: list[Message | Meant] = [message for message in self._said if stamp_of(message) + self.window <= now]
        self._said = [message for message in self._said if message not in due]
        for one in self._presses.attend(now) if self._presses else ():
            if isinstance(one, Meant):
                due.append(one)
            else:
                yield one
        for item in sorted(due, key=_stamp):
            yield item.message() if isinstance(item, Meant) else item

    def follow(self, referee: Referee, now: int) -> None:
        """What was taken has been ruled on: buttons and lights go by the match as it stands."""
        if self._presses:
            self._presses.follow(referee.match, referee.stamp_of)
            self._presses.arm(now)


def _stamp(one: Message | Meant) -> int:
    return one.stamp if isinstance(one, Meant) else stamp_of(one)


class PassingTime:
    """Lets deadlines fall due: after a grace, because a press is told one window late, and after a failure that no
    message has caused not again at once."""

    def __init__(self, window: int = 0) -> None:
        self.grace = max(GRACE, 2 * window)
        self._rest_until = 0

    def wakes_at(self, session: Session) -> int | None:
        """The stamp at which the referee has something to do by itself."""
        due = session.referee.due_at()
        return None if due is None else max(due + self.grace, self._rest_until)

    def pass_time(self, session: Session, now: int) -> Iterator[Reply]:
        """What is to be told because time has passed."""
        stamp, oldest = now - self.grace, session.referee.stamp
        if oldest is None or stamp < oldest or now < self._rest_until:
            return
        try:
            yield from session.pass_time(stamp)
        except CompanionError as error:
            self._rest_until = now + MARK_EVERY
            yield ErrorReply(error)

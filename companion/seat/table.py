"""One match that people sit at: what is pressed and what is said goes into it in the order of the stamps."""

from collections.abc import Iterator
from typing import Protocol

from companion.core.replies import NoticeReply, Reply
from companion.core.requests import Message
from companion.core.session import Session
from companion.inputs.inbox import Ear, Inbox
from companion.inputs.presses import Noted, Presses


class Seated(Protocol):
    """A match that people sit at, whatever else than their messages goes into it."""

    @property
    def session(self) -> Session: ...

    @property
    def inbox(self) -> Inbox: ...

    @property
    def ears(self) -> list[Ear]: ...

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which `attend` has something to do, apart from what comes by the ears."""
        ...

    def say(self, message: Message, now: int) -> None:
        """A message, answered by `attend` as soon as nothing stamped earlier can come any more."""
        ...

    def attend(self, now: int) -> list[Reply]:
        """The replies to everything that is due."""
        ...

    def close(self) -> None:
        """Nobody sits here any more; the match stays as it is kept."""
        ...


class PlainTable:
    """A session and, where there are buttons, the presses that go into it."""

    def __init__(self, session: Session, presses: Presses | None = None) -> None:
        self.session = session
        self.inbox = Inbox(presses)
        session.margin = presses.margin if presses else session.margin

    @property
    def ears(self) -> list[Ear]:
        return self.inbox.ears

    @property
    def wakes_at(self) -> int | None:
        return self.inbox.wakes_at

    def say(self, message: Message, now: int) -> None:
        self.inbox.put(message, now)

    def attend(self, now: int) -> list[Reply]:
        return list(self.replies(now))

    def replies(self, now: int) -> Iterator[Reply]:
        """The same one by one, each before the next thing is ruled on."""
        for one in self.inbox.take(now):
            yield from [NoticeReply(one.sentence)] if isinstance(one, Noted) else self.session.replies(one)
        self.inbox.follow(self.session.referee, now)

    def close(self) -> None:
        """The buttons belong to the room and stay."""

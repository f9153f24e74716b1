"""One match with its buttons: what is pressed and what is said become moves in the order of their stamps."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from companion.presses import Meant, Noted, Presses
from companion.protocol import MoveMessage, Request, Session, notice_reply, reply_plain


@dataclass(frozen=True, slots=True)
class _Said:
    """A message that waits for presses from before it that may still be on their way."""

    message: MoveMessage | Request
    stamp: int


class Ear(Protocol):
    """Readable when there is something to attend to."""

    def fileno(self) -> int: ...


class Seated(Protocol):
    """A match that people sit at, whatever else than their messages goes into it."""

    @property
    def session(self) -> Session: ...

    @property
    def ears(self) -> list[Ear]: ...

    @property
    def window(self) -> int:
        """Nanoseconds for which something stamped earlier may still come."""
        ...

    @property
    def has_buttons(self) -> bool:
        """Whoever sits here takes in what is pressed."""
        ...

    @property
    def wakes_at(self) -> int | None: ...

    def say(self, message: MoveMessage | Request, now: int) -> None: ...

    def attend(self, now: int) -> list[dict[str, Any]]: ...

    def close(self) -> None:
        """Nobody sits here any more; the match stays as it is kept."""
        ...


class Table:
    """A session and, where there are buttons, the presses that go into it."""

    def __init__(self, session: Session, presses: Presses | None = None) -> None:
        self.session = session
        self._presses = presses
        self._said: list[_Said] = []
        self.window = presses.window if presses else 0
        session.margin = presses.margin if presses else session.margin
        self.has_buttons = presses is not None
        self.ears: list[Ear] = [presses] if presses else []

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which `attend` has something to do, apart from new presses and messages."""
        found = [said.stamp + self.window for said in self._said]
        if self._presses and self._presses.wakes_at is not None:
            found.append(self._presses.wakes_at)
        return min(found, default=None)

    @property
    def is_spoken_to(self) -> bool:
        """Messages are waiting for their answers."""
        return bool(self._said)

    def say(self, message: MoveMessage | Request, now: int) -> None:
        """A message, answered by `attend` as soon as nothing stamped earlier can come any more."""
        stamp = now if message.at is None else message.at
        self._said.append(_Said(replace(message, at=stamp), stamp))

    def attend(self, now: int) -> list[dict[str, Any]]:
        """The replies to everything that is due."""
        found: list[dict[str, Any]] = []
        due: list[_Said | Meant] = [said for said in self._said if said.stamp + self.window <= now]
        self._said = [said for said in self._said if said not in due]
        if self._presses:
            for one in self._presses.attend(now):
                if isinstance(one, Meant):
                    due.append(one)
                else:
                    found.append(_notice(one))
        for item in sorted(due, key=lambda item: item.stamp):
            message = item.message if isinstance(item, _Said) else item.message()
            found += [_notice(message)] if isinstance(message, Noted) else self.session.answer(message)
        if self._presses:
            self._presses.follow(self.session.referee.match, self.session.referee.stamp_of)
            self._presses.arm(now)
        return found

    def close(self) -> None:
        """The buttons belong to the room and stay."""


def _notice(noted: Noted) -> dict[str, Any]:
    return reply_plain(notice_reply(noted.sentence))

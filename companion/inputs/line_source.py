"""Lines of JSON that come in by a file descriptor, as messages; nothing that stands in them can hurt the match."""

import os
import select
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from companion.core.codec import parsed
from companion.core.errors import CompanionError, MalformedError
from companion.core.replies import ErrorReply
from companion.core.requests import LONGEST_LINE, Message

_READ = 65_536  # bytes at a time

Reader = Callable[[Any], Message]  # of what stands in a line; a MalformedError if that is no message


@dataclass(frozen=True, slots=True)
class NoMessage:
    """Something that was said and cannot be understood; `data` is the object that it is, if its stamp can be told."""

    reply: ErrorReply
    data: dict[str, Any] | None = None


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


class LineSource:
    """A file descriptor, read as far as there is something."""

    def __init__(self, source: int, reader: Reader) -> None:
        self._source, self.reader, self._lines = source, reader, Lines()
        self.is_open = True

    def fileno(self) -> int:
        return self._source

    @property
    def has_something(self) -> bool:
        """Reading would not wait."""
        return self.is_open and bool(select.select([self._source], [], [], 0)[0])

    def take(self) -> Iterator[Message | NoMessage]:
        """What stands there now, or comes next: messages, or what is wrong with a line."""
        data = os.read(self._source, _READ)
        self.is_open = bool(data)
        for line in self._lines.cut(data) if data else self._lines.last():
            if line is None:
                yield NoMessage(ErrorReply(MalformedError(f"The line is longer than {LONGEST_LINE} bytes.")))
            elif line.strip():
                yield self._message(line)

    def _message(self, line: bytes) -> Message | NoMessage:
        try:
            data = parsed(line)
        except CompanionError as error:
            return NoMessage(ErrorReply(error))
        return message_of(data, self.reader)


def message_of(data: Any, reader: Reader) -> Message | NoMessage:
    """What was said, or what is wrong with it, with the id that it has all the same."""
    try:
        return reader(data)
    except CompanionError as error:
        is_timed = isinstance(data, dict) and type(data.get("at", 0)) is int
        return NoMessage(ErrorReply(error, re=_identity(data)), data if is_timed else None)


def _identity(data: Any) -> str:
    """The id of a message that may be wrong in everything else."""
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) and found.isprintable() and len(found) <= 100 else ""

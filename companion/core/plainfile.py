"""Files that others made, opened and read: only plain files, no more of them than was expected, in bounded time.

A path that somebody names may lead to a pipe that nobody writes to, a device that never ends, a file that is sparse,
or one that grows while it is read. Whoever reads what this program did not itself just write, reads it by this.
"""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from companion.core.errors import NotPlainError, TooLargeError, TooSlowError

PATIENCE = 5.0  # seconds for all of a file
_AT_ONCE = 1 << 20  # bytes
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_KINDS = {
    stat.S_IFDIR: "it is a folder; name a file in it",
    stat.S_IFIFO: "it is a pipe, not a file",
    stat.S_IFCHR: "it is a device, not a file",
    stat.S_IFBLK: "it is a device, not a file",
    stat.S_IFSOCK: "it is a socket, not a file",
}


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """A plain file, open for reading; an OSError if it is none or cannot be opened."""
    try:
        _must_be_plain(path, path.stat())  # first, because opening a device may already do something
        number = os.open(path, _FLAGS)
    except ValueError as error:
        raise NotPlainError(path, f"this cannot be the name of a file ({error})") from None
    with os.fdopen(number, "rb", buffering=0) as file:
        _must_be_plain(path, os.fstat(number))  # again, because it may be another one by now
        yield file


def content(path: Path, most: int, patience: float = PATIENCE) -> bytes:
    """All of a plain file that has at most so many bytes; an OSError if it is none, or larger, or takes too long."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise TooLargeError(path, most)
        found = _read(path, file, most + 1, patience)
    if len(found) > most:  # it has grown, or did not tell its size
        raise TooLargeError(path, most)
    return found


def beginning(path: Path, most: int, patience: float = PATIENCE) -> bytes:
    """The first bytes of a plain file, however large it is."""
    with opened(path) as file:
        return _read(path, file, most, patience)


def text(path: Path, most: int, patience: float = PATIENCE) -> str:
    """The same as `content`, as UTF-8; a UnicodeDecodeError, which is a ValueError, if it is none."""
    return content(path, most, patience).decode()


def _must_be_plain(path: Path, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotPlainError(path, _KINDS.get(stat.S_IFMT(status.st_mode), "it is no file"))


def _read(path: Path, file: IO[bytes], most: int, patience: float) -> bytes:
    """No more than so many bytes, and none after so many seconds."""
    until, found = time.monotonic() + patience, bytearray()
    while more := file.read(min(_AT_ONCE, most - len(found))):
        found += more
        if time.monotonic() > until:
            raise TooSlowError(path, patience)
    return bytes(found)

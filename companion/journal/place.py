"""Where the file lies, and what SQLite has beside it: whether they are still those that were opened."""

import contextlib
import fcntl
import os
import struct
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from companion.core import plainfile

BESIDE = ("", "-wal", "-shm")
LOCKS, LOCKS_LENGTH = 0x40000002, 510  # the bytes on which whoever has a SQLite file open holds a lock
FLOCK = struct.Struct("hh4xqqi4x")  # the kernel's

Identity = tuple[int, int] | None  # device and number; None where there is no file

_HELD: Counter[Identity] = Counter()  # by this process


class FilePlace:
    """A file as it was when it was opened. Somebody may move, delete, exchange or cut it; whoever has it open writes
    on, and would notice nothing."""

    def __init__(self, path: Path) -> None:
        self._files = [path.with_name(path.name + ending) for ending in BESIDE]
        self._path = path
        self._opened, self._sizes = zip(*map(_looked_up, self._files), strict=True)
        _HELD[self._opened[0]] += 1

    def leave(self) -> None:
        """It is closed."""
        _HELD[self._opened[0]] -= 1

    def is_held(self) -> bool:
        """It costs some microseconds. None of the files ever becomes shorter while it is open."""
        found, sizes = zip(*map(_looked_up, self._files), strict=True)
        is_whole = all(now >= before for now, before in zip(sizes, self._sizes, strict=True))
        if is_whole:  # what was cut stays so until it is written anew
            self._sizes = sizes
        return is_whole and found == self._opened

    def has_file(self) -> bool:
        """The file itself is the one that was opened, whatever became of its log."""
        return bool(_looked_up(self._files[0])[0] == self._opened[0])

    def set_strangers_aside(self) -> Path | None:
        """Give what lies there now, and was not opened, another name: that of the file, if it is one."""
        aside = free_name(self._path, "other")
        found = None
        for ending, file, known in zip(BESIDE, self._files, self._opened, strict=True):
            if _looked_up(file)[0] not in (None, known):
                file.rename(aside.with_name(aside.name + ending))
                found = found or aside.with_name(aside.name + ending)
        return found

    def clear_log(self) -> None:
        """SQLite leaves the log of a file that was moved, and it would be taken for that of the next one."""
        for file in self._files[1:]:
            file.unlink(missing_ok=True)


def is_in_use(path: Path) -> bool:
    """Somebody has it open. A file that this process has open is not opened here: closing it would end its locks."""
    identity, _ = _looked_up(path)
    if _HELD[identity]:
        return True
    try:
        with plainfile.opened(path) as file:
            asked = FLOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, LOCKS, LOCKS_LENGTH, 0)
            kind, *_ = FLOCK.unpack(fcntl.fcntl(file, fcntl.F_GETLK, asked))
            return bool(kind != fcntl.F_UNLCK)
    except OSError:
        return False


def anew_beside(path: Path) -> Path:
    """Where it is written anew, whole, before it takes its place."""
    return path.parent / f"{path.name}.anew"


def mended_beside(path: Path) -> Path:
    """What was saved of a damaged journal, whole, while it is on its way into the place of the damaged one."""
    return path.parent / f"{path.name}.mended"


def suspicion_beside(path: Path) -> Path:
    """Lies there from when damage was found in an open journal until that was read from beginning to end again."""
    return path.parent / f"{path.name}.suspect"


def free_name(path: Path, what: str) -> Path:
    """Where a file can be kept that has to give way."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}.{what}-{stamp}{path.suffix}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.stem}.{what}-{stamp}-{count}{path.suffix}")
    return aside


def _looked_up(file: Path) -> tuple[Identity, int]:
    """Which file it is, and its length."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        found = file.stat()
        return (found.st_dev, found.st_ino), found.st_size
    return None, 0

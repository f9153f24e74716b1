"""One table at a time on one journal: a second copy says so and goes, the first goes on."""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

from companion.core import plainfile
from companion.core.errors import CompanionError

LOOK_EVERY = 0.5  # seconds


class SecondCopyError(CompanionError):
    """The table is open already."""


def beside(journal: Path) -> Path:
    return journal.with_name(f"{journal.name}.lock")


@contextlib.contextmanager
def only_one(
    journal: Path,
    patience: float = 0,
    sleep: Callable[[float], None] = time.sleep,
    alive: Callable[[], None] = lambda: None,
) -> Iterator[None]:
    """Nobody else opens this table meanwhile. The lock goes with the process, however it ends; the file stays.

    So many seconds another copy is waited for, one that was just killed and may still be ending; `alive` is called
    meanwhile.
    """
    path = beside(journal)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+")
    except OSError:
        yield  # nothing can be kept there, which the journal says itself
        return
    with file:
        while not _is_taken(file):
            if patience <= 0:
                raise SecondCopyError(_said(journal))
            patience -= LOOK_EVERY
            alive()
            sleep(LOOK_EVERY)
        yield


def is_ours(journal: Path) -> bool:
    """Whether it is this process that has the table open."""
    return is_open(journal) and _holder(journal) == str(os.getpid())


def is_open(journal: Path) -> bool:
    """Whether a table has this journal; looking changes nothing."""
    try:
        with plainfile.opened(beside(journal)) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _is_taken(file: IO[str]) -> bool:
    """The lock is ours now; where there are none, it is too."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    with contextlib.suppress(OSError):
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
    return True


def _holder(journal: Path) -> str:
    """The number of the process, if it can be read."""
    with contextlib.suppress(OSError, ValueError):
        number = plainfile.beginning(beside(journal), 20).decode("ascii").strip()
        return number if number.isdecimal() else ""
    return ""


def _said(journal: Path) -> str:
    number = _holder(journal)
    if number:
        return (
            f"The table is open already, as process {number}: close that one "
            f"(`sudo systemctl stop companion`, if it is the machine's), or take another journal than {journal}."
        )
    return f"The table is open already: close it first, or take another journal than {journal}."

"""`companion`, and `python -m companion`: whatever memory there is, it ends in a sentence."""

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Callable, Iterator
from types import TracebackType

AGAIN = 75  # exit code: started again it may have what it had to do without
NO_ROOM = (
    b"companion: This computer has no room left for it (memory, threads, open files), so it ends; what was told is "
    b"kept. Close other programs, and start it again.\n"
)
UNDONE = b"companion: Something was left undone beside the table, for there is no room left for it.\n"
NO_THREAD = "can't start new thread"  # Python's word
UNFINISHED = "is required for"  # CPython's of a module that it compiles: a part of its tree found no memory
UNMAPPED = "map segment"  # how the loader says of a library that there is no memory for it


def main() -> int:
    return ending_in_a_sentence(_run)


def _run() -> int:
    from companion.cli import main as run  # noqa: PLC0415  (loading it needs memory too)

    return run()


def ending_in_a_sentence(run: Callable[[], int]) -> int:
    """Its exit code; where there is no room, for a byte, a part of the program or a thread, that is said."""
    before, threading.excepthook = threading.excepthook, said_of_a_thread
    printed, sys.excepthook = sys.excepthook, printed_by_a_library
    try:
        return run()
    except (MemoryError, SystemError, OSError, ImportError, RuntimeError, ValueError) as error:
        if not is_short(error):
            raise
    finally:
        threading.excepthook, sys.excepthook = before, printed
    _say(NO_ROOM)
    return AGAIN


def said_of_a_thread(end: threading.ExceptHookArgs) -> None:
    """What works beside the table may end for want of room; the table meets the same in its own loop."""
    if end.exc_value is None or not is_short(end.exc_value):
        threading.__excepthook__(end)
    else:
        _say(UNDONE)


def printed_by_a_library(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """A library in C that cannot be loaded prints why, and raises an ImportError that does not say it."""
    if not is_short(error):
        sys.__excepthook__(kind, error, trace)


@contextlib.contextmanager
def if_installed() -> Iterator[None]:
    """What is not installed is done without; what finds no room to be loaded is installed."""
    try:
        yield
    except ImportError as error:
        if is_short(error):
            raise


def is_short(error: BaseException) -> bool:
    """Whether there was no room: for a byte, a part of the program, a thread, an open file."""
    match error:
        case MemoryError() | SystemError():  # where memory fails the interpreter itself, it may have no word for it
            return True
        case OSError():
            return error.errno in (errno.ENOMEM, errno.EMFILE, errno.ENFILE)
        case ImportError():
            return UNMAPPED in str(error) or "allocate memory" in str(error) or _has_printed_so()
        case ValueError():
            return UNFINISHED in str(error)
    return str(error) == NO_THREAD


def _has_printed_so() -> bool:
    """Python keeps what a library has printed; what was half loaded then cannot be loaded any more."""
    printed = getattr(sys, "last_value", None)
    return printed is not None and not isinstance(printed, ImportError) and is_short(printed)


def _say(line: bytes) -> None:
    with contextlib.suppress(OSError):  # there may be nobody to tell
        os.write(2, line)


if __name__ == "__main__":
    sys.exit(main())

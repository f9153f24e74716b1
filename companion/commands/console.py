"""What a command prints: lines on the standard output, complaints on the error output."""

import contextlib
import os
import select
import sys
from collections.abc import Iterator

from companion.core.errors import OBEYED

FAREWELL = 0.5  # seconds
UNPRINTED = {code: text for code, text in OBEYED.items() if chr(code) not in "\n\t"}


class OutputError(OSError):
    """What is told cannot be written where it is to go."""


def say(line: str) -> None:
    with telling():
        print(line.translate(UNPRINTED), flush=True)  # noqa: T201


def say_aside(line: str) -> None:
    """To a person, while the standard output is for data."""
    with telling():
        print(line, file=sys.stderr, flush=True)  # noqa: T201


def write(text: str) -> None:
    with telling():
        sys.stdout.write(text.translate(UNPRINTED))


def complain(sentence: str) -> None:
    if sys.stderr is None:  # nobody to complain to; `print` would take the output instead
        return
    with contextlib.suppress(OSError):
        print(f"companion: {sentence}", file=sys.stderr)  # noqa: T201


@contextlib.contextmanager
def telling() -> Iterator[None]:
    """Whatever goes wrong here went wrong with the output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(*error.args) from None


def shut_output() -> None:
    """What is still to be written goes nowhere, so that Python has nothing to say about it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def end_output() -> None:
    """What was begun is still written, if its reader goes on reading; a process that was asked to end waits for
    nobody."""
    with contextlib.suppress(OSError, ValueError):
        if not select.select([], [sys.stdout], [], FAREWELL)[1]:
            shut_output()
        sys.stdout.flush()

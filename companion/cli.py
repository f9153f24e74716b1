"""The command line: finds the command, runs it, and turns whatever goes wrong into one sentence and an exit code."""

import io
import signal
import sys
from collections.abc import Sequence

from companion.__main__ import is_short
from companion.commands import table_options
from companion.commands.command_parser import main_parser
from companion.commands.console import OutputError, complain, end_output, shut_output, telling
from companion.core.errors import CompanionError
from companion.devices.signals import ENDS, Signalled, end_here, heard

BY_OTHERS = tuple(number for number in ENDS if number != signal.SIGINT)  # that one is Python's KeyboardInterrupt
WRONG = 2  # exit code for anything the user has to know about


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    try:
        with heard(end_here, BY_OTHERS):
            return _run(sys.argv[1:] if arguments is None else arguments)
    except Signalled as signalled:
        end_output()
        return signalled.end()
    except CompanionError as error:
        complain(str(error))
        return WRONG
    except KeyboardInterrupt:
        end_output()
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone. What was kept is kept; so nobody is told.
        shut_output()
        return 0
    except OutputError as error:
        complain(f"The output cannot be written: {error.strerror or error}.")
        shut_output()
        return WRONG
    except OSError as error:
        if is_short(error):
            raise  # what started this says so
        complain(_system_says(error))
        return WRONG


def _run(arguments: Sequence[str]) -> int:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is None:
            raise CompanionError("The standard input, output and error output must be open.")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale says: JSON is UTF-8
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for argument in arguments:
        if not _is_text(argument):
            raise CompanionError(f"The argument {argument!r} is not UTF-8.")
    try:
        options = main_parser().parse_args(arguments)
        if options.command and (flag := table_options.given(options)):
            raise CompanionError(f"{flag} is for the table: give it behind the command, or leave the command out.")
        found: int = options.run(options)
    except SystemExit as done:  # after --help and --version
        found = int(done.code or 0)
    with telling():
        sys.stdout.flush()
    return found


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True


def _system_says(error: OSError) -> str:
    """What the system refused, of what."""
    why = error.strerror or str(error) or type(error).__name__
    return f"{error.filename} cannot be used: {why}." if error.filename else f"The system refuses something: {why}."

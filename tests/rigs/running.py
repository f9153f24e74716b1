"""Running commands of this computer, and how a rig begins and ends."""

import fcntl
import os
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import NoReturn

PROJECT = Path(__file__).parents[2]
BUILT = PROJECT / "build" / "rigs"  # a folder for each rig
# How a rig ends. 75 is what sysexits.h calls a temporary failure; with 77 automake's tests say that they were skipped.
GOOD, FAILED, DISTURBED, LEFT_OUT = 0, 1, 75, 77


def rooms() -> tuple[str, ...]:
    """The packages that a table is installed with."""
    setup = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    return tuple(name.rstrip("*") for name in setup["packages"]["find"]["include"] if name.endswith("*"))


class RigError(Exception):
    """The rig cannot be made or run here; the message says why."""


class DisturbedError(RigError):
    """The rig measured that something else held it up, so that nothing can be judged."""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """What a command says; a RigError with the end of it when it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env)
    except FileNotFoundError:
        raise RigError(f"{words[0]} is missing on this machine.") from None
    if done.returncode:
        raise RigError(f"`{' '.join(words)}` ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


def asked(*command: str) -> str:
    """What a command of this machine says; nothing when it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def followed(command: Sequence[str], silence: float) -> int:
    """Run a command and pass on what it says, line by line; its exit code. It may take as long as it has something to
    say: only a silence of so many seconds ends it."""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        was_silent: list[bool] = []

        def give_up() -> None:
            was_silent.append(True)
            process.kill()

        while True:
            timer = Timer(silence, give_up)
            timer.start()
            line = process.stdout.readline()
            timer.cancel()
            if not line:
                break
            say(line.rstrip("\n"))
        code = process.wait()
    if was_silent:
        raise RigError(f"nothing was said for {silence:.0f} s.")
    return code


# --- A rig


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """One rig of a kind at a time in one work tree; an end by a signal is an end with a tidy-up."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RigError("another one is running in this folder.") from None
        yield


def conclude(name: str, main: Callable[[], int]) -> NoReturn:
    """Run a rig in its folder and end with its exit code."""
    os.umask(0o022)
    try:
        with alone(BUILT / name):
            code = main()
    except DisturbedError as error:
        code = _refused(name, f"disturbed: {error}", DISTURBED)
    except RigError as error:
        code = _refused(name, str(error), FAILED)
    sys.exit(code)


def _refused(name: str, why: str, code: int) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"rig-{name}: {why}\n")
    return code

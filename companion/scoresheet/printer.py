"""The printer of this machine, if somebody has set one up: by the commands of CUPS, and by nothing else."""

import os
import shutil
import subprocess

from companion.core.errors import CompanionError

PATIENCE = 10  # seconds for a command


class PrinterError(CompanionError):
    """The printer does not take it; why, as it says so itself."""


def printer() -> str:
    """The name of the usual printer, or of the first; empty where there is none."""
    if not (shutil.which("lp") and shutil.which("lpstat")):
        return ""  # nobody has CUPS here
    try:
        usual = _ask("lpstat", "-d").partition(":")[2].strip()
        return usual or next(iter(_ask("lpstat", "-e").split()), "")
    except (OSError, subprocess.SubprocessError):
        return ""


def hand_over(content: bytes, title: str, name: str) -> None:
    """To the queue of that printer; what becomes of it there nobody is told."""
    try:
        done = subprocess.run(
            ["lp", "-d", name, "-t", title, "-o", "fit-to-page", "-"],
            input=content,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise PrinterError("It does not answer.") from None
    except OSError as error:
        raise PrinterError(f"{error.strerror or error}.") from None
    if done.returncode:
        raise PrinterError(done.stderr.decode(errors="replace").strip().partition("\n")[0] or "It says nothing.")


def _ask(*command: str) -> str:
    """What it answers in English."""
    english = {**os.environ, "LC_ALL": "C"}
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False, env=english)
    return done.stdout.decode(errors="replace")

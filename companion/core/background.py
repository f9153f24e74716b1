"""What takes its time is done beside the loop that draws the screen."""

import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

Work = Callable[[], None]


def in_thread(name: str) -> Callable[[Work], None]:
    """Runs what it is given in a thread of this name. Where none can be begun any more, whoever asked waits for it."""

    def run(work: Work) -> None:
        try:
            threading.Thread(target=work, name=name, daemon=True).start()
        except RuntimeError:
            work()

    return run


def see_off(process: subprocess.Popen[Any], patience: float) -> None:
    """Kill it, close the pipes to it, and wait for it; beside, where a busy computer takes longer for that."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe:
            with suppress(OSError):
                pipe.close()
    try:
        process.wait(patience)
    except subprocess.TimeoutExpired:
        in_thread("process that ends")(lambda: _wait_for(process))


def _wait_for(process: subprocess.Popen[Any]) -> None:
    process.wait()

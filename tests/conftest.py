"""What tests of all rooms can ask for."""

import gc
import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from companion.devices.signals import ENDS
from tests.doors import refused, run

__all__ = ["refused", "run"]

# Each worker has one processor, and threads that wait for each other's work only take time from the other workers.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(threads, "1")

# No window is opened by a test and nothing is heard, in whatever order they run: SDL asks once in a process.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ["SDL_VIDEODRIVER"] = os.environ["SDL_AUDIODRIVER"] = "dummy"

settings.register_profile("table", deadline=None)  # how long an example takes is the machine's business
settings.load_profile("table")


@pytest.fixture(scope="session", autouse=True)
def _no_signal_is_ignored() -> Iterator[None]:
    """As at a terminal: a job in the background of a script ignores Ctrl-C, one of `nohup` a terminal that closes."""
    ignored = [number for number in ENDS if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    yield
    for number in ignored:
        signal.signal(number, signal.SIG_IGN)


def pytest_collection_finish() -> None:
    """Seven thousand tests are there until the end, and need not be looked through for garbage again and again."""
    gc.collect()
    gc.freeze()

"""Which signals ask a process to end, and which say nothing to it."""

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType


def _known(names: str) -> tuple[int, ...]:
    """Those of them that this system has."""
    return tuple(int(getattr(signal, name)) for name in names.split() if hasattr(signal, name))


# A terminal that was closed, Ctrl-C, Ctrl-\, somebody's kill, a battery that is nearly empty, a limit of the processor.
ENDS = _known("SIGHUP SIGINT SIGQUIT SIGTERM SIGPWR SIGXCPU")
BY_HAND = (signal.SIGINT, signal.SIGQUIT)  # whoever sends one of them twice does not want to wait
# Nobody means anything by these, and the kernel would end the process for each.
SAY_NOTHING = (
    *_known("SIGUSR1 SIGUSR2 SIGALRM SIGVTALRM SIGPROF SIGIO SIGSTKFLT"),
    *(range(signal.SIGRTMIN, signal.SIGRTMAX + 1) if hasattr(signal, "SIGRTMIN") else ()),
)

Handler = Callable[[int, FrameType | None], None]


class Signalled(BaseException):
    """A signal asks this process to end, wherever it just is; like KeyboardInterrupt it is no error."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    def end(self) -> int:
        """By the signal itself, so that whoever waits for this process sees why; or with a shell's code for it."""
        signal.signal(self.number, signal.SIG_DFL)
        os.kill(os.getpid(), self.number)
        return 128 + self.number


def end_here(number: int, _frame: FrameType | None) -> None:
    """The first is an exception, so that what is open is closed; the second ends at once."""
    signal.signal(number, signal.SIG_DFL)
    raise Signalled(number)


def _unheard(_number: int, _frame: FrameType | None) -> None:
    """A handler, for what is ignored is ignored by every process that is started too."""


@contextlib.contextmanager
def heard(handler: Handler, ends: tuple[int, ...] = ENDS) -> Iterator[None]:
    """Those that ask to end come to the handler, those that say nothing end nothing. What whoever started the process
    has it ignore stays so: `nohup` is meant."""
    if threading.current_thread() is not threading.main_thread():  # it hears none
        yield
        return
    wanted = {**dict.fromkeys(SAY_NOTHING, _unheard), **dict.fromkeys(ends, handler)}
    before = {
        number: signal.signal(number, does)
        for number, does in wanted.items()
        if signal.getsignal(number) not in (signal.SIG_IGN, None)
    }
    try:
        yield
    finally:
        for number, did in before.items():
            signal.signal(number, did)

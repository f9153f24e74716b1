"""Work in a process of its own, with bounds: what reads files that others made may crash, hang or swell there.

Orders and answers are JSON in packets, with open files beside them. Nothing that the other process does, or that a file
makes it do, reaches further than that it ends, and `ApartError` says how. What it prints goes nowhere.
"""

import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from companion.core import plainfile
from vision.eye_errors import SightError

START = 30.0  # seconds until it is ready, from a slow card
PATIENCE = 10.0  # seconds for an answer, beside other work
PROCESSOR = 3.0  # seconds of a processor for an answer
GRACE = 1.0  # seconds to be gone after it has hung up
_PACKET = 65_536  # bytes
_FILES = 4  # in a packet
_OPEN = 64  # files that it may have open
_FIRST = "500"  # where memory runs out it goes before the table does
NO_ROOM = "memory"
_SURROUNDINGS = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    # What one picture took is kept for the next: asked for anew each time, it costs as much as half the decoding.
    "MALLOC_MMAP_THRESHOLD_": "32000000",
    "MALLOC_TRIM_THRESHOLD_": "64000000",
}
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {module} import main; main(*sys.argv[2:])"

T = TypeVar("T")
Order = dict[str, Any]
Answer = tuple[Order, list[int]]  # with the numbers of open files


class ApartError(SightError):
    """The other process gave no answer: it ended, or could not be started."""


class SpentError(ApartError):
    """It took too long."""


class NoRoomError(ApartError):
    """It wanted more memory than it may have."""


# --- from outside ----------------------------------------------------------------------------------------------


def _over(code: int) -> ApartError:
    how = signal.Signals(-code).name if -code in list(signal.Signals) else f"code {code}"
    return (SpentError if code == -signal.SIGPROF else ApartError)(f"its process ended by {how}")


class Apart:
    """A process that works for this one: started when it is first asked, and again after it has ended."""

    def __init__(self, module: str, patience: float = PATIENCE, idle: float = 0) -> None:
        """Its process leaves when nobody has asked for so many seconds; it stays if that is nought."""
        self._module, self.patience, self._idle = module, patience, idle
        self._process: subprocess.Popen[bytes] | None = None
        self._line: socket.socket | None = None
        self._is_ready = False
        self._asking = threading.Lock()
        self.turn = threading.Lock()  # for whoever takes an answer out of memory that the next one is written to
        self.is_closed = False

    @property
    def pid(self) -> int:
        """Of the process, while there is one."""
        return self._process.pid if self._process else 0

    def start(self) -> None:
        """So that it is ready when it is asked. What is wrong with it is said then."""
        with self._asking, contextlib.suppress(ApartError):
            self._started()

    def ask(self, order: Order, *files: int) -> Answer:
        """What comes back; an ApartError if nothing does, and the process is gone then."""
        with self._asking:
            for _ in range(2):
                try:
                    answer, made = self._asked(order, files)
                except EOFError:
                    code = self._end(GRACE)
                    if code:
                        raise _over(code) from None
                    continue  # it had left because nobody asked
                except BaseException as error:
                    self._end()
                    if isinstance(error, TimeoutError):
                        raise SpentError(f"its process did not answer within {self.patience:g} s") from None
                    raise
                if answer.get("failed") == NO_ROOM:
                    raise NoRoomError("its process has not enough memory")
                return answer, made
        raise ApartError("its process ends at once")

    def _asked(self, order: Order, files: Sequence[int]) -> Answer:
        line = self._started()
        if not self._is_ready:
            line.settimeout(START)
            received(line)
            self._is_ready = True
        line.settimeout(self.patience)
        try:
            socket.send_fds(line, [json.dumps(order).encode()], files)
        except (BrokenPipeError, ConnectionResetError):
            raise EOFError from None
        return received(line)

    def _started(self) -> socket.socket:
        if self._line is not None:
            return self._line
        if self.is_closed:
            raise ApartError("its process is closed")
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            try:
                self._process = _begun(self._module, theirs.fileno(), self._idle)
            except OSError as error:
                self._end()
                raise ApartError(f"its process cannot be started: {error.strerror}") from None
        return self._line

    def _end(self, grace: float = 0) -> int:
        """The code with which it ended, by itself within so many seconds."""
        process, line, self._process, self._line = self._process, self._line, None, None
        self._is_ready = False
        if line is not None:
            line.close()
        if process is None:
            return 0
        try:
            return process.wait(grace)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()

    def close(self) -> None:
        """At any time, from any thread; who asks meanwhile gets no answer."""
        self.is_closed = True
        process = self._process
        if process is not None:
            process.kill()
        with self._asking:
            self._end()

    def __del__(self) -> None:
        self._end()  # nobody asks any more


def one_ahead(makes: Iterable[Callable[[], T]]) -> Iterator[T]:
    """What each makes, in their order; the next is made while the one before is used."""
    with ThreadPoolExecutor(1, "ahead") as thread:
        before: Future[T] | None = None
        for make in makes:
            following = _submitted(thread, make)
            if before is not None:
                yield before.result()
            before = following
        if before is not None:
            yield before.result()


def _submitted(thread: ThreadPoolExecutor, make: Callable[[], T]) -> "Future[T]":
    try:
        return thread.submit(make)
    except RuntimeError:  # there are too many threads
        done: Future[T] = Future()
        done.set_result(make())
        return done


def _begun(module: str, line: int, idle: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", _START.format(module=module), json.dumps(sys.path), str(line), str(idle)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # what a library prints of a file could speak to a terminal
        pass_fds=(line,),
        process_group=0,  # a Ctrl-C is for this process, which ends the other
        env={**os.environ, **_SURROUNDINGS},
    )


def received(line: socket.socket) -> Answer:
    """A packet; an EOFError if there will be none."""
    try:
        content, files, _, _ = socket.recv_fds(line, _PACKET, _FILES)
    except ConnectionResetError:
        raise EOFError from None
    if not content:
        raise EOFError
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        close_all(files)
        raise EOFError
    return found, files


def close_all(files: Sequence[int]) -> None:
    for number in files:
        os.close(number)


# --- from inside -----------------------------------------------------------------------------------------------


def serve(words: Sequence[str], room: int, work: Callable[[Order, list[int]], Answer]) -> None:
    """Answer one order after the other with so many bytes of memory more than there are now, until nobody asks."""
    _bound(room)
    line, idle = words
    with socket.socket(fileno=int(line)) as asked:
        asked.settimeout(float(idle) or None)
        asked.send(b"{}")
        with contextlib.suppress(EOFError, TimeoutError, BrokenPipeError):
            while True:
                order, files = received(asked)
                _allow(PROCESSOR)
                answer, made = _worked(work, order, files)
                socket.send_fds(asked, [json.dumps(answer).encode()], made)
                close_all(made)
    os._exit(0)  # nothing is left to be put in order


def _worked(work: Callable[[Order, list[int]], Answer], order: Order, files: list[int]) -> Answer:
    try:
        return work(order, files)
    except MemoryError:
        return {"failed": NO_ROOM}, []


def _bound(room: int) -> None:
    pages = plainfile.beginning(Path("/proc/self/statm"), 100).split()[0]
    _lower(resource.RLIMIT_AS, int(pages) * resource.getpagesize() + room)
    _lower(resource.RLIMIT_FSIZE, room)
    _lower(resource.RLIMIT_NOFILE, _OPEN)
    _lower(resource.RLIMIT_CORE, 0)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST, encoding="ascii")


def _lower(kind: int, most: int) -> None:
    """Where it is not lower already."""
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _allow(seconds: float) -> None:
    """From now on. A bound on all that was ever used would be by another clock than what is known to be used."""
    signal.setitimer(signal.ITIMER_PROF, seconds)

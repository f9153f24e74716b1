"""All input lines of one chip in one request, read by whoever sleeps until the kernel has an edge.

The kernel stamps each edge when it interrupts, on the clock of `time.monotonic_ns`; what happens here afterwards
decides nothing about time. One request means one queue: no line can be read before or after another, and the
kernel's sequence numbers show when edges were lost, and of which line.

Nothing is debounced. Every edge is handed on, in the order of the queue; a callback that raises is reported and the
next edge is handed on all the same. Who reads is either a thread of this file, or, without one, a program that
waits on `fileno()` in its own loop and calls `pump()`: that is quicker by one change of threads.
"""

import contextlib
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from companion.core.sentence import Sentence
from hardware import chips, line_request
from hardware.delivery import Delivery
from hardware.edge_reader import AT_REST, ON_ITS_WAY, Edge, EdgeReader, InputLine
from hardware.line_request import LineRequest
from hardware.pin_errors import ChipGoneError, NoLineError, PinsError
from hardware.wakeup import Wakeup

PUMPED_WITHIN = 1.0  # seconds; whoever pumps does it much more often
LOOK_AFTER_CHIP = 5.0  # seconds between looks at the chip where the kernel cannot be asked to tell
COME_BACK = 0.5  # seconds between looks for a chip that is gone
PATIENCE = 5.0  # seconds that closing waits for somebody's callback


class InputLines:
    """The input lines of a chip. Lines are added and taken away; the others never notice."""

    def __init__(
        self, chip: str = "", on_notice: Callable[[str], None] | None = None, *, threaded: bool = True
    ) -> None:
        self._threaded = threaded
        self._pumped = time.monotonic_ns()  # when that was last done
        self.is_gone = False
        self.returns = 0  # how often the chip came back
        self._wanted = chip
        self.path = chips.find(chip)
        self._lines: dict[int, InputLine] = {}
        self._unwanted: set[int] = set()
        self._lock = threading.RLock()
        self._at_work = False
        self._wakeup = Wakeup()
        self._delivery = Delivery(self._lines, on_notice or (lambda _sentence: None), self._wakeup.rouse)
        self._reader = EdgeReader(self._lines, self._delivery.edges, self._delivery.say, self._wakeup.sleep)
        self._thread: threading.Thread | None = None
        self._closed = False
        _OPEN.add(self)

    def claim(self, line: int, pull: str = "floating") -> None:
        """Make a line an input with this bias: up, down or floating."""
        with self._work():
            if self._closed:
                raise PinsError(f"The lines of {self.path.name} are closed.")
            before = self._lines.get(line)
            self._unwanted.discard(line)
            if before and before.pull == pull:
                return
            self._lines[line] = replace(before, pull=pull) if before else InputLine(pull)
            try:
                if before and self._reader.request is not None:
                    self._reconfigure(self._reader.request, line)
                else:
                    self._reopen()
            except PinsError:
                self._put_back(line, before)
                raise
            self._start()

    def release(self, line: int) -> None:
        """Give a line back."""
        with self._work():
            self._unwanted.add(line)

    def notify(self, line: int, call: Callable[[Edge], None] | None) -> None:
        """Who is told of the edges of a line, from now on."""
        with self._lock:
            self._lines[line].told_from = time.monotonic_ns()
            self._lines[line].notify = call

    def claimed(self, line: int) -> bool:
        return line in self._lines and line not in self._unwanted

    def pull_of(self, line: int) -> str:
        return self._lines[line].pull

    def is_high(self, line: int) -> bool:
        """The level of a line now, read from the chip."""
        return self.levels((line,))[line]

    def levels(self, lines: Iterable[int] | None = None) -> dict[int, bool]:
        """The levels of lines now, read from the chip in one go."""
        with self._work():
            wanted = list(self._lines if lines is None else lines)
            for line in wanted:
                if line not in self._lines:
                    raise NoLineError(f"Line {line} of {self.path.name} is not an input here.")
            if self._reader.request is None and wanted:
                raise ChipGoneError(Sentence("{name} is gone.", name=self.path.name))
            try:
                return self._reader.request.levels(wanted) if self._reader.request else {}
            except OSError as error:
                self._wakeup.rouse()  # older kernels do not wake the thread when the chip goes
                raise chips.explained(error, self.path) from None

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = self._delivery.is_over = True
            self._wakeup.rouse()
            thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join(PATIENCE)
        with self._lock:
            self._let_go()
            self._wakeup.close()

    @property
    def is_read(self) -> bool:
        """The thread that reads is alive; without one, somebody has pumped just now."""
        if self._threaded:
            return self._thread is None or self._thread.is_alive()
        return time.monotonic_ns() - self._pumped < PUMPED_WITHIN * 1e9

    # --- without a thread ---

    def fileno(self) -> int:
        """Readable when there is something to `pump`."""
        return self._wakeup.epoll.fileno()

    @property
    def nap(self) -> float | None:
        """Seconds after which to `pump` although nothing is readable."""
        return self._wakeup.nap

    def pump(self) -> None:
        """Read and hand out everything that is there, without waiting."""
        self._pumped = now = time.monotonic_ns()
        edges = self._plain_edges()
        if edges:
            self._delivery.hand_out((), edges)
            return
        if edges is not None and now < self._wakeup.due and not self._wakeup.epoll.poll(0, 1):
            return
        if self._awake(0):
            self._work_off()

    # --- one at a time ---

    @contextlib.contextmanager
    def _work(self) -> Iterator[None]:
        """The lock, for work that must not be interrupted by itself: Python may collect a forgotten device at any
        point of it, in the same thread, and its pin then asks to be released. That waits until the work is done."""
        with self._lock:
            if self._at_work:
                yield
                return
            self._at_work = True
            try:
                yield
            finally:
                self._drop_unwanted()
                self._at_work = False

    def _drop_unwanted(self) -> None:
        if not self._unwanted or self._closed:
            return
        given_back = [line for line in self._unwanted if self._lines.pop(line, None)]
        self._unwanted.clear()
        if given_back:
            try:
                self._reopen()
            except PinsError as error:
                self._gone(error)

    def _put_back(self, line: int, before: InputLine | None) -> None:
        """A claim failed: the other lines go on as they were."""
        if before:
            self._lines[line] = before
        else:
            del self._lines[line]
        try:
            self._reopen()
        except PinsError as error:
            self._gone(error)

    def forsake(self) -> None:
        """In a forked child, which has no thread to read with: its copies would only keep the lines busy."""
        self._lock = threading.RLock()
        self._at_work = False
        self._closed = self._delivery.is_over = True
        self._thread = None
        if self._reader.request is not None:
            self._reader.request.release()
            self._reader.request = None
        self._wakeup.close()

    # --- asking the kernel ---

    def _reopen(self) -> None:
        """One request over the lines as they are now. Edges that are waiting are kept; what changes while nobody
        holds the lines shows in their levels."""
        if self._reader.request is not None:
            self._reader.read()
        self._let_go()
        if self._lines:
            self._open()
        if self.is_gone:
            self.is_gone = False
            self.returns += 1
            self._delivery.say(Sentence("{name} is back: the buttons work again.", name=self.path.name))

    def _reconfigure(self, request: LineRequest, line: int) -> None:
        """Another bias for a line; the level that this makes is no news."""
        self._reader.read()
        try:
            request.reconfigure(_pulls(self._lines))
            self._lines[line].since = time.monotonic_ns()
            self._lines[line].is_high = request.levels([line])[line]
        except OSError as error:
            raise chips.explained(error, self.path, line) from None

    def _open(self) -> None:
        request = LineRequest(self.path, _pulls(self._lines))
        self._wakeup.register(request.number)
        self._reader.begin(request)
        self._wakeup.rouse()

    def _let_go(self) -> None:
        if self._reader.request is not None:
            self._wakeup.unregister(self._reader.request.number)
            self._reader.request.release()
            self._reader.request = None

    # --- the thread ---

    def _start(self) -> None:
        if self._threaded and self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"edges of {self.path.name}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while self._awake(self._wakeup.nap):
            self._work_off()

    def _awake(self, seconds: float | None) -> bool:
        """Wait until there is an edge, or something else to do; False when the lines are closed."""
        if self._closed:
            return False
        self._wakeup.wait(seconds)
        return not self._closed

    def _plain_edges(self) -> list[Edge] | None:
        """What is there, if it is nothing but edges of which nothing need be asked; the usual case, made quick.
        None if there is more to do than to hand them out."""
        with self._lock:
            delivery, request = self._delivery, self._reader.request
            if self._at_work or delivery.edges or delivery.sentences or request is None or self._closed:
                return None
            self._at_work = True
            try:
                events = line_request.events_of(request.number)
                edges = self._reader.plain(events)
                if edges is None:
                    self._reader.put_off(events)
                return edges
            except BlockingIOError:
                return []
            except OSError:
                return None  # the chip is gone, as whoever works it off will find
            finally:
                self._at_work = False
                if self._unwanted:
                    self._drop_unwanted()

    def _work_off(self) -> None:
        self._delivery.hand_out(*self._take())

    def _take(self) -> tuple[list[str], list[Edge]]:
        with self._work():
            try:
                if self.is_gone:
                    self._look_for_chip()
                self._reader.read()
            except PinsError as error:
                self._gone(error)
            self._wakeup.sleep(self._until_next_look())
            return self._delivery.take()

    def _until_next_look(self) -> float | None:
        if self.is_gone:
            return COME_BACK
        if self._reader.is_in_doubt:
            return ON_ITS_WAY
        if self._reader.unchecked:
            return AT_REST
        return None if self._wakeup.hears_of_chips else LOOK_AFTER_CHIP

    # --- a chip that goes and comes ---

    def _gone(self, error: PinsError) -> None:
        self._let_go()
        if not self.is_gone:
            self.is_gone = True
            self._delivery.say(Sentence("{error} Buttons do nothing until it is back; go on by touch.", error=error))

    def _look_for_chip(self) -> None:
        try:
            self.path = chips.find(self._wanted)
            self._reopen()
        except (PinsError, OSError):
            self._let_go()


def _pulls(lines: Mapping[int, InputLine]) -> dict[int, str]:
    return {number: line.pull for number, line in lines.items()}


_OPEN: "weakref.WeakSet[InputLines]" = weakref.WeakSet()


def _forsake_all() -> None:
    for lines in list(_OPEN):
        lines.forsake()


os.register_at_fork(after_in_child=_forsake_all)

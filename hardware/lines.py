"""All input lines of one chip in one request, read by one thread that sleeps until the kernel has an edge.

The kernel stamps each edge when it interrupts, on the clock of `time.monotonic_ns`; what happens here afterwards
decides nothing about time. One request means one queue: no line can be read before or after another, and the
kernel's sequence numbers show when the queue ran over.

Nothing is debounced. Every edge is handed on, in the order of the queue, by the thread of this file; a callback
that raises is reported and the next edge is handed on all the same.
"""

import contextlib
import os
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware import chips
from hardware.exc import ChipGoneError, PinsError

QUEUE = 1024  # edges that the kernel keeps for us
LOOKS = 4  # how often a batch is read on before it is handed out although edges keep coming
COME_BACK = 0.5  # seconds between looks for a chip that is gone


@dataclass(frozen=True, slots=True)
class Edge:
    """A change of a line: to which level, and when by the kernel's clock.

    Not `sure` where an edge got lost around it: the level is right, and `at` is no more than when it was noticed.
    """

    line: int
    is_high: bool
    at: int
    sure: bool = True


@dataclass(slots=True)
class _Line:
    """An input line as it was last known."""

    pull: str
    notify: Callable[[Edge], None] | None = None
    is_high: bool = False


class InputLines:
    """The input lines of a chip. Lines are added and taken away; the others never notice."""

    def __init__(self, chip: str = "", on_notice: Callable[[str], None] | None = None) -> None:
        self.lost = 0  # edges that the kernel had to drop because nobody read them
        self.is_gone = False
        self._wanted = chip
        self._gpiod = chips.bindings()
        self._path = chips.find(chip)
        self._notice = on_notice or (lambda _sentence: None)
        self._lines: dict[int, _Line] = {}
        self._request: Any = None
        self._seen = 0  # the last sequence number of the queue
        self._missed = False  # the queue ran over while the batch in hand was read
        self._waiting: deque[Edge] = deque()  # found outside the thread, handed out by it
        self._lock = threading.RLock()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def path(self) -> Path:
        return self._path

    def claim(self, line: int, pull: str = "floating") -> None:
        """Make a line an input with this bias: up, down or floating."""
        with self._lock:
            before = self._lines.get(line)
            if before and before.pull == pull:
                return
            self._lines[line] = _Line(pull, before.notify if before else None, before.is_high if before else False)
            try:
                self._ask_again(added=before is None)
            except PinsError:
                del self._lines[line]
                with contextlib.suppress(PinsError):
                    self._ask_again(added=True)
                raise
            self._start()

    def release(self, line: int) -> None:
        """Give a line back."""
        with self._lock:
            if self._lines.pop(line, None) and not self._closed:
                self._ask_again(added=True)

    def notify(self, line: int, call: Callable[[Edge], None] | None) -> None:
        """Who is told of the edges of a line, from now on."""
        with self._lock:
            self._lines[line].notify = call

    def pull_of(self, line: int) -> str:
        return self._lines[line].pull

    def is_high(self, line: int) -> bool:
        """The level of a line now, read from the chip."""
        return self.levels((line,))[line]

    def levels(self, lines: Iterable[int] | None = None) -> dict[int, bool]:
        """The levels of lines now, read from the chip in one go."""
        with self._lock:
            wanted = list(self._lines if lines is None else lines)
            if self._request is None:
                raise ChipGoneError(f"{self._path.name} is gone.")
            try:
                values = self._request.get_values(wanted)
            except OSError as error:
                raise chips.explained(error, self._path) from None
            return {line: value is self._gpiod.line.Value.ACTIVE for line, value in zip(wanted, values, strict=True)}

    def close(self) -> None:
        with self._lock:
            self._closed = True
            thread = self._thread
        os.eventfd_write(self._wake, 1)
        if thread and thread is not threading.current_thread():
            thread.join()
        with self._lock:
            self._let_go()
            if self._wake >= 0:
                os.close(self._wake)
                self._wake = -1

    # --- asking the kernel ---

    def _ask_again(self, *, added: bool) -> None:
        """Tell the kernel of the lines as they are now; edges that are waiting are kept."""
        if not added and self._request is not None:
            try:
                self._request.reconfigure_lines(self._settings())
            except OSError as error:
                raise chips.explained(error, self._path) from None
            self._wait_over(self._batch())
            return
        if self._request is not None:
            self._wait_over(self._batch())
        known = {line for line in self._lines if self._request is not None and line in self._request.offsets}
        self._let_go()
        if not self._lines:
            return
        self._open()
        # What changed while nobody held the lines has no stamp. A line that is new has not changed.
        for line, is_high in self.levels().items():
            if line in known and is_high != self._lines[line].is_high:
                self._waiting.append(Edge(line, is_high, time.monotonic_ns(), sure=False))
            self._lines[line].is_high = is_high
        os.eventfd_write(self._wake, 1)

    def _open(self) -> None:
        try:
            with self._gpiod.Chip(str(self._path)) as chip:
                self._request = chip.request_lines(self._settings(), "companion", QUEUE)
        except OSError as error:
            raise chips.explained(error, self._path, self._newest()) from None
        self._seen = 0

    def _newest(self) -> int:
        return list(self._lines)[-1]

    def _settings(self) -> dict[Any, Any]:
        line = self._gpiod.line
        bias = {"up": line.Bias.PULL_UP, "down": line.Bias.PULL_DOWN, "floating": line.Bias.DISABLED}
        return {
            number: self._gpiod.LineSettings(
                direction=line.Direction.INPUT,
                edge_detection=line.Edge.BOTH,
                bias=bias[known.pull],
                event_clock=line.Clock.MONOTONIC,
            )
            for number, known in self._lines.items()
        }

    def _let_go(self) -> None:
        if self._request is not None:
            with contextlib.suppress(OSError):
                self._request.release()
            self._request = None

    # --- the thread ---

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"edges of {self._path.name}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._closed:
            self._sleep()
            if self._closed:
                return
            with self._lock:
                if self.is_gone:
                    self._look_for_chip()
                edges = [*self._waiting]
                self._waiting.clear()
                try:
                    edges += self._batch()
                except ChipGoneError as error:
                    self._gone(error)
            for edge in edges:
                self._hand_out(edge)

    def _sleep(self) -> None:
        """Until there is an edge, or something else to do."""
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        with self._lock:
            if self._request is not None:
                poll.register(self._request.fd, select.POLLIN)
        poll.poll(COME_BACK * 1000 if self.is_gone else None)
        with contextlib.suppress(BlockingIOError):
            os.eventfd_read(self._wake)

    def _hand_out(self, edge: Edge) -> None:
        line = self._lines.get(edge.line)
        call = line.notify if line else None
        if call is None:
            return
        try:
            call(edge)
        except Exception as error:  # somebody else's callback must not cost anybody the next edge
            raised = (type(error), error, error.__traceback__, threading.current_thread())
            threading.excepthook(threading.ExceptHookArgs(raised))

    # --- reading ---

    def _batch(self) -> list[Edge]:
        """The edges that wait in the kernel's queue, each with the level it led to.

        The kernel reads the level some time after it has stamped the edge, so of two edges close together both may
        report the second one's level. Levels alternate, so the count tells more: if from the last known level to the
        one read now the edges alternate, they are all sure. If not, one got lost; then only a first edge whose
        reported level is the one expected is still sure.
        """
        if self._request is None:
            return []
        stamps: dict[int, list[int]] = {}
        order: list[tuple[int, int, bool]] = []
        self._missed = False
        try:
            for _ in range(LOOKS):
                if not self._read(stamps, order):
                    break
            levels = {}
            if (stamps or self._missed) and not self._is_waiting():
                levels = self.levels(None if self._missed else stamps)
        except OSError as error:
            raise ChipGoneError(f"{self._path.name} is gone: {error.strerror or error}.") from None
        return self._edges(stamps, order, levels)

    def _edges(
        self, stamps: dict[int, list[int]], order: list[tuple[int, int, bool]], levels: dict[int, bool]
    ) -> list[Edge]:
        edges = []
        sure = {}
        for line, found in stamps.items():
            known = self._lines[line]
            expected = known.is_high ^ (len(found) % 2 == 1)
            sure[line] = levels.get(line, expected) == expected and not self._missed
        for line, at, rising in order:
            known = self._lines[line]
            known.is_high = not known.is_high
            is_plain = at == stamps[line][0] and rising == known.is_high and not self._missed
            edges.append(Edge(line, known.is_high, at, sure[line] or is_plain))
        for line, is_high in levels.items():
            if self._lines[line].is_high != is_high:
                self._lines[line].is_high = is_high
                noticed = stamps[line][-1] if line in stamps else time.monotonic_ns()
                edges.append(Edge(line, is_high, noticed, sure=False))
        return edges

    def _is_waiting(self) -> bool:
        poll = select.poll()
        poll.register(self._request.fd, select.POLLIN)
        ready = poll.poll(0)
        if ready and ready[0][1] & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            raise ChipGoneError(f"{self._path.name} is gone.")
        return bool(ready)

    def _read(self, stamps: dict[int, list[int]], order: list[tuple[int, int, bool]]) -> bool:
        """Read on; False when the queue is empty."""
        if not self._is_waiting():
            return False
        for event in self._request.read_edge_events(QUEUE):
            missed = event.global_seqno - self._seen - 1
            if missed > 0:
                self._ran_over(missed)
            self._seen = event.global_seqno
            if event.line_offset in self._lines:
                stamps.setdefault(event.line_offset, []).append(event.timestamp_ns)
                rising = event.event_type is event.Type.RISING_EDGE
                order.append((event.line_offset, event.timestamp_ns, rising))
        return True

    def _ran_over(self, missed: int) -> None:
        self.lost += missed
        self._missed = True
        self._notice(
            f"{missed} edges got lost: {self._path.name} had more than {QUEUE} waiting. The levels are read again."
        )

    def _wait_over(self, edges: list[Edge]) -> None:
        self._waiting.extend(edges)

    # --- a chip that goes and comes ---

    def _gone(self, error: ChipGoneError) -> None:
        self._let_go()
        self.is_gone = True
        self._notice(f"{error} Buttons do nothing until it is back; go on by touch.")

    def _look_for_chip(self) -> None:
        before = {number: line.is_high for number, line in self._lines.items()}
        try:
            self._path = chips.find(self._wanted)
            self._open()
            levels = self.levels()
        except PinsError:
            self._let_go()
            return
        self.is_gone = False
        for number, is_high in levels.items():
            if before[number] != is_high:
                self._waiting.append(Edge(number, is_high, time.monotonic_ns(), sure=False))
            self._lines[number].is_high = is_high
        self._notice(f"{self._path.name} is back: the buttons work again.")

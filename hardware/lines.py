"""All input lines of one chip in one request, read by whoever sleeps until the kernel has an edge.

The kernel stamps each edge when it interrupts, on the clock of `time.monotonic_ns`; what happens here afterwards
decides nothing about time. One request means one queue: no line can be read before or after another, and the
kernel's sequence numbers show when edges were lost, and of which line.

Nothing is debounced. Every edge is handed on, in the order of the queue; a callback that raises is reported and the
next edge is handed on all the same. Who reads is either a thread of this file, or, without one, a program that
waits on `fileno()` in its own loop and calls `pump()`: that is quicker by one change of threads.
"""

import contextlib
import errno
import fcntl
import os
import select
import struct
import threading
import time
import weakref
from bisect import bisect
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from companion.sentence import Sentence
from hardware import chips
from hardware.exc import ChipGoneError, NoLineError, PinsError

QUEUE = 1024  # edges that the kernel keeps for us
LOOKS = 4  # how often a batch is read on before it is handed out although edges keep coming
ON_ITS_WAY = 0.005  # seconds in which an edge that shows in the level has to be in the queue, else it is lost
PUMPED_WITHIN = 1.0  # seconds; whoever pumps does it much more often
LOOK_AFTER_CHIP = 5.0  # seconds between looks at the chip where the kernel cannot be asked to tell
AT_REST = 0.05  # seconds after the last edge at which the levels are compared with where the edges led
COME_BACK = 0.5  # seconds between looks for a chip that is gone
PATIENCE = 5.0  # seconds that closing waits for somebody's callback
NEVER = 1 << 63


class Edge(NamedTuple):
    """A change of a line: to which level, and when by the kernel's clock.

    Not `sure` where an edge got lost around it: the level is right, and `at` is no more than when it was noticed.
    """

    line: int
    is_high: bool
    at: int
    sure: bool = True


class Event(NamedTuple):
    """An edge as the kernel writes it: `struct gpio_v2_line_event`."""

    timestamp_ns: int
    kind: int
    line_offset: int
    global_seqno: int
    line_seqno: int


Written = tuple[int, int, int, int, int]  # the same, without the names, which take longer to give than to use
RISING = 1
_EVENT = struct.Struct("=QIIII24x")
_VALUES = struct.Struct("=QQ")  # `struct gpio_v2_line_values`: levels, and of which lines, by their places
_GET_VALUES = 0xC010B40E  # GPIO_V2_LINE_GET_VALUES_IOCTL


def events_of(number: int) -> list[Written]:
    """The events that wait in a request's file, straight from the kernel: the bindings make objects of them that
    take longer to make than all the rest of the way."""
    return list(_EVENT.iter_unpack(os.read(number, QUEUE * _EVENT.size)))


def levels_of(number: int, places: Mapping[int, int]) -> dict[int, bool]:
    """The levels of lines with these places in a request's file, for the same reason."""
    mask = sum(1 << place for place in places.values())
    bits, _ = _VALUES.unpack(fcntl.ioctl(number, _GET_VALUES, _VALUES.pack(0, mask)))
    return {line: bool(bits >> place & 1) for line, place in places.items()}


@dataclass(slots=True)
class _Line:
    """An input line as it was last known."""

    pull: str
    notify: Callable[[Edge], None] | None = None
    told_from: int = 0  # edges before this are no news to whoever is told
    is_high: bool | None = None  # None: not read yet
    since: int = 0  # edges before this are in the level already
    number: int = 0  # of its last edge, in the kernel's count of the edges of all lines
    doubted: int | None = None  # since when its level is not what its edges say
    found: int = 0  # when its level was last told without an edge: edges from before are on their way still

    def after(self, edges: int) -> bool:
        """The level to which so many edges lead."""
        return bool(self.is_high) ^ bool(edges % 2)


class InputLines:
    """The input lines of a chip. Lines are added and taken away; the others never notice."""

    def __init__(
        self, chip: str = "", on_notice: Callable[[str], None] | None = None, *, threaded: bool = True
    ) -> None:
        self.lost = 0  # edges that the kernel stamped and nobody could read
        self._threaded = threaded
        self._pumped = time.monotonic_ns()  # when that was last done
        self.is_gone = False
        self.returns = 0  # how often the chip came back
        self._wanted = chip
        self._gpiod = chips.bindings()
        self._path = chips.find(chip)
        self._notice = on_notice or (lambda _sentence: None)
        self._lines: dict[int, _Line] = {}
        self._unwanted: set[int] = set()
        self._request: Any = None
        self._number = -1  # of the request's file
        self._places: dict[int, int] = {}  # of the lines in the request
        self._poll = select.poll()
        self._unread: list[Event] = []  # events that were read and have not been looked at
        self._unchecked: set[int] = set()  # lines that had edges since their levels were last read
        self._last_edge = 0  # when edges were last read
        self._highest = 0  # the highest number of an edge that was read
        self._read_so_far = 0  # how many were read: fewer than that, and some are lost or overtaken
        self._base = 0  # all edges up to this number are accounted for
        self._numbers: list[int] = []  # those read since
        self._missed = False  # edges are missing, and the levels have not been read since
        self._waiting: deque[Edge] = deque()  # found by whichever thread, handed out by ours
        self._sentences: deque[str] = deque()
        self._lock = threading.RLock()
        self._at_work = False
        # Not poll: that would keep a request alive for as long as the thread sleeps, and its lines busy with it.
        self._epoll = select.epoll()
        self._wake = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._epoll.register(self._wake, select.EPOLLIN)
        self._nap: float | None = None
        self._due = 0  # when to look although nothing has come
        self._uevents = chips.uevents()  # says when chips come and go: not every kernel wakes those who wait on one
        if self._uevents:
            self._epoll.register(self._uevents, select.EPOLLIN)
        self._thread: threading.Thread | None = None
        self._closed = False
        _OPEN.add(self)

    @property
    def path(self) -> Path:
        return self._path

    def claim(self, line: int, pull: str = "floating") -> None:
        """Make a line an input with this bias: up, down or floating."""
        with self._work():
            if self._closed:
                raise PinsError(f"The lines of {self._path.name} are closed.")
            before = self._lines.get(line)
            self._unwanted.discard(line)
            if before and before.pull == pull:
                return
            self._lines[line] = replace(before, pull=pull) if before else _Line(pull)
            try:
                if before and self._request is not None:
                    self._reconfigure(line)
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
                    raise NoLineError(f"Line {line} of {self._path.name} is not an input here.")
            if self._request is None and wanted:
                raise ChipGoneError(Sentence("{name} is gone.", name=self._path.name))
            try:
                return self._values(wanted)
            except OSError as error:
                self._rouse()  # older kernels do not wake the thread when the chip goes
                raise chips.explained(error, self._path) from None

    def close(self) -> None:
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._rouse()
            thread = self._thread
        if thread and thread is not threading.current_thread():
            thread.join(PATIENCE)
        with self._lock:
            self._let_go()
            self._shut()

    @property
    def is_read(self) -> bool:
        """The thread that reads is alive; without one, somebody has pumped just now."""
        if self._threaded:
            return self._thread is None or self._thread.is_alive()
        return time.monotonic_ns() - self._pumped < PUMPED_WITHIN * 1e9

    # --- without a thread ---

    def fileno(self) -> int:
        """Readable when there is something to `pump`."""
        return self._epoll.fileno()

    @property
    def nap(self) -> float | None:
        """Seconds after which to `pump` although nothing is readable."""
        return self._nap

    def pump(self) -> None:
        """Read and hand out everything that is there, without waiting."""
        self._pumped = now = time.monotonic_ns()
        edges = self._plain_edges()
        for edge in edges or ():
            self._hand_out(edge)
        if edges or (edges is not None and now < self._due and not self._epoll.poll(0, 1)):
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

    def _put_back(self, line: int, before: _Line | None) -> None:
        """A claim failed: the other lines go on as they were."""
        if before:
            self._lines[line] = before
        else:
            del self._lines[line]
        try:
            self._reopen()
        except PinsError as error:
            self._gone(error)

    def _rouse(self) -> None:
        if self._wake >= 0:
            os.eventfd_write(self._wake, 1)

    def _shut(self) -> None:
        if self._wake >= 0:
            self._epoll.close()
            os.close(self._wake)
            self._wake = -1
            if self._uevents:
                self._uevents.close()

    def forsake(self) -> None:
        """In a forked child, which has no thread to read with: its copies would only keep the lines busy."""
        self._lock = threading.RLock()
        self._at_work = False
        self._closed = True
        self._thread = None
        if self._request is not None:
            with contextlib.suppress(OSError):
                self._request.release()
            self._request = None
        self._shut()

    # --- asking the kernel ---

    def _reopen(self) -> None:
        """One request over the lines as they are now. Edges that are waiting are kept; what changes while nobody
        holds the lines shows in their levels."""
        if self._request is not None:
            self._batch()
        self._let_go()
        if self._lines:
            self._open()
            self._compare()
        if self.is_gone:
            self.is_gone = False
            self.returns += 1
            self._say(Sentence("{name} is back: the buttons work again.", name=self._path.name))

    def _reconfigure(self, line: int) -> None:
        """Another bias for a line; the level that this makes is no news."""
        self._batch()
        try:
            self._request.reconfigure_lines(self._settings())
            self._lines[line].since = time.monotonic_ns()
            self._lines[line].is_high = self._values([line])[line]
        except OSError as error:
            raise chips.explained(error, self._path, line) from None

    def _open(self) -> None:
        newest = list(self._lines)[-1]
        try:
            with self._gpiod.Chip(str(self._path)) as chip:
                self._request = chip.request_lines(self._settings(), "companion", QUEUE)
        except OSError as error:
            raise chips.explained(error, self._path, newest) from None
        except ValueError as error:  # the bindings' own word for a line that the chip does not have
            raise chips.explained(OSError(errno.EINVAL, str(error)), self._path, newest) from None
        self._number = int(self._request.fd)
        self._places = {line: place for place, line in enumerate(self._lines)}
        os.set_blocking(self._number, False)  # an empty queue is to be no reason to wait
        self._epoll.register(self._number, select.EPOLLIN)
        self._poll = select.poll()
        self._poll.register(self._number, select.POLLIN)
        self._highest = self._read_so_far = self._base = 0
        self._numbers = []
        self._unread = []
        self._missed = False
        for line in self._lines.values():
            line.number = 0

    def _compare(self) -> None:
        """Levels as they are, against those last known. A line that is new has not changed."""
        now = time.monotonic_ns()
        try:
            levels = self._values(self._lines)
        except OSError as error:
            raise chips.explained(error, self._path) from None
        for number, is_high in levels.items():
            line = self._lines[number]
            if line.is_high not in (None, is_high):
                self._waiting.append(Edge(number, is_high, now, sure=False))
            line.is_high, line.since, line.doubted = is_high, now, None
        self._rouse()

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

    def _values(self, lines: Iterable[int]) -> dict[int, bool]:
        places = {line: self._places[line] for line in lines}
        return levels_of(self._number, places) if places else {}

    def _let_go(self) -> None:
        if self._request is not None:
            with contextlib.suppress(OSError):
                self._epoll.unregister(self._number)
            with contextlib.suppress(OSError):
                self._request.release()
            self._request = None

    # --- the thread ---

    def _start(self) -> None:
        if self._threaded and self._thread is None:
            self._thread = threading.Thread(target=self._run, name=f"edges of {self._path.name}", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while self._awake(self._nap):
            self._work_off()

    def _awake(self, seconds: float | None) -> bool:
        """Wait until there is an edge, or something else to do; False when the lines are closed."""
        if self._closed:
            return False
        try:
            for number, _ in self._epoll.poll(seconds, 3):
                if number == self._wake:
                    os.eventfd_read(self._wake)
                elif self._uevents and number == self._uevents.fileno():
                    chips.drain(self._uevents)
        except (OSError, ValueError):
            return not self._closed  # closed while we slept, by somebody who would not wait
        return not self._closed

    def _plain_edges(self) -> list[Edge] | None:
        """What is there, if it is nothing but edges of which nothing need be asked; the usual case, made quick.
        None if there is more to do than to hand them out."""
        with self._lock:
            if self._at_work or self._waiting or self._sentences or self._request is None or self._closed:
                return None
            self._at_work = True
            try:
                events = events_of(self._number)
                edges = self._plain(events)
                if edges is None:
                    self._unread = _named(events)
                    self._account(self._unread)
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
        sentences, edges = self._take()
        for sentence in sentences:
            _call(self._notice, sentence)
        for edge in edges:
            self._hand_out(edge)

    def _take(self) -> tuple[list[str], list[Edge]]:
        with self._work():
            try:
                if self.is_gone:
                    self._look_for_chip()
                self._batch()
            except PinsError as error:
                self._gone(error)
            self._sleep(self._until_next_look())
            sentences, edges = list(self._sentences), list(self._waiting)
            self._sentences.clear()
            self._waiting.clear()
        return sentences, edges

    def _until_next_look(self) -> float | None:
        if self.is_gone:
            return COME_BACK
        if any(line.doubted is not None for line in self._lines.values()):
            return ON_ITS_WAY
        if self._unchecked:
            return AT_REST
        return None if self._uevents else LOOK_AFTER_CHIP

    def _sleep(self, seconds: float | None) -> None:
        self._nap = seconds
        self._due = NEVER if seconds is None else time.monotonic_ns() + int(seconds * 1e9)

    def _hand_out(self, edge: Edge) -> None:
        line = self._lines.get(edge.line)
        if line and line.notify and edge.at >= line.told_from and not self._closed:
            _call(line.notify, edge)

    def _say(self, sentence: str) -> None:
        """Said by the thread, when it holds no lock."""
        self._sentences.append(sentence)
        self._rouse()

    # --- reading ---

    def _batch(self) -> None:
        """Read the edges that wait in the kernel's queue; they wait in ours then, each with the level it led to."""
        if self._request is None:
            return
        events: list[Event] = []
        levels: dict[int, bool] = {}
        missing: list[int] = []
        gone = None
        try:
            events, self._unread = self._unread, []
            if self._is_waiting():
                written = events_of(self._number)
                edges = None if events else self._plain(written)
                if edges is not None:
                    self._waiting.extend(edges)
                    return
                fresh = _named(written)
                self._account(fresh)
                events += fresh
            self._doubt_at_rest(events)
            levels = self._collect(events)
            missing = self._missing()
            if not self._is_waiting():
                self._count_lost(missing)
        except OSError as error:
            gone = (
                ChipGoneError(Sentence("{name} is gone.", name=self._path.name))
                if isinstance(error, ChipGoneError)
                else chips.explained(error, self._path)
            )
        self._waiting.extend(self._edges(events, levels, missing))
        if gone:
            raise gone

    def _plain(self, events: list[Written]) -> list[Edge] | None:
        """The edges, if nothing is missing and each leads to the level that it should: then nothing else need be
        asked. None if not, and nothing has changed."""
        number = self._highest
        if self._missed or number != self._read_so_far:
            return None
        levels: dict[int, bool] = {}
        edges = []
        for at, kind, offset, count, _ in events:
            number += 1
            line = self._lines.get(offset)
            if line is None or line.doubted is not None or at < line.since or count != number:
                return None
            rising = kind == RISING
            if rising == levels.get(offset, line.is_high):
                return None
            levels[offset] = rising
            edges.append(Edge(offset, rising, at))
        for offset, rising in levels.items():
            self._lines[offset].is_high, self._lines[offset].number = rising, number
        self._highest = self._read_so_far = self._base = number
        self._numbers.clear()
        self._unchecked.update(levels)
        self._sleep(AT_REST)
        self._last_edge = time.monotonic_ns()
        return edges

    def _doubt_at_rest(self, events: list[Event]) -> None:
        """A chip may lose an edge before the kernel sees it. When a line has come to rest, its level tells."""
        now = time.monotonic_ns()
        if self._unchecked and (events or now - self._last_edge >= AT_REST * 1e9):
            for number in self._unchecked & self._lines.keys():
                if self._lines[number].doubted is None:
                    self._lines[number].doubted = now if events else now - int(AT_REST * 1e9)
            self._unchecked.clear()

    def _collect(self, events: list[Event]) -> dict[int, bool]:
        """Read on until no more are waiting, and levels that belong to them: none arrived in between."""
        for _ in range(LOOKS):
            if self._is_waiting():
                events += self._read()
            changed = {event.line_offset for event in events}
            missed = self._missed or self._highest != self._read_so_far
            levels = self._values(
                [
                    number
                    for number, line in self._lines.items()
                    if line.is_high is not None  # else it is being claimed, and this request has not got it
                    and (missed or number in changed or line.doubted is not None)
                ]
            )
            if not self._is_waiting():
                return levels
        return {}

    def _is_waiting(self) -> bool:
        ready = self._poll.poll(0)
        if ready and ready[0][1] & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
            raise ChipGoneError(Sentence("{name} is gone.", name=self._path.name))
        return bool(ready)

    def _read(self) -> list[Event]:
        events = _named(events_of(self._number))
        self._account(events)
        return events

    def _account(self, events: list[Event]) -> None:
        """Keep count of what was read, so that it shows what is missing."""
        self._read_so_far += len(events)
        self._last_edge = time.monotonic_ns()
        self._numbers += [event.global_seqno for event in events]
        self._highest = max(self._numbers, default=self._highest)

    def _missing(self) -> list[int]:
        """Numbers that were given to edges and came with no event. An edge that finds the one before it on its line
        still unread by the kernel's own thread takes its place, and a queue that is full drops some."""
        return sorted(set(range(self._base + 1, self._highest + 1)).difference(self._numbers))

    def _count_lost(self, missing: list[int]) -> None:
        """Events may overtake each other; with an empty queue, what is missing is lost."""
        if missing:
            self.lost += len(missing)
            self._missed = True
            self._say(
                Sentence(
                    "{missing} edges of {name} got lost on their way. The levels are read again.",
                    missing=len(missing),
                    name=self._path.name,
                )
            )
        self._read_so_far = self._base = self._highest
        self._numbers = []

    def _edges(self, events: list[Event], levels: dict[int, bool], missing: list[int]) -> list[Edge]:
        """Events as edges, each with the level it led to.

        Where a number is missing between two edges of a line, an edge of that line may have been lost there: its
        level is believed, its stamp is not. Elsewhere levels alternate, so the count tells the level better than the
        kernel does, which reads it some time after the stamp. If the count does not lead to the level read now, the
        chip lost an edge before the kernel saw it: edges are sure for as long as the reported levels alternate, and
        if they do to the end, one may still be on its way: the level is doubted, and read again a little later.
        """
        news: list[Event] = []
        edges: list[Edge] = []
        for event in events:
            line = self._lines.get(event.line_offset)
            if line and event.timestamp_ns >= max(line.since, line.found):
                news.append(event)
            elif line:
                edges += self._overtaken(event)
        count = Counter(event.line_offset for event in news)
        fits = {number: levels.get(number) == self._lines[number].after(edges) for number, edges in count.items()}
        broken: set[int] = set()
        for event in news:
            number = event.line_offset
            line = self._lines[number]
            gap = bisect(missing, event.global_seqno) > bisect(missing, line.number)
            line.number = event.global_seqno
            edges += self._behind_gap(event) if gap else self._followed(event, levels, broken, fits=fits[number])
        edges += self._corrected(set(count), levels)
        return edges

    def _overtaken(self, event: Event) -> Iterator[Edge]:
        """An edge that is in the level already. If that was told, the edge says since when; it is no further one."""
        line = self._lines[event.line_offset]
        line.number = event.global_seqno
        if event.timestamp_ns >= line.since and (event.kind == RISING) == line.is_high:
            yield Edge(event.line_offset, event.kind == RISING, event.timestamp_ns, sure=False)

    def _behind_gap(self, event: Event) -> Iterator[Edge]:
        """An edge before which others of its line may have been lost."""
        number, at = event.line_offset, event.timestamp_ns
        rising = event.kind == RISING
        line = self._lines[number]
        if rising == line.is_high:
            yield Edge(number, not rising, at, sure=False)
        line.is_high = rising
        yield Edge(number, rising, at, sure=False)

    def _followed(self, event: Event, levels: dict[int, bool], broken: set[int], *, fits: bool) -> Iterator[Edge]:
        """The edge of an event, and the one that was lost before it, if one was."""
        number, at = event.line_offset, event.timestamp_ns
        line = self._lines[number]
        rising = event.kind == RISING
        if not fits and rising == line.is_high:
            if number in levels and number not in broken:
                yield Edge(number, not rising, at, sure=False)
                line.is_high = not rising
            broken.add(number)
        line.is_high = not line.is_high
        yield Edge(number, line.is_high, at, fits or number not in broken)

    def _corrected(self, changed: set[int], levels: dict[int, bool]) -> Iterator[Edge]:
        """Lines whose level is not where their edges led, although nothing more can be on its way."""
        now = time.monotonic_ns()
        for number, line in self._lines.items():
            if line.is_high == levels.get(number, line.is_high):
                line.doubted = now if number in changed and number not in levels else None
            elif self._missed or (
                line.doubted is not None and now - line.doubted >= ON_ITS_WAY * 1e9 and number not in changed
            ):
                line.is_high, line.doubted, line.found = levels[number], None, now
                yield Edge(number, levels[number], now, sure=False)
            elif line.doubted is None or number in changed:
                line.doubted = now
        if levels.keys() >= self._lines.keys():
            self._missed = False

    # --- a chip that goes and comes ---

    def _gone(self, error: PinsError) -> None:
        self._let_go()
        if not self.is_gone:
            self.is_gone = True
            self._say(Sentence("{error} Buttons do nothing until it is back; go on by touch.", error=error))

    def _look_for_chip(self) -> None:
        try:
            self._path = chips.find(self._wanted)
            self._reopen()
        except (PinsError, OSError):
            self._let_go()


def _named(events: list[Written]) -> list[Event]:
    return list(map(Event._make, events))


def _call(call: Callable[[Any], None], told: Any) -> None:
    """Somebody else's callback: what it raises must not cost anybody the next edge, not even a way out."""
    try:
        call(told)
    except BaseException as error:
        raised = (type(error), error, error.__traceback__, threading.current_thread())
        with contextlib.suppress(Exception):
            threading.excepthook(threading.ExceptHookArgs(raised))


_OPEN: "weakref.WeakSet[InputLines]" = weakref.WeakSet()


def _forsake_all() -> None:
    for lines in list(_OPEN):
        lines.forsake()


os.register_at_fork(after_in_child=_forsake_all)

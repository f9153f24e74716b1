"""The edges of lines as they are read from the kernel's queue: which level each led to, and how surely.

Nothing is debounced. The kernel numbers the edges of all lines; where numbers are missing, edges were lost, and the
levels tell what came of it.
"""

import time
from bisect import bisect
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.sentence import Sentence
from hardware import chips, line_request
from hardware.line_request import RISING, LineEvent, LineRequest, Written
from hardware.pin_errors import PinsError

LOOKS = 4  # how often a batch is read on before it is handed out although edges keep coming
ON_ITS_WAY = 0.005  # seconds in which an edge that shows in the level has to be in the queue, else it is lost
AT_REST = 0.05  # seconds after the last edge at which the levels are compared with where the edges led


class Edge(NamedTuple):
    """A change of a line: to which level, and when by the kernel's clock.

    Not `sure` where an edge got lost around it: the level is right, and `at` is no more than when it was noticed.
    `after_gap` where the kernel's count says that edges are missing before it.
    """

    line: int
    is_high: bool
    at: int
    sure: bool = True
    after_gap: bool = False


@dataclass(slots=True)
class InputLine:
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


class EdgeReader:
    """Reads one request after the other; what was known of the lines before is known still."""

    def __init__(
        self,
        lines: Mapping[int, InputLine],
        found: deque[Edge],
        say: Callable[[str], None],
        sleep: Callable[[float], None],
    ) -> None:
        self.lost = 0  # edges that the kernel stamped and nobody could read
        self.request: LineRequest | None = None
        self.unchecked: set[int] = set()  # lines that had edges since their levels were last read
        self._lines = lines
        self._found = found
        self._say = say
        self._sleep = sleep
        self._unread: list[LineEvent] = []  # events that were read and have not been looked at
        self._last_edge = 0  # when edges were last read
        self._highest = 0  # the highest number of an edge that was read
        self._read_so_far = 0  # how many were read: fewer than that, and some are lost or overtaken
        self._base = 0  # all edges up to this number are accounted for
        self._numbers: list[int] = []  # those read since
        self._missed = False  # edges are missing, and the levels have not been read since

    def begin(self, request: LineRequest) -> None:
        """A new request counts anew, and levels as they are are held against those last known. A line that is new has
        not changed."""
        self.request = request
        self._highest = self._read_so_far = self._base = 0
        self._numbers = []
        self._unread = []
        self._missed = False
        for line in self._lines.values():
            line.number = 0
        now = time.monotonic_ns()
        try:
            levels = request.levels(self._lines)
        except OSError as error:
            raise chips.explained(error, request.chip) from None
        for number, is_high in levels.items():
            line = self._lines[number]
            if line.is_high not in (None, is_high):
                self._found.append(Edge(number, is_high, now, sure=False))
            line.is_high, line.since, line.doubted = is_high, now, None

    @property
    def is_in_doubt(self) -> bool:
        """The level of a line is not what its edges say, and is read again in a moment."""
        return any(line.doubted is not None for line in self._lines.values())

    def read(self) -> None:
        """Read the edges that wait in the kernel's queue; they are found then, each with the level it led to."""
        request = self.request
        if request is None:
            return
        events: list[LineEvent] = []
        levels: dict[int, bool] = {}
        missing: list[int] = []
        gone: PinsError | None = None
        try:
            events, self._unread = self._unread, []
            if request.is_waiting():
                written = line_request.events_of(request.number)
                edges = None if events else self.plain(written)
                if edges is not None:
                    self._found.extend(edges)
                    return
                events += self._named(written)
            self._doubt_at_rest(events)
            levels = self._collect(request, events)
            missing = self._missing()
            if not request.is_waiting():
                self._count_lost(request, missing)
        except OSError as error:
            gone = error if isinstance(error, PinsError) else chips.explained(error, request.chip)
        self._found.extend(self._edges(events, levels, missing))
        if gone:
            raise gone

    def plain(self, events: list[Written]) -> list[Edge] | None:
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
        self.unchecked.update(levels)
        self._sleep(AT_REST)
        self._last_edge = time.monotonic_ns()
        return edges

    def put_off(self, written: list[Written]) -> None:
        """Events that have been read are looked at with the next ones."""
        self._unread = self._named(written)

    def _doubt_at_rest(self, events: list[LineEvent]) -> None:
        """A chip may lose an edge before the kernel sees it. When a line has come to rest, its level tells."""
        now = time.monotonic_ns()
        if self.unchecked and (events or now - self._last_edge >= AT_REST * 1e9):
            for number in self.unchecked & self._lines.keys():
                if self._lines[number].doubted is None:
                    self._lines[number].doubted = now if events else now - int(AT_REST * 1e9)
            self.unchecked.clear()

    def _collect(self, request: LineRequest, events: list[LineEvent]) -> dict[int, bool]:
        """Read on until no more are waiting, and levels that belong to them: none arrived in between."""
        for _ in range(LOOKS):
            if request.is_waiting():
                events += self._named(line_request.events_of(request.number))
            changed = {event.line_offset for event in events}
            missed = self._missed or self._highest != self._read_so_far
            levels = request.levels(
                [
                    number
                    for number, line in self._lines.items()
                    if line.is_high is not None  # else it is being claimed, and this request has not got it
                    and (missed or number in changed or line.doubted is not None)
                ]
            )
            if not request.is_waiting():
                return levels
        return {}

    def _named(self, written: list[Written]) -> list[LineEvent]:
        """Events that were read, counted, so that it shows which are missing."""
        events = list(map(LineEvent._make, written))
        self._read_so_far += len(events)
        self._last_edge = time.monotonic_ns()
        self._numbers += [event.global_seqno for event in events]
        self._highest = max(self._numbers, default=self._highest)
        return events

    def _missing(self) -> list[int]:
        """Numbers that were given to edges and came with no event. An edge that finds the one before it on its line
        still unread by the kernel's own thread takes its place, and a queue that is full drops some."""
        return sorted(set(range(self._base + 1, self._highest + 1)).difference(self._numbers))

    def _count_lost(self, request: LineRequest, missing: list[int]) -> None:
        """Events may overtake each other; with an empty queue, what is missing is lost."""
        if missing:
            self.lost += len(missing)
            self._missed = True
            self._say(
                Sentence(
                    "{missing} edges of {name} got lost on their way. The levels are read again.",
                    missing=len(missing),
                    name=request.chip.name,
                )
            )
        self._read_so_far = self._base = self._highest
        self._numbers = []

    def _edges(self, events: list[LineEvent], levels: dict[int, bool], missing: list[int]) -> list[Edge]:
        """Events as edges, each with the level it led to.

        Where a number is missing between two edges of a line, an edge of that line may have been lost there: its
        level is believed, its stamp is not. Elsewhere levels alternate, so the count tells the level better than the
        kernel does, which reads it some time after the stamp. If the count does not lead to the level read now, the
        chip lost an edge before the kernel saw it: edges are sure for as long as the reported levels alternate, and
        if they do to the end, one may still be on its way: the level is doubted, and read again a little later.
        """
        news: list[LineEvent] = []
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

    def _overtaken(self, event: LineEvent) -> Iterator[Edge]:
        """An edge that is in the level already. If that was told, the edge says since when; it is no further one."""
        line = self._lines[event.line_offset]
        line.number = event.global_seqno
        if event.timestamp_ns >= line.since and (event.kind == RISING) == line.is_high:
            yield Edge(event.line_offset, event.kind == RISING, event.timestamp_ns, sure=False)

    def _behind_gap(self, event: LineEvent) -> Iterator[Edge]:
        """An edge before which others of its line may have been lost."""
        number, at = event.line_offset, event.timestamp_ns
        rising = event.kind == RISING
        line = self._lines[number]
        if rising == line.is_high:
            yield Edge(number, not rising, at, sure=False, after_gap=True)
        line.is_high = rising
        yield Edge(number, rising, at, sure=False, after_gap=True)

    def _followed(self, event: LineEvent, levels: dict[int, bool], broken: set[int], *, fits: bool) -> Iterator[Edge]:
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

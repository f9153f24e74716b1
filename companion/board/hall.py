"""What is shown now at each table: in memory, changed by one thread alone; whoever looks on is told of each change."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.board.reading import ClocksNow, TablePicture
from companion.board.results import MatchLine
from companion.publishing.entry_payloads import HeadNow
from companion.publishing.payloads import ClockNow

MOST_TABLES = 2000


@dataclass(frozen=True, slots=True)
class BoardNews:
    """What has come from the broker and is kept by now."""

    lines: tuple[MatchLine, ...] = ()
    heads: tuple[HeadNow, ...] = ()
    clocks: tuple[tuple[str, ClocksNow, float], ...] = ()  # a table, what it says, and how many seconds ago
    online: tuple[tuple[str, bool], ...] = ()
    pictures: tuple[tuple[str, TablePicture], ...] = ()


class Bell:
    """Rings for everybody who waits, whenever something has changed."""

    def __init__(self) -> None:
        self.version = 0
        self._event = asyncio.Event()

    def ring(self) -> None:
        self.version += 1
        rung, self._event = self._event, asyncio.Event()
        rung.set()

    async def after(self, version: int, patience: float) -> bool:
        """Whether it has rung since, or does so within these seconds."""
        if self.version == version:
            try:
                await asyncio.wait_for(self._event.wait(), patience)
            except TimeoutError:
                return False
        return True


@dataclass(frozen=True, slots=True)
class RunningClocks:
    """Clocks, and when they stood so, in seconds of the board's own clock; None: they are not known to run."""

    clocks: tuple[ClockNow, ...] = ()
    since: float | None = None


@dataclass(slots=True)
class TableNow:
    name: str
    line: MatchLine | None = None
    clocks: RunningClocks = RunningClocks()
    is_online: bool = False
    is_unheard: bool = False  # it plays a match of which nothing has come
    newest_picture: TablePicture = field(default_factory=TablePicture)
    bell: Bell = field(default_factory=Bell)

    @property
    def picture(self) -> TablePicture | None:
        """Of the match that is shown, while the table is there."""
        is_of_it = self.line is not None and self.newest_picture.match == self.line.match
        return self.newest_picture if is_of_it and self.is_online else None


class Hall:
    """`clock` is monotonic."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.tables: dict[str, TableNow] = {}
        self.bell = Bell()  # for whoever looks at all tables
        self.is_closing = False
        self._named: dict[str, str] = {}  # the match that each table says it plays

    def hear(self, news: BoardNews) -> None:
        touched: dict[str, TableNow] = {}
        for head in news.heads:
            self._named[head.table] = head.match
        for line in news.lines:
            if (table := self._table(line.table)) is not None and self._is_shown(table, line):
                self._show(table, line)
                touched[table.name] = table
        for name, clocks, ago in news.clocks:
            if (table := self._table(name)) is not None and self._time(table, clocks, ago):
                touched[name] = table
        for name, is_online in news.online:
            if (table := self._table(name)) is not None and table.is_online != is_online:
                table.is_online = is_online
                touched[name] = table
        touched |= self._shown_cards(news)
        for table in touched.values():
            table.bell.ring()
        if touched:
            self.bell.ring()

    def _shown_cards(self, news: BoardNews) -> dict[str, TableNow]:
        """The tables of which there is another picture."""
        found = {}
        for name, picture in news.pictures:
            if (table := self._table(name)) is not None and table.newest_picture != picture:
                table.newest_picture = picture
                found[name] = table
        return found

    def close(self) -> None:
        self.is_closing = True
        for bell in (self.bell, *(table.bell for table in self.tables.values())):
            bell.ring()

    def _table(self, name: str) -> TableNow | None:
        if name not in self.tables and len(self.tables) >= MOST_TABLES:
            return None
        return self.tables.setdefault(name, TableNow(name))

    def _is_shown(self, table: TableNow, line: MatchLine) -> bool:
        """A match of before may still be told of, while another one is played."""
        shown = table.line
        if shown is None or shown.match == line.match or self._named.get(table.name) == line.match:
            return True
        return self._named.get(table.name) != shown.match and line.began >= shown.began

    def _show(self, table: TableNow, line: MatchLine) -> None:
        table.line, table.is_unheard = line, False
        standing = line.entry.standing
        since = self.clock() if line.entry.as_of else None  # what is told later has no running clocks
        table.clocks = RunningClocks(standing.clocks if standing else (), since)

    def _time(self, table: TableNow, clocks: ClocksNow, ago: float) -> bool:
        """What a table says of its clocks counts for the match that is shown."""
        line = table.line
        table.is_unheard = bool(clocks.match) and (line is None or line.match != clocks.match)
        if line is None:
            return True
        standing = line.entry.standing
        if standing is None or (line.match, standing.moves) != (clocks.match, clocks.moves):
            return False
        names = [player.name for player in standing.players]
        if any(clock.player not in ("", *names) for clock in clocks.clocks):
            return False
        table.clocks = RunningClocks(clocks.clocks, self.clock() - ago)
        return True

"""What is sound in a damaged journal: set the file aside, and read from it whatever still can be read."""

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.codec import parsed
from companion.exc import CompanionError, JournalError
from companion.games import game as game_named
from companion.journal import MIGRATIONS, PAGE, checksum
from companion.match import Entry, Match, Setup
from companion.record import read_entry, read_setup
from companion.rules import Foul

_Row = tuple[int, int, str, str, int]
_COLUMNS = "SELECT match, number, kind, body, crc FROM entry"
_HEADER = 100  # bytes at the start of a SQLite file, the same in all of ours but for a few counters
_BESIDE = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Sound:
    """The part of a match that is as it was written."""

    setup: Setup
    entries: tuple[Entry, ...]
    time: int
    began: str
    is_whole: bool


def set_aside(path: Path) -> Path:
    """Give the damaged file another name, and its companions the same, and return it."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.stem}.damaged-{stamp}{path.suffix}")
    count = 1
    while aside.exists():
        count += 1
        aside = path.with_name(f"{path.stem}.damaged-{stamp}-{count}{path.suffix}")
    try:
        path.rename(aside)
        for ending in _BESIDE:
            beside = path.with_name(path.name + ending)
            if beside.exists():
                beside.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise JournalError(f"The journal {path} is damaged and cannot be set aside: {error.strerror}.") from None
    return aside


def sound_matches(aside: Path) -> Iterator[Sound]:
    """Every match with its entries up to the first that is missing or not as it was written."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy.sqlite3"
        shutil.copyfile(aside, copy)
        wal = aside.with_name(aside.name + "-wal")
        if wal.exists():
            shutil.copyfile(wal, copy.with_name(copy.name + "-wal"))
        rows, dates = _read(copy)
        for length in (_HEADER, PAGE):
            if not rows:
                _mend_start(copy, length)
                rows, dates = _read(copy)
    for match in sorted({match for match, _ in rows}):
        found = _sound(match, rows, dates)
        if found:
            yield found


def _sound(match: int, rows: dict[tuple[int, int], _Row], dates: dict[int, tuple[str, int]]) -> Sound | None:
    last = max(number for owner, number in rows if owner == match)
    try:
        setup = read_setup(parsed(rows[match, 0][3]))
    except (KeyError, CompanionError):
        return None
    playing = Match(setup)
    entries: list[Entry] = []
    for number in range(1, last + 1):
        try:
            _, _, kind, body, _ = rows[match, number]
            entry = read_entry(game_named(setup.game), kind, parsed(body))
            playing.take(entry)
        except (KeyError, CompanionError, Foul):
            break
        entries.append(entry)
    began, time = dates.get(match, ("", 0))
    return Sound(setup, tuple(entries), max(time, playing.now), began, len(entries) == last)


def _read(copy: Path) -> tuple[dict[tuple[int, int], _Row], dict[int, tuple[str, int]]]:
    """The entries whose checksum is right, and when each match began."""
    rows: dict[tuple[int, int], _Row] = {}
    dates: dict[int, tuple[str, int]] = {}
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database:
        database.text_factory = lambda raw: raw.decode(errors="replace")
        for row in _everything(database):
            with contextlib.suppress(TypeError, ValueError, IndexError):
                if row[4] == checksum(*row[:4]):
                    rows[row[0], row[1]] = row
        for ends in ("ASC", "DESC"):
            with contextlib.suppress(sqlite3.Error):
                for match, began, time in database.execute(f"SELECT id, began, time FROM match ORDER BY id {ends}"):
                    if isinstance(time, int):
                        dates[match] = (began, time)
    return rows, dates


def _everything(database: sqlite3.Connection) -> Iterator[_Row]:
    """Rows from both ends of the table, and from both ends of each match: damage in one page hides only its rows."""
    seen: set[int] = set()
    queries = [f"{_COLUMNS} ORDER BY match {order}, number {order}" for order in ("ASC", "DESC")]
    for query in queries:
        with contextlib.suppress(sqlite3.Error):
            for row in database.execute(query):
                if isinstance(row[0], int):
                    seen.add(row[0])
                yield row
    for match in range(1, max(seen, default=0) + 2):
        for order in ("ASC", "DESC"):
            with contextlib.suppress(sqlite3.Error):
                yield from database.execute(f"{_COLUMNS} WHERE match = ? ORDER BY number {order}", (match,))


def _mend_start(copy: Path, length: int) -> None:
    """Put the first bytes of a new journal in place of the damaged ones: they are all but the same in every journal."""
    fresh = copy.with_name("fresh.sqlite3")
    fresh.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(fresh, isolation_level=None)) as database:
        database.execute(f"PRAGMA page_size = {PAGE}")
        for script in MIGRATIONS:
            database.executescript(script)
    start = bytearray(fresh.read_bytes()[:length])
    start[28:32] = (copy.stat().st_size // PAGE).to_bytes(4, "big")
    start[32:40] = bytes(8)  # no free pages known
    with copy.open("r+b") as file:
        file.write(start)

"""Rows of a journal found in its bytes, whatever SQLite makes of them: by the form that a row has on disk, and believed
by their checksum. The file is read in windows, and what is found lies in a database of its own, not in memory."""

import errno
import itertools
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any

from companion.core import plainfile
from companion.journal.chain import link
from companion.journal.keeper import KeptFoul
from companion.journal.log import FRAME, FRAME_HEADER, LARGEST_LOG, LOG_HEADER
from companion.journal.rows import PAGE, checksum, is_sound

WINDOW = 256 * PAGE
NO_PAGES = bytes(WINDOW)
PATIENCE = 60.0  # seconds for the log
KEPT = 20_000  # kB of what was found that are in memory


class _Pages:
    """The pages of the file by their numbers, newer ones in the log."""

    def __init__(self, file: IO[bytes], log: bytes = b"", newer: Mapping[int, int] = MappingProxyType({})) -> None:
        self._file, self._log, self._newer = file.fileno(), log, newer

    def get(self, number: int) -> bytes:
        if (at := self._newer.get(number)) is not None:
            return self._log[at : at + PAGE]
        return os.pread(self._file, PAGE, (number - 1) * PAGE) if number else b""


_VARINT = b"(?:[\x0d-\x7f]|[\x81-\xff][\x00-\x7f]|[\x81-\xff][\x80-\xff][\x00-\x7f])"
_KINDS = {"N": b"\x00", "I": b"[\x01-\x06\x08\x09]", "T": _VARINT}
_INTEGER_SIZES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}
_MOST_LOCAL = PAGE - 35  # bytes of a row that have room in its page ...
_LEAST_LOCAL = (PAGE - 12) * 32 // 255 - 23  # ... and of a longer one that stay there at least


@dataclass(frozen=True)
class _Shape:
    """How the rows of a table lie on disk: N for the id, which stands before the row, I for integers, T for text."""

    table: str
    columns: str

    @cached_property
    def head(self) -> re.Pattern[bytes]:
        """The start of a row: the length of its head, then the type of each column. Found wherever it may begin."""
        return re.compile(b"(?=([\x04-\x7f]" + b"".join(map(_KINDS.__getitem__, self.columns)) + b"))", re.DOTALL)


_SHAPES = (
    *(_Shape("entry", columns) for columns in ("NIITTII", "NIITTI")),  # with a chain, and from before there was one
    *(_Shape("match", columns) for columns in ("NTTTTTTIII", "NTTTTTTIIN", "NTTTTTTII")),
    _Shape("foul", "NIITTTTI"),
)


_FOUND = """
    CREATE TABLE entry (owner INTEGER, number INTEGER, kind TEXT, body TEXT, crc INTEGER, chain INTEGER);
    CREATE UNIQUE INDEX entry_once ON entry (owner, number, crc);
    CREATE TABLE match (number INTEGER PRIMARY KEY, began TEXT, status TEXT, time INTEGER, chain INTEGER);
    CREATE TABLE foul (id INTEGER PRIMARY KEY, owner INTEGER, after INTEGER, code, player, sentence, body);
    CREATE INDEX foul_of ON foul (owner);
    CREATE TABLE last (owner INTEGER PRIMARY KEY, number INTEGER);
    """


@dataclass(frozen=True, slots=True)
class CarvedNotes:
    """What the journal says of a match beside its entries."""

    began: str = ""
    status: str = ""
    time: int = 0
    chain: int | None = None


class Carved:
    """The rows that were found. Of several versions of one the newest, of an entry all."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)  # in a file that goes with it
        self._database.executescript(f"PRAGMA cache_size = -{KEPT}; PRAGMA journal_mode = OFF; {_FOUND}")
        self._run = self._database.execute
        self._run("BEGIN")
        self.close = self._database.close

    def add(self, table: str, row: tuple[Any, ...]) -> None:
        match table, row:
            case "entry", [int(key), int(owner), int(number), str(kind), str(body), _, *chain]:
                self._add_entry({(owner, number), (key >> 32, key & 0xFFFFFFFF)}, (kind, body, *chain), row[5])
            case "match", [int(number), _, _, began, _, status, _, time, _, *chain] if is_sound(table, row):
                values = (number, began, status, time, chain[0] if chain else None)
                self._run("INSERT OR IGNORE INTO match VALUES (?, ?, ?, ?, ?)", values)
            case "foul", [int(), int(), *_] if is_sound(table, row):
                self._run("INSERT OR IGNORE INTO foul VALUES (?, ?, ?, ?, ?, ?, ?)", row[:-1])

    def _add_entry(self, places: set[tuple[int, int]], rest: tuple[Any, ...], crc: int) -> None:
        """An entry says twice where it belongs; either will do."""
        for owner, number in places:
            if crc == checksum("entry", (owner << 32 | number, owner, number, *rest)):
                kind, body, *chain = rest
                values = (owner, number, kind, body, crc, chain[0] if chain else None)
                self._run("INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?, ?, ?)", values)
                break
        else:
            if len(places) > 1 or not all(-(2**63) <= owner < 2**63 for owner, _ in places):
                return
        self._run(
            "INSERT INTO last VALUES (?1, ?2) ON CONFLICT DO UPDATE SET number = max(number, ?2)", (owner, number)
        )

    def known(self) -> int:
        """Matches of which anything is left."""
        return int(
            self._run("SELECT count(*) FROM (SELECT owner FROM entry UNION SELECT number FROM match)").fetchone()[0]
        )

    def begun(self) -> list[int]:
        """Matches of which the set-up is left."""
        return [row for (row,) in self._run("SELECT DISTINCT owner FROM entry WHERE number = 0 ORDER BY owner")]

    def entries(self, row: int) -> Iterator[tuple[str, str, int]]:
        """Kind, body and chain of its entries, up to the first that is missing or follows no other."""
        found = self._run(
            "SELECT number, kind, body, chain FROM entry WHERE owner = ? AND number >= 0 ORDER BY number, rowid", (row,)
        )
        before = 0
        for wanted, (number, versions) in enumerate(itertools.groupby(found, lambda version: int(version[0]))):
            fitting = (
                (kind, body, chain)
                for _, kind, body, kept in versions
                if kept in (None, chain := link(before, number, kind, body))
            )
            if wanted != number or (one := next(fitting, None)) is None:
                break
            before = one[2]
            yield one

    def last(self, row: int) -> int:
        """The number of its last entry, sound or damaged."""
        return int(self._run("SELECT number FROM last WHERE owner = ?", (row,)).fetchone()[0])

    def noted(self, row: int) -> CarvedNotes:
        found = self._run("SELECT began, status, time, chain FROM match WHERE number = ?", (row,)).fetchone()
        return CarvedNotes(*found) if found else CarvedNotes()

    def fouls(self, row: int) -> tuple[KeptFoul, ...]:
        found = self._run("SELECT after, code, player, sentence, body FROM foul WHERE owner = ? ORDER BY id", (row,))
        return tuple(KeptFoul(*foul) for foul in found)


def carved(file: IO[bytes], log: Path, alive: Callable[[], None]) -> Carved:
    """Every row of the file and of its write-ahead log."""
    content = _frames_of(log) if log.exists() else b""
    frames = range(LOG_HEADER, len(content), FRAME)
    salts = {at: content[at + 8 : at + 16] for at in frames}
    head, first = content[16:24], salts.get(LOG_HEADER)
    now = head if head in salts.values() else first
    current = [at for at in frames if salts[at] == now]
    stale = [at for at in frames if salts[at] != now]  # what was written before the log began anew
    newer = {int.from_bytes(content[at : at + 4], "big"): at + FRAME_HEADER for at in current}
    worlds = (_Pages(file, content, newer), _Pages(file)) if newer else (_Pages(file),)
    found = Carved()
    try:
        for images in (
            (content[at + FRAME_HEADER : at + FRAME] for at in reversed(current)),
            _images(file, alive),
            (content[at + FRAME_HEADER : at + FRAME] for at in reversed(stale)),
        ):
            for image in images:
                if image == NO_PAGES[: len(image)]:
                    continue
                for row in _rows(image, worlds):
                    found.add(*row)
            alive()
    except BaseException:
        found.close()
        raise
    return found


def _frames_of(log: Path) -> bytes:
    """The log to its last frame in which there is anything."""
    content = plainfile.beginning(log, LARGEST_LOG, PATIENCE)
    frames = -(-max(0, len(content.rstrip(b"\0")) - LOG_HEADER) // FRAME)
    return content[: LOG_HEADER + frames * FRAME]


def _images(file: IO[bytes], alive: Callable[[], None]) -> Iterator[bytes]:
    """The pages of the file; where it has holes, or nothing but zeros, there is nothing of ours."""
    number, end = file.fileno(), os.fstat(file.fileno()).st_size
    at = 0
    while at < end and (window := os.pread(number, WINDOW, at)):
        at += len(window)
        if window == NO_PAGES[: len(window)]:
            at = _behind_hole(number, at, end)
        else:
            yield from (window[place : place + PAGE] for place in range(0, len(window), PAGE))
        alive()


def _behind_hole(number: int, at: int, end: int) -> int:
    """The page in which there is something again."""
    try:
        found = os.lseek(number, at, os.SEEK_DATA) if at < end else end
    except OSError as error:
        return end if error.errno == errno.ENXIO else at  # a hole to the end, or a file system that does not know
    return max(at, found - found % PAGE)


def _rows(image: bytes, worlds: Iterable[_Pages]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Those that begin in this page, with the tables they are of; a long one may go on otherwise in another world."""
    for shape in _SHAPES:
        for head in shape.head.finditer(image):
            for world in worlds:
                row = _row(image, head.start(), head[1], world)
                if row:
                    yield shape.table, row


def _row(image: bytes, start: int, head: bytes, pages: _Pages) -> tuple[Any, ...] | None:
    if head[0] != len(head):
        return None
    types = list(_varints(head[1:]))
    sizes = [_INTEGER_SIZES[kind] if kind < 12 and kind else max(0, kind - 13) // 2 for kind in types]
    data = _payload(image, start, len(head) + sum(sizes), pages)
    if data is None:
        return None
    values: list[Any] = []
    at = len(head)
    for kind, size in zip(types, sizes, strict=True):
        values.append(_value(kind, data[at : at + size]))
        at += size
    return (_number_before(image, start), *values[1:])


def _value(kind: int, raw: bytes) -> int | str | None:
    if kind in (0, 8, 9):
        return kind - 8 if kind else None
    return int.from_bytes(raw, "big", signed=True) if kind < 12 else raw.decode(errors="replace")


def _payload(image: bytes, start: int, size: int, pages: _Pages) -> bytes | None:
    """The bytes of a row, gathered from the pages that a long one runs over into."""
    local = size
    if size > _MOST_LOCAL:
        local = _LEAST_LOCAL + (size - _LEAST_LOCAL) % (PAGE - 4)
        local = local if local <= _MOST_LOCAL else _LEAST_LOCAL
    data = bytearray(image[start : start + local])
    following = image[start + local : start + local + 4]
    while local <= len(data) < size:
        page = pages.get(int.from_bytes(following, "big"))
        more = page[4 : 4 + size - len(data)]
        if not more:
            return None
        data += more
        following = page[:4]
    return bytes(data) if len(data) == size else None


def _varints(raw: bytes) -> Iterator[int]:
    value = 0
    for byte in raw:
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            yield value
            value = 0


def _number_before(image: bytes, end: int) -> int:
    """The number, in SQLite's way of writing one, that ends here."""
    start = end - 1
    while start > max(0, end - 9) and image[start - 1] >= 0x80:
        start -= 1
    return next(_varints(image[start:end]), 0)

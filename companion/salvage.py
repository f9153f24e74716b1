"""What is sound in a damaged journal: read from its bytes, whatever SQLite makes of them, into a new file.

The rows that cannot be had otherwise (entries, and of each match its date and time) are found by the form that a
row has on disk and believed by their checksum. So it does not matter which part of the file is damaged: what
was not hit is saved.
"""

import contextlib
import fcntl
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from companion.codec import parsed
from companion.exc import CompanionError, JournalError
from companion.games import game as game_named
from companion.journal import FRAME_HEADER, LOG_HEADER, PAGE, Journal, KeptFoul, checksum, mended_beside, nothing
from companion.journal.chain import BEGINNING, link
from companion.journal.place import BESIDE, free_name
from companion.journal.rows import is_sound
from companion.match import Entry, Match
from companion.record import read_entry, read_setup
from companion.rules import Foul
from companion.whole import keep_names

_LOCKS, _LOCKS_LENGTH = 0x40000002, 510  # the bytes on which whoever has a SQLite file open holds a lock


@dataclass(frozen=True, slots=True)
class Sound:
    """The part of a match that is as it was written."""

    played: Match
    entries: tuple[Entry, ...]
    time: int
    began: str
    fouls: tuple[KeptFoul, ...]
    is_whole: bool


def salvage(path: Path, damage: str, alive: Callable[[], None] = nothing) -> str:
    """Put a sound journal in the place of a damaged one, which gets another name. The sentence about it.

    It takes a second for some megabytes; `alive` is called meanwhile, and what it raises ends it: it can begin again.
    """
    fresh = path.with_name(f"{path.name}.new")
    try:
        with _alone_with(path) as file:
            _remove(fresh)
            log = path.with_name(path.name + "-wal")
            found = _carved(file.read(), log.read_bytes() if log.exists() else b"", alive)
            are_whole = []
            with Journal(fresh) as journal, journal.at_once() as take_in:
                for one in sound_matches(found):
                    take_in(one.played, one.entries, one.time, one.began, one.fouls)
                    are_whole.append(one.is_whole)
                    alive()
            with _alone_with(fresh):
                aside = _put_in_place(fresh.rename(mended_beside(path)), path)
    except OSError as error:
        with contextlib.suppress(OSError):
            _remove(fresh)
        why = error if isinstance(error, JournalError) else f"{error.strerror}."
        if isinstance(error, PermissionError):
            why = "make the file and its folder writable."
        raise JournalError(f"The journal {path} is damaged ({damage}) and cannot be mended: {why}") from None
    whole, saved = sum(are_whole), len(are_whole)
    return (
        f"The journal was damaged ({damage}); it is kept as {aside.name}. Taken over from it: {whole} matches "
        f"whole, {saved - whole} up to the damage; lost: {len(found.known()) - saved}."
    )


def go_on(path: Path) -> str:
    """Finish what a power cut ended between making a sound journal and putting it in its place."""
    mended = mended_beside(path)
    try:
        with _alone_with(mended):
            _put_in_place(mended, path)
    except OSError as error:
        why = error if isinstance(error, JournalError) else f"{error.strerror}."
        raise JournalError(f"The journal {path} was damaged, and {mended} cannot be put in its place: {why}") from None
    return f"The journal was damaged and has been mended; the damaged one is kept beside {path.name}."


def sound_matches(found: "Carved") -> Iterator[Sound]:
    """Every match with its entries up to the first that is missing or not as it was written."""
    for row in sorted(found.begun()):
        with contextlib.suppress(CompanionError, KeyError):
            yield _sound(row, found)


def _sound(row: int, found: "Carved") -> Sound:
    _, body, chain = found.following(row, 0, BEGINNING)
    setup = read_setup(parsed(body))
    playing = Match(setup)
    entries: list[Entry] = []
    last = found.last[row]
    for number in range(1, last + 1):
        try:
            kind, body, chain = found.following(row, number, chain)
            entry = read_entry(game_named(setup.game), kind, parsed(body))
            playing.take(entry)
        except (KeyError, CompanionError, Foul):
            break
        entries.append(entry)
    began, status, time, end = found.matches.get(row, ("", "", 0, None))
    is_whole = len(entries) == last and end in (None, chain) and status in ("", _status(playing))
    fouls = tuple(foul for _, foul in sorted(found.fouls.get(row, {}).items()))
    return Sound(playing, tuple(entries), max(time, playing.now), began, fouls, is_whole)


def _status(match: Match) -> str:
    return "running" if match.is_running else "abandoned" if match.abandoned else "over"


# --- files -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _alone_with(path: Path) -> Iterator[BinaryIO]:
    """The file, while nobody else has it open; moving it from under another referee would lose what that one writes."""
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, _LOCKS_LENGTH, _LOCKS)
        except BlockingIOError:
            raise JournalError("another program has it open; close that first.") from None
        yield file


def _put_in_place(mended: Path, path: Path) -> Path:
    """Where the damaged one is then. Can be begun again wherever it was cut off: `mended` is whole, and goes last."""
    keep_names(path.parent)
    aside = _set_aside(path)
    keep_names(path.parent)
    mended.rename(path)
    keep_names(path.parent)
    return aside


def _set_aside(path: Path) -> Path:
    """Give the damaged file another name, and its log the same, and return it."""
    aside = free_name(path, "damaged")
    for ending in BESIDE:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    return aside


def _remove(fresh: Path) -> None:
    for ending in BESIDE:
        fresh.with_name(fresh.name + ending).unlink(missing_ok=True)


# --- bytes -----------------------------------------------------------------------------------------------------


class _Pages:
    """The pages of the file by their numbers, newer ones in the log."""

    def __init__(self, data: bytes, log: bytes = b"", newer: Mapping[int, int] = MappingProxyType({})) -> None:
        self._data, self._log, self._newer = data, log, newer

    def get(self, number: int) -> bytes:
        at = self._newer.get(number)
        return self._data[(number - 1) * PAGE : number * PAGE] if at is None else self._log[at : at + PAGE]


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


Candidate = tuple[str, str, int | None]  # of an entry: kind, body and chain


@dataclass(slots=True)
class Carved:
    """The rows that were found. Of several versions of one the newest, of an entry all."""

    entries: dict[tuple[int, int], list[Candidate]] = field(default_factory=dict)  # of several the newest first
    matches: dict[int, tuple[str, str, int, int | None]] = field(default_factory=dict)  # began, status, time, chain
    fouls: dict[int, dict[int, KeptFoul]] = field(default_factory=dict)  # of each match
    last: dict[int, int] = field(default_factory=dict)  # of each match, its last entry, sound or damaged

    def known(self) -> set[int]:
        return {row for row, _ in self.entries} | set(self.matches)

    def begun(self) -> set[int]:
        return {row for row, number in self.entries if number == 0}

    def add(self, table: str, row: tuple[Any, ...]) -> None:
        match table, row:
            case "entry", [int(key), int(owner), int(number), str(kind), str(body), _, *chain]:
                self._add_entry({(owner, number), (key >> 32, key & 0xFFFFFFFF)}, (kind, body, *chain), row[5])
            case "match", [int(number), _, _, began, _, status, _, time, _, *chain] if is_sound(table, row):
                self.matches.setdefault(number, (began, status, time, chain[0] if chain else None))
            case "foul", [int(number), int(owner), *rest, _] if is_sound(table, row):
                self.fouls.setdefault(owner, {}).setdefault(number, KeptFoul(*rest))

    def _add_entry(self, places: set[tuple[int, int]], rest: tuple[Any, ...], crc: int) -> None:
        """An entry says twice where it belongs; either will do."""
        for owner, number in places:
            if crc == checksum("entry", (owner << 32 | number, owner, number, *rest)):
                kind, body, *chain = rest
                found = (kind, body, chain[0] if chain else None)
                versions = self.entries.setdefault((owner, number), [])
                if found not in versions:
                    versions.append(found)
                break
        else:
            if len(places) > 1:
                return
        self.last[owner] = max(number, self.last.get(owner, 0))

    def following(self, row: int, number: int, before: int) -> tuple[str, str, int]:
        """An entry that goes on from the one before: kind, body, and what the next one goes on from. Or a KeyError."""
        for kind, body, kept in self.entries[row, number]:
            chain = link(before, number, kind, body)
            if kept in (None, chain):
                return kind, body, chain
        raise KeyError(row, number)


def _carved(data: bytes, log: bytes, alive: Callable[[], None]) -> Carved:
    """Every row of the file and of its write-ahead log."""
    frames = range(LOG_HEADER, len(log), FRAME_HEADER + PAGE)
    salts = {at: log[at + 8 : at + 16] for at in frames}
    now = log[16:24] if log[16:24] in salts.values() else salts.get(LOG_HEADER)  # by the log's head, or its first frame
    current = [at for at in frames if salts[at] == now]
    stale = [at for at in frames if salts[at] != now]  # what was written before the log began anew
    newer = {int.from_bytes(log[at : at + 4], "big"): at + FRAME_HEADER for at in current}
    worlds = (_Pages(data, log, newer), _Pages(data)) if newer else (_Pages(data),)
    found = Carved()
    for image in (
        *(log[at + FRAME_HEADER : at + FRAME_HEADER + PAGE] for at in reversed(current)),
        *(data[at : at + PAGE] for at in range(0, len(data), PAGE)),
        *(log[at + FRAME_HEADER : at + FRAME_HEADER + PAGE] for at in reversed(stale)),
    ):
        for row in _rows(image, worlds):
            found.add(*row)
        alive()
    return found


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
    data = image[start : start + local]
    link = image[start + local : start + local + 4]
    while local <= len(data) < size:
        page = pages.get(int.from_bytes(link, "big"))
        more = page[4 : 4 + size - len(data)]
        if not more:
            return None
        data, link = data + more, page[:4]
    return data if len(data) == size else None


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

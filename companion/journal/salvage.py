"""What is sound in a damaged journal: read from its bytes, whatever SQLite makes of them, into a new file.

The rows that cannot be had otherwise (entries, and of each match its date and time) are found by the form that a
row has on disk and believed by their checksum. So it does not matter which part of the file is damaged: what
was not hit is saved.
"""

import contextlib
import fcntl
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.core import plainfile
from companion.core.codec import parsed
from companion.core.entry import Entry
from companion.core.errors import CompanionError, JournalDamagedError, JournalError
from companion.core.match import Match
from companion.core.record import read_entry, read_setup
from companion.core.rules import Foul
from companion.core.sentence import Sentence
from companion.core.wholefile import keep_names
from companion.games import game as game_named
from companion.journal import Journal, KeptFoul, look_through, nothing
from companion.journal.carving import Carved, carved
from companion.journal.log import log_of
from companion.journal.place import BESIDE, LOCKS, LOCKS_LENGTH, free_name, mended_beside

MOST_ENTRIES = 20_000  # of a match, which has a few hundred
WINDOW = 1 << 20  # bytes
LONGEST_CODE = 40


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
            with contextlib.closing(carved(file, log_of(path), alive)) as found:
                are_whole = _take_over(found, fresh, alive)
                known = found.known()
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
    return Sentence(
        "The journal was damaged ({damage}); it is kept as {name}. Taken over from it: {whole} matches whole, "
        "{saved} up to the damage; lost: {known}.",
        damage=damage,
        name=aside.name,
        whole=whole,
        saved=saved - whole,
        known=known - saved,
    )


def _take_over(found: Carved, fresh: Path, alive: Callable[[], None]) -> list[bool]:
    """Which of the matches that are taken over are whole."""
    are_whole = []
    with Journal(fresh) as journal, journal.at_once() as take_in:
        for one in sound_matches(found):
            take_in(one.played, one.entries, one.time, one.began, one.fouls)
            are_whole.append(one.is_whole)
            alive()
    return are_whole


def go_on(path: Path) -> str:
    """Finish what a power cut ended between making a sound journal and putting it in its place."""
    mended = mended_beside(path)
    try:
        with _alone_with(mended):
            _put_in_place(mended, path)
    except OSError as error:
        why = error if isinstance(error, JournalError) else f"{error.strerror}."
        raise JournalError(f"The journal {path} was damaged, and {mended} cannot be put in its place: {why}") from None
    return Sentence(
        "The journal was damaged and has been mended; the damaged one is kept beside {name}.", name=path.name
    )


def is_half_mended(path: Path) -> bool:
    """A power cut came when the damaged journal had been set aside already. What lies beside it then is believed only
    if it is sound, whole, and has no match that is not in what was set aside."""
    mended = mended_beside(path)
    try:
        if path.exists() or not mended.exists():
            return False
        look_through(mended)
        with Journal(mended) as journal:
            codes = {one.code.encode() for one in journal.matches()}
        return not _missing(codes, path.parent.glob(f"{path.stem}.damaged-*"))
    except (JournalDamagedError, OSError):
        return False


def _missing(codes: set[bytes], files: Iterator[Path]) -> set[bytes]:
    """Those that are in none of the files."""
    for file in files:
        with plainfile.opened(file) as opened:
            before = b""
            while codes and (window := opened.read(WINDOW)):
                codes = {code for code in codes if code not in before + window}
                before = window[-LONGEST_CODE:]
    return codes


def sound_matches(found: Carved) -> Iterator[Sound]:
    """Every match with its entries up to the first that is missing or not as it was written."""
    for row in found.begun():
        with contextlib.suppress(CompanionError, StopIteration):
            yield _sound(row, found)


def _sound(row: int, found: Carved) -> Sound:
    rows = found.entries(row)
    _, body, chain = next(rows)
    setup = read_setup(parsed(body))
    playing = Match(setup)
    entries: list[Entry] = []
    for kind, text, following in itertools.islice(rows, MOST_ENTRIES):
        try:
            entry = read_entry(game_named(setup.game), kind, parsed(text))
            playing.take(entry)
        except (CompanionError, Foul):
            break
        entries.append(entry)
        chain = following
    noted = found.noted(row)
    is_whole = (
        len(entries) == found.last(row) and noted.chain in (None, chain) and noted.status in ("", _status(playing))
    )
    return Sound(playing, tuple(entries), max(noted.time, playing.now), noted.began, found.fouls(row), is_whole)


def _status(match: Match) -> str:
    return "running" if match.is_running else "abandoned" if match.abandoned else "over"


# --- files -----------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _alone_with(path: Path) -> Iterator[IO[bytes]]:
    """The file, while nobody else has it open; moving it from under another referee would lose what that one writes."""
    with path.open("r+b") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, LOCKS_LENGTH, LOCKS)
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

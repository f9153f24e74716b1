"""A match as a file of its own: everything needed to play it again elsewhere."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.codec import parsed, read, written
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused
from companion.core.errors import CompanionError, ImportedMatchError, MalformedError, TooLargeError, UnsureError
from companion.core.match import Match
from companion.core.names import check_names
from companion.core.record import entry_plain, read_entry, read_setup, setup_plain
from companion.core.referee import LATEST
from companion.core.rules import Foul, Game
from companion.journal import Stored
from companion.journal.chain import SETUP, broken, chain, links

FORMAT = 2  # the first had no chain
HEAD = {"companion", "began", "time", "setup", "entries"}
LARGEST = 8 * 1024 * 1024  # bytes: a match has a few ten thousand, and read JSON takes twenty times its room
MOST_ENTRIES = 20_000  # a long match has a few hundred
MOST_RULED_AGAIN = 200_000  # moves behind corrections
TOO_LATE = "the referee would have ruled by itself before that."


def archived(stored: Stored, *, is_chained: bool = True) -> str:
    """A match as text. Whoever changes something in it, names say, leaves the chain out."""
    entries = [{"kind": kind, "body": body} for kind, body in map(entry_plain, stored.entries)]
    head: dict[str, Any] = {
        "companion": FORMAT if is_chained else 1,
        "began": stored.began,
        "time": stored.time,
        "setup": setup_plain(stored.setup),
    }
    if is_chained:
        head["chain"] = chain(stored.setup, stored.entries)
    lines = ",\n".join(written(entry) for entry in entries)
    return f'{written(head)[:-1]},\n"entries":[\n{lines}\n]}}\n'


def read_archive(path: Path) -> Stored:
    """A match from a file, played through once to see that it is one; raises ImportedMatchError."""
    try:
        return _read(parsed(plainfile.content(path, LARGEST)))
    except TooLargeError:
        raise ImportedMatchError(
            f"{path} is larger than {LARGEST // 1024 // 1024} MB: that is no match file."
        ) from None
    except OSError as error:
        raise ImportedMatchError(f"{path} cannot be read: {error.strerror or error}.") from None
    except MalformedError as error:
        raise ImportedMatchError(f"{path} is not a match file: {str(error).replace('The line', 'the text')}") from None
    except (CompanionError, Foul) as error:
        raise ImportedMatchError(f"{path} cannot be taken in: {error}") from None


def _read(data: Any) -> Stored:
    if not isinstance(data, dict) or not set(data) >= HEAD:
        raise MalformedError("it needs companion, began, time, setup and entries.")
    version = read(int, data["companion"], "companion")
    if not 0 < version <= FORMAT:
        raise MalformedError(f"it has format {version}, and this companion reads {FORMAT}: update the companion.")
    if set(data) != (HEAD if version == 1 else HEAD | {"chain"}):
        raise MalformedError("it needs companion, began, time, setup, entries and, from format 2 on, chain.")
    setup = read_setup(data["setup"])
    check_names(setup.names)
    if not isinstance(data["entries"], list):
        raise MalformedError("entries must be a list.")
    if len(data["entries"]) > MOST_ENTRIES:
        raise MalformedError(f"it has {len(data['entries'])} entries, and {MOST_ENTRIES} are more than a match has.")
    match = Match(setup)
    entries = tuple(_read_entries(match.game, data["entries"]))
    if version > 1:  # before the rules are asked, which may refuse what follows a missing entry for another reason
        _must_be_chained(_chain_of(data), read(tuple[int, ...], data["chain"], "chain"))
    _take(match, entries)
    time = max(match.now, read(int, data["time"], "time"))
    if time > LATEST:
        raise MalformedError("time: the match cannot have lasted more than a century.")
    deadline = match.state.deadline
    if match.is_running and deadline is not None and time > max(deadline.at, match.now):
        raise MalformedError(f"time: {TOO_LATE}")
    return Stored(setup, entries, time, 0, _date(read(str, data["began"], "began")))


def _chain_of(data: dict[str, Any]) -> tuple[int, ...]:
    """Of what stands there: with the house rules that there are today a set-up of before would be another."""
    told = [(SETUP, data["setup"]), *((item["kind"], item["body"]) for item in data["entries"])]
    return tuple(links((kind, written(body)) for kind, body in told))


def _must_be_chained(found: tuple[int, ...], kept: tuple[int, ...]) -> None:
    for number, (one, other) in enumerate(zip(found, kept, strict=False)):
        if one != other:
            raise MalformedError(f"{broken(number)}.")
    if len(found) != len(kept):
        raise MalformedError(f"it has {len(found) - 1} entries, and {len(kept) - 1} were exported.")


def _read_entries(playing: Game, items: list[Any]) -> Iterator[Entry]:
    for number, item in enumerate(items, 1):
        if not isinstance(item, dict) or set(item) != {"kind", "body"}:
            raise MalformedError(f"entry {number} needs kind and body.")
        try:
            yield read_entry(playing, read(str, item["kind"], "kind"), item["body"])
        except CompanionError as error:
            raise MalformedError(f"entry {number}: {error}") from None


def _take(match: Match, entries: Iterable[Entry]) -> None:
    """Play the entries, each as a referee would have ruled on it."""
    ruled_again = 0
    for number, entry in enumerate(entries, 1):
        try:
            _must_be_in_time(match, entry)
            ruled_again += len(match.line) if isinstance(entry, Corrected) else 0
            if ruled_again > MOST_RULED_AGAIN:
                raise MalformedError("there are more corrections than anybody makes.")
            match.take(entry)
        except (CompanionError, Foul) as error:
            raise MalformedError(f"entry {number}: {error}") from None


def _must_be_in_time(match: Match, entry: Entry) -> None:
    """A referee makes what falls due before anything later; else a match could leave years of it to be made up for."""
    if isinstance(entry, Made | Paused | Abandoned):
        at = entry.move.at if isinstance(entry, Made) else entry.at
        due = match.overdue(at)
        if due is not None and not (isinstance(entry, Made) and entry.move == due.move):
            raise MalformedError(TOO_LATE)


def _date(text: str) -> str:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        raise MalformedError(f"began: {text[:40]!r} is not a date.") from None


def write_whole(path: Path, text: str | bytes) -> None:
    """Write a file so that it is there whole or not at all."""
    if not path.name:
        raise CompanionError(f"{path} is a folder: name a file in it.")
    try:
        whole.write(path, text.encode() if isinstance(text, str) else text)
    except UnsureError as error:
        raise CompanionError(
            f"{path} is written, but its disk fails ({error.strerror}), and nobody knows whether the file outlasts "
            "a power cut: write it again, or to another disk."
        ) from None
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror or error}.") from None

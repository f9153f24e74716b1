"""A match as a file of its own: everything needed to play it again elsewhere."""

from datetime import datetime
from pathlib import Path
from typing import Any

from companion import whole
from companion.codec import parsed, read, written
from companion.exc import CompanionError, ImportedMatchError, MalformedError
from companion.games import game as game_named
from companion.journal import Stored
from companion.match import Match
from companion.record import entry_plain, read_entry, read_setup, setup_plain
from companion.referee import LATEST
from companion.rules import Foul

FORMAT = 1
LARGEST = 64 * 1024 * 1024


def archived(stored: Stored) -> str:
    """A match as text."""
    entries = [{"kind": kind, "body": body} for kind, body in map(entry_plain, stored.entries)]
    head: dict[str, Any] = {
        "companion": FORMAT,
        "began": stored.began,
        "time": stored.time,
        "setup": setup_plain(stored.setup),
    }
    lines = ",\n".join(written(entry) for entry in entries)
    return f'{written(head)[:-1]},\n"entries":[\n{lines}\n]}}\n'


def read_archive(path: Path) -> Stored:
    """A match from a file, played through once to see that it is one; raises ImportedMatchError."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ImportedMatchError(f"{path} is larger than {LARGEST // 1024 // 1024} MB: that is no match file.")
        return _read(parsed(content))
    except OSError as error:
        raise ImportedMatchError(f"{path} cannot be read: {error.strerror or error}.") from None
    except MalformedError as error:
        raise ImportedMatchError(f"{path} is not a match file: {str(error).replace('The line', 'the text')}") from None
    except (CompanionError, Foul) as error:
        raise ImportedMatchError(f"{path} cannot be taken in: {error}") from None


def _read(data: Any) -> Stored:
    if not isinstance(data, dict) or set(data) != {"companion", "began", "time", "setup", "entries"}:
        raise MalformedError("it needs companion, began, time, setup and entries.")
    version = read(int, data["companion"], "companion")
    if version != FORMAT:
        raise MalformedError(f"it has format {version}, and this companion reads {FORMAT}: update the companion.")
    setup = read_setup(data["setup"])
    game = game_named(setup.game)
    if not isinstance(data["entries"], list):
        raise MalformedError("entries must be a list.")
    match = Match(setup)
    entries = []
    for number, item in enumerate(data["entries"], 1):
        if not isinstance(item, dict) or set(item) != {"kind", "body"}:
            raise MalformedError(f"entry {number} needs kind and body.")
        try:
            entry = read_entry(game, read(str, item["kind"], "kind"), item["body"])
            match.take(entry)
        except (CompanionError, Foul) as error:
            raise MalformedError(f"entry {number}: {error}") from None
        entries.append(entry)
    time = max(match.now, read(int, data["time"], "time"))
    if time > LATEST:
        raise MalformedError("time: the match cannot have lasted more than a century.")
    return Stored(setup, tuple(entries), time, 0, _date(read(str, data["began"], "began")))


def _date(text: str) -> str:
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        raise MalformedError(f"began: {text[:40]!r} is not a date.") from None


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all."""
    if not path.name:
        raise CompanionError(f"{path} is a folder: name a file in it.")
    try:
        whole.write(path, text.encode())
    except OSError as error:
        raise CompanionError(f"{path} cannot be written: {error.strerror or error}.") from None

"""table.toml: one file for the whole table. Whatever is wrong in it is said in a sentence with the line and what to do;
the rest of it holds, what is missing is as usual, and the game goes on."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from companion.config.board_choice import BoardChoice, trouble, with_broker
from companion.config.home import own_folder
from companion.config.toml_file import HandwrittenError, Keys, TomlPage, anything, between, check_key, read_toml, shown
from companion.config.window_size import WHOLE, read_size
from companion.core.button_meanings import key_kinds
from companion.core.errors import CompanionError
from companion.publishing.wish import Publish, read_publish
from companion.words import LANGUAGES
from hardware import wiring

FILE = "table.toml"
MACHINES = Path("/etc/companion") / FILE  # for everybody on this machine
MACHINES_UNIT = Path("/etc/systemd/system/companion.service")  # there if the machine itself starts the table ...
MACHINES_JOURNAL = Path("/var/lib/companion/journal.sqlite3")  # ... which keeps its matches there
NONE = "none"  # as a camera
WIRING = ("pins", "token", "seat", "table")  # tables of hardware/wiring.py, which may stand in the same file
KEEP = 10  # copies of the journal
LONGEST = 4000  # letters of a path
UNPUBLISHED = "Nothing is published until then."


@dataclass(frozen=True, slots=True)
class Configuration:
    """What is asked of a table. Nothing and None mean: as usual."""

    file: Path | None = None
    notices: tuple[str, ...] = ()  # what is wrong with the file, a sentence each
    size: str = ""  # 1280x720, or whole
    language: str = ""
    camera: str = ""
    camera_settings: Path | None = None
    journal: Path | None = None
    wiring: Path | None = None  # the file that says what is wired
    backup: Path | None = None
    keep: int = KEEP
    publish: Publish = field(default_factory=Publish)
    board: BoardChoice = field(default_factory=BoardChoice)
    bg_stats: bool = True  # a match that is over can be handed to that app


def usual_configuration() -> Path | None:
    """The nearest: in the present folder, this user's, this machine's."""
    return next((path for path in places() if _is_there(path)), None)


def machines_journal(file: Path | None) -> Path | None:
    """Where the table that the machine starts keeps its matches, if this is its configuration. On a desktop whoever is
    logged in starts one, and keeps matches of their own."""
    return MACHINES_JOURNAL if file == MACHINES and _is_there(MACHINES_UNIT) else None


def _is_there(path: Path) -> bool:
    """What may not be looked at is not there."""
    try:
        return path.exists()
    except OSError:
        return False


def places() -> Iterator[Path]:
    yield Path(FILE)
    with contextlib.suppress(RuntimeError):  # no home
        yield own_folder("XDG_CONFIG_HOME", "~/.config") / "companion" / FILE
    yield MACHINES


def read_configuration(path: Path | None) -> Configuration:
    """What the file asks for, as far as it can be followed."""
    if path is None:
        return Configuration()
    try:
        data, page = read_toml(path)
    except HandwrittenError as error:
        said = f"{error} Until it is put right the table is as usual."
        return Configuration(path, (said,), wiring=path if _is_there(path) else None)
    problems = [*_check_names(data, page)]
    values: dict[str, dict[str, Any]] = {}
    for name, keys in _tables().items():
        values[name], found = _sound(name, data.get(name, {}), keys, page)
        problems += found
    board = BoardChoice(**values.pop("board"))
    publish, found = _publish(data.get("publish", {}), page, path.parent, board)
    problems += found
    if why := trouble(board, _table(data.get("publish", {}))):
        problems.append((page.line("board", 0, "on"), f"[board] on: {why}"))
    notices = tuple(f"{path}, line {line}: {sentence}" for line, sentence in sorted(problems))
    return replace(_made(path, data, values), publish=publish, board=board, notices=notices)


def _made(path: Path, data: dict[str, Any], values: dict[str, dict[str, Any]]) -> Configuration:
    def place(table: str, key: str) -> Path | None:
        """A path in the file is meant from where the file lies."""
        found = values[table].get(key, "")
        return path.parent / found if found else None

    wiring = place("wiring", "file") or (path if any(name in data for name in WIRING) else None)
    screen, camera, backup = values["screen"], values["camera"], values["backup"]
    return Configuration(
        path,
        (),
        screen.get("size", ""),
        screen.get("language", ""),
        camera.get("source", ""),
        place("camera", "settings"),
        place("journal", "file"),
        wiring,
        place("backup", "folder"),
        backup.get("keep", KEEP),
        bg_stats=screen.get("bg_stats", True),
    )


# --- what may stand in it --------------------------------------------------------------------------------------


def _tables() -> dict[str, Keys]:
    return {
        "screen": {"size": (str, _size), "language": (str, _language), "bg_stats": (bool, anything)},
        "camera": {"source": (str, _source), "settings": (str, _path)},
        "journal": {"file": (str, _path)},
        "wiring": {"file": (str, _path)},
        "backup": {"folder": (str, _path), "keep": (int, between(1, 1000))},
        "board": {"on": (bool, anything), "lan": (bool, anything), "port": (int, between(1024, 65_535))},
    }


def _size(value: str) -> str:
    if value in ("", WHOLE):
        return ""
    try:
        read_size(value)
    except Exception as error:  # argparse's own
        return f"{error}, or {WHOLE!r}"
    return ""


def _language(value: str) -> str:
    return "" if not value or value in LANGUAGES else f"{value[:40]!r} is not one of {', '.join(LANGUAGES)}"


def _source(value: str) -> str:
    if re.match(r"(camera|webcam)\b", value) and not re.fullmatch(r"(camera|webcam)(:\d{1,3})?", value):
        return f'{value[:40]!r} is no camera; "camera", "camera:1", "webcam:0", "/dev/video0" and {NONE!r} are'
    return ""


def _path(value: str) -> str:
    return "" if value.isprintable() and len(value) < LONGEST else "this cannot be the name of a file"


def known() -> dict[str, tuple[str, ...]]:
    """The keys of each table that may stand in it."""
    own = {name: tuple(keys) for name, keys in _tables().items()}
    return {**own, "publish": tuple(one.name for one in fields(Publish)), **wiring.known(key_kinds())}


Found = list[tuple[int, str]]  # the line of each problem, and the sentence


def _check_names(data: dict[str, Any], page: TomlPage) -> Iterator[tuple[int, str]]:
    known = [*_tables(), "publish", *WIRING]
    for name in data:
        if name not in known:
            yield page.line(name, 0), f"there is no table {shown(name)}; known are {', '.join(known)}; it is left out."


def _sound(name: str, table: Any, keys: Keys, page: TomlPage) -> tuple[dict[str, Any], Found]:
    """The keys of a table that can be followed, and what is wrong with the others."""
    if not isinstance(table, dict):
        return {}, [(page.line(name, 0), f"{name} is written [{name}], and is as usual until then.")]
    values: dict[str, Any] = {}
    problems: Found = []
    for key, value in table.items():
        found = list(check_key(name, keys, key, value, page.line(name, 0, key)))
        until = "until then it is as usual" if key in keys else "it is left out"
        problems += [(one.line, f"{one.sentence[:-1]}; {until}.") for one in found]
        if not found:
            values[key] = value
    return values, problems


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _publish(table: Any, page: TomlPage, folder: Path, board: BoardChoice) -> tuple[Publish, Found]:
    """Publishing is not half followed: with a mistake in it, nothing goes out."""
    if not isinstance(table, dict):
        return Publish(), [(page.line("publish", 0), "publish is written [publish]; until then it is off.")]
    if not (table or board.on):
        return Publish(), []
    try:
        return read_publish(with_broker(board, table), folder), []
    except CompanionError as error:
        named = re.match(r"\[publish\] '?([\w-]+)", str(error))
        key = named[1] if named and named[1] in table else "on"
        return Publish(), [(page.line("publish", 0, key), f"{error} {UNPUBLISHED}")]

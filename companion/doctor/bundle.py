"""`companion doctor --bundle`: one file with all that somebody needs to help, and nothing that is nobody's business.

It is made here and goes nowhere by itself. Passwords are never in it, paths begin behind the home folder, and players'
names are left out if that is wished. The journal and the configuration are only read.
"""

import contextlib
import io
import json
import os
import platform
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

from companion import __version__
from companion.config.table_file import Configuration, known
from companion.config.toml_file import read_toml
from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.button_meanings import key_kinds
from companion.core.codec import plain
from companion.core.errors import CompanionError
from companion.doctor.anonymous import Nameless
from companion.doctor.checkup import findings, must_be_readable
from companion.journal import TABLES, Journal
from companion.journal.archive import archived
from companion.journal.backup import back_up
from companion.publishing.wish import PLAIN_HOSTS, Publish, password_of
from hardware import wiring

FOLDER = "companion-support"
MEGABYTE = 1_000_000
LOG = 1 * MEGABYTE  # the newest of it
PART = 4 * MEGABYTE  # of one file in the bundle, before it is packed
LINES = 5_000
PATIENCE = 20  # seconds for the log
UNITS = (
    "companion",
    "companion-backup@*",
    "companion-board",
    "companion-broker",
    "companion-stick@*",
    "companion-last-resort",
)
UNITS_OF_A_SESSION = ("companion-desktop", "companion-desktop-backup")
REMOVED = "(removed)"
UNKNOWN = "(no key of this file)"
SHORTEST = 4  # letters of a password that is looked for in texts too; it is never written into one
HOMES = re.compile(r"/(?:home|Users|media|run/media)/[^\s/\"':,;)]+|/root(?=[\s/\"':,;)]|$)")
# What a word of a key says of its value: a password, something like one, or who it is. A path to one is none.
SECRET = re.compile("pass|pw$|pwd|psk|secret|credential|kennwort")
LIKELY = re.compile("token|auth|keys?$|pins?$|private|bearer")
WHO = re.compile("user|login|^client$")
PATHS = ("password_file", "passwordfile")
QUOTED = r"""\"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'"""
# The same in texts: all of the line is taken behind a sure word, and behind one that may mean something else a word.
SURE = r"pass(?!\w*_?file)(?:w\w*|phrase\w*|code\w*|\d*)|(?:pwd|psk|secret|credential|kennwort)\w*"
UNSURE = r"""(?:pw|pin|token|auth\w*|key)["']?\s*[:=]|(?:user\w*|login)(?:\s*=|["']\s*:)"""
WRITTEN = (
    re.compile(rf"""(\b\w*(?:{SURE})["']?\s*[:=]\s*)(?:{QUOTED}|[^\n]+)""", re.IGNORECASE),
    re.compile(rf"""(\b\w*(?:{UNSURE})\s*)(?:(?:basic|bearer|digest)\s+\S+|{QUOTED}|[^\s&]+)""", re.IGNORECASE),
)
IN_URL = re.compile(r"""(?<=://)\S*@|(?<![^\s"'=(<,])[^\s:/@"'=]+:(?!//)\S{1,300}@""")
WORDS_OF_OURS = frozenset({"kind", "move", "event", "game", "device", "state"})  # keys whose values are never names
MOST_FILES = 50  # beside the journal that are named
NO_MATCH = "There is no match.\n"
NO_LOG = "The system's log has nothing of it, or does not show it to this user: try it with sudo.\n"
ABOUT = """Made by `companion doctor --bundle` on {day}, to be handed to somebody who helps.

Look through it before you hand it on; everything is plain text.

findings.json       what the doctor says of each device
versions.json       the companion, Python, packages, the system, disk and memory
configuration.json  table.toml and preferences.json, without comments, passwords, and keys that they do not have
journal.json        how the journal is: sizes, number of matches and rows
match.json          the newest match, as `companion export` writes it
refused.json        the moves of that match that were refused
log.txt             what the system's log has of the table, the newest of it

Not in it: passwords, pictures, other matches. Players' names are {names}. Where they are to be replaced and nobody
knows them, for there is no journal or it cannot be read, match.json, refused.json and log.txt are left out.
"""


@dataclass(frozen=True, slots=True)
class BundleWish:
    """What the bundle is made from."""

    file: Path
    journal: Path
    configuration: Configuration
    names: bool = True  # players' names are in it


def write_bundle(wish: BundleWish, say: Callable[[str], None]) -> None:
    """Write it whole, or say in a sentence why it cannot be."""
    if not wish.file.name or wish.file.is_dir():
        raise CompanionError(f"{wish.file} is a folder: name a file in it, such as support.zip.")
    if wish.file.exists() and not zipfile.is_zipfile(wish.file):
        raise CompanionError(f"{wish.file} is there already and is no bundle: take another name, such as support.zip.")
    content = packed(dict(_parts(wish)))
    try:
        whole.write(wish.file, content)
    except OSError as error:
        raise CompanionError(f"{wish.file} cannot be written: {error.strerror or error}.") from None
    names = "with" if wish.names else "without"
    say(
        f"{wish.file}: {-(-len(content) // 1000)} kB, {names} players' names, without passwords; it was sent to nobody."
    )


def packed(parts: dict[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, text in parts.items():
            content = text.encode(errors="backslashreplace")
            if len(content) > PART:
                content = f"It is left out: it has {len(content)} bytes.\n".encode()
            opened.writestr(f"{FOLDER}/{name}", content)
    return file.getvalue()


def _parts(wish: BundleWish) -> Iterator[tuple[str, str]]:
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        history = History(wish.journal, Path(folder))
        clean = Cleaning(wish, history.names or ())
        today = datetime.now(UTC).isoformat(timespec="seconds")
        yield "README.txt", ABOUT.format(day=today, names="in it" if wish.names else "replaced")
        yield "findings.json", clean.data(plain(findings(wish.journal, wish.configuration)))
        yield "versions.json", clean.data(versions(wish.journal))
        yield "configuration.json", clean.data(configured(wish))
        yield "journal.json", clean.data(history.health())
        if wish.names or history.names is not None:
            yield "match.json", clean.match(history.match)
            yield "refused.json", clean.data(history.refused)
            yield "log.txt", clean.text(log())


# --- what must not be in it ------------------------------------------------------------------------------------


class Cleaning:
    """Takes out of texts and data what is nobody's business, the same everywhere."""

    def __init__(self, wish: BundleWish, names: Iterable[str]) -> None:
        self._nameless = Nameless(() if wish.names else names)
        self._instead = dict.fromkeys(_secrets(wish.configuration), REMOVED)
        with contextlib.suppress(RuntimeError):
            home = str(Path.home())
            if len(home) > 1:
                self._instead[home] = "~"
        host = socket.gethostname()
        if not wish.names and host.lower() not in PLAIN_HOSTS:
            self._instead[host] = "this-computer"

    def text(self, text: str) -> str:
        for word, instead in sorted(self._instead.items(), key=lambda pair: -len(pair[0])):
            text = text.replace(word, instead)
        text = IN_URL.sub(f"{REMOVED}@", text)
        for written in WRITTEN:
            text = written.sub(rf'\1"{REMOVED}"', text)
        return self._nameless.text(HOMES.sub("~", text))

    def data(self, value: Any) -> str:
        return json.dumps(self._value(value), ensure_ascii=False, indent=1) + "\n"

    def match(self, archive: str) -> str:
        """A match as it is exported: no name is a key in it, and whoever is called like one stays a player."""
        try:
            found = json.loads(archive)
        except ValueError:
            return archive
        return json.dumps(self._with_keys(found), ensure_ascii=False, indent=1) + "\n"

    def _with_keys(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: item if key in WORDS_OF_OURS and isinstance(item, str) else self._with_keys(item)
                for key, item in value.items()
            }
        return [*map(self._with_keys, value)] if isinstance(value, list) else self._value(value)

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(str(key)): self._of_key(key, item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(item) for item in value]
        return value if isinstance(value, bool | int | float | None) else self.text(str(value))

    def _of_key(self, key: object, value: Any) -> Any:
        is_table = isinstance(value, dict)  # such as [token] and [pins]
        if _says(SECRET, key) or (not is_table and (_says(LIKELY, key) or _says(WHO, key))):
            return REMOVED
        return value if key in WORDS_OF_OURS and isinstance(value, str) else self._value(value)


def _says(sort: re.Pattern[str], key: object) -> bool:
    """Whether a word of a key is of that sort: mqtt_password2, apiKey, psk."""
    words = re.findall("[a-z]+", re.sub("(?<=[a-z])(?=[A-Z])", "_", str(key)).lower())
    return str(key).lower() not in PATHS and any(map(sort.search, words))


def _secrets(configuration: Configuration) -> Iterator[str]:
    """Passwords to look for wherever they may have got to: from the file that holds one, whatever else is wrong with
    `[publish]`, and those that somebody has written into table.toml itself."""
    if configuration.file is None:
        return
    try:
        data = read_toml(configuration.file)[0]
    except CompanionError:
        return
    publish = data.get("publish")
    file = publish.get("password_file") if isinstance(publish, dict) else None
    found = list(_written_secrets(data))
    if isinstance(file, str) and file:
        with contextlib.suppress(CompanionError):
            found.append(password_of(Publish(password_file=str(configuration.file.parent / file))))
    yield from (one for one in found if len(one) >= SHORTEST)


def _written_secrets(value: Any, *, is_one: bool = False) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            is_likely = not isinstance(item, dict) and _says(LIKELY, key)
            yield from _written_secrets(item, is_one=is_one or is_likely or _says(SECRET, key))
    elif isinstance(value, list):
        for item in value:
            yield from _written_secrets(item, is_one=is_one)
    elif is_one and isinstance(value, str):
        yield value.strip()


# --- what is in it ---------------------------------------------------------------------------------------------


def versions(journal: Path) -> dict[str, Any]:
    return {
        "companion": __version__,
        "python": sys.version.split()[0],
        "sqlite": sqlite3.sqlite_version,
        "machine": {
            "model": _first(Path("/proc/device-tree/model")) or platform.machine(),
            "processors": os.cpu_count(),
            "kernel": platform.release(),
            "system": _os_release(),
        },
        "memory": _lines("/proc/meminfo", ("MemTotal", "MemAvailable", "SwapTotal")),
        "disk": _disk(journal.parent),
        "packages": {found.name: found.version for found in sorted(distributions(), key=lambda one: str(one.name))},
    }


def _first(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(200).decode(errors="replace").strip("\0\n ")
    except OSError:
        return ""


def _os_release() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        return platform.system()


def _lines(path: str, words: tuple[str, ...]) -> dict[str, str]:
    try:
        lines = Path(path).read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return {}
    return {name: rest.strip() for name, _, rest in (line.partition(":") for line in lines) if name in words}


def _disk(folder: Path) -> dict[str, int]:
    try:
        usage = shutil.disk_usage(folder)
    except OSError:
        return {}
    return {"total": usage.total, "free": usage.free}


def configured(wish: BundleWish) -> dict[str, Any]:
    """The files that say how the table is to be, read again: what is no TOML is left out, for it may say anything, and
    of what is TOML everything but the keys that such a file has, for somebody else's may have been named."""
    found: dict[str, Any] = {"file": str(wish.configuration.file or ""), "notices": list(wish.configuration.notices)}
    table, wired = wish.configuration.file, wish.configuration.wiring
    apart = wired if wired != table else None
    for name, path, keys in (("table", table, known()), ("wiring", apart, wiring.known(key_kinds()))):
        if path is not None:
            try:
                found[name] = _of_known(read_toml(path)[0], keys)
            except CompanionError:
                found[name] = "It cannot be read as TOML."
    preferences = wish.journal.with_name("preferences.json")
    with contextlib.suppress(OSError, ValueError, RecursionError):
        found["preferences"] = json.loads(plainfile.content(preferences, 65_536))
    return found


def _of_known(data: dict[str, Any], keys: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """What is said with keys that there are; of others only that they were there."""

    def told(name: str, table: Any) -> Any:
        if isinstance(table, list):
            return [told(name, one) for one in table]
        if name not in keys or not isinstance(table, dict):
            return UNKNOWN
        return {
            key: item if key in keys[name] and isinstance(item, str | bool | int | float) else UNKNOWN
            for key, item in table.items()
        }

    return {name: told(name, table) for name, table in data.items()}


class History:
    """The journal, looked at in a copy: the table may be writing it."""

    def __init__(self, journal: Path, folder: Path) -> None:
        self._journal = journal
        self._trouble = ""
        self._counted: dict[str, Any] = {}
        self.names: tuple[str, ...] | None = None  # None: they cannot be known
        self.match = NO_MATCH
        self.refused: list[str] = []
        try:
            must_be_readable(journal)
            if not journal.exists():
                self._trouble = "There is none."
                return
            copy = back_up(journal, folder, 1)
            self._count(copy)
            self._read(copy)
        except (CompanionError, sqlite3.Error) as error:
            self._trouble = str(error)

    def _count(self, copy: Path) -> None:
        with contextlib.closing(sqlite3.connect(copy)) as database:

            def ask(query: str) -> list[list[Any]]:
                return [list(row) for row in database.execute(query)]

            self._counted["version"] = ask("PRAGMA user_version")[0][0]
            self._counted["rows"] = {table: ask(f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}
            self._counted["matches"] = ask("SELECT game, status, count(*) FROM match GROUP BY 1, 2")
            self.names = tuple(str(name) for (name,) in ask("SELECT name FROM player UNION SELECT name FROM seat"))

    def _read(self, copy: Path) -> None:
        with Journal(copy) as journal:
            newest = journal.matches(most=1)
            if newest:
                self.refused = [sentence for _, _, sentence in journal.fouls(newest[0].code)]
                self.match = archived(journal.stored(newest[0].code), is_chained=False)

    def health(self) -> dict[str, Any]:
        """How the journal is, in numbers."""
        files = {path.name: _size(path) for path in _beside(self._journal)}
        return {"file": str(self._journal), "trouble": self._trouble, "files": files, **self._counted}


def _beside(journal: Path) -> list[Path]:
    """The journal, its log, and what was saved of an earlier one."""
    try:
        return sorted(path for path in journal.parent.iterdir() if path.name.startswith(f"{journal.stem}."))[
            :MOST_FILES
        ]
    except OSError:
        return []


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def log() -> str:
    """What the system's log has of the table's units."""
    found = [_of_units((), UNITS)]
    if os.geteuid() != 0:  # root's own session has no table
        found.append(_of_units(("--user",), UNITS_OF_A_SESSION))
    return "\n".join(filter(None, found)) or NO_LOG


def _of_units(whose: tuple[str, ...], units: tuple[str, ...]) -> str:
    program = shutil.which("journalctl")
    if program is None:
        return ""
    which = [*whose, *(f"--unit={unit}.service" for unit in units)]
    command = [program, *which, "--no-pager", "--quiet", "--no-hostname", "--output=short-iso", f"--lines={LINES}"]
    with tempfile.TemporaryFile() as kept:
        try:
            subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=kept, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
        size = kept.seek(0, io.SEEK_END)
        kept.seek(max(0, size - LOG))
        text = kept.read(LOG).decode(errors="replace")
    return text.partition("\n")[2] if size > LOG else text

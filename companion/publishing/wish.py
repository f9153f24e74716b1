"""What is asked for in `[publish]` of table.toml: which broker, under which name, and how it is trusted."""

import hashlib
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion.config.toml_file import toml
from companion.core import plainfile
from companion.core.errors import CompanionError, TooLargeError
from companion.core.sentence import N_
from companion.doctor.anonymous import Naming

PORT, TLS_PORT = 1883, 8883
MACHINE = Path("/etc/machine-id")
PLAIN_HOSTS = ("", "localhost", "companion", "raspberrypi")  # many a computer is called so
LONGEST_PASSWORD = 4096  # bytes
LONGEST_NAME = 64  # of a user or a client
LONGEST_TOPIC = 100
LARGEST = 1_000_000  # bytes of a table.toml
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f:.]{2,45}")
_TABLE = re.compile("[a-z0-9][a-z0-9_-]{0,31}")
_TOPIC = re.compile("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*")
_HARMLESS = re.compile(r"[\w ./#+$-]*")
_WORDS = {str: "text in quotes", int: "a whole number", bool: "true or false"}


class PublishError(CompanionError, ValueError):
    """Something in `[publish]` that cannot be; the message says what, and what can."""


@dataclass(frozen=True, slots=True)
class Publish:
    """Off unless it is switched on. A password is never kept here, only where it is read from."""

    on: bool = False
    host: str = ""  # of the broker: its name or address
    port: int = 0  # 0: the usual one
    tls: bool = True
    ca: str = ""  # a file: who signs the broker's certificate; none: whom this system trusts
    user: str = ""
    password_file: str = ""
    client: str = ""  # how the broker calls this table; none: companion- and its name
    topic: str = "companion"  # before the name of the table
    name: str = ""  # of the table; none: as this computer is called, told apart from others that are called alike
    discovery: bool = True  # Home Assistant is told what there is
    names: bool = True  # players are called by their names ...
    initials: bool = False  # ... or by their first letters
    thumbnails: bool = False  # the cards on the table go out as a small picture

    @property
    def where(self) -> tuple[str, int]:
        return self.host, self.port or (TLS_PORT if self.tls else PORT)

    @property
    def table(self) -> str:
        return self.name or _own_name()

    @property
    def naming(self) -> Naming:
        return "numbers" if not self.names else "initials" if self.initials else "whole"

    @property
    def client_id(self) -> str:
        return self.client or f"companion-{self.table}"


def read_publish(data: Mapping[str, Any], folder: Path = Path()) -> Publish:
    """The wish from a table of TOML, or a PublishError. A file is meant from the folder where the TOML lies."""
    known = {field.name: field.type for field in fields(Publish)}
    unknown = next((key for key in data if key not in known), "")
    if unknown:
        raise PublishError(f"[publish] {unknown[:40]!r}: there is no such setting; there are {', '.join(known)}.")
    for key, value in data.items():
        if type(value) is not known[key]:
            raise PublishError(f"[publish] {key} must be {_WORDS[known[key]]}.")  # type: ignore[index]
    files = {key: str(folder / data[key]) for key in ("ca", "password_file") if data.get(key)}
    return checked(Publish(**{**data, **files}))


def read_wish(file: Path) -> Publish:
    """`[publish]` of a table.toml that was named for this; whether it is switched on there does not matter."""
    try:
        found = toml(plainfile.text(file, LARGEST))
    except OSError as error:
        raise PublishError(f"{file} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError):
        raise PublishError(f"{file} is not TOML.") from None
    section = found.get("publish")
    if not isinstance(section, dict):
        raise PublishError(f"{file} has no table [publish], which names the broker.")
    return read_publish({**section, "on": True}, file.parent)


def checked(wish: Publish) -> Publish:
    """The same, if it makes sense."""
    for problem in (_of_broker(wish), _of_names(wish), _of_password(wish)):
        if problem:
            raise PublishError(f"[publish] {problem}")
    return wish


def _of_broker(wish: Publish) -> str:
    if wish.on and not wish.host:
        return "host: name the computer on which the broker runs."
    if wish.host and not _HOST.fullmatch(wish.host):
        return (
            "host: this is not a name or an address of a computer; port, user and password have settings of their own."
        )
    if not 0 <= wish.port <= 65_535:
        return "port must be from 1 to 65535, or 0 for the usual one."
    if wish.ca and not wish.tls:
        return "ca is for TLS: set tls = true."
    return ""


def _of_names(wish: Publish) -> str:
    if wish.name and not _TABLE.fullmatch(wish.name):
        return f"name: {_short(wish.name)} cannot be in a topic: take up to 32 small letters, digits, - and _."
    if len(wish.topic) > LONGEST_TOPIC or not _TOPIC.fullmatch(wish.topic):
        return f"topic: {_short(wish.topic)} is not one: take words of letters and digits with / between them."
    for key, text in (("user", wish.user), ("client", wish.client)):
        if len(text) > LONGEST_NAME or not text.isprintable():
            return f"{key}: {_short(text)} is not a name of at most {LONGEST_NAME} letters."
    return ""


def _of_password(wish: Publish) -> str:
    return "password_file needs a user, whose password it is." if wish.password_file and not wish.user else ""


def password_of(wish: Publish) -> str:
    """Read when it is needed, so that it can be changed at any time; of the file, the first line."""
    if not wish.password_file:
        return ""
    try:
        text = plainfile.text(Path(wish.password_file), LONGEST_PASSWORD).partition("\n")[0].removesuffix("\r")
    except TooLargeError:
        text = ""
    except (OSError, ValueError):
        raise PublishError(N_("The file with the password for the broker cannot be read.")) from None
    if not text:
        raise PublishError(N_("The file with the password for the broker has no password in its first line."))
    return text


def _own_name() -> str:
    """As this computer is called, as far as it can stand in a topic; where many are, with four letters of its own."""
    host = socket.gethostname().partition(".")[0].lower()
    name = re.sub("[^a-z0-9_-]", "-", host)[:32].lstrip("-_") or "table"
    return name + _letters() if host in PLAIN_HOSTS or name == "table" else name


def _letters() -> str:
    """The same on this computer as long as its system is not installed anew. What they are made from is told nobody."""
    try:
        content = MACHINE.read_bytes().strip()
    except OSError:
        return ""
    return "-" + hashlib.sha256(b"table companion " + content).hexdigest()[:4] if content else ""


def _short(text: str) -> str:
    """As it was written, if that is all it is: a whole address may have been put there, with a password in it."""
    return repr(text[:40]) if _HARMLESS.fullmatch(text) else "this"

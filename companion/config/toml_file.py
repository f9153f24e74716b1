"""A TOML file that people write: read whole, with the line of every key, so that a mistake can be pointed at."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core import plainfile
from companion.core.errors import CompanionError, TooLargeError

MOST_DOTS = 1000  # in a line
TOO_LARGE = 65_536  # bytes; what somebody writes for a table is a few lines

Check = Callable[[Any], str]  # what is wrong with a value; nothing if it is right
Keys = Mapping[str, tuple[type, Check]]


class HandwrittenError(CompanionError, ValueError):
    """The file cannot be read, or is no TOML: there is nothing in it to go by."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that cannot be so."""

    line: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}"


def read_toml(path: Path) -> "tuple[dict[str, Any], TomlPage]":
    """What the file says, and where in it."""
    text = _text(path)
    try:
        return toml(text), TomlPage(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a plain ValueError
        raise HandwrittenError(f"{path} is not TOML: {_plainly(str(error))}.") from None


def toml(text: str) -> dict[str, Any]:
    """What a text says; a ValueError or a RecursionError if it is no TOML."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:  # a key of as many parts takes as much memory as their square
            raise ValueError(f"line {number} has more than {MOST_DOTS} dots")
    return tomllib.loads(text)


def _text(path: Path) -> str:
    try:
        return plainfile.content(path, TOO_LARGE).decode("utf-8-sig").replace("\r\n", "\n")
    except TooLargeError:
        raise HandwrittenError(f"{path} is larger than {TOO_LARGE} bytes: that is nothing for a table.") from None
    except OSError as error:
        raise HandwrittenError(f"{path} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise HandwrittenError(f"{path} is not UTF-8 text.") from None


class TomlPage:
    """Where a key stands in the text."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, int, str], int] = {}
        table, counts = "", dict[str, int]()
        for number, line in enumerate(text.split("\n"), 1):
            if head := re.match(r"""\s*\[\[?\s*["']?([\w.-]+)["']?\s*\]""", line):
                table = head[1]
                counts[table] = counts.get(table, -1) + 1
                self._lines[table, counts[table], ""] = number
            elif key := re.match(r"""\s*["']?([\w-]+)["']?(?:\s*\.\s*([\w-]+))?[\w\s.-]*=""", line):
                self._note((table, counts.get(table, 0), key[1]), number)
                if not table:  # token.kind = "ring", or token = {kind = "ring"}
                    self._note((key[1], 0, key[2] or ""), number)

    def _note(self, place: tuple[str, int, str], number: int) -> None:
        self._lines.setdefault(place, number)

    def line(self, table: str, index: int, key: str = "") -> int:
        places = ((table, index, key), (table, index, ""), (table, 0, ""))
        return next((self._lines[place] for place in places if place in self._lines), 1)


# --- keys and their values -------------------------------------------------------------------------------------


def check_key(name: str, keys: Keys, key: str, value: Any, line: int) -> Iterator[Problem]:
    """What is wrong with a key of the table `[name]`: it is not known, not of its type, or not a value it can have."""
    if key not in keys:
        yield Problem(line, f"[{name}] has no key {shown(key)}; known are {', '.join(keys)}.")
        return
    kind, check = keys[key]
    if not (is_number(value) if kind is int else isinstance(value, kind)):
        yield Problem(line, f"{key} must be {_TYPES[kind]}.")
    elif wrong := check(value):
        yield Problem(line, f"{key}: {wrong}.")


_TYPES: dict[type, str] = {int: "a number", str: "text in quotes", bool: "true or false"}


def is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63  # TOML's own limit


def shown(key: str) -> str:
    return key if re.fullmatch(r"[\w-]{1,40}", key) else repr(key[:40])


def one_of(*allowed: str) -> Check:
    return lambda value: "" if value in allowed else f"{value[:40]!r} is not one of {', '.join(allowed)}"


def between(low: int, high: int) -> Check:
    return lambda value: "" if low <= value <= high else f"{value} is not between {low} and {high}"


def anything(_value: Any) -> str:
    return ""


def _plainly(error: str) -> str:
    """What Python's reader says, in the words of whoever has written the file."""
    twice = re.fullmatch(r"Cannot (?:declare|overwrite) \('(\w+)',\) twice \(at line (\d+), column \d+\)", error)
    if twice:
        return f"[{twice[1]}] stands there again in line {twice[2]}; each of several is a [[{twice[1]}]]"
    return f"{error[:1].lower()}{error[1:200]}"

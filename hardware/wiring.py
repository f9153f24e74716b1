"""What is wired to which pin: read from a TOML file, every mistake found at once and named by its line.

Pins are numbers of the chip's lines, which on a Pi are the BCM numbers (GPIO17 is 17), not places on the header.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware.arbiter import MICROSECOND, MILLISECOND, Settings
from hardware.exc import WiringError

DRIVERS = ("libgpiod", "lgpio", "simulated")
KINDS = ("ring", "single")
ON_HEADER = range(28)
RESERVED = {0: "the identity of a HAT", 1: "the identity of a HAT"}
MOST_SEATS = 8


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be wired so."""

    line: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Seat:
    """The pins of one seat."""

    button: int | None = None
    light: int | None = None
    tres: int | None = None
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Wiring:
    """Everything on pins."""

    driver: str = "libgpiod"
    chip: str = ""
    kind: str = "ring"
    button: int | None = None  # the big one, where there is only one
    light: int | None = None
    seats: tuple[Seat, ...] = ()
    turn: int | None = None
    stop: int | None = None
    status: int | None = None
    buzzer: int | None = None
    settings: Settings = field(default_factory=Settings)

    def must_seat(self, players: int) -> None:
        """There are buttons enough for so many players."""
        if self.kind == "ring" and players > len(self.seats):
            raise WiringError(f"{players} players and buttons for {len(self.seats)}: wire "
                              f"{players - len(self.seats)} more, or play with one big button (kind = \"single\").")


# What each table of the file may say: the key, the Python type, and a check that says what is wrong.
_Check = Callable[[Any], str]


def _pin(value: int) -> str:
    if value not in ON_HEADER:
        return f"there is no GPIO{value} on the header; it has 0 to 27"
    return f"GPIO{value} is reserved for {RESERVED[value]}" if value in RESERVED else ""


def _one_of(*allowed: str) -> _Check:
    return lambda value: "" if value in allowed else f"{value!r} is not one of {', '.join(allowed)}"


def _between(low: int, high: int) -> _Check:
    return lambda value: "" if low <= value <= high else f"{value} is not between {low} and {high}"


def _anything(_value: Any) -> str:
    return ""


_TABLES: dict[str, dict[str, tuple[type, _Check]]] = {
    "pins": {"driver": (str, _one_of(*DRIVERS)), "chip": (str, _anything)},
    "token": {"kind": (str, _one_of(*KINDS)), "button": (int, _pin), "light": (int, _pin),
              "window_ms": (int, _between(1, 500)), "margin_us": (int, _between(1, 10_000)),
              "bounce_ms": (int, _between(1, 500)), "stuck_after_ms": (int, _between(500, 60_000))},
    "seat": {"button": (int, _pin), "light": (int, _pin), "tres": (int, _pin), "turn": (int, _pin)},
    "table": {"turn": (int, _pin), "stop": (int, _pin), "status": (int, _pin), "buzzer": (int, _pin)},
}
_PIN_KEYS = ("button", "light", "tres", "turn", "stop", "status", "buzzer")


def read_wiring(path: Path) -> Wiring:
    """The wiring that a file describes; a WiringError names the first mistake and says how many there are."""
    wiring, problems = check_wiring(path)
    if problems:
        more = f" ({len(problems) - 1} more: `companion doctor buttons` shows them)" if len(problems) > 1 else ""
        raise WiringError(f"{path}, {problems[0]}{more}")
    return wiring


def check_wiring(path: Path) -> tuple[Wiring, list[Problem]]:
    """The wiring as far as it can be understood, and everything that is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise WiringError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise WiringError(f"{path} is not UTF-8 text.") from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WiringError(f"{path} is not TOML: {str(error)[:1].lower()}{str(error)[1:]}.") from None
    page = _Page(text)
    problems = [*_check_tables(data, page)]
    wiring = _wiring(data) if not problems else Wiring()
    if not problems:
        problems = [*_check_pins(data, page), *_check_seats(data, page)]
    return wiring, sorted(problems, key=lambda problem: problem.line)


class _Page:
    """Where a key stands in the text, so that a mistake can be pointed at."""

    def __init__(self, text: str) -> None:
        self._lines: dict[tuple[str, int, str], int] = {}
        table, counts = "", dict[str, int]()
        for number, line in enumerate(text.splitlines(), 1):
            if head := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]\]?", line):
                table = head[1]
                counts[table] = counts.get(table, -1) + 1
                self._lines[table, counts[table], ""] = number
            elif key := re.match(r"\s*([\w-]+)\s*=", line):
                self._lines.setdefault((table, counts.get(table, 0), key[1]), number)

    def line(self, table: str, index: int, key: str = "") -> int:
        return self._lines.get((table, index, key)) or self._lines.get((table, index, "")) or 1


def _tables(data: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    for name, value in data.items():
        for index, table in enumerate(value if isinstance(value, list) else [value]):
            yield name, index, table if isinstance(table, dict) else {}


def _check_tables(data: dict[str, Any], page: _Page) -> Iterator[Problem]:
    for name, value in data.items():
        is_table = isinstance(value, dict | list)
        if name not in _TABLES:
            yield Problem(page.line(name, 0) if is_table else page.line("", 0, name),
                          f"there is no table or key {name}; known are {', '.join(_TABLES)}.")
        elif isinstance(value, list) != (name == "seat") or not is_table:
            brackets = "[[seat]]" if name == "seat" else f"[{name}]"
            yield Problem(page.line(name, 0), f"{name} is written {brackets}.")
    for name, index, table in _tables({name: data[name] for name in data if name in _TABLES}):
        for key, value in table.items():
            yield from _check_key(name, key, value, page.line(name, index, key))


def _check_key(name: str, key: str, value: Any, line: int) -> Iterator[Problem]:
    known = _TABLES[name]
    if key not in known:
        yield Problem(line, f"[{name}] has no key {key}; known are {', '.join(known)}.")
        return
    kind, check = known[key]
    if not isinstance(value, kind) or isinstance(value, bool):
        yield Problem(line, f"{key} must be {'a number' if kind is int else 'text in quotes'}.")
    elif wrong := check(value):
        yield Problem(line, f"{key}: {wrong}.")


def _check_pins(data: dict[str, Any], page: _Page) -> Iterator[Problem]:
    """No pin twice."""
    used: dict[int, tuple[str, int]] = {}
    for name, index, table in _tables(data):
        for key in _PIN_KEYS:
            if key not in table:
                continue
            line = page.line(name, index, key)
            where = f"{name} {index + 1}'s {key}" if name == "seat" else key
            if table[key] in used:
                other, there = used[table[key]]
                yield Problem(line, f"GPIO{table[key]} is wired to {where} and, in line {there}, to {other}.")
            used.setdefault(table[key], (where, line))


def _check_seats(data: dict[str, Any], page: _Page) -> Iterator[Problem]:
    token, seats = data.get("token", {}), data.get("seat", [])
    if token.get("kind", "ring") == "single":
        if "button" not in token:
            yield Problem(page.line("token", 0, "kind"), "kind = \"single\" needs the button of the token.")
        for index, seat in enumerate(seats):
            if "button" in seat:
                yield Problem(page.line("seat", index, "button"),
                              "with kind = \"single\" a seat has no button of its own.")
        return
    for key in ("button", "light"):
        if key in token:
            yield Problem(page.line("token", 0, key), f"{key} of the token is for kind = \"single\"; in a ring each "
                                                      "[[seat]] has its own.")
    if not 2 <= len(seats) <= MOST_SEATS:
        yield Problem(page.line("seat", 0), f"a ring has 2 to {MOST_SEATS} seats, not {len(seats)}.")
    for index, seat in enumerate(seats):
        if "button" not in seat:
            light = " for its light" if "light" in seat else ""
            yield Problem(page.line("seat", index), f"seat {index + 1} has no button{light}.")


def _wiring(data: dict[str, Any]) -> Wiring:
    pins, token, table = (data.get(name, {}) for name in ("pins", "token", "table"))
    usual = Settings()
    settings = Settings(
        token.get("window_ms", usual.window // MILLISECOND) * MILLISECOND,
        token.get("margin_us", usual.margin // MICROSECOND) * MICROSECOND,
        token.get("bounce_ms", usual.bounce // MILLISECOND) * MILLISECOND,
        token.get("stuck_after_ms", usual.stuck_after // MILLISECOND) * MILLISECOND)
    return Wiring(pins.get("driver", "libgpiod"), pins.get("chip", ""), token.get("kind", "ring"), token.get("button"),
                  token.get("light"), tuple(Seat(**seat) for seat in data.get("seat", ())), **table, settings=settings)

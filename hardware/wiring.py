"""What is wired to which pin: read from a TOML file, every mistake found at once and named by its line.

Pins are numbers of the chip's lines, which on a Pi are the BCM numbers (GPIO17 is 17), not places on the header.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
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
TOO_LARGE = 65_536  # bytes; a wiring is a few lines

# Where each pin is on the header of 40: counted from 1 at the corner away from the USB sockets, odd numbers inside.
# fmt: off
PLACES = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# fmt: on


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
    written: Mapping[str, str] = field(default_factory=dict, compare=False)  # in which file and line: chip, seats

    def at_fault(self, what: str, sentence: str) -> str:
        """What turned out to be wrong later, with the line of the file that says so."""
        return f"{self.written[what]}: {sentence}" if what in self.written else sentence

    def must_seat(self, players: int) -> None:
        """There are buttons enough for so many players."""
        if self.kind == "ring" and players > len(self.seats):
            sentence = (
                f"{players} players and buttons for {len(self.seats)}: wire {players - len(self.seats)} more, "
                'or play with one big button (kind = "single").'
            )
            raise WiringError(self.at_fault("seats", sentence))


# What each table of the file may say: the key, the Python type, and a check that says what is wrong.
_Check = Callable[[Any], str]


def _pin(value: int) -> str:
    if value not in ON_HEADER:
        return f"there is no GPIO{value} on the header; it has 0 to 27"
    return f"GPIO{value} is reserved for {RESERVED[value]}" if value in RESERVED else ""


def _one_of(*allowed: str) -> _Check:
    return lambda value: "" if value in allowed else f"{value[:40]!r} is not one of {', '.join(allowed)}"


def _between(low: int, high: int) -> _Check:
    return lambda value: "" if low <= value <= high else f"{value} is not between {low} and {high}"


def _anything(_value: Any) -> str:
    return ""


_TABLES: dict[str, dict[str, tuple[type, _Check]]] = {
    "pins": {"driver": (str, _one_of(*DRIVERS)), "chip": (str, _anything)},
    "token": {
        "kind": (str, _one_of(*KINDS)),
        "button": (int, _pin),
        "light": (int, _pin),
        "window_ms": (int, _between(1, 500)),
        "margin_us": (int, _between(1, 10_000)),
        "bounce_ms": (int, _between(1, 500)),
        "stuck_after_ms": (int, _between(500, 60_000)),
    },
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
    """The wiring, and everything that is wrong with its file; with anything wrong the wiring is an empty one."""
    text = _text(path)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a plain ValueError
        raise WiringError(f"{path} is not TOML: {str(error)[:1].lower()}{str(error)[1:]}.") from None
    page = _Page(text)
    problems = [*_check_tables(data, page), *_check_pins(data, page), *_check_seats(data, page)]
    if problems:
        return Wiring(), sorted(problems, key=lambda problem: problem.line)
    written = {
        "chip": f"{path}, line {page.line('pins', 0, 'chip')}",
        "seats": f"{path}, line {page.line('seat', max(0, len(data.get('seat', ())) - 1))}",
    }
    return _wiring(data, written), []


def _text(path: Path) -> str:
    try:
        with path.open("rb") as opened:
            content = opened.read(TOO_LARGE + 1)
    except (OSError, ValueError) as error:  # a ValueError for a name that cannot be one
        raise WiringError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}.") from None
    if len(content) > TOO_LARGE:
        raise WiringError(f"{path} is larger than {TOO_LARGE} bytes: that is no wiring.")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise WiringError(f"{path} is not UTF-8 text.") from None


class _Page:
    """Where a key stands in the text, so that a mistake can be pointed at."""

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


def _tables(data: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The known tables that are tables, whatever is in them."""
    for name, value in data.items():
        for index, table in enumerate(value if isinstance(value, list) else [value]):
            if name in _TABLES and isinstance(table, dict):
                yield name, index, table


def _check_tables(data: dict[str, Any], page: _Page) -> Iterator[Problem]:
    for name, value in data.items():
        if name not in _TABLES:
            yield Problem(
                page.line(name, 0), f"there is no table or key {_shown(name)}; known are {', '.join(_TABLES)}."
            )
        elif not _is_written_right(name, value):
            yield Problem(page.line(name, 0), f"{name} is written {'[[seat]]' if name == 'seat' else f'[{name}]'}.")
    for name, index, table in _tables(data):
        for key, value in table.items():
            yield from _check_key(name, key, value, page.line(name, index, key))


def _is_written_right(name: str, value: Any) -> bool:
    if name == "seat":
        return isinstance(value, list) and all(isinstance(seat, dict) for seat in value)
    return isinstance(value, dict)


def _check_key(name: str, key: str, value: Any, line: int) -> Iterator[Problem]:
    known = _TABLES[name]
    if key not in known:
        yield Problem(line, f"[{name}] has no key {_shown(key)}; known are {', '.join(known)}.")
        return
    kind, check = known[key]
    if not (_is_number(value) if kind is int else isinstance(value, kind)):
        yield Problem(line, f"{key} must be {'a number' if kind is int else 'text in quotes'}.")
    elif wrong := check(value):
        yield Problem(line, f"{key}: {wrong}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63  # TOML's own limit


def _shown(key: str) -> str:
    return key if re.fullmatch(r"[\w-]{1,40}", key) else repr(key[:40])


def _check_pins(data: dict[str, Any], page: _Page) -> Iterator[Problem]:
    """No pin twice."""
    wired = []
    for name, index, table in _tables(data):
        for key in _PIN_KEYS:
            pin: Any = table.get(key)
            if key in _TABLES[name] and _is_number(pin):
                where = {"seat": f"seat {index + 1}'s {key}", "token": f"the token's {key}"}.get(name, key)
                wired.append((page.line(name, index, key), pin, where))
    used: dict[int, tuple[str, int]] = {}
    for line, pin, where in sorted(wired):
        if pin in used:
            other, there = used[pin]
            yield Problem(line, f"GPIO{pin} is wired to {where} and, in line {there}, to {other}.")
        used.setdefault(pin, (where, line))


def _check_seats(data: dict[str, Any], page: _Page) -> Iterator[Problem]:
    token = next((table for name, _, table in _tables(data) if name == "token"), {})
    seats = [(index, seat) for name, index, seat in _tables(data) if name == "seat"]
    if len(seats) > MOST_SEATS:
        yield Problem(page.line("seat", MOST_SEATS), f"there are at most {MOST_SEATS} seats, not {len(seats)}.")
    match token.get("kind", "ring"):
        case "single":
            yield from _check_single(token, seats, page)
        case "ring":
            yield from _check_ring(token, seats, page)


def _check_single(token: dict[str, Any], seats: list[tuple[int, dict[str, Any]]], page: _Page) -> Iterator[Problem]:
    if "button" not in token:
        yield Problem(page.line("token", 0, "kind"), 'kind = "single" needs the button of the token.')
    for index, seat in seats:
        for key in ("button", "light"):
            if key in seat:
                yield Problem(page.line("seat", index, key), f'with kind = "single" a seat has no {key} of its own.')


def _check_ring(token: dict[str, Any], seats: list[tuple[int, dict[str, Any]]], page: _Page) -> Iterator[Problem]:
    for key in ("button", "light"):
        if key in token:
            yield Problem(
                page.line("token", 0, key),
                f'{key} of the token is for kind = "single"; in a ring each [[seat]] has its own.',
            )
    if len(seats) < 2:
        yield Problem(page.line("seat", 0), f"a ring has 2 to {MOST_SEATS} seats, not {len(seats)}.")
    for index, seat in seats:
        if "button" not in seat:
            light = " for its light" if "light" in seat else ""
            yield Problem(page.line("seat", index), f"seat {index + 1} has no button{light}.")


def _wiring(data: dict[str, Any], written: dict[str, str]) -> Wiring:
    pins, token, table = (data.get(name, {}) for name in ("pins", "token", "table"))
    usual = Settings()
    settings = Settings(
        token.get("window_ms", usual.window // MILLISECOND) * MILLISECOND,
        token.get("margin_us", usual.margin // MICROSECOND) * MICROSECOND,
        token.get("bounce_ms", usual.bounce // MILLISECOND) * MILLISECOND,
        token.get("stuck_after_ms", usual.stuck_after // MILLISECOND) * MILLISECOND,
    )
    return Wiring(
        pins.get("driver", "libgpiod"),
        pins.get("chip", ""),
        token.get("kind", "ring"),
        token.get("button"),
        token.get("light"),
        tuple(Seat(**seat) for seat in data.get("seat", ())),
        **table,
        settings=settings,
        written=written,
    )

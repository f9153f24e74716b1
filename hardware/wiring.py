"""What is wired to which pin: read from a TOML file, every mistake found at once and named by its line.

Pins are numbers of the chip's lines, which on a Pi are the BCM numbers (GPIO17 is 17), not places on the header.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion.config.toml_file import (
    HandwrittenError,
    Keys,
    Problem,
    TomlPage,
    anything,
    between,
    check_key,
    is_number,
    one_of,
    read_toml,
    shown,
)
from hardware.contact import MICROSECOND, MILLISECOND, Settings
from hardware.pin_errors import WiringError

DRIVERS = ("libgpiod", "lgpio", "simulated")
KINDS = ("ring", "single")
ON_HEADER = range(28)
RESERVED = {0: "the identity of a HAT", 1: "the identity of a HAT"}
MOST_SEATS = 8
MOST_SHORTEST = 15  # milliseconds; a quick finger is down for hardly longer

# Where each pin is on the header of 40: counted from 1 at the corner away from the USB sockets, odd numbers inside.
# fmt: off
PLACES = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21, 25: 22, 11: 23,
    8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40,
}
# fmt: on


class KeyKind(Protocol):
    """A kind of button beside the token: the word that stands for it in the file, and where one may be wired."""

    @property
    def name(self) -> str: ...
    @property
    def at_seats(self) -> bool: ...
    @property
    def at_table(self) -> bool: ...


Kinds = Sequence[KeyKind]


@dataclass(frozen=True, slots=True)
class Seat:
    """The pins of one seat."""

    button: int | None = None
    light: int | None = None
    keys: Mapping[str, int] = field(default_factory=dict)  # the pin of each other kind


@dataclass(frozen=True, slots=True)
class Wiring:
    """Everything on pins."""

    driver: str = "libgpiod"
    chip: str = ""
    kind: str = "ring"
    button: int | None = None  # the big one, where there is only one
    light: int | None = None
    seats: tuple[Seat, ...] = ()
    keys: Mapping[str, int] = field(default_factory=dict)  # the table's own, by their kinds
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


def _pin(value: int) -> str:
    if value not in ON_HEADER:
        return f"there is no GPIO{value} on the header; it has 0 to 27"
    return f"GPIO{value} is reserved for {RESERVED[value]}" if value in RESERVED else ""


# What each table of the file may say: the key, the Python type, and a check that says what is wrong.
_USUAL: dict[str, Keys] = {
    "pins": {"driver": (str, one_of(*DRIVERS)), "chip": (str, anything)},
    "token": {
        "kind": (str, one_of(*KINDS)),
        "button": (int, _pin),
        "light": (int, _pin),
        "window_ms": (int, between(1, 500)),
        "margin_us": (int, between(1, 10_000)),
        "bounce_ms": (int, between(1, 500)),
        "stuck_after_ms": (int, between(500, 60_000)),
        "shortest_ms": (int, between(0, MOST_SHORTEST)),
        "double_ms": (int, between(0, 2_000)),
    },
    "seat": {"button": (int, _pin), "light": (int, _pin)},
    "table": {"status": (int, _pin), "buzzer": (int, _pin)},
}
TABLES = tuple(_USUAL)


def _known_tables(kinds: Kinds) -> dict[str, Keys]:
    """The same with the kinds of buttons that there are."""
    at_seats: Keys = {kind.name: (int, _pin) for kind in kinds if kind.at_seats}
    at_table: Keys = {kind.name: (int, _pin) for kind in kinds if kind.at_table}
    return {**_USUAL, "seat": {**_USUAL["seat"], **at_seats}, "table": {**at_table, **_USUAL["table"]}}


def known(kinds: Kinds) -> dict[str, tuple[str, ...]]:
    """The keys of each table that a wiring has."""
    return {name: tuple(keys) for name, keys in _known_tables(kinds).items()}


ELSEWHERE = (
    "screen",
    "camera",
    "journal",
    "wiring",
    "backup",
    "publish",
    "board",
)  # tables of companion/config/table_file.py
_PIN_KEYS = ("button", "light", "status", "buzzer")


def read_wiring(path: Path, kinds: Kinds) -> Wiring:
    """The wiring that a file describes; a WiringError names the first mistake and says how many there are."""
    wiring, problems = check_wiring(path, kinds)
    if problems:
        more = f" ({len(problems) - 1} more: `companion doctor buttons` shows them)" if len(problems) > 1 else ""
        raise WiringError(f"{path}, {problems[0]}{more}")
    return wiring


def check_wiring(path: Path, kinds: Kinds) -> tuple[Wiring, list[Problem]]:
    """The wiring, and everything that is wrong with its file; with anything wrong the wiring is an empty one. `kinds`
    are the buttons beside the token that the file may name."""
    tables = _known_tables(kinds)
    try:
        data, page = read_toml(path)
    except HandwrittenError as error:
        raise WiringError(str(error)) from None
    problems = [
        *_check_tables(data, page, tables),
        *_check_pins(data, page, kinds),
        *_check_times(data, page),
        *_check_seats(data, page),
    ]
    if problems:
        return Wiring(), sorted(problems, key=lambda problem: problem.line)
    written = {
        "chip": f"{path}, line {page.line('pins', 0, 'chip')}",
        "seats": f"{path}, line {page.line('seat', max(0, len(data.get('seat', ())) - 1))}",
    }
    return _wiring(data, written, kinds), []


def _tables(data: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The known tables that are tables, whatever is in them."""
    for name, value in data.items():
        for index, table in enumerate(value if isinstance(value, list) else [value]):
            if name in TABLES and isinstance(table, dict):
                yield name, index, table


def _check_tables(data: dict[str, Any], page: TomlPage, tables: dict[str, Keys]) -> Iterator[Problem]:
    for name, value in data.items():
        if name in ELSEWHERE:
            continue  # said by whoever reads that
        if name not in TABLES:
            yield Problem(page.line(name, 0), f"there is no table or key {shown(name)}; known are {', '.join(TABLES)}.")
        elif not _is_written_right(name, value):
            yield Problem(page.line(name, 0), f"{name} is written {'[[seat]]' if name == 'seat' else f'[{name}]'}.")
    for name, index, table in _tables(data):
        for key, value in table.items():
            yield from check_key(name, tables[name], key, value, page.line(name, index, key))


def _is_written_right(name: str, value: Any) -> bool:
    if name == "seat":
        return isinstance(value, list) and all(isinstance(seat, dict) for seat in value)
    return isinstance(value, dict)


def _check_pins(data: dict[str, Any], page: TomlPage, kinds: Kinds) -> Iterator[Problem]:
    """No pin twice."""
    wired, tables = [], _known_tables(kinds)
    for name, index, table in _tables(data):
        for key in (*_PIN_KEYS, *(kind.name for kind in kinds)):
            pin: Any = table.get(key)
            if key in tables[name] and is_number(pin):
                where = {"seat": f"seat {index + 1}'s {key}", "token": f"the token's {key}"}.get(name, key)
                wired.append((page.line(name, index, key), pin, where))
    used: dict[int, tuple[str, int]] = {}
    for line, pin, where in sorted(wired):
        if pin in used:
            other, there = used[pin]
            yield Problem(line, f"GPIO{pin} is wired to {where} and, in line {there}, to {other}.")
        used.setdefault(pin, (where, line))


def _check_times(data: dict[str, Any], page: TomlPage) -> Iterator[Problem]:
    """What may be a spike is known before the window is over."""
    token = next((table for name, _, table in _tables(data) if name == "token"), {})
    shortest, window = token.get("shortest_ms", 0), token.get("window_ms", Settings().window // MILLISECOND)
    if is_number(shortest) and is_number(window) and 0 < window <= shortest <= MOST_SHORTEST:
        line = page.line("token", 0, "shortest_ms")
        yield Problem(line, f"shortest_ms ({shortest}) must be less than window_ms ({window}).")


def _check_seats(data: dict[str, Any], page: TomlPage) -> Iterator[Problem]:
    token = next((table for name, _, table in _tables(data) if name == "token"), {})
    seats = [(index, seat) for name, index, seat in _tables(data) if name == "seat"]
    if len(seats) > MOST_SEATS:
        yield Problem(page.line("seat", MOST_SEATS), f"there are at most {MOST_SEATS} seats, not {len(seats)}.")
    match token.get("kind", "ring"):
        case "single":
            yield from _check_single(token, seats, page)
        case "ring":
            yield from _check_ring(token, seats, page)


def _check_single(token: dict[str, Any], seats: list[tuple[int, dict[str, Any]]], page: TomlPage) -> Iterator[Problem]:
    if "button" not in token:
        yield Problem(page.line("token", 0, "kind"), 'kind = "single" needs the button of the token.')
    for index, seat in seats:
        for key in ("button", "light"):
            if key in seat:
                yield Problem(page.line("seat", index, key), f'with kind = "single" a seat has no {key} of its own.')


def _check_ring(token: dict[str, Any], seats: list[tuple[int, dict[str, Any]]], page: TomlPage) -> Iterator[Problem]:
    for key in ("button", "light"):
        if key in token:
            yield Problem(
                page.line("token", 0, key),
                f'{key} of the token is for kind = "single"; in a ring each [[seat]] has its own.',
            )
    if len(seats) < 2:
        said = f"a ring has 2 to {MOST_SEATS} seats, not {len(seats)}; each is a [[seat]]."
        yield Problem(page.line("seat", 0), said)
    for index, seat in seats:
        if "button" not in seat:
            light = " for its light" if "light" in seat else ""
            yield Problem(page.line("seat", index), f"seat {index + 1} has no button{light}.")


def _wiring(data: dict[str, Any], written: dict[str, str], kinds: Kinds) -> Wiring:
    pins, token, table = (data.get(name, {}) for name in ("pins", "token", "table"))
    usual = Settings()
    settings = Settings(
        token.get("window_ms", usual.window // MILLISECOND) * MILLISECOND,
        token.get("margin_us", usual.margin // MICROSECOND) * MICROSECOND,
        token.get("bounce_ms", usual.bounce // MILLISECOND) * MILLISECOND,
        token.get("stuck_after_ms", usual.stuck_after // MILLISECOND) * MILLISECOND,
        token.get("shortest_ms", usual.shortest // MILLISECOND) * MILLISECOND,
        token.get("double_ms", usual.double // MILLISECOND) * MILLISECOND,
    )
    return Wiring(
        pins.get("driver", "libgpiod"),
        pins.get("chip", ""),
        token.get("kind", "ring"),
        token.get("button"),
        token.get("light"),
        tuple(Seat(seat.get("button"), seat.get("light"), _of(seat, kinds)) for seat in data.get("seat", ())),
        _of(table, kinds),
        table.get("status"),
        table.get("buzzer"),
        settings,
        written,
    )


def _of(table: dict[str, int], kinds: Kinds) -> dict[str, int]:
    """The pins of those kinds in a table of the file."""
    return {kind.name: table[kind.name] for kind in kinds if kind.name in table}

"""What there is to watch: a camera, files, a recording, the simulated table; and what each knows of its match."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.core.codec import read, read_optional, reader_of
from companion.core.errors import CompanionError, MalformedError
from vision.calibration import read_settings
from vision.frames import Source
from vision.recording import Recording
from vision.sources import open_source

SIMULATED = re.compile(r"simulated(?::(\d{1,18}))?")
LIVE = re.compile(r"(camera|webcam)(:.*)?|/dev/.*", re.DOTALL)
SCRIPT = ".json"
SEED = 3


@dataclass(frozen=True, slots=True)
class TimedMessage:
    """A message of a script or a recording, as it stands there: it comes at a stamp, or after so many frames."""

    message: dict[str, Any]
    at: int
    after: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a source knows of the match that is played before it; nothing, if it says nothing."""

    game: str = ""
    players: tuple[str, ...] = ()
    house: dict[str, Any] = field(default_factory=dict)
    deals: tuple[int, ...] = ()
    seats: tuple[str, ...] = ()
    mat: bool = True
    began: int | None = None  # the stamp at which the match began, if not with the first frame


@dataclass(frozen=True, slots=True, eq=False)
class Showing:
    """An open source, and what is known of it beforehand."""

    name: str
    source: Source
    is_live: bool = False
    again: Callable[[], Source] | None = None  # opens a live one once more
    comes_back: bool = False  # when it fails, more frames can be asked for
    known: Known = Known()
    cues: tuple[TimedMessage, ...] = ()
    truth: Callable[[], dict[str, Any]] | None = None  # where somebody knows what really happens


def shown(name: str, settings: Path | None = None, game: str = "") -> Showing:
    """What somebody names, open; a sentence if it cannot be. Bots play the game that is named, if they can."""
    match = SIMULATED.fullmatch(name)
    if match or name.endswith(SCRIPT):
        from companion.watch import simulated_source  # noqa: PLC0415  (a table with a camera needs no simulator)

        seed = int(match[1] or SEED) if match else None
        return simulated_source.of_script(name) if seed is None else simulated_source.of_bots(name, seed, game)
    if name.startswith("simulated:"):
        raise CompanionError(
            f"{name[:60]!r} names no simulated table: write simulated, or simulated:7 for another match."
        )
    kept = read_settings(settings) if settings else None
    source = open_source(name, settings=kept)
    if isinstance(source, Recording):
        return _recorded(name, source)
    is_live = LIVE.fullmatch(name) is not None
    return Showing(name, source, is_live, (lambda: open_source(name, settings=kept)) if is_live else None)


# --- a recording -----------------------------------------------------------------------------------------------


def _recorded(name: str, recording: Recording) -> Showing:
    try:
        known = known_of(recording.told, mat=recording.told.get("mat") is not False)
    except CompanionError as error:
        raise CompanionError(f"{name}/about.json: {error}") from None
    cues = tuple(TimedMessage(heard.message, heard.at, heard.after) for heard in recording.said())
    return Showing(name, recording, known=known, cues=cues)


def known_of(about: dict[str, Any], *, mat: bool) -> Known:
    """What matters here of what a script or a recording says of itself."""
    seats = about.get("seats") or []
    seats = list(seats.values()) if isinstance(seats, dict) else seats  # of a script: each player's
    house = about.get("house") or {}
    if not isinstance(house, dict):
        raise MalformedError("house must be an object.")
    return Known(
        read(str, about.get("game") or "", "game"),
        _texts(about.get("players") or [], "players"),
        house,
        _numbers(about.get("deals") or [], "deals"),
        _texts(seats, "seats"),
        mat,
        read_optional(int, about.get("began"), "began"),
    )


def _texts(data: Any, where: str) -> tuple[str, ...]:
    found: tuple[str, ...] = reader_of(tuple[str, ...])(data, where)
    return found


def _numbers(data: Any, where: str) -> tuple[int, ...]:
    found: tuple[int, ...] = reader_of(tuple[int, ...])(data, where)
    return found

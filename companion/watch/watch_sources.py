"""What there is to watch: a camera, files, a recording, the simulated table; and what each knows of its match."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import plainfile
from companion.codec import parsed, plain, read, read_optional, reader_of
from companion.exc import CompanionError, MalformedError, TooLargeError
from companion.eyes import packages

if TYPE_CHECKING:
    from vision.frames import Source
    from vision.simulated.script import Script

SIMULATED = re.compile(r"simulated(?::(\d{1,18}))?")
LIVE = re.compile(r"(camera|webcam)(:.*)?|/dev/.*", re.DOTALL)
SCRIPT = ".json"
LARGEST = 8_000_000  # bytes of a script, which has twenty thousand; read JSON takes twenty times its room
SEED = 3


@dataclass(frozen=True, slots=True)
class Cue:
    """A message that is not typed: it comes at a stamp, or after so many frames of a recording."""

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
    source: "Source"
    is_live: bool = False
    again: "Callable[[], Source] | None" = None  # opens a live one once more
    comes_back: bool = False  # when it fails, more frames can be asked for
    known: Known = Known()
    cues: tuple[Cue, ...] = ()
    truth: Callable[[], dict[str, Any]] | None = None  # where somebody knows what really happens


def shown(name: str, settings: Path | None = None) -> Showing:
    """What somebody names, open; a sentence if it cannot be."""
    with packages():
        from vision.calibration import read_settings  # noqa: PLC0415
        from vision.recording import Recording  # noqa: PLC0415
        from vision.sources import open_source  # noqa: PLC0415
    if match := SIMULATED.fullmatch(name):
        return _simulated(name, int(match[1] or SEED))
    if name.startswith("simulated:"):
        raise CompanionError(
            f"{name[:60]!r} names no simulated table: write simulated, or simulated:7 for another match."
        )
    if name.endswith(SCRIPT):
        return _of_script(name, _read_script(Path(name)))
    kept = read_settings(settings) if settings else None
    source = open_source(name, settings=kept)
    if isinstance(source, Recording):
        return _recorded(name, source)
    is_live = LIVE.fullmatch(name) is not None
    return Showing(name, source, is_live, (lambda: open_source(name, settings=kept)) if is_live else None)


# --- the simulated table ---------------------------------------------------------------------------------------


def _simulated(name: str, seed: int) -> Showing:
    with packages():
        from companion.bots.hands import write_script  # noqa: PLC0415
    return _of_script(name, write_script(seed))


def _read_script(path: Path) -> "Script":
    from companion.bots.hands import read_script  # noqa: PLC0415

    try:
        content = plainfile.content(path, LARGEST)
    except FileNotFoundError:
        raise CompanionError(f"There is no file {path}.") from None
    except TooLargeError:
        raise CompanionError(f"{path} is too large to be a script of the simulated table.") from None
    except OSError as error:
        raise CompanionError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        return read_script(parsed(content))
    except CompanionError as error:
        raise CompanionError(f"{path} is no script of the simulated table: {error}") from None


def _of_script(name: str, script: "Script") -> Showing:
    with packages():
        from vision.simulated.table import SimulatedTable  # noqa: PLC0415
    try:
        known = _known(script.about, mat=script.mat is not None)
    except CompanionError as error:
        raise CompanionError(f"{name}, about: {error}") from None
    cues = tuple(Cue(dict(said.message), said.at) for said in script.said)
    return Showing(name, SimulatedTable(script), comes_back=True, known=known, cues=cues, truth=lambda: _truth(script))


def _truth(script: "Script") -> dict[str, Any]:
    """The script, and what it comes to as far as the bots' rules can tell."""
    from companion.bots.hands import plays_of, script_plain  # noqa: PLC0415

    try:
        plays = plain(plays_of(script))
    except (CompanionError, ValueError, KeyError):  # of a script that is no match, or that people interrupt
        plays = None
    return {"script": script_plain(script), "plays": plays}


# --- a recording -----------------------------------------------------------------------------------------------


def _recorded(name: str, recording: Any) -> Showing:
    try:
        known = _known(recording.told, mat=recording.told.get("mat") is not False)
    except CompanionError as error:
        raise CompanionError(f"{name}/about.json: {error}") from None
    cues = tuple(Cue(heard.message, heard.at, heard.after) for heard in recording.said())
    return Showing(name, recording, known=known, cues=cues)


def _known(about: dict[str, Any], *, mat: bool) -> Known:
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

"""The simulated table as something to watch: a match of bots, or a script of what happens."""

from pathlib import Path
from typing import Any

from companion.core import plainfile
from companion.core.codec import parsed, plain
from companion.core.errors import CompanionError, TooLargeError
from companion.games import having, part
from companion.watch.watch_sources import Showing, TimedMessage, known_of
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import GameScripts, Script

LARGEST = 8_000_000  # bytes of a script, which has twenty thousand; read JSON takes twenty times its room


def _scripts(game: Any) -> GameScripts:
    """Of the game that is played at the simulated table; of the first one where none is named that can be."""
    played = having("hands")
    return part(game if game in played else played[0], "hands", GameScripts)


def of_bots(name: str, seed: int, game: str = "") -> Showing:
    """A match that bots play; another number, another match."""
    return _played(name, _scripts(game).write(seed))


def of_script(name: str) -> Showing:
    """What the file of that name says."""
    return _played(name, _read_script(Path(name)))


def _read_script(path: Path) -> Script:
    try:
        content = plainfile.content(path, LARGEST)
    except FileNotFoundError:
        raise CompanionError(f"There is no file {path}.") from None
    except TooLargeError:
        raise CompanionError(f"{path} is too large to be a script of the simulated table.") from None
    except OSError as error:
        raise CompanionError(f"{path} cannot be read: {error.strerror}.") from None
    try:
        data = parsed(content)
        return _scripts(_game_of(data)).read(data)
    except CompanionError as error:
        raise CompanionError(f"{path} is no script of the simulated table: {error}") from None


def _game_of(data: Any) -> Any:
    about = data.get("about") if isinstance(data, dict) else None
    return about.get("game") if isinstance(about, dict) else None


def _played(name: str, script: Script) -> Showing:
    try:
        known = known_of(script.about, mat=script.mat is not None)
    except CompanionError as error:
        raise CompanionError(f"{name}, about: {error}") from None
    cues = tuple(TimedMessage(dict(said.message), said.at) for said in script.said)
    return Showing(name, SimulatedTable(script), comes_back=True, known=known, cues=cues, truth=lambda: _truth(script))


def _truth(script: Script) -> dict[str, Any]:
    """The script, and what it comes to as far as the bots' rules can tell."""
    scripts = _scripts(script.about.get("game"))
    try:
        plays = plain(scripts.plays(script))
    except (CompanionError, ValueError, KeyError):  # of a script that is no match, or that people interrupt
        plays = None
    return {"script": scripts.plain(script), "plays": plays}

"""The games. Each is a package of its own, and everything else knows it by its `Game` and by the parts that it has.

`docs/add-a-game.md` tells which parts there are. A part is a file of the package with one constant of the same name:
`buttons.py` has BUTTONS. Who uses a part says of which class it is, and what holds for a game without it.
"""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeVar

from companion.core.errors import CompanionError
from companion.core.rules import Game

# The registry: where the package of each game is, in the order in which they are offered.
NAMES = {name: f"companion.games.{name}" for name in ("three", "triple3", "tres", "triplexity", "threepia")}

P = TypeVar("P")


def game(name: str) -> Game:
    """The game of that name, loaded when it is asked for."""
    if name not in NAMES:
        raise CompanionError(f"There is no game '{name}'; the games are {', '.join(NAMES)}.")
    found = import_module(f"{NAMES[name]}.rules").GAME
    assert isinstance(found, Game)
    return found


def part(name: str, room: str, kind: type[P]) -> P:
    """A part of a game, loaded when it is asked for: `kind()` where the package has no such file."""
    package = NAMES.get(name)
    found = _constant(package, room) if package else None
    if found is None:
        return kind()
    assert isinstance(found, kind), f"{package}.{room} is no {kind.__name__}"
    return found


def has(name: str, room: str) -> bool:
    """Whether a game has such a part; it is not loaded for that."""
    return name in NAMES and _is_there(NAMES[name], room)


def title_of_game(name: str) -> str:
    """As its box has it; of a game that is not here the name itself."""
    return game(name).title if name in NAMES else name[:40]


def having(room: str) -> tuple[str, ...]:
    """The games that have such a part."""
    return tuple(name for name in NAMES if has(name, room))


def load(room: str) -> None:
    """That part of every game that has it, before anybody waits for it."""
    for name in having(room):
        import_module(f"{NAMES[name]}.{room}")


@cache
def _is_there(package: str, room: str) -> bool:
    return find_spec(f"{package}.{room}") is not None


@cache
def _constant(package: str, room: str) -> Any:
    if not _is_there(package, room):
        return None
    return getattr(import_module(f"{package}.{room}"), room.upper())

"""The screens, one file each: a function from what there is to see to what is drawn."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from companion.display.scene import Scene
from companion.display.view import View

# A screen that nothing leads back from is where the table stands; "table" is the game's own, if it has one,
# and how a round ended.
SCREENS = {
    "games": "games",
    "players": "players",
    "name": "name",
    "seat": "seat",
    "house": "house",
    "rules": "rules",
    "table": "anygame",
    "table-three": "three",
    "table-threepia": "threepia",
    "table-tres": "tres",
    "table-triple3": "triple3",
    "table-triplexity": "triplexity",
    "table-round": "round",
    "dispute": "dispute",
    "question": "question",
    "moves": "moves",
    "result": "result",
    "sheet": "sheet",
    "menu": "menu",
    "settings": "settings",
    "camera": "camera",
    "history": "history",
    "match": "match",
    "replay": "replay",
    "statistics": "statistics",
    "player": "statistics",
    "doctor": "doctor",
}


def scene(view: View) -> Scene:
    """The scene of the screen that the view is on."""
    return _scene_of(module_of(view))(view)


def module_of(view: View) -> str:
    """The file of a screen; the table of a game without one of its own is the table of any game."""
    if view.shows_round:
        return SCREENS["table-round"]
    if view.screen == "table" and view.seen is not None:
        return SCREENS.get(f"table-{view.seen.setup.game}", SCREENS["table"])
    return SCREENS[view.screen]


@cache
def _scene_of(module: str) -> Callable[[View], Scene]:
    found: Callable[[View], Scene] = import_module(f"companion.display.screens.{module}").scene
    return found

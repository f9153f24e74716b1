"""The screens, one file each: a function from what there is to see to what is drawn."""

from collections.abc import Callable
from functools import cache
from importlib import import_module

from companion.display.scene import Scene
from companion.display.view import View

Draws = Callable[[View], Scene]

# A screen that nothing leads back from is where the table stands; "table" and "dispute" are the game's own, if it has
# them, and a round that is over is another table.
SCREENS = {
    "games": "games",
    "players": "players",
    "name": "name",
    "seat": "seat",
    "house": "house_rules",
    "rules": "rule_pages",
    "table": "anygame",
    "table-round": "round",
    "dispute": "anygame",
    "question": "confirm",
    "moves": "moves",
    "result": "result",
    "sheet": "sheet_page",
    "menu": "menu",
    "settings": "settings",
    "camera": "camera_view",
    "decks": "deck_list",
    "teach": "taught_game",
    "deck-name": "deck_name",
    "teaching": "teaching_view",
    "faces": "taught_faces",
    "doubt": "face_doubt",
    "alike": "alike_faces",
    "history": "history",
    "match": "past_match",
    "replay": "replay",
    "statistics": "tallies",
    "player": "tallies",
    "doctor": "health_page",
    "phones": "phones",
    "bg-stats": "bg_stats",
}


def scene(view: View) -> Scene:
    """The scene of the screen that the view is on."""
    if view.shows_round:
        return _drawn_by(SCREENS["table-round"])(view)
    return (_of_game(view) or _drawn_by(SCREENS[view.screen]))(view)


def _of_game(view: View) -> Draws | None:
    if view.seen is None or view.screen not in ("table", "dispute"):
        return None
    from companion.display.screens import last_plays, watched_game  # noqa: PLC0415  (it is made of these screens' pieces)
    from companion.display.screens.table_screen import screen_of  # noqa: PLC0415

    own = screen_of(view.seen.setup.game)
    if view.screen == "table" and not own.shows_sight and watched_game.is_watched(view):
        if view.match.is_stopped and not view.marks.get(watched_game.TABLE):
            return last_plays.scene
        return lambda view: watched_game.scene(view, own.scene or _drawn_by(SCREENS["table"]))
    return own.scene if view.screen == "table" else own.dispute


@cache
def _drawn_by(module: str) -> Draws:
    found: Draws = import_module(f"{__name__}.{module}").scene
    return found

"""What a game says of its screen: what `screen.py` of its package offers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.core.rules import Move
from companion.display.layout import Box
from companion.display.scene import Item, Scene
from companion.display.screens.elements import Page
from companion.display.view import Seen, View
from companion.games import part
from companion.words import Words

Draw = Callable[[Page, Box, Seen], None]


def _nothing(_seen: Seen) -> Draw | None:
    return None


@dataclass(frozen=True, slots=True)
class TableScreen:
    """SCREEN of a game. As it is here, the game has the table of any game."""

    scene: Callable[[View], Scene] | None = None
    dispute: Callable[[View], Scene] | None = None  # the last plays, where they can be disputed
    shows_sight: bool = False  # it shows what a camera sees by itself; else that stands beside it
    lying: Callable[[Seen], Draw | None] = _nothing  # what lay on the table at a moment, drawn small, if it can be
    ended: Callable[[Seen], Draw | None] = _nothing  # how a match ended, drawn in place of the course of its scores
    undo: Callable[[Words, Seen], str] = lambda _words, _seen: ""  # what takes back an end that may be wrong
    as_said: Callable[[Move, Any], Move] = lambda move, _house: move  # a bot's move as it can be said on the screen
    pictured: Mapping[str, Callable[[Box, Any], Iterable[Item]]] = field(default_factory=dict)  # values of house rules
    card: Callable[[Box, str], Iterable[Item]] = lambda _box, _card: ()  # of those that are played; or its name is said
    place: Callable[[Seen, int], str] = lambda _seen, _cell: ""  # what people call a place; or its number is said
    face: Callable[[Box, str], Iterable[Item]] = lambda _box, _face: ()  # of a taught card; or its name is said
    printed: Callable[[], Iterable[str]] = lambda: ()  # cards whose faces take long to draw: they are drawn beforehand


def screen_of(game: str) -> TableScreen:
    return part(game, "screen", TableScreen)

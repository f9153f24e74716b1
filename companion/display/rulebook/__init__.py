"""The rules on a few pages for each game: short sentences, a drawing, and an example that the game's own rules rule on.

A game is one file here, with its LEAVES and nothing else that anybody needs.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module

from companion.display.layout import Box
from companion.display.screens.parts import Page
from companion.display.view import Seen
from companion.rules import Event, Foul
from companion.words import Words


@dataclass(frozen=True, slots=True)
class Example:
    """A match in which a move was just made, which of its events tell of that best, and what was refused in it."""

    seen: Seen
    tells: tuple[type[Event], ...] = ()
    fouls: tuple[Foul, ...] = ()

    def told(self, words: Words) -> list[str]:
        """What the referee says of the move."""
        return [words.sentence(event) for event in self.seen.events if isinstance(event, self.tells)]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page. Its drawing is given a page on which the match of the example is seen."""

    title: str
    texts: tuple[str, ...]
    draw: Callable[[Page, Box], None]
    example: Callable[[], Example]
    is_ruled: bool = False  # what the referee says of the example stands below the drawing


@cache
def leaves(game: str) -> tuple[Leaf, ...]:
    found: tuple[Leaf, ...] = import_module(f"{__name__}.{game}").LEAVES
    return found

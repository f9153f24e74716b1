"""The rules on a few pages for each game: short sentences, a drawing, and an example that the game's own rules rule on.

The pages of a game are RULEBOOK in `rulebook.py` of its package.
"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.match import Match, set_up
from companion.core.names import EXAMPLES
from companion.core.rules import Event, Foul, Game
from companion.display.layout import Box
from companion.display.scene import Art
from companion.display.screens.elements import Page
from companion.display.view import Seen, seen
from companion.games import game as game_named
from companion.games import part
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


def leaves(game: str) -> tuple[Leaf, ...]:
    """RULEBOOK of a game; its summary on one page where it has none."""
    found: tuple[Leaf, ...] = part(game, "rulebook", tuple)
    return found or (_summary(game_named(game)),)


def _summary(game: Game) -> Leaf:
    def example() -> Example:
        names = EXAMPLES[: max(2, game.players[0])]
        return Example(seen(Match(set_up(game, names, game.house(), match_id="example"))))

    def draw(page: Page, box: Box) -> None:
        page.add(Art(box.shaped(1, 1), game.name))

    return Leaf(game.title, (" ".join(game.summary.split()),), draw, example)

"""The rules of Sticks."""

from companion.core.names import EXAMPLES
from companion.display.layout import Box
from companion.display.rulebook import Example, Leaf
from companion.display.rulebook.figures import TURN, played, refused, shown
from companion.display.screens.elements import Page
from tests.sixth.rules import Take, Took
from tests.sixth.screen import draw_sticks

ONE, OTHER = EXAMPLES[:2]


def _taken() -> Example:
    match = played("sticks", Take(ONE, 2))
    return Example(shown(match), (Took,), (refused(match, Take(OTHER, 4)),))


def _lying(page: Page, box: Box) -> None:
    draw_sticks(page, box, page.view.match.state.left)


RULEBOOK = (Leaf(TURN, ("Take one, two or three sticks. The last one wins.",), _lying, _taken, is_ruled=True),)

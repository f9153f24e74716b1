"""What lay on the table at a moment of a match, drawn small, where that can be."""

from companion.display.layout import Box
from companion.display.screens.elements import Page
from companion.display.screens.table_screen import screen_of
from companion.display.view import Seen


def has_picture(seen: Seen) -> bool:
    return screen_of(seen.setup.game).lying(seen) is not None


def picture(page: Page, box: Box, seen: Seen) -> None:
    draw = screen_of(seen.setup.game).lying(seen)
    if draw is not None:
        draw(page, box, seen)

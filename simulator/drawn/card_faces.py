"""Paper on the drawn table: the sheet of a card, its back, and a deck of them. What is on it each game draws."""

from typing import Any

from companion.display.layout import Box
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from companion.display.theme import Ink
from simulator.drawn.items import Cloth, Spot

PAPER: Ink = (252, 250, 244)
PAPER_EDGE: Ink = (150, 144, 132)
CHOSEN: Ink = (0, 150, 210)
BACK: Ink = (58, 66, 120)
BACK_EDGE: Ink = (214, 216, 232)


def sheet(page: Page, box: Box, intent: Intent | None = None, *, on: bool = False, **more: Any) -> None:
    """The paper of a card."""
    edge, width = (CHOSEN, max(4, box.w // 16)) if on else (PAPER_EDGE, max(1, box.w // 50))
    page.add(Cloth(box, PAPER, edge, width, max(3, box.w // 10), intent=intent, **more))


def back(page: Page, box: Box, intent: Intent | None = None, *, on: bool = False) -> None:
    edge, width = (CHOSEN, max(4, box.w // 16)) if on else (BACK_EDGE, max(1, box.w // 30))
    page.add(Cloth(box, BACK, edge, width, max(3, box.w // 10), intent=intent))


def deck_of(page: Page, box: Box, count: int, intent: Intent | None = None) -> None:
    """A pile of backs, as high as it has cards; an outline where it has none."""
    if not count:
        page.add(Spot(box, BACK_EDGE, 2, intent=intent))
        return
    thick = min(4, 1 + count // 8)
    step = max(1, box.w // 40)
    for level in range(thick):
        back(page, Box(box.x + level * step, box.y - level * step, box.w, box.h), intent)

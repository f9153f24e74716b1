"""A card of Threepia on the drawn table."""

from companion.core.rules import UNSEEN
from companion.display.layout import Box
from companion.display.scene import Intent, Symbol
from companion.display.screens.elements import Page
from companion.games.threepia.rules import card_of
from simulator.drawn.card_faces import back, sheet


def draw_square(
    page: Page, box: Box, card: str, intent: Intent | None = None, *, on: bool = False, turned: int = 0
) -> None:
    """A card of Threepia with its four symbols."""
    if card in (UNSEEN, ""):
        back(page, box, intent, on=on)
        return
    sheet(page, box, intent, on=on)
    half_w, half_h = box.w // 2, box.h // 2
    for corner, symbol in enumerate(card_of(card, turned).symbols):
        at = Box(box.x + corner % 2 * half_w, box.y + corner // 2 * half_h, half_w, half_h)
        page.add(Symbol(at.inset(max(2, half_w // 7)), symbol.shape, symbol.colour, rim=True))

"""A card of Tres on the drawn table."""

from companion.core.rules import UNSEEN
from companion.display.layout import Box, rows
from companion.display.scene import Intent, PanelItem, Symbol
from companion.display.screens.elements import Page
from companion.display.theme import shape_of
from companion.games.tres.rules import JOKER, PLUS3
from companion.games.tres.screen import SIGNS
from simulator.drawn.card_faces import back, sheet


def draw_face(page: Page, box: Box, card: str, intent: Intent | None = None, *, on: bool = False) -> None:
    """A card of Tres: its number and shape on its colour, or the sign of what it does."""
    if card == UNSEEN:
        back(page, box, intent, on=on)
        return
    colour, dash, number = card.partition("-")
    sheet(page, box, intent, on=on)
    inside = box.inset(max(3, box.w // 12))
    page.add(PanelItem(inside, colour if dash else "black", "", 0, max(2, box.w // 12)))
    ink = f"on-{colour}" if dash else "on-black"
    upper, lower = rows(inside.inset(max(2, inside.w // 10)), 1.5, 1.0)
    if dash:
        page.text(upper, number, upper.h, ink)
        side = min(lower.w, lower.h)
        page.add(Symbol(lower.middle(side * 4 // 5, side * 4 // 5), shape_of(colour), ink))
        return
    whole = upper.with_(lower)
    if card == PLUS3:
        page.text(whole, "+3", whole.w // 2, ink)
        return
    side = min(whole.w, whole.h) * 4 // 5
    page.add(Symbol(whole.middle(side, side), SIGNS.get(card, "ring"), "yellow" if card == JOKER else ink))

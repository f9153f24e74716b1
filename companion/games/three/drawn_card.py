"""A dog of Three! on the drawn table."""

from companion.core.rules import UNSEEN
from companion.display.layout import Box, rows
from companion.display.scene import Intent, Symbol
from companion.display.screens.elements import Page
from simulator.drawn.card_faces import back, sheet


def draw_dog(page: Page, box: Box, name: str, colour: str, intent: Intent | None = None, *, on: bool = False) -> None:
    """A dog of Three!, with its name."""
    if name == UNSEEN:
        back(page, box, intent, on=on)
        return
    sheet(page, box, intent, on=on)
    inside = box.inset(max(2, box.w // 14))
    head, label = rows(inside, 1.0, max(8, inside.h // 5))
    page.add(Symbol(head.shaped(1, 1), f"dog-{colour}"))
    page.text(label, name, min(page.m.body, max(9, label.h * 4 // 5)), "on-white", lines=1)

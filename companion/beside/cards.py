"""The cards of the drawn table: of Three!, Tres and Threepia, and their backs. Those of Triple³ are items already."""

from typing import Any

from companion.beside.items import Cloth, Spot
from companion.display.layout import Box, rows
from companion.display.scene import Intent, Panel, Symbol
from companion.display.screens.parts import Page
from companion.display.theme import Ink, shape_of
from companion.games.threepia import card_of
from companion.games.tres import JOKER, PLUS3, REVERSE, SKIP
from companion.rules import UNSEEN

PAPER: Ink = (252, 250, 244)
PAPER_EDGE: Ink = (150, 144, 132)
CHOSEN: Ink = (0, 150, 210)
BACK: Ink = (58, 66, 120)
BACK_EDGE: Ink = (214, 216, 232)

_SIGNS = {REVERSE: "redo", SKIP: "no", JOKER: "star"}


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


def dog(page: Page, box: Box, name: str, colour: str, intent: Intent | None = None, *, on: bool = False) -> None:
    """A dog of Three!, with its name."""
    if name == UNSEEN:
        back(page, box, intent, on=on)
        return
    sheet(page, box, intent, on=on)
    inside = box.inset(max(2, box.w // 14))
    head, label = rows(inside, 1.0, max(8, inside.h // 5))
    page.add(Symbol(head.shaped(1, 1), f"dog-{colour}"))
    page.text(label, name, min(page.m.body, max(9, label.h * 4 // 5)), "on-white", lines=1)


def tres(page: Page, box: Box, card: str, intent: Intent | None = None, *, on: bool = False) -> None:
    """A card of Tres: its number and shape on its colour, or the sign of what it does."""
    if card == UNSEEN:
        back(page, box, intent, on=on)
        return
    colour, dash, number = card.partition("-")
    sheet(page, box, intent, on=on)
    inside = box.inset(max(3, box.w // 12))
    page.add(Panel(inside, colour if dash else "black", "", 0, max(2, box.w // 12)))
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
    page.add(Symbol(whole.middle(side, side), _SIGNS.get(card, "ring"), "yellow" if card == JOKER else ink))


def square(page: Page, box: Box, card: str, intent: Intent | None = None, *, on: bool = False, turned: int = 0) -> None:
    """A card of Threepia with its four symbols."""
    if card in (UNSEEN, ""):
        back(page, box, intent, on=on)
        return
    sheet(page, box, intent, on=on)
    half_w, half_h = box.w // 2, box.h // 2
    for corner, symbol in enumerate(card_of(card, turned).symbols):
        at = Box(box.x + corner % 2 * half_w, box.y + corner // 2 * half_h, half_w, half_h)
        page.add(Symbol(at.inset(max(2, half_w // 7)), symbol.shape, symbol.colour, rim=True))

"""The grid of Triple³ at a moment of a match, drawn small, with the triples that were just made."""

from companion.display.layout import Box, columns, rows
from companion.display.scene import PanelItem
from companion.display.screens.elements import Page
from companion.display.view import Seen


def draw_grid(page: Page, box: Box, seen: Seen) -> None:
    square, gap = box.shaped(1, 1), page.m.gap // 2
    cells = [cell for line in rows(square, 1.0, 1.0, 1.0, gap=gap) for cell in columns(line, 1.0, 1.0, 1.0, gap=gap)]
    made = {cell for event in seen.events for triple in getattr(event, "triples", ()) for cell in triple.cells}
    for number, (cell, card) in enumerate(zip(cells, seen.state.grid, strict=False), 1):
        if card:
            page.card(cell, card)
        if number in made:
            page.add(PanelItem(cell, "", "main", max(3, page.m.of(1.0)), page.m.of(1.4)))

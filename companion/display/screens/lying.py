"""What lay on the table at a moment of a match, drawn small, where that can be."""

from companion.display.layout import Box, columns, rows
from companion.display.scene import Panel
from companion.display.screens.parts import Page
from companion.display.screens.triplexity import board_of
from companion.display.view import Seen


def has_picture(seen: Seen) -> bool:
    return seen.setup.game == "triplexity" or (seen.setup.game == "triple3" and any(seen.state.grid))


def picture(page: Page, box: Box, seen: Seen) -> None:
    if seen.setup.game == "triplexity":
        board_of(page, box, seen)
        return
    square, gap = box.shaped(1, 1), page.m.gap // 2
    cells = [cell for line in rows(square, 1.0, 1.0, 1.0, gap=gap) for cell in columns(line, 1.0, 1.0, 1.0, gap=gap)]
    made = {cell for event in seen.events for triple in getattr(event, "triples", ()) for cell in triple.cells}
    for number, (cell, card) in enumerate(zip(cells, seen.state.grid, strict=False), 1):
        if card:
            page.card(cell, card)
        if number in made:
            page.add(Panel(cell, "", "main", max(3, page.m.of(1.0)), page.m.of(1.4)))

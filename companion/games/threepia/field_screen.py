"""The field of Threepia: where cards lie, the symbols on them, and the rows that scored, lit, with their points."""

from collections.abc import Iterator, Mapping

from companion.display.layout import Box, Size
from companion.display.scene import Item, PanelItem, Symbol, Text
from companion.games.threepia.rules import Field, Run, card_of

Cells = tuple[str, ...]
LEAST = 4  # pixels of half a card; with less nobody sees anything


def field_items(box: Box, field: Field, cards: tuple[str, ...] = (), runs: tuple[Run, ...] = ()) -> Iterator[Item]:
    """With symbols where somebody showed the cards, else with the letters of the places."""
    across, down = _extent(field)
    half = min(box.w // across, box.h // down)
    if half < LEAST:
        return
    area = box.middle(half * across, half * down)
    worth: dict[Cells, int] = {}
    for run in runs:  # by shape and by colour it may be the same row
        worth[run.cells] = worth.get(run.cells, 0) + run.points
    tagged = _tagged(worth)
    for number, (letter, x, y) in enumerate(field.places):
        card = Box(area.x + x * half, area.y + y * half, 2 * half, 2 * half)
        yield PanelItem(card.inset(max(1, half // 14)), "raised", "line", radius=max(2, half // 5))
        if not cards:
            yield Text(card.inset(half // 14 + 2), letter, max(10, round(0.9 * half)), "quiet", least=8)
            continue
        for corner, symbol in enumerate(card_of(cards[number]).symbols):
            at, is_tagged = _corner(card, corner), f"{letter}{corner + 1}" in tagged.values()
            room = _beside(at) if is_tagged else at.inset(half // 14 + max(1, half // 8))
            yield Symbol(room, symbol.shape, symbol.colour, rim=True)
    places = {letter: Box(area.x + x * half, area.y + y * half, 2 * half, 2 * half) for letter, x, y in field.places}
    for cells, points in worth.items():
        yield from _lit(places, cells, points, tagged[cells])


def _extent(field: Field) -> Size:
    """How many half cards wide and high a field is."""
    return max(x for _, x, _ in field.places) + 2, max(y for _, _, y in field.places) + 2


def _tagged(worth: Mapping[Cells, int]) -> dict[Cells, str]:
    """For each row the symbol on which its points stand: its last one that is free."""
    found: dict[Cells, str] = {}
    for cells in worth:
        found[cells] = next((cell for cell in reversed(cells) if cell not in found.values()), cells[-1])
    return found


def _corner(card: Box, corner: int) -> Box:
    w, h = card.w // 2, card.h // 2
    return Box(card.x + corner % 2 * w, card.y + corner // 2 * h, w, h)


def _beside(cell: Box) -> Box:
    """Where a symbol is drawn that shares its place with points."""
    side = max(4, cell.w * 11 // 20)
    return Box(cell.x + cell.w // 10, cell.y + cell.h // 10, side, side)


def _tag(cell: Box) -> Box:
    beside = _beside(cell)
    return Box(beside.right, beside.bottom, cell.right - beside.right, cell.bottom - beside.bottom)


def _lit(places: Mapping[str, Box], cells: Cells, points: int, tagged: str) -> Iterator[Item]:
    """A row with an edge around it, or each symbol of an L."""
    boxes = {cell: _corner(places[cell[:-1]], int(cell[-1]) - 1) for cell in cells}
    half = boxes[cells[0]].w
    whole = boxes[cells[0]].with_(boxes[cells[-1]])
    for box in [whole] if half in whole.size else boxes.values():
        yield PanelItem(box.inset(max(1, half // 20)), "", "main", max(3, half // 10), max(2, half // 4))
    tag = _tag(boxes[tagged])
    yield PanelItem(tag, "main", "", radius=tag.w // 3)
    yield Text(tag, str(points), tag.h * 9 // 10, "on-main", least=6)

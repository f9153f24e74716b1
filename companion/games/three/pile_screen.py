"""A pile of Three! that was checked: its cards, the dogs that were found lit, and where they went."""

from companion.display.layout import Box, columns
from companion.display.scene import Badge, PanelItem, Symbol
from companion.display.screens.elements import Page
from companion.games.three.rules import Checked, State

MOST = 14  # cards that are drawn; of a higher pile the lowest are left out


def checked(page: Page, box: Box, event: Checked) -> None:
    """The pile as it was: how many lay there everybody knows, and which of them were found has just been seen."""
    m, state, colours = page.m, page.view.match.state, page.view.match.colours
    assert isinstance(state, State)
    rest = len(state.pile(event.player))
    high = min(box.h, m.of(16))
    whose, cards, way, to = columns(box.middle(box.w, high), m.of(7), 1.0, m.of(8), m.of(9), gap=m.gap)
    page.add(Badge(whose.middle(m.of(6), m.of(6)), colours[event.player]))
    count = min(MOST, rest + event.found)
    covered = max(0, count - event.found)
    wide = min(high * 2 // 3, cards.w // max(1, count))
    for number in range(count):
        card = Box(cards.x + number * wide, cards.y, wide, high).inset(max(1, wide // 12), 0)
        _card(page, card, _dog(state, event.dog) if number >= covered else "")
    page.add(Symbol(way.middle(m.of(7), m.of(7)), "next", "good" if event.found else "quiet"))
    target = to.middle(m.of(8), m.of(8))
    page.add(Badge(target, colours[event.to.of]) if event.to.of else Symbol(target, "no", "bad"))


def _card(page: Page, box: Box, colour: str) -> None:
    edge, width = ("main", max(3, page.m.of(0.7))) if colour else ("line", 2)
    page.add(PanelItem(box, "raised" if colour else "ground", edge, width, max(3, box.w // 6)))
    if colour:
        side = min(box.w, box.h) * 2 // 3
        page.add(Badge(box.middle(side, side), colour))


def _dog(state: State, name: str) -> str:
    """The colour by which the dog is known."""
    return next(dog.colour for dog in state.house.dogs if dog.name == name)

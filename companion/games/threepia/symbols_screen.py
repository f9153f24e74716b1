"""Which card of Threepia was really laid, where the referee sees the field: its place, and its symbols as it lies."""

from dataclasses import replace

from companion.core.rules import Move
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Mark, PanelItem, Say, Symbol
from companion.display.screens.elements import Page
from companion.games.threepia import words as own
from companion.games.threepia.rules import CORNERS, SYMBOLS, Draw, Lay, State

KEY, PLACE = "symbols", "place"  # the marks that keep what is chosen: symbols corner by corner


def card_laid(page: Page, body: Box, state: State, old: Move) -> None:
    """Another place for the same card, another card on its place, or a card where none was laid."""
    m, view = page.m, page.view
    lay = old if isinstance(old, Lay) else Lay(old.player, str(view.marks.get(PLACE, "")))
    left, right = columns(body, 1.0, 1.5, gap=2 * m.gap) if m.wide else rows(body, m.of(42), 1.0, gap=m.gap)
    _places(page, left, state, lay, is_laid=lay is old)
    title, card, symbols, done = rows(right, m.of(7), m.of(22), 1.0, m.of(13), gap=m.gap)
    page.text(title, page.words.say("Or touch its symbols as it lies."), m.body, align="left")
    chosen = tuple(view.marks.get(KEY, ()))
    _card(page, card, chosen)
    _symbols(page, symbols, chosen)
    less, none, said = columns(done, m.of(16), 1.0, 1.2, gap=m.gap)
    page.button(less, "", Mark(KEY, chosen[:-1] or None) if chosen else None, symbol="erase", key="backspace")
    drawn = Say(Draw(old.player)) if (lay is old or not view.instead) and "draw" in view.match.may else None
    page.button(none, page.words.say(own.CANNOT_LAY), drawn, key="d")
    is_whole = len(chosen) == len(CORNERS) and lay.place
    laid = Say(replace(lay, card=" ".join(chosen), turned=0)) if is_whole else None
    page.button(said, page.words.say("Card laid"), laid, look="main", symbol="check", key="return")


def _places(page: Page, box: Box, state: State, lay: Lay, *, is_laid: bool) -> None:
    m, letters = page.m, state.house.field.letters
    title, rest = rows(box, m.of(7), 1.0, gap=m.gap)
    page.text(title, page.words.say("Which place was it?"), m.body, align="left")
    for letter, cell in zip(letters, grid(rest, len(letters), 3 if m.wide else 5, m.gap), strict=True):
        on = letter == lay.place
        intent = None if on else Say(replace(lay, place=letter)) if is_laid else Mark(PLACE, letter)
        page.button(cell, letter, intent, size=m.large, on=on)


def _symbols(page: Page, box: Box, chosen: tuple[str, ...]) -> None:
    m = page.m
    for symbol, cell in zip(SYMBOLS, grid(box, len(SYMBOLS), 8 if m.wide else 4, m.gap // 2), strict=True):
        intent = Mark(KEY, (*chosen, str(symbol))) if len(chosen) < len(CORNERS) else None
        page.add(PanelItem(cell, "panel", "line" if intent else "", 2, m.of(2), intent=intent))
        page.add(Symbol(cell.inset(max(3, m.gap // 2)).shaped(1, 1), symbol.shape, symbol.colour, rim=True))


def _card(page: Page, box: Box, chosen: tuple[str, ...]) -> None:
    """As far as it is known."""
    square = box.shaped(1, 1)
    page.panel(square, "raised", "line")
    for at, cell in enumerate(grid(square.inset(page.m.gap // 2), len(CORNERS), 2)):
        if at < len(chosen):
            shape, _, colour = chosen[at].partition("-")
            page.add(Symbol(cell.inset(cell.w // 8), shape, colour, rim=True))

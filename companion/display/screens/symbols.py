"""Which card of Threepia was really laid, where the referee sees the field: its place, and its symbols as it lies."""

from dataclasses import replace

from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Mark, Panel, Say, Symbol
from companion.display.screens.parts import Page
from companion.games.threepia import CORNERS, SYMBOLS, Lay, State

KEY = "symbols"  # the mark that keeps those that are chosen, corner by corner


def card_laid(page: Page, body: Box, state: State, old: Lay) -> None:
    """Another place for the same card, or another card on its place."""
    m = page.m
    left, right = columns(body, 1.0, 1.5, gap=2 * m.gap) if m.wide else rows(body, m.of(42), 1.0, gap=m.gap)
    _places(page, left, state, old)
    title, card, symbols, done = rows(right, m.of(7), m.of(22), 1.0, m.of(13), gap=m.gap)
    page.text(title, page.words.say("Or touch its symbols as it lies."), m.body, align="left")
    chosen = tuple(page.view.marks.get(KEY, ()))
    _card(page, card, chosen)
    for symbol, cell in zip(SYMBOLS, grid(symbols, len(SYMBOLS), 8 if m.wide else 4, m.gap // 2), strict=True):
        intent = Mark(KEY, (*chosen, str(symbol))) if len(chosen) < len(CORNERS) else None
        page.add(Panel(cell, "panel", "line" if intent else "", 2, m.of(2), intent=intent))
        page.add(Symbol(cell.inset(max(3, m.gap // 2)).shaped(1, 1), symbol.shape, symbol.colour, rim=True))
    less, said = columns(done, m.of(16), 1.0, gap=m.gap)
    page.button(less, "", Mark(KEY, chosen[:-1] or None) if chosen else None, symbol="erase", key="backspace")
    laid = replace(old, card=" ".join(chosen), turned=0)
    whole = Say(laid) if len(chosen) == len(CORNERS) else None
    page.button(said, page.words.say("Card laid"), whole, look="main", symbol="check", key="return")


def _places(page: Page, box: Box, state: State, old: Lay) -> None:
    m, letters = page.m, state.house.field.letters
    title, rest = rows(box, m.of(7), 1.0, gap=m.gap)
    page.text(title, page.words.say("Which place was it?"), m.body, align="left")
    for letter, cell in zip(letters, grid(rest, len(letters), 3 if m.wide else 5, m.gap), strict=True):
        page.button(cell, letter, Say(replace(old, place=letter)) if letter != old.place else None, size=m.large)


def _card(page: Page, box: Box, chosen: tuple[str, ...]) -> None:
    """As far as it is known."""
    square = box.shaped(1, 1)
    page.panel(square, "raised", "line")
    for at, cell in enumerate(grid(square.inset(page.m.gap // 2), len(CORNERS), 2)):
        if at < len(chosen):
            shape, _, colour = chosen[at].partition("-")
            page.add(Symbol(cell.inset(cell.w // 8), shape, colour, rim=True))

"""The grid of Triple³'s table: what lies on each cell and what it takes, and what a touched cell offers."""

from collections.abc import Callable
from typing import Any

from companion.core.rules import Event
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Intent, Mark, PanelItem, Say, Symbol
from companion.display.screens.elements import Page
from companion.display.view import View
from companion.games.triple3 import dispute_screen as dispute
from companion.games.triple3 import rules as triple3
from companion.games.triple3 import watched_screen as watched
from companion.games.triple3 import words as own
from companion.games.triple3.rules import (
    CELLS,
    COLOURS,
    DECK,
    SHAPES,
    Deal,
    FoundLying,
    Lay,
    Lies,
    PlayedIllegally,
    PlayedLegally,
    State,
    TakeBack,
    TakenBack,
    is_legal,
)
from companion.words import labels

LINES = 3  # of the last plays
WORD = 3.2  # how wide the name of a colour is, in heights
PLAYS = {
    Lay: ("no", "bad"),  # refused, and still there
    PlayedLegally: ("check", "good"),
    PlayedIllegally: ("wrong", "bad"),
    FoundLying: ("hand", "warn"),
    TakenBack: ("undo", "quiet"),
}


def player_of(page: Page) -> str:
    instead = page.view.instead
    return str(page.view.marks.get("who", instead.move.player if instead else ""))


def last_plays(view: View) -> list[tuple[int, Any]]:
    """Of this round with the numbers of their moves, newest first."""
    found: list[tuple[int, Any]] = []
    for number in range(len(view.match.line), 0, -1):
        done = view.match.line[number - 1]
        if isinstance(done.move, Deal) or len(found) >= LINES:
            break
        found += [(number, event) for event in done.ruling.events if type(event) in PLAYS]
    return found


def draw_grid(page: Page, box: Box, state: State) -> None:
    newest = _newest(page.view)
    made = {cell for triple in getattr(newest, "triples", ()) for cell in triple.cells}
    lying = watched.lying(page.view) if state.phase == "deal" else {}
    tells = state.is_seen and state.house.hints and state.phase in ("play", "ready")
    for cell, place in zip(CELLS, grid(box, 9, 3, page.m.gap, down=3), strict=True):
        pile = state.piles[cell - 1] if state.is_seen and state.phase != "deal" else ()
        at = page.view.marks.get("cell")
        intent = watched.touch_on(page.view, cell)
        if intent is None and "lies" in page.view.match.may:
            intent = Mark("cell") if at == cell else Mark("cell", cell)
        mark = newest if newest is not None and getattr(newest, "cell", 0) == cell else None
        sign = watched.sign_of(page.view, cell) or (PLAYS[type(mark)] if mark is not None else None)
        lit = "good" if cell in made else ""
        draw_cell(page, place, cell, intent, on=at == cell, sign=sign, lit=lit)
        lies_there(page, place, pile[-1].card if pile else lying.get(cell, ""), len(pile))
        if tells:
            _takes(page, place, _values(state, cell))


def _newest(view: View) -> Event | None:
    plays = last_plays(view) if view.match.state.phase in ("play", "stopped") else []
    return plays[0][1] if plays else None


def draw_cell(
    page: Page,
    box: Box,
    cell: int,
    intent: Intent | None,
    *,
    on: bool,
    sign: tuple[str, str] | None = None,
    lit: str = "",
) -> None:
    m = page.m
    edge = "focus" if on else sign[1] if sign else lit or "line"
    width = max(4, m.of(0.9)) if on or sign else max(3, m.of(0.6)) if lit else 2
    page.add(PanelItem(box, "raised" if on else "panel", edge, width, m.of(2), intent=intent, key=str(cell)))
    corner = Box(box.x + m.of(1.2), box.y + m.of(1.2), m.of(3), m.of(4.4))
    page.text(corner, str(cell), m.of(4), "quiet", align="left")
    place = Box(box.right - m.of(5), box.y + m.of(1.2), m.of(3.8), m.of(3.8))
    if sign:
        page.add(Symbol(place, *sign))
    elif watched.is_covered(page.view, cell):
        watched.covered_sign(page, place)


def _card_box(page: Page, box: Box) -> Box:
    """Where the card of a cell lies: beside its number, above what the cell takes where that is told."""
    m = page.m
    below = m.of(8.8 if page.view.match.setup.house.hints else 2.4)
    room = Box(box.x + m.of(4.6), box.y + m.of(1.2), box.w - m.of(9.8), box.h - below)
    return room.shaped(1, 1)


def lies_there(page: Page, box: Box, card: str, count: int) -> None:
    m, place = page.m, _card_box(page, box)
    if card in triple3.BITS:
        page.card(place, card)
    elif card:
        page.add(Symbol(place, "hand", "quiet"))
    if count > 1:
        right = Box(box.right - m.of(5), box.y + m.of(6), m.of(4), m.of(4))
        page.text(right, f"×{count}" if count < 10 else str(count), m.of(3.4), "quiet")


def _takes(page: Page, box: Box, values: tuple[str, ...]) -> None:
    """What a card needs one of to be laid there: a colour by its name, a shape, a number."""
    m = page.m
    strip = Box(box.x + m.of(1.4), box.bottom - m.of(7), box.w - m.of(2.8), m.of(5.2))
    wide = [WORD if value in COLOURS else 1.0 for value in values]
    side = min(m.of(5.2), int((strip.w - 2 * len(values)) / max(1.0, sum(wide))))
    row = strip.middle(round(side * sum(wide)) + 2 * len(values), side)
    for value, place in zip(values, columns(row, *wide, gap=2), strict=True):
        if value in COLOURS:
            page.add(PanelItem(place, value, "rim", 2, m.of(1)))
            page.text(place.inset(3, 1), page.words.value(value), m.of(3.6), f"on-{value}")
        elif value in SHAPES:
            page.add(Symbol(place, value))
        else:
            page.text(place, value, m.of(5.2))


def _values(state: State, cell: int) -> tuple[str, ...]:
    """What fits there."""
    return triple3.values_of(triple3.accepted(state.grid, cell))


def touched_cell(page: Page, box: Box, state: State, cell: int) -> None:
    """The card that is laid there; or that lies there, after something that nobody saw."""
    m, view = page.m, page.view
    lies = bool(view.marks.get("lies")) or state.phase == "stopped"
    title, cards, acts = rows(box, m.touch, 1.0, m.of(11), gap=m.gap)
    if lies:
        _found(page, title, state, cell)
        dispute.picker(page, cards, lambda card: _says_lies(view, state, cell, card))
    else:
        head, away = columns(title, 1.0, m.touch, gap=m.gap)
        page.text(head, _title(page, state, cell), m.of(5.6), align="left", lines=2)
        page.button(away, "", Mark("cell"), symbol="wrong", key="x")
        dispute.picker(page, cards, lambda card: _lays(page, state, cell, card), _legal(state, cell))
    _cell_acts(page, acts, state, cell, lies=lies)


def _title(page: Page, state: State, cell: int) -> str:
    named = page.words.say(labels.CELL, cell=cell)
    if not state.house.hints:
        return named
    values = _values(state, cell)
    if not values:
        return page.words.told_of(named, page.words.say(labels.NOTHING))
    return page.words.told_of(named, page.words.either(map(page.words.value, values)))


def _legal(state: State, cell: int) -> frozenset[str]:
    """The cards that are marked for that cell."""
    if not state.house.hints:
        return frozenset()
    return frozenset(card for card in DECK if card not in _seen(state) and is_legal(state.grid, cell, card))


def _seen(state: State) -> frozenset[str]:
    return frozenset(card for number, card in enumerate(DECK) if state.seen >> number & 1)


def _lays(page: Page, state: State, cell: int, card: str) -> Intent | None:
    return None if card in _seen(state) else Say(Lay(player_of(page), cell, card))


def _says_lies(view: View, state: State, cell: int, card: str) -> Intent | None:
    if state.piles[cell - 1][-1].card == card:
        return None
    if card in _seen(state):
        return Say(Lies("", cell, card))
    hidden, taken = _unseen(view, state, cell)
    return Say(Lies("", cell, card, hidden, taken))


def _unseen(view: View, state: State, cell: int) -> tuple[int, int]:
    """How many cards are said to lie hidden under it, and how many to have been taken off before."""
    marks, pile = view.marks, state.piles[cell - 1]
    return min(int(marks.get("hidden", 0)), max(0, state.unseen - 1)), min(int(marks.get("taken", 0)), len(pile) - 1)


def _found(page: Page, box: Box, state: State, cell: int) -> None:
    off, under = columns(box, 1.0, 1.0, gap=page.m.gap)
    hidden, taken = _unseen(page.view, state, cell)
    most = len(state.piles[cell - 1]) - 1
    stepper(page, off, page.words.say("Taken off: {count}", count=taken), lambda n: Mark("taken", n), (0, taken, most))
    said = page.words.say("Hidden: {count}", count=hidden)
    stepper(page, under, said, lambda n: Mark("hidden", n), (0, hidden, max(0, state.unseen - 1)))


def stepper(page: Page, box: Box, said: str, to: Callable[[int], Intent], range_: tuple[int, int, int]) -> None:
    """A number with less and more beside it; from the lowest, the number now, to the highest."""
    low, now, high = range_
    m = page.m
    less, words, more = columns(box, m.touch, 1.0, m.touch, gap=m.gap // 2)
    page.button(less, "", to(now - 1) if now > low else None, symbol="less")
    page.text(words, said, m.small, lines=2)
    page.button(more, "", to(now + 1) if now < high else None, symbol="more")


def _cell_acts(page: Page, box: Box, state: State, cell: int, *, lies: bool) -> None:
    m, words = page.m, page.words
    back = Say(TakeBack(player_of(page), cell)) if not state.piles[cell - 1][-1].dealt else None
    first, second = columns(box, 1.2, 1.0, gap=m.gap)
    page.button(first, words.say(own.TAKE_BACK), back, key="t")
    if state.phase == "stopped":
        page.button(second, words.say(labels.CLOSE), Mark("cell"), key="x")
        return
    page.button(
        second, words.say("It lies there"), Mark("lies") if lies else Mark("lies", value=True), on=lies, key="w"
    )

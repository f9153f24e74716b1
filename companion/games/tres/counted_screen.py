"""Tres where cards are only counted: what can be done in a turn as a few large buttons, one of which is a turn."""

from collections.abc import Iterator
from dataclasses import replace

from companion.core.rules import UNSEEN, Turn
from companion.display.layout import Box, columns, rows
from companion.display.scene import Mark, Say
from companion.display.screens.acts import TableAct, act_button
from companion.display.screens.elements import Page
from companion.games.tres import words as own
from companion.games.tres.rules import ACTIONS, THREE, Deal, Fill, Keep, Lay, Pass, State, Take
from companion.words import labels

SIGNS = {"reverse": "redo", "skip": "no"}  # of action cards; a +3 is its own
KEYS = dict(zip(ACTIONS, "fgh", strict=True))
LINES, WIDE = 4, 0.62  # of what happened last, and how wide a letter is for its height


def stage(page: Page, box: Box, state: State) -> None:
    """What happened last, and below it what can be done, a line for each kind of deed."""
    m, lines = page.m, list(_lines(page, state))
    high = m.of(17) if m.wide else m.of(20)
    told, *places = rows(box, 1.0, *(high,) * len(lines), gap=m.gap)
    page.panel(told)
    page.text(told.inset(m.edge, m.edge // 2), _told(page, state), m.of(4.8), "quiet", lines=LINES)
    for line, place in zip(lines, places, strict=True):
        cells = columns(place, *(1.0 if act.label else 0.4 for act in line), gap=m.gap)
        for act, cell in zip(line, cells, strict=True):
            _button(page, cell, act)


def _button(page: Page, cell: Box, act: TableAct) -> None:
    """With its sign above its name, or alone where no name of that length goes in."""
    m = page.m
    long = len(act.label) * WIDE * m.least > cell.w - 2 * m.edge
    shown = replace(act, label="") if act.symbol and long else act
    act_button(page, cell, shown, stacked=bool(shown.label), lines=3)


def _told(page: Page, state: State) -> str:
    """What happened last; at the deal, what has to be touched."""
    if state.phase == "deal":
        return page.words.say(
            "Touch the action cards among the three on the table, in the order in which they turned up."
        )
    events = (event for event in page.view.match.events if event.text and not isinstance(event, Turn))
    return " ".join(map(page.words.sentence, events))


def _lines(page: Page, state: State) -> Iterator[list[TableAct]]:
    match state.phase:
        case "deal":
            yield [_turned_up_at_the_deal(page, card) for card in ACTIONS]
            yield _dealt(page, state)
        case "fill":
            yield [_turned_up(page, state, card) for card in ACTIONS]
            yield [_turned_up(page, state, UNSEEN)]
        case "pay":
            yield [_take(page, state)]
        case "turn" | "drawn":
            yield [_action(page, card) for card in ACTIONS]
            yield list(_plays(page, state))
            yield list(_draws(page, state))


# --- the deal --------------------------------------------------------------------------------------------------


def _turned_up_at_the_deal(page: Page, card: str) -> TableAct:
    """An action card that lies among the first three; they act in the order in which they are touched."""
    found = _found(page)
    more = Mark("cards", (*found, card)) if len(found) < THREE and "deal" in page.view.match.may else None
    return TableAct(_named(page, card), more, symbol=SIGNS.get(card, ""), key=KEYS[card], on=card in found)


def _dealt(page: Page, state: State) -> list[TableAct]:
    found, words = _found(page), page.words
    table = (*found, *(UNSEEN,) * (THREE - len(found)))
    label = " · ".join([words.say(labels.DEALT), *map(words.card, found)])
    deal = Say(Deal(state.turn, table)) if "deal" in page.view.match.may else None
    less = Mark("cards", found[:-1] or None) if found else None
    back = [TableAct("", less, symbol="erase", key="backspace")] if found else []
    return [*back, TableAct(label, deal, "main", key="return")]


def _found(page: Page) -> tuple[str, ...]:
    return tuple(page.view.marks.get("cards", ()))


# --- a turn ----------------------------------------------------------------------------------------------------


def _action(page: Page, card: str) -> TableAct:
    """The action card that is played, or that turned up."""
    on = _chosen(page) == card
    mark = Mark("action", None if on else card) if page.view.match.may else None
    return TableAct(_named(page, card), mark, symbol=SIGNS.get(card, ""), key=KEYS[card], on=on)


def _plays(page: Page, state: State) -> Iterator[TableAct]:
    """One or two cards of the hand with one of the table, with the action card that is chosen."""
    say, action, player = page.words.say, _chosen(page), state.turn
    two = state.phase == "turn" and len(state.hand(player)) > 1
    choices = [
        (say(labels.CARDS_COUNT, count=1), Lay(player, 1, action), True, "return"),
        (say(labels.CARDS_COUNT, count=2), Lay(player, 2, action), two, "t"),
        (say("2 cards, all one colour"), Lay(player, 2, action, one_colour=True), two, "l"),
    ]
    for label, lay, can_be, key in choices:
        may = can_be and "lay" in page.view.match.may
        yield TableAct(_with_action(page, label), Say(lay) if may else None, "main", key=key)


def _draws(page: Page, state: State) -> Iterator[TableAct]:
    """A card drawn, and what became of it; what turned up on the table."""
    say, player, may = page.words.say, state.turn, page.view.match.may
    if state.phase == "drawn":
        yield TableAct(say(own.KEEP_CARD), Say(Keep(player)) if "keep" in may else None, key="d")
        return
    if not state.pile:
        yield TableAct(say(own.PASS), Say(Pass(player)) if "pass" in may else None, key="d")
    else:
        drew = say("Drew and played")
        played = Say(Lay(player, 1, _chosen(page), drew=True)) if {"keep", "lay"} <= may.keys() else None
        yield TableAct(say("Drew and kept"), Say(Keep(player)) if "keep" in may else None, key="d")
        yield TableAct(_with_action(page, drew), played, key="w")
    yield _turned_up(page, state, _chosen(page))


def _turned_up(page: Page, state: State, card: str) -> TableAct:
    """A card that turned up on the table acts at once on the player whose turn it is."""
    fill = Say(Fill(state.turn, card)) if card and "fill" in page.view.match.may else None
    if state.phase == "turn":
        label = page.words.say("{card} turned up", card=_named(page, card)) if card else page.words.say("Turned up …")
        return TableAct(label, fill, key="o")
    if card == UNSEEN:
        return TableAct(page.words.say("Another card"), fill, "main", key="return")
    return TableAct(_named(page, card), fill, symbol=SIGNS.get(card, ""), key=KEYS[card])


def _take(page: Page, state: State) -> TableAct:
    due = state.dues[0].player
    label = page.words.say(own.PENALTY, count=state.owed(due))
    return TableAct(label, Say(Take(due)) if "take" in page.view.match.may else None, "main", key="return")


def _chosen(page: Page) -> str:
    return str(page.view.marks.get("action", ""))


def _with_action(page: Page, label: str) -> str:
    action = _chosen(page)
    return f"{label} · {_named(page, action)}" if action else label


def _named(page: Page, card: str) -> str:
    return page.words.card(card)

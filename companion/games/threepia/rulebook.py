"""The rules of Threepia."""

from collections.abc import Iterator
from functools import cache

from companion.core.match import Match
from companion.core.names import EXAMPLES
from companion.core.sentence import N_
from companion.display.layout import Box, columns, packed, rows
from companion.display.rulebook import Example, Leaf
from companion.display.rulebook.figures import (
    BEGINS,
    EXAMPLE,
    HELPS,
    PUT_RIGHT,
    TURN,
    deck,
    played,
    refused,
    shown,
    signs,
)
from companion.display.scene import Item, Symbol
from companion.display.screens.elements import Page
from companion.games.threepia.field_screen import field_items
from companion.games.threepia.rules import HAND, LONGEST, Begin, Counted, Deal, Field, Lay, Scored, State, card_of

ONE = EXAMPLES[0]
FIELD = (
    "circle-red square-blue cross-green triangle-yellow",
    "square-red cross-blue circle-yellow square-green",
    "cross-red square-yellow circle-blue circle-green",
    "circle-red square-green cross-yellow square-blue",
)
HELD = "circle-green square-red cross-yellow square-yellow"
PLACE, ELSEWHERE = "A", "B"
LEAST = 3  # symbols in a row that scores


def _match() -> Match:
    return played("threepia", Deal("", FIELD), Begin(ONE))


@cache
def begun() -> Example:
    return Example(shown(_match()))


@cache
def laid() -> Example:
    """A card that makes two rows, and where it would not have fitted."""
    match = _match()
    foul = refused(match, Lay(ONE, ELSEWHERE, HELD))
    match.make(Lay(ONE, PLACE, HELD))
    return Example(shown(match), (Counted, Scored), (foul,))


# --- drawings --------------------------------------------------------------------------------------------------


def card_items(box: Box, card: str) -> Iterator[Item]:
    """One card of a hand."""
    return field_items(box, Field("", "row", (("A", 0, 0),)), (card,))


def _begins(page: Page, box: Box) -> None:
    """The field, the hand below it, and the cards that are left."""
    m, state = page.m, _state(page)
    upper, hand = rows(box, 1.7, 1.0, gap=m.gap)
    field, pile = columns(upper, 1.5, 1.0, gap=m.gap)
    page.add(*field_items(field, state.house.field, FIELD))
    deck(page, pile, 1)
    for card, cell in zip((HELD, *FIELD), columns(hand, *(1.0,) * HAND, gap=m.gap), strict=False):
        page.add(*card_items(cell, card))


def _turn(page: Page, box: Box) -> None:
    """A card of the hand above the card that it is to cover."""
    m = page.m
    upper, sign, lower = rows(box, 1.0, m.of(10), 1.0, gap=m.gap)
    page.add(*card_items(upper, HELD), Symbol(sign.middle(m.of(9), m.of(9)), "down", "quiet"))
    page.add(*card_items(lower, FIELD[0]))


def _rows(page: Page, box: Box) -> None:
    """The field with the rows that scored, lit, and what each of them is worth."""
    state = _state(page)
    runs = tuple(run for event in page.view.match.events if isinstance(event, Counted) for run in event.runs)
    page.add(*field_items(box, state.house.field, state.field, runs))


def _points(page: Page, box: Box) -> None:
    """How long a row is, and what it brings."""
    m = page.m
    for length, line in zip(range(LEAST, LONGEST + 1), packed(box, 4, 1, m.of(14), m.gap), strict=True):
        row, points = columns(line, 2.6, 1.0, gap=m.gap)
        symbols = card_of(HELD).symbols
        for number, cell in enumerate(columns(row, *(1.0,) * LONGEST)):
            if number < length:
                page.add(Symbol(cell.inset(2).shaped(1, 1), symbols[1].shape, symbols[number % 4].colour, rim=True))
        page.text(points, str(length - LEAST + 1), m.large)


_HELPS = signs(
    ("clock", "text", N_("The referee keeps the clocks to the millisecond.")),
    ("undo", "text", PUT_RIGHT),
)


def _state(page: Page) -> State:
    found: State = page.view.match.state
    return found


RULEBOOK = (
    Leaf(
        BEGINS,
        (
            N_("Lay out a field, the first time four cards as a square."),
            N_("Everybody has three cards. The others are drawn from."),
        ),
        _begins,
        begun,
    ),
    Leaf(
        TURN,
        (
            N_("Lay a card onto one on the field. You may turn it first."),
            N_("Each of its four symbols must agree with the one below it, in shape or in colour."),
            N_("A triangle fits anywhere, and anything fits on it. If no card fits, draw one: the turn is over."),
        ),
        _turn,
        begun,
    ),
    Leaf(
        EXAMPLE,
        (N_("Rows and columns through the new card score, by shape and by colour."),),
        _rows,
        laid,
        is_ruled=True,
    ),
    Leaf(
        N_("What scores"),
        (
            N_("Three in a row make one point, and each further one another point."),
            N_("Whoever plays out the hand gets three points more and draws three cards."),
        ),
        _points,
        begun,
    ),
    Leaf(
        HELPS,
        (
            N_("You choose how it ends: at a number of points, after rounds, with the deck, or by the clock."),
            N_("Where the referee sees the cards it counts the points. Otherwise you type them."),
        ),
        _HELPS,
        begun,
    ),
)

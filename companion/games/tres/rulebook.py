"""The rules of Tres."""

from functools import cache

from companion.core.match import Match
from companion.core.names import EXAMPLES
from companion.core.sentence import N_
from companion.display.layout import Box, columns, packed, rows
from companion.display.rulebook import Example, Leaf
from companion.display.rulebook.figures import (
    BEGINS,
    END,
    EXAMPLE,
    PUT_RIGHT,
    TURN,
    back,
    deck,
    played,
    refused,
    shown,
    signs,
)
from companion.display.screens.elements import Page
from companion.games.tres.rules import JOKER, PLUS3, REVERSE, SKIP, THREE, Deal, Dealer, MustDraw, Play, Played
from companion.games.tres.screen import draw_card

SHAPE = 0.7  # of a card, width by height
DEALER, ONE = EXAMPLES[0], EXAMPLES[1]
TABLE = ("red-3", "blue-9", "green-6")
RUN, NO_RUN = ("red-2", "red-4"), ("red-2", "red-5")
AROUND = ("blue-8", "green-9", "yellow-1", "red-2")


@cache
def began() -> Example:
    return Example(shown(_match(2)))


@cache
def taken() -> Example:
    """A run of one colour, and two cards that are no run with the same card."""
    match = _match(3)
    foul = refused(match, Play(ONE, TABLE[0], NO_RUN))
    match.make(Play(ONE, TABLE[0], RUN))
    return Example(shown(match), (Played, MustDraw), (foul,))


def _match(players: int) -> Match:
    return played("tres", Dealer(DEALER), Deal(DEALER, TABLE), players=players)


# --- drawings --------------------------------------------------------------------------------------------------


def _card(page: Page, box: Box, card: str, *, on: bool = False) -> None:
    draw_card(page, box.shaped(SHAPE, 1), card, None, on=on)


def _begins(page: Page, box: Box) -> None:
    m = page.m
    table, hand = rows(box, 1.5, 1.0, gap=2 * m.gap)
    pile, *cells = columns(table, *(1.0,) * (1 + THREE), gap=m.gap)
    deck(page, pile, SHAPE)
    for card, cell in zip(TABLE, cells, strict=True):
        _card(page, cell, card)
    for cell in columns(hand, *(1.0,) * 7, gap=m.gap // 2):
        back(page, cell.shaped(SHAPE, 1))


def _turn(page: Page, box: Box) -> None:
    """How numbers go on after 9, and a run."""
    upper, lower = rows(box, 1.0, 1.3, gap=2 * page.m.gap)
    for card, cell in zip(AROUND, columns(upper, *(1.0,) * len(AROUND), gap=page.m.gap), strict=True):
        _card(page, cell, card)
    _run(page, lower)


def _run(page: Page, box: Box) -> None:
    """The card of the table between those of the hand."""
    for card, cell in zip((RUN[0], TABLE[0], RUN[1]), columns(box, 1.0, 1.0, 1.0, gap=page.m.gap), strict=True):
        _card(page, cell, card, on=card == TABLE[0])


def _actions(page: Page, box: Box) -> None:
    m = page.m
    for card, line in zip((REVERSE, SKIP, PLUS3, JOKER), packed(box, 4, 1, m.of(16), m.gap), strict=True):
        place, name = columns(line, m.of(20), 1.0, gap=2 * m.gap)
        draw_card(page, place, card, None)
        page.text(name, page.words.card(card), m.body, align="left", lines=2)


_CAUGHT = signs(("hand", "warn", N_("Whoever catches you strikes the token.")))


def _word(page: Page, box: Box) -> None:
    """Three cards in a hand, and what is said."""
    m = page.m
    hand, words = rows(box, 1.4, 1.0, gap=m.gap)
    for card, cell in zip(TABLE, columns(hand, 1.0, 1.0, 1.0, gap=m.gap), strict=True):
        _card(page, cell, card)
    _CAUGHT(page, words)


_HELPS = signs(
    ("people", "text", N_("The referee keeps the turn, the direction, the hands and what is due.")),
    ("undo", "text", PUT_RIGHT),
)

RULEBOOK = (
    Leaf(
        BEGINS,
        (
            N_("Everybody draws a card for dealer. The highest deals seven cards to everybody."),
            N_("Three cards lie face up beside the draw pile."),
            N_("Whoever sits to the left of the dealer begins."),
        ),
        _begins,
        began,
    ),
    Leaf(
        TURN,
        (
            N_(
                "First fill the table up to three cards. Then play one or two cards of your hand with one of the table."
            ),
            N_("One card must be its neighbour. Two must make a run with it. 9 and 1 are neighbours."),
            N_("No play? Draw a card. That one you may play at once."),
        ),
        _turn,
        began,
    ),
    Leaf(
        EXAMPLE,
        (N_("Three cards of one colour in a play are “Take three”: the next player draws three cards."),),
        _run,
        taken,
        is_ruled=True,
    ),
    Leaf(
        N_("Action cards"),
        (
            N_("Reverse turns the direction, Skip leaves the next player out, +3 makes that player draw three."),
            N_("They count as a 3 of any colour. A joker is any number."),
        ),
        _actions,
        began,
    ),
    Leaf(
        N_("Say tres"),
        (
            N_("Whenever you have exactly three cards, say tres: press your button or touch your name."),
            N_("If somebody catches you silent, you draw three cards."),
        ),
        _word,
        began,
    ),
    Leaf(
        END,
        (
            N_("Whoever is first without a card in hand wins."),
            N_("When the draw pile is used up the discards are shuffled."),
        ),
        _HELPS,
        began,
    ),
)

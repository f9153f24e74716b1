"""The rules of Triple³."""

from functools import cache

from companion.core.match import Match
from companion.core.names import EXAMPLES
from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, rows
from companion.display.rulebook import Example, Leaf
from companion.display.rulebook.figures import (
    BEGINS,
    END,
    EXAMPLE,
    HELPS,
    PUT_RIGHT,
    deck,
    played,
    refused,
    shown,
    signs,
)
from companion.display.scene import CardItem, PanelItem
from companion.display.screens.elements import Page
from companion.games.triple3.rules import CELLS, Deal, Go, Lay, PlayedLegally

ONE = EXAMPLES[0]
GRID = (
    *("yellow-plus-1", "purple-star-3", "blue-star-2"),
    *("yellow-plus-0", "red-diamond-2", "purple-diamond-1"),
    *("blue-plus-3", "purple-star-0", "red-circle-0"),
)
CARD, CELL, NOT_HERE = "purple-plus-0", 5, 4
HAND = ("blue-circle-1", CARD, "red-star-3")


def _match() -> Match:
    return played("triple3", Deal("", GRID, (), (28, 27)), Go(""))


@cache
def dealt() -> Example:
    return Example(shown(_match()))


@cache
def laid() -> Example:
    """A card that makes a triple, and a cell where it would not."""
    match = _match()
    foul = refused(match, Lay(ONE, NOT_HERE, CARD))
    match.make(Lay(ONE, CELL, CARD))
    return Example(shown(match), (PlayedLegally,), (foul,))


# --- drawings --------------------------------------------------------------------------------------------------


def _grid(page: Page, box: Box, lit: tuple[int, ...] = (), sign: str = "") -> None:
    """The grid as it lies, with cells that are lit."""
    m = page.m
    whole = box.shaped(1, 1)
    for cell, place in zip(CELLS, grid(whole, 9, 3, 2), strict=True):
        if cell in lit:
            page.add(PanelItem(place, "", sign, max(4, m.of(1)), m.of(2)))
        page.add(CardItem(place.inset(max(5, m.of(1.2))), page.view.match.state.grid[cell - 1]))


def _begins(page: Page, box: Box) -> None:
    m = page.m
    board, piles = rows(box, 3.0, 1.0, gap=m.gap)
    _grid(page, board)
    for cell in columns(piles, 1.0, 1.0, 1.0):
        deck(page, cell, 1)


def _laying(page: Page, box: Box) -> None:
    """The grid, and cards of a hand below it; one of them fits on the lit cell."""
    m = page.m
    board, hand = rows(box, 3.0, 1.0, gap=m.gap)
    _grid(page, board, (CELL,), "focus")
    for card, cell in zip(HAND, columns(hand, 1.0, 1.0, 1.0, gap=m.gap), strict=True):
        place = cell.shaped(1, 1)
        if card == CARD:
            page.add(PanelItem(place, "", "focus", max(4, m.of(1)), m.of(2)))
        page.add(CardItem(place.inset(max(5, m.of(1.2))), card))


def _triple(page: Page, box: Box) -> None:
    """The line that the card has made a triple."""
    made = [event for event in page.view.match.events if isinstance(event, PlayedLegally)]
    _grid(page, box, tuple(cell for event in made for triple in event.triples for cell in triple.cells), "good")


_HELPS = signs(
    ("camera", "text", N_("The camera sees each card, or you touch its cell and the card.")),
    ("hand", "warn", N_("Stop! halts everybody until the table is in order.")),
    ("undo", "text", PUT_RIGHT),
)

_ENDS = signs(
    ("check", "good", N_("Whoever has laid the last card calls “I'm out!” and wins.")),
    ("no", "bad", N_("Nobody can lay any more: fewest cards win.")),
    ("ring", "warn", N_("Each round won is a chip. Four chips win the match.")),
)

RULEBOOK = (
    Leaf(
        BEGINS,
        (
            N_("All 64 cards are different: four colours, four shapes, and none to three waves."),
            N_("Nine lie face up as a square. The others are dealt out, face down."),
            N_("After “Go!” everybody plays at the same time."),
        ),
        _begins,
        dealt,
    ),
    Leaf(
        N_("Laying a card"),
        (
            N_("Lay one card at a time onto any card of the square."),
            N_("It must give a row, column or diagonal a new colour, shape or number in common: a triple."),
            N_("Say aloud what it is. If none of your cards fits, wait."),
        ),
        _laying,
        dealt,
    ),
    Leaf(
        EXAMPLE,
        (N_("The card makes a triple that was not there before. On another cell it does not."),),
        _triple,
        laid,
        is_ruled=True,
    ),
    Leaf(
        HELPS,
        (
            N_("The referee says of each card whether it makes a new triple, and if not, why."),
            N_("An illegal card is taken back."),
        ),
        _HELPS,
        dealt,
    ),
    Leaf(
        END,
        (N_("The round is over when somebody has laid the last card, or when nobody can go on."),),
        _ENDS,
        dealt,
    ),
)

"""The rules of Triplexity."""

from functools import cache

from companion.core.names import EXAMPLES
from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.rulebook import Example, Leaf
from companion.display.rulebook.figures import BEGINS, EXAMPLE, HELPS, PUT_RIGHT, TURN, played, refused, shown, signs
from companion.display.scene import Badge, Symbol
from companion.display.screens.elements import Page
from companion.games.triplexity.rules import PIECES, PLACES, Piece, Put, Shift, Shifted, ThreeOfAColour
from companion.games.triplexity.screen import board_of, draw_piece

FLAT = 2.3  # a piece, width by height
ONE, OTHER = EXAMPLES[:2]
LEFT, CENTRE, RIGHT = PLACES
PLACED = (
    *(Put(ONE, LEFT), Put(OTHER, CENTRE), Put(ONE, LEFT)),
    *(Put(OTHER, CENTRE), Put(ONE, RIGHT), Put(OTHER, LEFT)),
)
BLOCKS, ANSWERS, WINS = Shift(ONE, RIGHT, CENTRE), Shift(OTHER, LEFT, RIGHT), Shift(ONE, CENTRE, LEFT)
BACK = Shift(OTHER, CENTRE, RIGHT)


@cache
def moved() -> Example:
    """All six lie there, one was moved, and it may not go back."""
    match = played("triplexity", *PLACED, BLOCKS)
    return Example(shown(match), (Shifted,), (refused(match, BACK),))


@cache
def won() -> Example:
    return Example(shown(played("triplexity", *PLACED, BLOCKS, ANSWERS, WINS)), (ThreeOfAColour,))


def _pieces(page: Page, box: Box) -> None:
    """What everybody has, and the three places."""
    m = page.m
    *hands, places = rows(box, 1.0, 1.0, 1.3, gap=m.gap)
    for player, line in zip((ONE, OTHER), hands, strict=True):
        badge, *cells = columns(line, m.of(9), *(1.0,) * PIECES, gap=m.gap)
        page.add(Badge(badge.middle(m.of(8), m.of(8)), page.view.match.colours[player]))
        for cell in cells:
            draw_piece(page, cell.shaped(FLAT, 1), Piece(player))
    for name, place in zip(PLACES, columns(places, 1.0, 1.0, 1.0, gap=m.gap), strict=True):
        page.panel(place, "ground", "line")
        page.text(place.inset(m.gap), page.words.value(name), m.body, "quiet")


def _no_way_back(page: Page, box: Box) -> None:
    """The board, and the one move that is closed."""
    m, words = page.m, page.words
    board, way = rows(box, 1.0, m.of(11), gap=m.gap)
    board_of(page, board, page.view.match)
    sign, text = columns(way, m.of(9), 1.0, gap=m.gap)
    page.add(Symbol(sign.middle(m.of(8), m.of(8)), "no", "bad"))
    said = words.say("{source} to {target}", source=words.value(BACK.source), target=words.value(BACK.target))
    page.text(text, said, m.body, align="left")


def _won(page: Page, box: Box) -> None:
    board_of(page, box, page.view.match)


_HELPS = signs(
    ("bulb", "warn", N_("The solver knows who can win, and which move threw it away.")),
    ("undo", "text", PUT_RIGHT),
)

RULEBOOK = (
    Leaf(
        BEGINS,
        (
            N_("Everybody has three pieces of one colour. There are three places: left, centre and right."),
            N_("In turn everybody places a piece, until all six lie there."),
            N_("No more than three pieces lie on top of one another."),
        ),
        _pieces,
        won,
    ),
    Leaf(
        TURN,
        (
            N_("From then on a turn moves any top piece, whoever owns it, to another place that has room."),
            N_("The piece that was moved last may not go straight back."),
        ),
        _no_way_back,
        moved,
        is_ruled=True,
    ),
    Leaf(
        EXAMPLE,
        (
            N_("Three of one colour win: in one stack, or on top of all three places."),
            N_("They win for the owner of the colour, even if the other player moved them there."),
        ),
        _won,
        won,
        is_ruled=True,
    ),
    Leaf(
        HELPS,
        (
            N_("The referee refuses what is not allowed and says why."),
            N_("In the advanced game every move turns the piece over. The winner scores the pips on the three pieces."),
        ),
        _HELPS,
        won,
    ),
)

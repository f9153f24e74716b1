"""What the drawings of the rules have in common: matches to draw, captions, signs, cards from behind."""

from collections.abc import Callable
from typing import Any

from companion.core.match import Match, set_up
from companion.core.names import EXAMPLES
from companion.core.rules import Foul, Move
from companion.core.sentence import N_
from companion.display.layout import Box, columns, packed, rows
from companion.display.scene import PanelItem, Symbol
from companion.display.screens.elements import Page
from companion.display.view import Seen, seen
from companion.games import game as game_named

Sign = tuple[str, str, str]  # a symbol, its colour, and what it stands for

BEGINS = N_("How it begins")
TURN = N_("A turn")
EXAMPLE = N_("An example")
END = N_("The end")
HELPS = N_("The referee helps")
PUT_RIGHT = N_("Undo takes back the last move. The menu puts any move right, and pauses.")


def played(game: str, *moves: Move, players: int = 2, **house: Any) -> Match:
    """A match of those moves."""
    rules = game_named(game)
    match = Match(set_up(rules, EXAMPLES[:players], rules.house(**house), match_id="example"))
    for move in moves:
        match.make(move)
    return match


def shown(match: Match) -> Seen:
    return seen(match)


def refused(match: Match, move: Move) -> Foul:
    """Why a move cannot be made; nothing else is expected of it."""
    try:
        match.game.rule(match.state, move)
    except Foul as foul:
        return foul
    raise AssertionError(f"{move} is no foul")


def captioned(page: Page, box: Box, text: str) -> Box:
    """Words below what is drawn in the box that is left."""
    m = page.m
    upper, lower = rows(box, 1.0, m.of(6), gap=m.gap // 2)
    page.text(lower, page.words.say(text), m.small, "quiet")
    return upper


def signs(*wanted: Sign) -> Callable[[Page, Box], None]:
    """A drawing: signs with what they stand for, one below the other."""

    def draw(page: Page, box: Box) -> None:
        m = page.m
        for (name, role, text), line in zip(wanted, packed(box, len(wanted), 1, m.of(20), m.gap), strict=True):
            sign, words = columns(line, m.of(11), 1.0, gap=2 * m.gap)
            page.add(Symbol(sign.middle(m.of(10), m.of(10)), name, role))
            page.text(words, page.words.say(text), m.body, align="left", lines=4)

    return draw


def arrow(page: Page, box: Box, name: str = "right", role: str = "quiet") -> None:
    side = min(box.w, box.h, page.m.of(9))
    page.add(Symbol(box.middle(side, side), name, role))


def back(page: Page, box: Box, *, count: int = 1) -> None:
    """Cards face down, one on the other."""
    step = max(2, box.w // 18)
    for number in range(count):
        lies = Box(box.x + step * number, box.y - step * number, box.w, box.h)
        page.add(PanelItem(lies, "blue", "rim", 2, max(3, box.w // 10)))


def deck(page: Page, box: Box, shape: float) -> None:
    """A pile to draw from, inside the box."""
    card = box.inset(max(6, box.w // 7), max(6, box.h // 7)).shaped(shape, 1)
    back(page, card, count=3)

"""The rules of Three!"""

from functools import cache

from companion.core.match import Match
from companion.core.names import EXAMPLES
from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.rulebook import Example, Leaf
from companion.display.rulebook.figures import (
    BEGINS,
    END,
    PUT_RIGHT,
    TURN,
    arrow,
    captioned,
    deck,
    played,
    shown,
    signs,
)
from companion.display.scene import Badge, PanelItem, Symbol
from companion.display.screens.elements import Page
from companion.games.three import words as own
from companion.games.three.rules import DOGS, HAND, THREE, Begin, Call, Check, Checked, Play, State, Strike
from companion.words import labels

SHAPE = 0.72  # of a card, width by height
ONE, OTHER = EXAMPLES[:2]
EMBER, SKY, HONEY, SNOW = (DOGS[number].name for number in (0, 1, 3, 6))
PILE = (EMBER, SKY, EMBER, HONEY, EMBER)


def _match() -> Match:
    """A pile that hides three of a kind; the other one hides none."""
    match = played("three", Begin(ONE))
    for dog in PILE[:-1]:
        match.make(Play(ONE, dog))
        match.make(Play(OTHER, SNOW))
    match.make(Play(ONE, PILE[-1]))
    return match


@cache
def piled() -> Example:
    return Example(shown(_match()))


@cache
def called() -> Example:
    """A strike, a call, a check."""
    match = _match()
    for move in (Strike(OTHER), Call(OTHER, ONE, EMBER), Check(ONE)):
        match.make(move)
    return Example(shown(match), (Checked,))


# --- drawings --------------------------------------------------------------------------------------------------


def dog(page: Page, box: Box, name: str, *, on: bool = False) -> None:
    """A card with a dog on it."""
    card = box.shaped(SHAPE, 1)
    colour = next(one.colour for one in DOGS if one.name == name)
    width = max(4, card.w // 14) if on else 2
    page.add(PanelItem(card, "raised", "main" if on else "line", width, max(3, card.w // 10)))
    head, label = rows(card.inset(max(5, card.w // 9)), 1.0, max(9, card.h // 6))
    page.add(Symbol(head.shaped(1, 1), f"dog-{colour}"))
    page.text(label, name, min(page.m.small, max(9, label.h)))


def _token(page: Page, box: Box) -> None:
    square = box.middle(page.m.of(20), page.m.of(20)).shaped(1, 1)
    page.add(PanelItem(square, "danger", "rim", 2, square.w // 2))
    page.add(Symbol(square.inset(square.w // 4), "hand", "on-danger"))


def _begins(page: Page, box: Box) -> None:
    m = page.m
    upper, hand = rows(box, 1.0, 1.1, gap=2 * m.gap)
    pile, token = columns(upper, 1.0, 1.0, gap=m.gap)
    deck(page, captioned(page, pile, labels.DRAW_PILE), SHAPE)
    _token(page, captioned(page, token, own.TOKEN))
    for name, cell in zip((EMBER, HONEY, SKY), columns(hand, *(1.0,) * HAND, gap=m.gap), strict=True):
        dog(page, cell, name)


def _turn(page: Page, box: Box) -> None:
    """A dog of the hand down onto the pile, one from the draw pile up into the hand."""
    m = page.m
    hand, ways, piles = rows(box, 1.1, m.of(9), 1.0, gap=m.gap)
    for name, cell in zip((EMBER, HONEY, SKY), columns(hand, *(1.0,) * HAND, gap=m.gap), strict=True):
        dog(page, cell, name, on=name == EMBER)
    (down, _, up), (mine, _, pile) = (columns(part, *(1.0,) * HAND, gap=m.gap) for part in (ways, piles))
    arrow(page, down, "down")
    arrow(page, up, "up")
    dog(page, captioned(page, mine, own.PILE), EMBER)
    deck(page, captioned(page, pile, labels.DRAW_PILE), SHAPE)


def _checked(page: Page, box: Box) -> None:
    """The whole pile, and into whose bank its three of a kind go."""
    m = page.m
    state: State = page.view.match.state
    pile, bank = rows(box, 1.0, 1.0, gap=2 * m.gap)
    for name, cell in zip(PILE, columns(pile, *(1.0,) * len(PILE), gap=m.gap // 2), strict=True):
        dog(page, cell, name, on=name == EMBER)
    whose, *cells = columns(bank, 1.2, *(1.0,) * THREE, gap=m.gap)
    badge, words = rows(whose.middle(whose.w, m.of(20)), 1.0, 1.0)
    page.add(Badge(badge.shaped(1, 1), page.view.match.colours[OTHER]))
    page.text(words, page.words.say(own.BANK), m.small, "quiet")
    for cell in cells[: state.banks[state.players.index(OTHER)]]:
        dog(page, cell, EMBER)


_DECLARES = signs(
    ("check", "good", N_("Three or more: they go to your bank.")),
    ("wrong", "bad", N_("Two or fewer: they are out of the game.")),
)

_ENDS = signs(
    ("hand", "warn", N_("The referee sees whose hand was first, by thousandths of a second.")),
    ("cup", "warn", N_("Each dog in a bank is a point. Most points win.")),
    ("undo", "text", PUT_RIGHT),
)

RULEBOOK = (
    Leaf(
        BEGINS,
        (
            N_("Everybody takes a bank and three dogs that nobody else may see."),
            N_("The other dogs are the draw pile. The token lies in the middle."),
            N_("Choose who begins. Then it goes clockwise."),
        ),
        _begins,
        piled,
    ),
    Leaf(
        TURN,
        (
            N_("Play one dog face up onto your own pile. Then draw one."),
            N_("Only the top of a pile may be looked at: remember what lies below."),
        ),
        _turn,
        piled,
    ),
    Leaf(
        N_("A call"),
        (
            N_("If another pile hides three of a kind, strike the token, whoever's turn it is."),
            N_("The first hand names a player and a dog. That pile is checked."),
            N_("Three or more: the dogs go to the caller. Fewer: to the player who was called."),
        ),
        _checked,
        called,
        is_ruled=True,
    ),
    Leaf(
        N_("Declaring"),
        (N_("Before you play you may declare three of a kind on your own pile. It is checked like a call."),),
        _DECLARES,
        piled,
    ),
    Leaf(
        END,
        (
            N_("Without a draw pile play goes on until all hands are empty. Then everybody may declare once more."),
            N_("What is left on the piles counts for nobody."),
        ),
        _ENDS,
        piled,
    ),
)

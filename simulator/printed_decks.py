"""Which cards a game has as they are printed, for the simulated table."""

from functools import cache

from companion.games import part
from vision.deck import CARDS
from vision.printed_deck import PrintedDeck


@cache
def deck_of(paper: str) -> PrintedDeck:
    """Of a game."""
    return part(paper, "paper", PrintedDeck)


def cards_of(paper: str) -> tuple[str, ...]:
    """Of a game, or of the deck that the reader comes with; none where nothing is printed of the game. Pieces of two
    sides are there with both."""
    if not paper:
        return CARDS
    deck = deck_of(paper)
    return deck.faces if deck and deck.is_two_sided and deck.symbol is None else tuple(deck.cards)

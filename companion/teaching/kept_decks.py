"""The decks that were taught here or brought along, each in a line."""

from dataclasses import dataclass

from companion.core.errors import CompanionError
from companion.teaching.deck_choice import kept, taught_deck


@dataclass(frozen=True, slots=True)
class KeptDeck:
    """A deck of a game, and how many of its faces are known; one that cannot be read has no game."""

    name: str
    game: str = ""
    known: int = 0
    faces: int = 0


def kept_decks() -> tuple[KeptDeck, ...]:
    return tuple(map(_of, kept()))


def _of(name: str) -> KeptDeck:
    try:
        deck = taught_deck(name)
    except CompanionError:
        deck = None
    if deck is None:
        return KeptDeck(name)
    return KeptDeck(name, deck.game, len(deck.faces) - len(deck.missing), len(deck.faces))

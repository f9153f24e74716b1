"""Which deck is read of a game where nobody names one."""

import pytest

from companion.core.shipped_decks import shipped_decks
from companion.teaching.deck_choice import printed_deck, taught_deck


@pytest.mark.parametrize(("game", "deck"), [("triple3", "triple3"), ("threepia", "threepia"), ("", "triple3")])
def test_it_is_the_printed_one_of_the_game(game: str, deck: str) -> None:
    assert printed_deck(game) == deck


@pytest.mark.parametrize("game", [name for name in shipped_decks() if "-" not in name])
def test_it_is_a_deck_of_that_game(game: str) -> None:
    deck = taught_deck(printed_deck(game))
    assert deck is not None
    assert deck.game == game

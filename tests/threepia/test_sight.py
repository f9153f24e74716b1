"""What the sight of Threepia makes of a change, through the tracker, no pixels."""

import pytest

from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import House, card_of, misfits
from companion.games.threepia.sight import (
    LAY,
    READ,
    TAKE,
    TURN,
    KnownDeck,
    LaidOut,
    Lain,
    SeenSymbol,
    ThreepiaSight,
    faces_of_card,
    identity,
)
from companion.watch.tracker import Belief, PlaceChange, Tracker

LIES = "circle-red square-blue cross-yellow triangle-green"
FITS = "circle-blue square-blue cross-yellow circle-green"
BETTER = "circle-blue square-red cross-blue square-green"
WRONG = "square-blue square-blue cross-yellow circle-green"  # its first symbol does not fit
OTHER = "square-yellow circle-red circle-red circle-red"


def believed(table: LaidOut, faces: tuple[tuple[str, float], ...], deck: KnownDeck | None = None) -> Belief | None:
    tracker = Tracker(ThreepiaSight(House(), deck), table)
    tracker.take(PlaceChange(1, 1, faces, 0, 500_000_000, 600_000_000))
    return tracker.beliefs().get(1) if tracker.best.line else None


def pile(*cards: str, refused: str = "") -> LaidOut:
    lain = tuple(Lain(card) for card in cards)
    return LaidOut(((*lain, Lain(refused, counts=False)) if refused else lain, (Lain(OTHER),)))


def seen(card: str, sure: float = 0.99) -> tuple[tuple[str, float], ...]:
    return faces_of_card([SeenSymbol(symbol, sure) for symbol in card.split()])


def test_a_card_that_fits_is_legal() -> None:
    belief = believed(pile(LIES), seen(FITS))
    assert belief is not None
    assert (belief.deed.word, belief.deed.face, belief.deed.legal) == (LAY, FITS, True)
    assert belief.legal > 0.99


def test_a_card_that_does_not_fit_is_not() -> None:
    belief = believed(pile(LIES), seen(WRONG))
    assert belief is not None
    assert (belief.deed.word, belief.deed.face) == (LAY, WRONG)
    assert belief.legal < 0.1


def test_a_symbol_that_is_read_in_doubt_is_not_called_for() -> None:
    corners = [SeenSymbol(symbol, 0.99) for symbol in WRONG.split()]
    corners[0] = corners[0]._replace(sure=0.0)
    sure, doubtful = believed(pile(LIES), seen(WRONG)), believed(pile(LIES), faces_of_card(corners))
    assert sure is not None
    assert doubtful is not None
    assert doubtful.legal > 2 * sure.legal


def test_nothing_was_done_where_the_same_lies_there() -> None:
    assert believed(pile(LIES, FITS), seen(FITS)) is None


@pytest.mark.parametrize("table", [pile(LIES, FITS), pile(LIES, refused=WRONG)], ids=["counts", "refused"])
def test_a_card_that_is_off_again_was_taken_back(table: LaidOut) -> None:
    belief = believed(table, seen(LIES))
    assert belief is not None
    assert belief.deed.word == TAKE


def test_a_card_is_laid_on_what_counts() -> None:
    """What was refused and lies there still is nothing to fit on."""
    on_refused = "square-red square-blue cross-yellow square-green"
    assert not misfits(card_of(on_refused), card_of(WRONG))
    assert not misfits(card_of(BETTER), card_of(LIES))
    belief = believed(pile(LIES, refused=WRONG), seen(BETTER))
    assert belief is not None
    assert belief.deed.legal


def test_a_card_that_is_turned_where_it_lies() -> None:
    turned = str(card_of(FITS, 1))
    belief = believed(pile(LIES, FITS), seen(turned), KnownDeck(frozenset({identity(FITS), identity(LIES)})))
    assert belief is not None
    assert (belief.deed.word, belief.deed.face) == (TURN, turned)


def test_four_symbols_that_are_no_card_of_the_deck_are_read_wrongly() -> None:
    first, second = list(PAPER.cards)[:2]
    words = second.split()
    words[0] = "circle-red" if words[0] != "circle-red" else "cross-red"
    deck = KnownDeck.of(PAPER.cards, [first])
    assert deck.cards
    corners = [SeenSymbol(word, 0.99 if at else 0.2) for at, word in enumerate(words)]
    belief = believed(LaidOut(((Lain(first),), (Lain(first),))), faces_of_card(corners), deck)
    assert belief is not None
    assert belief.deed.face == second
    assert not KnownDeck.of(PAPER.cards, [first, OTHER]).cards, "another deck: any four symbols are a card"


def test_the_chances_of_faces_add_up() -> None:
    for sure in (0.0, 0.5, 1.0):
        chances = [chance for _, chance in seen(FITS, sure)]
        assert sum(chances) == pytest.approx(1, abs=0.01)
        assert max(chances) == chances[0] > 0.85


def test_every_card_of_the_printed_deck_is_itself_however_it_lies() -> None:
    cards = list(PAPER.cards)
    assert len({identity(card) for card in cards}) == len(cards)
    assert all(identity(str(card_of(card, turned))) == identity(card) for card in cards for turned in range(4))


def test_a_card_that_was_read_wrongly_in_one_symbol_is_the_same() -> None:
    first, second = list(PAPER.cards)[:2]
    words = second.split()
    words[0] = "circle-red" if words[0] != "circle-red" else "cross-red"
    table = LaidOut(((Lain(first), Lain(" ".join(words))), (Lain(first),)))
    belief = believed(table, seen(second), KnownDeck.of(PAPER.cards, [first]))
    assert belief is not None
    assert (belief.deed.word, belief.deed.face) == (READ, second)

"""Matches in which cards are only counted, at the drawn table: hands lay real cards, the referee is told how many."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from companion.core.requests import Undo
from companion.core.rules import UNSEEN
from companion.display.scene import Mark, Say
from companion.games.three import rules as three
from companion.games.three.spread import Three
from companion.games.threepia import rules as threepia
from companion.games.threepia.spread import Threepia
from companion.games.tres import rules as tres
from companion.games.tres.counted_spread import CountedTable
from companion.games.tres.rules import ACTIONS, Fill, Lay
from simulator.drawn.items import Thing
from tests.display.beside import Visitor
from tests.display.test_beside import at_three, at_threepia, at_tres, clicked, plays_out, says


@pytest.fixture
def guest() -> Iterator[Visitor]:
    found = Visitor(seed=9)
    yield found
    found.close()


def moves(guest: Visitor) -> list[object]:
    return [done.move for done in guest.app.match.line] if guest.app.match else []


def lies_as_counted(guest: Visitor) -> None:
    """What lies on the table is as much as the referee has counted, and all of the deck."""
    spread, state = guest.spread, guest.app.match.state  # type: ignore[union-attr]
    assert isinstance(spread, CountedTable)
    cards = spread.cards
    assert tuple(len(cards.hands[name]) for name in state.players) == state.scores
    assert (len(cards.pile), len(cards.lies), len(cards.discards)) == (
        state.pile,
        len(state.table),
        len(state.discards),
    )
    hands = [card for hand in cards.hands.values() for card in hand]
    there = Counter([*cards.pile, *cards.lies, *cards.discards, *hands])
    assert there == Counter(dict(tres.deck(state.house)))


def at_counted(guest: Visitor, rng: Random) -> bool:
    spread = guest.spread
    assert isinstance(spread, CountedTable)
    lies_as_counted(guest)
    if spread.cards.new and spread.state.phase == "turn" and spread.wanted() == guest.me:
        guest.touch(Thing("table", spread.cards.lies.index(spread.cards.new[0])))
        return True
    return at_tres(guest, rng)


@pytest.mark.parametrize("house", [{}, {"colours": ("red", "blue"), "number_copies": 1}], ids=["usual", "few"])
def test_tres(guest: Visitor, house: dict[str, object]) -> None:
    guest.sits_down("tres", players=2, cards="counted", **house)
    plays_out(guest, at_counted)
    assert guest.app.match
    assert guest.app.match.outcome
    plays = [move for move in moves(guest) if isinstance(move, Lay)]
    assert {play.player for play in plays} == set(guest.app.match.setup.names)
    assert any(isinstance(move, Fill) and move.card in ACTIONS for move in moves(guest))


def test_whatever_is_touched_on_the_screen_lies_there(guest: Visitor) -> None:
    """A play that nobody's hand has made is made of cards that fit; after an undo they are where they were."""
    guest.sits_down("tres", players=2, cards="counted")
    rng = Random(2)
    for _ in range(200):
        state = guest.app.match.state  # type: ignore[union-attr]
        if state.phase == "turn" and state.turn == guest.me and len(state.hand(guest.me)) > 2 and moves(guest)[4:]:
            break
        if not at_counted(guest, rng):
            guest.goes_on()
    before = {name: sorted(hand) for name, hand in guest.spread.cards.hands.items()}  # type: ignore[attr-defined]
    guest.app.take(Mark("action", "skip"), guest.hour.now)
    guest.app.take(Say(Lay(guest.me, 2, "skip", one_colour=True)), guest.hour.now)
    guest.wait(0)
    lies_as_counted(guest)
    assert isinstance(guest.spread, CountedTable)
    assert "skip" in guest.spread.cards.discards
    guest.app.take(Say(Undo()), guest.hour.now)
    guest.wait(0)
    assert {name: sorted(hand) for name, hand in guest.spread.cards.hands.items()} == before


def test_cards_that_are_no_run_are_not_laid(guest: Visitor) -> None:
    guest.sits_down("tres", players=2, cards="counted")
    rng = Random(2)
    while not (guest.spread.state.phase == "turn" and guest.spread.state.turn == guest.me):
        if not at_counted(guest, rng):
            guest.goes_on()
    spread, before = guest.spread, len(moves(guest))
    assert isinstance(spread, CountedTable)
    wrong = next(
        (number, place)
        for number, card in enumerate(spread.cards.hands[guest.me])
        for place, lies in enumerate(spread.cards.lies)
        if not tres.is_run(card, lies)
    )
    guest.drag(Thing("hand", wrong[0]), Thing("table", wrong[1]))
    assert len(moves(guest)) == before


def test_three(guest: Visitor) -> None:
    guest.sits_down("three", players=3, cards="counted")
    assert isinstance(guest.spread, Three)
    plays_out(guest, at_three_counted)
    plays = [move for move in moves(guest) if isinstance(move, three.Play)]
    assert plays
    assert {move.dog for move in plays} == {""}
    assert {dog for pile in guest.app.match.state.piles for dog in pile} <= {UNSEEN}  # type: ignore[union-attr]


def at_three_counted(guest: Visitor, rng: Random) -> bool:
    """Nobody but the player knows how many there are."""
    state = guest.state
    if state.phase == "check" and state.called == guest.me:
        guest.on_screen(lambda intent: isinstance(intent, Mark) and intent.key == "found")
        return guest.on_screen(says(three.Check))
    return at_three(guest, rng)


def test_threepia(guest: Visitor) -> None:
    guest.sits_down("threepia", players=2, cards="counted", deck=20, way="deck")
    assert isinstance(guest.spread, Threepia)
    plays_out(guest, at_threepia_counted)
    assert not guest.app.match.state.is_seen  # type: ignore[union-attr]


def at_threepia_counted(guest: Visitor, rng: Random) -> bool:
    if guest.state.owed[:1] == (guest.me,):
        return guest.on_screen(says(threepia.Points))
    spread, state = guest.spread, guest.state
    assert isinstance(spread, Threepia)
    if state.phase != "turn" or state.turn != guest.me:
        return at_threepia(guest, rng)
    for number, card in enumerate(spread.cards.hands[guest.me]):
        for place, covered in zip(state.house.field.letters, spread.cards.field, strict=True):
            if not threepia.misfits(threepia.card_of(card), threepia.card_of(covered)):
                guest.drag(Thing("hand", number), Thing("place", place))
                return True
    return clicked(guest, "pile")

"""Triple³ where something happened that nobody could follow: cards that lie hidden, and saying what lies there."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.entry import Made
from companion.core.match import Match
from companion.core.record import entry_plain, read_entry
from companion.core.rules import UNSEEN, CardsMoved, Foul, Move, Place
from companion.games.triple3.rules import (
    CELLS,
    DECK,
    GAME,
    Deal,
    FewLeft,
    FoundLying,
    Go,
    GoOn,
    House,
    Laid,
    Lay,
    Leftover,
    Lies,
    NobodyCanLay,
    Out,
    State,
    Stop,
    Stuck,
    TakeBack,
    is_legal,
    rule,
)
from simulator.playing import seated
from tests.games.test_triple3 import after, at_table, crowded, dealt, refused


def total(state: State) -> int:
    return state.seen.bit_count() + state.hidden + state.unseen


# --- hidden cards ----------------------------------------------------------------------------------------------


def test_leftovers_that_nobody_saw_are_hidden() -> None:
    state = after(at_table(4), Deal("", DECK[:9], (Leftover(3, DECK[9]),), hidden=2))
    assert (state.hidden, state.unseen, total(state)) == (2, 52, 64)
    assert refused(at_table(4), Deal("", DECK[:9], (Leftover(3, DECK[9]),), hidden=1)).code == "deal-does-not-add-up"


def test_a_round_dealt_anew_forgets_what_was_hidden() -> None:
    state = after(at_table(), Deal("", DECK[:9], hidden=1), Deal("", DECK[:9], (Leftover(3, DECK[9]),)))
    assert state.hidden == 0


def test_a_play_nobody_followed_counts_and_is_not_ruled() -> None:
    state, cards = dealt()
    cell, card = next((cell, card) for card in cards for cell in CELLS if not is_legal(state.grid, cell, card))
    ruling = rule(state, Lies("", cell, card))
    assert ruling.events[0] == FoundLying("", cell, card, state.grid[cell - 1])
    assert ruling.events[1] == CardsMoved((card,), Place("hand"), Place("cell", str(cell)))
    laid = ruling.state.piles[cell - 1][-1]
    assert laid == Laid(card, ruled=False)
    assert (ruling.state.unclaimed, ruling.state.unseen, total(ruling.state)) == (1, 53, 64)
    assert rule(ruling.state, Stop("")).events[0].illegal == ()  # type: ignore[attr-defined]


def test_cards_that_were_covered_unseen_count_as_plays() -> None:
    state, cards = dealt()
    ruling = rule(state, Lies("Ann", 1, cards[0], hidden=2))
    after_it = ruling.state
    assert [laid.card for laid in after_it.piles[0]] == [state.grid[0], UNSEEN, UNSEEN, cards[0]]
    assert (after_it.hidden, after_it.unclaimed, after_it.unseen, total(after_it)) == (2, 3, 51, 64)
    assert "not seen: 2" in ruling.sentences[0]


def test_what_lay_above_is_back_in_the_hands_it_came_from() -> None:
    state, cards = dealt()
    before = state
    state = replace(state, piles=((*state.piles[0], Laid(cards[0], "Ann"), Laid(cards[1])), *state.piles[1:]))
    state = replace(state, laid=(1, 0), unclaimed=1, seen=state.seen | sum(1 << DECK.index(card) for card in cards[:2]))
    ruling = rule(state, Lies("", 1, state.piles[0][0].card))
    assert ruling.state == before
    assert isinstance(ruling.events[0], FoundLying)
    assert ruling.events[0].back == (cards[1], cards[0])
    assert f"taken back: {cards[1]}, {cards[0]}" in ruling.sentences[0]


def test_hidden_cards_go_back_too() -> None:
    state, cards = dealt()
    covered = after(state, Lies("", 1, cards[0], hidden=2))
    assert after(covered, Lies("", 1, state.grid[0])) == state


def test_a_hidden_card_shows() -> None:
    state, cards = dealt()
    state = after(state, Lies("", 1, cards[0], hidden=2), Lies("", 1, cards[1], taken=1))
    assert [laid.card for laid in state.piles[0]][1:] == [UNSEEN, cards[1]]
    assert (state.hidden, state.unclaimed, total(state)) == (1, 2, 64)


def test_a_card_that_was_moved_stays_whose_it_was() -> None:
    state, cards = dealt()
    cell, card = next((cell, card) for card in cards for cell in CELLS if is_legal(state.grid, cell, card))
    onto = cell % 9 + 1
    laid = after(state, Lay("Bob", cell, card))
    ruling = rule(laid, Lies("", onto, card))
    assert "was moved from" in ruling.sentences[0]
    assert ruling.state.piles[onto - 1][-1] == Laid(card, "Bob", ruled=False)
    assert ruling.state.piles[cell - 1] == state.piles[cell - 1]
    assert (ruling.state.laid, ruling.state.unclaimed, total(ruling.state)) == (laid.laid, 0, 64)


def test_it_can_be_said_while_the_round_is_stopped_and_decides_nothing_there() -> None:
    state, cards = dealt()
    stopped = after(state, Stop(""), Lies("", 1, cards[0], hidden=1))
    assert stopped.phase == "stopped"
    assert after(stopped, GoOn("")).phase == "play"


# --- what is still known ---------------------------------------------------------------------------------------


def with_hidden(state: State, hidden: int) -> State:
    """As if so many of the cards that have been seen had not been, because others lie on them."""
    piles, left = [], hidden
    seen = state.seen
    for pile in state.piles:
        cards = list(pile)
        for at in range(1, len(cards) - 1):
            if left:
                seen &= ~(1 << DECK.index(cards[at].card))
                cards[at] = Laid(UNSEEN)
                left -= 1
        piles.append(tuple(cards))
    assert not left
    return replace(state, piles=tuple(piles), seen=seen, hidden=hidden)


@settings(max_examples=100)
@given(st.integers(0, 10**9), st.integers(1, 12), st.integers(0, 5))
def test_what_can_be_laid_with_hidden_cards_is_never_more_or_less_than_said(
    seed: int, unseen: int, hidden: int
) -> None:
    known = crowded(seed, unseen)
    state = with_hidden(known, hidden)
    assert total(state) == 64
    assert state.can_be_laid is not None
    assert known.can_be_laid is not None
    assert state.surely_laid <= known.can_be_laid <= state.can_be_laid <= unseen
    if state.can_be_laid == 0:
        assert rule(state, Stuck("")).events[0] == NobodyCanLay(unseen, sure=True)
    elif state.surely_laid:
        at_least = "at least " if hidden else ""
        assert f"{at_least}{state.surely_laid} of the {unseen}" in refused(state, Stuck("")).sentence
    else:
        assert rule(state, Stuck("")).events[0] == NobodyCanLay(unseen, sure=False)


def test_few_left_says_at_most() -> None:
    for seed in range(500):
        known = crowded(seed, 4)
        state = with_hidden(known, 1)
        cards = [card for card in DECK if not state.seen >> DECK.index(card) & 1]
        for cell, card in ((cell, card) for cell in CELLS for card in cards if is_legal(state.grid, cell, card)):
            few = [event for event in rule(state, Lay("", cell, card)).events if isinstance(event, FewLeft)]
            if few:
                assert "at most" in few[0].sentence
                assert few[0].hidden == 1
                return
    raise AssertionError


def test_a_claim_to_be_out_counts_hidden_cards_as_anybodys() -> None:
    state, cards = dealt(deals=(3, 20))
    assert refused(state, Out("Ann")).facts["left"] == 3
    state = after(state, Lies("", 1, cards[0], hidden=1))
    assert refused(state, Out("Ann")).facts["left"] == 1
    state = after(state, Lies("", 2, cards[1]))
    assert rule(state, Out("Ann")).state.rounds[-1].winners == ("Ann",)


def test_a_card_found_lying_may_leave_nobody_a_card_to_lay() -> None:
    for seed in range(9999):
        state = crowded(seed, 3)
        cards = [card for card in DECK if not state.seen >> DECK.index(card) & 1]
        for cell, card in ((cell, card) for cell in CELLS for card in cards):
            ruling = rule(state, Lies("", cell, card))
            if ruling.state.phase != "play":
                assert NobodyCanLay(2, sure=True) in ruling.events
                assert after(state, Stop(""), Lies("", cell, card)).phase == "stopped"
                return
    raise AssertionError


# --- a model ---------------------------------------------------------------------------------------------------


@dataclass
class Model:
    """A table with real cards: hands are sets, piles are lists, and the referee has seen some of the cards."""

    hands: list[str]
    piles: list[list[str]]
    dealt: list[int]
    unseen: set[str] = field(default_factory=set)  # lie hidden

    def told(self) -> list[list[str]]:
        return [[UNSEEN if card in self.unseen else card for card in pile] for pile in self.piles]


def covered(model: Model, random: Random) -> Move:
    """One to three cards come onto a cell, and only the last one is seen."""
    cell = random.choice(CELLS)
    laid = [model.hands.pop() for _ in range(min(len(model.hands), random.randint(1, 3)))]
    model.piles[cell - 1] += laid
    model.unseen |= set(laid[:-1])
    return Lies("", cell, laid[-1], hidden=len(laid) - 1)


def lifted(model: Model, random: Random) -> Move | None:
    """Some cards go back, and what lay under them shows, seen before or not."""
    cell = random.choice(CELLS)
    pile = model.piles[cell - 1]
    most = len(pile) - model.dealt[cell - 1]
    if not most:
        return None
    off = random.randint(1, most)
    gone = [pile.pop() for _ in range(off)]
    model.hands += gone
    model.unseen -= set(gone)
    random.shuffle(model.hands)
    top = pile[-1]
    if top in model.unseen:
        model.unseen.discard(top)
        return Lies("", cell, top, taken=off)
    return TakeBack("", cell) if off == 1 and random.random() < 0.5 else Lies("", cell, top)


def moved(model: Model, random: Random) -> Move | None:
    """A card slides to another cell."""
    source, target = random.sample(CELLS, 2)
    pile = model.piles[source - 1]
    if len(pile) <= model.dealt[source - 1] or pile[-2] in model.unseen:
        return None
    model.piles[target - 1].append(pile.pop())
    return Lies("", target, model.piles[target - 1][-1])


DEEDS: tuple[Callable[[Model, Random], Move | None], ...] = (covered, covered, lifted, moved)


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_whatever_was_said_to_lie_there_the_piles_and_the_numbers_are_those_of_the_table(seed: int) -> None:
    random = Random(seed)
    state, hands = dealt(seed=seed)
    model = Model(list(hands), [[laid.card for laid in pile] for pile in state.piles], [*map(len, state.piles)])
    for _ in range(40):
        deed = random.choice(DEEDS)
        if deed is covered and len(model.hands) < 6:
            continue
        move = deed(model, random)
        if move is None:
            continue
        state = rule(state, move).state
        assert [[laid.card for laid in pile] for pile in state.piles] == model.told()
        assert (state.unseen, state.hidden) == (len(model.hands), len(model.unseen))
        assert total(state) == 64
        if state.phase != "play":
            return


# --- kept and read again ---------------------------------------------------------------------------------------


def test_the_new_moves_are_kept_and_read_again() -> None:
    match = Match(seated(GAME, House(), 2))
    cards = Random(1).sample(DECK, len(DECK))
    moves: list[Move] = [
        Deal("", tuple(cards[:9]), hidden=1),
        Go("", at=1),
        Lies("", 1, cards[10], hidden=2, at=2),
        Lies("Anna", 1, cards[11], taken=1, at=3),
    ]
    for move in moves:
        match.make(move)
    entries = [read_entry(GAME, *entry_plain(Made(done.move))) for done in match.line]
    assert Match.folded(match.setup, entries).state == match.state


@pytest.mark.parametrize("body", [{"move": "deal", "grid": list(DECK[:9]), "deals": [28, 27]}])
def test_a_deal_without_a_word_of_hidden_cards_is_read_as_before(body: dict[str, Any]) -> None:
    entry = read_entry(GAME, "made", body)
    assert isinstance(entry, Made)
    assert entry.move == Deal("", DECK[:9], deals=(28, 27))


def test_a_foul_changes_nothing() -> None:
    state, cards = dealt()
    with pytest.raises(Foul):
        rule(state, Lies("", 1, cards[0], hidden=99))

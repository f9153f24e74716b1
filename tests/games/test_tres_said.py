"""When "tres" is in time and when a silence can be caught, and which cards can come after a shuffle."""

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.codec import plain
from companion.core.house import house_as_kept
from companion.core.rules import UNSEEN, CardsMoved, Foul, Move, Ruling, Turn
from companion.games.tres.rules import (
    DISCARDS,
    GAME,
    Catch,
    Draw,
    Due,
    Fill,
    House,
    Keep,
    Pass,
    Play,
    State,
    Take,
    Tres,
    deck,
    rule,
    start,
)
from companion.games.tres.told_bot import Table
from tests.games.test_tres import BEFORE, NAMES, SMALL, may, refused, table

FOUR = ("red-8", "blue-1", "blue-2", "blue-3")  # with blue-7 on the table Ana comes down to three


def after(state: State, *moves: Move) -> State:
    for move in moves:
        state = rule(state, move).state
    return state


# --- in time -------------------------------------------------------------------------------------------------


def test_said_while_laying_is_in_time() -> None:
    state = after(table(FOUR), Tres("Ana"), Play("Ana", "blue-7", ("red-8",)))
    assert (len(state.hand("Ana")), state.tres, state.silent) == (3, ("said", "", ""), ())
    assert refused(state, Catch("Bea", "Ana")).code == "already-said"


def test_said_at_the_beginning_of_the_turn_is_in_time() -> None:
    state = table(FOUR, open_cards=("blue-7", "green-1"), phase="fill")
    state = after(state, Tres("Ana"), Fill("Ana", "green-4"), Play("Ana", "blue-7", ("red-8",)))
    assert state.silent == ()


def test_said_before_drawing_is_in_time() -> None:
    state = after(table(("red-1", "red-3")), Tres("Ana"), Draw("Ana"))
    assert refused(state, Catch("Bea", "Ana")).code == "already-said"
    state = after(state, Keep("Ana"))
    assert refused(state, Catch("Bea", "Ana")).code == "already-said"


def test_three_again_in_one_turn_need_one_word() -> None:
    state = table(("red-1", "red-3", "red-9"))
    state = after(state, Tres("Ana"), Draw("Ana", "blue-6"), Play("Ana", "blue-7", ("blue-6",)))
    assert (len(state.hand("Ana")), state.silent) == (3, ())


def test_with_another_hand_at_the_end_it_was_for_nothing_and_costs_nothing() -> None:
    state = after(table(FOUR), Tres("Ana"), Draw("Ana"), Keep("Ana"))
    assert (state.tres, state.announced, state.dues) == (("", "", ""), (), ())
    assert refused(state, Catch("Bea", "Ana")).code == "not-three-cards"


def test_what_was_said_in_an_earlier_turn_does_not_hold_for_the_next_three() -> None:
    state = after(table(FOUR), Tres("Ana"), Play("Ana", "blue-7", ("red-8",)))
    state = replace(state, turn="Ana", phase="turn", table=("blue-7", "blue-9", "joker"))
    state = after(state, Draw("Ana", "blue-6"), Play("Ana", "blue-7", ("blue-6",)))
    assert state.silent == ("Ana",)


def test_who_has_three_can_say_it_again_for_the_turn_that_begins() -> None:
    state = replace(table(("red-1", "red-3", "red-9")), tres=("said", "", ""))
    assert may(rule(state, Draw("Ana")))["tres"] == ("Ana",)
    state = after(state, Tres("Ana"), Draw("Ana", "blue-6"), Play("Ana", "blue-7", ("blue-6",)))
    assert state.silent == ()


def test_only_whose_hand_may_become_three_says_it() -> None:
    assert refused(table(FOUR), Tres("Bea")).code == "not-three-cards"
    assert refused(after(table(FOUR), Tres("Ana")), Tres("Ana")).sentence == "Ana has said tres in this turn already."


# --- caught --------------------------------------------------------------------------------------------------


def silent() -> State:
    """Ana has come down to three; the turn is Bea's."""
    return after(table(FOUR, open_cards=("blue-7", "green-1", "joker")), Play("Ana", "blue-7", ("red-8",)))


@pytest.mark.parametrize("first", [Draw("Bea"), Play("Bea", "joker", ("yellow-9",))])
def test_caught_until_the_next_turns_first_card(first: Move) -> None:
    state = after(silent(), Fill("Bea", "yellow-5"))
    assert state.silent == ("Ana",)
    assert after(state, Catch("Cai", "Ana")).dues == (Due("Ana", 3, ("caught",)),)
    ruling = rule(state, first)
    assert (ruling.state.silent, ruling.state.tres[0]) == ((), "late")
    assert "catch" not in may(ruling)
    foul = refused(ruling.state, Catch("Cai", "Ana"))
    assert (foul.code, foul.sentence) == (
        "too-late",
        "Cai is too late to catch Ana: a card of the next turn was laid or drawn before.",
    )
    assert after(ruling.state, Tres("Ana")).tres[0] == "said"  # late, and nobody has minded


def test_a_turn_that_is_lost_leaves_the_time_to_catch() -> None:
    state = after(silent(), Fill("Bea", "skip"))
    assert (state.turn, state.silent) == ("Cai", ("Ana",))
    assert after(state, Draw("Cai")).silent == ()


def test_passing_is_a_move_of_the_next_turn_too() -> None:
    state = table(FOUR, open_cards=("blue-7", "green-1", "joker"), pile=0)
    state = after(state, Play("Ana", "blue-7", ("red-8",)))
    state = replace(state, pile=0, discards=(), phase="turn")
    assert state.silent == ("Ana",)
    assert after(state, Pass("Bea")).silent == ()


def test_another_turn_of_the_same_player_is_the_next_turn() -> None:
    state = table(("skip", "skip", *FOUR[1:]), others=1, open_cards=("blue-2", "green-2", "joker"))
    state = after(state, Play("Ana", "blue-2", ("skip",)), Fill("Ana", "yellow-2"), Play("Ana", "green-2", ("skip",)))
    assert (state.turn, state.silent) == ("Ana", ("Ana",))
    assert after(state, Fill("Ana", "yellow-5"), Draw("Ana")).silent == ()


def test_three_by_a_penalty_that_ran_out_can_be_caught_and_two_be_silent() -> None:
    """Ana comes down to three by a +3; Bea owes three cards with two in hand, and one card is all there is."""
    state = table(("plus3", *FOUR[1:]), open_cards=("blue-2", "green-1", "joker"), pile=1)
    state = replace(state, hands=(state.hands[0], (UNSEEN,) * 2, (UNSEEN,) * 7))
    state = after(state, Play("Ana", "blue-2", ("plus3",)))
    state = replace(state, discards=())
    assert (state.phase, state.owed("Bea")) == ("pay", 1)
    state = after(state, Take("Bea"))
    assert (state.turn, state.silent) == ("Bea", ("Ana", "Bea"))
    choices = next(found.choices for found in rule(state, Tres("Ana")).may if found.move == "catch")
    assert [choice.whom for choice in choices] == ["Bea"]


def test_who_owes_cards_may_say_it_before_drawing_them() -> None:
    state = table(("plus3", *FOUR[1:], "blue-5"), open_cards=("blue-2", "green-1", "joker"), pile=1)
    state = replace(state, hands=(state.hands[0], (UNSEEN,) * 2, (UNSEEN,) * 7))
    state = replace(after(state, Play("Ana", "blue-2", ("plus3",))), discards=())
    state = after(state, Tres("Bea"), Take("Bea"))
    assert (len(state.hand("Bea")), state.silent) == (3, ())


def test_matches_from_before_know_the_word_with_three_cards_only() -> None:
    today = plain(House())
    older = {
        key: value
        for key, value in today.items()
        if key not in ("only_with_three", "any_card_drawn", "drawn_is_shuffled")
    }
    assert house_as_kept(GAME, older) == BEFORE
    state = table(FOUR, house=BEFORE)
    assert refused(state, Tres("Ana")).code == "not-three-cards"
    state = after(state, Play("Ana", "blue-7", ("red-8",)), Fill("Bea", "red-2"), Draw("Bea"), Keep("Bea"))
    assert state.silent == ("Ana",)
    assert after(state, Catch("Bea", "Ana")).phase == "pay"


# --- by property: the words of the rule, from the rulings alone ----------------------------------------------


class Listener:
    """Who can be caught, by what was ruled: the turn in which a hand became three, and in which tres was said."""

    def __init__(self, state: State) -> None:
        self.turn = 0
        self.sizes = state.scores
        self.became: dict[str, int] = {}
        self.said: dict[str, int] = {}
        self.safe: set[str] = set()  # caught already, or no longer to be caught

    def hear(self, move: Move, ruling: Ruling) -> None:
        if isinstance(move, Play | Draw | Pass):
            self.safe |= {player for player, turn in self.became.items() if turn < self.turn}
        for player, before, now in zip(NAMES, self.sizes, ruling.state.scores, strict=False):
            if before != now:
                self.became.pop(player, None)
                self.safe.discard(player)
            if before != now == 3:
                self.became[player] = self.turn
        self.sizes = ruling.state.scores
        if isinstance(move, Tres):
            self.said[move.player] = self.turn
        if isinstance(move, Catch):
            self.safe.add(move.whom)
        self.turn += sum(isinstance(event, Turn) for event in ruling.events)

    def silent(self) -> set[str]:
        return {
            player
            for player, turn in self.became.items()
            if player not in self.safe and self.said.get(player, -1) < turn
        }


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(2, 4), st.sampled_from((House(), SMALL)))
def test_who_can_be_caught_follows_from_when_cards_moved_and_words_were_said(
    seed: int, count: int, house: House
) -> None:
    names, chance = NAMES[: count if house != SMALL else 2], Random(seed)
    ruling, bots = start(names, house), Table(names, house, seed)
    listener = Listener(ruling.state)
    while ruling.state.outcome is None:
        state = ruling.state
        move = bots.next_move(state)
        if state.phase in ("fill", "turn", "drawn", "pay") and chance.random() < 0.3:
            player, whom = chance.choice(names), chance.choice(names)
            move = Tres(player) if chance.random() < 0.5 else Catch(player, whom)
        try:
            ruling = rule(state, move)
        except Foul:
            continue
        listener.hear(move, ruling)
        bots.ruled(ruling)
        if ruling.state.phase not in ("dealer", "deal", "over"):
            assert set(ruling.state.silent) == listener.silent()


# --- cards after a shuffle -----------------------------------------------------------------------------------

ANAS = ("red-8", "blue-4", "blue-5", "blue-6", "blue-8")
BEAS = ("green-1", "green-2", "green-2", "green-3", "green-3", "green-8", "green-8")
OPEN = ("blue-7", "green-5", "joker")


def shuffled(**house: Any) -> State:
    """Ana has drawn the last card of the pile; the discards are the new one. Bea shows nobody what she has."""
    today = House(**house)
    discards = Counter(dict(deck(today))) - Counter((*ANAS, *BEAS, *OPEN, "red-9"))
    state = table(
        ANAS,
        others=1,
        other_hand=(UNSEEN,) * 7,
        pile=1,
        open_cards=OPEN,
        house=today,
        discards=tuple(discards.elements()),
    )
    return after(state, Draw("Ana", "red-9"), Keep("Ana"))


def test_a_card_that_was_not_shuffled_cannot_be_drawn() -> None:
    held = shuffled()
    assert held.pile == len(held.stock or ())
    foul = refused(held, Draw("Bea", "green-3"))
    assert (foul.code, foul.sentence) == (
        "no-such-card-left",
        "Bea cannot have green-3: all 2 of it lie elsewhere.",
    )
    assert after(held, Draw("Bea", "green-4")).drawn == "green-4"


def test_nor_can_it_be_turned_up_or_taken() -> None:
    held = replace(shuffled(), turn="Ana")
    filling = replace(held, phase="fill", table=("joker",), pile=held.pile)
    assert refused(filling, Fill("Ana", "green-3")).code == "no-such-card-left"
    owing = replace(held, phase="pay", dues=(Due("Bea", 3, ("plus3",)),), then="begin", upcoming="Bea")
    assert refused(owing, Take("Bea", ("red-1", "green-3", "red-2"))).code == "no-such-card-left"
    assert refused(owing, Take("Bea", ("red-1", "red-1", "red-1"))).code == "no-such-card-left"
    assert after(owing, Take("Bea", ("red-1", "red-2", "red-2"))).dues == ()


def test_what_was_drawn_unseen_is_one_of_the_cards_that_were_shuffled() -> None:
    held = shuffled()
    drawn = after(held, Draw("Bea"))
    assert refused(drawn, Play("Bea", "joker", ("green-3",))).code == "no-such-card-left"
    assert after(drawn, Play("Bea", "green-5", ("green-4",))).hands[1] == (UNSEEN,) * 7


def test_a_card_that_is_surely_in_the_pile_is_in_nobodys_hand() -> None:
    held = shuffled()
    assert refused(held, Play("Bea", "joker", ("green-4",))).code == "no-such-card-left"
    assert after(held, Play("Bea", "joker", ("green-3",))).hands[1] == (UNSEEN,) * 6
    kept = after(held, Draw("Bea"), Keep("Bea"), Draw("Ana", "red-1"), Keep("Ana"))
    assert after(kept, Play("Bea", "joker", ("green-4",))).hands[1] == (UNSEEN,) * 7


def test_in_matches_from_before_any_card_may_come() -> None:
    held = shuffled(any_card_drawn=True)
    assert held.stock is None
    assert after(held, Draw("Bea", "green-3")).drawn == "green-3"


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.integers(2, 3), st.booleans())
def test_exactly_the_cards_of_the_pile_can_be_drawn_where_all_are_known(seed: int, count: int, seen: bool) -> None:
    """Bots with really shuffled cards: what comes is never refused, and where all is seen nothing else is accepted."""
    names, house, chance = NAMES[:count], SMALL, Random(seed)
    ruling, bots = start(names, house), Table(names, house, seed, seen=seen, mistakes=0)
    shuffles = 0
    while ruling.state.outcome is None and shuffles < 6:
        state = ruling.state
        move = bots.next_move(state)
        if isinstance(move, Draw) and seen and shuffles:
            known = Counter(bots.pile)
            for card in deck(house):
                if known[card]:
                    assert rule(state, Draw(move.player, card))
                else:
                    assert refused(state, Draw(move.player, card)).code in ("no-such-card-left", "unknown-card")
        if isinstance(move, Draw) and chance.random() < 0.5:
            move = replace(move, card="")
            seen = False
        ruling = rule(state, move)
        bots.ruled(ruling)
        moved = [event for event in ruling.events if isinstance(event, CardsMoved)]
        shuffles += sum(event.source == DISCARDS for event in moved)

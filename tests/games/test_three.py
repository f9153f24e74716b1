"""Three!: every sentence of the sheet, the check as it is seen and as it is said, every foul."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clocks import SECOND
from companion.core.codec import plain
from companion.core.errors import HouseRuleError
from companion.core.house import house_as_kept, house_from_json
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.rules import UNSEEN, CardsMoved, Ended, Foul, Move, Place, Ruling, Turn
from companion.games.three import rules as three
from companion.games.three.rules import (
    DOGS,
    GAME,
    Began,
    Begin,
    Call,
    CallsOver,
    Check,
    Checked,
    Choose,
    DeckEmpty,
    Declare,
    Dog,
    FinalRound,
    Hand,
    House,
    KeptOut,
    LastCalls,
    NothingMore,
    Pass,
    Passed,
    Play,
    Played,
    Rearming,
    Release,
    Released,
    SeenOtherwise,
    State,
    Strike,
    Struck,
    StruckTogether,
    WhoseHand,
    rule,
    start,
)
from tests.games.sources import source_of

NAMES = ("Ann", "Bob", "Cleo", "Dan")
E, S, J, H = "Ember", "Sky", "Juniper", "Honey"


def small(dogs: int, copies: int, **rest: Any) -> House:
    return House(dogs=DOGS[:dogs], copies=copies, deck=dogs * copies, **{"rearm": 0, **rest})


AT_ONCE = House(rearm=0)  # most of what follows happens in no time


def begun(count: int = 2, house: House | None = None, starter: str = "Ann") -> State:
    state: State = rule(start(NAMES[:count], house or AT_ONCE).state, Begin(starter)).state
    return state


def after(state: State, *moves: Move) -> State:
    for move in moves:
        state = rule(state, move).state
    return state


def piled(*piles: str, turn: str = "Ann", house: House | None = None, count: int = 2, **rest: Any) -> State:
    """A table on which these piles lie, a letter for a dog and a dot for a card that nobody showed."""
    dogs = {name[0]: name for name in (dog.name for dog in DOGS[:4])} | {".": UNSEEN}
    state = begun(count, house)
    lying = tuple(tuple(dogs[letter] for letter in pile) for pile in piles) + ((),) * (count - len(piles))
    return replace(state, **{"turn": turn, "deck": state.deck - sum(map(len, lying)), "piles": lying, **rest})


def refused(state: State, move: Move) -> Foul:
    before = repr(state)
    with pytest.raises(Foul) as caught:
        rule(state, move)
    assert repr(state) == before
    assert caught.value.player == move.player
    assert caught.value.sentence.endswith(".")
    assert "{" not in caught.value.sentence
    return caught.value


def total(state: State) -> int:
    return sum(state.hands) + state.deck + sum(map(len, state.piles)) + sum(state.banks) + state.out


def settled(
    state: State, caller: str, whom: str, dog: str, found: int | None = None, *, insist: bool = False
) -> Ruling:
    """A call from the strike to the end of the check."""
    return rule(after(state, Strike(caller), Call(caller, whom, dog)), Check(whom, found, insist))


def moved(ruling: Ruling) -> list[CardsMoved]:
    return [event for event in ruling.events if isinstance(event, CardsMoved)]


def checked(ruling: Ruling) -> Checked:
    return next(event for event in ruling.events if isinstance(event, Checked))


# --- set-up ----------------------------------------------------------------------------------------------------


def test_the_box_holds_48_cards_for_2_to_4_players() -> None:
    assert GAME.players == (2, 4)
    assert House().deck == 48 == len(House().dogs) * House().copies


@pytest.mark.parametrize("count", [2, 3, 4])
def test_everybody_draws_three_cards(count: int) -> None:
    state = start(NAMES[:count], House()).state
    assert state.hands == (3,) * count
    assert state.deck == 48 - 3 * count
    assert (state.phase, state.turn, state.scores) == ("setup", "", (0,) * count)


@pytest.mark.parametrize("starter", NAMES[:3])
def test_the_table_chooses_who_begins(starter: str) -> None:
    ruling = rule(start(NAMES[:3], House()).state, Begin(starter))
    assert ruling.events == (Began(starter, 39),)
    assert ruling.state.turn == starter


@pytest.mark.parametrize(
    ("house", "says"),
    [
        ({"copies": 5}, "8 dogs with 5 copies make 40 cards, not 48"),
        ({"deck": 40}, "make 48 cards, not 40"),
        ({"dogs": DOGS[:7]}, "7 dogs with 6 copies make 42 cards"),
        ({"dogs": (*DOGS[:7], Dog("Ember", "pink"))}, "no other dog has"),
        ({"dogs": (*DOGS[:7], Dog("Rex", "red"))}, "no other dog has"),
        ({"dogs": (*DOGS[:7], Dog("red", "pink"))}, "no other dog has"),
        ({"dogs": (*DOGS[:7], Dog("", "pink"))}, "needs a name"),
    ],
)
def test_dogs_that_do_not_make_the_deck(house: dict[str, Any], says: str) -> None:
    with pytest.raises(HouseRuleError, match=says):
        House(**house)


def test_a_deck_too_small_to_deal() -> None:
    with pytest.raises(HouseRuleError, match="8 cards are too few to deal 3 each to 3 players"):
        start(NAMES[:3], small(2, 4))
    assert start(NAMES[:2], small(2, 3)).state.deck == 0


# --- playing a card --------------------------------------------------------------------------------------------


def test_a_turn_plays_one_card_and_draws_one() -> None:
    ruling = rule(begun(), Play("Ann", E))
    assert ruling.events == (
        Played("Ann", E, 1),
        CardsMoved((E,), Place("hand", "Ann"), Place("pile", "Ann")),
        CardsMoved((UNSEEN,), Place("deck"), Place("hand", "Ann")),
        Turn("Bob"),
    )
    assert ruling.state.hands == (3, 3)
    assert ruling.state.deck == 41
    assert ruling.state.pile("Ann") == (E,)


def test_the_next_card_lies_on_top() -> None:
    state = after(begun(), Play("Ann", E), Play("Bob"), Play("Ann", "blue"))
    assert state.piles == ((E, S), (UNSEEN,))


def test_play_goes_clockwise() -> None:
    state, turns = begun(4, starter="Cleo"), []
    for _ in range(5):
        turns.append(state.turn)
        state = after(state, Play(state.turn))
    assert turns == ["Cleo", "Dan", "Ann", "Bob", "Cleo"]


def test_a_dog_goes_by_its_name_or_its_colour() -> None:
    assert after(begun(), Play("Ann", "red")) == after(begun(), Play("Ann", "Ember"))


def test_a_card_of_which_all_have_been_seen() -> None:
    house = small(4, 3)
    foul = refused(piled("EE", "E", house=house), Play("Ann", E))
    assert foul.code == "no-such-card-left"
    assert "all 3 cards" in foul.sentence
    taken = settled(piled("EE", "E", house=house), "Ann", "Bob", E).state
    assert refused(taken, Play("Ann", E)).code == "no-such-card-left"
    assert rule(piled("EE", "S", house=house), Play("Ann", E))


# --- calling ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("caller", ["Ann", "Bob", "Cleo"])
@pytest.mark.parametrize("phase", ["turn", "final"])
def test_a_call_is_open_to_everybody_at_any_time(caller: str, phase: str) -> None:
    state = piled("EEE", "EEE", "EEE", count=3, turn="Bob")
    if phase == "final":
        state = replace(state, phase="final", hands=(0, 0, 0), deck=30, final_turns=2)
    whom = "Ann" if caller != "Ann" else "Bob"
    ruling = settled(state, caller, whom, "red")
    assert ruling.state.phase == phase
    assert ruling.state.turn == "Bob"
    assert ruling.state.banks[NAMES.index(caller)] == 3


@pytest.mark.parametrize(
    ("pile", "found", "bank"),
    [("EEE", 3, "Bob"), ("EESEJEE", 5, "Bob"), ("EES", 2, "Ann"), ("SEJ", 1, "Ann"), ("SJ", 0, "Ann"), ("", 0, "Ann")],
)
def test_three_or_more_go_to_the_caller_and_fewer_to_the_called(pile: str, found: int, bank: str) -> None:
    ruling = settled(piled(pile), "Bob", "Ann", E)
    assert checked(ruling) == Checked("Ann", E, found, found >= 3, Place("bank", bank))
    assert moved(ruling) == [CardsMoved((E,) * found, Place("pile", "Ann"), Place("bank", bank))]
    assert ruling.state.banks == ((found, 0) if bank == "Ann" else (0, found))
    assert total(ruling.state) == 48


def test_a_check_keeps_the_order_of_what_stays() -> None:
    assert settled(piled("SEJEHE"), "Bob", "Ann", E).state.pile("Ann") == (S, J, H)


def test_the_caller_may_name_colour_or_name() -> None:
    state = after(piled("EEE"), Strike("Bob"))
    assert after(state, Call("Bob", "Ann", "red")) == after(state, Call("Bob", "Ann", E))


def test_who_strikes_first_has_priority_and_later_strikes_are_void() -> None:
    state = after(piled("EEE", count=3), Strike("Cleo", at=7))
    assert state.caller == "Cleo"
    foul = refused(state, Strike("Bob", at=8))
    assert foul.code == "strike-void"
    assert foul.sentence == "Bob's strike is void: Cleo was first and that call is still being settled."
    state = after(state, Call("Cleo", "Ann", E))
    assert refused(state, Strike("Bob")).code == "strike-void"
    assert refused(state, Strike("Cleo")).code == "strike-void"
    state = after(state, Check("Ann"))
    assert state.phase == "turn"  # nothing was queued
    assert after(state, Strike("Bob")).caller == "Bob"


def test_a_strike_is_void_while_somebody_checks_what_he_declared() -> None:
    foul = refused(after(piled("EEE"), Declare("Ann", E)), Strike("Bob"))
    assert foul.code == "strike-void"
    assert "Ann was first" in foul.sentence


def test_the_strike_tells_its_stamp() -> None:
    assert rule(begun(), Strike("Bob", at=123)).events == (Struck("Bob", 123),)


@pytest.mark.parametrize("timeout", [1, 10, 600])
def test_a_strike_without_a_call_is_released_in_time(timeout: int) -> None:
    state = after(begun(house=House(call_timeout=timeout, rearm=0)), Strike("Bob", at=5))
    deadline = state.deadline
    assert deadline is not None
    assert deadline.at == 5 + timeout * SECOND
    ruling = rule(state, deadline.move)
    assert ruling.events == (Released("Bob", timeout * SECOND),)
    assert (ruling.state.phase, ruling.state.caller, ruling.state.deadline) == ("turn", "", None)


def test_only_a_strike_has_a_deadline() -> None:
    state = begun()
    assert state.deadline is None
    assert after(state, Strike("Ann"), Call("Ann", "Bob", E)).deadline is None


def test_the_caller_may_let_go_before() -> None:
    assert after(begun(), Strike("Bob", at=5), Release("Bob", at=9)) == replace(begun(), struck_at=5)


def test_release_in_the_last_round_leads_back_into_it() -> None:
    state = replace(begun(), phase="final", hands=(0, 0), final_turns=2)
    assert after(state, Strike("Bob"), Release("Bob")).phase == "final"


# --- strikes that cannot be told apart, and the one big button ---------------------------------------------------


def test_one_big_button_does_not_know_whose_hand_it_was() -> None:
    ruling = rule(begun(), Strike("", at=5))
    assert ruling.events == (WhoseHand(5),)
    assert [(may.move, may.players) for may in ruling.may] == [("hand", ("Ann", "Bob")), ("release", ("Ann", "Bob"))]
    deadline = ruling.state.deadline
    assert deadline is not None
    assert rule(ruling.state, deadline.move).state.phase == "turn"
    ruling = rule(ruling.state, Hand("Bob", at=9))
    assert ruling.events == (Struck("Bob", 5),)
    assert ruling.state.deadline.at == 5 + 10 * SECOND  # from the strike, not from the word
    assert ruling.state == after(begun(), Strike("Bob", at=5))


@pytest.mark.parametrize("tied", [("Ann", "Bob"), ("Bob", "Ann", "Cleo")])
def test_tied_players_strike_again_if_the_house_says_so(tied: tuple[str, ...]) -> None:
    ruling = rule(begun(3), Strike("", tied=tied, at=5))
    assert ruling.events == (StruckTogether(NAMES[: len(tied)], "nobody has the call, strike again", None),)
    assert ruling.state == replace(begun(3), struck_at=5)


@pytest.mark.parametrize(("turn", "first"), [("Ann", "Bob"), ("Bob", "Bob"), ("Cleo", "Dan"), ("Dan", "Dan")])
def test_the_next_in_the_order_of_the_seats_has_the_call(turn: str, first: str) -> None:
    state = begun(4, House(tie="seats"), turn)
    ruling = rule(state, Strike("", tied=("Dan", "Bob"), at=5))
    assert isinstance(ruling.events[0], StruckTogether)
    assert ruling.events[1] == Struck(first, 5)
    assert (ruling.state.phase, ruling.state.caller) == ("struck", first)


def test_one_who_did_not_strike_chooses() -> None:
    state = after(begun(3, House(tie="choice")), Strike("", tied=("Ann", "Cleo"), at=5))
    assert (state.phase, state.tied) == ("tied", ("Ann", "Cleo"))
    assert [
        (may.move, may.players) for may in rule(begun(3, House(tie="choice")), Strike("", tied=("Ann", "Cleo"))).may
    ] == [("choose", ("Bob",)), ("release", NAMES[:3])]
    ruling = rule(state, Choose("Bob", "Cleo", at=7))
    assert ruling.events == (Struck("Cleo", 5),)
    assert ruling.state == after(begun(3, House(tie="choice")), Strike("Cleo", at=5))
    assert after(state, Release("")).phase == "turn"


def test_with_nobody_left_to_choose_they_strike_again() -> None:
    assert after(begun(2, House(tie="choice")), Strike("", tied=("Ann", "Bob"))).phase == "turn"


def test_the_photo_finish_says_how_close_it_was() -> None:
    arrivals = (Arrival("Ann", How.STAMPED, 100, 0), Arrival("Bob", How.STAMPED, 105, 5))
    finish = Finish(arrivals, 50, ("Ann", "Bob"))
    (event,) = rule(begun(), Strike("", tied=("Ann", "Bob"), finish=finish)).events
    assert isinstance(event, StruckTogether)
    assert event.margin == 50


# --- declaring -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pile", "found", "to"),
    [
        ("EEE", 3, Place("bank", "Ann")),
        ("EESEEJ", 4, Place("bank", "Ann")),
        ("EES", 2, Place("box")),
        ("ES", 1, Place("box")),
        ("S", 0, Place("box")),
    ],
)
def test_three_or_more_declared_are_banked_and_fewer_leave_the_game(pile: str, found: int, to: Place) -> None:
    ruling = rule(after(piled(pile), Declare("Ann", "red")), Check("Ann"))
    assert checked(ruling) == Checked("Ann", E, found, found >= 3, to)
    assert moved(ruling) == [CardsMoved((E,) * found, Place("pile", "Ann"), to)]
    assert ruling.state.banks == ((found, 0) if to.kind == "bank" else (0, 0))
    assert ruling.state.out == (0 if to.kind == "bank" else found)
    assert ruling.state.turn == "Ann"
    assert total(ruling.state) == 48


def test_a_declaration_after_the_card_is_too_late() -> None:
    foul = refused(after(piled("EEE"), Play("Ann", S)), Declare("Ann", E))
    assert foul.code == "not-your-turn"
    assert "too late" in foul.sentence
    assert "Bob's turn" in foul.sentence


def test_one_declaration_in_a_turn_and_another_in_the_next() -> None:
    state = after(piled("EEESSS"), Declare("Ann", E), Check("Ann"))
    assert refused(state, Declare("Ann", S)).code == "declared-enough"
    assert "declare" not in [may.move for may in rule(after(state, Strike("Bob")), Release("Bob")).may]
    state = after(state, Play("Ann", J), Play("Bob", J))
    assert after(state, Declare("Ann", S), Check("Ann")).banks == (6, 0)


def test_a_call_in_between_does_not_give_the_declaration_back() -> None:
    state = after(piled("EEESSS"), Declare("Ann", E), Check("Ann"), Strike("Bob"), Call("Bob", "Ann", J), Check("Ann"))
    assert refused(state, Declare("Ann", S)).code == "declared-enough"


def test_the_house_rule_allows_two_declarations_or_none() -> None:
    state = after(
        piled("EEESSS", house=House(declarations_per_turn=2)),
        Declare("Ann", E),
        Check("Ann"),
        Declare("Ann", S),
        Check("Ann"),
    )
    assert state.banks == (6, 0)
    assert refused(state, Declare("Ann", J)).sentence.startswith("Ann has declared 2 times")
    ruling = rule(start(NAMES[:2], House(declarations_per_turn=0)).state, Begin("Ann"))
    assert [may.move for may in ruling.may] == ["play", "strike"]
    assert refused(ruling.state, Declare("Ann", E)).code == "declared-enough"


# --- the number that is found ----------------------------------------------------------------------------------


def test_with_all_cards_seen_nobody_needs_to_say_a_number() -> None:
    state = piled("EESE")
    assert settled(state, "Bob", "Ann", E) == settled(state, "Bob", "Ann", E, 3)


@pytest.mark.parametrize("said", [0, 1, 2, 4])
def test_with_all_cards_seen_another_number_is_refused(said: int) -> None:
    state = after(piled("EESE"), Strike("Bob"), Call("Bob", "Ann", E))
    foul = refused(state, Check("Ann", said))
    assert foul.code == "count-differs"
    assert f"says {said} of Ember, but the referee has seen 3" in foul.sentence


def test_with_no_card_seen_the_number_is_taken_on_trust() -> None:
    state = after(piled("....."), Strike("Bob"), Call("Bob", "Ann", E))
    assert refused(state, Check("Ann")).code == "count-needed"
    for said in range(6):
        ruling = rule(state, Check("Ann", said))
        assert checked(ruling).found == said
        assert ruling.state.pile("Ann") == (UNSEEN,) * (5 - said)
        assert total(ruling.state) == 48


def test_partly_seen_the_number_must_be_possible() -> None:
    state = after(piled("E.ES."), Strike("Bob"), Call("Bob", "Ann", E))
    assert refused(state, Check("Ann")).code == "count-needed"
    assert {said: refused(state, Check("Ann", said)).code for said in (0, 1, 5, 6, -1)} == {
        0: "count-differs",
        1: "count-differs",
        5: "count-differs",
        6: "impossible-count",
        -1: "impossible-count",
    }
    assert after(state, Check("Ann", 2)).pile("Ann") == (UNSEEN, S, UNSEEN)
    assert after(state, Check("Ann", 3)).pile("Ann") == (S, UNSEEN)
    assert after(state, Check("Ann", 4)).pile("Ann") == (S,)


def test_what_others_have_of_a_dog_cannot_be_under_an_unseen_card() -> None:
    state = after(piled("E..", "EEEE"), Strike("Bob"), Call("Bob", "Ann", E))
    assert rule(state, Check("Ann", 2))  # 6 of them in all: 4 with Bob, 1 here, so 1 may be unseen
    foul = refused(state, Check("Ann", 3))
    assert foul.code == "count-differs"
    assert foul.facts["unseen"] == 1


def test_no_more_than_there_are_of_a_dog() -> None:
    state = after(piled("........", gone=(4, 0, 0, 0, 0, 0, 0, 0)), Strike("Bob"), Call("Bob", "Ann", E))
    assert refused(state, Check("Ann", 3)).sentence == "Ann says 3 of Ember; it can only be 0 to 2."
    assert rule(state, Check("Ann", 2))


def test_whoever_insists_is_believed_and_the_pile_is_unseen_from_then_on() -> None:
    ruling = settled(piled("EESEJ"), "Bob", "Ann", E, 2, insist=True)
    assert ruling.events[0] == SeenOtherwise("Ann", E, 2, 3)
    assert checked(ruling).to == Place("bank", "Ann")
    assert ruling.state.pile("Ann") == (UNSEEN,) * 3
    assert total(ruling.state) == 48


def test_insisting_on_what_was_seen_changes_nothing() -> None:
    assert settled(piled("EESE"), "Bob", "Ann", E, 3, insist=True) == settled(piled("EESE"), "Bob", "Ann", E)


def test_insisting_cannot_find_more_than_lie_there() -> None:
    state = after(piled("ESJ"), Strike("Bob"), Call("Bob", "Ann", E))
    assert refused(state, Check("Ann", 4, insist=True)).code == "impossible-count"
    assert refused(state, Check("Ann", -1, insist=True)).code == "impossible-count"


@pytest.mark.parametrize("gone", [6, 7])
def test_what_lies_there_can_be_said_after_somebody_insisted_on_too_many(gone: int) -> None:
    """Six or seven of six are gone by other players' words, and one more was seen here, beside a card that was not."""
    state = after(piled("E.", gone=(gone, 0, 0, 0, 0, 0, 0, 0)), Strike("Bob"), Call("Bob", "Ann", E))
    assert after(state, Check("Ann", 1)).pile("Ann") == (UNSEEN,)
    nothing = after(piled(".", gone=(gone, 0, 0, 0, 0, 0, 0, 0)), Strike("Bob"), Call("Bob", "Ann", E))
    assert after(nothing, Check("Ann", 0)).pile("Ann") == (UNSEEN,)
    assert refused(nothing, Check("Ann", 1)).sentence == "Ann says 1 of Ember; it can only be 0 to 0."


def test_after_insisting_on_too_many_no_card_of_the_dog_is_left() -> None:
    """Bob shows four of six, Ann insists on three: the referee does not count below zero."""
    state = settled(piled("EJS", "EEEE"), "Bob", "Ann", E, 3, insist=True).state
    assert refused(state, Play("Ann", E)).code == "no-such-card-left"
    state = after(state, Strike("Ann"), Call("Ann", "Bob", E))
    assert rule(state, Check("Bob", 4)) == rule(state, Check("Bob")), "four of his were seen"
    assert rule(state, Check("Bob", 3, insist=True))


# --- the end ---------------------------------------------------------------------------------------------------


def test_when_the_deck_is_empty_play_goes_on_without_drawing() -> None:
    state = replace(begun(), deck=1)
    ruling = rule(state, Play("Ann"))
    assert DeckEmpty() in ruling.events
    assert ruling.state.hands == (3, 3)
    ruling = rule(ruling.state, Play("Bob"))
    assert ruling.state.hands == (3, 2)
    assert DeckEmpty() not in ruling.events
    assert len(moved(ruling)) == 1


def played_to_the_end(state: State) -> tuple[State, list[str]]:
    """Everybody plays until all hands are empty; and who did."""
    turns = []
    while state.phase == "turn":
        turns.append(state.turn)
        state = after(state, Play(state.turn))
    return state, turns


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize(("dogs", "copies"), [(4, 3), (7, 2), (13, 1), (5, 3), (16, 1), (17, 1)])
def test_hands_run_empty_at_different_times_in_odd_decks(count: int, starter: int, dogs: int, copies: int) -> None:
    house = House(tuple(Dog(f"dog {number}", f"colour {number}") for number in range(dogs)), copies, dogs * copies)
    state, turns = played_to_the_end(begun(count, house, NAMES[starter]))
    assert state.hands == (0,) * count
    assert len(turns) == sum(map(len, state.piles)) == house.deck
    plays = Counter(turns)
    assert max(plays.values()) - min(plays.values()) <= 1
    in_turn = [NAMES[(starter + number) % count] for number in range(house.deck)]
    assert turns == in_turn  # who has no card left is later than who has one, so nobody is skipped
    assert state.turn == NAMES[(starter + house.deck) % count]
    assert state.final_turns == count


def test_whoever_has_no_card_left_is_passed_over() -> None:
    state = replace(begun(3), hands=(1, 0, 1), deck=0)
    state = after(state, Play("Ann"))
    assert state.turn == "Cleo"


def test_the_last_round_lets_everybody_declare_once_in_turn() -> None:
    state = piled("EEE", "SSS", "JJ", count=3, turn="Bob", hands=(0, 1, 0), deck=0)
    ruling = rule(state, Play("Bob"))
    assert FinalRound("Cleo") in ruling.events
    assert [(may.move, may.players) for may in ruling.may] == [
        ("pass", ("Cleo",)),
        ("declare", ("Cleo",)),
        ("strike", NAMES[:3]),
    ]
    assert refused(ruling.state, Play("Cleo")).code == "no-cards"
    state = after(ruling.state, Declare("Cleo", J), Check("Cleo"), Pass("Ann"))
    assert (state.banks, state.turn) == ((0, 0, 0), "Bob")
    ruling = rule(after(state, Declare("Bob", S)), Check("Bob", 3))
    assert (ruling.state.banks, ruling.state.phase) == ((0, 3, 0), "over")


# --- the turns of the last round -------------------------------------------------------------------------------


def last_round(declarations: int = 1, **rest: Any) -> Ruling:
    """Ann has laid the last card of all."""
    house = House(rearm=0, declarations_per_turn=declarations, **rest)
    state = piled("EEE", "SSSJJJ", count=2, house=house, hands=(1, 0), deck=0)
    return rule(state, Play("Ann", H))


def test_who_may_declare_no_more_in_the_last_round_has_had_the_turn() -> None:
    ruling = rule(after(last_round().state, Declare("Bob", S)), Check("Bob"))
    assert (ruling.state.turn, ruling.state.declared) == ("Ann", 0)
    assert ruling.events[-1] == Turn("Ann")
    assert Passed("Bob") not in ruling.events
    ruling = rule(after(ruling.state, Declare("Ann", E)), Check("Ann", 3))
    assert (ruling.state.phase, ruling.state.banks, ruling.state.out) == ("over", (3, 3), 4)
    assert isinstance(ruling.events[-1], Ended)


def test_a_call_in_the_last_round_takes_nobodys_turn() -> None:
    state = last_round().state
    assert settled(state, "Ann", "Bob", S).state.turn == "Bob"
    assert settled(state, "Bob", "Ann", E).state.turn == "Bob"


def test_who_may_declare_again_does_so_or_has_nothing_more() -> None:
    ruling = rule(after(last_round(2).state, Declare("Bob", S)), Check("Bob"))
    assert (ruling.state.turn, ruling.state.phase) == ("Bob", "final")
    assert {may.move for may in ruling.may} == {"pass", "declare", "strike"}
    assert rule(ruling.state, Pass("Bob")).events[0] == NothingMore("Bob")
    again = rule(after(ruling.state, Declare("Bob", J)), Check("Bob"))
    assert (again.state.turn, again.state.banks) == ("Ann", (0, 6))
    assert rule(again.state, Pass("Ann")).events[0] == Passed("Ann")


def test_where_nobody_may_declare_calls_are_open_until_the_match_is_ended() -> None:
    ruling = last_round(0)
    assert ruling.events[-1] == LastCalls("Bob")
    assert {may.move for may in ruling.may} == {"pass", "strike"}
    state = settled(ruling.state, "Bob", "Ann", E).state
    assert (state.phase, state.banks) == ("final", (0, 3))
    ruling = rule(state, Pass("Bob"))
    assert (ruling.events[0], ruling.state.phase) == (CallsOver(), "over")


@pytest.mark.parametrize("declarations", [0, 1, 2])
def test_in_matches_from_before_everybody_passes_in_the_last_round(declarations: int) -> None:
    state = last_round(declarations, everybody_passes=True).state
    for player in ("Bob", "Ann"):
        for _ in range(declarations):
            state = after(state, Declare(player, E), Check(player))
        assert (state.turn, state.phase) == (player, "final")
        if declarations:
            assert refused(state, Declare(player, J)).code == "declared-enough"
        ruling = rule(state, Pass(player))
        assert ruling.events[0] == Passed(player)
        state = ruling.state
    assert state.phase == "over"


def test_cards_still_on_the_piles_leave_the_game() -> None:
    state = piled("EES", "J.", phase="final", hands=(0, 0), deck=0, final_turns=1, banks=(20, 23))
    ruling = rule(state, Pass("Ann"))
    assert moved(ruling) == [
        CardsMoved((E, E, S), Place("pile", "Ann"), Place("box")),
        CardsMoved((J, UNSEEN), Place("pile", "Bob"), Place("box")),
    ]
    assert ruling.state.out == 5
    assert ruling.state.piles == ((), ())
    assert total(ruling.state) == 48
    assert ruling.may == ()


@pytest.mark.parametrize(
    ("banks", "winners"),
    [((5, 3, 4), ("Ann",)), ((3, 5, 5), ("Bob", "Cleo")), ((0, 0, 0), NAMES[:3]), ((7, 7, 0), ("Ann", "Bob"))],
)
def test_most_cards_win_and_equal_numbers_share(banks: tuple[int, ...], winners: tuple[str, ...]) -> None:
    state = replace(begun(3), phase="final", hands=(0, 0, 0), final_turns=1, banks=banks)
    ruling = rule(state, Pass("Ann"))
    outcome = ruling.state.outcome
    assert (outcome.winners, outcome.scores) == (winners, banks)
    assert isinstance(ruling.events[-1], Ended)
    assert (ruling.state.phase, ruling.state.turn) == ("over", "")


# --- fouls -----------------------------------------------------------------------------------------------------

STRUCK = after(piled("EEE"), Strike("Bob"))
CHECKING = after(STRUCK, Call("Bob", "Ann", E))
OVER = after(replace(begun(), phase="final", hands=(0, 0), final_turns=1), Pass("Ann"))
FINAL = replace(begun(), phase="final", hands=(0, 0), deck=0, final_turns=2)

WHOSE = after(begun(), Strike(""))
TIED = after(begun(3, House(tie="choice")), Strike("", tied=("Ann", "Bob")))

REARMING = after(begun(house=House()), Strike("Bob"), Release("Bob"))
KEPT_OUT = replace(begun(), kept_out=(5 * SECOND, 0))

FOULS: list[tuple[str, State, Move]] = [
    ("early", REARMING, Strike("Bob", at=SECOND - 1)),
    ("early", REARMING, Strike("", at=SECOND - 1)),
    ("early", REARMING, Strike("", tied=("Ann", "Bob"))),
    ("kept-out", KEPT_OUT, Strike("Ann", at=5 * SECOND - 1)),
    ("kept-out", after(KEPT_OUT, Strike("")), Hand("Ann")),
    ("not-begun", start(NAMES[:2], House()).state, Play("Ann")),
    ("not-begun", start(NAMES[:2], House()).state, Strike("Ann")),
    ("not-now", begun(), Begin("Bob")),
    ("not-now", begun(), Check("Ann", 0)),
    ("not-now", begun(), Call("Ann", "Bob", E)),
    ("not-now", begun(), Release("Ann")),
    ("not-now", begun(), Pass("Ann")),
    ("not-your-turn", begun(), Play("Bob")),
    ("not-your-turn", begun(), Declare("Bob", E)),
    ("not-your-turn", FINAL, Pass("Bob")),
    ("unknown-dog", begun(), Play("Ann", "Rex")),
    ("unknown-dog", begun(), Declare("Ann", "ember")),
    ("unknown-dog", STRUCK, Call("Bob", "Ann", "")),
    ("strike-void", STRUCK, Strike("Ann")),
    ("strike-void", CHECKING, Strike("Ann")),
    ("call-open", STRUCK, Play("Ann")),
    ("call-open", STRUCK, Declare("Ann", E)),
    ("call-open", STRUCK, Check("Ann")),
    ("not-the-caller", STRUCK, Call("Ann", "Bob", E)),
    ("not-the-caller", STRUCK, Release("Ann")),
    ("called-oneself", STRUCK, Call("Bob", "Bob", E)),
    ("unknown-player", STRUCK, Call("Bob", "Zoe", E)),
    ("check-open", CHECKING, Play("Ann")),
    ("check-open", CHECKING, Call("Bob", "Ann", S)),
    ("check-open", CHECKING, Release("Bob")),
    ("not-the-checked", CHECKING, Check("Bob")),
    ("count-differs", CHECKING, Check("Ann", 2)),
    ("impossible-count", CHECKING, Check("Ann", 4)),
    ("count-needed", after(piled("E."), Strike("Bob"), Call("Bob", "Ann", E)), Check("Ann")),
    ("declared-enough", after(begun(), Declare("Ann", E), Check("Ann")), Declare("Ann", S)),
    ("no-such-card-left", piled("EEE", "EEE"), Play("Ann", E)),
    ("no-cards", FINAL, Play("Ann")),
    ("whose-hand", WHOSE, Play("Ann")),
    ("whose-hand", WHOSE, Call("Ann", "Bob", E)),
    ("strike-void", WHOSE, Strike("Ann")),
    ("not-now", begun(), Hand("Ann")),
    ("call-open", STRUCK, Hand("Ann")),
    ("impossible-tie", begun(), Strike("", tied=("Ann",))),
    ("impossible-tie", begun(), Strike("", tied=("Ann", "Ann"))),
    ("impossible-tie", begun(), Strike("", tied=("Ann", "Bob", "Zoe"))),
    ("tie-open", TIED, Play("Ann")),
    ("tie-open", TIED, Call("Ann", "Bob", E)),
    ("strike-void", TIED, Strike("Cleo")),
    ("tied-oneself", TIED, Choose("Ann", "Bob")),
    ("not-tied", TIED, Choose("Cleo", "Cleo")),
    ("not-now", begun(), Choose("Ann", "Bob")),
    ("match-over", OVER, Play("Ann")),
    ("match-over", OVER, Strike("Bob")),
    ("match-over", OVER, Begin("Bob")),
]


@pytest.mark.parametrize(("code", "state", "move"), FOULS)
def test_a_foul_says_why_and_changes_nothing(code: str, state: State, move: Move) -> None:
    assert refused(state, move).code == code


def test_every_foul_of_the_game_is_shown_above() -> None:
    known = set(re.findall(r'[Ff]oul\(\s*"([a-z-]+)"', source_of(three)))
    assert known == {code for code, _, _ in FOULS}


# --- armed again -----------------------------------------------------------------------------------------------


def called(house: House, cards: str = "EE") -> Ruling:
    """Bob has called Ann for a dog of which so many lie there, and is answered at 7 s."""
    state = piled(cards)
    state = after(replace(state, house=house), Strike("Bob", at=SECOND), Call("Bob", "Ann", E, at=2 * SECOND))
    return rule(state, Check("Ann", at=7 * SECOND))


def test_after_a_call_the_token_is_free_again_in_a_second() -> None:
    ruling = called(House())
    assert Rearming(8 * SECOND) in ruling.events
    foul = refused(ruling.state, Strike("Ann", at=8 * SECOND - 250_000_000))
    assert foul.sentence == "Ann struck 250.000 ms too early: the token was not free yet."
    assert foul.facts == {"early": "250.000 ms"}
    assert after(ruling.state, Strike("Ann", at=8 * SECOND)).caller == "Ann"


@pytest.mark.parametrize(("rearm", "free_at"), [(0, 7), (30, 37)])
def test_how_long_is_a_house_rule(rearm: int, free_at: int) -> None:
    state = called(House(rearm=rearm)).state
    assert after(state, Strike("Ann", at=free_at * SECOND)).caller == "Ann"


def test_a_declaration_is_no_call_and_a_tie_that_is_struck_again_is_one() -> None:
    declared = after(begun(house=House()), Declare("Ann", E, at=SECOND), Check("Ann", at=SECOND))
    assert after(declared, Strike("Bob", at=SECOND)).caller == "Bob"
    tied = after(begun(house=House()), Strike("", tied=("Ann", "Bob"), at=SECOND))
    assert refused(tied, Strike("Ann", at=SECOND + 1)).code == "early"


def test_who_called_wrongly_may_be_kept_out() -> None:
    ruling = called(House(cooldown=10))
    assert KeptOut("Bob", 10, 17 * SECOND) in ruling.events
    assert "Bob called wrongly and may not strike for 10 s." in ruling.sentences
    foul = refused(ruling.state, Strike("Bob", at=14 * SECOND))
    assert (foul.code, foul.sentence) == (
        "kept-out",
        "Bob called wrongly and may not strike for another 3.000 s.",
    )
    assert after(ruling.state, Strike("Ann", at=8 * SECOND)).caller == "Ann"
    assert after(ruling.state, Strike("Bob", at=17 * SECOND)).caller == "Bob"


def test_who_called_rightly_is_not_kept_out_and_the_early_are_told_so_first() -> None:
    assert called(House(cooldown=10), "EEE").state.kept_out == ()
    assert refused(called(House(cooldown=10)).state, Strike("Bob", at=7 * SECOND)).code == "early"


def test_a_match_that_was_kept_before_there_were_these_rules_goes_on_without() -> None:
    today = plain(House())
    older = {key: value for key, value in today.items() if key not in ("rearm", "cooldown", "everybody_passes")}
    assert house_as_kept(GAME, older) == House(rearm=0, everybody_passes=True)
    assert house_as_kept(GAME, today) == House() == house_from_json(GAME, older)


# --- by property -----------------------------------------------------------------------------------------------


@st.composite
def some_move(draw: st.DrawFn, state: State) -> Move:
    """A move that may well be wrong."""
    player = draw(st.sampled_from(state.players))
    dog = draw(st.sampled_from([E, S, "green"]))
    found = draw(st.none() | st.integers(-1, 7))
    usual: dict[str, list[Move]] = {
        "whose": [Hand(player), Release("")],
        "tied": [Choose(player, draw(st.sampled_from(state.players))), Release("")],
        "setup": [Begin(player)],
        "turn": [Play(state.turn, dog), Play(state.turn), Declare(state.turn, dog), Strike(player)],
        "struck": [Call(state.caller, player, dog), Release(state.caller)],
        "check": [Check(state.called, found), Check(state.called, found, insist=True), Check(state.called)],
        "final": [Pass(state.turn), Declare(state.turn, dog), Strike(player)],
    }
    tied = draw(st.lists(st.sampled_from(state.players), min_size=2, max_size=3))
    rare: list[Move] = [
        Strike(""),
        Strike("", tied=tuple(tied)),
        Play(player, dog),
        Strike(player),
        Check(player, found),
        Pass(player),
    ]
    return draw(st.sampled_from(usual.get(state.phase, []) * 3 + rare))


@settings(max_examples=40)
@given(st.data(), st.integers(2, 4), st.integers(0, 2))
def test_cards_always_add_up(data: st.DataObject, count: int, declarations: int) -> None:
    cards_add_up(data, count, declarations)


@pytest.mark.long
@settings(max_examples=300)
@given(st.data(), st.integers(2, 4), st.integers(0, 2))
def test_cards_add_up_in_many_matches(data: st.DataObject, count: int, declarations: int) -> None:
    cards_add_up(data, count, declarations)


def cards_add_up(data: st.DataObject, count: int, declarations: int) -> None:
    tie = data.draw(st.sampled_from(["replay", "seats", "choice"]))
    house = small(4, 4, declarations_per_turn=declarations, tie=tie)
    state: State = start(NAMES[:count], house).state
    for _ in range(30):
        move = data.draw(some_move(state))
        before = repr(state)
        try:
            ruling = rule(state, move)
        except Foul as foul:
            assert repr(state) == before
            assert "{" not in foul.sentence  # noqa: PT017
            continue
        state = ruling.state
        assert total(state) == 16
        assert min(*state.hands, *state.banks, *state.gone, state.deck, state.out) >= 0
        if state.phase != "over":
            assert sum(state.banks) + state.out == sum(state.gone)
        assert (state.deadline is not None) == (state.phase in ("struck", "whose", "tied"))


@settings(max_examples=100)
@given(st.lists(st.sampled_from([E, S, J, UNSEEN]), max_size=9), st.integers(-1, 10))
def test_a_number_is_accepted_exactly_if_the_cards_allow_it(cards: list[str], said: int) -> None:
    """Against trying out every way in which the unseen cards could be what they are."""
    if cards.count(E) > 6 or cards.count(S) > 6 or cards.count(J) > 6:
        return
    unseen = cards.count(UNSEEN)
    possible = {cards.count(E) + more for more in range(unseen + 1) if cards.count(E) + more <= 6}
    state = replace(begun(), piles=(tuple(cards), ()), deck=42 - len(cards))
    state = after(state, Strike("Bob"), Call("Bob", "Ann", E))
    try:
        rule(state, Check("Ann", said))
    except Foul:
        assert said not in possible
    else:
        assert said in possible

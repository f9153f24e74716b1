"""Tres, rule by rule; then whole matches by bots, and the runs against a definition of their own."""

import re
from collections import Counter
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.errors import HouseRuleError
from companion.core.rules import UNSEEN, CardsMoved, Foul, Move, Place, Ruling, Turn
from companion.games.tres import rules as tres
from companion.games.tres.rules import (
    SKIP,
    Catch,
    Caught,
    Deal,
    Dealer,
    DirectionTurned,
    Draw,
    Due,
    Fill,
    Fits,
    House,
    Keep,
    Lay,
    MustDraw,
    NotDrawn,
    Pass,
    Play,
    Reshuffled,
    SaidTres,
    ShowCard,
    Silent,
    Skipped,
    State,
    Take,
    TiedForDealer,
    Tres,
    TurnLost,
    deck,
    is_one_colour,
    number,
    rule,
    start,
)
from companion.games.tres.told_bot import Table
from tests.games.sources import source_of

NAMES = ("Ana", "Bea", "Cai", "Dov", "Eli", "Fay", "Gil", "Hal")
FIVE = ("red-1", "red-2", "blue-4", "green-6", "yellow-8")
TABLE = ("green-1", "blue-7", "yellow-5")


def table(
    ana: tuple[str, ...],
    *,
    others: int = 2,
    other_hand: tuple[str, ...] = (UNSEEN,) * 7,
    open_cards: tuple[str, ...] = TABLE,
    pile: int | None = None,
    house: House = House(),  # noqa: B008
    discards: tuple[str, ...] = (),
    phase: str = "turn",
) -> State:
    """It is Ana's turn, and this is her hand. Without `pile` it is what the rest of the deck makes."""
    players = NAMES[: others + 1]
    hands = (ana, *(other_hand,) * others)
    if pile is None:
        pile = sum(deck(house).values()) - sum(map(len, hands)) - len(open_cards) - len(discards)
    begun: State = start(players, house).state
    return replace(
        begun,
        phase=phase,
        turn="Ana",
        dealer=players[-1],
        hands=hands,
        pile=pile,
        table=open_cards,
        discards=discards,
        contenders=(),
    )


def events(ruling: Ruling, kind: type) -> list[object]:
    return [event for event in ruling.events if isinstance(event, kind)]


def refused(state: State, move: Move) -> Foul:
    before = repr(state)
    with pytest.raises(Foul) as caught:
        rule(state, move)
    assert repr(state) == before
    assert "{" not in caught.value.sentence
    assert caught.value.player == move.player
    assert move.player in caught.value.sentence
    return caught.value


def may(ruling: Ruling) -> dict[str, tuple[str, ...]]:
    return {open_move.move: open_move.players for open_move in ruling.may}


# --- house and start -------------------------------------------------------------------------------------------


def test_the_default_deck_has_82_cards() -> None:
    cards = deck(House())
    assert sum(cards.values()) == 82
    assert cards["red-9"] == cards["reverse"] == 2
    assert cards["joker"] == 4


@pytest.mark.parametrize("colours", [(), ("red", "red"), ("",), ("dark-red",), ("joker",), ("skip",)])
def test_colours_that_cannot_be(colours: tuple[str, ...]) -> None:
    with pytest.raises(HouseRuleError, match="colours"):
        House(colours=colours)


def test_a_deck_must_be_large_enough_to_deal() -> None:
    small = House(colours=("red",), number_copies=1, action_copies=2, jokers=2)  # 17 cards
    assert start(("Ana", "Bea"), small).state.pile == 17
    with pytest.raises(HouseRuleError, match=r"17 cards are too few.*takes 24"):
        start(("Ana", "Bea", "Cai"), small)


def test_the_house_says_how_many_may_take_part() -> None:
    with pytest.raises(HouseRuleError, match="at most 3"):
        start(NAMES[:4], House(players=3))
    assert may(start(NAMES, House())) == {"show-card": NAMES, "dealer": NAMES}


# --- dealer and deal -------------------------------------------------------------------------------------------


def test_highest_card_deals_and_a_tie_draws_again() -> None:
    state = start(NAMES[:3], House()).state
    state = rule(state, ShowCard("Ana", "red-9")).state
    state = rule(state, ShowCard("Cai", "blue-9")).state
    ruling = rule(state, ShowCard("Bea", "joker"))
    assert events(ruling, TiedForDealer) == [TiedForDealer(("Ana", "Cai"), 9)]
    assert may(ruling)["show-card"] == ("Ana", "Cai")
    state = rule(ruling.state, ShowCard("Ana", "plus3")).state
    ruling = rule(state, ShowCard("Cai", "green-2"))
    assert (ruling.state.phase, ruling.state.dealer) == ("deal", "Ana")  # an action card counts three


def test_a_joker_counts_nothing_for_dealer() -> None:
    state = rule(start(NAMES[:2], House()).state, ShowCard("Ana", "joker")).state
    assert rule(state, ShowCard("Bea", "red-1")).state.dealer == "Bea"


def dealt(*open_cards: str, players: int = 3, hands: tuple[tuple[str, ...], ...] = ()) -> Ruling:
    state = rule(start(NAMES[:players], House()).state, Dealer("Ana")).state
    return rule(state, Deal("Ana", open_cards, hands))


def test_left_of_the_dealer_begins() -> None:
    ruling = dealt("red-1", "red-2", "joker")
    assert (ruling.state.phase, ruling.state.turn, ruling.state.scores) == ("turn", "Bea", (7, 7, 7))
    assert ruling.state.pile == 82 - 21 - 3
    assert ruling.state.hand("Ana") == (UNSEEN,) * 7


@pytest.mark.parametrize(
    ("players", "open_cards", "turn", "direction", "dues"),
    [
        (3, ("red-1", "skip", "red-2"), "Cai", 1, ()),
        (3, ("reverse", "red-1", "red-2"), "Ana", -1, ()),
        (2, ("reverse", "red-1", "red-2"), "Ana", -1, ()),
        (4, ("skip", "skip", "reverse"), "Cai", -1, ()),
        (3, ("plus3", "skip", "red-2"), "Cai", 1, (Due("Bea", 3, ("turned-up",)),)),
        (3, ("skip", "plus3", "plus3"), "Cai", 1, (Due("Cai", 3, ("turned-up",)), Due("Cai", 3, ("turned-up",)))),
    ],
)
def test_action_cards_turning_up_at_the_deal(
    players: int, open_cards: tuple[str, ...], turn: str, direction: int, dues: tuple[Due, ...]
) -> None:
    state = dealt(*open_cards, players=players).state
    assert (state.turn, state.direction, state.dues) == (turn, direction, dues)
    assert state.phase == ("pay" if dues else "turn")
    if dues:
        payer = dues[0].player
        ruling = rule(state, Take(payer))
        assert len(ruling.state.hand(payer)) == 7 + 3 * len(dues)  # what one player owes is taken in one go
        assert (ruling.state.phase, ruling.state.turn) == ("turn", turn)


# --- plays -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cards", [("red-8",), ("red-6",), ("red-8", "blue-9"), ("blue-9", "red-8"), ("red-6", "green-8")]
)
def test_the_example_of_the_sheet(cards: tuple[str, ...]) -> None:
    state = table((*cards, *FIVE))
    ruling = rule(state, Play("Ana", "blue-7", cards))
    assert ruling.state.hand("Ana") == FIVE
    assert ruling.state.discards == ("blue-7", *cards)
    assert ruling.state.table == ("green-1", "yellow-5")
    assert (ruling.state.turn, ruling.state.phase) == ("Bea", "fill")
    assert events(ruling, CardsMoved) == [
        CardsMoved(("blue-7",), Place("table"), Place("discards")),
        CardsMoved(cards, Place("hand", "Ana"), Place("discards")),
    ]


def test_the_example_of_the_sheet_is_what_the_ruling_offers() -> None:
    assert tres.fits("blue-7") == Fits("blue-7", (6, 8), ((5, 6), (6, 8), (8, 9)))
    assert tres.fits("green-1") == Fits("green-1", (2, 9), ((2, 3), (2, 9), (8, 9)))
    assert tres.fits("skip").one == (2, 4)
    assert tres.fits("joker").one == tuple(range(1, 10))
    ruling = dealt("green-1", "blue-7", "red-2")
    play = next(open_move for open_move in ruling.may if open_move.move == "play")
    assert play.choices == tuple(map(tres.fits, ("green-1", "blue-7", "red-2")))


def distance(a: int, b: int) -> int:
    return min((a - b) % 9, (b - a) % 9)


def could_be_consecutive(numbers: tuple[int, ...]) -> bool:
    """Some meaning of the jokers makes the numbers different and none further from another than a run is long."""
    meanings = product(*(range(1, 10) if value == 0 else (value,) for value in numbers))
    return any(all(0 < distance(a, b) < len(run) for i, a in enumerate(run) for b in run[:i]) for run in meanings)


def test_exactly_the_runs_are_accepted() -> None:
    accepted = 0
    for numbers in product(range(10), repeat=3):  # 0 is a joker
        on_table, one, two = (
            f"{colour}-{value}" if value else "joker"
            for colour, value in zip(("red", "blue", "green"), numbers, strict=True)
        )
        state = table((one, two, *FIVE), open_cards=(on_table, "yellow-1", "yellow-2"))
        move = Play("Ana", on_table, (one, two))
        if could_be_consecutive(numbers):
            assert rule(state, move).state.hand("Ana") == FIVE
            accepted += 0 not in numbers
        else:
            assert refused(state, move).code == "not-consecutive"
    assert accepted == 54  # nine runs, six orders


def test_exactly_the_neighbours_are_accepted() -> None:
    for on_table, own in product(range(1, 10), repeat=2):
        state = table((f"red-{own}", *FIVE), open_cards=(f"blue-{on_table}", "joker", "joker"))
        move = Play("Ana", f"blue-{on_table}", (f"red-{own}",))
        if could_be_consecutive((on_table, own)):
            assert rule(state, move).state.hand("Ana") == FIVE
        else:
            assert refused(state, move).code == "not-consecutive"


def test_action_cards_count_as_three() -> None:
    state = table(("skip", "plus3", "red-5", *FIVE), open_cards=("blue-4", "reverse", "red-9"))
    assert rule(state, Play("Ana", "blue-4", ("skip", "red-5"))).state.hand("Ana") == ("plus3", *FIVE)
    assert refused(state, Play("Ana", "blue-4", ("skip", "plus3"))).code == "not-consecutive"
    assert refused(state, Play("Ana", "red-9", ("skip",))).code == "not-consecutive"


def test_an_action_card_of_the_table_does_not_act_again() -> None:
    state = table(("red-2", *FIVE), open_cards=("plus3", "skip", "reverse"))
    for card in state.table:
        after = rule(state, Play("Ana", card, ("red-2",))).state
        assert (after.turn, after.direction, after.dues) == ("Bea", 1, ())


# --- what a play does ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("others", "turn"), [(1, "Bea"), (2, "Cai"), (4, "Eli")])
def test_reverse_turns_the_direction(others: int, turn: str) -> None:
    ruling = rule(
        table(("reverse", *FIVE), others=others, open_cards=("red-2", "red-7", "red-8")),
        Play("Ana", "red-2", ("reverse",)),
    )
    assert (ruling.state.turn, ruling.state.direction) == (turn, -1)
    assert events(ruling, DirectionTurned) == [DirectionTurned(clockwise=False)]


@pytest.mark.parametrize(("others", "turn"), [(1, "Ana"), (2, "Cai"), (4, "Cai")])
def test_skip_passes_over_the_next(others: int, turn: str) -> None:
    ruling = rule(
        table(("skip", *FIVE), others=others, open_cards=("red-2", "red-7", "red-8")), Play("Ana", "red-2", ("skip",))
    )
    assert ruling.state.turn == turn
    assert events(ruling, Skipped) == [Skipped("Bea")]
    assert events(ruling, Turn) == [Turn(turn)]


@pytest.mark.parametrize(
    ("cards", "payer", "count", "why", "turn"),
    [
        (("red-1", "red-9"), "Bea", 3, ("take-three",), "Bea"),
        (("plus3",), "Bea", 3, ("plus3",), "Bea"),
        (("red-1", "plus3"), "Bea", 6, ("take-three", "plus3"), "Bea"),
        (("red-1", "skip"), "Bea", 3, ("take-three",), "Cai"),
        (("reverse", "red-1"), "Cai", 3, ("take-three",), "Cai"),
    ],
)
def test_what_a_play_makes_the_next_player_draw(
    cards: tuple[str, ...], payer: str, count: int, why: tuple[str, ...], turn: str
) -> None:
    ruling = rule(table((*cards, *FIVE), open_cards=("red-2", "blue-2", "blue-9")), Play("Ana", "red-2", cards))
    assert ruling.state.phase == "pay"
    assert ruling.state.turn == "Ana"  # it all happens in the turn of the player who played
    assert events(ruling, MustDraw) == [MustDraw(payer, count, why)]
    assert ruling.may[0].choices == (Due(payer, count, why),)
    ruling = rule(ruling.state, Take(payer))
    assert len(ruling.state.hand(payer)) == 7 + count
    assert (ruling.state.turn, ruling.state.phase, ruling.state.dues) == (turn, "fill", ())
    assert events(ruling, Turn) == [Turn(turn)]


def test_take_three_wants_three_cards_of_one_colour() -> None:
    for cards in (("red-1",), ("red-1", "blue-9")):
        state = table((*cards, *FIVE), open_cards=("red-2", "blue-2", "blue-9"))
        assert rule(state, Play("Ana", "red-2", cards)).state.dues == ()


def test_the_colour_of_a_joker_is_a_house_rule() -> None:
    for any_colour in (False, True):
        house = House(joker_is_any_colour=any_colour)
        state = table(("joker", "red-1", *FIVE), open_cards=("red-2", "blue-2", "blue-9"), house=house)
        assert bool(rule(state, Play("Ana", "red-2", ("joker", "red-1"))).state.dues) == any_colour
        assert is_one_colour(house, "joker", "joker", "skip") == any_colour
    assert is_one_colour(House(), "red-1", "red-2", "skip")
    assert not is_one_colour(House(), "red-1", "blue-2", "skip")


def test_an_empty_hand_wins_at_once() -> None:
    ruling = rule(
        table(("red-1", "plus3"), open_cards=("red-2", "blue-2", "blue-9")), Play("Ana", "red-2", ("red-1", "plus3"))
    )
    assert (ruling.state.phase, ruling.state.turn, ruling.state.dues, ruling.may) == ("over", "", (), ())
    assert ruling.state.outcome is not None
    assert ruling.state.outcome.winners == ("Ana",)
    assert ruling.state.outcome.scores == ruling.state.scores == (0, 7, 7)


# --- filling the table -----------------------------------------------------------------------------------------


def test_a_turn_begins_by_filling_the_table() -> None:
    ruling = rule(table(FIVE, open_cards=("red-9",), phase="fill"), Fill("Ana", "blue-2"))
    assert (ruling.state.phase, ruling.state.table) == ("fill", ("red-9", "blue-2"))
    assert may(ruling) == {"fill": ("Ana",), "tres": ("Ana",)}
    ruling = rule(ruling.state, Fill("Ana", "joker"))
    assert (ruling.state.phase, ruling.state.turn) == ("turn", "Ana")
    assert events(ruling, Turn) == []
    assert may(ruling) == {"play": ("Ana",), "draw": ("Ana",), "tres": ("Ana",)}


@pytest.mark.parametrize(
    ("card", "others", "turn", "direction"),
    [("skip", 2, "Bea", 1), ("skip", 1, "Bea", 1), ("reverse", 2, "Cai", -1), ("reverse", 1, "Bea", -1)],
)
def test_a_turn_lost_to_a_card_that_turned_up(card: str, others: int, turn: str, direction: int) -> None:
    ruling = rule(table(FIVE, others=others, open_cards=("red-9",), phase="fill"), Fill("Ana", card))
    assert events(ruling, TurnLost) == [TurnLost("Ana", card)]
    assert (ruling.state.turn, ruling.state.direction, ruling.state.phase) == (turn, direction, "fill")
    assert events(ruling, Turn) == [Turn(turn)]


def test_plus3_turning_up_is_drawn_at_once_and_the_turn_goes_on() -> None:
    ruling = rule(table(FIVE, open_cards=("red-9",), phase="fill"), Fill("Ana", "plus3"))
    assert (ruling.state.phase, may(ruling)) == ("pay", {"take": ("Ana",), "tres": ("Ana",)})
    ruling = rule(ruling.state, Take("Ana"))
    assert (ruling.state.phase, ruling.state.turn, len(ruling.state.hand("Ana"))) == ("fill", "Ana", 8)
    assert events(ruling, Turn) == []
    assert rule(ruling.state, Fill("Ana", "red-1")).state.phase == "turn"


# --- drawing ---------------------------------------------------------------------------------------------------


def test_only_the_drawn_card_may_be_played() -> None:
    ruling = rule(table(("red-8", *FIVE)), Draw("Ana", "blue-6"))
    assert (ruling.state.phase, ruling.state.drawn) == ("drawn", "blue-6")
    assert ruling.may[0].choices == (Fits("blue-7", (6, 8)), Fits("yellow-5", (4, 6)))
    assert refused(ruling.state, Play("Ana", "blue-7", ("red-8",))).code == "not-the-drawn-card"
    assert refused(ruling.state, Play("Ana", "blue-7", ("red-8", "blue-6"))).code == "not-the-drawn-card"
    after = rule(ruling.state, Play("Ana", "blue-7", ("blue-6",))).state
    assert (after.hand("Ana"), after.turn, after.drawn) == (("red-8", *FIVE), "Bea", "")


def test_the_drawn_card_may_be_kept() -> None:
    ruling = rule(table(FIVE), Draw("Ana", "red-3"))
    assert may(ruling) == {"keep": ("Ana",), "tres": ("Ana",)}  # nothing on the table goes with it
    after = rule(ruling.state, Keep("Ana")).state
    assert (after.hand("Ana"), after.turn, after.phase, after.drawn) == ((*FIVE, "red-3"), "Bea", "turn", "")


def test_a_card_drawn_unseen_is_believed_as_far_as_it_can_be() -> None:
    state = rule(table(FIVE, discards=("red-6", "red-6")), Draw("Ana")).state
    assert state.hand("Ana") == (*FIVE, UNSEEN)
    assert refused(state, Play("Ana", "blue-7", ("red-6",))).code == "no-such-card-left"
    assert rule(state, Play("Ana", "blue-7", ("blue-6",))).state.hand("Ana") == FIVE


def test_the_discards_become_the_pile_when_it_is_empty() -> None:
    ruling = rule(table(FIVE, pile=1, discards=("red-7", "red-8", "skip")), Draw("Ana", "blue-9"))
    assert events(ruling, Reshuffled) == [Reshuffled(3)]
    assert (ruling.state.pile, ruling.state.discards) == (3, ())
    assert CardsMoved(("red-7", "red-8", "skip"), Place("discards"), Place("pile")) in ruling.events


def test_a_card_drawn_before_a_shuffle_is_none_of_those_shuffled() -> None:
    """Ana draws unseen, is caught and draws on through the end of the pile; then she plays what she had drawn first."""
    ana = ("red-1", "red-3")
    state = table(ana, others=1, pile=2, discards=("red-8", "red-9", "green-8"))
    state = rule(rule(state, Draw("Ana")).state, Catch("Bea", "Ana")).state
    ruling = rule(state, Take("Ana"))
    assert ruling.state.stock == ("red-8", "red-9", "green-8")
    played = rule(ruling.state, Play("Ana", "blue-7", ("blue-6",))).state
    assert len(played.stock or ()) >= played.pile
    assert refused(ruling.state, Play("Ana", "blue-7", ("green-8", "red-8"))).code == "not-the-drawn-card"


def test_the_pile_may_end_midway() -> None:
    state = replace(
        table(FIVE, pile=1, discards=("red-7", "red-7", "skip"), phase="pay"),
        dues=(Due("Bea", 3, ("plus3",)),),
        then="begin",
        upcoming="Bea",
    )
    assert refused(state, Take("Bea", ("red-7", "skip", "blue-1"))).code == "no-such-card-left"
    assert refused(state, Take("Bea", ("blue-1", "blue-1", "skip"))).code == "no-such-card-left"
    ruling = rule(state, Take("Bea", ("blue-1", "red-7", "skip")))
    assert (ruling.state.pile, ruling.state.discards) == (1, ())
    assert ruling.state.hand("Bea")[-3:] == ("blue-1", "red-7", "skip")
    moved = [(event.cards, event.source.kind) for event in ruling.events if isinstance(event, CardsMoved)]
    assert moved == [(("blue-1",), "pile"), (("red-7", "red-7", "skip"), "discards"), (("red-7", "skip"), "pile")]


def test_what_is_due_shrinks_to_what_is_left() -> None:
    state = table(("plus3", *FIVE), pile=2, discards=(), open_cards=("red-2", "joker", "joker"))
    state = rule(state, Play("Ana", "red-2", ("plus3",))).state
    assert state.owed("Bea") == 3  # the play itself filled the discards
    state = replace(state, discards=())
    assert refused(state, Take("Bea", ("red-3",) * 3)).code == "wrong-count"
    ruling = rule(state, Take("Bea"))
    assert events(ruling, NotDrawn) == [NotDrawn("Bea", 1)]
    assert (len(ruling.state.hand("Bea")), ruling.state.turn, ruling.state.phase) == (9, "Bea", "turn")


def test_nothing_to_draw_is_a_pass_and_everybody_passing_is_the_end() -> None:
    state = table(FIVE, other_hand=(UNSEEN,) * 5, pile=0, open_cards=("green-1", "red-7"))
    assert refused(state, Draw("Ana")).code == "nothing-to-draw"
    ruling = rule(state, Pass("Ana"))
    assert (ruling.state.turn, ruling.state.phase) == ("Bea", "turn")  # there is nothing to fill the table with
    state = rule(ruling.state, Pass("Bea")).state
    ruling = rule(state, Pass("Cai"))
    assert ruling.state.outcome is not None
    assert ruling.state.outcome.winners == ("Ana", "Bea", "Cai")
    assert ruling.state.outcome.scores == (5, 5, 5)


def test_a_blocked_match_goes_to_the_fewest_cards() -> None:
    state = table(FIVE[:4], pile=0)
    for player in ("Ana", "Bea", "Cai"):
        state = rule(state, Pass(player)).state
    assert state.outcome is not None
    assert state.outcome.winners == ("Ana",)


def test_a_play_between_passes_keeps_the_match_alive() -> None:
    state = table(FIVE, pile=0, open_cards=("green-1", "blue-7", "joker"))
    for move in (Pass("Ana"), Pass("Bea"), Play("Cai", "joker", ("red-5",))):
        state = rule(state, move).state
    assert (state.passes, state.pile, state.discards, state.phase) == (0, 2, (), "fill")


# --- tres ------------------------------------------------------------------------------------------------------


def with_three() -> State:
    """Ana has just come down to three cards; Bea has the turn."""
    state = table(("red-8", "red-6", "blue-1", "blue-2", "blue-3"), open_cards=("blue-7", "red-2", "joker"))
    after: State = rule(state, Play("Ana", "blue-7", ("red-8", "red-6"))).state
    return after


def test_said_first_is_safe() -> None:
    ruling = rule(with_three(), Tres("Ana", at=5))
    assert events(ruling, SaidTres) == [SaidTres("Ana", 5)]
    assert may(ruling) == {"fill": ("Bea",), "tres": ("Bea",)}
    assert refused(ruling.state, Catch("Bea", "Ana")).code == "already-said"
    assert refused(ruling.state, Tres("Ana")).code == "already-said"


def test_caught_first_draws_three_before_play_goes_on() -> None:
    state = with_three()
    open_moves = {open_move.move: open_move for open_move in rule(state, Fill("Bea", "red-1")).may}
    assert open_moves["tres"].players == ("Ana", "Bea")
    assert (open_moves["catch"].players, open_moves["catch"].choices) == (("Bea", "Cai"), (Silent("Ana"),))
    ruling = rule(state, Catch("Cai", "Ana", at=7))
    assert events(ruling, Caught) == [Caught("Cai", "Ana", 7)]
    assert (ruling.state.phase, ruling.state.dues) == ("pay", (Due("Ana", 3, ("caught",)),))
    assert refused(ruling.state, Tres("Ana")).code == "already-caught"
    assert refused(ruling.state, Catch("Bea", "Ana")).code == "already-caught"
    after = rule(ruling.state, Take("Ana")).state
    assert (len(after.hand("Ana")), after.turn, after.phase, after.tres) == (6, "Bea", "fill", ("", "", ""))


def test_caught_while_another_draws_pays_after_that() -> None:
    state = table(("plus3", "red-1", "red-2", "red-3"), open_cards=("blue-2", "red-5", "joker"))
    state = rule(state, Play("Ana", "blue-2", ("plus3",))).state
    state = rule(state, Catch("Bea", "Ana")).state
    assert [due.player for due in state.dues] == ["Bea", "Ana"]
    assert refused(state, Take("Ana")).code == "not-due"
    state = rule(rule(state, Take("Bea")).state, Take("Ana")).state
    assert (state.scores, state.turn, state.phase) == ((6, 10, 7), "Bea", "fill")


def test_caught_after_drawing_still_may_play_the_drawn_card() -> None:
    state = rule(table(("red-1", "red-3"), open_cards=TABLE), Draw("Ana", "blue-6")).state
    state = rule(rule(state, Catch("Bea", "Ana")).state, Take("Ana", ("red-9", "red-9", "skip"))).state
    assert (state.phase, state.turn, state.drawn) == ("drawn", "Ana", "blue-6")
    after = rule(state, Play("Ana", "blue-7", ("blue-6",))).state
    assert after.hand("Ana") == ("red-1", "red-3", "red-9", "red-9", "skip")


def test_tres_is_forgotten_when_the_hand_is_no_longer_three() -> None:
    state = replace(table(("red-1", "red-3", "red-9")), tres=("said", "", ""))
    state = rule(state, Draw("Ana", "blue-6")).state
    assert state.tres == ("", "", "")
    state = rule(state, Play("Ana", "blue-7", ("blue-6",))).state
    assert state.silent == ("Ana",)
    assert rule(state, Catch("Bea", "Ana")).state.phase == "pay"


def test_caught_with_nothing_to_draw_is_let_off_once() -> None:
    state = table(("red-1", "red-3", "red-9"), pile=0)
    ruling = rule(state, Catch("Bea", "Ana"))
    assert events(ruling, NotDrawn) == [NotDrawn("Ana", 3)]
    assert (ruling.state.phase, ruling.state.turn) == ("turn", "Ana")
    assert refused(ruling.state, Catch("Cai", "Ana")).code == "already-caught"


def test_seven_cards_from_the_deal_need_no_word() -> None:
    assert "catch" not in may(dealt("red-1", "red-2", "joker"))


# --- what the referee has seen ---------------------------------------------------------------------------------


HANDS = (
    ("red-1", "red-2", "red-3", "red-4", "red-5", "red-6", "red-7"),
    ("blue-1", "blue-2", "blue-3", "blue-4", "blue-5", "blue-6", "blue-7"),
)


def test_hands_that_were_shown_are_checked() -> None:
    state = dealt("green-1", "green-7", "joker", players=2, hands=HANDS).state
    assert state.hands == HANDS
    foul = refused(state, Play("Bea", "green-7", ("red-6",)))
    assert (foul.code, foul.sentence) == ("not-in-hand", "Bea does not have red-6 in hand.")
    assert rule(state, Play("Bea", "green-7", ("blue-6",))).state.scores == (7, 6)


def test_hands_that_nobody_showed_are_only_counted() -> None:
    state = dealt("green-1", "green-7", "joker", players=2).state
    after = rule(state, Play("Bea", "green-7", ("red-6",))).state
    assert after.hand("Bea") == (UNSEEN,) * 6
    assert after.discards == ("green-7", "red-6")


def test_an_unseen_hand_cannot_hold_more_of_a_card_than_are_left() -> None:
    house = House(jokers=2)
    state = table((UNSEEN,) * 7, open_cards=("joker", "red-2", "red-5"), house=house)
    assert refused(state, Play("Ana", "red-2", ("joker", "joker"))).code == "no-such-card-left"
    assert rule(state, Play("Ana", "red-2", ("joker",))).state.scores == (6, 7, 7)


# --- every refusal ---------------------------------------------------------------------------------------------

SETUP = start(NAMES[:3], House()).state
DEALER_DRAWN = rule(SETUP, ShowCard("Ana", "red-1")).state
CHOSEN = rule(SETUP, Dealer("Cai")).state
TURN = table(("red-8", *FIVE))
FILL = table(FIVE, open_cards=("red-9",), phase="fill")
PAY = replace(TURN, phase="pay", dues=(Due("Bea", 3, ("plus3",)),), then="begin", upcoming="Bea")
TIED = replace(SETUP, contenders=("Ana", "Bea"))
OVER = replace(TURN, phase="over", turn="")
THREE = table(("red-1", "red-3", "red-9"))
COUNT = House(cards="counted")
COUNTED = table((UNSEEN,) * 6, open_cards=(UNSEEN,) * 3, house=COUNT)

FOULS: tuple[tuple[str, State, Move], ...] = (
    ("unknown-player", TURN, Draw("Zoe")),
    ("unknown-player", THREE, Catch("Bea", "Zoe")),
    ("no-dealer", SETUP, Deal("Ana", ("red-1", "red-2", "red-3"))),
    ("not-in-the-draw", TIED, ShowCard("Cai", "red-1")),
    ("shown-already", DEALER_DRAWN, ShowCard("Ana", "red-2")),
    ("unknown-card", SETUP, ShowCard("Ana", "pink-1")),
    ("unknown-card", SETUP, ShowCard("Ana", "")),
    ("no-such-card-left", rule(DEALER_DRAWN, ShowCard("Bea", "red-1")).state, ShowCard("Cai", "red-1")),
    ("not-dealt", CHOSEN, Draw("Ana")),
    ("dealer-known", CHOSEN, Dealer("Ana")),
    ("dealt-already", TURN, Deal("Cai", ("red-1", "red-2", "red-3"))),
    ("not-the-dealer", CHOSEN, Deal("Ana", ("red-1", "red-2", "red-3"))),
    ("wrong-count", CHOSEN, Deal("Cai", ("red-1", "red-2"))),
    ("wrong-count", CHOSEN, Deal("Cai", ("red-1", "red-2", "red-3"), HANDS)),
    ("unknown-card", CHOSEN, Deal("Cai", ("red-1", "red-2", UNSEEN))),
    ("unknown-card", CHOSEN, Deal("Cai", ("red-1", "red-2", "red-3"), (("red-0",) * 7,) * 3)),
    ("no-such-card-left", CHOSEN, Deal("Cai", ("red-1", "red-1", "red-1"))),
    ("no-such-card-left", CHOSEN, Deal("Cai", ("red-1", "red-1", "red-2"), (*HANDS, (UNSEEN,) * 7))),
    ("fill-first", FILL, Draw("Ana")),
    ("not-your-turn", FILL, Fill("Bea", "red-1")),
    ("unknown-card", FILL, Fill("Ana", UNSEEN)),
    ("no-such-card-left", replace(FILL, discards=("red-9",)), Fill("Ana", "red-9")),
    ("table-full", TURN, Fill("Ana", "red-1")),
    ("nothing-due", TURN, Take("Ana")),
    ("not-now", TURN, Keep("Ana")),
    ("not-your-turn", TURN, Play("Bea", "blue-7", ("red-8",))),
    ("wrong-count", TURN, Play("Ana", "blue-7", ())),
    ("wrong-count", TURN, Play("Ana", "blue-7", ("red-8", "red-8", "red-8"))),
    ("not-on-table", TURN, Play("Ana", "blue-6", ("red-8",))),
    ("unknown-card", TURN, Play("Ana", "blue-7", (UNSEEN,))),
    ("not-in-hand", TURN, Play("Ana", "blue-7", ("blue-8",))),
    ("not-in-hand", TURN, Play("Ana", "blue-7", ("red-8", "red-8"))),
    ("not-consecutive", TURN, Play("Ana", "green-1", ("red-8",))),
    ("not-your-turn", TURN, Draw("Bea")),
    ("unknown-card", TURN, Draw("Ana", "red-10")),
    ("no-such-card-left", replace(TURN, discards=("red-8",)), Draw("Ana", "red-8")),
    ("nothing-to-draw", replace(TURN, pile=0), Draw("Ana")),
    ("cards-to-draw", TURN, Pass("Ana")),
    ("drawn-already", rule(TURN, Draw("Ana")).state, Draw("Ana")),
    ("not-the-drawn-card", rule(TURN, Draw("Ana", "red-9")).state, Play("Ana", "blue-7", ("red-8",))),
    ("due-first", PAY, Draw("Ana")),
    ("not-due", PAY, Take("Ana")),
    ("wrong-count", PAY, Take("Bea", ("red-1",))),
    ("not-three-cards", TURN, Tres("Bea")),
    ("already-said", rule(TURN, Tres("Ana")).state, Tres("Ana")),
    ("too-late", rule(replace(THREE, turn="Cai"), Draw("Cai")).state, Catch("Bea", "Ana")),
    ("not-three-cards", TURN, Catch("Bea", "Ana")),
    ("already-said", rule(THREE, Tres("Ana")).state, Tres("Ana")),
    ("already-caught", rule(THREE, Catch("Bea", "Ana")).state, Tres("Ana")),
    ("caught-oneself", THREE, Catch("Ana", "Ana")),
    ("match-over", OVER, Tres("Ana")),
    ("unknown-card", replace(SETUP, house=COUNT), ShowCard("Ana", UNSEEN)),
    ("told-otherwise", TURN, Lay("Ana")),
    ("told-otherwise", COUNTED, Play("Ana", UNSEEN, (UNSEEN,))),
    ("not-your-turn", COUNTED, Lay("Bea")),
    ("not-your-turn", COUNTED, Keep("Bea")),
    ("wrong-count", COUNTED, Lay("Ana", 0)),
    ("wrong-count", COUNTED, Lay("Ana", 3)),
    ("too-many", table((UNSEEN,), open_cards=(UNSEEN,) * 3, house=COUNT), Lay("Ana", 2)),
    ("too-few", COUNTED, Lay("Ana", one_colour=True)),
    ("unknown-card", COUNTED, Lay("Ana", action="red-10")),
    ("no-action", COUNTED, Lay("Ana", action="red-9")),
    ("nothing-on-table", replace(COUNTED, table=()), Lay("Ana")),
    ("not-the-drawn-card", rule(COUNTED, Draw("Ana")).state, Lay("Ana", 2)),
    ("not-the-drawn-card", COUNTED, Lay("Ana", 2, drew=True)),
    ("nothing-to-draw", replace(COUNTED, pile=0), Keep("Ana")),
    ("only-counted", COUNTED, Draw("Ana", "red-9")),
    ("only-counted", replace(COUNTED, phase="deal", turn="Cai", dealer="Cai"), Deal("Cai", ("red-1", SKIP, UNSEEN))),
    ("only-counted", replace(COUNTED, phase="fill", table=()), Fill("Ana", "red-9")),
    ("nothing-turned-up", COUNTED, Fill("Ana", SKIP)),
    ("no-action", replace(COUNTED, filled=1), Fill("Ana", UNSEEN)),
    ("only-counted", replace(COUNTED, filled=1), Fill("Ana", "red-9")),
    ("not-your-turn", replace(COUNTED, filled=1), Fill("Bea", SKIP)),
)


@pytest.mark.parametrize(("code", "state", "move"), FOULS)
def test_refusals(code: str, state: State, move: Move) -> None:
    assert refused(state, move).code == code


def test_every_refusal_is_tested() -> None:
    source = source_of(tres)
    codes = set(re.findall(r'(?:[Ff]oul\(|code, text = |": \()\s*\(?\s*"([a-z0-9]+(?:-[a-z0-9]+)+)"', source))
    assert codes == {code for code, _, _ in FOULS}


# --- whole matches ---------------------------------------------------------------------------------------------


class Ledger:
    """Where the cards are, kept from the events alone."""

    def __init__(self, state: State) -> None:
        self.sizes = Counter({Place("pile"): state.pile})

    def check(self, ruling: Ruling) -> None:
        for event in ruling.events:
            if isinstance(event, CardsMoved):
                self.sizes[event.source] -= len(event.cards)
                self.sizes[event.target] += len(event.cards)
        state = ruling.state
        assert self.sizes[Place("pile")] == state.pile
        assert self.sizes[Place("table")] == len(state.table)
        assert self.sizes[Place("discards")] == len(state.discards)
        assert tuple(self.sizes[Place("hand", player)] for player in state.players) == state.scores


def check_state(state: State) -> None:
    copies = deck(state.house)
    known = Counter(state.table) + Counter(state.discards)
    for hand in state.hands:
        known += Counter(card for card in hand if card != UNSEEN)
    assert all(count <= copies[card] for card, count in known.items() if card != UNSEEN)
    assert state.pile + len(state.table) + len(state.discards) + sum(state.scores) == sum(copies.values())
    assert len(state.table) <= 3
    assert all(number(card) in range(10) for card in state.table if card != UNSEEN)
    assert (state.phase == "pay") == bool(state.dues)
    assert ("drawn" in (state.phase, state.then)) == bool(state.drawn)
    assert (state.phase == "over") == (state.outcome is not None)
    assert not state.discards or state.pile or state.phase == "over"
    for player, hand, word in zip(state.players, state.hands, state.tres, strict=True):
        assert len(hand) == 3 or not word or (word == "said" and player in state.announced)
    if state.stock is not None:
        assert len(state.stock) >= state.pile
    if state.phase == "fill":
        assert len(state.table) < 3
        assert state.pile


def check_end(state: State) -> None:
    assert state.outcome is not None
    assert state.outcome.scores == state.scores
    fewest = min(state.scores)
    assert state.outcome.winners == tuple(player for player in state.players if len(state.hand(player)) == fewest)
    if fewest == 0:
        assert len(state.outcome.winners) == 1
    else:
        assert state.pile == 0
        assert state.passes == len(state.players)


SMALL = House(colours=("red",), number_copies=3, jokers=0)  # 33 cards of one colour: the pile runs out
BEFORE = House(only_with_three=True, any_card_drawn=True, drawn_is_shuffled=True)
HOUSES = (House(), House(joker_is_any_colour=True), BEFORE, SMALL)


def play_out(table_of_bots: Table, ruling: Ruling) -> tuple[list[Move], State]:
    """A whole match, checked after each ruling; the moves that were accepted and the state at the end."""
    ledger, state = Ledger(ruling.state), ruling.state
    moves: list[Move] = []
    while state.outcome is None:
        move = table_of_bots.next_move(state)
        assert not moves or move.at > moves[-1].at
        if table_of_bots._erred:
            refused(state, move)
            continue
        assert move.word in may(ruling)
        ruling = rule(state, move)
        table_of_bots.ruled(ruling)
        ledger.check(ruling)
        check_state(ruling.state)
        assert all("{" not in sentence for sentence in ruling.sentences)
        moves.append(move)
        state = ruling.state
        assert len(moves) < 10_000
    return moves, state


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32),
    players=st.integers(2, 8),
    house=st.sampled_from(HOUSES),
    seen=st.booleans(),
    mistakes=st.sampled_from((0.0, 0.1, 0.9)),
)
def test_bot_matches(seed: int, players: int, house: House, seen: bool, mistakes: float) -> None:
    names = NAMES[: players if house != SMALL else 2 + players % 2]
    begun = start(names, house)
    bots = Table(names, house, seed, seen=seen, mistakes=mistakes)
    moves, end = play_out(bots, begun)
    check_end(end)
    if seen:
        assert [sorted(hand) for hand in end.hands] == [sorted(bots.hands[player]) for player in names]
    state = begun.state
    for move in moves:
        state = rule(state, move).state
    assert state == end


def test_one_seed_is_one_match() -> None:
    matches = []
    for _ in range(2):
        bots = Table(NAMES[:4], House(), 11)
        matches.append(play_out(bots, start(NAMES[:4], House())))
    assert matches[0] == matches[1]


def test_bots_bring_about_both_endings() -> None:
    names = NAMES[:3]
    ends = [play_out(Table(names, house, seed), start(names, house))[1] for house in HOUSES for seed in range(5)]
    assert {0 in end.scores for end in ends} == {True, False}


def test_a_ruling_names_the_words_of_the_game() -> None:
    words = {move.word for move in tres.GAME.moves}
    assert words == {
        "show-card",
        "dealer",
        "deal",
        "fill",
        "play",
        "lay",
        "draw",
        "keep",
        "take",
        "pass",
        "tres",
        "catch",
    }
    state = start(NAMES[:4], House()).state
    bots = Table(NAMES[:4], House(), 5, mistakes=0)
    seen = set()
    while state.outcome is None:
        ruling = rule(state, bots.next_move(state))
        bots.ruled(ruling)
        assert {type(event) for event in ruling.events} <= set(tres.GAME.events)
        seen |= {open_move.move for open_move in ruling.may}
        state = ruling.state
    assert seen <= words

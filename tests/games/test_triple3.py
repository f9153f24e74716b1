"""Triple³: the engine against the worked example of the sheet, the round from the deal to the chips, every foul."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clocks import SECOND
from companion.core.rules import CardsMoved, Ended, Fact, Foul, Move, Place, Ruling
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import (
    CELLS,
    COLOURS,
    COUNTS,
    DECK,
    GAME,
    LINES,
    SHAPES,
    VALUES,
    CellAccepts,
    Deal,
    Dealt,
    FewLeft,
    Go,
    GoOn,
    House,
    Laid,
    Lay,
    Left,
    Leftover,
    Lies,
    NobodyCanLay,
    Out,
    PlayedIllegally,
    PlayedLegally,
    RoundWon,
    SaidOtherwise,
    State,
    Stop,
    Stopped,
    Stuck,
    TakeBack,
    TakenBack,
    Triple,
    accepted,
    is_legal,
    rule,
    standing,
    start,
    triples,
    values_of,
)
from tests.games.sources import source_of

NAMES = ("Ann", "Bob", "Cleo", "Dan")

# --- the rule once more, as the sheet says it ------------------------------------------------------------------

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
COLUMNS = [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
ALL_LINES = [*ROWS, *COLUMNS, (0, 4, 8), (2, 4, 6)]
Grid = tuple[str, ...]


def common(cards: tuple[str, ...]) -> set[str]:
    """What all the cards show alike."""
    return set.intersection(*(set(card.split("-")) for card in cards))


def new_triples(grid: Grid, cell: int, card: str) -> set[tuple[tuple[int, ...], str]]:
    """Every line through the cell with what it has in common after the play and had not before."""
    after = (*grid[: cell - 1], card, *grid[cell:])
    return {
        (tuple(place + 1 for place in line), value)
        for line in ALL_LINES
        if cell - 1 in line
        for value in common(tuple(after[place] for place in line)) - common(tuple(grid[place] for place in line))
    }


def takes(grid: Grid, cell: int) -> set[str]:
    """The values that make a card legal on a cell, found by laying every card of the deck there."""
    legal = {card for card in DECK if new_triples(grid, cell, card)}
    return {value for value in VALUES if {card for card in DECK if value in card.split("-")} <= legal}


grids = st.permutations(DECK).map(lambda cards: tuple(cards[:9]))


@settings(max_examples=40)
@given(grids)
def test_the_engine_rules_on_every_card_on_every_cell_as_the_sheet_does(grid: Grid) -> None:
    for cell, card in product(CELLS, DECK):
        if card in grid:
            continue
        expected = new_triples(grid, cell, card)
        assert is_legal(grid, cell, card) == bool(expected)
        assert {(tuple(sorted(triple.cells)), triple.value) for triple in triples(grid, cell, card)} == expected


@settings(max_examples=30)
@given(grids)
def test_a_cell_accepts_exactly_the_values_of_the_sheet(grid: Grid) -> None:
    for cell in CELLS:
        assert set(values_of(accepted(grid, cell))) == takes(grid, cell)


@settings(max_examples=30)
@given(grids, st.sampled_from(CELLS), st.sampled_from(DECK))
def test_a_triple_says_what_its_line_had_before(grid: Grid, cell: int, card: str) -> None:
    for triple in (*triples(grid, cell, card), *standing(grid, cell, card)):
        line = tuple(grid[place - 1] for place in triple.cells)
        assert set(triple.before) == common(line)
        assert dict(LINES)[triple.line] == triple.cells
    assert all(triple.value not in triple.before for triple in triples(grid, cell, card))
    assert all(triple.value in triple.before for triple in standing(grid, cell, card))


# --- the worked example ----------------------------------------------------------------------------------------

EXAMPLE: dict[int, set[str]] = {
    1: {"blue", "1"},
    2: {"1"},
    3: {"blue"},
    4: {"0", "blue"},
    5: set(),
    6: {"1"},
    7: {"circle", "1"},
    8: set(),
    9: {"circle", "purple", "3"},
}
CIRCLES = (1, 2, 3, 5, 8)
TAKES_THE_BLUE_CIRCLE_WITH_2 = {1, 3, 4, 7, 9}

Attribute = tuple[str, ...]  # nine values of one attribute, cell by cell


def fitting(values: tuple[str, ...], fixed: Callable[[Attribute], bool]) -> Iterator[Attribute]:
    """Every way to fill nine cells with four values so that each cell accepts of them what the example says."""
    wanted = [EXAMPLE[cell] & set(values) for cell in CELLS]
    for filled in product(values, repeat=9):
        if fixed(filled) and all(_accepts(filled, cell) == wanted[cell] for cell in range(9)):
            yield filled


def _accepts(filled: Attribute, cell: int) -> set[str]:
    """A line whose other two agree takes their value, unless the covered card had it: then it is not new."""
    found = set()
    for line in _THROUGH[cell]:
        one, two = (filled[place] for place in line if place != cell)
        if one == two != filled[cell]:
            found.add(one)
    return found


_THROUGH = [[line for line in ALL_LINES if cell in line] for cell in range(9)]


def anything(_filled: Attribute) -> bool:
    return True


def circles(filled: Attribute) -> bool:
    return all(filled[cell - 1] == "circle" for cell in CIRCLES)


@cache
def example_grids() -> tuple[Grid, ...]:
    """Colours, shapes and counts are looked for apart, then put together where nine different cards come out."""
    colours, shapes = list(fitting(COLOURS, anything)), list(fitting(SHAPES, circles))
    counts_by_twins: dict[frozenset[tuple[int, int]], list[Attribute]] = defaultdict(list)
    for counts in fitting(COUNTS, anything):
        counts_by_twins[_alike(counts)].append(counts)
    found = []
    for colour, shape in product(colours, shapes):
        twins = _alike(colour) & _alike(shape)
        for alike, many in counts_by_twins.items():
            if not twins & alike:
                found += [tuple(map("-".join, zip(colour, shape, counts, strict=True))) for counts in many]
    return tuple(found)


def _alike(filled: Attribute) -> frozenset[tuple[int, int]]:
    return frozenset((one, two) for one, two in combinations(range(9), 2) if filled[one] == filled[two])


def test_exactly_84_grids_fit_the_example_of_the_sheet() -> None:
    found = example_grids()
    assert len(found) == len(set(found)) == 84
    assert all(len(set(grid)) == 9 for grid in found)


def test_the_engine_accepts_on_each_of_them_exactly_what_the_sheet_says() -> None:
    for grid in example_grids():
        assert {cell: set(values_of(accepted(grid, cell))) for cell in CELLS} == EXAMPLE
        for cell, card in product(CELLS, DECK):
            fits = bool(EXAMPLE[cell] & set(card.split("-")))
            assert is_legal(grid, cell, card) == fits
            assert bool(triples(grid, cell, card)) == fits
            assert bool(new_triples(grid, cell, card)) == fits


def test_where_the_blue_circle_with_2_may_go() -> None:
    for grid in example_grids():
        card = "blue-circle-2"
        assert {cell for cell in CELLS if is_legal(grid, cell, card)} == TAKES_THE_BLUE_CIRCLE_WITH_2
        had = {cell: {(triple.line, triple.value) for triple in standing(grid, cell, card)} for cell in (2, 5, 8)}
        assert ("top row", "circle") in had[2]  # the sheet's reason: circles were there before
        assert ("middle column", "circle") in had[2] & had[5] & had[8]
        made = {cell: {triple.value for triple in triples(grid, cell, card)} for cell in CELLS}
        assert {cell for cell in CELLS if "blue" in made[cell]} == {1, 3, 4}
        assert {cell for cell in CELLS if "circle" in made[cell]} == {7, 9}


# --- dealing ---------------------------------------------------------------------------------------------------


def at_table(count: int = 2, **house: Any) -> State:
    state: State = start(NAMES[:count], House(**house)).state
    return state


def after(state: State, *moves: Move) -> State:
    for move in moves:
        state = rule(state, move).state
    return state


def dealt(count: int = 2, seed: int = 1, deals: tuple[int, ...] = (), **house: Any) -> tuple[State, list[str]]:
    """A round that has begun, and the cards that are in hands, in chance order."""
    cards = Random(seed).sample(DECK, len(DECK))
    over = 55 - sum(deals) if deals else 55 % count
    leftovers = tuple(Leftover(5, card) for card in cards[9 : 9 + over])
    state = after(at_table(count, **house), Deal("", tuple(cards[:9]), leftovers, deals), Go("", at=0))
    return state, cards[9 + over :]


def refused(state: State, move: Move) -> Foul:
    before = repr(state)
    with pytest.raises(Foul) as caught:
        rule(state, move)
    assert repr(state) == before
    assert caught.value.player == move.player
    assert caught.value.sentence.endswith(".")
    assert "{" not in caught.value.sentence
    return caught.value


@pytest.mark.parametrize(("count", "share", "over"), [(2, 27, 1), (3, 18, 1), (4, 13, 3)])
def test_the_other_55_are_dealt_equally_and_what_is_left_lies_on_the_grid(count: int, share: int, over: int) -> None:
    leftovers = tuple(Leftover(cell, DECK[9 + cell]) for cell in range(1, over + 1))
    ruling = rule(at_table(count), Deal("", DECK[:9], leftovers))
    assert ruling.events == (Dealt(1, DECK[:9], (share,) * count),)
    state = ruling.state
    assert state.phase == "ready"
    assert state.unseen == share * count == 64 - 9 - over
    assert state.grid == tuple(DECK[9 + cell] if cell <= over else DECK[cell - 1] for cell in CELLS)
    assert all(laid.dealt for pile in state.piles for laid in pile)
    for wrong in (leftovers[1:], (*leftovers, Leftover(1, "yellow-star-3"))):
        foul = refused(at_table(count), Deal("", DECK[:9], wrong))
        assert foul.code == "deal-does-not-add-up"


def test_leftovers_may_lie_on_one_another() -> None:
    state = after(at_table(4), Deal("", DECK[:9], tuple(Leftover(7, card) for card in DECK[9:12])))
    assert [laid.card for laid in state.piles[6]] == [DECK[6], *DECK[9:12]]


@pytest.mark.parametrize(("count", "deals", "over"), [(2, (35, 20), 0), (3, (25, 15, 15), 0), (4, (16, 13, 13, 10), 3)])
def test_a_handicap_gives_some_more_than_others(count: int, deals: tuple[int, ...], over: int) -> None:
    leftovers = tuple(Leftover(1, card) for card in DECK[9 : 9 + over])
    state = after(at_table(count), Deal("", DECK[:9], leftovers, deals))
    assert state.deals == deals
    assert state.unseen == sum(deals)


def test_another_deal_before_go_replaces_the_first() -> None:
    state = after(at_table(), Deal("", DECK[:9], (Leftover(1, DECK[9]),)))
    again = after(state, Deal("", DECK[10:19], (Leftover(1, DECK[9]),)))
    assert again == after(at_table(), Deal("", DECK[10:19], (Leftover(1, DECK[9]),)))


# --- plays -----------------------------------------------------------------------------------------------------


def a_play(state: State, cards: list[str], *, legal: bool = True) -> tuple[int, str]:
    return next((cell, card) for card in cards for cell in CELLS if is_legal(state.grid, cell, card) == legal)


def test_a_legal_play_covers_the_card_and_names_its_triples() -> None:
    state, cards = dealt()
    cell, card = a_play(state, cards)
    covered = state.grid[cell - 1]
    ruling = rule(state, Lay("Ann", cell, card, at=SECOND))
    played = ruling.events[0]
    assert isinstance(played, PlayedLegally)
    assert (played.player, played.cell, played.card, played.covered) == ("Ann", cell, card, covered)
    assert {(tuple(sorted(one.cells)), one.value) for one in played.triples} == new_triples(state.grid, cell, card)
    assert (played.new, played.line) == (played.triples[0].value, played.triples[0].line)
    assert CardsMoved((card,), Place("hand", "Ann"), Place("cell", str(cell))) in ruling.events
    assert ruling.state.grid[cell - 1] == card
    assert ruling.state.piles[cell - 1][-2].card == covered
    assert (ruling.state.unseen, ruling.state.laid, ruling.state.unclaimed) == (53, (1, 0), 0)


def test_nobody_needs_to_know_whose_arm_it_was() -> None:
    state, cards = dealt()
    ruling = rule(state, Lay("", *a_play(state, cards)))
    assert (ruling.state.laid, ruling.state.unclaimed, ruling.state.unseen) == ((0, 0), 1, 53)
    assert ruling.state.piles[a_play(state, cards)[0] - 1][-1].by == ""


def test_what_is_said_is_compared_with_what_is_made() -> None:
    state, cards = dealt()
    cell, card = a_play(state, cards)
    made = {value for _, value in new_triples(state.grid, cell, card)}
    for value in VALUES:
        events = rule(state, Lay("Ann", cell, card, value)).events
        said = [event for event in events if isinstance(event, SaidOtherwise)]
        assert said == ([] if value in made else [SaidOtherwise("Ann", value)])


def test_an_illegal_play_is_called_at_once() -> None:
    state, cards = dealt()
    cell, card = a_play(state, cards, legal=False)
    foul = refused(state, Lay("Ann", cell, card))
    assert foul.code == "no-new-triple"
    assert foul.facts["accepts"] == values_of(accepted(state.grid, cell))
    assert foul.facts["covered"] == state.grid[cell - 1]
    assert f"{card} on cell {cell} is illegal" in foul.sentence


def test_a_triple_that_was_there_before_is_named_as_the_reason() -> None:
    grid = example_grids()[0]
    state = after(at_table(), Deal("", grid, deals=(28, 27)), Go(""))
    foul = refused(state, Lay("Ann", 8, "blue-circle-2"))
    assert "circle in the middle column was there before" in foul.sentence
    assert "the cell takes nothing" in foul.sentence


def test_an_illegal_play_may_be_kept_for_the_next_stop() -> None:
    state, cards = dealt(illegal_plays="keep")
    cell, card = a_play(state, cards, legal=False)
    ruling = rule(state, Lay("Ann", cell, card))
    assert ruling.events[0] == PlayedIllegally(
        "Ann", cell, card, state.grid[cell - 1], standing(state.grid, cell, card)
    )
    assert ruling.state.laid == (1, 0)
    stopped = rule(ruling.state, Stop("Bob"))
    assert stopped.events == (Stopped("Bob", (cell,)),)
    state = after(stopped.state, TakeBack("Ann", cell))
    assert state.laid == (0, 0)
    assert rule(state, GoOn("")).state.phase == "play"


def test_an_illegal_play_that_was_covered_shows_at_stop_too() -> None:
    state, cards = dealt(illegal_plays="keep")
    cell, card = a_play(state, cards, legal=False)
    state = after(state, Lay("Ann", cell, card))
    other = next(one for one in cards if one != card and is_legal(state.grid, cell, one))
    assert rule(after(state, Lay("Bob", cell, other)), Stop("")).events == (Stopped("", (cell,)),)


def test_a_card_goes_back_into_the_hand_it_came_from() -> None:
    state, cards = dealt()
    cell, card = a_play(state, cards)
    laid = after(state, Lay("Ann", cell, card))
    ruling = rule(laid, TakeBack("", cell))
    assert ruling.events == (
        TakenBack("Ann", cell, card),
        CardsMoved((card,), Place("cell", str(cell)), Place("hand", "Ann")),
    )
    assert ruling.state == state
    assert refused(laid, TakeBack("Bob", cell)).sentence == f"Bob cannot take {card} back: Ann laid it."
    assert rule(laid, TakeBack("Ann", cell)).state == state


def test_a_card_of_nobody_knows_whom_goes_back_too() -> None:
    state, cards = dealt()
    cell, card = a_play(state, cards)
    assert after(state, Lay("", cell, card), TakeBack("Bob", cell)) == state


# --- Stop! and the time ----------------------------------------------------------------------------------------


def test_stop_halts_the_round_and_its_clock() -> None:
    state, cards = dealt()
    cell, card = a_play(state, cards)
    stopped = after(state, Stop("Bob", at=10 * SECOND))
    assert refused(stopped, Lay("Ann", cell, card)).code == "in-stopped"
    assert refused(stopped, Stop("Ann")).code == "in-stopped"
    assert stopped.clock.used_at(99 * SECOND) == 10 * SECOND
    state = after(stopped, GoOn("", at=60 * SECOND))
    assert state.clock.used_at(65 * SECOND) == 15 * SECOND
    assert rule(state, Lay("Ann", cell, card, at=65 * SECOND))


def test_a_claim_to_be_out_counts_while_the_round_is_stopped() -> None:
    """The token may have been struck for it and taken for a Stop!"""
    state = after(at_table(chips_to_win=1), Deal(""), Go("", at=0), Stop("", at=8 * SECOND), Out("Ann", at=90 * SECOND))
    assert state.rounds[-1].winners == ("Ann",)
    assert state.rounds[-1].time == 8 * SECOND
    assert refused(after(PLAYING, Stop("")), Out("Ann")).code == "not-out"


def test_the_time_of_a_round_is_without_the_time_of_stop() -> None:
    state = after(
        at_table(chips_to_win=1),
        Deal(""),
        Go("", at=5 * SECOND),
        Stop("Ann", at=15 * SECOND),
        GoOn("", at=100 * SECOND),
        Stop("", at=103 * SECOND),
        GoOn("", at=104 * SECOND),
        Out("Bob", at=110 * SECOND),
    )
    assert [done.time for done in state.rounds] == [19 * SECOND]
    assert GAME.facts(state) == (Fact("round", "Bob", 19 * SECOND),)


# --- "I'm out!" ------------------------------------------------------------------------------------------------


def almost_out(plays: dict[str, int], deals: tuple[int, ...] = (3, 20), **house: Any) -> State:
    """A round in which so many cards are known to be of each player, "" for nobody knows whom."""
    state, _ = dealt(len(deals), deals=deals, **house)
    laid = tuple(plays.get(name, 0) for name in NAMES[: len(deals)])
    return replace(state, laid=laid, unclaimed=plays.get("", 0))


@pytest.mark.parametrize(
    ("plays", "left"),
    [({}, 3), ({"Ann": 1}, 2), ({"Ann": 1, "": 1}, 1), ({"": 2}, 1), ({"Bob": 9}, 3), ({"Ann": 2, "Bob": 9}, 1)],
)
def test_a_claim_that_the_plays_do_not_allow(plays: dict[str, int], left: int) -> None:
    foul = refused(almost_out(plays), Out("Ann"))
    assert foul.code == "not-out"
    assert f"at least {left} are left" in foul.sentence
    assert foul.facts["left"] == left


@pytest.mark.parametrize("plays", [{"": 3}, {"Ann": 1, "": 2}, {"Ann": 2, "": 5}])
def test_a_claim_that_the_plays_allow(plays: dict[str, int]) -> None:
    ruling = rule(almost_out(plays), Out("Ann", at=SECOND))
    assert ruling.events == (RoundWon(1, ("Ann",), "Ann is out first, as the plays allow.", SECOND, (1, 0)),)
    assert ruling.state.phase == "deal"


def test_the_last_card_wins_without_a_word_if_all_plays_are_known() -> None:
    state, cards = dealt(deals=(2, 20), seed=3)
    for number in range(2):
        cell, card = a_play(state, cards)
        cards.remove(card)
        ruling = rule(state, Lay("Ann", cell, card, at=number))
        state = ruling.state
    assert ruling.events[-1] == RoundWon(1, ("Ann",), "Ann has laid the last card.", 1, (1, 0))
    assert state.phase == "deal"


def test_nobody_lays_more_cards_than_dealt() -> None:
    state = replace(almost_out({"Ann": 3, "": 0}), phase="play")
    cell, card = next(
        (cell, card)
        for card in DECK
        for cell in CELLS
        if is_legal(state.grid, cell, card) and card not in {laid.card for pile in state.piles for laid in pile}
    )
    assert refused(state, Lay("Ann", cell, card)).code == "no-cards-left"


# --- nobody can lay --------------------------------------------------------------------------------------------


def crowded(seed: int, unseen: int, **house: Any) -> State:
    """A round near its end: only so many cards are still in hands, the others lie under the grid."""
    cards = Random(seed).sample(DECK, len(DECK))
    piles = tuple(tuple(Laid(card) for card in cards[unseen + cell :: 9]) for cell in range(9))
    seen = sum(1 << DECK.index(laid.card) for pile in piles for laid in pile)
    return replace(dealt(**house)[0], piles=piles, seen=seen, laid=(27 - unseen // 2, 27 - (unseen + 1) // 2))


@settings(max_examples=150)
@given(st.integers(0, 10**9), st.integers(1, 20))
def test_what_can_still_be_laid_is_what_trying_every_card_on_every_cell_finds(seed: int, unseen: int) -> None:
    state = crowded(seed, unseen)
    on_grid = {laid.card for pile in state.piles for laid in pile}
    in_hands = set(DECK) - on_grid
    legal = {card for card in in_hands if any(new_triples(state.grid, cell, card) for cell in CELLS)}
    assert state.can_be_laid == len(legal)
    if legal:
        foul = refused(state, Stuck(""))
        assert foul.code == "somebody-can-lay"
        assert f"{len(legal)} of the {state.unseen} cards" in foul.sentence
    else:
        assert rule(state, Stuck("")).events[0] == NobodyCanLay(state.unseen, sure=True)


def stuck_at(unseen: int, **house: Any) -> State:
    """A table at which nobody can lay."""
    return next(state for seed in range(9999) if (state := crowded(seed, unseen, **house)).can_be_laid == 0)


def one_play_before_the_end(last: str) -> tuple[State, Lay]:
    """A state with a legal play after which nobody can lay."""
    for seed in range(9999):
        state = crowded(seed, 4)
        on_grid = {laid.card for pile in state.piles for laid in pile}
        for cell, card in product(CELLS, sorted(set(DECK) - on_grid)):
            if is_legal(state.grid, cell, card):
                grid = (*state.grid[: cell - 1], card, *state.grid[cell:])
                rest = set(DECK) - on_grid - {card}
                if not any(new_triples(grid, one, other) for one in CELLS for other in rest):
                    return state, Lay(last, cell, card, at=7)
    raise AssertionError


def test_the_referee_knows_when_nobody_can_lay_any_more() -> None:
    state, last = one_play_before_the_end("Ann")
    ruling = rule(state, last)
    assert NobodyCanLay(3, sure=True) in ruling.events
    assert ruling.events[-1] == RoundWon(1, ("Ann",), "Nobody can lay, and fewest cards are left.", 7, (1, 0))


def test_where_plays_are_of_nobody_knows_whom_everybody_counts() -> None:
    state, last = one_play_before_the_end("")
    ruling = rule(state, last)
    assert ruling.events[-1] == NobodyCanLay(3, sure=True)
    assert (ruling.state.phase, ruling.state.left) == ("count", (-1, -1))
    assert [(may.move, may.players) for may in ruling.may] == [("left", ("Ann", "Bob"))]
    state = after(ruling.state, Left("Bob", 1))
    assert refused(state, Left("Ann", 1)).code == "counts-do-not-add-up"
    ruling = rule(state, Left("Ann", 2, at=9))
    assert ruling.events == (RoundWon(1, ("Bob",), "Nobody can lay, and fewest cards are left.", 7, (0, 1)),)


def test_whoever_is_out_at_that_very_moment_has_none_left() -> None:
    """Nobody saw whose the last play was, it was a last card, and no other card can be laid."""
    state, last = one_play_before_the_end("")
    ruling = rule(state, last)
    state = replace(ruling.state, deals=(27, 28), laid=(25, 25), unclaimed=2)
    ruling = rule(after(state, Left("Ann", 0)), Left("Bob", 3))
    assert ruling.state.rounds[-1].winners == ("Ann",)


def test_taking_back_may_leave_nobody_a_card_to_lay() -> None:
    """Ann's card goes back, and with it what the others could have joined."""
    for seed in range(99999):
        state = crowded(seed, 3)
        pile = state.piles[0]
        state = replace(state, piles=((*pile[:-1], replace(pile[-1], by="Ann")), *state.piles[1:]))
        below = replace(state, piles=(pile[:-1], *state.piles[1:]), seen=state.seen - (1 << DECK.index(pile[-1].card)))
        if state.can_be_laid and below.can_be_laid == 0:
            break
    ruling = rule(state, TakeBack("Ann", 1))
    assert any(isinstance(event, NobodyCanLay) for event in ruling.events)
    stopped = after(state, Stop(""), TakeBack("Ann", 1))
    assert stopped.phase == "stopped"  # nothing is decided before the table is in order
    assert after(stopped, GoOn("")).phase == "deal"


def test_a_grid_on_which_nothing_can_be_laid_ends_the_round_as_it_begins() -> None:
    state = replace(stuck_at(4), phase="ready")
    ruling = rule(state, Go("", at=3))
    assert any(isinstance(event, NobodyCanLay) for event in ruling.events)


def test_the_referee_says_when_few_cards_can_be_laid() -> None:
    for seed in range(500):
        state = crowded(seed, 6)
        on_grid = {laid.card for pile in state.piles for laid in pile}
        for cell, card in product(CELLS, sorted(set(DECK) - on_grid)):
            if not is_legal(state.grid, cell, card):
                continue
            ruling = rule(state, Lay("Bob", cell, card))
            if ruling.state.phase == "play":
                playable = ruling.state.can_be_laid
                told = [event for event in ruling.events if isinstance(event, FewLeft)]
                assert told == ([FewLeft(ruling.state.unseen, playable)] if playable <= 2 else [])


# --- counting at the end ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "winners"),
    [((4, 7, 9), ("Ann",)), ((7, 4, 4), ("Bob", "Cleo")), ((5, 5, 5), NAMES[:3]), ((9, 1, 3), ("Bob",))],
)
def test_fewest_cards_left_win_and_equal_numbers_share(left: tuple[int, ...], winners: tuple[str, ...]) -> None:
    state = after(at_table(3), Deal(""), Go("", at=0), Stuck("", at=9))
    assert state.phase == "count"
    for name, cards in zip(NAMES, left, strict=False):
        ruling = rule(state, Left(name, cards, at=20))
        state = ruling.state
    chips = tuple(int(name in winners) for name in NAMES[:3])
    assert ruling.events == (RoundWon(1, winners, "Nobody can lay, and fewest cards are left.", 9, chips),)
    assert state.chips == chips


def test_with_all_plays_known_nobody_needs_to_count() -> None:
    state = replace(stuck_at(4), laid=(26, 24))
    ruling = rule(state, Stuck("", at=3))
    assert ruling.events[0] == NobodyCanLay(4, sure=True)
    assert ruling.state.rounds[-1].winners == ("Ann",)
    assert rule(stuck_at(4), Stuck("")).state.rounds[-1].winners == ("Ann", "Bob")


def test_a_count_may_be_said_again_while_others_are_missing() -> None:
    state = after(at_table(3), Deal(""), Go(""), Stuck(""), Left("Ann", 4), Left("Ann", 5))
    assert state.left == (5, -1, -1)


# --- chips and rounds ------------------------------------------------------------------------------------------


def one_round(state: State, winner: str, at: int = 0) -> Ruling:
    return rule(after(state, Deal("", at=at), Go("", at=at)), Out(winner, at=at + 7))


def test_the_first_to_four_chips_wins_the_match() -> None:
    state = at_table(3)
    for number, winner in enumerate(["Ann", "Bob", "Ann", "Cleo", "Ann"]):
        state = one_round(state, winner, number * 10).state
        assert (state.phase, state.outcome) == ("deal", None)
    ruling = one_round(state, "Ann", 60)
    assert ruling.state.chips == (4, 1, 1)
    assert ruling.state.outcome.winners == ("Ann",)
    assert isinstance(ruling.events[-1], Ended)
    assert (ruling.state.phase, ruling.may, len(ruling.state.rounds)) == ("over", (), 6)


def test_rounds_are_counted() -> None:
    state = one_round(at_table(), "Bob").state
    ruling = rule(state, Deal("", DECK[:9], (Leftover(1, DECK[9]),)))
    assert isinstance(ruling.events[0], Dealt)
    assert ruling.events[0].round == 2
    assert (ruling.state.laid, ruling.state.unclaimed, ruling.state.clock.used) == ((0, 0), 0, 0)


def test_a_shared_round_may_make_a_shared_match() -> None:
    state = after(at_table(chips_to_win=1), Deal(""), Go(""), Stuck(""), Left("Ann", 3))
    ruling = rule(state, Left("Bob", 3))
    assert ruling.state.outcome.winners == ("Ann", "Bob")


# --- nobody shows the grid -------------------------------------------------------------------------------------


def test_without_a_grid_claims_are_taken_on_trust() -> None:
    state = after(at_table(), Deal("", deals=(30, 25)), Go("", at=0))
    assert (state.is_seen, state.can_be_laid, state.unseen) == (False, None, 55)
    assert [may.move for may in rule(after(at_table(), Deal("")), Go("")).may] == ["stop", "out", "stuck"]
    ruling = rule(state, Out("Bob", at=4))
    assert ruling.events == (RoundWon(1, ("Bob",), "Bob is out first, on trust: the grid was not shown.", 4, (0, 1)),)
    assert rule(state, Stuck("")).events == (NobodyCanLay(55, sure=False),)


def test_with_a_grid_the_cells_say_what_they_take() -> None:
    state, _ = dealt()
    may = next(may for may in rule(after(state, Stop("")), GoOn("")).may if may.move == "lay")
    assert may.choices == tuple(CellAccepts(cell, values_of(accepted(state.grid, cell))) for cell in CELLS)


# --- fouls -----------------------------------------------------------------------------------------------------

PLAYING, HANDS = dealt()
UNSHOWN = after(at_table(), Deal(""), Go(""))
COUNTING = after(UNSHOWN, Stuck(""))
OVER = one_round(at_table(chips_to_win=1), "Ann").state
NO_TRIPLE = a_play(PLAYING, HANDS, legal=False)
KEPT = after(dealt(deals=(1, 54), illegal_plays="keep")[0], Lay("Ann", *NO_TRIPLE))

FOULS: list[tuple[str, State, Move]] = [
    ("in-deal", at_table(), Go("")),
    ("in-ready", after(at_table(), Deal("")), Lay("Ann", 1, DECK[0])),
    ("in-play", PLAYING, Deal("")),
    ("in-play", PLAYING, GoOn("")),
    ("in-play", PLAYING, Left("Ann", 3)),
    ("in-stopped", after(PLAYING, Stop("")), Stop("Ann")),
    ("in-count", COUNTING, Stop("")),
    ("match-over", OVER, Deal("")),
    ("match-over", OVER, Out("Bob")),
    ("deal-short", at_table(3), Deal("", deals=(20, 20))),
    ("deal-short", at_table(), Deal("", deals=(55, 0))),
    ("deal-short", at_table(), Deal("", deals=(56, -1))),
    ("deal-does-not-add-up", at_table(), Deal("", DECK[:9])),
    ("deal-does-not-add-up", at_table(), Deal("", DECK[:9], (), (28, 28))),
    ("deal-does-not-add-up", at_table(), Deal("", deals=(28, 28))),
    ("deal-does-not-add-up", at_table(), Deal("", (), (Leftover(1, DECK[0]),))),
    ("grid-not-nine", at_table(), Deal("", DECK[:8], (Leftover(1, DECK[9]), Leftover(2, DECK[10])))),
    ("card-twice", at_table(), Deal("", DECK[:9], (Leftover(1, DECK[8]),))),
    ("card-twice", at_table(), Deal("", (*DECK[:8], DECK[0]), (Leftover(1, DECK[9]),))),
    ("unknown-card", at_table(), Deal("", (*DECK[:8], "green-star-1"))),
    ("unknown-card", PLAYING, Lay("Ann", 1, "")),
    ("unknown-card", PLAYING, Lay("Ann", 1, "circle-blue-2")),
    ("no-such-cell", at_table(), Deal("", DECK[:9], (Leftover(0, DECK[9]),))),
    ("no-such-cell", PLAYING, Lay("Ann", 10, HANDS[0])),
    ("no-such-cell", PLAYING, Lay("Ann", -1, HANDS[0])),
    ("no-such-cell", PLAYING, TakeBack("Ann", 0)),
    ("grid-not-shown", UNSHOWN, Lay("Ann", 1, DECK[0])),
    ("grid-not-shown", UNSHOWN, TakeBack("Ann", 1)),
    ("card-seen-already", PLAYING, Lay("Ann", 1, PLAYING.grid[4])),
    ("card-seen-already", PLAYING, Lay("Ann", 1, PLAYING.piles[4][0].card)),
    (
        "no-cards-left",
        almost_out({"Ann": 3}),
        Lay(
            "Ann",
            1,
            next(card for card in DECK if card not in {laid.card for pile in almost_out({}).piles for laid in pile}),
        ),
    ),
    ("no-new-triple", PLAYING, Lay("Ann", *NO_TRIPLE)),
    ("claim-open", after(KEPT, Out("Ann")), Out("Ann")),
    ("lift-first", after(KEPT, Out("Ann")), GoOn("")),
    ("claim-void", after(KEPT, Stop(""), GoOn("")), Out("Ann")),
    ("nothing-to-take-back", PLAYING, TakeBack("", 5)),
    ("not-in-pile", PLAYING, TakeBack("", 5, HANDS[0])),
    ("nothing-to-take-back", PLAYING, TakeBack("", 5, PLAYING.piles[4][0].card)),
    ("not-your-card", after(PLAYING, Lay("Ann", *a_play(PLAYING, HANDS))), TakeBack("Bob", a_play(PLAYING, HANDS)[0])),
    ("not-out", PLAYING, Out("Ann")),
    ("impossible-tie", PLAYING, Out("Ann", ("Ann",))),
    ("somebody-can-lay", PLAYING, Stuck("Bob")),
    ("deal-does-not-add-up", at_table(), Deal("", DECK[:9], (Leftover(1, DECK[9]),), hidden=1)),
    ("deal-does-not-add-up", at_table(), Deal("", DECK[:9], (Leftover(1, DECK[9]), Leftover(1, DECK[10])), hidden=-1)),
    ("deal-does-not-add-up", at_table(), Deal("", hidden=1)),
    ("lies-there", PLAYING, Lies("", 1, PLAYING.grid[0])),
    ("card-seen-already", PLAYING, Lies("", 1, PLAYING.piles[4][0].card)),
    ("below-not-known", PLAYING, Lies("", 2, PLAYING.grid[0])),
    ("below-not-known", after(PLAYING, Lies("", 1, HANDS[0], hidden=1)), TakeBack("", 1)),
    ("below-not-known", after(PLAYING, Lies("", 1, HANDS[0], hidden=1)), TakeBack("", 1, HANDS[0])),
    ("below-not-known", after(PLAYING, Lies("", 1, HANDS[0], hidden=1)), Lies("", 2, HANDS[0])),
    ("dealt-card-gone", PLAYING, Lies("", 5, PLAYING.piles[4][0].card)),
    ("dealt-card-gone", PLAYING, Lies("", 5, HANDS[0], taken=1)),
    ("no-such-count", PLAYING, Lies("", 1, HANDS[0], hidden=-1)),
    ("no-such-count", PLAYING, Lies("", 1, HANDS[0], hidden=54)),
    ("no-such-count", PLAYING, Lies("", 1, HANDS[0], taken=1)),
    ("no-such-count", after(PLAYING, Lies("", 1, HANDS[0])), Lies("", 1, PLAYING.grid[0], taken=1)),
    ("no-such-count", after(PLAYING, Lies("", 1, HANDS[0], hidden=1)), Lies("", 1, HANDS[1], hidden=1, taken=1)),
    ("grid-not-shown", UNSHOWN, Lies("", 1, DECK[0])),
    ("unknown-card", PLAYING, Lies("", 1, "?")),
    ("no-such-cell", PLAYING, Lies("", 0, HANDS[0])),
    ("in-ready", after(at_table(), Deal("")), Lies("", 1, DECK[0])),
    ("impossible-count", COUNTING, Left("Ann", 28)),
    ("impossible-count", COUNTING, Left("Ann", -1)),
    ("counts-do-not-add-up", replace(COUNTING, piles=PLAYING.piles, unclaimed=50), Left("Ann", 5)),
]


@pytest.mark.parametrize(("code", "state", "move"), FOULS)
def test_a_foul_says_why_and_changes_nothing(code: str, state: State, move: Move) -> None:
    assert refused(state, move).code == code


def test_every_foul_of_the_game_is_shown_above() -> None:
    known = set(re.findall(r'[Ff]oul\(\s*"([a-z-]+)"', source_of(triple3)))
    out_of_phase = {f"in-{phase}" for phase in ("deal", "ready", "play", "stopped", "count")}
    assert known | out_of_phase == {code for code, _, _ in FOULS}


def test_a_triple_is_data() -> None:
    grid = ("red-circle-0", "red-diamond-1", "blue-star-2", *DECK[20:26])
    found = triples(grid, 3, "red-circle-3")
    assert Triple("top row", (1, 2, 3), "red", ()) in found


def test_a_card_under_others_can_be_taken_back_and_laid_again() -> None:
    first = a_play(PLAYING, HANDS)
    state = after(PLAYING, Lay("Ann", *first))
    second = next(
        (first[0], card) for card in HANDS if card != first[1] and triple3.is_legal(state.grid, first[0], card)
    )
    state = after(state, Lay("Bob", *second))
    lower = after(state, TakeBack("", *first))
    assert lower.grid == state.grid
    assert [laid.card for laid in lower.piles[first[0] - 1]][-1] == second[1]
    assert first[1] not in [laid.card for pile in lower.piles for laid in pile]
    assert (lower.unseen, lower.laid) == (state.unseen + 1, (0, *state.laid[1:]))
    with pytest.raises(Foul) as foul:
        triple3.rule(lower, TakeBack("", *first))
    assert foul.value.code == "not-in-pile"

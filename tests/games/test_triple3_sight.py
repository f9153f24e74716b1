"""Triple³ seen from above: which stories explain a change, and what the tracker makes of them."""

from dataclasses import asdict, replace
from math import exp
from random import Random

import pytest

from companion.games.triple3.rules import CELLS, DECK, PLACE_IN_DECK, accepted, is_legal
from companion.games.triple3.rules.cards import BITS
from companion.games.triple3.sight import IN_LINE, Grid, Triple3Sight, _takers, grid_of
from companion.games.triple3.sight_calibrated import ODDS
from companion.watch.tracker import OPEN_FOR, SECOND, Belief, PlaceChange, Tracker

SIGHT = Triple3Sight()
LOOKS = ("red-circle-0", "blue-diamond-1", "purple-plus-2", "yellow-star-3", "red-diamond-2", "blue-plus-3",
         "purple-star-0", "yellow-circle-1", "red-plus-1")  # fmt: skip


def change(number: int, cell: int, card: str, at: float, *, long: float = 0.5, again: float = 0.0) -> PlaceChange:
    since, by = int((at - long / 2) * SECOND), int((at + long / 2) * SECOND)
    return PlaceChange(number, cell, ((card, 1.0),), since, by, by, again)


def tracker_of(*changes: PlaceChange, grid: tuple[str, ...] = LOOKS, keeps: bool = False) -> Tracker:
    tracker = Tracker(Triple3Sight(keeps=keeps), grid_of([[card] for card in grid]))
    for one in changes:
        tracker.take(one)
    return tracker


def belief(tracker: Tracker, number: int) -> Belief:
    return tracker.beliefs()[number]


def a_play(*, legal: bool, cell: int = 0, grid: tuple[str, ...] = LOOKS, but: tuple[str, ...] = ()) -> tuple[int, str]:
    return next(
        (one, card)
        for one in ((cell,) if cell else CELLS)
        for card in DECK
        if card not in (*grid, *but) and is_legal(grid, one, card) == legal
    )


def laid_on(grid: tuple[str, ...], cell: int, card: str) -> tuple[str, ...]:
    return (*grid[: cell - 1], card, *grid[cell:])


def test_the_cards_that_a_cell_takes_are_those_of_the_rules() -> None:
    random = Random(1)
    for _ in range(200):
        grid = tuple(random.sample(DECK, 9))
        for cell in CELLS:
            takes = _takers([DECK.index(card) for card in grid], cell - 1)
            values = accepted(grid, cell)
            assert takes == sum(PLACE_IN_DECK[card] for card in DECK if BITS[card] & values)


def test_the_cells_on_which_a_ruling_hangs() -> None:
    assert [len(cells) for cells in IN_LINE] == [6, 4, 6, 4, 8, 4, 6, 4, 6]


@pytest.mark.parametrize("legal", [True, False])
def test_a_card_that_one_hand_laid_is_ruled_on_without_a_doubt(*, legal: bool) -> None:
    cell, card = a_play(legal=legal)
    seen = belief(tracker_of(change(1, cell, card, 1)), 1)
    assert seen.legal == (1.0 if legal else 0.0)
    assert seen.other is None


def test_where_two_hands_came_another_card_may_lie_under_it() -> None:
    cell, upper = next(
        (cell, upper)
        for cell in CELLS
        for upper in DECK
        if upper not in LOOKS
        and not is_legal(LOOKS, cell, upper)
        and any(
            is_legal(LOOKS, cell, lower) and is_legal(laid_on(LOOKS, cell, lower), cell, upper)
            for lower in DECK
            if lower not in (*LOOKS, upper)
        )
    )
    once = belief(tracker_of(change(1, cell, upper, 1)), 1)
    twice = belief(tracker_of(change(1, cell, upper, 1, again=1.0)), 1)
    assert once.legal == 0.0
    assert 0.05 < twice.legal < 0.95
    story = twice.deed if twice.deed.legal else twice.other
    assert story is not None
    assert story.unseen == 1


def test_an_unseen_card_is_every_one_that_it_may_be() -> None:
    """The odds of the unseen ones that make the upper legal, against one by one."""
    cell, upper = a_play(legal=True)
    table = grid_of([[card] for card in LOOKS])
    seen = change(1, cell, upper, 1, again=1.0)
    free = [card for card in DECK if card not in (*LOOKS, upper)]
    fits = [card for card in free if is_legal(LOOKS, cell, card)]
    good = [card for card in fits if is_legal(laid_on(LOOKS, cell, card), cell, upper)]
    legal = [story for story in SIGHT.unseen(table, seen) if story.table.piles[cell - 1][-1].counts]
    assert [story.table.piles[cell - 1][-1].cards.bit_count() for story in legal] == [len(fits)]
    ways = [
        (story, behind)
        for story in legal
        for behind in SIGHT.stories(story.table, seen, again=True)
        if behind.deed and behind.deed.legal
    ]
    assert sum(behind.table.piles[cell - 1][-2].cards.bit_count() for _, behind in ways) == len(good)


def test_two_at_once_are_legal_if_one_order_is() -> None:
    (cell, card), (other, second) = next(
        ((cell, card), (other, second))
        for cell, card in ((cell, card) for cell in CELLS for card in DECK if card not in LOOKS)
        if is_legal(LOOKS, cell, card)
        for other, second in ((other, two) for other in CELLS for two in DECK if two not in (*LOOKS, card))
        if other != cell and not is_legal(LOOKS, other, second) and is_legal(laid_on(LOOKS, cell, card), other, second)
    )
    at_once = tracker_of(change(1, other, second, 1.0), change(2, cell, card, 1.02))
    assert belief(at_once, 1).legal == pytest.approx(1.0)
    after = tracker_of(change(1, other, second, 1.0), change(2, cell, card, 3.0))
    assert belief(after, 1).legal < 0.01


def test_a_card_taken_back_is_no_play() -> None:
    cell, card = a_play(legal=True)
    tracker = tracker_of(change(1, cell, card, 1), change(2, cell, LOOKS[cell - 1], 2))
    assert 2 not in tracker.beliefs()
    assert SIGHT.shows(tracker.best.table, cell) == LOOKS[cell - 1]


def test_a_called_card_does_not_count_and_a_kept_one_does() -> None:
    cell, card = a_play(legal=False)
    for keeps in (False, True):
        table = tracker_of(change(1, cell, card, 1), keeps=keeps).best.table
        assert (table.tops[cell - 1] == PLACE_IN_DECK[card]) is keeps


def test_a_card_that_was_knocked_over_counts_where_it_was() -> None:
    cell, card = a_play(legal=True, cell=1)
    tracker = tracker_of(change(1, cell, card, 1), change(2, 2, card, 5))
    table: Grid = tracker.best.table
    assert table.tops[0] == PLACE_IN_DECK[card]
    assert table.tops[1] == PLACE_IN_DECK[LOOKS[1]]
    tracker.take(change(3, 2, LOOKS[1], 7))
    tracker.take(change(4, 1, card, 7))
    assert tracker.best.table.away == ()


def test_what_was_dealt_is_not_dug_out() -> None:
    cell, card = a_play(legal=True)
    tracker = tracker_of(change(1, cell, card, 1))
    other = next(one for one in CELLS if one not in (cell, 5))
    tracker.take(change(2, other, LOOKS[cell - 1], 3))
    assert [one.number for one in tracker.open] == [1]


def test_the_hidden_card_comes_to_light() -> None:
    cell, upper = a_play(legal=True)
    lower = next(card for card in DECK if card not in (*LOOKS, upper) and is_legal(LOOKS, cell, card))
    tracker = tracker_of(change(1, cell, upper, 1, again=1.0), change(2, cell, lower, 5))
    assert any(deed.word == "show" for hypothesis in tracker.hypotheses for deed in hypothesis.line)


def a_cover(*, legal: bool) -> tuple[int, str, str]:
    """A cell, a card that is legal there, and one on it that is legal only on it, or illegal only on it."""
    free = [card for card in DECK if card not in LOOKS]
    return next(
        (cell, lower, upper)
        for cell in CELLS
        for lower in free
        for upper in free
        if upper != lower
        and is_legal(LOOKS, cell, lower)
        and is_legal(LOOKS, cell, upper) != legal
        and is_legal(laid_on(LOOKS, cell, lower), cell, upper) == legal
    )


def glimpsed(cell: int, lower: str, upper: str, chance: float, at: float = 1) -> PlaceChange:
    return replace(change(1, cell, upper, at, again=1.0), between=((lower, chance),))


@pytest.mark.parametrize("legal", [True, False])
def test_a_card_that_was_glimpsed_decides_on_the_one_that_covered_it(*, legal: bool) -> None:
    cell, lower, upper = a_cover(legal=legal)
    chances = [belief(tracker_of(glimpsed(cell, lower, upper, chance)), 1).legal for chance in (0.001, 0.5, 0.95)]
    assert chances == sorted(chances, reverse=not legal)
    assert chances[-1] > 0.93 if legal else chances[-1] < 0.1
    assert belief(tracker_of(glimpsed(cell, lower, upper, 0.95)), 1).deed.unseen == 1


def test_a_card_that_was_carried_past_to_another_cell_does_not_lie_under_this_one() -> None:
    cell, lower, upper = a_cover(legal=True)
    other = next(at for at in CELLS if at != cell and at not in {one + 1 for one in IN_LINE[cell - 1]})
    before = replace(glimpsed(cell, lower, upper, 0.9, at=2), number=2)
    tracker = tracker_of(change(1, other, lower, 0.5), before)
    assert belief(tracker, 2).legal < 0.1  # but for another card that nobody saw
    late = tracker_of(glimpsed(cell, lower, upper, 0.9), change(2, other, lower, 3))
    assert belief(late, 1).legal < belief(tracker_of(glimpsed(cell, lower, upper, 0.9)), 1).legal


def test_a_glimpsed_card_that_comes_to_light_was_a_play() -> None:
    cell, lower, upper = a_cover(legal=False)
    tracker = tracker_of(glimpsed(cell, lower, upper, 0.9), change(2, cell, lower, 4))
    seen = belief(tracker, 2)
    assert (seen.deed.word, seen.deed.legal) == ("show", True)
    assert SIGHT.shows(tracker.best.table, cell) == lower
    settled = Tracker(SIGHT, tracker_of(glimpsed(cell, lower, upper, 0.9)).best.table)
    settled.settle(20 * SECOND)
    settled.take(change(2, cell, lower, 20))
    assert belief(settled, 2).deed.word == "show"


def test_the_chances_of_what_was_glimpsed_are_shared_among_what_can_be() -> None:
    """One of two is known to lie elsewhere: what is left of the weight is as much likelier."""
    cell, lower, upper = a_cover(legal=True)
    both = replace(glimpsed(cell, lower, upper, 0.2), between=((lower, 0.2), (LOOKS[cell % 9], 0.75)), again=0.0)
    table = grid_of([[card] for card in LOOKS])
    assert SIGHT._hidden(table, both) == pytest.approx(0.8, abs=0.01)
    assert [story.table.piles[cell - 1][-1].cards for story in SIGHT.unseen(table, both)] == [PLACE_IN_DECK[lower]]


def test_it_finds_the_way_back_from_a_wrong_turn() -> None:
    """Two cards are thought not to count, and they do; what people lay, who know better, tells."""
    random, used = Random(5), set(LOOKS)
    cell, card = a_play(legal=True)
    grid = laid_on(LOOKS, cell, card)
    other, second = next(
        (at, one)
        for at in CELLS
        for one in DECK
        if at != cell and one not in (*LOOKS, card) and is_legal(grid, at, one)
    )
    grid = laid_on(grid, other, second)
    piles = [[LOOKS[at - 1], *{cell: [card], other: [second]}.get(at, [])] for at in CELLS]
    tracker = Tracker(SIGHT, grid_of(piles, called={card, second}))
    used |= {card, second}
    told = []
    for number in range(1, 20):
        ways = [
            (at, one)
            for at in CELLS
            if at not in (cell, other)
            for one in DECK
            if one not in used and is_legal(grid, at, one)
        ]
        at, one = random.choice(ways)
        grid = laid_on(grid, at, one)
        used.add(one)
        tracker.take(change(number, at, one, 4.0 * number))
        told.append(belief(tracker, number).legal)
        tracker.settle(int(4.0 * number * SECOND) + OPEN_FOR + SECOND)
    assert min(told) < 0.5  # it was wrong for a while
    assert min(told[-8:]) > 0.9


def test_the_odds_are_chances() -> None:
    assert all(odds > 0 for odds in asdict(ODDS).values())
    cell, card = a_play(legal=True)
    table = grid_of([[one] for one in LOOKS])
    stories = list(SIGHT.stories(table, change(1, cell, card, 1), again=False))
    assert sum(exp(story.odds) for story in stories) <= 1

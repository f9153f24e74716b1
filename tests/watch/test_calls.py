"""Illegal plays: when the call waits, when it was wrong after all, and what becomes of cards that stay.

The table is that of `tests/sighted.py`.
"""

from collections.abc import Iterator
from types import UnionType

import pytest

from companion.core.clocks import SECOND
from companion.games.triple3.rules import CELLS, DECK, Lay, Lies, is_legal
from companion.games.triple3.witness_plays import IN_LINE
from companion.games.triple3.witness_settling import CLEAR, HEEDED
from companion.games.triple3.witness_words import CALLED_STAYS
from companion.watch.evidence import Act, Called, InStep, Noticed, OutOfStep, PutRight, Statement
from tests.sighted import STEP, Scene, dealt, of, said
from vision.sightings import CardSeen

WHILE = (HEEDED + CLEAR) / SECOND + 1  # by which a card that was called counts, if nobody takes it back
Grid = tuple[str, ...]
Lain = tuple[int, str]  # a cell and a card


def laid_on(grid: Grid, *plays: Lain) -> Grid:
    for cell, card in plays:
        grid = (*grid[: cell - 1], card, *grid[cell:])
    return grid


def may_lay(grid: Grid, play: Lain) -> bool:
    return is_legal(grid, *play)


def plays(scene: Scene, *but: Lain, legal: bool | None = None, on: int = 0) -> Iterator[Lain]:
    """On other cells, with other cards; on one cell, if one is given."""
    grid, cells, cards = scene.state.grid, {cell for cell, _ in but}, {card for _, card in but}
    for cell in (on,) if on else CELLS:
        for card in scene.in_hands:
            if card not in cards and (on or cell not in cells) and legal in (None, is_legal(grid, cell, card)):
                yield cell, card


def two_in_a_row(scene: Scene) -> tuple[Lain, Lain]:
    """An illegal play, and one on another cell that is legal only if the first one counts."""
    grid = scene.state.grid
    return next(
        (one, two)
        for one in plays(scene, legal=False)
        for two in plays(scene, one, legal=False)
        if may_lay(laid_on(grid, one), two)
    )


def three_in_a_row(scene: Scene, *, two_needed: bool) -> tuple[Lain, Lain, Lain]:
    """The same, and a third that is legal only if the first counts, or only if both do."""
    grid = scene.state.grid
    for one in plays(scene, legal=False):
        first = laid_on(grid, one)
        for two in plays(scene, one, legal=False):
            if may_lay(first, two):
                for three in plays(scene, one, two, legal=False):
                    with_one, with_two = may_lay(first, three), may_lay(laid_on(grid, two), three)
                    both = may_lay(laid_on(first, two), three)
                    if both and not with_two and with_one is not two_needed:
                        return one, two, three
    raise AssertionError


def codes(acts: list[Act], kind: type | UnionType) -> list[str]:
    return [act.code for act in of(acts, kind)]


def cards(acts: list[Act], kind: type | UnionType) -> list[str]:
    """Of the moves of a kind, as they were said."""
    return [move.card for move in said(acts, kind)]


def called(acts: list[Act]) -> list[str]:
    return [act.card for act in of(acts, Called)]


def agrees(scene: Scene) -> bool:
    """Whether the match has what lies on the table."""
    return [[laid.card for laid in pile] for pile in scene.state.piles] == scene.piles


# --- when nobody could see -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seconds", "hidden"), [(0.3, False), (1.0, True)])
def test_two_arms_that_are_quick_do_not_lay_two(seconds: float, *, hidden: bool) -> None:
    scene = dealt()
    grid = scene.state.grid
    cell, _, upper = next(
        (lower[0], lower[1], upper)
        for lower in plays(scene, legal=True)
        for _, upper in plays(scene, legal=False, on=lower[0])
        if upper != lower[1] and may_lay(laid_on(grid, lower), (lower[0], upper))
    )
    for side in ("left", "right"):
        scene.cover(cell, until=scene.now + int(seconds * SECOND), side=side)
    scene.frame()
    scene.piles[cell - 1].append(upper)
    acts = scene.pass_time(seconds + 0.2)
    assert codes(acts, OutOfStep) == (["covered-twice"] if hidden else [])
    assert called(acts) == ([] if hidden else [upper])


def test_a_call_does_not_wait_for_a_cell_that_is_seen_under_arms() -> None:
    scene = dealt()
    one, two = two_in_a_row(scene)
    scene.cover(one[0], until=scene.now + 60 * SECOND)
    scene.frame(glimpsed=(one[0],))
    scene.cover(two[0], until=scene.now + SECOND // 2)
    scene.frame(glimpsed=(one[0],))
    scene.piles[two[0] - 1].append(two[1])
    acts = scene.pass_time(0.5, glimpsed=(one[0],))
    assert called(acts) == [two[1]]
    assert of(acts, Called)[0].evidence.held == 0


def test_it_waits_for_one_that_is_not_seen() -> None:
    scene = dealt()
    one, two = two_in_a_row(scene)
    scene.cover(one[0], until=scene.now + 60 * SECOND)
    scene.frame(glimpsed=(one[0],))
    assert not called(scene.play(*two))
    assert scene.witness.is_pondering
    assert cards(scene.pass_time(2), Lies) == [two[1]]
    assert not scene.witness.is_pondering


def test_a_card_that_is_seen_under_arms_is_ruled_on_at_once_and_the_next_one_after_it() -> None:
    scene = dealt()
    cell, card = scene.a_play()
    upper = next(
        other
        for _, other in plays(scene, on=cell)
        if other != card and is_legal(laid_on(scene.state.grid, (cell, card)), cell, other)
    )
    scene.cover(cell, until=scene.now + 3 * STEP, side="left")
    scene.frame()
    scene.piles[cell - 1].append(card)
    assert cards(scene.frame(glimpsed=(cell,)), Lay) == [card]
    scene.pass_time(0.3)
    scene.cover(cell, until=scene.now + 2 * SECOND, side="right")
    scene.piles[cell - 1].append(upper)
    assert cards(scene.pass_time(3), Lay) == [upper]
    assert agrees(scene)


def test_once_people_say_which_card_was_refused_later_calls_are_made_anew() -> None:
    """Also those that have been told to count soon."""
    scene = dealt()
    grid = scene.state.grid
    one, right, two = next(
        (one, right, two)
        for one in plays(scene, legal=False)
        for _, right in plays(scene, legal=True, on=one[0])
        for two in plays(scene, one, (0, right), legal=False)
        if may_lay(laid_on(grid, (one[0], right)), two)
    )
    scene.play(*one, seconds=0.2)
    scene.play(*two, seconds=0.2)
    acts: list[Act] = []
    while len(of(acts, OutOfStep)) < 2:
        acts += scene.frame()
    scene.piles[one[0] - 1][-1] = right
    acts = scene.witness.said_card(one[0], right, scene.now, scene.match)
    scene.do(acts)
    assert cards(acts, Lay) == [right, two[1]]
    assert agrees(scene)


# --- a call, and what is seen after it -------------------------------------------------------------------------


def test_what_rests_on_a_called_card_is_called_too_and_both_count_when_nobody_takes_them_back() -> None:
    scene = dealt()
    one, two = two_in_a_row(scene)
    assert called(scene.play(*one, seconds=0.2)) == [one[1]]
    assert called(scene.play(*two, seconds=0.2)) == [two[1]]
    acts = scene.pass_time(WHILE)
    assert cards(acts, Lies) == [one[1], two[1]]
    assert codes(acts, Noticed) == ["left-lying", "left-lying"]
    assert agrees(scene)


def test_a_call_falls_away_when_what_is_seen_later_tells_that_it_was_legal() -> None:
    """A card that lay there before it is told late."""
    scene = dealt()
    one, two = next(
        (one, two)
        for one in plays(scene, legal=True)
        for two in plays(scene, one, legal=False)
        if may_lay(laid_on(scene.state.grid, one), two)
    )
    before = scene.looks[one[0]]
    scene.pass_time(1)
    began = scene.now
    assert called(scene.play(*two, seconds=0.2)) == [two[1]]
    scene.piles[one[0] - 1].append(one[1])
    scene.looks[one[0]] = after = scene.look(one[0])
    late = CardSeen(scene.now, 0, one[0], before, after, began - SECOND, ("left",), began - SECOND // 2)
    acts = scene.frame(late)
    assert cards(acts, Lay | Lies) == [one[1], two[1]]
    assert agrees(scene)


# --- a called card that stays ----------------------------------------------------------------------------------


def stays(scene: Scene, play: Lain) -> list[Act]:
    """It is called, and nobody takes it back until it is told that it will count."""
    assert called(scene.play(*play)) == [play[1]]
    acts: list[Act] = []
    while not of(acts, OutOfStep):
        acts += scene.frame()
        assert scene.now < 2 * HEEDED
    return acts


def test_a_called_card_that_nobody_takes_back_counts() -> None:
    scene = dealt()
    cell, card = next(plays(scene, legal=False))
    [call] = of(scene.play(cell, card), Called)
    acts: list[Act] = []
    while scene.now < call.stamp + HEEDED - STEP:
        acts += scene.frame()
    assert not acts
    [out] = of(scene.frame(), OutOfStep)
    assert (out.cells, out.code, out.way_back) == ((cell,), "called-stays", CALLED_STAYS)
    assert out.sentence == f"{card} was called on cell {cell}, and it still lies there."
    acts = scene.pass_time((CLEAR - STEP) / SECOND)
    assert not acts
    acts = scene.frame()
    assert cards(acts, Lies) == [card]
    [said] = of(acts, Noticed)
    assert (said.cells, said.code) == ((cell,), "left-lying")
    assert said.sentence == f"{card} was called on cell {cell} and was left lying: it counts from now on."
    [back] = of(acts, InStep)
    assert (back.cells, back.code, back.took) == ((cell,), "called-stays", CLEAR)
    assert agrees(scene)


def test_one_that_is_taken_back_at_last_is_put_right() -> None:
    scene = dealt()
    before = scene.state
    cell, card = next(plays(scene, legal=False))
    stays(scene, (cell, card))
    acts = scene.take(cell)
    [right] = of(acts, PutRight)
    assert (right.cell, right.card, right.took > HEEDED) == (cell, card, True)
    assert [back.code for back in of(acts, InStep)] == ["called-stays"]
    assert not of(scene.pass_time(5), Statement)
    assert scene.state == before


def test_nothing_is_said_of_it_while_a_hand_is_over_it() -> None:
    scene = dealt()
    cell, card = next(plays(scene, legal=False))
    scene.play(cell, card)
    scene.cover(cell, until=scene.now + HEEDED + 3 * SECOND)
    assert not of(scene.pass_time(HEEDED / SECOND + 2.8), OutOfStep)
    assert codes(scene.pass_time(0.5), OutOfStep) == ["called-stays"]


def test_while_people_settle_it_it_does_not_come_to_count() -> None:
    scene = dealt()
    cell, card = next(plays(scene, legal=False))
    stays(scene, (cell, card))
    scene.say({"move": "stop"})
    assert not of(scene.pass_time(2 * WHILE), Statement | OutOfStep | Called)
    scene.say({"move": "go-on"})
    assert cards(scene.pass_time(0.3), Lies) == [card]


def test_a_stop_in_time_keeps_a_called_card_called() -> None:
    scene = dealt()
    cell, card = next(plays(scene, legal=False))
    scene.play(cell, card)
    scene.say({"move": "stop"})
    assert not of(scene.pass_time(2 * WHILE), Statement | OutOfStep)


def test_a_play_that_does_not_count_on_it_leaves_the_time_to_take_it_back() -> None:
    """It waits itself, for a cell in line with both of them."""
    scene = dealt()
    grid = scene.state.grid
    one, two, hidden = next(
        (one, two, hidden)
        for one in plays(scene, legal=False)
        for two in plays(scene, one, legal=False)
        if one[0] in IN_LINE[two[0]] and not may_lay(laid_on(grid, one), two)
        for hidden in IN_LINE[two[0]] - {one[0]}
    )
    stays(scene, one)
    scene.cover(hidden, until=scene.now + 60 * SECOND)
    scene.frame()
    acts = scene.play(*two, seconds=0.2) + scene.pass_time(1)
    assert scene.witness.is_pondering
    assert not of(acts, Statement)
    assert cards(scene.pass_time(2), Lies) == [one[1]]


def test_under_a_called_card_another_is_as_likely_whether_it_stays_or_not() -> None:
    """Whoever takes it back uncovers what lay there."""
    scene = dealt()
    cell, card = next(plays(scene, legal=False))
    below = scene.state.grid[cell - 1]
    scene.play(cell, card)
    called_at_first = scene.witness.prior()
    scene.pass_time(HEEDED / SECOND)
    later = scene.witness.prior()
    assert called_at_first is not None
    assert later is not None
    assert called_at_first[cell - 1, DECK.index(below)] == later[cell - 1, DECK.index(below)] == 1.0

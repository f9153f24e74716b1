"""Threepia: points against the sheet and against trying everything, every way to play to its end, every foul."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product, takewhile
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clocks import SECOND
from companion.core.errors import HouseRuleError
from companion.core.rules import CardsMoved, Fact, Foul, Move, Ruling, Turn
from companion.games.threepia import fields
from companion.games.threepia import rules as threepia
from companion.games.threepia.bot import Table
from companion.games.threepia.rules import (
    ALONE,
    COLOURS,
    GAME,
    SHAPES,
    SQUARE,
    SYMBOLS,
    WAYS,
    Begin,
    Combined,
    Counted,
    Deal,
    DeckCount,
    DeckEmpty,
    Draw,
    DrawnNeedlessly,
    Due,
    Field,
    Finish,
    HandEmpty,
    House,
    Laid,
    Lay,
    LeftInHand,
    OutOfTime,
    Points,
    Score,
    Scored,
    State,
    Stood,
    TimeUp,
    TrianglesUsed,
    card_of,
    facts,
    fits,
    most_points,
    rule,
    start,
)
from tests.games.sources import source_of

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Flo")
SHORT = {
    "c": "circle",
    "s": "square",
    "x": "cross",
    "t": "triangle",
    "r": "red",
    "b": "blue",
    "y": "yellow",
    "g": "green",
}

Grid = dict[tuple[int, int], str]


def symbols(short: str) -> str:
    """'cr sb' for 'circle-red square-blue'."""
    return " ".join(f"{SHORT[word[0]]}-{SHORT[word[1]]}" for word in short.split())


def empty_grid(field: Field) -> Grid:
    """Symbols of which no three alike lie in a row."""
    cells = [(x + i % 2, y + i // 2) for _, x, y in field.places for i in range(4)]
    return {(x, y): ("cr", "sb")[(x + y) % 2] for x, y in cells}


def lying(field: Field, grid: Grid) -> tuple[str, ...]:
    return tuple(symbols(" ".join(grid[x + i % 2, y + i // 2] for i in range(4))) for _, x, y in field.places)


def drawn(rows: str) -> Grid:
    """A grid from lines of short symbols; '--' is a gap."""
    return {
        (x, y): word
        for y, row in enumerate(rows.strip().splitlines())
        for x, word in enumerate(row.split())
        if word != "--"
    }


def score(field: Field, lies: tuple[str, ...], place: str, covered: str = "", **house: Any) -> Score:
    return threepia.score(House(field=field, **house), lies, place, covered)


def begun(way: str = "points", count: int = 2, *, field: tuple[str, ...] = (), at: int = 0, **house: Any) -> State:
    """A match in which Ann begins."""
    ruling = start(NAMES[:count], House(way=way, **house))
    return after(ruling.state, Deal("", field=field), Begin("Ann", at=at))


def after(state: State, *moves: Move) -> State:
    for move in moves:
        state = rule(state, move).state
    return state


def refused(state: State, move: Move) -> Foul:
    before = repr(state)
    with pytest.raises(Foul) as caught:
        rule(state, move)
    assert repr(state) == before
    return caught.value


# --- points, as the sheet has them -----------------------------------------------------------------------------


@pytest.mark.parametrize(("length", "points"), [(2, 0), (3, 1), (4, 2), (5, 3), (6, 4)])
def test_a_row_scores_one_for_three_and_one_more_for_each_further_symbol(length: int, points: int) -> None:
    fridge = fields.field("fridge")
    grid = empty_grid(fridge)
    for y in range(length):
        grid[0, y] = ("xr", "xb")[y % 2]
    found = score(fridge, lying(fridge, grid), "A")
    assert found.points == points
    if points:
        assert [(run.line, run.by, run.value, len(run.cells)) for run in found.runs] == [
            ("column", "shape", "cross", length)
        ]


def test_a_flush_is_two() -> None:
    grid = empty_grid(SQUARE) | {(x, 0): "xg" for x in range(3)}
    found = score(SQUARE, lying(SQUARE, grid), "A")
    assert [(run.by, run.value, run.cells, run.points) for run in found.runs] == [
        ("shape", "cross", ("A1", "A2", "B1"), 1),
        ("colour", "green", ("A1", "A2", "B1"), 1),
    ]


def test_an_axis_is_two() -> None:
    grid = empty_grid(SQUARE) | {(0, 0): "xr", (1, 0): "xb", (2, 0): "xr", (0, 1): "xb", (0, 2): "xr"}
    assert score(SQUARE, lying(SQUARE, grid), "A").points == 2


def test_an_axis_with_a_flush_is_three() -> None:
    grid = empty_grid(SQUARE) | {(0, 0): "xg", (1, 0): "xg", (2, 0): "xg", (0, 1): "xb", (0, 2): "xr"}
    assert score(SQUARE, lying(SQUARE, grid), "A").points == 3


def test_only_lines_through_the_new_card_count() -> None:
    grid = empty_grid(SQUARE) | {(x, 0): "xg" for x in range(4)}
    assert score(SQUARE, lying(SQUARE, grid), "A").points == 4
    assert score(SQUARE, lying(SQUARE, grid), "C").points == 0


def test_a_gap_ends_a_row() -> None:
    worm = fields.field("worm")
    grid = empty_grid(worm) | {(x, 1): "xg" for x in (1, 2, 3, 6, 7)}
    assert [run.cells for run in score(worm, lying(worm, grid), "B").runs] == [("A4", "B1", "B2")] * 2


def test_a_triangle_is_one_thing_in_a_turn_and_another_in_the_next() -> None:
    grid = drawn("""
        xr tb cr sb
        xb tr cb cr
        cb xb sr cb
        sr cb xb sr""")
    lies = lying(SQUARE, grid)
    field = lying(SQUARE, grid | {(0, 0): "sb", (1, 0): "tb"})
    found = score(SQUARE, lies, "A")
    assert {stood.cell for stood in found.triangles} <= {"A2", "A4"}
    assert all(stood.shape != "triangle" for stood in found.triangles)
    assert score(SQUARE, field, "B").triangles != found.triangles


def test_a_triangle_that_serves_two_lines_is_the_same_in_both() -> None:
    row_of_circles = {(1, 0): "cr", (2, 0): "cb"}
    column_of_squares = {(0, 1): "sr", (0, 2): "sb"}
    grid = empty_grid(SQUARE) | {(0, 0): "tg"} | row_of_circles | column_of_squares | {(3, 0): "sy", (0, 3): "xy"}
    found = score(SQUARE, lying(SQUARE, grid), "A")
    assert [run.value for run in found.runs if run.by == "shape"] in (["circle"], ["square"])


BOX = Field("Box", "L", SQUARE.places)
EMPTY_BOX = empty_grid(BOX)
THREE_CROSSES = EMPTY_BOX | {(1, 0): "xr", (2, 0): "xb", (2, 1): "xy"}
FOUR_CROSSES = THREE_CROSSES | {(1, 1): "xg"}


def by_shape(found: Score, value: str) -> list[tuple[str, tuple[str, ...], int]]:
    return [(run.line, run.cells, run.points) for run in found.runs if run.value == value]


def test_an_l_scores_one_and_a_two_by_two_two() -> None:
    assert score(BOX, lying(BOX, EMPTY_BOX), "A").points == 0
    assert by_shape(score(BOX, lying(BOX, THREE_CROSSES), "A"), "cross") == [("L", ("A2", "B1", "B3"), 1)]
    assert by_shape(score(BOX, lying(BOX, FOUR_CROSSES), "A"), "cross") == [("L", ("A2", "B1", "A4", "B3"), 2)]


def test_each_of_the_four_ls_scores_where_they_overlap() -> None:
    found = by_shape(score(BOX, lying(BOX, FOUR_CROSSES), "A", overlapping_l=True), "cross")
    assert [points for _, _, points in found] == [1] * 4
    assert len({cells for _, cells, _ in found}) == 4


def test_blocks_that_overlap_count_each() -> None:
    two = FOUR_CROSSES | {(1, 2): "xg", (2, 2): "xb"}
    points = [worth for _, _, worth in by_shape(score(BOX, lying(BOX, two), "A"), "cross")]
    assert points == [2, 2], "the block across the upper edge, and the one in the middle"


def test_a_block_with_a_hole_holds_an_l_of_three() -> None:
    box = fields.field("l-box")
    around = empty_grid(box) | {(1, 1): "xr", (2, 1): "xb", (1, 2): "xg"}
    assert by_shape(score(box, lying(box, around), "A"), "cross") == [("L", ("A4", "B3", "D2"), 1)]


def test_an_l_within_one_card_scores_nothing() -> None:
    one = Field("One", "L", (("A", 0, 0), ("B", 2, 0)))
    grid = drawn("cr cr sb xy\ncr cr xg sy")
    assert score(one, lying(one, grid), "A").points == 0


# --- what a house may give otherwise ---------------------------------------------------------------------------

FLUSH = empty_grid(SQUARE) | {(x, 0): "xg" for x in range(3)}
AXIS = empty_grid(SQUARE) | {(0, 0): "xr", (1, 0): "xb", (2, 0): "xr", (0, 1): "xb", (0, 2): "xr"}


@pytest.mark.parametrize(
    ("grid", "bonuses"),
    [(FLUSH, (("a flush", 3),)), (AXIS, (("an axis", 2),)), (FLUSH | AXIS, (("an axis", 2),))],
    ids=("flush", "axis", "axis in shape"),
)
def test_a_house_may_give_more_for_combinations(grid: Grid, bonuses: tuple[tuple[str, int], ...]) -> None:
    plain = score(SQUARE, lying(SQUARE, grid), "A")
    found = score(SQUARE, lying(SQUARE, grid), "A", axis_bonus=2, flush_bonus=3)
    assert (found.bonuses, found.runs) == (bonuses, plain.runs)
    assert found.points == plain.points + sum(points for _, points in bonuses)


def test_a_block_that_scores_by_shape_and_by_colour_is_a_flush() -> None:
    grid = EMPTY_BOX | {(1, 0): "sg", (2, 0): "sg", (2, 1): "sg"}
    found = score(BOX, lying(BOX, grid), "A", axis_bonus=2, flush_bonus=3)
    assert found.bonuses == (("a flush", 3),)


def test_a_triangle_is_taken_for_what_brings_the_combination() -> None:
    grid = drawn("""
        sr ty sr xb
        xb cg xg sy
        xg cb xr sg
        sy xr cb xr""")
    plain = score(SQUARE, lying(SQUARE, grid), "A")
    assert [(run.line, run.value, run.points) for run in plain.runs] == [("column", "circle", 1), ("row", "red", 1)]
    found = score(SQUARE, lying(SQUARE, grid), "A", flush_bonus=5)
    assert [(run.line, run.value, run.points) for run in found.runs] == [("row", "square", 1), ("row", "red", 1)]
    assert (found.points, found.bonuses) == (7, (("a flush", 5),))


def test_the_bonus_is_told_and_counted() -> None:
    state = begun(field=lying(SQUARE, FLUSH), axis_bonus=4, flush_bonus=1)
    ruling = rule(state, Lay("Ann", "A", symbols("xg xg sb cr")))
    assert Combined("Ann", "a flush", 1) in ruling.events
    assert ruling.state.scores[0] == sum(event.points for event in ruling.events if isinstance(event, Scored))
    assert refused(state, Lay("Ann", "A", symbols("xg xg sb cr"), points=2)).facts["counted"] == ruling.state.scores[0]


def test_points_that_are_said_may_hold_a_bonus() -> None:
    assert refused(begun(), Lay("Ann", "A", points=17)).code == "impossible-points"
    assert after(begun(axis_bonus=1), Lay("Ann", "A", points=17)).scores == (17, 0)
    assert refused(begun(axis_bonus=1), Lay("Ann", "A", points=18)).code == "impossible-points"
    row = Field("Row", "row", (("A", 0, 0), ("B", 2, 0)))
    assert most_points(House(field=row, axis_bonus=9), "A") == most_points(House(field=row)), "no column, no axis"


def test_a_row_that_stood_before_scores_nothing_where_only_new_rows_count() -> None:
    lies = lying(SQUARE, FLUSH)
    again, other = lies[0], symbols("xg cg cr sb")
    assert score(SQUARE, lies, "A", again).points == 2
    assert score(SQUARE, lies, "A", again, only_new_rows=True).points == 0
    assert score(SQUARE, lies, "A", other, only_new_rows=True).points == 1, "the row of shapes is new"
    wild = symbols("tr ty cr sb")
    assert score(SQUARE, lies, "A", wild, only_new_rows=True).points == 0, "the triangles could stand for it"


def test_a_row_that_has_grown_is_new() -> None:
    lies = lying(SQUARE, empty_grid(SQUARE) | {(x, 0): ("xg", "xr")[x % 2] for x in range(4)})
    before = symbols("cg xr cr sb")
    assert score(SQUARE, lies, "A", before, only_new_rows=True).points == 2


def test_the_referee_knows_which_rows_stood() -> None:
    state = begun(field=lying(SQUARE, FLUSH), only_new_rows=True)
    assert after(state, Lay("Ann", "A", symbols("xg xg sb cr"))).scores == (0, 0)
    assert after(state, Lay("Ann", "A", symbols("xg cg sb cr")), Lay("Bob", "A", symbols("xg xg sb cr"))).scores[1] > 0


# --- points, against trying everything -------------------------------------------------------------------------

Cells = frozenset[tuple[int, int]]


def by_trying_everything(house: House, grid: Grid, place: str, under: Grid) -> int:
    """The most points over every way to take every triangle of the field, counted without the game's own code. `under`
    is what the card of the place covers."""
    field = house.field
    card_at = {(x + i % 2, y + i // 2): letter for letter, x, y in field.places for i in range(4)}
    wild = [cell for cell, symbol in grid.items() if symbol[0] == "t"]
    readings = []
    for part, values in ((0, "csx"), (1, "rbyg")):
        fixed = {cell: symbol[part] for cell, symbol in grid.items()}
        ways = [fixed | dict(zip(wild, way, strict=True)) for way in product(values, repeat=len(wild))]
        before = {cell: "?" if symbol[0] == "t" else symbol[part] for cell, symbol in (grid | under).items()}
        readings.append({frozenset(figures(house, way, card_at, place, before)) for way in ways})
    if not (house.axis_bonus or house.flush_bonus):
        return sum(max(sum(worth for _, _, worth in found) for found in ways) for ways in readings)
    return max(worth_together(house, *both) for both in product(*readings))


def worth_together(house: House, *both: frozenset[tuple[str, Any, int]]) -> int:
    one, other = ({(kind, where) for kind, where, _ in found} for found in both)
    kinds = {kind for kind, _ in one | other}
    axis = house.axis_bonus if {"row", "column"} <= kinds else 0
    flush = house.flush_bonus if one & other else 0
    return axis + flush + sum(worth for found in both for _, _, worth in found)


def figures(
    house: House, values: Grid, card_at: dict[tuple[int, int], str], place: str, before: Grid
) -> Iterator[tuple[str, Any, int]]:
    """Of each row or L that scores its kind, where it is, and its points."""
    own = frozenset(cell for cell, letter in card_at.items() if letter == place)
    find = rows if house.field.line == "row" else ls if house.overlapping_l else blocks
    worths: dict[tuple[str, Any], int] = {}
    for kind, where, cells, worth in find(values, own, card_at):
        stood = all(before[cell] in (values[cell], "?") for cell in cells)
        if not (stood and house.only_new_rows):
            worths[kind, where] = worths.get((kind, where), 0) + worth
    for (kind, where), worth in worths.items():
        yield kind, where, worth


Figures = Iterator[tuple[str, Any, Cells, int]]


def rows(values: Grid, own: Cells, _card_at: Any) -> Figures:
    for kind, dx, dy in (("row", 1, 0), ("column", 0, 1)):
        for (x, y), value in values.items():
            if values.get((x - dx, y - dy)) == value:
                continue
            ahead = ((x + i * dx, y + i * dy) for i in range(len(values)))
            run = frozenset(takewhile(lambda cell: values.get(cell) == value, ahead))  # noqa: B023
            if len(run) >= 3 and own & run:
                line = min(cell for cell in own if cell[0] * dy + cell[1] * dx == x * dy + y * dx)
                yield kind, line, run, len(run) - 2


def ls(values: Grid, own: Cells, _card_at: Any) -> Figures:
    for (x, y), value in values.items():
        for dx, dy in product((-1, 1), repeat=2):
            cells = frozenset({(x, y), (x + dx, y), (x, y + dy)})
            if {values.get(cell) for cell in cells} == {value} and own & cells and not cells <= own:
                yield "L", cells, cells, 1


def blocks(values: Grid, own: Cells, card_at: dict[tuple[int, int], str]) -> Figures:
    """For each block of two by two with a symbol just laid and of two cards at least: how many symbols are equal."""
    for x, y in product(range(-1, 12), repeat=2):
        block = frozenset(cell for cell in ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)) if cell in values)
        if not block & own or len({card_at[cell] for cell in block}) < 2:
            continue
        for value in {values[cell] for cell in block}:
            equal = frozenset(cell for cell in block if values[cell] == value)
            if len(equal) >= 3:
                yield "L", (x, y), equal, len(equal) - 2


def random_grid(field: Field, random: Random, triangles: int) -> Grid:
    cells = list(empty_grid(field))
    grid = {cell: random.choice("csx") + random.choice("rbyg"[: random.choice((2, 4))]) for cell in cells}
    for cell in random.sample(cells, triangles):
        grid[cell] = "t" + random.choice("rbyg")
    return grid


SOLID = Field("Solid", "L", tuple((letter, 2 * (i % 3), 2 * (i // 3)) for i, letter in enumerate("ABCDEFGHI")))
HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {"overlapping_l": True},
    {"only_new_rows": True},
    {"axis_bonus": 2, "flush_bonus": 1},
    {"overlapping_l": True, "only_new_rows": True, "flush_bonus": 3},
    {"axis_bonus": 1, "flush_bonus": 4, "only_new_rows": True},
)


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: "+".join(rules) or "usual")
@pytest.mark.parametrize("field", [*map(fields.field, fields.names()), SOLID], ids=lambda field: field.name)
def test_the_points_are_the_most_that_any_reading_of_the_triangles_brings(field: Field, rules: dict[str, Any]) -> None:
    random, house = Random(5), House(field=field, **rules)
    combined = house.axis_bonus or house.flush_bonus
    for triangles in (0, 1, 2, 2, 3, 3, 4, 4) if not combined else (0, 1, 1, 2, 2, 3):
        grid = random_grid(field, random, triangles)
        letter, x, y = random.choice(field.places)
        under = {(x + i % 2, y + i // 2): random.choice("csxt") + random.choice("rbyg") for i in range(4)}
        covered = symbols(" ".join(under.values()))
        found = threepia.score(house, lying(field, grid), letter, covered)
        assert found.points == by_trying_everything(house, grid, letter, under), (grid, letter, under)
        told = sum(run.points for run in found.runs) + sum(more for _, more in found.bonuses)
        assert told == found.points <= most_points(house, letter)


@settings(max_examples=200)
@given(st.integers(0, 10**9), st.sampled_from(fields.names()))
def test_what_the_triangles_stand_for_makes_the_runs_equal(seed: int, name: str) -> None:
    field, random = fields.field(name), Random(seed)
    grid = random_grid(field, random, random.randrange(9))
    found = score(field, lying(field, grid), random.choice(field.letters))
    at = {f"{letter}{i + 1}": grid[x + i % 2, y + i // 2] for letter, x, y in field.places for i in range(4)}
    stood = {triangle.cell: triangle for triangle in found.triangles}
    used = set()
    for run in found.runs:
        for cell in run.cells:
            if at[cell][0] == "t":
                used.add(cell)
                assert getattr(stood[cell], run.by) == run.value
            else:
                assert SHORT[at[cell][0 if run.by == "shape" else 1]] == run.value
    assert used == set(stood)


# --- what fits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("triangle_fits", [True, False])
def test_what_fits_on_what(triangle_fits: bool) -> None:
    for symbol, covered in product(SYMBOLS, SYMBOLS):
        agree = symbol.shape in (covered.shape, "triangle") if triangle_fits else symbol.shape == covered.shape
        expected = agree or symbol.colour == covered.colour or covered.shape == "triangle"
        assert fits(symbol, covered, triangle_fits=triangle_fits) == expected
        card, under = (card_of(" ".join([str(one)] * 4)) for one in (symbol, covered))
        assert (threepia.misfits(card, under, triangle_fits=triangle_fits) == []) == expected


def test_a_card_turns_clockwise_and_comes_round() -> None:
    card = symbols("cr sb xy tg")
    assert str(card_of(card, 1)) == symbols("xy cr tg sb")
    assert str(card_of(card, 2)) == symbols("tg xy sb cr")
    assert str(card_of(str(card_of(card, 3)), 1)) == card


EVEN = tuple([symbols("cr sb sb cr")] * 4)  # no three alike in a row


def test_a_card_that_is_seen_is_laid_and_explained() -> None:
    state = begun(field=EVEN)
    ruling = rule(state, Lay("Ann", "A", symbols("xb xr cr cb"), 1))
    laid = next(event for event in ruling.events if isinstance(event, Laid))
    assert laid == Laid("Ann", symbols("cr xb cb xr"), "A", EVEN[0])
    assert ruling.state.field == (laid.card, *EVEN[1:])
    assert ruling.state.hands == (2, 3)
    assert isinstance(ruling.events[-1], Turn)
    assert ruling.state.turn == "Bob"


def test_what_the_referee_counts_is_in_the_ruling() -> None:
    ruling = rule(begun(field=EVEN), Lay("Ann", "A", symbols("ty tb sb cr"), points=2))
    counted = next(event for event in ruling.events if isinstance(event, Counted))
    assert sum(run.points for run in counted.runs) == 2
    triangles = next(event for event in ruling.events if isinstance(event, TrianglesUsed)).triangles
    assert triangles == (Stood("A1", "circle", "red"), Stood("A2", "circle", "red"))
    assert ruling.state.scores == (2, 0)
    assert "Ann scores 2 and has 2." in ruling.sentences


def test_an_empty_hand_brings_three_points_and_three_cards() -> None:
    state = after(begun(way="rounds"), *[Lay(player, points=0) for _ in range(2) for player in ("Ann", "Bob")])
    ruling = rule(state, Lay("Ann", points=1))
    assert HandEmpty("Ann", 3, 4) in ruling.events
    assert ruling.state.scores == (4, 0)
    assert ruling.state.hands == (3, 1)
    assert ruling.state.deck == state.deck - 3


def test_an_empty_hand_draws_what_the_deck_has() -> None:
    state = after(begun(way="rounds", deck=12), *[Lay(player, points=0) for _ in range(2) for player in ("Ann", "Bob")])
    assert after(state, Lay("Ann", points=0)).hands == (2, 1)


# --- the ways to play ------------------------------------------------------------------------------------------


def test_points_are_won_at_the_end_of_the_turn() -> None:
    state = after(begun(target=5), Lay("Ann", points=4), Lay("Bob", points=4), Lay("Ann", points=2))
    assert state.phase == "over"
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.scores) == (("Ann",), (6, 4))


def test_points_end_with_the_cards_if_nobody_reaches_the_target() -> None:
    state = begun(deck=10)
    while state.outcome is None:
        state = after(state, Lay(state.turn, points=0))
    assert state.outcome.winners == ("Ann", "Bob")
    assert sum(state.hands) == state.deck == 0


def test_points_end_when_nobody_can_lay() -> None:
    state = after(begun(deck=11), Draw("Ann"))
    assert state.deck == 0  # Ann has a new card, so this was not idle
    state = after(state, Draw("Bob"))
    assert state.outcome is None
    state = after(state, Lay("Ann", points=1), Draw("Bob"))
    assert state.outcome is None  # what Ann has laid may help Ann
    state = after(state, Draw("Ann"))
    assert state.outcome is not None
    assert state.outcome.winners == ("Ann",)
    assert state.outcome.reason.startswith("Nobody can lay")


@pytest.mark.parametrize(("points", "winners"), [(2, ("Ann", "Bob")), (3, ("Bob",)), (1, ("Ann",))])
def test_rounds_give_everybody_the_same_number_of_turns(points: int, winners: tuple[str, ...]) -> None:
    state = after(begun("rounds", rounds=2), Lay("Ann", points=2), Draw("Bob"), Draw("Ann"))
    assert state.outcome is None
    state = after(state, Lay("Bob", points=points))
    assert state.outcome is not None
    assert state.outcome.winners == winners


def test_the_deck_used_up_costs_a_point_for_each_card() -> None:
    state = after(begun("deck", deck=12), Lay("Ann", points=4), Draw("Bob"))
    assert state.outcome is None
    ruling = rule(state, Draw("Ann"))
    assert LeftInHand("Bob", 4, -4, -4) in ruling.events
    assert ruling.state.scores == (1, -4)
    assert ruling.state.outcome.winners == ("Ann",)


def test_the_deck_can_end_in_a_tie() -> None:
    state = after(begun("deck", deck=12), Lay("Ann", points=0), Lay("Bob", points=0), Draw("Ann"))
    assert after(state, Draw("Bob")).outcome.winners == ("Ann", "Bob")  # type: ignore[union-attr]


def test_a_deck_that_is_used_up_early_ends_the_turn_in_which_it_is_noticed() -> None:
    state = after(begun("deck"), DeckEmpty("Bob"))
    assert (state.deck, state.missing, state.phase) == (0, 54, "turn")
    assert after(state, Draw("Ann")).phase == "over"


def test_a_deck_of_more_cards_does_not_end_the_match_early() -> None:
    state = after(begun("deck", deck=11), DeckCount("Bob", 3))
    assert (state.deck, state.missing, state.phase, state.turn) == (3, -2, "turn", "Ann")
    state = after(state, Draw("Ann"), Draw("Bob"))
    assert (state.phase, cards(state)) == ("turn", 11)
    assert after(state, Draw("Ann")).phase == "over"


def test_a_deck_of_fewer_cards_ends_it_when_they_are_drawn() -> None:
    ruling = rule(begun("deck"), DeckCount("Bob", 1))
    assert ruling.sentences[0] == "Bob finds 1 cards in the deck; the referee had counted 54."
    assert (ruling.state.deck, ruling.state.missing) == (1, 53)
    assert after(ruling.state, Draw("Ann")).phase == "over"


def test_a_deck_of_no_cards_is_used_up() -> None:
    state = begun("deck")
    counted, empty = rule(state, DeckCount("Bob", 0)), rule(state, DeckEmpty("Bob"))
    assert counted.state == empty.state
    assert counted.events[1:] == empty.events


def test_whoever_had_no_card_draws_three_when_more_are_found() -> None:
    state = begun(deck=10)
    for _ in range(5):
        state = after(state, Lay(state.turn, points=0))
    assert (state.turn, state.hands, state.deck) == ("Bob", (0, 1), 0)
    state = after(state, DeckCount("Bob", 5))
    assert (state.turn, state.hands, state.deck) == ("Bob", (3, 1), 2)
    assert after(state, Lay("Bob", points=0)).hands == (3, 2)


def test_who_is_out_of_time_gets_no_cards_that_are_found() -> None:
    state = replace(begun("stopwatch", count=3, deck=13), deck=0, hands=(1, 0, 0), missing=6, out=("Cleo",))
    assert after(state, DeckCount("Ann", 9)).hands == (1, 3, 0)


def test_time_is_for_one_turn_and_ends_with_the_deck() -> None:
    state = begun("time", deck=11, at=100)
    assert state.deadline is not None
    assert state.deadline.at == 100 + 30 * SECOND
    state = after(state, state.deadline.move)
    assert (state.turn, state.deck, state.scores) == ("Bob", 1, (0, 0))
    assert state.deadline is not None
    assert state.deadline.at == 100 + 60 * SECOND
    state = after(state, Lay("Bob", points=3, at=40 * SECOND))
    assert state.deadline is not None
    assert state.deadline.at == 70 * SECOND
    state = after(state, Draw("Ann", at=70 * SECOND))
    assert state.outcome is not None
    assert (state.outcome.winners, state.scores) == (("Bob",), (0, 3))
    assert state.deadline is None


def test_the_stopwatch_runs_in_the_own_turn_and_puts_out() -> None:
    state = begun("stopwatch", count=3, match_seconds=10, at=7)
    state = after(state, Lay("Ann", points=1, at=3 * SECOND + 7), Lay("Bob", points=1, at=5 * SECOND + 7))
    assert [clock.used for clock in state.clocks] == [3 * SECOND, 2 * SECOND, 0]
    assert state.clocks[2].since == 5 * SECOND + 7
    assert state.deadline is not None
    ruling = rule(state, state.deadline.move)
    assert OutOfTime("Cleo", 10) in ruling.events
    state = ruling.state
    assert (state.out, state.turn, state.clocks[0].since) == (("Cleo",), "Ann", 15 * SECOND + 7)
    state = after(state, Draw("Ann", at=22 * SECOND + 7), Lay("Bob", points=1, at=23 * SECOND + 7))
    assert state.turn == "Ann"  # Cleo is passed over
    assert state.runs_out_at == 23 * SECOND + 7  # and Ann has nothing left
    state = after(state, TimeUp("Ann", at=23 * SECOND + 7))
    state = after(state, Lay("Bob", points=0, at=24 * SECOND))
    assert state.turn == "Bob"
    state = after(state, state.deadline.move)  # type: ignore[union-attr]
    assert state.outcome is not None
    assert (state.outcome.winners, state.outcome.reason) == (("Bob",), "Everybody's time is used up: most points win.")
    assert [clock.used for clock in state.clocks] == [10 * SECOND] * 3


def test_time_that_is_noticed_late_was_up_at_its_deadline() -> None:
    state = begun("stopwatch", match_seconds=10)
    late = after(state, TimeUp("Ann", at=13 * SECOND))
    assert (late.clocks[0].used, late.clocks[1].since) == (10 * SECOND, 10 * SECOND)


def test_a_move_at_the_very_deadline_is_in_time() -> None:
    state = begun("time")
    assert after(state, Draw("Ann", at=30 * SECOND)).turn == "Bob"
    assert refused(state, Draw("Ann", at=30 * SECOND + 1)).code == "time-was-up"


FITS, NO_FIT = EVEN[0], symbols("xg xg xg xg")


def trial(*hand: str, field: tuple[str, ...] = EVEN, deck: int = 8, **house: Any) -> State:
    """A time trial in which Ann begins, with field and hand shown; 4 cards lie, 3 are in hand."""
    ruling = start(NAMES[:1], House(way="time-trial", deck=deck, **house))
    return after(ruling.state, Deal("", field=field, hand=hand), Begin("Ann", at=5))


def run(state: State) -> tuple[int, ...]:
    """Of a run that counts: its time, the cards that were left, all cards, and whether it is on the player's word."""
    return tuple(fact.value for fact in facts(state))


def test_draws_without_a_card_laid_play_nothing_out() -> None:
    state = begun("time-trial", 1)
    for _ in range(57):
        state = after(state, Draw("Ann", at=SECOND))
    assert (state.deck, state.hands, state.outcome) == (0, (60,), None)
    state = after(state, Draw("Ann", at=7 * SECOND))
    assert state.outcome is not None
    assert state.outcome.reason == "Ann has 60 cards left after 7.0 s, and none of them fits."
    assert run(state) == (7 * SECOND, 60, 64, 1)


def test_a_time_trial_is_played_out_with_the_hand() -> None:
    state = after(begun("time-trial", 1, deck=8, at=5), Lay("Ann"), Lay("Ann"), Lay("Ann", at=SECOND))
    assert (state.hands, state.deck, state.outcome) == ((1,), 0, None)
    assert facts(state) == ()
    state = after(state, Lay("Ann", at=125 * SECOND))
    assert state.outcome is not None
    assert state.outcome.reason == "Ann has played out the deck in 2:04.9."
    assert facts(state)[0] == Fact("time-trial", "Ann", 125 * SECOND - 5)
    assert run(state)[1:] == (0, 8, 1)


def test_a_time_trial_is_over_when_no_card_fits_that_was_shown() -> None:
    ruling = rule(trial(NO_FIT, NO_FIT, NO_FIT), Draw("Ann", drawn=(NO_FIT,), at=SECOND + 5))
    assert ruling.sentences[-1].startswith("Ann has 4 cards left after 1.0 s")
    assert run(ruling.state) == (SECOND, 4, 8, 0)
    state = after(trial(NO_FIT, NO_FIT, NO_FIT), Draw("Ann", drawn=(FITS,), at=SECOND + 5))
    assert state.outcome is None
    assert refused(state, Draw("Ann")).code == "card-fits"
    state = after(state, Lay("Ann", "A", FITS, at=2 * SECOND + 5))
    assert run(state) == (2 * SECOND, 3, 8, 0)


def test_that_the_deck_is_used_up_ends_a_run_in_which_no_card_fits() -> None:
    assert run(after(trial(NO_FIT, NO_FIT, NO_FIT, deck=64), DeckEmpty("Ann", at=SECOND + 5))) == (SECOND, 3, 7, 0)
    assert after(trial(NO_FIT, NO_FIT, FITS, deck=64), DeckEmpty("Ann")).outcome is None
    assert after(begun("time-trial", 1), DeckEmpty("Ann")).outcome is None


def test_a_draw_that_was_not_needed_costs_the_best_time() -> None:
    ruling = rule(trial(FITS, NO_FIT, NO_FIT), Draw("Ann", drawn=(NO_FIT,)))
    assert DrawnNeedlessly("Ann") in ruling.events
    state = after(ruling.state, Lay("Ann", "A", FITS))
    assert state.outcome is not None
    assert state.outcome.reason.startswith("Ann has 3 cards left")
    assert facts(state) == ()


@pytest.mark.parametrize(("hand", "field"), [((), EVEN), ((NO_FIT,) * 3, ())], ids=["no hand", "no field"])
def test_what_the_referee_does_not_see_is_on_the_players_word(hand: tuple[str, ...], field: tuple[str, ...]) -> None:
    state = after(trial(*hand, field=field), Draw("Ann", at=5), Draw("Ann", at=6))
    assert run(state) == (1, 4, 8, 1)


def test_a_hand_is_known_again_when_the_cards_that_were_not_shown_are_laid() -> None:
    state = trial(deck=20)
    for _ in range(3):
        state = after(state, Lay("Ann", "A", FITS, drawn=(FITS, NO_FIT, NO_FIT) if state.hands == (1,) else ()))
    assert (state.held, state.on_word) == ((FITS, NO_FIT, NO_FIT), True)
    assert refused(state, Lay("Ann", "A", EVEN[0].replace("red", "blue"))).code == "not-in-hand"
    assert after(state, Draw("Ann")).held == (FITS, NO_FIT, NO_FIT, "?")


def test_a_card_is_in_the_hand_whichever_way_it_is_held() -> None:
    turned = str(card_of(symbols("cr sb cr sb"), 1))
    state = trial(symbols("cr sb cr sb"), NO_FIT, NO_FIT, field=(turned,) * 4)
    assert after(state, Lay("Ann", "A", turned)).held == (NO_FIT, NO_FIT)
    assert (
        refused(replace(state, house=replace(state.house, rotate=False)), Lay("Ann", "A", turned)).code == "not-in-hand"
    )


def test_a_card_that_lies_though_it_does_not_fit_is_on_the_players_word() -> None:
    state = after(trial(NO_FIT, NO_FIT, FITS), Lay("Ann", "A", NO_FIT, lies=True))
    assert (state.held, state.on_word) == ((NO_FIT, FITS), True)
    state = after(state, Lay("Ann", "A", symbols("xb xb xb xb"), lies=True))
    assert state.held == (), "it was not in the hand, so nobody knows what is"


def test_cards_that_were_shown_stand_when_fewer_or_more_are_drawn() -> None:
    for state, move in (
        (trial(FITS, FITS, FITS), Lay("Ann", "A", FITS, drawn=(FITS,))),
        (replace(trial(FITS, FITS, FITS), deck=0, missing=1), Draw("Ann", drawn=(FITS,))),
    ):
        adjusted = threepia.adjusted(state, move, refused(state, move))
        assert adjusted == replace(move, drawn=())
    state, move = trial(NO_FIT, NO_FIT, NO_FIT), Lay("Ann", "A", FITS)
    assert threepia.adjusted(state, move, refused(state, move)) == replace(move, lies=True)


def test_cards_that_were_found_count_among_those_of_a_run() -> None:
    state = after(begun("time-trial", 1, deck=8), DeckCount("Ann", 2), Lay("Ann"), Lay("Ann"), Lay("Ann"))
    assert (state.hands, state.deck) == ((2,), 0)
    assert run(after(state, Lay("Ann"), Lay("Ann")))[1:] == (0, 9, 1)


def test_a_time_trial_from_before_is_over_with_the_deck() -> None:
    state = begun("time-trial", 1, deck=9, at=5, trial_ends_with_deck=True)
    state = after(state, Lay("Ann", at=SECOND), Draw("Ann", at=2 * SECOND), Draw("Ann", at=125 * SECOND))
    assert state.outcome is not None
    assert state.outcome.reason == "Ann has played out the deck in 2:04.9."
    assert facts(state) == (Fact("time-trial", "Ann", 125 * SECOND - 5),)


def test_a_relaxed_game_ends_with_the_deck_or_when_the_player_says_so() -> None:
    assert after(begun("relaxed", 1, deck=8), Lay("Ann"), Draw("Ann")).outcome.reason == (  # type: ignore[union-attr]
        "The deck is played out."
    )
    state = after(begun("relaxed", 1), Lay("Ann"), Lay("Ann"), Lay("Ann"), Finish("Ann"))
    assert state.outcome is not None
    assert (state.outcome.winners, state.scores, state.hands) == ((), (0,), (3,))


# --- owed points -----------------------------------------------------------------------------------------------


def test_owed_points_are_entered_oldest_first_and_count_in_order() -> None:
    state = after(begun("rounds"), Lay("Ann"), Lay("Bob"), Lay("Ann", points=3))
    assert (state.owed, state.scores) == (("Ann", "Bob"), (0, 0))
    assert refused(state, Points("Bob", 1)).code == "not-the-oldest"
    state = after(state, Points("Ann", 2))
    assert (state.owed, state.scores) == (("Bob",), (2, 0))
    state = after(state, Points("Bob", 1))
    assert (state.owed, state.waiting, state.scores) == ((), (), (5, 1))


def test_nobody_wins_before_owed_points_are_entered() -> None:
    state = after(begun("rounds", rounds=1), Lay("Ann"), Lay("Bob", points=1))
    assert (state.phase, state.turn, state.outcome) == ("counting", "", None)
    state = after(state, Points("Ann", 1))
    assert state.outcome is not None
    assert state.outcome.winners == ("Ann", "Bob")


@pytest.mark.parametrize(("owed", "winner", "scores"), [(5, "Ann", (5, 0)), (4, "Bob", (4, 6))])
def test_whoever_reached_the_target_first_wins_also_by_points_that_were_owed(
    owed: int, winner: str, scores: tuple[int, ...]
) -> None:
    state = after(begun(target=5), Lay("Ann"), Lay("Bob", points=6))
    assert state.phase == "counting"
    state = after(state, Points("Ann", owed))
    assert state.outcome is not None
    assert (state.outcome.winners, state.scores) == ((winner,), scores)


def test_owed_points_can_win_while_play_goes_on() -> None:
    state = after(begun(target=5), Lay("Ann"), Lay("Bob", points=1), Points("Ann", 5))
    assert state.outcome is not None
    assert state.outcome.winners == ("Ann",)


def test_the_clocks_stand_still_while_points_are_counted() -> None:
    state = after(begun("time", deck=11), Lay("Ann", at=SECOND), Draw("Bob", at=2 * SECOND))
    assert (state.phase, state.deadline, state.clocks[0].used) == ("counting", None, SECOND)
    assert after(state, Points("Ann", 0, at=900 * SECOND)).phase == "over"


# --- set-up and fouls ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "count", "deck", "says"),
    [
        ("time-trial", 2, 64, "for one player alone"),
        ("relaxed", 3, 64, "for one player alone"),
        ("points", 1, 64, "needs at least 2 players"),
        ("stopwatch", 1, 64, "needs at least 2 players"),
        ("points", 2, 9, "House rule deck: 9 cards are too few"),
    ],
)
def test_what_cannot_be_started(way: str, count: int, deck: int, says: str) -> None:
    with pytest.raises(HouseRuleError, match=says):
        start(NAMES[:count], House(way=way, deck=deck))


DEALT = after(start(NAMES[:2], House()).state, Deal(""))
OVER = after(begun("rounds", rounds=1), Draw("Ann"), Draw("Bob"))
COUNTING = after(begun("rounds", rounds=1), Lay("Ann"), Draw("Bob"))

FOULS: list[tuple[str, State, Move]] = [
    ("not-dealt", start(NAMES[:2], House()).state, Begin("Ann")),
    ("not-begun", DEALT, Draw("Ann")),
    ("not-begun", DEALT, Deal("")),
    ("not-now", begun(), Begin("Bob")),
    ("match-over", OVER, Draw("Ann")),
    ("points-owed", COUNTING, Lay("Ann")),
    ("field-size", start(NAMES[:2], House()).state, Deal("", field=EVEN[1:])),
    ("field-agreed", start(NAMES[:2], House()).state, Deal("", picture=("AABB", "AABB"))),
    ("no-field", start(NAMES[:2], House(field_as_laid=True)).state, Deal("", picture=("AA", "AB"))),
    ("unknown-card", start(NAMES[:2], House()).state, Deal("", field=("blank", *EVEN[1:]))),
    ("unknown-card", begun(), Lay("Ann", card="circle-red circle-red circle-red")),
    ("not-your-turn", begun(), Lay("Bob")),
    ("not-your-turn", begun(), Draw("Bob")),
    ("unknown-place", begun(), Lay("Ann", place="E")),
    ("turned-too-far", begun(), Lay("Ann", turned=4)),
    ("turned-too-far", begun(), Lay("Ann", turned=-1)),
    ("no-turning", begun(rotate=False), Lay("Ann", turned=1)),
    ("card-needed", begun(field=EVEN), Lay("Ann", place="A")),
    ("card-needed", begun(field=EVEN), Lay("Ann", card=EVEN[0])),
    ("does-not-fit", begun(field=EVEN), Lay("Ann", "A", symbols("cr sb sb sb"))),
    ("does-not-fit", begun(field=EVEN, triangle_fits=False), Lay("Ann", "A", symbols("ty sb sb cr"))),
    ("points-differ", begun(field=EVEN), Lay("Ann", "A", EVEN[0], points=1)),
    ("impossible-points", begun(), Lay("Ann", points=17)),
    ("impossible-points", begun(), Lay("Ann", points=-1)),
    ("impossible-points", after(begun(), Lay("Ann")), Points("Ann", 17)),
    ("nothing-owed", begun(), Points("Ann", 1)),
    ("not-the-oldest", after(begun(), Lay("Ann"), Lay("Bob")), Points("Bob", 1)),
    ("no-points", begun("time-trial", 1), Lay("Ann", points=1)),
    ("deck-empty-already", after(begun(), DeckEmpty("Ann")), DeckEmpty("Bob")),
    ("impossible-deck", begun(), DeckCount("Ann", -1)),
    ("impossible-deck", begun(), DeckCount("Ann", 1001)),
    ("deck-as-counted", begun(), DeckCount("Ann", 54)),
    ("hand-shown", start(NAMES[:2], House()).state, Deal("", hand=EVEN[:3])),
    ("hand-shown", begun(), Draw("Ann", drawn=EVEN[:1])),
    ("hand-size", begun("time-trial", 1), Draw("Ann", drawn=EVEN[:2])),
    ("hand-size", begun("relaxed", 1), Lay("Ann", drawn=EVEN[:3])),
    ("unknown-card", begun("relaxed", 1), Draw("Ann", drawn=("?",))),
    ("not-in-hand", trial(NO_FIT, NO_FIT, NO_FIT), Lay("Ann", "A", FITS)),
    ("card-fits", replace(trial(NO_FIT, FITS, NO_FIT), deck=0, missing=1), Draw("Ann")),
    ("no-countdown", begun(), TimeUp("Ann", at=SECOND)),
    ("no-countdown", begun("time-trial", 1), TimeUp("Ann", at=SECOND)),
    ("not-your-clock", begun("time"), TimeUp("Bob", at=30 * SECOND)),
    ("time-not-up", begun("time"), TimeUp("Ann", at=30 * SECOND - 1)),
    ("time-was-up", begun("stopwatch"), Lay("Ann", points=1, at=180 * SECOND + 1)),
    ("not-relaxed", begun(), Finish("Ann")),
]


@pytest.mark.parametrize(("code", "state", "move"), FOULS)
def test_a_foul_says_why_and_changes_nothing(code: str, state: State, move: Move) -> None:
    foul = refused(state, move)
    assert (foul.code, foul.player) == (code, move.player)
    assert foul.sentence.endswith(".")
    assert foul.sentence.startswith(move.player or "The table")


def test_every_foul_of_the_game_is_tested() -> None:
    source = source_of(threepia)
    assert {code for code, _, _ in FOULS} == set(re.findall(r'[Ff]oul\(\s*"([a-z-]+)"', source))


def test_said_points_that_differ_are_named_with_what_was_counted() -> None:
    foul = refused(begun(field=EVEN), Lay("Ann", "A", EVEN[0], points=1))
    assert (foul.facts["said"], foul.facts["counted"]) == (1, 0)


def test_a_card_that_does_not_fit_is_explained() -> None:
    foul = refused(begun(field=EVEN), Lay("Ann", "B", symbols("cr sb cr sb")))
    assert foul.facts["cells"] == ("B3", "B4")
    assert "bottom left, circle-red agrees with square-blue neither in shape nor in colour" in foul.sentence


def test_what_may_be_done_next() -> None:
    def may(state: State, move: Move) -> dict[str, tuple[str, ...]]:
        return {may.move: may.players for may in rule(state, move).may}

    both = NAMES[:2]
    assert {may.move for may in start(both, House()).may} == {"deal"}
    assert may(start(both, House()).state, Deal("")) == {"begin": both}
    assert may(begun(), Lay("Ann")) == {
        "lay": ("Bob",),
        "draw": ("Bob",),
        "points": ("Ann",),
        "deck-empty": both,
        "deck-count": both,
    }
    for way in ("time", "stopwatch"):  # that the time is up is for the referee to say
        assert may(begun(way), Draw("Ann")) == {
            "lay": ("Bob",),
            "draw": ("Bob",),
            "deck-empty": both,
            "deck-count": both,
        }
    assert set(may(begun("relaxed", 1), DeckEmpty("Ann"))) == {"lay", "draw", "deck-count", "finish"}
    assert may(after(begun("rounds", rounds=1), Lay("Ann")), Draw("Bob")) == {"points": ("Ann",)}
    assert may(COUNTING, Points("Ann", 1)) == {}


# --- whole matches ---------------------------------------------------------------------------------------------


def cards(state: State) -> int:
    return sum(state.hands) + state.deck + state.laid + state.missing


def check(before: State, move: Move, ruling: Ruling) -> None:
    state: State = ruling.state
    assert cards(state) == state.house.deck
    gained = dict.fromkeys(state.players, 0)
    moved = 0
    for event in ruling.events:
        assert isinstance(event, GAME.events)
        if isinstance(event, Scored | HandEmpty | LeftInHand):
            gained[event.player] += event.points
        if isinstance(event, CardsMoved):
            moved += len(event.cards) * ((event.source.kind == "deck") - (event.target.kind == "deck"))
    assert state.scores == tuple(
        score + gained[player] for player, score in zip(before.players, before.scores, strict=True)
    )
    assert before.deck - state.deck == moved
    assert (state.outcome is None) == (state.phase != "over")
    assert (state.phase == "turn") == bool(state.turn)
    if state.phase == "counting":
        assert state.owed
    running = [clock for clock in state.clocks if clock.is_running]
    assert len(running) == bool(state.clocks and state.phase == "turn")
    if isinstance(move, Points | DeckEmpty | DeckCount) and state.outcome is None:
        assert state.clocks == before.clocks
    elif running and state.house.way in ("time", "stopwatch"):
        assert running[0].since == move.at


def check_winners(state: State) -> None:
    outcome = state.outcome
    assert outcome is not None
    assert outcome.scores == state.scores
    if state.house.way == "relaxed":
        assert outcome.winners == ()
    elif state.house.way == "points" and max(state.scores) >= state.house.target:
        assert len(outcome.winners) == 1
    else:
        best = max(state.scores)
        assert outcome.winners == tuple(p for p, s in zip(state.players, state.scores, strict=True) if s == best)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10**9),
    way=st.sampled_from(WAYS),
    name=st.sampled_from(fields.names()),
    seen=st.booleans(),
    rotate=st.booleans(),
    triangle_fits=st.booleans(),
    count=st.integers(2, 6),
)
def test_matches_of_bots(
    seed: int, way: str, name: str, seen: bool, rotate: bool, triangle_fits: bool, count: int
) -> None:
    house = House(way=way, field=fields.field(name), rotate=rotate, triangle_fits=triangle_fits, match_seconds=60)
    players = NAMES[: 1 if way in ALONE else count]
    table = Table(players, house, seed, seen=seen, mistakes=0.2)
    ruling = start(players, house)
    began = spent = 0
    fouls: list[str] = []
    acted = False  # whoever ends a match before anything is laid or drawn has given no word
    for _ in range(3000):
        state: State = ruling.state
        if state.outcome is not None:
            break
        move = table.next_move(state)
        could_lay = state.phase == "turn" and way == "time-trial" and seen and bool(table._fitting(state))
        try:
            ruling = rule(state, move)
        except Foul as foul:
            fouls.append(foul.sentence)
            continue
        check(state, move, ruling)
        acted = acted or not isinstance(move, Deal | Begin | Finish)
        assert ruling.state.needless - state.needless == (could_lay and isinstance(move, Draw))
        table.ruled(ruling)
        if isinstance(move, Begin):
            began = move.at
        if state.phase == "turn" and (way == "time-trial" or not isinstance(move, Points | DeckEmpty | DeckCount)):
            spent = move.at - began
    check_winners(ruling.state)
    assert ruling.state.on_word == (way in ALONE and not seen and acted)
    assert all(sentence.endswith(".") for sentence in fouls)
    if way in ("stopwatch", "time-trial"):
        assert sum(clock.used for clock in ruling.state.clocks) == spent


def test_a_match_is_the_same_again_from_the_same_seed() -> None:
    def moves(seed: int) -> list[Move]:
        house = House(way="rounds")
        table, ruling, made = Table(NAMES[:3], house, seed), start(NAMES[:3], house), []
        while ruling.state.outcome is None:
            made.append(table.next_move(ruling.state))
            try:
                ruling = rule(ruling.state, made[-1])
            except Foul:
                continue
            table.ruled(ruling)
        return made

    assert moves(3) == moves(3) != moves(4)


def test_positions_after_some_cards() -> None:
    """How many fields can lie after n of these cards, each laid in every way that fits."""
    lies = {lying(SQUARE, drawn("cr sb xy cg\ntr cb sb xr\nsr xr cb tg\ncy sg xr sb"))}
    counts = []
    for card in ("cr sb xy cg", "tr cb sb xr", "sr sr cb tg", "xb cy sg tr"):
        by_rule = {laid for field in lies for laid in laid_by_rule(field, symbols(card))}
        assert by_rule == {laid for field in lies for laid in laid_by_hand(field, symbols(card).split())}
        lies = by_rule
        counts.append(len(lies))
    assert counts == [1, 3, 10, 31]


def laid_by_rule(field: tuple[str, ...], card: str) -> Iterator[tuple[str, ...]]:
    state = replace(begun("rounds"), field=field)
    for place, turned in product("ABCD", range(4)):
        try:
            yield after(state, Lay("Ann", place, card, turned)).field
        except Foul as foul:
            if foul.code != "does-not-fit":
                raise


def laid_by_hand(field: tuple[str, ...], card: list[str]) -> Iterator[tuple[str, ...]]:
    for number, turned in product(range(4), range(4)):
        ring = [card[0], card[1], card[3], card[2]]  # clockwise
        ring = ring[4 - turned :] + ring[: 4 - turned]
        lies = [ring[0], ring[1], ring[3], ring[2]]
        pairs = [(one.split("-"), other.split("-")) for one, other in zip(lies, field[number].split(), strict=True)]
        if all(set(one) & set(other) or "triangle" in one + other for one, other in pairs):
            yield (*field[:number], " ".join(lies), *field[number + 1 :])


def test_colours_and_shapes_are_those_of_the_sheet() -> None:
    assert len(SYMBOLS) == len(set(SYMBOLS)) == len(SHAPES) * len(COLOURS) == 16
    assert Due("Ann", None).bonus == 0

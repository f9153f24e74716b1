"""The curve of a match: each line is seen, whole or in dashes, and has its shape. Laws over recorded matches."""

from collections import defaultdict
from itertools import pairwise

import pytest

from companion.reports.curve import Curve, CurveLayout, curve_of, laid_out
from tests.recorded import NAMES, recorded

ROOMS = ((260, 120), (420, 300), (1100, 700))
SIZE = 14.0
AXES = ("Points", "Moves")
CURVES = {name: curve_of(recorded(name)) for name in NAMES}
ALL_EQUAL = Curve(("red", "blue", "yellow", "green"), (0, 40), ((0,) * 4, (3,) * 4), 80)


def layouts(curve: Curve) -> list[CurveLayout]:
    return [laid_out(curve, room, SIZE, AXES) for room in ROOMS]


@pytest.mark.parametrize("curve", [*CURVES.values(), ALL_EQUAL], ids=[*CURVES, "all equal"])
def test_lines_lie_beside_each_other_and_everybody_has_one(curve: Curve) -> None:
    for plan in layouts(curve):
        levels = defaultdict(list)
        seats = set()
        for stroke in plan.strokes:
            (x1, y1), (x2, y2) = stroke.points
            if y1 == y2 and x2 > x1:
                seats.add(stroke.seat)
                levels[round(y1, 6)].append((x1, x2))
        assert seats == set(range(len(curve.colours)))
        for pieces in levels.values():
            assert all(one[1] <= other[0] + 1e-6 for one, other in pairwise(sorted(pieces)))


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_all_of_it_is_in_the_room(curve: Curve) -> None:
    for (width, height), plan in zip(ROOMS, layouts(curve), strict=True):
        for stroke in plan.strokes:
            assert all(0 <= x <= width and 0 <= y <= height for x, y in stroke.points)
        for mark in plan.marks:
            assert mark.side / 2 <= mark.x <= width - mark.side / 2
            assert mark.y - mark.side / 2 >= 0
            assert mark.y + mark.side / 2 <= height
        assert all(plan.left <= tick.place <= plan.right for tick in (*plan.along, *plan.rounds))


@pytest.mark.parametrize("curve", [*CURVES.values(), ALL_EQUAL], ids=[*CURVES, "all equal"])
def test_the_shapes_at_the_end_stand_in_the_order_of_the_scores(curve: Curve) -> None:
    for plan in layouts(curve):
        ends = plan.marks[-len(curve.colours) :]
        assert {end.seat for end in ends} == set(range(len(curve.colours)))
        assert all(other.y - one.y >= one.side - 1e-6 for one, other in pairwise(ends))
        scores = [curve.scores[-1][end.seat] for end in ends]
        assert scores == sorted(scores, reverse=True)


def test_rounds_are_marked_where_they_ended() -> None:
    curve = CURVES["triple3-grid-not-shown"]
    plan = laid_out(curve, ROOMS[-1], SIZE, AXES)
    assert [tick.text for tick in plan.rounds] == ["1", "2", "3", "4", "5"]
    assert len(curve.rounds) == 5
    assert plan.rounds[-1].place == pytest.approx(plan.right)


@pytest.mark.parametrize("curve", CURVES.values(), ids=CURVES)
def test_ticks_are_round_numbers_and_not_too_many(curve: Curve) -> None:
    for plan in layouts(curve):
        for ticks in (plan.up, plan.along):
            assert len(ticks) <= 7
            assert all(tick.text.lstrip("−").isdecimal() for tick in ticks if tick.text)

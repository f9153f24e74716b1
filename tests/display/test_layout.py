"""Boxes are shared out whole: nothing is lost, nothing lies outside, nothing overlaps."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from companion.display.layout import Box, best_grid, columns, grid, measure, packed, rows

BOXES = st.builds(Box, st.integers(0, 500), st.integers(0, 500), st.integers(0, 2000), st.integers(0, 2000))
PARTS = st.lists(st.one_of(st.integers(0, 400), st.floats(0.1, 5)), min_size=1, max_size=9)


@given(BOXES, PARTS, st.integers(0, 12))
def test_parts_follow_each_other_with_the_gap_between_them(box: Box, parts: list[int | float], gap: int) -> None:
    found = columns(box, *parts, gap=gap)
    assert [part.h for part in found] == [box.h] * len(parts)
    assert all(after.x == before.right + gap for before, after in pairwise(found))
    if gap * (len(parts) - 1) <= box.w:
        assert all(box.holds(part) for part in found)


@given(BOXES, st.floats(0.1, 5), st.integers(0, 12))
def test_shares_use_up_all_there_is(box: Box, share: float, gap: int) -> None:
    assert rows(box, 20, share, gap=gap)[-1].bottom == max(box.bottom, box.y + gap)


def test_fixed_parts_shrink_alike_where_they_are_too_many() -> None:
    assert [part.w for part in columns(Box(0, 0, 100, 10), 100, 50, 50)] == [50, 25, 25]


@given(st.integers(1, 30), st.integers(1, 8))
def test_cells_of_a_grid_never_overlap(count: int, across: int) -> None:
    box = Box(3, 4, 640, 400)
    for found in (grid(box, count, across, 4), packed(box, count, across, 50, 4), best_grid(box, count, 1.5, 4)):
        assert len(found) == count
        assert all(box.holds(cell) for cell in found)
        assert not any(one.meets(other) for one, other in combinations(found, 2))


def test_a_packed_grid_stands_close_together_in_the_middle() -> None:
    first, second = packed(Box(0, 0, 100, 300), 2, 1, 50, 10)
    assert (first, second) == (Box(0, 95, 100, 50), Box(0, 155, 100, 50))


def test_a_touch_is_nine_millimetres_on_the_panels_this_is_made_for() -> None:
    assert measure((800, 480)).touch >= 48  # 154 mm wide
    assert measure((720, 1280)).touch >= 74  # 88 mm wide


def test_the_smallest_screens_have_a_measure_too() -> None:
    assert measure((1, 1)).touch > 0

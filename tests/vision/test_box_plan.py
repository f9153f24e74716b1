"""The box: measured in the file that is written, board against board, as they stand when it is put together."""

import re
from itertools import product
from math import dist
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.box_plan import BOARDS, BoxWish, box_boards, fingers, laid_out
from vision.mat import Point
from vision.parts_sheets import APART, RULE, box_page, drilling_pages
from vision.svg import SPACE, svg

WISHES = [BoxWish(), BoxWish(2.0, 24.0), BoxWish(6.0, 60.0), BoxWish(12.0, 100.0), BoxWish(4.3, 0.0)]
NEAR = 0.1  # millimetres
Polygon = NDArray[np.float64]


def drawn(content: bytes) -> list[Polygon]:
    """The closed lines of a file, in its millimetres; curves by their ends."""
    root = ElementTree.fromstring(content)
    width, height = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    assert [float(number) for number in root.attrib["viewBox"].split()] == [0, 0, width, height], "one unit is 1 mm"
    paths = [one.attrib["d"] for one in root.iter(f"{{{SPACE}}}path")]
    found = []
    for path in paths:
        ends = [re.findall(r"-?[\d.]+", piece)[-2:] for piece in re.findall(r"[MLC][^MLCZ]*", path)]
        if path.endswith("Z"):
            found.append(np.array(ends, float))
    return found


def inside(polygon: Polygon, points: Polygon) -> NDArray[np.bool_]:
    """Even-odd."""
    x, y = points[:, 0, None], points[:, 1, None]
    one, two = polygon, np.roll(polygon, -1, axis=0)
    crosses = (one[:, 1] > y) != (two[:, 1] > y)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (two[:, 0] - one[:, 0]) * (y - one[:, 1]) / (two[:, 1] - one[:, 1]) + one[:, 0]
    return np.asarray((crosses & (x < at)).sum(axis=1) % 2 == 1)


def middle_of(line: Polygon) -> NDArray[np.float64]:
    return np.asarray((line.min(axis=0) + line.max(axis=0)) / 2)


def boards_of(wish: BoxWish) -> dict[str, tuple[Polygon, list[Polygon]]]:
    """Each board's outline, from its own corner, and what is cut out of it; as the file has them."""
    lines = drawn(svg(box_page(wish), "box"))
    found = {}
    for board, at in laid_out(box_boards(wish)):
        low, high = np.array(at) - NEAR, np.array(at) + board.size + NEAR
        own = [one - at for one in lines if (one >= low).all() and (one <= high).all()]
        own.sort(key=lambda one: -np.ptp(one, axis=0).sum())
        found[board.name] = own[0], own[1:]
    return found


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: f"{wish.board:g}-{wish.hole:g}")
def test_put_together_no_two_boards_want_the_same_place_and_none_is_empty(wish: BoxWish) -> None:
    """Points in the shell of the box, each asked of all six boards."""
    t, boards = wish.board, boards_of(wish)
    wide, deep, high = (side + 2 * t for side in wish.inside)
    rng = np.random.default_rng(1)
    points = rng.uniform((0, 0, 0), (wide, deep, high), (300_000, 3))
    gaps = np.array([point for point in points if (np.minimum(point, (wide, deep, high) - point) < t).sum() >= 2])
    x, y, z = gaps.T
    owners = [
        (z < t) & inside(boards["floor"][0], np.c_[x, y]),
        (z > high - t) & inside(boards["lid"][0], np.c_[x, y]),
        (y < t) & inside(boards["front"][0], np.c_[x, z]),
        (y > deep - t) & inside(boards["back"][0], np.c_[x, z]),
        (x < t) & inside(boards["left"][0], np.c_[y, z]),
        (x > wide - t) & inside(boards["right"][0], np.c_[y, z]),
    ]
    assert len(gaps) > 1_000
    assert (np.sum(owners, axis=0) == 1).all()


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: f"{wish.board:g}-{wish.hole:g}")
def test_boards_and_holes_are_as_large_as_they_were_wished(wish: BoxWish) -> None:
    boards = boards_of(wish)
    wide, deep, high = (side + 2 * wish.board for side in wish.inside)
    sizes = {name: np.ptp(outline, axis=0) for name, (outline, _) in boards.items()}
    for name, size in {"floor": (wide, deep), "lid": (wide, deep), "front": (wide, high), "left": (deep, high)}.items():
        assert sizes[name] == pytest.approx(size, abs=NEAR)
    holes = boards["lid"][1]
    assert len(holes) == (1 if wish.hole else 0)
    if wish.hole:
        assert np.ptp(holes[0], axis=0) == pytest.approx((wish.hole, wish.hole), abs=NEAR)
        assert middle_of(holes[0]) == pytest.approx((wide / 2, deep / 2), abs=NEAR)
    middles = sorted(tuple(middle_of(hole)) for hole in boards["floor"][1])
    apart = sorted(dist(one, other) for one, other in product(middles, middles))
    assert apart[4:12] == pytest.approx([49] * 4 + [58] * 4, abs=NEAR), "as on the board of a Pi"


def test_a_cut_that_burns_wood_away_leaves_the_size() -> None:
    """Drawn wider by half the cut on each side, so that what is left is as without."""
    plain, burnt = box_boards(BoxWish()), box_boards(BoxWish(kerf=0.2))
    for one, other in zip(plain, burnt, strict=True):
        low = [min(at[axis] for at in other.outline) for axis in (0, 1)]
        assert low == pytest.approx([min(at[axis] for at in one.outline) - 0.1 for axis in (0, 1)])
        steps = [
            (round(b[0] - a[0], 6), round(b[1] - a[1], 6)) for a, b in zip(one.outline, other.outline, strict=True)
        ]
        assert {abs(step) for pair in steps for step in pair} == {0.1}
    assert burnt[1].holes[0][1] == pytest.approx(plain[1].holes[0][1] - 0.2)


@pytest.mark.parametrize("board", [BOARDS[0], 3.0, 6.0, BOARDS[1]])
@pytest.mark.parametrize("length", [61.0, 115.0, 260.0])
def test_fingers_are_odd_in_number_and_no_thinner_than_a_board(length: float, board: float) -> None:
    found = fingers(length, board)
    assert len(found) % 2 == 1
    assert all(end - begin > board for begin, end in found)
    assert (found[0][0], found[-1][1]) == pytest.approx((board, length - board))


A4 = (210.0, 297.0)


@pytest.mark.parametrize(("hole", "apart"), [(24.0, APART), (30.0, APART), (50.0, 75.0)])
def test_drilling_templates_have_their_holes_where_they_belong(hole: float, apart: float) -> None:
    of_token, *of_seat = (
        [one for one in drawn(svg(page, "")) if np.ptp(one, axis=0) == pytest.approx((hole, hole), abs=NEAR)]
        for page in drilling_pages(hole, A4)
    )
    assert len(of_token) == 1
    for holes in of_seat:
        assert dist(*map(tuple, map(middle_of, holes))) == pytest.approx(apart, abs=NEAR)
    assert len(of_seat) == (hole < 50), "two large ones find no room beside each other"


def test_the_line_to_measure_is_as_long_as_it_says() -> None:
    root = ElementTree.fromstring(svg(drilling_pages(30.0, A4)[0], ""))
    straight = [re.findall(r"[\d.]+", one.attrib["d"]) for one in root.iter(f"{{{SPACE}}}path")]
    lengths = [dist(tuple(map(float, one[:2])), tuple(map(float, one[2:]))) for one in straight if len(one) == 4]
    assert max(lengths) == pytest.approx(RULE, abs=NEAR)


def test_nothing_lies_on_another_board() -> None:
    placed = laid_out(box_boards(BoxWish(6.0, 60.0)))
    boxes: list[tuple[Point, Point]] = [(at, (at[0] + one.size[0], at[1] + one.size[1])) for one, at in placed]
    for number, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:number]:
            assert high[0] < other_low[0] or other_high[0] < low[0] or high[1] < other_low[1] or other_high[1] < low[1]

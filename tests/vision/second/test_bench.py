"""The bench of reading counts right: against readers and finders whose faults are known."""

import numpy as np
import pytest

from tests.benchmarks import reading
from tests.benchmarks.reading import Cell, Found, Plan, Result, rows_of, shown, told, wilson
from tests.vision.second import Shot
from vision.eye_errors import NoTableError
from vision.frames import Picture, Points
from vision.locate import TableView
from vision.mat import SMALL
from vision.reader import Reading

# fmt: off
TRUTH = (
    "red-star-1", "blue-plus-0", "purple-circle-3", "yellow-star-2", "red-plus-2", "blue-star-3",
    "purple-star-0", "yellow-circle-1", "red-circle-0",
)
# fmt: on


def squares() -> Points:
    ring = np.array([(0, 0), (40, 0), (40, 40), (0, 40)], np.float32)
    return np.array([ring + (60 * column + 20, 60 * row + 20) for row in range(3) for column in range(3)], np.float32)


def a_shot() -> Shot:
    conditions = dict.fromkeys(reading.CONDITIONS, "x")
    return Shot(np.zeros((220, 220, 3), np.uint8), TRUTH, squares(), conditions, SMALL)


class Parrot:
    """Says what it was taught."""

    def __init__(self, says: tuple[str, ...], *, sure: bool = True) -> None:
        self.says, self.sure = says, sure

    def read(self, _picture: Picture, cells: Points) -> tuple[Reading, ...]:
        assert cells.shape == (9, 4, 2)
        return tuple(
            Reading(at + 1, "card" if self.sure else "unclear", name if self.sure else None, 0.9, "", ((name, 0.9),))
            for at, name in enumerate(self.says)
        )


@pytest.fixture(autouse=True)
def _no_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Plan, "shot", lambda _plan: a_shot())


def measured(says: tuple[str, ...], *, sure: bool = True, cells: Points | None = None) -> Result:
    def find(_picture: Picture) -> TableView:
        if cells is None:
            raise NoTableError("no table")
        return TableView(cells, "markers")

    return reading.measured(3, 0, Parrot(says, sure=sure), find)


def test_all_right_is_all_right() -> None:
    result = measured(TRUTH, cells=squares())
    assert len(result.cells) == 27
    assert all(cell.is_right and not cell.is_lie for cell in result.cells)
    assert all(one.is_found for one in result.found)


def test_one_wrong_cell_of_nine_is_counted() -> None:
    result = measured(("red-star-2", *TRUTH[1:]), cells=squares())
    assert sum(cell.is_lie for cell in result.cells) == sum(not cell.is_right for cell in result.cells) == 3
    values = {row.what: row for row in rows_of(result)}
    assert values["cells read wrong, none refused, our deck"].value == pytest.approx(100 / 9)
    assert not values["cells read wrong, none refused, our deck"].is_kept


def test_a_refused_cell_is_no_lie_and_counts_as_refused() -> None:
    result = measured(("red-star-2", *TRUTH[1:]), sure=False, cells=squares())
    assert not any(cell.is_lie for cell in result.cells)
    assert {row.what: row.value for row in rows_of(result)}["cells refused, our deck"] == 100


def test_a_table_that_was_not_found_is_read_where_it_is_and_counted() -> None:
    result = measured(TRUTH)
    assert not any(one.is_found for one in result.found)
    assert all(cell.is_right for cell in result.cells)


@pytest.mark.parametrize("fault", ["shifted", "order", "turned"])
def test_cells_found_wrong_are_not_found(fault: str) -> None:
    cells = squares()
    wrong = {"shifted": cells + 8, "order": cells[::-1], "turned": np.roll(cells, 1, 1)}[fault]
    assert not any(one.is_found for one in measured(TRUTH, cells=wrong).found)


def test_without_a_mat_any_corner_may_come_first() -> None:
    turned = np.roll(squares(), 1, 1)
    assert reading._are_upright(turned, squares())
    assert not reading._are_upright(_slanted(squares()), squares())
    assert not reading._are_upright((squares() - 100) * 0.7 + 100, squares())


def _slanted(cells: Points) -> Points:
    middles, angle = cells.mean(1, keepdims=True), np.pi / 6
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    return ((cells - middles) @ turn + middles).astype(np.float32)


def test_wilson_knows_that_none_of_few_says_little() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-3)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-3)
    assert wilson(0, 0) == (0.0, 1.0)
    assert shown(995, 1000) == "99.50 % (98.83–99.79)"


def test_the_tables_name_every_edition_and_condition_that_differs() -> None:
    cells = [
        Cell("ours", name, name, name, "card", 0.97, dict.fromkeys(reading.CONDITIONS, "x") | {"light": light})
        for name, light in zip(TRUTH, ("dim", "window", "dim") * 3, strict=True)
    ]
    text = told(Result(cells, [Found("ours", "no mat", covered=False, is_found=True, seed=1)]))
    assert "### ours, by light" in text
    assert "| dim | 6 | 100.00 %" in text
    assert "by shadow" not in text
    assert "| ours | no mat | clean | 1 | 100.00 %" in text
    assert "| ours | 95–98 % | 9 | 97.0 % | 100.00 %" in text

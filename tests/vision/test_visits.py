"""Arms drawn into masks: whoever reaches to a cell is counted, and who only reaches across it is not."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.gate import Mask
from vision.visits import KEPT, SECOND, PictureEdge, Visits

PITCH = 33
WIDTH, HEIGHT = 320, 180
CENTRES = np.array([(160 + PITCH * x, 90 + PITCH * y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)
SLEEVE = 24  # pixels
LABELS = np.zeros((HEIGHT, WIDTH), np.uint8)
for _number, (_x, _y) in enumerate(CENTRES.astype(int).tolist(), 1):
    cv2.rectangle(LABELS, (_x - 13, _y - 13), (_x + 13, _y + 13), _number, -1)
ZONES: Any = SimpleNamespace(labels=LABELS, centres=CENTRES, pitch=PITCH)
LEFT, RIGHT, TOP, BOTTOM = (0, 90), (WIDTH - 1, 90), (160, 0), (160, HEIGHT - 1)


@dataclass(frozen=True)
class Reach:
    """A visit: 0.4 seconds on the way there, ever slower, 0.2 of rest, 0.4 back."""

    comes_from: tuple[int, int]
    cell: int
    at: float = 0.0

    def share(self, now: float) -> float:
        """Of the way."""
        away = np.interp(now - self.at, (0, 0.4, 0.6, 1.0), (1, 0, 0, 1))
        return 1 - float(away) ** 3

    def draw(self, mask: Mask, now: float) -> None:
        if self.share(now) > 0:
            entry = np.array(self.comes_from)
            way = CENTRES[self.cell - 1] - entry
            tip = entry + way * self.share(now)
            cv2.line(mask, self.comes_from, tuple(tip.astype(int).tolist()), 255, SLEEVE)


def watched(*reaches: Reach, rate: int = 30, until: float = 2.0) -> Visits:
    visits, before = Visits(), np.zeros_like(LABELS)
    for number in range(1, int(until * rate)):
        differs, moves = np.zeros_like(LABELS), np.zeros_like(LABELS)
        for reach in reaches:
            reach.draw(differs, number / rate)
            if reach.share(number / rate) != reach.share((number - 1) / rate):
                reach.draw(moves, number / rate)
        cv2.bitwise_or(moves, cv2.absdiff(differs, before), dst=moves)
        before = differs
        take(visits, SECOND + number * SECOND // rate, differs, moves)
    return visits


def take(visits: Visits, stamp: int, differs: Mask, moves: Mask) -> None:
    gate: Any = SimpleNamespace(differs=differs, moves=moves)
    moving = np.array([moves[np.equal(LABELS, number)].mean() / 255 for number in range(10)])
    visits.take(stamp, gate, ZONES, moving)


def again(visits: Visits, cell: int, until: float = 2.0) -> float:
    return visits.again(cell, SECOND + SECOND // 10, SECOND + int(until * SECOND))


def second(visits: Visits, cell: int) -> float:
    """How much the second of all arms worked there, as a share of all that it worked."""
    return visits.evidence(cell, SECOND + SECOND // 10, 3 * SECOND)[0]


RATES = pytest.mark.parametrize("rate", [12, 15, 30])


@RATES
@pytest.mark.parametrize("side", [LEFT, RIGHT, TOP, BOTTOM])
@pytest.mark.parametrize("cell", [1, 5, 6])
def test_one_hand_is_one_visit(rate: int, side: tuple[int, int], cell: int) -> None:
    visits = watched(Reach(side, cell), rate=rate, until=1.0)
    assert visits.evidence(cell, SECOND, 2 * SECOND)[0] == 0
    assert again(visits, cell, 1.0) < 0.05


@RATES
@pytest.mark.parametrize("sides", [(LEFT, TOP), (LEFT, RIGHT), (BOTTOM, RIGHT), (LEFT, LEFT)])
def test_two_hands_one_after_the_other_are_two_visits(rate: int, sides: Sequence[tuple[int, int]]) -> None:
    visits = watched(Reach(sides[0], 5), Reach(sides[1], 5, at=1.1), rate=rate)
    assert second(visits, 5) > 0.5
    assert again(visits, 5) > 0.25


@RATES
@pytest.mark.parametrize("sides", [(LEFT, TOP), (TOP, LEFT), (BOTTOM, RIGHT)])
def test_two_hands_that_meet_are_two_visits(rate: int, sides: Sequence[tuple[int, int]]) -> None:
    visits = watched(Reach(sides[0], 5), Reach(sides[1], 5, at=0.45), rate=rate)
    assert second(visits, 5) > 0.4


@RATES
@pytest.mark.parametrize(("side", "across", "cell"), [(LEFT, 4, 6), (TOP, 2, 5), (RIGHT, 6, 5), (BOTTOM, 8, 2)])
def test_a_hand_that_only_reaches_across_is_no_visit(rate: int, side: tuple[int, int], across: int, cell: int) -> None:
    visits = watched(Reach(side, across), Reach(side, cell, at=1.0), rate=rate)
    assert second(visits, across) < 0.45
    assert second(visits, cell) < 0.05


def test_a_hand_at_another_cell_is_no_visit() -> None:
    visits = watched(Reach(LEFT, 4), Reach(RIGHT, 6, at=0.2), Reach(BOTTOM, 8, at=0.3))
    assert second(visits, 4) == second(visits, 6) == second(visits, 8) == 0


def test_a_hand_before_or_after_the_stretch_is_no_visit() -> None:
    visits = watched(Reach(LEFT, 5), Reach(TOP, 5, at=1.2), until=2.5)
    assert visits.evidence(5, SECOND + SECOND // 10, 2 * SECOND)[0] == 0
    assert visits.evidence(5, 2 * SECOND + SECOND // 10, 3 * SECOND)[0] == 0


def test_a_sleeve_that_touches_the_edge_once_more_is_no_second_arm() -> None:
    visits = watched(Reach(LEFT, 9))
    assert len([arm for arm in visits._gone if not arm.is_part]) == 1
    visits, before = Visits(), np.zeros_like(LABELS)
    for number in range(1, 20):
        differs = np.zeros_like(LABELS)
        cv2.line(differs, (0, 150), (min(10 * number, 190), min(150 + number, 168)), 255, SLEEVE)
        take(visits, SECOND + number * SECOND // 30, differs, cv2.absdiff(differs, before))
        before = differs
    assert [arm.is_part for arm in visits._here] == [False, True]
    assert second(visits, 9) == 0


def test_an_arm_in_the_corner_enters_once() -> None:
    mask, edge = np.zeros_like(LABELS), PictureEdge(LABELS.shape)
    cv2.circle(mask, (0, 0), 30, 255, -1)
    ((begins, ends),) = edge.runs(mask, PITCH)
    assert ends - begins == pytest.approx(60, abs=4)
    assert (edge.x[begins], edge.y[ends % edge.around]) == (0, 0)


def test_what_was_long_ago_is_forgotten() -> None:
    visits = watched(Reach(LEFT, 5), Reach(TOP, 5, at=1.2), until=2.5)
    empty = np.zeros_like(LABELS)
    take(visits, 4 * SECOND + KEPT, empty, empty)
    assert not visits._gone
    assert len(visits._moved) == 1
    assert again(visits, 5) < 0.01


def test_while_no_frames_come_anything_may_happen() -> None:
    visits, empty = Visits(), np.zeros_like(LABELS)
    visits.rest(SECOND)
    take(visits, 4 * SECOND, empty, empty)
    assert 0.3 < visits.again(5, SECOND, 4 * SECOND) < 0.7
    assert visits.again(5, 4 * SECOND, 5 * SECOND) < 0.01


def test_while_the_table_is_at_rest_nothing_happens() -> None:
    visits, empty = Visits(), np.zeros_like(LABELS)
    for number in range(91):
        visits.rest(SECOND + number * SECOND // 30)
    take(visits, 4 * SECOND + SECOND // 30, empty, empty)
    assert visits.again(5, SECOND, 4 * SECOND) < 0.01

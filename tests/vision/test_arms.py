"""Hands are followed by what they do in a second, whatever the camera shows of it."""

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from vision.arms import SECOND, Arm, Hands, arms_in
from vision.gate import Zones
from vision.locate import TableView
from vision.mat import LATTICE
from vision.sightings import Side

PITCH = 40.0
CENTRES = np.array([(x, y) for y in (0, 1, 2) for x in (0, 1, 2)], np.float32) * PITCH
ZONES: Any = SimpleNamespace(centres=CENTRES, pitch=PITCH, per_card=1)


def at_work(rate: int, speed: float) -> list[tuple[Side, int]]:
    """What is found in the end of a hand that comes nearer to the middle of cell 1 at so many pitches a second."""
    hands, found = Hands(), list[tuple[Side, int]]()
    for number in range(rate // 6 + 1):
        away = 0.45 * PITCH - speed * PITCH * number / rate
        arm = Arm("left", np.array((away, 0.0), np.float32), np.zeros(10), 50.0)
        found = hands.follow([arm], ZONES, number * SECOND // rate)
    return found


@pytest.mark.parametrize("rate", [12, 30, 60])
def test_a_hand_that_lingers_is_at_work(rate: int) -> None:
    assert at_work(rate, 5.0) == [("left", 1)]


@pytest.mark.parametrize("rate", [12, 30, 60])
def test_a_hand_on_its_way_is_not(rate: int) -> None:
    assert at_work(rate, 8.0) == []


# --- over a mat, drawn two millimetres a pixel, in the middle of a small plane


HIGH, WIDE = 200, 230
LEFT = (WIDE - LATTICE.size[0] / 2) / 2


def zones_of_lattice() -> Zones:
    half = LATTICE.sight / 2
    square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)))
    cells = np.array([np.array(place) + square for place in LATTICE.places]) / 2 + (LEFT, 3)
    table = TableView(cells.astype(np.float32), "markers", LATTICE, "", LATTICE.shape, LATTICE.spans)
    return Zones.of(table, None, np.zeros((HIGH, WIDE), np.uint8), 1.0)


def plane_with(*arms: tuple[tuple[float, float], tuple[float, float]]) -> Any:
    """Each arm from one point to another, in pixels."""
    plane = np.zeros((HIGH, WIDE), np.uint8)
    for one, other in arms:
        cv2.line(plane, (int(one[0]), int(one[1])), (int(other[0]), int(other[1])), 255, 12)
    return plane


@pytest.mark.parametrize(
    ("root", "tip", "side"),
    [
        ((20, 0), (90, 24), "left"),  # over the corner of the picture, which ends above it
        ((229, 175), (150, 180), "right"),
        ((60, 199), (80, 120), "bottom"),
        ((170, 0), (120, 60), "top"),
    ],
)
def test_the_way_an_arm_lies_tells_its_side(root: tuple[float, float], tip: tuple[float, float], side: Side) -> None:
    found, _ = arms_in(plane_with((root, tip)), (), zones_of_lattice())
    assert [arm.side for arm in found] == [side]


def test_arms_that_touch_each_other_are_two() -> None:
    found, everywhere = arms_in(plane_with(((115, 199), (118, 90)), ((229, 90), (120, 84))), (), zones_of_lattice())
    assert {arm.side for arm in found} == {"bottom", "right"}
    assert np.sum([arm.shares for arm in found], axis=0).max() <= 1.0 + 1e-6
    assert everywhere.any()

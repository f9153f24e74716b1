"""Hands are followed by what they do in a second, whatever the camera shows of it."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from vision.arms import SECOND, Arm, Hands
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

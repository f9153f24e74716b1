"""The simulated table while people play at it: arms come when they are asked for, and the eye has what they lay."""

from itertools import pairwise

import numpy as np
import pytest

from simulator.rendered.live_table import SECOND, LiveTable
from simulator.rendered.script import Lying, ScriptedArm
from vision.card_drawing import NAMES
from vision.reader import Reader
from vision.watcher import Watcher

STEP = SECOND // 15
DECK = [name for name in NAMES if name not in ("blank", "back")]


class Hour:
    def __init__(self) -> None:
        self.now = 1_000 * SECOND

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def hour() -> Hour:
    return Hour()


@pytest.fixture
def live(hour: Hour) -> LiveTable:
    made = LiveTable(4, clock=hour)
    made.set_out([[Lying(card)] for card in DECK[:9]])
    return made


def reaching(hour: Hour, cell: int, card: str = "", late: int = 0) -> ScriptedArm:
    """An arm that lays a card, or takes the top one, six tenths of a second later."""
    at = hour.now + late
    times = (at, at + SECOND // 2, at + 6 * SECOND // 10, at + 7 * SECOND // 10, at + SECOND)
    return ScriptedArm("bottom", *times, cell, "lay" if card else "take", Lying(card) if card else None)


def until(hour: Hour, live: LiveTable, seconds: float, eye: Watcher | None = None) -> None:
    end = hour.now + round(seconds * SECOND)
    while hour.now < end:
        hour.now += STEP
        frame = live.frame()
        if eye:
            eye.watch(frame)


def lying(live: LiveTable, cell: int) -> list[str]:
    return list(live.cards[cell - 1])


def test_a_card_lies_there_when_the_arm_has_laid_it(live: LiveTable, hour: Hour) -> None:
    live.come(reaching(hour, 5, DECK[20]))
    assert live.carried == (DECK[20],)
    assert live.is_busy(5)
    assert not live.is_still
    until(hour, live, 0.5)
    assert lying(live, 5) == [DECK[4]]
    until(hour, live, 0.6)
    assert lying(live, 5) == [DECK[4], DECK[20]]
    assert not live.carried
    assert live.is_still
    assert not live.is_busy(5)


def test_the_top_card_is_taken_whatever_it_is_by_then(live: LiveTable, hour: Hour) -> None:
    live.come(reaching(hour, 1, late=SECOND // 2))
    live.come(reaching(hour, 1, DECK[20]))
    until(hour, live, 2)
    assert live.cards[0] == (DECK[0],), "the first lies there again: the one that came between was taken"


def test_cards_come_to_lie_in_the_order_in_which_they_are_laid(live: LiveTable, hour: Hour) -> None:
    live.come(reaching(hour, 3, DECK[30], late=SECOND // 3))
    live.come(reaching(hour, 3, DECK[31]))
    until(hour, live, 2)
    assert live.cards[2] == (DECK[2], DECK[31], DECK[30])


def test_the_eye_reads_what_arms_lay(live: LiveTable, hour: Hour) -> None:
    eye = Watcher(Reader())
    until(hour, live, 1.5, eye)
    for number, cell in enumerate((5, 1, 9)):
        live.come(reaching(hour, cell, DECK[20 + number]))
        until(hour, live, 2.5, eye)
    read = [look.card if look else None for look in eye.looks]
    assert read == [pile[-1] for pile in live.cards]


def test_the_mat_stands_upright_in_every_room() -> None:
    for seed in range(12):
        live = LiveTable(seed, size=(320, 300))
        left, right = live.corners(4), live.corners(6)
        assert right[0][0] > left[0][0] + 0.1
        top, bottom = live.corners(2), live.corners(8)
        assert bottom[0][1] > top[0][1] + 0.1
        for cell in range(1, 10):
            assert all(0 < x < 1 and 0 < y < 1 for x, y in live.corners(cell))


def test_nothing_moves_by_itself_but_the_noise(live: LiveTable) -> None:
    one, two = live.frame(), live.frame()
    assert two.number == one.number + 1
    assert np.abs(one.picture.astype(int) - two.picture).mean() < 6


def test_frames_end_when_it_is_closed_and_go_on_when_asked_again(hour: Hour) -> None:
    def wait(seconds: float) -> None:
        hour.now += round(seconds * SECOND)

    live = LiveTable(1, size=(320, 300), clock=hour, wait=wait)
    for round_ in range(2):
        seen = []
        for frame in live.frames():
            seen.append(frame)
            if len(seen) == 5:
                live.close()
        assert [frame.number for frame in seen] == [0, 1, 2, 3, 4], round_
        gaps = {two.stamp - one.stamp for one, two in pairwise(seen)}
        assert gaps == {round(SECOND / live.rate)}


def test_what_lay_there_is_cleared_away(live: LiveTable, hour: Hour) -> None:
    live.come(reaching(hour, 5, DECK[20]))
    live.set_out([[] for _ in range(9)])
    until(hour, live, 1.5)
    assert live.cards == ((),) * 9

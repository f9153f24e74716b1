"""What counts as lying under arms: some frames in a row, surely read, the pixels as they were."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import MS
from vision.cell_answer import CellAnswer
from vision.deck import CARDS, STATES
from vision.frames import Picture
from vision.glimpse import FEWEST, LONG_ENOUGH, RIM, SURE, Glimpses, Lain
from vision.reader import Looked
from vision.squares import SIDE

FRAME = 33 * MS
ENOUGH = -(-LONG_ENOUGH // FRAME)  # frames behind the first one in which a card was still
ONE, OTHER = "red-circle-0", "blue-star-3"
NOISE = np.random.default_rng(1)


def answer(card: str, confidence: float = 0.99, state: str = "card") -> CellAnswer:
    states = np.full(len(STATES), 0.0)
    states[STATES.index(state)] = 1.0
    cards = np.full(len(CARDS), (1 - confidence) / (len(CARDS) - 1))
    cards[CARDS.index(card)] = confidence
    return CellAnswer(states, cards)


def square(level: int = 120, *, noise: int = 0) -> Picture:
    """Half of it dark and half light, so that what moves shows."""
    drawn = np.full((SIDE, SIDE, 3), level, np.int16)
    drawn[:, SIDE // 2 :] += 80
    return np.asarray(drawn + NOISE.integers(-noise, noise + 1, drawn.shape), np.uint8)


def looked(*seen: tuple[Picture, CellAnswer]) -> Looked:
    return Looked(np.stack([one for one, _ in seen]), [said for _, said in seen], [90.0] * len(seen))


def taken(glimpses: Glimpses, frame: int, *seen: tuple[Picture, CellAnswer], first: int = 5) -> dict[int, Lain]:
    return glimpses.take(frame * FRAME, range(first, first + len(seen)), looked(*seen))


def test_a_card_is_seen_to_lie_when_a_frame_is_as_the_one_before() -> None:
    glimpses = Glimpses()
    assert taken(glimpses, 0, (square(), answer(ONE))) == {}
    assert taken(glimpses, 1, (square(), answer(ONE, 0.97))) == {5: Lain(ONE, 0.97, FRAME, FRAME, 1)}
    lain = taken(glimpses, 2, (square(), answer(ONE)))[5]
    assert (lain.first, lain.last, lain.frames, lain.card) == (FRAME, 2 * FRAME, 2, ONE)


def test_it_is_enough_after_some_frames_and_some_time() -> None:
    glimpses = Glimpses()
    taken(glimpses, 0, (square(), answer(ONE)))
    found = [taken(glimpses, frame, (square(), answer(ONE)))[5].is_enough for frame in range(1, ENOUGH + 3)]
    assert found == [False] * ENOUGH + [True, True]


@pytest.mark.parametrize(
    ("frames", "lasted", "enough"),
    [
        (FEWEST, LONG_ENOUGH, True),
        (FEWEST - 1, 10 * LONG_ENOUGH, False),  # a slow camera
        (10 * FEWEST, LONG_ENOUGH - 1, False),  # a quick one
    ],
)
def test_neither_frames_nor_time_are_enough_alone(frames: int, lasted: int, *, enough: bool) -> None:
    assert Lain(ONE, 1.0, 70, 70 + lasted, frames).is_enough is enough


def test_what_moves_begins_anew() -> None:
    glimpses = Glimpses()
    for frame in range(4):
        taken(glimpses, frame, (square(), answer(ONE)))
    moved = np.roll(square(), 4, axis=1)
    assert taken(glimpses, 4, (moved, answer(ONE))) == {}
    assert taken(glimpses, 5, (moved, answer(ONE)))[5].first == 5 * FRAME


def test_what_is_held_is_never_as_it_was() -> None:
    """It trembles by a pixel or two, and is read surely all the time."""
    glimpses = Glimpses()
    for frame in range(12):
        trembling = np.roll(square(), (frame * 2) % 5, axis=1)
        assert taken(glimpses, frame, (trembling, answer(ONE))) == {}


def test_what_creeps_is_not_still_however_many_frames_show_it() -> None:
    """From one frame to the next it hardly moves: a quick camera before a calm hand."""
    glimpses = Glimpses()
    for frame in range(4 * ENOUGH):
        shift = np.array([[1, 0, 0.3 * frame], [0, 1, 0]])
        crept = np.asarray(cv2.warpAffine(square(), shift, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE), np.uint8)
        lain = taken(glimpses, frame, (crept, answer(ONE)))
        assert not (lain and lain[5].is_enough)
        assert frame != 1 or lain[5].frames == 1


def test_noise_is_no_motion() -> None:
    glimpses = Glimpses()
    for frame in range(5):
        lain = taken(glimpses, frame, (square(noise=12), answer(ONE)))
    assert lain[5].frames == 4


def test_what_passes_over_the_edge_of_a_cell_does_not_hide_what_lies_there() -> None:
    glimpses = Glimpses()
    for frame in range(4):
        seen = square()
        seen[: SIDE // RIM - 2, frame * 20 : frame * 20 + 20] = 0
        lain = taken(glimpses, frame, (seen, answer(ONE)))
    assert lain[5].frames == 3


@pytest.mark.parametrize(
    "doubtful",
    [answer(ONE, SURE - 0.01), answer(ONE, state="hand"), answer(ONE, state="unclear")],
    ids=["unsure", "hand", "unclear"],
)
def test_a_look_in_doubt_begins_anew(doubtful: CellAnswer) -> None:
    glimpses = Glimpses()
    for frame in range(4):
        taken(glimpses, frame, (square(), answer(ONE)))
    assert taken(glimpses, 4, (square(), doubtful)) == {}
    assert taken(glimpses, 5, (square(), answer(ONE)))[5].frames == 1


def test_another_card_begins_anew() -> None:
    """The network may change its mind though nothing moves."""
    glimpses = Glimpses()
    for frame in range(4):
        taken(glimpses, frame, (square(), answer(ONE)))
    lain = taken(glimpses, 4, (square(), answer(OTHER)))[5]
    assert (lain.card, lain.first, lain.frames) == (OTHER, 4 * FRAME, 1)


def test_cells_are_told_apart() -> None:
    glimpses = Glimpses()
    taken(glimpses, 0, (square(), answer(ONE)), (square(40), answer(OTHER)))
    found = taken(glimpses, 1, (square(), answer(ONE)), (square(90), answer(OTHER)))
    assert [(number, lain.card) for number, lain in found.items()] == [(5, ONE)]
    assert taken(glimpses, 2, (square(90), answer(OTHER)), first=6)[6].card == OTHER


def test_a_cell_that_was_not_looked_at_in_between_begins_anew() -> None:
    glimpses = Glimpses()
    for frame in range(4):
        taken(glimpses, frame, (square(), answer(ONE)))
    taken(glimpses, 4, (square(), answer(OTHER)), first=8)
    assert taken(glimpses, 5, (square(), answer(ONE))) == {}
    assert taken(glimpses, 6, (square(), answer(ONE)))[5].frames == 1


def test_all_is_forgotten() -> None:
    glimpses = Glimpses()
    for frame in range(4):
        taken(glimpses, frame, (square(), answer(ONE)))
    glimpses.forget()
    assert taken(glimpses, 4, (square(), answer(ONE))) == {}

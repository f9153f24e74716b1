"""Looks at one cell, weighed together: staring makes nobody surer, another light or another place does."""

import cv2
import numpy as np
import pytest

from tests.vision.scenes import GRID, only, reader, script, watched
from vision.cell_answer import CellAnswer
from vision.cell_reading import UNDISTURBED
from vision.deck import CARDS, STATES
from vision.faults import SECOND
from vision.frames import Picture, Points
from vision.mat_light import MatLight
from vision.reader import Looked
from vision.sightings import CannotRead, GridSeen
from vision.squares import SIDE
from vision.votes import ANOTHER, LASTS, SAME, Votes, apart, patches_of
from vision.watched_cell import WatchedCell
from vision.watcher import Watcher

ONE, OTHER = CARDS.index("red-circle-0"), CARDS.index("blue-star-3")
DOUBTFUL = 0.8
MOST = 8
FRAME = SECOND // 30


def answer(card: int = ONE, sure: float = DOUBTFUL, state: float = 1.0) -> CellAnswer:
    states = np.full(len(STATES), (1 - state) / (len(STATES) - 1))
    states[0] = state
    cards = np.full(len(CARDS), (1 - sure) / (len(CARDS) - 1))
    cards[card] = sure
    return CellAnswer(states, cards)


def square(*, shift: float = 0.0, noise: float = 0.0, light: float = 1.0, hidden: int = 0, seed: int = 0) -> Picture:
    """A dark disc on white."""
    drawn = np.full((SIDE, SIDE, 3), 200.0, np.float32)
    cv2.circle(drawn, (SIDE // 2, SIDE // 2), SIDE // 4, (60, 80, 160), -1, cv2.LINE_AA)
    drawn[:hidden] = 40
    moved = cv2.warpAffine(drawn, np.array([[1, 0, shift], [0, 1, 0]]), (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    grain = np.random.default_rng(seed).normal(0, noise, drawn.shape) if noise else 0
    return np.asarray(np.clip(moved * light + grain, 0, 255), np.uint8)


def weighed(squares: list[Picture], every: int = FRAME, most: int = MOST) -> CellAnswer:
    """As many looks that all say the same."""
    votes = Votes()
    for number, one in enumerate(squares):
        votes.take(number * every, one, answer(), most)
    return votes.weighed(None)


@pytest.mark.parametrize("every", [SECOND // 60, SECOND // 30, SECOND // 12])
@pytest.mark.parametrize("noise", [2.0, 8.0, 16.0])
def test_the_same_square_with_noise_is_no_surer_after_thirty_looks(noise: float, every: int) -> None:
    said = weighed([square(noise=noise, seed=seed) for seed in range(30)], every)
    assert said.confidence == pytest.approx(DOUBTFUL)


@pytest.mark.parametrize("light", [0.5, 0.8, 1.2])
def test_what_the_reader_makes_alike_is_the_same_scene(light: float) -> None:
    """It sets the white right before it reads."""
    assert apart(patches_of(square()), patches_of(square(light=light, noise=3))) < SAME


@pytest.mark.parametrize(
    "squares",
    [
        [square(), square(shift=3.0)],
        [square(), square(hidden=SIDE // 3)],
        [square(shift=2.0 * number, noise=2.0, seed=number) for number in range(5)],
    ],
    ids=["elsewhere", "a part hidden", "a little further each time"],
)
def test_squares_that_differ_are_surer_together(squares: list[Picture]) -> None:
    assert weighed(squares).confidence > DOUBTFUL + 0.01


def test_the_more_they_differ_the_more_they_count() -> None:
    sure = [weighed([square(), square(shift=shift)]).confidence for shift in (0.0, 2.0, 4.0)]
    assert sure == sorted(set(sure))


def test_noise_on_either_of_two_scenes_adds_nothing() -> None:
    two = [square(), square(shift=3.0)]
    noisy = [square(shift=3.0 * (number % 2), noise=3, seed=number) for number in range(30)]
    assert weighed(noisy).confidence == pytest.approx(weighed(two).confidence, abs=0.01)


class _Doubts:
    """A reader that is never sure enough, whatever it is shown."""

    def look(self, picture: Picture, cells: Points, light: MatLight | None = None) -> Looked:
        looked = reader().look(picture, cells, light)
        return Looked(looked.squares, [answer(CARDS.index(card)) for card in GRID], looked.sides)

    def __getattr__(self, name: str) -> object:
        return getattr(reader(), name)


def test_no_watcher_tells_a_card_by_staring_at_it() -> None:
    watcher = Watcher(_Doubts())  # type: ignore[arg-type]
    seen = watched(script(seconds=2.5), watcher)
    assert not only(seen, GridSeen)
    assert not any(watcher.looks)
    assert len(only(seen, CannotRead)) == len(GRID)


def test_looks_at_one_scene_are_never_surer_than_the_surest_of_them() -> None:
    """One says this or that, one this or a third: this is not what is left over."""
    votes = Votes()
    for number, second in enumerate([OTHER, OTHER + 1, OTHER + 2]):
        said = answer(sure=0.64)
        said.cards[second] += 0.3
        said.cards[:] /= said.cards.sum()
        votes.take(number, square(noise=2, seed=number), said, MOST)
    assert votes.weighed(None).confidence == pytest.approx(0.64 / 1.3)


def test_a_game_is_weighed_in_once_however_long_it_is_stared_at() -> None:
    prior = np.full(len(CARDS), 1.0)
    prior[ONE] = 3.0
    votes, once = Votes(), Votes()
    once.take(0, square(), answer(), MOST)
    for number in range(30):
        votes.take(number * FRAME, square(noise=3, seed=number), answer(), MOST)
    assert votes.weighed(prior).confidence == pytest.approx(once.weighed(prior).confidence)


def test_a_game_makes_no_card_likely_that_the_looks_exclude() -> None:
    votes = Votes()
    votes.take(0, square(), answer(ONE, 0.999), MOST)
    prior = np.zeros(len(CARDS))
    prior[OTHER] = 1.0
    assert votes.weighed(prior).cards.argmax() == ONE


def test_a_scene_is_forgotten_after_a_while() -> None:
    votes = Votes()
    votes.take(0, square(), answer(OTHER, 0.9), MOST)
    votes.take(LASTS, square(shift=4.0), answer(ONE, 0.95), MOST)
    assert votes.weighed(None).confidence == pytest.approx(0.95)


def test_where_something_moved_and_it_looks_otherwise_looks_begin_anew() -> None:
    cell = WatchedCell(5)
    cell.votes.take(0, square(), answer(OTHER, 0.7), MOST)
    cell.moves(FRAME)
    assert apart(patches_of(square()), patches_of(square(shift=6.0))) > ANOTHER
    cell.votes.take(2 * FRAME, square(shift=6.0), answer(ONE, 0.95), MOST)
    assert cell.votes.weighed(None).confidence == pytest.approx(0.95)


def test_where_something_moved_and_it_looks_as_before_the_looks_still_count() -> None:
    cell = WatchedCell(5)
    cell.votes.take(0, square(), answer(ONE, 0.7), MOST)
    cell.moves(FRAME)
    cell.votes.take(2 * FRAME, square(light=0.9), answer(ONE, 0.95), MOST)
    assert cell.votes.weighed(None).confidence == pytest.approx((0.7 + 0.95) / 2)


def test_what_was_told_is_not_taken_back_on_one_look_at_the_same_scene() -> None:
    """The light flickers, nobody came, and another card is read."""
    cell = WatchedCell(5)
    cell.votes.take(0, square(), answer(ONE, 0.92), MOST)
    cell.settle()
    cell.soil(9 * SECOND, disturbed=True)
    cell.votes.take(9 * SECOND + FRAME, square(light=0.9), answer(OTHER, 0.92), MOST)
    assert cell.votes.weighed(None).confidence < 0.5


def test_a_card_that_was_told_is_surer_where_it_is_read_again_in_other_light() -> None:
    """A glare passes over it: it looks otherwise, and as the same card."""
    cell = WatchedCell(5)
    cell.votes.take(0, square(), answer(ONE, 0.99), MOST)
    for told in range(1, 3):
        cell.settle()
        cell.soil(9 * told * SECOND, disturbed=True)
        cell.votes.take(9 * told * SECOND + FRAME, square(hidden=SIDE // 2), answer(ONE, 0.95), MOST)
        assert cell.votes.weighed(None).confidence > 0.98


def test_what_people_say_is_not_weighed_against_what_was_read() -> None:
    cell = WatchedCell(5)
    cell.votes.take(0, square(), answer(ONE, 0.92), MOST)
    cell.clean()
    assert not cell.votes.scenes


@pytest.mark.parametrize("rate", [12, 15, 30, 60])
def test_how_long_it_has_been_looked_at_is_told_in_seconds(rate: int) -> None:
    cell, looks = WatchedCell(5), 0
    cell.soil(0, disturbed=False)
    while looks == 0 or cell.votes.lasted((looks - 1) * SECOND // rate) < UNDISTURBED:
        cell.votes.take(looks * SECOND // rate, square(), answer(), MOST)
        looks += 1
    assert UNDISTURBED <= (looks - 1) * SECOND // rate < UNDISTURBED + SECOND // rate


def test_with_one_look_at_most_only_the_newest_counts() -> None:
    votes = Votes()
    votes.take(0, square(), answer(OTHER, 0.99), 1)
    votes.take(FRAME, square(), answer(ONE, 0.7), 1)
    assert votes.weighed(None).confidence == pytest.approx(0.7)


def test_looks_that_see_no_card_are_weighed_too() -> None:
    votes = Votes()
    for number in range(3):
        votes.take(number * FRAME, square(), answer(state=0.0), MOST)
    said = votes.weighed(None)
    assert said.state[0] == 0
    assert said.cards.sum() == pytest.approx(1)

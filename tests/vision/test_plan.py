"""The table from above, put together of what each place showed: everything lies where it is on the mat."""

import numpy as np
import pytest

from vision.frames import Picture
from vision.mat import LATTICE, MATS, Mat
from vision.plan import part, plan
from vision.signs import INK_OF

RED, BLUE = (40, 40, 220), (220, 60, 40)
SIDE = 600


def square(ink: tuple[int, int, int]) -> Picture:
    return np.full((40, 40, 3), ink, np.uint8)


def middle_of(picture: Picture, ink: tuple[int, int, int]) -> tuple[float, float]:
    y, x = np.nonzero((picture == ink).all(axis=2))
    return float(x.mean()), float(y.mean())


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_each_place_is_where_it_is_on_its_mat(mat: Mat) -> None:
    last = len(mat.places)
    found = plan(mat, {1: square(RED), last: square(BLUE)}, (1,), INK_OF["legal"], SIDE, is_broken=False)
    assert found.shape == (SIDE, SIDE, 3)
    long = max(mat.size)
    for place, ink in ((1, RED), (last, BLUE)):
        wanted = [
            (at + (long - wide) / 2) * SIDE / long for at, wide in zip(mat.places[place - 1], mat.size, strict=True)
        ]
        assert middle_of(found, ink) == pytest.approx(wanted, abs=2)


def test_a_broken_frame_is_another_than_a_whole_one() -> None:
    one, two = (plan(LATTICE, {}, (10, 11), INK_OF["illegal"], SIDE, is_broken=broken) for broken in (False, True))
    assert (one != two).any()


def test_four_places_of_a_card_fill_the_picture_of_a_part() -> None:
    four = {spot: square(RED if spot in (10, 18) else BLUE) for spot in (10, 11, 17, 18)}
    found = part(LATTICE, four, (10, 11, 17, 18), 200)
    assert found is not None
    assert tuple(found[50, 50]) == RED
    assert tuple(found[50, 150]) == BLUE
    assert tuple(found[150, 150]) == RED
    assert part(LATTICE, {1: square(RED)}, (10, 11), 200) is None

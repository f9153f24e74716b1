"""Lenses that bend lines: there and back, and found out from the mat alone."""

import numpy as np
import pytest

from tests.vision.drawn import SIZE, View, ground_drawn, mat_drawn, photographed, pose
from tests.vision.mats import fault
from vision.lens import Lens, faultless
from vision.markers import Finder
from vision.mat import NINE, SMALL, Mat


def bent(seed: int, lens: Lens, mat: Mat) -> View:
    dice = np.random.default_rng(seed)
    ground = ground_drawn(SIZE, "wood", dice)
    return photographed(mat_drawn(mat, (), dice), ground, pose(mat.size, SIZE, dice), dice, lens=lens)


@pytest.mark.parametrize(("k1", "k2"), [(0.0, 0.0), (-0.3, 0.05), (-0.1, 0.0), (0.15, -0.02)])
def test_there_and_back(k1: float, k2: float) -> None:
    lens = Lens(SIZE, 900, k1, k2)
    points = np.random.default_rng(1).uniform((0, 0), SIZE, (200, 2)).astype(np.float32)
    assert np.abs(lens.bent(lens.straight(points)) - points).max() < 0.05


def test_a_barrel_draws_in_and_its_middle_stays() -> None:
    lens = Lens(SIZE, 900, -0.2)
    points = np.array((lens.middle, (0, 0)), np.float32)
    straight = lens.straight(points)
    assert np.abs(straight[0] - points[0]).max() < 1e-3
    assert (straight[1] < -20).all()


def test_points_beyond_any_lens_stay_finite() -> None:
    far = np.array(((1e5, 1e5), (-1e5, 0)), np.float32)
    assert np.isfinite(Lens(SIZE, 900, -0.5, 0.1).straight(far)).all()


def test_the_same_lens_in_pictures_of_half_the_size() -> None:
    lens = Lens(SIZE, 900, -0.2, 0.01)
    half = lens.at((640, 360))
    points = np.array(((0, 0), (1000, 700)), np.float32)
    assert np.abs((half.straight(points / 2 - 0.25) + 0.5) * 2 - 0.5 - lens.straight(points)).max() < 0.1


@pytest.mark.parametrize("k1", [-0.3, -0.15, 0.1])
def test_the_mat_tells_the_lens(k1: float) -> None:
    for seed, mat in enumerate(NINE):
        view = bent(seed, Lens(SIZE, 900, k1), mat)
        found = fault(Finder().find(view.picture).cells, mat, view)
        unaware = fault(Finder(faultless(SIZE)).find(view.picture).cells, mat, view)
        assert found < 1
        assert found < unaware / 2


def test_a_calibrated_lens_needs_no_fourth_marker() -> None:
    lens = Lens(SIZE, 900, -0.25)
    view = bent(3, lens, SMALL)
    x, y = view.shows(np.array((SMALL.markers[2].centre,), np.float32))[0]
    view.picture[int(y) - 20 : int(y) + 20, int(x) - 20 : int(x) + 20] = 128
    table = Finder(lens).find(view.picture)
    assert "bottom right" in table.note
    assert fault(table.cells, SMALL, view) < 1.5

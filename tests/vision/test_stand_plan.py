"""Where a camera has to stand: computed, and held against the camera that the simulated table is drawn with."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simulator.rendered.pinhole import STILL, Pinhole
from vision.mat import LARGE, MATS, SMALL, Mat
from vision.optics import CAMERAS, PICTURE, Optics, webcam
from vision.stand_plan import AROUND, CELL, MARKER, STEEPEST, plan

ALL = [(mat, optics) for mat in MATS for optics in (*CAMERAS, webcam(60), webcam(78))]


def pinhole(optics: Optics, away: float, degrees: float, *, along: bool) -> Pinhole:
    """A camera that far from the middle of the mat, tilted along its longer side or across it."""
    tilt = math.radians(degrees)
    cos, sin = math.cos(tilt), math.sin(tilt)
    turn = np.array(((cos, 0, -sin), (0, 1, 0), (sin, 0, cos)) if along else ((1, 0, 0), (0, cos, -sin), (0, sin, cos)))
    middle = np.array([(side - 1) / 2 for side in PICTURE])
    return Pinhole(PICTURE, -turn.T @ (0, 0, away), turn, optics.pixels, middle, (0, 0, 0, 0), STILL)


def corners(mat: Mat, around: float) -> NDArray[np.float64]:
    long, short = max(mat.size) / 2 + around, min(mat.size) / 2 + around
    return np.array([(x * long, y * short, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))])


def is_inside(seen: NDArray[np.floating[Any]]) -> bool:
    return bool((seen >= -0.5 - 1e-6).all() and (seen <= np.array(PICTURE) - 0.5 + 1e-6).all())


@pytest.mark.parametrize(("mat", "optics"), ALL, ids=lambda one: one.name)
def test_from_the_least_height_the_whole_mat_is_just_seen(mat: Mat, optics: Optics) -> None:
    found = plan(mat, optics)
    assert is_inside(pinhole(optics, found.least, 0, along=True).seen(corners(mat, AROUND)))
    if found.least > optics.nearest:
        assert not is_inside(pinhole(optics, found.least - 2, 0, along=True).seen(corners(mat, AROUND)))


@pytest.mark.parametrize(("mat", "optics"), ALL, ids=lambda one: one.name)
def test_from_the_most_it_is_just_large_enough(mat: Mat, optics: Optics) -> None:
    found = plan(mat, optics)
    scale = optics.pixels / found.most
    assert min(mat.marker_side * scale / MARKER, mat.sight * mat.spans * scale / CELL) == pytest.approx(1)
    assert found.fits
    assert found.least <= found.height <= found.most


@pytest.mark.parametrize(("mat", "optics"), ALL, ids=lambda one: one.name)
def test_as_far_to_the_side_as_is_said_all_of_the_mat_is_seen(mat: Mat, optics: Optics) -> None:
    found = plan(mat, optics)
    degrees = math.degrees(math.asin(found.aside / found.height))
    assert degrees <= STEEPEST + 1e-6
    for along in (True, False):
        camera = pinhole(optics, found.height, degrees, along=along)
        assert is_inside(camera.seen(corners(mat, AROUND / 2)))


def test_a_lens_that_sees_too_little_is_told() -> None:
    assert not plan(LARGE, Optics("far", "far away", 66.0, nearest=5000.0)).fits


def test_how_deep_it_is_sharp() -> None:
    """A pixel of the picture is the blur that is allowed, by the thin lens."""
    optics = CAMERAS[0]
    near, far = optics.sharp(400.0) or (0, 0)
    for away in (near, far):
        image, image_of = (1 / (1 / optics.focal - 1 / at) for at in (400.0, away))
        blur = optics.focal / optics.aperture * abs(image - image_of) / image_of
        assert blur == pytest.approx(optics.sensor / PICTURE[0], rel=1e-6)
    assert near < plan(SMALL, optics).height - 10
    assert webcam(70).sharp(400.0) is None


def test_a_lens_focused_far_enough_is_sharp_to_the_horizon() -> None:
    assert CAMERAS[1].sharp(5000.0) is not None
    assert (CAMERAS[1].sharp(5000.0) or (0, 0))[1] == math.inf

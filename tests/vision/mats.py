"""Mats on drawn tables, and how well the cells that are found fit them."""

import numpy as np

from tests.vision.drawn import GROUNDS, SIZE, View, ground_drawn, mat_drawn, photographed, pose
from vision.eye_errors import NoTableError
from vision.frames import Points
from vision.markers import Finder
from vision.mat import NINE, SMALL, Mat


def seen(seed: int, mat: Mat = SMALL, covered: tuple[int, ...] = (), size: tuple[int, int] = SIZE) -> View:
    dice = np.random.default_rng(seed)
    sheet = mat_drawn(mat, covered, dice)
    ground = ground_drawn(size, GROUNDS[seed % 4], dice)
    blur = dice.uniform(0.3, 1.8) * size[0] / 1280
    return photographed(sheet, ground, pose(mat.size, size, dice), dice, noise=dice.uniform(1, 10), blur=blur)


def true_cells(mat: Mat, view: View) -> Points:
    half = mat.sight / 2
    square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)), np.float32)
    return view.shows(np.array(mat.places, np.float32)[:, None] + square)


def fault(cells: Points, mat: Mat, view: View) -> float:
    return float(np.abs(cells - true_cells(mat, view)).max())


def how_many_are_found(pictures: int) -> tuple[int, list[float]]:
    """One marker is covered in every second pair of pictures."""
    faults = []
    for seed in range(pictures):
        mat = NINE[seed % 2]
        covered = (seed // 4 % 4,) if seed % 4 > 1 else ()
        view = seen(seed, mat, covered)
        try:
            table = Finder().find(view.picture)
        except NoTableError:
            continue
        assert table.mat is mat
        faults.append(fault(table.cells, mat, view))
        assert ("I see 3 of 4" in table.note) == bool(covered), f"seed {seed}: {table.note}"
    return len(faults), faults

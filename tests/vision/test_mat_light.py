"""The light that a mat's patches tell of: found, taken off, and left alone where they tell nothing."""

import cv2
import numpy as np
import pytest

from tests.vision.laid import Camera, seen, some_cards
from vision.frames import Picture, Points
from vision.mat import LARGE, SMALL, Mat
from vision.mat_light import MatLight, mat_light
from vision.sheets import mat_picture

PER_MM = 4
# Linear light, blue, green, red: a tube that has green in red, and a lamp by which blues are greyer.
MIXES = {
    "tube": ((0.9, 0.1, 0.0), (0.06, 0.9, 0.04), (0.0, 0.16, 0.84)),
    "lamp": ((0.8, 0.15, 0.05), (0.1, 0.85, 0.05), (0.02, 0.08, 0.9)),
}
WARM = (0.5, 0.8, 1.0)


def cells_of(mat: Mat) -> Points:
    half = mat.sight / 2
    square = half * np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)))
    return ((np.array(mat.places)[:, None] + square) * PER_MM - 0.5).astype(np.float32)


def lit(picture: Picture, mix: tuple[tuple[float, ...], ...], gains: tuple[float, ...] = (1, 1, 1)) -> Picture:
    light = (picture / 255.0) ** 2.2 @ np.array(mix).T * np.array(gains) * 0.85
    return np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255 + 0.5, np.uint8)


def found(picture: Picture, mat: Mat) -> MatLight:
    light = mat_light(picture, cells_of(mat), mat)
    assert light is not None
    return light


@pytest.mark.parametrize("mix", MIXES.values(), ids=MIXES)
@pytest.mark.parametrize("mat", [SMALL, LARGE], ids=lambda mat: mat.name)
def test_colours_are_as_printed_once_the_light_is_off(mat: Mat, mix: tuple[tuple[float, ...], ...]) -> None:
    """But for how bright and warm it is, which the white of each card tells better."""
    sheet = mat_picture(mat, PER_MM)
    tinted, plain = lit(sheet, mix, WARM), lit(sheet, ((1, 0, 0), (0, 1, 0), (0, 0, 1)), WARM)
    off = found(tinted, mat).off(tinted[None])[0]
    spots = [tuple(round(at * PER_MM) for at in patch.centre[::-1]) for patch in mat.patches]
    before, after = (
        [int(np.abs(seen[spot].astype(int) - plain[spot]).max()) for spot in spots] for seen in (tinted, off)
    )
    assert max(before) > 60
    assert max(after) < 45
    assert sum(after) < 0.7 * sum(before)


def test_in_plain_light_nothing_changes() -> None:
    sheet = mat_picture(SMALL, PER_MM)
    grey = np.asarray(sheet * 0.9, np.uint8)
    assert found(grey, SMALL).matrix == pytest.approx(np.eye(3), abs=0.02)


def test_greys_stay_grey() -> None:
    light = found(lit(mat_picture(SMALL, PER_MM), MIXES["tube"]), SMALL)
    greys = np.arange(0, 256, 5, dtype=np.uint8)[None, :, None, None].repeat(3, 3)
    assert np.abs(light.off(greys).astype(int) - greys).max() <= 2


def test_shade_over_a_half_changes_nothing() -> None:
    sheet = lit(mat_picture(SMALL, PER_MM), MIXES["lamp"])
    shaded = sheet.copy()
    shaded[:, : sheet.shape[1] // 2] //= 2
    assert found(shaded, SMALL).matrix == pytest.approx(found(sheet, SMALL).matrix, abs=0.03)


def covered(sheet: Picture, strips: int, names: int) -> Picture:
    """Things on so many of the patches of so many strips."""
    picture = sheet.copy()
    for patch in SMALL.patches[:names] + (SMALL.patches[10 : 10 + names] if strips > 1 else ()):
        x, y = (round(at * PER_MM) for at in patch.centre)
        cv2.rectangle(picture, (x - 18, y - 2), (x + 18, y + 18), (60, 90, 150), -1)
    return picture


def test_what_is_covered_is_left_out() -> None:
    sheet = lit(mat_picture(SMALL, PER_MM), MIXES["tube"])
    one_strip = covered(sheet, 1, 10)
    assert found(one_strip, SMALL).matrix == pytest.approx(found(sheet, SMALL).matrix, abs=0.04)
    assert mat_light(covered(sheet, 2, 10), cells_of(SMALL), SMALL) is None


def test_a_mat_without_patches_and_a_faded_one_say_nothing() -> None:
    sheet = mat_picture(SMALL, PER_MM)
    bare = sheet.copy()
    for patch in SMALL.patches:
        x, y = (round(at * PER_MM) for at in patch.centre)
        cv2.circle(bare, (x, y), 20, (255, 255, 255), -1)
    assert found(np.asarray(bare * 0.9, np.uint8), SMALL).matrix == pytest.approx(np.eye(3), abs=1e-3)
    faded = np.asarray((255 - (255 - sheet.astype(int)) * 0.35) * 0.9, np.uint8)
    assert mat_light(faded, cells_of(SMALL), SMALL) is None


def test_patches_out_of_the_picture_or_burnt_out_say_nothing() -> None:
    sheet = mat_picture(SMALL, PER_MM)
    assert mat_light(sheet[100:900], cells_of(SMALL) - (0, 100), SMALL) is None
    assert mat_light(np.full_like(sheet, 255), cells_of(SMALL), SMALL) is None
    assert mat_light(np.zeros_like(sheet), cells_of(SMALL), SMALL) is None


def test_it_is_found_as_a_camera_sees_the_mat() -> None:
    dice = np.random.default_rng(8)
    shot = seen(some_cards(dice), dice, Camera(turn=20))
    light = mat_light(shot.picture, shot.cells, SMALL)
    assert light is None or np.abs(light.matrix - np.eye(3)).max() < 0.35

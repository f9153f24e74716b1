"""Mats whose places stand in no rows, or in a single one: where arms come from, and what is seen of a bare one."""

import cv2
import numpy as np
import pytest

from vision.arms import arms_in
from vision.frames import Frame, Picture
from vision.gate import Gate, Zones
from vision.grey import grey_of
from vision.locate import TableView, find_table
from vision.markers import Finder
from vision.mat import MATS, Mat
from vision.reader import Reader
from vision.sheets import mat_picture
from vision.sightings import GridSeen, Side
from vision.table_search import shift
from vision.watcher import Watcher

GIVEN = [mat for mat in MATS if mat.given]
PER_MM = 3
AROUND = 60


def shown(mat: Mat, turn: int = 0) -> Picture:
    bare = np.pad(mat_picture(mat, PER_MM), ((AROUND, AROUND), (AROUND, AROUND), (0, 0)), constant_values=90)
    return np.ascontiguousarray(np.rot90(bare, turn))


def found_in(mat: Mat, picture: Picture) -> TableView:
    return find_table(picture, finder=Finder(mats=(mat,)))


@pytest.mark.parametrize("mat", GIVEN, ids=lambda mat: mat.name)
@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("side", ["top", "right", "bottom", "left"])
def test_an_arm_to_any_place_comes_from_its_side(mat: Mat, turn: int, side: Side) -> None:
    """However the camera is turned, and though the arm reaches in at a slant."""
    picture = shown(mat, turn)
    grey = grey_of(picture)
    scale = grey.shape[1] / picture.shape[1]
    table = found_in(mat, picture)
    zones = Zones.of(table, None, grey, scale)
    middle, (right, down) = zones.rows.heart, zones.rows.steps
    out = {"top": -down, "bottom": down, "left": -right, "right": right}[side]
    for place in zones.centres:
        differs = np.zeros_like(grey)
        outward = (place - middle) / max(float(np.linalg.norm(place - middle)), 1.0)
        away = place + (out / np.linalg.norm(out) + 0.25 * outward) * 4 * max(grey.shape)
        cv2.polylines(differs, [np.array((place, away), np.int32)], isClosed=False, color=255, thickness=12)
        (arm,), _ = arms_in(differs, set(), zones)
        assert arm.side == side


@pytest.mark.parametrize("mat", GIVEN, ids=lambda mat: mat.name)
def test_a_pitch_is_that_of_the_mat(mat: Mat) -> None:
    picture = shown(mat)
    zones = Zones.of(found_in(mat, picture), None, grey_of(picture), 1.0)
    assert zones.pitch == pytest.approx(max(mat.pitch) * PER_MM, rel=0.01)


@pytest.mark.parametrize("mat", GIVEN, ids=lambda mat: mat.name)
def test_the_table_is_followed_when_it_moves(mat: Mat) -> None:
    picture = shown(mat)
    moved = cv2.warpAffine(picture, np.array([[1, 0.02, 9.0], [-0.02, 1, -4.0]]), picture.shape[1::-1])
    old, new = found_in(mat, picture), found_in(mat, np.asarray(moved, np.uint8))
    matrix = shift(old, new, 1.0)
    onto = cv2.perspectiveTransform(old.cells.reshape(1, -1, 2), matrix).reshape(old.cells.shape)
    assert np.abs(onto - new.cells).max() < 0.5


@pytest.mark.parametrize("mat", [mat for mat in MATS if mat.may_be_bare and mat.spans == 1], ids=lambda mat: mat.name)
def test_a_bare_mat_is_seen_whole(mat: Mat) -> None:
    """A game that begins with nothing on the table begins when nothing is seen there."""
    eye, bare, found = Watcher(Reader(), mats=(mat,)), cv2.convertScaleAbs(shown(mat), alpha=0.8), []
    for number in range(12):
        picture = bare.copy()
        picture[0, number] = 0  # the same picture twice is a camera that hangs
        found += eye.watch(Frame(picture, grey_of(picture), number * 100_000_000, number))
    (seen,) = [one for one in found if isinstance(one, GridSeen)]
    assert [look.card for look in seen.looks] == [None] * len(mat.places)
    assert {cell.now for cell in eye.cells} == {"clear"}


def test_a_dark_table_tells_nothing_of_the_light() -> None:
    """Two grey levels are a tenth of what dark wood has, and nothing on a mat that is white; an arm is over both."""
    then = np.full((180, 320, 3), 20, np.uint8)
    then[60:100, 40:200] = 210
    now = then.copy()
    now[then < 100] = 22
    now[80:, 90:170] = (110, 140, 190)
    frames = [Frame(picture, grey_of(picture), number, number) for number, picture in enumerate((then, now))]
    gate = Gate(frames[0], is_low=True)
    gate.compare(frames[1])
    height, width = gate.differs.shape
    mat = gate.differs[60 * height // 180 + 2 : 78 * height // 180, 42 * width // 320 : 198 * width // 320]
    assert gate.differs.any()
    assert not mat.any()

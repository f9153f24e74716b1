"""Tables laid with the project's own drawings, as a camera sees them: for tests, and for the reader's self-test.

`python -m tests.vision.laid` makes the pictures in vision/selftest/ again.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from tests.vision.drawn import Dice, View, ground_drawn, photographed
from vision.card_drawing import BACK, face_picture
from vision.deck import CARDS
from vision.frames import Matrix, Picture, Points
from vision.mat import SMALL, Mat
from vision.sheets import mat_picture

PER_MM = 6
ROOM = 5  # millimetres around a card, for its shadow
SHOTS = ("daylight.jpg", "lamp.jpg", "turned.jpg")
FOLDER = Path(__file__).parents[2] / "vision" / "selftest"
QUALITY = 80
EMPTY = "empty"
FACE_DOWN = "face-down"


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A picture, what lies on its cells, and where the cells are."""

    picture: Picture
    truth: tuple[str, ...]
    cells: Points


def some_cards(dice: Dice, count: int = 9) -> tuple[str, ...]:
    return tuple(CARDS[number] for number in dice.choice(len(CARDS), count, replace=False))


def sheet_of(truth: Sequence[str], dice: Dice, mat: Mat = SMALL, *, covered: Sequence[int] = ()) -> Picture:
    """A mat with these cards on it, each a little off its place and a little turned."""
    sheet = bare(mat).copy()
    for place, name in zip(mat.places, truth, strict=True):
        if name != EMPTY:
            _lay(sheet, BACK if name == FACE_DOWN else name, place, mat, dice)
    for marker in (mat.markers[index] for index in covered):
        centre = [round(value * PER_MM) for value in marker.centre]
        cv2.circle(sheet, (centre[0], centre[1]), round(0.7 * marker.side * PER_MM), (112, 140, 190), -1, cv2.LINE_AA)
    return sheet


def _lay(sheet: Picture, name: str, place: tuple[float, float], mat: Mat, dice: Dice) -> None:
    size = (min(mat.card), max(mat.card))
    face = face_of(name, (54.0, 54.0) if size[0] == size[1] else (63.0, 88.0))
    turn = float(dice.normal(0, 1.5)) + float(dice.choice((0, 90, 180, 270) if size[0] == size[1] else (0, 180)))
    height, width = face.shape[:2]
    across, down = (round((side / 2 + ROOM) * PER_MM) for side in size)
    left, top = round(place[0] * PER_MM) - across, round(place[1] * PER_MM) - down
    part = sheet[top : top + 2 * down, left : left + 2 * across]
    matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), turn, 1)
    matrix[:, 2] += (across - (width - 1) / 2, down - (height - 1) / 2) + dice.normal(0, 0.5 * PER_MM, 2)
    over = (2 * across, 2 * down)
    mask = cv2.warpAffine(np.full((height, width), 255, np.uint8), matrix, over)
    shade = cv2.GaussianBlur(mask, (0, 0), 0.9 * PER_MM)[:, :, None] / np.float32(255)
    laid = cv2.warpAffine(face, matrix, over, flags=cv2.INTER_LINEAR)
    opaque = mask[:, :, None] / np.float32(255)
    part[:] = part * (1 - np.float32(0.35) * shade) * (1 - opaque) + laid * opaque


@cache
def face_of(name: str, size: tuple[float, float]) -> Picture:
    return face_picture(name, round(max(size) * PER_MM), size)


@cache
def bare(mat: Mat) -> Picture:
    return mat_picture(mat, PER_MM)


@dataclass(frozen=True, slots=True)
class Camera:
    """How the mat is photographed."""

    size: tuple[int, int] = (1280, 720)
    tilt: float = 0.04
    turn: float = 0.0  # degrees, clockwise
    fill: float = 0.92  # of the picture
    table: str = "wood"
    blur: float = 0.7
    noise: float = 3.0


def seen(
    truth: Sequence[str], dice: Dice, camera: Camera | None = None, mat: Mat = SMALL, *, covered: Sequence[int] = ()
) -> Shot:
    """The mat with these cards on a table, photographed."""
    camera = camera or Camera()
    sheet, ground = sheet_of(truth, dice, mat, covered=covered), ground_drawn(camera.size, camera.table, dice)
    matrix = _pose(mat, camera, dice)
    view = photographed(sheet, ground, matrix, dice, scale=PER_MM, blur=camera.blur, noise=camera.noise)
    return Shot(view.picture, tuple(truth), cells_of(mat, view))


def _pose(mat: Mat, camera: Camera, dice: Dice) -> Matrix:
    width, height = mat.size
    corners = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    angle = np.radians(camera.turn)
    spin = np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))))
    around = (corners - np.array(mat.size) / 2) @ spin
    around = around + dice.uniform(-camera.tilt, camera.tilt, (4, 2)) * min(mat.size)
    low, high = around.min(axis=0), around.max(axis=0)
    scale = camera.fill * float((np.array(camera.size) / (high - low)).min())
    placed = (around - (low + high) / 2) * scale + np.array(camera.size) / 2
    return np.asarray(cv2.getPerspectiveTransform(corners, placed.astype(np.float32)), np.float64)


def cells_of(mat: Mat, view: View) -> Points:
    half = mat.sight / 2
    square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)), np.float32)
    return view.shows(np.array(mat.places, np.float32)[:, None, :] + square)


# --- The self-test


def stored_shots() -> dict[str, Shot]:
    dice = np.random.default_rng(20)
    first, second, third = some_cards(dice), some_cards(dice, 7), some_cards(dice)
    evening = seen(
        (*second[:4], FACE_DOWN, *second[4:], EMPTY),
        dice,
        Camera((960, 720), tilt=0.08, turn=180, table="felt"),
        covered=(3,),
    )
    lamp = np.asarray(evening.picture * (np.array((0.62, 0.86, 1.0)) * 0.8), np.uint8)
    return {
        "daylight.jpg": seen(first, dice, Camera((960, 720))),
        "lamp.jpg": Shot(lamp, evening.truth, evening.cells),
        "turned.jpg": seen(third, dice, Camera((1120, 720), 0.06, 90, table="laminate", blur=1.0, noise=4)),
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    shots = stored_shots()
    for name, shot in shots.items():
        cv2.imwrite(str(FOLDER / name), shot.picture, [int(cv2.IMWRITE_JPEG_QUALITY), QUALITY])
    truth = {name: shot.truth for name, shot in shots.items()}
    (FOLDER / "truth.json").write_text(json.dumps(truth, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

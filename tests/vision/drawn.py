"""Tables drawn for the tests of finding: mats with markers, cards on cloth and wood, seen by an imperfect camera."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Matrix, Picture, Points
from vision.lens import Lens, through
from vision.mat import DICTIONARY, Mat

Dice = np.random.Generator
Numbers = NDArray[np.floating[Any] | np.integer[Any]]
SIZE = (1280, 720)  # of a picture
GROUNDS = ("wood", "cloth", "felt", "laminate")
SCALE = 4  # pixels of a drawn mat for each millimetre
INKS = ((40, 30, 200), (190, 90, 30), (140, 50, 120), (30, 170, 220))  # blue, green, red


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A picture, and where points of what is on the table are in it."""

    picture: Picture
    matrix: Matrix
    lens: Lens | None = None

    def shows(self, points: Points) -> Points:
        seen = through(self.matrix, points)
        return self.lens.bent(seen) if self.lens else seen


def mat_drawn(mat: Mat, covered: Iterable[int] = (), dice: Dice | None = None) -> Picture:
    """A mat from above, with cards on its places if there are dice; some of its markers have something on them."""
    width, height = mat.size
    sheet = np.full((round(height * SCALE), round(width * SCALE), 3), 244, np.uint8)
    for x, y in mat.places:
        _box(sheet, (x, y), mat.place, (214, 205, 200), 2)
        if dice is not None:
            _box(sheet, (x, y), mat.card, (250, 250, 250), -1)
            art_drawn(sheet, np.array((x, y)) * SCALE, min(mat.card) * SCALE, dice)
    dictionary = cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, DICTIONARY)))
    for marker in mat.markers:
        side = round(marker.side * SCALE)
        left, top = (round(value * SCALE - side / 2) for value in marker.centre)
        image = cv2.aruco.generateImageMarker(dictionary, marker.number, side)
        sheet[top : top + side, left : left + side] = image[:, :, None]
    for marker in (mat.markers[index] for index in covered):
        cv2.circle(
            sheet, _whole(np.array(marker.centre) * SCALE), round(0.6 * marker.side * SCALE), (120, 150, 200), -1
        )
    return sheet


def art_drawn(sheet: Picture, middle: Numbers, side: float, dice: Dice) -> None:
    """Something as bold and as coloured as the art of a card."""
    ink = INKS[dice.integers(4)]
    match dice.integers(3):
        case 0:
            cv2.circle(sheet, _whole(middle), round(side * 0.3), ink, -1, cv2.LINE_AA)
        case 1:
            points = middle + side * 0.34 * np.array(((0, -1), (1, 0), (0, 1), (-1, 0)))
            cv2.fillPoly(sheet, [points.round().astype(np.int32)], ink, cv2.LINE_AA)
        case _:
            for across, down in ((0.34, 0.11), (0.11, 0.34)):
                reach = side * np.array((across, down))
                cv2.rectangle(sheet, _whole(middle - reach), _whole(middle + reach), ink, -1)


def _box(sheet: Picture, middle: Sequence[float], size: Sequence[float], colour: Sequence[int], thick: int) -> None:
    half = np.array(size) / 2
    start, end = (_whole((np.array(middle) + sign * half) * SCALE) for sign in (-1, 1))
    cv2.rectangle(sheet, start, end, tuple(colour), thick)


def _whole(point: Numbers) -> tuple[int, int]:
    return round(float(point[0])), round(float(point[1]))


def pose(
    size: Sequence[float] | Numbers, picture: tuple[int, int], dice: Dice, tilt: float = 20, turn: float = 180
) -> Matrix:
    """How a camera shows a flat thing whole: turned and seen from the side by up to so many degrees."""
    width, height = size
    corners = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32)
    focal = dice.uniform(0.65, 1.1) * max(picture)
    lens = np.array(((focal, 0, picture[0] / 2), (0, focal, picture[1] / 2), (0, 0, 1)))
    lean = np.radians(dice.uniform(0, tilt))
    towards = dice.uniform(0, 2 * np.pi)
    leaned, _ = cv2.Rodrigues(lean * np.array((np.cos(towards), np.sin(towards), 0)))
    turned, _ = cv2.Rodrigues(np.array((0, 0, np.radians(dice.uniform(-turn, turn)))))
    ways = np.asarray(leaned, np.float64) @ np.asarray(turned, np.float64)
    fill, aside = dice.uniform(0.8, 0.97), dice.uniform(0.1, 0.9, 2)
    where = np.array((0.0, 0.0, 2 * focal * max(width, height) / min(picture)))
    for _ in range(12):
        onto = np.stack((ways[:, 0], ways[:, 1], where - ways[:, :2] @ (width / 2, height / 2)), axis=1)
        seen = through(lens @ onto, corners)
        low, high = seen.min(axis=0), seen.max(axis=0)
        wanted = aside * (np.array(picture) - fill * (high - low) / ((high - low) / picture).max())
        where[:2] += 0.8 * (wanted - low) * where[2] / focal
        where[2] *= ((high - low) / picture).max() / fill
    return np.asarray(lens @ onto, np.float64)


def photographed(
    sheet: Picture,
    ground: Picture,
    matrix: Matrix,
    dice: Dice,
    *,
    scale: float = SCALE,
    lens: Lens | None = None,
    noise: float = 4,
    blur: float = 0.8,
) -> View:
    """A sheet on some ground as a camera sees it: uneven light, out of focus, with noise."""
    height, width = ground.shape[:2]
    shrink = np.diag((1 / scale, 1 / scale, 1.0)) @ np.array(((1, 0, 0.5), (0, 1, 0.5), (0, 0, 1)))
    if lens is None:
        seen = cv2.warpPerspective(sheet, matrix @ shrink, (width, height), flags=cv2.INTER_AREA)
        mask = cv2.warpPerspective(np.full(sheet.shape[:2], 255, np.uint8), matrix @ shrink, (width, height))
    else:
        spots = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).astype(np.float32)
        flat = through(np.linalg.inv(matrix @ shrink), lens.straight(spots))
        maps = (flat[:, :, 0].copy(), flat[:, :, 1].copy())
        seen = cv2.remap(sheet, *maps, cv2.INTER_LINEAR)
        mask = cv2.remap(np.full(sheet.shape[:2], 255, np.uint8), *maps, cv2.INTER_LINEAR)
    part = mask[:, :, None] / np.float32(255)
    return View(lit(ground * (1 - part) + seen * part, dice, noise=noise, blur=blur), matrix, lens)


def lit(scene: "Picture | Points", dice: Dice, *, noise: float = 4, blur: float = 0.8) -> Picture:
    """A scene under a lamp to one side, through a lens out of focus, on a sensor with noise."""
    height, width = scene.shape[:2]
    across, down = np.linspace(-1, 1, width), np.linspace(-1, 1, height)
    light = 1 + dice.uniform(-0.25, 0.25) * across[None, :] + dice.uniform(-0.25, 0.25) * down[:, None]
    cast = dice.uniform((0.8, 0.9, 0.9), (1.0, 1.0, 1.0))
    shown = np.asarray(scene, np.float32) * (light * dice.uniform(0.45, 0.95)).astype(np.float32)[:, :, None]
    shown *= cast.astype(np.float32)
    if blur > 0.2:
        shown = cv2.GaussianBlur(shown, (0, 0), blur)
    shown += dice.normal(0, max(noise, 0.01), shown.shape)
    return np.clip(shown, 0, 255, out=shown).astype(np.uint8)


def ground_drawn(size: tuple[int, int], kind: str, dice: Dice) -> Picture:
    """A table top: wood, cloth, felt or laminate."""
    width, height = size
    colour = {
        "wood": np.array(((60, 100, 150), (40, 70, 105), (90, 140, 190))),
        "cloth": np.array(((120, 60, 50), (60, 60, 140), (110, 110, 100))),
        "felt": np.array(((60, 110, 30), (120, 50, 40), (40, 40, 45))),
        "laminate": np.array(((150, 160, 165), (120, 125, 130), (90, 90, 95))),
    }[kind][dice.integers(3)]
    grain = _cloud(size, (width // 90, height // 6) if kind == "wood" else (width // 60, height // 60), dice)
    fine = _cloud(size, (width // 3, height // 3), dice)
    strength = {"wood": (0.22, 0.06), "cloth": (0.06, 0.18), "felt": (0.05, 0.12), "laminate": (0.05, 0.03)}[kind]
    shade = 1 + strength[0] * grain + strength[1] * fine
    shown = shade[:, :, None] * colour.astype(np.float32)
    return np.clip(shown, 0, 255, out=shown).astype(np.uint8)


def _cloud(size: tuple[int, int], knots: tuple[int, int], dice: Dice) -> Points:
    few = dice.uniform(-1, 1, (max(2, knots[1]), max(2, knots[0]))).astype(np.float32)
    return np.asarray(cv2.resize(few, size, interpolation=cv2.INTER_CUBIC), np.float32)


@dataclass(frozen=True, slots=True)
class Laying:
    """How nine cards are laid without a mat; lengths are shares of a card's shorter side."""

    card: tuple[float, float] = (57, 88)
    gap: float = 0.15
    slip: float = 0.03
    twist: float = 3.0  # degrees
    missing: tuple[int, ...] = ()
    paper: tuple[int, int, int] = (245, 248, 250)
    shadow: bool = True
    frame: bool = False


def cards_photographed(
    laying: Laying,
    ground: Picture,
    dice: Dice,
    *,
    tilt: float = 0.12,
    turn: float = 30,
    noise: float = 4,
    blur: float = 0.8,
) -> tuple[View, Points]:
    """Nine cards on some ground, and the corners of each in the picture."""
    size = (ground.shape[1], ground.shape[0])
    width, height = laying.card
    short = min(laying.card)
    pitch = np.array((width, height)) + laying.gap * short
    whole = 3 * pitch + 0.3 * short
    matrix = pose(whole, size, dice, tilt, turn)
    scene = ground.astype(np.float32)
    scene *= (1 - 0.5 * _hard_shadow(size, dice))[:, :, None] if laying.shadow else 1
    truth = np.zeros((9, 4, 2), np.float32)
    for place in range(9):
        middle = whole / 2 + pitch * (place % 3 - 1, place // 3 - 1) + dice.normal(0, laying.slip * short, 2)
        angle = np.radians(dice.normal(0, laying.twist))
        ways = np.array(((np.cos(angle), np.sin(angle)), (-np.sin(angle), np.cos(angle))))
        half = np.array(((-width, -height), (width, -height), (width, height), (-width, height))) / 2
        truth[place] = through(matrix, (half @ ways + middle).astype(np.float32))
        if place not in laying.missing:
            _card_onto(scene, laying, truth[place], dice)
    shade = 1 - 0.45 * _hard_shadow(size, dice) if laying.shadow else np.ones(size[::-1], np.float32)
    return View(lit(scene * shade[:, :, None], dice, noise=noise, blur=blur), matrix), truth


def _card_onto(scene: "Picture | Points", laying: Laying, corners: Points, dice: Dice) -> None:
    """One card with round corners and a faint shadow, drawn large and then seen small."""
    width, height = (round(6 * side) for side in laying.card)
    face = np.empty((height, width, 3), np.uint8)
    face[:] = np.clip(np.array(laying.paper) + dice.normal(0, 3, 3), 0, 255)
    if laying.frame:
        edge = round(0.08 * min(width, height))
        cv2.rectangle(face, (edge, edge), (width - edge, height - edge), INKS[dice.integers(4)], 8)
    art_drawn(face, np.array((width, height)) / 2, 0.8 * min(width, height), dice)
    mask = np.zeros((height, width), np.uint8)
    round_by = round(0.06 * min(width, height))
    cv2.rectangle(mask, (round_by, 0), (width - round_by, height), 255, -1)
    cv2.rectangle(mask, (0, round_by), (width, height - round_by), 255, -1)
    for x, y in (
        (round_by, round_by),
        (width - round_by, round_by),
        (round_by, height - round_by),
        (width - round_by, height - round_by),
    ):
        cv2.circle(mask, (x, y), round_by, 255, -1)
    flat = np.array(((0, 0), (width, 0), (width, height), (0, height)), np.float32) - 0.5
    onto = cv2.getPerspectiveTransform(flat, corners)
    drop = 0.004 * max(scene.shape[:2])
    here, onto = _around(corners, scene, onto, round(6 * drop) + 2)  # the shadow falls no further
    size = (here.shape[1], here.shape[0])
    part = cv2.warpPerspective(mask, onto, size, flags=cv2.INTER_AREA).astype(np.float32) / 255
    dark = cv2.GaussianBlur(np.roll(part, (round(drop), round(drop / 2)), (0, 1)), (0, 0), drop)
    seen = cv2.warpPerspective(face, onto, size, flags=cv2.INTER_AREA)
    here *= (1 - 0.35 * dark * (1 - part))[:, :, None]
    here *= (1 - part)[:, :, None]
    here += seen * part[:, :, None]


def _around(corners: Points, scene: "Picture | Points", onto: Matrix, margin: int) -> "tuple[Picture | Points, Matrix]":
    """The part of a scene around these corners, and how a matrix onto the scene leads onto that part."""
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - margin, 0)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + margin
    moved = np.array(((1, 0, -left), (0, 1, -top), (0, 0, 1)), np.float64)
    return scene[top:bottom, left:right], np.asarray(moved @ onto, np.float64)


def _hard_shadow(size: tuple[int, int], dice: Dice) -> Points:
    """Half a picture in the shade of something straight, or nothing."""
    shade = np.zeros((size[1], size[0]), np.float32)
    if dice.random() < 0.5:
        through_point = dice.uniform(0.2, 0.8, 2) * size
        angle = dice.uniform(0, 2 * np.pi)
        along, away = np.array((np.cos(angle), np.sin(angle))), np.array((-np.sin(angle), np.cos(angle)))
        far = 2 * max(size)
        quad = (through_point + far * np.array((along, along + away, -along + away, -along))).round().astype(np.int32)
        cv2.fillPoly(shade, [quad], 1.0)
    return np.asarray(cv2.GaussianBlur(shade, (0, 0), 0.003 * max(size)), np.float32)

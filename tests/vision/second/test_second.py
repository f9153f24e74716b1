"""The second renderer tells the truth: what it says is in a picture is there, where it says."""

from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.amounts import amounts
from tests.vision.second import Shot, distance, scene
from tests.vision.second.camera import Camera, looking, spread
from tests.vision.second.faces import FINE, STYLES, a_printer, edition
from tests.vision.second.light import MAP_REACH, MAP_STEP, Light, Limb, glowing, led, matrix, shade_map
from tests.vision.second.noise import Array
from vision.deck import CARDS, STATES
from vision.frames import Picture
from vision.mat import DICTIONARY, LARGE, SMALL, Mat

SIZE = (640, 360)


def test_the_same_seed_gives_the_same_picture() -> None:
    one, two, other = (scene(seed, size=SIZE, only_cells=True) for seed in (5, 5, 6))
    assert np.array_equal(one.picture, two.picture)
    assert one.cells == two.cells
    assert not np.array_equal(one.picture, other.picture)


def test_a_picture_has_nine_different_cards() -> None:
    shot = scene(1, size=SIZE)
    assert shot.picture.shape == (360, 640, 3)
    assert shot.quads.shape == (9, 4, 2)
    assert len(set(shot.cells)) == 9
    assert set(shot.cells) <= set(CARDS)


@pytest.mark.parametrize(("mat", "seed"), [(SMALL, 3), pytest.param(LARGE, 5, marks=pytest.mark.long)])
def test_cells_are_where_the_markers_say(mat: Mat, seed: int) -> None:
    """Against OpenCV's own marker search, which knows nothing of our rays."""
    shot = scene(seed, mat=mat, light="window")
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(shot.picture)
    found = {int(number): quad[0] for number, quad in zip(numbers.ravel(), corners, strict=True)}
    markers = [marker for marker in mat.markers if marker.number in found]
    assert len(markers) == 4
    plane = np.array([marker.corners for marker in markers], np.float32).reshape(-1, 2)
    seen = np.array([found[marker.number] for marker in markers], np.float32).reshape(-1, 2)
    homography, _ = cv2.findHomography(plane, seen)
    half = mat.sight / 2
    ring = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    squares = (np.array(mat.places)[:, None] + ring).reshape(-1, 1, 2).astype(np.float32)
    expected = cv2.perspectiveTransform(squares, homography).reshape(9, 4, 2)
    wide = np.sqrt(cv2.contourArea(shot.quads[4]))
    assert np.abs(expected - shot.quads).max() < 0.07 * wide  # a lens is bent, a homography is not


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 5))])
def test_without_a_mat_cells_are_in_reading_order(seed: int) -> None:
    middles = scene(seed, mat=None, size=SIZE, only_cells=True).quads.mean(1).reshape(3, 3, 2)
    for row in middles:
        assert all(left[0] < right[0] for left, right in pairwise(row))
    for column in middles.transpose(1, 0, 2):
        assert all(upper[1] < lower[1] for upper, lower in pairwise(column))


def test_only_the_cells_are_drawn_if_asked() -> None:
    whole, part = scene(9, size=SIZE), scene(9, size=SIZE, only_cells=True)
    for one, two in zip(whole.crops(), part.crops(), strict=True):
        assert np.abs(one.astype(int) - two).mean() < 3
    assert (part.picture.max(2) < 60).mean() > 0.2


@amounts("shots", 2, 4)
def test_the_truth_of_a_cell_is_in_its_crop(shots: int) -> None:
    """A card of one colour has that colour in its middle, whatever the light: compared with its own white."""
    right = [_told_colour(crop) == name.split("-")[0] for name, crop in _plain_cells(shots)]
    assert sum(right) > 0.9 * len(right) > 2 * shots


def _plain_cells(count: int) -> list[tuple[str, Picture]]:
    shots = [scene(seed, light="window", size=SIZE, only_cells=True) for seed in range(count)]
    return [
        (name, crop)
        for shot in shots
        for name, crop in zip(shot.cells, shot.crops(), strict=True)
        if name.endswith("0")
    ]


def _told_colour(crop: Picture) -> str:
    white = np.percentile(crop.reshape(-1, 3), 90, axis=0)
    blue, green, red = np.median(crop[48:72, 48:72].reshape(-1, 3), axis=0) / white
    if min(red, green) > blue + 0.15 and green > 0.55 * red:
        return "yellow"
    if red > blue + 0.1:
        return "red"
    return "blue" if green > red else "purple"


@amounts("shots", 2, 5)
def test_hands_and_odd_cells_are_told(shots: int) -> None:
    told = {cell for seed in range(shots) for cell in scene(seed, odd=0.6, hand=True, size=SIZE, only_cells=True).cells}
    assert {"hand", "empty", "face-down", "foreign"} <= told
    assert told <= {*STATES, *CARDS}


@amounts("shots", 1, 2)
def test_a_covered_marker_is_not_seen(shots: int) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    detector = cv2.aruco.ArucoDetector(dictionary)

    def seen(shot: Shot) -> int:
        numbers = detector.detectMarkers(shot.picture)[1]
        return 0 if numbers is None else len(numbers)

    assert max(seen(scene(seed, covered=True, size=(960, 540))) for seed in range(shots)) <= 3


def test_every_edition_draws_different_cards() -> None:
    for number in range(len(STYLES)):
        faces = [edition(number).face(name).tobytes() for name in CARDS[:: 3 if number == 0 else 9]]
        assert len(set(faces)) == len(faces)


def test_rays_and_points_belong_together() -> None:
    place, turn = looking(np.array([10.0, -5, 0]), 0.6, 1.0, -0.5, 500)
    camera = Camera(place, turn, 700, (0.08, 0.01), (1280, 720))
    u, v = np.array([3.0, 640, 1270], np.float32), np.array([9.0, 360, 700], np.float32)
    direction = np.stack(camera.rays(u, v), 1)
    spots = camera.place + direction * (-camera.place[2] / direction[:, 2])[:, None]
    assert np.abs(camera.seen(spots) - np.stack([u, v], 1)).max() < 0.02


def test_distances_are_below_zero_inside() -> None:
    middle, away = np.zeros(1, np.float32), np.full(1, 0.9, np.float32)
    shapes: list[Callable[[Array, Array], Array]] = [
        lambda x, y: distance.circle(x, y, 0.5),
        lambda x, y: distance.diamond(x, y, 0.4, 0.5),
        lambda x, y: distance.plus(x, y, 0.5, 0.2),
        lambda x, y: distance.star(x, y, 0.5, 5, 0.4),
        lambda x, y: distance.box(x, y, 0.5, 0.4, 0.1),
    ]
    for shape in shapes:
        assert shape(middle, middle)[0] < -0.1
        assert shape(away, away)[0] > 0.3
    tip, notch = np.array([-0.45], np.float32), np.array([0.45], np.float32)
    assert distance.star(middle, tip, 0.5, 5, 0.4)[0] < 0 < distance.star(middle, notch, 0.5, 5, 0.4)[0]


def test_warm_light_is_redder_and_a_green_led_greener() -> None:
    warm, cool = matrix(glowing(2700)).sum(1), matrix(glowing(7000)).sum(1)
    assert warm[0] > 1.5 * cool[0]
    assert warm[2] < 0.7 * cool[2]
    plain, green = matrix(led(4000, 0.0)).sum(1), matrix(led(4000, 0.3)).sum(1)
    assert green[0] < plain[0]


def test_a_small_lamp_throws_a_harder_shadow() -> None:
    limb = Limb(np.array([-900.0, 0, 200]), np.array([900.0, 0, 200]), 25, (0.5, 0.5, 0.5))
    profiles = []
    for reach in (15, 120):
        shades = shade_map(Light(np.array([[0.0, 0, 1000]]), reach, 1.0, np.eye(3)), [limb])
        profiles.append(shades[:, int(MAP_REACH / MAP_STEP)])
    hard, soft = (np.abs(np.diff(profile)).max() for profile in profiles)
    assert profiles[0].min() < 0.05
    assert hard > 3 * soft


def test_paper_takes_ink_and_stays_the_brightest() -> None:
    printer = a_printer(np.random.default_rng(1))
    picture = np.full((60, 60, 3), 255, np.uint8)
    picture[20:40, 20:40] = (200, 30, 40)
    printed = printer.printed(picture)
    assert np.allclose(printed[2, 2], printer.paper, atol=0.02)
    assert printed[30, 30, 0] > 2 * printed[30, 30, 1]
    assert printed.max() <= max(printer.paper) + 0.01
    assert FINE >= 5


def test_a_spread_point_keeps_its_light() -> None:
    assert spread(1.5, 3.0, 0.7).sum() == pytest.approx(1, abs=1e-5)
    assert spread(0.3, 0, 0).max() > 2 * spread(1.5, 0, 0).max()

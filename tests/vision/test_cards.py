"""Our own deck: every face another, readable small and without colour, everything in its place."""

from itertools import combinations, pairwise

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.card_drawing import (
    BACK,
    BLANK,
    DEEP,
    INKS,
    NAMES,
    RADIUS,
    RIBBONS,
    SLEEVED,
    SQUARE,
    card,
    face_picture,
    outline,
)
from vision.deck import CARDS, COLOURS, SHAPES
from vision.drawing import BLACK, Drawing, DrawnMark, disc, flattened, line, moved, polygon, rectangle, wave
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.ink import painted
from vision.mat import Point

SMALL = 100  # pixels of a card as a camera sees it
Mask = NDArray[np.bool_]


@pytest.fixture(scope="module")
def faces() -> dict[str, Picture]:
    return {name: face_picture(name, SMALL) for name in NAMES}


def grey(picture: Picture) -> NDArray[np.int16]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.int16)


def shape_mask(shape: str, per_mm: int = 20) -> Mask:
    """Where a card's big shape is."""
    drawing = moved((DrawnMark((outline(shape),), BLACK),), (SQUARE[0] / 2, SQUARE[1] / 2))
    side = round(SQUARE[0] * per_mm)
    return np.asarray(painted(drawing, SQUARE, (side, side))[:, :, 0] < 128)


def away_from(mask: Mask) -> NDArray[np.float32]:
    """For every pixel how far it is to the nearest one of the mask."""
    return np.asarray(cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, 5), np.float32)


# --- the faces


def test_there_are_sixty_four_faces_a_blank_and_a_back() -> None:
    assert set(NAMES) == {*CARDS, BLANK, BACK}
    assert len(NAMES) == 66


def test_every_face_is_another_and_in_grey_too(faces: dict[str, Picture]) -> None:
    small = {name: cv2.resize(grey(picture), (50, 50), interpolation=cv2.INTER_AREA) for name, picture in faces.items()}
    least = min((np.abs(small[one] - small[other]).mean(), one, other) for one, other in combinations(NAMES, 2))
    assert least[0] > 1.5, least


def test_no_face_looks_like_another_upside_down(faces: dict[str, Picture]) -> None:
    """Only its own middle may be the same either way round."""
    for one, other in combinations(CARDS, 2):
        turned = grey(faces[other])[::-1, ::-1]
        assert np.abs(grey(faces[one]) - turned).mean() > 1.5, (one, other)


@pytest.mark.parametrize("name", CARDS)
def test_the_ribbons_can_be_counted_at_a_hundred_pixels(name: str, faces: dict[str, Picture]) -> None:
    """Far out of focus: with ribbons of half the width they could not."""
    colour, shape, count = name.split("-")
    inside = cv2.erode(cv2.resize(shape_mask(shape, 10).astype(np.uint8), (SMALL, SMALL)), np.ones((5, 5), np.uint8))
    blurred = cv2.GaussianBlur(faces[name], (0, 0), 2.4).min(axis=2)
    halfway = (min(INKS[colour]) + 255) / 2
    white = (blurred > halfway) & (inside > 0)
    _, _, stats, _ = cv2.connectedComponentsWithStats(white.astype(np.uint8), connectivity=4)
    assert sum(stats[1:, cv2.CC_STAT_AREA] > 30) == int(count)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_ribbons_keep_to_the_shape_and_off_each_other(shape: str, count: int) -> None:
    """With their dark edges they leave a rim of colour, and colour between them."""
    # Of a card the marks are in order: the shape, then for each ribbon its edge and its white.
    edges = [one for one in card(f"red-{shape}-{count}")[1 : 1 + 2 * count : 2] if isinstance(one, DrawnMark)]
    side = round(SQUARE[0] * 20)
    ribbons = [np.asarray(painted((edge,), SQUARE, (side, side)).min(axis=2) < 128) for edge in edges]
    assert len(ribbons) == len(RIBBONS[shape][count]) == count
    rim = away_from(~shape_mask(shape))
    assert min(float(rim[ribbon].min()) for ribbon in ribbons) / 20 > 0.7
    for one, other in pairwise(ribbons):
        assert float(away_from(one)[other].min()) / 20 > 1.0


def test_inks_differ_in_grey() -> None:
    """So that blue and purple are apart in dim light, and for whoever sees no colours."""
    lightness = {name: 0.299 * red + 0.587 * green + 0.114 * blue for name, (red, green, blue) in INKS.items()}
    assert set(lightness) == set(DEEP) == set(COLOURS)
    assert min(abs(one - other) for one, other in combinations(lightness.values(), 2)) > 20
    assert lightness["yellow"] - lightness["purple"] > 120


@pytest.mark.parametrize("size", [SQUARE, SLEEVED])
def test_a_drop_tells_the_colour_and_nothing_else(size: Point) -> None:
    """It is the same on all sixteen cards of a colour, and without its colour still another than the others."""
    drops = {}
    side = round(11 * size[0] / SQUARE[0] * 240 / max(size))
    for colour in COLOURS:
        cut = [face_picture(name, 240, size)[:side, -side:] for name in CARDS if name.startswith(colour)]
        assert all(np.array_equal(cut[0], other) for other in cut)
        drops[colour] = grey(cut[0]) < 128
    for one, other in combinations(COLOURS, 2):
        assert (drops[one] ^ drops[other]).sum() > 25, (one, other)


@pytest.mark.parametrize("size", [SQUARE, SLEEVED])
def test_opposite_corners_are_the_same_turned(size: Point) -> None:
    for name in ("red-circle-3", "yellow-star-1"):
        picture = face_picture(name, 540, size).astype(int)
        turned = picture[::-1, ::-1]
        for corner in (np.s_[:130, :110], np.s_[:130, -110:]):
            assert np.abs(picture[corner] - turned[corner]).mean() < 3


@pytest.mark.parametrize("size", [SQUARE, SLEEVED])
def test_the_edge_of_every_card_is_white(size: Point) -> None:
    """Colour is judged against it, and its corners are cut round."""
    for name in NAMES:
        picture = face_picture(name, 200, size)
        border = round(2.2 * 200 / max(size))
        for strip in (picture[:border], picture[-border:], picture[:, :border], picture[:, -border:]):
            assert strip.min() > 250, name
        corner = round(RADIUS * 200 / max(size))
        assert picture[:corner, :corner].min() > 200 or name == BACK


@pytest.mark.parametrize("size", [SQUARE, SLEEVED])
def test_the_back_does_not_tell_which_way_round_it_lies(size: Point) -> None:
    picture = face_picture(BACK, 540, size).astype(int)
    assert np.abs(picture - picture[::-1, ::-1]).mean() < 1.5


def test_a_blank_is_nearly_white_and_a_back_is_dark(faces: dict[str, Picture]) -> None:
    assert faces[BLANK].mean() > 248
    assert grey(faces[BACK]).mean() < 130


@pytest.mark.parametrize(("pixels", "size", "shape"), [(16, SQUARE, (16, 16)), (600, SLEEVED, (600, 430))])
def test_a_face_is_as_large_as_asked(pixels: int, size: Point, shape: tuple[int, int]) -> None:
    picture = face_picture("blue-plus-2", pixels, size)
    assert picture.shape == (*shape, 3)
    assert picture.dtype == np.uint8


@pytest.mark.parametrize("name", ["green-circle-1", "red-circle-4", "", "red", "x" * 500])
def test_there_is_no_other_card(name: str) -> None:
    with pytest.raises(PrintError, match="There is no card"):
        card(name)


# --- drawing


def extent(drawing: Drawing) -> list[float]:
    points = np.array(
        [point for one in drawing if isinstance(one, DrawnMark) for path in one.paths for point in flattened(path)]
    )
    return [float(value) for value in np.round([*points.min(0), *points.max(0)], 2)]


def test_paths_are_where_they_should_be() -> None:
    assert extent((DrawnMark((disc((5, 6), 2),), BLACK),)) == [3, 4, 7, 8]
    assert extent((DrawnMark((rectangle((1, 2, 5, 8), 1.5),), BLACK),)) == [1, 2, 5, 8]
    assert extent((DrawnMark((wave((10, 5), 8, 1, 4),), None, BLACK, 1),)) == [6, 4, 14, 6]


def test_a_disc_is_round() -> None:
    distances = [np.hypot(x - 1, y - 2) for x, y in flattened(disc((1, 2), 10))]
    assert np.ptp(distances) < 0.01


def test_moving_turns_scales_and_then_moves() -> None:
    drawing = moved((DrawnMark((line((0, 0), (1, 0)),), None, BLACK, 0.5),), (10, 20), turn=90, scale=3)
    (mark,) = drawing
    assert isinstance(mark, DrawnMark)
    assert np.allclose(flattened(mark.paths[0]), [(10, 20), (10, 23)])
    assert mark.width == 1.5


def test_pixels_are_painted_to_scale_and_large_pictures_in_bands_without_seams() -> None:
    square = (DrawnMark((polygon([(10, 10), (50, 10), (50, 90), (10, 90)]),), BLACK),)
    for pixels in (100, 3000):
        picture = painted(square, (100, 100), (pixels, pixels))
        dark = (255 - picture[:, :, 0].astype(float)) / 255
        assert dark.sum() / pixels**2 == pytest.approx(0.4 * 0.8, rel=0.01)
        rows = dark[:, pixels * 3 // 10]
        assert (rows > 0.5).sum() == pytest.approx(0.8 * pixels, abs=1.5)
        assert np.all(np.diff(np.flatnonzero(rows > 0.5)) == 1)

"""The mat in pictures that are drawn here: whole, covered, turned, moved, twice, bent, mirrored, or not there."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn import SIZE, Dice, ground_drawn, mat_drawn, photographed, pose
from tests.vision.mats import fault, how_many_are_found, seen, true_cells
from vision.eye_errors import NoTableError, PictureError
from vision.frames import Picture
from vision.locate import find_table
from vision.markers import Finder
from vision.mat import LARGE, SMALL, Mat


def noisy(picture: Picture, dice: Dice, light: float = 1.0) -> Picture:
    return np.asarray(np.clip(picture * light + dice.normal(0, 4, picture.shape), 0, 255), np.uint8)


def pushed(picture: Picture, across: float, down: float) -> Picture:
    matrix = np.array(((1, 0, across), (0, 1, down)), np.float32)
    return np.asarray(cv2.warpAffine(picture, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def test_mats_are_found_to_a_fraction_of_a_pixel() -> None:
    found, faults = how_many_are_found(16)
    assert found == 16
    assert np.median(faults) < 0.5
    assert max(faults) < 3


@pytest.mark.parametrize("size", [(640, 480), (1920, 1080), (2592, 1944)])
def test_pictures_of_other_sizes(size: tuple[int, int]) -> None:
    view = seen(3, LARGE, (), size)
    assert fault(Finder().find(view.picture).cells, LARGE, view) < max(1.0, size[0] / 1280)


def test_it_says_which_marker_is_covered() -> None:
    assert (
        Finder().find(seen(1, SMALL, (3,)).picture).note
        == "I see 3 of 4 markers; the bottom left one is covered or cannot be made out."
    )


def test_two_markers_across_from_each_other_are_enough() -> None:
    view = seen(2, LARGE, (1, 3))
    table = Finder().find(view.picture)
    assert table.note == "I see 2 of 4 markers; the top right and bottom left ones are covered or cannot be made out."
    assert fault(table.cells, LARGE, view) < 4


def test_a_marker_beyond_the_edge_is_not_called_covered() -> None:
    view = seen(5)
    corner = view.shows(np.array((SMALL.markers[1].centre,), np.float32))[0]
    left, right = (0, int(corner[0])) if corner[0] > SIZE[0] / 2 else (int(corner[0]), SIZE[0])
    table = Finder().find(np.ascontiguousarray(view.picture[:, left:right]))
    assert "outside the picture" in table.note


@pytest.mark.parametrize(("covered", "left"), [((0, 1), "bottom right and bottom left"), ((0, 1, 2), "bottom left")])
def test_too_few_markers(covered: tuple[int, ...], left: str) -> None:
    with pytest.raises(
        NoTableError, match=rf"I see {4 - len(covered)} of 4 markers \({left}\); uncover three"
    ) as error:
        Finder().find(seen(6, SMALL, covered).picture)
    assert str(error.value).count(".") == 1


def test_no_mat_at_all() -> None:
    dice = np.random.default_rng(1)
    with pytest.raises(NoTableError, match="I see no marker of a mat; move the mat"):
        Finder().find(ground_drawn(SIZE, "wood", dice))


def side_by_side(left: Mat, right: Mat) -> Picture:
    dice = np.random.default_rng(8)
    half = (SIZE[0] // 2, SIZE[1])
    both = [
        photographed(
            mat_drawn(mat, (), dice), ground_drawn(half, "felt", dice), pose(mat.size, half, dice, turn=10), dice
        ).picture
        for mat in (left, right)
    ]
    return np.hstack(both)


def test_two_mats() -> None:
    with pytest.raises(NoTableError, match="I see two mats, the small and the large one; take one of them away"):
        Finder().find(side_by_side(SMALL, LARGE))


def test_the_same_mat_twice() -> None:
    with pytest.raises(NoTableError, match="I see more than one small mat; take all but one of them away"):
        Finder().find(side_by_side(SMALL, SMALL))


def test_a_mirror_image() -> None:
    with pytest.raises(NoTableError, match="mirror image"):
        Finder().find(np.ascontiguousarray(seen(9).picture[:, ::-1]))


def test_a_mat_that_does_not_lie_flat() -> None:
    picture = seen(4, LARGE).picture
    rows, columns = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
    bent = np.asarray(cv2.remap(picture, columns, rows + 9 * np.sin(columns / 90), cv2.INTER_LINEAR), np.uint8)
    assert "does not lie flat" in Finder().find(bent).note


def test_nothing_is_searched_while_nothing_moves() -> None:
    dice, view, finder = np.random.default_rng(1), seen(10), Finder()
    table = finder.find(view.picture)
    for light in (1.0, 0.9, 0.7):
        assert finder.find(noisy(view.picture, dice, light)) is table


@pytest.mark.parametrize("push", [(1, 0), (0, -2), (7, 5), (-150, 20)])
def test_a_nudge_is_noticed(push: tuple[int, int]) -> None:
    finder = Finder()
    view = seen(11)
    before = finder.find(view.picture).cells
    after = finder.find(pushed(view.picture, *push)).cells
    assert np.abs(after - before - push).max() < 0.5


def test_a_hand_on_two_markers_does_not_lose_a_table_that_is_known() -> None:
    view, finder = seen(12), Finder()
    before = finder.find(view.picture).cells
    hidden = view.picture.copy()
    for marker in SMALL.markers[:2]:
        x, y = view.shows(np.array((marker.centre,), np.float32))[0]
        cv2.circle(hidden, (round(float(x)), round(float(y))), 50, (110, 140, 190), -1)
    table = finder.find(hidden)
    assert np.abs(table.cells - before).max() < 0.5
    assert table.note == "I see 2 of 4 markers; the top left and top right ones are covered or cannot be made out."
    assert finder.find(view.picture).note == ""


def test_another_mat_after_the_first() -> None:
    finder = Finder()
    assert finder.find(seen(13).picture).mat is SMALL
    assert finder.find(seen(13, LARGE).picture).mat is LARGE


def test_a_finder_that_lost_the_mat_finds_it_again() -> None:
    view, finder = seen(14), Finder()
    before = finder.find(view.picture).cells
    with pytest.raises(NoTableError):
        finder.find(np.zeros_like(view.picture))
    assert np.abs(finder.find(view.picture).cells - before).max() < 0.1


def test_pictures_of_another_size_in_between() -> None:
    finder = Finder()
    finder.find(seen(15).picture)
    small = seen(15, SMALL, (), (640, 480))
    assert fault(finder.find(small.picture).cells, SMALL, small) < 1


def test_the_table_by_whatever_there_is() -> None:
    view = seen(16)
    assert find_table(view.picture).how == "markers"
    corners = true_cells(SMALL, view)[(0, 2, 8, 6), (0, 1, 2, 3)]
    assert find_table(view.picture, corners=corners).how == "corners"


def test_neither_mat_nor_cards() -> None:
    ground = ground_drawn(SIZE, "wood", np.random.default_rng(3))
    with pytest.raises(
        NoTableError, match="I see no marker of a mat, and no nine cards in three rows; lay the mat"
    ) as e:
        find_table(ground)
    assert str(e.value).count(".") == 1


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((720, 1280), np.uint8),
        np.zeros((720, 1280, 4), np.uint8),
        np.zeros((720, 1280, 3), np.float32),
        np.zeros((10, 10, 3), np.uint8),
        np.zeros((0, 0, 3), np.uint8),
    ],
)
def test_what_is_no_picture(picture: Picture) -> None:
    with pytest.raises(PictureError, match=r"^(This is not a picture|The picture is only)"):
        find_table(picture)

"""The annotated picture: nothing of a card is hidden, everything that was read is there, whatever the picture is."""

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.laid import Camera, Shot, seen, some_cards
from vision import overlay
from vision.cells import side_of
from vision.deck import CARDS, STATES, State
from vision.frames import Picture, Points
from vision.lettering import DOUBT, NONE, SURE
from vision.locate import TableView
from vision.mat import LARGE, SMALL, Mat
from vision.overlay import LONGEST, overlaid, percent
from vision.reader import Reading

WHY = "glare hides a part of it: red or purple, 1 or 2?"


def readings(truth: tuple[str, ...] = CARDS[:9], **others: State) -> list[Reading]:
    """Everything read, but for cells such as `cell_3="empty"`."""
    found = [Reading(at + 1, "card", card, 0.9991 - at / 100, "", ((card, 0.99),)) for at, card in enumerate(truth)]
    for name, state in others.items():
        at = int(name[-1]) - 1
        found[at] = Reading(at + 1, state, None, 0.71, WHY, ((truth[at], 0.71), (CARDS[63], 0.2)))
    return found


@cache
def shot_of(turn: float = 0, mat: Mat = SMALL, fill: float = 0.9) -> Shot:
    dice = np.random.default_rng(4)
    return seen(some_cards(dice), dice, Camera(turn=turn, fill=fill), mat)


def table_of(shot: Shot, mat: Mat | None = SMALL, note: str = "") -> TableView:
    return TableView(shot.cells, "markers" if mat else "cards", mat, note)


def view_of(whole: Picture, shot: Shot, table: TableView) -> tuple[Picture, Picture, Points]:
    """The part of the annotated picture that is the picture, the same without annotations, and its cells."""
    plain, cells = overlay._view(shot.picture, table)
    top = (whole.shape[0] - plain.shape[0]) // 2
    return whole[top : top + plain.shape[0], : plain.shape[1]], plain, cells


def inside(corners: Points, share: float) -> Points:
    middle = corners.mean(0)
    return np.asarray((corners - middle) * share + middle, np.float32)


# --- nothing is hidden -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 90, 20, *(pytest.param(turn, marks=pytest.mark.long) for turn in (180, 45))])
@pytest.mark.parametrize("mat", [SMALL, LARGE], ids=["small", "large"])
def test_no_card_is_hidden(mat: Mat, turn: float) -> None:
    shot = shot_of(turn, mat)
    table = table_of(shot, mat)
    drawn, plain, cells = view_of(overlaid(shot.picture, table, readings(cell_2="unclear", cell_5="hand")), shot, table)
    cards = np.zeros(plain.shape[:2], np.uint8)
    for corners in cells:
        # A card as long and as wide as is made for this mat, without the outermost two millimetres.
        across, down = ((side - 4) / mat.sight for side in mat.card)
        square = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)), np.float32)
        matrix = cv2.getPerspectiveTransform(square, corners)
        card = cv2.perspectiveTransform((square * (across, down)).reshape(1, 4, 2).astype(np.float32), matrix)
        cv2.fillPoly(cards, [np.round(card).astype(np.int32)], 255)
    changed = (drawn != plain).any(2) & (cards > 0)
    assert changed.sum() <= 0.012 * (cards > 0).sum()
    assert (drawn != plain).any()


def test_the_picture_itself_is_left_alone() -> None:
    shot = shot_of()
    before = shot.picture.copy()
    overlaid(shot.picture, table_of(shot), readings())
    assert (shot.picture == before).all()


# --- everything is there ---------------------------------------------------------------------------------------


def near(picture: Picture, point: Points, reach: int = 6) -> Picture:
    x, y = round(float(point[0])), round(float(point[1]))
    return picture[max(0, y - reach) : y + reach, max(0, x - reach) : x + reach]


def has(picture: Picture, ink: tuple[int, int, int]) -> bool:
    return bool((np.abs(picture.astype(int) - ink[::-1]).max(2) < 12).any())


def frames(table: TableView, cells: Points) -> Iterator[Points]:
    for corners in cells:
        yield overlay._around(corners, overlay._frame(table))


def test_a_frame_has_the_colour_of_how_sure_it_is() -> None:
    shot = shot_of()
    table = table_of(shot)
    drawn, _, cells = view_of(overlaid(shot.picture, table, readings(cell_2="unclear", cell_3="empty")), shot, table)
    corners = [near(drawn, frame[2]) for frame in frames(table, cells)]
    assert has(corners[0], SURE)
    assert has(corners[1], DOUBT)
    assert has(corners[2], NONE)
    assert not has(corners[1], SURE)


def test_markers_are_outlined_where_they_are() -> None:
    shot = shot_of(turn=30)
    table = table_of(shot)
    drawn, _, cells = view_of(overlaid(shot.picture, table, readings()), shot, table)
    for corners in overlay._markers(table, cells):
        assert all(has(near(drawn, corner), overlay.MARKER) for corner in corners)
        black = drawn[tuple(np.round(inside(corners, 0.86)[0]).astype(int)[::-1])]
        assert black.max() < 90


def test_cards_are_told_apart_by_their_signs() -> None:
    signs = {card: overlay._sign(Reading(1, "card", card, 0.99), 28) for card in CARDS}
    assert len({sign.tobytes() for sign in signs.values()}) == len(CARDS)


@pytest.mark.parametrize("state", STATES)
def test_every_state_has_a_sign_and_words(state: State) -> None:
    card = CARDS[5] if state == "card" else None
    for guess in ((), ((CARDS[5], 0.7),)):
        one = Reading(1, state, card, 0.7, "" if card else WHY, guess)
        assert overlay._sign(one, 28).shape[0] == 28
        assert has(overlay._sign(one, 28), overlay._ink(one))
        assert overlay._face(one, 100).shape == (100, 100, 3)
        words = [line.text for line in overlay._words(one)]
        assert words
        assert card is not None or " ".join(words[1:]) == WHY


def test_the_note_and_the_name_are_written() -> None:
    shot = shot_of()
    plain = overlaid(shot.picture, table_of(shot), readings())
    noted = overlaid(
        shot.picture,
        table_of(shot, note="I see 3 of 4 markers; the top left one is covered or cannot be made out."),
        readings(),
    )
    named = overlaid(shot.picture, table_of(shot), readings(), "Küche → 3×3.jpg")
    assert not np.array_equal(plain, noted)
    assert not np.array_equal(plain, named)


def test_never_quite_sure() -> None:
    assert [percent(share) for share in (1.0, 0.99999, 0.987, 0.712, 0.0)] == ["99.9%", "99.9%", "98.7%", "71%", "0%"]


# --- any picture -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (3000, 2250)])
def test_small_pictures_are_enlarged_and_large_ones_made_smaller(size: tuple[int, int]) -> None:
    shot = shot_of()
    factor = min(size[0] / 1280, size[1] / 720)
    picture = np.asarray(cv2.resize(shot.picture, size), np.uint8)
    whole = overlaid(picture, TableView(shot.cells * np.float32(factor), "cards"), readings())
    assert max(whole.shape) <= LONGEST + overlay.WIDTH * overlay.LARGEST + 1
    assert min(whole.shape[:2]) >= 600


def test_cells_that_reach_out_of_the_picture() -> None:
    shot = shot_of()
    picture = np.ascontiguousarray(shot.picture[150:600, 480:800])
    cells = shot.cells - np.array((480, 150), np.float32)
    table = TableView(cells, "corners")
    assert min(side_of(corners) for corners in cells) > 0
    assert overlaid(picture, table, readings(cell_1="unclear", cell_9="foreign")).size


def test_opposite_pictures_stay_upright() -> None:
    """A tag is at the top of its frame, whichever side of the cell that is."""
    for turn in (0, 90, 180, 270):
        shot = shot_of(turn)
        frame = overlay._around(shot.cells[4], overlay._gap(table_of(shot)))
        x, y, slope = overlay._top(frame)
        assert abs(slope) < 5
        assert y == pytest.approx(np.sort(frame[:, 1])[:2].mean(), abs=1.0)
        assert x == pytest.approx(frame[:, 0].mean(), abs=0.1 * side_of(frame))

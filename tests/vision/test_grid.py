"""Nine cards without a mat, on tables that are drawn here."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.amounts import amounts
from tests.vision.drawn import GROUNDS, INKS, SIZE, Laying, View, cards_photographed, ground_drawn
from tests.vision.grids import is_found, judged, laid
from vision.eye_errors import NoTableError
from vision.frames import Picture, Points
from vision.grid import PLACES, NoCardsError, Place, _cells, _grown, by_cards
from vision.locate import find_table
from vision.outlines import CardOutline


@amounts("tables", 5, 16)
def test_nine_cards_on_many_tables(tables: int) -> None:
    assert sum(is_found(*laid(seed)) for seed in range(tables)) >= tables - 1


PLAIN = Laying(gap=0.2, shadow=False)


@pytest.mark.parametrize(
    "laying",
    [
        replace(PLAIN, card=(54, 54)),
        replace(PLAIN, card=(88, 57)),
        replace(PLAIN, frame=True),
        replace(PLAIN, paper=INKS[0]),
        replace(PLAIN, paper=INKS[1]),
        replace(PLAIN, gap=0.8),
        replace(PLAIN, gap=0.04, slip=0.005, twist=0.5),
        replace(PLAIN, gap=0.35, twist=6),
    ],
    ids=["square", "across", "framed", "red", "blue", "far apart", "close together", "carelessly"],
)
@amounts("tables", 1, 3)
def test_cards_and_ways_of_laying_them(laying: Laying, tables: int) -> None:
    assert sum(is_found(*laid(seed, laying)) for seed in range(tables)) == tables


@amounts("tables", 3, 8)
def test_cards_that_touch(tables: int) -> None:
    touching = replace(PLAIN, gap=0.005, slip=0.004, twist=0.3)
    assert sum(is_found(*laid(seed, touching)) for seed in range(tables)) >= tables - 1


@pytest.mark.parametrize("size", [(640, 480), (720, 1280), pytest.param((2592, 1944), marks=pytest.mark.long)])
def test_pictures_of_other_sizes(size: tuple[int, int]) -> None:
    assert is_found(*laid(4, PLAIN, size))


@pytest.mark.parametrize("missing", [0, 4, 5, 7])
def test_a_place_without_a_card_follows_from_the_others(missing: int) -> None:
    view, cards = laid(21, replace(PLAIN, missing=(missing,), slip=0, twist=0))
    table = by_cards(view.picture)
    assert judged(table.cells, cards).is_good
    names = {0: "top left", 4: "middle", 5: "middle right", 7: "bottom middle"}
    assert table.note == f"I see 8 of 9 cards; the others tell where the {names[missing]} place is."


@pytest.mark.parametrize("turns", range(4))
def test_order_is_as_seen_upright(turns: int) -> None:
    view, cards = laid(22, PLAIN, turn=5)
    picture = np.ascontiguousarray(np.rot90(view.picture, turns))
    middles = by_cards(picture).cells.mean(axis=1)
    for index, middle in enumerate(middles):
        row, column = index // 3, index % 3
        assert (middles[row * 3 + 2] - middle)[0] >= -1
        assert (middles[6 + column] - middle)[1] >= -1
    assert len(cards) == 9


def test_cells_are_clockwise_from_the_top_left() -> None:
    view, _ = laid(23, PLAIN, turn=5)
    for cell in by_cards(view.picture).cells:
        assert cell[0, 0] < cell[1, 0]
        assert cell[0, 1] < cell[3, 1]
        assert cv2.contourArea(cell, oriented=True) > 0


def test_more_than_nine_cards() -> None:
    dice = np.random.default_rng(1)
    picture = ground_drawn(SIZE, "felt", dice)
    for row in range(3):
        for column in range(4):
            x, y = 250 + column * 150, 60 + row * 210
            cv2.rectangle(picture, (x, y), (x + 120, y + 180), (245, 245, 245), -1)
    with pytest.raises(NoTableError, match="I see 12 cards in rows and columns, and a table has nine"):
        by_cards(picture)


def test_a_bare_table() -> None:
    for seed, kind in enumerate(GROUNDS):
        with pytest.raises(NoCardsError, match="no three rows of three"):
            by_cards(ground_drawn(SIZE, kind, np.random.default_rng(seed)))


def checked_drawn(dice: np.random.Generator, turn: float, square: int = 46) -> Picture:
    """A checked cloth: white, coloured, and half of each where one thread crosses the other."""
    down, across = np.mgrid[: SIZE[1], : SIZE[0]]
    cosine, sine = np.cos(turn), np.sin(turn)
    lines = [np.floor((across * cosine + down * sine) / square) % 2, np.floor((down * cosine - across * sine) / square)]
    share = ((lines[0] + lines[1] % 2) / 2)[:, :, None]
    colour = np.array(((60, 45, 140), (120, 60, 30), (60, 110, 40))[dice.integers(3)])
    return np.asarray(
        np.clip(share * colour + (1 - share) * 218 + dice.normal(0, 3, (*SIZE[::-1], 1)), 0, 255), np.uint8
    )


def is_right_or_refused(view: View, cards: Points) -> bool:
    try:
        return judged(by_cards(view.picture).cells, cards).aside < 0.5
    except NoTableError:
        return True


@amounts("cloths", 2, 6)
def test_the_squares_of_a_cloth_are_no_cards(cloths: int) -> None:
    found = 0
    for seed in range(cloths):
        dice = np.random.default_rng(seed)
        view, cards = cards_photographed(PLAIN, checked_drawn(dice, seed / 6), dice, turn=20, noise=2)
        assert is_right_or_refused(view, cards)
        found += is_found(view, cards)
    assert found >= cloths - 1


@pytest.mark.parametrize("square", [46, pytest.param(70, marks=pytest.mark.long), 110, 180])
def test_a_bare_checked_cloth_is_no_table(square: int) -> None:
    with pytest.raises(NoTableError):
        by_cards(checked_drawn(np.random.default_rng(square), 0.2, square))


def test_nine_plain_squares_are_no_cards() -> None:
    picture = ground_drawn(SIZE, "felt", np.random.default_rng(1))
    for row in range(3):
        for column in range(3):
            x, y = 330 + column * 200, 60 + row * 200
            cv2.rectangle(picture, (x, y), (x + 150, y + 150), (245, 245, 245), -1)
    with pytest.raises(NoCardsError):
        by_cards(picture)


@amounts("tables", 2, 6)
def test_white_cards_on_a_white_table(tables: int) -> None:
    found = 0
    for seed in range(tables):
        dice = np.random.default_rng(seed)
        ground = np.asarray(np.clip(dice.normal(226, 2, (*SIZE[::-1], 1)) + (4, 0, -6), 0, 255), np.uint8)
        view, cards = cards_photographed(PLAIN, ground, dice, turn=20, noise=2)
        assert is_right_or_refused(view, cards)
        found += is_found(view, cards)
    assert found >= tables - 1


def test_a_sheet_of_paper_is_no_table() -> None:
    picture: Picture = ground_drawn(SIZE, "wood", np.random.default_rng(2))
    cv2.rectangle(picture, (300, 100), (900, 600), (240, 240, 240), -1)
    with pytest.raises(NoCardsError):
        by_cards(picture)


def test_cards_are_the_second_choice() -> None:
    view, cards = laid(24, PLAIN)
    table = find_table(view.picture)
    assert table.how == "cards"
    assert table.note == "I see no marker of a mat; I go by the cards."
    assert find_table(view.picture, mat=False).note == ""
    assert judged(table.cells, cards).is_good


def cards_apart(step: float, held: float) -> dict[Place, CardOutline]:
    """Outlines of nine cards 100 pixels wide, so many cards from each other; the one in the middle is nearer."""
    found = {}
    for row, column in PLACES:
        side = 100 * (held if (row, column) == (1, 1) else 1)
        ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * side / 2
        corners = ring + np.array([150 + column * step * 100, 150 + row * step * 100], np.float32)
        found[row, column] = CardOutline(corners, corners, 1.0)
    return found


@pytest.mark.parametrize(("step", "held"), [(0.8, 1.0), (0.8, 1.25), (0.9, 1.2)])
def test_cards_nearer_to_each_other_than_they_are_wide_are_none(step: float, held: float) -> None:
    """A grid at half the pitch: what is on the cards, or between them, was taken for cards."""
    with pytest.raises(NoCardsError, match="not in three rows"):
        _cells(cards_apart(step, held), (640, 640))


def test_cards_that_touch_are_cards() -> None:
    cells, places = _cells(cards_apart(1.0, 1.0), (640, 640))
    assert len(places) == 9
    assert cells[4].mean(0) == pytest.approx((250, 250), abs=2)


def test_rows_and_columns_go_on_behind_a_card_that_was_not_seen() -> None:
    apart = cards_apart(1.3, 1.0)
    seen = [apart[place] for place in ((0, 0), (0, 2), (1, 2), (2, 2), (2, 0))]
    assert set(_grown(seen[0], seen)) == {(0, 0), (0, 2), (1, 2), (2, 2), (2, 0)}

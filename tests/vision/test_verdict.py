"""The picture that explains a ruling: nothing runs out of it or over anything, and it can do without colour."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.laid import Camera, Shot, seen, some_cards
from vision import lettering, verdict
from vision.board import card_picture, frame_cell, laid_board, line_ends, mark_line, veil
from vision.cells import cut
from vision.deck import CARDS
from vision.eye_errors import PictureError
from vision.frames import Picture
from vision.lettering import CAPITAL, PAPER, Align, Pen, wide
from vision.signs import INK_OF, KINDS, VALUES, Kind, arrow, badge, line_sign, stamp, symbol
from vision.verdict import Triple, Verdict, dispute_page, drawn_verdict, marked_board

SIZES = [
    *((800, 480), (720, 1280), (480, 320)),
    *(pytest.param(size, marks=pytest.mark.long) for size in ((1280, 720), (1920, 1080), (1024, 600))),
]
GRID = CARDS[3:12]
LONG = (
    "Die Karte deckt die gelbe Raute mit drei Wellen; die mittlere Reihe hat danach dreimal den Stern: das genügt.",
    "Vorher hatte sie gemeinsam, dass auf jeder Karte etwas Gelbes war, und zwei Wellen, und das zählt nicht.",
    "Außerdem hat die fallende Diagonale noch die Anzahl 2 gemeinsam; das war aber schon vorher so.",
    "Gesehen in drei Bildern nacheinander, Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenträgerverein.",
)
FOUR = (
    Triple((4, 5, 6), "star", ("2", "yellow")),
    Triple((1, 5, 9), "2"),
    Triple((2, 5, 8), "star", ("star",)),
    Triple((7, 5, 3), "purple", ("blue",)),
)


def short(kind: Kind = "legal", cell: int = 5) -> Verdict:
    triples = (Triple((4, 5, 6), "star"),) if kind == "legal" else ()
    return Verdict(kind, cell, GRID[cell - 1], CARDS[40], GRID, "Cell 5", ("A sentence.",), triples)


def long(kind: Kind = "legal") -> Verdict:
    return replace(
        short(kind),
        title="Gültig: der violette Stern mit zwei Wellen auf die gelbe Raute mit drei Wellen in der Mitte",
        lines=LONG,
        triples=FOUR,
        when="Minute 12:03,4 · Bild 21 402",
        margin="99,8 % sicher, drei Bilder",
        guess="Vermutlich Annemarie-Charlotte: der Arm kam von der rechten Seite des Tisches.",
    )


def unknown() -> Verdict:
    return replace(short("unsure"), card=None, covered=None, grid=(None,) * 9)


@cache
def shot() -> Shot:
    dice = np.random.default_rng(4)
    return seen(some_cards(dice), dice, Camera(turn=0))


def photographed() -> Verdict:
    squares = tuple(cut(shot().picture, shot().cells))
    return replace(long("illegal"), before=squares[3], after=squares[4], squares=squares)


def grey(ink: tuple[int, int, int]) -> float:
    return float(np.dot(ink, (0.299, 0.587, 0.114)))


# --- where things are ------------------------------------------------------------------------------------------

Box = tuple[float, float, float, float]


@dataclass
class Placed:
    """What was put on a page of this size, as boxes."""

    size: tuple[int, int]
    words: list[Box] = field(default_factory=list)
    tiles: list[Box] = field(default_factory=list)


@pytest.fixture
def placed(monkeypatch: pytest.MonkeyPatch) -> Callable[[tuple[int, int]], Placed]:
    def of(size: tuple[int, int]) -> Placed:
        page, real_write, real_paste = Placed(size), lettering.write, lettering.paste

        def write(
            canvas: Picture,
            text: str,
            at: tuple[float, float],
            letter: float,
            ink: tuple[int, int, int],
            align: Align = "left",
            pen: Pen | None = None,
        ) -> None:
            if canvas.shape[:2] == size[::-1]:
                high = CAPITAL * letter
                page.words.append((at[0], at[1] - high / 2, at[0] + wide(text, letter, pen), at[1] + high / 2))
            real_write(canvas, text, at, letter, ink, align, pen)

        def paste(canvas: Picture, tile: Picture, left: int, top: int) -> None:
            if canvas.shape[:2] == size[::-1]:
                page.tiles.append((left, top, left + tile.shape[1], top + tile.shape[0]))
            real_paste(canvas, tile, left, top)

        monkeypatch.setattr(lettering, "write", write)
        monkeypatch.setattr(verdict, "paste", paste)
        return page

    return of


def overlap(one: Box, two: Box, by: float = 1) -> bool:
    return one[0] + by < two[2] and two[0] + by < one[2] and one[1] + by < two[3] and two[1] + by < one[3]


def must_be_tidy(page: Placed, insets: int = 0) -> None:
    """Inside, and nothing over anything, but for a small card on a cut-out."""
    width, height = page.size
    assert page.words
    for left, top, right, bottom in page.words + page.tiles:
        assert left >= 0
        assert top >= 0
        assert right <= width
        assert bottom <= height
    for one, two in combinations(page.words, 2):
        assert not overlap(one, two)
    for words in page.words:
        for tile in page.tiles:
            assert not overlap(words, tile)
    assert sum(overlap(one, two) for one, two in combinations(page.tiles, 2)) == insets


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("made", [short, long, unknown, photographed])
def test_nothing_runs_out_or_over_anything(
    made: Callable[[], Verdict], size: tuple[int, int], placed: Callable[[tuple[int, int]], Placed]
) -> None:
    page = placed(size)
    assert drawn_verdict(made(), size).shape == (size[1], size[0], 3)
    must_be_tidy(page, insets=2 if made is photographed else 0)


@pytest.mark.parametrize("size", SIZES)
def test_nothing_runs_out_of_a_page_of_disputes(
    size: tuple[int, int], placed: Callable[[tuple[int, int]], Placed]
) -> None:
    page = placed(size)
    dispute_page([long(), *(short(kind) for kind in KINDS), unknown(), photographed()], size)
    must_be_tidy(page)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cell", range(1, 10))
def test_every_kind_on_every_cell(kind: Kind, cell: int) -> None:
    board = marked_board(short(kind, cell), 300)
    plain = laid_board(GRID, (), 300)
    left, top, right, bottom = np.clip(board.box(cell), 0, 300)
    assert (board.picture != plain.picture)[top:bottom, left:right].any()


def test_letters_are_large_enough(placed: Callable[[tuple[int, int]], Placed]) -> None:
    """Capitals of a short verdict at 1280 × 720; 12 pixels are 2 mm on a ten inch screen."""
    page = placed((1280, 720))
    drawn_verdict(replace(short(), lines=("The middle row is now star, star, star; it was not before.",)))
    assert min(bottom - top for _, top, _, bottom in page.words) >= 18


# --- the board -------------------------------------------------------------------------------------------------


def changed(one: Picture, two: Picture) -> Picture:
    return np.asarray((one != two).any(2), np.uint8)


@pytest.mark.parametrize("cells", [(1, 2, 3), (4, 5, 6), (1, 4, 7), (3, 6, 9), (1, 5, 9), (7, 5, 3)])
@pytest.mark.parametrize("is_new", [True, False])
def test_a_line_goes_through_the_middles_of_its_three_cells(cells: tuple[int, int, int], *, is_new: bool) -> None:
    plain, board = laid_board(GRID, (), 360), laid_board(GRID, (), 360)
    mark_line(board, cells, INK_OF["legal"], is_new=is_new)
    mask = changed(plain.picture, board.picture)
    assert np.allclose(np.argwhere(mask).mean(0)[::-1], board.middles[cells[1] - 1], atol=8)
    first, last = line_ends(board, cells)
    shares = {}
    for cell in range(1, 10):
        left, top, right, bottom = board.box(cell)
        shares[cell] = mask[top:bottom, left:right].mean()
        away = board.middles[cell - 1] - first
        aside = abs(np.cross(np.append(last - first, 0), np.append(away, 0))[2]) / np.linalg.norm(last - first)
        assert (aside < 1) == (cell in cells)
    assert set(sorted(shares, key=lambda cell: -shares[cell])[:3]) == set(cells)


def test_a_line_that_was_there_before_leaves_what_is_drawn_on_the_cards_alone() -> None:
    plain, board = laid_board(GRID, (), 360), laid_board(GRID, (), 360)
    mark_line(board, (2, 5, 8), INK_OF["legal"], is_new=False)
    for cell in range(1, 10):
        left, top, right, bottom = board.box(cell, 0.6)
        assert (plain.picture[top:bottom, left:right] == board.picture[top:bottom, left:right]).all()


def test_what_is_between_the_rails_keeps_its_colours() -> None:
    plain, board = laid_board(GRID, (), 360), laid_board(GRID, (), 360)
    mark_line(board, (4, 5, 6), INK_OF["legal"])
    x, y = board.middles[4].astype(int)
    assert (plain.picture[y - 5 : y + 5, x - 40 : x + 40] == board.picture[y - 5 : y + 5, x - 40 : x + 40]).all()


def test_other_cells_step_back() -> None:
    plain, board = laid_board(GRID, (), 360), laid_board(GRID, (), 360)
    veil(board, (4, 5, 6))
    assert (plain.picture[125:235] == board.picture[125:235]).all()
    assert board.picture[:115].std() < 0.6 * plain.picture[:115].std()


def test_a_frame_is_whole_or_broken() -> None:
    shares = []
    for is_broken in (False, True):
        board = laid_board(GRID, (), 360)
        frame_cell(board, 5, INK_OF["illegal"], is_broken=is_broken)
        shares.append((board.picture == INK_OF["illegal"][::-1]).all(2).sum())
    assert 0.35 < shares[1] / shares[0] < 0.75


def test_cut_outs_come_before_drawn_cards() -> None:
    square: Picture = np.full((96, 96, 3), (10, 200, 30), np.uint8)
    board = laid_board(GRID, (square, *[None] * 8), 300)
    assert (board.picture[50, 50] == (10, 200, 30)).all()
    assert (card_picture(GRID[0], square, 40) == (10, 200, 30)).all()
    assert not np.array_equal(card_picture(None, None, 40), card_picture(GRID[0], None, 40))


def test_nothing_is_drawn_on_what_was_handed_in() -> None:
    given = photographed()
    assert given.before is not None
    squares = [square for square in given.squares if square is not None]
    before = given.before.copy(), [square.copy() for square in squares]
    drawn_verdict(given, (640, 360))
    dispute_page([given], (640, 360))
    assert (given.before == before[0]).all()
    assert (np.array(squares) == np.array(before[1])).all()


# --- told without colour, and without words ------------------------------------------------------------------


def test_verdicts_differ_in_grey() -> None:
    greys = [grey(INK_OF[kind]) for kind in ("legal", "illegal", "unsure")]
    assert min(abs(one - two) for one, two in combinations(greys, 2)) >= 35
    assert all(grey(PAPER) - grey(ink) >= 80 for ink in INK_OF.values())


def test_badges_differ_in_form() -> None:
    forms = []
    for kind in KINDS:
        is_ink = (badge(kind, 64).astype(int) - INK_OF[kind][::-1] == 0).all(2)
        forms.append(is_ink)
    for one, two in combinations(forms, 2):
        assert (one != two).sum() > 150


def test_symbols_differ_in_grey() -> None:
    greys = [cv2.cvtColor(symbol(value, 64), cv2.COLOR_BGR2GRAY).astype(int) for value in VALUES]
    for one, two in combinations(greys, 2):
        assert (abs(one - two) > 40).sum() > 60


def test_signs_say_which_line_and_which_cell() -> None:
    ink = INK_OF["legal"]
    signs = [line_sign(cells, cell, 64, ink) for cells in ((1, 2, 3), (1, 5, 9)) for cell in cells]
    assert all((one != two).any() for one, two in combinations(signs, 2))
    assert (arrow(40) != PAPER[::-1]).any()


def test_a_stamp_leaves_what_is_around_it() -> None:
    dice = np.random.default_rng(2)
    picture: Picture = dice.integers(0, 256, (100, 100, 3), np.uint8)
    before = picture.copy()
    stamp(picture, "legal", 40, (50, 50))
    assert (picture[28:33, 28:33] == before[28:33, 28:33]).all()
    assert (picture[50, 35] == INK_OF["legal"][::-1]).all()
    stamp(picture, "illegal", 40, (99, 0))  # moved inside
    assert (picture[20, 65] == INK_OF["illegal"][::-1]).all()


def test_every_part_can_be_seen() -> None:
    plain = drawn_verdict(short())
    for other in (
        replace(short(), title="Cell 6"),
        replace(short(), lines=("Another.",)),
        replace(short(), when="0:03"),
        replace(short(), margin="98 % sure"),
        replace(short(), guess="Eva"),
        replace(short(), covered=CARDS[41]),
        replace(short(), triples=(Triple((4, 5, 6), "star", ("2",)),)),
        replace(short(), triples=(Triple((4, 5, 6), "star", ("star",)),)),
        replace(short(), triples=(Triple((4, 5, 6), "star", ("red", "1", "2")),)),
    ):
        assert (drawn_verdict(other) != plain).any()


def test_the_newest_are_shown_where_there_is_no_room_for_all() -> None:
    many = [replace(short(), title=f"Play {number}") for number in range(30)]
    assert (dispute_page(many, (800, 480)) == dispute_page(many[:15], (800, 480))).all()
    assert (dispute_page(many[1:], (800, 480)) != dispute_page(many, (800, 480))).any()
    assert dispute_page([], (800, 480)).shape == (480, 800, 3)


# --- refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "maybe"}, "'maybe' is no kind of verdict"),
        ({"cell": 10}, "There is no cell 10; the cells are 1 to 9"),
        ({"card": "green-star-9"}, "There is no card 'green-star-9'"),
        ({"grid": GRID[:8]}, "The grid has 8 cards instead of 9"),
        ({"squares": (None,) * 3}, "There are 3 cut-outs; give one for each"),
        ({"before": np.zeros((4, 5, 3), np.uint8)}, "A cut-out of a cell is as wide as it is high"),
    ],
)
def test_a_verdict_that_cannot_be_drawn_is_refused(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(PictureError, match=said):
        replace(short(), **wrong)


def test_a_line_that_is_none_is_refused() -> None:
    for cells in ((1, 1, 2), (1, 2, 4), (0, 1, 2), (8, 9, 10)):
        with pytest.raises(PictureError, match="is no line; name the three cells of a row"):
            Triple(cells, "star")
    with pytest.raises(PictureError, match="'green' is no colour, shape or count"):
        Triple((1, 2, 3), "green")
    with pytest.raises(PictureError, match="'green' is no colour, shape or count"):
        symbol("green", 10)


@pytest.mark.parametrize(
    "draw", [lambda size: drawn_verdict(short(), size), lambda size: dispute_page([short()], size)]
)
def test_a_size_that_nobody_can_read_is_refused(draw: Callable[[tuple[int, int]], Picture]) -> None:
    with pytest.raises(PictureError, match="100 × 90 pixels are too few to be read"):
        draw((100, 90))

"""The printed sheets, measured: the PDF is drawn by another program and looked at with a ruler."""

from collections.abc import Callable, Sequence
from itertools import chain, combinations, product
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.triple3.paper import PAPER
from vision import sheets
from vision.card_drawing import SLEEVED, SQUARE, face_picture
from vision.deck import CARDS
from vision.drawing import DrawnMark, DrawnWords, Ink, Path, PrintedPage, flattened, moved
from vision.eye_errors import PrintError
from vision.lattice_marks import LINE
from vision.mat import COLUMNS, LARGE, LATTICE, MATS, NINE, PAPER_PATCH, SMALL, Mat, Point
from vision.pdf import pdf
from vision.printed_deck import PrintedDeck
from vision.sheets import PAPERS, back_pages, deck_pages, duplex_pages, layout, mat_pages, mat_picture

pdfium = pytest.importorskip("pypdfium2")

DPI = 300
PER_MM = DPI / 25.4
TITLE = "Triple³"
IMAGE = 3  # pdfium's number for an object that is a picture
Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]


def rendered(page: PrintedPage) -> Image:
    """Blue, green, red at 300 dpi, by a program that is not ours; it rounds the paper up to whole pixels."""
    document = pdfium.PdfDocument(pdf([page], "test"))
    try:
        image = np.array(document[0].render(scale=DPI / 72).to_numpy()[:, :, :3])
    finally:
        document.close()
    (width, height), (rows, columns) = page.size, image.shape[:2]
    exact = np.array([[width * PER_MM / columns, 0, 0], [0, height * PER_MM / rows, 0]])
    exact[:, 2] = (exact[:, 0] + exact[:, 1] - 1) / 2  # the middles of pixels are what is warped
    return np.asarray(cv2.warpAffine(image, exact, (columns, rows), borderValue=(255, 255, 255)), np.uint8)


def near(image: Image, ink: Ink, within: int = 24) -> Mask:
    """255 where the ink is."""
    low, high = np.clip([[part - within for part in ink[::-1]], [part + within for part in ink[::-1]]], 0, 255)
    return np.asarray(cv2.inRange(image, low, high), np.uint8)


def found_markers(image: Image) -> dict[int, NDArray[np.float64]]:
    """The corners of every marker, in millimetres of the image, whatever the dictionary's other markers are."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    assert numbers is not None
    assert len(set(numbers.ravel())) == len(numbers)
    return {int(number): (quad[0] + 0.5) for number, quad in zip(numbers.ravel(), corners, strict=True)}


def origin(page: PrintedPage, size: Point) -> NDArray[np.float64]:
    return np.array([(page.size[0] - size[0]) / 2, (page.size[1] - size[1]) / 2])


def sheets_of(mat: Mat, paper: str, *, halves: bool) -> list[tuple[PrintedPage, NDArray[np.float64]]]:
    """Each page with where the mat's own top left corner would be on it."""
    pages = mat_pages(mat, paper, halves=halves)
    if not halves:
        return [(pages[0], origin(pages[0], mat.size))]
    down = mat.size[1] / 2
    upper, lower = (origin(page, (mat.size[0], down)) for page in pages)
    return [(pages[0], upper), (pages[1], lower - [0, down])]


USUAL = ("a4", "letter")  # paper
ALL_MATS = [
    *((mat, paper, True) for mat, paper in product(NINE, USUAL)),
    *((SMALL, paper, False) for paper in USUAL),
    (LARGE, "a3", False),
    (COLUMNS, "a3", False),
    (COLUMNS, "a4", True),
]
ON_PAPER = [*product(NINE, USUAL), *((LATTICE, paper) for paper in PAPERS)]


# --- the mat


@pytest.mark.parametrize(("mat", "paper", "halves"), ALL_MATS, ids=lambda value: getattr(value, "name", str(value)))
def test_markers_and_places_are_to_a_tenth_of_a_millimetre(mat: Mat, paper: str, halves: bool) -> None:
    seen: set[int] = set()
    outlines: list[NDArray[np.float64]] = []
    for page, start in sheets_of(mat, paper, halves=halves):
        image = rendered(page)
        for number, corners in found_markers(image).items():
            true = np.array(next(marker.corners for marker in mat.markers if marker.number == number))
            assert np.abs(corners / PER_MM - start - true).max() < 0.1, number
            seen.add(number)
        outlines += [corner - start for corner in _outline_corners(image)]
    assert seen == {marker.number for marker in mat.markers}
    (width, height), x = mat.place, np.array(mat.places)
    expected = np.concatenate([x + [way * width / 2, turn * height / 2] for way in (-1, 1) for turn in (-1, 1)])
    if halves:  # the middle places are cut: their lower corners are on the other sheet
        expected = np.array(sorted(map(tuple, expected)))
    assert len(outlines) == len(expected)
    for corner in expected:
        assert min(np.abs(corner - other).max() for other in outlines) < 0.1


def _outline_corners(image: Image) -> list[NDArray[np.float64]]:
    """Where the sides of the places' outlines would meet, in millimetres of the page."""
    line = near(image, LINE, 60) & cv2.inRange(cv2.subtract(image[:, :, 0], image[:, :, 2]), 16, 255)
    closed = cv2.morphologyEx(line, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    found = []
    for left, top, width, height, _ in stats[1:]:
        if width < 30 * PER_MM:
            continue  # a number
        half = 0.15 * PER_MM  # of the line
        across, down = (left + half, left + width - half), (top + half, top + height - half)
        rows = [y for y in down if _is_level(closed, (left, width), y)]
        found += [np.array([x, y]) / PER_MM for x, y in product(across, rows)]
    return found


def _is_level(line: Any, span: tuple[int, int], y: float) -> bool:
    """A side runs here, and not only the ends of two cut ones."""
    left, width = span
    strip = line[max(0, round(y) - 2) : round(y) + 3, left : left + width]
    return bool(strip.any(axis=0).mean() > 0.8)


@pytest.mark.parametrize("paper", USUAL)
def test_the_ruler_is_a_hundred_millimetres(paper: str) -> None:
    ((page, start),) = sheets_of(SMALL, paper, halves=False)
    image = rendered(page)
    for y in (18 + 3, 258 - 18 + 3):
        rows = round((start[1] + y) * PER_MM)
        inside = np.s_[round((start[0] + 36) * PER_MM) : round((start[0] + 154) * PER_MM)]
        dark = image[rows - 3 : rows + 4, inside].max(axis=2).min(axis=0) < 200
        ends = np.flatnonzero(dark)
        assert (ends[-1] + 1 - ends[0]) / PER_MM - 0.25 == pytest.approx(100, abs=0.1)  # the line is 0.25 thick
        assert dark[ends[0] : ends[-1]].all()


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_nothing_crosses_the_seam(mat: Mat) -> None:
    down = sheets.seam(mat)
    for one in sheets.mat_drawing(mat):
        if isinstance(one, DrawnMark):
            heights = [y for path in one.paths for _, y in flattened(path)]
            assert max(heights) <= down + 1e-9 or min(heights) >= down - 1e-9
        else:
            assert not down - 1 < one.at[1] < down + one.height + 1


@pytest.mark.parametrize(("mat", "paper"), ON_PAPER, ids=lambda value: getattr(value, "name", value))
def test_the_halves_join_to_the_whole(mat: Mat, paper: str) -> None:
    """What is left of the upper sheet, laid on the lower one, has its lines go on within two tenths of a millimetre."""
    (upper, above), (lower, below) = sheets_of(mat, paper, halves=True)
    down, lines = sheets.seam(mat), []
    for page, start, y in ((upper, above, down - 1.5), (lower, below, down + 1.5)):
        row = rendered(page)[round((start[1] + y) * PER_MM)].min(axis=1) < 235
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
        lines.append(edges.reshape(-1, 2).mean(axis=1) / PER_MM - start[0])
    places = 6 if mat in NINE else 0
    assert len(lines[0]) == len(lines[1]) == 2 + places + 4  # the border, three places, four crosses
    assert np.abs(lines[0] - lines[1]).max() < 0.2


def test_halves_together_are_all_that_is_on_the_whole() -> None:
    parts = [moved(page.drawing, (-start[0], -start[1])) for page, start in sheets_of(SMALL, "a4", halves=True)]
    joined = {_key(one) for one in chain(*parts)}
    assert {_key(one) for one in sheets.mat_drawing(SMALL)} < joined


def _key(one: DrawnMark | DrawnWords) -> Any:
    if isinstance(one, DrawnWords):
        return one.text, tuple(np.round(one.at, 6))
    return tuple(tuple(np.round(flattened(path), 6).ravel()) for path in one.paths)


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_the_markers_of_the_picture_are_found_and_nothing_else(mat: Mat) -> None:
    found = found_markers(mat_picture(mat, 10))
    assert set(found) == {marker.number for marker in mat.markers}
    for marker in mat.markers:
        assert np.abs(found[marker.number] / 10 - np.array(marker.corners)).max() < 0.1


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_markers_have_white_around_them(mat: Mat) -> None:
    """A module wide, as the detector wants it."""
    picture = mat_picture(mat, 10)
    module = mat.marker_side / 6
    for marker in mat.markers:
        (left, top), _, (right, bottom), _ = marker.corners
        wide = [round(10 * value) for value in (left - module, top - module, right + module, bottom + module)]
        around = picture[wide[1] + 2 : wide[3] - 2, wide[0] + 2 : wide[2] - 2].copy()
        skip = round(10 * module)
        around[skip - 4 : 4 - skip, skip - 4 : 4 - skip] = 255
        assert around.min() > 240


@pytest.mark.parametrize(("mat", "paper"), ON_PAPER, ids=lambda value: getattr(value, "name", value))
@pytest.mark.parametrize("teaching", [False, True])
def test_patches_are_where_the_mat_says_and_in_their_colours(mat: Mat, paper: str, teaching: bool) -> None:
    """Looked up in the file as another program draws it, by nothing but what the mat tells of itself."""
    down = sheets.seam(mat)
    upper, lower = mat_pages(mat, paper, halves=True, teaching=teaching)
    for page, patches, shift in ((upper, mat.patches[:10], 0.0), (lower, mat.patches[10:], down)):
        image = rendered(page)
        left, top = origin(page, (mat.size[0], down))
        for patch in patches:
            x, y, radius = left + patch.centre[0], top + patch.centre[1] - shift, 0.9 * patch.radius
            within = _disc_at(image, (x * PER_MM, y * PER_MM), radius * PER_MM)
            assert np.abs(within - patch.ink[::-1]).max() <= 2, patch.name
            if patch.name != PAPER_PATCH:
                around = _disc_at(image, (x * PER_MM, y * PER_MM), 1.25 * patch.radius * PER_MM)
                assert around.max() == 255, "it does not end where it should"


def _disc_at(image: Image, centre: tuple[float, float], radius: float) -> NDArray[np.int_]:
    left, top = (round(value - radius) - 1 for value in centre)
    side = round(2 * radius) + 2
    rows, columns = np.ogrid[top : top + side, left : left + side]
    within = np.hypot(columns + 0.5 - centre[0], rows + 0.5 - centre[1]) < radius
    found: NDArray[np.int_] = image[top : top + side, left : left + side][within].astype(int)
    return found


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_patches_are_out_of_the_way_of_markers_and_of_what_the_reader_is_shown(mat: Mat) -> None:
    half, module = mat.sight / 2, mat.marker_side / 6
    for patch in mat.patches:
        x, y = patch.centre
        for place in mat.places:
            assert max(abs(x - place[0]), abs(y - place[1])) > half + patch.radius
        for marker in mat.markers:
            away = max(abs(x - marker.centre[0]), abs(y - marker.centre[1]))
            assert away > mat.marker_side / 2 + module + patch.radius
    assert min(np.hypot(*np.subtract(one.centre, other.centre)) for one, other in combinations(mat.patches, 2)) > 7.5


def test_each_colour_is_twice_on_a_mat() -> None:
    names = [patch.name for patch in SMALL.patches]
    assert names[:10] == names[10:][::-1]
    assert {PAPER_PATCH, "grey", "black", "red", "green", "blue", "cyan", "magenta", "yellow"} < set(names)


@pytest.mark.parametrize("mat", MATS, ids=lambda mat: mat.name)
def test_to_teach_on_only_the_words_are_others(mat: Mat) -> None:
    """So the reader finds it as it finds the mat that is played on."""
    playing, teaching = sheets.mat_drawing(mat), sheets.mat_drawing(mat, teaching=True)
    assert [one for one in playing if isinstance(one, DrawnMark)] == [
        one for one in teaching if isinstance(one, DrawnMark)
    ]
    said = [one.text for one in teaching if isinstance(one, DrawnWords)]
    assert sum("To teach a deck" in text for text in said) == 2
    assert not any("Small" in text or "Large" in text for text in said)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_dots_of_a_lattice_are_where_its_places_meet(paper: str) -> None:
    """In the file as another program draws it, to a tenth of a millimetre, and no place has anything in it."""
    whole = paper == "a3"
    (columns, rows), (across, down) = LATTICE.shape, LATTICE.pitch
    found: list[NDArray[np.float64]] = []
    for page, start in sheets_of(LATTICE, paper, halves=not whole):
        image = rendered(page)
        line = near(image, LINE, 60) & cv2.inRange(cv2.subtract(image[:, :, 0], image[:, :, 2]), 16, 255)
        count, _, stats, middles = cv2.connectedComponentsWithStats(line, connectivity=8)
        sizes = [stats[number, 2:4] / PER_MM for number in range(count)]
        dots = [number for number, size in enumerate(sizes) if max(size) < 2.4 and min(size) > 0.8]
        found += [(middles[number] + 0.5) / PER_MM - start for number in dots]
    left, top = np.array(LATTICE.places[0]) - np.array(LATTICE.pitch) / 2
    for row, column in product(range(rows + 1), range(columns + 1)):
        if row != rows // 2:  # the mat is cut there
            node = np.array((left + column * across, top + row * down))
            assert min(np.abs(node - other).max() for other in found) < 0.1, (row, column)


def test_a_lattice_has_room_for_a_pile_and_its_markers() -> None:
    (width, height), half = LATTICE.size, LATTICE.sight / 2
    cards = max(LATTICE.card) / 2
    for x, y in LATTICE.places:
        assert LATTICE.pitch[0] / 2 < x < width - LATTICE.pitch[0] / 2
        assert half < y < height - half
        for marker in LATTICE.markers:
            assert max(abs(x - marker.centre[0]), abs(y - marker.centre[1])) > marker.side / 2 + LATTICE.pitch[0] / 2
        for pile in LATTICE.piles:
            assert max(abs(x - pile[0]), abs(y - pile[1])) > cards + LATTICE.pitch[0] / 2
    for x, y in LATTICE.piles:
        assert cards < x < width - cards
        assert abs(y - height / 2) > cards, "the seam"


def test_each_mat_has_four_markers_of_its_own() -> None:
    numbers = [marker.number for mat in MATS for marker in mat.markers]
    assert len(set(numbers)) == len(numbers) == 4 * len(MATS)


def test_places_are_white_inside() -> None:
    """Colour is judged against the paper."""
    picture = mat_picture(SMALL, 10)
    for x, y in SMALL.places:
        middle = picture[round(10 * y) - 200 : round(10 * y) + 200, round(10 * x) - 270 : round(10 * x) + 270]
        assert middle.min() > 250


def test_a_mat_that_is_larger_than_the_paper_says_so() -> None:
    with pytest.raises(PrintError, match=r"larger than a sheet of a4: print it in halves"):
        mat_pages(LARGE, "a4")


def test_the_geometry_is_the_mats() -> None:
    told = sheets.mat_geometry(LARGE, 8)
    assert told["pixels_per_mm"] == 8
    assert [cell["centre_mm"] for cell in told["cells"]] == list(LARGE.places)
    assert [cell["cell"] for cell in told["cells"]] == list(range(1, 10))
    assert told["patches"][3] == {
        "colour": "black",
        "centre_mm": LARGE.patches[3].centre,
        "radius_mm": 3.6,
        "rgb": (0, 0, 0),
    }
    assert told["markers"][2] == {
        "number": 6,
        "dictionary": "DICT_4X4_50",
        "centre_mm": LARGE.markers[2].centre,
        "side_mm": 30,
        "corners_mm": LARGE.markers[2].corners,
        "corner": "bottom right",
    }


# --- the deck


@pytest.mark.parametrize(
    ("size", "paper", "each"),
    [(SQUARE, "a4", 15), (SQUARE, "letter", 12), (SLEEVED, "a4", 9), (SLEEVED, "letter", 8)],
)
def test_as_many_cards_as_fit(size: Point, paper: str, each: int) -> None:
    lie = layout(size, paper)
    assert lie.columns * lie.rows == each
    pages = deck_pages(PAPER, size, paper, TITLE)
    assert len(pages) == len(back_pages(PAPER, size, paper, TITLE)) == -(-66 // each)
    assert {tuple(sorted(page.size)) for page in pages} == {tuple(sorted(PAPERS[paper]))}


@pytest.mark.parametrize(("size", "paper"), list(product((SQUARE, SLEEVED), PAPERS)))
def test_cards_are_cut_to_size(size: Point, paper: str) -> None:
    """Outlines, seen as lines where no card is drawn on, are one card apart and in line with the cutting marks."""
    lie, page = layout(size, paper), deck_pages(PAPER, size, paper, TITLE)[0]
    image = rendered(page)
    (left, top), (width, height) = lie.corner, size
    for axis, start, step, count, across in (
        (0, left, width, lie.columns, top + height * 0.65),
        (1, top, height, lie.rows, left + width * 0.5),
    ):
        band = np.s_[round((across - 1) * PER_MM) : round((across + 1) * PER_MM)]
        profile = (image[band] if axis == 0 else image[:, band].transpose(1, 0, 2)).min(axis=2).mean(axis=0)
        marks = image[round((top - 1.5) * PER_MM)] if axis == 0 else image[:, round((left - 1.5) * PER_MM)]
        for number in range(count + 1):
            true = start + number * step
            for seen in (profile, marks.min(axis=1)):
                assert abs(_dip(seen, true) - true) < 0.1


def _dip(profile: NDArray[Any], true: float) -> float:
    """The middle of the darkness within a millimetre of where a line should be."""
    first = round((true - 1) * PER_MM)
    dark = 255 - profile[first : round((true + 1) * PER_MM)].astype(float)
    assert dark.max() > 30, "there is no line"
    places = np.arange(first, first + len(dark)) + 0.5
    return float((places * dark).sum() / dark.sum() / PER_MM)


@pytest.mark.parametrize(("size", "paper"), [(SQUARE, "a4"), (SLEEVED, "letter")])
def test_a_back_is_behind_every_front(size: Point, paper: str) -> None:
    """The last sheets, which are not full, turned over like a page."""
    front = rendered(deck_pages(PAPER, size, paper, TITLE)[-1])
    back = rendered(back_pages(PAPER, size, paper, TITLE)[-1])[:, ::-1]
    lie = layout(size, paper)
    behind = near(back, (24, 74, 78))
    last = 66 % (lie.columns * lie.rows)
    for number in range(lie.columns * lie.rows):
        (x, y), (width, height) = lie.slot(number), size
        rows = slice(round((y + 3) * PER_MM), round((y + height - 3) * PER_MM))
        slot = rows, slice(round((x + 3) * PER_MM), round((x + width - 3) * PER_MM))
        assert bool(behind[slot].any()) == bool(front[slot].min(axis=2).min() < 215) == (number < last)
        if number < last:
            left, top, across, down = cv2.boundingRect(behind[slot])
            middle = np.array([left + across / 2, top + down / 2]) / PER_MM + 3
            assert np.abs(middle - np.array(size) / 2).max() < 0.15


@pytest.mark.parametrize("paper", PAPERS)
def test_duplex_is_front_and_back_by_turns(paper: str) -> None:
    pages = duplex_pages(PAPER, SQUARE, paper, TITLE)
    assert pages[::2] == deck_pages(PAPER, SQUARE, paper, TITLE)
    assert pages[1::2] == back_pages(PAPER, SQUARE, paper, TITLE)


@pytest.mark.parametrize("pages", [deck_pages, back_pages, duplex_pages])
def test_every_sheet_says_of_which_deck_it_is(
    pages: Callable[[PrintedDeck, Point, str, str], list[PrintedPage]],
) -> None:
    for page in pages(PAPER, SQUARE, "a4", "Sticks"):
        assert [one.text for one in page.drawing if isinstance(one, DrawnWords) and "Sticks cards" in one.text]


def test_pixels_and_pdf_show_the_same_face() -> None:
    """One description, two painters."""
    lie = layout(SQUARE, "a4")
    image = rendered(deck_pages(PAPER, SQUARE, "a4", TITLE)[0])
    for number in (1, 7, 11, 14):
        x, y = lie.slot(number)
        across = np.array([[PER_MM, 0, x * PER_MM - 0.5], [0, PER_MM, y * PER_MM - 0.5]], np.float32)
        scale = SQUARE[0] / 480
        across[:, :2] *= scale
        across[:, 2] += 0.5 * scale * PER_MM
        cut = cv2.warpAffine(image, across, (480, 480), flags=cv2.INTER_AREA | cv2.WARP_INVERSE_MAP)
        ours = face_picture(CARDS[number], 480)
        assert np.abs(cut.astype(int) - ours)[8:-8, 8:-8].mean() < 2.5


# --- the files


EVERY_PAGE = [
    pages
    for paper in PAPERS
    for pages in (
        mat_pages(SMALL, paper),
        mat_pages(SMALL, paper, halves=True),
        mat_pages(LARGE, paper, halves=True),
        duplex_pages(PAPER, SQUARE, paper, TITLE),
        duplex_pages(PAPER, SLEEVED, paper, TITLE),
    )
]


@pytest.mark.parametrize("pages", EVERY_PAGE)
def test_files_are_lines_and_letters_on_exact_paper(pages: Sequence[PrintedPage]) -> None:
    document = pdfium.PdfDocument(pdf(pages, "test", duplex=True))
    assert len(document) == len(pages)
    for page, drawn in zip(document, pages, strict=True):
        assert np.allclose(np.array(page.get_size()) * 25.4 / 72, drawn.size, atol=0.005)
        assert tuple(sorted(drawn.size)) in {tuple(sorted(paper)) for paper in PAPERS.values()}
        kinds = {item.type for item in page.get_objects()}
        assert kinds
        assert IMAGE not in kinds
    document.close()


@pytest.mark.parametrize("pages", EVERY_PAGE)
def test_nothing_is_where_printers_may_not_reach(pages: Sequence[PrintedPage]) -> None:
    """Five millimetres for the notes beside a seam, eight for everything else."""
    for page in pages:
        for one in page.drawing:
            points = (
                [one.at] if isinstance(one, DrawnWords) else [point for path in one.paths for point in _handles(path)]
            )
            far = np.array([*points, *(page.size - np.array(points))])
            assert far.min() >= (5 if isinstance(one, DrawnWords) or one.stroke == sheets.CUT else 8) - 1e-6


def _handles(path: Path) -> list[Point]:
    """No curve leaves them."""
    return [path.start, *chain.from_iterable(path.pieces)]


def test_the_same_pages_make_the_same_file() -> None:
    pages = mat_pages(SMALL, "a4")
    assert pdf(pages, "mat") == pdf(pages, "mat")
    assert b"/PrintScaling /None" in pdf(pages, "mat")


def test_pages_are_turned_over_along_the_edge_that_fits() -> None:
    assert b"/DuplexFlipLongEdge" in pdf(duplex_pages(PAPER, SQUARE, "a4", TITLE)[:2], "deck", duplex=True)
    assert b"/DuplexFlipShortEdge" in pdf(duplex_pages(PAPER, SLEEVED, "letter", TITLE)[:2], "deck", duplex=True)

"""What is printed of each game: as many cards as the rules have, all different, to size, each back behind its front."""

from collections import Counter
from functools import cache
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.games import NAMES, game, part
from companion.games.three.rules import House as ThreeHouse
from companion.games.threepia.rules import SYMBOLS, TRIANGLE, card_of
from companion.games.threepia.rules import House as ThreepiaHouse
from companion.games.tres.rules import House as TresHouse
from companion.games.tres.rules.cards import deck as tres_deck
from companion.games.triplexity.rules import House as TriplexityHouse
from tests.vision.colour_sight import SEEN, nearest, printed_decks
from vision.card_drawing import BACK, BLANK
from vision.drawing import WHITE, Drawing, DrawnMark, PrintedPage, moved
from vision.eye_errors import PrintError
from vision.frames import Picture
from vision.ink import painted
from vision.mat import LARGE, SMALL, Point
from vision.pdf import pdf
from vision.printed_deck import PrintedDeck, face_picture
from vision.sheets import PAPERS, back_pages, deck_pages, layout
from vision.stroke_letters import numeral

pdfium = pytest.importorskip("pypdfium2")

PAGE = Path(__file__).parents[2] / "docs" / "printing.md"
DECKS = printed_decks()
EACH = [(name, size) for name, deck in DECKS.items() for size in deck.sizes]
ON_PAPER = [(name, size, paper) for (name, size), paper in product(EACH, PAPERS)]
MM = 25.4 / 72
PATH, IMAGE = 2, 3  # pdfium's numbers for kinds of objects
LINE = 0.1  # along which cards are cut
PER_MM = 5


def called(value: Any) -> str:
    return "x".join(f"{side:g}" for side in value) if isinstance(value, tuple) else str(value)


def test_of_every_game_something_is_printed() -> None:
    assert set(DECKS) == set(NAMES)
    assert all(deck.cards for deck in DECKS.values())


# --- what the rules have ---------------------------------------------------------------------------------------


def test_three_has_each_dog_as_often_as_its_house() -> None:
    house = ThreeHouse()
    assert Counter(DECKS["three"].fronts) == {dog.name: house.copies for dog in house.dogs}
    assert len(DECKS["three"].fronts) == house.deck


def test_tres_has_the_deck_of_its_house() -> None:
    assert Counter(DECKS["tres"].fronts) == tres_deck(TresHouse())


def test_threepia_has_as_many_cards_and_each_symbol_equally_often() -> None:
    cards = [card_of(name) for name in DECKS["threepia"].fronts]
    assert len(cards) == ThreepiaHouse().deck
    symbols = Counter(chain.from_iterable(card.symbols for card in cards))
    assert symbols == dict.fromkeys(SYMBOLS, len(cards) * 4 // len(SYMBOLS))
    for card in cards:
        assert sum(symbol.shape == TRIANGLE for symbol in card.symbols) == 1
        assert len(set(card.symbols)) == 4


def test_cards_of_threepia_differ_however_they_are_turned() -> None:
    for one, other in combinations(DECKS["threepia"].cards, 2):
        for turned in range(4):
            pairs = zip(card_of(one, turned).codes, card_of(other).codes, strict=True)
            assert sum(mine != theirs for mine, theirs in pairs) >= 2, (one, other)


def test_pieces_of_triplexity_have_the_faces_of_its_house_on_both_sides() -> None:
    deck, faces = DECKS["triplexity"], TriplexityHouse().faces
    assert len(deck.fronts) == 2 * len(faces)
    size = deck.sizes[0]
    for name in deck.fronts:
        colour, pips = name.split("-")
        (pair,) = (pair.split("/") for pair in faces if pips in pair.split("/"))
        (other,) = set(pair) - {pips}
        assert deck.back(name, size) == deck.front(f"{colour}-{other}", size)
        assert len([one for one in deck.front(name, size) if isinstance(one, DrawnMark) and one.fill]) == 1 + int(pips)


# --- what they look like ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "size"), EACH, ids=called)
def test_nothing_is_drawn_beyond_a_card(name: str, size: Point) -> None:
    """A cut that is half a millimetre off hits nothing, and so nothing overlaps what lies beside it."""
    deck = DECKS[name]
    for card in deck.cards:
        for drawing in (deck.lying(card, size), deck.back(card, size)):
            for x, y, reach in _points(drawing):
                assert min(x, size[0] - x, y, size[1] - y) - reach > 0.5 * size[0] / 54, card


def _points(drawing: Drawing) -> list[tuple[float, float, float]]:
    found = []
    for one in drawing:
        assert isinstance(one, DrawnMark), "letters of a font differ between paper and pixels"
        reach = one.width / 2 if one.stroke else 0.0
        for path in one.paths:
            found += [(x, y, reach) for x, y in chain([path.start], *path.pieces)]
    return found


@pytest.mark.parametrize("name", DECKS)
def test_faces_differ_for_every_kind_of_eyes_as_the_page_says(name: str) -> None:
    """In the mean of all pixels, at a size as small as a camera sees them."""
    told = dict(zip(SEEN, map(float, _row(name, len(SEEN))[:-1]), strict=True))
    for sight in SEEN:
        difference = nearest(name, sight).difference
        assert difference > 1.2
        assert difference == pytest.approx(told[sight], abs=0.15), sight


@pytest.mark.parametrize("name", DECKS)
def test_the_page_says_how_much_is_printed(name: str) -> None:
    deck = DECKS[name]
    printed, sheets, sizes = _row(name, 2)
    assert int(printed.split()[0]) == sum(deck.cards.values())
    assert int(sheets) == len(deck_pages(deck, deck.sizes[0], "a4", "Sticks"))
    assert sizes.split(", ") == [called(size) for size in deck.sizes]


def _row(name: str, more: int) -> list[str]:
    """Of the table on the page that has so many columns between a game and the last one."""
    rows = [line.strip("| \n").split(" | ") for line in PAGE.read_text(encoding="utf-8").splitlines() if "|" in line]
    (found,) = (row[1:] for row in rows if row[0] == game(name).title and len(row) == more + 2)
    return found


@pytest.mark.parametrize("name", DECKS)
def test_faces_differ_by_more_than_their_colours(name: str) -> None:
    """Painted with one ink they are different still."""
    deck, size = DECKS[name], DECKS[name].sizes[0]
    drawn = {_without_colour((deck.symbol or deck.front)(face, size)) for face in deck.faces}
    assert len(drawn) == len(deck.faces)


def _without_colour(drawing: Drawing) -> Any:
    return tuple((one.paths, one.width, one.fill in {None, WHITE}) for one in drawing if isinstance(one, DrawnMark))


def test_dogs_have_other_outlines_each() -> None:
    """Filled with one ink, what sets any two apart is more than a twentieth of a card."""
    deck, size = DECKS["three"], DECKS["three"].sizes[0]
    shadows = {}
    for dog in deck.cards:
        marks = [one for one in deck.front(dog, size)[1:] if isinstance(one, DrawnMark)]
        black = tuple(
            DrawnMark(one.paths, one.fill and (0, 0, 0), one.stroke and (0, 0, 0), one.width) for one in marks
        )
        shadows[dog] = painted(black, size, (108, 108))[:96, :, 0] < 128
    assert min(float((one ^ other).mean()) for one, other in combinations(shadows.values(), 2)) > 0.05


@pytest.mark.parametrize("text", "123456789")
def test_no_numeral_is_another_upside_down(text: str) -> None:
    upside_down = _numeral(text)[::-1, ::-1]
    for other in set("123456789") - {text}:
        assert float((upside_down ^ _numeral(other)).mean()) > 0.015, other


@cache
def _numeral(text: str) -> Any:
    return painted(moved(numeral(text, 15, 3, (0, 0, 0)), (15, 15)), (30, 30), (90, 90))[..., 0] < 128


@pytest.mark.parametrize(("name", "size"), EACH, ids=called)
def test_backs_of_cards_are_one_back_either_way_round(name: str, size: Point) -> None:
    deck = DECKS[name]
    if deck.is_two_sided:
        pytest.skip("the back of a piece is its other face")
    pixels = (round(size[0] * PER_MM), round(size[1] * PER_MM))
    back = painted(deck.back(next(iter(deck.cards)), size), size, pixels)
    assert np.abs(back.astype(int) - back[::-1, ::-1]).mean() < 1.5


# --- on paper --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "size", "paper"), ON_PAPER, ids=called)
def test_cards_are_cut_to_the_tenth_of_a_millimetre(name: str, size: Point, paper: str) -> None:
    """Read back from the file by another program: so many outlines of that size, edge to edge and not over another."""
    deck = DECKS[name]
    found = 0
    document = pdfium.PdfDocument(pdf(deck_pages(deck, size, paper, game(name).title), "test"))
    for page in document:
        assert sorted(side * MM for side in page.get_size()) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
        objects = list(page.get_objects())
        assert IMAGE not in {one.type for one in objects}
        boxes = [np.array(one.get_bounds()) * MM for one in objects if one.type == PATH]
        outer = np.array(size) + 2 * LINE  # pdfium adds the whole line on each side
        cut = [box for box in boxes if np.abs(box[2:] - box[:2] - outer).max() < 0.02]
        for one, other in combinations(cut, 2):
            apart = np.abs((one[:2] + one[2:] - other[:2] - other[2:]) / 2) / size
            assert apart.max() > 0.998, "two cards overlap"
            assert np.abs(apart - apart.round()).max() < 0.002, "cards are not edge to edge"
        found += len(cut)
    document.close()
    assert found == len(deck.fronts) == sum(deck.cards.values()) + deck.blanks


@pytest.mark.parametrize(("name", "size", "paper"), ON_PAPER, ids=called)
def test_the_back_of_every_card_is_behind_it(name: str, size: Point, paper: str) -> None:
    """The last sheets, turned over like a page: where a front is there is its back, and nowhere else."""
    deck, lie = DECKS[name], layout(size, paper)
    fronts, backs = (pages(deck, size, paper, "Sticks")[-1] for pages in (deck_pages, back_pages))
    front, back = rendered(fronts), rendered(backs)
    each = lie.columns * lie.rows
    names = deck.fronts[(len(deck.fronts) - 1) // each * each :]
    for slot in range(each):
        x, y = lie.slot(slot)
        seen = _cut_out(front, (x, y), size), _cut_out(back, (backs.size[0] - x - size[0], y), size)
        if slot >= len(names):
            middles = (part_seen[2 * PER_MM : -2 * PER_MM, 2 * PER_MM : -2 * PER_MM] for part_seen in seen)
            assert min(middle.min() for middle in middles) == 255  # but for cutting marks of the cards beside it
            continue
        for part_seen, drawing in zip(seen, (deck.lying(names[slot], size), deck.back(names[slot], size)), strict=True):
            true = painted(drawing, size, (part_seen.shape[1] + 2 * PER_MM, part_seen.shape[0] + 2 * PER_MM))
            apart = part_seen.astype(int) - true[PER_MM:-PER_MM, PER_MM:-PER_MM]
            assert np.abs(apart).mean() < 4.5 * 54 / size[0], names[slot]  # smaller cards are more edge


def rendered(page: PrintedPage) -> Picture:
    """Five pixels to a millimetre, by a program that is not ours."""
    document = pdfium.PdfDocument(pdf([page], "test"))
    image = document[0].render(scale=PER_MM * MM).to_numpy()[:, :, :3].copy()
    document.close()
    (width, height), (rows, columns) = page.size, image.shape[:2]
    exact = np.array([[width * PER_MM / columns, 0, 0], [0, height * PER_MM / rows, 0]])
    exact[:, 2] = (exact[:, 0] + exact[:, 1] - 1) / 2  # the paper was rounded up to whole pixels; their middles count
    return np.asarray(cv2.warpAffine(image, exact, (columns, rows), borderValue=(255, 255, 255)), np.uint8)


def _cut_out(image: Picture, corner: Point, size: Point) -> Picture:
    """A card on a page without its outermost millimetre, where the outline is."""
    across, down = (round(side * PER_MM) - 2 * PER_MM for side in size)
    middle = [(start + side / 2) * PER_MM - 0.5 for start, side in zip(corner, size, strict=True)]
    return np.asarray(cv2.getRectSubPix(image, (across, down), (middle[0], middle[1])), np.uint8)


@pytest.mark.parametrize("name", DECKS)
def test_cards_fit_a_mat(name: str) -> None:
    places = [(mat.card, mat.place) for mat in (SMALL, LARGE)]
    for size in DECKS[name].sizes:
        assert any(np.less_equal(size, card).all() and np.less_equal(size, place).all() for card, place in places)


# --- faces by name ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DECKS)
def test_every_face_is_a_picture_by_its_name(name: str) -> None:
    deck, size = DECKS[name], DECKS[name].sizes[0]
    pictures = {face: face_picture(deck, face, 48, size) for face in deck.pictured}
    assert set(deck.faces) <= set(pictures)
    assert (BLANK in pictures) == bool(deck.blanks)
    assert (BACK in pictures) != deck.is_two_sided
    assert {picture.shape for picture in pictures.values()} == {(48, 48, 3)}
    assert len({picture.tobytes() for picture in pictures.values()}) == len(pictures)


def test_a_symbol_is_drawn_as_it_is_on_its_card() -> None:
    deck = DECKS["threepia"]
    card = next(iter(deck.cards))
    whole = painted(deck.front(card, (54, 54)), (54, 54), (120, 120))
    for corner, symbol in enumerate(card.split()):
        quarter = whole[corner // 2 * 60 :, corner % 2 * 60 :][:60, :60]
        assert np.abs(quarter.astype(int) - face_picture(deck, symbol, 60, (54, 54))).mean() < 3


def test_a_face_that_there_is_not() -> None:
    with pytest.raises(PrintError, match="There is no face 'unicorn'; faces are called like Ember"):
        face_picture(DECKS["three"], "unicorn", 60, (54, 54))


def test_a_game_without_the_file_has_nothing_printed() -> None:
    assert not part("no such game", "paper", PrintedDeck).fronts

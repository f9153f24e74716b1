"""Where a field lies on the lattice, its mat before the drawn camera, and the symbols on it."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from companion.games.threepia.fields import field, names
from companion.games.threepia.lattice import found_in, size_of, ways_to_lie
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import card_of
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Script, ScriptedArm
from tests.threepia.lattice_table import laid, middle_of
from tests.threepia.second_stills import read, still
from tests.threepia.symbol_deck import symbol_deck
from vision.card_drawing import BACK
from vision.centring import centred
from vision.eye_errors import NoTableError
from vision.frames import Picture
from vision.locate import find_table
from vision.markers import Finder
from vision.mat import LARGE, LATTICE, SMALL, Mat
from vision.reader import Reader
from vision.sheets import mat_picture
from vision.sightings import HandsSeen
from vision.watcher import Watcher

COLUMNS, ROWS = LATTICE.shape
SMALL_PICTURE = (960, 540)
TENTH = 100_000_000  # of a second, in nanoseconds


@pytest.mark.parametrize("name", names())
def test_a_field_is_found_wherever_it_is_laid(name: str) -> None:
    ways = list(ways_to_lie(field(name), LATTICE.shape))
    assert {way.quarters for way in ways} >= {0, 1, 2, 3} or max(size_of(field(name))) > COLUMNS
    for way in ways:
        cells = [cell for four in way.cells for cell in four]
        assert len(set(cells)) == len(cells)
        assert all(1 <= cell <= COLUMNS * ROWS for cell in cells)
        found = found_in(way.field, LATTICE.shape, cells)
        assert found is not None
        assert found.places.keys() == set(cells)
        assert found_in(way.field, LATTICE.shape, cells[:-1]) is None


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("quarters", range(4))
def test_cards_lie_in_it_as_the_field_has_them(name: str, quarters: int) -> None:
    """The corners of each card are a square of the lattice, and go around it the same way however it is turned."""
    way = next((one for one in ways_to_lie(field(name), LATTICE.shape) if one.quarters == quarters), None)
    if way is None:
        pytest.skip("it has no room so")
    for at, four in enumerate(way.cells):
        points = np.array([((cell - 1) % COLUMNS, (cell - 1) // COLUMNS) for cell in four])
        right, down = points[1] - points[0], points[2] - points[0]
        assert np.array_equal(points[3], points[0] + right + down)
        assert right[0] * down[1] - right[1] * down[0] == 1, "it was turned over"
        assert tuple(right) == ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters]
        assert all(way.places[cell] == (at, corner) for corner, cell in enumerate(four))


def test_other_symbols_are_no_field() -> None:
    cells = {cell for four in next(ways_to_lie(field("square"), LATTICE.shape)).cells for cell in four}
    assert found_in(field("x"), LATTICE.shape, cells) is None
    assert found_in(field("square"), LATTICE.shape, cells | {COLUMNS * ROWS}) is None


# --- the mat -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", range(4))
def test_the_mat_is_known_by_its_markers(turn: int) -> None:
    picture = np.ascontiguousarray(np.rot90(mat_picture(LATTICE, 3), turn))
    table = find_table(
        np.pad(picture, ((60, 60), (60, 60), (0, 0)), constant_values=90), finder=Finder(mats=(LATTICE,))
    )
    assert table.mat == LATTICE
    assert table.shape == LATTICE.shape
    assert table.cells.shape == (COLUMNS * ROWS, 4, 2)
    assert table.piles is not None
    middles, true = table.cells.mean(axis=1) + 0.5 - 60, np.array(LATTICE.places) * 3
    size = [3 * side for side in LATTICE.size]
    for _ in range(turn):  # against the clock
        true, size = np.stack((true[:, 1], size[0] - true[:, 0]), axis=1), size[::-1]
    assert np.abs(middles - true).max() < 1.0


def shown(mat: Mat) -> Picture:
    return np.pad(mat_picture(mat, 3), ((60, 60), (60, 60), (0, 0)), constant_values=90)


@pytest.mark.parametrize("mat", [SMALL, LARGE], ids=lambda mat: mat.name)
def test_the_wrong_mat_for_the_game_is_said(mat: Mat) -> None:
    with pytest.raises(NoTableError, match=f"I see the {mat.name} mat, which is for another game"):
        Finder(mats=(LATTICE,)).find(shown(mat))
    with pytest.raises(NoTableError, match="I see the lattice mat, which is for another game"):
        Finder().find(shown(LATTICE))


def test_two_mats_are_said() -> None:
    both = np.concatenate(
        [np.pad(mat_picture(mat, 2), ((40, 40), (40, 40), (0, 0)))[:596] for mat in (SMALL, LATTICE)], 1
    )
    with pytest.raises(NoTableError, match="the mats of two games"):
        Finder().find(both)


# --- what is read --------------------------------------------------------------------------------------------------


def test_symbols_are_read_wherever_cards_lie() -> None:
    """Each one forced is right; nearly all are told, none wrongly; no bare place shows anything."""
    reader, counts = Reader(taught=symbol_deck()), Counter[str]()
    for seed in range(5):
        cards = Random(seed).sample(list(PAPER.cards), 8)
        picture, symbols = laid(cards, 700 + seed)
        cells = find_table(picture, finder=Finder(mats=(LATTICE,))).cells
        for reading in reader.read(picture, centred(picture, cells)):
            wanted = symbols.get(reading.cell)
            counts["bare" if wanted is None else "drawn"] += 1
            counts["forced"] += wanted is not None and reading.guess == wanted
            counts["told"] += wanted is not None and reading.card == wanted
            counts["wrong"] += reading.card not in (None, wanted)
    assert counts["drawn"] == 5 * 8 * 4
    assert counts["wrong"] == 0
    assert counts["forced"] >= 0.99 * counts["drawn"]
    assert counts["told"] >= 0.93 * counts["drawn"]


def test_squares_are_cut_out_around_what_is_drawn() -> None:
    """A card that lies off its place by some millimetres is cut out as if it lay straight."""
    card = next(iter(PAPER.cards))
    straight, off = laid([card], 5, slip=0.0), laid([card], 5, slip=2.5)
    finder = Finder(mats=(LATTICE,))
    cells = find_table(off.picture, finder=finder).cells
    mine = [cell - 1 for cell in off.symbols]
    moved = centred(off.picture, cells[mine]) - cells[mine]
    assert straight.symbols == off.symbols
    assert np.linalg.norm(moved.mean(axis=(0, 1))) > 1.0, "pixels"
    bare = [cell for cell in range(COLUMNS * ROWS) if cell + 1 not in off.symbols]
    assert np.abs(centred(off.picture, cells[bare]) - cells[bare]).max() == 0
    assert card_of(card).text == card


def at_the_pile(what: Deed, tenths: int) -> ScriptedArm:
    enters, there, deed, leaves, gone = ((tenths + step) * TENTH for step in (0, 4, 6, 8, 12))
    return ScriptedArm("right", enters, there, deed, leaves, gone, 2, what)


def test_a_pile_looks_otherwise_when_a_card_was_taken() -> None:
    """And as before when a hand has only been there."""
    pile = tuple(Lying(BACK, (one % 3 - 1.0, one % 2 + 0.0), 2.0 - one % 4) for one in range(4))
    arms = (at_the_pile("take", 8), at_the_pile("hover", 26))
    card = (Lying(next(iter(PAPER.cards)), (0.0, 0.0), 0.0),)
    places = (middle_of(0, 6), *LATTICE.piles)
    script = Script(
        5, 44 * TENTH, (card, pile), arms, mat=LATTICE, places=places, paper="threepia", rate=10.0, size=SMALL_PICTURE
    )
    eye = Watcher(Reader(taught=symbol_deck()), mats=(LATTICE,))
    seen = [one for frame in SimulatedTable(script).frames() for one in eye.watch(frame)]
    hands = [one for one in seen if isinstance(one, HandsSeen)]
    assert [one.arms for one in hands] == [("right",), ("right",)]
    assert hands[0].otherwise > 0.1
    assert 0 <= hands[1].otherwise < 0.02


def test_a_still_of_the_second_renderer_is_read() -> None:
    """It shares no line with the one that was taught from."""
    counts = read(still(301))
    assert counts["drawn"] >= 16
    assert counts["forced"] == counts["drawn"]
    assert counts["told"] >= 0.8 * counts["drawn"]
    assert (counts["lost"], counts["wrong"], counts["bare and told"]) == (0, 0, 0)

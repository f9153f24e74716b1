"""The watcher before the simulated camera: what it tells, when, and what it leaves alone."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

import vision.table_search
from simulator.rendered.script import Lying, Mishap, Script, ScriptedArm
from tests.vision.scenes import GRID, MS, RATE, SECOND, arm, frames, only, reader, script, watched
from vision.cell_reading import UNLIKELY
from vision.deck import CARDS
from vision.eye_errors import NoTableError
from vision.frames import Frame, Picture, Points
from vision.locate import TableView
from vision.mat import SMALL
from vision.mat_light import MatLight
from vision.reader import Looked
from vision.sightings import (
    CannotRead,
    CardSeen,
    GridSeen,
    NoCard,
    Sighting,
    TableLost,
    TableSeen,
    Trouble,
    TroubleOver,
)
from vision.table_search import as_before, turned
from vision.watcher import Watcher

FRAME = round(SECOND / RATE)
NEW, NEXT = "yellow-plus-2", "blue-diamond-3"
assert not {NEW, NEXT} & set(GRID)


class CountingReader:
    """A reader that says how often it was asked."""

    def __init__(self) -> None:
        self.looks = 0
        self._reader = reader()

    def look(self, picture: Picture, cells: Points, light: MatLight | None = None) -> Looked:
        self.looks += len(cells)
        return self._reader.look(picture, cells, light)

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)


def test_table_and_grid_are_seen_at_once() -> None:
    first, second, *rest = watched(script(seconds=0.5))
    assert isinstance(first, TableSeen)
    assert not first.moved
    assert isinstance(second, GridSeen)
    assert tuple(look.card for look in second.looks) == GRID
    assert not rest


@pytest.mark.parametrize(("cell", "seat"), [(1, "left"), (5, "bottom"), (5, "top"), (9, "right"), (2, "bottom")])
def test_a_card_laid_is_told_once_with_when_and_from_where(cell: int, seat: str) -> None:
    laid = arm(cell, NEW, 1.5, seat=seat)  # type: ignore[arg-type]
    [seen] = only(watched(script([laid], seconds=3)), CardSeen)
    assert (seen.cell, seen.before.card, seen.after.card) == (cell, GRID[cell - 1], NEW)
    assert laid.enters - FRAME <= seen.since <= laid.deed <= (seen.by or seen.after.stamp) + FRAME
    assert seen.stamp == seen.after.stamp <= laid.gone + 2 * FRAME
    assert set(seen.arms) <= {seat}
    assert seen.before.square.shape == seen.after.square.shape == (96, 96, 3)


def test_a_card_taken_away_shows_the_one_below() -> None:
    visits = [arm(4, NEW, 1.2), arm(4, "", 3.0, what="take", seat="right")]
    first, second = only(watched(script(visits, seconds=4.5)), CardSeen)
    assert (first.after.card, second.after.card) == (NEW, GRID[3])


def test_a_card_held_over_a_cell_is_not_laid() -> None:
    visit = arm(5, NEW, 1.6, what="hover", stays=0.9)
    assert not only(watched(script([visit], seconds=4)), CardSeen)


def test_an_empty_hand_that_passes_changes_nothing() -> None:
    seen = watched(script([arm(8, "", 1.4, what="hover")], seconds=3))
    assert [type(one) for one in seen] == [TableSeen, GridSeen]


def test_a_pile_squared_up_changes_nothing() -> None:
    of = script([arm(6, GRID[5], 1.4, what="square", slip=-4.0, turn=-8.0)], seconds=3)
    assert not only(watched(of), CardSeen)


def test_a_card_knocked_over_is_seen_where_it_lies_now() -> None:
    seen = only(watched(script([arm(5, GRID[4], 1.5, what="knock", onto=6)], seconds=3.5)), Sighting)
    cards = [(one.cell, one.after.card) for one in only(seen, CardSeen)]
    bare = [one.cell for one in only(seen, NoCard)]
    assert (6, GRID[4]) in cards
    assert bare == [5] or 5 in [cell for cell, _ in cards]


def test_two_at_the_same_time_on_two_cells() -> None:
    visits = [arm(1, NEW, 1.5, seat="left"), arm(9, "red-plus-3", 1.6, seat="right")]
    seen = only(watched(script(visits, seconds=3)), CardSeen)
    assert {(one.cell, one.after.card) for one in seen} == {(1, NEW), (9, "red-plus-3")}


@pytest.mark.parametrize("cell", [3, 7])
def test_an_empty_place_is_told_as_none(cell: int) -> None:
    of = script([arm(cell, "", 1.2, what="take")], seconds=3.5)
    [seen] = only(watched(of), NoCard)
    assert (seen.cell, seen.before.card, seen.after.state) == (cell, GRID[cell - 1], "empty")


def test_nothing_is_read_while_nothing_changes() -> None:
    counting = CountingReader()
    watcher = Watcher(counting)  # type: ignore[arg-type]
    for frame in frames(script(seconds=6)):
        watcher.watch(frame)
    seconds = 6
    assert 9 <= counting.looks <= 9 + 2 * seconds + 9  # all nine once, then one cell now and then


@pytest.mark.parametrize("what", ["light", "flicker"])
def test_light_that_changes_is_no_card(what: str) -> None:
    strong = {"light": 0.6, "flicker": 0.1}[what]
    of = script([arm(5, NEW, 2.0)], [Mishap(what, 1 * SECOND, 3 * SECOND, strong, 0.3)], seconds=4)
    assert [(one.cell, one.after.card) for one in only(watched(of), CardSeen)] == [(5, NEW)]


@pytest.mark.parametrize("what", ["nudge", "moved"])
def test_a_move_of_camera_or_mat_is_told_and_the_cards_are_still_the_same(what: str) -> None:
    of = script([arm(5, NEW, 3.0)], [Mishap(what, 1 * SECOND, 1300 * MS, 9.0, -6.0, 1.0)], seconds=4.5)
    seen = watched(of)
    assert any(one.moved for one in only(seen, TableSeen))
    assert [(one.cell, one.after.card) for one in only(seen, CardSeen)] == [(5, NEW)]


def test_upside_down_the_cells_keep_their_numbers() -> None:
    of = script([arm(2, NEW, 3.5)], [Mishap("upside down", 1 * SECOND, 9 * SECOND)], seconds=5)
    seen = watched(of)
    assert any(one.moved for one in only(seen, TableSeen))
    assert [(one.cell, one.after.card) for one in only(seen, CardSeen)] == [(2, NEW)]


@pytest.mark.parametrize(("what", "code"), [("black", "dark"), ("frozen", "frozen")])
def test_a_black_and_a_frozen_picture_are_told_and_are_over(what: str, code: str) -> None:
    seen = watched(script([arm(5, NEW, 6.5)], [Mishap(what, 1 * SECOND, 4 * SECOND)], seconds=8))
    assert [one.code for one in only(seen, Trouble)] == [code]
    assert [one.code for one in only(seen, TroubleOver)] == [code]
    assert [(one.cell, one.after.card) for one in only(seen, CardSeen)] == [(5, NEW)]


def test_frames_whose_stamps_go_back_are_left_out() -> None:
    of = list(frames(script(seconds=1)))
    watcher = Watcher(reader())
    watcher.watch(of[0])
    watcher.watch(of[4])
    assert not watcher.watch(of[2])
    assert not watcher.watch(of[3])
    [trouble] = watcher.watch(of[1])
    assert isinstance(trouble, Trouble)
    assert trouble.code == "backwards"
    assert not watcher.watch(replace(of[4], number=99))
    later = [replace(frame, stamp=of[4].stamp + (at + 1) * FRAME) for at, frame in enumerate((*of[5:], *of[5:]))]
    assert [one.code for frame in later for one in only(watcher.watch(frame), TroubleOver)] == ["backwards"]


def test_what_happened_while_no_frames_came_is_found() -> None:
    of = script([arm(5, NEW, 2.0)], seconds=4)
    some = [frame for frame in frames(of) if not 1 * SECOND < frame.stamp < 3 * SECOND]
    watcher = Watcher(reader())
    [seen] = only([one for frame in some for one in watcher.watch(frame)], CardSeen)
    assert seen.after.card == NEW
    assert seen.since <= 1 * SECOND


def test_the_table_covered_for_long_is_told() -> None:
    of = script([], [Mishap("cover", 1 * SECOND, 13 * SECOND, 0.0, 0.7)], seconds=15)
    seen = watched(of)
    troubles = [one.code for one in only(seen, Trouble)]
    lost = only(seen, TableLost)
    assert troubles == ["covered"] or lost
    assert not only(seen, CardSeen)
    if troubles:
        assert [one.code for one in only(seen, TroubleOver)] == ["covered"]


def test_looking_again_tells_the_grid_anew() -> None:
    watcher = Watcher(reader())
    of = list(frames(script(seconds=1.5)))
    for frame in of[:10]:
        watcher.watch(frame)
    watcher.look_again()
    again = [one for frame in of[10:] for one in watcher.watch(frame)]
    assert [type(one) for one in again] == [GridSeen]


def test_a_card_that_a_person_names_is_what_lies_there() -> None:
    watcher = Watcher(reader())
    of = list(frames(script(seconds=2)))
    for frame in of[:10]:
        watcher.watch(frame)
    watcher.know({5: NEW})
    assert watcher.looks[4] is not None
    assert watcher.looks[4].card == NEW


def test_a_wrong_first_look_is_found_without_anybody_touching_it() -> None:
    watcher = Watcher(reader())
    of = list(frames(script(seconds=12)))
    for frame in of[:10]:
        watcher.watch(frame)
    cell = watcher._cells[4]
    assert cell.look is not None
    cell.look = replace(cell.look, card=NEW)  # nobody can know that it is wrong
    [seen] = only([one for frame in of[10:] for one in watcher.watch(frame)], CardSeen)
    assert (seen.before.card, seen.after.card, seen.since) == (NEW, GRID[4], seen.after.stamp)
    assert not seen.arms


def test_what_people_say_of_a_card_counts_however_often_it_is_read_again() -> None:
    watcher = Watcher(reader())
    of = list(frames(script(seconds=24)))
    for frame in of[:10]:
        watcher.watch(frame)
    watcher.know({5: NEW})
    half = len(of) // 2
    assert not only([one for frame in of[10:half] for one in watcher.watch(frame)], CardSeen)
    assert watcher.looks[4] is not None
    assert watcher.looks[4].card == NEW
    watcher.look_again((5,))  # until somebody touches it
    [seen] = only([one for frame in of[half:] for one in watcher.watch(frame)], CardSeen)
    assert (seen.before.card, seen.after.card) == (NEW, GRID[4])


def test_a_prior_decides_where_looks_leave_a_doubt() -> None:
    watcher = Watcher(reader())
    prior = np.full((9, 64), 1e-6)
    for cell, card in enumerate(GRID):
        prior[cell, CARDS.index(card)] = 1.0
    prior[4, CARDS.index(NEW)] = 1.0
    watcher.expect(prior)
    [seen] = only(watched(script([arm(5, NEW, 1.5)], seconds=3), watcher), CardSeen)
    assert seen.after.card == NEW


def test_a_card_that_cannot_be_there_but_is_seen_clearly_is_told_all_the_same() -> None:
    watcher = Watcher(reader())
    prior = np.ones((9, 64))
    prior[:, CARDS.index(NEW)] = 1e-6
    watcher.expect(prior)
    [seen] = only(watched(script([arm(5, NEW, 1.5)], seconds=3), watcher), CardSeen)
    assert seen.after.card == NEW


def test_the_last_place_without_a_card_is_told_when_a_match_should_open() -> None:
    """Of eight cards and one place where nothing is drawn somebody has to be told why nothing begins."""
    whole = script(seconds=3)
    [told] = only(watched(replace(whole, grid=(*whole.grid[:4], (), *whole.grid[5:]))), CannotRead)
    assert (told.cell, told.reason) == (5, "nothing is drawn there")
    assert not only(watched(replace(whole, grid=(*whole.grid[:3], (), (), *whole.grid[5:]))), CannotRead)


def test_a_foreign_card_is_never_told_as_one_of_ours() -> None:
    of = script([replace(arm(5, NEW, 1.5), lying=Lying("foreign"))], seconds=4)
    seen = watched(of)
    assert not only(seen, CardSeen)
    assert only(seen, NoCard) or only(seen, CannotRead)


def test_another_size_is_another_camera() -> None:
    watcher = Watcher(reader())
    small = list(frames(script(seconds=0.5)))
    large = list(frames(replace(script(seconds=0.5), size=(1280, 720))))
    for frame in small:
        watcher.watch(frame)
    later = [Frame(one.picture, one.grey, one.stamp + SECOND, one.number + 50) for one in large]
    seen = [one for frame in later for one in watcher.watch(frame)]
    assert [type(one) for one in seen if not isinstance(one, CardSeen)] == [TableSeen]
    assert not only(seen, CardSeen)


# --- under arms ------------------------------------------------------------------------------------------------

SLEEVE = ((60, 50, 140), (40, 30, 110))  # it moves: no frame shows it as the one before
UNTIL = 2_800 * MS


def repainted(frame: Frame, picture: Picture) -> Frame:
    height, width = frame.grey.shape
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return replace(frame, picture=picture, grey=np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8))


def sleeved(of: Script, watcher: Watcher, until: int = UNTIL) -> Iterator[Frame]:
    """A sleeve lies over the right rim of cell 5, from the bottom of the picture, for as long."""
    for frame in frames(of):
        if not 400 * MS < frame.stamp < until:
            yield frame
            continue
        assert watcher.table is not None
        left, right, below, _ = watcher.table.cells[4].astype(np.float64)
        across, down = right - left, (below - right) * 20
        edge, outer = left + across * 0.84, right + across * 0.15
        picture = frame.picture.copy()
        corners = np.array([edge, outer, outer + down, edge + down])
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), SLEEVE[frame.number % 2])
        yield repainted(frame, picture)


def under_a_sleeve(watcher: Watcher, *arms: ScriptedArm, until: int = UNTIL, seconds: float = 3.2) -> list[Sighting]:
    found: list[Sighting] = []
    for frame in sleeved(script(arms, seconds=seconds), watcher, until):
        found += watcher.watch(frame)
        if SECOND // 2 < frame.stamp < until:
            assert watcher.cells[4].now == "covered"
    return found


def test_a_card_that_is_covered_throughout_and_then_by_the_next_one_is_told_before_it() -> None:
    watcher = Watcher(reader())
    one, two = arm(5, NEW, 1.0, seat="left"), arm(5, NEXT, 1.9, seat="right")
    first, second = only(under_a_sleeve(watcher, one, two), CardSeen)
    assert [(seen.cell, seen.before.card, seen.after.card) for seen in (first, second)] == [
        (5, GRID[4], NEW),
        (5, NEW, NEXT),
    ]
    for seen, laid in ((first, one), (second, two)):
        assert laid.enters - FRAME <= seen.since <= laid.deed <= seen.by <= seen.stamp < laid.gone + 3 * FRAME
        assert seen.stamp < UNTIL


def test_while_the_old_card_is_seen_no_other_was_laid() -> None:
    watcher = Watcher(reader())
    laid = arm(5, NEW, 1.9, seat="left")
    [seen] = only(under_a_sleeve(watcher, laid, until=2 * SECOND), CardSeen)  # gone before the card is seen under it
    assert laid.enters - FRAME <= seen.since <= laid.deed


@pytest.mark.parametrize("rate", [15.0, 30.0])
def test_a_card_that_the_next_one_covers_before_it_lies_free_is_told_with_it(rate: float) -> None:
    hidden, upper = arm(5, NEW, 1.2, seat="left"), arm(5, NEXT, 1.5, seat="right")
    [seen] = only(watched(replace(script([hidden, upper], seconds=3), rate=rate)), CardSeen)
    assert (seen.before.card, seen.after.card) == (GRID[4], NEXT)
    assert seen.between[0][0] == NEW
    assert seen.between[0][1] > 0.7
    assert seen.again > 0.7


def test_a_card_that_is_carried_away_over_the_new_one_was_not_laid() -> None:
    held = arm(5, NEW, 1.4, seat="right", what="hover", stays=0.4)
    [seen] = only(watched(script([arm(5, NEXT, 1.1, seat="left"), held], seconds=3.2)), CardSeen)
    assert (seen.before.card, seen.after.card) == (GRID[4], NEXT)
    assert dict(seen.between).get(NEW, 0.0) < 0.3
    assert seen.stamp > held.leaves
    assert min(seen.again, seen.carried) > 0.7


def test_one_hand_leaves_nothing_in_between() -> None:
    [seen] = only(watched(script([arm(5, NEXT, 1.2)], seconds=2.5)), CardSeen)
    assert sum(chance for _, chance in seen.between) < 0.05


def test_what_people_say_of_a_card_is_what_was_seen_in_between() -> None:
    """It is read wrongly, and was put right when it lay elsewhere."""
    watcher = Watcher(reader())
    watcher._cells[4].called[NEW] = "red-star-0"
    [seen] = only(
        watched(script([arm(5, NEW, 1.2, seat="left"), arm(5, NEXT, 1.5, seat="right")], seconds=3), watcher), CardSeen
    )
    assert seen.between[0][0] == "red-star-0"


def test_a_cell_tells_when_its_card_was_last_seen() -> None:
    watcher = Watcher(reader())
    told = []
    until = 2_600 * MS
    for frame in sleeved(script([arm(5, "", 1.3, what="hover", stays=0.6)], seconds=3), watcher, until):
        watcher.watch(frame)
        if frame.stamp < until:
            told.append((frame.stamp, watcher.cells[4].seen))
    assert [seen for _, seen in told] == sorted(seen for _, seen in told)
    for stamp, seen in told:
        if 600 * MS < stamp < 900 * MS or stamp > 2_500 * MS:  # nothing but the sleeve is there
            assert seen == stamp
        if 1_300 * MS <= stamp <= 1_800 * MS:  # a hand is over it
            assert seen < stamp
    now = watcher.cells[4]
    assert (now.now, now.seen) == ("clear", now.since)


@pytest.mark.parametrize(("cell", "rate"), [(5, RATE), (5, 60.0), (2, 30.0)])
def test_a_card_held_in_a_hand_that_trembles_is_never_told(cell: int, rate: float) -> None:
    visit = arm(cell, NEW, 1.2, what="hover", stays=1.0)
    assert not only(watched(replace(script([visit], seconds=2.6), rate=rate)), CardSeen)


def test_a_card_that_can_hardly_be_there_is_not_believed_under_arms() -> None:
    watcher = Watcher(reader())
    prior = np.ones((9, 64))
    prior[4, CARDS.index(NEW)] = UNLIKELY / 2
    watcher.expect(prior)
    [seen] = only(under_a_sleeve(watcher, arm(5, NEW, 1.0)), CardSeen)
    assert seen.after.card == NEW
    assert seen.stamp >= UNTIL


def test_what_people_say_of_a_card_counts_under_arms_too() -> None:
    watcher = Watcher(reader())
    of = list(frames(script(seconds=0.3)))
    for frame in of:
        watcher.watch(frame)
    watcher.know({5: NEW})
    assert not only(under_a_sleeve(watcher, seconds=2), CardSeen)
    assert watcher.cells[4].seen > SECOND


# --- the table as it was before --------------------------------------------------------------------------------


def a_table(quarters: int = 0, move: float = 0.0, askew: float = 0.0, *, mat: bool = False) -> TableView:
    """Three by three, found after so many quarter turns clockwise: what was its bottom left is then its top left."""
    middles = np.array([(column * 100, row * 110) for row in range(3) for column in range(3)], np.float32)
    square = np.array([(-40, -45), (40, -45), (40, 45), (-40, 45)], np.float32)
    cells = middles[:, None] + square[None]
    about = np.deg2rad(askew)
    cells = cells @ np.array([[np.cos(about), np.sin(about)], [-np.sin(about), np.cos(about)]], np.float32) + move
    for _ in range(quarters):
        cells = cells[[6, 3, 0, 7, 4, 1, 8, 5, 2]][:, [3, 0, 1, 2]]
    return TableView(np.asarray(cells, np.float32), "markers" if mat else "cards", SMALL if mat else None)


@pytest.mark.parametrize("quarters", range(4))
@pytest.mark.parametrize("askew", [0.0, -30.0, 30.0])
def test_cards_alone_never_turn_the_table(quarters: int, askew: float) -> None:
    moved = a_table(move=25, askew=askew)
    found = as_before(a_table(), a_table(quarters, 25, askew))
    assert np.allclose(found.cells, moved.cells)
    assert found.how == "cards"


@pytest.mark.parametrize("quarters", range(4))
def test_markers_tell_which_way_up_the_table_is(quarters: int) -> None:
    turned = a_table(quarters, mat=True)
    assert as_before(a_table(mat=True), turned) is turned
    assert as_before(None, cards := a_table(quarters)) is cards


def test_cards_do_not_stand_in_for_a_mat_that_was_found() -> None:
    with pytest.raises(NoTableError, match="uncover the markers"):
        as_before(a_table(mat=True), a_table())


def test_a_table_without_a_mat_that_moves_keeps_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Though the cards, as they lie now, would be numbered from another corner."""
    find, found = vision.locate.find_table, []

    def findturned(*given: Any, **more: Any) -> TableView:
        table = find(*given, **more)
        found.append(table)
        quarters = min(1, len(found) - 1)  # but for the first time
        return replace(table, cells=turned(table, quarters).cells)

    monkeypatch.setattr(vision.table_search, "find_table", findturned)
    of = script([arm(2, NEW, 2.0)], [Mishap("moved", 600 * MS, 900 * MS, 9.0, -6.0, 1.0)], seconds=3)
    seen = watched(of, Watcher(reader(), mat=False))
    assert [one.moved for one in only(seen, TableSeen)][:2] == [False, True]
    assert [(one.cell, one.after.card) for one in only(seen, CardSeen)] == [(2, NEW)]


def test_a_mat_whose_markers_are_covered_is_lost_until_they_are_seen_again() -> None:
    """Seed 6 has the mat on its side: by the cards alone its cells would be numbered from another corner."""
    watcher = Watcher(reader())
    seen: list[Sighting] = []
    markers = cells = None
    for frame in frames(script([arm(2, NEW, 3.0)], seconds=4, seed=6)):
        if markers is not None and 500 * MS < frame.stamp < 2 * SECOND:
            picture = frame.picture.copy()
            for marker in markers:
                middle = marker.mean(axis=0)
                radius = float(np.linalg.norm(marker[0] - middle)) * 1.15
                cv2.circle(picture, tuple(map(int, middle)), int(radius), (120, 150, 200), -1)
            frame = repainted(frame, picture)  # noqa: PLW2901
        seen += watcher.watch(frame)
        assert watcher.table is not None
        markers = watcher._search.finder.markers if markers is None else markers
        cells = watcher.table.cells if cells is None else cells
        assert np.allclose(watcher.table.cells, cells, atol=2)
    assert [lost.why for lost in only(seen, TableLost)] == [
        "I see too little of the mat: uncover the markers in its corners."
    ]
    assert [(one.table.how, one.moved) for one in only(seen, TableSeen)] == [("markers", False)] * 2
    assert [(one.cell, one.after.card) for one in only(seen, CardSeen)] == [(2, NEW)]

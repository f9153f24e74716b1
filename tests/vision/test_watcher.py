"""The watcher before the simulated camera: what it tells, when, and what it leaves alone."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.scenes import GRID, MS, RATE, SECOND, arm, frames, only, reader, script, watched
from vision.deck import CARDS
from vision.frames import Frame, Picture, Points
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
from vision.simulated.script import Lying, Mishap
from vision.watcher import Watcher

FRAME = round(SECOND / RATE)
NEW = "yellow-plus-2"
assert NEW not in GRID


class CountingReader:
    """A reader that says how often it was asked."""

    def __init__(self) -> None:
        self.looks = 0
        self._reader = reader()

    def look(self, picture: Picture, cells: Points) -> Looked:
        self.looks += len(cells)
        return self._reader.look(picture, cells)

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

"""Sightings without pixels: they obey what the watcher promises of its own, and a perfect eye sees what can be seen."""

from itertools import pairwise

import pytest

from companion.games.triple3.hands import plays_of, write_script
from companion.games.triple3.rules import DECK
from simulator.rendered.script import Script
from tests.benchmarks.generated import BAD, GOOD, Reading, Row, generated, perfect
from tests.benchmarks.noise import NEARLY, noise, visits
from tests.benchmarks.true_table import true_cells
from tests.piles import piles_at
from vision.sightings import CannotRead, CardSeen, GridSeen, NoCard

PACES = (0.35, 0.75, 1.5, 2.5)
SEED = 80_000


def script_of(pace: float, number: int = 0) -> Script:
    return write_script(SEED + number, players=2 + number % 3, pace=pace)


def cards(rows: list[Row]) -> list[CardSeen]:
    return [one for _, seen, _ in rows for one in seen if isinstance(one, CardSeen)]


def plain(rows: list[Row]) -> list[object]:
    return [
        (stamp, cells, [(one.cell, one.after.card, one.since, one.by, one.again, one.arms) for one in cards([row])])
        for row in rows
        for stamp, _, cells in [row]
    ]


@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("reading", [GOOD, BAD])
def test_stamps_are_in_order(pace: float, reading: Reading) -> None:
    rows = list(generated(script_of(pace), noise(), reading))
    assert all(one < other for (one, _, _), (other, _, _) in pairwise(rows))
    for stamp, seen, cells in rows:
        assert len(cells) == 9
        assert all(now.since <= stamp and now.seen <= stamp for now in cells)
        assert all(one.stamp == stamp for one in seen)
    for one in cards(rows):
        assert one.since <= one.by <= one.stamp == one.after.stamp
        assert 0 <= one.again <= 1


@pytest.mark.parametrize("number", range(8))
def test_each_change_begins_with_what_was_told_last(number: int) -> None:
    script = script_of(2.5, number)
    for rows in (list(generated(script, noise())), list(perfect(script))):
        grid = next(one for one in rows[0][1] if isinstance(one, GridSeen))
        told = [look.card for look in grid.looks]
        ended = [0] * 9
        for _, seen, _ in rows:
            for one in seen:
                if isinstance(one, CardSeen | NoCard):
                    assert one.before.card == told[one.cell - 1] != one.after.card
                    assert one.since >= ended[one.cell - 1]
                    told[one.cell - 1] = one.after.card
                    ended[one.cell - 1] = getattr(one, "by", one.since)


@pytest.mark.parametrize("pace", PACES)
def test_nothing_is_seen_that_is_not_there(pace: float) -> None:
    script = script_of(pace)
    for rows in (list(generated(script, noise())), list(perfect(script))):
        for one in cards(rows):
            held = [card for card, *_ in true_cells(script)[one.cell - 1].held()]
            assert one.after.card in (piles_at(script, one.by)[one.cell - 1][-1].card, *held)


def test_a_perfect_eye_sees_only_in_frames_in_which_no_arm_is_in_the_way() -> None:
    """Some gaps are shorter than from frame to frame."""
    without = 0
    for number in range(40):
        script = script_of(2.5, number)
        cells = true_cells(script)
        for one in cards(list(perfect(script))):
            assert not any(begins <= one.stamp < ends for begins, ends in cells[one.cell - 1].hidden())
        for hidden in (cell.hidden() for cell in cells):
            for (_, ends), (begins, _) in pairwise(hidden):
                frame = -int(-ends * script.rate // 1_000_000_000)
                without += round(frame * 1_000_000_000 / script.rate) >= begins
    assert without > 5


def test_no_card_is_seen_on_two_cells_at_once() -> None:
    for _, seen, _ in generated(script_of(2.5), noise()):
        shown = [one.after.card for one in seen if isinstance(one, CardSeen)]
        assert len(shown) == len(set(shown))


def test_the_same_script_tells_the_same() -> None:
    again = [plain(list(generated(script_of(1.5), noise()))) for _ in range(2)]
    assert again[0] == again[1] != plain(list(generated(script_of(1.5, 1), noise())))


def test_what_lies_free_for_long_is_seen_but_for_little() -> None:
    """By the watcher nearly always, by a perfect eye always."""
    missed = dict.fromkeys(("generated", "perfect"), 0)
    count = 0
    for number in range(6):
        script = script_of(1.5, number)
        plays = [play for play in plays_of(script) if play.what == "lay" and play.seen_for > 500_000_000]
        count += len(plays)
        for name, rows in (("generated", generated(script, noise())), ("perfect", perfect(script))):
            shown = {(one.cell, one.after.card) for one in cards(list(rows))}
            missed[name] += sum((play.cell, play.card) not in shown for play in plays)
    assert count > 100
    assert missed["perfect"] == 0
    assert missed["generated"] <= count * 0.03


def test_a_perfect_eye_counts_the_hands() -> None:
    script = script_of(2.5, 1)
    counted = [visits(script, one.cell, one.since, one.by) > 1 for one in cards(list(perfect(script)))]
    assert [one.again for one in cards(list(perfect(script)))] == [float(more) for more in counted]
    assert 0 < sum(counted) < len(counted) / 2


def test_a_hand_just_before_or_after_a_stretch_is_none_of_it() -> None:
    script = script_of(0.35)
    arm = next(one for one in script.arms if one.what == "lay")
    assert visits(script, arm.cell, arm.there - NEARLY, arm.leaves) >= 1
    assert visits(script, arm.cell, arm.leaves - NEARLY + 1, arm.leaves + 1) == 0


def test_a_bad_reader_doubts_and_errs_as_often_as_is_asked() -> None:
    changes = doubts = wrong = 0
    for number in range(12):
        script = script_of(0.75, number)
        for _, seen, _ in generated(script, noise(), BAD):
            for one in seen:
                changes += isinstance(one, CardSeen | CannotRead)
                doubts += isinstance(one, CannotRead)
                if isinstance(one, CardSeen):
                    assert one.after.card in DECK
                    wrong += one.after.card != piles_at(script, one.by)[one.cell - 1][-1].card
    assert 0.2 < doubts / changes < 0.35
    assert 0.005 < wrong / changes < 0.05


def test_cells_that_nobody_reaches_are_left_alone() -> None:
    script = write_script(SEED, players=2, plays=1, pace=0.35, trouble={})
    reached = {number for number, cell in enumerate(true_cells(script), 1) if cell.visits}
    assert reached != set(range(1, 10))
    assert {one.cell for one in cards(list(generated(script, noise())))} <= reached

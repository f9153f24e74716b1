"""The simulated table: the same frames for the same script, and in them what the script says, as our eye sees it."""

import ast
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import simulator.rendered
from simulator.hands.script_file import read_script, script_plain
from simulator.rendered.limbs import GRIPS, a_look, forearm, hand
from simulator.rendered.outcomes import EVER, SLIDE, course_of
from simulator.rendered.pinhole import on_a_stand
from simulator.rendered.reach import Visit, visit
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Mishap, Script, ScriptedArm, Seat
from simulator.rendered.still_life import StillView
from tests.piles import piles_at
from tools import simulated_pictures as contact
from vision.deck import CARDS
from vision.eye_errors import SourceError
from vision.frames import Picture, Points, Source
from vision.markers import Finder
from vision.mat import LARGE, SMALL
from vision.reader import Reader, Reading

SECOND = 1_000_000_000
STILL = 0.1  # seconds at which nothing has begun
SMALLER = (640, 360)


def at(seconds: float) -> int:
    return round(seconds * SECOND)


def a_grid(seed: int = 0, piles: int = 2) -> tuple[tuple[Lying, ...], ...]:
    rng = np.random.default_rng(seed)
    names = iter([CARDS[number] for number in rng.permutation(64)])
    slips = rng.normal(0, 1.5, (9, piles, 2)).tolist()
    return tuple(tuple(Lying(next(names), (x, y), float(rng.normal(0, 3))) for x, y in pile) for pile in slips)


def unused(script: Script) -> str:
    laid = {lying.card for pile in script.grid for lying in pile}
    return next(card for card in CARDS if card not in laid)


def a_script(seed: int = 0, *, seconds: float = 2.0, mishaps: tuple[Mishap, ...] = ()) -> Script:
    return Script(seed, at(seconds), a_grid(seed), mishaps=mishaps)


def a_visit(what: Deed, cell: int, seat: Seat = "bottom", card: str = "", start: float = 0.3) -> ScriptedArm:
    enters, there, deed, leaves, gone = (at(start + later) for later in (0, 0.35, 0.5, 0.6, 1.0))
    return ScriptedArm(
        seat,
        enters,
        there,
        deed,
        leaves,
        gone,
        cell,
        what,
        Lying(card, (1.0, -1.0), 4.0),
        onto=5 if what in ("knock", "move") else 0,
    )


def with_visit(what: Deed, cell: int, seat: Seat = "bottom", seed: int = 0) -> Script:
    script = a_script(seed)
    return replace(script, arms=(a_visit(what, cell, seat, unused(script)),))


def picture_at(script: Script, seconds: float) -> Picture:
    return SimulatedTable(script).frame_at(round(seconds * script.rate)).picture


@cache
def reader() -> Reader:
    return Reader()


def read(picture: Picture) -> tuple[Reading, ...]:
    return reader().read(picture, Finder().find(picture).cells)


def cards_in(picture: Picture) -> list[str | None]:
    return [reading.card for reading in read(picture)]


def tops(script: Script, seconds: float) -> list[str]:
    return [pile[-1].card for pile in piles_at(script, at(seconds))]


class Compared:
    """A script with its arms and without; the noise is the same in both."""

    def __init__(self, script: Script) -> None:
        self.script = replace(script, size=SMALLER)
        self._with, self._without = SimulatedTable(self.script), SimulatedTable(replace(self.script, arms=()))

    def changed(self, seconds: float) -> NDArray[np.bool_]:
        """Where the pictures differ."""
        pictures = (table.frame_at(round(seconds * 30)).picture for table in (self._with, self._without))
        return np.asarray(cv2.absdiff(*pictures).max(2) > 8)

    def cells(self) -> Points:
        return Finder().find(self._without.frame_at(0).picture).cells


# --- Frames


def test_frames_as_a_camera_hands_them_over() -> None:
    script = replace(a_script(), length=at(0.15), size=(640, 360))
    source: Source = SimulatedTable(script, start=1000)
    frames = list(source.frames())
    assert source.size == (640, 360)
    assert [frame.number for frame in frames] == [0, 1, 2, 3, 4]
    assert [frame.stamp for frame in frames] == [1000 + round(number * SECOND / 30) for number in range(5)]
    assert all(frame.picture.shape == (360, 640, 3) and frame.grey.shape == (180, 320) for frame in frames)
    assert all(frame.picture.dtype == frame.grey.dtype == np.uint8 for frame in frames)
    assert source.about()["kind"] == "simulated"


def test_closing_ends_the_frames() -> None:
    table = SimulatedTable(replace(a_script(), size=(320, 240)))
    frames = table.frames()
    next(frames)
    table.close()
    assert list(frames) == []


def everything(seed: int) -> Script:
    return replace(contact.shown_script(seed), size=(320, 240))


def test_a_frame_is_the_same_whatever_was_asked_before() -> None:
    script = everything(3)
    numbers = list(range(9, 600, 43))
    once = {number: SimulatedTable(script).frame_at(number).picture.tobytes() for number in numbers[::5]}
    table = SimulatedTable(script)
    forward = {number: table.frame_at(number).picture.tobytes() for number in numbers}
    backward = {number: table.frame_at(number).picture.tobytes() for number in reversed(numbers)}
    assert forward == backward
    assert all(forward[number] == data for number, data in once.items())


def test_another_seed_is_another_room() -> None:
    one, other = (picture_at(replace(a_script(), seed=seed, size=(320, 240)), 0) for seed in (1, 2))
    assert np.abs(one.astype(int) - other).mean() > 8


def test_noise_is_new_in_every_frame_and_modest() -> None:
    table = SimulatedTable(replace(a_script(), size=(320, 240)))
    pictures = [table.frame_at(number).picture.astype(int) for number in range(6)]
    apart = [(second - first).std() / 2**0.5 for first, second in pairwise(pictures)]
    assert all(0.8 < value < 4 for value in apart)
    assert len({picture.tobytes() for picture in pictures}) == 6


# --- What lies there


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_the_eye_reads_what_lies_there(seed: int) -> None:
    script = replace(a_script(seed), mat=LARGE if seed == 5 else SMALL)
    picture = picture_at(script, 0)
    assert Finder().find(picture).note == ""
    assert cards_in(picture) == tops(script, 0)


def test_no_mat_and_no_cards() -> None:
    script = a_script(4)
    with_mat = picture_at(replace(script, grid=()), 0)
    assert [reading.state for reading in read(with_mat)] == ["empty"] * 9
    bare = picture_at(replace(script, mat=None), 0)
    assert np.abs(bare.astype(int) - picture_at(script, 0)).max() > 60


@pytest.mark.parametrize("what", ["lay", "take", "square", "knock", "move"])
def test_a_deed_is_done_when_the_arm_is_gone(what: Deed) -> None:
    script = with_visit(what, 2, seed=1)
    before, after = tops(script, STILL), tops(script, 1.5)
    table = SimulatedTable(script)
    assert cards_in(table.frame_at(3).picture) == before
    assert cards_in(table.frame_at(45).picture) == after
    assert (before == after) == (what == "square")


def test_what_is_moved_is_in_the_air_between_and_may_be_turned_over() -> None:
    script = with_visit("move", 2)
    [arm], course = script.arms, course_of(script)
    piles = [[piece for piece in course.lying_at(when) if piece.cell == 2] for when in (arm.lifts - 1, arm.lifts)]
    assert [len(pile) for pile in piles] == [2, 1]
    assert len(course.lying_at(arm.deed - 1)) == len(course.lying_at(arm.deed)) - 1
    [carried], [lifted] = course.carried, course.lifted
    assert carried is not None
    assert lifted is not None
    assert (carried.lying, carried.cell, lifted.lying) == (arm.lying, 5, script.grid[1][-1])
    seen = visit(
        0,
        arm,
        course,
        StillView(on_a_stand(np.random.default_rng(1), SMALL.size, (640, 360)), SMALL),
        np.random.default_rng(2),
    )
    assert [seen.carries(when) for when in (arm.lifts - 1, arm.lifts, arm.deed - 1, arm.deed)] == [0, 1, 1, 0]
    assert [seen.face(when) for when in (arm.lifts, arm.deed - 1)] == [lifted.lying.card, carried.lying.card]
    places = np.array(SMALL.places)
    assert [
        int(np.linalg.norm(places - seen.tip(when)[:2], axis=1).argmin()) + 1 for when in (arm.lifts, arm.deed)
    ] == [2, 5]


def test_hovering_changes_nothing() -> None:
    compared = Compared(with_visit("hover", 2))
    assert not compared.changed(1.5).any()
    assert compared.changed(0.8).any()


def swaying(what: Deed, *seconds: float) -> list[NDArray[np.float64]]:
    """Where a calm hand is beside its way, mm, so long before and after its deed."""
    arm = a_visit(what, 5, "bottom", unused(a_script()))
    calm = Visit(
        arm, 0, (), np.array([0.0, -1.0]), "over", is_left=False, sway=9.0, askew=4.0, lift=0.0, bend=0.0, tremor=0.1
    )
    return [calm.trembling(arm.deed + at(after)) for after in seconds]


def test_a_hand_that_lays_something_down_is_still_for_that_moment() -> None:
    before, deed, after = swaying("lay", -0.3, 0, 0.3)
    assert not deed.any()
    assert before.any()
    assert after.any()


def test_a_hand_in_the_air_is_never_where_it_was_a_tenth_of_a_second_ago() -> None:
    for seconds in np.arange(-0.5, 0.5, 0.02):
        then, now = swaying("hover", seconds, seconds + 0.1)
        assert np.linalg.norm(now - then) > 0.2


def test_piles_are_those_of_the_script() -> None:
    rng = np.random.default_rng(5)
    for seed in range(30):
        script = _wild(rng, seed)
        course = course_of(script)
        sliding = [(push.start, push.end) for push in course.pushes]
        sliding += [(arm.lifts, arm.deed) for arm in script.arms if arm.what == "move"]
        for moment in (at(second) for second in np.arange(0, 9, 0.37)):
            if any(start <= moment < end for start, end in sliding):
                continue
            there: list[list[Lying]] = [[] for _ in range(9)]
            for piece in sorted(course.lying_at(moment), key=lambda one: (one.cell, one.level)):
                there[piece.cell - 1].append(piece.lying)
            assert tuple(map(tuple, there)) == piles_at(script, moment)


def _wild(rng: np.random.Generator, seed: int) -> Script:
    """Arms that do anything anywhere, also where nothing lies."""
    deeds: Sequence[Deed] = ("lay", "take", "hover", "square", "knock", "move")
    arms = [
        replace(
            a_visit(
                deeds[rng.integers(6)], int(rng.integers(1, 10)), card=CARDS[number], start=float(rng.uniform(0, 7))
            ),
            onto=int(rng.integers(1, 10)),
        )
        for number in range(25)
    ]
    return replace(a_script(seed, seconds=9), arms=tuple(arms))


def test_no_card_is_lost_or_doubled_while_it_slides() -> None:
    script = with_visit("knock", 2)
    course = course_of(script)
    assert sum(piece.until == EVER for piece in course.pieces) == 18
    [push] = course.pushes
    assert push.before.until == push.start == script.arms[0].deed - SLIDE
    assert push.after.since == push.end == script.arms[0].deed
    assert len(course.lying_at(push.start - 1)) == len(course.lying_at(push.end)) == 18
    assert len(course.lying_at(push.start)) == 17


def test_one_hand_gathers_cards_from_several_cells_one_after_the_other() -> None:
    arm = replace(a_visit("take", 4), lying=None, also=(1, 7))
    script = replace(a_script(), arms=(arm,))
    course = course_of(script)
    lifted = [
        next(piece for piece in course.pieces if piece.cell == cell and piece.until != EVER) for cell in (4, 1, 7)
    ]
    assert [one.lying for one in lifted] == [script.grid[cell - 1][-1] for cell in (4, 1, 7)]
    assert arm.deed == lifted[0].until < lifted[1].until < lifted[2].until < arm.leaves
    assert read_script(script_plain(script)) == script
    with pytest.raises(SourceError, match="gathers from cells 10"):
        SimulatedTable(replace(script, arms=(replace(arm, also=(10,)),)))


# --- Arms


@pytest.mark.parametrize(("seat", "cell", "seed"), [("top", 8, 7), ("right", 1, 8), ("bottom", 6, 9), ("left", 5, 10)])
def test_an_arm_comes_from_its_seat_and_goes(seat: Seat, cell: int, seed: int) -> None:
    compared = Compared(with_visit("hover", cell, seat, seed))
    arm = compared.script.arms[0]
    for moment in (arm.enters / SECOND - 0.04, arm.gone / SECOND + 0.04):
        assert not compared.changed(moment).any()
    assert compared.changed(arm.enters / SECOND).mean() < 0.002
    seen = compared.changed(0.8)
    assert 0.02 < seen.mean() < 0.6
    middle = _on_mat(compared.cells(), np.argwhere(seen)[:, ::-1].astype(np.float32))
    away = np.median(middle, 0) - np.array(SMALL.size) / 2
    toward = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}[seat]
    place = np.array(SMALL.places[cell - 1]) - np.array(SMALL.size) / 2
    assert (away - place) @ toward > 25


def _on_mat(cells: Points, pixels: Points) -> Points:
    """Where the eye, by the mat's markers, thinks that they are; the arm is nearer to it, so not exactly."""
    matrix, _ = cv2.findHomography(cells.mean(1), np.array(SMALL.places, np.float32))
    return np.asarray(cv2.perspectiveTransform(pixels.reshape(-1, 1, 2), matrix).reshape(-1, 2))


def test_an_arm_covers_the_cell_that_it_works_on() -> None:
    compared = Compared(with_visit("lay", 5))
    corners = np.round(compared.cells()[4]).astype(np.int32)
    mask = cv2.fillConvexPoly(np.zeros(SMALLER[::-1], np.uint8), corners, 1)
    assert compared.changed(0.75)[mask > 0].mean() > 0.3


def test_the_carried_card_arrives_where_it_lies() -> None:
    """The frame before the deed and the one after show the card in the same place."""
    script = with_visit("lay", 5)
    deed = script.arms[0].deed
    table = SimulatedTable(replace(script, rate=1000.0))
    before, after = (table.frame_at(deed // 1_000_000 + step).picture for step in (-1, 1))
    apart = cv2.absdiff(cv2.blur(before, (5, 5)), cv2.blur(after, (5, 5)))
    assert np.percentile(apart, 99.5) < 40
    assert apart.mean() < 2


def test_two_arms_cross() -> None:
    script = a_script(2)
    first, second = (a_visit("hover", 5, seat, unused(script)) for seat in ("bottom", "left"))
    later = a_visit("hover", 5, card=unused(script), start=9)
    pairs = ((first, second), (first, later), (later, second))
    both, *each = (Compared(replace(script, arms=arms)).changed(0.8) for arms in pairs)
    assert (each[0] & each[1]).any()
    assert (both & ~(each[0] | each[1])).mean() < 0.001


def test_limbs_look_like_people_differ() -> None:
    looks = [a_look(np.random.default_rng(seed)) for seed in range(40)]
    assert {"bare", "plain", "knit"} <= {look.weave for look in looks}
    assert len({look.skin for look in looks}) == 40
    lamp = np.array([0.3, 0.1, 0.95])
    hands = [hand(looks[0], grip, lamp, 0.6) for grip in GRIPS]
    assert len({one.pixels.tobytes() for one in hands}) == len(GRIPS)
    assert forearm(looks[0], lamp, 0.6).pixels[..., 3].mean() > 100


# --- Mishaps


def befallen(what: str, *, x: float = 0.0, y: float = 0.0, turn: float = 0.0, seed: int = 0) -> SimulatedTable:
    return SimulatedTable(a_script(seed, mishaps=(Mishap(what, at(0.5), at(1.5), x, y, turn),)))


def places(picture: Picture) -> Points:
    return np.asarray(Finder().find(picture).cells.mean(1), np.float32)


def test_a_nudge_shifts_and_turns_the_picture_and_stays() -> None:
    table = befallen("nudge", x=12, y=-9, turn=2)
    first, during, last = (places(table.frame_at(number).picture) for number in (3, 30, 50))
    middle = np.array([639.5, 359.5])
    turned = (first - middle) @ cv2.getRotationMatrix2D((0, 0), -2, 1)[:, :2].T + middle + (12, -9)
    assert np.abs(last - turned).max() < 0.6
    assert 0.2 < np.abs(during - first).mean() / np.abs(last - first).mean() < 0.8


def test_a_moved_mat_takes_its_cards_along() -> None:
    table = befallen("moved", x=-10, y=6, turn=5)
    assert cards_in(table.frame_at(50).picture) == tops(table.script, 1.7)
    cells = Finder().find(table.frame_at(3).picture).cells
    moved = _on_mat(cells, places(table.frame_at(50).picture))
    c, s = np.cos(np.radians(5)), np.sin(np.radians(5))
    turned = (np.array(SMALL.places) - (95, 129)) @ np.array([[c, s], [-s, c]])
    assert np.abs(moved - turned - (95 - 10, 129 + 6)).max() < 0.8


def test_light_dims_warms_and_comes_back() -> None:
    table = befallen("light", x=0.4, y=0.8)
    first, during, last = (table.frame_at(number).picture.mean((0, 1)) for number in (3, 30, 55))
    assert during[1] / first[1] == pytest.approx((0.4 * np.exp(-0.05)) ** (1 / 2.2), abs=0.05)
    assert during[2] / during[0] > 1.15 * first[2] / first[0]
    assert last / first == pytest.approx(1, abs=0.06)


def test_glare_burns_out_a_spot() -> None:
    table = befallen("glare", x=95, y=129, turn=22)
    picture = table.frame_at(30).picture
    middle = places(table.frame_at(3).picture)[4].astype(int)
    assert (picture[middle[1] - 20 : middle[1] + 20, middle[0] - 20 : middle[0] + 20] > 250).all()
    assert [reading.cell for reading in read(picture) if reading.card is None] == [5]


def test_flicker_waves_in_rows_and_wanders() -> None:
    table = befallen("flicker", x=0.3)
    rows = [table.frame_at(number).picture.mean((1, 2)) for number in (3, 25, 31)]
    assert (rows[1] / rows[0]).std() > 0.05
    assert np.abs(rows[1] - rows[2]).max() > 5


def test_a_cover_hides_its_share_and_is_no_arm() -> None:
    table = befallen("cover", x=-0.05, y=0.35)
    picture = table.frame_at(30).picture
    cells = Finder().find(table.frame_at(3).picture).cells
    hidden = [reading.cell for reading in reader().read(picture, cells) if reading.card is None]
    assert hidden == [1, 4, 7]


def test_a_foreign_card_is_not_read_as_one_of_the_deck() -> None:
    table = befallen("foreign", x=5)
    readings = read(table.frame_at(30).picture)
    assert [reading.cell for reading in readings if reading.card is None] == [5]


def test_black_upside_down_and_frozen() -> None:
    dark = befallen("black").frame_at(30).picture
    assert dark.mean() < 8
    turned, upright = befallen("upside down"), SimulatedTable(a_script())
    assert (turned.frame_at(30).picture == upright.frame_at(30).picture[::-1, ::-1]).all()
    frozen = befallen("frozen")
    first, later = frozen.frame_at(15), frozen.frame_at(40)
    assert (first.picture == later.picture).all()
    assert later.stamp > first.stamp
    assert (frozen.frame_at(45).picture != first.picture).any()


def test_backwards_and_repeated_stamps() -> None:
    script = replace(a_script(seconds=0.4), size=(320, 240))
    wrong = replace(script, mishaps=(Mishap("backwards", at(0.1), at(0.2)),))
    assert [frame.number for frame in SimulatedTable(wrong).frames()] == [0, 1, 2, 5, 4, 3, 6, 7, 8, 9, 10, 11]
    again = replace(script, mishaps=(Mishap("repeats", at(0.1), at(0.2)),))
    frames = list(SimulatedTable(again).frames())
    assert [frame.stamp for frame in frames][3:6] == [at(0.1)] * 3
    assert len({frame.picture.tobytes() for frame in frames}) == 12


def test_a_camera_that_is_gone_comes_back() -> None:
    script = replace(a_script(seconds=0.4), size=(320, 240), mishaps=(Mishap("gone", at(0.1), at(0.2)),))
    table = SimulatedTable(script)
    seen: list[int] = []
    with pytest.raises(SourceError, match=r"gone.* 0\.1 s"):
        seen.extend(frame.number for frame in table.frames())
    assert [frame.number for frame in table.frames()] == [6, 7, 8, 9, 10, 11]
    assert [frame.number for frame, _ in zip(table.frames(), range(2), strict=False)] == [0, 1]


# --- Scripts that cannot be drawn


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"size": (20, 20)}, "20 × 20"),
        ({"rate": 0.0}, "frames a second"),
        ({"grid": ((Lying("green-star-1"),),)}, "cell 1 has a card 'green-star-1'"),
        ({"grid": ((),) * 10}, "10 piles"),
        ({"mishaps": (Mishap("earthquake", 0, 1),)}, "no mishap 'earthquake'"),
        ({"arms": (replace(a_visit("take", 1), gone=0),)}, "back in time"),
        ({"arms": (a_visit("take", 10),)}, "works on cell 10"),
        ({"arms": (replace(a_visit("knock", 1), onto=0),)}, "works on cell 0"),
        ({"arms": (replace(a_visit("lay", 1), lying=None),)}, "nothing to lay"),
        ({"arms": (a_visit("lay", 1, card="?"),)}, "a card '\\?'"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(SourceError, match=words) as caught:
        SimulatedTable(replace(a_script(), **wrong))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


# --- The sheet, and the walls of the room


def test_the_sheet_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(contact, "SHOWN", contact.SHOWN[:2])
    assert contact.main([str(tmp_path / "new"), "3"]) == 0
    written = sorted((tmp_path / "new").iterdir())
    assert [one.name for one in written] == ["deeds.jpg", "table.jpg"]
    assert sorted(capsys.readouterr().out.split()) == list(map(str, written))
    assert all(one.stat().st_size < 60_000 for one in written)
    (tmp_path / "file").write_text("")
    assert contact.main([str(tmp_path / "file")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert contact.main([]) == contact.main(["here", "x"]) == 2


def test_it_is_drawn_by_other_means_than_the_training() -> None:
    folder = Path(simulator.rendered.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [f"{node.module}.{one.name}" for one in node.names] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names = [name for name in names if not name.startswith("companion.core.errors.")]
            assert not any(name.startswith(("tools.train", "tests", "companion")) for name in names), path.name

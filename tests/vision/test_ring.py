"""The last seconds of a camera: what is kept of them, how much, and what is shown of a moment."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.eye_errors import PictureError
from vision.frames import Frame, Picture
from vision.ring import SECOND, Moment, Ring, Stretch

FRAME = SECOND // 30
BEGIN = 7_000 * SECOND


def shade(number: int) -> int:
    """Of the picture with this number, to be told again after it was packed."""
    return number * 37 % 256


def frame(number: int, stamp: int | None = None, size: tuple[int, int] = (64, 48)) -> Frame:
    picture: Picture = np.full((size[1], size[0], 3), shade(number), np.uint8)
    return Frame(picture, np.zeros((2, 2), np.uint8), BEGIN + number * FRAME if stamp is None else stamp, number)


def turned(ring: Ring, frames: int, still: range = range(0), first: int = 0) -> Ring:
    for number in range(first, first + frames):
        ring.add(frame(number), changed=number not in still)
    return ring


def at(seconds: float) -> int:
    return BEGIN + round(seconds * SECOND)


def everything(ring: Ring) -> Stretch:
    return ring.hold(-(2**63), 2**63)


def between(held: Ring | Stretch, start: int, end: int) -> tuple[Moment, ...]:
    return tuple(one.unpacked() for one in held.hold(start, end).kept)


def size(held: Stretch) -> int:
    return sum(len(one.jpeg) for one in held.kept)


def shows(moment: Moment, number: int) -> bool:
    return moment.number == number and abs(int(moment.picture.mean()) - shade(number)) <= 2


# --- what is kept ----------------------------------------------------------------------------------------------


def test_not_more_than_so_many_a_second_are_kept() -> None:
    stamps = turned(Ring(rate=15), 300).stamps
    assert 145 <= len(stamps) <= 151
    assert list(stamps) == sorted(stamps)


@pytest.mark.parametrize("gap", [FRAME * 7 // 10, FRAME, SECOND // 33, FRAME * 3])
def test_no_second_has_more_than_its_share(gap: int) -> None:
    ring = Ring(rate=15)
    for number in range(400):
        ring.add(frame(number, BEGIN + number * gap), changed=True)
    stamps = np.array(ring.stamps)
    assert max(int(((stamps >= one) & (stamps < one + SECOND)).sum()) for one in stamps) <= 16


def test_where_nothing_changes_nothing_is_kept() -> None:
    ring = turned(Ring(), 1000, still=range(60, 1000))
    kept = ring.stamps
    turned(ring, 1000, still=range(1000, 2000), first=1000)
    assert ring.stamps == kept[-1:]  # and it stands for all of the last ten seconds
    assert shows(between(ring, at(60), at(61))[0], 59) or shows(between(ring, at(60), at(61))[0], 60)


@pytest.mark.parametrize("first", range(4, 9))
def test_the_last_change_is_kept_even_if_there_was_a_picture_just_before(first: int) -> None:
    ring = Ring(rate=5)
    for number in range(30):
        ring.add(frame(number), changed=number in (first, first + 1))
    (moment,) = between(ring, at(1), at(1))
    assert moment.number > first  # what the table looked like after both


def test_the_first_frame_is_kept_changed_or_not() -> None:
    ring = Ring()
    ring.add(frame(0), changed=False)
    assert len(ring.stamps) == 1


def test_the_oldest_go() -> None:
    ring = turned(Ring(seconds=2), 300)
    assert ring.stamps[1] > BEGIN + 299 * FRAME - 2 * SECOND >= ring.stamps[0]


def test_bytes_are_bounded() -> None:
    dice = np.random.default_rng(1)
    ring = Ring(most_bytes=60_000)
    most = 0
    for number in range(200):
        noise: Picture = dice.integers(0, 256, (48, 64, 3), np.uint8)
        ring.add(Frame(noise, noise[:, :, 0], BEGIN + number * FRAME, number), changed=True)
        most = max(most, ring._bytes)
    assert 30_000 < most <= 60_000
    assert ring._bytes == size(ring.hold(0, at(60)))


def test_an_hour_takes_no_more_than_a_minute() -> None:
    ring = turned(Ring(), 1800)
    minute = len(ring.stamps), ring._bytes
    for number in range(1800, 108_000):
        ring.add(frame(number), changed=number % 5 == 0)
    assert (len(ring.stamps), ring._bytes) <= minute


@pytest.mark.parametrize(
    ("size", "kept"), [((1280, 720), (640, 360)), ((1920, 1080), (640, 360)), ((64, 48), (64, 48))]
)
def test_large_pictures_are_made_small(size: tuple[int, int], kept: tuple[int, int]) -> None:
    ring = Ring()
    ring.add(frame(3, size=size), changed=True)
    (moment,) = between(ring, BEGIN, at(1))
    assert moment.picture.shape == (kept[1], kept[0], 3)
    assert moment.by * kept[0] == size[0]
    assert shows(moment, 3)


def test_cleared_it_is_as_new() -> None:
    ring = turned(Ring(), 60)
    ring.clear()
    assert (ring.stamps, ring._bytes, between(ring, 0, at(60))) == ((), 0, ())
    ring.add(frame(0, stamp=5), changed=False)
    assert ring.stamps == (5,)


# --- what is shown ---------------------------------------------------------------------------------------------


def test_a_moment_begins_with_what_stood_there() -> None:
    ring = turned(Ring(), 90, still=range(30, 60))
    moments = between(ring, at(1.5), at(2.2))
    assert moments[0].number in (29, 30)
    later = [one.number for one in moments[1:]]
    assert later[0] == 60
    assert set(np.diff(later)) <= {1, 2, 3}
    assert all(shows(one, one.number) for one in moments)


def test_nothing_is_shown_of_before_the_beginning() -> None:
    assert between(turned(Ring(), 30), 0, BEGIN - 1) == ()


@pytest.mark.parametrize("count", [1, 2, 5, 7])
def test_a_stretch_is_spread_evenly(count: int) -> None:
    ring = turned(Ring(), 240)
    moments = everything(ring).stretch(at(5), SECOND, SECOND // 2, count)
    stamps = [one.stamp for one in moments]
    assert len(stamps) == count
    assert stamps == sorted(set(stamps))
    assert min(abs(one - at(5)) for one in stamps) <= min(abs(one - at(5)) for one in ring.stamps)
    if count > 2:
        gaps = np.diff(stamps)
        assert gaps.max() < 2.5 * gaps.min() + SECOND // 15


def test_a_stretch_of_few_pictures_shows_each_once() -> None:
    ring = turned(Ring(), 90, still=range(1, 90))
    assert [one.number for one in everything(ring).stretch(at(2), SECOND, SECOND, 7)] == [0]
    assert Stretch().stretch(0, 1, 1, 5) == ()
    assert everything(ring).stretch(at(2), SECOND, SECOND, 0) == ()


def test_what_is_held_survives_the_turning() -> None:
    ring = turned(Ring(), 300)
    held = ring.hold(at(8), at(9))
    stamps = held.stamps
    turned(ring, 900, first=300)
    assert held.stamps == stamps
    assert ring.stamps[0] > stamps[-1]
    assert all(shows(one, one.number) for one in between(held, at(8), at(9)))
    assert size(held.hold(at(8.5), at(8.6))) < size(held)


# --- stamps that are wrong -------------------------------------------------------------------------------------


def test_a_repeated_stamp_is_kept_once() -> None:
    ring = Ring()
    for number in range(5):
        ring.add(frame(number, stamp=BEGIN), changed=True)
    assert ring.stamps == (BEGIN,)


def test_frames_out_of_order_are_put_in_order() -> None:
    ring = Ring()
    for number in (0, 6, 3, 12, 9, 15):
        ring.add(frame(number), changed=True)
    assert [one.number for one in between(ring, 0, at(9))] == [0, 3, 6, 9, 12, 15]


@pytest.mark.parametrize("stamp", [0, BEGIN * 2])
def test_one_wild_stamp_costs_nothing(stamp: int) -> None:
    ring = turned(Ring(), 60)
    before = ring.stamps
    ring.add(frame(60, stamp=stamp), changed=True)
    assert ring.stamps == before
    assert len(turned(ring, 60, first=61).stamps) > len(before)


@pytest.mark.parametrize("origin", [0, BEGIN * 2])
def test_another_clock_begins_anew(origin: int) -> None:
    ring = turned(Ring(), 60)
    for number in range(60, 120):
        ring.add(frame(number, stamp=origin + number * FRAME), changed=True)
    assert all(origin <= stamp < origin + 10 * SECOND for stamp in ring.stamps)
    assert len(ring.stamps) >= 28


def wild() -> Iterator[st.SearchStrategy[int]]:
    yield st.integers(-5 * SECOND, 5 * SECOND)
    yield st.integers(-(2**62), 2**62)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.one_of(*wild()), st.booleans()), max_size=60))
def test_whatever_the_stamps_are_order_and_bounds_hold(frames: list[tuple[int, bool]]) -> None:
    ring = Ring(seconds=2, most_bytes=6_000)
    for number, (stamp, changed) in enumerate(frames):
        ring.add(frame(number, stamp=stamp), changed=changed)
        stamps = ring.stamps
        assert list(stamps) == sorted(set(stamps))
        assert not stamps[1:] or stamps[-1] - stamps[1] <= 2 * SECOND
        assert ring._bytes == size(everything(ring)) <= 6_000


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"most_bytes": -1}, {"rate": 0}])
def test_a_ring_that_keeps_nothing_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(PictureError, match=r"each must be more than 0"):
        Ring(**wrong)

"""The sounds as samples: whole, short, loud enough, without clicks at their ends, and never to be mixed up."""

from array import array
from itertools import combinations
from math import sqrt

import pytest

from companion.sounds.cues import Cue
from companion.sounds.synthesis import FULL, RATE, TUNES, samples

ALL = list(Cue)
PAIRS = list(combinations(ALL, 2))
WINDOW = RATE // 20


def values(cue: Cue) -> "array[int]":
    return array("h", samples(cue))


def loudest(cue: Cue) -> float:
    """The mean loudness of its loudest twentieth of a second, of 1."""
    found = values(cue)
    parts = [found[at : at + WINDOW] for at in range(0, len(found), WINDOW)]
    return max(sqrt(sum(value * value for value in part) / len(part)) for part in parts) / FULL


def strokes(cue: Cue) -> list[float]:
    """When it is struck, as it can be heard: where the sound grows again."""
    found, step = values(cue), RATE // 100
    heights = [max(map(abs, found[at : at + step])) for at in range(0, len(found), step)]
    least = max(heights) / 8
    begun = [
        n
        for n, height in enumerate(heights)
        if height > least and height > 1.35 * max(heights[max(0, n - 3) : n], default=0)
    ]
    return [n / 100 for n in begun if not any(n - 4 <= other < n for other in begun)]


@pytest.mark.parametrize("cue", ALL)
def test_a_sound_begins_and_ends_with_nothing(cue: Cue) -> None:
    found = values(cue)
    assert found[0] == 0
    assert abs(found[-1]) <= 2
    assert max(map(abs, found[-RATE // 200 :])) < FULL * 0.12


@pytest.mark.parametrize("cue", ALL)
def test_a_sound_is_not_clipped_and_as_high_as_it_says(cue: Cue) -> None:
    highest = max(map(abs, values(cue)))
    assert highest == pytest.approx(FULL * TUNES[cue].peak, abs=1)
    assert highest < FULL


@pytest.mark.parametrize("cue", ALL)
def test_a_sound_is_as_long_as_its_notes_and_short(cue: Cue) -> None:
    assert len(samples(cue)) / 2 / RATE == pytest.approx(TUNES[cue].lasts, abs=0.001)
    assert TUNES[cue].lasts <= (1.8 if cue in (Cue.WIN, Cue.TIME_UP) else 1.0)


@pytest.mark.parametrize("cue", [cue for cue in ALL if not cue.is_aside])
def test_what_must_be_heard_is_loud(cue: Cue) -> None:
    assert 0.12 < loudest(cue) < 0.55


def test_a_touch_is_soft_and_a_tick_softer_than_any_verdict() -> None:
    others = [loudest(cue) for cue in ALL if not cue.is_aside]
    assert loudest(Cue.BUTTON) < loudest(Cue.TICK) < min(others)


def test_nothing_lies_below_what_a_small_loudspeaker_can_do() -> None:
    assert min(note.pitch for tune in TUNES.values() for note in tune.notes) >= 220


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_any_two_differ_in_their_rhythm(one: Cue, other: Cue) -> None:
    first, second = ([note.at for note in TUNES[cue].notes] for cue in (one, other))
    longer = max(TUNES[one].lasts, TUNES[other].lasts) / min(TUNES[one].lasts, TUNES[other].lasts)
    assert (
        len(set(first)) != len(set(second))
        or max(abs(a - b) for a, b in zip(sorted(set(first)), sorted(set(second)), strict=True)) >= 0.06
        or longer >= 1.6
    )


@pytest.mark.parametrize("cue", [Cue.LEGAL, Cue.NOTICE, Cue.CALL, Cue.TIE, Cue.FOUL, Cue.TIME_UP, Cue.LAST_TICK])
def test_the_rhythm_can_be_heard_in_the_samples(cue: Cue) -> None:
    assert strokes(cue) == pytest.approx([note.at for note in TUNES[cue].notes], abs=0.03)


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_any_two_differ_as_waves(one: Cue, other: Cue) -> None:
    a, b = values(one), values(other)
    along = sum(x * y for x, y in zip(a, b, strict=False))
    assert abs(along) / sqrt(sum(x * x for x in a) * sum(y * y for y in b)) < 0.5


def test_all_of_them_take_little_memory_and_are_made_once() -> None:
    assert sum(len(samples(cue)) for cue in ALL) < 400_000
    assert all(samples(cue) is samples(cue) for cue in ALL)


def test_they_are_the_same_every_time() -> None:
    before = samples(Cue.STRIKE)
    samples.cache_clear()
    assert samples(Cue.STRIKE) == before

"""A few minutes of the evening that `python -m tests.soak --hours 24` lives through; and growth would be noticed."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.devices.lock import is_open
from hardware.panel import Key
from tests.amounts import amounts
from tests.evening import Evening
from tests.soaking import Sample, growths, sample, too_much, waiting

MINUTES = 4
FLAT = [Sample(at, 100_000 + at % 3, 80_000, 50_000, 10, 1, 0, 2, at) for at in range(100)]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with closing(Evening(tmp_path / "journal.sqlite3", seed=4)) as found:
        yield found


def test_a_few_minutes_leave_nothing_open(evening: Evening) -> None:
    samples = []
    for minute in range(MINUTES):
        until = evening.hour.now + 60 * SECOND
        while evening.hour.now < until:
            evening.step()
        samples.append(sample(evening, minute))
    grown = [replace(one, rss=0) for one in samples]  # caches still fill
    assert too_much(growths(grown)) == []
    assert evening.journal.how_many() >= 1
    assert evening.touches > MINUTES
    assert len(evening.screens) > 3


@amounts("steps", 2_000, 4_000)
def test_the_table_is_looked_after_as_the_one_that_people_open(evening: Evening, steps: int) -> None:
    """Its buttons and its disk come and go, the match goes on, and afterwards all is as before."""
    devices, app = evening.devices, evening.app
    ailing: set[str] = set()
    for step in range(4 * steps):
        evening.step()
        ailing.update(app.view.ailing)
        if step > steps and ailing == {"buttons", "journal"}:
            break
    assert devices.flaps > 3
    assert ailing == {"buttons", "journal"}
    assert evening.logged > 3
    assert is_open(evening.journal.path), "the lock is held"
    found = sum(done.move.word in ("strike", "stop", "tres") for match in kept(evening) for done in match.line)
    assert found, "and the buttons are pressed"


def kept(evening: Evening) -> list[Match]:
    return [evening.journal.stored(one.code).folded() for one in evening.journal.matches()]


def test_what_waits_is_seen(evening: Evening) -> None:
    before = waiting(evening)
    for _ in range(5):
        pygame.event.post(pygame.event.Event(pygame.USEREVENT))
    assert waiting(evening) == before + 5
    assert waiting(evening) == before + 5, "and looking takes nothing away"
    evening.tending._to_say["buttons"] = "Something that nobody has seen yet."
    evening.devices.drawn.press(Key("strike", 0))
    assert waiting(evening) == before + 7


def test_what_is_flat_is_said_to_be() -> None:
    assert too_much(growths(FLAT)) == []


@pytest.mark.parametrize("what", ["rss", "files", "threads", "children", "waiting"])
def test_what_grows_is_found(what: str) -> None:
    grows = [replace(one, **{what: getattr(one, what) * (1 + one.at / 500) + one.at / 2}) for one in FLAT]
    found = too_much(growths(grows))
    assert [one.split(":")[0] for one in found] == [what]


def test_two_in_a_hundred_are_the_most() -> None:
    for share, is_found in ((0.015, False), (0.03, True)):
        late = [replace(one, rss=round(one.rss * (1 + share * (one.at > 60)))) for one in FLAT]
        assert bool(too_much(growths(late))) == is_found

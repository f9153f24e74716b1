"""The tracker, before a game that is a row of lamps: it knows none, so any will do."""

from collections.abc import Iterator, Mapping
from math import exp, log
from typing import Any

import pytest

from companion.watch.tracker import MOST_OPEN, OPEN_FOR, SECOND, Belief, Deed, PlaceChange, Story, Tracker

ODD = 0.1  # of those who switch a lamp on do so where it is forbidden
HIDDEN = 0.3


class Lamps:
    """A lamp may be switched on while the one to its left is on; the state of a lamp is all that is seen of it."""

    def stories(self, table: tuple[bool, ...], change: PlaceChange, *, again: bool) -> Iterator[Story]:
        for face, chance in change.faces:
            lit = face == "on"
            if table[change.place] == lit:
                continue
            legal = not lit or change.place == 0 or table[change.place - 1]
            odds = log(chance) + log(1 - ODD if legal else ODD)
            quiet = 0.0 if again else log(1 - HIDDEN * change.again)
            deed = Deed(change.number, "switch", change.place, face, legal, int(again))
            yield Story(lamp(table, change.place, lit=lit), odds + quiet, deed)

    def unseen(self, table: tuple[bool, ...], change: PlaceChange) -> Iterator[Story]:
        """The lamp to the left was switched on and nobody saw it, though hands were there twice."""
        left = change.place - 1
        if change.again and left >= 0 and not table[left]:
            yield Story(lamp(table, left, lit=True), log(HIDDEN * change.again), Deed(-1, "unseen", left, "on"))

    def shows(self, table: tuple[bool, ...], place: int) -> str:
        return "on" if table[place] else "off"

    def settled(self, table: Any, now: int, doubts: Mapping[int, float]) -> Iterator[tuple[Any, float]]:
        assert now > 0
        assert all(0 <= doubt <= 0.5 for doubt in doubts.values())
        yield table, 0.0


class Blinking(Lamps):
    """A lamp may be as it was, too."""

    def stories(self, table: tuple[bool, ...], change: PlaceChange, *, again: bool) -> Iterator[Story]:
        yield from super().stories(table, change, again=again)
        for face, share in change.faces:
            if table[change.place] == (face == "on"):
                yield Story(table, log(share))


def lamp(table: tuple[bool, ...], place: int, *, lit: bool) -> tuple[bool, ...]:
    return (*table[:place], lit, *table[place + 1 :])


def change(
    number: int, place: int, at: float, *, long: float = 0.4, face: str = "on", again: float = 0.0
) -> PlaceChange:
    """Done about then, and known a little later."""
    since, by = int((at - long / 2) * SECOND), int((at + long / 2) * SECOND)
    return PlaceChange(number, place, ((face, 1.0),), since, by, by, again)


def seen(*changes: PlaceChange, lamps: int = 4) -> Tracker:
    tracker = Tracker(Lamps(), (False,) * lamps)
    for one in changes:
        tracker.take(one)
    return tracker


def chance(tracker: Tracker, number: int) -> float:
    return tracker.beliefs()[number].legal


def test_one_after_the_other_there_is_no_doubt() -> None:
    beliefs = seen(change(1, 0, 1), change(2, 1, 2), change(3, 3, 3)).beliefs()
    assert [beliefs[number].legal for number in (1, 2, 3)] == [1, 1, 0]
    assert all(belief.play == 1 and belief.other is None for belief in beliefs.values())


def test_whatever_comes_in_first_the_stamps_decide() -> None:
    early, late = change(1, 1, 2), change(2, 0, 1)
    assert seen(early, late).beliefs()[1].legal == seen(late, early).beliefs()[1].legal == 1


def test_what_is_legal_in_one_order_that_nobody_saw_is_legal() -> None:
    assert chance(seen(change(1, 1, 1.0), change(2, 0, 1.05)), 1) == 1


def test_an_order_that_is_hardly_possible_is_none() -> None:
    """Both stretches overlap, but a short one is done in its middle."""
    assert chance(seen(change(1, 1, 1.0), change(2, 0, 1.35)), 1) < 0.01


def test_what_nobody_saw_is_weighed_by_what_it_explains() -> None:
    """A lamp that is on beyond one of which nobody knows: it was hardly forbidden."""
    tracker = Tracker(Lamps(), (False, False, False, False))
    tracker.take(change(1, 1, 1, again=1.0))
    expected = HIDDEN * (1 - ODD) / (HIDDEN * (1 - ODD) + (1 - HIDDEN) * ODD)
    assert tracker.beliefs()[1].legal == pytest.approx(expected)


def test_the_other_story_is_told() -> None:
    belief = seen(change(1, 1, 1, again=1.0)).beliefs()[1]
    assert (belief.deed.unseen, belief.deed.legal) == (1, True)
    assert belief.other is not None
    assert (belief.other.unseen, belief.other.legal) == (0, False)


def test_a_doubtful_face_is_settled_by_what_is_possible() -> None:
    on = PlaceChange(1, 0, (("off", 0.6), ("on", 0.4)), 0, SECOND, SECOND)
    tracker = seen(on)
    assert tracker.best.line[0].face == "on"  # it was off before, and something changed


def test_of_a_face_that_cannot_be_read_later_evidence_tells_which_it_is() -> None:
    """A lamp that nobody could see: the next one was switched on as if it were lit."""
    unclear = PlaceChange(2, 1, (("on", 0.5), ("off", 0.5)), SECOND, 2 * SECOND, 2 * SECOND)
    dark = Tracker(Blinking(), (True, True, False))
    dark.take(unclear)
    before = dark.shown(1)["on"]
    dark.take(change(3, 2, 3))
    assert dark.shown(1)["on"] == pytest.approx(before * (1 - ODD) / (before * (1 - ODD) + (1 - before) * ODD))


def test_what_was_seen_in_doubt_and_is_seen_clearly_comes_in_anew() -> None:
    unclear = PlaceChange(2, 1, (("on", 0.5), ("off", 0.5)), SECOND, 2 * SECOND, 2 * SECOND)
    tracker = Tracker(Blinking(), (True, True, False))
    tracker.take(unclear)
    tracker.withdraw(unclear)
    assert tracker.shown(1) == {"on": 1.0}
    assert not tracker.open
    tracker.withdraw(unclear)  # long settled


def test_what_nothing_explains_is_as_if_it_had_not_been_seen() -> None:
    tracker = seen(change(1, 0, 1), change(2, 0, 2), change(3, 1, 3))
    assert set(tracker.beliefs()) == {1, 3}
    assert tracker.best.table == (True, True, False, False)


def test_what_is_settled_is_not_thought_over() -> None:
    tracker = seen(change(1, 1, 1.0))
    assert not tracker.settle(tracker.open[0].stamp + OPEN_FOR - 1)
    assert [one.number for one in tracker.settle(2 * SECOND + OPEN_FOR)] == [1]
    assert not tracker.open
    tracker.take(change(2, 0, 1.05))
    assert set(tracker.beliefs()) == {2}
    assert tracker.best.table == (True, True, False, False)


def test_what_overlaps_with_something_new_waits_for_it() -> None:
    tracker = seen(change(1, 1, 1.0, long=2.0), change(2, 0, 1.5, long=4.0))
    assert not tracker.settle(int(3.6 * SECOND))  # the first is old enough, the second is not


def test_a_crowd_does_not_pile_up() -> None:
    tracker = seen(*(change(number, number % 4, number, face="on") for number in range(4)))
    for number in range(4, 40):
        tracker.take(change(number, number % 4, number, face="off" if number // 4 % 2 else "on"))
        tracker.settle(1)
    assert len(tracker.open) <= MOST_OPEN


def test_only_what_is_new_is_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = seen(*(change(number, 0, number, face="off" if number % 2 else "on") for number in range(8)))
    asked: list[int] = []

    def stories(self: Lamps, table: Any, one: PlaceChange, *, again: bool) -> Iterator[Story]:
        asked.append(one.number)
        yield from told(self, table, one, again=again)

    told = Lamps.stories
    monkeypatch.setattr(Lamps, "stories", stories)
    tracker.take(change(8, 0, 8))
    assert asked == [8]


def test_the_weights_are_those_of_the_stories() -> None:
    tracker = seen(change(1, 2, 1), change(2, 3, 2))
    assert exp(tracker.best.weight) == pytest.approx(ODD * (1 - ODD))
    assert isinstance(tracker.beliefs()[1], Belief)

"""Whatever appears where something else could just be touched is dead for a moment: for fingers, keys and the mouse."""

from collections.abc import Callable

import pytest

from companion.core.clocks import MILLISECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.rules import Move
from companion.display.scene import Go, Intent, Item, Mark, Say
from companion.display.stale_touches import DEAD
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from tests.display.table import Guests

DOG = three.DOGS[0].name
SOON, LATER = DEAD // 2, 2 * DEAD


def seated(game: str, *moves: Move) -> Guests:
    guests, playing = Guests(), game_named(game)
    referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), guests.hour.now)
    guests.app._touches.sit_down(referee)
    for move in moves:
        guests.wait(1)
        guests.app.take(Say(move), guests.hour.now)
    assert guests.hands.scene
    return guests


def drawn(guests: Guests, after: int) -> None:
    """What there is to see now is seen, and so much time passes."""
    assert guests.hands.scene
    guests.hour.now += after


def says(guests: Guests, kind: type[Move]) -> list[Item]:
    return [
        item
        for item in guests.app.scene.targets()
        if isinstance(item.intent, Say) and isinstance(item.intent.message, kind)
    ]


@pytest.mark.parametrize("late", [SOON, LATER])
def test_a_dog_that_is_called_too_late_is_not_played(late: int) -> None:
    """The call's time runs out, and its dogs become those that can be laid."""
    guests = seated("three", three.Begin("Anna"), three.Play("Anna", DOG), three.Strike("Ben"))
    call = says(guests, three.Call)[1]
    guests.wait(60)
    guests.wait(60)
    match = guests.app.match
    assert match is not None
    assert match.state.phase == "turn"
    line = len(match.line)
    drawn(guests, late)
    there = guests.app.scene.touched(*call.box.centre)
    assert there is not None, "what it was all about"
    assert isinstance(there.intent, Say | Mark)
    touched = guests.hands.touch(*call.box.centre, guests.hour.now)
    assert touched == (late == LATER)
    assert len(match.line) == line + (touched and isinstance(there.intent, Say))


@pytest.mark.parametrize("by_key", [False, True])
def test_deal_anew_is_not_touched_for_deal(*, by_key: bool) -> None:
    guests = seated("triple3")
    cards = triple3.DECK[:9]
    guests.app.take(Mark("deal", (tuple(zip(triple3.CELLS, cards, strict=True)), 0, False)), guests.hour.now)
    drawn(guests, LATER)
    deal = says(guests, triple3.Deal)[0]

    def again() -> bool:
        if by_key:
            return guests.hands.key("d", "d", guests.hour.now)
        return guests.hands.touch(*deal.box.centre, guests.hour.now)

    assert again()
    assert phase(guests) == "ready"
    drawn(guests, SOON)
    assert not again()
    assert phase(guests) == "ready"
    drawn(guests, LATER)
    assert not guests.app.view.marks


def phase(guests: Guests) -> str:
    return str(guests.app.view.match.state.phase)


def test_a_letter_twice_as_quickly_as_people_type() -> None:
    guests = Guests()
    guests.app.take(Go("players", "triplexity"), guests.hour.now)
    guests.app.take(Go("name", "0"), guests.hour.now)
    for _ in range(3):
        drawn(guests, 130 * MILLISECOND)
        key = next(item for item in guests.app.scene.targets() if getattr(item, "label", "").lower() == "l")
        assert guests.hands.touch(*key.box.centre, guests.hour.now)
    assert str(guests.app.view.marks["text"]).lower().endswith("lll")


def touchable(guests: Guests, wanted: Callable[[Intent], bool]) -> Item:
    return next(item for item in guests.app.scene.targets() if item.intent is not None and wanted(item.intent))


def test_what_appears_where_nothing_was_can_be_touched_at_once() -> None:
    guests = seated("triplexity", triplexity.Put("Anna", "left"))
    undo = next(item for item in guests.app.scene.targets() if item.key == "u")
    drawn(guests, SOON)
    assert guests.hands.touch(*undo.box.centre, guests.hour.now)


def test_a_row_that_has_moved_up_under_the_finger_is_another_row() -> None:
    guests = seated("triplexity", triplexity.Put("Anna", "left"))
    guests.app.take(Go("moves"), guests.hour.now)
    drawn(guests, LATER)
    first = touchable(guests, lambda intent: isinstance(intent, Mark | Go))
    match = guests.app.match
    assert match is not None
    before = guests.app.scene
    guests.app.take(Say(triplexity.Put("Ben", "right")), guests.hour.now)
    guests.app.take(Go("moves"), guests.hour.now)
    drawn(guests, SOON)
    there = guests.app.scene.touched(*first.box.centre)
    if there is not None and before.touched(*first.box.centre) != there:
        assert not guests.hands.touch(*first.box.centre, guests.hour.now)

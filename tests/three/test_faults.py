"""Faults in the middle of a match of Three!: said, recovered from, and the match intact; without pixels."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from companion.core.requests import Correct, Pause, Redo, Resume, Undo
from companion.games.three.rules import Call, Checked, Release, Strike
from companion.games.three.witness import Witness
from tests.three.scene import STEP, Scene
from vision.locate import TableView
from vision.mat import BANKS
from vision.sightings import CannotRead, CellNow, SameSeen, TableLost, TableSeen, Trouble, TroubleOver

PILES = {"Ann": ("Sky", "Ember", "Sky"), "Bob": ("Snow", "Snow", "Honey")}


def middle() -> Scene:
    """Three cards of everybody, and Ann has the turn."""
    scene = Scene().begin()
    for dogs in zip(*PILES.values(), strict=True):
        for player, dog in zip(PILES, dogs, strict=True):
            scene.play(player, dog)
    return scene


def view() -> TableSeen:
    return TableSeen(0, 0, TableView(None, "markers", BANKS), moved=False)  # type: ignore[arg-type]


# --- what may befall a table ---------------------------------------------------------------------------------------


def table_lost(scene: Scene) -> None:
    scene.see(TableLost(scene.now, 0, "I see the lattice mat, which is for another game."))
    scene.wait(2)
    scene.see(view())


def trouble(code: str) -> Callable[[Scene], None]:
    def befalls(scene: Scene) -> None:
        scene.see(Trouble(scene.now, 0, code, "Something is wrong."))
        scene.wait(2)
        scene.see(TroubleOver(scene.now, 0, code))

    return befalls


def lost_twice(scene: Scene) -> None:
    table_lost(scene)
    trouble("dark")(scene)


def another_witness(scene: Scene) -> None:
    scene.witness = Witness(seats={"bottom": "Ann", "left": "Bob"})
    scene.witness.not_before(scene.now)
    scene.see(scene.grid())


def read_anew(scene: Scene) -> None:
    scene.see(scene.grid())


def knocked_over(scene: Scene) -> None:
    scene.shows("Bob", "")
    scene.wait(4)
    scene.shows("Bob", "Honey")


def knocked_over_in_turn(scene: Scene) -> None:
    scene.shows("Ann", "")
    scene.wait(4)
    scene.shows("Ann", "Sky")


def face_down(scene: Scene) -> None:
    scene.shows("Ann", "", state="foreign")
    scene.wait(2)
    scene.shows("Ann", "Sky")


def unreadable(scene: Scene) -> None:
    scene.see(CannotRead(scene.now, 0, 3, "glare hides a part of it", ()))
    scene.wait(1)
    scene.shows("Ann", "Sky", anew=0.01)


def hand_stays(scene: Scene) -> None:
    scene.cells[3] = CellNow("covered", scene.now)
    scene.wait(14)
    scene.cells[3] = CellNow("clear", scene.now)


def put_straight(scene: Scene) -> None:
    for player in PILES:
        scene.shows(player, PILES[player][-1], anew=0.12)


def hands_everywhere(scene: Scene) -> None:
    for cell, look in scene.looks.items():
        if look.card:
            scene.see(SameSeen(scene.now, 0, cell, look, look, scene.now - STEP, ("top", "right"), scene.now, 0.001))


def nobody_at_a_pile(scene: Scene) -> None:
    """The light changes, and a pile seems to have moved."""
    look = scene.looks[4]
    scene.see(SameSeen(scene.now, 0, 4, look, look, scene.now - STEP, (), scene.now, 0.4))


def undone_and_redone(scene: Scene) -> None:
    scene.hear(Undo(at=scene.now))
    scene.hear(Redo(at=scene.now))


def paused(scene: Scene) -> None:
    scene.hear(Pause("the door", at=scene.now))
    scene.wait(3)
    scene.hear(Resume(at=scene.now))


def put_right_and_back(scene: Scene) -> None:
    for dog in ("Misty", "Honey"):
        number = len(scene.match.line)
        scene.hear(Correct(number, {"move": "play", "player": "Bob", "dog": dog}, at=scene.now))
        scene.wait(1)


def struck_for_nothing(scene: Scene) -> None:
    scene.say(Strike("Bob"))
    scene.wait(1)
    scene.say(Release("Bob"))


def out_of_turn(scene: Scene) -> None:
    scene.shows("Bob", "Domino")
    scene.wait(1.5)
    scene.shows("Bob", "Honey")


def thought_better(scene: Scene) -> None:
    scene.play("Ann", "Juniper", draws=False)
    scene.shows("Ann", "Sky")


def at_the_draw_pile(scene: Scene) -> None:
    scene.draw("Bob")


def cards_out_of_a_bank(scene: Scene) -> None:
    scene.banks("Bob", "Biscuit")
    scene.banks("Bob", "Misty")


def card_of_nobody(scene: Scene) -> None:
    """At a side of the mat where nobody sits."""
    look = scene.looks[1]
    seen = scene._look("Misty")
    scene.see(SameSeen(scene.now, 0, 1, look, seen, scene.now, ("top",), scene.now, 0.9))


class Fault(NamedTuple):
    befalls: Callable[[Scene], None]
    code: str = ""  # of what is said; nothing where there is nothing to say


FAULTS = (
    Fault(table_lost, "table"),
    Fault(trouble("dark"), "dark"),
    Fault(trouble("frozen"), "frozen"),
    Fault(trouble("camera"), "camera"),
    Fault(lost_twice, "table"),
    Fault(another_witness),
    Fault(read_anew),
    Fault(knocked_over, "pile-gone"),
    Fault(knocked_over_in_turn, "pile-gone"),
    Fault(face_down, "cannot-read"),
    Fault(unreadable, "cannot-read"),
    Fault(hand_stays, "hand-stays"),
    Fault(put_straight),
    Fault(hands_everywhere),
    Fault(nobody_at_a_pile),
    Fault(undone_and_redone),
    Fault(paused),
    Fault(put_right_and_back),
    Fault(struck_for_nothing),
    Fault(out_of_turn),
    Fault(thought_better),
    Fault(at_the_draw_pile),
    Fault(cards_out_of_a_bank),
    Fault(card_of_nobody),
)
NAMED = [f"{number} {fault.befalls.__name__.replace('_', ' ')}" for number, fault in enumerate(FAULTS, 1)]


@pytest.mark.parametrize("fault", FAULTS, ids=NAMED)
def test_the_match_is_intact(fault: Fault) -> None:
    scene = middle()
    fault.befalls(scene)
    scene.wait(1.5)
    assert scene.codes()[:1] == ([fault.code] if fault.code else [])
    assert scene.pile("Bob") == PILES["Bob"]
    scene.play("Ann", "Sky")
    scene.play("Bob", "Juniper")
    assert scene.pile("Ann") == (*PILES["Ann"], "Sky")
    assert scene.pile("Bob") == (*PILES["Bob"], "Juniper")
    scene.say(Strike("Bob"))
    scene.wait(1)
    scene.say(Call("Bob", "Ann", "Sky"))
    scene.wait(0.5)
    checked = [event for one in scene.rulings() for event in one.events if isinstance(event, Checked)]
    assert [(event.dog, event.found) for event in checked] == [("Sky", 3)]
    assert scene.witness._account.troubles == {}


def test_there_are_twenty_and_more() -> None:
    assert len(FAULTS) >= 20

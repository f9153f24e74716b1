"""A card that is laid on its like, told from hands that only rest there, hold a card or put the pile straight."""

from dataclasses import replace

import numpy as np
import pytest

from simulator.rendered.outcomes import course_of
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Script, ScriptedArm
from tests.three.dog_deck import dog_reader
from vision.laid_anew import QUARTER, UNKNOWN, laid_anew, motion_of
from vision.mat import BANKS, LARGE, LATTICE, SMALL
from vision.sightings import CardSeen, NoCard, SameSeen, Sighting
from vision.squares import SIDE
from vision.watcher import Watcher

SECOND = 1_000_000_000
DOG = "Sky"
PILE = (Lying("Ember", (-2.0, 1.5), 4.0), Lying(DOG, (2.2, -1.0), 356.5))
OTHERWISE = Lying(DOG, (-1.6, 1.8), 4.5)


def visited(what: Deed, lying: Lying | None, seed: int, pile: tuple[Lying, ...] = ()) -> Script:
    """A hand is at the pile of whoever sits below, once."""
    enters, there, deed, leaves, gone = (round(seconds * SECOND) for seconds in (0.8, 1.2, 1.4, 1.5, 1.9))
    arm = ScriptedArm("bottom", enters, there, deed, leaves, gone, 3, what, lying, pile=pile)
    grid = tuple(PILE if cell == 2 else () for cell in range(len(BANKS.places)))
    return Script(
        seed, 5 * SECOND // 2, grid, (arm,), mat=BANKS, places=BANKS.places, paper="three", rate=10.0, about={}
    )


def seen(script: Script) -> list[Sighting]:
    eye = Watcher(dog_reader(), mats=(BANKS,))
    return [one for frame in SimulatedTable(script).frames() for one in eye.watch(frame)]


@pytest.mark.parametrize(
    ("what", "lying", "least", "most"),
    [
        ("lay", OTHERWISE, 0.7, 1.0),
        ("lay", replace(PILE[-1], turn=270.0), QUARTER, 1.0),
        ("hover", None, 0.0, 0.02),
        ("hover", OTHERWISE, 0.0, 0.02),
        ("square", Lying(DOG, (0.2, 0.3), 0.5), 0.0, 0.4),
    ],
    ids=["laid", "laid turned", "rests", "holds one", "put straight"],
)
@pytest.mark.parametrize("seed", [3, 4])
def test_the_same_face_again(what: Deed, lying: Lying | None, least: float, most: float, seed: int) -> None:
    told = seen(visited(what, lying, seed))
    found = [one for one in told if isinstance(one, SameSeen) and one.cell == 3]
    assert found
    assert not any(isinstance(one, CardSeen | NoCard) for one in told)
    assert least <= max(one.anew for one in found) <= most
    assert "bottom" in {side for one in found for side in one.arms}


def test_another_face_is_a_card_as_ever() -> None:
    found = seen(visited("lay", replace(OTHERWISE, card="Snow"), 5))
    changed = [one for one in found if isinstance(one, CardSeen)]
    assert [(one.cell, one.before.card, one.after.card) for one in changed] == [(3, DOG, "Snow")]


def test_a_pile_that_is_taken_up_is_gone_and_comes_back() -> None:
    found = seen(visited("lift", None, 6))
    assert [(one.cell, one.before.card) for one in found if isinstance(one, NoCard)] == [(3, DOG)]
    script = visited("put", OTHERWISE, 6, (Lying("Snow"), Lying("Honey")))
    lying = [piece.lying.card for piece in course_of(script).lying_at(2 * SECOND) if piece.cell == 3]
    assert lying == ["Ember", DOG, "Snow", "Honey", DOG]


def test_mats_without_piles_of_cards_that_are_alike_tell_nothing_of_it() -> None:
    assert not any(mat.laid_alike for mat in (SMALL, LARGE, LATTICE))


def test_what_shows_something_else_is_not_known() -> None:
    rng = np.random.default_rng(3)
    one, other = (rng.integers(0, 255, (SIDE, SIDE, 3), dtype=np.uint8) for _ in range(2))
    assert motion_of(one, other) is None
    assert laid_anew(one, other) == UNKNOWN
    assert laid_anew(one, one) < 0.01

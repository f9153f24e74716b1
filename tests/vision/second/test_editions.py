"""The drawn editions are sixty-four cards each, unlike each other, and a picture shows those that were asked for."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.vision.second import Wish, editions, shot
from tests.vision.second.layouts import laid_out
from vision.deck import CARDS

SIZE = (640, 360)
NINE = CARDS[3:48:5]


@pytest.mark.parametrize("name", editions.NAMES)
def test_an_edition_draws_different_cards_and_always_the_same(name: str) -> None:
    drawn = {card: editions.face(name, card) for card in (*CARDS[::7], "back", "blank")}
    assert len({face.tobytes() for face in drawn.values()}) == len(drawn)
    editions.face.cache_clear()
    assert np.array_equal(editions.face(name, CARDS[7]), drawn[CARDS[7]])


@pytest.mark.parametrize("name", editions.NAMES)
def test_a_wave_more_is_more_ink_or_less_of_it(name: str) -> None:
    """Each count differs from the one before in at least a hundredth of the card."""
    for shape in ("circle", "star"):
        faces = [editions.face(name, f"red-{shape}-{count}").astype(int) for count in range(4)]
        for one, more in pairwise(faces):
            assert (np.abs(one - more).max(2) > 60).mean() > 0.01


def test_some_are_held_out_and_no_two_are_printed_alike() -> None:
    assert len(editions.HELD_OUT) == 6
    assert not {*editions.HELD_OUT} & {*editions.TUNED_BY}
    assert len({(edition.paper, edition.inks, edition.design) for edition in editions.DRAWN}) == 14


def test_the_cards_asked_for_lie_there_in_any_room() -> None:
    wish = Wish("vellum", None, cards=NINE, size=SIZE, room=3)
    seen = shot(1, wish, only_cells=True)
    assert set(seen.cells) == set(NINE)
    assert seen.conditions["light"] == shot(2, replace(wish, cards=CARDS[1:60:7]), only_cells=True).conditions["light"]


def test_a_copy_of_an_edition_keeps_its_paper_and_inks() -> None:
    wish = Wish("harbour", None, cards=NINE, copy=5, paper="matte")
    one, same, other = (
        laid_out(np.random.default_rng(seed), replace(wish, copy=copy)).piles[4][-1].picture()
        for seed, copy in ((1, 5), (2, 5), (1, 6))
    )
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_a_mirrored_lamp_is_seen_in_a_card() -> None:
    wish = Wish("harbour", None, size=SIZE, paper="sleeved", light="window")
    plain, mirrored = (shot(4, replace(wish, mirrored=mirror), only_cells=True) for mirror in (False, True))
    more = np.subtract(mirrored.glare, plain.glare)
    changed = [
        float(np.abs(one.astype(int) - other).std()) for one, other in zip(plain.crops(), mirrored.crops(), strict=True)
    ]
    assert more.max() > 0.04
    assert changed[int(more.argmax())] > 1.5 * changed[int(np.argmin(mirrored.glare))]

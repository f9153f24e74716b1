"""Words can be read on whatever they stand on, and players are told apart without seeing colours."""

import pytest

from companion.core.match import COLOURS
from companion.display.art import SHAPES as DRAWN
from companion.display.theme import SHAPES, THEMES, WRITTEN, contrast, shape_of, theme

# The least contrast of words on what they stand on, by the formula of WCAG 2: 7 is its best grade.
LEAST_CONTRAST = 7.0


def test_the_formula_is_the_one_of_wcag() -> None:
    assert contrast((255, 255, 255), (0, 0, 0)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("name", THEMES)
def test_words_stand_out_from_what_they_are_written_on(name: str) -> None:
    colours = theme(name)
    weak = {pair: contrast(colours[pair[0]], colours[pair[1]]) for pair in WRITTEN}
    assert {pair: found for pair, found in weak.items() if found < LEAST_CONTRAST} == {}


@pytest.mark.parametrize("name", THEMES)
def test_rims_and_rings_stand_out_from_every_surface(name: str) -> None:
    colours = theme(name)
    for surface in ("ground", "panel", "raised"):
        assert contrast(colours["focus"], colours[surface]) >= 3
        assert contrast(colours["rim"], colours[surface]) >= 7
        assert all(contrast(colours[f"edge-{colour}"], colours[surface]) >= 3 for colour in (*SHAPES, "copper"))


def test_every_colour_of_a_player_has_a_shape_of_its_own() -> None:
    shapes = [shape_of(colour) for colour in COLOURS]
    assert len(set(shapes)) == len(COLOURS)
    assert set(shapes) <= set(DRAWN)
    assert set(SHAPES) == set(COLOURS)


def test_a_colour_that_nobody_knows_can_be_drawn_too() -> None:
    assert theme("dark")["copper"]
    assert shape_of("copper") in DRAWN
    assert theme("no such theme") is THEMES["dark"]

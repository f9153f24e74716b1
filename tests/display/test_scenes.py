"""Every state of every screen, at every size: inside, apart, large enough to touch, and legible."""

from itertools import combinations

import pytest

from companion.display import lettering
from companion.display.gallery import SIZES, Shot, shots
from companion.display.layout import Box, Size, measure
from companion.display.painter import button_parts, label_fit, text_fit
from companion.display.scene import (
    Art,
    Badge,
    Button,
    Card,
    Chart,
    Filling,
    Item,
    Moving,
    Panel,
    Picture,
    Scene,
    Symbol,
    Text,
    Ticking,
)
from companion.display.screens import scene
from companion.display.screens.parts import upright
from companion.display.theme import THEMES
from companion.games.three import DOGS
from companion.words import LANGUAGES, Words

ODD: tuple[Size, ...] = ((1024, 600), (480, 800), (1366, 768), (1080, 1920), (1280, 800))
STRANGE: tuple[Size, ...] = ((320, 240), (240, 320), (1920, 360), (300, 1200), (64, 64), (1, 1))
HARD = ("long", "mistake", "six", "taken", "unfinished", "tie")  # names of sixty letters may be cut short
SURFACES = (Panel,)


def all_shots(size: Size) -> list[Shot]:
    return list(shots(size, Words()))


def is_surface(item: Item) -> bool:
    """Others may lie on it."""
    return isinstance(item, Panel) or (isinstance(item, Button) and not item.label and not item.symbol)


@pytest.mark.parametrize("size", [*SIZES, *ODD], ids=str)
def test_everything_is_inside_and_nothing_overlaps(size: Size) -> None:
    whole = Box(0, 0, *size)
    for shot in all_shots(size):
        found = scene(shot.view)
        for layer in (found.items, found.over):
            outside = [item for item in layer if not whole.holds(item.box) or item.box.w < 1 or item.box.h < 1]
            assert outside == [], shot.name
            for one, other in combinations([item for item in layer if not is_surface(item)], 2):
                assert not one.box.meets(other.box), (shot.name, one, other)


@pytest.mark.parametrize("size", [*SIZES, *ODD], ids=str)
def test_whatever_is_touched_is_large_enough_and_touched_for_itself(size: Size) -> None:
    least = measure(size).touch - 2  # rounding within a row
    for shot in all_shots(size):
        found = scene(shot.view)
        targets = found.targets()
        assert targets, shot.name
        small = [item for item in targets if min(item.box.size) < least]
        assert small == [], shot.name
        for one, other in combinations(targets, 2):
            assert not one.box.meets(other.box), (shot.name, one, other)
        for item in targets:
            assert found.touched(*item.box.centre) is item, shot.name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_texts_fit_in_every_language(size: Size, language: str) -> None:
    for shot in shots(size, Words(language)):
        if not any(word in shot.name for word in HARD):
            assert [text for text, fit in fits(scene(shot.view)) if fit.is_cut] == [], shot.name


def fits(found: Scene) -> list[tuple[str, lettering.Fitted]]:
    done = []
    for item in found.all():
        if isinstance(item, Text):
            done.append((item.text, text_fit(item, upright(item.box, item.turn))))
        elif isinstance(item, Button) and item.label:
            box = next(part for part, kind in button_parts(item, item.box) if kind == "label")
            done.append((item.label, label_fit(item, box)))
    return done


@pytest.mark.parametrize("size", STRANGE, ids=str)
def test_a_screen_of_any_size_has_its_scenes(size: Size) -> None:
    for shot in all_shots(size):
        assert scene(shot.view).items


def test_no_key_means_two_things() -> None:
    for shot in all_shots((800, 480)):
        keys = [item.key for item in scene(shot.view).targets() if item.key]
        assert len(keys) == len(set(keys)), shot.name


def test_every_colour_of_every_scene_is_one_of_the_theme() -> None:
    known = {role for theme in THEMES.values() for role in theme.colours}
    known |= {colour for name in ("red", "blue", "yellow", "green", "purple", "orange", "white", "black")
              for colour in (name, f"on-{name}", f"edge-{name}")}  # fmt: skip
    known |= {dog.colour for dog in DOGS}
    for shot in all_shots((800, 480)):
        for item in scene(shot.view).all():
            assert roles(item) <= known, (shot.name, item)


def roles(item: Item) -> set[str]:
    match item:
        case Panel():
            return {role for role in (item.fill, item.edge) if role}
        case Text() | Symbol() | Ticking() | Filling():
            return {item.role}
        case Badge():
            return {item.colour}
        case Picture() | Moving():
            return {outline.role for outline in item.outlines}
        case _:
            assert isinstance(item, Button | Art | Card | Chart)
            return set()

"""Every state of every screen, at every size: inside, apart, large enough to touch, and legible."""

from collections.abc import Iterable

import pytest

from companion.display import text_fit as lettering
from companion.display.layout import Box, Size, measure
from companion.display.painter import button_parts, label_fit, text_fit
from companion.display.scene import (
    Art,
    Badge,
    Button,
    CardItem,
    Chart,
    Filling,
    Item,
    Moving,
    PanelItem,
    Picture,
    QrItem,
    Scene,
    Symbol,
    Text,
    Ticking,
)
from companion.display.screens import scene
from companion.display.screens.elements import upright
from companion.display.theme import THEMES
from companion.games.three.rules import DOGS
from companion.words import LANGUAGES, Words
from tools.gallery.scenes import SIZES, ShownScene, shots

ODD: tuple[Size, ...] = ((1024, 600), (480, 800), (1366, 768), (1080, 1920), (1280, 800))
STRANGE: tuple[Size, ...] = ((320, 240), (240, 320), (1920, 360), (300, 1200), (64, 64), (1, 1))
HARD = ("long", "mistake", "six", "taken", "unfinished", "tie")  # names of sixty letters may be cut short
LONGEST = ("de", "fr")  # their words; the others are tried on the smallest screen only, in short
SURFACES = (PanelItem,)


def all_shots(size: Size) -> list[ShownScene]:
    return list(shots(size, Words()))


def is_surface(item: Item) -> bool:
    """Others may lie on it."""
    return isinstance(item, PanelItem) or (isinstance(item, Button) and not item.label and not item.symbol)


def meeting(items: Iterable[Item]) -> list[tuple[Item, Item]]:
    """Those with a pixel in common; from left to right, so that few have to be compared."""
    found: list[tuple[Item, Item]] = []
    before: list[Item] = []
    for item in sorted(items, key=lambda item: item.box.x):
        before = [one for one in before if one.box.right > item.box.x]
        found += [(one, item) for one in before if one.box.meets(item.box)]
        before.append(item)
    return found


@pytest.mark.parametrize("size", [*SIZES, *ODD], ids=str)
def test_everything_is_inside_and_nothing_overlaps(size: Size) -> None:
    whole = Box(0, 0, *size)
    for shot in all_shots(size):
        found = scene(shot.view)
        for layer in (found.items, found.over):
            outside = [item for item in layer if not whole.holds(item.box) or item.box.w < 1 or item.box.h < 1]
            assert outside == [], shot.name
            assert meeting([item for item in layer if not is_surface(item)]) == [], shot.name


@pytest.mark.parametrize("size", [*SIZES, *ODD], ids=str)
def test_whatever_is_touched_is_large_enough_and_touched_for_itself(size: Size) -> None:
    least = measure(size).touch - 2  # rounding within a row
    for shot in all_shots(size):
        found = scene(shot.view)
        targets = found.targets()
        assert targets, shot.name
        small = [item for item in targets if min(item.box.size) < least]
        assert small == [], shot.name
        assert meeting(targets) == [], shot.name
        for item in targets:
            assert found.touched(*item.box.centre) is item, shot.name


@pytest.mark.parametrize(
    ("size", "language"),
    [
        pytest.param(size, language, marks=[] if size == SIZES[0] or language in LONGEST else pytest.mark.long)
        for size in SIZES
        for language in LANGUAGES
    ],
)
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
        case PanelItem():
            return {role for role in (item.fill, item.edge) if role}
        case Text() | Symbol() | Ticking() | Filling():
            return {item.role}
        case Badge():
            return {item.colour}
        case Picture() | Moving():
            return {outline.role for outline in item.outlines}
        case _:
            assert isinstance(item, Button | Art | CardItem | Chart | QrItem)
            return set()

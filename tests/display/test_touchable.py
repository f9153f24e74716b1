"""What can be touched looks so, all of it can be touched, and nothing else looks so: in every state of every screen."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pygame
import pytest

from companion.display.layout import Box, Size
from companion.display.painter import OUTLINE, SURFACES, Painter, stands_out
from companion.display.scene import Art, Button, Go, Item, PanelItem, Scene
from companion.display.screens import scene
from companion.words import Words
from tests.display.table import Guests
from tools.gallery.scenes import shots

SIZE: Size = (800, 480)
MOSTLY = 0.6  # of a row of pixels: what lies upon it may hide the others
STEPS = (0.04, 0.3, 0.5, 0.7, 0.96)  # of the way through a thing, in both directions
THEMES = {"dark": 0, "bright": 3, "contrast": 6}  # which scene is the first
STEP = 9  # of so many one is painted: letters that are drawn for the first time take long; 1 for all of them


@cache
def scenes() -> tuple[tuple[str, Scene], ...]:
    return tuple((shot.name, scene(shot.view)) for shot in shots(SIZE, Words()))


def dead(found: Scene) -> Scene:
    """The same where nothing means anything."""
    items, over = (tuple(replace(item, intent=None) for item in layer) for layer in (found.items, found.over))
    return replace(found, items=items, over=over)


def painted(painter: Painter, surface: pygame.Surface, found: Scene) -> Any:
    painter.forget()
    painter.paint(found)
    return pygame.surfarray.array3d(surface)


@pytest.fixture(scope="module")
def surface() -> pygame.Surface:
    return pygame.display.set_mode(SIZE)


@pytest.mark.parametrize("theme", THEMES)
def test_what_can_be_touched_stands_out(theme: str, surface: pygame.Surface) -> None:
    """Its lower edge is drawn otherwise than that of the same thing where it cannot be touched."""
    painter = Painter(surface, theme)
    for name, found in scenes()[THEMES[theme] :: STEP]:
        differs = (painted(painter, surface, found) != painted(painter, surface, dead(found))).any(axis=2)
        for item in found.targets():
            assert rows_that(differs, item.box) >= stands_out(SIZE) - 1, (name, item)  # a card may hide one


def rows_that(differ: Any, box: Box) -> int:
    """How many rows of the lower half of a thing are other ones in the middle of it."""
    part = differ[box.x + box.w // 4 : box.right - box.w // 4, box.centre[1] : box.bottom]
    return int((part.mean(axis=0) >= MOSTLY).sum())


def test_only_what_has_a_surface_can_be_touched() -> None:
    """Nobody sees of a word or a symbol alone how far it reaches."""
    for name, found in scenes():
        assert [item for item in found.targets() if not isinstance(item, PanelItem | Button)] == [], name


def test_nothing_else_has_the_outline_of_what_can_be_touched(surface: pygame.Surface) -> None:
    for fill in SURFACES:
        plain, lined = (Scene(SIZE, (PanelItem(Box(40, 40, 200, 90), fill, edge),)) for edge in ("", OUTLINE))
        painter = Painter(surface)
        assert (painted(painter, surface, plain) == painted(painter, surface, lined)).all()


def test_all_of_a_thing_can_be_touched() -> None:
    for name, found in scenes():
        for item in found.targets():
            for x, y in points(item.box):
                assert found.touched(x, y) is item, (name, item, x, y)


def points(box: Box) -> Iterator[tuple[int, int]]:
    for along in STEPS:
        for down in STEPS:
            yield box.x + round(along * (box.w - 1)), box.y + round(down * (box.h - 1))


def test_no_large_picture_of_a_game_is_dead() -> None:
    """It looks like the tile that leads to the game."""
    for name, found in scenes():
        for art in large_pictures(found):
            assert found.touched(*art.box.centre), (name, art)


def large_pictures(found: Scene) -> list[Item]:
    return [item for item in found.items if isinstance(item, Art) and min(item.box.size) > SIZE[1] // 4]


@pytest.mark.parametrize("size", [(800, 480), (1280, 800)], ids=str)
def test_the_picture_of_a_game_leads_to_its_rules(size: Size) -> None:
    guests = Guests(size)
    guests.do(Go("players", "triplexity"))
    picture = next(item for item in guests.app.scene.items if isinstance(item, Art))
    assert guests.find(lambda intent: intent == Go("rules", "triplexity")).box.holds(picture.box)
    guests.do(Go("rules", "triplexity"))
    assert guests.screen == "rules"

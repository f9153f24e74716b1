"""The laws of the evening hold for what is drawn, and a table that lies is found out."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pygame
import pytest

from companion.display.layout import Box
from companion.display.painter import Painter
from companion.display.scene import Button, Item, Scene
from companion.display.screens import scene
from companion.display.view import Notice
from companion.words import Words
from tests.rigs.evening.laws import Laws, only_english
from tests.rigs.evening.table import Frame, read_frame
from tests.rigs.evening.told import plain
from tests.rigs.firstminute.screen import Shot
from tools.gallery.scenes import shots

SIZE = (800, 480)
STEP = 12  # of all states of the screens one in so many


@pytest.fixture(autouse=True, scope="module")
def screen() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SDL_VIDEODRIVER", "dummy")
        pygame.display.init()
        pygame.display.set_mode(SIZE)
        yield
        pygame.display.quit()


def scenes(language: str = "en") -> list[Scene]:
    return [scene(shot.view) for shot in list(shots(SIZE, Words(language)))[::STEP]]


def frame_of(shown: Scene) -> Frame:
    return read_frame({"turn": 1, "screen": "table", "moves": 0, "items": plain(shown, Box(0, 0, 0, 0), 0)})


def drawn(shown: Scene) -> Shot:
    surface = pygame.Surface(SIZE)
    Painter(surface).paint(shown)
    return np.ascontiguousarray(pygame.surfarray.array3d(surface).swapaxes(0, 1)[:, :, ::-1])


def test_what_is_drawn_is_as_it_looks() -> None:
    for shown in scenes():
        assert Laws("en").compare(drawn(shown), frame_of(shown)) == []


def test_buttons_that_look_otherwise_are_found_out() -> None:
    found = 0
    for shown in scenes():
        lies = replace(shown, items=tuple(map(switched, shown.items)), over=tuple(map(switched, shown.over)))
        buttons = [item for item in shown.items if isinstance(item, Button) and item.label]
        if buttons and not shown.over:
            found += 1
            assert len(Laws("en").compare(drawn(lies), frame_of(shown))) >= len(buttons)
    assert found


def switched(item: Item) -> Item:
    """On where it is off, and off where it is on."""
    if not isinstance(item, Button):
        return item
    return replace(item, intent=None) if item.intent else replace(item, intent=Scene(SIZE, ()).escape, look="plain")


@pytest.mark.parametrize("language", ["de", "fr"])
def test_english_is_found_on_a_translated_screen(language: str) -> None:
    assert {"touch", "draw", "the"} <= only_english(language)
    laws = Laws(language)
    for shown in scenes():
        laws.look_at(frame_of(shown))
    assert laws.broken


def test_a_button_under_a_notice_is_found() -> None:
    view = next(shot.view for shot in shots(SIZE, Words()) if shot.name == "menu")
    shown = scene(replace(view, notice=Notice("foul", "It is not your turn.")))
    laws = Laws("en")
    laws.look_at(frame_of(shown))
    assert not laws.broken
    [notice] = [item for item in shown.over if frame_of(replace(shown, items=(), over=(item,))).notices]
    below = Button(notice.box.inset(2), "Lies below", 20, intent=shown.escape)
    laws.look_at(frame_of(replace(shown, items=(*shown.items, below))))
    assert list(laws.broken) == ["Button 'Lies below' lies under a notice"]

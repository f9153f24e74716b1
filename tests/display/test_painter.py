"""Only what changed is drawn, and then the picture is the same as one drawn anew."""

import os
import random
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pygame
import pytest

from companion.core.clocks import SECOND, Clock
from companion.display.layout import Box
from companion.display.painter import Painter, _merged
from companion.display.scene import (
    Badge,
    Button,
    CardItem,
    Dismiss,
    Item,
    PanelItem,
    Picture,
    Scene,
    Symbol,
    Text,
    Ticking,
)
from companion.display.screens import scene
from companion.words import Words
from tests.display.repainting import Forgetful, broken, strips
from tools.gallery.scenes import shots

SIZE = (400, 240)


@pytest.fixture(autouse=True)
def screen(monkeypatch: pytest.MonkeyPatch) -> pygame.Surface:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    return pygame.display.set_mode(SIZE)


def pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


def anew(found: Scene, now: int = 0) -> bytes:
    surface = pygame.Surface(found.size)
    Painter(surface).paint(found, now)
    return pixels(surface)


def test_the_same_scene_is_not_drawn_again(screen: pygame.Surface) -> None:
    painter = Painter(screen)
    found = Scene(SIZE, (Text(Box(10, 10, 100, 30), "Anna", 20),))
    assert painter.paint(found) == [Box(0, 0, *SIZE)]
    assert painter.paint(found) == []
    assert painter.frames == 1


def test_what_a_touch_means_is_not_seen(screen: pygame.Surface) -> None:
    painter = Painter(screen)
    painter.paint(Scene(SIZE, (Button(Box(10, 10, 100, 30), "Anna", 20, intent=Dismiss()),)))
    assert painter.paint(Scene(SIZE, (Button(Box(10, 10, 100, 30), "Anna", 20, intent=Dismiss(), key="a"),))) == []


BUTTON = Button(Box(10, 10, 100, 30), "Anna", 20)
LOW, HIGH = PanelItem(Box(10, 10, 60, 60), "red"), PanelItem(Box(40, 40, 60, 60), "blue")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((BUTTON,), (replace(BUTTON, intent=Dismiss()),)),
        ((replace(BUTTON, intent=Dismiss()),), (BUTTON,)),
        ((LOW, HIGH), (HIGH, LOW)),
        ((LOW, BUTTON, HIGH), (HIGH, BUTTON, LOW)),
        ((BUTTON, BUTTON), (BUTTON,)),  # smooth edges are darker twice
        ((LOW, HIGH, LOW), (LOW, HIGH)),
    ],
    ids=("touchable", "dead", "turned over", "swapped", "once less", "no more on top"),
)
def test_what_is_seen_is_what_is_compared(
    screen: pygame.Surface, before: tuple[Item, ...], after: tuple[Item, ...]
) -> None:
    painter = Painter(screen)
    painter.paint(Scene(SIZE, before))
    assert painter.paint(Scene(SIZE, after)) != []
    assert pixels(screen) == anew(Scene(SIZE, after))


def test_a_picture_is_drawn_again_when_its_file_is_another(screen: pygame.Surface, tmp_path: Path) -> None:
    painter, file = Painter(screen), tmp_path / "picture.png"
    found = Scene(SIZE, (Picture(Box(0, 0, 100, 100), str(file)),))
    painter.paint(found)  # it is not there yet
    for ink in ("red", "blue"):
        made = pygame.Surface((10, 10))
        made.fill(ink)
        pygame.image.save(made, file)
        os.utime(file, ns=(0, len(ink)))
        painter.paint(found)
        assert screen.get_at((50, 50)) == pygame.Color(ink)


def test_a_scene_after_its_neighbour_is_the_scene_drawn_anew(screen: pygame.Surface) -> None:
    """A share of `python -m tests.display.repainting`, and the painter that it was made to find out."""
    some = list(islice(strips(), 10))
    assert [wrong for strip in some for wrong in broken(strip)] == []
    assert [wrong for strip in some for wrong in broken(strip, Forgetful)] != []
    assert screen.get_size() == SIZE


def test_only_the_boxes_that_changed_are_drawn(screen: pygame.Surface) -> None:
    painter = Painter(screen)
    still = Text(Box(10, 10, 100, 30), "Anna", 20)
    painter.paint(Scene(SIZE, (still, Text(Box(200, 100, 50, 30), "3", 20))))
    drawn = painter.paint(Scene(SIZE, (still, Text(Box(200, 100, 50, 30), "4", 20))))
    assert len(drawn) == 1
    assert not drawn[0].meets(still.box)
    assert drawn[0].holds(Box(200, 100, 50, 30))


def test_a_clock_is_drawn_when_another_digit_is_shown(screen: pygame.Surface) -> None:
    painter = Painter(screen)
    found = Scene(SIZE, (Ticking(Box(0, 0, 200, 80), Clock(60 * SECOND, since=0), 60),))
    painter.paint(found, SECOND // 2)
    assert painter.paint(found, SECOND - 1) == []
    assert painter.paint(found, SECOND) != []
    assert found.wakes_at(SECOND // 2) == SECOND


def test_a_clock_never_jumps_back_and_is_over_at_nothing() -> None:
    clock = Ticking(Box(0, 0, 9, 9), Clock(25 * SECOND, since=0), 9)
    said, now = [], 0
    while now < 26 * SECOND:
        said.append(clock.text_at(now))
        after = clock.changes_at(now)
        assert after is not None
        assert clock.text_at(after - 1) == clock.text_at(now)
        assert after > now
        now = after
    values = [float(text.removeprefix("0:")) for text in said]
    assert values == sorted(values, reverse=True)
    assert said[:2] == ["0:25", "0:24"]
    assert said[5] == "20.0"
    assert clock.text_at(25 * SECOND - 1) == "0.1"
    assert clock.text_at(25 * SECOND) == "0.0"


@pytest.mark.parametrize("seed", range(6))
def test_drawn_piece_by_piece_is_the_same_as_drawn_at_once(screen: pygame.Surface, seed: int) -> None:
    chance = random.Random(seed)
    painter = Painter(screen)
    items = [one(chance) for _ in range(14)]
    for _ in range(12):
        for _ in range(chance.randrange(1, 4)):
            items[chance.randrange(len(items))] = one(chance)
        # What lies upon what is settled by a key, as a scene keeps its order from frame to frame.
        found = Scene(SIZE, tuple(sorted(items, key=repr)))
        painter.paint(found)
        assert pixels(screen) == anew(found)


def one(chance: random.Random) -> PanelItem | Text | Badge | Symbol | Button:
    box = Box(chance.randrange(300), chance.randrange(160), chance.randrange(8, 100), chance.randrange(8, 80))
    colour = chance.choice(("red", "blue", "yellow", "green"))
    turn = chance.randrange(4)
    return chance.choice(
        (
            PanelItem(box, colour, "line"),
            Text(box, chance.choice(("Anna", "Ben has won", "3")), 20, turn=turn),
            Badge(box, colour, turn=turn),
            Symbol(box, "undo", "warn", turn=turn),
            Button(box, "Start", 20, "main", "play", intent=Dismiss()),
        )
    )


@pytest.mark.parametrize("theme", ["contrast", pytest.param("bright", marks=pytest.mark.long)])
def test_every_state_can_be_drawn_in_every_theme(theme: str) -> None:
    """The pictures of the documents are of the dark one."""
    surface = pygame.Surface((800, 480))
    for shot in shots((800, 480), Words(), theme=theme):
        painter = Painter(surface, theme)
        painter.paint(scene(shot.view), shot.moment)
        assert painter.frames == 1


@pytest.mark.parametrize(
    "size", [(1, 1), (64, 64), pytest.param((300, 1200), marks=pytest.mark.long), (1920, 360)], ids=str
)
def test_every_state_can_be_drawn_on_a_screen_of_any_size(size: tuple[int, int]) -> None:
    surface = pygame.Surface(size)
    for shot in shots(size, Words()):
        Painter(surface).paint(scene(shot.view), shot.moment)


def test_a_text_is_read_from_the_side_it_is_turned_to(screen: pygame.Surface) -> None:
    """The same box turned upside down twice is the same picture."""
    box = Box(0, 0, 120, 40)
    upright, over = pygame.Surface((120, 40)), pygame.Surface((120, 40))
    Painter(upright).paint(Scene((120, 40), (Text(box, "Anna", 24),)))
    Painter(over).paint(Scene((120, 40), (Text(box, "Anna", 24, turn=2),)))
    difference = pygame.transform.average_color(pygame.transform.rotate(over, 180), consider_alpha=False)
    assert pixels(pygame.transform.rotate(over, 180)) == pixels(upright), difference
    assert screen.get_size() == SIZE


def test_a_card_of_the_deck_is_drawn_with_its_face(screen: pygame.Surface) -> None:
    Painter(screen).paint(Scene(SIZE, (CardItem(Box(20, 20, 120, 120), "blue-circle-0"),)))
    r, _, b, _ = screen.get_at((80, 80))
    assert b > 150
    assert r < 100
    assert tuple(screen.get_at((20, 20)))[:3] == (16, 20, 24)  # its corners are cut round


def test_another_theme_is_drawn_whole(screen: pygame.Surface) -> None:
    painter = Painter(screen)
    found = Scene(SIZE, (Text(Box(10, 10, 100, 30), "Anna", 20),))
    painter.paint(found)
    painter.use(screen, "bright")
    assert painter.paint(found) == [Box(0, 0, *SIZE)]


def test_boxes_far_apart_are_drawn_apart() -> None:
    assert len(_merged([Box(0, 0, 10, 10), Box(300, 200, 10, 10)])) == 2
    assert _merged([Box(0, 0, 10, 10), Box(5, 0, 10, 10)]) == [Box(0, 0, 15, 10)]

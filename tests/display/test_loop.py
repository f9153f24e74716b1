"""The window: events become intents once, and nothing is drawn that has not changed. The video driver is a dummy."""

import os
import threading
import time
from collections.abc import Iterator

import pygame
import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.display import loop as loop_module
from companion.display.app import App
from companion.display.loop import Looks, Loop, NoScreenError, open_window, wake
from companion.display.scene import ChangeTo, Go, Leave, Say, Start
from companion.display.view import Prefs
from companion.games.threepia import rules as threepia
from tests.display.table import Hour


@pytest.fixture
def hour() -> Hour:
    return Hour()


@pytest.fixture
def loop(hour: Hour) -> Iterator[Loop]:
    surface = open_window(Looks((800, 480)))
    pygame.event.clear()
    made = Loop(App((800, 480), clock=hour), surface, hour)
    made.show()
    yield made
    pygame.display.quit()


def happen(loop: Loop, *events: pygame.event.Event) -> None:
    for event in events:
        pygame.event.post(event)
    loop.once(0)


def middle_of(loop: Loop, intent: object) -> tuple[int, int]:
    return next(item.box.centre for item in loop.app.scene.targets() if item.intent == intent)


def finger(x: int, y: int) -> pygame.event.Event:
    return pygame.event.Event(pygame.FINGERDOWN, x=x / 800, y=y / 480, dx=0, dy=0, touch_id=1, finger_id=1)


def mouse(x: int, y: int, *, touch: bool = False, button: int = 1) -> pygame.event.Event:
    return pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=button, touch=touch)


def key(code: int, text: str = "", mod: int = 0) -> pygame.event.Event:
    return pygame.event.Event(pygame.KEYDOWN, key=code, unicode=text, mod=mod)


def begun(loop: Loop, hour: Hour, way: str) -> None:
    """A match in its first turn."""
    loop.app.take(Go("players", "threepia"), hour.now)
    draft = loop.app.view.draft
    house = threepia.House(way=way)
    loop.app.take(ChangeTo(type(draft)(draft.game, draft.players, house), Start()), hour.now)
    loop.app.take(Say(threepia.Deal("")), hour.now)
    loop.app.take(Say(threepia.Begin(draft.names[0])), hour.now)
    loop.show()


def test_a_mouse_touches(loop: Loop) -> None:
    happen(loop, mouse(*middle_of(loop, Go("settings"))))
    assert loop.app.view.screen == "settings"


def test_a_finger_touches_once_though_it_arrives_twice(loop: Loop, hour: Hour) -> None:
    loop.app.take(Go("players", "threepia"), 1)
    loop.show()
    around = next(
        item.box.centre
        for item in loop.app.scene.targets()
        if isinstance(item.intent, ChangeTo) and isinstance(item.intent.to, Prefs)
    )
    hour.now += SECOND
    happen(loop, finger(*around))
    hour.now += 500 * MILLISECOND
    happen(loop, mouse(*around, touch=True))
    assert loop.app.view.prefs.around


def test_only_the_left_button_of_a_mouse_touches(loop: Loop) -> None:
    happen(loop, mouse(*middle_of(loop, Go("settings")), button=3))
    assert loop.app.view.screen == "games"


def test_keys(loop: Loop) -> None:
    happen(loop, key(pygame.K_s, "s"))
    assert loop.app.view.screen == "settings"
    happen(loop, key(pygame.K_ESCAPE))
    assert loop.app.view.screen == "games"
    happen(loop, key(pygame.K_TAB), key(pygame.K_TAB), key(pygame.K_TAB, mod=pygame.KMOD_SHIFT))
    assert loop.hands.scene.over[-1].box == loop.app.scene.targets()[0].box
    first = loop.app.scene.targets()[0].intent
    happen(loop, key(pygame.K_KP_ENTER))
    assert isinstance(first, Go)
    assert loop.app.view.screen == first.screen


def test_nothing_is_drawn_when_nothing_changes(loop: Loop, hour: Hour) -> None:
    begun(loop, hour, "points")
    frames = loop.painter.frames
    for _ in range(60):
        hour.now += SECOND
        loop.once(0)
    happen(loop, pygame.event.Event(pygame.MOUSEMOTION, pos=(3, 3), rel=(1, 1), buttons=(0, 0, 0)), mouse(1, 1))
    assert loop.painter.frames == frames


def test_a_clock_is_drawn_once_a_second_and_only_where_it_stands(loop: Loop, hour: Hour) -> None:
    begun(loop, hour, "stopwatch")
    frames = loop.painter.frames
    for _ in range(100):
        hour.now += 100 * MILLISECOND
        loop.once(0)
    assert loop.painter.frames - frames == 10
    drawn = sum(box.w * box.h for box in loop.painter.drawn)
    assert drawn < 800 * 480 / 3


def test_it_sleeps_until_the_next_digit(loop: Loop, hour: Hour) -> None:
    begun(loop, hour, "stopwatch")
    hour.now += 400 * MILLISECOND
    loop.once(0)
    assert loop._nap() == 600
    loop.app.take(Leave(is_sure=True), hour.now)


def test_it_sleeps_long_where_nothing_runs(loop: Loop) -> None:
    assert loop._nap() == loop_module.LONGEST_NAP


def test_a_closed_window_ends_it_in_order(loop: Loop, hour: Hour) -> None:
    begun(loop, hour, "stopwatch")
    happen(loop, pygame.event.Event(pygame.QUIT))
    assert loop.app.is_left
    assert loop.app.view.match.paused is not None


def test_another_size_is_another_layout(loop: Loop) -> None:
    pygame.display.set_mode((1024, 600), pygame.RESIZABLE)
    happen(loop, pygame.event.Event(pygame.VIDEORESIZE, size=(1024, 600), w=1024, h=600))
    assert loop.app.scene.size == (1024, 600)
    assert loop.painter.drawn == [(0, 0, 1024, 600)]


def test_a_window_that_was_hidden_is_drawn_again(loop: Loop) -> None:
    frames = loop.painter.frames
    happen(loop, pygame.event.Event(pygame.VIDEOEXPOSE))
    assert loop.painter.frames == frames + 1


def test_other_threads_can_wake_it(loop: Loop) -> None:
    threading.Timer(0.01, wake).start()
    begun = time.monotonic()
    loop.once(5_000)
    assert time.monotonic() - begun < 4


def test_a_press_wakes_it(loop: Loop, monkeypatch: pytest.MonkeyPatch) -> None:
    ear, mouth = os.pipe()
    monkeypatch.setattr(type(loop.app), "ears", [ear])
    os.write(mouth, b"x")
    begun = time.monotonic()
    loop.once(5_000)
    assert time.monotonic() - begun < 4
    os.close(ear)
    os.close(mouth)


def test_run_ends_when_somebody_leaves(loop: Loop) -> None:
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    loop.run()
    assert loop.app.is_left


def test_no_screen_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(NoScreenError, match="There is no screen to draw on"):
        open_window(Looks((800, 480)))


def test_a_key_that_is_held_confirms_the_name_and_begins_nothing(loop: Loop, hour: Hour) -> None:
    loop.app.take(Go("players", "tres"), hour.now)
    loop.app.take(Go("name", "0"), hour.now)
    loop.show()
    for _ in range(20):
        hour.now += SECOND // 4
        happen(loop, key(pygame.K_RETURN, "\r"))
    assert (loop.app.view.screen, loop.app.match) == ("players", None)
    happen(loop, pygame.event.Event(pygame.KEYUP, key=pygame.K_RETURN, mod=0))
    happen(loop, key(pygame.K_RETURN, "\r"))
    assert loop.app.match is not None


def test_a_key_that_nobody_saw_come_up_is_no_dead_key(loop: Loop, hour: Hour) -> None:
    happen(loop, key(pygame.K_ESCAPE))
    happen(loop, pygame.event.Event(pygame.WINDOWFOCUSLOST))
    hour.now += SECOND
    happen(loop, key(pygame.K_ESCAPE))
    assert "leave" not in loop.app.view.marks, "asked, and not any more"


def test_a_held_key_pauses_once_and_writes_again_and_again(loop: Loop, hour: Hour) -> None:
    loop.app.take(Go("players", "triplexity"), hour.now)
    loop.app.take(Start(), hour.now)
    loop.show()
    for _ in range(20):
        hour.now += SECOND
        happen(loop, key(pygame.K_z, "z"))
    assert loop.app.view.match.paused is not None
    happen(loop, pygame.event.Event(pygame.KEYUP, key=pygame.K_z, mod=0))
    loop.app.take(Go("games"), hour.now)
    loop.app.take(Go("players", "triplexity"), hour.now)
    loop.app.take(Go("name", "0"), hour.now)
    for _ in range(3):
        happen(loop, key(pygame.K_z, "z"))
    assert loop.app.view.marks["text"].endswith("zzz")

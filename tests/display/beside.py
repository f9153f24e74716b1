"""A window with a drawn table in a test: its time travels, and a mouse finds what it looks for on either half."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.seats import Bot
from companion.core.wire import reply_plain
from companion.devices.camera import RoomCamera
from companion.display.app import App
from companion.display.layout import Box, Size
from companion.display.loop import Looks, open_window
from companion.display.scene import ChangeTo, Go, Intent, Item, Start
from companion.games.triple3.watched_spread import WatchedRoom
from companion.journal import Journal
from simulator.drawn.drawn_table import Room
from simulator.drawn.items import Thing
from simulator.drawn.spread import Spread
from simulator.drawn.window import Window
from tests.display.table import Hour

SIZE: Size = (960, 600)
LOOKS = 400 * MILLISECOND  # until somebody has seen what is there now, and clicks
LONGEST = SECOND  # between two looks at the window


class Feed:
    """A camera whose frames come as the time of a test goes on."""

    def __init__(self, hour: Hour, source: Any, every: int) -> None:
        self._hour, self._open, self._every = hour, source, every
        self._source: Any = None
        self._due = 0
        self._ear, self._mouth = os.pipe()

    def fileno(self) -> int:
        return self._ear

    def take(self) -> list[Any]:
        if self._hour.now < self._due:
            return []
        self._source = self._source or self._open()
        self._due = self._hour.now + self._every
        return [self._source.frame()]

    def close(self) -> None:
        for end in (self._ear, self._mouth):
            os.close(end)


class Visitor:
    """Somebody at the window, with a mouse and keys. Bots are the others."""

    def __init__(
        self,
        *,
        seed: int | None = 5,
        camera: int = 0,
        mistakes: float = 0.05,
        size: Size = SIZE,
        journal: Path | None = None,
    ) -> None:
        """`camera`: nanoseconds between two frames of one over Triple³, 0 for none."""
        self.hour = Hour()
        self.room = (
            WatchedRoom((1, 1), self.hour, seed=seed, mistakes=mistakes) if camera else self._plain(seed, mistakes)
        )
        if isinstance(self.room, WatchedRoom):
            self.room.camera = RoomCamera(self.room.opened, feed=lambda _, open_: Feed(self.hour, open_, camera))
        self.camera = camera
        self.told: list[dict[str, Any]] = []
        eye = self.room.camera if isinstance(self.room, WatchedRoom) else None
        self.journal = Journal.open(journal) if journal else None
        self.app = App((1, 1), self.journal, clock=self.hour, table_for=self.room.seat, camera=eye)
        self.app.hearers.append(lambda reply: self.told.append(reply_plain(reply)))
        self.window = Window(self.app, self.room, open_window(Looks(size)), self.hour)
        pygame.event.clear()
        self.window.show()

    def _plain(self, seed: int | None, mistakes: float) -> Room:
        return Room((1, 1), self.hour, seed=seed, mistakes=mistakes)

    def close(self) -> None:
        self.app.close(self.hour.now)
        self.room.close()
        if self.journal:
            self.journal.close()
        pygame.display.quit()

    def sits_down(self, game: str, players: int = 2, **rules: Any) -> None:
        self.app.take(Go("players", game), self.hour.now)
        draft = self.app.view.draft
        while len(draft.players) < players:
            draft = draft.with_one_more(f"Guest {len(draft.players) + 1}", Bot())
        draft = replace(draft, players=draft.players[:players], house=replace(draft.house, **rules))
        self.app.take(ChangeTo(draft, Start()), self.hour.now)
        if isinstance(self.room, WatchedRoom) and self.room.camera is not None:
            self.room.camera.wait()
        self.wait(0)

    # --- time ------------------------------------------------------------------------------------------------

    def wait(self, nanoseconds: int) -> None:
        self.hour.now += nanoseconds
        self.window.once(0)

    def goes_on(self) -> None:
        """Until something may have happened."""
        now = self.hour.now
        found = [at for at in (self.app.wakes_at(now), self.room.acts_at, now + LONGEST) if at is not None]
        found += [now + self.camera] if self.camera else []
        self.wait(max(MILLISECOND, min(found) - now))

    # --- hands -----------------------------------------------------------------------------------------------

    def press(self, x: int, y: int, *, is_down: bool) -> None:
        """And what comes of it, one window later."""
        kind = pygame.MOUSEBUTTONDOWN if is_down else pygame.MOUSEBUTTONUP
        pygame.event.post(pygame.event.Event(kind, pos=(x, y), button=1, touch=False))
        self.wait(0)
        self.wait(25 * MILLISECOND)

    def click(self, x: int, y: int) -> None:
        self.wait(LOOKS)
        self.press(x, y, is_down=True)
        self.press(x, y, is_down=False)

    def on_screen(self, wanted: Callable[[Intent], bool]) -> bool:
        """Click what means that on the display, if it is there."""
        found = [item for item in self.app.scene.targets() if item.intent and wanted(item.intent)]
        if found:
            at = self.window.parts.display
            x, y = found[0].box.centre
            self.click(at.x + x, at.y + y)
        return bool(found)

    def place_of(self, wanted: Callable[[Intent], bool]) -> tuple[int, int]:
        """Where something lies on the drawn table."""
        item = self.found(wanted)
        assert item is not None, [one.intent for one in self.room.scene.items if one.intent]
        x, y = free_point(self.room.scene.items, item)
        table = self.window.parts.table
        return table.x + x, table.y + y

    def found(self, wanted: Callable[[Intent], bool]) -> Item | None:
        return next((one for one in reversed(self.room.scene.items) if one.intent and wanted(one.intent)), None)

    def touch(self, wanted: Intent) -> None:
        self.click(*self.place_of(lambda intent: intent == wanted))

    def drag(self, thing: Thing, onto: Thing) -> None:
        start, end = (self.place_of(lambda intent, wanted=wanted: intent == wanted) for wanted in (thing, onto))  # type: ignore[misc]
        self.wait(LOOKS)
        self.press(*start, is_down=True)
        for share in (0.3, 0.7, 1.0):
            at = tuple(round(a + (b - a) * share) for a, b in zip(start, end, strict=True))
            pygame.event.post(
                pygame.event.Event(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(1, 0, 0), touch=False)
            )
            self.wait(16 * MILLISECOND)
        self.press(*end, is_down=False)

    def key(self, code: int, hold: int = 60 * MILLISECOND) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=code, unicode="", mod=0))
        self.wait(hold)
        pygame.event.post(pygame.event.Event(pygame.KEYUP, key=code, mod=0))
        self.wait(30 * MILLISECOND)

    # --- what is there ---------------------------------------------------------------------------------------

    @property
    def state(self) -> Any:
        assert self.app.match is not None
        return self.app.match.state

    @property
    def spread(self) -> Spread:
        assert self.room.spread is not None
        return self.room.spread

    @property
    def me(self) -> str:
        return self.room.me

    @property
    def is_over(self) -> bool:
        return self.app.view.screen == "result"

    def kinds(self) -> list[str]:
        return [reply["kind"] for reply in self.told]


def free_point(items: tuple[Item, ...], item: Item) -> tuple[int, int]:
    """A point of an item that no other lies over."""
    after = [one.box for one in items[items.index(item) + 1 :] if one.intent]
    box: Box = item.box
    for along in (0.5, 0.15, 0.85, 0.05):
        for down in (0.5, 0.15, 0.85):
            x, y = round(box.x + box.w * along), round(box.y + box.h * down)
            if not any(over.has(x, y) for over in after):
                return x, y
    return box.centre

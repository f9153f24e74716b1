"""A window with the display and the table beside it: each draws its own part, and events go to where they happen."""

import time
from collections.abc import Callable

import pygame

from companion.beside.halves import Halves, halves
from companion.beside.painter import TablePainter
from companion.beside.room import Room
from companion.clocks import MILLISECOND
from companion.display.app import App
from companion.display.layout import Box, Size
from companion.display.loop import LONGEST_NAP, Loop, key_name

LEAST: Size = (480, 320)  # smaller windows are drawn as if they were as large


class Window(Loop):
    """Runs an app and the table beside it until the window is closed."""

    def __init__(
        self, app: App, room: Room, surface: pygame.Surface, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        super().__init__(app, surface, clock)
        self.room = room
        room.join(app)
        self._whole = surface
        self._parts = halves(surface.get_size())
        self.table_painter = TablePainter(surface, app.prefs.theme)
        self._share(surface)

    @property
    def parts(self) -> Halves:
        return self._parts

    def _share(self, surface: pygame.Surface) -> None:
        """Give each its part of a window of another size."""
        self._whole = surface
        self._parts = halves(surface.get_size())
        display, table = self._parts
        self._screen, self._beside = _part(surface, display), _part(surface, table)
        self.app.resize(display.size)
        self.room.size = table.size
        self.painter.forget()
        self.table_painter.forget()

    # --- events ----------------------------------------------------------------------------------------------

    def once(self, nap: int) -> None:
        super().once(nap)
        if not self.app.is_left:
            self.room.attend(self._clock())

    def _hear(self, event: pygame.event.Event) -> None:
        stamp = self._clock()
        match event.type:
            case pygame.FINGERDOWN | pygame.FINGERUP | pygame.FINGERMOTION:
                w, h = self._whole.get_size()
                self._pointed(event.type, (round(event.x * w), round(event.y * h)), stamp)
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP if event.button == 1 and not getattr(event, "touch", 0):
                self._pointed(event.type, event.pos, stamp)
            case pygame.MOUSEMOTION if not getattr(event, "touch", False):
                self._pointed(event.type, event.pos, stamp)
            case pygame.KEYDOWN | pygame.KEYUP:
                self._keyed(event, stamp)
            case pygame.VIDEORESIZE:
                self._share(pygame.display.get_surface() or self._whole)
            case pygame.MOUSEBUTTONDOWN | pygame.MOUSEBUTTONUP | pygame.MOUSEMOTION:
                pass
            case pygame.VIDEOEXPOSE | pygame.WINDOWSHOWN:
                self.painter.forget()
                self.table_painter.forget()
            case _:
                super()._hear(event)

    def _pointed(self, kind: int, at: tuple[int, int], stamp: int) -> None:
        """The mouse or a finger; what is dragged out of the table goes on belonging to it."""
        x, y = at[0] - self._parts.table.x, at[1] - self._parts.table.y
        if kind in (pygame.MOUSEMOTION, pygame.FINGERMOTION):
            self.room.move(x, y)
        elif kind in (pygame.MOUSEBUTTONUP, pygame.FINGERUP):
            self.room.up(x, y, stamp)
        elif self._parts.table.has(*at):
            self.room.down(x, y, stamp)
        elif self._parts.display.has(*at):
            self.hands.touch(at[0] - self._parts.display.x, at[1] - self._parts.display.y, stamp)

    def _keyed(self, event: pygame.event.Event, stamp: int) -> None:
        name = key_name(event)
        is_down = event.type == pygame.KEYDOWN
        if not self.room.key(name, stamp, is_down=is_down) and is_down:
            self.hands.key(name, event.unicode, stamp)

    # --- drawing ---------------------------------------------------------------------------------------------

    def show(self) -> None:
        surface = pygame.display.get_surface() or self._whole
        if surface is not self._whole or surface.get_size() != self._whole.get_size():
            self._share(surface)
        display, table = self._parts
        theme, now, stamp = self.app.prefs.theme, self.app.table_time(self._clock()), self._clock()
        self.room.attend(stamp)
        self.painter.use(self._screen, theme)
        self.table_painter.use(self._beside, theme)
        dirty = _within(display, self.painter.paint(self.hands.scene, now, stamp))
        dirty += _within(table, self.table_painter.paint(self.room.scene, now, stamp))
        if dirty:
            pygame.display.update(dirty)

    def _nap(self) -> int:
        now, nap = self._clock(), super()._nap()
        at = self.room.wakes_at(now)
        return nap if at is None else max(1, min(nap, LONGEST_NAP, -(-(at - now) // MILLISECOND)))


def _part(surface: pygame.Surface, box: Box) -> pygame.Surface:
    if not box.w or not box.h:
        return pygame.Surface((1, 1))
    return surface.subsurface(pygame.Rect(box))


def _within(box: Box, painted: list[Box]) -> list[pygame.Rect]:
    """What was painted in a part of the window, as places in the window."""
    return [pygame.Rect(one).move(box.x, box.y) for one in painted]

"""A window with the display and the table beside it: each draws its own part, and events go to where they happen."""

import time
from collections.abc import Callable

import pygame

from companion.core.clocks import MILLISECOND
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Box
from companion.display.loop import LONGEST_NAP, Loop, key_name
from companion.display.scene import ChangeTo
from simulator.drawn.drawn_table import Room
from simulator.drawn.felt_painter import TablePainter
from simulator.drawn.halves import halves
from simulator.drawn.practice import PracticeApp, PracticeRoom, names_for


class Window(Loop):
    """Runs an app and the table beside it until the window is closed."""

    def __init__(
        self, app: App, room: Room, surface: pygame.Surface, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        super().__init__(app, surface, clock)
        self.room = room
        room.join(app)
        self._home = app, room  # to come back to from a guided round
        app.surroundings.practise = self.practise
        self._whole = surface
        self.parts = halves(surface.get_size())
        self.table_painter = TablePainter(surface, app.prefs.theme)
        self._share(surface)

    def _share(self, surface: pygame.Surface) -> None:
        """Give each its part of a window of another size."""
        self._whole, self._size = surface, surface.get_size()
        self.parts = halves(self._size)
        display, table = self.parts
        self._screen, self._beside = _part(surface, display), _part(surface, table)
        self.app.resize(display.size)
        self.room.size = table.size
        self.painter.forget()
        self.table_painter.forget()

    # --- a guided round ---------------------------------------------------------------------------------------

    def practise(self, game: str, stamp: int) -> None:
        """A first round of a game in the place of everything else, which waits."""
        home, _ = self._home
        room = PracticeRoom(self.parts.table.size, self._clock)
        app = PracticeApp(self.parts.display.size, room, prefs=home.prefs, clock=self._clock)
        room.join(app)
        app.begin(game, names_for(home.view), stamp)
        self._shows(app, room)

    def _looks_home(self, away: PracticeApp) -> None:
        """What waits is looked after all the same, and ends this when it ends."""
        home, _ = self._home
        home.attend(self._clock())
        if home.is_left:
            away.close(self._clock())
        elif away.is_ended:
            self._comes_back(away)

    def _comes_back(self, away: PracticeApp) -> None:
        home, room = self._home
        leads_to, stamp = away.leads_to, self._clock()
        away.close(stamp)
        self.room.close()
        self._shows(home, room)
        if away.prefs != home.prefs:
            home.take(ChangeTo(away.prefs), stamp)
        if leads_to is not None:
            home.take(leads_to, stamp)

    def _shows(self, app: App, room: Room) -> None:
        self.app, self.room, self.hands = app, room, Gestures(app)
        app.resize(self.parts.display.size)
        room.size = self.parts.table.size

    # --- events ----------------------------------------------------------------------------------------------

    def once(self, nap: int) -> None:
        super().once(nap)
        if self.app.is_left:
            return
        self.room.attend(self._clock())
        if isinstance(self.app, PracticeApp):
            self._looks_home(self.app)

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
            case pygame.QUIT:
                self._home[0].close(stamp)
                self.app.close(stamp)
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
        x, y = at[0] - self.parts.table.x, at[1] - self.parts.table.y
        if kind in (pygame.MOUSEMOTION, pygame.FINGERMOTION):
            self.room.move(x, y)
        elif kind in (pygame.MOUSEBUTTONUP, pygame.FINGERUP):
            self.room.up(x, y, stamp)
        elif self.parts.table.has(*at):
            self.room.down(x, y, stamp)
        elif self.parts.display.has(*at):
            self.hands.touch(at[0] - self.parts.display.x, at[1] - self.parts.display.y, stamp)

    def _keyed(self, event: pygame.event.Event, stamp: int) -> None:
        name = key_name(event)
        is_down = event.type == pygame.KEYDOWN
        if self._is_held(event):
            return
        if not self.room.key(name, stamp, is_down=is_down) and is_down:
            self.hands.key(name, event.unicode, stamp)

    # --- drawing ---------------------------------------------------------------------------------------------

    def show(self) -> None:
        surface = pygame.display.get_surface() or self._whole
        if surface is not self._whole or surface.get_size() != self._size:  # the same one may be larger by now
            self._share(surface)
        display, table = self.parts
        theme, now, stamp = self.app.prefs.theme, self.app.table_time(self._clock()), self._clock()
        self.room.attend(stamp)
        self.room.lately.shows(self.room.scene, stamp)
        self.painter.use(self._screen, theme)
        self.table_painter.use(self._beside, theme)
        dirty = _within(display, self.painter.paint(self.room.pointed(self.hands.scene), now, stamp))
        dirty += _within(table, self.table_painter.paint(self.room.scene, now, stamp))
        if dirty:
            pygame.display.update(dirty)

    def _nap(self) -> int:
        now, nap = self._clock(), super()._nap()
        found = [self.room.wakes_at(now)]
        if self.app is not self._home[0]:
            found.append(self._home[0].wakes_at(now))
        at = min((at for at in found if at is not None), default=None)
        return nap if at is None else max(1, min(nap, LONGEST_NAP, -(-(at - now) // MILLISECOND)))


def _part(surface: pygame.Surface, box: Box) -> pygame.Surface:
    if not box.w or not box.h:
        return pygame.Surface((1, 1))
    return surface.subsurface(pygame.Rect(box))


def _within(box: Box, painted: list[Box]) -> list[pygame.Rect]:
    """What was painted in a part of the window, as places in the window."""
    return [pygame.Rect(one).move(box.x, box.y) for one in painted]

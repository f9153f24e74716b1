"""The window: events become intents, and the newest scene is drawn when it is another one. It sleeps in between."""

import contextlib
import os
import select
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import pygame

from companion.__main__ import if_installed
from companion.core.background import in_thread
from companion.core.clocks import MILLISECOND
from companion.core.errors import CompanionError
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Box, Size, measure
from companion.display.painter import Painter
from companion.display.pieces import FACE, printed
from companion.display.scene import Scene, Text
from companion.display.screens.table_screen import screen_of

LONGEST_NAP = 1000  # milliseconds
SLEEPERS = ("x11", "wayland", "windows", "cocoa")  # drivers that wake up; SDL asks the others every millisecond, ...
UNSEEN = ("offscreen", "dummy")  # what SDL takes by itself when there is no other
LOOK_EVERY = 0.008  # ... which costs more than it gives: this many seconds are enough
AGAIN = ("left", "right", "up", "down", "tab", "shift tab", "backspace", "page up", "page down")  # mean more while held
OUT_OF_MEMORY = "Out of memory"  # as SDL says it
WAKE = pygame.event.custom_type()


class NoScreenError(CompanionError):
    """There is no screen to draw on; the message says why."""


class ScreenGoneError(NoScreenError):
    """There was one."""


def no_screen(error: Exception) -> Exception:
    """What SDL's error means; it has a sentence for memory that has run out, too."""
    if str(error) == OUT_OF_MEMORY:
        return MemoryError()
    return NoScreenError(f"There is no screen to draw on ({error}).")


def desktop() -> Size:
    """How large the screen is that windows are opened on."""
    try:
        pygame.display.init()
        width, height = pygame.display.get_desktop_sizes()[0]
    except (pygame.error, IndexError) as error:
        raise no_screen(error) from None
    return width, height


@dataclass(slots=True)
class Looks:
    """What was asked of the window."""

    size: Size | None = None  # None: the whole screen
    title: str = "Table companion"


def open_window(looks: Looks) -> pygame.Surface:
    os.environ.setdefault("SDL_TOUCH_MOUSE_EVENTS", "1")
    try:
        pygame.display.init()
        if pygame.display.get_driver() in UNSEEN and "SDL_VIDEODRIVER" not in os.environ:
            raise pygame.error("nothing is connected")
        pygame.font.init()
        flags = pygame.RESIZABLE if looks.size else pygame.FULLSCREEN
        surface = pygame.display.set_mode(looks.size or (0, 0), flags)
    except pygame.error as error:
        raise no_screen(error) from None
    pygame.display.set_caption(looks.title)
    pygame.key.set_repeat(400, 60)
    return surface


class Held:
    """Keys that are down. Most mean something once, however long they are held: what they lead to is another screen,
    on which they would go on meaning something else, and a pause that ends by itself is none."""

    def __init__(self) -> None:
        self._down: set[str] = set()

    def is_again(self, event: pygame.event.Event, *, writes: bool) -> bool:
        """It says once more what was meant once. Where somebody writes, a held letter is written again."""
        name = key_name(event)
        if event.type == pygame.KEYUP:
            self._down.discard(name)
            return False
        is_again = name in self._down
        self._down.add(name)
        return is_again and name not in AGAIN and not (writes and event.unicode.isprintable() and event.unicode)

    def forget(self) -> None:
        """Nobody says whether they come up."""
        self._down = set()


class Loop:
    """Runs an app in a window until it is left."""

    def __init__(self, app: App, surface: pygame.Surface, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.app = app
        self.painter = Painter(surface, app.prefs.theme)
        self.hands = Gestures(app)
        self.held = Held()
        app.library.wake = wake
        self._clock = clock
        self._printed = {""}  # of which games
        self._can_wait = pygame.display.get_driver() in SLEEPERS

    def run(self) -> None:
        """Until the window is closed or somebody leaves. A ScreenGoneError if there is nothing to draw on any more."""
        try:
            self._run()
        except pygame.error as error:
            if str(error) == OUT_OF_MEMORY:
                raise MemoryError from None
            raise ScreenGoneError(f"The screen is gone ({error}).") from None

    def _run(self) -> None:
        self.show()
        in_thread("letters")(_warm_up)
        while not self.app.is_left:
            self.once(self._nap())
            self._print_cards()

    def _print_cards(self) -> None:
        """Before they are laid, cards are drawn whose faces take longer than a frame may."""
        game = self.app.match.setup.game if self.app.match else ""
        if game in self._printed:
            return
        self._printed.add(game)
        if cards := tuple(screen_of(game).printed()):
            in_thread("cards")(lambda: _print_cards(cards))

    def once(self, nap: int) -> None:
        """Sleep until something happens, do it, and draw what is another now."""
        event = self._next_event(nap)
        while event.type != pygame.NOEVENT:
            self._hear(event)
            event = pygame.event.poll()
        if not self.app.is_left:
            self.app.attend(self._clock())
            self.show()

    def _next_event(self, nap: int) -> pygame.event.Event:
        """The first event within so many milliseconds; NOEVENT if none comes."""
        ears = self.app.ears
        if self._can_wait and nap and not ears:
            return pygame.event.wait(nap)
        until = time.monotonic() + nap / 1000
        while (event := pygame.event.poll()).type == pygame.NOEVENT and (left := until - time.monotonic()) > 0:
            if select.select(ears, [], [], min(left, LOOK_EVERY))[0]:
                break
        return event

    def _is_held(self, event: pygame.event.Event) -> bool:
        return self.held.is_again(event, writes=self.app.scene.writes is not None)

    def show(self) -> None:
        self.painter.use(pygame.display.get_surface() or pygame.Surface(self.app.state.size), self.app.prefs.theme)
        stamp = self._clock()
        dirty = self.painter.paint(self.hands.scene, self.app.table_time(stamp), stamp)
        if dirty:
            pygame.display.update([pygame.Rect(box) for box in dirty])

    def _nap(self) -> int:
        """Milliseconds until there is something to do without an event."""
        now = self._clock()
        at = self.app.wakes_at(now)
        if at is None:
            return LONGEST_NAP
        return max(1, min(LONGEST_NAP, -(-(at - now) // MILLISECOND)))

    def _hear(self, event: pygame.event.Event) -> None:
        stamp = self._clock()
        match event.type:
            case pygame.QUIT:
                self.app.close(stamp)
            case pygame.FINGERDOWN:
                w, h = self.app.state.size
                self.hands.touch(round(event.x * w), round(event.y * h), stamp)
            case pygame.MOUSEBUTTONDOWN if event.button == 1 and not getattr(event, "touch", False):
                self.hands.touch(event.pos[0], event.pos[1], stamp)
            case pygame.KEYDOWN | pygame.KEYUP:
                if not self._is_held(event) and event.type == pygame.KEYDOWN:
                    self.hands.key(key_name(event), event.unicode, stamp)
            case pygame.WINDOWFOCUSLOST:
                self.held.forget()
            case pygame.VIDEORESIZE:
                self.app.resize(event.size)
                self.painter.forget()
            case pygame.VIDEOEXPOSE | pygame.WINDOWSHOWN:
                self.painter.forget()


def key_name(event: pygame.event.Event) -> str:
    name = {pygame.K_KP_ENTER: "return", pygame.K_AC_BACK: "escape"}.get(event.key) or pygame.key.name(event.key)
    return f"shift {name}" if name == "tab" and event.mod & pygame.KMOD_SHIFT else name


def show_words(surface: pygame.Surface, theme: str, text: str) -> None:
    """One sentence and nothing else, before there is a table."""
    m = measure(surface.get_size())
    box = Box(0, 0, *surface.get_size()).inset(4 * m.edge)
    scene = Scene(surface.get_size(), (Text(box, text, m.large, lines=6, least=m.least),))
    Painter(surface, theme).paint(scene, 0)
    pygame.display.flip()
    pygame.event.pump()


def _warm_up() -> None:
    """What takes long to load and is not needed for the first picture."""
    with if_installed():
        import vision.card_drawing  # noqa: F401, PLC0415


def _print_cards(cards: Iterable[str]) -> None:
    with if_installed():
        for card in cards:
            printed(card, FACE)
            time.sleep(0.002)  # whoever draws the screen comes first


def wake() -> None:
    """From any thread: there is something for the app to look at."""
    with contextlib.suppress(pygame.error):
        pygame.event.post(pygame.event.Event(WAKE))


@contextlib.contextmanager
def window(looks: Looks) -> Iterator[pygame.Surface]:
    """A window that is closed in the end."""
    try:
        yield open_window(looks)
    finally:
        pygame.display.quit()

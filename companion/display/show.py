"""The real screens while they are recorded: time travels, fingers touch, stills are taken."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pygame

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import Setup
from companion.core.rules import Move
from companion.core.session import Session
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Size
from companion.display.painter import Painter
from companion.display.reel import Reel
from companion.display.scene import ChangeTo, Item, Say, Start
from companion.display.view import Draft, Prefs
from companion.seat.table import PlainTable, Seated

if TYPE_CHECKING:
    from companion.devices.camera import RoomCamera

BEGUN = 1_000 * SECOND  # the stamp at which a match begins
TICK = 250 * MILLISECOND  # the shortest time between two pictures of which only a clock is another
DOWN = 250  # milliseconds for which a finger is seen on what it touches
LAST = 3500  # milliseconds for how it ended
FINGER = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class ShowWish:
    """What is to be recorded."""

    setup: Setup
    seed: int = 3
    size: Size = (800, 480)
    seconds: float = 25
    prefs: Prefs = field(default_factory=Prefs)
    mistakes: float = 0.1
    plays: int | None = None  # of Triple³, if not the whole round


class Hour:
    """The time at the table that is recorded."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> int:
        return self.now


class ScreenShow:
    """A match on the real screens, of which stills are taken."""

    def __init__(
        self,
        wish: ShowWish,
        surface: pygame.Surface,
        table_for: Callable[[Session], Seated] = PlainTable,
        camera: "RoomCamera | None" = None,
    ) -> None:
        self.wish, self.hour, self.reel = wish, Hour(), Reel()
        self.app = App(wish.size, None, prefs=wish.prefs, clock=self.hour, table_for=table_for, camera=camera)
        self.hands = Gestures(self.app)
        self._surface, self._painter = surface, Painter(surface, wish.prefs.theme)
        draft = Draft(wish.setup.game, wish.setup.players, wish.setup.house)
        self.app.take(ChangeTo(draft, Start()), self.hour.now)

    # --- stills

    def still(self, lasts: float, finger: Item | None = None) -> None:
        """The screen as it is now."""
        self._painter.paint(self.app.scene, self.app.table_time(self.hour.now), self.hour.now)
        self.reel.add(self._pixels(finger), lasts)

    def _pixels(self, finger: Item | None) -> bytes:
        shown = self._surface
        if finger is not None:
            shown = shown.copy()
            _put_finger(shown, finger)
        return pygame.image.tobytes(shown, "RGB")

    # --- time

    def wait(self, until: int, least: int, most: int) -> None:
        """Let time pass up to a stamp; it is shown in no less and no more milliseconds."""
        wanted = max(0, until - self.hour.now) // MILLISECOND
        if wanted > most:
            self._pass(self.hour.now + most * 2 // 3 * MILLISECOND, 1)
            self._jump(until - most // 3 * MILLISECOND)
            self._pass(until, 1)
        elif wanted:
            self._pass(until, max(1.0, least / wanted))
        else:
            self.still(least)

    def _pass(self, until: int, slower: float) -> None:
        while (now := self.hour.now) < until:
            table = self.app.table_time(now)
            shows, moves = self.app.scene.wakes_at(table), self.app.scene.moves_at(now)
            changes = [until if shows is None else now + shows - table, until if moves is None else moves]
            then = min(until, max(now + TICK, min(changes)))
            self.still((then - now) / MILLISECOND * slower)
            self._jump(then)

    def _jump(self, until: int) -> None:
        self.hour.now = max(self.hour.now, until)
        self.app.attend(self.hour.now)

    # --- what people do

    def touch(self, item: Item, stamp: int) -> None:
        self.hour.now = max(self.hour.now, stamp)
        self.still(DOWN, item)
        self.hands.touch(*item.box.centre, self.hour.now)
        self.app.attend(self.hour.now)

    def say(self, move: Move, stamp: int) -> None:
        """What is not touched on the screen: a button was pressed, or somebody tries what the screen does not offer."""
        self.hour.now = max(self.hour.now, stamp)
        self.app.take(Say(move), self.hour.now)


def _put_finger(surface: pygame.Surface, item: Item) -> None:
    """A mark where somebody touches."""
    radius = max(8, min(surface.get_size()) // 14)
    side, fine = 2 * radius, 4  # drawn larger, so that edges are smooth
    mark = pygame.Surface((side * fine, side * fine), pygame.SRCALPHA)
    middle, thick = (radius * fine, radius * fine), max(2, radius // 6) * fine
    pygame.draw.circle(mark, (*FINGER, 110), middle, radius * fine - thick)
    pygame.draw.circle(mark, (0, 0, 0, 190), middle, radius * fine, 2 * thick)
    pygame.draw.circle(mark, (*FINGER, 255), middle, radius * fine - thick // 2, thick)
    small = pygame.transform.smoothscale(mark, (side, side))
    x, y = item.box.centre
    surface.blit(small, (x - radius, y - radius))


@dataclass(frozen=True, slots=True)
class GameRecording:
    """WATCHED_RECORDING of a game that is recorded otherwise than on its screen alone: all of the match, and the size
    of its pictures."""

    whole: Callable[[ShowWish, "pygame.Surface"], tuple[Reel, Size]] | None = None

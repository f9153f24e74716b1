"""The drawn table with everything that stands around it: seats, buttons with their lamps, bots, and the cards.

It knows no window: places, names of keys and stamps are enough, and its time is whatever it is told.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.match import Match
from companion.core.requests import MoveMessage, Request
from companion.core.rules import Move
from companion.core.seats import BotSeats
from companion.core.session import Session
from companion.display.app import App
from companion.display.layout import Size
from companion.display.scene import Go, Intent, Say, Scene
from companion.display.stale_touches import Lately
from companion.games import having, part
from companion.inputs.presses import Presses
from companion.seat.seating import table_with
from companion.seat.table import Seated
from hardware.simulated import SimulatedPanel
from simulator.drawn.bot_timing import Bots
from simulator.drawn.drawn_buttons import DrawnButtons
from simulator.drawn.items import Banner, HandOf, LeaveRound, Overlay, PressKey, Swap, Thing
from simulator.drawn.seat_view import Standing, scene_of
from simulator.drawn.sitters import STEP, Sitting, is_steady, seated, wiring_for
from simulator.drawn.spread import Minds, Picked, Spread, spread_of

if TYPE_CHECKING:
    from companion.devices.camera import RoomCamera

FAR = 6  # pixels that a mouse may tremble in a click


@dataclass(slots=True)
class _Drag:
    """Something under the mouse while its button is down."""

    thing: Thing
    start: tuple[int, int]
    at: tuple[int, int]
    was_held: bool

    @property
    def is_far(self) -> bool:
        return abs(self.at[0] - self.start[0]) > FAR or abs(self.at[1] - self.start[1]) > FAR


class Room:
    """The one place where the drawn table changes. `scene` is what is to be drawn of it now."""

    def __init__(
        self, size: Size, clock: Callable[[], int], *, seed: int | None = None, mistakes: float = 0.06
    ) -> None:
        self.size = size
        self.mistakes = mistakes
        self._clock = clock
        self._seed = seed
        self._rng = Random(seed)
        self._app: App | None = None
        self._seated: Seated | None = None
        self.buttons = DrawnButtons()
        self.press = self.buttons.press
        self._presses: Presses | None = None
        self.spread: Spread | None = None
        self.sitting: Sitting | None = None
        self.me = ""
        self.lately = Lately()
        self._picked: Picked = ()
        self._drag: _Drag | None = None
        self._known: tuple[Any, ...] = ()
        self._bots = Bots(self)
        self._scene: tuple[tuple[Any, ...], Scene] | None = None

    # --- how it is joined to the display ---------------------------------------------------------------------

    camera: "RoomCamera | None" = None  # over its table

    @property
    def bot_seats(self) -> BotSeats:
        """Bots play whatever can be drawn."""
        return BotSeats(frozenset(having("spread")), fills=True)

    def join(self, app: App) -> None:
        self._app = app
        app.surroundings.draws = True
        app.surroundings.bots = lambda: self.sitting.bots if self.sitting else frozenset()
        app.seat_bots(self.bot_seats)

    @property
    def app(self) -> App:
        assert self._app is not None
        return self._app

    def seat(self, session: Session) -> Seated:
        """A table with simulated buttons for a match: what `App` wants to be told."""
        match = session.referee.match
        self.buttons.close()
        panel = SimulatedPanel(wiring_for(match.setup.game, len(match.setup.names)), self._clock)
        self.buttons.wire(panel)
        self._presses = Presses(panel, match)
        self._seated = self.seat_with(session, self._presses)
        return self._seated

    def seat_with(self, session: Session, presses: Presses) -> Seated:
        return table_with(session, presses)

    def spread_for(self, match: Match, seed: int) -> Spread | None:
        return spread_of(match, seed)

    @property
    def has_persons(self) -> bool:
        """Somebody sits there who looks at the screen."""
        return self.sitting is not None and bool(self.sitting.persons)

    def bot_move(self, minds: Minds, now: int) -> Move | Request | bool | None:
        """What one of the bots does next."""
        return self.spread.bot_move(minds, now) if self.spread else None

    @property
    def banner(self) -> Banner | None:
        """What is said at the table where somebody is led through a round."""
        return None

    def pointed(self, scene: Scene) -> Scene:
        """The display's scene, with whatever this room wants to point at."""
        return scene

    def leave(self) -> None:
        """Out of a guided round; there is none here."""

    def close(self) -> None:
        self.buttons.close()

    # --- time ------------------------------------------------------------------------------------------------

    def attend(self, now: int) -> None:
        """What has happened in the match, and what bots do by now."""
        self._follow(now)
        self.buttons.attend(now)
        if self.spread is not None:
            self._bots.attend(now)

    def wakes_at(self, now: int) -> int | None:
        """The stamp at which there is something to do, or another picture of a lamp."""
        found = [self.acts_at]
        if self.spread is not None and not all(map(is_steady, self.buttons.lights.values())):
            found.append((now // STEP + 1) * STEP)
        return min((at for at in found if at is not None), default=None)

    @property
    def acts_at(self) -> int | None:
        """The stamp at which a bot, or its hand, does something."""
        found = [at for at, _ in self.buttons.lifts]
        if self.spread is not None and self._bots.due is not None:
            found.append(self._bots.due)
        return min(found, default=None)

    def _follow(self, now: int) -> None:
        match = self._app.match if self._app else None
        if match is None:
            self.spread, self._known = None, ()
            return
        known = (match.setup.id, len(match.line), id(match.ruling), match.is_running)
        if known == self._known:
            return
        self._known = known
        held = self._held()
        if self.spread is None or self.spread.setup.id != match.setup.id:
            self.sitting = seated(match.setup, self.sitting)
            self.spread = self.spread_for(match, _shuffle(match, self._rng if self._seed is not None else None))
        elif self.spread is not None:
            self.spread.follow(match)
        if self.spread is not None and self.sitting is not None:
            before, self.me = self.me, self.spread.shown(self.sitting.persons, self.me)
            self._picked = tuple(thing for thing, card in self._held() if self.me == before and (thing, card) in held)
        self._bots.changed(now)

    def _held(self) -> list[tuple[Thing, Any]]:
        """What is picked up, and which card that is: hands change under it when a move is undone or said elsewhere."""
        if self.spread is None:
            return []
        found = [(thing, self.spread.card_at(thing, self.me)) for thing in self._picked]
        return [(thing, card) for thing, card in found if card is not None and self.spread.can_pick(thing, self.me)]

    def say(self, message: Move | Request, at: int) -> None:
        """What somebody at the table says, as if it were touched on the screen, but without putting a notice away."""
        if self._seated is None:
            return
        said = MoveMessage(message, at, "") if isinstance(message, Move) else replace(message, at=at)
        self._seated.say(said, at)

    # --- mouse and keys --------------------------------------------------------------------------------------

    def down(self, x: int, y: int, stamp: int) -> None:
        """The mouse is pressed, or a finger laid down."""
        item = self.lately.meant(self.scene, stamp, lambda scene: scene.touched(x, y))
        if item is not None and item.intent is not None:
            self._touched(item.intent, (x, y), stamp)

    def _touched(self, intent: Intent, at: tuple[int, int], stamp: int) -> None:
        match intent:
            case Thing():
                self._touch_thing(intent, at, stamp)
            case PressKey(button):
                self.press(button, stamp, by="mouse")
            case Swap(player) if self.sitting:
                self.sitting = self.sitting.swapped(player)
                self._known = ()
            case HandOf(player):
                self.me, self._picked = player, ()
            case Overlay():
                self.overlay()
            case LeaveRound():
                self.leave()
            case Say() | Go():
                self.app.take(intent, stamp)

    def overlay(self) -> None:
        """Only where there is a camera."""

    def _touch_thing(self, thing: Thing, at: tuple[int, int], stamp: int) -> None:
        assert self.spread is not None
        if (not self._picked or thing not in self._picked) and self._put(thing, stamp):
            return
        was_held = thing in self._picked
        if was_held:
            self._drag = _Drag(thing, at, at, was_held)
            return
        held = self.spread.pick(thing, self._picked, self.me)
        if held is not None:
            self._picked = held
            self._drag = _Drag(thing, at, at, was_held)

    def _put(self, onto: Thing, stamp: int) -> bool:
        """What is held is put there, if that is anything."""
        assert self.spread is not None
        deed = self.spread.put(self._picked, onto, self.me)
        if not deed:
            return False
        self._picked, self._drag = (), None
        if isinstance(deed, Move | Request):
            self.app.take(Say(deed), stamp)
        return True

    def move(self, x: int, y: int) -> None:
        if self._drag is not None:
            self._drag.at = (x, y)

    def up(self, x: int, y: int, stamp: int) -> None:
        """The mouse is let go: a button comes up, what is dragged is put down."""
        self.buttons.lift("mouse", stamp)
        drag, self._drag = self._drag, None
        if drag is None or self.spread is None:
            return
        drag.at = (x, y)
        item = scene_of(self._standing(dragged=False)).touched(x, y)
        onto = item.intent if item is not None and isinstance(item.intent, Thing) else None
        if not drag.is_far or onto == drag.thing:
            if drag.was_held:
                self.spread.again(drag.thing)
                self._picked = self.spread.pick(drag.thing, self._picked, self.me) or ()
            return
        if onto is None or not self._put(onto, stamp):
            self._picked = ()

    def key(self, name: str, stamp: int, *, is_down: bool) -> bool:
        """A key of the keyboard; False if it presses no button here."""
        if not is_down:
            return self.buttons.lift(name, stamp)
        if self.spread is None or self.sitting is None or self.app.scene.writes is not None:
            return False
        if self.app.match is None or not self.app.match.is_running or self.app.view.screen != "table":
            return False
        button = self.sitting.buttons(self.spread.setup.game).get(name)
        if button is None:
            return False
        if name not in self.buttons.down:  # a key that is held repeats itself
            self.press(button, stamp, by=name)
        return True

    # --- what is seen ----------------------------------------------------------------------------------------

    @property
    def scene(self) -> Scene:
        standing = self._standing()
        key = standing.key
        if self._scene is None or self._scene[0] != key:
            self._scene = key, scene_of(standing)
        return self._scene[1]

    def _standing(self, *, dragged: bool = True) -> Standing:
        drag = self._drag if dragged and self._drag and self._drag.is_far else None
        app = self.app
        return Standing(
            self.size,
            app.words,
            app.prefs,
            app.view.seen,
            self.spread,
            self.sitting,
            self.me,
            self._picked,
            self.buttons.lights,
            self.buttons.pressed,
            self._clock(),
            (drag.thing, *drag.at) if drag else None,
            self.extra(),
            self.buttons.status_light,
            self.banner,
        )

    def extra(self) -> tuple[Any, ...]:
        """What else makes another picture of it."""
        return self.spread.seen_besides if self.spread is not None else ()


def _shuffle(match: Match, chance: Random | None) -> int:
    """How the deck of a match is shuffled: each match has its own way, so that a match that is gone on with, in
    another life of this program, has the cards it had."""
    return (chance or Random(match.setup.id)).randrange(2**32)


@dataclass(frozen=True, slots=True)
class CameraRoom:
    """WATCHED_SPREAD of a game that a camera can watch: the drawn table with its own camera, or with a real one."""

    make: Callable[[Size, Callable[[], int], "RoomCamera | None"], Room] = lambda size, clock, _: Room(size, clock)


def room_with_camera(size: Size, clock: Callable[[], int], camera: "RoomCamera | None") -> Room:
    """The drawn table; without a camera where no game is watched."""
    watched = next(iter(having("watched_spread")), "")
    return part(watched, "watched_spread", CameraRoom).make(size, clock, camera)

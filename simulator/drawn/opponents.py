"""Bots at a table with real things, in the games in which everything lies open and what is done can be said."""

from companion.core.requests import Request
from companion.core.rules import Move
from companion.core.seats import BotSeats
from companion.display.app import App
from companion.display.scene import Intent, Say
from companion.games import NAMES
from companion.games import game as game_named
from hardware.panel import Key
from simulator.drawn.bot_timing import Bots
from simulator.drawn.sitters import Sitting, seated
from simulator.drawn.spread import Minds, Spread, spread_of

MISTAKES = 0.06


class Opponents:
    """Goes along with the app: what a bot does is said as if somebody had touched it on the screen."""

    troubles: tuple[str, ...] = ()

    def __init__(self, app: App, mistakes: float = MISTAKES) -> None:
        self.app = app
        self.mistakes = mistakes
        self.spread: Spread | None = None
        self.sitting: Sitting | None = None
        self._known: tuple[object, ...] = ()
        self._bots = Bots(self)
        app.seat_bots(BotSeats(frozenset(name for name in NAMES if game_named(name).lies_open)))
        app.surroundings.bots = lambda: self.sitting.bots if self.sitting else frozenset()
        app.listeners.append(self)

    def touched(self, _intent: Intent) -> None:
        """Only what comes of it counts."""

    def wakes_at(self, _now: int) -> int | None:
        return self._bots.due if self.spread is not None else None

    def attend(self, now: int) -> None:
        self._follow(now)
        if self.spread is not None:
            self._bots.attend(now)

    @property
    def has_persons(self) -> bool:
        return self.sitting is not None and bool(self.sitting.people)

    def bot_move(self, minds: Minds, now: int) -> Move | Request | bool | None:
        return self.spread.bot_move(minds, now) if self.spread else None

    def press(self, button: Key, at: int) -> None:
        """No game in which everything lies open has buttons."""

    def say(self, message: Move | Request, at: int) -> None:
        self.app.take(Say(message), at)

    def _follow(self, now: int) -> None:
        match = self.app.match
        if match is None or not match.setup.is_seated or not match.game.lies_open:
            self.spread, self._known = None, ()
            return
        known = (match.setup.id, len(match.line), id(match.ruling), match.is_running)
        if known == self._known:
            return
        self._known = known
        if self.spread is None or self.spread.setup.id != match.setup.id:
            self.sitting = seated(match.setup, None)
            self.spread = spread_of(match, 0)
        else:
            self.spread.follow(match)
        self._bots.changed(now)

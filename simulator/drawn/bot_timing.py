"""When bots do what they do: after the time that somebody needs who has to see, to think and to reach out."""

from random import Random
from typing import Protocol

from companion.core.button_meanings import TOKEN, buttons_of
from companion.core.clocks import MILLISECOND, SECOND
from companion.core.requests import Request
from companion.core.rules import Move
from companion.display.app import App
from hardware.panel import Key
from simulator.drawn.sitters import Sitting
from simulator.drawn.spread import Minds, Spread

IDLE = (2.0, 4.0)  # seconds between two thoughts while it is a person's move
LOOKS = SECOND  # until a bot looks again whether people are back at the table
JOINS = 0.4  # how often another bot strikes at nearly the same moment
BEHIND = (3 * MILLISECOND, 90 * MILLISECOND)  # by how much


class BotSpot(Protocol):
    """Where bots sit."""

    mistakes: float
    spread: Spread | None
    sitting: Sitting | None

    @property
    def app(self) -> App: ...

    @property
    def has_persons(self) -> bool: ...

    def bot_move(self, minds: Minds, now: int) -> Move | Request | bool | None: ...

    def press(self, button: Key, at: int) -> None: ...

    def say(self, message: Move | Request, at: int) -> None: ...


class Bots:
    """All bots of a table. Each thinks for itself, as long as its pace is; how well it plays is another matter."""

    def __init__(self, place: BotSpot) -> None:
        self._place = place
        self._rng = Random(place.mistakes)
        self._thinks: dict[str, int] = {}  # until when each of them does
        self._strikes: list[tuple[int, Key]] = []

    @property
    def due(self) -> int | None:
        """The stamp at which a bot does something."""
        return min([*(at for at, _ in self._strikes), *self._thinks.values()], default=None)

    def changed(self, now: int) -> None:
        """The match has gone on: whoever is concerned thinks anew."""
        spread, sitting = self._place.spread, self._place.sitting
        if spread is None or sitting is None:
            return
        before, self._thinks = self._thinks, {}
        for player in sorted(sitting.bots):
            if spread.is_race and before.get(player, 0) > now:  # what others do keeps nobody from thinking on
                self._thinks[player] = before[player]
            else:
                self._thinks[player] = self._thought(now, player, spread.pace)

    def _thought(self, now: int, player: str, pace: tuple[float, float]) -> int:
        """Until when somebody thinks; in a race so long that all bots together keep up the pace."""
        spread, sitting = self._place.spread, self._place.sitting
        assert spread is not None
        assert sitting is not None
        share = len(sitting.bots) if spread.is_race else 1
        return now + int(self._rng.uniform(*pace) * share * sitting.bot(player).slowness * SECOND)

    def attend(self, now: int) -> None:
        for at, button in [one for one in self._strikes if one[0] <= now]:
            self._strikes.remove((at, button))
            self._place.press(button, at)
        place, awake = self._place, frozenset(player for player, at in self._thinks.items() if at <= now)
        if not awake:
            return
        if self._waits:
            self._thinks.update(dict.fromkeys(awake, now + LOOKS))
            return
        if place.spread is None or place.sitting is None:
            return
        bots = place.sitting.bots
        for player in sorted(awake & bots):
            self._thinks[player] = self._thought(now, player, place.spread.pace if place.spread.is_race else IDLE)
        self._thinks = {player: at for player, at in self._thinks.items() if player in bots}
        deed = place.bot_move(self._minds(awake & bots), now) if awake & bots else None
        if isinstance(deed, Move) and place.spread.is_too_early(deed, place.app.table_time(now)):
            return
        if deed:
            self.changed(now)
        if isinstance(deed, Move | Request):
            self._do(deed, now, bots)

    def _minds(self, awake: frozenset[str]) -> Minds:
        place = self._place
        assert place.sitting is not None
        bots = {player: place.sitting.bot(player) for player in place.sitting.names if player in place.sitting.bots}
        return Minds(bots, awake, len(bots) == len(place.sitting.names), place.mistakes)

    @property
    def _waits(self) -> bool:
        """Bots hold still while people look at something else than the table, or time stands."""
        app = self._place.app
        match = app.match
        if match is None or match.stands or app.view.screen not in ("table", "dispute"):
            return True
        return app.view.shows_round and self._place.has_persons

    def _do(self, deed: Move | Request, now: int, bots: frozenset[str]) -> None:
        """By the button if there is one for it, else by saying so."""
        button = self._button(deed)
        if button is None:
            self._place.say(deed, now)
            return
        self._place.press(button, now)
        spread = self._place.spread
        if spread is not None and isinstance(deed, Move) and spread.is_joined(deed) and self._rng.random() < JOINS:
            self._joins(sorted(bots - {deed.player}), now)

    def _joins(self, others: list[str], now: int) -> None:
        """Another hand on its way to the token comes too late."""
        spread = self._place.spread
        if others and spread is not None:
            late = Key(TOKEN, spread.names.index(self._rng.choice(others)))
            self._strikes.append((now + self._rng.randrange(*BEHIND), late))

    def _button(self, deed: Move | Request) -> Key | None:
        spread = self._place.spread
        if spread is None or not isinstance(deed, Move) or deed.player not in spread.names:
            return None
        kind = buttons_of(spread.setup.game).pressed(spread.state, deed)
        return Key(kind, spread.names.index(deed.player)) if kind else None

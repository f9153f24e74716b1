"""When bots do what they do: after the time that somebody needs who has to see, to think and to reach out."""

from random import Random
from typing import TYPE_CHECKING

from companion.clocks import MILLISECOND, SECOND
from companion.games.three import Strike
from companion.games.tres import Catch, Tres
from companion.games.triple3 import Stop
from companion.protocol import Request
from companion.rules import Move
from hardware.panel import Key

if TYPE_CHECKING:
    from companion.beside.room import Room

IDLE = (2 * SECOND, 4 * SECOND)  # between two thoughts while it is a person's move
LOOKS = SECOND  # until a bot looks again whether people are back at the table
JOINS = 0.4  # how often another bot strikes at nearly the same moment
BEHIND = (3 * MILLISECOND, 90 * MILLISECOND)  # by how much


class Bots:
    """All bots of a table."""

    def __init__(self, room: "Room") -> None:
        self._room = room
        self._rng = Random(room.mistakes)
        self._due: int | None = None
        self._strikes: list[tuple[int, Key]] = []

    @property
    def due(self) -> int | None:
        """The stamp at which a bot does something."""
        found = [at for at, _ in self._strikes] + ([self._due] if self._due is not None else [])
        return min(found, default=None)

    def changed(self, now: int) -> None:
        """The match has gone on: whoever is concerned thinks anew."""
        spread = self._room.spread
        if spread is not None:
            least, most = spread.pace
            self._due = now + int(self._rng.uniform(least, most) * SECOND)

    def attend(self, now: int) -> None:
        for at, button in [one for one in self._strikes if one[0] <= now]:
            self._strikes.remove((at, button))
            self._room.press(button, at)
        if self._due is None or now < self._due:
            return
        if self._waits:
            self._due = now + LOOKS
            return
        room = self._room
        if room.spread is None or room.sitting is None:
            return
        least, most = IDLE
        self._due = now + self._rng.randrange(least, most)
        bots = room.sitting.bots
        deed = room.bot_move(bots, now) if bots else None
        if isinstance(deed, Strike) and room.app.table_time(now) < room.spread.state.may_strike_at(deed.player):
            return  # the token is not free yet, and everybody sees it
        if deed:
            self.changed(now)
        if isinstance(deed, Move | Request):
            self._do(deed, now, bots)

    @property
    def _waits(self) -> bool:
        """Bots hold still while people look at something else than the table, or time stands."""
        app = self._room.app
        match = app.match
        if match is None or match.stands or app.view.screen not in ("table", "dispute"):
            return True
        return app.view.shows_round and self._room.has_persons

    def _do(self, deed: Move | Request, now: int, bots: frozenset[str]) -> None:
        """By the button if there is one for it, else by saying so."""
        button = self._button(deed)
        if button is None:
            self._room.say(deed, now)
            return
        self._room.press(button, now)
        if isinstance(deed, Strike) and self._rng.random() < JOINS:
            self._joins(sorted(bots - {deed.player}), now)

    def _joins(self, others: list[str], now: int) -> None:
        """Another hand on its way to the token comes too late."""
        spread = self._room.spread
        if others and spread is not None:
            late = Key("strike", spread.names.index(self._rng.choice(others)))
            self._strikes.append((now + self._rng.randrange(*BEHIND), late))

    def _button(self, deed: Move | Request) -> Key | None:
        spread = self._room.spread
        if spread is None or not isinstance(deed, Strike | Tres | Catch | Stop) or deed.player not in spread.names:
            return None
        seat = spread.names.index(deed.player)
        if isinstance(deed, Catch) and [one for one in spread.state.silent if one != deed.player] != [deed.whom]:
            return None  # the token would not know whom
        return Key("tres" if isinstance(deed, Tres) else "strike", seat)

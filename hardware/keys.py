"""A panel's buttons that are not the token: their edges, put in the order of their stamps, become presses.

An edge waits one window, in which older ones may still come in, so it is known too what follows it; nothing else delays
a press. The levels are read when a button ought to be at rest, and now and then while it is down.
"""

from bisect import insort
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hardware import contact as machine
from hardware.contact import Contact, ContactEdge, Level, News, Settings, Where
from hardware.panel import Key, Press


class KeyNews(NamedTuple):
    """What a key did."""

    key: Key
    news: News


class Keys:
    """Asked and told from one thread; it looks at no clock."""

    def __init__(self, settings: Settings, levels: Callable[[], dict[Key, bool]]) -> None:
        self._settings = settings
        self._levels = levels
        self._contacts = {key: Contact(Where.OPEN) for key, is_down in levels().items() if not is_down}
        self._waiting: list[Press] = []  # in the order of their stamps

    @property
    def wakes_at(self) -> int | None:
        """When there is something to be told."""
        window = self._settings.window
        found = [press.at + window for press in self._waiting[:1]]
        found += [at + window for at in self._rest_at().values()]
        return min(found, default=None)

    def heard(self, press: Press) -> None:
        insort(self._waiting, press, key=lambda press: press.at)

    def time_is(self, now: int) -> list[KeyNews]:
        """What falls due, in the order of the stamps."""
        until = now - self._settings.window
        found: list[KeyNews] = []
        while self._waiting and self._waiting[0].at <= until:
            press = self._waiting.pop(0)
            edge = ContactEdge(press.at, press.is_down, press.sure, self._stays(press, now))
            found += self._step(press.key, machine.edge(self._contact(press.key), self._settings, edge))
        return [*found, *self._at_rest(until, now)]

    def _stays(self, press: Press, now: int) -> bool:
        """Where the button is one window later, by its edges; as long as some may be on their way, by its level."""
        is_in_doubt = not press.sure or self._contact(press.key).is_in_doubt(self._settings, press.at)
        if not (press.is_down and is_in_doubt):
            return press.is_down
        until = press.at + self._settings.window
        later = [one for one in self._waiting if one.key == press.key]
        if now < until + self._settings.window and not any(one.at > until for one in later):
            levels = self._levels()
            if press.key in levels:
                return levels[press.key]
        return next((one.is_down for one in reversed(later) if one.at <= until), press.is_down)

    def _at_rest(self, until: int, now: int) -> Iterator[KeyNews]:
        due = [key for key, at in self._rest_at().items() if at <= until]
        levels = self._levels() if due else {}
        for key in due:
            level = Level(levels[key], now) if key in levels else None
            yield from self._step(key, machine.time_is(self._contact(key), self._settings, until, level))

    def _rest_at(self) -> dict[Key, int]:
        """When each button ought to be at rest, or is to be looked at; where an edge is waiting, that comes first."""
        waiting = {press.key for press in self._waiting}
        due = {key: one.wakes_at(self._settings) for key, one in self._contacts.items() if key not in waiting}
        return {key: at for key, at in due.items() if at is not None}

    def _contact(self, key: Key) -> Contact:
        return self._contacts.get(key, Contact())

    def _step(self, key: Key, step: machine.Step) -> Iterator[KeyNews]:
        self._contacts[key], news = step
        return (KeyNews(key, one) for one in news)

"""A panel's buttons that are not the token: their edges, put in the order of their stamps, become presses.

An edge waits one window, in which older ones may still come in, so it is known too what follows it; nothing else delays
a press. The levels are read when a button ought to be at rest, and now and then while it is down.
"""

from bisect import insort
from collections.abc import Callable, Iterator
from typing import NamedTuple

from hardware import contact as machine
from hardware.arbiter import Settings
from hardware.contact import Contact, Edge, News
from hardware.panel import Key, Press


class Told(NamedTuple):
    """What a key did."""

    key: Key
    news: News


class Keys:
    """Asked and told from one thread; it looks at no clock."""

    def __init__(self, settings: Settings, levels: Callable[[], dict[Key, bool]]) -> None:
        self._settings = settings
        self._levels = levels
        self._contacts: dict[Key, Contact] = {}
        self._waiting: list[Press] = []  # in the order of their stamps

    @property
    def wakes_at(self) -> int | None:
        """When there is something to be told."""
        window = self._settings.window
        found = [press.at + window for press in self._waiting[:1]]
        due = (contact.wakes_at(self._settings) for contact in self._contacts.values())
        return min([*found, *(at + window for at in due if at is not None)], default=None)

    def heard(self, press: Press) -> None:
        insort(self._waiting, press, key=lambda press: press.at)

    def time_is(self, now: int) -> list[Told]:
        """What falls due, in the order of the stamps."""
        until = now - self._settings.window
        found: list[Told] = []
        while self._waiting and self._waiting[0].at <= until:
            press = self._waiting.pop(0)
            edge = Edge(press.at, press.is_down, press.sure, self._stays(press))
            found += self._step(press.key, machine.edge(self._contact(press.key), self._settings, edge))
        return [*found, *self._at_rest(until)]

    def _stays(self, press: Press) -> bool:
        """Where the button is one window later, by the edges that came."""
        until = press.at + self._settings.window
        later = [one.is_down for one in self._waiting if one.key == press.key and one.at <= until]
        return later[-1] if later else press.is_down

    def _at_rest(self, until: int) -> Iterator[Told]:
        due = [key for key, contact in self._contacts.items() if _is_due(contact.wakes_at(self._settings), until)]
        levels = self._levels() if due else {}
        waiting = {press.key for press in self._waiting}
        for key in due:
            level = None if key in waiting else levels.get(key)
            yield from self._step(key, machine.time_is(self._contact(key), self._settings, until, level))

    def _contact(self, key: Key) -> Contact:
        return self._contacts.get(key, Contact())

    def _step(self, key: Key, step: machine.Step) -> Iterator[Told]:
        self._contacts[key], news = step
        return (Told(key, one) for one in news)


def _is_due(at: int | None, now: int) -> bool:
    return at is not None and at <= now

"""Keeps spikes from whoever rules on presses: contacts that are over before a finger could have let go.

A press is handed on as soon as its contact is known to have lasted for `shortest`, with the stamps of its edges as
they were; edges closer together than the bounce are one press, which lasts from its first contact to its last release.
Where the edge of a release was lost the level decides. With `shortest` at nothing everything is handed on at once.
It looks at no clock, and is asked and told from one thread.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hardware.contact import NEVER, Settings, is_chatter
from hardware.panel import Key, Press


@dataclass(frozen=True, slots=True)
class Spike:
    """A contact that was no press, and how long it lasted; None where its release was not seen."""

    key: Key
    at: int
    lasted: int | None


Sifted = Press | Spike
LATE = 3  # windows in which the edge of a release that shows in the level may still come in


@dataclass(slots=True)
class SievedKey:
    """What is known of one key."""

    newest: int = NEVER  # the stamp of its newest edge
    held: list[Press] = field(default_factory=list)  # of a contact that may be a spike
    found_up: int | None = None  # when its level was up first though no edge had said so


class Sieve:
    """Edges in, and the same edges out when they are known to be of a press."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._keys: dict[Key, SievedKey] = {}

    @property
    def undecided(self) -> frozenset[Key]:
        """Keys whose newest contact may yet be a spike: what their levels say now proves nothing."""
        return frozenset(key for key, one in self._keys.items() if one.held)

    @property
    def wakes_at(self) -> int | None:
        """When the time has to be told, and the levels."""
        return min((at for one in self._keys.values() if (at := self._due(one)) is not None), default=None)

    def heard(self, press: Press) -> list[Sifted]:
        """An edge, those of one key in their order."""
        if not self._settings.shortest:
            return [press]
        one = self._keys.setdefault(press.key, SievedKey())
        is_new = not is_chatter(one.newest, press.at, self._settings.bounce)
        found: list[Sifted] = []
        if one.held:
            if self._proves(one, press, is_new=is_new):
                found += self._handed_on(one)
            elif is_new:
                found += self._dropped(one)
        one.newest = max(one.newest, press.at)
        if one.held or (is_new and press.is_down and not press.after_gap):
            one.held.append(press)
            return found
        return [*found, press]

    def time_is(self, now: int, levels: Callable[[], Mapping[Key, bool]]) -> list[Sifted]:
        """What is known by then. The levels are read only where one of them decides."""
        due = [(key, one) for key, one in self._keys.items() if (at := self._due(one)) is not None and at <= now]
        if not due:
            return []
        read = levels()
        found: list[Sifted] = []
        for key, one in due:
            found += self._decided(one, now, read.get(key))
        return found

    def _due(self, one: SievedKey) -> int | None:
        if not one.held:
            return None
        if not one.held[-1].is_down:
            return one.newest + self._settings.bounce + self._settings.window  # the next may be on its way
        if one.found_up is not None:
            return one.found_up + LATE * self._settings.window
        return one.held[0].at + self._settings.shortest

    def _decided(self, one: SievedKey, now: int, is_down: bool | None) -> list[Sifted]:
        if not one.held[-1].is_down or one.found_up is not None:
            return self._dropped(one)
        if is_down is False:
            one.found_up = now
            return []
        return self._handed_on(one)  # where no level can be read, no press is lost

    def _proves(self, one: SievedKey, press: Press, *, is_new: bool) -> bool:
        """Whether an edge shows that the contact before it lasted, or that nobody can know it."""
        first, last = one.held[0], one.held[-1]
        stands_for_a_finger = press.at == first.at and press.sure and not press.is_down  # a message has no length
        if stands_for_a_finger or press.after_gap:
            return True
        was_down = last.is_down and not (press.is_down and one.found_up is not None)
        return press.sure and press.at - first.at >= self._settings.shortest and (was_down or not is_new)

    def _handed_on(self, one: SievedKey) -> list[Sifted]:
        found: list[Sifted] = [*one.held]
        one.held, one.found_up = [], None
        return found

    def _dropped(self, one: SievedKey) -> list[Sifted]:
        first, last = one.held[0], one.held[-1]
        lasted = last.at - first.at if first.sure and last.sure and not last.is_down else None
        one.held, one.found_up = [], None
        return [Spike(first.key, first.at, lasted)]

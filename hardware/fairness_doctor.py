"""How fair this table is: what its cables pick up, how far apart two lines stamp one contact, how short a press is.

Hands off first: whatever closes then is noise. Then one contact is wired to the lines of two seats at once, so that
every press ought to have one stamp on both; how far apart the two are is what this table cannot tell.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hardware.button_doctor import QUIET, Wait
from hardware.contact import MICROSECOND, MILLISECOND, is_chatter
from hardware.panel import Clock, Key, Panel, Press

HANDS_OFF = 10_000 * MILLISECOND
PATIENCE = 20_000 * MILLISECOND  # for the next press
PRESSES = 50
ENOUGH = 20  # presses from which a margin is proposed
FINEST = 20 * MICROSECOND  # no margin is proposed below it


@dataclass(frozen=True, slots=True)
class ClosedContact:
    """From its first contact to its last release; `is_whole` if no edge of it was lost."""

    key: Key
    at: int
    lasted: int
    is_whole: bool


@dataclass(slots=True)
class Fairness:
    """What was measured."""

    keys: tuple[Key, Key]
    noise: list[ClosedContact] = field(default_factory=list)
    apart: list[int] = field(default_factory=list)  # nanoseconds between the two stamps of each press
    lasted: list[int] = field(default_factory=list)  # of each press
    latency: list[int] = field(default_factory=list)  # from the stamp to this program
    on_one_line: int = 0  # presses that came in on one of the two lines only
    broken: int = 0  # presses of which an edge was lost

    @property
    def is_enough(self) -> bool:
        return len(self.apart) >= ENOUGH

    @property
    def margin(self) -> int:
        """Twice what this table cannot tell, in whole microseconds."""
        return max(FINEST, -(-2 * max(self.apart, default=0) // MICROSECOND) * MICROSECOND)

    @property
    def longest_noise(self) -> int:
        return max((one.lasted for one in self.noise), default=0)

    @property
    def shortest_press(self) -> int:
        return min(self.lasted, default=0)

    @property
    def shortest(self) -> int | None:
        """Between what the cables pick up and the shortest press, in whole milliseconds; none if there is no room."""
        if not self.noise or not self.lasted:
            return 0
        wanted = -(-2 * self.longest_noise // MILLISECOND) * MILLISECOND
        return wanted if 2 * wanted <= self.shortest_press else None


def measure(
    panel: Panel,
    keys: tuple[Key, Key],
    say: Callable[[str], None],
    wait: Wait,
    clock: Clock = time.monotonic_ns,
    *,
    has_cables: bool = True,
) -> Fairness:
    """First nobody touches anything, then somebody presses the one button that is wired to both lines."""
    found = Fairness(keys)
    panel.inbox.take()
    if has_cables:
        say(f"Hands off all buttons for {HANDS_OFF // (1_000 * MILLISECOND)} seconds.")
        found.noise = list(_contacts(_heard_until(panel, wait, clock, clock() + HANDS_OFF), panel))
    say(f"Now press the button that is wired to {keys[0]} and {keys[1]} {PRESSES} times, as you do when you play.")
    edges: list[Press] = []
    until = clock() + PATIENCE
    while clock() < until:
        wait(min(until - clock(), QUIET))
        now = clock()
        came = [press for press in panel.inbox.take() if press.key in keys]
        found.latency += [now - press.at for press in came if press.sure]
        edges += came
        if came:
            until = now + PATIENCE
        elif edges and now - edges[-1].at >= QUIET and _count(edges, keys, panel) >= PRESSES:
            break
    _compare(found, list(_contacts(edges, panel)), panel)
    return found


def _heard_until(panel: Panel, wait: Wait, clock: Clock, until: int) -> list[Press]:
    edges: list[Press] = []
    while (now := clock()) < until:
        wait(until - now)
        edges += panel.inbox.take()
    return edges


def _count(edges: list[Press], keys: tuple[Key, Key], panel: Panel) -> int:
    """Presses so far, by the line on which more came in."""
    contacts = [one.key for one in _contacts(edges, panel)]
    return max(contacts.count(key) for key in keys)


def _contacts(edges: list[Press], panel: Panel) -> Iterator[ClosedContact]:
    """Edges of a key closer together than the bounce belong to one contact, and so do those while it is down."""
    bounce = panel.wiring.settings.bounce
    for key in dict.fromkeys(press.key for press in edges):
        of_key, begun = [press for press in edges if press.key == key], list[Press]()
        for press in of_key:
            if begun and not begun[-1].is_down and not is_chatter(begun[-1].at, press.at, bounce):
                yield _contact(begun)
                begun = []
            begun.append(press)
        if begun:
            yield _contact(begun)


def _contact(edges: list[Press]) -> ClosedContact:
    is_whole = all(press.sure for press in edges) and edges[0].is_down and not edges[-1].is_down
    return ClosedContact(edges[0].key, edges[0].at, edges[-1].at - edges[0].at, is_whole)


def _compare(found: Fairness, contacts: list[ClosedContact], panel: Panel) -> None:
    """The two stamps of each press beside each other."""
    bounce = panel.wiring.settings.bounce
    one, other = ([contact for contact in contacts if contact.key == key] for key in found.keys)
    for contact in one:
        same = next((twin for twin in other if is_chatter(twin.at, contact.at, bounce)), None)
        if same is None:
            found.on_one_line += 1
            continue
        other.remove(same)
        if contact.is_whole and same.is_whole:
            found.apart.append(abs(contact.at - same.at))
            found.lasted.append(max(contact.lasted, same.lasted))
        else:
            found.broken += 1
    found.on_one_line += len(other)

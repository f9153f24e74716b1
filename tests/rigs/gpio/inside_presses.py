"""Inside the guest: thousands of presses of every kind of button, many with bounce, against what was pressed.

The truth is the stimulator's. Every press has to be noticed once, with a stamp taken while its first contact was made;
a second press of the shared button that comes too soon has to be named and to mean nothing. In a machine that stalls
the kernel may lose edges and says so, and a strike may come before the token is armed again, which is named: what is
missing then must not be more than what was said.
"""

import re
import select
import sys
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from random import Random
from typing import NamedTuple

from companion.core.match import Match
from companion.core.photo_finish import Finish, How
from companion.core.requests import read_message
from companion.games import game
from companion.inputs.presses import Meant, Noted, Presses
from hardware.panel import Key, keys_of
from hardware.real import RealPanel
from hardware.wiring import Seat, Wiring
from tests.hardware.game import PLAYERS, SCENES, table_for
from tests.rigs.gpio import guest
from tests.rigs.gpio.guest import PRESSED, RELEASED, Change, Played

MS, US = 1_000_000, 1_000
SEATS = tuple(Seat(button=4 + seat, keys={"tres": 8 + seat, "turn": 12 + seat}) for seat in range(len(PLAYERS)))
WIRING = Wiring(seats=SEATS, keys={"stop": 16, "turn": 17})
SHARED = Key("turn")
REST = 70 * MS  # after a press, until the same button is pressed again: longer than the bounce and the window
EVERY = 130 * MS
COUNT = 2010  # of each kind; a few are pressed otherwise than wanted
SOON = (95 * MS, 220 * MS)  # how soon the shared button is pressed twice
QUIET = 300 * MS
LATE = 50 * MS  # how much later a press may be noticed of which an edge was lost, ...
LATE_STRIKE = 300 * MS  # ... and a strike settled of which nobody knows the time: the next one comes later. How long
# the table itself was held up meanwhile does not count.
LEAST_CERTAIN = 0.2  # of all presses, or nothing is judged
STALLED = 5 * MS  # a press that was made by so much otherwise than wanted is not judged, ...
RESTED = REST // 2  # ... nor one after less than this


@dataclass(frozen=True, slots=True)
class Finger:
    """A press that is to be made: its contacts, in nanoseconds from its beginning."""

    key: Key
    at: int
    contacts: tuple[tuple[int, int], ...]
    is_double: bool = False

    @property
    def ends(self) -> int:
        return self.at + self.contacts[-1][0]


def contacts(random: Random) -> tuple[tuple[int, int], ...]:
    """One press of 40 ms and more: two in five bounce when they go down, two in five when they come up."""
    up = random.randint(40 * MS, 60 * MS)
    return (*chatter(random, 0, PRESSED), *chatter(random, up, RELEASED))


def chatter(random: Random, at: int, level: int) -> Iterator[tuple[int, int]]:
    yield at, level
    for _ in range(random.randint(1, 4) if random.random() < 0.4 else 0):
        for next_level in (1 - level, level):
            at += random.randint(150 * US, 1200 * US)
            yield at, next_level


def fingers(random: Random, keys: list[Key], count: int) -> list[Finger]:
    """So many presses of these buttons, one after the other."""
    found: list[Finger] = []
    at = 0
    for number in range(count):
        found.append(Finger(keys[number % len(keys)], at, contacts(random)))
        at = max(found[-1].ends + REST, at + EVERY)
    return found


def shared_fingers(random: Random, count: int) -> list[Finger]:
    """Of the button that all share: one press in five is followed by another that comes too soon."""
    found: list[Finger] = []
    at = 0
    while len(found) < count:
        found.append(Finger(SHARED, at, contacts(random)))
        if random.random() < 0.2:
            again = at + random.randint(*SOON)
            found.append(Finger(SHARED, again, contacts(random), is_double=True))
        at += WIRING.settings.double + 2 * REST
    return found


def script(all_fingers: list[Finger], lines: dict[Key, int]) -> list[Change]:
    return sorted(
        (Change(one.at + at, lines[one.key], level) for one in all_fingers for at, level in one.contacts),
        key=lambda change: change.at_ns,
    )


# --- what was noticed ------------------------------------------------------------------------------------------


class Noticed(NamedTuple):
    """A press that the table took for one."""

    key: Key
    at: int
    sure: bool = True


class Listening(Presses):
    """The table's own presses, written down where they are about to mean something."""

    def __init__(self, panel: RealPanel, match: Match) -> None:
        super().__init__(panel, match)
        self.noticed: list[Noticed] = []

    def _pressed(self, key: Key, at: int, *, sure: bool) -> list[Meant | Noted]:
        found = super()._pressed(key, at, sure=sure)
        if any(isinstance(one, Meant) for one in found):
            self.noticed.append(Noticed(key, at, sure))
        return found

    def _settled(self, finish: Finish) -> list[Meant | Noted]:
        for arrival in finish.order:
            if arrival.how is not How.HELD:
                key = Key("strike", PLAYERS.index(arrival.seat))
                press = self.token.arbiter.button(arrival.seat).press or time.monotonic_ns()
                self.noticed.append(Noticed(key, press, arrival.at is not None))
        return super()._settled(finish)


class Bench:
    """The real panel and what reads it at a table, in a match in which a strike is always to be had."""

    def __init__(self) -> None:
        self.panel = RealPanel(WIRING, self._notice)
        self.said: list[str] = []
        self._held_up: list[tuple[int, int]] = []  # when the table looked, and how much later than it wanted
        table = table_for(self.panel, time.monotonic_ns)
        for message in SCENES[0].says:
            table.say(read_message(game("three"), message), time.monotonic_ns())
        table.attend(time.monotonic_ns() + QUIET)
        self.presses = Listening(self.panel, table.session.referee.match)

    @property
    def lost(self) -> int:
        """Edges that the kernel is known to have lost."""
        return int(self.panel._factory.lines._reader.lost)

    def _notice(self, sentence: str) -> None:
        self.said.append(sentence)

    def play(self, changes: list[Change]) -> list[Played]:
        self._turn(time.monotonic_ns())
        playing = guest.Playing(changes)
        last = wanted = time.monotonic_ns()
        while not playing.is_over or time.monotonic_ns() - last < QUIET:
            if not playing.is_over:
                last = time.monotonic_ns()
            now = time.monotonic_ns()
            self._held_up.append((now, max(0, now - wanted)))
            due = self.presses.wakes_at
            wait = 0.1 if due is None else min(0.1, max(0, due - now) / 1e9)
            wanted = now + round(wait * 1e9)
            select.select([self.panel.inbox], [], [], wait)
            self._turn(time.monotonic_ns())
        return playing.wait()

    def held_up(self, since: int, until: int) -> int:
        """For how long the table did not get to look."""
        return sum(late for at, late in self._held_up if since < at <= until)

    def _turn(self, now: int) -> None:
        self.said += [one.sentence for one in self.presses.attend(now) if isinstance(one, Noted)]
        self.presses.arm(now)


@dataclass(slots=True)
class Truth:
    """A press as it was made: while its first contact was being made, when it was over, how far it was from what was
    wanted, and how long its button had been up: a stimulator that is held up makes two presses of a bounce, or one of
    two presses."""

    finger: Finger
    begins: int
    begun: int
    over: int
    off: int
    rest: int
    noticed: int = 0
    exactly: int = 0  # of them, with a stamp of the first contact

    @property
    def is_certain(self) -> bool:
        return self.off <= STALLED and self.rest >= RESTED

    def takes(self, one: Noticed, held_up: Callable[[int, int], int]) -> bool:
        late = LATE_STRIKE if one.key.kind == "strike" else LATE
        if one.at < self.begins or one.at > self.over + late + held_up(self.over, one.at):
            return False
        self.noticed += 1
        self.exactly += one.at <= self.begun
        return True


def truths(all_fingers: list[Finger], lines: dict[Key, int], played: list[Played]) -> list[Truth]:
    """In the order in which they were made."""
    by_line = {
        line: iter(sorted((one for one in played if one.line == line), key=lambda one: one.before_ns))
        for line in lines.values()
    }
    found: list[Truth] = []
    up: dict[Key, int] = {}
    for finger in sorted(all_fingers, key=lambda one: one.at):
        made = [next(by_line[lines[finger.key]]) for _ in finger.contacts]
        start = made[0].before_ns
        off = max(abs(one.before_ns - start - at) for one, (at, _) in zip(made, finger.contacts, strict=True))
        over = made[-1].after_ns
        found.append(Truth(finger, start, made[0].after_ns, over, off, start - up.get(finger.key, 0)))
        up[finger.key] = over
    return found


def invented(made: list[Truth], noticed: list[Noticed], held_up: Callable[[int, int], int]) -> list[Noticed]:
    """What was noticed and was no press; each press takes what was noticed of its own button in its time."""
    by_key: dict[Key, list[Truth]] = {}
    for one in made:
        by_key.setdefault(one.finger.key, []).append(one)

    def is_a_press(one: Noticed) -> bool:
        return any(truth.takes(one, held_up) for truth in reversed(_around(by_key[one.key], one)))

    return [one for one in noticed if not is_a_press(one)]


def _around(made: list[Truth], one: Noticed) -> list[Truth]:
    last = bisect_right(made, one.at, key=lambda truth: truth.begins)
    return made[max(0, last - 2) : last]


# --- what is judged --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """Of one kind of button."""

    pressed: int = 0
    bouncing: int = 0
    noticed: int = 0
    exactly: int = 0
    missing: int = 0
    twice: int = 0  # taken for more than one press
    doubles: int = 0  # pressed a second time too soon
    taken: int = 0  # of them, for a press
    uncertain: int = 0  # pressed otherwise than wanted: not judged

    def add(self, one: Truth) -> None:
        if not one.is_certain:
            self.uncertain += 1
        elif one.finger.is_double:
            self.doubles += 1
            self.taken += bool(one.noticed)
        else:
            self.pressed += 1
            self.bouncing += len(one.finger.contacts) > 2
            self.noticed += bool(one.noticed)
            self.exactly += bool(one.exactly)
            self.missing += not one.noticed
            self.twice += one.noticed > 1


def is_wrong(one: Truth) -> bool:
    return one.is_certain and one.noticed != (not one.finger.is_double)


def tallies(made: list[Truth]) -> dict[str, Tally]:
    found: dict[str, Tally] = {}
    for one in made:
        key = one.finger.key
        found.setdefault("shared turn" if key == SHARED else key.kind, Tally()).add(one)
    return found


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else COUNT
    random = Random(15)
    lines = keys_of(WIRING)
    kinds = {kind: [key for key in lines if key.kind == kind and key != SHARED] for kind in ("strike", "turn", "tres")}
    all_fingers = [one for keys in kinds.values() for one in fingers(random, keys, count)]
    all_fingers += fingers(random, [Key("stop")], count) + shared_fingers(random, count // 4)
    bench = Bench()
    made = truths(all_fingers, lines, bench.play(script(all_fingers, lines)))
    bench.panel.close()
    wrong = invented(made, bench.presses.noticed, bench.held_up)
    found = tallies(made)
    for kind, tally in found.items():
        guest.tell(
            say=f"{kind:11} {tally.pressed} pressed, {tally.bouncing} of them bouncing: {tally.noticed} noticed, "
            f"{tally.exactly} by their first contact, {tally.twice} twice; {tally.doubles} a second time too soon, "
            f"{tally.taken} of them taken for a press; {tally.uncertain} not judged",
            button=kind, **asdict(tally),
        )  # fmt: skip
    missing, taken = (sum(getattr(tally, what) for tally in found.values()) for what in ("missing", "taken"))
    twice = sum(tally.twice for tally in found.values())
    guest.tell(
        say=f"{len(wrong)} invented, {twice} twice, {missing} missing; {bench.lost} edges said to be lost",
        presses_invented=len(wrong), presses_twice=twice, presses_missing=missing, edges_lost=bench.lost,
    )  # fmt: skip
    for sentence, times in Counter(re.sub(r"\d+", "N", sentence) for sentence in bench.said).most_common(4):
        guest.say(f"  {times} × {sentence}")
    bad: list[object] = [*wrong, *filter(is_wrong, made)]
    for one in bad[:9]:
        guest.say(f"  BAD: {one}")
    if wrong or twice or missing + taken > bench.lost:
        return 1
    if sum(one.is_certain for one in made) < LEAST_CERTAIN * len(made):
        guest.held_up("too few presses were made as they were wanted.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

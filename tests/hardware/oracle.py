"""What a photo finish must be, said by somebody who saw the contacts, and many thousand strikes to compare.

The oracle knows the physical truth: when each contact closed and opened, which of these changes the chip lost, and
when each edge reached the program. It shares no line with the arbiter. `python -m tests.hardware.oracle [COUNT] [SEED]`
plays 100,000 strikes unless told otherwise, then as many presses of all other buttons (`fingers.py`) and strikes among
spikes (`spikes.py`), and stops at the first one that is ruled on wrongly.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from companion.core.photo_finish import Finish, How
from hardware import arbiter as machine
from hardware.answers import Amended, Answer, Settled, Void, WakeAt
from hardware.arbiter import Arbiter
from hardware.contact import MICROSECOND, MILLISECOND, Settings

ARMED_AT = 1_000 * MILLISECOND
NEVER = 10**15


def confidence(finish: Finish) -> str:
    """clear: stamped and further apart than the margin; tie: too close; unknown: a press without a time."""
    if any(arrival.how is How.UNTIMED for arrival in finish.order):
        return "unknown"
    return "tie" if finish.tied else "clear"


@dataclass(frozen=True, slots=True)
class Change:
    """A contact closes or opens, and the edge of it is on its way until it arrives, unless the chip loses it."""

    at: int
    down: bool
    arrives: int
    lost: bool = False


Changes = tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """All that happened to the buttons around one arming of the token."""

    settings: Settings
    contacts: dict[str, Changes]
    looks_late: tuple[int, int] = (0, 0)  # how much after its hour the program looks at the levels
    armed_late: int = 0  # how long after the token is armed the levels are read

    @property
    def read_at(self) -> int:
        return ARMED_AT + self.armed_late


@dataclass(frozen=True, slots=True)
class Verdict:
    """What there is to say: nothing at all (order is None), or who stands where, and who came too late."""

    order: tuple[tuple[str, How, int | None], ...] | None
    tied: tuple[str, ...] = ()
    voids: frozenset[tuple[str, str]] = frozenset()

    @property
    def reason(self) -> str:
        if self.order is None:
            return "nobody"
        if any(how is How.UNTIMED for _, how, _ in self.order) and self.tied:
            return "unknown"
        return "tie" if self.tied else "winner"


# --- the oracle ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Movement:
    """Changes that follow each other so closely that a finger made them in one go."""

    changes: Changes
    was_down: bool

    @property
    def begins(self) -> int:
        return self.changes[0].at

    @property
    def is_down(self) -> bool:
        return self.changes[-1].down


@dataclass(frozen=True, slots=True)
class Seen:
    """What can be known of a seat's strike: from when on, at which stamp, and whether that stamp is the contact's."""

    known_at: int = NEVER
    stamp: int = NEVER
    is_timed: bool = False


def movements(changes: Changes, bounce: int) -> Iterator[Movement]:
    down, begun = False, list[Change]()
    for change in changes:
        if begun and change.at - begun[-1].at >= bounce:
            yield Movement(tuple(begun), down)
            down, begun = begun[-1].down, []
        begun.append(change)
    if begun:
        yield Movement(tuple(begun), down)


def seen(press: Movement | None, missing: int) -> Seen:
    """A lost change shows when the next one tells of the wrong direction; two lost in a row show never. So many are
    missing before the press."""
    for number, change in enumerate(press.changes if press else (), missing):
        if not change.lost:
            return Seen(change.arrives, change.at, is_timed=number % 2 == 0)
    return Seen()


def was_down_at(changes: Changes, at: int) -> bool:
    down = False
    for change in changes:
        if change.at <= at:
            down = change.down
    return down


class Witness:
    """Somebody who watched one seat."""

    def __init__(self, changes: Changes, bounce: int, read_at: int) -> None:
        self.changes = changes
        moved = list(movements(changes, bounce))
        before = [one for one in moved if one.begins < ARMED_AT]
        after = [one for one in moved if one.begins >= ARMED_AT]
        pressed = next((one for one in after if not one.was_down), None)
        self.pressed_at = pressed.begins if pressed else NEVER
        before_it = [change for change in changes if pressed and change.at < pressed.begins]
        missing = next((number for number, one in enumerate(reversed(before_it)) if not one.lost), len(before_it))
        self.press = seen(pressed, missing)
        came_up = next((one for one in after if one.was_down and not one.is_down), None)
        self.up_at = came_up.changes[0].arrives if came_up else NEVER
        is_seen_up = came_up is not None and came_up.begins <= read_at and not was_down_at(changes, read_at)
        self.was_held = bool(before) and before[-1].is_down and not is_seen_up
        self.is_unexplained = self.pressed_at <= read_at and was_down_at(changes, read_at)  # pressed just before

    def is_out(self, begins: int) -> bool:
        """Held when the token was armed, and not come up before the strike began."""
        return self.was_held and self.up_at >= begins


def verdict(truth: Truth) -> Verdict:
    settings = truth.settings
    witnesses = {seat: Witness(changes, settings.bounce, truth.read_at) for seat, changes in truth.contacts.items()}
    begins = min(witness.press.known_at for witness in witnesses.values())
    if begins == NEVER:
        return Verdict(None)
    opener = next(witness.press for witness in witnesses.values() if witness.press.known_at == begins)
    closes = max(begins, opener.stamp + settings.window)
    look = closes + truth.looks_late[0]
    out = {seat for seat, witness in witnesses.items() if witness.is_out(begins)}
    silent = {
        seat
        for seat, witness in witnesses.items()
        if seat not in out and witness.press.known_at > look and was_down_at(witness.changes, look)
    }
    found_down = {
        seat for seat, witness in witnesses.items() if witness.is_unexplained and witness.press.known_at > look
    }
    if silent | found_down:
        closes = look + settings.window
        look = closes + truth.looks_late[1]
    silent -= found_down
    there = {seat for seat, witness in witnesses.items() if seat not in out and witness.press.known_at <= look}
    found_down = {seat for seat in found_down if witnesses[seat].press.known_at > look}
    stamps = {seat: witnesses[seat].press.stamp for seat in there if witnesses[seat].press.is_timed}
    untimed = (there | silent) - set(stamps)
    voids: set[tuple[str, str]] = set()
    late = [
        (witness.press.known_at, seat)
        for seat, witness in witnesses.items()
        if look < witness.press.known_at < NEVER
        and not (
            seat in out and witness.up_at <= look and witness.pressed_at <= look and was_down_at(witness.changes, look)
        )
    ]
    for _, seat in sorted(late):
        press = witnesses[seat].press
        is_in_time = bool(stamps) and press.stamp <= min(stamps.values()) + settings.margin
        was_called_held = seat in out | found_down and press.stamp <= closes
        if press.is_timed and (is_in_time or seat in silent or was_called_held):
            stamps[seat] = press.stamp
        elif seat not in silent:
            voids.add((seat, "late"))
    return _verdict(stamps, untimed - set(stamps), (out | found_down) - set(stamps), settings.margin, voids)


def _verdict(
    stamps: dict[str, int], untimed: set[str], held: set[str], margin: int, voids: set[tuple[str, str]]
) -> Verdict:
    timed = sorted(stamps, key=lambda seat: (stamps[seat], seat))
    first = stamps[timed[0]] if timed else 0
    front = (*(seat for seat in timed if stamps[seat] <= first + margin), *sorted(untimed))
    order = (
        *((seat, How.STAMPED, stamps[seat]) for seat in timed),
        *((seat, How.UNTIMED, None) for seat in sorted(untimed)),
        *((seat, How.HELD, None) for seat in sorted(held)),
    )
    return Verdict(order, front if len(front) > 1 else (), frozenset(voids))


def unfair(truth: Truth, found: Verdict) -> str:
    """What nobody at the table would take, whatever the program can know; nothing if no edge was lost on its way."""
    if found.order is None or any(change.lost for changes in truth.contacts.values() for change in changes):
        return ""
    bounce = truth.settings.bounce
    pressed = {}
    for seat, changes in truth.contacts.items():
        moved = list(movements(changes, bounce))
        if moved and moved[0].begins >= ARMED_AT:
            pressed[seat] = moved[0].begins
    held = {seat for seat, how, _ in found.order if how is How.HELD} & pressed.keys()
    if held:
        return f"{held} pressed when the token was armed, and are called held"
    seat, _, first = found.order[0]
    assert first is not None
    earlier = {other for other, at in pressed.items() if at < first}
    return f"{earlier} pressed before {seat}" if earlier else ""


# --- the same for the arbiter ----------------------------------------------------------------------------------


def told(changes: Changes) -> Iterator[tuple[int, int, bool, bool]]:
    """The edges as the line reader hands them on: arrival, stamp, down, sure."""
    missing = 0
    for change in changes:
        if change.lost:
            missing += 1
            continue
        if missing % 2:
            yield change.arrives, change.at, not change.down, False
        yield change.arrives, change.at, change.down, missing % 2 == 0
        missing = 0


class Play:
    """One strike, told to an arbiter in the order in which a program would hear of it."""

    def __init__(self, truth: Truth) -> None:
        self.truth = truth
        self.arbiter = Arbiter(tuple(truth.contacts), truth.settings)
        self.answers: list[Answer] = []
        self._wakes: list[int] = []
        self._late = list(truth.looks_late)

    def run(self) -> list[Answer]:
        edges = [
            (arrives, number, order, seat, at, down, sure)
            for number, (seat, changes) in enumerate(self.truth.contacts.items())
            for order, (arrives, at, down, sure) in enumerate(told(changes))
        ]
        armed = False
        for arrives, _, _, seat, at, down, sure in sorted(edges):
            if not armed and arrives >= ARMED_AT:
                armed = True
                self._arm()
            self._wake_before(arrives)
            self.arbiter, answers = machine.edge(self.arbiter, seat, at, down=down, sure=sure)
            self._hear(answers, arrives)
        if not armed:
            self._arm()
        self._wake_before(NEVER)
        return self.answers

    def _arm(self) -> None:
        self.answers.clear()
        self.arbiter, _ = machine.arm(self.arbiter, ARMED_AT, self._levels(self.truth.read_at))

    def _wake_before(self, arrives: int) -> None:
        while self._wakes and self._wakes[0] < arrives:
            now = self._wakes.pop(0)
            self.arbiter, answers = machine.time_is(self.arbiter, now, self._levels(now))
            self._hear(answers, now)

    def _hear(self, answers: list[Answer], now: int) -> None:
        self.answers += answers
        for answer in answers:
            if isinstance(answer, WakeAt):
                self._wakes.append(max(now, answer.at) + (self._late.pop(0) if self._late else 0))
        self._wakes.sort()

    def _levels(self, at: int) -> dict[str, bool]:
        return {seat: was_down_at(changes, at) for seat, changes in self.truth.contacts.items()}


def ruled(truth: Truth) -> Verdict:
    """What the arbiter makes of it."""
    answers = Play(truth).run()
    finishes = [answer.finish for answer in answers if isinstance(answer, Settled)]
    if not finishes:
        return Verdict(None)
    assert len(finishes) == 1, "settled twice"
    finish: Finish = next((answer.finish for answer in reversed(answers) if isinstance(answer, Amended)), finishes[0])
    assert bool(finish.winner) != bool(finish.tied), "two winners, or none without a reason"
    voids = {(answer.seat, answer.why) for answer in answers if isinstance(answer, Void) and answer.why == "late"}
    return Verdict(
        tuple((arrival.seat, arrival.how, arrival.at) for arrival in finish.order), finish.tied, frozenset(voids)
    )


# --- strikes ---------------------------------------------------------------------------------------------------


class Players:
    """Fingers, contacts and a chip, all of them unreliable."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.settings = Settings(margin=self._random.choice((1, 10, 100, 100, 100, 1_000)) * MICROSECOND)
        self._soon = self._random.random() < 0.2  # they wait for the token to be free
        self._read_late = self._some(3) if self._random.random() < 0.3 else 0
        self._together = ARMED_AT + (self._some(3) if self._soon else self._random.randint(40, 400) * MILLISECOND)

    def strike(self) -> Truth:
        names = "ABCDEFGH"[: self._random.randint(2, 8)]
        late = (0, 0) if self._random.random() < 0.7 else (self._some(3), self._some(3))
        return Truth(self.settings, {name: self._seat() for name in names}, late, self._read_late)

    def _seat(self) -> Changes:
        kinds = (
            self._nothing,
            self._press,
            self._tap,
            self._held,
            self._held_and_freed,
            self._tail,
            self._early_tap,
            self._lossy,
            self._dead,
            self._unseen_release,
        )
        freed, tail = (0, 0) if self._soon else (8, 6)  # a release that still chatters may be called held: no harm
        kind = self._random.choices(kinds, (12, 48, 6, 6, freed, tail, 4, 14, 3, freed // 2))[0]
        return kind()

    def _some(self, milliseconds: float) -> int:
        return self._random.randint(0, int(milliseconds * MILLISECOND))

    def _moment(self) -> int:
        """When somebody strikes: around the others, as often as not within a hair of the margin."""
        margin = self.settings.margin
        gap = self._random.choice(
            (
                0,
                margin - 1,
                margin,
                margin + 1,
                self._random.randint(0, 3 * margin),
                self._some(1),
                self._some(19),
                self._some(60),
            )
        )
        return self._together + gap

    def _changes(self, at: int, *, down: bool, bounces: int, lasts: float = 4) -> list[tuple[int, bool]]:
        """A contact that goes down or up at a moment, and chatters behind it."""
        times = sorted({at, *(at + 1 + self._some(lasts) for _ in range(2 * bounces))})
        if len(times) % 2 == 0:
            times.pop()
        return [(moment, down ^ bool(number % 2)) for number, moment in enumerate(times)]

    def _on_its_way(self, moments: list[tuple[int, bool]], lost: float = 0, slow: float = 8) -> Changes:
        arrives, found = 0, []
        slow = self._random.choices((slow, 20, 50), (80, 12, 8))[0] if slow > 1 else slow
        for at, down in moments:
            arrives = max(arrives, at + 1 + self._some(slow))
            found.append(Change(at, down, arrives, self._random.random() < lost))
        return tuple(found)

    def _bounces(self) -> int:
        return self._random.choice((0, 0, 1, 3, 6))

    def _nothing(self) -> Changes:
        return ()

    def _press(self) -> Changes:
        return self._on_its_way(self._changes(self._moment(), down=True, bounces=self._bounces()))

    def _tap(self) -> Changes:
        """Let go before the window is over."""
        at = self._moment()
        up = at + 5 * MILLISECOND + self._some(10)
        return self._on_its_way(
            [
                *self._changes(at, down=True, bounces=self._bounces()),
                *self._changes(up, down=False, bounces=self._bounces()),
            ]
        )

    def _held(self) -> Changes:
        at = ARMED_AT - self._random.choice((self._some(5), 200 * MILLISECOND)) - 1
        return self._on_its_way(self._changes(at, down=True, bounces=self._bounces()), slow=1)

    def _held_and_freed(self) -> Changes:
        """Down at first, up before or in the middle of it, and as often as not down once more."""
        at = ARMED_AT - 200 * MILLISECOND
        up = self._random.choice((ARMED_AT + self._some(20), self._together - 35 * MILLISECOND + self._some(50)))
        moments = [*self._changes(at, down=True, bounces=0), *self._changes(up, down=False, bounces=self._bounces())]
        if self._random.random() < 0.5:
            moments += self._changes(moments[-1][0] + 31 * MILLISECOND + self._some(30), down=True, bounces=1)
        return self._on_its_way(moments, slow=1)

    def _tail(self) -> Changes:
        """A press from before, whose release chatters on while the token is being armed."""
        up = ARMED_AT - self._some(4) - 1
        moments = [
            *self._changes(up - 300 * MILLISECOND, down=True, bounces=0),
            *self._changes(up, down=False, bounces=6, lasts=8),
        ]
        if self._random.random() < 0.5:
            moments += self._changes(max(self._moment(), moments[-1][0] + 31 * MILLISECOND), down=True, bounces=1)
        return self._on_its_way(moments, slow=1)

    def _early_tap(self) -> Changes:
        """Down and up before the token was armed; the edges come in afterwards."""
        moments = [(ARMED_AT - 3 * MILLISECOND, True), (ARMED_AT - 1 * MILLISECOND, False)]
        if self._random.random() < 0.5:
            moments += self._changes(max(self._moment(), ARMED_AT + 31 * MILLISECOND), down=True, bounces=1)
        return self._on_its_way(moments)

    def _lossy(self) -> Changes:
        return self._on_its_way(self._changes(self._moment(), down=True, bounces=self._bounces()), lost=0.5)

    def _unseen_release(self) -> Changes:
        """A press from long before, whose release the chip lost; as often as not one more."""
        moments = [(ARMED_AT - 400 * MILLISECOND, True), (ARMED_AT - 200 * MILLISECOND, False)]
        more = self._changes(self._moment(), down=True, bounces=0) if self._random.random() < 0.7 else []
        changes = self._on_its_way([*moments, *more])
        return (changes[0], replace(changes[1], lost=True), *changes[2:])

    def _dead(self) -> Changes:
        """Pressed, and the chip says nothing at all."""
        return self._on_its_way(self._changes(self._moment(), down=True, bounces=0), lost=1)


def strikes(count: int, seed: int = 3) -> Iterator[tuple[int, Truth]]:
    for number in range(seed * 10**7, seed * 10**7 + count):
        yield number, Players(number).strike()


def struck(count: int, seed: int) -> Counter[str] | None:
    """What there was in so many strikes; nothing if one of them was ruled on wrongly."""
    tally: Counter[str] = Counter()
    for number, truth in strikes(count, seed):
        ought, found = verdict(truth), ruled(truth)
        if ought != found or unfair(truth, found):
            why = unfair(truth, found) or f"the oracle says {ought}, the arbiter {found}"
            print(f"strike {number}: {why}, of {truth}")  # noqa: T201
            return None
        tally[ought.reason] += 1
        tally.update(f"seats {how.value}" for _, how, _ in ought.order or ())
        tally.update(f"presses {why}" for _, why in ought.voids)
    return tally


def pressed(count: int, seed: int) -> Counter[str] | None:
    """The same of presses of all other buttons."""
    from tests.hardware.fingers import sittings  # noqa: PLC0415  (it stands on this)

    return _counted(sittings(count, seed))


def among_noise(count: int, seed: int) -> Counter[str] | None:
    """The same of strikes among spikes."""
    from tests.hardware.spikes import noisy  # noqa: PLC0415  (it stands on this)

    return _counted(noisy(count, seed))


def _counted(played: Iterable[tuple[int, Counter[str], str]]) -> Counter[str] | None:
    tally: Counter[str] = Counter()
    for number, there, wrong in played:
        if wrong:
            print(f"number {number}: {wrong}")  # noqa: T201
            return None
        tally += there
    return tally


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 100_000
    seed = int(arguments[1]) if arguments[1:] else 3
    played = (("strikes", struck), ("presses of other buttons", pressed), ("strikes among spikes", among_noise))
    for what, play in played:
        began = time.monotonic()
        tally = play(count, seed)
        if tally is None:
            return 1
        said = ", ".join(f"{what} {number:,}" for what, number in sorted(tally.items()))
        print(f"{count:,} {what} in {time.monotonic() - began:.0f} s, 0 wrong: {said}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

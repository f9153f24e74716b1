"""Presses of the buttons that are not the token: what fingers did, what reached the program, and what it must say.

The oracle knows when each contact closed and opened, and which changes the chip lost. It shares no line with
`hardware/contact.py`. A press is a finger that was off for a while and comes down; whatever the contact does meanwhile
is one press. `python -m tests.hardware.oracle` plays a hundred thousand of them beside as many strikes.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from hardware.contact import BRIEF, MICROSECOND, MILLISECOND, ContactStuck, News, Pressed, PressEnded, Settings, Wavered
from hardware.keys import KeyNews, Keys
from hardware.panel import Key, Press
from tests.hardware.oracle import Change, told

KEYS = (Key("turn"), Key("stop"), *(Key(kind, seat) for seat in range(4) for kind in ("turn", "tres")))
SETTINGS = Settings()
WINDOW = SETTINGS.window
BEGIN = 10_000 * MILLISECOND


@dataclass(slots=True)
class Finger:
    """One press as it was, and the changes of the contact that belong to it."""

    key: Key
    at: int
    up: int  # the last time that the contact opened
    closing: list[Change] = field(default_factory=list)
    opening: list[Change] = field(default_factory=list)
    waver: int = 0  # in the middle of it the contact came off for so long
    wavered: list[Change] = field(default_factory=list)

    @property
    def changes(self) -> list[Change]:
        return [*self.closing, *self.wavered, *self.opening]

    @property
    def is_whole(self) -> bool:
        return not any(change.lost for change in self.changes)


class Hands:
    """Fingers, contacts and a chip, all of them unreliable."""

    def __init__(self, seed: int, keys: tuple[Key, ...] = KEYS) -> None:
        self._random = random.Random(seed)
        self._keys = keys
        self.loses = self._random.random() < 0.4
        self.is_raw = self._random.random() < 0.5  # a driver that hands on what it gets
        self.slow = self._random.choice((100, 500, 500, 12_000)) * MICROSECOND  # how late the program wakes, at most

    def presses(self, count: int) -> list[Finger]:
        found = []
        free = dict.fromkeys(self._keys, BEGIN)
        for _ in range(count):
            key = self._random.choice(self._keys)
            finger = self._finger(key, free[key] + self._between(60, 400))
            free[key] = finger.up
            found.append(finger)
        return found

    def _between(self, low: float, high: float) -> int:
        return self._random.randint(int(low * MILLISECOND), int(high * MILLISECOND))

    def _finger(self, key: Key, at: int) -> Finger:
        kinds = ((40, 200), (200, 900), (5_100, 6_500), (0.3, 4.9), (6, 25))
        low, high = self._random.choices(kinds, (70, 12, 1, 4, 6) if not self.loses else (80, 20, 0, 0, 0))[0]
        held = self._between(low, high)
        bounces = self._random.choice((0, 1, 2, 5)) if held > 30 * MILLISECOND else 0
        closing = self._chatter(at, bounces, down=True)
        wavered: list[tuple[int, bool]] = []
        waver = 0
        if held > 300 * MILLISECOND and not self.loses and self._random.random() < 0.3:
            waver = self._between(6, 25)
            middle = at + held // 2
            wavered = [(middle, False), (middle + waver, True)]
        opening = self._chatter(at + held, bounces, down=False)
        finger = Finger(key, at, opening[-1][0], waver=waver)
        last = at
        for moments, into in ((closing, finger.closing), (wavered, finger.wavered), (opening, finger.opening)):
            for moment, down in moments:
                last = max(last, moment + self._between(0, WINDOW / MILLISECOND))
                into.append(Change(moment, down, min(last, moment + WINDOW)))
        return self._lossy(finger) if self.loses else finger

    def _chatter(self, at: int, bounces: int, *, down: bool) -> list[tuple[int, bool]]:
        moments = sorted({at, *(at + 1 + self._between(0, 8) for _ in range(2 * bounces))})
        if len(moments) % 2 == 0:
            moments.pop()
        return [(moment, down ^ bool(number % 2)) for number, moment in enumerate(moments)]

    def _lossy(self, finger: Finger) -> Finger:
        """Some changes are lost, but of no press all that say it was one."""
        for part in (finger.closing, finger.opening):
            if self._random.random() < 0.2:
                lost = [self._random.random() < 0.5 for _ in part]
                part[:] = [
                    Change(one.at, one.down, one.arrives, is_lost) for one, is_lost in zip(part, lost, strict=True)
                ]
        if all(change.lost for change in finger.closing) and all(change.lost for change in finger.opening):
            finger.closing[0] = Change(finger.at, True, finger.closing[0].arrives)  # noqa: FBT003
        return finger


class Program:
    """Keys, told what arrives in the order in which it does, and woken when they want to be."""

    def __init__(self, fingers: list[Finger], seed: int, slow: int, *, is_raw: bool) -> None:
        self._random = random.Random(seed)
        self._fingers = fingers
        self._slow = slow
        self._is_raw = is_raw
        self._levels = {key: [one for finger in fingers if finger.key == key for one in finger.changes] for key in KEYS}
        self._seen = dict.fromkeys(KEYS, 0)
        self._now = BEGIN
        self._keys = Keys(SETTINGS, self._read)
        self.told: list[tuple[int, KeyNews]] = []

    def run(self) -> list[tuple[int, KeyNews]]:
        for arrives, press in self._coming():
            self._wake_until(arrives)
            self._now = max(self._now, arrives)
            self._keys.heard(press)
        self._wake_until(self._now + 3_000 * MILLISECOND)
        return self.told

    def _coming(self) -> list[tuple[int, Press]]:
        found = []
        for key, changes in self._levels.items():
            edges = (
                [(one.arrives, one.at, one.down, True) for one in changes if not one.lost]
                if self._is_raw
                else list(told(tuple(changes)))
            )
            found += [(arrives, Press(key, at, down, sure)) for arrives, at, down, sure in edges]
        return sorted(found, key=lambda one: one[0])

    def _wake_until(self, until: int) -> None:
        while (due := self._keys.wakes_at) is not None and due <= until:
            late = self._random.randint(0, self._slow)
            self._now = max(self._now, min(until, due + late))
            self.told += [(self._now, one) for one in self._keys.time_is(self._now)]

    def _read(self) -> dict[Key, bool]:
        """Levels as they are now; what was is not asked for again."""
        found = {}
        for key, changes in self._levels.items():
            number = self._seen[key]
            while number < len(changes) and changes[number].at <= self._now:
                number += 1
            self._seen[key] = number
            found[key] = number > 0 and changes[number - 1].down
        return found


def complaint(fingers: list[Finger], heard: list[tuple[int, KeyNews]], hands: Hands) -> str:
    """What the program said wrongly of these presses; nothing if all is right."""
    for key in KEYS:
        made = [finger for finger in fingers if finger.key == key]
        news = [told.news for _, told in heard if told.key == key]
        if wrong := _counted(made, [one for one in news if isinstance(one, Pressed)]) or (
            "" if hands.loses else _named(made, news)
        ):
            return f"{key}: {wrong}"
    stamps = [told.news.at for _, told in heard if isinstance(told.news, Pressed) and told.news.sure]
    if stamps != sorted(stamps):
        return "presses are not told in the order of their stamps"
    waits = (now - told.news.at for now, told in heard if isinstance(told.news, Pressed) and told.news.sure)
    late = max(waits, default=0)
    return f"a press was held up for {late} ns" if late > WINDOW + hands.slow else ""


def _counted(made: list[Finger], found: list[Pressed]) -> str:
    if len(made) != len(found):
        return f"{len(made)} presses made, {len(found)} noticed"
    for finger, press in zip(made, found, strict=True):
        last = finger.at if finger.is_whole else finger.up
        if not finger.at <= press.at <= last:
            return f"the press at {finger.at} is told as {press}"
    return ""


def _named(made: list[Finger], news: list[News]) -> str:
    """Where no edge was lost: what was brief, wavered or stuck is named, and nothing else."""
    brief = [finger.at for finger in made if finger.up - finger.at < BRIEF]
    named = {
        "brief": ([one.at for one in news if isinstance(one, PressEnded) and one.is_brief], brief),
        "wavered": (
            [one.up_for for one in news if isinstance(one, Wavered) and one.up_for >= BRIEF],
            [finger.waver for finger in made if finger.waver],
        ),
        "stuck": (
            [one.since for one in news if isinstance(one, ContactStuck)],
            [finger.at for finger in made if finger.up - finger.at > SETTINGS.stuck_after + 500 * MILLISECOND],
        ),
    }
    for what, (found, ought) in named.items():
        if what == "stuck" and set(ought) <= set(found):
            continue
        if found != ought:
            return f"{what}: {found}, and it was {ought}"
    return ""


def sittings(presses: int, seed: int, *, of: int = 100) -> Iterator[tuple[int, Counter[str], str]]:
    """So many presses, a hundred at a sitting: each with what there was, and what was wrong with it."""
    for number in range(seed * 10**6, seed * 10**6 + presses // of):
        hands = Hands(number)
        fingers = hands.presses(of)
        heard = Program(fingers, number, hands.slow, is_raw=hands.is_raw).run()
        tally = Counter(f"{finger.key.kind} {'shared' if finger.key.seat is None else 'own'}" for finger in fingers)
        tally["of them with lost edges"] = sum(not finger.is_whole for finger in fingers)
        tally["untimed"] = sum(isinstance(told.news, Pressed) and not told.news.sure for _, told in heard)
        yield number, tally, complaint(fingers, heard, hands)

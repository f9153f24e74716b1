"""Strikes among spikes, bounce and noise on the cables, and what the table must say of them.

The oracle knows when each contact closed and opened; contacts closer together than the bounce are one, and one that is
shorter in all than `shortest` is no press. It shares no line with `hardware/sieve.py`. `python -m
tests.hardware.oracle` plays a hundred thousand of them.
"""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from companion.core.photo_finish import Finish, How
from hardware.answers import Amended, Answer, Settled
from hardware.contact import MICROSECOND, MILLISECOND, Settings
from hardware.panel import Key, Press, PressQueue
from hardware.sieve import Sieve, Spike
from hardware.token import Token
from hardware.wiring import Seat, Wiring
from tests.hardware.oracle import Change, was_down_at

ARMED_AT = 1_000 * MILLISECOND
IN_TIME = 12 * MILLISECOND  # behind the first: what comes then is known when the window is over
END = ARMED_AT + 3_000 * MILLISECOND


@dataclass(slots=True)
class Line:
    """What one contact did, and what of it the chip told."""

    key: Key
    changes: list[Change] = field(default_factory=list)

    def closes(self, at: int, lasts: int, *, release_lost: bool = False, delay: int = 0) -> None:
        let_go = at + lasts
        self.changes.append(Change(at, down=True, arrives=at + delay))
        self.changes.append(Change(let_go, down=False, arrives=let_go + delay, lost=release_lost))


@dataclass(frozen=True, slots=True)
class Strike:
    """What happened on all lines around one strike."""

    settings: Settings
    lines: tuple[Line, ...]
    late: int  # how much after its hour the program wakes, at most


# --- what happened ---------------------------------------------------------------------------------------------


class Noise:
    """Fingers, and a cable beside a motor."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        shortest = self._random.choice((1, 1, 2, 5)) * MILLISECOND
        self.settings = Settings(shortest=shortest)
        self._together = ARMED_AT + self._between(60, 400)

    def strike(self) -> Strike:
        lines = tuple(self._line(Key("strike", seat)) for seat in range(self._random.randint(2, 6)))
        late = self._random.choice((0, 0, 100 * MICROSECOND, 3 * MILLISECOND))
        return Strike(self.settings, lines, late)

    def _between(self, low: float, high: float) -> int:
        return self._random.randint(int(low * MILLISECOND), int(high * MILLISECOND))

    def _line(self, key: Key) -> Line:
        line = Line(key)
        kinds = (self._nothing, self._finger, self._spikes, self._both, self._led)
        self._random.choices(kinds, (10, 45, 20, 15, 10))[0](line)
        line.changes.sort(key=lambda one: one.at)
        return line

    def _nothing(self, line: Line) -> None:
        pass

    def _finger(self, line: Line) -> None:
        """A press that bounces when it begins and when it ends."""
        at, delay = self._together + self._random.choice((0, self._between(0, 1), self._between(0, 12))), self._delay()
        down, up = at, at + self._between(40, 250)
        for _ in range(self._random.choice((0, 0, 1, 3))):
            lasts, gap = self._between(0.02, 0.4), self._between(0.05, 1.5)
            line.closes(down, lasts, delay=delay)
            down += lasts + gap
        line.closes(down, up - down, delay=delay)
        for _ in range(self._random.choice((0, 0, 2))):
            up += self._between(0.05, 1.5)
            lasts = self._between(0.02, 0.4)
            line.closes(up, lasts, delay=delay)
            up += lasts

    def _spikes(self, line: Line) -> None:
        """Contacts too short for a finger, each by itself or a few that are too short in all."""
        at = self._together - self._between(0, 50)
        for _ in range(self._random.randint(1, 4)):
            begun, most = at, at + self.settings.shortest - 2
            delay = self._delay()
            is_lost = self._random.random() < 0.2
            while at < most:
                lasts = min(self._between(0.001, 0.6), most - at)
                line.closes(at, lasts, release_lost=is_lost, delay=delay)
                if is_lost or self._random.random() < 0.7:
                    break
                at += lasts + self._between(0.01, 0.3)
            at = begun + self.settings.bounce + self._between(6, 60)

    def _both(self, line: Line) -> None:
        """Noise, and a finger far enough from it."""
        self._finger(line)
        begins, ends = line.changes[0].at, line.changes[-1].at
        lasts = self._between(0.001, 0.9)
        before = self._random.random() < 0.7
        gap = self.settings.bounce + self._between(1, 40)
        line.closes(begins - gap - lasts if before else ends + gap, lasts, delay=self._delay())

    def _led(self, line: Line) -> None:
        """A contact too short for a finger, and the finger within the bounce of it: one press, from the first."""
        self._finger(line)
        lasts = self._between(0.001, 0.9)
        line.closes(
            line.changes[0].at - lasts - self._between(0.1, 29),
            lasts,
            delay=line.changes[0].arrives - line.changes[0].at,
        )

    def _delay(self) -> int:
        return self._random.choice((0, 200 * MICROSECOND, self._between(0, 2)))


# --- the oracle ------------------------------------------------------------------------------------------------


def presses(line: Line, settings: Settings) -> list[tuple[int, int]]:
    """From and until when something on a line was a press."""
    found: list[tuple[int, int]] = []
    for closed, opened in zip(line.changes[::2], line.changes[1::2], strict=True):
        if found and closed.at - found[-1][1] < settings.bounce:
            found[-1] = (found[-1][0], opened.at)
        else:
            found.append((closed.at, opened.at))
    return [(begins, ends) for begins, ends in found if ends - begins >= settings.shortest]


def stamps(strike: Strike) -> dict[str, int]:
    """When each seat struck."""
    pressed = {str(line.key.seat): presses(line, strike.settings) for line in strike.lines}
    return {seat: found[0][0] for seat, found in pressed.items() if found}


# --- the same for the table ------------------------------------------------------------------------------------


class NoisyPanel:
    """Lines as they are at the moment."""

    def __init__(self, strike: Strike) -> None:
        self.wiring = Wiring(seats=tuple(Seat(number) for number in range(len(strike.lines))), settings=strike.settings)
        self.inbox = PressQueue()
        self.now = 0
        self._lines = {line.key: tuple(line.changes) for line in strike.lines}

    def levels(self) -> dict[Key, bool]:
        return {key: was_down_at(changes, self.now) for key, changes in self._lines.items()}

    def show(self, *_: object) -> None: ...
    def status(self, *_: object) -> None: ...
    def buzz(self, *_: object) -> None: ...
    def close(self) -> None:
        self.inbox.close()


class Table:
    """A sieve and the token behind it, told as `companion/inputs/presses.py` tells them."""

    def __init__(self, strike: Strike, seed: int) -> None:
        self._random = random.Random(seed)
        self._strike = strike
        self._panel = NoisyPanel(strike)
        self._token = Token(self._panel, [str(line.key.seat) for line in strike.lines])
        self._sieve = Sieve(strike.settings)
        self.answers: list[Answer] = []
        self.spikes: list[Spike] = []

    def run(self) -> None:
        coming = sorted(
            (one.arrives, number, order, Press(line.key, one.at, one.down))
            for number, line in enumerate(self._strike.lines)
            for order, one in enumerate(line.changes)
            if not one.lost
        )
        armed = False
        for arrives, _, _, press in coming:
            if not armed and arrives >= ARMED_AT:
                armed = self._arm()
            self._wake_until(arrives)
            self._take(self._sieve.heard(press))
        if not armed:
            self._arm()
        self._wake_until(END)
        self._panel.close()

    def _arm(self) -> bool:
        self._wake_until(ARMED_AT)
        self._panel.now = ARMED_AT
        self._token.arm(ARMED_AT)
        return True

    def _wake_until(self, until: int) -> None:
        while True:
            wakes = [at for at in (self._sieve.wakes_at, self._token.wakes_at) if at is not None]
            due = max(min(wakes, default=END), self._panel.now) + self._random.randint(0, self._strike.late)
            if not wakes or due >= until:
                return
            self._panel.now = due
            self._take(self._sieve.time_is(due, self._panel.levels))
            self.answers += self._token.time_is(due, self._sieve.undecided)

    def _take(self, sifted: list[Press | Spike]) -> None:
        for one in sifted:
            if isinstance(one, Spike):
                self.spikes.append(one)
                self._token.was_spike(one.key)
            else:
                self.answers += self._token.heard(one)


def complaint(strike: Strike, seed: int) -> str:
    """What the table said wrongly of a strike; nothing if all is right."""
    table = Table(strike, seed)
    table.run()
    finish: Finish | None = None
    for answer in table.answers:
        if isinstance(answer, Settled | Amended):
            finish = answer.finish
    ought = stamps(strike)
    if finish is None:
        return f"{ought} pressed, and nobody struck" if ought else ""
    first = min(ought.values(), default=0)
    found = {one.seat: one.at for one in finish.order if one.how is not How.HELD}
    if found != {seat: at for seat, at in ought.items() if seat in found} or not found:
        return f"{found} are said to have pressed, and it was {ought}"
    missing = {seat for seat, at in ought.items() if seat not in found and at < first + IN_TIME}
    if missing:
        return f"{missing} pressed in time and are not there: {found}"
    front = {seat for seat, at in ought.items() if at <= first + strike.settings.margin}
    said = set(finish.tied) or {finish.winner}
    return "" if said == front else f"{said} are in front, and it was {front}"


def noisy(count: int, seed: int) -> Iterator[tuple[int, Counter[str], str]]:
    """So many strikes, each with what there was, and what was wrong with it."""
    for number in range(seed * 10**7, seed * 10**7 + count):
        strike = Noise(number).strike()
        pressed = stamps(strike)
        closed = sum(len(line.changes) // 2 for line in strike.lines)
        tally = Counter({"presses": len(pressed), "contacts": closed, "with nobody": not pressed})
        yield number, tally, complaint(strike, number)

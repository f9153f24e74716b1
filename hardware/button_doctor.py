"""A walk around the table: every button pressed once, every light seen once, and what the kernel said of it.

It finds buttons that are dead, swapped, or stuck, and measures bounce, the way from the kernel's stamp to this
program, and how finely the stamps are spaced, on the very buttons that are wired.
"""

import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from hardware.contact import MICROSECOND, MILLISECOND
from hardware.panel import Clock, Key, Light, Panel, Press, keys_of, lights_of

PATIENCE = 15_000 * MILLISECOND  # for a press, and for the hand to come off again
QUIET = 150 * MILLISECOND  # without an edge and up: the press and its bounce are over
LOOK = 50 * MILLISECOND  # how often the level is read meanwhile, in case the edge of a release gets lost
CLOSE_TOGETHER = 40 * MILLISECOND  # edges closer than this are one contact bouncing; no hand lets go so soon
MOST = 500  # milliseconds that a file may set

Wait = Callable[[int], None]  # until something is pressed, or so many nanoseconds


@dataclass(slots=True)
class ButtonFinding:
    """What was seen of one button."""

    key: Key
    verdict: str = "works"  # works, dead, stuck, hangs, swapped
    swapped_with: Key | None = None
    bounces: int = 0  # how often the contact closed again
    bounce_for: int = 0  # nanoseconds from the first time it closed to the last
    release_for: int = 0  # the same of letting go
    latency: list[int] = field(default_factory=list)  # from the stamp to this program
    spacing: int | None = None  # the closest two stamps
    lost: int = 0  # edges that came without a stamp to be trusted

    @property
    def sentence(self) -> str:
        match self.verdict:
            case "dead":
                return f"{self.key}: no press came in. Look at its wire, its pin, and the ground."
            case "stuck":
                return (
                    f"{self.key}: it is down without being pressed. Look for a short, or for a button that is "
                    "normally closed."
                )
            case "hangs":
                return f"{self.key}: it was pressed and does not come up again. Look for what holds it, or for a short."
            case "swapped":
                return f"{self.key}: {self.swapped_with} came in instead. Swap their wires, or their pins in the file."
        parts = ["works", "is clean"]
        if self.bounces:
            times = "once" if self.bounces == 1 else f"{self.bounces} times"
            parts[1] = f"bounces {times} for {self.bounce_for / MILLISECOND:.2f} ms"
        if self.release_for:
            parts.append(f"bounces for {self.release_for / MILLISECOND:.2f} ms when let go")
        if self.latency:
            parts.append(f"{statistics.median(self.latency) / MICROSECOND:.0f} µs from stamp to program")
        if self.lost:
            parts.append(f"{self.lost} of its edges got lost")
        return f"{self.key}: {', '.join(parts)}."


@dataclass(slots=True)
class Report:
    findings: list[ButtonFinding]
    advice: list[str]

    @property
    def is_well(self) -> bool:
        return all(finding.verdict == "works" for finding in self.findings)


def examine(panel: Panel, say: Callable[[str], None], wait: Wait, clock: Clock = time.monotonic_ns) -> Report:
    """Walk through every key of the wiring."""
    _begin(panel, say)
    stuck: set[Key] = set()
    findings = []
    for key in keys_of(panel.wiring):
        stuck |= {key for key, down in panel.levels().items() if down}
        if key in stuck:
            findings.append(ButtonFinding(key, "stuck"))
        else:
            findings.append(_asked(panel, key, say, _Listening(panel, stuck, wait, clock)))
        say(findings[-1].sentence)
    panel.status(Light.OFF)
    return Report(findings, list(_advice(panel, findings)))


def _begin(panel: Panel, say: Callable[[str], None]) -> None:
    """What is no button's is to be seen and heard; the program cannot know whether it was."""
    if panel.wiring.status is not None:
        panel.status(Light.TIED)
        say(f"The status light on GPIO{panel.wiring.status} blinks until the end.")
    if panel.wiring.buzzer is not None:
        panel.buzz(0.3)
        say(f"The buzzer on GPIO{panel.wiring.buzzer} sounds once.")


def _asked(panel: Panel, key: Key, say: Callable[[str], None], listening: "_Listening") -> ButtonFinding:
    """Ask for a press of a key, with its light on if it has one."""
    lit = key in lights_of(panel.wiring)
    if lit:
        panel.show(key, Light.WON)
    light = " (its light is on)" if lit else ""
    say(f"Press {_named(key)}{light}.")
    try:
        return listening.to(key)
    finally:
        if lit:
            panel.show(key, Light.OFF)


def _named(key: Key) -> str:
    seat = "" if key.seat is None else f" of seat {key.seat + 1}"
    return f"the {key.kind} button{seat}"


@dataclass(slots=True)
class _Listening:
    """The wait for one press and for everything that belongs to it."""

    panel: Panel
    deaf_to: set[Key]
    wait: Wait
    clock: Clock

    def to(self, key: Key) -> ButtonFinding:
        finding = ButtonFinding(key)
        self.panel.inbox.take()
        heard: list[Press] = []
        pressed: Key | None = None
        until = self.clock() + PATIENCE
        while (now := self.clock()) < until:
            self.wait(min(until - now, PATIENCE if pressed is None else LOOK))
            for press in self._taken(heard, finding):
                if pressed is None and press.is_down:
                    pressed, until = press.key, self.clock() + PATIENCE
            if pressed is not None and self._is_quiet(heard[-1].at):
                break
        return self._judged(finding, pressed, heard)

    def _taken(self, heard: list[Press], finding: ButtonFinding) -> Iterator[Press]:
        now = self.clock()
        for press in self.panel.inbox.take():
            if press.key in self.deaf_to:
                continue
            heard.append(press)
            if press.key == finding.key and press.sure:
                finding.latency.append(now - press.at)
            yield press

    def _is_quiet(self, last: int) -> bool:
        """Every hand is off, long enough for the next press to be the next one's."""
        down = {key for key, is_down in self.panel.levels().items() if is_down}
        return not down - self.deaf_to and self.clock() - last >= QUIET

    def _judged(self, finding: ButtonFinding, pressed: Key | None, heard: list[Press]) -> ButtonFinding:
        if pressed is None:
            finding.verdict = "dead"
        elif pressed != finding.key:
            finding.verdict, finding.swapped_with = "swapped", pressed
        elif self.panel.levels()[pressed]:
            finding.verdict = "hangs"
        else:
            _measure(finding, sorted((press for press in heard if press.key == pressed), key=lambda press: press.at))
        return finding


def _measure(finding: ButtonFinding, edges: list[Press]) -> None:
    finding.lost = sum(not press.sure for press in edges)
    stamped = [press for press in edges if press.sure]
    for burst in _bursts(stamped):
        if burst[0].is_down:
            closed = [press.at for press in burst if press.is_down]
            finding.bounces = max(finding.bounces, len(closed) - 1)
            finding.bounce_for = max(finding.bounce_for, closed[-1] - closed[0])
        else:
            finding.release_for = max(finding.release_for, burst[-1].at - burst[0].at)
    finding.spacing = min((later.at - earlier.at for earlier, later in pairwise(stamped)), default=None)


def _bursts(edges: Iterable[Press]) -> Iterator[list[Press]]:
    """Edges that belong together: those of a contact that closes, and those of one that opens."""
    burst: list[Press] = []
    for press in edges:
        if burst and press.at - burst[-1].at > CLOSE_TOGETHER:
            yield burst
            burst = []
        burst.append(press)
    if burst:
        yield burst


def _advice(panel: Panel, findings: Iterable[ButtonFinding]) -> Iterable[str]:
    """What to change, from what was measured."""
    working = [finding for finding in findings if finding.verdict == "works"]
    settings = panel.wiring.settings
    longest = max((max(finding.bounce_for, finding.release_for) for finding in working), default=0)
    if longest > settings.bounce // 2:
        yield (
            f"A contact bounces for {longest / MILLISECOND:.1f} ms: set bounce_ms = {_twice(longest)}, twice that "
            f"(it is {settings.bounce // MILLISECOND})."
        )
    slowest = max((latency for finding in working for latency in finding.latency), default=0)
    if slowest > settings.window // 2:
        yield (
            f"A stamp took {slowest / MILLISECOND:.1f} ms to the program: set window_ms = {_twice(slowest)} (it is "
            f"{settings.window // MILLISECOND})."
        )
    if any(finding.lost for finding in working):
        yield "Edges got lost: if that happens often, look at the cables of those buttons and give them pull-ups."
    spacings = [finding.spacing for finding in working if finding.spacing]
    if spacings:
        yield f"The closest two stamps were {min(spacings) / MICROSECOND:.1f} µs apart."
    for finding in findings:
        if finding.verdict != "works":
            yield finding.sentence
    if not working:
        yield "No button works: is the ground of the buttons on a ground pin of the header?"


def _twice(nanoseconds: int) -> int:
    """In whole milliseconds, as much as a file may set."""
    return min(MOST, -(-2 * nanoseconds // MILLISECOND))

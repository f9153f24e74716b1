"""A walk around the table: every button pressed once, every light seen once, and what the kernel said of it.

It finds buttons that are dead, swapped, or stuck, and measures bounce, the way from the kernel's stamp to this
program, and how finely the stamps are spaced, on the very buttons that are wired.
"""

import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from hardware.arbiter import MICROSECOND, MILLISECOND
from hardware.panel import Clock, Key, Light, Panel, Press, keys_of, lights_of

PATIENCE = 15_000 * MILLISECOND  # for a press
LISTEN = 150 * MILLISECOND  # for the bounce behind it
CLOSE_TOGETHER = 100 * MILLISECOND  # further edges closer than this belong to the same press

Wait = Callable[[int], None]  # until something is pressed, or so many nanoseconds


@dataclass(slots=True)
class Finding:
    """What was seen of one button."""

    key: Key
    verdict: str = "works"  # works, dead, stuck, swapped
    swapped_with: Key | None = None
    bounces: int = 0
    bounce_for: int = 0  # nanoseconds from the first contact to the last edge of it
    latency: list[int] = field(default_factory=list)  # from the stamp to this program
    spacing: int | None = None  # the closest two stamps

    @property
    def sentence(self) -> str:
        match self.verdict:
            case "dead":
                return f"{self.key}: no press came in. Look at its wire, its pin, and the ground."
            case "stuck":
                return (f"{self.key}: it is down without being pressed. Look for a short, or for a button that is "
                        "normally closed.")
            case "swapped":
                return f"{self.key}: {self.swapped_with} came in instead. Swap their wires, or their pins in the file."
        bounce = "is clean"
        if self.bounces:
            bounce = f"bounces {self.bounces} times for {self.bounce_for / MILLISECOND:.2f} ms"
        latency = statistics.median(self.latency) / MICROSECOND
        return f"{self.key}: works, {bounce}, {latency:.0f} µs from stamp to program."


@dataclass(slots=True)
class Report:
    findings: list[Finding]
    advice: list[str]

    @property
    def is_well(self) -> bool:
        return all(finding.verdict == "works" for finding in self.findings)


def examine(panel: Panel, say: Callable[[str], None], wait: Wait, clock: Clock = time.monotonic_ns) -> Report:
    """Walk through every key of the wiring."""
    stuck = {key for key, down in panel.levels().items() if down}
    findings = []
    for key in keys_of(panel.wiring):
        if key in stuck:
            findings.append(Finding(key, "stuck"))
            say(findings[-1].sentence)
            continue
        lit = Key("strike", key.seat) in lights_of(panel.wiring) and key.kind == "strike"
        say(f"Press {_named(key)}{' (its light is on)' if lit else ''}.")
        panel.show(key, Light.WON)
        findings.append(_listen(panel, key, wait, clock))
        panel.show(key, Light.OFF)
        say(findings[-1].sentence)
    return Report(findings, list(_advice(panel, findings)))


def _named(key: Key) -> str:
    seat = "" if key.seat is None else f" of seat {key.seat + 1}"
    return {"strike": f"the strike button{seat}", "tres": f"the tres button{seat}", "turn": f"the turn button{seat}",
            "stop": "the stop button"}[key.kind]


def _listen(panel: Panel, key: Key, wait: Wait, clock: Clock) -> Finding:
    """Wait for a press and for everything that belongs to it."""
    finding = Finding(key)
    panel.inbox.take()
    until, edges, pressed = clock() + PATIENCE, list[Press](), None
    while clock() < until:
        wait(until - clock())
        now = clock()
        for press in panel.inbox.take():
            if pressed is None and press.is_down:
                pressed, until = press.key, press.at + LISTEN
            if press.key == pressed:
                edges.append(press)
                finding.latency.append(now - press.at)
    if pressed is None:
        finding.verdict = "dead"
    elif pressed != key:
        finding.verdict, finding.swapped_with = "swapped", pressed
    else:
        _measure(finding, edges)
    return finding


def _measure(finding: Finding, edges: list[Press]) -> None:
    stamps = sorted(press.at for press in edges)
    last = stamps[0]
    for stamp in stamps[1:]:
        if stamp - last > CLOSE_TOGETHER:
            break
        finding.spacing = min(stamp - last, finding.spacing or stamp - last)
        last = stamp
    downs = [press.at for press in edges if press.is_down and press.at <= last]
    finding.bounces = len(downs) - 1
    finding.bounce_for = downs[-1] - downs[0]


def _advice(panel: Panel, findings: Iterable[Finding]) -> Iterable[str]:
    """What to change, from what was measured."""
    working = [finding for finding in findings if finding.verdict == "works"]
    settings = panel.wiring.settings
    longest = max((finding.bounce_for for finding in working), default=0)
    if longest > settings.bounce // 2:
        wanted = -(-2 * longest // MILLISECOND)
        yield (f"A contact bounces for {longest / MILLISECOND:.1f} ms: set bounce_ms = {wanted}, twice that (it is "
               f"{settings.bounce // MILLISECOND}).")
    slowest = max((latency for finding in working for latency in finding.latency), default=0)
    if slowest > settings.window // 2:
        wanted = -(-2 * slowest // MILLISECOND)
        yield (f"A stamp took {slowest / MILLISECOND:.1f} ms to the program: set window_ms = {wanted} (it is "
               f"{settings.window // MILLISECOND}).")
    spacings = [finding.spacing for finding in working if finding.spacing]
    if spacings:
        yield f"The closest two stamps were {min(spacings) / MICROSECOND:.1f} µs apart."
    for finding in findings:
        if finding.verdict != "works":
            yield finding.sentence
    if not working:
        yield "No button works: is the ground of the buttons on a ground pin of the header?"

"""Inside the guest: does the rig itself hold? Pairs of presses against the kernel's stamps, gpiozero, losing the chip."""

import errno
import select
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import gpiod
from gpiod.line import Bias, Edge, Value
from gpiozero import Button
from gpiozero.pins.lgpio import LGPIOFactory

from tests.rigs.gpio import guest

SEATS = [4, 5, 6, 7]
MICROSECOND, MILLISECOND = 1_000, 1_000_000
GAPS = (10 * MICROSECOND, 100 * MICROSECOND, 1 * MILLISECOND)
PAIRS = 200


def request() -> gpiod.LineRequest:
    settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP)
    return gpiod.request_lines(str(guest.chip().path), consumer="rig", config={tuple(SEATS): settings})


def events_of(changes: list[guest.Change], lines: gpiod.LineRequest) -> tuple[list[gpiod.EdgeEvent], list[guest.Played]]:
    """Play, and read all events meanwhile and a little longer."""
    playing = guest.Playing(changes)
    events: list[gpiod.EdgeEvent] = []
    while lines.wait_edge_events(timedelta(seconds=0.5)) or not playing.is_over:
        if lines.wait_edge_events(timedelta(0)):
            events += lines.read_edge_events()
    return events, playing.wait()


# --- Pairs


@dataclass(frozen=True, slots=True)
class Tally:
    """Pairs as the kernel stamped them, beside the order in which they were played."""

    gaps: list[int]
    wrong: int
    unknown: int  # the two writes overlapped, so nobody can say
    lost: int
    is_contiguous: bool

    @property
    def is_good(self) -> bool:
        return not self.wrong and not self.lost and self.is_contiguous


def stamp_of(change: guest.Played, events: Sequence[gpiod.EdgeEvent]) -> int | None:
    """Of the event that this write caused: stamped while it was going on."""
    for event in events:
        if event.line_offset == change.line and change.before_ns <= event.timestamp_ns <= change.after_ns:
            return event.timestamp_ns
    return None


def tally(events: list[gpiod.EdgeEvent], played: list[guest.Played]) -> Tally:
    stamps = [stamp_of(change, events) for change in played]
    gaps, wrong, unknown = [], 0, 0
    for n in range(0, len(played), 4):
        first, second = played[n : n + 2]
        if stamps[n] is None or stamps[n + 1] is None:
            continue
        gap = stamps[n + 1] - stamps[n]
        gaps.append(abs(gap))
        if first.before_ns <= second.after_ns and second.before_ns <= first.after_ns:
            unknown += 1
        else:
            wrong += (gap > 0) != (first.before_ns < second.before_ns)
    numbers = [event.global_seqno for event in events]
    is_contiguous = numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    return Tally(gaps, wrong, unknown, stamps.count(None), is_contiguous)


def try_pairs(lines: gpiod.LineRequest, gap_ns: int, players: int) -> bool:
    script = guest.pairs(PAIRS, SEATS, gap_ns=gap_ns, settle_ns=3 * MILLISECOND, players=players)
    events, played = events_of(script, lines)
    found = tally(events, played)
    least, middle, most = min(found.gaps), statistics.median(found.gaps), max(found.gaps)
    late = statistics.median(change.before_ns - change.wanted_ns for change in played)
    write = statistics.median(change.after_ns - change.before_ns for change in played)
    guest.tell(
        say=f"{PAIRS} pairs {gap_ns / 1000:4.0f} µs apart from {players} CPU: stamped {least / 1000:.1f} / "
        f"{middle / 1000:.1f} / {most / 1000:.1f} µs apart (min, p50, max); {found.wrong} wrong, {found.unknown} "
        f"overlapped, {found.lost} lost; sequence {'contiguous' if found.is_contiguous else 'BROKEN'}",
        pairs=PAIRS, gap_ns=gap_ns, players=players, min_ns=least, p50_ns=middle, max_ns=most, wrong=found.wrong,
        overlapped=found.unknown, lost=found.lost, events=len(events), late_p50_ns=late, write_p50_ns=write,
    )  # fmt: skip
    return found.is_good


def try_chatter(lines: gpiod.LineRequest) -> bool:
    script = guest.bounces(
        20, SEATS[:2], chatter_ns=3 * MILLISECOND, step_ns=300 * MICROSECOND, after_ns=MILLISECOND, settle_ns=5 * MILLISECOND
    )
    events, played = events_of(script, lines)
    lost = [change for change in played if stamp_of(change, events) is None]
    guest.tell(say=f"20 chatters: {len(played)} changes, {len(events)} events, {len(lost)} lost", chatter=len(events))
    return not lost and len(events) == len(played)


# --- Faults on purpose


def try_grounded_and_deaf() -> bool:
    """A button held while the line is asked for reads as pressed; a deaf line changes its level and has no edge."""
    guest.ground(SEATS[0])
    guest.deafen(SEATS[1])
    with request() as lines:
        held = lines.get_value(SEATS[0]) is Value.INACTIVE and lines.get_value(SEATS[1]) is Value.ACTIVE
        events, _ = events_of([guest.Change(0, SEATS[1], guest.PRESSED)], lines)
        silent = not events and lines.get_value(SEATS[1]) is Value.INACTIVE
    guest.ground()
    guest.deafen()
    guest.tell(say=f"held at the start: {held}; an edge lost with the level changed: {silent}", held=held, silent=silent)
    return held and silent


def try_losing_the_chip() -> bool:
    """Unbind it while its lines are held and somebody waits, bind it again, use it again."""
    before = guest.chip()
    lines = request()
    poll = select.poll()
    poll.register(lines.fd, select.POLLIN)
    guest.unbind_chip()
    noticed = poll.poll(500)
    try:
        lines.get_values()
        refusal = 0
    except OSError as error:
        refusal = error.errno
    after = guest.bind_chip()
    lines.release()
    with request() as again:
        events, _ = events_of(guest.presses(4, SEATS, hold_ns=MILLISECOND, every_ns=5 * MILLISECOND), again)
    guest.tell(
        say=f"unbound in use: poll says {[hex(mask) for _, mask in noticed] or 'nothing'}, reading "
        f"{errno.errorcode.get(refusal, 'works')}; {before.name} came back as {after.name}, {len(events)} of 8 events",
        noticed=noticed, refusal=refusal, before=before.name, after=after.name, events=len(events),
    )  # fmt: skip
    return refusal == errno.ENODEV and len(events) == 8


# --- gpiozero


def try_gpiozero() -> bool:
    factory = LGPIOFactory(chip=int(guest.chip().name.removeprefix("gpiochip")))
    pressed: list[float] = []
    with Button(SEATS[0], pull_up=True, pin_factory=factory) as button:
        button.when_pressed = lambda: pressed.append(time.monotonic())
        guest.play(guest.presses(10, [SEATS[0]], hold_ns=20 * MILLISECOND, every_ns=50 * MILLISECOND))
        time.sleep(0.5)
    factory.close()
    guest.tell(say=f"gpiozero on lgpio: {len(pressed)} of 10 presses", gpiozero_presses=len(pressed))
    return len(pressed) == 10


def main() -> int:
    with request() as lines:
        good = [try_pairs(lines, gap, players) for players in (1, 2) for gap in GAPS]
        good.append(try_chatter(lines))
    good += [try_gpiozero(), try_grounded_and_deaf(), try_losing_the_chip()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

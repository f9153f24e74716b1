"""Inside the guest: does the rig itself hold? Pairs of presses beside the kernel's stamps, gpiozero, a chip that goes.

The emulator may be late by milliseconds, and then the kernel's thread finds the next edge of a line where it looks for
one: that edge is lost, and a hole in the sequence numbers announces it. What is asserted: nothing is lost without that.
"""

import errno
import select
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta

import gpiod
from gpiod.line import Bias, Edge, Value
from gpiozero import Button
from gpiozero.pins.lgpio import LGPIOFactory

from tests.rigs.gpio import guest

SEATS = [4, 5, 6, 7]
MARK = 8
MICROSECOND, MILLISECOND = 1_000, 1_000_000
QUIET = 50 * MILLISECOND  # around a mark
GAPS = (10 * MICROSECOND, 100 * MICROSECOND, 1 * MILLISECOND)
PAIRS = 200


def request() -> gpiod.LineRequest:
    settings = gpiod.LineSettings(edge_detection=Edge.BOTH, bias=Bias.PULL_UP)
    return gpiod.request_lines(str(guest.chip().path), consumer="rig", config={(*SEATS, MARK): settings})


@dataclass(frozen=True, slots=True)
class Heard:
    """What was played, and what the kernel made of it."""

    played: list[guest.Played]
    events: list[gpiod.EdgeEvent]
    announced: int  # how many events are missing by the sequence numbers
    lost: int  # how many are missing by what was played, with the marks
    marks_lost: int  # of them; what is lost before the first event or behind the last shows in no numbers

    @property
    def is_accounted_for(self) -> bool:
        return 0 <= self.lost - self.announced <= self.marks_lost


def heard(changes: list[guest.Change], lines: gpiod.LineRequest) -> Heard:
    """Play between two marks, read all events meanwhile. The marks make a loss at either end show in the numbers."""
    mark = [guest.Change(0, MARK, guest.PRESSED), guest.Change(QUIET, MARK, guest.RELEASED)]
    end = max(change.at_ns for change in changes)
    script = [*mark, *(replace(change, at_ns=change.at_ns + 2 * QUIET) for change in changes)]
    script += [replace(change, at_ns=change.at_ns + end + 3 * QUIET) for change in mark]
    playing = guest.Playing(script)
    events: list[gpiod.EdgeEvent] = []
    while not playing.is_over or lines.wait_edge_events(timedelta(seconds=0.5)):
        if lines.wait_edge_events(timedelta(seconds=0.1)):
            events += lines.read_edge_events()
    if not events:
        guest.held_up("no edge was read of all that were made.")
    # The numbers are given when the edge is stamped; the events themselves may come in another order.
    numbers = sorted(event.global_seqno for event in events)
    missing = numbers[-1] - numbers[0] + 1 - len(numbers)
    played = playing.wait()
    marks = [event for event in events if event.line_offset == MARK]
    return Heard(
        [change for change in played if change.line != MARK],
        [event for event in events if event.line_offset != MARK],
        missing,
        len(played) - len(events),
        4 - len(marks),
    )


# --- Pairs


@dataclass(frozen=True, slots=True)
class Tally:
    """What was played, beside what the kernel stamped and let us read."""

    edges: int
    gaps: list[int]  # between the stamps of the two presses of a pair
    wrong: int  # pairs stamped in another order than they were written
    overlapped: int  # pairs whose writes overlapped, so that nobody can say
    lost: int  # edges that no event came of: the kernel's thread was late and found the next edge of the line there
    announced: int  # lost ones that show as a hole in the sequence numbers

    @property
    def is_good(self) -> bool:
        return bool(self.gaps) and not self.wrong


def stamps_of(edges: list[guest.Played], events: list[gpiod.EdgeEvent]) -> dict[guest.Played, int]:
    """Of each edge the stamp of its event, which was taken while the write was going on. In a machine that stalls for
    80 ms one in thousands is not; it is no less there."""
    stamps: dict[int, list[int]] = {line: [] for line in SEATS}
    for event in events:
        stamps[event.line_offset].append(event.timestamp_ns)
    found = {}
    for edge in edges:
        during = [stamp for stamp in stamps[edge.line] if edge.before_ns <= stamp <= edge.after_ns]
        if during:
            found[edge] = during[0]
    return found


def tally(found: Heard) -> Tally:
    played = found.played
    stamps = stamps_of(played, found.events)
    gaps, wrong, overlapped = [], 0, 0
    for first, second in zip(played[::4], played[1::4], strict=True):
        if first not in stamps or second not in stamps:
            continue
        gaps.append(abs(stamps[second] - stamps[first]))
        if first.before_ns <= second.after_ns and second.before_ns <= first.after_ns:
            overlapped += 1
        else:
            wrong += (stamps[first] < stamps[second]) != (first.before_ns < second.before_ns)
    return Tally(len(played), gaps, wrong, overlapped, found.lost, found.announced)


def spread(times: list[int]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=100)
    return {"p50": cuts[49], "p90": cuts[89], "p99": cuts[98], "max": max(times)}


def try_pairs(lines: gpiod.LineRequest, gap_ns: int, players: int) -> bool:
    script = guest.pairs(PAIRS, SEATS, gap_ns=gap_ns, settle_ns=3 * MILLISECOND, players=players)
    all_heard = heard(script, lines)
    found, played = tally(all_heard), all_heard.played
    if len(found.gaps) < 2:
        guest.held_up(f"of {PAIRS} pairs only {len(found.gaps)} have both stamps.")
    least, middle, most = min(found.gaps), statistics.median(found.gaps), max(found.gaps)
    guest.tell(
        say=f"{PAIRS} pairs {gap_ns / 1000:4.0f} µs apart from {players} CPU: stamped {least / 1000:.1f} / "
        f"{middle / 1000:.1f} / {most / 1000:.1f} µs apart (min, p50, max); {found.wrong} wrong, {found.overlapped} "
        f"overlapped; {found.edges} edges, {found.lost} lost, {found.announced} announced",
        pairs=PAIRS, gap_ns=gap_ns, players=players, min_ns=least, p50_ns=middle, max_ns=most, wrong=found.wrong,
        overlapped=found.overlapped, edges=found.edges, lost=found.lost, announced=found.announced,
        late_ns=spread([change.before_ns - change.wanted_ns for change in played]),
        write_ns=spread([change.after_ns - change.before_ns for change in played]),
    )  # fmt: skip
    return found.is_good and all_heard.is_accounted_for


def try_chatter(lines: gpiod.LineRequest) -> bool:
    script = guest.bounces(
        20,
        SEATS[:2],
        chatter_ns=3 * MILLISECOND,
        step_ns=300 * MICROSECOND,
        after_ns=MILLISECOND,
        settle_ns=5 * MILLISECOND,
    )
    chatter = heard(script, lines)
    found = len(chatter.played), len(chatter.events), chatter.announced
    guest.tell(say="20 chatters: {} edges, {} events, {} announced as lost".format(*found), chatter=found)
    return chatter.is_accounted_for


# --- Faults on purpose


def try_grounded_and_deaf() -> bool:
    """A button held while the line is asked for reads as pressed; a deaf line changes its level and has no edge."""
    guest.ground(SEATS[0])
    guest.deafen(SEATS[1])
    with request() as lines:
        held = lines.get_value(SEATS[0]) is Value.INACTIVE and lines.get_value(SEATS[1]) is Value.ACTIVE
        silent = not heard([guest.Change(0, SEATS[1], guest.PRESSED)], lines).events
        silent = silent and lines.get_value(SEATS[1]) is Value.INACTIVE
    guest.ground()
    guest.deafen()
    guest.tell(say=f"held at the start: {held}; a level changed without an edge: {silent}", held=held, silent=silent)
    return held and silent


def try_losing_the_chip() -> bool:
    """Take it away while its lines are held and somebody waits in poll; bring it back and use it again."""
    return lose_and_regain("unbound", guest.unbind_chip, guest.bind_chip) and lose_and_regain(
        "removed", guest.remove_chip, guest.make_chip
    )


def lose_and_regain(how: str, lose: Callable[[], None], regain: Callable[[], guest.Chip]) -> bool:
    before = guest.chip()
    lines = request()
    with ThreadPoolExecutor() as pool:
        waiting = pool.submit(waited_for, lines.fd)
        time.sleep(0.5)
        lost = time.monotonic()
        lose()
        woken = waiting.result()
        after_seconds = time.monotonic() - lost
    refusal = refusal_of(lines)
    after = regain()
    lines.release()
    with request() as again:
        script = guest.presses(4, SEATS, hold_ns=MILLISECOND, every_ns=5 * MILLISECOND)
        found = heard(script, again)
        all_there = found.is_accounted_for
    guest.tell(
        say=f"{how} in use: a poll with 1.5 s to go says {woken[0]} after {after_seconds:.1f} s, a new one {woken[1]}, "
        f"reading levels {refusal}; {before.name} came back as {after.name}, {len(found.events)} of 8 events",
        how=how, woken=woken, after_seconds=after_seconds, refusal=refusal,
        before=before.name, after=after.name, events=len(found.events),
    )  # fmt: skip
    return refusal == "ENODEV" and all_there


def waited_for(fd: int) -> list[list[str]]:
    """What a poll says that was waiting when the chip went, and what one says that begins later."""
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    names = ("POLLIN", "POLLERR", "POLLHUP")
    asked = [poll.poll(2000), poll.poll(0)]
    return [[name for name in names for _, mask in found if mask & getattr(select, name)] for found in asked]


def refusal_of(lines: gpiod.LineRequest) -> str:
    try:
        lines.get_values()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "works"


# --- gpiozero


def try_gpiozero() -> None:
    """Told and not judged: with lost edges it may never hear of a press again."""
    factory = LGPIOFactory(chip=int(guest.chip().name.removeprefix("gpiochip")))
    pressed: list[float] = []
    with Button(SEATS[0], pull_up=True, pin_factory=factory) as button:
        button.when_pressed = lambda: pressed.append(time.monotonic())
        guest.play(guest.presses(10, [SEATS[0]], hold_ns=45 * MILLISECOND, every_ns=90 * MILLISECOND))
        time.sleep(0.5)
    factory.close()
    guest.tell(say=f"gpiozero on lgpio: {len(pressed)} of 10 presses", gpiozero_presses=len(pressed))


def main() -> int:
    with request() as lines:
        good = [try_pairs(lines, gap, players) for players in (1, 2) for gap in GAPS]
        good.append(try_chatter(lines))
    try_gpiozero()
    good += [try_grounded_and_deaf(), try_losing_the_chip()]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())

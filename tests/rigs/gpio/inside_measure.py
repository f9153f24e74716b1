"""Inside the guest: the same presses decided by us and by what others do.

The truth is the stimulator's: which contact it moved first. Left out are pairs whose writes overlapped, because nobody
can say, and those before which one of the buttons had hardly come up: a stimulator that is held up lets go so late that
it is no other press. Counts and orders are judged, never times.
"""

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from tests.rigs.gpio import guest
from tests.rigs.gpio.guest import PRESSED, RELEASED, Change, Played
from tests.rigs.gpio.readers import LINES

MICROSECOND, MILLISECOND = 1_000, 1_000_000
SETTLE = 42 * MILLISECOND  # a finger presses for as long, and is away for as long
RESTED = 35 * MILLISECOND  # if it was away for less, it is the same press: that is longer than the bounce
PAIRS, CHATTERS = 2000, 500
LEAST_CERTAIN = 0.2  # of what was played
ALL_PAIRS = {"ours": PAIRS, "gpiozero": 200, "lgpio": 200, "polling": 200, "pygame": 200}
ALL_CHATTERS = {"ours": CHATTERS, "gpiozero-bounce": 100}


class Reader:
    """A reader in a process of its own."""

    def __init__(self, kind: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.rigs.gpio.readers", kind],
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout
        line = self._process.stdout.readline()
        while line.strip() != "ready":  # pygame says hello first
            if not line:
                raise RuntimeError(f"the reader {kind} did not start")
            line = self._process.stdout.readline()
        time.sleep(0.5)

    def end(self) -> dict[str, Any]:
        said, _ = self._process.communicate()
        found: dict[str, Any] = json.loads(said.splitlines()[-1])
        return found


def read(kind: str, changes: list[Change], seconds: float = 0) -> tuple[list[Played], dict[str, Any]]:
    """Play while a reader of that kind listens."""
    reader = Reader(kind)
    played = guest.play(changes) if changes else []
    time.sleep(seconds or 0.5)
    return played, reader.end()


# --- pairs -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Two presses as they really were."""

    first: int
    second: int
    begins: int
    ends: int
    gap: int


def pair_script(count: int, seed: int = 11) -> list[Change]:
    """Pairs from 10 µs to 1 ms apart, as many short gaps as long ones."""
    random = Random(seed)
    changes, at = [], 0
    for _ in range(count):
        one, two = random.sample(LINES, 2)
        gap = round(10 * MICROSECOND * 100 ** random.random())
        up = at + gap + SETTLE
        changes += [
            Change(at, one, PRESSED),
            Change(at + gap, two, PRESSED),
            Change(up, one, RELEASED),
            Change(up + 50 * MICROSECOND, two, RELEASED),
        ]
        at = up + SETTLE
    return changes


def pairs_of(played: list[Played]) -> Iterator[Pair]:
    """The pairs of which it is known who was first."""
    trials = [
        sorted(played[start : start + 4], key=lambda change: change.before_ns) for start in range(0, len(played), 4)
    ]
    up: dict[int, int] = {}
    for number, trial in enumerate(trials):
        one, two = (change for change in trial if change.level == PRESSED)
        rested = min(change.before_ns - up.get(change.line, 0) for change in (one, two))
        up |= {change.line: change.after_ns for change in trial if change.level == RELEASED}
        ends = trials[number + 1][0].before_ns if number + 1 < len(trials) else trial[-1].after_ns + SETTLE
        if one.after_ns < two.before_ns and rested >= RESTED:
            yield Pair(one.line, two.line, one.before_ns, ends, two.before_ns - one.before_ns)


def first_noted(notes: list[list[Any]], pair: Pair) -> int | None:
    """Whom a program takes for the first that goes by the order in which it noticed."""
    lines = [
        line for line, noticed, _ in notes if pair.begins <= noticed < pair.ends and line in (pair.first, pair.second)
    ]
    return lines[0] if lines else None


def first_finished(finishes: list[dict[str, Any]], pair: Pair) -> int | None:
    """Whom our arbiter calls first; None where it called a tie."""
    for finish in finishes:
        stamps = [at for _, _, at in finish["order"] if at is not None]
        if stamps and pair.begins <= min(stamps) < pair.ends:
            return None if finish["tied"] else int(finish["order"][0][0])
    return None


def was_armed(found: dict[str, Any], pair: Pair) -> bool:
    """The token was free before the trial began. When the emulator stalls, the next trial may come too soon."""
    before = [armed for armed in found.get("armed", [0]) if armed < pair.begins]
    done = [stamp for finish in found.get("finishes", ()) for _, _, stamp in finish["order"] if stamp is not None]
    return bool(before) and not any(before[-1] < stamp < pair.begins for stamp in done)


def judged(kind: str, count: int) -> dict[str, Any]:
    played, found = read(kind, pair_script(count))
    pairs = [pair for pair in pairs_of(played) if was_armed(found, pair)]
    judge_only_if(len(pairs), count)
    decided = [
        (pair, first_finished(found["finishes"], pair) if kind == "ours" else first_noted(found["notes"], pair))
        for pair in pairs
    ]
    wrong = sum(who == pair.second for pair, who in decided)
    undecided = sum(who is None for _, who in decided)
    gaps = [pair.gap for pair in pairs]
    guest.tell(
        say=f"{kind:9} {count} pairs, {len(pairs)} of them certain, {min(gaps) / 1000:.0f} to "
        f"{max(gaps) / 1000:.0f} µs apart (p50 {statistics.median(gaps) / 1000:.0f}): {wrong} wrong, "
        f"{undecided} undecided",
        kind=kind,
        pairs=count,
        certain=len(pairs),
        wrong=wrong,
        undecided=undecided,
        gap_min=min(gaps),
        gap_p50=statistics.median(gaps),
        gap_max=max(gaps),
    )
    return {"wrong": wrong, "undecided": undecided, "certain": len(pairs)}


def judge_only_if(certain: int, count: int) -> None:
    """Where hardly any is certain, the stimulator was held up by others."""
    if certain < LEAST_CERTAIN * count:
        guest.held_up(f"of {count} only {certain} are certain.")


# --- bounce ----------------------------------------------------------------------------------------------------


def bounce_script(count: int, seed: int = 5) -> list[Change]:
    """One chatters for 3 ms and stays down, the other is clean one millisecond behind the first contact."""
    random = Random(seed)
    changes, at = [], 0
    for _ in range(count):
        one, two = random.sample(LINES, 2)
        chatter = [Change(at + step * 300 * MICROSECOND, one, step % 2) for step in range(11)]
        up = at + SETTLE + 3 * MILLISECOND
        changes += sorted([*chatter, Change(at + MILLISECOND, two, PRESSED)], key=lambda change: change.at_ns)
        changes += [Change(up, one, RELEASED), Change(up + 50 * MICROSECOND, two, RELEASED)]
        at = up + SETTLE
    return changes


def bounced(kind: str, count: int) -> dict[str, Any]:
    played, found = read(kind, bounce_script(count))
    wrong = undecided = certain = 0
    up: dict[int, int] = {}
    for start in range(0, len(played), 14):
        trial = sorted(played[start : start + 14], key=lambda change: change.before_ns)
        first = trial[0]
        clean = next(change for change in trial if change.level == PRESSED and change.line != first.line)
        rested = min(change.before_ns - up.get(change.line, 0) for change in (first, clean))
        up |= {change.line: change.after_ns for change in trial if change.level == RELEASED}
        if first.after_ns >= clean.before_ns or rested < RESTED:
            continue
        pair = Pair(first.line, clean.line, first.before_ns, trial[-1].after_ns + 20 * MILLISECOND, 0)
        if not was_armed(found, pair):
            continue
        certain += 1
        who = first_finished(found["finishes"], pair) if kind == "ours" else first_noted(found["notes"], pair)
        wrong, undecided = wrong + (who == pair.second), undecided + (who is None)
    judge_only_if(certain, count)
    guest.tell(
        say=f"{kind:15} {count} bouncing first presses, {certain} certain: {wrong} wrong, {undecided} not decided",
        kind=kind,
        bounces=count,
        certain=certain,
        wrong=wrong,
        undecided=undecided,
    )
    return {"wrong": wrong, "undecided": undecided}


def main(arguments: list[str]) -> int:
    """How much of it, and whether of ours alone."""
    scale = float(arguments[0]) if arguments else 1.0
    pairs, chatters = ({"ours": PAIRS}, {"ours": CHATTERS}) if arguments[1:] else (ALL_PAIRS, ALL_CHATTERS)
    by_pairs = {kind: judged(kind, round(count * scale)) for kind, count in pairs.items()}
    by_bounce = {kind: bounced(kind, round(count * scale)) for kind, count in chatters.items()}
    return 1 if by_pairs["ours"]["wrong"] or by_bounce["ours"]["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

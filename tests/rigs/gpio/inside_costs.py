"""Inside the guest: what it costs to notice presses, ours beside gpiozero on lgpio, in rounds that take turns.

Run it in the machine that counts instructions: there a nanosecond is a quarter of one, and the same work takes as long
again however busy the computer around it is.
"""

import statistics
import sys
from collections.abc import Iterable
from typing import Any

from tests.rigs.gpio import guest
from tests.rigs.gpio.inside_measure import MILLISECOND, read
from tests.rigs.gpio.readers import LINES

ROUNDS, PRESSES = 5, 100
IDLE = 20  # seconds
MOST_IDLE = 0.02  # of what gpiozero on lgpio needs for doing nothing
OTHER = "gpiozero"
OURS = ("our-presses", "ours")


def costs(kind: str, number: int) -> dict[str, float]:
    """Latency from the stamp to the program, and CPU for each press, waiting between them included. Fingers stay down
    for 40 ms and more; no two rounds are equally quick."""
    every = (60 + number) * MILLISECOND
    _, found = read(kind, guest.presses(PRESSES, list(LINES), hold_ns=40 * MILLISECOND, every_ns=every))
    latencies = sorted(noticed - stamp for _, noticed, stamp in found["notes"] if stamp is not None)
    cost = {
        "p50": statistics.median(latencies),
        "p99": latencies[len(latencies) * 99 // 100],
        "cpu": found["cpu"] / PRESSES * 1e9,
        "noticed": len(found["notes"]),
    }
    guest.tell(
        say=f"round {number}: {kind:11} stamp to program p50 {cost['p50'] / 1000:.0f} µs, p99 "
        f"{cost['p99'] / 1000:.0f} µs; CPU {cost['cpu'] / 1000:.0f} µs a press; {cost['noticed']} of {PRESSES} noticed",
        round=number, reader=kind, presses=PRESSES, **cost,
    )  # fmt: skip
    return cost


def idle_cpu(kind: str) -> float:
    """Nanoseconds of CPU in a second of waiting."""
    _, found = read(kind, [], seconds=IDLE)
    used = found["cpu"] / IDLE * 1e9
    guest.tell(say=f"{kind:11} idle: CPU {used / 1000:.0f} µs a second", reader=kind, idle=used)
    return float(used)


def compared(what: str, ours: Iterable[float], other: Iterable[float]) -> dict[str, Any]:
    """Ours to the other, round by round."""
    ratios = [one / two for one, two in zip(ours, other, strict=True)]
    is_worse = all(ratio > 1 for ratio in ratios)
    guest.tell(
        say=f"{what}: {statistics.median(ratios):.3f} of {OTHER} on lgpio ({min(ratios):.3f} to {max(ratios):.3f})"
        + (": WORSE in every round" if is_worse else ""),
        compared=what, ratios=ratios,
    )  # fmt: skip
    return {"ratios": ratios, "worse": is_worse}


def main() -> int:
    rounds = [{kind: costs(kind, number) for kind in (*OURS, OTHER)} for number in range(1, ROUNDS + 1)]
    found = [
        compared(f"{what}, {kind}", *([one[who][of] for one in rounds] for who in (kind, OTHER)))
        for what, of in (("latency", "p50"), ("CPU a press", "cpu"))
        for kind in OURS
    ]
    noticed = all(one[kind]["noticed"] == PRESSES for one in rounds for kind in OURS)
    idle = max(idle_cpu("ours"), 0) / idle_cpu(OTHER)
    guest.tell(say=f"CPU while idle: {idle:.4f} of {OTHER} on lgpio (at most {MOST_IDLE})", idle_ratio=idle)
    return 0 if noticed and idle <= MOST_IDLE and not any(one["worse"] for one in found) else 1


if __name__ == "__main__":
    sys.exit(main())

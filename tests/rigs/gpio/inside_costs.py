"""Inside the guest: what it costs to notice presses, ours beside gpiozero on lgpio. Only compared within this run."""

import statistics
import sys

from tests.rigs.gpio import guest
from tests.rigs.gpio.inside_measure import MILLISECOND, read
from tests.rigs.gpio.readers import LINES

MOST = {"latency": 0.25, "cpu": 1 / 3, "idle": 0.05}  # of what gpiozero on lgpio needs


def costs(kind: str, presses: int) -> dict[str, float]:
    """Latency from the stamp to the program and CPU for so many presses, without what starting costs."""
    script = guest.presses(presses, list(LINES), hold_ns=6 * MILLISECOND, every_ns=16 * MILLISECOND)
    _, idle = read(kind, [], seconds=1)
    _, found = read(kind, script)
    latencies = sorted(noticed - stamp for _, noticed, stamp in found["notes"] if stamp is not None)
    cost = {
        "p50": statistics.median(latencies),
        "p99": latencies[len(latencies) * 99 // 100],
        "cpu": found["cpu"] - idle["cpu"],
        "noticed": len(found["notes"]),
    }
    guest.tell(
        say=f"{kind:11} {presses} presses: stamp to program p50 {cost['p50'] / 1000:.0f} µs, p99 "
        f"{cost['p99'] / 1000:.0f} µs; CPU {cost['cpu']:.2f} s; {cost['noticed']} noticed",
        kind=kind,
        presses=presses,
        **cost,
    )
    return cost


def idle_cpu(kind: str, seconds: float) -> float:
    """CPU of waiting, without what starting costs."""
    _, short = read(kind, [], seconds=1)
    _, long = read(kind, [], seconds=1 + seconds)
    used = long["cpu"] - short["cpu"]
    guest.tell(say=f"{kind:9} idle for {seconds:.0f} s: CPU {used * 1000:.0f} ms", kind=kind, idle=used)
    return float(used)


def main(arguments: list[str]) -> int:
    scale = float(arguments[0]) if arguments else 1.0
    cost = {kind: costs(kind, round(2000 * scale)) for kind in ("our-presses", "ours", "gpiozero")}
    idle = {kind: idle_cpu(kind, 60 * scale) for kind in ("ours", "gpiozero")}
    ratios = {
        "latency": cost["our-presses"]["p50"] / cost["gpiozero"]["p50"],
        "cpu": cost["our-presses"]["cpu"] / cost["gpiozero"]["cpu"],
        "idle": max(idle["ours"], 0) / idle["gpiozero"],
    }
    guest.tell(
        say="ours to gpiozero on lgpio: "
        + ", ".join(f"{what} {ratio:.3f} (at most {MOST[what]:.3g})" for what, ratio in ratios.items()),
        ratios=ratios,
    )
    return 0 if all(ratio <= MOST[what] for what, ratio in ratios.items()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

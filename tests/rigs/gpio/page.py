"""Writes what the last run of the rig measured into docs/token.md: `python -m tests.rigs.gpio.page`."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from tests.benchmarks.__main__ import machine
from tests.rigs.gpio.build import PROJECT
from tests.rigs.gpio.vm import RESULTS

PAGE = PROJECT / "docs" / "token.md"
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
NAMES = {
    "ours": "ours: panel, token, arbiter",
    "our-presses": "ours, up to the arbiter's door",
    "gpiozero": "gpiozero on lgpio, order of callbacks",
    "gpiozero-bounce": "gpiozero on lgpio, bounce_time 20 ms",
    "lgpio": "lgpio, order of callbacks",
    "polling": "a loop that looks 60 times a second",
    "pygame": "pygame events posted by gpiozero",
}


def table(told: list[dict[str, Any]]) -> Iterator[str]:
    yield "| pairs of presses, decided by | pairs | wrong | not decided | apart: min, p50, max (µs) |"
    yield "|---|---:|---:|---:|---|"
    for one in told:
        if "pairs" in one and "kind" in one:
            apart = ", ".join(f"{one[key] / 1000:.0f}" for key in ("gap_min", "gap_p50", "gap_max"))
            yield f"| {NAMES[one['kind']]} | {one['certain']} | {one['wrong']} | {one['undecided']} | {apart} |"
    yield "\n| a first press that bounces for 3 ms, another 1 ms later | trials | wrong | not decided |"
    yield "|---|---:|---:|---:|"
    for one in told:
        if "bounces" in one:
            yield f"| {NAMES[one['kind']]} | {one['certain']} | {one['wrong']} | {one['undecided']} |"
    yield "\n| cost | presses | stamp to program p50, p99 (µs) | CPU (s) |\n|---|---:|---|---:|"
    for one in told:
        if "presses" in one and "cpu" in one:
            latency = f"{one['p50'] / 1000:.0f}, {one['p99'] / 1000:.0f}"
            yield f"| {NAMES[one['kind']]} | {one['presses']} | {latency} | {one['cpu']:.2f} |"
    for one in told:
        if "ratios" in one:
            latency, cpu, idle = (one["ratios"][key] for key in ("latency", "cpu", "idle"))
            yield (
                f"\nOurs to gpiozero on lgpio: latency {latency:.2f} (at most 0.25), CPU {cpu:.2f} (at most 0.33), "
                f"CPU while idle {idle:.3f} (at most 0.05)."
            )


def main() -> None:
    told = [json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines()]
    made = f"{datetime.now(UTC).date()}, in QEMU on {machine()}:"
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text("\n".join([before + BEGIN, "", made, "", *table(told), "", END]) + after, encoding="utf-8")


if __name__ == "__main__":
    main()

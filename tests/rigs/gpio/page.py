"""Writes what the last runs of the rig measured into docs/token.md: `python -m tests.rigs.gpio.page`."""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from statistics import median
from typing import Any

from tests.benchmarks.__main__ import machine
from tests.rigs.gpio.vm import INSTRUCTIONS, RESULTS
from tests.rigs.running import PROJECT

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

Told = dict[str, Any]
Run = list[Told]


def span(values: Iterable[float], unit: float = 1, digits: int = 0) -> str:
    """The least and the most of all runs."""
    found = sorted(round(value / unit, digits) for value in values)
    least, most = (f"{value:.{digits}f}" for value in (found[0], found[-1]))
    return least if least == most else f"{least} to {most}"


def alike(runs: list[Run], *wanted: str) -> Iterator[list[Told]]:
    """What the runs told of the same thing, in the order of the first."""
    groups: dict[tuple[Any, ...], list[Told]] = {}
    for told in runs:
        for one in told:
            if all(key in one for key in wanted):
                groups.setdefault((one["machine"], *(one.get(key) for key in ("kind", "reader", "button"))), []).append(
                    one
                )
    yield from groups.values()


def who(one: Told) -> str:
    name = one.get("button") or NAMES[one.get("kind") or one["reader"]]
    return name if one["machine"] == "counting" else f"{name}; {one['machine']} machine"


def presses(runs: list[Run]) -> Iterator[str]:
    columns = "pressed a run | of them bouncing | noticed | missing | taken for two | by the stamp of the first contact"
    yield f"| button | {columns} | pressed again too soon | taken for a press |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for same in alike(runs, "button"):
        of = of_all(same)
        told = ("pressed", "bouncing", "noticed", "missing", "twice", "exactly", "doubles", "taken")
        yield f"| {who(same[0])} | {' | '.join(span(of(key)) for key in told)} |"
    yield "\n| all kinds together | edges the kernel lost, and said so | presses invented |\n|---|---:|---:|"
    for same in alike(runs, "presses_invented"):
        of = of_all(same)
        yield f"| {same[0]['machine']} machine | {span(of('edges_lost'))} | {span(of('presses_invented'))} |"


def table(runs: list[Run]) -> Iterator[str]:
    yield from presses(runs)
    yield "\n| pairs of presses, decided by | pairs a run | wrong | not decided | apart: least, p50, most (µs) |"
    yield "|---|---:|---:|---:|---|"
    for same in alike(runs, "kind", "pairs"):
        of = of_all(same)
        apart = "; ".join(span(of(key), 1000) for key in ("gap_min", "gap_p50", "gap_max"))
        yield f"| {who(same[0])} | {span(of('certain'))} | {span(of('wrong'))} | {span(of('undecided'))} | {apart} |"
    yield "\n| a first press that bounces for 3 ms, another 1 ms later | trials a run | wrong | not decided |"
    yield "|---|---:|---:|---:|"
    for same in alike(runs, "kind", "bounces"):
        of = of_all(same)
        yield f"| {who(same[0])} | {span(of('certain'))} | {span(of('wrong'))} | {span(of('undecided'))} |"
    yield from costs(runs)


def of_all(same: list[Told]) -> Callable[[str], list[float]]:
    return lambda key: [one[key] for one in same]


def costs(runs: list[Run]) -> Iterator[str]:
    idle = {same[0]["reader"]: span(of_all(same)("idle"), 1e6, 2) for same in alike(runs, "reader", "idle")}
    columns = "stamp to program p50 (µs) | p99 (µs) | CPU a press, waiting included (ms) | CPU a second of waiting (ms)"
    yield f"\n| cost | rounds | {columns} |"
    yield "|---|---:|---|---|---|---|"
    for same in alike(runs, "reader", "round"):
        of = of_all(same)
        yield (
            f"| {who(same[0])} | {len(same)} | {span(of('p50'), 1e3)} | {span(of('p99'), 1e3)} | "
            f"{span(of('cpu'), 1e6, 2)} | {idle.get(same[0]['reader'], '')} |"
        )
    ratios: dict[str, list[float]] = {}
    for one in (one for told in runs for one in told if "compared" in one):
        ratios.setdefault(one["compared"], []).extend(one["ratios"])
    yield "\n| to gpiozero on lgpio, round by round | median | spread |\n|---|---:|---|"
    for what, found in ratios.items():
        name, _, kind = what.rpartition(", ")
        yield f"| {name}: {NAMES[kind]} | {median(found):.3f} | {span(found, 1, 3)} |"
    found = [one["idle_ratio"] for told in runs for one in told if "idle_ratio" in one]
    yield f"| CPU while idle (at most 0.02): {NAMES['ours']} | {median(found):.4f} | {span(found, 1, 4)} |"


def main() -> None:
    paths = sorted(RESULTS.glob("*.jsonl"))
    runs = [[json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] for path in paths]
    made = (
        f"{datetime.now(UTC).date()}, {len(runs)} runs in QEMU on {machine()}; of each figure the least and the most. "
        f"The counting machine does {INSTRUCTIONS / 1e6:.0f} million instructions a second of its own time."
    )
    page = PAGE.read_text(encoding="utf-8")
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text("\n".join([before + BEGIN, "", made, "", *table(runs), "", END]) + after, encoding="utf-8")


if __name__ == "__main__":
    main()

"""What running costs: counts of calls, which no load disturbs, beside those of df2bf87; two starts.

The counts of df2bf87 were made with these same files, on Python 3.11.
"""

import json
import os
import resource
import subprocess
import sys

from tools.house.figure import HouseFigure, at_most
from tools.house.source_tree import PROJECT

STRIKE_BEFORE = 2_055
RULINGS_BEFORE = {"three": 82.68, "triple3": 179.33, "tres": 149.03, "triplexity": 162.05, "threepia": 126.42}
NO_MORE = 1.005  # rounded
HELP, PICTURE = 0.15, 1.5  # seconds


def cost_figures() -> list[HouseFigure]:
    return [*strike_figures(), ruling_figure(), *start_figures()]


def _counted(module: str) -> dict[str, float]:
    command = [sys.executable, "-m", module]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        raise RuntimeError(f"{module} failed: {done.stderr}")
    counts: dict[str, float] = json.loads(done.stdout)
    return counts


def strike_figures() -> list[HouseFigure]:
    costs = {what: round(count) for what, count in _counted("tools.house.strike").items()}
    most = STRIKE_BEFORE * 2 // 3
    return [
        at_most("codec calls of a strike before the journal's own", costs["codec_before_the_journal"], 0),
        at_most(f"calls of a strike from the edge to the lights, from {STRIKE_BEFORE:,}", costs["calls"], most),
        HouseFigure("  of these, in the codec: the journal and the answer at the door", str(costs["codec"])),
    ]


def ruling_figure() -> HouseFigure:
    ratios = {name: count / RULINGS_BEFORE[name] for name, count in _counted("tools.house.ruling_calls").items()}
    dearer = tuple(f"{name}: {ratio:.2f}" for name, ratio in ratios.items() if ratio > NO_MORE)
    value = f"{max(ratios.values()):.2f}"
    return HouseFigure("calls of a ruling to those before, the worst game", value, "at most 1", not dearer, dearer)


def start_figures() -> list[HouseFigure]:
    starts = (
        ("`companion --help`", _seconds("companion", "--help", times=5), HELP),
        ("start to the first picture", _seconds("tools.house.first_picture", times=2), PICTURE),
    )
    return [
        HouseFigure(f"{what}, seconds of a processor", f"{seconds:.2f}", f"at most {most}", seconds <= most)
        for what, seconds, most in starts
    ]


def _seconds(*module: str, times: int) -> float:
    """Of a processor: what else the machine does takes none of it. The least disturbed of some runs."""
    return min(_once(module) for _ in range(times))


def _once(module: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command, calm = [sys.executable, "-m", *module], os.environ | {"PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    subprocess.run(command, cwd=PROJECT, capture_output=True, env=calm, check=True, timeout=60)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

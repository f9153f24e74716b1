"""The doctor of fairness: what was measured on this very table, in words, in data, and as a certificate to keep."""

import json
import platform
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.button_meanings import key_kinds
from companion.core.clocks import short
from companion.core.errors import CompanionError
from companion.doctor.button_walk import ILL, UNTRIED, WELL, Say, opened_panel
from hardware.contact import MICROSECOND, MILLISECOND
from hardware.fairness_doctor import ENOUGH, Fairness, measure
from hardware.panel import Key, Panel, keys_of
from hardware.real import RealPanel
from hardware.simulated import NOTICE
from hardware.wiring import Wiring, check_wiring


def certify(path: Path, tell: Say, say: Say, complain: Say, *, as_json: bool) -> int:
    """Measure with the buttons of a wiring file, `tell` the result, `say` what to do, `complain` of what is wrong."""
    wiring, problems = check_wiring(path, key_kinds())
    for problem in problems:
        complain(f"{path}, {problem}")
    if problems:
        return UNTRIED
    joined = _joined(path, wiring)
    with opened_panel(wiring, complain) as (panel, wait, clock):
        if wiring.driver == "simulated":
            typed = " + ".join(map(str, joined))
            say(f"{NOTICE} Type {typed} for each press.")
        say(f"Join the lines of {joined[0]} and {joined[1]}: both to one contact, the other button's wire off.")
        found = measure(panel, joined, say, wait, clock, has_cables=wiring.driver != "simulated")
        measured = _plain(path, panel, found)
    if as_json:
        tell(json.dumps(measured, ensure_ascii=False))
    for line in _certificate(wiring, found, measured):
        say(line)
    return WELL if found.is_enough else ILL


def _joined(path: Path, wiring: Wiring) -> tuple[Key, Key]:
    """The two lines that one contact is wired to: those of the first two seats."""
    strikes = [key for key in keys_of(wiring) if key.kind == "strike" and key.seat is not None]
    if len(strikes) < 2:
        raise CompanionError(
            f"{path} has one button for everybody: whose hand it was is told, and there is no margin to measure."
        )
    return strikes[0], strikes[1]


def _plain(path: Path, panel: Panel, found: Fairness) -> dict[str, Any]:
    wiring = panel.wiring
    return {
        "wiring": str(path),
        "date": time.strftime("%Y-%m-%d %H:%M %Z"),
        "machine": platform.machine(),
        "kernel": platform.release(),
        "driver": wiring.driver,
        "chip": panel.chip if isinstance(panel, RealPanel) else None,
        "simulated": wiring.driver == "simulated",
        "lines": [str(key) for key in found.keys],
        "presses": len(found.apart),
        "on_one_line": found.on_one_line,
        "broken": found.broken,
        "apart_ns": {"most": max(found.apart), "median": round(statistics.median(found.apart))}
        if found.apart
        else None,
        "margin_ns": {"set": wiring.settings.margin, "proposed": found.margin if found.is_enough else None},
        "latency_ns": {"most": max(found.latency), "median": round(statistics.median(found.latency))}
        if found.latency
        else None,
        "noise": {"contacts": len(found.noise), "longest_ns": found.longest_noise},
        "shortest_press_ns": found.shortest_press or None,
        "shortest_ns": {"set": wiring.settings.shortest, "proposed": found.shortest if found.is_enough else None},
    }


def _certificate(wiring: Wiring, found: Fairness, measured: dict[str, Any]) -> Iterator[str]:
    first, second = found.keys
    if not found.is_enough:
        yield from _not_enough(found)
        return
    yield f"Certificate of this table, {measured['date']}"
    where = f" on {measured['chip']}" if measured["chip"] else ""
    yield f"  measured with  {measured['driver']}{where}, {measured['machine']}, kernel {measured['kernel']}"
    if measured["simulated"]:
        yield "  SIMULATED: this says nothing of any table"
    yield f"  one contact on {first} and {second}, {len(found.apart)} presses"
    yield f"  stamps apart   {_spread(found.apart)}"
    if found.latency:
        yield f"  to the program {_spread(found.latency)}"
    yield f"  shortest press {short(found.shortest_press)}"
    if not measured["simulated"]:
        yield f"  hands off      {_noise(found)}"
    if found.broken or found.on_one_line:
        yield f"  left out       {found.broken} presses with lost edges, {found.on_one_line} that one line alone told"
    if not measured["simulated"]:
        yield from _settings(wiring, found)


def _spread(times: list[int]) -> str:
    return f"{short(max(times))} at most, {short(round(statistics.median(times)))} in the median"


def _noise(found: Fairness) -> str:
    if not found.noise:
        return "no contact in ten seconds"
    times = "one contact" if len(found.noise) == 1 else f"{len(found.noise)} contacts"
    return f"{times} in ten seconds, the longest of {short(found.longest_noise)}"


def _settings(wiring: Wiring, found: Fairness) -> Iterator[str]:
    """What to write into the file, each with what is there."""
    settings = wiring.settings
    margin = found.margin // MICROSECOND
    yield f"  set margin_us = {margin} (it is {settings.margin // MICROSECOND}): twice the most, and no less than 20"
    if found.shortest is None:
        yield (
            "  The cables pick up contacts as long as a press: look at the pull-ups and at what runs beside the cables "
            "(docs/wiring.md)."
        )
    elif found.noise:
        wanted, is_set = found.shortest // MILLISECOND, settings.shortest // MILLISECOND
        yield f"  set shortest_ms = {wanted} (it is {is_set}): twice the longest noise, and no more than half a press"


def _not_enough(found: Fairness) -> Iterator[str]:
    first, second = found.keys
    yield f"{len(found.apart)} presses came in on both lines, too few to propose a margin (at least {ENOUGH})."
    if found.on_one_line:
        yield f"{found.on_one_line} came in on one line only: is one contact wired to both {first} and {second}?"
    if found.broken:
        yield f"Of {found.broken} an edge was lost: look at their cables."

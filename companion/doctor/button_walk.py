"""The doctor of the buttons: the wiring file checked, then each button pressed once, and what came of it.

Real buttons are pressed by hand. Of a simulated table the keyboard presses them: a line such as `strike 1`, `tres 2`
or `stop` is one press, `strike 1 + strike 2` is one contact on two lines, and when there are no more lines the time
that is left to wait passes at once.
"""

import contextlib
import json
import os
import select
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.config.table_file import FILE, Configuration, places, read_configuration, usual_configuration
from companion.config.toml_file import Problem
from companion.core.button_meanings import key_kinds
from companion.core.errors import CompanionError
from hardware.button_doctor import QUIET, ButtonFinding, Report, Wait, examine
from hardware.contact import MILLISECOND
from hardware.panel import Clock, Key, Panel, keys_of, lights_of
from hardware.pin_errors import NotWiredError
from hardware.real import RealPanel
from hardware.simulated import NOTICE, SimulatedPanel
from hardware.wiring import PLACES, Wiring, check_wiring

WELL, ILL, UNTRIED = 0, 1, 2  # exit codes
HOLD = 80 * MILLISECOND  # how long a typed press lasts
NEXT = HOLD + 20 * QUIET  # from one typed press to the next: one at a time, however slow the machine
LONGEST_LINE = 4096

Say = Callable[[str], None]


def usual_wiring(configuration: Configuration | None = None) -> Path:
    """The wiring file of a configuration, which is the nearest unless another is given."""
    found = configuration or read_configuration(usual_configuration())
    if found.wiring is not None:
        return found.wiring
    if found.file is not None:
        raise NotWiredError(
            f"{found.file} says nothing of buttons: write there what is wired (docs/wiring.md), or name a file with "
            "--wiring."
        )
    looked_at = ", no ".join(str(place) for place in places() if place != Path(FILE))
    raise NotWiredError(
        f"There is no {FILE} here and no {looked_at}: copy docs/{FILE} to one of them, or name a file with --wiring."
    )


def examine_buttons(path: Path, tell: Say, say: Say, complain: Say, *, as_json: bool) -> int:
    """Check the file and walk through the keys: `tell` the result, `say` what to do, `complain` of what is wrong."""
    wiring, problems = check_wiring(path, key_kinds())
    if problems:
        if as_json:
            tell(json.dumps(_ill_written(path, problems), ensure_ascii=False))
        for problem in problems:
            complain(f"{path}, {problem}")
        return UNTRIED
    with opened_panel(wiring, complain) as (panel, wait, clock):
        for line in _about(path, panel):
            say(line)
        report = examine(panel, say, wait, clock)
        found = _plain(path, panel, report)
    if as_json:
        tell(json.dumps(found, ensure_ascii=False))
    for line in _summary(report):
        say(line)
    return WELL if report.is_well else ILL


@contextlib.contextmanager
def opened_panel(wiring: Wiring, complain: Say) -> Iterator[tuple[Panel, Wait, Clock]]:
    """The panel of the wiring, how to wait for it, and its clock."""
    if wiring.driver == "simulated":
        keyboard = Keyboard(wiring, complain)
        panel: Panel = keyboard.panel
        wait: Wait = keyboard.wait
        clock: Clock = keyboard.clock
    else:
        panel = RealPanel(wiring, complain)
        clock = time.monotonic_ns

        def wait(nanoseconds: int) -> None:
            panel.inbox.wait(nanoseconds / 1e9)

    try:
        yield panel, wait, clock
    finally:
        panel.close()


class Keyboard:
    """Lines of the standard input that press the buttons of a simulated panel, one line a press."""

    def __init__(self, wiring: Wiring, complain: Say, source: int = 0) -> None:
        self.panel = SimulatedPanel(wiring, self.clock)
        self._keys = {str(key): key for key in keys_of(wiring)}
        self._complain = complain
        self._source = source
        self._read = b""
        self._ended = False
        self._ahead = 0  # nanoseconds that were not waited for
        self._held: tuple[tuple[Key, ...], int] | None = None  # and when they come up
        self._next_at = 0  # when the next line may press

    def clock(self) -> int:
        return time.monotonic_ns() + self._ahead

    def wait(self, nanoseconds: int) -> None:
        """Until a key goes down or up, or so long. Time in which nothing can happen passes at once."""
        until = self.clock() + nanoseconds
        if self._held:
            keys, up_at = self._held
            self._pass_to(min(up_at, until))
            if up_at <= until:
                for key in keys:
                    self.panel.release(key)
                self._held = None
            return
        self._pass_to(min(self._next_at, until))
        if self.clock() < until:
            line = self._line(until)
            if line is not None:
                self._press(line)
            elif self._ended:
                self._pass_to(until)

    def _pass_to(self, at: int) -> None:
        self._ahead += max(0, at - self.clock())

    def _press(self, line: str) -> None:
        named = [" ".join(name.split()) for name in line.lower().split("+")]
        unknown = next((name for name in named if name not in self._keys), None)
        if unknown is None:
            keys = tuple(self._keys[name] for name in named)
            for key in keys:
                self.panel.press(key)
            self._held = keys, self.clock() + HOLD
            self._next_at = self.clock() + NEXT
        elif line.strip():
            self._complain(f"There is no button {unknown[:40]!r}; there are {', '.join(self._keys)}.")

    def _line(self, until: int) -> str | None:
        """The next line; None if there is none so soon, or none any more."""
        while b"\n" not in self._read and len(self._read) < LONGEST_LINE and not self._ended:
            if not select.select([self._source], [], [], max(0, until - self.clock()) / 1e9)[0]:
                return None
            try:
                piece = os.read(self._source, LONGEST_LINE)
            except OSError as error:
                raise CompanionError(f"The standard input cannot be read: {error.strerror}.") from None
            self._ended = not piece
            self._read += piece
        if not self._read:
            return None
        line, _, self._read = self._read.partition(b"\n")
        return line.decode(errors="replace")


# --- in words --------------------------------------------------------------------------------------------------


def _about(path: Path, panel: Panel) -> Iterator[str]:
    wiring = panel.wiring
    chip = f" on {panel.chip}" if isinstance(panel, RealPanel) else ""
    yield f"{path}: {'a ring of buttons' if wiring.kind == 'ring' else 'one big button'}, driver {wiring.driver}{chip}."
    if wiring.driver == "simulated":
        yield f"{NOTICE} Type one a line, for example {next(iter(keys_of(wiring)))}."
    lights = lights_of(wiring)
    for key, pin in keys_of(wiring).items():
        light = f", light {_pin(lights[key])}" if key in lights else ""
        yield f"  {key!s:9} {_pin(pin)}{light}"
    for name, pin in _others(wiring).items():
        yield f"  {name:9} {_pin(pin)}"


def _pin(pin: int) -> str:
    return f"GPIO{pin} (pin {PLACES[pin]})"


def _others(wiring: Wiring) -> dict[str, int]:
    """What is on pins and no button's."""
    found = {"status": wiring.status, "buzzer": wiring.buzzer}
    return {name: pin for name, pin in found.items() if pin is not None}


def _summary(report: Report) -> Iterator[str]:
    if report.advice:
        yield "Recommendations:"
    for advice in report.advice:
        yield f"  {advice}"
    ill = [str(finding.key) for finding in report.findings if finding.verdict != "works"]
    many = len(report.findings)
    if ill:
        yield f"{len(ill)} of {many} buttons {'does' if len(ill) == 1 else 'do'} not work: {', '.join(ill)}."
    else:
        yield f"All {many} buttons work." if many > 1 else "The button works."


# --- in data ---------------------------------------------------------------------------------------------------


def _ill_written(path: Path, problems: list[Problem]) -> dict[str, Any]:
    return {
        "wiring": str(path),
        "well": False,
        "problems": [{"line": problem.line, "sentence": problem.sentence} for problem in problems],
    }


def _plain(path: Path, panel: Panel, report: Report) -> dict[str, Any]:
    wiring = panel.wiring
    lights = {str(key): pin for key, pin in lights_of(wiring).items()}
    return {
        "wiring": str(path),
        "well": report.is_well,
        "problems": [],
        "kind": wiring.kind,
        "driver": wiring.driver,
        "chip": panel.chip if isinstance(panel, RealPanel) else None,
        "simulated": wiring.driver == "simulated",
        "buttons": {str(key): pin for key, pin in keys_of(wiring).items()},
        "lights": lights,
        **_others(wiring),
        "findings": [_finding(finding) for finding in report.findings],
        "advice": report.advice,
    }


def _finding(finding: ButtonFinding) -> dict[str, Any]:
    return {
        "button": str(finding.key),
        "verdict": finding.verdict,
        "came_instead": str(finding.swapped_with) if finding.swapped_with else None,
        "bounces": finding.bounces,
        "bounce_ns": finding.bounce_for,
        "release_bounce_ns": finding.release_for,
        "latency_ns": round(statistics.median(finding.latency)) if finding.latency else None,
        "spacing_ns": finding.spacing,
        "edges_lost": finding.lost,
        "sentence": finding.sentence,
    }

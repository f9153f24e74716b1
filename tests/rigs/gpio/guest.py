"""Inside the guest: the simulated chip, its lines, what is done to them, and telling the host.

A module that runs inside is run with `python3 -m`, tells its results with `tell(...)` and has its verdict as exit code.
What is told becomes one JSON object each in the host's results.jsonl; a `say` in it is also shown while the rig runs.

Buttons are wired as on the table: a press grounds the line (level 0), the pull-up raises it again (level 1).
A new chip's lines are low until somebody asks for the pull-up or releases them, so a driver that forgets it is seen.
"""

import fcntl
import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NoReturn

PRESSED, RELEASED = 0, 1
LABEL = "pinctrl-bcm2711"
LINES = 28  # what a Pi's header has
RESULTS = Path("/run/results")
HELD_UP = 75  # exit code of a module that says the same as one of a rig: it was disturbed
STIMULATOR = "/opt/stim"

CONFIG = Path("/sys/kernel/config/gpio-sim/rig")
DRIVER = Path("/sys/bus/platform/drivers/gpio-sim")
PARAMETERS = Path("/sys/module/gpio_sim_rig/parameters")


def tell(**fields: object) -> None:
    """One JSON object to the host. Lines of several processes do not mix."""
    with RESULTS.open("wb", buffering=0) as results:
        fcntl.flock(results, fcntl.LOCK_EX)
        rest = memoryview((json.dumps(fields) + "\n").encode())
        while rest:
            rest = rest[results.write(rest) :]


def say(line: str) -> None:
    tell(say=line)


def held_up(sentence: str) -> NoReturn:
    """The rig's own hands or eyes were so late that nothing can be judged: end, and say so."""
    say(f"held up: {sentence}")
    sys.exit(HELD_UP)


# --- The chip


@dataclass(frozen=True, slots=True)
class Chip:
    """Where a live chip is: `gpio-sim.0` on the platform bus, `gpiochip0` in /dev."""

    device: str
    name: str

    @property
    def path(self) -> Path:
        return Path("/dev") / self.name

    @property
    def lines(self) -> Path:
        return Path("/sys/devices/platform") / self.device / self.name


def make_chip(lines: int = LINES, label: str = LABEL) -> Chip:
    bank = CONFIG / "bank"
    bank.mkdir(parents=True)
    (bank / "num_lines").write_text(str(lines))
    (bank / "label").write_text(label)
    (CONFIG / "live").write_text("1")
    return chip()


def chip() -> Chip:
    """The chip as it is now: after it went while its lines were in use, it comes back under another name."""
    device = (CONFIG / "dev_name").read_text().strip()
    for folder in (Path("/sys/devices/platform") / device).glob("gpiochip*"):
        return Chip(device, folder.name)
    raise LookupError(f"{device} has no chip now")


def remove_chip() -> None:
    """Take the chip away and forget it; works while its lines are in use."""
    (CONFIG / "live").write_text("0")
    (CONFIG / "bank").rmdir()
    CONFIG.rmdir()


def unbind_chip() -> None:
    """Take the chip away as a broken driver would; works while its lines are in use."""
    (DRIVER / "unbind").write_text((CONFIG / "dev_name").read_text())


def bind_chip() -> Chip:
    (DRIVER / "bind").write_text((CONFIG / "dev_name").read_text())
    return chip()


# --- One line


def line_pull(line: int, level: int) -> None:
    (chip().lines / f"sim_gpio{line}" / "pull").write_text("pull-up" if level else "pull-down")


def line_level(line: int) -> int:
    return int((chip().lines / f"sim_gpio{line}" / "value").read_text())


def ground(*lines: int) -> None:
    """Hold exactly these buttons down, harder than the pull-up that a driver is about to ask for."""
    set_mask("grounded", lines)
    for line in lines:
        line_pull(line, PRESSED)


def deafen(*lines: int) -> None:
    """From now on exactly these lines change their level without an edge, as a Pi 4 may lose one."""
    set_mask("deaf", lines)


def set_mask(parameter: str, lines: Iterable[int]) -> None:
    (PARAMETERS / parameter).write_text(str(sum(1 << line for line in set(lines))))


# --- Scripts of changes


@dataclass(frozen=True, slots=True)
class Change:
    """A line takes a level at a time from the start, by one of two players on CPUs of their own."""

    at_ns: int
    line: int
    level: int
    cpu: int = 0


@dataclass(frozen=True, slots=True)
class Played:
    """A change as it really was, in nanoseconds of CLOCK_MONOTONIC."""

    wanted_ns: int
    line: int
    level: int
    cpu: int
    before_ns: int
    after_ns: int


def presses(count: int, lines: list[int], *, hold_ns: int, every_ns: int) -> list[Change]:
    """Single presses, going round the lines."""
    changes = []
    for n in range(count):
        line = lines[n % len(lines)]
        at = n * every_ns
        changes += [Change(at, line, PRESSED), Change(at + hold_ns, line, RELEASED)]
    return changes


def pairs(
    count: int, lines: list[int], *, gap_ns: int, settle_ns: int, players: int = 1, seed: int = 7
) -> list[Change]:
    """Two lines, drawn each time, pressed so far apart; with two players the presses of a pair come from both CPUs."""
    random = Random(seed)
    # A line has one player for good: two would not keep its changes in order.
    player = {line: n % players for n, line in enumerate(lines)}
    changes = []
    for n in range(count):
        first = random.choice(lines)
        others = [line for line in lines if line != first]
        second = random.choice([line for line in others if players == 1 or player[line] != player[first]])
        at = n * (gap_ns + 2 * settle_ns)
        up = at + gap_ns + settle_ns
        times = ((at, first, PRESSED), (at + gap_ns, second, PRESSED), (up, first, RELEASED), (up, second, RELEASED))
        changes += [Change(*change, player[change[1]]) for change in times]
    return changes


def bounces(
    count: int, lines: list[int], *, chatter_ns: int, step_ns: int, after_ns: int, settle_ns: int, seed: int = 7
) -> list[Change]:
    """The first line chatters, beginning and ending pressed; the second has one clean edge so long after its first."""
    random = Random(seed)
    changes = []
    for n in range(count):
        first, second = random.sample(lines, 2)
        at = n * (max(chatter_ns, after_ns) + 2 * settle_ns)
        edges = range(at, at + chatter_ns, step_ns)
        odd = edges[: len(edges) - 1 + len(edges) % 2]  # an odd number, so that it ends pressed
        trial = [Change(edge, first, m % 2) for m, edge in enumerate(odd)]
        trial += [Change(at + after_ns, second, PRESSED)]
        up = at + max(chatter_ns, after_ns) + settle_ns
        changes += sorted(trial, key=lambda change: change.at_ns)
        changes += [Change(up, first, RELEASED), Change(up, second, RELEASED)]
    return changes


class Playing:
    """A script that is being played; meanwhile the caller goes on."""

    def __init__(self, changes: Iterable[Change], on: Chip | None = None) -> None:
        script = "".join(f"{c.at_ns} {c.line} {c.level} {c.cpu}\n" for c in changes)
        self._log = Path("/tmp") / f"played-{id(self)}"
        with self._log.open("wb") as log:
            self._player = subprocess.Popen(
                [STIMULATOR, str((on or chip()).lines)], stdin=subprocess.PIPE, stdout=log, text=True
            )
        assert self._player.stdin
        self._player.stdin.write(script)
        self._player.stdin.close()

    @property
    def is_over(self) -> bool:
        return self._player.poll() is not None

    def wait(self) -> list[Played]:
        if self._player.wait():
            raise RuntimeError(f"the stimulator ended with {self._player.returncode}")
        lines = self._log.read_text().splitlines()
        self._log.unlink()
        return [Played(*map(int, line.split())) for line in lines]


def play(changes: Iterable[Change]) -> list[Played]:
    """Play a script to its end."""
    return Playing(changes).wait()


def main(lines: str, label: str) -> int:
    made = make_chip(int(lines), label)
    tell(chip=made.name, label=label, lines=int(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

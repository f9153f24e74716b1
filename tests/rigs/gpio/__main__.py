"""`make rig-gpio`: make what is missing, boot the guest, run modules of the project inside, end by their result.

    python3 -m tests.rigs.gpio                      the modules of MODULES, one after the other in each machine
    python3 -m tests.rigs.gpio MODULE[:ARGUMENT..]  these instead, in the machine that --machine names
    python3 -m tests.rigs.gpio --build-only         only make what is missing
    python3 -m tests.rigs.gpio --fresh              forget what was made before, and so take the newest kernel

All results are in build/rigs/gpio/results afterwards, what the guests wrote in console-….log beside it.
"""

import shutil
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from tests.rigs.gpio.build import BUILT, build
from tests.rigs.gpio.guest import LABEL, LINES
from tests.rigs.gpio.vm import PROCESSORS, Outcome, boot, end_of_console, keep
from tests.rigs.running import DISTURBED, FAILED, GOOD, PROJECT, DisturbedError, conclude, say

MODULES = {
    "counting": ("factory", "game", "door", "presses", "measure", "costs", "faults"),
    "crowded": ("smoke", "presses:300", "measure:0.25:ours"),
}


def arguments() -> Namespace:
    parser = ArgumentParser(prog="python3 -m tests.rigs.gpio", description="Runs modules where the GPIO chip is real.")
    parser.add_argument("modules", nargs="*", metavar="MODULE[:ARGUMENT...]")
    parser.add_argument("--machine", choices=PROCESSORS, default="counting", help="(default: counting)")
    parser.add_argument("--seconds", type=float, default=1200, help="how long each guest may take (default: 1200)")
    parser.add_argument("--label", default=LABEL, help=f"the chip's label (default: {LABEL})")
    parser.add_argument("--lines", type=int, default=LINES, help=f"how many lines it has (default: {LINES})")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    return parser.parse_args()


def show(told: dict[str, Any]) -> None:
    """What somebody who waits wants to know."""
    if "say" in told:
        say(f"  {told['say']}")
    elif "booted" in told:
        say(f"Linux {told['kernel']} is up, with Python, after {told['booted']:.0f} s")
    elif "exit" in told:
        say(f"{told['module']} ended with {told['exit']} after {told['to'] - told['from']:.0f} s")


def tried(asked: Namespace) -> dict[str, tuple[str, ...]]:
    """What is run in which machine."""
    if asked.modules:
        return {asked.machine: tuple(asked.modules)}
    return {machine: tuple(f"tests.rigs.gpio.inside_{name}" for name in names) for machine, names in MODULES.items()}


def judge(outcome: Outcome) -> int:
    if outcome.is_good:
        return GOOD
    if outcome.is_held_up:
        return DISTURBED
    failed = [f"{module} ended with {code}" for module, code in outcome.exits.items() if code]
    say(f"{end_of_console(outcome.console)}\n\nThe end of {outcome.console.relative_to(PROJECT)} is above.")
    say(f"rig-gpio: {'; '.join(filter(None, [outcome.why_not, *failed])) or 'no module was run'}.")
    return FAILED


def main(asked: Namespace) -> int:
    start = time.monotonic()
    if asked.fresh:
        shutil.rmtree(BUILT, ignore_errors=True)
    build()
    if asked.build_only:
        return 0
    told: list[dict[str, Any]] = []
    codes = set()
    for machine, modules in tried(asked).items():
        say(f"The {machine} machine")
        outcome = boot(machine, modules, seconds=asked.seconds, label=asked.label, lines=asked.lines, hear=show)
        told += ({"machine": machine, **one} for one in outcome.told)
        codes.add(judge(outcome))
    say(f"{len(told)} results in {keep(told).relative_to(PROJECT)}")
    if DISTURBED in codes and FAILED not in codes:
        raise DisturbedError("the rig's own hands or eyes were held up.")
    say(f"rig-gpio: {'good' if codes == {GOOD} else 'BAD'}, {time.monotonic() - start:.0f} s in all")
    return GOOD if codes == {GOOD} else FAILED


if __name__ == "__main__":
    asked = arguments()
    conclude("gpio", lambda: main(asked))

"""`make rig-gpio`: make what is missing, boot the guest, run modules of the project inside, end by their result.

    python3 -m tests.rigs.gpio                      the modules of MODULES, one after the other in one guest
    python3 -m tests.rigs.gpio MODULE[:ARGUMENT..]  these instead
    python3 -m tests.rigs.gpio --build-only         only make what is missing
    python3 -m tests.rigs.gpio --fresh              forget what was made before, and so take the newest kernel

All results are in build/rig-gpio/results.jsonl afterwards, what the guest wrote in console.log beside it.
"""

import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from typing import Any

from tests.rigs.gpio.build import BUILT, PROJECT, build
from tests.rigs.gpio.guest import LABEL, LINES
from tests.rigs.gpio.vm import CONSOLE, RESULTS, Outcome, boot, end_of_console
from tests.rigs.gpio.workshop import RigError, alone, say

MODULES = tuple(
    f"tests.rigs.gpio.inside_{name}" for name in ("smoke", "factory", "game", "door", "measure", "costs", "faults")
)


def arguments() -> Namespace:
    parser = ArgumentParser(prog="python3 -m tests.rigs.gpio", description="Runs modules where the GPIO chip is real.")
    parser.add_argument("modules", nargs="*", default=MODULES, metavar="MODULE[:ARGUMENT...]")
    parser.add_argument("--seconds", type=float, default=1200, help="how long the guest may take (default: 1200)")
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


def judge(outcome: Outcome) -> int:
    say(f"{len(outcome.told)} results in {RESULTS.relative_to(PROJECT)}; the guest ran {outcome.seconds:.0f} s")
    if outcome.is_good:
        return 0
    failed = [f"{module} ended with {code}" for module, code in outcome.exits.items() if code]
    say(f"{end_of_console()}\n\nThe end of {CONSOLE.relative_to(PROJECT)} is above.")
    say(f"rig-gpio: {'; '.join(filter(None, [outcome.why_not, *failed])) or 'no module was run'}.")
    return 1


def main(asked: Namespace) -> int:
    start = time.monotonic()
    if asked.fresh:
        shutil.rmtree(BUILT, ignore_errors=True)
    build()
    if asked.build_only:
        return 0
    outcome = boot(asked.modules, seconds=asked.seconds, label=asked.label, lines=asked.lines, hear=show)
    code = judge(outcome)
    say(f"rig-gpio: {'good' if not code else 'BAD'}, {time.monotonic() - start:.0f} s in all")
    return code


if __name__ == "__main__":
    try:
        with alone(BUILT):
            sys.exit(main(arguments()))
    except RigError as error:
        sys.exit(f"rig-gpio: {error}")

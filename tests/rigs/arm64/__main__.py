"""`make rig-arm64`: the same pictures, read by both runtimes with both model files, here and on a Pi's processors.

    python3 -m tests.rigs.arm64                     the project's own models
    python3 -m tests.rigs.arm64 --models FOLDER     others
    python3 -m tests.rigs.arm64 --fresh             forget what was made before

It ends well if every cell of every picture has the same label everywhere, and so has every square that the network
is sure of. What was read is in build/rigs/arm64/told.json afterwards. Times of emulated processors say nothing of
a Pi's.
"""

import json
import shutil
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any

from tests.rigs.arm64.comparison import Cells, Row, faults, lines_of, rows_of
from tests.rigs.arm64.machines import BUILT, Machine, all_machines, emulator_from, make
from tests.rigs.running import PROJECT, RigError, conclude, say

INSIDE = "tests.rigs.arm64.inside"
SHOWN = 20  # faults
STORED = PROJECT / "vision" / "selftest" / "truth.json"


def arguments() -> Namespace:
    parser = ArgumentParser(prog="python3 -m tests.rigs.arm64", description="The reader on a Pi's processors.")
    parser.add_argument("--models", type=Path, default=PROJECT / "models", metavar="FOLDER")
    parser.add_argument("--fresh", action="store_true")
    return parser.parse_args()


def drawn() -> Cells:
    """Pictures of the whole deck, drawn once and given to every machine; and what is on all pictures."""
    machine = emulator_from()
    machine.run(INSIDE, "draw", "/project/pictures")
    pictures = machine.root / "project/pictures"
    for root in {one.root for one in all_machines()} - {machine.root}:
        shutil.copytree(pictures, root / "project/pictures", dirs_exist_ok=True)
    truth: Cells = json.loads((pictures / "truth.json").read_text(encoding="utf-8"))
    return truth | (json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {})


def read_on(machine: Machine) -> dict[str, Any]:
    start = time.monotonic()
    told: dict[str, Any] = json.loads(machine.run(INSIDE, "read", "/project/pictures"))
    say(f"  {machine!s:32} {time.monotonic() - start:5.1f} s  {versions(told)}")
    return told


def versions(told: dict[str, Any]) -> str:
    return ", ".join(f"{name} {number}" for name, number in told["versions"].items())


def compared(models: Path) -> int:
    make(models)
    truth = drawn()
    told = {machine: read_on(machine) for machine in all_machines()}
    kept = {str(machine): one for machine, one in told.items()}
    (BUILT / "told.json").write_text(json.dumps(kept), encoding="utf-8")
    rows: list[Row] = [row for machine, one in told.items() for row in rows_of(machine, one)]
    say("")
    for line in lines_of(rows, truth):
        say(line)
    wrong = list(faults(rows))
    for sentence in wrong[:SHOWN]:
        say(f"  {sentence}")
    if len(wrong) > SHOWN:
        say(f"  and {len(wrong) - SHOWN} more")
    return 1 if wrong else 0


def main(asked: Namespace) -> int:
    start = time.monotonic()
    if not (asked.models / "reader.json").exists():
        raise RigError(f"there is no model in {asked.models}: make one with `make train`.")
    if asked.fresh:
        shutil.rmtree(BUILT, ignore_errors=True)
    code = compared(asked.models)
    say(f"rig-arm64: {'good' if not code else 'BAD'}, {time.monotonic() - start:.0f} s in all")
    return code


if __name__ == "__main__":
    asked = arguments()
    conclude("arm64", lambda: main(asked))

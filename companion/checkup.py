"""`companion doctor` without the table's screen: one round of all devices, in lines or as data."""

import time
from collections.abc import Callable
from pathlib import Path

from companion.codec import plain, written
from companion.onlyone import is_open
from companion.wellbeing import LOOKING, WORKS, Around, Finding, Rounds, usual_checks

PATIENCE = 30.0  # seconds in which a device must have shown how it is
WELL, ILL = 0, 1  # exit codes
UNSEEN = ("screen",)  # what only the table itself can tell of
IN_USE = Finding("camera", "in use", "The table is open and has it: its own doctor says how it is.")

Say = Callable[[str], None]


def findings(journal: Path, patience: float = PATIENCE) -> tuple[Finding, ...]:
    """What there is to say of each device. One that does not answer is a finding too."""
    checks = usual_checks(Around(lambda: (0, 0), journal if journal.exists() else None))
    if is_open(journal):
        checks["camera"] = lambda: IN_USE
    rounds = Rounds({device: check for device, check in checks.items() if device not in UNSEEN})
    rounds.look()
    until = time.monotonic() + patience
    while rounds.is_looking and time.monotonic() < until:
        time.sleep(0.05)
    return tuple(map(_answered, rounds.findings))


def _answered(found: Finding) -> Finding:
    if found.state != LOOKING:
        return found
    return Finding(found.device, "does not answer", "It was looked at for too long and has not answered.")


def examine(journal: Path, say: Say, *, as_json: bool) -> int:
    """Say how everything is."""
    found = findings(journal)
    if as_json:
        say(written(plain(found)))
    else:
        for one in found:
            say(line(one))
    return WELL if all(one.state in (WORKS, IN_USE.state) for one in found) else ILL


def line(found: Finding) -> str:
    told = " ".join(filter(None, (found.sentence, found.remedy, found.detail)))
    return f"{found.device:13} {found.state:9} {told}"

"""`make rigs`: runs all rigs in order, a line for each, and says at the end which are good.

    python3 -m tests.rigs                    all of them; what they say goes into build/rigs/logs
    python3 -m tests.rigs NAME [WORD...]     one of them, with words of its own; `make rig-NAME`
    python3 -m tests.rigs --fresh            forget the bases of all Debian roots before

A rig for which this computer lacks something is left out, which is neither good nor bad. One that fails while other
jobs are measured to disturb it is tried once more. The exit code is 1 if a rig failed, or none could be run.
"""

import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGTERM, signal
from typing import IO, Protocol

from tests.rigs import debian
from tests.rigs.load import Watch
from tests.rigs.roster import RIGS, Rig
from tests.rigs.running import BUILT, DISTURBED, FAILED, GOOD, LEFT_OUT, PROJECT, say

LOGS = BUILT / "logs"
PATIENCE = 4 * 3600  # seconds after which a rig is taken to hang
TOLD = 12  # last lines of a rig that failed


class Beside(Protocol):
    """What looks at the computer while a rig runs."""

    @property
    def disturbance(self) -> str: ...


Watching = Callable[[], AbstractContextManager[Beside]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a rig."""

    rig: Rig
    word: str
    code: int
    seconds: float = 0.0
    why: str = ""

    def __str__(self) -> str:
        lasted = f"{self.seconds:6.0f} s" if self.code != LEFT_OUT else " " * 8
        return f"{self.rig.name:12} {self.word:32} {lasted}  {self.why}".rstrip()


def tried(rig: Rig, words: Sequence[str] = (), log: IO[str] | None = None, watching: Watching = Watch) -> Verdict:
    """Once; a second time if it failed and was disturbed."""
    missing = rig.missing()
    if missing:
        return _left_out(rig, missing)
    begun = time.monotonic()
    code, disturbance = _attempt(rig, words, log, watching)
    if code == GOOD:
        return Verdict(rig, "good", GOOD, time.monotonic() - begun)
    if not disturbance:
        return Verdict(rig, "failed", FAILED, time.monotonic() - begun, f"exit code {code}")
    _note(log, f"rig-{rig.name}: disturbed, and tried once more: {disturbance}")
    code, again = _attempt(rig, words, log, watching)
    seconds = time.monotonic() - begun
    if code == GOOD:
        return Verdict(rig, "disturbed, good the second time", GOOD, seconds, disturbance)
    return Verdict(
        rig, "failed twice", FAILED, seconds, f"exit code {code}; {again or 'disturbed the first time only'}"
    )


def _attempt(rig: Rig, words: Sequence[str], log: IO[str] | None, watching: Watching) -> tuple[int, str]:
    """Its exit code, and what disturbed it."""
    with watching() as beside:
        process = subprocess.Popen([*rig.command, *words], cwd=PROJECT, stdout=log, stderr=log)
        try:
            code = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            _note(log, f"rig-{rig.name}: was not done after {PATIENCE} s.")
            code = FAILED
        finally:
            _end(process)
    return code, beside.disturbance or ("by its own measure" if code == DISTURBED else "")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """With time to tidy up."""
    if process.poll() is None:
        process.terminate()
        process.wait()


def _note(log: IO[str] | None, line: str) -> None:
    print(line, file=log or sys.stdout, flush=True)


def all_rigs(rigs: Sequence[Rig] = RIGS, logs: Path = LOGS, watching: Watching = Watch) -> int:
    verdicts = [_told(rig, logs / f"{rig.name}.log", watching) for rig in rigs]
    say(summary(verdicts))
    return code_of(verdicts)


def _told(rig: Rig, path: Path, watching: Watching) -> Verdict:
    missing = rig.missing()  # who lacks rights for a rig may lack them for its log, too
    if missing:
        verdict = _left_out(rig, missing)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8") as log:
            verdict = tried(rig, log=log, watching=watching)
    say(str(verdict))
    if verdict.code == FAILED:
        say(_end_of(path))
    return verdict


def _left_out(rig: Rig, missing: str) -> Verdict:
    return Verdict(rig, "left out", LEFT_OUT, why=missing)


def _end_of(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-TOLD:]
    return "\n".join([*(f"    {line}" for line in lines), f"    all of it is in {log}"])


def summary(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(verdict.code for verdict in verdicts)
    failed = ", ".join(verdict.rig.name for verdict in verdicts if verdict.code == FAILED)
    told = [f"{counts[GOOD]} of {len(verdicts)} rigs good", f"{counts[FAILED]} failed{f' ({failed})' * bool(failed)}"]
    return f"{', '.join(told)}, {counts[LEFT_OUT]} left out"


def code_of(verdicts: Sequence[Verdict]) -> int:
    codes = {verdict.code for verdict in verdicts}
    return GOOD if GOOD in codes and FAILED not in codes else FAILED


def one_rig(name: str, words: Sequence[str]) -> int:
    """Said as it goes."""
    rig = next((rig for rig in RIGS if rig.name == name), None)
    if rig is None:
        sys.stderr.write(f"rigs: there is no rig {name}, only {', '.join(rig.name for rig in RIGS)}.\n")
        return FAILED
    verdict = tried(rig, words)
    say(f"rig-{verdict}")
    return verdict.code


def main(words: list[str]) -> int:
    signal(SIGTERM, lambda number, _: sys.exit(128 + number))
    if words == ["--fresh"]:
        debian.forget()
        words = []
    return one_rig(words[0], words[1:]) if words else all_rigs()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

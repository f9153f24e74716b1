"""What was seen, as a table for people. Whatever goes wrong in an act is a row, its evidence is kept, and the next acts
are tried all the same."""

import re
import shutil
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.rigs.appliance.machine import RUN, Machine
from tests.rigs.running import PROJECT, RigError, say

LOG = "journalctl -b --no-pager -o short-monotonic | tail -n 3000 >/run/rig-journal.log"
Recover = Callable[[], None]


def shown(folder: Path) -> Path:
    return folder.relative_to(PROJECT) if folder.is_relative_to(PROJECT) else folder


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    good: bool
    words: str
    seconds: float


@dataclass
class Page:
    failed: Path  # a folder for what failed
    rows: list[Row] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)
    machine: Machine | None = None  # that is on now
    recover: Recover | None = None  # puts things where the next act expects them

    @property
    def is_good(self) -> bool:
        return all(row.good for row in self.rows)

    def add(self, what: str, good: bool, words: str, seconds: float) -> None:
        self.rows.append(Row(what, good, words, seconds))
        say(f"{'  ' if good else '! '}{what:34} {seconds:6.0f} s  {words}")

    @contextmanager
    def act(self, what: str) -> Iterator["Act"]:
        """One row: what is noted in it must all be good. Whatever goes wrong is a row too, and the rest is tried."""
        act = Act()
        start = time.monotonic()
        try:
            yield act
        except Exception as error:
            act.note(good=False, words=(str(error) or type(error).__name__).splitlines()[0])
            say(str(error) if isinstance(error, RigError) else traceback.format_exc())
        is_good = all(good for good, _ in act.noted)
        if not is_good:
            act.note(f"kept in {shown(self._keep(what))}")
        self.add(what, is_good, "; ".join(words for _, words in act.noted), time.monotonic() - start)
        if not is_good:
            self._recover()

    @contextmanager
    def sitting(self, machine: Machine, recover: Recover | None = None) -> Iterator[None]:
        """While this machine is on; its power is cut at the end."""
        self.machine, self.recover = machine, recover
        try:
            yield
        finally:
            self.machine = self.recover = None
            machine.cut()

    def _keep(self, what: str) -> Path:
        """What the machine can say of a failed act."""
        folder = self.failed / f"{len(self.rows) + 1:02}-{re.sub('[^a-z0-9]+', '-', what.lower()).strip('-')}"
        folder.mkdir(parents=True, exist_ok=True)
        if self.machine is not None and self.machine.is_on:
            with suppress(Exception):
                shutil.copy(self.machine.snapshot("failed"), folder)
            with suppress(Exception):
                self.machine.run(LOG)
                self.machine.fetch("/run/rig-journal.log", folder / "journal.log")
        for log in (RUN / "qemu", *RUN.glob("console*")):
            with suppress(OSError):
                shutil.copy(log, folder)
        return folder

    def _recover(self) -> None:
        if self.recover is None or self.machine is None or not self.machine.is_on:
            return
        try:
            self.recover()
        except Exception as error:
            say(f"    the table does not come back by itself: {error}")

    def whole(self) -> str:
        wide = max(len(row.what) for row in self.rows)
        lines = [f"| {row.what:{wide}} | {'yes' if row.good else 'NO':3} | {row.seconds:5.0f} s | {row.words}"
                 for row in self.rows]  # fmt: skip
        minutes = (time.monotonic() - self.began) / 60
        return "\n".join([*lines, f"{minutes:.1f} minutes in all"])


@dataclass
class Act:
    noted: list[tuple[bool, str]] = field(default_factory=list)

    def note(self, words: str, *, good: bool = True) -> None:
        self.noted.append((good, words if good else f"NOT: {words}"))

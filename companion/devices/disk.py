"""The disk under the journal, asked now and then by a thread whether it still answers. It writes nothing."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from companion.__main__ import is_short
from companion.core.background import in_thread
from companion.core.clocks import SECOND
from companion.core.sentence import N_
from companion.devices.device import Part
from companion.devices.watchdog import is_supervised
from companion.doctor.health import AILING, MISSING, Finding, of_journal

EVERY = 10 * SECOND
PATIENCE = 20 * SECOND  # a card that tidies up may take seconds
MOUNTS = Path("/proc/self/mountinfo")
TABLE = Path("/etc/fstab")
FORGETFUL = ("overlay", "tmpfs", "ramfs")  # file systems; a container's may last, but a table is in none
HANGS = "The disk with the journal does not answer."

Ask = Callable[[Path], Finding]
Run = Callable[[Callable[[], None]], None]


def ask(journal: Path) -> Finding:
    """Until everything that was written there is on the disk; with nothing to write, the disk itself is still asked.

    The folder is asked: whoever opened and closed the journal's own file would take SQLite's locks away.
    """
    try:
        opened = os.open(journal.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as error:
        if is_short(error):  # which is not the disk's doing
            raise
        sentence = N_("The disk with the journal has errors.")
        return Finding("journal", AILING, sentence, N_("Take another card or disk soon."), error.strerror or "")
    if is_supervised() and is_forgetful(journal.parent):
        sentence = N_("Matches are kept only until the table is switched off.")
        remedy = N_("Put the journal on a partition that can be written: docs/appliance.md.")
        return Finding("journal", AILING, sentence, remedy)
    if place := unmounted(journal.parent):
        sentence = N_("The disk for the matches is not there, and until it is back they are kept on another one.")
        return Finding("journal", AILING, sentence, N_("Switch the table off, and look at that disk."), place)
    return of_journal(journal)


def unmounted(folder: Path, table: Path = TABLE) -> str:
    """Where a disk should be mounted on which the folder would lie, and is not; mostly nothing.

    The list of what is mounted does not tell: to a service its own folder is a mount, whatever lies there.
    """
    try:
        whole = folder.resolve()
        lines = table.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    wanted = {
        Path(words[1].replace("\\040", " "))
        for line in lines
        if len(words := line.split()) > 2
        and words[1].startswith("/")
        and not line.startswith("#")
        and not {"bind", "rbind", "noauto"}.intersection(",".join(words[3:4]).split(","))
    }
    return min((str(point) for point in wanted if whole.is_relative_to(point) and _is_no_other_disk(point)), default="")


def _is_no_other_disk(point: Path) -> bool:
    try:
        return point.parent != point and point.stat().st_dev == point.parent.stat().st_dev
    except OSError:
        return True


def is_forgetful(folder: Path, mounts: Path = MOUNTS) -> bool:
    """It lies in memory, as everything does that is written over a system that is read-only."""
    found, kind = Path(), ""
    try:
        whole = folder.resolve()
        for point, what in _mounted(mounts):
            if whole.is_relative_to(point) and len(point.parts) >= len(found.parts):
                found, kind = point, what
    except OSError:
        return False
    return kind in FORGETFUL


def _mounted(mounts: Path) -> Iterator[tuple[Path, str]]:
    """Where something is mounted, and what kind of file system."""
    for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines():
        where, _, what = line.partition(" - ")
        if len(words := where.split()) > 4 and what:
            yield Path(words[4].replace("\\040", " ")), what.split()[0]


class Disk:
    """`hangs` and `part` may be asked by whoever must not wait."""

    def __init__(self, journal: Path, *, ask: Ask = ask, run: Run | None = None) -> None:
        self._journal, self._ask, self._run = journal, ask, run or in_thread("disk")
        self._found: Finding | None = None
        self._asked: int | None = None  # since when an answer is waited for
        self._next = 0

    @property
    def part(self) -> Part:
        found = self._found
        if found is None:
            return Part("journal", "starting")
        state = {MISSING: "gone", AILING: "ailing"}.get(found.state, "working")
        return Part("journal", state, found.sentence, found.remedy, found.detail)  # type: ignore[arg-type]

    def attend(self, now: int) -> None:
        """Ask, if it is time to and nobody waits for an answer."""
        if self._asked is None and now >= self._next:
            self._asked, self._next = now, now + EVERY
            self._run(self._look)

    def hangs(self, now: int) -> str:
        """Nothing while it answers."""
        asked = self._asked
        return HANGS if asked is not None and now - asked > PATIENCE else ""

    def _look(self) -> None:
        with suppress(Exception):  # memory, say: it is asked again soon
            self._found = self._ask(self._journal)
        self._asked = None

"""A disk that fails: every call by which a match, a copy of it and an exported file reach the disk fails once, in turn.

Which calls there are an unfailed run under strace tells; each is then failed by strace in a run of its own, with each
error. What was told must be what is kept, or it was said that nobody knows.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from companion.core.record import entry_plain
from companion.journal import Journal
from tests.attacks.attack import Attack
from tests.kept import COMPANION, PROJECT, contents, keep, played

WRITES = ("write", "writev", "pwrite64", "pwritev")
OTHERS = (
    *("fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat", "renameat2", "link", "linkat"),
    *("unlink", "unlinkat", "open", "openat", "creat"),
)
ERRORS = ("EIO", "ENOSPC", "EINTR", "EROFS")
UNSURE = "nobody knows"
LEFT_OUT = "left out: there is no strace here, or it may not trace"
PATIENCE = 60  # seconds for one run
CALL = re.compile(r"^\d+ +(\w+)\((.*)", re.MULTILINE)
DONE = {"undo": "undone", "redo": "redone", "pause": "paused", "resume": "resumed", "abandon": "abandoned"}


@dataclass(frozen=True, slots=True)
class Point:
    """A call that is to fail: the nth of its kind."""

    call: str
    number: int


@dataclass(slots=True)
class Run:
    """What a run under strace came to."""

    code: int
    said: str
    complaint: str
    calls: list[tuple[str, str]] = field(default_factory=list)  # name and the rest of the line

    def points(self, folder: Path, kinds: Sequence[str]) -> Iterator[Point]:
        """Those that reach something in the folder."""
        made = dict.fromkeys(kinds, 0)
        for call, rest in self.calls:
            if call in made:
                made[call] += 1
                if str(folder) in rest:
                    yield Point(call, made[call])

    def has_failed(self, folder: Path) -> bool:
        """It was in the folder that a call failed; Python's own may be others in another run."""
        return any("(INJECTED)" in rest and str(folder) in rest for _, rest in self.calls)


class Deed(Protocol):
    """Something that writes to the disk, as a process, in an empty folder."""

    def prepared(self, folder: Path) -> None: ...

    def run(self, folder: Path, failing: tuple[Point, str] | None, *, kill: bool) -> Run: ...

    def judged(self, folder: Path, run: Run) -> str:
        """One word for how it ended; an AssertionError if what was told is not what is there."""
        ...


def traced(folder: Path, command: Sequence[str | Path], failing: tuple[Point, str] | None) -> list[str]:
    """The command under strace."""
    inject = []
    if failing:
        point, error = failing
        inject = ["-e", f"inject={point.call}:error={error}:when={point.number}"]
    calls = ",".join(f"?{call}" for call in (*WRITES, *OTHERS))
    trace = ["-f", "--seccomp-bpf", "-y", "-qq", "-o", str(folder.with_name("trace")), "-e", f"trace={calls}"]
    return ["strace", *trace, *inject, *map(str, command)]


def ended(folder: Path, command: Sequence[str | Path], failing: tuple[Point, str] | None) -> Run:
    done = subprocess.run(
        traced(folder, command, failing), capture_output=True, text=True, cwd=PROJECT, timeout=PATIENCE, check=False
    )
    return Run(done.returncode, done.stdout, done.stderr, calls_of(folder))


def calls_of(folder: Path) -> list[tuple[str, str]]:
    return CALL.findall(folder.with_name("trace").read_text(encoding="utf-8", errors="replace"))


class Match:
    """A match, from an empty folder to its end or to a kill after the last answer."""

    def __init__(self) -> None:
        setup, entries = played("three")
        self._names = setup.names
        moves: list[dict[str, Any]] = [{"move": None, **entry_plain(entry)[1]} for entry in entries[:4]]
        self._messages = [
            *moves[:2],
            *({"do": what, "at": moves[1].get("at", 0)} for what in ("undo", "redo", "pause", "resume")),
            *moves[2:],
        ]

    def prepared(self, folder: Path) -> None: ...

    def run(self, folder: Path, failing: tuple[Point, str] | None, *, kill: bool) -> Run:
        journal = folder / "journal.sqlite3"
        how = ("referee", "three", "--time", "given", "--players", ",".join(self._names), "--journal", str(journal))
        with subprocess.Popen(
            traced(folder, (*COMPANION, *how), failing),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            text=True,
        ) as process:
            try:
                said = self._talk(process)
                if kill:
                    for child in _children(process.pid):
                        with contextlib.suppress(ProcessLookupError):  # it could not even begin
                            os.kill(child, signal.SIGKILL)
                rest, complaint = process.communicate(timeout=PATIENCE)
            finally:
                process.kill()
        return Run(process.returncode, said + rest, complaint, calls_of(folder))

    def _talk(self, process: "subprocess.Popen[str]") -> str:
        """Say everything, and hear until the last message is answered."""
        assert process.stdin
        assert process.stdout
        try:
            for number, message in enumerate(self._messages):
                process.stdin.write(json.dumps({**message, "id": f"m{number}"}) + "\n")
            process.stdin.flush()
        except BrokenPipeError:
            return ""
        said = ""
        while line := process.stdout.readline():
            said += line
            if json.loads(line).get("re") == f"m{len(self._messages) - 1}":
                break
        return said

    def judged(self, folder: Path, run: Run) -> str:
        replies = [json.loads(line) for line in run.said.splitlines()]
        told = [DONE.get(one.get("do", ""), "made") for one in replies if one["kind"] in ("ruling", "done")]
        errors = [one["sentence"] for one in replies if one["kind"] == "error"]
        errors += [line for line in run.complaint.splitlines() if line]
        with Journal.open(folder / "journal.sqlite3", whole=True) as journal:
            assert journal.notices == (), journal.notices
            found = journal.matches()
            kept = [entry_plain(one)[0] for one in journal.stored(found[0].code).entries] if found else []
        is_open = bool(errors) and any(UNSURE in error for error in errors)
        assert kept == told or (is_open and kept[:-1] == told), (told, kept, errors)
        if kept != told:
            return "said to be unknown"
        return "refused" if errors else "told and kept"


class Backup:
    """A copy of a journal onto a stick."""

    def prepared(self, folder: Path) -> None:
        (folder / "stick").mkdir()
        with Journal.open(folder / "journal.sqlite3") as journal:
            keep(journal, *played("three"))

    def run(self, folder: Path, failing: tuple[Point, str] | None, *, kill: bool) -> Run:
        assert not kill
        return ended(folder, (*COMPANION, "backup", folder / "stick", "--journal", folder / "journal.sqlite3"), failing)

    def judged(self, folder: Path, run: Run) -> str:
        copies = list((folder / "stick").glob("matches-*"))
        whole = contents(folder / "journal.sqlite3")
        assert whole[1] == ()
        if run.code == 0:
            [copy] = copies
            assert contents(copy) == whole
            return "told and kept"
        if UNSURE in run.complaint:
            assert all(contents(copy) == whole for copy in copies)
            return "said to be unknown"
        assert copies == [], run.complaint
        return "refused"


class Export:
    """A match as a file."""

    def prepared(self, folder: Path) -> None:
        with Journal.open(folder / "journal.sqlite3") as journal:
            keep(journal, *played("three"))

    def run(self, folder: Path, failing: tuple[Point, str] | None, *, kill: bool) -> Run:
        assert not kill
        code = played("three")[0].id
        how = ("export", code, "--journal", folder / "journal.sqlite3", "--output", folder / "match.json")
        return ended(folder, (*COMPANION, *how), failing)

    def judged(self, folder: Path, run: Run) -> str:
        assert contents(folder / "journal.sqlite3")[1] == ()
        file = folder / "match.json"
        if run.code == 0 or (UNSURE in run.complaint and file.exists()):
            assert len(json.loads(file.read_text(encoding="utf-8"))["entries"]) == len(played("three")[1])
            return "said to be unknown" if run.code else "told and kept"
        assert UNSURE in run.complaint or not file.exists(), run.complaint
        return "refused"


DEEDS: dict[str, Callable[[], Deed]] = {"a match": Match, "a copy": Backup, "an exported match": Export}


def may_trace() -> bool:
    """strace is there, and may trace."""
    if shutil.which("strace") is None:
        return False
    done = subprocess.run(
        ["strace", "--seccomp-bpf", "-f", "-o", "/dev/null", "true"], capture_output=True, check=False
    )
    return done.returncode == 0


def failed(make: Callable[[], Deed], kinds: Sequence[str], error: str) -> Callable[[Path], str]:
    """Each of these calls fails once with this error, in a run of its own."""

    def run(folder: Path) -> str:
        if not may_trace():
            return LEFT_OUT
        deed = make()
        ends: dict[str, int] = {}
        for number, (point, kill) in enumerate(points(deed, folder / "unfailed", kinds)):
            place = folder / str(number) / "disk"
            place.parent.mkdir()
            end = attempt(deed, place, point, error, kill=kill)
            ends[end] = ends.get(end, 0) + 1
            shutil.rmtree(place.parent)
        return ", ".join(f"{count} {end}" for end, count in sorted(ends.items())) or "there is no such call"

    return run


def points(deed: Deed, folder: Path, kinds: Sequence[str]) -> list[tuple[Point, bool]]:
    """The calls of an unfailed run, and whether the process is to be killed at the end; a match is, every other time,
    where the call comes before that."""
    found: dict[bool, list[Point]] = {}
    for kill in (False, True) if isinstance(deed, Match) else (False,):
        place = folder / str(kill) / "disk"
        place.mkdir(parents=True)
        deed.prepared(place)
        found[kill] = [*deed.run(place, None, kill=kill).points(place, kinds)]
    killed = set(found.get(True, ())[::2])
    return [(point, point in killed) for point in found[False]]


def attempt(deed: Deed, place: Path, point: Point, error: str, *, kill: bool) -> str:
    place.mkdir()
    deed.prepared(place)
    run = deed.run(place, (point, error), kill=kill)
    assert "Traceback" not in run.complaint, (point, run.complaint)
    if not run.has_failed(place):
        return "not reached"
    try:
        return deed.judged(place, run)
    except AssertionError as harm:
        raise AssertionError(f"{point} {error}{' and killed' if kill else ''}: {harm}") from None


def _children(process: int) -> list[int]:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return [int(one) for one in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()]
    return []


ATTACKS = tuple(
    Attack("disk", f"{error} at each {called} of {what}", failed(make, kinds, error))
    for what, make in DEEDS.items()
    for called, kinds in (("write", WRITES), ("sync, name and open", OTHERS))
    for error in ERRORS
)

"""What others do to a journal while the real program has it open, or between two evenings."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.core.record import entry_plain
from companion.journal.log import index_of, log_of
from companion.journal.place import mended_beside
from tests.attacks.attack import Attack
from tests.journal.test_journal import TAKEN_AWAY
from tests.kept import COMPANION, PROJECT, companion, contents, many, played

MOVES = 6
MOST_MEMORY = 300_000  # kB
PATIENCE = 60


class Referee:
    """The referee as a process, with a match that is played move by move."""

    def __init__(self, journal: Path) -> None:
        setup, self._entries = played("three")
        self._told = 0
        self.replies: list[dict[str, Any]] = []
        how = ("referee", "three", "--time", "given", "--players", ",".join(setup.names), "--journal", str(journal))
        self.process = subprocess.Popen(
            [*COMPANION, *how],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=PROJECT,
            text=True,
        )
        self._hear("match")

    def play(self, moves: int) -> None:
        """So many moves, each answered before the next."""
        assert self.process.stdin
        for entry in self._entries[self._told : self._told + moves]:
            self.process.stdin.write(json.dumps({**entry_plain(entry)[1], "id": "move"}) + "\n")
            self.process.stdin.flush()
            self._hear("move")
        self._told += moves

    def _hear(self, wanted: str) -> None:
        assert self.process.stdout
        while line := self.process.stdout.readline():
            self.replies.append(json.loads(line))
            if wanted in (self.replies[-1].get("re"), self.replies[-1]["kind"]):
                return

    @property
    def rulings(self) -> int:
        return sum(one["kind"] == "ruling" for one in self.replies)

    def said(self, words: str) -> bool:
        return any(words in one.get("sentence", "") for one in self.replies)


@contextmanager
def referee(journal: Path, *, kill: bool) -> Iterator[Referee]:
    """Ended in order, or killed."""
    made = Referee(journal)
    try:
        yield made
        if kill:
            made.process.kill()
        _, complaint = made.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in complaint, complaint
    finally:
        made.process.kill()
        made.process.wait()


def taken_away(how: str) -> Callable[[Path], str]:
    """In mid-match; then the power goes."""

    def run(folder: Path) -> str:
        journal = folder / "state" / "journal.sqlite3"
        whole = many(journal, 1)
        with referee(journal, kill=True) as played_on:
            played_on.play(MOVES)
            TAKEN_AWAY[how](journal)
            played_on.play(MOVES)
        found, notices = contents(journal)
        assert notices == ()
        assert {code: entries for code, entries in found.items() if code in whole} == whole
        kept = max(len(entries) for code, entries in found.items() if code not in whole)
        assert kept == played_on.rulings == 2 * MOVES
        assert played_on.said("the journal is written anew") or played_on.said("it is written anew")
        return f"said, and written anew: {kept} rulings told, {kept} kept after a kill"

    return run


def with_trigger(folder: Path) -> str:
    journal = folder / "journal.sqlite3"
    with referee(journal, kill=True) as played_on:
        played_on.play(MOVES)
        with closing(sqlite3.connect(journal)) as other:
            other.execute("CREATE TRIGGER mine AFTER INSERT ON entry BEGIN DELETE FROM entry; END")
        played_on.play(MOVES)
    [(_, kept)] = contents(journal)[0].items()
    assert len(kept) == played_on.rulings == MOVES
    assert played_on.said("were changed by another program")
    return f"said, and nothing more is ruled on: {MOVES} rulings told, {MOVES} kept"


def with_old_log(folder: Path) -> str:
    """A log of before is put back after a kill."""
    journal = folder / "journal.sqlite3"
    with referee(journal, kill=True) as played_on:
        played_on.play(MOVES)
        old = log_of(journal).read_bytes()
        played_on.play(MOVES)
    assert index_of(journal).exists()
    log_of(journal).write_bytes(old)
    done = companion("matches", "--journal", journal)
    assert "its log is missing, another one, or an older one" in done.stderr, done.stderr
    return "said: its log is an older one"


def read(make: Callable[[Path], object], says: str) -> Callable[[Path], str]:
    """A journal that somebody has made is opened; it is bounded what that takes."""

    def run(folder: Path) -> str:
        journal = folder / "journal.sqlite3"
        whole = many(journal, 1)
        make(journal)
        command = [sys.executable, "-c", MEASURED, *COMPANION, "matches", "--journal", str(journal)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, timeout=PATIENCE, check=False)
        memory = int(done.stdout.splitlines()[-1])
        assert memory < MOST_MEMORY, memory
        assert "Traceback" not in done.stderr
        assert says in done.stderr, done.stderr
        if says == SOUND:
            assert contents(journal) == (whole, ())
        return f"{says or 'opened as it was'}; {memory // 1000} MB"

    return run


SOUND = ""
MEASURED = (
    "import resource, subprocess, sys; subprocess.run(sys.argv[1:]); "
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def _hole(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(10 << 30)


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


READ: dict[str, tuple[Callable[[Path], object], str]] = {
    "10 GB of nothing": (_hole, "The journal was damaged"),
    "a log of 10 GB of nothing": (lambda path: _hole(log_of(path)), "The journal was damaged"),
    "a pipe": (_pipe, "cannot be opened"),
    "a pipe for its log": (lambda path: _pipe(log_of(path)), "cannot be opened"),
    "a pipe for its index": (lambda path: _pipe(index_of(path)), "cannot be opened"),
    "a file called .mended beside it": (lambda path: mended_beside(path).write_bytes(b"no journal"), SOUND),
    "another journal called .mended beside it": (lambda path: shutil.copy(path, mended_beside(path)), SOUND),
}

ATTACKS = (
    *(Attack("journal", f"{how} in mid-match", taken_away(how)) for how in TAKEN_AWAY),
    Attack("journal", "a trigger that deletes what is kept, put in in mid-match", with_trigger),
    Attack("journal", "an older log put back after a kill", with_old_log),
    *(Attack("journal", what, read(make, says)) for what, (make, says) in READ.items()),
)

"""The table itself is killed at random instants of an evening; whatever it had told is there, and the evening goes on.

`python -m tests.kills [KILLS] [SEED] [--starving]` (1,000 if not said). Each life is a process of its own: app, window,
buttons and journal as `companion` opens them, bots at all five games and a guest who touches everything
(tests/evening.py). It says on a pipe what its screen was told; SIGKILL comes at any instant, also while the journal is
being opened. Then, on a copy of the files: SQLite finds the database whole, every row has its checksum, what was told
is what is kept, word by word, in its order. The next life goes on with the match that its screen offers, and
finds the same state. With `--starving` each life runs out of memory instead, wherever it just is.
"""

import contextlib
import hashlib
import json
import os
import random
import resource
import select
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.core.codec import plain
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.match import Match
from companion.core.referee import Told
from companion.core.replies import Reply, correction_reply, done_reply, ruling_reply
from companion.core.wire import reply_plain
from companion.display.past import past
from companion.journal import Journal, Keeper, Stored
from tests.evening import OUT_OF_MEMORY, Evening

JOURNALS = 100  # kills after which the next evening begins with nothing
OPENING = 0.15  # of the lives end while the table is being opened
LONGEST_OPENING, LONGEST = 0.2, 1.2  # seconds
DOES = {Undone: "undo", Redone: "redo", Paused: "pause", Resumed: "resume", Abandoned: "abandon"}

FORGETFUL, STARVING = "--forgetful", "--starving"
PATIENCE = 20  # seconds that a life may take to run out of memory
NO_MEMORY = b"no memory is left"

Line = dict[str, Any]


# --- a life ----------------------------------------------------------------------------------------------------


def live(journal: Path, seed: int, tell: int, how: str) -> None:
    """Until somebody kills this process. On `tell` goes what was told, as soon as the screen has it."""
    if how == FORGETFUL:
        _forget()
    evening = Evening(journal, seed=seed)

    def heard(reply: Reply) -> None:
        match = evening.app.match
        if match is None:  # something that cannot be done, and no match
            return
        line = {"match": match.setup.id, "reply": reply_plain(reply), "state": print_of(match)}
        os.write(tell, json.dumps(line).encode() + b"\n")

    evening.app.hearers.append(heard)
    hunger = Hunger(seed) if how == STARVING else None
    try:
        while True:
            evening.step()
            if hunger:
                hunger.grows()
    except OUT_OF_MEMORY:
        os.write(2, NO_MEMORY)


class Hunger:
    """After a while there is hardly any memory left, now a little more and now a little less."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._left = self._chance.randrange(20, 200)  # turns of the loop
        self._eaten: list[bytearray] = []

    def grows(self) -> None:
        self._left -= 1
        if self._left > 0:
            return
        self._left = 3
        now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (now, resource.RLIM_INFINITY))
        for size in (1 << 20, 1 << 16, 1 << 12, 600):
            with contextlib.suppress(MemoryError):
                while True:
                    self._eaten.append(bytearray(size))
        del self._eaten[-self._chance.randrange(1, 200) :]


def _forget() -> None:
    """What a table must not do, to see that it would be noticed: it keeps a move when the next one is told."""
    keep = Keeper.__call__
    waiting: list[tuple[Keeper, Entry, Any]] = []

    def late(keeper: Keeper, entry: Entry, state: Any) -> None:
        if waiting and waiting[-1][0] is keeper:
            keep(*waiting.pop())
        waiting.append((keeper, entry, state))

    setattr(Keeper, "__call__", late)  # noqa: B010 - an assignment is not what a checker of types lets through


def print_of(match: Match) -> str:
    """The whole of a match at one moment, in a few letters."""
    whole = [plain(match.state), match.now, plain(match.paused), plain(match.abandoned), match.can_redo]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()[:16]


# --- what must have been told ----------------------------------------------------------------------------------


def retold(stored: Stored) -> Iterator[tuple[Line, str]]:
    """For each entry of a match, what a screen was told of it, and the print of the match after it."""
    match = Match(stored.setup)
    for entry in stored.entries:
        result = match.take(entry)
        yield _told(match, entry, result), print_of(match)


def _told(match: Match, entry: Entry, result: Any) -> Line:
    match entry:
        case Made(move):
            return _plain(reply_plain(ruling_reply(match, Told(len(match.line), move, result))))
        case Corrected():
            return _plain(reply_plain(correction_reply(match, result)))
        case _:
            return _plain(reply_plain(done_reply(match, type(entry), match.now)))


def _plain(reply: Any) -> Line:
    found: Line = json.loads(json.dumps(reply))
    return {key: value for key, value in found.items() if key not in ("at", "re")}


def is_of_an_entry(reply: Line) -> bool:
    return reply["kind"] in ("ruling", "correction") or (reply["kind"] == "done" and reply["do"] in DOES.values())


# --- one after the other ---------------------------------------------------------------------------------------


@dataclass
class Tally:
    kills: int = 0
    told: int = 0  # rulings, undos, pauses, corrections that a screen was told
    lost: int = 0  # of those
    unread: int = 0  # kept, and killed before it was told
    back: int = 0  # lives that went on with a match
    same: int = 0  # of those, with the same state
    early: int = 0  # lives that ended before anything was told
    matches: int = 0
    damaged: int = 0  # databases that are not whole
    starved: int = 0  # lives that ran out of memory
    games: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        return not (self.lost or self.damaged or self.problems) and self.back == self.same

    def __str__(self) -> str:
        return (
            f"{self.kills:,} kills: {self.told:,} rulings told, {self.lost} lost, {self.unread} kept and not yet told; "
            f"{self.damaged} databases damaged; {self.back} matches gone on with, {self.same} in the same state; "
            f"{self.early} lives ended before anything was told; {self.matches} matches of {len(self.games)} games"
            f"{f', {self.starved} out of memory' if self.starved else ''}"
            f"{'; ' + '; '.join(self.problems[:5]) if self.problems else ''}"
        )


class Killer:
    """Lives over one journal after the other, each ended at an instant that nobody foresees."""

    def __init__(self, folder: Path, seed: int, how: str = "") -> None:
        self.tally = Tally()
        self._folder = folder
        self._random = random.Random(seed)
        self._how = how
        self._begin()

    def _begin(self) -> None:
        self._place = self._folder / f"evening-{self.tally.kills}"
        self._place.mkdir()
        self._journal = self._place / "journal.sqlite3"
        self._known: dict[str, int] = {}  # entries of each match so far
        self._running = ("", "")  # the match to go on with, and its print

    def run(self, kills: int) -> Tally:
        while self.tally.kills < kills and not self.tally.lost:
            if self.tally.kills and not self.tally.kills % JOURNALS:
                shutil.rmtree(self._place)
                self._begin()
            lines = self._life()
            self.tally.kills += 1
            self._look(lines)
        return self.tally

    def _life(self) -> list[Line]:
        """A process from its first to its last instant; whole lines of what it told."""
        ear, mouth = os.pipe()
        said = (self._place / "said.txt").open("w+b")
        child = os.fork()
        if not child:
            os.dup2(said.fileno(), 2)
            try:
                live(self._journal, self._random.randrange(2**32), mouth, self._how)
            finally:
                os._exit(3)
        os.close(mouth)
        heard = b""
        until = time.monotonic() + self._lasts()
        while (left := until - time.monotonic()) > 0:
            if select.select([ear], [], [], left)[0]:
                more = os.read(ear, 1 << 20)
                if not more:  # it has ended by itself
                    break
                heard += more
        os.kill(child, signal.SIGKILL)
        _, how = os.waitpid(child, 0)
        while more := os.read(ear, 1 << 20):
            heard += more
        os.close(ear)
        said.seek(0)
        self._must_be_silent(said.read(), how)
        said.close()
        return [json.loads(line) for line in heard.split(b"\n")[:-1]]

    def _lasts(self) -> float:
        if self._how == STARVING:
            return PATIENCE
        return self._random.uniform(0, LONGEST_OPENING if self._random.random() < OPENING else LONGEST)

    def _must_be_silent(self, said: bytes, how: int) -> None:
        if self._how == STARVING:  # a library in C may end the process by a signal; SIGKILL is this test's patience
            of_library = os.WIFSIGNALED(how) and os.WTERMSIG(how) != signal.SIGKILL
            self.tally.starved += NO_MEMORY in said or of_library
            if os.WIFEXITED(how) and NO_MEMORY not in said:
                self.tally.problems.append(f"ended with {how}, and not for want of memory")
        elif said or not os.WIFSIGNALED(how) or os.WTERMSIG(how) != signal.SIGKILL:
            self.tally.problems.append(f"ended with {how} and said {said.decode()[-400:]!r}")

    # --- what is left ----------------------------------------------------------------------------------------

    def _look(self, lines: list[Line]) -> None:
        """At a copy, so that the next life finds everything as it was left."""
        copy = self._place / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.mkdir()
        for file in self._place.glob("*.*"):
            if not file.name.endswith("-shm"):  # gone with the machine
                shutil.copy(file, copy)
        self._settings_are_whole(copy)
        self._went_on(lines)
        journal = copy / self._journal.name
        if journal.exists():
            self._check(journal, lines)
        elif lines:
            self.tally.lost += len(lines)
        self.tally.early += not lines

    def _settings_are_whole(self, copy: Path) -> None:
        for name in ("preferences.json", "journal.sqlite3.tallies"):
            if (copy / name).exists():
                json.loads((copy / name).read_bytes())

    def _went_on(self, lines: list[Line]) -> None:
        """The first thing that was told is the match as it had been left."""
        code, state = self._running
        if code and lines:
            self.tally.back += 1
            first = lines[0]
            self.tally.same += first["reply"]["kind"] == "match" and (first["match"], first["state"]) == (code, state)

    def _check(self, journal: Path, lines: list[Line]) -> None:
        try:
            opened = Journal(journal)
            opened.check()  # raises if a row, or the log, is not what was written
        except Exception as error:
            self.tally.damaged += 1
            self.tally.problems.append(str(error))
            return
        with opened:
            newest = opened.matches()
            for summary in newest:
                if summary.entries != self._known.get(summary.code):
                    about = [one for one in lines if one["match"] == summary.code]
                    self._check_match(opened.stored(summary.code), about)
            self._known = {one.code: one.entries for one in newest}
            self._running = ("", "")
            for offered in past(opened).unfinished[:1]:
                self._running = (offered.code, print_of(opened.stored(offered.code).folded()))
            lost = {line["match"] for line in lines} - set(self._known)
            self.tally.lost += len(lost)
        with closing(sqlite3.connect(journal)) as database:
            self.tally.damaged += database.execute("PRAGMA integrity_check").fetchall() != [("ok",)]

    def _check_match(self, stored: Stored, lines: list[Line]) -> None:
        tally, code = self.tally, stored.setup.id
        tally.games.add(stored.setup.game)
        tally.matches += code not in self._known
        told = [line for line in lines if is_of_an_entry(line["reply"])]
        kept = list(retold(stored))[self._known.get(code, 0) :]
        tally.told += len(told)
        tally.lost += max(0, len(told) - len(kept))
        tally.unread += max(0, len(kept) - len(told))
        for (wanted, _), line in zip(kept, told, strict=False):
            if wanted != _plain(line["reply"]):
                tally.problems.append(f"match {code}: told {line['reply']}, kept {wanted}")
                return
        if told and len(kept) >= len(told) and told[-1]["state"] not in [one for _, one in kept[len(told) - 1 :]]:
            tally.problems.append(f"match {code}: another state after {told[-1]['reply']['kind']}")


def killed(kills: int, seed: int, how: str = "") -> Tally:
    with tempfile.TemporaryDirectory() as folder:
        return Killer(Path(folder), seed, how).run(kills)


def main(arguments: list[str]) -> int:
    numbers = [int(one) for one in arguments if one.isdecimal()]
    kills, seed = [*numbers, *(1_000, 1)[len(numbers) :]][:2]
    began = time.monotonic()
    tally = killed(kills, seed, next((one for one in arguments if one in (FORGETFUL, STARVING)), ""))
    print(f"{tally}; in {time.monotonic() - began:.0f} s")  # noqa: T201
    return 0 if tally.is_well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

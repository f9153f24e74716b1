"""Power cuts: QEMU is killed in mid-match, and what the table had told until then must be on the disk.

What a SIGKILL of QEMU loses is what the guest holds in memory: its page cache, the file system's journal as far as it
is not written, requests on their way. What QEMU has handed to this machine's kernel stays, whatever QEMU's cache mode;
with cache=none, which is taken here, it does not even wait in this machine's memory. So a move is lost exactly if the
guest had not sent it to its disk: with synchronous OFF it lies in the guest's page cache for some seconds, up to half a
minute, and the control must lose the last of them.

A card may lose more, namely what it had taken and not been told to flush. So the state's disk is looked at twice after
each cut, as it is, and as it would be if half of what no flush came after had been forgotten (`forgetful`). The table
goes on from the second.

Writes are followed by their flush so soon that a cut seldom falls between the two. So cuts are also made up at other
instants, from what was asked of the disk until then: every move that had been told at that instant must be there too.
While the system mounts the disk, before there is a table, ext4 writes its superblock, which is two sectors long; where
just one of them is forgotten, nothing but the spare superblock opens the file system again. That is counted apart.
"""

import contextlib
import random
import shutil
import sqlite3
import time
from dataclasses import dataclass, field
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.journal import Journal
from tests.rigs.appliance.acts import watch_the_table
from tests.rigs.appliance.build import RIG, WORKSHOP
from tests.rigs.appliance.forgetful import Request, forget, requests
from tests.rigs.appliance.machine import RUN, Drives, Machine
from tests.rigs.appliance.page import Page
from tests.rigs.appliance.somebody import Moves, Somebody
from tests.rigs.running import RigError, run, say

JOURNAL = "journal.sqlite3"
SHORTEST, LONGEST = 1.0, 20.0  # seconds of play before a cut
CARELESS = "RIG_SYNCHRONOUS=OFF"
ROOT, STATE, COPY = "run/root.img", "run/state.img", "run/copy.img"
BEFORE, EARLIER, WRITES = "run/before.img", "run/earlier.img", "run/writes"
BETWEEN = 40  # other instants for each cut
SPARE = ("-b", "8193", "-B", "1024")  # where ext4 has its superblock once more
NO_SUPERBLOCK = "alternate superblock"


@dataclass
class Cut:
    """One cut, and what was found after it."""

    number: int
    seconds: float = 0.0  # from power to the cut
    until_shown: float = 0.0  # seconds from power until the table is shown
    told: int = 0  # moves told since the power came
    struck: int = 0  # of them by a button, with a photo finish
    kept: int = 0  # of them
    more: int = 0  # moves that were kept, but not yet told
    lost: int = 0
    lost_forgetful: int = 0  # of a disk that forgets
    unsure: int = 0  # sectors that no flush came after
    forgotten: int = 0  # of them
    between: int = 0  # other instants at which the disk was looked at
    between_unsure: int = 0
    between_lost: int = 0  # moves that had been told by then and were not there, of all instants
    between_whole: int = 0
    between_spare: int = 0  # of them, opened by the spare superblock
    whole: bool = False  # in both cases
    was_back: bool = True  # the match was offered, and went on where it stood
    words: str = ""

    @property
    def is_good(self) -> bool:
        is_kept = not self.lost and not self.lost_forgetful and not self.between_lost
        return self.whole and self.was_back and is_kept and self.between_whole == self.between

    def __str__(self) -> str:
        found = f"{self.told} told ({self.struck} struck), {self.kept} of them kept, {self.more} more, {self.lost} lost"
        ends = f"{'whole' if self.whole else 'DAMAGED'}, {'back' if self.was_back else 'NOT BACK'}"
        forgets = f"{self.forgotten} of {self.unsure} sectors forgotten: {self.lost_forgetful} lost"
        shown = f"shown after {self.until_shown:.0f} s, cut after {self.seconds:.0f} s"
        more = f"{self.between} other instants: {self.between_whole} whole, {self.between_lost} lost"
        return f"{shown}; {found}; {forgets}; {more}; {ends} {self.words}".rstrip()


@dataclass
class Kept:
    """What the journal on the disk holds."""

    matches: dict[str, Moves] = field(default_factory=dict)
    running: str = ""  # the newest match, if it is not over
    words: str = ""  # what is wrong with it
    by_spare: bool = False  # only the spare superblock opened the file system

    @property
    def is_whole(self) -> bool:
        return not self.words


# --- what is on the disk ---------------------------------------------------------------------------------------


def kept(disk: str = STATE) -> Kept:
    """Read on this machine from a copy of the disk, as the file system's own repair leaves it."""
    run("cp", "--sparse=always", RIG / disk, RIG / COPY)
    code, said = inside("e2fsck", "-fp", f"/rig/{COPY}")
    by_spare = NO_SUPERBLOCK in said
    if by_spare:
        code, said = inside("e2fsck", "-fy", *SPARE, f"/rig/{COPY}")
    if code > 1:
        return Kept(words=f"e2fsck ended with {code}: {said[-300:]}")
    folder = RUN / "journal"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in (JOURNAL, f"{JOURNAL}-wal"):
        inside("debugfs", "-R", f"dump /{name} /rig/run/journal/{name}", f"/rig/{COPY}")
    found = read(folder / JOURNAL)
    found.by_spare = by_spare
    return found


def inside(*words: str) -> tuple[int, str]:
    done = WORKSHOP.run(*words)
    return done.code, done.text


def read(journal: Path) -> Kept:
    if not journal.exists():
        return Kept()
    try:
        with Journal.open(journal, whole=True) as opened:  # with the log as it was left
            notices, found = opened.notices, opened.matches()
            running = found[0].code if found and found[0].status == "running" else ""
            matches = {one.code: moves_of(opened, one.code) for one in found}
        with contextlib.closing(sqlite3.connect(journal)) as database:
            said = database.execute("PRAGMA integrity_check").fetchone()[0]
    except (sqlite3.Error, CompanionError) as error:
        return Kept(words=str(error))
    wrong = [*notices, *([f"integrity_check: {said}"] if said != "ok" else [])]
    return Kept(matches, running, " ".join(wrong))


def moves_of(journal: Journal, code: str) -> Moves:
    stored = journal.stored(code)
    match = Match.folded(stored.setup, stored.entries)
    return {number: move_plain(done.move) for number, done in enumerate(match.line, 1)}


# --- cutting ---------------------------------------------------------------------------------------------------


@dataclass
class Cutter:
    """Cuts one after the other, on the same disks."""

    seed: int
    before: Kept = field(default_factory=Kept)  # what was on the disk when the power came
    cuts: list[Cut] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        self.before = kept()

    def cut(self, more: str = "") -> Cut:
        """Power on, go on with the match, power off at some instant; then look at the disk."""
        cut = Cut(len(self.cuts) + 1)
        self.cuts.append(cut)
        run("cp", "--sparse=always", RIG / STATE, RIG / BEFORE)
        (RIG / WRITES).write_bytes(b"")
        machine = Machine(Drives(ROOT, STATE, log=WRITES), console=f"console-{cut.number}")
        somebody = Somebody(machine, clock=lambda: (RIG / WRITES).stat().st_size)
        try:
            machine.wait_up()
            if more and cut.number == 1:
                self._start_otherwise(machine, somebody, more)
            self._back(cut, machine, somebody)
            somebody.plays_until(time.monotonic() + self._chance.uniform(SHORTEST, LONGEST), self._chance)
        except RigError as error:
            cut.was_back, cut.words = False, str(error).splitlines()[0]
            say(str(error))
        finally:
            cut.seconds = time.monotonic() - machine.began
            machine.cut()
        self._compare(cut, somebody)
        return cut

    def _start_otherwise(self, machine: Machine, somebody: Somebody, more: str) -> None:
        somebody.wait(lambda: bool(somebody.screen), "the table on the screen", 300)
        watch_the_table(machine, more)
        somebody.forget_screen()
        machine.run("systemctl restart companion", 120)

    def _back(self, cut: Cut, machine: Machine, somebody: Somebody) -> None:
        """The match is offered and stands where it stood, or there was none."""
        somebody.wait(lambda: somebody.screen == "games", "the table on the screen", 300)
        cut.until_shown = time.monotonic() - machine.began
        machine.picture(f"cut-{cut.number}")
        if somebody.target("GoOn("):
            somebody.touch("GoOn(", "table")
            stood = len(self.before.matches.get(self.before.running, {}))
            # A call that was waited for may have run out since: the referee's own move, and told.
            is_there = stood <= somebody.moves <= stood + len(somebody.ruled)
            cut.was_back = self.before.running == somebody.match and is_there
        else:
            cut.was_back = not self.before.running
            somebody.touch("about='three'", "players")
            somebody.touch("Start()", "table")

    def _compare(self, cut: Cut, somebody: Somebody) -> None:
        found, told, done = kept(), somebody.told, requests((RIG / WRITES).read_bytes())
        before = self.before.matches
        wanted = {code: {**before.get(code, {}), **told.get(code, {})} for code in {*before, *told}}
        cut.lost = lost(wanted, found)
        cut.told = sum(map(len, told.values()))
        cut.struck = sum(bool(move.get("finish")) for moves in told.values() for move in moves.values())
        cut.kept = cut.told - lost(told, found)
        cut.more = sum(len(found.matches.get(code, {}).keys() - moves.keys()) for code, moves in wanted.items())
        for _ in range(BETWEEN if done else 0):
            self._look_between(cut, somebody, done)
        forgets = forget(RIG / BEFORE, done, self._chance)
        cut.unsure, cut.forgotten = forgets.unsure, forgets.lost
        (RIG / BEFORE).replace(RIG / STATE)
        self.before = kept()
        cut.lost_forgetful = lost(wanted, self.before)
        cut.whole = found.is_whole and self.before.is_whole
        cut.words = " ".join(filter(None, (cut.words, found.words, self.before.words)))

    def _look_between(self, cut: Cut, somebody: Somebody, done: list[Request]) -> None:
        """As if the cut had been earlier."""
        some = done[: self._chance.randint(1, len(done))]
        run("cp", "--sparse=always", RIG / BEFORE, RIG / EARLIER)
        cut.between_unsure += forget(RIG / EARLIER, some, self._chance).unsure
        found, wanted = kept(EARLIER), dict(self.before.matches)
        for (code, number), at in somebody.told_at.items():
            if at <= some[-1].end:
                wanted[code] = {**wanted.get(code, {}), number: somebody.told[code][number]}
        cut.between += 1
        cut.between_whole += found.is_whole
        cut.between_spare += found.by_spare
        cut.between_lost += lost(wanted, found)


def lost(wanted: dict[str, Moves], found: Kept) -> int:
    """Moves that are not there, or otherwise."""
    return sum(
        found.matches.get(code, {}).get(number) != move
        for code, moves in wanted.items()
        for number, move in moves.items()
    )


def power_cuts(page: Page, number: int, seed: int) -> None:
    with page.act(f"the power is cut {number} times") as act:
        cuts = all_cuts(Cutter(seed), number)
        for cut in cuts:
            if not cut.is_good:
                act.note(f"cut {cut.number}: {cut}", good=False)
        told, struck, more, unsure, forgotten = total(cuts, "told", "struck", "more", "unsure", "forgotten")
        gone, gone_forgetful = total(cuts, "lost", "lost_forgetful")
        act.note(f"{told} moves told ({struck} by the buttons), {gone} of them lost, {more} kept but not yet told")
        act.note(f"on a disk that forgot {forgotten} of {unsure} unflushed sectors {gone_forgetful} lost")
        between, whole, spare = total(cuts, "between", "between_whole", "between_spare")
        unsure, gone = total(cuts, "between_unsure", "between_lost")
        act.note(
            f"at {between} other instants, {unsure} sectors unflushed in all: {gone} lost, database whole {whole} "
            f"times, {spare} of them by ext4's spare superblock"
        )
        whole, back = sum(cut.whole for cut in cuts), sum(cut.was_back for cut in cuts)
        act.note(f"database whole {whole} times, back in the match {back} times")
        shown = sorted(cut.until_shown for cut in cuts)
        act.note(f"on the screen {shown[len(shown) // 2]:.0f} s after the power came (median)")


def careless_cuts(page: Page, number: int, seed: int) -> None:
    """The control: with a journal that does not wait for the disk, losses must be seen."""
    with page.act(f"control: synchronous OFF, cut {number} times") as act:
        cuts = all_cuts(Cutter(seed), number, more=CARELESS)
        told, gone, gone_forgetful = total(cuts, "told", "lost", "lost_forgetful")
        act.note(
            f"{gone} of {told} moves told were lost, {gone_forgetful} on the disk that forgets",
            good=gone + gone_forgetful > 0,
        )
        act.note(f"{sum(cut.lost > 0 for cut in cuts)} cuts lost some")


def total(cuts: list[Cut], *names: str) -> list[int]:
    return [sum(getattr(cut, name) for cut in cuts) for name in names]


def all_cuts(cutter: Cutter, number: int, more: str = "") -> list[Cut]:
    for _ in range(number):
        cut = cutter.cut(more)
        say(f"    cut {cut.number:2} {cut}")
    return cutter.cuts

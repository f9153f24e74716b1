"""A clock on the wall that jumps by years while a match is played (libfaketime; the monotonic clock stays as it is)."""

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.attacks.attack import Attack
from tests.attacks.match import Door, Ended, Table, agreed, newest, went_on
from tests.kept import companion

LIBRARY = "faketime/libfaketime.so.1"
JUMPS = ("+0", "-1d", "+1d", "-30y", "+70y", "-1s", "+400y", "-50y")
EVERY = 0.04  # seconds
MOVES = 40
LONGEST = 60 * 10**9  # table time of a match that takes some seconds


def library() -> Path | None:
    """Where Debian has it, whatever the processor."""
    return next(iter(sorted(Path("/usr/lib").glob(f"*/{LIBRARY}"))), None)


@contextmanager
def jumping(folder: Path) -> Iterator[dict[str, str | None]]:
    """What a process has to have in its environment so that its clock jumps."""
    file, over, chance = folder / "clock", threading.Event(), random.Random(11)

    def jump() -> None:
        while not over.wait(EVERY):
            beside = folder / "clock.new"
            beside.write_text(f"{chance.choice(JUMPS)}\n", encoding="ascii")
            beside.replace(file)

    file.write_text("+0\n", encoding="ascii")
    thread = threading.Thread(target=jump)
    thread.start()
    try:
        yield {
            "LD_PRELOAD": str(library()),
            "FAKETIME_TIMESTAMP_FILE": str(file),
            "FAKETIME_NO_CACHE": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
    finally:
        over.set()
        thread.join()


def _checked(folder: Path, ended: Ended) -> str:
    ended.must_be_sentences()
    told = agreed(folder / "journal.sqlite3", ended.told)
    stored = newest(folder / "journal.sqlite3")
    assert stored is not None, "nothing is kept"
    took = max(stored.time, stored.folded().now)
    assert 0 < took < LONGEST, f"the match took {took} ns"
    listed = companion("matches", "--journal", folder / "journal.sqlite3")
    assert listed.returncode == 0, listed.stderr
    return f"{told} told and kept; {took / 1e9:.2f} s of table time"


def at_the_door(folder: Path) -> str:
    if library() is None:
        return "left out: libfaketime is not installed"
    with jumping(folder) as more:
        ended = Door(folder, more=more).played()
    assert ended.has_played, (ended.code, ended.said)
    stamps = [line["at"] for line in ended.told if "at" in line]
    assert stamps == sorted(stamps), "time went back"
    return _checked(folder, ended)


def at_the_table(folder: Path) -> str:
    """It is killed and started again, and goes on. Asked to end it would sleep for a moment, which libfaketime refuses
    a process whose clock has jumped; no kernel does."""
    if library() is None:
        return "left out: libfaketime is not installed"
    with jumping(folder) as more:
        first = Table(folder, more=more).played(MOVES, lambda process: process.kill())
        agreed(folder / "journal.sqlite3", first.told)
        second = Table(folder, more=more).played(MOVES // 2, lambda process: process.kill())
    assert second.told[0]["match"] == first.told[0]["match"], "it did not go on"
    return f"{_checked(folder, second)}; {went_on(folder)}"


ATTACKS = (
    Attack("clock", "jumps by up to 400 years, at the door", at_the_door),
    Attack("clock", "jumps by up to 400 years, at the table", at_the_table),
)

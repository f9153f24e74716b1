"""A table that is given less and less: memory, open files, threads. It plays, or it ends in one sentence."""

import os
import resource
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from companion.__main__ import AGAIN, NO_ROOM
from tests.attacks.attack import Attack
from tests.attacks.match import Door, Ended, Table, agreed, went_on

MEGABYTE = 1_000_000
MOVES = 12  # of the guest at the table, before it is asked to end
DOOR_SIZES = (400, 60, 40, *(35 - number / 2 for number in range(6)), 31, 28, 25, 22)
TABLE_SIZES = (400, 200, 165, 150, 135, 120, 105, 90, 75, 60, 45)
RARELY = 1  # Python waits for ever for a thread that finds no memory before its first line (CPython issue 140746)
HUNGRY = range(1, 5)  # seeds
SOMEBODY = 54_321  # a user who has no other process
AS_SOMEBODY = (
    "setpriv", f"--reuid={SOMEBODY}", "--clear-groups", "--inh-caps=+dac_override", "--ambient-caps=+dac_override",
)  # fmt: skip

Played = Callable[[Path], Ended]


def at_most(what: int, most: float) -> Callable[[], None]:
    return lambda: resource.setrlimit(what, (int(most), int(most)))


def each(folder: Path, played: Iterable[tuple[float, Played]]) -> str:
    """What becomes of each, from plenty to nothing."""
    well: list[float] = []
    ended: list[float] = []
    nothing: list[float] = []
    hung: list[float] = []
    told = 0
    for size, play in played:
        place = folder / str(size)
        place.mkdir()
        found = play(place)
        told += agreed(place / "journal.sqlite3", found.told)
        if found.code == -signal.SIGKILL:  # after PATIENCE
            hung.append(size)
            continue
        if is_before_us(found):
            nothing.append(size)
            continue
        found.must_be_sentences()
        (well if found.has_played else ended).append(size)
        if found.told and not found.has_played:
            went_on(place)
    assert well, "nothing was ever played"
    assert len(hung) <= RARELY, f"it hangs with {hung}"
    return f"{told} told and kept; plays with {_span(well)}; {_of(ended)}; {_of_nothing(nothing)}{_of_hung(hung)}"


def is_before_us(ended: Ended) -> bool:
    """Python itself did not come up, so that nothing of ours has run."""
    return bool(ended.code) and not ended.told and "/companion/" not in ended.said and not ended.said.startswith("comp")


def _span(sizes: list[float]) -> str:
    return f"{min(sizes):g} to {max(sizes):g}" if min(sizes) < max(sizes) else f"{sizes[0]:g}"


def _of(sizes: list[float]) -> str:
    return f"a sentence with {_span(sizes)}" if sizes else "no other end"


def _of_nothing(sizes: list[float]) -> str:
    return f"Python does not start with {_span(sizes)}" if sizes else "Python starts with each"


def _of_hung(sizes: list[float]) -> str:
    return f"; with {sizes[0]:g} it hung until it was killed, as the watchdog does" if sizes else ""


# --- memory ----------------------------------------------------------------------------------------------------


def memory_at_the_door(folder: Path) -> str:
    def sizes() -> Iterator[tuple[float, Played]]:
        for size in DOOR_SIZES:
            limit = at_most(resource.RLIMIT_AS, size * MEGABYTE)
            yield size, lambda place, limit=limit: Door(place, limit).played()  # type: ignore[misc]

    return each(folder, sizes()) + " (MB of addresses)"


def memory_at_the_table(folder: Path) -> str:
    def sizes() -> Iterator[tuple[float, Played]]:
        for size in TABLE_SIZES:
            limit = at_most(resource.RLIMIT_AS, size * MEGABYTE)
            yield size, lambda place, limit=limit: _table_for_a_while(Table(place, limit))  # type: ignore[misc]

    return each(folder, sizes()) + " (MB of addresses)"


def _table_for_a_while(table: Table) -> Ended:
    return table.played(MOVES, lambda process: process.terminate())


def hungry(folder: Path, door: bool) -> str:
    """It runs out in mid-match, wherever that is."""
    told = short = 0
    for seed in HUNGRY:
        place = folder / str(seed)
        place.mkdir()
        command = (sys.executable, "-m", "tests.attacks.guest", "door", str(seed))
        ended = (Door(place, command=command) if door else Table(place, hunger=seed)).played()
        told += agreed(place / "journal.sqlite3", ended.told)
        if not ended.has_played:
            assert (ended.code, ended.said.encode()) == (AGAIN, NO_ROOM), (ended.code, ended.said)
            short += 1
        went_on(place)
    assert short, "there was always enough"
    return (
        f"{told} told and kept; {short} of {len(HUNGRY)} ended in a sentence, with a code by which it is started again"
    )


# --- open files and threads ------------------------------------------------------------------------------------


def descriptors(folder: Path, door: bool) -> str:
    def sizes() -> Iterator[tuple[float, Played]]:
        for size in range(3, 9 if door else 13):
            limit = at_most(resource.RLIMIT_NOFILE, size)
            if door:
                yield size, lambda place, limit=limit: Door(place, limit).played()  # type: ignore[misc]
            else:
                yield size, lambda place, limit=limit: _table_for_a_while(Table(place, limit))  # type: ignore[misc]

    return each(folder, sizes()) + " (open files)"


def threads(folder: Path) -> str:
    """A full table of processes, as another user, for whom it counts."""
    if os.getuid():
        return "left out: only root can become somebody else"
    folder.chmod(0o777)

    def sizes() -> Iterator[tuple[float, Played]]:
        for size in range(1, 6):
            before = (*AS_SOMEBODY, "prlimit", f"--nproc={size}:{size}")
            yield size, lambda place, before=before: _somebodys(Table(place, before=before))  # type: ignore[misc]

    return each(folder, sizes()) + " (processes and threads)"


def _somebodys(table: Table) -> Ended:
    os.chown(table.folder, SOMEBODY, SOMEBODY)
    return _table_for_a_while(table)


ATTACKS = (
    Attack("memory", "less and less of it at the door", memory_at_the_door),
    Attack("memory", "less and less of it at the table", memory_at_the_table),
    Attack("memory", "none is left in mid-match, at the door", lambda folder: hungry(folder, door=True)),
    Attack("memory", "none is left in mid-match, at the table", lambda folder: hungry(folder, door=False)),
    Attack("open files", "fewer and fewer of them at the door", lambda folder: descriptors(folder, door=True)),
    Attack("open files", "fewer and fewer of them at the table", lambda folder: descriptors(folder, door=False)),
    Attack("threads", "a full table of processes", threads),
)

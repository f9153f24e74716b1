"""Matches of bots for the tests of what is kept: as entries, in a journal, and the companion as a real process."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from companion.core.entry import Entry, Made
from companion.core.match import Match, Setup
from companion.core.rules import Foul
from companion.games import NAMES, game
from companion.games.threepia import rules as threepia
from companion.journal import Journal
from simulator.playing import play_out, seated

PROJECT = Path(__file__).parents[1]
COMPANION = (sys.executable, "-m", "companion")
PR_CAPBSET_DROP = 24
DAC_OVERRIDE, DAC_READ_SEARCH = 1, 2  # what lets root write anywhere


@cache
def played(name: str, seed: int = 1, *, time_trial: bool = False) -> tuple[Setup, tuple[Entry, ...]]:
    """A whole match of bots."""
    playing = game(name)
    setup = seated(playing, threepia.House(way="time-trial") if time_trial else playing.house())
    tried = play_out(Match(setup), seed, mistakes=0.0)
    return setup, tuple(Made(move) for move, told in tried if not isinstance(told, Foul))


def keep(journal: Journal, setup: Setup, entries: Iterable[Entry]) -> Match:
    """A match played under the eyes of the journal, entry by entry."""
    match = Match(setup, journal.begin(setup))
    for entry in entries:
        match.take(entry)
    return match


def many(path: Path, count: int = 10) -> dict[str, tuple[Entry, ...]]:
    """A journal with so many whole matches; the entries of each by its code."""
    whole = {}
    with Journal.open(path) as journal:
        for number in range(count):
            setup, entries = played([*NAMES][number % len(NAMES)], number)
            journal.take_in(setup, entries, 0)
            whole[setup.id] = entries
    return whole


def contents(path: Path) -> tuple[dict[str, tuple[Entry, ...]], tuple[str, ...]]:
    """The entries of each match of a journal of which all was read, and what was said of it."""
    with Journal.open(path, whole=True) as journal:
        return {one.code: journal.stored(one.code).entries for one in journal.matches()}, journal.notices


def companion(*arguments: str | Path, told: str = "", **options: Any) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [*COMPANION, *map(str, arguments)],
        input=told,
        capture_output=True,
        text=True,
        cwd=PROJECT,
        timeout=60,
        check=False,
        **options,
    )


def without_rights() -> dict[str, Any]:
    """For a process that permissions hold for, even if it is root's."""
    return {"preexec_fn": _drop_rights} if os.getuid() == 0 else {}


def _drop_rights() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    for right in (DAC_OVERRIDE, DAC_READ_SEARCH):
        if libc.prctl(PR_CAPBSET_DROP, right, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "this right cannot be dropped")

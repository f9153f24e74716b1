"""What keeping costs: time and bytes on disk for each move, and starting the command."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from companion.core.match import Match
from companion.games import game
from companion.journal import Journal
from simulator.playing import play_out, seated
from tests.benchmarks import Row, best_of, median

MOVES = 300


def rows() -> Iterator[Row]:
    yield _help()
    yield from _kept()


def _help() -> Row:
    command = [sys.executable, "-m", "companion", "--help"]
    nothing = [sys.executable, "-c", "import argparse"]
    costs = [
        best_of(lambda run=run: subprocess.run(run, check=True, capture_output=True), 9)  # type: ignore[misc]
        for run in (command, nothing)
    ]
    return Row(
        "start of `companion --help`",
        costs[0] / 1e6,
        "s",
        7,
        "start of Python with argparse",
        costs[1] / 1e6,
        "0.15 s is the aim",
    )


def _kept() -> Iterator[Row]:
    setup = seated(game("triple3"), game("triple3").house(), 4)
    plain = Match(setup)
    tried = [move for move, _ in zip(play_out(plain, 1, mistakes=0.0), range(MOVES), strict=False)]
    moves = [move for move, _ in tried]
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.sqlite3") as journal:
        match = Match(setup, journal.begin(setup))
        wal = Path(folder) / "journal.sqlite3-wal"
        before = wal.stat().st_size
        costs = [best_of(lambda move=move: match.make(move), 1) for move in moves]  # type: ignore[misc]
        grown = wal.stat().st_size - before
    unkept = Match(setup)
    free = [best_of(lambda move=move: unkept.make(move), 1) for move in moves]  # type: ignore[misc]
    yield Row(
        "a move ruled and on disk (WAL, FULL), median",
        median(costs),
        "µs",
        None,
        "the ruling alone",
        median(free),
        "the disk decides",
    )
    yield Row("bytes written to the journal for each move", grown / len(moves), "bytes", 2_500, note="count")

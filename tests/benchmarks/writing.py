"""What a minute of play writes to the disk, for the memory card's sake: bots at their own pace, and at half of it.

Counted is what the process hands to the file system (wchar of /proc/self/io): the log's pages and what checkpoints
write. A disk is given whole blocks, at least one for each move that is to outlast a power cut:
`python -m tests.benchmarks.writing FOLDER MINUTES` sleeps instead of travelling, in a folder of your choice, and tells
what the device below it was given as well.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.referee import Referee
from companion.core.requests import MoveMessage, Time
from companion.core.session import Session
from companion.games import NAMES, game
from companion.journal import Journal
from simulator.playing import play_out, seated
from tests.benchmarks import Row

MINUTES = 20
MISTAKES = 0.02  # of the moves are refused, and kept
AIM = 40  # kB a minute
PACES = (("usual", 2.0), ("fast", 1.0))  # so many times as long as a bot takes
FASTER = 75  # kB; Triple³ when everybody lays as quickly as bots do: 50 cards a minute


@dataclass(frozen=True, slots=True)
class Written:
    minutes: float
    moves: int
    handed: int  # bytes in write calls
    device: int  # bytes that the device under the folder was given


def _handed() -> int:
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text(encoding="ascii").splitlines())
    return int(lines["wchar"])


def _device(folder: Path) -> int:
    number = folder.stat().st_dev
    stat = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}/stat")
    return int(stat.read_text(encoding="ascii").split()[6]) * 512 if stat.exists() else 0


def written(name: str, folder: Path, minutes: float, pace: float, wait: Callable[[int], None] | None = None) -> Written:
    """Match after match of bots, with a look at the clock every second; `wait` until a stamp, or travel there."""
    for file in folder.glob("journal.sqlite3*"):
        file.unlink()
    with Journal(folder / "journal.sqlite3") as journal:
        journal.make_room()
        os.sync()
        handed, device, now, moves, seed = _handed(), _device(folder), 0, 0, 0
        while now < minutes * 60 * SECOND:
            now, made = _match(name, seed, journal, (now, round(minutes * 60 * SECOND), pace), wait)
            moves, seed = moves + made, seed + 1
        os.sync()
        return Written(now / 60 / SECOND, moves, _handed() - handed, _device(folder) - device)


def _match(
    name: str, seed: int, journal: Journal, when: tuple[int, int, float], wait: Callable[[int], None] | None
) -> tuple[int, int]:
    """From when, until when at most, how slowly; the stamp at its end, and its moves."""
    begun, until, pace = when
    setup = seated(game(name), game(name).house())
    session = Session(Referee.begin(setup, begun, journal), None)
    now, moves = begun, 0
    for move, _ in play_out(Match(setup), seed, mistakes=MISTAKES):
        at = begun + round(move.at * pace)
        while now < min(at, until):
            now = min(now + SECOND, at)
            if wait:
                wait(now)
            session.answer(Time(at=now))
        if now >= until or not session.referee.match.is_running:
            break
        session.answer(MoveMessage(move, now, ""))
        moves += 1
    return max(now, begun + 1), moves


def rows() -> Iterator[Row]:
    for name in NAMES:
        for pace, slowly in PACES:
            with tempfile.TemporaryDirectory() as folder:
                yield _row(name, pace, written(name, Path(folder), MINUTES, slowly))


def _row(name: str, pace: str, found: Written) -> Row:
    bound = FASTER if (name, pace) == ("triple3", "fast") else AIM
    moves = f"{found.moves / found.minutes:.0f} moves a minute"
    what = f"written to disk in a minute of {game(name).title}, {pace} pace"
    return Row(what, found.handed / found.minutes / 1000, "kB", bound, note=moves)


def main(arguments: list[str]) -> None:
    folder, minutes = Path(arguments[0]), float(arguments[1]) if len(arguments) > 1 else 3
    for name in arguments[2:] or NAMES:
        for pace, slowly in PACES:
            begun = time.monotonic_ns()

            def wait(until: int, begun: int = begun) -> None:
                time.sleep(max(0, begun + until - time.monotonic_ns()) / SECOND)

            found = written(name, folder, minutes, slowly, wait)
            handed, device = (number / found.minutes / 1000 for number in (found.handed, found.device))
            print(  # noqa: T201
                f"{name:10} {pace:5} {found.moves / found.minutes:5.1f} moves a minute: {handed:6.1f} kB handed over, "
                f"{device:6.1f} kB on the device",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])

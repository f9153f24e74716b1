"""A club on one computer: Mosquitto, a database, a board, tables and phones, under load and while each of them dies.

    make rig-club                                  small: 40 tables for 20 s on both databases, then deaths in mid-load
    make rig-club CLUB="--tables 200 --seconds 600"

It fails where an entry is lost or double, and where the board takes too much of a processor for each entry beside what
this program takes to send it; other jobs do not change that. How late phones see a ruling is told, not judged.
"""

import argparse
import contextlib
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles

from sqlalchemy import func, select

from companion.board.database import ENTRY, opened
from companion.core.errors import CompanionError
from tests.board.load import cost
from tests.publishing.mosquitto import Mosquitto, free_port
from tests.rigs.club.postgres import Postgres
from tests.rigs.club.tables import Club
from tests.rigs.running import PROJECT, RigError, conclude, say

PATIENCE = 300  # seconds until everything must have arrived
DEARER = 15.0  # times what sending an entry costs
SQLITE, POSTGRES = "SQLite", "PostgreSQL"


class Board:
    """The service, at a port that stays, so that it can be killed and started again."""

    def __init__(self, broker: Mosquitto, database: str) -> None:
        self.port, self._database, self._broker = free_port(), database, broker
        self._process: subprocess.Popen[str] | None = None
        self._changing = threading.Lock()
        self.seconds = self.most = 0.0  # of a processor; megabytes

    def start(self) -> None:
        command = [sys.executable, "-m", "companion", "board", "--broker", f"127.0.0.1:{self._broker.port}"]
        command += ["--port", str(self.port), "--database", self._database]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True, cwd=PROJECT)
        assert self._process.stdout
        self._process.stdout.readline()

    def restart(self) -> None:
        with self._changing:
            self.kill()
            self.start()

    def revive(self) -> None:
        """As systemd does: one that has ended by itself begins again."""
        with self._changing:
            if self._process is not None and self._process.poll() is not None:
                assert self._process.stdout
                self._process.stdout.close()
                self.start()

    def look(self) -> tuple[float, float]:
        """What it has cost so far, those before it included."""
        if self._process is None or self._process.poll() is not None:
            return self.seconds, self.most
        seconds, most = cost(self._process.pid)
        return self.seconds + seconds, max(self.most, most)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self._process is not None:
            self.seconds, self.most = self.look()
            self._process.send_signal(how)
            self._process.wait(30)
            assert self._process.stdout
            self._process.stdout.close()
            self._process = None


@dataclass
class Phones:
    """Streams of news that are read; each comes back when it is cut."""

    port: int
    club: Club
    late: list[float] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)

    def look_on(self, table: str) -> None:
        while not self.is_over.is_set():
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 5) as way:
                way.settimeout(2)
                way.sendall(f"GET /table/{table}/news HTTP/1.1\r\nHost: board\r\n\r\n".encode())
                self._read(way, table)
            self.is_over.wait(0.2)

    def _read(self, way: socket.socket, table: str) -> None:
        rest, seen = b"", -1
        while not self.is_over.is_set():
            try:
                more = way.recv(1 << 16)
            except TimeoutError:
                continue
            if not more:
                return
            *lines, rest = (rest + more).split(b"\n")
            for number in (int(found[1]) for line in lines if (found := re.search(rb"#(\d+)#", line))):
                if number > seen >= 0 and (table, number) in self.club.sent:
                    self.late.append(time.monotonic() - self.club.sent[table, number])
                seen = max(seen, number)


@contextlib.contextmanager
def phones_at(board: Board, club: Club, count: int, tables: int) -> Iterator[Phones]:
    phones = Phones(board.port, club)
    names = [f"t{at % tables}" for at in range(count)]
    threads = [threading.Thread(target=phones.look_on, args=(name,), daemon=True) for name in names]
    for thread in threads:
        thread.start()
    try:
        yield phones
    finally:
        phones.is_over.set()
        for thread in threads:
            thread.join(10)


def kept(database: str) -> tuple[set[tuple[str, int, str]], int]:
    """The entries in the database, and how many rows they are."""
    engine = opened(database)
    try:
        with engine.connect() as connection:
            found = {tuple(row) for row in connection.execute(select(ENTRY.c.match, ENTRY.c.number, ENTRY.c.hash))}
            rows = connection.execute(select(func.count()).select_from(ENTRY)).scalar_one()
        return found, rows
    finally:
        engine.dispose()


def arrived(database: str, club: Club, board: Board) -> tuple[int, int]:
    """How many are lost and how many double, when everything that comes has come."""
    until = time.monotonic() + PATIENCE
    while True:
        board.revive()
        try:
            found, rows = kept(database)
        except CompanionError:  # it is not back yet
            found, rows = set(), 0
        lost = len(club.wanted - found)
        if not lost or time.monotonic() > until:
            return lost, rows - len(found & club.wanted)
        time.sleep(1)


def load(options: argparse.Namespace, folder: Path, kind: str, database: str, dies: "Deaths | None" = None) -> None:
    """One course: tables, phones, and what dies meanwhile."""
    broker = Mosquitto(folder, "autosave_interval 1", "max_inflight_messages 2000")
    broker.start()
    board = Board(broker, database)
    board.start()
    tables, seconds = (options.tables, options.seconds) if dies is None else (options.tables_dying, dies.seconds)
    club = Club(tables, seconds, broker.port)
    try:
        for connection in club.connections:
            connection.start()
        time.sleep(3)
        with phones_at(board, club, options.phones, options.tables_looked_at) as phones:
            own, before = _own(), board.look()[0]
            club.play(seconds, dies.at(broker, board) if dies else lambda _second: None)
            lost, double = arrived(database, club, board)
            own, (after, most) = _own() - own, board.look()
        _tell(
            kind + (", with deaths" if dies else ""), club, seconds, (lost, double), phones.late, (after - before, most)
        )
        dearer = (after - before) / own if own else 0.0
        say(f"  the board took {dearer:.1f} times the processor time of sending; {DEARER:.0f} times are the bound.")
        if lost or double:
            raise RigError(f"{kind}: {lost} entries are lost, {double} are double.")
        if dies is None and dearer > DEARER:
            raise RigError(f"{kind}: an entry costs the board {dearer:.1f} times what it costs to send it.")
    finally:
        for connection in club.connections:
            connection.close()
        board.kill()
        broker.stop()


def _own() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _tell(
    kind: str, club: Club, seconds: int, missing: tuple[int, int], late: list[float], costs: tuple[float, float]
) -> None:
    hundredths = quantiles(late, n=100) if len(late) > 1 else [0.0] * 99
    say(
        f"  {kind}: {len(club.tables)} tables × {seconds} s, {len(club.sent)} entries; "
        f"{missing[0]} lost, {missing[1]} double; "
        f"seen {len(late)} times, p50 {1000 * hundredths[49]:.0f} ms, p99 {1000 * hundredths[98]:.0f} ms; "
        f"board {costs[0] / seconds:.2f} of a core, {costs[1]:.0f} MB"
    )


@dataclass
class Deaths:
    """What dies when, spread over the course."""

    times: int  # of the broker and of the board
    stopped: int  # seconds that the database stands
    postgres: Postgres
    every: int = 3  # seconds between two deaths

    @property
    def seconds(self) -> int:
        return 2 * self.times * self.every + self.stopped + 10

    def at(self, broker: Mosquitto, board: Board) -> Callable[[int], None]:
        def look(second: int) -> None:
            threading.Thread(target=board.revive).start()
            number, is_time = divmod(second - 5, self.every)
            if not is_time and 0 <= number < 2 * self.times:
                threading.Thread(target=self._dies, args=(broker, board), kwargs={"is_broker": number % 2 == 0}).start()
            if second == 5 + 2 * self.times * self.every:
                threading.Thread(target=self._stands).start()

        return look

    def _dies(self, broker: Mosquitto, board: Board, *, is_broker: bool) -> None:
        if is_broker:
            broker.stop(signal.SIGKILL)
            broker.start()
        else:
            board.restart()

    def _stands(self) -> None:
        self.postgres.stop()
        time.sleep(self.stopped)
        self.postgres.start()


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="make rig-club")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--phones", type=int, default=10)
    parser.add_argument("--tables-looked-at", type=int, default=5)
    parser.add_argument("--tables-dying", type=int, default=20, help="tables of the course in which others die")
    parser.add_argument("--deaths", type=int, default=10, help="of the broker and of the board each")
    parser.add_argument("--stopped", type=int, default=60, help="seconds that the database stands still")
    parser.add_argument("--only", choices=(SQLITE, POSTGRES, "deaths"), help="one course alone")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="rig-club-") as place:
        for kind in (SQLITE, POSTGRES, "deaths"):
            if options.only not in (None, kind):
                continue
            folder = Path(place, kind)
            folder.mkdir()
            Path(place).chmod(0o755)
            if kind == SQLITE:
                load(options, folder, kind, f"sqlite:///{folder / 'board.sqlite3'}")
                continue
            postgres = Postgres(folder)
            postgres.start()
            try:
                dies = Deaths(options.deaths, options.stopped, postgres) if kind == "deaths" else None
                load(options, folder, POSTGRES, postgres.address, dies)
            finally:
                with contextlib.suppress(RigError):
                    postgres.stop()
    return 0


if __name__ == "__main__":
    conclude("club", lambda: main(sys.argv[1:]))

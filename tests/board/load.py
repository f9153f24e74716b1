"""Many tables and many phones on one board: what is lost, what comes twice, how long it takes, what it costs.

`python -m tests.board.load --tables 50 --seconds 60 --phones 20` takes a real Mosquitto and the real service. What is
sent are real entries under the names of many tables, by one client; `--database` takes another than a new SQLite file.
"""

import argparse
import asyncio
import contextlib
import json
import re
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import quantiles

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.board.database import opened
from companion.board.results import Results
from companion.core.codec import plain, written
from companion.games import game
from companion.publishing.entry_payloads import VERSION, EntryNow, HeadNow, SaidNow
from tests.board.test_service import board
from tests.publishing.kept_matches import entries_of, rows_of, told
from tests.publishing.mosquitto import Mosquitto, eventually

TICKS = 100.0  # of a processor's second in /proc


@dataclass
class Load:
    """What was sent, and when; what phones have seen, and how much later."""

    sent: dict[tuple[str, int], float] = field(default_factory=dict)
    late: list[float] = field(default_factory=list)


def entries_for(table: str, seconds: int) -> list[EntryNow]:
    """As many entries as wanted, of one match after the other; each says its own number."""
    found: list[EntryNow] = []
    while len(found) < seconds:
        match = f"{table}-{len(found)}"
        found += [
            replace(entry, table=table, match=match, began=f"2026-11-20T10:{len(found):05}")
            for entry in told(rows_of(*entries_of(game("three"), len(found))))
        ]
    return [replace(entry, said=(SaidNow("", "#{n}#", {"n": at}),)) for at, entry in enumerate(found[:seconds])]


async def publish(client: Client, tables: dict[str, list[EntryNow]], seconds: int, load: Load) -> None:
    """Each table an entry a second, spread over the second."""
    begin = time.monotonic()
    for second in range(seconds):
        for place, (table, entries) in enumerate(tables.items()):
            await asyncio.sleep(max(0.0, begin + second + place / len(tables) - time.monotonic()))
            entry = replace(entries[second], as_of="2026-11-20T10:00:00+00:00")
            content = written(plain(entry)).encode()
            load.sent[table, second] = time.monotonic()
            client.publish(f"companion/{table}/entry", content, 1)
            head = HeadNow(VERSION, table, entry.match, entry.number, entry.hash, entry.as_of)
            client.publish(f"companion/{table}/head", written(plain(head)).encode(), 1, retain=True)


async def look_on(port: int, table: str, load: Load) -> None:
    """A phone that looks at a table."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(f"GET /table/{table}/news HTTP/1.1\r\nHost: board\r\nAccept-Language: de\r\n\r\n".encode())
    seen = -1
    with contextlib.suppress(asyncio.CancelledError):
        while line := await reader.readline():
            if found := re.search(rb"#(\d+)#", line):
                number = int(found[1])
                if number > seen >= 0:
                    load.late.append(time.monotonic() - load.sent[table, number])
                seen = number
    writer.close()


def cost(pid: int) -> tuple[float, float]:
    """Seconds of a processor, and megabytes at most."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    peak = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    return (int(words[11]) + int(words[12])) / TICKS, int(peak[1]) / 1024 if peak else 0.0


async def run(options: argparse.Namespace, folder: Path, address: str) -> None:
    broker = Mosquitto(folder, "max_inflight_messages 200")
    broker.start()
    load = Load()
    tables = {f"t{number}": entries_for(f"t{number}", options.seconds) for number in range(options.tables)}
    client = Client(CallbackAPIVersion.VERSION2, "tables")
    client.max_inflight_messages_set(1000)
    client.connect("127.0.0.1", broker.port)
    client.loop_start()
    try:
        with board(folder, broker, "--database", address) as (process, port):
            for table in tables:
                client.publish(f"companion/{table}/online", b"online", 1, retain=True)
            await asyncio.sleep(3)
            phones = [
                asyncio.create_task(look_on(port, list(tables)[number % options.tables_looked_at], load))
                for number in range(options.phones)
            ]
            before = cost(process.pid)
            await publish(client, tables, options.seconds, load)
            engine = opened(address)
            results = Results(engine)
            last = {entries[-1].match for entries in tables.values()}
            eventually(lambda: all(results.match(code) is not None for code in last))
            await asyncio.sleep(2)
            after = cost(process.pid)
            for phone in phones:
                phone.cancel()
            report(options, tables, load, results, (after[0] - before[0], after[1]))
            engine.dispose()
    finally:
        client.loop_stop()
        broker.stop()


def report(
    options: argparse.Namespace,
    tables: dict[str, list[EntryNow]],
    load: Load,
    results: Results,
    costs: tuple[float, float],
) -> None:
    kept = [entry.hash + entry.match for codes in _matches(tables) for entry in results.course(codes)]
    wanted = {entry.hash + entry.match for entries in tables.values() for entry in entries}
    hundredths = quantiles(load.late, n=100) if len(load.late) > 1 else [0.0] * 99
    told_now = {
        "tables": options.tables,
        "seconds": options.seconds,
        "phones": options.phones,
        "sent": len(load.sent),
        "lost": len(wanted - set(kept)),
        "double": len(kept) - len(set(kept)),
        "seen by phones": len(load.late),
        "late p50 ms": round(1000 * hundredths[49]),
        "late p99 ms": round(1000 * hundredths[98]),
        "board, part of a core": round(costs[0] / options.seconds, 2),
        "board, MB": round(costs[1]),
    }
    print(json.dumps(told_now))  # noqa: T201


def _matches(tables: dict[str, list[EntryNow]]) -> list[str]:
    return [*dict.fromkeys(entry.match for entries in tables.values() for entry in entries)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--phones", type=int, default=20)
    parser.add_argument("--tables-looked-at", type=int, default=5)
    parser.add_argument("--database", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        address = options.database or f"sqlite:///{folder}/board.sqlite3"
        asyncio.run(run(options, Path(folder), address))
    return 0


if __name__ == "__main__":
    sys.exit(main())

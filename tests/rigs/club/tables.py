"""Tables of a club: real entries of bots' matches, each at its second. What a broker that was gone may have forgotten
is sent again, as a table does from its journal."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from companion.core.codec import plain, written
from companion.publishing.entry_payloads import VERSION, EntryNow, HeadNow
from companion.publishing.thumbnail import SeenCards, thumbnail
from tests.board.load import entries_for

AT_ONE = 20  # tables by one connection
AGAIN = 500  # entries that a table sends once more to a broker that was gone
DAY = "2026-11-20T10:00:00+00:00"


@dataclass
class ClubTable:
    name: str
    entries: list[EntryNow]
    shows: bytes = b""
    sent: list[bytes] = field(default_factory=list)


def picture(name: str, match: str) -> bytes:
    """A thumbnail about as large as they come."""
    noise = np.random.default_rng(sum(map(ord, name)))
    small = [noise.integers(0, 256, (12, 12, 3), np.uint8) for _ in range(9)]
    squares = tuple((cell, "red-1-circle", cv2.resize(one, (88, 88))) for cell, one in enumerate(small, 1))
    return thumbnail(SeenCards(match, 9, squares), name, DAY)


class Connection:
    """That of some tables. It comes back by itself, and then tells again what may be forgotten."""

    def __init__(self, number: int, port: int, tables: list[ClubTable]) -> None:
        self._tables, self._port = tables, port
        self._lock = threading.Lock()
        self._has_been = False
        self.acknowledged = 0
        self._client = Client(CallbackAPIVersion.VERSION2, f"tables-{number}")
        self._client.max_inflight_messages_set(100)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._heard
        self._client.on_publish = self._counted

    def start(self) -> None:
        self._client.connect("127.0.0.1", self._port)
        self._client.loop_start()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _counted(self, *_: object) -> None:
        self.acknowledged += 1

    def _heard(self, *_: object) -> None:
        with self._lock:
            for table in self._tables:
                self._client.publish(f"companion/{table.name}/online", b"online", 1, retain=True)
                for content in table.sent[-AGAIN:] if self._has_been else ():
                    self._client.publish(f"companion/{table.name}/entry", content, 1)
            self._has_been = True

    def tell(self, table: ClubTable, second: int) -> None:
        entry = replace(table.entries[second], as_of=DAY)
        content = written(plain(entry)).encode()
        head = HeadNow(VERSION, table.name, entry.match, entry.number, entry.hash, DAY)
        with self._lock:
            table.sent.append(content)
            self._client.publish(f"companion/{table.name}/entry", content, 1)
            self._client.publish(f"companion/{table.name}/head", written(plain(head)).encode(), 1, retain=True)
            if table.shows:
                shown = json.loads(table.shows)
                shown["match"] = entry.match
                self._client.publish(f"companion/{table.name}/thumbnail", written(shown).encode(), 1, retain=True)


class Club:
    """All its tables. `sent` says when which entry went out."""

    def __init__(self, count: int, seconds: int, port: int) -> None:
        self.tables = [ClubTable(f"t{number}", entries_for(f"t{number}", seconds)) for number in range(count)]
        for table in self.tables[::5]:
            table.shows = picture(table.name, table.entries[0].match)
        groups = [self.tables[at : at + AT_ONE] for at in range(0, count, AT_ONE)]
        self.connections = [Connection(number, port, group) for number, group in enumerate(groups)]
        self.sent: dict[tuple[str, int], float] = {}

    def play(self, seconds: int, look: Callable[[int], None] = lambda _second: None) -> None:
        """Each table an entry a second, spread over the second."""
        begin, count = time.monotonic(), len(self.tables)
        for second in range(seconds):
            look(second)
            for at, table in enumerate(self.tables):
                time.sleep(max(0.0, begin + second + at / count - time.monotonic()))
                self.sent[table.name, second] = time.monotonic()
                self.connections[at // AT_ONE].tell(table, second)

    @property
    def wanted(self) -> set[tuple[str, int, str]]:
        return {(one.match, one.number, one.hash) for table in self.tables for one in table.entries[: len(table.sent)]}

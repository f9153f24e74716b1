"""Hears the broker: what comes is kept first and acknowledged then, so that whatever dies in between is told again."""

import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion
from sqlalchemy.exc import SQLAlchemyError

from companion.board.hall import BoardNews
from companion.board.reading import (
    ClocksNow,
    TablePicture,
    is_table,
    read_clocks_now,
    read_entry_now,
    read_head_now,
    read_table_picture,
)
from companion.board.results import ArrivedEntry, Results
from companion.core import plainfile
from companion.core.errors import CompanionError
from companion.publishing.entry_payloads import EntryNow, HeadNow
from companion.publishing.payloads import ONLINE

LONGEST_PASSWORD = 1_000  # bytes of the file that holds it

TOLD = ("entry", "head", "state", "online", "thumbnail")
AT_ONCE = 200  # messages that are kept in one transaction
WAITING = 5000  # messages; then the broker has to wait
AGAIN = 1.0  # seconds until a database that failed is tried again
FARTHEST = 24 * 3600.0  # seconds; a clock that is more wrong than that is of no use

Say = Callable[[str], None]
Told = EntryNow | HeadNow | ClocksNow | TablePicture | bool


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where the tables publish, and as whom the board listens."""

    host: str
    port: int = 1883
    user: str = ""
    password_file: Path | None = None
    ca: Path | None = None  # with it, TLS
    client: str = "companion-board"
    topic: str = "companion"


@dataclass(frozen=True, slots=True)
class Post:
    """A message as it came: by which connection, and under which number of the broker's."""

    table: str
    told: str
    content: bytes
    is_kept: bool
    connection: int
    number: int


class BrokerEar:
    """Two threads: paho's hands messages over, ours keeps and acknowledges them. `hear` is called by the second."""

    def __init__(self, address: BrokerAddress, results: Results, hear: Callable[[BoardNews], None], say: Say) -> None:
        self._address, self._results, self._hear, self._say = address, results, hear, say
        self._posts: queue.Queue[Post | None] = queue.Queue(WAITING)
        self._connection = 0
        self._acknowledging = threading.Lock()
        self._is_ending = threading.Event()
        self._said = ""
        self.is_connected = False
        self._client = self._made()
        self._thread = threading.Thread(target=self._keep, name="keeping", daemon=True)

    def _made(self) -> Client:
        address = self._address
        client = Client(CallbackAPIVersion.VERSION2, address.client, clean_session=False, manual_ack=True)
        if address.user:
            client.username_pw_set(address.user, _password(address.password_file))
        if address.ca:
            try:
                client.tls_set(str(address.ca))
            except (OSError, ValueError):
                raise CompanionError("--ca: this is no certificate that can be read.") from None
        client.reconnect_delay_set(1, 30)
        client.on_connect = self._heard_answer
        client.on_disconnect = self._heard_end
        client.on_message = self._heard_message
        return client

    def start(self) -> None:
        self._thread.start()
        self._client.connect_async(self._address.host, self._address.port, keepalive=30)
        self._client.loop_start()

    def close(self) -> None:
        """What is not kept by now was not acknowledged, and comes again."""
        self._is_ending.set()
        self._client.disconnect()
        self._put(None)
        self._client.loop_stop()
        self._thread.join(5)

    # --- paho's thread ---

    def _heard_answer(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        if reason.is_failure:
            self._tell(f"The broker refuses this board: {reason}.")
            return
        with self._acknowledging:
            self._connection += 1
        self.is_connected = True
        self._client.subscribe([(f"{self._address.topic}/+/{told}", 1) for told in TOLD])
        self._tell("The board hears the broker.")

    def _heard_end(self, *_: Any) -> None:
        if self.is_connected and not self._is_ending.is_set():
            self._tell("The broker is gone; the board goes on trying.")
        self.is_connected = False

    def _heard_message(self, _client: Any, _data: Any, message: MQTTMessage) -> None:
        *_, table, told = message.topic.split("/")
        self._put(Post(table, told, bytes(message.payload), bool(message.retain), self._connection, message.mid))

    def _put(self, post: Post | None) -> None:
        while True:
            try:
                self._posts.put(post, timeout=1)
            except queue.Full:  # the broker waits meanwhile
                if self._is_ending.is_set():
                    return
            else:
                return

    # --- ours ---

    def _keep(self) -> None:
        while (posts := self._batch()) is not None:
            read = [*self._read(posts)]
            if not self._kept(posts, read):
                return

    def _batch(self) -> list[Post] | None:
        """What is there; None at the end."""
        posts = [self._posts.get()]
        while len(posts) < AT_ONCE:
            try:
                posts.append(self._posts.get_nowait())
            except queue.Empty:
                break
        found = [post for post in posts if post is not None]
        return None if len(found) < len(posts) else found

    def _read(self, posts: list[Post]) -> Iterator[tuple[Post, Told]]:
        for post in posts:
            try:
                yield from ((post, found) for found in _content(post))
            except CompanionError as error:
                self._tell(f"From {post.table[:40]!r} came something that is no {post.told[:10]}: {error}")

    def _kept(self, posts: list[Post], read: list[tuple[Post, Any]]) -> bool:
        """Whether it is kept; it is tried until it is, or until the end."""
        arrivals = [ArrivedEntry(one, post.content.decode()) for post, one in read if isinstance(one, EntryNow)]
        heads = [one for _, one in read if isinstance(one, HeadNow)]
        while True:
            try:
                lines = self._results.take(arrivals, heads) if arrivals or heads else {}
                break
            except SQLAlchemyError as error:
                self._tell(f"The database cannot be written; nothing is lost, and it is tried again: {_why(error)}.")
                if self._is_ending.wait(AGAIN):
                    return False
        with self._acknowledging:
            for post in posts:
                if post.connection == self._connection and post.number:  # an older number may mean another message
                    self._client.ack(post.number, 1)
        pictures = {post.table: one for post, one in read if isinstance(one, TablePicture)}
        told = tuple(lines.values()), tuple(heads), tuple(_clocks(read)), tuple(_online(read))
        self._hear(BoardNews(*told, tuple(pictures.items())))
        return True

    def _tell(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            self._say(sentence)


def _content(post: Post) -> Iterator[Told]:
    """What a message says; nothing where it takes something away, but for a picture."""
    if not is_table(post.table) or not (post.content or post.told == "thumbnail"):
        return
    match post.told:
        case "entry":
            yield read_entry_now(post.content, post.table)
        case "head":
            yield read_head_now(post.content, post.table)
        case "state":
            yield read_clocks_now(post.content)
        case "online":
            yield post.content == ONLINE.encode()
        case "thumbnail":
            yield read_table_picture(post.content, post.table)


def _clocks(read: list[tuple[Post, Any]]) -> Iterator[tuple[str, ClocksNow, float]]:
    """The newest of each table, and how old it is: what the broker has kept may be of yesterday."""
    newest = {post.table: (post, one) for post, one in read if isinstance(one, ClocksNow)}
    for table, (post, one) in newest.items():
        ago = _age(one.as_of) if post.is_kept else 0.0
        if ago is not None:
            yield table, one, ago


def _age(as_of: str) -> float | None:
    """By the clocks of two computers; None where they cannot both be right."""
    try:
        ago = (datetime.now(UTC) - datetime.fromisoformat(as_of)).total_seconds()
    except (ValueError, TypeError):
        return None
    return max(0.0, ago) if -FARTHEST < ago < FARTHEST else None


def _online(read: list[tuple[Post, Any]]) -> Iterator[tuple[str, bool]]:
    yield from {post.table: one for post, one in read if isinstance(one, bool)}.items()


def _password(file: Path | None) -> str | None:
    if file is None:
        return None
    try:
        return plainfile.text(file, LONGEST_PASSWORD).partition("\n")[0].removesuffix("\r") or None
    except (OSError, ValueError):
        raise CompanionError("--password-file: the file with the password cannot be read.") from None


def _why(error: SQLAlchemyError) -> str:
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0].removesuffix(".")[:200]

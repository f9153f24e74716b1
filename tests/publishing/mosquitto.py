"""A real Mosquitto for a test, with people who listen to it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

SBIN = "/usr/sbin"  # where Debian has it, and not everybody's PATH does
PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', os.defpath)}:{SBIN}")
PASSWORDS = shutil.which("mosquitto_passwd", path=f"{os.environ.get('PATH', os.defpath)}:{SBIN}")
PATIENCE = 20  # seconds for what takes hundredths of one

Payload = dict[str, Any]


def eventually(is_so: Callable[[], object], what: str = "") -> None:
    """Wait until it is so."""
    until = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < until, what or "it never came about"
        time.sleep(0.01)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Mosquitto:
    """A broker on the loopback that can be stopped, started again, frozen and killed."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self.port = free_port()
        self._conf = folder / "mosquitto.conf"
        self._process: subprocess.Popen[bytes] | None = None
        kept = folder / "kept"
        kept.mkdir(exist_ok=True)
        self._written = kept / "mosquitto.db"
        base = [f"listener {self.port} 127.0.0.1", "persistence true", f"persistence_location {kept}/", "user root"]
        access = [] if any(line.startswith("password_file") for line in lines) else ["allow_anonymous true"]
        self._conf.write_text("\n".join([*base, *access, "max_queued_messages 0", *lines, ""]))

    def start(self) -> None:
        assert PROGRAM
        self._process = subprocess.Popen(
            [PROGRAM, "-c", self._conf], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        eventually(self._is_there, "mosquitto does not start")

    def _is_there(self) -> bool:
        assert self._process
        assert self._process.poll() is None, "mosquitto ended"
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def send(self, number: signal.Signals) -> None:
        assert self._process
        self._process.send_signal(number)

    def writes_down(self) -> None:
        """Wait until it has written down who listens now; with `autosave_interval 1`."""
        for _ in range(2):  # the first may have been begun before
            self._written.unlink(missing_ok=True)
            eventually(self._written.exists)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._process is not None:
            self.send(signal.SIGCONT)
            self.send(how)
            self._process.wait(PATIENCE)
            self._process = None


@dataclass
class Listener:
    """Somebody who has subscribed, and what came."""

    came: list[tuple[str, bytes, bool]] = field(default_factory=list)
    is_there: threading.Event = field(default_factory=threading.Event)

    def of(self, end: str) -> list[Payload]:
        """The payloads of the topics that end like this."""
        return [json.loads(content) for topic, content, _ in list(self.came) if topic.endswith(end) and content]

    def words(self, end: str) -> list[str]:
        return [content.decode() for topic, content, _ in list(self.came) if topic.endswith(end)]

    @property
    def kept(self) -> dict[str, bytes]:
        """What the broker had kept before anybody listened."""
        return {topic: content for topic, content, kept in list(self.came) if kept}


@contextmanager
def listening(port: int, *topics: str, name: str = "", **how: Any) -> Iterator[Listener]:
    """A subscriber; with a name, one for whom the broker keeps what comes while either is away."""
    listener = Listener()
    client = Client(CallbackAPIVersion.VERSION2, name, clean_session=not name)
    if user := how.get("user"):
        client.username_pw_set(user, how["password"])
    if ca := how.get("ca"):
        client.tls_set(str(ca))
    client.reconnect_delay_set(1, 1)

    def subscribe(*_: Any) -> None:
        client.subscribe([(topic, 1) for topic in topics or ("#",)])

    client.on_connect = subscribe
    client.on_subscribe = lambda *_: listener.is_there.set()
    client.on_message = lambda _, __, told: listener.came.append((told.topic, bytes(told.payload), told.retain))
    client.connect("localhost" if how.get("ca") else "127.0.0.1", port)
    client.loop_start()
    try:
        assert listener.is_there.wait(PATIENCE)
        yield listener
    finally:
        client.disconnect()
        client.loop_stop()


# --- certificates ----------------------------------------------------------------------------------------------


def openssl(*arguments: str | Path) -> None:
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


@dataclass(frozen=True)
class Authority:
    """Somebody who signs certificates."""

    folder: Path

    @property
    def certificate(self) -> Path:
        return self.folder / "ca.pem"

    def found(self) -> "Authority":
        self.folder.mkdir()
        self._key("ca")
        openssl(
            *("req", "-x509", "-new", "-key", self.folder / "ca.key", "-subj", "/CN=Club", "-days", "3"),
            *("-out", self.certificate, "-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        )
        return self

    def _key(self, name: str) -> None:
        openssl(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", self.folder / f"{name}.key"
        )

    def sign(self, host: str, *, days: int = 2) -> list[str]:
        """The lines for a broker that shows a certificate for this name."""
        name, folder = host.replace(".", "-"), self.folder
        self._key(name)
        (folder / "names").write_text(f"subjectAltName=DNS:{host}\n")
        openssl("req", "-new", "-key", folder / f"{name}.key", "-subj", f"/CN={host}", "-out", folder / f"{name}.csr")
        openssl(
            *("x509", "-req", "-in", folder / f"{name}.csr", "-CA", self.certificate, "-CAkey", folder / "ca.key"),
            *("-CAcreateserial", "-days", str(days), "-extfile", folder / "names", "-out", folder / f"{name}.pem"),
        )
        return [f"certfile {folder / name}.pem", f"keyfile {folder / name}.key"]

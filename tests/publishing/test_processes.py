"""The companion as a process that publishes: killed, and looked at for sockets that listen."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.kept import COMPANION, PROJECT
from tests.publishing.mosquitto import Mosquitto, eventually, listening

# Python tells its hooks of every `bind`, however short the socket lives.
WATCHED = """
import sys
import time
def watch(event, arguments):
    if event == "socket.bind":
        print("BOUND", arguments[1], file=sys.stderr, flush=True)
sys.addaudithook(watch)
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""
LISTENS = "0A"  # as the kernel writes it


@contextmanager
def referee(config: Path, *start: str) -> Iterator[subprocess.Popen[str]]:
    command = [*start, "referee", "three", "--players", "Anna,Ben", "--no-journal", "--publish", str(config)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=PROJECT) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.fixture
def config(tmp_path: Path, broker: Mosquitto) -> Path:
    file = tmp_path / "club.toml"
    file.write_text(f'[publish]\nhost = "127.0.0.1"\nport = {broker.port}\ntls = false\nname = "t"\n')
    return file


def tell(process: subprocess.Popen[str], message: dict[str, str]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(message) + "\n")
    process.stdin.flush()


def test_a_table_that_is_killed_is_offline(config: Path, broker: Mosquitto) -> None:
    with listening(broker.port) as club, referee(config, *COMPANION) as process:
        tell(process, {"move": "begin", "player": "Anna"})
        eventually(lambda: [told["kind"] for told in club.of("t/ruling")] == ["match", "ruling"])
        process.send_signal(signal.SIGKILL)
        eventually(lambda: club.words("t/online") == ["online", "offline"])
        assert club.of("t/state")[-1]["status"] == "running", "as it stood"
    with listening(broker.port, "companion/#") as late:
        eventually(lambda: late.kept.get("companion/t/online") == b"offline")


def test_it_ends_in_order(config: Path, broker: Mosquitto) -> None:
    with listening(broker.port) as club, referee(config, *COMPANION) as process:
        eventually(lambda: club.of("t/ruling"))
        assert process.stdin
        process.stdin.close()
        assert process.wait(20) == 0
        eventually(lambda: club.words("t/online") == ["online", "offline"])
        assert club.of("t/state")[-1]["status"] == "idle"
        assert process.stderr
        assert process.stderr.read() == ""


def test_nothing_listens_while_it_publishes(config: Path, broker: Mosquitto) -> None:
    with listening(broker.port, name="board") as club, referee(config, sys.executable, "-c", WATCHED) as process:
        tell(process, {"move": "begin", "player": "Anna"})
        eventually(lambda: len(club.of("t/ruling")) == 2)
        assert sockets(process.pid), "it is connected"
        assert not listening_sockets(process.pid)
        broker.stop()
        assert process.stderr
        eventually(lambda: len(club.came) > 0)
        tell(process, {"do": "undo"})
        broker.start()
        eventually(lambda: {told["sequence"] for told in club.of("t/ruling")} >= {1, 2, 3})
        assert not listening_sockets(process.pid)
        assert process.stdin
        process.stdin.close()
        process.wait(20)
        said = process.stderr.read()
        assert "BOUND" not in said, said


def sockets(pid: int) -> set[str]:
    """The kernel's numbers of a process's sockets."""
    found = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        try:
            name = str(file.readlink())
        except FileNotFoundError:  # closed in this moment
            continue
        if name.startswith("socket:["):
            found.add(name.removeprefix("socket:[").removesuffix("]"))
    return found


def listening_sockets(pid: int) -> list[str]:
    """The lines of the kernel's tables in which this process waits for others."""
    own, found = sockets(pid), []
    for table in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            words = line.split()
            if words[9] in own and (table.startswith("udp") or words[3] == LISTENS):
                found.append(line)
    return found


def test_the_look_for_listeners_finds_one() -> None:
    code = "import socket, sys; s = socket.create_server(('', 0)); print('there', flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "there\n"
        assert len(listening_sockets(process.pid)) == 1
        assert process.stdin
        process.stdin.close()


def test_the_table_listens_to_nobody(tmp_path: Path) -> None:
    """The whole table, with its window, sound and journal: no socket that anybody could come in by, at no moment."""
    with table(tmp_path, "on = false") as process:
        time.sleep(1)
        assert process.poll() is None
        assert not listening_sockets(process.pid)
        assert not connected(process.pid), "nor does it speak to anybody"


def test_nor_does_it_while_it_publishes(tmp_path: Path, broker: Mosquitto) -> None:
    where = f'on = true\nhost = "127.0.0.1"\nport = {broker.port}\ntls = false'
    with table(tmp_path, where) as process, listening(broker.port) as club:
        eventually(lambda: club.of("/state"))
        assert not listening_sockets(process.pid)
        assert connected(process.pid)


@contextmanager
def table(folder: Path, publish: str) -> Iterator[subprocess.Popen[str]]:
    """The table in a window that nobody sees, once it has its journal; at its end no port may have been bound."""
    pytest.importorskip("pygame")
    config, kept = folder / "table.toml", folder / "journal.sqlite3"
    config.write_text(f"[publish]\n{publish}\n")
    options = ["--size", "800x480", "--configuration", str(config), "--journal", str(kept)]
    surroundings = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "HOME": str(folder)}
    command, pipe = [sys.executable, "-c", WATCHED, *options], subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=PROJECT, env=surroundings
    ) as process:
        try:
            eventually(kept.exists)
            yield process
        finally:
            process.terminate()
            _, said = process.communicate(timeout=20)
    assert "BOUND" not in said, said


def connected(pid: int) -> list[str]:
    """The ways out into the network."""
    own = sockets(pid)
    lines = [
        line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()
    ]
    return [" ".join(words[1:4]) for words in lines[1:] if words[9] in own]

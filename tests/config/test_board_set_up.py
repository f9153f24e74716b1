"""What `make install` sets up for `[board]`, by the script's own functions: a broker, tried with a real Mosquitto, and
the door of the page."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from tests.publishing.mosquitto import PASSWORDS, PROGRAM, eventually, free_port

PROJECT = Path(__file__).parents[2]
GIVEN = """set -eu
cd {project}
run() {{ "$@"; }}
say() {{ echo "$@"; }}
drop_in() {{ place=$units/$1.service.d; file=$2; shift 2; mkdir -p "$place"; printf '%s\\n' "$@" >"$place/$file"; }}
settings={folder} units={folder}/units venv={folder} kind=desktop user=companion
. setup/board.sh
"""

needs_mosquitto = pytest.mark.skipif(not (PROGRAM and PASSWORDS), reason="mosquitto is not installed")


def by_script(folder: Path, *lines: str) -> str:
    text = GIVEN.format(project=PROJECT, folder=folder) + "\n".join(lines)
    surroundings = {**os.environ, "PATH": f"{os.environ['PATH']}:/usr/sbin"}
    done = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=False, env=surroundings)
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def broker(folder: Path) -> Iterator[int]:
    """Mosquitto with the settings that were made, but for what only systemd and root have."""
    port = free_port()
    text = (folder / "broker/mosquitto.conf").read_text(encoding="utf-8")
    text = text.replace("/run/credentials/companion-broker.service/users", str(folder / "broker/users"))
    text = text.replace("18833", str(port)).replace("/var/lib/companion-broker/", f"{folder}/")
    file = folder / "tried.conf"
    file.write_text(text + ("user root\n" if os.getuid() == 0 else ""), encoding="utf-8")
    assert PROGRAM
    with subprocess.Popen([PROGRAM, "-c", str(file)], stderr=subprocess.DEVNULL) as process:
        try:
            yield port
        finally:
            process.terminate()


class Talker:
    """Somebody at the broker."""

    def __init__(self, port: int, user: str, password: str, client: str = "") -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.answers: list[str] = []
        self.granted: list[str] = []
        self.client = Client(CallbackAPIVersion.VERSION2, client, reconnect_on_failure=False)
        if user:
            self.client.username_pw_set(user, password)
        self.client.on_connect = lambda *answer: self.answers.append(str(answer[3]))
        self.client.on_message = lambda _c, _d, message: self.heard.append((message.topic, bytes(message.payload)))
        self.client.on_subscribe = lambda *answer: self.granted.append(str(answer[3][0]))
        eventually(lambda: self._connects(port))
        self.client.loop_start()
        eventually(lambda: bool(self.answers))

    def _connects(self, port: int) -> bool:
        try:
            self.client.connect("127.0.0.1", port)
        except OSError:
            return False
        return True

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        self.client.on_connect = self.client.on_message = self.client.on_subscribe = None  # it is let go at once


def password(folder: Path, name: str) -> str:
    return (folder / "broker" / f"{name}-password").read_text(encoding="utf-8").strip()


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ""),
        ("[board]\non = true", "board here 8333"),
        ("[board]\non = true\nlan = true\nport = 9000", "board lan 9000"),
        ("[board]\nlan = true", ""),
        ("[publish]\non = true\nhost = 'club.example'", "publish"),
        ("[publish]\non = true\nhost = 'club.example'\n[board]\non = true", "publish\nbroker-of-others"),
        (
            "[journal]\nfile = '/mnt/games/j.sqlite3'\n[backup]\nfolder = '/mnt/copies'",
            "journal /mnt/games\ncopies /mnt/copies",
        ),
        ("[journal]\nfile = '/var/lib/companion/j.sqlite3'", ""),
    ],
)
def test_what_table_toml_wants_of_the_machine(text: str, wanted: str, tmp_path: Path) -> None:
    """Asked as the installer asks; what is left out of the file wants nothing, and hides nothing else."""
    (tmp_path / "table.toml").write_text(text, encoding="utf-8")
    script = (PROJECT / "setup/install.sh").read_text(encoding="utf-8")
    asks = script[script.index("wanted_by_table() {") :].partition("\n}\n")[0] + "\n}\n"
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").symlink_to(sys.executable)
    text = f"set -eu\nvenv={tmp_path} settings={tmp_path} state=/var/lib/companion\n{asks}wanted_by_table"
    text = text.replace("-I -c", "-c")
    done = subprocess.run(["sh", "-c", text], capture_output=True, text=True, check=False, cwd=PROJECT)
    assert (done.stdout.strip(), done.stderr) == (wanted, "")


@needs_mosquitto
def test_the_table_writes_the_board_reads_and_nobody_else_gets_in(tmp_path: Path) -> None:
    by_script(tmp_path, "make_passwords", "configure_broker")
    with broker(tmp_path) as port:
        table, board = (Talker(port, name, password(tmp_path, name)) for name in ("table", "board"))
        strangers = [
            Talker(port, *who) for who in (("", ""), ("table", "wrong"), ("anna", password(tmp_path, "table")))
        ]
        forgers = [Talker(port, name, password(tmp_path, name)) for name in ("table", "board")]
        try:
            assert [one.answers[0] for one in (table, board)] == ["Success"] * 2
            assert all("Not authorized" in one.answers[0] for one in strangers)
            board.client.subscribe("companion/#", 1)
            table.client.subscribe("companion/#", 1)
            eventually(lambda: bool(board.granted) and bool(table.granted))
            forgers[1].client.publish("companion/t/entry", b"forged", 1)  # Mosquitto shows them the door
            forgers[0].client.publish("elsewhere/t", b"out of bounds", 1)
            table.client.publish("companion/t/entry", b"played", 1)
            eventually(lambda: bool(board.heard))
            table.client.publish("companion/t/entry", b"again", 1)
            eventually(lambda: len(board.heard) > 1)
            assert board.heard[:1] == [("companion/t/entry", b"played")]
            assert table.heard == []
        finally:
            for one in (table, board, *strangers, *forgers):
                one.close()


@needs_mosquitto
def test_passwords_are_made_once_and_differ_everywhere(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    by_script(tmp_path, "make_passwords", "make_passwords")
    first = password(tmp_path, "table"), password(tmp_path, "board")
    by_script(tmp_path, "make_passwords")
    assert (password(tmp_path, "table"), password(tmp_path, "board")) == first
    by_script(tmp_path / "other", "make_passwords")
    assert len({*first, password(tmp_path / "other", "table"), password(tmp_path / "other", "board")}) == 4
    assert min(map(len, first)) >= 32
    users = (tmp_path / "broker/users").read_text(encoding="utf-8")
    assert not any(word in users for word in first)
    for name, mode in (("users", 0o600), ("board-password", 0o600), ("table-password", 0o644)):
        assert (tmp_path / "broker" / name).stat().st_mode & 0o777 == mode


@pytest.mark.parametrize(
    ("door", "options", "is_open"),
    [("here 8333", None, False), ("here 9000", "--port 9000", False), ("lan 8333", "--port 8333 --host 0.0.0.0", True)],
)
def test_the_page_is_open_to_whom_it_was_asked_for(
    door: str, options: str | None, is_open: bool, tmp_path: Path
) -> None:
    (tmp_path / "wanted").write_text(f"publish\nboard {door}\n", encoding="utf-8")
    said = by_script(tmp_path, "open_door")
    file = tmp_path / "units/companion-board.service.d/door.conf"
    if options is None:
        assert not file.exists()
        return
    text = file.read_text(encoding="utf-8")
    assert f"board.sqlite3 {options}\n" in text
    assert ("IPAddressAllow=any" in text) == is_open
    assert ("everybody in this network" in said) == is_open
    if shutil.which("systemd-analyze"):
        unit = tmp_path / "companion-board.service"
        shutil.copy(PROJECT / "systemd/companion-board.service", unit)
        shutil.copytree(file.parent, tmp_path / "companion-board.service.d")
        done = subprocess.run(
            ["systemd-analyze", "verify", "--recursive-errors=no", "--man=no", str(unit)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert [line for line in done.stderr.splitlines() if "is not executable" not in line] == []

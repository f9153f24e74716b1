"""A table, a broker of its own and a board, for one evening on one computer: begun together, ended together."""

import contextlib
import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.core.errors import CompanionError
from companion.devices.board_page import own_address
from companion.devices.machine import has_display
from companion.reports.qr_code import qr_rows

SBIN = "/usr/sbin"  # where Debian has Mosquitto, and not everybody's PATH does
PATIENCE = 20.0  # seconds until a broker or a board is there
GOODBYE = 5.0  # seconds until one that does not end is killed
USER, TABLE = "table", "table"
NO_BROKER = (
    "There is no Mosquitto here, so the game is played without a board; sudo apt install mosquitto "
    "mosquitto-clients brings it."
)
NO_DISPLAY = "Without a display bots play a demo, which is not published: the page stays empty."

Say = Callable[[str], None]


def program(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:{SBIN}")


def play(table: Sequence[str], say: Say, *, in_lan: bool) -> int:
    """The exit code of the table."""
    mosquitto, passwords = program("mosquitto"), program("mosquitto_passwd")
    if mosquitto is None or passwords is None:
        say(NO_BROKER)
        return _table(table)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="companion-board-")))
        port = stack.enter_context(_broker(folder, mosquitto, passwords))
        address = stack.enter_context(_board(folder, port, in_lan=in_lan))
        for line in _invitation(address, in_lan=in_lan):
            say(line)
        if not has_display():
            say(NO_DISPLAY)
        page = int(address.rpartition(":")[2].rstrip("/"))
        return _table([*table, "--configuration", str(_configuration(folder, port, page, in_lan=in_lan))])


def _table(options: Sequence[str]) -> int:
    try:
        return subprocess.run([sys.executable, "-m", "companion", *options], check=False).returncode
    except KeyboardInterrupt:  # the table has had it too
        return 130


@contextlib.contextmanager
def _ended(process: subprocess.Popen[str]) -> Iterator[None]:
    with process:
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(GOODBYE)
            except subprocess.TimeoutExpired:
                process.kill()


@contextlib.contextmanager
def _broker(folder: Path, mosquitto: str, passwords: str) -> Iterator[int]:
    """Its port on the loopback; only who has read the password in this folder gets in."""
    port = _free_port()
    secret = secrets.token_urlsafe(24)
    (folder / "password").touch(mode=0o600)
    (folder / "password").write_text(f"{secret}\n", encoding="utf-8")
    (folder / "users").touch(mode=0o600)
    (folder / "users").write_text(f"{USER}:{secret}\n", encoding="utf-8")
    subprocess.run([passwords, "-U", str(folder / "users")], check=True, capture_output=True)
    lines = [f"listener {port} 127.0.0.1", f"password_file {folder / 'users'}", "max_queued_messages 0"]
    lines += ["allow_anonymous false", "persistence false", *(["user root"] if os.getuid() == 0 else [])]
    (folder / "mosquitto.conf").write_text("\n".join([*lines, ""]), encoding="utf-8")
    quiet = subprocess.DEVNULL
    command = [mosquitto, "-c", str(folder / "mosquitto.conf")]
    with _ended(subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, text=True)):
        _wait_for(port)
        yield port


@contextlib.contextmanager
def _board(folder: Path, port: int, *, in_lan: bool) -> Iterator[str]:
    """Its address."""
    command = [sys.executable, "-m", "companion", "board", "--broker", f"127.0.0.1:{port}", "--user", USER]
    command += ["--password-file", str(folder / "password"), "--host", "0.0.0.0" if in_lan else "127.0.0.1"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [*command, "--port", "0"], stdin=subprocess.DEVNULL, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    )
    with _ended(process):
        assert process.stdout
        found = re.search(r"http://\S+:(\d+)/", process.stdout.readline())
        if found is None:
            raise CompanionError("The board did not start: companion board says why.")
        yield f"http://{own_address() if in_lan else '127.0.0.1'}:{found[1]}/"


def _configuration(folder: Path, port: int, page: int, *, in_lan: bool) -> Path:
    lines = ["[publish]", "on = true", 'host = "127.0.0.1"', f"port = {port}", "tls = false", f'name = "{TABLE}"']
    lines += [f'user = "{USER}"', 'password_file = "password"', "discovery = false"]
    lines += ["[board]", "on = true", f"lan = {str(in_lan).lower()}", f"port = {page}", ""]
    file = folder / "table.toml"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def _invitation(address: str, *, in_lan: bool) -> Iterator[str]:
    page = f"{address}table/{TABLE}"
    if in_lan:
        yield f"The score, for everybody in this network: {page}"
        yield from qr_lines(page)
    else:
        yield f"The score, on this computer alone: {page} (BOARD=lan lets in the phones of this network)"


def qr_lines(text: str) -> list[str]:
    """A QR code for a terminal, two rows in a line."""
    dark = qr_rows(text)
    rows = [*dark, *[(False,) * len(row) for row in dark[: len(dark) % 2]]]
    signs = {(False, False): "█", (True, False): "▄", (False, True): "▀", (True, True): " "}
    pairs = (zip(rows[at], rows[at + 1], strict=True) for at in range(0, len(rows) - 1, 2))
    return ["".join(signs[pair] for pair in pair_row) for pair_row in pairs]


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _wait_for(port: int) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            if time.monotonic() > until:
                raise CompanionError("Mosquitto did not start.") from None
            time.sleep(0.05)
        else:
            return

"""Brokers that mean no good, on the loopback, for a referee that publishes: the match goes on as if there were none."""

import contextlib
import os
import select
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tests.attacks.attack import Attack
from tests.attacks.match import Door, Ended, Table, agreed, lines, script

LASTS = 1.5  # seconds that a broker has, after the match was played
USUAL_ANSWER = 3.0  # seconds at most for a message to the referee, in the middle of all; on a busy machine too
LONGEST_END = 6.0  # seconds from the end of the input to that of the process
MOST_MEMORY = 80_000  # kB
MOST_WORK = 0.8  # seconds of processor that a broker may cost in LASTS; a table that spins needs all of them
CONNACK, PUBACK, PINGRESP = b"\x20\x02\x00\x00", b"\x40\x02", b"\xd0\x00"
PIECE = 65_536
AT_THE_TABLE = (
    "hangs after it said yes",
    "reads nothing",
    "says a packet of 256 MB, and sends it",
    "publishes at it without end",
)
MOVES = 30  # of the guest there
SHOW = b'{"do": "show"}\n'

Serve = Callable[[socket.socket, threading.Event], None]


# --- what they do ----------------------------------------------------------------------------------------------


def _says(*pieces: bytes) -> Serve:
    def serve(guest: socket.socket, _over: threading.Event) -> None:
        for piece in pieces:
            guest.sendall(piece)

    return serve


def _hangs(_guest: socket.socket, over: threading.Event) -> None:
    over.wait()


def _then(first: Serve, second: Serve) -> Serve:
    def serve(guest: socket.socket, over: threading.Event) -> None:
        first(guest, over)
        second(guest, over)

    return serve


def _floods(piece: bytes) -> Serve:
    """As fast as the table takes it."""
    whole = piece * max(1, PIECE // len(piece))

    def serve(guest: socket.socket, over: threading.Event) -> None:
        while not over.is_set():
            guest.sendall(whole)

    return serve


def _floods_numbered(head: bytes, tail: bytes) -> Serve:
    """Each with another number."""

    def serve(guest: socket.socket, over: threading.Event) -> None:
        number = 0
        while not over.is_set():
            piece = bytearray()
            for _ in range(200):
                number = number % 65_535 + 1
                piece += head + number.to_bytes(2, "big") + tail
            guest.sendall(piece)

    return serve


def _drips(content: bytes) -> Serve:
    def serve(guest: socket.socket, over: threading.Event) -> None:
        for byte in content * 1000:
            guest.sendall(bytes([byte]))
            if over.wait(0.2):
                return

    return serve


def _noise(guest: socket.socket, over: threading.Event) -> None:
    while not over.is_set():
        guest.sendall(os.urandom(999))


def _acknowledges_wrongly(guest: socket.socket, over: threading.Event) -> None:
    """Whatever comes, what it answers was never sent."""
    while not over.is_set():
        if guest.recv(PIECE):
            guest.sendall(PUBACK + os.urandom(2))


def _reads_nothing(guest: socket.socket, over: threading.Event) -> None:
    guest.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    guest.sendall(CONNACK)
    over.wait()


def _answers(number: int) -> Iterator[bytes]:
    """Every code there is."""
    return (bytes([0x20, 2, 0, code % 256]) for code in range(number))


class EveryCode:
    """Another CONNACK each time."""

    def __init__(self) -> None:
        self._codes = _answers(1000)

    def __call__(self, guest: socket.socket, _over: threading.Event) -> None:
        guest.sendall(next(self._codes))


HUGE = b"\xff\xff\xff\x7f"  # 256 MB less a byte, as a packet says how long it is
TOPIC = b"\x00\x01t"
LETTER = b"\x30\x06" + TOPIC + b"abc"
BROKERS: dict[str, Serve] = {
    "hangs after it was connected": _hangs,
    "hangs after it said yes": _then(_says(CONNACK), _hangs),
    "reads nothing": _reads_nothing,
    "sends noise": _noise,
    "sends noise after it said yes": _then(_says(CONNACK), _noise),
    "refuses with every code": EveryCode(),
    "closes at once, again and again": _says(),
    "closes in the middle of its yes": _says(b"\x20\x02"),
    "closes in the middle of a packet": _says(CONNACK, b"\x40\x02\x00"),
    "says yes a byte at a time": _drips(CONNACK),
    "says a packet of 256 MB, and sends it": _then(_says(CONNACK, b"\x30" + HUGE), _floods(b"\x00" * PIECE)),
    "says yes in 256 MB": _then(_says(b"\x20" + HUGE), _floods(b"\x00" * PIECE)),
    "says a packet of 256 MB, and no more": _then(_says(CONNACK, b"\x40" + HUGE), _hangs),
    "publishes at it without end": _then(_says(CONNACK), _floods(LETTER)),
    "publishes at it, twice confirmed": _then(_says(CONNACK), _floods_numbered(b"\x34\x08" + TOPIC, b"abc")),
    "floods it with signs of life": _then(_says(CONNACK), _floods(PINGRESP)),
    "floods it with acknowledgements": _then(_says(CONNACK), _floods_numbered(PUBACK, b"")),
    "acknowledges what was never sent": _then(_says(CONNACK), _acknowledges_wrongly),
    "says a yes too short and too long": _says(b"\x20\x00", b"\x20\x01\x00", b"\x20\x05\x00\x00\x00\x00\x00"),
}


# --- how the table takes it ------------------------------------------------------------------------------------


@contextmanager
def served(serve: Serve) -> Iterator[tuple[int, list[int]]]:
    """Its port, and the guests it had."""
    over = threading.Event()
    guests: list[int] = []

    def work(door: socket.socket) -> None:
        while not over.is_set():
            try:
                guest, _ = door.accept()
            except TimeoutError:
                continue
            guests.append(1)
            with guest, contextlib.suppress(OSError):
                guest.settimeout(LASTS)
                serve(guest, over)

    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.05)
        thread = threading.Thread(target=work, args=(door,))
        thread.start()
        try:
            yield door.getsockname()[1], guests
        finally:
            over.set()
            thread.join()


def stood(folder: Path, serve: Serve) -> str:
    """A match is played while the broker does what it does."""
    with served(serve) as (port, guests):
        door = Door(folder, words=("--publish", str(_wish(folder, port))))
        with door.opened() as process:
            heard, answers, work = _talked(process)
            memory = _status(process, "VmHWM")
            began = time.monotonic()
            rest, said = process.communicate(timeout=30)
            took = time.monotonic() - began
    ended = Ended(process.returncode, lines(heard + rest), said.decode(errors="replace"))
    ended.must_be_sentences()
    told = agreed(door.journal, ended.told)
    assert told, "nothing was played"
    assert guests, "the table did not come"
    usual = median(answers)
    assert usual < USUAL_ANSWER, f"an answer took {usual:.2f} s, as long as {max(answers):.2f} s"
    assert work < MOST_WORK * LASTS, f"{work:.2f} s of processor in {LASTS:.0f} s"
    assert memory < MOST_MEMORY, f"{memory} kB"
    assert took < LONGEST_END, f"the end took {took:.1f} s"
    return (
        f"{told} told and kept; an answer took {usual * 1000:.1f} ms, {memory // 1000} MB; "
        f"{work:.1f} s of processor in {LASTS:g} s; it said {'; '.join(sorted(set(ended.sentences))) or 'nothing'}"
    )


def _wish(folder: Path, port: int) -> Path:
    file = folder / "publish.toml"
    text = f'[publish]\non = true\nhost = "127.0.0.1"\nport = {port}\ntls = false\nname = "t"\n'
    file.write_text(text, encoding="utf-8")
    return file


def stood_at_the_table(folder: Path) -> str:
    """Some of them for the table on its screen, which is asked to end while they go on."""
    told = 0
    for number, name in enumerate(AT_THE_TABLE):
        place = folder / str(number)
        place.mkdir()
        with served(BROKERS[name]) as (port, guests):
            table = Table(place, words=("--configuration", str(_wish(place, port))))
            ended = table.played(MOVES, lambda process: process.terminate())
        ended.must_be_sentences()
        assert ended.code == 0, (name, ended.code, ended.said)
        assert guests, f"{name}: the table did not come"
        told += agreed(place / "journal.sqlite3", ended.told)
    return f"{told} told and kept, and it ended in order: {'; '.join(AT_THE_TABLE)}"


def _talked(process: subprocess.Popen[bytes]) -> tuple[bytes, list[float], float]:
    """The match, then questions as long as the broker lasts: what was answered, how long each took, and the work."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(script()[0])
    process.stdin.flush()
    heard = _heard(process, 2.0, until=b"")
    before, began, took = _work(process), time.monotonic(), list[float]()
    while time.monotonic() - began < LASTS:
        asked = time.monotonic()
        process.stdin.write(SHOW)
        process.stdin.flush()
        heard += _heard(process, 5.0, until=b"\n")
        took.append(time.monotonic() - asked)
        time.sleep(0.1)
    return heard, took, _work(process) - before


def _heard(process: subprocess.Popen[bytes], seconds: float, until: bytes) -> bytes:
    """What it says, to the end of a line, or until it is quiet for so long."""
    assert process.stdout
    found = b""
    while select.select([process.stdout], [], [], seconds if until or not found else 0.3)[0]:
        more = os.read(process.stdout.fileno(), PIECE)
        found += more
        if not more or (until and found.endswith(until)):
            break
    return found


def _status(process: subprocess.Popen[bytes], key: str) -> int:
    text = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(text.partition(f"{key}:")[2].split()[0])


def _work(process: subprocess.Popen[bytes]) -> float:
    """Seconds of processor so far."""
    fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _attack(name: str, serve: Serve) -> Attack:
    return Attack("broker", name, lambda folder: stood(folder, serve))


ATTACKS = (
    *(_attack(name, serve) for name, serve in BROKERS.items()),
    Attack("broker", "each of some, at the table on its screen", stood_at_the_table),
)

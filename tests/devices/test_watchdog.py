"""What systemd hears: real datagrams, travelled time, and at the end real processes."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.__main__ import AGAIN
from companion.core.clocks import SECOND
from companion.devices import disk, watchdog
from companion.devices.disk import EVERY, HANGS, PATIENCE, Disk, ask
from companion.devices.lock import only_one
from companion.devices.watchdog import Notifier, Watchdog, usual_period
from companion.doctor.health import AILING, WORKS, Finding
from companion.journal.place import suspicion_beside
from tests.kept import COMPANION, PROJECT, contents, many

WELL = Finding("journal", WORKS)


class Ear:
    """Somebody who supervises."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(f"\0{address[1:]}" if address.startswith("@") else address)

    def heard(self, seconds: float = 0) -> list[str]:
        """The lines of one datagram; nothing if none comes."""
        if not select.select([self._socket], [], [], seconds)[0]:
            return []
        return self._socket.recv(4096).decode().split("\n")

    def waits_for(self, line: str, seconds: float = 30) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if line in self.heard(1):
                return
        pytest.fail(f"{line} was not heard")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def ear(tmp_path: Path) -> Iterator[Ear]:
    found = Ear(str(tmp_path / "notify"))
    yield found
    found.close()


# --- the words -------------------------------------------------------------------------------------------------


def test_without_anybody_nothing_is_said() -> None:
    notifier = Notifier()
    notifier.tell("READY=1")
    assert notifier._socket is None
    notifier.close()


def test_an_address_that_nobody_has(tmp_path: Path) -> None:
    notifier = Notifier(str(tmp_path / "nobody"))
    notifier.tell("READY=1")
    assert notifier._socket is None


def test_an_abstract_address() -> None:
    ear = Ear(f"@companion-test-{os.getpid()}")
    with contextlib.closing(ear), contextlib.closing(Notifier(ear.address)) as notifier:
        notifier.tell("READY=1", "STATUS=…")
        assert ear.heard() == ["READY=1", "STATUS=…"]


def test_whoever_does_not_listen_keeps_nobody_waiting(ear: Ear) -> None:
    with contextlib.closing(Notifier(ear.address)) as notifier:
        began = time.monotonic()
        for _ in range(2000):
            notifier.tell("WATCHDOG=1" + "x" * 500)
        assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("period", "owner", "wanted"),
    [
        ("30000000", "", 30 * SECOND),
        ("30000000", str(os.getpid()), 30 * SECOND),
        ("30000000", "1", None),
        ("0", "", None),
        ("soon", "", None),
        ("", "", None),
    ],
    ids=["for whoever it is", "for this process", "for another one", "none", "no number", "not there"],
)
def test_the_period(period: str, owner: str, wanted: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(watchdog.PERIOD, period)
    monkeypatch.setenv(watchdog.OWNER, owner)
    assert usual_period() == wanted


# --- feeding ---------------------------------------------------------------------------------------------------


def test_it_is_ready_once_and_fed_four_times_within_the_period(ear: Ear) -> None:
    with contextlib.closing(Notifier(ear.address)) as notifier:
        dog = Watchdog(notifier, [], 20 * SECOND)
        dog.attend(0, "All is well.")
        assert ear.heard() == ["READY=1", "WATCHDOG=1", "STATUS=All is well."]
        fed = 0
        for now in range(SECOND, 61 * SECOND, SECOND):
            dog.attend(now, "All is well.")
            lines = ear.heard()
            assert lines in ([], ["WATCHDOG=1"])
            fed += len(lines)
        assert fed == 12
        assert dog.wakes_at() == 65 * SECOND


def test_what_hangs_starves_it_and_what_comes_back_feeds_it(ear: Ear) -> None:
    why = ""
    with contextlib.closing(Notifier(ear.address)) as notifier:
        dog = Watchdog(notifier, [lambda _now: "", lambda _now: why], 4 * SECOND)
        dog.attend(0)
        assert "WATCHDOG=1" in ear.heard()
        why = "The driver of the buttons hangs."
        dog.attend(SECOND)
        assert ear.heard() == [f"STATUS={why}"]
        dog.attend(2 * SECOND)
        assert ear.heard() == []
        assert dog.hangs == why
        why = ""
        dog.attend(3 * SECOND)
        assert ear.heard() == ["WATCHDOG=1", "STATUS="]


def test_a_status_is_one_line(ear: Ear) -> None:
    with contextlib.closing(Notifier(ear.address)) as notifier:
        Watchdog(notifier, [], None).attend(0, "a\nREADY=0\n" + "b" * 500)
        assert ear.heard()[2] == "STATUS=a READY=0 " + "b" * 190


# --- the disk --------------------------------------------------------------------------------------------------


def test_a_disk_that_answers(tmp_path: Path) -> None:
    (tmp_path / "journal").touch()
    before = (tmp_path / "journal").stat()
    assert ask(tmp_path / "journal").state == WORKS
    assert (tmp_path / "journal").stat() == before, "nothing is written"
    assert [path.name for path in tmp_path.iterdir()] == ["journal"]


def test_a_disk_that_is_gone(tmp_path: Path) -> None:
    found = ask(tmp_path / "none" / "journal")
    assert (found.state, found.sentence) == (AILING, "The disk with the journal has errors.")


MOUNTS = """\
22 1 0:20 / / rw,relatime - overlay overlayroot rw
23 22 179:3 / /var/lib/companion rw,noatime - ext4 /dev/mmcblk0p3 rw
24 22 0:21 / /run rw,nosuid shared:5 - tmpfs tmpfs rw
25 22 8:1 / /media/my\\040stick rw - vfat /dev/sda1 rw
"""


@pytest.mark.parametrize(
    ("folder", "is_forgetful"),
    [
        ("/var/lib/companion", False),
        ("/var/lib/companion/more", False),
        ("/var/lib/companions", True),
        ("/run/companion", True),
        ("/media/my stick/journal", False),
    ],
)
def test_what_is_kept_in_memory_only(folder: str, is_forgetful: bool, tmp_path: Path) -> None:
    (tmp_path / "mounts").write_text(MOUNTS, encoding="utf-8")
    assert disk.is_forgetful(Path(folder), tmp_path / "mounts") is is_forgetful


def test_a_disk_that_should_be_mounted(tmp_path: Path) -> None:
    state, other = tmp_path / "my state", tmp_path / "other"
    for folder in (state / "more", other):
        folder.mkdir(parents=True)
    spaced = str(state).replace(" ", "\\040")
    (tmp_path / "fstab").write_text(
        "PARTUUID=1-02 / ext4 defaults,noatime 0 1\n"
        f"# LABEL=old {other} ext4 defaults 0 2\n"
        f"LABEL=state {spaced} ext4 noatime,nofail 0 2\n"
        f"LABEL=none {tmp_path}/none ext4 nofail 0 2\n"
        "proc /proc proc defaults 0 0\n"
        "/swapfile none swap sw 0 0\n",
        encoding="utf-8",
    )

    def missing(folder: Path) -> str:
        return disk.unmounted(folder, tmp_path / "fstab")

    assert missing(state) == missing(state / "more") == str(state)
    assert missing(tmp_path / "none") == f"{tmp_path}/none"
    assert missing(other) == ""
    assert missing(Path("/proc/self")) == "", "which is mounted"
    assert disk.unmounted(state, tmp_path / "no-fstab") == ""


def test_where_mounts_cannot_be_told(tmp_path: Path) -> None:
    assert not disk.is_forgetful(tmp_path, tmp_path / "none")
    (tmp_path / "mounts").write_text("strange\n", encoding="utf-8")
    assert not disk.is_forgetful(tmp_path, tmp_path / "mounts")


def test_a_disk_that_does_not_answer_hangs_after_a_while_and_is_not_asked_twice() -> None:
    waiting: list[Callable[[], None]] = []
    asked = Disk(Path("journal"), ask=lambda _: WELL, run=waiting.append)
    asked.attend(0)
    assert not asked.part.is_missed
    for now in range(0, PATIENCE + SECOND, SECOND):
        asked.attend(now)
        assert asked.hangs(now) == ""
    assert len(waiting) == 1
    assert asked.hangs(PATIENCE + 1) == HANGS
    waiting.pop()()
    assert asked.hangs(PATIENCE + 2) == ""
    assert asked.part.state == "working"
    asked.attend(PATIENCE + 3)
    assert len(waiting) == 1, f"and it is asked again every {EVERY // SECOND} s"


# --- real processes --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def table(folder: Path, address: str, *words: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """The table as systemd starts it, on a screen that nobody sees."""
    pytest.importorskip("pygame")
    process = subprocess.Popen(
        [*COMPANION, "--real", "--journal", str(folder / "journal.sqlite3"), *words],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]),
            "SDL_VIDEODRIVER": "dummy",
            "SDL_AUDIODRIVER": "dummy",
            "NOTIFY_SOCKET": address,
            "WATCHDOG_USEC": "2000000",
            "HOME": str(folder),
            **environment,
        },
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stderr
        process.stderr.close()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_table_is_ready_fed_and_ends_in_order(number: signal.Signals, ear: Ear, tmp_path: Path) -> None:
    with table(tmp_path, ear.address) as process:
        ear.waits_for("READY=1")
        ear.waits_for("WATCHDOG=1")
        process.send_signal(number)
        ear.waits_for("STOPPING=1")
        assert process.wait(20) == 0
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()


def test_a_table_that_hangs_is_not_fed(ear: Ear, tmp_path: Path) -> None:
    """The whole process stands, as it does when its loop hangs in a driver."""
    with table(tmp_path, ear.address) as process:
        ear.waits_for("READY=1")
        process.send_signal(signal.SIGSTOP)
        while ear.heard(0.1):
            pass
        assert ear.heard(1.5) == []
        process.send_signal(signal.SIGCONT)
        ear.waits_for("WATCHDOG=1")


HANGING = """
import sys
from companion.display.app import App
attend = App.attend
def hangs(app, now):
    import threading
    attend(app, now)
    print("hangs", file=sys.stderr, flush=True)
    threading.Event().wait()
App.attend = hangs
from companion.cli import main
sys.exit(main())
"""


def test_a_loop_that_hangs_is_not_fed_although_its_threads_live(
    ear: Ear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.devices.test_watchdog.COMPANION", (sys.executable, "-c", HANGING))
    with table(tmp_path, ear.address):
        ear.waits_for("READY=1")
        while ear.heard(0.1):
            pass
        assert ear.heard(1.5) == []


def test_a_second_copy_says_so_and_the_first_goes_on(ear: Ear, tmp_path: Path) -> None:
    with table(tmp_path, ear.address) as first:
        ear.waits_for("READY=1")
        with table(tmp_path, "", NOTIFY_SOCKET="") as second:
            assert second.wait(20) == 2
            assert second.stderr
            said = second.stderr.read().decode()
            assert said.count("\n") == 1
            assert f"The table is open already, as process {first.pid}:" in said
        ear.waits_for("WATCHDOG=1")
        first.kill()
        first.wait()
        with table(tmp_path, ear.address):
            ear.waits_for("READY=1")  # the lock has gone with its process


def test_without_a_screen_the_machines_table_goes_on_and_says_so(ear: Ear, tmp_path: Path) -> None:
    with table(tmp_path, ear.address, SDL_VIDEODRIVER="no-such-driver") as process:
        ear.waits_for("READY=1")
        process.terminate()
        assert process.wait(20) == 0
        assert process.stderr
        said = process.stderr.read().decode()
        assert "There is no screen to draw on" in said
        assert "when one is connected, it is taken at once" in said


GOING = """
import sys
import pygame
from companion.display.app import App
attend, turns = App.attend, iter(range(3))
def goes(app, now):
    attend(app, now)
    if next(turns, None) is None:
        pygame.display.quit()
App.attend = goes
from companion.cli import main
sys.exit(main())
"""


def test_when_the_screen_goes_it_is_started_anew(ear: Ear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It does not go on in the same process: whoever was told that it ends would end it."""
    monkeypatch.setattr("tests.devices.test_watchdog.COMPANION", (sys.executable, "-c", GOING))
    with table(tmp_path, ear.address) as process:
        ear.waits_for("READY=1")
        assert process.wait(20) == AGAIN
        assert process.stderr
        said = process.stderr.read().decode()
        assert "The screen is gone" in said
        assert "offered when the table is opened again" in said
    with table(tmp_path, "", NOTIFY_SOCKET="") as process:
        assert process.wait(20) == 2, "no bots play instead"


def test_whoever_waits_for_another_copy_may_be_asked_to_end(ear: Ear, tmp_path: Path) -> None:
    with only_one(tmp_path / "journal.sqlite3"), table(tmp_path, ear.address) as process:
        ear.waits_for(f"EXTEND_TIMEOUT_USEC={60_000_000}")
        process.terminate()
        assert process.wait(10) == 0
        assert process.stderr
        assert process.stderr.read() == b""


def test_a_journal_that_takes_long_to_mend_keeps_nobody_in_the_dark(ear: Ear, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    whole = many(path, 60)
    content = bytearray(path.read_bytes())
    content[20_000] ^= 1
    path.write_bytes(content)
    suspicion_beside(path).touch()  # it was found before, and could not be mended
    with table(tmp_path, ear.address) as process:
        ear.waits_for(f"EXTEND_TIMEOUT_USEC={60_000_000}")
        process.terminate()
        assert process.wait(10) == 0, "it can be broken off"
    assert path.read_bytes() == bytes(content)
    with table(tmp_path, ear.address):
        ear.waits_for("READY=1")
    assert len(contents(path)[0]) >= len(whole) - 1


def test_a_table_stands_before_its_journal_was_read_and_mends_it_then(ear: Ear, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    whole = many(path, 10)
    content = bytearray(path.read_bytes())
    content[20_000] ^= 1
    path.write_bytes(content)
    with table(tmp_path, ear.address) as process:
        ear.waits_for("READY=1")
        until = time.monotonic() + 60
        while not suspicion_beside(path).exists() and not [*tmp_path.glob("journal.damaged-*")]:
            assert time.monotonic() < until
            time.sleep(0.1)
        while suspicion_beside(path).exists():
            assert time.monotonic() < until
            time.sleep(0.1)
        process.terminate()
        assert process.wait(20) == 0
        assert process.stderr
        said = process.stderr.read().decode()
    assert "The matches that were kept here are damaged" in said
    assert "The journal was damaged (" in said
    found, notices = contents(path)
    assert not notices
    assert len(found) >= len(whole) - 1


def test_mistakes_in_the_configuration_stop_no_table(ear: Ear, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[screen]\nsize = 3\n[backup", encoding="utf-8")
    with table(tmp_path, ear.address, "--configuration", str(tmp_path / "bad.toml")) as process:
        ear.waits_for("READY=1")
        process.terminate()
        assert process.wait(20) == 0
        assert process.stderr
        assert "is not TOML" in process.stderr.read().decode()

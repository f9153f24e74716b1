"""What a command does when a signal asks it to end: everything told is kept, and it ends by that signal."""

import json
import os
import select
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.core.entry import Made
from companion.devices.signals import ENDS, SAY_NOTHING, Signalled, end_here, heard
from companion.journal import Journal
from tests.kept import COMPANION, PROJECT

MOVE = b'{"move": "put", "player": "Anna", "place": "left"}\n'
SHOW = b'{"do": "show"}\n'


@contextmanager
def referee(journal: Path, *before: str, stdout: int = subprocess.PIPE) -> Iterator[subprocess.Popen[bytes]]:
    words = [*before, *COMPANION, "referee", "triplexity", "--players", "Anna,Ben", "--journal", str(journal)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=stdout, stderr=subprocess.PIPE, cwd=PROJECT) as process:
        try:
            yield process
        finally:
            process.kill()


def tell(process: subprocess.Popen[bytes], line: bytes, kind: str) -> None:
    """Say something, and wait for its answer."""
    assert process.stdin
    assert process.stdout
    process.stdin.write(line)
    process.stdin.flush()
    while json.loads(process.stdout.readline())["kind"] != kind:
        pass


def entries(journal: Path) -> list[Any]:
    with Journal.open(journal) as opened:
        (only,) = opened.matches()
        return [type(entry) for entry in opened.stored(only.code).entries]


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_referee_that_is_asked_to_end(name: str, tmp_path: Path) -> None:
    number = signal.Signals[name]
    journal = tmp_path / "journal.sqlite3"
    with referee(journal) as process:
        tell(process, MOVE, "ruling")
        for quiet in SAY_NOTHING:
            process.send_signal(quiet)
        tell(process, SHOW, "state")
        process.send_signal(number)
        _, said = process.communicate(timeout=20)
        assert (process.returncode, said) == (-number, b"")
    assert not list(tmp_path.glob("*-wal")), "the journal was closed, not left behind"
    assert entries(journal) == [Made]


def test_what_is_to_be_ignored_is_ignored(tmp_path: Path) -> None:
    """`nohup companion ...` goes on when the terminal is closed."""
    with referee(tmp_path / "journal.sqlite3", "nohup") as process:
        tell(process, MOVE, "ruling")
        process.send_signal(signal.SIGHUP)
        tell(process, SHOW, "state")


def test_nobody_who_does_not_read_keeps_it(tmp_path: Path) -> None:
    """The output is a full pipe: the process ends all the same, and what was kept is kept."""
    ear, mouth = os.pipe()
    journal = tmp_path / "journal.sqlite3"
    with referee(journal, stdout=mouth) as process:
        assert process.stdin
        assert process.stderr
        process.stdin.write(MOVE + SHOW * 200)
        process.stdin.flush()
        while select.select([], [mouth], [], 0.2)[1]:
            pass
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == -signal.SIGTERM
        assert process.stderr.read() == b""
        process.stdin.close()
    os.close(ear)
    os.close(mouth)
    assert entries(journal) == [Made]


def test_the_second_signal_ends_at_once() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with heard(end_here):
        with pytest.raises(Signalled):
            os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert signal.getsignal(signal.SIGTERM) == before


def test_only_the_main_thread_hears() -> None:
    done = []

    def elsewhere() -> None:
        with heard(end_here):
            done.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    assert done == [signal.getsignal(signal.SIGTERM)]


def test_no_signal_both_ends_and_says_nothing() -> None:
    assert not set(ENDS) & set(SAY_NOTHING)
    assert not {signal.SIGKILL, signal.SIGSTOP, signal.SIGCONT, signal.SIGTSTP, signal.SIGCHLD} & {*ENDS, *SAY_NOTHING}

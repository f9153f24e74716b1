"""No room: for a byte, a part of the program, a thread, an open file. It ends in one sentence, and is started again."""

import errno
import resource
import subprocess
import sys
import threading
from pathlib import Path

import pygame
import pytest

from companion import cli
from companion.__main__ import AGAIN, NO_ROOM, UNDONE, ending_in_a_sentence, if_installed, is_short
from companion.devices.disk import EVERY, Disk
from companion.display.loop import OUT_OF_MEMORY, NoScreenError, no_screen
from companion.publishing.broker import NO_THREAD
from companion.publishing.publisher import opened
from companion.publishing.wish import Publish
from tests.attacks.match import Door, agreed
from tests.attacks.scarcity import at_most
from tests.kept import PROJECT

ENDS = (
    MemoryError(),
    SystemError("<built-in function compile> returned NULL without setting an exception"),
    ValueError("field 'target' is required for AnnAssign"),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    OSError(errno.EMFILE, "Too many open files"),
    ImportError("libsqlite3.so.0: failed to map segment from shared object"),
    RuntimeError("can't start new thread"),
)


@pytest.mark.parametrize("error", ENDS, ids=repr)
def test_it_ends_in_a_sentence(error: Exception, capfd: pytest.CaptureFixture[str]) -> None:
    def runs() -> int:
        raise error

    assert ending_in_a_sentence(runs) == AGAIN
    assert capfd.readouterr().err == NO_ROOM.decode()


@pytest.mark.parametrize(
    "error",
    [RuntimeError("wrong"), ValueError("wrong"), ImportError("no module"), OSError(errno.EIO, "broken")],
    ids=repr,
)
def test_what_is_something_else_is_not_called_so(error: Exception) -> None:
    assert not is_short(error)

    def runs() -> int:
        raise error

    with pytest.raises(type(error)):
        ending_in_a_sentence(runs)


def test_a_thread_that_ends_for_want_of_room_says_so(capfd: pytest.CaptureFixture[str]) -> None:
    def runs() -> int:
        thread = threading.Thread(target=_starves)
        thread.start()
        thread.join()
        return 0

    assert ending_in_a_sentence(runs) == 0
    assert capfd.readouterr().err == UNDONE.decode()


def _starves() -> None:
    raise MemoryError


NO_MORE_FILES = """
import errno, sys
from companion.__main__ import ending_in_a_sentence
from companion.core.packages import packages

class NoMoreFiles:
    def find_spec(self, name, path=None, target=None):
        if name == "numpy._core":
            raise OSError(errno.EMFILE, "Too many open files", name)

def reads():
    with packages():
        import cv2
    return 0

sys.meta_path.insert(0, NoMoreFiles())
sys.exit(ending_in_a_sentence(reads))
"""


def test_opencv_without_open_files_prints_no_traceback() -> None:
    """It is loaded by C, which prints the error that it met, and raises another one."""
    ended = subprocess.run([sys.executable, "-c", NO_MORE_FILES], cwd=PROJECT, capture_output=True, check=False)
    assert (ended.returncode, ended.stderr) == (AGAIN, NO_ROOM)


def test_what_is_loaded_beside_the_table_and_finds_no_room_says_so(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def loads() -> None:
        _print_as_c_does(OSError(errno.EMFILE, "Too many open files"), monkeypatch)
        with if_installed():
            raise ImportError("numpy.core.multiarray failed to import")

    def runs() -> int:
        thread = threading.Thread(target=loads)
        thread.start()
        thread.join()
        return 0

    assert ending_in_a_sentence(runs) == 0
    assert capfd.readouterr().err == UNDONE.decode()


def test_what_a_library_prints_of_something_else_is_printed(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def runs() -> int:
        _print_as_c_does(OSError(errno.EIO, "broken"), monkeypatch)
        with if_installed():
            raise ImportError("numpy.core.multiarray failed to import")
        return 0

    assert ending_in_a_sentence(runs) == 0
    assert capfd.readouterr().err == "OSError: [Errno 5] broken\n"


def _print_as_c_does(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "last_value", error, raising=False)
    sys.excepthook(type(error), error, None)


def test_a_door_without_memory(tmp_path: Path) -> None:
    """It cannot even be loaded."""
    ended = Door(tmp_path, at_most(resource.RLIMIT_AS, 28_000_000)).played()
    assert (ended.code, ended.told, ended.said) == (AGAIN, [], NO_ROOM.decode())


def test_memory_that_runs_out_in_mid_match(tmp_path: Path) -> None:
    ended = Door(tmp_path, command=(sys.executable, "-m", "tests.attacks.guest", "door", "2")).played()
    assert (ended.code, ended.said) == (AGAIN, NO_ROOM.decode())
    assert agreed(tmp_path / "journal.sqlite3", ended.told) > 10


def test_too_many_open_files_are_no_refusal_of_the_system(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which ends with a code by which a table on a desktop is not started again."""

    def runs(_arguments: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(cli, "_run", runs)
    assert ending_in_a_sentence(lambda: cli.main([])) == AGAIN
    assert capfd.readouterr().err == NO_ROOM.decode()


def test_a_disk_is_not_blamed_for_want_of_open_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    asked = Disk(tmp_path / "journal.sqlite3", run=lambda work: work())
    asked.attend(0)
    before = asked.part
    monkeypatch.setattr("companion.devices.disk.os.open", refuses)
    asked.attend(EVERY)
    assert asked.part == before


def test_systemd_starts_it_again() -> None:
    """The window of a desktop is not started again after one code only, and that is another."""
    units = Path(__file__).parents[1] / "systemd"
    assert f"RestartPreventExitStatus={AGAIN}" not in (units / "companion-desktop.service").read_text(encoding="utf-8")


def test_the_screens_memory_is_memory() -> None:
    assert isinstance(no_screen(pygame.error(OUT_OF_MEMORY)), MemoryError)
    assert isinstance(no_screen(pygame.error("nothing is connected")), NoScreenError)


def test_no_thread_for_publishing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    said: list[str] = []
    monkeypatch.setattr(threading.Thread, "start", refuses)
    with opened(Publish(on=True, host="127.0.0.1", name="t"), said.append) as publisher:
        assert publisher.finding.sentence == NO_THREAD
    assert said == [NO_THREAD]

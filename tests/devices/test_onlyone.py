"""One table at a time on one journal."""

import os
import signal
from pathlib import Path

import pytest

from companion.devices.lock import SecondCopyError, beside, only_one


def test_a_second_copy_is_told_who_the_first_is(tmp_path: Path) -> None:
    journal = tmp_path / "state" / "journal.sqlite3"
    with only_one(journal):
        with pytest.raises(SecondCopyError, match=f"as process {os.getpid()}: ") as refused, only_one(journal):
            pass
        assert str(journal) in str(refused.value)
        with only_one(tmp_path / "other"):
            pass
    with only_one(journal):
        pass


def test_whoever_is_about_to_end_is_waited_for(tmp_path: Path) -> None:
    journal, waited = tmp_path / "journal", 0.0

    def sleep(seconds: float) -> None:
        nonlocal waited
        waited += seconds
        if waited >= 2:
            first.close()

    first = beside(journal).open("w")
    import fcntl  # noqa: PLC0415

    fcntl.flock(first, fcntl.LOCK_EX)
    with only_one(journal, patience=10, sleep=sleep):
        assert waited == 2
    with only_one(journal), pytest.raises(SecondCopyError), only_one(journal, patience=3, sleep=lambda _: None):
        pass


def test_the_lock_goes_with_its_process_however_it_ends(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        with only_one(journal):
            os.write(mouth, b"!")
            signal.pause()
    assert os.read(ear, 1) == b"!"
    with pytest.raises(SecondCopyError, match=f"process {child}"), only_one(journal):
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with only_one(journal):
        pass
    os.close(ear)
    os.close(mouth)


def test_where_nothing_can_be_kept_there_is_nothing_to_quarrel_about(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with only_one(tmp_path / "file" / "journal"), only_one(tmp_path / "file" / "journal"):
        pass

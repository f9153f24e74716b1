"""A file written whole: what was there stays until the new one is complete, and nothing is left beside it."""

import errno
import os
import stat
from pathlib import Path

import pytest

from companion.core import wholefile as whole
from companion.core.errors import CompanionError, UnsureError
from companion.journal.archive import write_whole


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "file"
    whole.write(made, b"old")
    return made


def full(_file: int) -> None:
    raise OSError(28, "No space left on device")


def test_what_was_there_is_replaced(file: Path) -> None:
    whole.write(file, b"new")
    whole.write(file.with_name("other"), b"", lasting=False)
    assert {one.name: one.read_bytes() for one in file.parent.iterdir()} == {"file": b"new", "other": b""}


def test_a_full_disk_leaves_what_was_there_and_nothing_beside_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        whole.write(file, b"new")
    assert {one.name: one.read_bytes() for one in file.parent.iterdir()} == {"file": b"old"}


def test_what_need_not_last_does_not_wait_for_the_disk(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", full)
    whole.write(file, b"new", lasting=False)
    assert file.read_bytes() == b"new"


def test_a_folder_whose_names_cannot_be_kept_is_no_failure(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def of_files_only(opened: int) -> None:
        asked.append(stat.S_ISDIR(os.fstat(opened).st_mode))
        if asked[-1]:
            raise OSError(22, "Invalid argument")

    monkeypatch.setattr(os, "fsync", of_files_only)
    whole.write(file, b"new")
    assert asked == [False, True]
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("where", ["none/file", "file/below"])
def test_where_no_file_can_be(file: Path, where: str) -> None:
    with pytest.raises(OSError, match=r"No such file|Not a directory"):
        whole.write(file.parent / where, b"new")
    assert [one.name for one in file.parent.iterdir()] == ["file"]


@pytest.mark.parametrize("number", [errno.EIO, errno.ENOSPC, errno.EROFS])
def test_a_folder_that_fails_leaves_open_whether_the_file_lasts(
    number: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def fails_of_folders(opened: int) -> None:
        if stat.S_ISDIR(os.fstat(opened).st_mode):
            raise OSError(number, "It fails")
        sync(opened)

    monkeypatch.setattr(os, "fsync", fails_of_folders)
    with pytest.raises(UnsureError, match="It fails"):
        whole.write(file, b"new")
    with pytest.raises(CompanionError, match=r"is written, but its disk fails \(It fails\), and nobody knows"):
        write_whole(file, "newer")

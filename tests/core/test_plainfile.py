"""Files that others made: whatever lies there, it is a plain file of the size that was expected, or one sentence."""

import os
import socket
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import IO

import pytest

from companion.core import plainfile
from companion.core.errors import NotPlainError, TooLargeError, TooSlowError, UnreadableError

MOST = 100_000


def made(path: Path, content: bytes = b"") -> Path:
    path.write_bytes(content)
    return path


def test_a_plain_file_is_read_whole(tmp_path: Path) -> None:
    path = made(tmp_path / "file", b"x" * MOST)
    link = tmp_path / "link"
    link.symlink_to(path)
    assert plainfile.content(path, MOST) == plainfile.content(link, MOST) == path.read_bytes()
    assert plainfile.text(made(tmp_path / "empty"), MOST) == ""
    assert plainfile.beginning(path, 7) == b"xxxxxxx"
    with plainfile.opened(path) as file:
        file.seek(-1, os.SEEK_END)
        assert file.read() == b"x"


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(path.parent)  # its name may not be long
        made.bind(path.name)
        os.chdir(here)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


NO_FILES: tuple[tuple[Callable[[Path], None], str], ...] = (
    (a_pipe, "it is a pipe, not a file"),
    (a_socket, "it is a socket, not a file"),
    (a_device, "it is a device, not a file"),
    (Path.mkdir, "it is a folder; name a file in it"),
)


@pytest.mark.parametrize(("make", "why"), NO_FILES)
def test_what_is_no_file_is_not_opened(tmp_path: Path, make: Callable[[Path], None], why: str) -> None:
    path = tmp_path / "thing"
    make(path)
    for read in (plainfile.content, plainfile.beginning, plainfile.text):
        with pytest.raises(NotPlainError) as caught:
            read(path, MOST)
        assert str(caught.value) == f"{path} cannot be read: {why}."
        assert caught.value.strerror == why


def test_what_is_a_pipe_only_when_it_is_opened_holds_nobody_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody exchanges it between the look and the opening."""
    path, opening = made(tmp_path / "file", b"x"), os.open

    def exchanged(name: Path, flags: int) -> int:
        path.unlink()
        os.mkfifo(path)
        return opening(name, flags)

    monkeypatch.setattr(os, "open", exchanged)
    with pytest.raises(NotPlainError, match="it is a pipe"):
        plainfile.content(path, MOST)


def test_a_file_of_nothing_but_a_length_is_refused_unread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path / "sparse")
    os.truncate(path, 10 * 10**9)
    monkeypatch.setattr(plainfile, "_read", lambda *_: pytest.fail("it was read"))
    with pytest.raises(TooLargeError) as caught:
        plainfile.content(path, 8 * 1024 * 1024)
    assert str(caught.value) == f"{path} cannot be read: it is larger than 8 MB."


def test_a_file_that_grows_is_read_no_further_than_it_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, reading = made(tmp_path / "file", b"x" * MOST), plainfile._read

    def grown(path: Path, file: IO[bytes], most: int, patience: float) -> bytes:
        os.truncate(path, 10**9)
        found = reading(path, file, most, patience)
        assert len(found) == MOST + 1
        return found

    monkeypatch.setattr(plainfile, "_read", grown)
    with pytest.raises(TooLargeError):
        plainfile.content(path, MOST)


def test_a_file_that_comes_drop_by_drop_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, clock = made(tmp_path / "file", b"x" * 5_000_000), count()
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    with pytest.raises(TooSlowError, match="it did not come within 2 s: copy it"):
        plainfile.content(path, 10**7, patience=2)
    assert len(plainfile.content(path, 10**7, patience=20)) == 5_000_000


@pytest.mark.parametrize("name", ["not there", "n\0ul", "x" * 300, "file/below"])
def test_a_name_that_leads_nowhere(tmp_path: Path, name: str) -> None:
    made(tmp_path / "file")
    with pytest.raises(OSError) as caught:  # noqa: PT011  (whichever the system has)
        plainfile.content(tmp_path / name, MOST)
    assert caught.value.strerror


def test_what_is_wrong_is_a_sentence_of_the_companion(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError) as caught:
        plainfile.content(made(tmp_path / "a\x1b[31mfile", b"x" * 21), 20)
    assert "\x1b" not in str(caught.value)
    assert str(caught.value).endswith("file cannot be read: it is larger than 20 bytes.")

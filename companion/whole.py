"""A file that is there whole or not at all: written beside its place, then renamed into it."""

import contextlib
import os
from pathlib import Path


def write(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """With an OSError there is what was there before; what need not outlast a power cut does not wait for the disk."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as file:
            file.write(content)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        beside.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
    if lasting:
        keep_names(path.parent)


def keep_names(folder: Path) -> None:
    """What was made and renamed there outlasts a power cut from now on."""
    with contextlib.suppress(OSError):  # not every file system can; the files are there all the same
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

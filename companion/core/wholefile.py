"""A file that is there whole or not at all: written beside its place, then renamed into it."""

import contextlib
import errno
import os
from pathlib import Path

from companion.core.errors import UnsureError

INCAPABLE = (errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM)  # file systems and folders that cannot be asked


def write(path: Path, content: bytes, *, lasting: bool = True) -> None:
    """With an OSError there is what was there before, with an UnsureError perhaps the new one; what need not outlast a
    power cut does not wait for the disk."""
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
        try:
            keep_names(path.parent)
        except OSError as error:
            raise UnsureError(error.errno, error.strerror) from None


def keep_names(folder: Path) -> None:
    """What was made and renamed there outlasts a power cut from now on; an OSError where nobody knows."""
    try:
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    except OSError as error:
        if error.errno not in INCAPABLE:  # the files are there all the same
            raise

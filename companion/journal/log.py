"""The write-ahead log beside the file, as SQLite writes it, and what its index in memory has left of it."""

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from companion.core import plainfile
from companion.core.errors import TooLargeError
from companion.journal.rows import PAGE

LOG_HEADER, FRAME_HEADER = 32, 24  # bytes, of the write-ahead log and of each page in it
FRAME = FRAME_HEADER + PAGE
LOG_PAGES = 1000 + 24  # after the thousandth SQLite begins the log anew from its start; a transaction has a few
LARGEST_LOG = 64 << 20  # bytes; a whole match that is taken in is 8 MB
BEHIND = 4 * LOG_PAGES  # frames in which lost transactions are looked for
MAGIC = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")  # the last byte says how the sums were made
INDEX = struct.Struct("=3I2B2x2I8s8s8s")  # the head of the index: version, frames, salts, its own checksum
INDEX_VERSION, MOVED_AT = 3_007_000, 96


@dataclass(frozen=True, slots=True)
class Log:
    """What can be told of a log without the file."""

    salts: bytes  # of this log: another has others
    believed: int  # frames that SQLite believes
    has_lost: bool  # finished transactions lie behind the place where SQLite stops to believe it


def log_of(path: Path) -> Path:
    """Where the log of a file lies."""
    return path.parent / f"{path.name}-wal"


def index_of(path: Path) -> Path:
    """Where the index of its log lies, which goes with the last program that has the file open, if that ends well."""
    return path.parent / f"{path.name}-shm"


def read_log(path: Path) -> Log:
    """SQLite takes the first frame with a wrong checksum for the end. After a power cut that is right, and one
    transaction may lie there unfinished; more of them have been told, and must not be lost without a word."""
    with plainfile.opened(path) as file:
        if os.fstat(file.fileno()).st_size > LARGEST_LOG:
            raise TooLargeError(path, LARGEST_LOG)
        head = file.read(LOG_HEADER)
        words = "<" if head[3:4] == b"\x82" else ">"
        sums = _log_sums(head[:24], words, (0, 0)) if len(head) == LOG_HEADER else (0, 0)
        salts, believed = head[16:24], 0
        frame = file.read(FRAME)
        if head[:4] in MAGIC and head[24:] == struct.pack(">II", *sums):
            while len(frame) == FRAME:
                sums = _log_sums(frame[:8] + frame[FRAME_HEADER:], words, sums)
                if frame[8:16] != salts or frame[16:FRAME_HEADER] != struct.pack(">II", *sums):
                    break
                believed += 1
                frame = file.read(FRAME)
        else:
            salts = frame[8:16]
        return Log(salts, believed, _commits_from(file, frame, salts) > 1)


def _commits_from(file: IO[bytes], frame: bytes, salts: bytes) -> int:
    """How many transactions of this log end in a frame or in some that come after it."""
    found = 0
    for _ in range(BEHIND):
        if len(frame) < FRAME:
            break
        found += frame[4:8] != bytes(4) and frame[8:16] == salts
        frame = file.read(FRAME)
    return found


def _log_sums(data: bytes, words: str, sums: tuple[int, int]) -> tuple[int, int]:
    """The checksum of a write-ahead log, carried on."""
    one, two = sums
    numbers = iter(struct.unpack(f"{words}{len(data) // 4}I", data))
    for first, second in zip(numbers, numbers, strict=True):
        one = one + first + two & 0xFFFFFFFF
        two = two + second + one & 0xFFFFFFFF
    return one, two


def is_another(log: Log | None, index: Path) -> bool:
    """Whether the index that a program left that was killed tells of more than this log has: then it is an older one,
    or one of another file, or the log is gone. Once written it told only of what was on the disk already."""
    try:
        head = plainfile.beginning(index, MOVED_AT + 4)
    except OSError:
        return False
    if len(head) < MOVED_AT + 4 or head[: INDEX.size] != head[INDEX.size : 2 * INDEX.size]:
        return False
    version, _, _, is_written, _, frames, _, _, salts, own = INDEX.unpack_from(head)
    sums = struct.pack("=2I", *_log_sums(head[:40], "=", (0, 0)))
    if version != INDEX_VERSION or not is_written or own != sums:
        return False
    (moved,) = struct.unpack_from("=I", head, MOVED_AT)  # into the file
    return frames > moved and (log is None or log.salts != salts or log.believed < frames)

"""The write-ahead log beside the file, as SQLite writes it."""

import struct
from pathlib import Path

from companion.journal.rows import PAGE

LOG_HEADER, FRAME_HEADER = 32, 24  # bytes, of the write-ahead log and of each page in it
LOG_PAGES = 1000 + 24  # after the thousandth SQLite begins the log anew from its start; a transaction has a few


def log_of(path: Path) -> Path:
    """Where the log of a file lies."""
    return path.with_name(f"{path.name}-wal")


def has_lost_commits(log: bytes) -> bool:
    """Whether a write-ahead log holds finished transactions behind the place where SQLite stops to believe it.

    SQLite takes the first frame with a wrong checksum for the end. After a power cut that is right, and one
    transaction may lie there unfinished; more of them have been told, and must not be lost without a word.
    """
    size = FRAME_HEADER + PAGE
    frames = [log[at : at + size] for at in range(LOG_HEADER, len(log) - size + 1, size)]
    if not frames:
        return False
    words = "<" if log[3:4] == b"\x82" else ">"  # the last byte of the magic number: how the sums were made
    sums = _log_sums(log[:24], words, (0, 0))
    salts = log[16:24]
    believed = 0
    if log[24:LOG_HEADER] == struct.pack(">II", *sums):
        for frame in frames:
            sums = _log_sums(frame[:8] + frame[FRAME_HEADER:], words, sums)
            if frame[8:16] != salts or frame[16:FRAME_HEADER] != struct.pack(">II", *sums):
                break
            believed += 1
    else:
        salts = frames[0][8:16]
    return sum(frame[4:8] != bytes(4) and frame[8:16] == salts for frame in frames[believed:]) > 1


def _log_sums(data: bytes, words: str, sums: tuple[int, int]) -> tuple[int, int]:
    """The checksum of a write-ahead log, carried on."""
    one, two = sums
    numbers = iter(struct.unpack(f"{words}{len(data) // 4}I", data))
    for first, second in zip(numbers, numbers, strict=True):
        one = one + first + two & 0xFFFFFFFF
        two = two + second + one & 0xFFFFFFFF
    return one, two

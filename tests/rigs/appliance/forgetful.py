"""A disk that forgets: of what was written to it and not flushed, each sector is there or not, by chance.

QEMU's blklogwrites writes down every request of the guest in the format of Linux's dm-log-writes: a superblock, then
for each request a header of a sector and what was written. Done again on a copy of the disk from before, up to the
last flush in full and after it only in part, that is what a card holds whose cache had no power left.
"""

import random
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.rigs.running import RigError

MAGIC = 0x6A736677736872
SUPER = struct.Struct("<QQQI")  # magic, version, entries, size of a sector
ENTRY = struct.Struct("<QQQQ")  # sector, sectors, flags, length of a mark
FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
SECTOR = 512


@dataclass(frozen=True, slots=True)
class Request:
    """A write to the disk, or a flush, which has no data."""

    at: int  # bytes
    data: bytes
    flags: int
    end: int  # of it in the log


@dataclass(frozen=True, slots=True)
class Forgotten:
    flushes: int
    sure: int  # sectors that a flush came after
    unsure: int
    lost: int  # of them


class LogError(RigError):
    """The log of the writes cannot be read."""


def requests(log: bytes) -> list[Request]:
    """In the order in which they were done; one that the cut broke off was never done."""
    if not log:  # nothing was asked for yet
        return []
    if len(log) < SECTOR or SUPER.unpack_from(log)[0] != MAGIC:
        raise LogError("this is no log of writes")
    size = SUPER.unpack_from(log)[3]
    found, place = [], size
    while place + size <= len(log):
        sector, count, flags, mark = ENTRY.unpack_from(log, place)
        if not count and not flags:
            break
        place += size
        length = mark if flags & MARK else 0 if flags & DISCARD else count * size
        if place + length > len(log):
            break
        if not flags & (MARK | DISCARD):
            found.append(Request(sector * size, log[place : place + length], flags, place + length))
        place += -(-length // size) * size
    return found


def forget(disk: Path, done: Sequence[Request], chance: random.Random) -> Forgotten:
    """Make the disk from before the one that it is after a cut, when so much had been asked of it."""
    last = max((number for number, request in enumerate(done) if request.flags & FLUSH), default=-1)
    sure = unsure = lost = 0
    with disk.open("r+b") as file:
        for number, request in enumerate(done):
            for start in range(0, len(request.data), SECTOR):
                is_sure = number < last or request.flags & FUA
                sure += bool(is_sure)
                unsure += not is_sure
                if not is_sure and chance.random() < 0.5:
                    lost += 1
                    continue
                file.seek(request.at + start)
                file.write(request.data[start : start + SECTOR])
    return Forgotten(sum(bool(request.flags & FLUSH) for request in done), sure, unsure, lost)

"""The disk that forgets: what a flush came after is there, of the rest some, and what was not asked for is not."""

import random
from pathlib import Path

import pytest

from tests.rigs.appliance.forgetful import ENTRY, FLUSH, FUA, MAGIC, SECTOR, SUPER, LogError, forget, requests


def padded(data: bytes) -> bytes:
    return data.ljust(-(-len(data) // SECTOR) * SECTOR, b"\0")


def log_of(*asked: tuple[int, bytes, int]) -> bytes:
    """As QEMU writes it: sector, what is written there, flags."""
    parts = [padded(SUPER.pack(MAGIC, 1, len(asked), SECTOR))]
    for sector, data, flags in asked:
        parts += [padded(ENTRY.pack(sector, len(data) // SECTOR, flags, 0)), data]
    return b"".join(parts)


def sectors(letter: bytes, number: int = 1) -> bytes:
    return letter * SECTOR * number


ASKED = log_of(
    (1, sectors(b"a", 2), 0),
    (0, b"", FLUSH),
    (4, sectors(b"b", 200), 0),
    (300, sectors(b"c"), FUA),
)


def after(tmp_path: Path, log: bytes, requested: int | None = None, seed: int = 1) -> bytes:
    disk = tmp_path / "disk"
    disk.write_bytes(bytes(SECTOR * 400))
    forget(disk, requests(log)[:requested], random.Random(seed))
    return disk.read_bytes()


def test_what_was_flushed_is_there_and_of_the_rest_some(tmp_path: Path) -> None:
    found = after(tmp_path, ASKED)
    assert found[SECTOR : 3 * SECTOR] == sectors(b"a", 2)
    assert found[300 * SECTOR : 301 * SECTOR] == sectors(b"c")
    there = [found[(4 + number) * SECTOR] == ord("b") for number in range(200)]
    assert 60 < sum(there) < 140
    assert found != after(tmp_path, ASKED, seed=2)


def test_a_sector_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    found = after(tmp_path, ASKED)
    for number in range(200):
        assert len(set(found[(4 + number) * SECTOR :][:SECTOR])) == 1


def test_a_flush_that_was_not_asked_for_yet_saves_nothing(tmp_path: Path) -> None:
    log = log_of((1, sectors(b"a", 300), 0), (0, b"", FLUSH))
    assert after(tmp_path, log, 2).count(b"a") == 300 * SECTOR
    assert after(tmp_path, log, 1).count(b"a") < 200 * SECTOR


def test_what_the_cut_broke_off_was_never_done() -> None:
    assert [request.at for request in requests(ASKED)] == [SECTOR, 0, 4 * SECTOR, 300 * SECTOR]
    assert len(requests(ASKED[:-1])) == 3
    assert requests(ASKED)[-1].end == len(ASKED)


def test_the_last_write_of_a_place_counts(tmp_path: Path) -> None:
    log = log_of((1, sectors(b"a"), 0), (1, sectors(b"b"), 0), (0, b"", FLUSH))
    assert after(tmp_path, log)[SECTOR : 2 * SECTOR] == sectors(b"b")


@pytest.mark.parametrize("log", [b"x", bytes(SECTOR)])
def test_what_is_no_log_is_said(log: bytes) -> None:
    with pytest.raises(LogError, match="no log"):
        requests(log)


def test_before_anything_is_asked_for_there_is_nothing() -> None:
    assert requests(b"") == []

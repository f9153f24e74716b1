"""A full disk, and clocks that are set back: said, survived, and nothing of a match lost."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError

from companion.board.broker_ear import _why
from companion.board.database import opened
from companion.board.hall import BoardNews, Hall
from companion.board.results import ArrivedEntry, Results
from companion.core.codec import plain, written
from companion.publishing.entry_payloads import EntryNow, HeadNow
from tests.board.test_site import line_of, match_of


def arrived(entries: list[EntryNow]) -> list[ArrivedEntry]:
    return [ArrivedEntry(entry, written(plain(entry))) for entry in entries]


def test_on_a_full_disk_nothing_is_half_kept_and_nothing_lost(tmp_path: Path) -> None:
    """SQLite itself says that it is full; what it has not kept the broker is told again."""
    engine = opened(f"sqlite:///{tmp_path / 'board.sqlite3'}")
    most = {"pages": 0}

    def narrow(connection: Any, _record: Any, _proxy: Any) -> None:
        connection.execute(f"PRAGMA max_page_count = {most['pages'] or 1_000_000}")

    event.listen(engine, "checkout", narrow)
    results, entries = Results(engine), match_of("threepia")
    half = len(entries) // 2
    results.take(arrived(entries[:half]))
    with engine.connect() as connection:
        most["pages"] = connection.execute(text("PRAGMA page_count")).scalar_one() + 1
    with pytest.raises(OperationalError) as full:
        results.take(arrived(entries[half:]))
    assert _why(full.value) == "database or disk is full"
    assert [entry.number for entry in results.course(entries[0].match)] == [*range(half)]
    most["pages"] = 0
    results.take(arrived(entries[half:]))
    assert [entry.hash for entry in results.course(entries[0].match)] == [entry.hash for entry in entries]
    engine.dispose()


def test_a_board_whose_clock_is_set_back_keeps_everything(tmp_path: Path) -> None:
    engine = opened(f"sqlite:///{tmp_path / 'board.sqlite3'}")
    clock = iter(range(10**9, 0, -10_000_000))
    results, entries = Results(engine, lambda: float(next(clock))), match_of("triplexity")
    for entry in entries:
        results.take(arrived([entry]))
    line = results.match(entries[0].match)
    assert line
    assert (line.number, line.is_whole, line.status) == (entries[-1].number, True, "over")
    engine.dispose()


def test_a_table_whose_clock_is_set_back_is_shown_with_what_it_plays() -> None:
    """Its new match seems to have begun before the old one; what it names counts."""
    old, new = match_of("triplexity", 3), match_of("triplexity", 4)
    later = [replace(entry, match="earlier", began="1970-01-01T00:00:00+00:00") for entry in new]
    hall = Hall(lambda: 0.0)
    hall.hear(BoardNews((line_of(old[-1]),)))
    head = HeadNow(2, "kitchen", "earlier", 0, later[0].hash, "")
    hall.hear(BoardNews((line_of(later[0]),), (head,)))
    shown = hall.tables["kitchen"].line
    assert shown
    assert shown.match == "earlier"

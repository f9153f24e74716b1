"""What the board keeps: each entry once, in whatever order and how often it comes."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.schema import CreateTable

from companion.board import database
from companion.board.accounts import Registry
from companion.board.club import PlayerLine, player_lines
from companion.board.database import METADATA, DatabaseError, opened
from companion.board.match_files import take_in
from companion.board.results import ArrivedEntry, MatchLine, Results
from companion.core.codec import plain, written
from companion.core.entry import Abandoned, Undone
from companion.games import game
from companion.journal.archive import archived
from companion.publishing.entry_payloads import EntryNow, HeadNow
from tests.publishing.kept_matches import KeptMatch, entries_of, journal_in, rows_of, told


def match_of(name: str = "triplexity", seed: int = 3) -> list[EntryNow]:
    return [*told(rows_of(*entries_of(game(name), seed)))]


def arrived(entries: list[EntryNow]) -> list[ArrivedEntry]:
    return [ArrivedEntry(entry, written(plain(entry))) for entry in entries]


def head_of(entry: EntryNow) -> HeadNow:
    return HeadNow(2, entry.table, entry.match, entry.number, entry.hash, "")


def players_of(results: Results) -> list[PlayerLine]:
    return player_lines(results.finished(), Registry({}, {}))


def line_of(results: Results, entries: list[EntryNow]) -> MatchLine:
    found = results.match(entries[0].match)
    assert found
    return found


def test_a_match_is_kept_as_it_comes(results: Results) -> None:
    entries = match_of()
    for entry in entries[:-1]:
        results.take(arrived([entry]))
    before = line_of(results, entries)
    assert (before.status, before.number, before.is_whole) == ("running", entries[-2].number, True)
    assert players_of(results) == []
    results.take(arrived(entries[-1:]))
    after = line_of(results, entries)
    assert (after.status, after.entry) == ("over", entries[-1])
    assert entries[-1].standing
    assert entries[-1].standing.over
    winners = entries[-1].standing.over.winners
    assert {(one.player.name, one.matches, one.won) for one in players_of(results)} == {
        (player.name, 1, int(player.name in winners)) for player in entries[-1].standing.players
    }
    assert results.course(entries[0].match) == entries


def test_what_comes_twice_changes_nothing(results: Results) -> None:
    entries = match_of()
    assert [*results.take(arrived(entries))] == [entries[0].match]
    first = (line_of(results, entries), players_of(results))
    assert results.take(arrived([*entries, *entries])) == {}
    assert (line_of(results, entries), players_of(results)) == first


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(seed=st.integers(0, 2**16))
def test_order_and_doubles_change_nothing(results: Results, seed: int) -> None:
    luck = random.Random(seed)
    entries = match_of("triplexity", seed % 5)
    results.take(arrived(entries))
    in_order = (line_of(results, entries), results.course(entries[0].match))
    other = [replace(entry, match=f"{entry.match[:6]}{seed}") for entry in entries]
    mixed = [*other, *luck.choices(other, k=4)]
    luck.shuffle(mixed)
    while mixed:
        some, mixed = mixed[:3], mixed[3:]
        results.take(arrived(some))
    line, course = line_of(results, other), results.course(other[0].match)
    assert (line.status, line.number, line.is_whole, line.entry.hash) == (
        in_order[0].status,
        in_order[0].number,
        True,
        in_order[0].entry.hash,
    )
    assert [entry.hash for entry in course] == [entry.hash for entry in in_order[1]]


def test_a_gap_is_known_and_a_file_fills_it(results: Results, tmp_path: Path) -> None:
    with journal_in(tmp_path) as journal:
        one = KeptMatch(journal, game("three"))
        one.play_out()
        stored = journal.stored(one.code)
    file = tmp_path / "match.json"
    file.write_text(archived(stored), encoding="utf-8")
    entries = [*told(rows_of(stored.setup, list(stored.entries)))]
    results.take(arrived([*entries[:5], *entries[9:]]), [head_of(entries[-1])])
    line = line_of(results, entries)
    assert (line.is_whole, line.number, line.status) == (False, entries[-1].number, "over"), "the table names it"
    code, count = take_in(file, "kitchen", results)
    assert (code, count) == (one.code, len(entries))
    line = line_of(results, entries)
    assert (line.is_whole, line.number) == (True, entries[-1].number)
    assert [entry.hash for entry in results.course(code)] == [entry.hash for entry in entries]


def test_all_that_is_held_can_be_had_from_files(results: Results, tmp_path: Path) -> None:
    """By a board that has never heard anything."""
    with journal_in(tmp_path) as journal:
        one = KeptMatch(journal, game("triplexity"))
        one.play_out()
        stored = journal.stored(one.code)
    heard = [*told(rows_of(stored.setup, list(stored.entries)))]
    (tmp_path / "match.json").write_text(archived(stored), encoding="utf-8")
    take_in(tmp_path / "match.json", "kitchen", results)
    assert [replace(entry, began="") for entry in results.course(one.code)] == [
        replace(entry, began="") for entry in heard
    ]


def test_an_entry_that_the_head_names_and_nobody_has_is_missing(results: Results) -> None:
    entries = match_of()
    results.take(arrived(entries[:-1]), [head_of(entries[-1])])
    assert not line_of(results, entries).is_whole
    results.take(arrived(entries[-1:]))
    assert line_of(results, entries).is_whole


def test_a_forged_number_is_not_believed(results: Results) -> None:
    entries = match_of()
    results.take(arrived(entries[:3]))
    forged = replace(entries[-1], number=999_999, hash="f" * 32, before="e" * 32)
    results.take(arrived([forged]))
    line = line_of(results, entries)
    assert (line.number, line.status) == (2, "running")
    results.take(arrived(entries[3:]))
    line = line_of(results, entries)
    assert (line.entry, line.is_whole) == (entries[-1], True)


def test_of_two_lines_the_one_that_the_table_names_counts(results: Results) -> None:
    """A table whose journal was put back to a copy goes on from there, with other entries of the same numbers."""
    setup, acts = entries_of(game("triplexity"))
    entries = [*told(rows_of(setup, acts))]
    other = [*told(rows_of(setup, [*acts[:2], Abandoned(acts[1].move.at + 1, "tea")]))]  # type: ignore[union-attr]
    results.take(arrived(entries), [head_of(entries[-1])])
    results.take(arrived(other))
    assert line_of(results, entries).status == "over"
    assert len(players_of(results)) == 2
    longer = [*told(rows_of(setup, [*acts, Undone(), Undone()]))]
    results.take(arrived(longer), [head_of(longer[-1])])
    assert line_of(results, entries).status == "running"
    assert players_of(results) == []


def test_an_end_that_is_taken_back_takes_the_result_back(results: Results) -> None:
    setup, acts = entries_of(game("triplexity"))
    undone = [*told(rows_of(setup, [*acts, Undone()]))]
    results.take(arrived(undone[:-1]))
    assert len(players_of(results)) == 2
    results.take(arrived(undone[-1:]))
    assert players_of(results) == []
    assert line_of(results, undone).status == "running"


def test_an_abandoned_match_is_no_result(results: Results) -> None:
    setup, acts = entries_of(game("triplexity"))
    entries = [*told(rows_of(setup, [acts[0], Abandoned(acts[0].move.at + 1, "tea")]))]  # type: ignore[union-attr]
    results.take(arrived(entries))
    assert line_of(results, entries).status == "abandoned"
    assert players_of(results) == []


def test_everything_else_can_be_made_anew(results: Results) -> None:
    one, two = match_of(), match_of("three")
    results.take(arrived([*one, *two[:9]]), [head_of(two[8])])
    before = (results.matches(), players_of(results))
    assert results.make_anew() == 2
    assert (results.matches(), players_of(results)) == before


def test_equal_names_at_two_tables_are_not_joined(results: Results) -> None:
    entries = match_of()
    elsewhere = [replace(entry, match="0123456789ab", table="club") for entry in entries]
    results.take(arrived([*entries, *elsewhere]))
    assert {(one.player.table, one.matches) for one in players_of(results)} == {("kitchen", 1), ("club", 1)}
    assert isinstance(players_of(results)[0], PlayerLine)


def test_what_was_last_played_at_each_table(results: Results) -> None:
    first = match_of()
    second = [replace(entry, match="0123456789ab", began="2026-11-19T20:00:00+00:00") for entry in match_of()]
    results.take(arrived([*second, *first]))
    assert results.tables()["kitchen"].match == second[0].match
    results.take([], [head_of(first[-1])])
    assert results.tables()["kitchen"].match == first[0].match, "the table has gone on with an older one"
    assert [line.match for line in results.matches("kitchen")] == [second[0].match, first[0].match]
    assert results.matches("club") == []


# --- the database ----------------------------------------------------------------------------------------------


def test_the_migrations_make_what_the_tables_say(tmp_path: Path) -> None:
    migrated = opened(f"sqlite:///{tmp_path / 'one.sqlite3'}")
    declared = create_engine(f"sqlite:///{tmp_path / 'two.sqlite3'}")
    METADATA.create_all(declared)
    for table in METADATA.sorted_tables:
        one, other = (inspect(engine) for engine in (migrated, declared))
        assert str(one.get_columns(table.name)) == str(other.get_columns(table.name)), CreateTable(table)
        assert one.get_indexes(table.name) == other.get_indexes(table.name)
    migrated.dispose()
    declared.dispose()


def test_a_database_of_a_newer_board_is_left_alone(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'board.sqlite3'}"
    engine = opened(address)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'from_the_future'"))
    engine.dispose()
    with pytest.raises(DatabaseError, match="written by a newer board"):
        opened(address)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("nonsense", "write sqlite:///file or postgresql://user@host/name."),
        ("mysql://a@b/c", "--database: "),
        ("postgresql://nobody@127.0.0.1:1/none", "The database cannot be used: "),
    ],
)
def test_a_database_that_is_none_is_said(address: str, sentence: str) -> None:
    with pytest.raises(DatabaseError, match=sentence) as caught:
        opened(address)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    (tmp_path / "board.sqlite3").write_bytes(b"nonsense " * 200)
    with pytest.raises(DatabaseError, match="cannot be used"):
        opened(f"sqlite:///{tmp_path / 'board.sqlite3'}")
    assert database.MIGRATIONS.is_dir()

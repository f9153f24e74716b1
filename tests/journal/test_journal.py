"""The journal: kept before told, migrated or refused, asked for the best, and never two referees on one match."""

import contextlib
import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.core.entry import Corrected, Made, Redone, Undone
from companion.core.errors import CompanionError, JournalDamagedError, JournalError, JournalTooNewError
from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.core.requests import MoveMessage
from companion.core.rules import Foul
from companion.core.session import Session
from companion.games import game
from companion.games.three import rules as three
from companion.journal import TABLES, Journal, look_through
from companion.journal.chain import chain as chain_of
from companion.journal.keeper import FOULS_BETWEEN_MOVES, put_entry
from companion.journal.log import FRAME_HEADER, LOG_HEADER, index_of, log_of
from companion.journal.place import anew_beside
from companion.journal.rows import APPLICATION, CHAINED, MIGRATIONS, PAGE, checksum, schema_of
from tests.kept import PROJECT, companion, contents, keep, many, played
from tests.replies import told as as_told


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as opened:
        yield opened


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        return database.execute(query).fetchall()


def change(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as database:
        for statement in statements:
            database.execute(statement)
        database.commit()


def bytes_beside(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}


# --- keeping ---------------------------------------------------------------------------------------------------


def test_the_settings_are_really_set(journal: Journal) -> None:
    run = journal._file.run
    assert run("PRAGMA journal_mode").fetchone() == ("wal",)
    assert run("PRAGMA synchronous").fetchone() == (2,)  # FULL
    assert run("PRAGMA foreign_keys").fetchone() == (1,)
    assert run("PRAGMA application_id").fetchone() == (APPLICATION,)
    assert run("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)


def test_synchronous_is_set_again_for_an_old_file(path: Path) -> None:
    many(path, 1)
    with Journal.open(path) as journal:
        assert journal._file.run("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("name", ["three", "triple3", "tres", "triplexity", "threepia"])
def test_every_move_is_on_disk_when_its_ruling_is_told(path: Path, journal: Journal, name: str) -> None:
    setup, entries = played(name)
    match = Match(setup, journal.begin(setup))
    with contextlib.closing(sqlite3.connect(path)) as other:
        for number, entry in enumerate(entries, 1):
            match.take(entry)
            assert other.execute("SELECT max(number) FROM entry").fetchone() == (number,)


def test_what_cannot_be_kept_does_not_happen(path: Path, journal: Journal) -> None:
    setup, entries = played("three")
    match = keep(journal, setup, entries[:5])
    before, now = match.state, match.now
    change(path, "CREATE TRIGGER full BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT, 'database is full'); END")
    with pytest.raises(JournalError):
        match.take(entries[5])
    assert match.state is before
    assert match.now == now
    change(path, "DROP TRIGGER full")
    match.take(entries[5])
    assert journal.stored(setup.id).entries == entries[:6]


@pytest.mark.parametrize("name", ["three", "triple3", "tres", "triplexity", "threepia"])
def test_a_match_is_the_fold_of_what_was_kept(path: Path, name: str) -> None:
    setup, entries = played(name)
    with Journal.open(path) as journal:
        match = keep(journal, setup, entries)
    with Journal.open(path) as journal:
        stored = journal.stored(setup.id[:4])
    assert stored.setup == setup
    assert stored.entries == entries
    assert stored.folded().state == match.state


def test_entries_that_todays_rules_refuse_are_one_sentence(path: Path, journal: Journal) -> None:
    setup, entries = played("three")
    keep(journal, setup, entries[:1])
    body = '{"move":"pass","player":"Anna"}'
    with journal._file.writing():
        put_entry(journal._file, 1, 2, "made", body, journal.stored().chain)
    with pytest.raises(JournalError, match="cannot be played again by the rules of this companion"):
        Referee.go_on(journal, 0, setup.id)
    done = companion("replay", setup.id, "--journal", path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


# --- versions --------------------------------------------------------------------------------------------------


def older(path: Path, version: int) -> None:
    """A journal as an earlier version wrote it: without facts in the first, without chains until the third."""
    now = path.with_name("now.sqlite3")
    many(now, 2)
    with contextlib.closing(sqlite3.connect(path)) as database:
        for script in MIGRATIONS[:version]:
            database.executescript(script)
        database.executescript(f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {version}")
        there = {name for _, name, *_ in schema_of(version)}
        for table in (table for table in TABLES if table in there):
            for row in rows(now, f"SELECT * FROM {table}"):
                *values, _ = row[:-1] if table in CHAINED else row
                old = (*values, checksum(table, [*values, None] if table in CHAINED else values))
                database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(old))})", old)
        database.commit()
    now.unlink()


def version_1(path: Path) -> None:
    """A journal as the first version wrote it: no facts."""
    older(path, 1)


def test_a_file_of_the_first_version_is_migrated_with_its_data(path: Path) -> None:
    version_1(path)
    before = {table: rows(path, f"SELECT * FROM {table}") for table in TABLES if table != "fact"}
    found, notices = contents(path)
    for table in CHAINED:
        before[table] = [(*row, None) for row in before[table]]
    assert notices == ()
    assert len(found) == 2
    assert rows(path, "PRAGMA user_version") == [(len(MIGRATIONS),)]
    assert {table: rows(path, f"SELECT * FROM {table}") for table in before} == before
    setup, entries = played("triple3", 77)
    with Journal.open(path) as journal:
        keep(journal, setup, entries)
        assert journal.longest_rounds()


def test_a_damaged_file_of_the_first_version_is_noticed(path: Path) -> None:
    version_1(path)
    change(path, "UPDATE seat SET name = 'Nobody' WHERE seat = 0")
    with pytest.raises(JournalDamagedError):
        Journal(path)


@pytest.mark.parametrize("with_log", [False, True])
def test_a_newer_file_is_refused_and_untouched(path: Path, with_log: bool) -> None:
    many(path, 1)
    with contextlib.closing(sqlite3.connect(path)) as keeping:
        if with_log:
            keeping.execute("SELECT * FROM match").fetchall()
        change(path, "CREATE TABLE mood (match INTEGER)", f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        if with_log:
            assert (path.with_name(path.name + "-wal")).stat().st_size
        before = bytes_beside(path)
        with pytest.raises(JournalTooNewError, match=f"newer companion .version {len(MIGRATIONS) + 1}"):
            Journal.open(path)
        done = companion("matches", "--journal", path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert bytes_beside(path) == before


@pytest.mark.parametrize("wal", [False, True])
def test_the_file_of_another_program_is_refused_and_untouched(path: Path, wal: bool) -> None:
    with contextlib.closing(sqlite3.connect(path)) as other:
        if wal:
            other.execute("PRAGMA journal_mode = WAL")
        other.executescript("CREATE TABLE match (id, code); CREATE TABLE seat (a); INSERT INTO match VALUES (1, 'x')")
        before = bytes_beside(path)
        with pytest.raises(JournalError, match="database of another program"):
            Journal.open(path)
        assert bytes_beside(path) == before
        other.commit()
    before = bytes_beside(path)
    assert companion("matches", "--journal", path).returncode == 2
    assert bytes_beside(path) == before


# --- the chain -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [1, 2])
def test_a_match_of_an_older_version_is_chained_from_now_on(path: Path, version: int) -> None:
    older(path, version)
    with Journal.open(path) as journal:
        stored = journal.stored(journal.matches()[-1].code)
        match = stored.folded(journal.keeper(stored))
        match.undo()
        match.redo()
        assert journal.stored(match.setup.id).entries == (*stored.entries, Undone(), Redone())
    chains = [chain for (chain,) in rows(path, "SELECT chain FROM entry WHERE match = 1 ORDER BY id")]
    assert chains == [
        *[None] * (len(stored.entries) + 1),
        *chain_of(stored.setup, (*stored.entries, Undone(), Redone()))[-2:],
    ]
    assert rows(path, "SELECT chain FROM match WHERE id = 1") == [(chains[-1],)]
    Journal.open(path).close()


def sealed(path: Path, query: str, *values: object) -> None:
    """Change entries as somebody does who knows how the checksum of a row is made."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(query, values)
        for *row, _, chain in database.execute("SELECT * FROM entry").fetchall():
            database.execute("UPDATE entry SET crc = ? WHERE id = ?", (checksum("entry", [*row, chain]), row[0]))
        database.commit()


TAMPERED = {
    "missing": (
        "DELETE FROM entry WHERE match = 2 AND number = 9",
        "UPDATE entry SET id = id - 1, number = number - 1 WHERE match = 2 AND number > 9",
    ),
    "missing at the end": ("DELETE FROM entry WHERE match = 2 AND number > 40",),
    "doubled": (
        "UPDATE entry SET id = -id, number = number + 1 WHERE match = 2 AND number > 9",
        "UPDATE entry SET id = 1 - id WHERE id < 0",
        "INSERT INTO entry SELECT id + 1, match, 10, kind, body, crc, chain FROM entry WHERE match = 2 AND number = 9",
    ),
    "changed": ("UPDATE entry SET body = replace(body, '\"at\":', '\"at\":1') WHERE match = 2 AND number = 9",),
    "of another match": (
        "DELETE FROM entry WHERE match = 2 AND number = 9",
        "INSERT INTO entry SELECT 2 << 32 | 9, 2, 9, kind, body, crc, chain FROM entry WHERE match = 1 AND number = 9",
    ),
    "from before there were chains": ("UPDATE entry SET chain = NULL WHERE match = 2 AND number = 9",),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_the_chain_tells(path: Path, what: str) -> None:
    whole = many(path, 3)
    for statement in TAMPERED[what]:
        sealed(path, statement)
    Journal.open(path).close()  # which is known when all of it was read
    with pytest.raises(JournalDamagedError, match=r"entry \d+ does not follow|the last entry of match 2 is missing"):
        look_through(path)
    found, [notice] = contents(path)
    assert "Taken over from it: 2 matches whole, 1 up to the damage; lost: 0." in notice
    code = list(whole)[1]
    kept = found.pop(code)
    assert kept == whole[code][: len(kept)]
    assert len(kept) == (40 if "end" in what else 9 if what == "doubled" else 8)
    assert found == {other: entries for other, entries in whole.items() if other != code}


# --- results and queries ---------------------------------------------------------------------------------------


def test_results_follow_undo_and_correction(journal: Journal) -> None:
    setup, entries = played("triple3")
    match = keep(journal, setup, entries)
    outcome = match.outcome
    assert outcome is not None
    [summary] = journal.matches()
    assert (summary.status, summary.winners, summary.scores) == ("over", outcome.winners, outcome.scores)
    assert summary.reason == outcome.reason
    best = journal.longest_rounds()
    assert best
    match.undo()
    [summary] = journal.matches()
    assert (summary.status, summary.winners, summary.scores, summary.reason) == ("running", (), (), "")
    assert journal.most_wins() == journal.longest_rounds() == []
    match.redo()
    assert journal.longest_rounds() == best
    match.correct(len(match.line), None)
    assert journal.matches()[0].status == "running"


def test_an_abandoned_match_has_no_result(journal: Journal) -> None:
    setup, entries = played("three")
    match = keep(journal, setup, entries[:9])
    match.abandon(match.now, "dinner")
    [summary] = journal.matches()
    assert (summary.status, summary.reason, summary.winners) == ("abandoned", "dinner", ())
    with pytest.raises(JournalError, match="no match of Three! to go on with"):
        journal.stored(game="three")


def test_the_best_of_everything(journal: Journal) -> None:
    trials = [played("threepia", seed, time_trial=True) for seed in range(4)]
    times = [keep(journal, *trial).state.clocks[0].used for trial in trials]
    assert [kept.time for kept in journal.time_trials()] == times[::-1]
    assert journal.time_trials()[0].name == "Anna"
    rounds = [done.time for seed in range(3) for done in keep(journal, *played("triple3", seed)).state.rounds]
    found = [best.value for best in journal.longest_rounds(1000)]
    assert found == sorted(found, reverse=True)
    assert set(found) <= set(rounds)
    assert found[0] == max(rounds)
    wins: dict[str, int] = {}
    for one in journal.matches("triple3"):
        for name in one.winners:
            wins[name] = wins.get(name, 0) + 1
    assert {best.name: best.value for best in journal.most_wins("triple3")} | wins == {
        best.name: best.value for best in journal.most_wins("triple3")
    }
    assert journal.most_wins("triple3")[0].value == max(wins.values())
    assert all(best.matches == 3 for best in journal.most_wins("triple3"))


# --- fouls -----------------------------------------------------------------------------------------------------


def test_fouls_are_kept_and_bounded(path: Path, journal: Journal) -> None:
    playing = game("three")
    referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0, journal)
    code = referee.match.setup.id

    def lean(times: int) -> None:
        for _ in range(times):
            with pytest.raises(Foul):
                referee.make(three.Pass("Anna"), 0)

    lean(FOULS_BETWEEN_MOVES + 20)
    assert len(journal.fouls(code)) == FOULS_BETWEEN_MOVES
    assert journal.fouls(code)[0][:2] == (0, "Anna")
    with pytest.raises(Foul):
        referee.make(three.Declare("Anna", "x" * 60_000), 0)
    referee.make(three.Begin("Ben"), 0)
    lean(1)
    with pytest.raises(Foul):
        referee.make(three.Declare("Ben", "x" * 60_000), 0)  # told, but too long to be kept
    assert journal.fouls(code)[-1][0] == 1
    assert len(journal.fouls(code)) == FOULS_BETWEEN_MOVES + 1
    assert path.stat().st_size < 200_000


# --- two at once -----------------------------------------------------------------------------------------------


def test_of_two_referees_on_one_match_the_second_gets_a_sentence(path: Path) -> None:
    setup, entries = played("tres")
    with Journal.open(path) as one, Journal.open(path) as two:
        keep(one, setup, entries[:4])
        first, second = Referee.go_on(one, 0), Referee.go_on(two, 0)
        assert isinstance(entries[4], Made)
        stamp = entries[4].move.at - first.match.now
        first.make(entries[4].move, stamp)
        before = second.match.state
        with pytest.raises(JournalError, match="another referee has gone on with this match"):
            second.make(entries[4].move, stamp)
        assert second.match.state is before
        with pytest.raises(JournalError, match="another referee"):
            second.mark(60 * SECOND)
        assert one.stored(setup.id).time == 0
        assert one.stored(setup.id).entries == entries[:5]
        first.mark(60 * SECOND)
        assert one.stored(setup.id).time == first.table + 60 * SECOND


def test_undo_takes_the_noted_time_back(journal: Journal) -> None:
    setup, entries = played("tres")
    keep(journal, setup, entries[:4])
    referee = Referee.go_on(journal, 0)
    now = referee.match.now
    referee.mark(3600 * SECOND)
    assert journal.stored(setup.id).time == now + 3600 * SECOND
    referee.undo(3600 * SECOND)
    assert Referee.go_on(journal, 0).table == now


def test_a_match_is_in_a_journal_once(journal: Journal) -> None:
    setup, entries = played("three")
    journal.take_in(setup, entries, 0)
    with pytest.raises(JournalError, match="is in this journal already"):
        journal.take_in(setup, entries, 0)
    assert len(journal.matches()) == 1


def test_a_match_that_cannot_be_taken_in_leaves_nothing(journal: Journal) -> None:
    setup, entries = played("three")
    with pytest.raises(CompanionError):
        journal.take_in(setup, (*entries[:5], entries[0]), 0)
    assert journal.matches() == []
    assert journal._file.run("SELECT count(*) FROM player").fetchone() == (0,)


def test_a_code_that_fits_several_matches_fits_none(journal: Journal) -> None:
    for seed in range(40):
        setup, entries = played("triplexity", seed)
        journal.take_in(setup, entries, 0)
    firsts = [one.code[0] for one in journal.matches()]
    twice = next(first for first in firsts if firsts.count(first) > 1)
    with pytest.raises(JournalError, match="more than one match begins"):
        journal.stored(twice)
    with pytest.raises(JournalError, match="no match begins"):
        journal.stored("%")


def test_corrections_and_undos_are_entries_too(journal: Journal) -> None:
    setup, entries = played("three")
    match = keep(journal, setup, entries[:6])
    match.undo()
    match.correct(1, three.Begin("Ben"))
    stored = journal.stored(setup.id)
    undone, corrected = stored.entries[6:]
    assert undone == Undone()
    assert isinstance(corrected, Corrected)
    assert corrected.number == 1
    assert stored.folded().state == match.state


# --- folders and locks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["/proc/no/journal.sqlite3", "/dev/null/journal.sqlite3", "/"])
def test_a_folder_that_cannot_be_made(where: str) -> None:
    with pytest.raises(JournalError, match="cannot be opened") as caught:
        Journal.open(Path(where))
    assert "\n" not in str(caught.value)


def test_a_file_that_another_program_has_locked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many(path, 1)
    monkeypatch.setattr("companion.journal.file.PATIENCE", 0.01)
    code = (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "db.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT, text=True
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        with Journal.open(path) as journal:
            with pytest.raises(JournalError, match="locked; close the other program"):
                journal.begin(played("three")[0])
            assert len(journal.matches()) == 1  # reading goes on
        other.communicate("")
    with Journal.open(path) as journal:
        journal.begin(played("three")[0])


def test_every_error_names_the_file(path: Path, journal: Journal) -> None:
    for wrong in ({"code": "zzz"}, {"game": "tres"}):
        with pytest.raises(CompanionError, match=path.name):
            journal.stored(**wrong)


def test_a_log_that_cannot_be_read_is_one_sentence(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    setup, entries = played("triplexity")
    with Journal.open(path) as journal:
        keep(journal, setup, entries)
        data, log = path.read_bytes(), log_of(path).read_bytes()
    path.write_bytes(data)
    log_of(path).write_bytes(log)

    def fails(_file: Path) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("companion.journal.log.plainfile.opened", fails)
    with pytest.raises(JournalError, match="cannot be opened"):
        Journal.open(path)


# --- the room for the log --------------------------------------------------------------------------------------


def test_the_log_has_its_length_before_anything_is_kept(path: Path) -> None:
    setup, entries = played("triple3")
    with Journal.open(path) as journal:
        journal.make_room()
        length = log_of(path).stat().st_size
        keep(journal, setup, entries)
        assert log_of(path).stat().st_size == length
        journal.make_room()
        assert log_of(path).stat().st_size == length, "there is room already"
        after_a_cut = path.read_bytes(), log_of(path).read_bytes()
    assert not log_of(path).exists()
    path.write_bytes(after_a_cut[0])
    log_of(path).write_bytes(after_a_cut[1])
    found, notices = contents(path)
    assert (found, notices) == ({setup.id: entries}, ())


def test_room_in_a_log_that_is_in_use_costs_nobody_a_move(path: Path) -> None:
    """Another program may have written into it, or be about to."""
    setup, entries = played("tres")
    with Journal.open(path) as one, Journal.open(path) as other:
        match = keep(one, setup, entries[:5])
        other.make_room()
        for entry in entries[5:9]:
            match.take(entry)
        assert len(other.stored(setup.id).entries) == 9
        with sqlite3.connect(path, isolation_level=None) as busy:
            busy.execute("BEGIN IMMEDIATE")
            other._file.run("PRAGMA busy_timeout = 1")
            other.make_room()  # says nothing: the log grows then
            busy.execute("ROLLBACK")


def test_a_log_with_room_is_saved_too(path: Path) -> None:
    setup, entries = played("triple3")
    with Journal.open(path) as journal:
        journal.make_room()
        keep(journal, setup, entries[:40])
        data, log = path.read_bytes(), bytearray(log_of(path).read_bytes())
    log[LOG_HEADER + 5 * (FRAME_HEADER + PAGE) + 300] ^= 1
    path.write_bytes(data)
    log_of(path).write_bytes(log)
    found, [notice] = contents(path)
    assert notice.startswith("The journal was damaged (its log was changed)")
    assert len(found[setup.id]) >= 36


# --- what others do to the file while it is open ----------------------------------------------------------------


def _exchange(path: Path) -> None:
    stranger = path.with_name("stranger")
    stranger.write_bytes(b"hello")
    stranger.rename(path)


TAKEN_AWAY: dict[str, Callable[[Path], object]] = {
    "deleted": lambda path: path.unlink(),
    "renamed": lambda path: path.rename(path.with_name("elsewhere")),
    "its log deleted": lambda path: log_of(path).unlink(),
    "its log cut": lambda path: os.truncate(log_of(path), 0),
    "its log cut in the middle": lambda path: os.truncate(log_of(path), log_of(path).stat().st_size // 2),
    "its folder deleted": lambda path: shutil.rmtree(path.parent),
    "another in its place": _exchange,
}


@pytest.mark.parametrize("how", TAKEN_AWAY)
def test_a_journal_that_is_taken_away_is_written_anew_before_anything_is_told(tmp_path: Path, how: str) -> None:
    path = tmp_path / "state" / "journal.sqlite3"
    whole = many(path, 1)
    setup, entries = played("three")
    with Journal.open(path) as journal:
        match = keep(journal, setup, entries[:5])
        TAKEN_AWAY[how](path)
        match.take(entries[5])
        with contextlib.closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT max(number) FROM entry WHERE match = 2").fetchone() == (6,)
        [news] = journal.news()
        for entry in entries[6:8]:
            match.take(entry)
        assert journal.news() == ()
    assert (
        "it is kept as journal.other-" if "another" in how else "was moved, cut or deleted while it was open"
    ) in news
    assert contents(path) == ({**whole, setup.id: entries[:8]}, ())


def test_news_of_the_journal_is_told_with_the_ruling(path: Path) -> None:
    playing = game("three")
    with Journal.open(path) as journal:
        session = Session(Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0, journal), None)
        path.unlink()
        kinds = [reply["kind"] for reply in as_told(session.answer(MoveMessage(three.Begin("Anna"), 0, "")))]
        assert kinds == ["notice", "ruling"]


@pytest.mark.parametrize("length", [0, LOG_HEADER, 5000, -1])
@pytest.mark.parametrize("most", [2000, 7])
def test_a_log_that_is_cut_is_written_anew_from_memory(
    path: Path, length: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite has nothing left of it, where something else was looked up meanwhile."""
    monkeypatch.setattr("companion.journal.file.MOST_REMEMBERED", most)
    whole = many(path, 1)
    setup, entries = played("three")
    with Journal.open(path) as journal:
        match = keep(journal, setup, entries[:9])
        journal._file.run("PRAGMA shrink_memory")
        os.truncate(log_of(path), length % log_of(path).stat().st_size)
        match.take(entries[9])
        assert len(journal.news()) == 1
        match.take(entries[10])
    assert contents(path) == ({**whole, setup.id: entries[:11]}, ())


def test_a_log_that_is_cut_before_the_journal_is_closed_is_written_anew(path: Path) -> None:
    setup, entries = played("three")
    with Journal.open(path) as journal:
        keep(journal, setup, entries)
        os.truncate(log_of(path), 0)
    assert contents(path) == ({setup.id: entries}, ())


def test_what_is_remembered_is_what_may_be_in_the_log_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.journal.file.MOST_REMEMBERED", 7)
    setup, entries = played("three")
    with Journal.open(path) as journal:
        match = Match(setup, journal.begin(setup))
        for entry in entries:
            match.take(entry)
            assert len(journal._file._in_log) < 7
        with contextlib.closing(sqlite3.connect(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT 1 FROM match").fetchone()
            journal.take_in(*played("tres"), 0)
            assert len(journal._file._in_log) == 7, "somebody reads, so that it stays in the log"


def test_a_journal_that_was_just_being_written_anew_is_taken(path: Path) -> None:
    whole = many(path, 2)
    path.rename(anew_beside(path))
    assert contents(path) == (whole, ())
    anew_beside(path).write_bytes(b"no journal")
    path.unlink()
    assert contents(path) == ({}, ())


@pytest.mark.parametrize(
    "foreign",
    [
        "CREATE TRIGGER mine AFTER INSERT ON entry BEGIN DELETE FROM entry; END",
        "CREATE VIEW mine AS SELECT * FROM entry",
        "CREATE TABLE mine (a)",
        "CREATE INDEX mine ON entry (body)",
    ],
)
def test_a_schema_that_is_not_ours_alone_is_mended_and_not_written_to(path: Path, foreign: str) -> None:
    setup, entries = played("three")
    with Journal.open(path) as journal:
        match = keep(journal, setup, entries[:5])
        change(path, foreign)
        with pytest.raises(JournalError, match="were changed by another program: close that one"):
            match.take(entries[5])
    found, [notice] = contents(path)
    assert notice.startswith("The journal was damaged (its tables are not as they were made)")
    assert found == {setup.id: entries[:5]}
    assert contents(path) == (found, ())


# --- a log that is not its own ---------------------------------------------------------------------------------


def _in_mid_match(path: Path, moves: int) -> tuple[bytes, bytes, bytes]:
    """The file, its log and the index of that as a kill leaves them after so many moves."""
    setup, entries = played("three")
    if path.exists():
        code, skip = setup.id, 0
        with Journal.open(path) as journal:
            stored = journal.stored(code)
            match, skip = stored.folded(journal.keeper(stored)), len(stored.entries)
            for entry in entries[skip:moves]:
                match.take(entry)
            return _left(path)
    with Journal.open(path) as journal:
        keep(journal, setup, entries[:moves])
        return _left(path)


def _left(path: Path) -> tuple[bytes, bytes, bytes]:
    return path.read_bytes(), log_of(path).read_bytes(), index_of(path).read_bytes()


def _put(path: Path, *files: bytes | None) -> None:
    for place, content in zip((path, log_of(path), index_of(path)), files, strict=True):
        place.unlink(missing_ok=True)
        if content is not None:
            place.write_bytes(content)


def test_a_log_of_old_that_is_put_back_after_a_kill_is_noticed(path: Path) -> None:
    setup, entries = played("three")
    with Journal.open(path) as journal:
        match = keep(journal, setup, entries[:5])
        old = _left(path)
        for entry in entries[5:9]:
            match.take(entry)
        new = _left(path)
    for log in (old[1], None, b""):
        _put(path, new[0], log, new[2])
        _, [notice] = contents(path)
        assert notice.startswith("The journal was damaged (its log is missing, another one, or an older one)")
    _put(path, *new)
    assert contents(path) == ({setup.id: entries[:9]}, ())


def test_a_log_that_is_put_back_beside_a_newer_file_is_noticed_and_nothing_is_lost(path: Path) -> None:
    old = _in_mid_match(path, 5)
    new = _in_mid_match(path, 9)
    Journal.open(path, whole=True).close()
    whole = path.read_bytes()
    _put(path.with_name("foreign.sqlite3"), None, None, None)
    foreign = _in_mid_match(path.with_name("foreign.sqlite3"), 3)
    setup, entries = played("three")
    for log in (old[1], foreign[1]):
        _put(path, whole, log, None)
        found, [notice] = contents(path)
        assert notice.startswith("The journal was damaged (")
        assert found == {setup.id: entries[:9]}
    _put(path, whole, new[1], None)
    assert contents(path) == ({setup.id: entries[:9]}, ()), "its own is read"


@pytest.mark.parametrize("what", ["journal", "journal-wal", "journal-shm", ":memory:"])
def test_what_is_no_plain_file_is_refused(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if what == ":memory:":
        path = Path(what)
    else:
        path = tmp_path / "journal"
        if what != "journal":
            many(path, 1)
        os.mkfifo(tmp_path / what)
    with pytest.raises(JournalError, match=r"cannot be opened: .*; (remove it, or )?name a.*\.$"):
        Journal.open(path)
    assert not (tmp_path / ":memory:").exists()


def test_a_log_longer_than_any_of_ours_is_not_read(path: Path) -> None:
    whole = many(path, 1)
    with log_of(path).open("wb") as log:
        log.truncate(10 << 30)
    found, [notice] = contents(path)
    assert notice.startswith("The journal was damaged (of its log: it is larger than 67 MB)")
    assert found == whole

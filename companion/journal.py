"""The journal: every match ever played here, in one SQLite file, on disk before anybody is told.

A match is its set-up, kept as entry 0, and its entries; the tables beside them (seats, results, facts) say
nothing that the entries do not, and exist to be asked. Each entry carries a checksum, so that a damaged file
is noticed and what is sound in it can be told from what is not.
"""

import contextlib
import sqlite3
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from companion.codec import parsed, written
from companion.exc import CompanionError, JournalDamagedError, JournalError, JournalTooNewError
from companion.games import game as game_named
from companion.match import Abandoned, Entry, Match, Setup
from companion.record import entry_plain, move_plain, read_entry, read_setup, setup_plain
from companion.rules import Foul, Move

APPLICATION = 0x54524553  # "TRES", how SQLite tells our files from others
PAGE = 1024  # bytes: a move is a hundred, and small pages spare the memory card
FOULS_BETWEEN_MOVES = 100  # more refused moves in a row are told, but not kept

# Each script makes the next version of the file from the one before. A file of version n has had the first n.
MIGRATIONS = (
    """
    CREATE TABLE player (name TEXT PRIMARY KEY, colour TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE match (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        began TEXT NOT NULL,         -- wall clock, for people; nothing is decided by it
        rematch_of TEXT NOT NULL,
        status TEXT NOT NULL,        -- running, over, abandoned
        reason TEXT NOT NULL,
        time INTEGER NOT NULL        -- table time that has certainly passed
    );
    CREATE TABLE seat (
        match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL,
        name TEXT NOT NULL REFERENCES player, colour TEXT NOT NULL, PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    CREATE TABLE entry (
        match INTEGER NOT NULL, number INTEGER NOT NULL,  -- 0 is the set-up
        kind TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (match, number)
    ) WITHOUT ROWID;
    CREATE TABLE foul (
        id INTEGER PRIMARY KEY, match INTEGER NOT NULL, after INTEGER NOT NULL,  -- the entry it came after
        code TEXT NOT NULL, player TEXT NOT NULL, sentence TEXT NOT NULL, body TEXT NOT NULL
    );
    CREATE TABLE result (
        match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL,
        score INTEGER NOT NULL, won INTEGER NOT NULL, PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE fact (
        id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match,
        kind TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL
    );
    CREATE INDEX fact_by_kind ON fact (kind, value);
    CREATE INDEX fact_by_match ON fact (match);
    """,
)


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in a line."""

    code: str
    game: str
    began: str
    status: str
    reason: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[str, ...]
    entries: int
    time: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it was kept."""

    setup: Setup
    entries: tuple[Entry, ...]
    time: int
    row: int
    began: str


@dataclass(frozen=True, slots=True)
class Best:
    """A line of a table of the best."""

    name: str
    value: int
    matches: int = 1
    code: str = ""
    began: str = ""


class _File:
    """The database file: every write is one transaction."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(path, timeout=5, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"The journal {path} cannot be opened: {_reason(error)}.") from None
        self._database.text_factory = lambda raw: raw.decode(errors="replace")  # the checksum notices
        self.run = self._database.execute
        self.run_script = self._database.executescript
        self.close = self._database.close

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction; if it fails nothing of it is there, and the error says why in a sentence."""
        try:
            self.run("BEGIN IMMEDIATE")
            try:
                yield
                self.run("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.run("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} cannot be written, and nothing was changed: "
                               f"{_reason(error)}.") from None


class Keeper:
    """Writes the entries of one match; the `keep` of a Match."""

    def __init__(self, file: _File, game: str, row: int, number: int) -> None:
        self._file = file
        self._game = game_named(game)
        self._row = row
        self._number = number
        self._fouls = 0
        self._was_over = number > 1  # not known: look at the first entry

    def __call__(self, entry: Entry, state: Any) -> None:
        with self._file.writing():
            self.within(entry, state)
        self._number += 1
        self._fouls = 0

    def within(self, entry: Entry, state: Any) -> None:
        """Write inside a transaction that is already open."""
        self._write(self._number, *entry_plain(entry))
        abandoned = entry if isinstance(entry, Abandoned) else None
        is_over = state.outcome is not None or abandoned is not None
        if is_over or self._was_over:
            self._write_result(state, abandoned)
        self._was_over = is_over

    def within_whole(self, entry: Entry, state: Any) -> None:
        self.within(entry, state)
        self._number += 1

    def write_setup(self, setup: Setup) -> None:
        self._write(0, "setup", setup_plain(setup))

    def refused(self, move: Move, foul: Foul) -> None:
        """Keep a refused move too, unless somebody is leaning on a button."""
        if self._fouls >= FOULS_BETWEEN_MOVES:
            return
        self._fouls += 1
        with self._file.writing():
            self._file.run("INSERT INTO foul (match, after, code, player, sentence, body) VALUES (?, ?, ?, ?, ?, ?)",
                           (self._row, self._number - 1, foul.code, foul.player, foul.sentence,
                            written(move_plain(move))))

    def mark(self, time: int) -> None:
        """Note that this much table time has passed, so that clocks stand right after a power cut."""
        with self._file.writing():
            self._file.run("UPDATE match SET time = ? WHERE id = ?", (time, self._row))

    def _write(self, number: int, kind: str, data: dict[str, Any]) -> None:
        body = written(data)
        try:
            self._file.run("INSERT INTO entry VALUES (?, ?, ?, ?, ?)",
                           (self._row, number, kind, body, checksum(self._row, number, kind, body)))
        except sqlite3.IntegrityError:
            raise JournalError(f"{self._file.path}: another referee has gone on with this match; close one of the "
                               "two.") from None

    def _write_result(self, state: Any, abandoned: Abandoned | None) -> None:
        run, row, outcome = self._file.run, self._row, state.outcome
        run("DELETE FROM result WHERE match = ?", (row,))
        run("DELETE FROM fact WHERE match = ?", (row,))
        status = "over" if outcome else "abandoned" if abandoned else "running"
        reason = outcome.reason if outcome else abandoned.why if abandoned else ""
        run("UPDATE match SET status = ?, reason = ? WHERE id = ?", (status, reason, row))
        if not outcome:
            return
        for seat, (player, score) in enumerate(zip(state.players, outcome.scores, strict=True)):
            run("INSERT INTO result VALUES (?, ?, ?, ?)", (row, seat, score, player in outcome.winners))
        for fact in self._game.facts(state):
            run("INSERT INTO fact (match, kind, name, value) VALUES (?, ?, ?, ?)",
                (row, fact.kind, fact.player, fact.value))


class Journal:
    """An open journal file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: tuple[str, ...] = ()  # what the user must be told about the file
        self._file = _File(path)
        try:
            self._check_and_migrate()
        except BaseException:
            self._file.close()
            raise

    @classmethod
    def open(cls, path: Path) -> Self:
        """The journal in this file, made new where there is none. A damaged one is set aside and what is sound
        is taken over; `notices` says so."""
        try:
            return cls(path)
        except JournalDamagedError as damage:
            from companion.salvage import set_aside  # noqa: PLC0415  (only a damaged file needs it)

            aside = set_aside(path)
            journal = cls(path)
            journal.notices = journal._take_over(aside, str(damage))
            return journal

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    # --- writing ---

    def begin(self, setup: Setup) -> Keeper:
        """Open a new match in the journal."""
        with self._file.writing():
            return self._begin(setup, _now())

    def take_in(self, setup: Setup, entries: tuple[Entry, ...], time: int, began: str = "") -> None:
        """Write a whole match that comes from elsewhere, in one go or not at all."""
        with self._file.writing():
            keeper = self._begin(setup, began or _now())
            match = Match(setup, keeper.within_whole)
            for entry in entries:
                match.take(entry)
            self._file.run("UPDATE match SET time = ? WHERE code = ?", (max(time, match.now), setup.id))

    def keeper(self, stored: Stored) -> Keeper:
        """Go on writing a match that was read before."""
        return Keeper(self._file, stored.setup.game, stored.row, len(stored.entries) + 1)

    def _begin(self, setup: Setup, began: str) -> Keeper:
        run = self._file.run
        try:
            row = run("INSERT INTO match (code, game, began, rematch_of, status, reason, time) VALUES "
                      "(?, ?, ?, ?, 'running', '', 0)", (setup.id, setup.game, began, setup.rematch_of)).lastrowid
        except sqlite3.IntegrityError:
            raise JournalError(f"{self.path}: match {setup.id} is in this journal already.") from None
        assert row is not None
        keeper = Keeper(self._file, setup.game, row, 1)
        keeper.write_setup(setup)
        for seat, player in enumerate(setup.players):
            run("INSERT INTO player VALUES (?, ?) ON CONFLICT DO UPDATE SET colour = excluded.colour",
                (player.name, player.colour))
            run("INSERT INTO seat VALUES (?, ?, ?, ?)", (row, seat, player.name, player.colour))
        return keeper

    # --- reading ---

    def stored(self, code: str = "", game: str = "") -> Stored:
        """A match by its code or the beginning of it; without one, the newest (of a game) that is still running."""
        row, full, began, time = self._row(code, game)
        found = self._file.run("SELECT kind, body FROM entry WHERE match = ? ORDER BY number", (row,)).fetchall()
        try:
            setup = read_setup(parsed(found[0][1]))
            playing = game_named(setup.game)
            entries = tuple(read_entry(playing, kind, parsed(body)) for kind, body in found[1:])
        except (CompanionError, IndexError) as error:
            raise JournalError(f"{self.path}: match {full} cannot be read: {error}") from None
        return Stored(setup, entries, time, row, began)

    def _row(self, code: str, game: str = "") -> tuple[int, str, str, int]:
        if not code:
            found = self._file.run("SELECT id, code, began, time FROM match WHERE status = 'running' AND (game = ? OR "
                                   "? = '') ORDER BY id DESC LIMIT 1", (game, game)).fetchall()
            if not found:
                raise JournalError(f"{self.path}: there is no match{f' of {game}' if game else ''} to go on with.")
        else:
            found = self._file.run("SELECT id, code, began, time FROM match WHERE substr(code, 1, ?) = ?",
                                   (len(code), code)).fetchall()
            if len(found) != 1:
                many = "more than one match begins" if found else "no match begins"
                raise JournalError(f"{self.path}: {many} with {code[:40]!r}; `companion matches` lists them.")
        row, full, began, time = found[0]
        return int(row), str(full), str(began), int(time)

    def matches(self, game: str = "") -> list[Summary]:
        """All matches, newest first."""
        found = self._file.run(
            "SELECT match.id, code, game, began, status, reason, time, (SELECT max(number) FROM entry WHERE "
            "entry.match = match.id) FROM match WHERE game = ? OR ? = '' ORDER BY match.id DESC", (game, game))
        return [self._summary(*row) for row in found.fetchall()]

    def _summary(self, row: int, code: str, game: str, began: str, status: str, reason: str, time: int,
                 entries: int) -> Summary:
        seats = self._file.run("SELECT name, score, won FROM seat LEFT JOIN result USING (match, seat) "
                               "WHERE match = ? ORDER BY seat", (row,)).fetchall()
        scores = tuple(score for _, score, _ in seats if score is not None)
        return Summary(code, game, began, status, reason, tuple(name for name, _, _ in seats), scores,
                       tuple(name for name, _, won in seats if won), entries, time)

    def most_wins(self, game: str = "") -> list[Best]:
        """Players by matches won; a shared win is a win."""
        return self._best(
            "SELECT name, sum(won), count(*), '', '' FROM result JOIN seat USING (match, seat) JOIN match ON "
            "match.id = result.match WHERE game = ? OR ? = '' GROUP BY name ORDER BY 2 DESC, 3, 1", (game, game))

    def best_time_trials(self, most: int = 10) -> list[Best]:
        """The quickest Threepia time trials, in nanoseconds."""
        return self._facts("time-trial", "ASC", most)

    def longest_rounds(self, most: int = 10) -> list[Best]:
        """The longest rounds of Triple³, in nanoseconds."""
        return self._facts("round", "DESC", most)

    def fouls(self, code: str) -> list[tuple[int, str, str]]:
        """The refused moves of a match: the entry each came after, who, and the sentence."""
        row = self._row(code)[0]
        return self._file.run("SELECT after, player, sentence FROM foul WHERE match = ? ORDER BY id", (row,)).fetchall()

    def _facts(self, kind: str, order: str, most: int) -> list[Best]:
        return self._best("SELECT name, value, 1, code, began FROM fact JOIN match ON match.id = fact.match "
                          f"WHERE kind = ? ORDER BY value {order}, fact.id LIMIT ?", (kind, most))

    def _best(self, query: str, values: tuple[Any, ...]) -> list[Best]:
        return [Best(*row) for row in self._file.run(query, values).fetchall()]

    # --- opening ---

    def _check_and_migrate(self) -> None:
        run = self._file.run
        try:
            version = run("PRAGMA user_version").fetchone()[0]
            tables = {name for (name,) in run("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if tables and run("PRAGMA application_id").fetchone()[0] != APPLICATION:
                if not tables & {"entry", "match", "seat"}:
                    raise JournalError(f"{self.path} is a database of another program: name another file with "
                                       "--journal.")
                raise JournalDamagedError("its first page was changed")
            if version > len(MIGRATIONS):
                raise JournalTooNewError(f"{self.path} was written by a newer companion (version {version}, this one "
                                         f"knows {len(MIGRATIONS)}): update the companion.")
            self._settings(new=not tables)
            if tables:
                self._check()
            self._migrate(version)
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise JournalError(f"The journal {self.path} cannot be opened: {_reason(error)}.") from None
            raise JournalDamagedError(_reason(error)) from None

    def _settings(self, *, new: bool) -> None:
        if new:
            self._file.run(f"PRAGMA page_size = {PAGE}")
        self._file.run("PRAGMA journal_mode = WAL")
        self._file.run("PRAGMA synchronous = FULL")
        self._file.run("PRAGMA foreign_keys = ON")

    def _check(self) -> None:
        """Integrity of the file, and of every entry."""
        found = self._file.run("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise JournalDamagedError(found.splitlines()[0])
        for row, number, kind, body, crc in self._file.run("SELECT match, number, kind, body, crc FROM entry"):
            if crc != checksum(row, number, kind, body):
                raise JournalDamagedError(f"entry {number} of match {row} is not what was written")

    def _migrate(self, version: int) -> None:
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._file.run_script(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; "
                                  f"PRAGMA application_id = {APPLICATION}; COMMIT;")

    def _take_over(self, aside: Path, damage: str) -> tuple[str, ...]:
        from companion.salvage import sound_matches  # noqa: PLC0415

        whole = partly = 0
        for found in sound_matches(aside):
            self.take_in(found.setup, found.entries, found.time, found.began)
            whole, partly = whole + found.is_whole, partly + (not found.is_whole)
        notice = (f"The journal was damaged ({damage}); it is kept as {aside.name}. Taken over from it: {whole} "
                  f"matches whole, {partly} up to the damage.")
        return (notice,)


def checksum(row: int, number: int, kind: str, body: str) -> int:
    return zlib.crc32(f"{row} {number} {kind} {body}".encode(errors="replace"))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _is_damage(error: sqlite3.Error) -> bool:
    signs = ("malformed", "unsupported file format", "no such table", "no such column")
    return any(sign in str(error) for sign in signs)


def _reason(error: Exception) -> str:
    """What SQLite or the system says, as the rest of a sentence with a remedy."""
    said = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    said = said[:1].lower() + said[1:]
    for word, remedy in (("full", "make room on the disk"), ("read", "make the file and its folder writable"),
                         ("unable to open", "check that its folder exists and may be written"),
                         ("locked", "close the other program that uses it")):
        if word in said:
            return f"{said}; {remedy}"
    return said

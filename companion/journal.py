"""The journal: every match ever played here, in one SQLite file, on disk before anybody is told.

A match is its set-up, kept as entry 0, and its entries; the tables beside them (seats, results, facts) say
nothing that the entries do not, and exist to be asked. Each row ends with a checksum, so that a damaged file
is noticed and what is sound in it can be told from what is not.
"""

import contextlib
import os
import sqlite3
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from companion.codec import parsed, written
from companion.exc import CompanionError, JournalDamagedError, JournalError, JournalTooNewError
from companion.games import game as game_named
from companion.match import Abandoned, Entry, Keep, Match, Setup, Undone
from companion.record import entry_plain, move_plain, read_entry, read_setup, setup_plain
from companion.rules import Foul, Move

APPLICATION = 0x54524553  # "TRES", how SQLite tells our files from others
PAGE = 1024  # bytes: a move is a hundred, and small pages spare the memory card
CACHE = 512  # kB of the file that are kept in memory
FOULS_BETWEEN_MOVES = 100  # more refused moves in a row are told, but not kept
PATIENCE = 5  # seconds that another program may have the file locked
LONGEST_FOUL = 2000  # characters; what is longer is told, but not kept

# Each script makes the next version of the file from the one before. A file of version n has had the first n.
# A version must show in the schema: a higher number on a schema that is known is a damaged number.
MIGRATIONS = (
    """
    CREATE TABLE player (name TEXT PRIMARY KEY, colour TEXT NOT NULL, crc INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE match (
        id INTEGER PRIMARY KEY,
        code TEXT NOT NULL UNIQUE,
        game TEXT NOT NULL,
        began TEXT NOT NULL,         -- wall clock, for people; nothing is decided by it
        rematch_of TEXT NOT NULL,
        status TEXT NOT NULL,        -- running, over, abandoned
        reason TEXT NOT NULL,
        time INTEGER NOT NULL,       -- table time that has certainly passed
        crc INTEGER NOT NULL
    );
    CREATE TABLE seat (
        match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL,
        name TEXT NOT NULL REFERENCES player, colour TEXT NOT NULL,
        crc INTEGER NOT NULL, PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    CREATE TABLE entry (
        id INTEGER PRIMARY KEY,  -- match << 32 | number: in order without an index, and no row in an inner page
        match INTEGER NOT NULL, number INTEGER NOT NULL,  -- 0 is the set-up
        kind TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL
    );
    CREATE TABLE foul (
        id INTEGER PRIMARY KEY, match INTEGER NOT NULL, after INTEGER NOT NULL,  -- the entry it came after
        code TEXT NOT NULL, player TEXT NOT NULL, sentence TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL
    );
    CREATE TABLE result (
        match INTEGER NOT NULL REFERENCES match, seat INTEGER NOT NULL,
        score INTEGER NOT NULL, won INTEGER NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (match, seat)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE fact (
        id INTEGER PRIMARY KEY, match INTEGER NOT NULL REFERENCES match,
        kind TEXT NOT NULL, name TEXT NOT NULL, value INTEGER NOT NULL, crc INTEGER NOT NULL
    );
    CREATE INDEX fact_by_kind ON fact (kind, value);
    CREATE INDEX fact_by_match ON fact (match);
    """,
)
SMALLEST = 512  # bytes, of a SQLite file with anything in it
LOG_HEADER, FRAME_HEADER = 32, 24  # bytes, of the write-ahead log and of each page in it
LOG_PAGES = 1000 + 24  # after the thousandth SQLite begins the log anew from its start; a transaction has a few
SUFFIX = ".sqlite3"
SIGNS = (b"SQLite format 3", b"CREATE TABLE entry", b"CREATE TABLE player")  # one of them is left of most damaged ones
LOOKED_AT = 1_000_000  # bytes
PLENTY = 16_000_000  # bytes; more than opening a sound file needs
TABLES = ("player", "match", "seat", "entry", "foul", "result", "fact")

_LAST = "(SELECT number FROM entry WHERE entry.id < (? + 1) << 32 ORDER BY entry.id DESC LIMIT 1)"  # of a match
_WITHOUT_AN_ENTRY = """
    SELECT id >> 32 FROM entry GROUP BY id >> 32
    HAVING count(*) != max(number) + 1 OR id >> 32 NOT IN (SELECT id FROM match)
    UNION SELECT id FROM match WHERE id NOT IN (SELECT match FROM entry) LIMIT 1
    """


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

    def folded(self, *keep: Keep) -> Match:
        """The match that these entries made, or a JournalError: by today's rules they may not be one."""
        try:
            return Match.folded(self.setup, self.entries, *keep)
        except (CompanionError, Foul) as error:
            raise JournalError(
                f"Match {self.setup.id} cannot be played again by the rules of this companion: {error}"
            ) from None


@dataclass(frozen=True, slots=True)
class KeptFoul:
    """A refused move, and the entry it came after."""

    after: int
    code: str
    player: str
    sentence: str
    body: str


@dataclass(frozen=True, slots=True)
class Best:
    """A line of a table of the best."""

    name: str
    value: int
    matches: int = 1
    code: str = ""
    began: str = ""


class _File:
    """The database file: every row has its checksum, every write is one transaction."""

    def __init__(self, path: Path, how: str = "") -> None:
        self.path = path
        try:
            if how:
                self._database = sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                # One thread may open it, another work with it; two at once never do.
                self._database = sqlite3.connect(path, PATIENCE, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise JournalError(f"The journal {path} cannot be opened: {_reason(error)}.") from None
        self._database.text_factory = lambda raw: raw.decode(errors="replace")  # the checksum notices
        self.run = self._database.execute
        self.run_script = self._database.executescript
        self.close = self._database.close

    def ask(self, query: str, *values: Any) -> list[Any]:
        """The rows that answer a query."""
        try:
            return self.run(query, values).fetchall()
        except sqlite3.Error as error:
            raise JournalError(f"The journal {self.path} cannot be read: {_reason(error)}.") from None

    def put(self, table: str, *values: Any, instead: bool = False) -> None:
        """Write a row; `instead` of the one with the same key."""
        row = (*values, checksum(table, values))
        places = ", ".join("?" * len(row))
        self.run(f"INSERT {'OR REPLACE ' if instead else ''}INTO {table} VALUES ({places})", row)

    def next_id(self, table: str) -> int:
        found: int = self.run(f"SELECT coalesce(max(id), 0) + 1 FROM {table}").fetchone()[0]
        return found

    def change_match(self, row: int, **changes: Any) -> None:
        asked = self.run("SELECT * FROM match WHERE id = ?", (row,))
        names = [column[0] for column in asked.description]
        values = {**dict(zip(names, asked.fetchone(), strict=True)), **changes}
        del values["crc"]
        changes["crc"] = checksum("match", values.values())
        columns = ", ".join(f"{name} = ?" for name in changes)  # only these: what stays needs no page written
        self.run(f"UPDATE match SET {columns} WHERE id = ?", (*changes.values(), row))

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
            raise JournalError(
                f"The journal {self.path} cannot be written, and nothing was changed: {_reason(error)}."
            ) from None


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
        if isinstance(entry, Undone):
            self._file.change_match(self._row, time=0)  # the time since is taken back with the move
        abandoned = entry if isinstance(entry, Abandoned) else None
        is_over = state.outcome is not None or abandoned is not None
        if is_over or self._was_over:
            self._write_result(state, abandoned)
        self._was_over = is_over

    def write_whole(self, entries: Iterable[Entry], match: Match) -> None:
        """The entries that this match was folded from, and how it ended."""
        for number, entry in enumerate(entries, self._number):
            self._write(number, *entry_plain(entry))
        if not match.is_running:
            self._write_result(match.state, match.abandoned)

    def write_setup(self, setup: Setup) -> None:
        self._write(0, "setup", setup_plain(setup))

    def refused(self, move: Move, foul: Foul) -> None:
        """Keep a refused move too, unless somebody is leaning on a button."""
        kept = KeptFoul(self._number - 1, foul.code, foul.player, foul.sentence, written(move_plain(move)))
        if self._fouls >= FOULS_BETWEEN_MOVES or len(kept.sentence) + len(kept.body) > LONGEST_FOUL:
            return
        self._fouls += 1
        with self._file.writing():
            self.write_fouls((kept,))

    def write_fouls(self, fouls: Iterable[KeptFoul]) -> None:
        for foul in fouls:
            self._file.put(
                "foul",
                self._file.next_id("foul"),
                self._row,
                foul.after,
                foul.code,
                foul.player,
                foul.sentence,
                foul.body,
            )

    def mark(self, time: int) -> None:
        """Note that this much table time has passed, so that clocks stand right after a power cut."""
        with self._file.writing():
            last = self._file.run(f"SELECT {_LAST}", (self._row,)).fetchone()[0]
            if last != self._number - 1:
                raise self._two_referees()
            self._file.change_match(self._row, time=time)

    def _write(self, number: int, kind: str, data: dict[str, Any]) -> None:
        try:
            self._file.put("entry", self._row << 32 | number, self._row, number, kind, written(data))
        except sqlite3.IntegrityError:
            raise self._two_referees() from None

    def _two_referees(self) -> JournalError:
        return JournalError(f"{self._file.path}: another referee has gone on with this match; close one of the two.")

    def _write_result(self, state: Any, abandoned: Abandoned | None) -> None:
        run, put, row, outcome = self._file.run, self._file.put, self._row, state.outcome
        run("DELETE FROM result WHERE match = ?", (row,))
        run("DELETE FROM fact WHERE match = ?", (row,))
        status = "over" if outcome else "abandoned" if abandoned else "running"
        reason = outcome.reason if outcome else abandoned.why if abandoned else ""
        self._file.change_match(row, status=status, reason=reason)
        if not outcome:
            return
        for seat, (player, score) in enumerate(zip(state.players, outcome.scores, strict=True)):
            put("result", row, seat, score, int(player in outcome.winners))
        for fact in self._game.facts(state):
            put("fact", self._file.next_id("fact"), row, fact.kind, fact.player, fact.value)


class TakeIn(Protocol):
    def __call__(
        self, match: Match, entries: tuple[Entry, ...], time: int, began: str, fouls: Iterable[KeptFoul] = ()
    ) -> None: ...


def nothing() -> None:
    """Where nobody waits."""


class Journal:
    """An open journal file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notices: tuple[str, ...] = ()  # what the user must be told about the file
        look_at(path)
        self._file = _File(path)
        try:
            with _damage_noticed(path):
                self._settings()
                self._check_and_migrate()
        except BaseException:
            self._file.close()
            raise

    @classmethod
    def open(cls, path: Path, alive: Callable[[], None] = nothing) -> Self:
        """The journal in this file, made new where there is none. A damaged one is set aside and what is sound
        is taken over; `notices` says so. That takes its time, in which `alive` is called."""
        notices: tuple[str, ...] = ()
        if _is_half_mended(path):
            from companion.salvage import go_on  # noqa: PLC0415  (only a damaged file needs it)

            notices = (go_on(path),)
        try:
            journal = cls(path)
        except JournalDamagedError as damage:
            if not _may_be_ours(path):
                raise JournalError(f"{path} is no journal, and is left as it is: name another file.") from None
            from companion.salvage import salvage  # noqa: PLC0415

            notices = (*notices, salvage(path, str(damage), alive))
            journal = cls(path)
        journal.notices = notices
        return journal

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def make_room(self) -> None:
        """Make the log as long as it will become. While it grows, each move costs the file system more than the move
        is; so it has its length from the beginning, after a power cut too, until the journal is closed."""
        log = self.path.with_name(f"{self.path.name}-wal")
        with contextlib.suppress(OSError), self._file.writing(), log.open("r+b") as file:  # nobody else writes it now
            missing = LOG_HEADER + LOG_PAGES * (FRAME_HEADER + PAGE) - file.seek(0, os.SEEK_END)
            file.write(bytes(max(0, missing)))  # which no frame of a log looks like
            file.flush()
            os.fsync(file.fileno())

    # --- writing ---

    def begin(self, setup: Setup) -> Keeper:
        """Open a new match in the journal."""
        with self._file.writing():
            return self._begin(setup, _now())

    def take_in(self, setup: Setup, entries: tuple[Entry, ...], time: int, began: str = "") -> None:
        """Write a whole match that comes from elsewhere, in one go or not at all."""
        with self.at_once() as take_in:
            take_in(Match.folded(setup, entries), entries, time, began)

    @contextlib.contextmanager
    def at_once(self) -> Iterator["TakeIn"]:
        """Any number of whole matches, all of them or none."""
        with self._file.writing():
            yield self._take_in

    def _take_in(
        self, match: Match, entries: tuple[Entry, ...], time: int, began: str, fouls: Iterable[KeptFoul] = ()
    ) -> None:
        """A match and the entries that it was folded from."""
        keeper = self._begin(match.setup, began or _now())
        keeper.write_whole(entries, match)
        keeper.write_fouls(fouls)
        self._file.change_match(self._row(match.setup.id)[0], time=max(time, match.now))

    def keeper(self, stored: Stored) -> Keeper:
        """Go on writing a match that was read before."""
        return Keeper(self._file, stored.setup.game, stored.row, len(stored.entries) + 1)

    def _begin(self, setup: Setup, began: str) -> Keeper:
        put = self._file.put
        row = self._file.next_id("match")
        try:
            put("match", row, setup.id, setup.game, began, setup.rematch_of, "running", "", 0)
        except sqlite3.IntegrityError:
            raise JournalError(f"{self.path}: match {setup.id} is in this journal already.") from None
        keeper = Keeper(self._file, setup.game, row, 1)
        keeper.write_setup(setup)
        for seat, player in enumerate(setup.players):
            put("player", player.name, player.colour, instead=True)
            put("seat", row, seat, player.name, player.colour)
        return keeper

    # --- reading ---

    def stored(self, code: str = "", game: str = "") -> Stored:
        """A match by its code or the beginning of it; without one, the newest (of a game) that is still running."""
        row, full, began, time = self._row(code, game)
        found = self._file.ask(
            "SELECT kind, body FROM entry WHERE id >= ? AND id < ? ORDER BY id", row << 32, row + 1 << 32
        )
        try:
            setup = read_setup(parsed(found[0][1]))
            playing = game_named(setup.game)
            entries = tuple(read_entry(playing, kind, parsed(body)) for kind, body in found[1:])
        except (CompanionError, IndexError) as error:
            raise JournalError(f"{self.path}: match {full} cannot be read: {error}") from None
        return Stored(setup, entries, time, row, began)

    def _row(self, code: str, game: str = "") -> tuple[int, str, str, int]:
        if not code:
            found = self._file.ask(
                "SELECT id, code, began, time FROM match WHERE status = 'running' AND (game = ? OR "
                "? = '') ORDER BY id DESC LIMIT 1",
                game,
                game,
            )
            if not found:
                of_game = f" of {game_named(game).title}" if game else ""
                raise JournalError(f"{self.path}: there is no match{of_game} to go on with.")
        else:
            found = self._file.ask(
                "SELECT id, code, began, time FROM match WHERE substr(code, 1, ?) = ?", len(code), code
            )
            if len(found) != 1:
                many = "more than one match begins" if found else "no match begins"
                raise JournalError(f"{self.path}: {many} with {code[:40]!r}; `companion matches` lists them.")
        row, full, began, time = found[0]
        return int(row), str(full), str(began), int(time)

    def matches(self, game: str = "", *, most: int = -1, skip: int = 0) -> list[Summary]:
        """All matches, newest first; or so many of them, after the first `skip`."""
        found = self._file.ask(
            f"SELECT match.id, code, game, began, status, reason, time, {_LAST.replace('?', 'match.id')} FROM match "
            "WHERE game = ? OR ? = '' ORDER BY match.id DESC LIMIT ? OFFSET ?",
            game,
            game,
            most,
            skip,
        )
        return [self._summary(*row) for row in found]

    def how_many(self) -> int:
        """Matches of any kind."""
        return int(self._file.ask("SELECT count(*) FROM match")[0][0])

    def summary(self, code: str) -> Summary:
        """One match in a line."""
        row = self._row(code)[0]
        query = f"SELECT id, code, game, began, status, reason, time, {_LAST} FROM match WHERE id = ?"
        return self._summary(*self._file.ask(query, row, row)[0])

    def finished(self) -> list[tuple[str, int]]:
        """The matches that were played to their end, oldest first, and how many entries each has."""
        return self._file.ask(
            f"SELECT code, {_LAST.replace('?', 'match.id')} FROM match WHERE status = 'over' ORDER BY match.id"
        )

    def refusals(self) -> list[tuple[str, str, int]]:
        """How many moves of each player were refused in matches that were played to their end: game, player, number."""
        return self._file.ask(
            "SELECT game, player, count(*) FROM foul JOIN match ON match.id = foul.match "
            "WHERE status = 'over' AND player != '' GROUP BY game, player"
        )

    def _summary(
        self, row: int, code: str, game: str, began: str, status: str, reason: str, time: int, entries: int
    ) -> Summary:
        seats = self._file.ask(
            "SELECT name, score, won FROM seat LEFT JOIN result USING (match, seat) WHERE match = ? ORDER BY seat", row
        )
        scores = tuple(score for _, score, _ in seats if score is not None)
        return Summary(
            code,
            game,
            began,
            status,
            reason,
            tuple(name for name, _, _ in seats),
            scores,
            tuple(name for name, _, won in seats if won),
            entries,
            time,
        )

    def most_wins(self, game: str = "") -> list[Best]:
        """Players by matches won; a shared win is a win."""
        return self._best(
            "SELECT name, sum(won), count(*), '', '' FROM result JOIN seat USING (match, seat) JOIN match ON "
            "match.id = result.match WHERE game = ? OR ? = '' GROUP BY name ORDER BY 2 DESC, 3, 1",
            game,
            game,
        )

    def best_time_trials(self, most: int = 10) -> list[Best]:
        """The quickest Threepia time trials, in nanoseconds."""
        return self._facts("time-trial", "ASC", most)

    def longest_rounds(self, most: int = 10) -> list[Best]:
        """The longest rounds of Triple³, in nanoseconds."""
        return self._facts("round", "DESC", most)

    def fouls(self, code: str) -> list[tuple[int, str, str]]:
        """The refused moves of a match: the entry each came after, who, and the sentence."""
        row = self._row(code)[0]
        return self._file.ask("SELECT after, player, sentence FROM foul WHERE match = ? ORDER BY id", row)

    def _facts(self, kind: str, order: str, most: int) -> list[Best]:
        return self._best(
            "SELECT name, value, 1, code, began FROM fact JOIN match ON match.id = fact.match "
            f"WHERE kind = ? ORDER BY value {order}, fact.id LIMIT ?",
            kind,
            most,
        )

    def _best(self, query: str, *values: Any) -> list[Best]:
        return [Best(*row) for row in self._file.ask(query, *values)]

    # --- opening ---

    def _settings(self) -> None:
        self._file.run(f"PRAGMA page_size = {PAGE}")  # of a new file; that of an old one stays
        self._file.run("PRAGMA journal_mode = WAL")
        self._file.run("PRAGMA synchronous = FULL")
        self._file.run(f"PRAGMA cache_size = -{CACHE}")
        self._file.run("PRAGMA foreign_keys = ON")

    def _check_and_migrate(self) -> None:
        run = self._file.run
        version = run("PRAGMA user_version").fetchone()[0]
        if version:
            self._check(TABLES[: TABLES.index("fact")] if version == 1 else TABLES)
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._file.run_script(
                f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; "
                f"PRAGMA application_id = {APPLICATION}; COMMIT;"
            )

    def _check(self, tables: Iterable[str]) -> None:
        """Integrity of the file, and of every row."""
        found = self._file.run("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise JournalDamagedError(found.splitlines()[-1])
        for table in tables:
            for *values, crc in self._file.run(f"SELECT * FROM {table}"):
                if crc != checksum(table, values):
                    raise JournalDamagedError(f"a row of its table {table} is not what was written")
        lost = self._file.run(_WITHOUT_AN_ENTRY).fetchone()
        if lost:
            raise JournalDamagedError(f"an entry of match {lost[0]} is missing")


def mended_beside(path: Path) -> Path:
    """What was saved of a damaged journal, whole, while it is on its way into the place of the damaged one."""
    return path.parent / f"{path.name}.mended"


def _is_half_mended(path: Path) -> bool:
    with contextlib.suppress(OSError):  # opening the journal itself says what is wrong there
        return mended_beside(path).exists()
    return False


def checksum(table: str, values: Iterable[Any]) -> int:
    return zlib.crc32(" ".join((table, *map(str, values))).encode(errors="replace"))


# --- what a file is, before anything touches it ----------------------------------------------------------------


def look_at(path: Path) -> None:
    """Raise if the file is not a sound journal of a version that is known. Nothing of it is changed by looking."""
    try:
        size = path.stat().st_size if path.exists() else 0
        if not size:
            return
        if path.is_dir():
            raise OSError("it is a folder; name a file in it")
        log = path.with_name(path.name + "-wal")
        kept = log.read_bytes() if log.exists() else b""
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be opened: {_reason(error)}.") from None
    if size < SMALLEST:  # to SQLite this is an empty file
        raise JournalDamagedError("it was cut short")
    with contextlib.closing(_File(path, "mode=ro" if kept else "mode=ro&immutable=1")) as file:
        with _damage_noticed(path):
            _must_be_ours(file)
        if _has_lost_commits(kept):
            raise JournalDamagedError("its log was changed")


def _may_be_ours(path: Path) -> bool:
    """Whether a damaged file may be set aside: one that is called like a journal, or has something of one in it."""
    if path.suffix == SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            beginning = file.read(LOOKED_AT)
    except OSError:
        return False
    return any(sign in beginning for sign in SIGNS)


def _must_be_ours(file: _File) -> None:
    version = file.run("PRAGMA user_version").fetchone()[0]
    schema = _schema(file.run)
    if not schema:
        return
    newest = _schema_of(len(MIGRATIONS))
    is_known = any(schema == _schema_of(known) for known in range(1, len(MIGRATIONS) + 1))
    if file.run("PRAGMA application_id").fetchone()[0] != APPLICATION:
        if not is_known:
            raise JournalError(f"{file.path} is a database of another program: name another file with --journal.")
        raise JournalDamagedError("its first page was changed")
    if version > len(MIGRATIONS) and not is_known:
        raise JournalTooNewError(
            f"{file.path} was written by a newer companion (version {version}, this one knows "
            f"{len(MIGRATIONS)}): update the companion."
        )
    wanted = _schema_of(version) if 0 < version <= len(MIGRATIONS) else ()
    if tuple(row for row in schema if row in newest) != wanted:
        raise JournalDamagedError("its first page was changed")


@cache
def _schema_of(version: int) -> tuple[tuple[str, str], ...]:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        for script in MIGRATIONS[:version]:
            database.executescript(script)
        return _schema(database.execute)


def _schema(run: Callable[[str], sqlite3.Cursor]) -> tuple[tuple[str, str], ...]:
    return tuple(run("SELECT name, sql FROM sqlite_schema WHERE sql NOT NULL ORDER BY name"))


def _has_lost_commits(log: bytes) -> bool:
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


@contextlib.contextmanager
def _damage_noticed(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
            raise JournalError(f"The journal {path} cannot be opened: {_reason(error)}.") from None
        raise JournalDamagedError(_reason(error)) from None
    except MemoryError:
        bytearray(PLENTY)  # where there is no memory at all, the file is not to blame
        raise JournalDamagedError("more is asked for than any memory holds") from None
    except UnicodeDecodeError:  # what SQLite says of the damage names what is damaged
        raise JournalDamagedError("its schema is no text") from None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _is_damage(error: sqlite3.Error) -> bool:
    signs = ("malformed", "unsupported file format", "no such table", "no such column")
    return any(sign in str(error) for sign in signs)


def _reason(error: Exception) -> str:
    """What SQLite or the system says, as the rest of a sentence with a remedy."""
    said = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
    said = said[:1].lower() + said[1:]
    for word, remedy in (
        ("full", "make room on the disk"),
        ("read", "make the file and its folder writable"),
        ("unable to open", "check that its folder exists and may be written"),
        ("locked", "close the other program that uses it"),
    ):
        if word in said:
            return f"{said}; {remedy}"
    return said

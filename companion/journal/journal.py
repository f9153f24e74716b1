"""The journal: every match ever played here, in one SQLite file, on disk before anybody is told.

A match is its set-up, kept as entry 0, and its entries; the tables beside them (seats, results, facts) say
nothing that the entries do not, and exist to be asked. Each row ends with a checksum, so that a damaged file
is noticed and what is sound in it can be told from what is not.
"""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from companion.codec import parsed, written
from companion.exc import CompanionError, JournalDamagedError, JournalError
from companion.games import game as game_named
from companion.journal.chain import BEGINNING, SETUP, broken, link
from companion.journal.checks import check
from companion.journal.file import File, damage_noticed
from companion.journal.inspection import look_at, look_through, may_be_ours
from companion.journal.keeper import LAST, Keeper, KeptFoul, put_entry
from companion.journal.log import FRAME_HEADER, LOG_HEADER, LOG_PAGES
from companion.journal.place import anew_beside
from companion.journal.rows import APPLICATION, MIGRATIONS, PAGE
from companion.match import Entry, Keep, Match, Setup
from companion.record import read_entry, read_setup, setup_plain
from companion.rules import Foul
from companion.sentence import Sentence


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
    chain: int = BEGINNING  # what the next entry goes on from

    def folded(self, *keep: Keep) -> Match:
        """The match that these entries made, or a JournalError: by today's rules they may not be one."""
        try:
            return Match.folded(self.setup, self.entries, *keep)
        except (CompanionError, Foul) as error:
            raise JournalError(
                Sentence(
                    "Match {match} cannot be played again by the rules of this companion: {error}",
                    match=self.setup.id,
                    error=error.sentence,
                )
            ) from None


@dataclass(frozen=True, slots=True)
class Best:
    """A line of a table of the best."""

    name: str
    value: int
    matches: int = 1
    code: str = ""
    began: str = ""


@dataclass(frozen=True, slots=True)
class KeptTrial:
    """A time trial of Threepia. None: nobody kept it when the match was played."""

    name: str
    time: int
    left: int | None  # cards in hand at the end
    cards: int | None  # in all
    on_word: int | None
    code: str
    began: str
    setup: str  # as it was kept


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
        self._file = File(path)
        try:
            with damage_noticed(path):
                self._file.set_up()
                self._check_and_migrate()
                self._file.hold()
        except BaseException:
            self._file.close()
            raise

    @classmethod
    def open(cls, path: Path, alive: Callable[[], None] = nothing) -> Self:
        """The journal in this file, made new where there is none. A damaged one is set aside and what is sound
        is taken over; `notices` says so. That takes its time, in which `alive` is called."""
        notices: tuple[str, ...] = ()
        _take_what_was_written_anew(path)
        if mended_beside(path).exists() and not path.exists():
            from companion.salvage import go_on, is_half_mended  # noqa: PLC0415  (only a damaged file needs it)

            notices = (go_on(path),) if is_half_mended(path) else ()
        try:
            journal = cls(path)
        except JournalDamagedError as damage:
            if not may_be_ours(path):
                raise JournalError(f"{path} is no journal, and is left as it is: name another file.") from None
            from companion.salvage import salvage  # noqa: PLC0415

            notices = (*notices, salvage(path, damage.sentence, alive))
            journal = cls(path)
        journal.notices = notices
        return journal

    def close(self) -> None:
        self._file.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def news(self) -> tuple[str, ...]:
        """What has happened to the file since it was opened, and was not asked for yet."""
        found, self._file.news = tuple(self._file.news), []
        return found

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
        return Keeper(self._file, stored.setup.game, stored.row, len(stored.entries) + 1, stored.chain)

    def _begin(self, setup: Setup, began: str) -> Keeper:
        put = self._file.put
        row = self._file.next_id("match")
        try:
            put("match", row, setup.id, setup.game, began, setup.rematch_of, "running", "", 0, None)
        except sqlite3.IntegrityError:
            raise JournalError(f"{self.path}: match {setup.id} is in this journal already.") from None
        chain = put_entry(self._file, row, 0, SETUP, written(setup_plain(setup)), BEGINNING)
        keeper = Keeper(self._file, setup.game, row, 1, chain)
        for seat, player in enumerate(setup.players):
            put("player", player.name, player.colour, instead=True)
            put("seat", row, seat, player.name, player.colour)
        return keeper

    # --- reading ---

    def stored(self, code: str = "", game: str = "") -> Stored:
        """A match by its code or the beginning of it; without one, the newest (of a game) that is still running."""
        row, full, began, time = self._row(code, game)
        found = self._file.ask(
            "SELECT kind, body, chain FROM entry WHERE id >= ? AND id < ? ORDER BY id", row << 32, row + 1 << 32
        )
        chain = BEGINNING
        for number, (*one, kept) in enumerate(found):
            chain = link(chain, number, *one)
            if kept not in (None, chain):
                text = "{path}: match {match} cannot be read: {broken}; open it anew."  # said
                raise JournalError(Sentence(text, path=self.path, match=full, broken=broken(number)))
        try:
            setup = read_setup(parsed(found[0][1]))
            playing = game_named(setup.game)
            entries = tuple(read_entry(playing, kind, parsed(body)) for kind, body, _ in found[1:])
        except (CompanionError, IndexError) as error:
            text, why = "{path}: match {match} cannot be read: {why}", getattr(error, "sentence", str(error))  # said
            raise JournalError(Sentence(text, path=self.path, match=full, why=why)) from None
        return Stored(setup, entries, time, row, began, chain)

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

    def matches(self, game: str = "", *, status: str = "", most: int = -1, skip: int = 0) -> list[Summary]:
        """All matches, newest first; or so many of them, after the first `skip`."""
        found = self._file.ask(
            f"SELECT match.id, code, game, began, status, reason, time, {LAST.replace('?', 'match.id')} FROM match "
            "WHERE ? IN (game, '') AND ? IN (status, '') ORDER BY match.id DESC LIMIT ? OFFSET ?",
            game,
            status,
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
        query = f"SELECT id, code, game, began, status, reason, time, {LAST} FROM match WHERE id = ?"
        return self._summary(*self._file.ask(query, row, row)[0])

    def finished(self) -> list[tuple[str, int]]:
        """The matches that were played to their end, oldest first, and how many entries each has."""
        return self._file.ask(
            f"SELECT code, {LAST.replace('?', 'match.id')} FROM match WHERE status = 'over' ORDER BY match.id"
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

    def time_trials(self) -> list[KeptTrial]:
        """The time trials of Threepia that count, newest first."""
        rows = self._file.ask(
            "SELECT run.name, run.value, left_.value, cards.value, word.value, code, began, body FROM fact AS run "
            "JOIN match ON match.id = run.match JOIN entry ON entry.id = run.match << 32 "
            "LEFT JOIN fact AS left_ ON left_.match = run.match AND left_.kind = 'trial-left' "
            "LEFT JOIN fact AS cards ON cards.match = run.match AND cards.kind = 'trial-cards' "
            "LEFT JOIN fact AS word ON word.match = run.match AND word.kind = 'trial-word' "
            "WHERE run.kind = 'time-trial' ORDER BY run.id DESC"
        )
        return [KeptTrial(*row) for row in rows]

    def longest_rounds(self, most: int = 10) -> list[Best]:
        """The longest rounds of Triple³, in nanoseconds."""
        return self._best(
            "SELECT name, value, 1, code, began FROM fact JOIN match ON match.id = fact.match "
            "WHERE kind = 'round' ORDER BY value DESC, fact.id LIMIT ?",
            most,
        )

    def fouls(self, code: str) -> list[tuple[int, str, str]]:
        """The refused moves of a match: the entry each came after, who, and the sentence."""
        row = self._row(code)[0]
        return self._file.ask("SELECT after, player, sentence FROM foul WHERE match = ? ORDER BY id", row)

    def refused(self, code: str) -> tuple[KeptFoul, ...]:
        """The same with the moves."""
        row = self._row(code)[0]
        ask = "SELECT after, code, player, sentence, body FROM foul WHERE match = ? ORDER BY id"
        return tuple(KeptFoul(*kept) for kept in self._file.ask(ask, row))

    def _best(self, query: str, *values: Any) -> list[Best]:
        return [Best(*row) for row in self._file.ask(query, *values)]

    # --- opening ---

    def _check_and_migrate(self) -> None:
        run = self._file.run
        version = run("PRAGMA user_version").fetchone()[0]
        check(self._file, version)
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._file.run_script(
                f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; "
                f"PRAGMA application_id = {APPLICATION}; COMMIT;"
            )


def mended_beside(path: Path) -> Path:
    """What was saved of a damaged journal, whole, while it is on its way into the place of the damaged one."""
    return path.parent / f"{path.name}.mended"


def _take_what_was_written_anew(path: Path) -> None:
    """A power cut can come between writing a journal anew and putting it in its place."""
    anew = anew_beside(path)
    with contextlib.suppress(OSError):  # opening says what is wrong there; what is no sound journal is left alone
        if anew.exists() and not path.exists():
            look_through(anew)
            anew.rename(path)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

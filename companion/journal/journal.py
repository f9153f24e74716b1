"""The journal: every match ever played here, in one SQLite file, on disk before anybody is told.

A match is its set-up, kept as entry 0, and its entries; the tables beside them (seats, results, facts) say
nothing that the entries do not, and exist to be asked. Each row ends with a checksum, so that a damaged file
is noticed and what is sound in it can be told from what is not.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

from companion.core.entry import Entry
from companion.core.errors import JournalDamagedError, JournalError
from companion.core.match import Match, Setup
from companion.core.sentence import N_, Sentence
from companion.journal.audit import Audit, Run
from companion.journal.checks import check, check_newest
from companion.journal.file import File, damage_noticed
from companion.journal.inspection import look_at, look_through, may_be_ours, must_be_whole, read_through
from companion.journal.keeper import Keeper, KeptFoul, begun
from companion.journal.log import BEHIND, FRAME_HEADER, LOG_HEADER, LOG_PAGES
from companion.journal.place import anew_beside, mended_beside, suspicion_beside
from companion.journal.queries import CANNOT_BE_READ, Queries
from companion.journal.records import Stored
from companion.journal.rows import APPLICATION, MIGRATIONS, PAGE

PATIENCE = 2.0  # seconds that closing waits for the audit of a journal that was written
FOUND = N_(
    "The journal is damaged ({damage}). Matches are kept all the same, and what is sound is saved as soon as nobody "
    "plays, or when it is opened again."
)


class TakeIn(Protocol):
    def __call__(
        self, match: Match, entries: tuple[Entry, ...], time: int, began: str, fouls: Iterable[KeptFoul] = ()
    ) -> None: ...


def nothing() -> None:
    """Where nobody waits."""


class Journal(Queries):
    """An open journal file, which is written and can be asked.

    Opening reads as much of a long journal as of a short one: what the file is, its log, and the match that was begun
    last. The rest is read by `check`, or beside the table by `audit`.
    """

    def __init__(self, path: Path) -> None:
        self._log = look_at(path)
        super().__init__(path, File(path))
        self.notices: tuple[str, ...] = ()  # what the user must be told about the file
        self.damage = ""  # what the audit has found ...
        self._untold: tuple[str, ...] = ()  # ... and nobody has been told yet
        self._audit: Audit | None = None
        self._is_audited = False  # or has been begun to be
        try:
            with damage_noticed(path):
                self._file.set_up()
                self._check_and_migrate()
                self._file.hold()
        except BaseException:
            self._file.close()
            raise

    @classmethod
    def open(cls, path: Path, alive: Callable[[], None] = nothing, *, whole: bool = False) -> Self:
        """The journal in this file, made new where there is none. A damaged one is set aside and what is sound
        is taken over; `notices` says so. That takes its time, in which `alive` is called. `whole`: all is read."""
        notices: tuple[str, ...] = ()
        _take_what_was_written_anew(path)
        if mended_beside(path).exists() and not path.exists():
            from companion.journal.salvage import go_on, is_half_mended  # noqa: PLC0415  (only a damaged file needs it)

            notices = (go_on(path),) if is_half_mended(path) else ()
        try:
            journal = cls._checked(path, alive, whole=whole)
        except JournalDamagedError as damage:
            if not may_be_ours(path):
                raise JournalError(f"{path} is no journal, and is left as it is: name another file.") from None
            from companion.journal.salvage import salvage  # noqa: PLC0415

            notices = (*notices, salvage(path, damage.sentence, alive))
            journal = cls._checked(path, alive, whole=True)
        journal.notices = notices
        return journal

    @classmethod
    def _checked(cls, path: Path, alive: Callable[[], None], *, whole: bool) -> Self:
        """All of it is read if it is wished, if damage was found before, and before its log grows without end."""
        journal = cls(path)
        try:
            if suspicion_beside(path).exists() or (journal._log and journal._log.believed > BEHIND):
                journal.check(alive)
            elif whole:
                journal.check()
        except BaseException:
            journal._file.close()
            raise
        return journal

    def close(self) -> None:
        if self._audit:
            self._audit.end(PATIENCE if self._file.is_written else 0)
            self._hear_audit()
        self._file.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- whether all of it is sound ---

    def check(self, alive: Callable[[], None] = nothing) -> None:
        """Read all of it, if nobody has yet; a JournalDamagedError says what is wrong."""
        if not self._file.is_proven:
            read_through(self.path, alive, has_log=self._log is not None)
            self._file.prove()
        with contextlib.suppress(OSError):
            suspicion_beside(self.path).unlink(missing_ok=True)

    def audit(self, wake: Callable[[], None] = nothing, run: Run | None = None) -> None:
        """The same beside whoever goes on. `wake` is called from another thread when `attend` has something to do."""
        if not self._is_audited and not self._file.is_proven:
            self._is_audited = True
            self._audit = Audit(self.path, wake, run, has_log=self._log is not None)

    def attend(self) -> tuple[str, ...]:
        """Go on by what the audit has found; what is to be told of it, once."""
        self._hear_audit()
        told, self._untold = self._untold, ()
        return told

    def _hear_audit(self) -> None:
        if self._audit is None or not self._audit.is_over:
            return
        audit, self._audit = self._audit, None
        if audit.is_sound:
            self._file.prove()
        elif audit.damage:
            self._file.suspect()
            self.damage = audit.damage
            self._untold = (Sentence(FOUND, damage=audit.damage),)
            self.notices = (*self._untold, *self.notices)

    def news(self) -> tuple[str, ...]:
        """What has happened to the file since it was opened, and was not asked for yet."""
        found, self._file.news = tuple(self._file.news), []
        return (*self.attend(), *found)

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
            return begun(self._file, setup, _now())

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
        keeper = begun(self._file, match.setup, began or _now())
        keeper.write_whole(entries, match)
        keeper.write_fouls(fouls)
        self._file.change_match(self._row(match.setup.id)[0], time=max(time, match.now))

    def keeper(self, stored: Stored) -> Keeper:
        """Go on writing a match that was read before."""
        if self._log is not None and not self._file.is_proven:
            self._must_be_whole(stored)
        return Keeper(self._file, stored.setup.game, stored.row, len(stored.entries) + 1, stored.chain)

    def _must_be_whole(self, stored: Stored) -> None:
        try:
            must_be_whole(self.path, stored.row)
        except JournalDamagedError as damage:
            self._file.suspect()
            raise JournalError(
                Sentence(CANNOT_BE_READ, path=self.path, match=stored.setup.id, broken=damage.sentence)
            ) from None

    # --- opening ---

    def _check_and_migrate(self) -> None:
        run = self._file.run
        version = run("PRAGMA user_version").fetchone()[0]
        if version == len(MIGRATIONS):
            check_newest(self._file)
            return
        check(self._file, version)
        self._file.prove()
        for number, script in enumerate(MIGRATIONS[version:], version + 1):
            self._file.run_script(
                f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; "
                f"PRAGMA application_id = {APPLICATION}; COMMIT;"
            )


def _take_what_was_written_anew(path: Path) -> None:
    """A power cut can come between writing a journal anew and putting it in its place."""
    anew = anew_beside(path)
    with contextlib.suppress(OSError):  # opening says what is wrong there; what is no sound journal is left alone
        if anew.exists() and not path.exists():
            look_through(anew)
            anew.rename(path)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")

"""The journal of a table, for as long as the table stands.

One that could not be opened is tried again in a thread until it can be. From then on matches are kept; one that has
begun without it stays as it is, and that is said. One that is open is read beside the table, and where that finds
damage it is mended as soon as nobody plays.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.background import in_thread
from companion.core.errors import CompanionError
from companion.core.sentence import N_, Sentence
from companion.devices.device import Part, Patience
from companion.devices.lock import is_ours, only_one
from companion.words import labels

if TYPE_CHECKING:
    from companion.display.app import App
    from companion.journal import Journal

NONE = N_("Matches are not kept: there is no journal.")
NOT_THIS_ONE = N_("The match that is being played is not kept; the next ones are.")

Say = Callable[[str], None]
Run = Callable[[Callable[[], None]], None]
Open = Callable[[], "AbstractContextManager[Journal]"]


class Keeping:
    """`attend` has to be called now and then, from the thread of the table."""

    def __init__(self, app: "App", open_: Open, say: Say, run: Run | None = None) -> None:
        self._app, self._open, self._say, self._run = app, open_, say, run or in_thread("journal")
        self._patience = Patience()
        self._is_begun = self._is_opening = self._is_closed = False
        self._is_mending = False
        self._opened: Journal | CompanionError | None = None
        self._room = ExitStack()  # of the journal that was opened

    @property
    def part(self) -> Part | None:
        """None when everything is as if it had always been there."""
        journal = self._app.journal
        if journal is None:
            reason, detail = (
                (self._app.surroundings.unkept, "") if self._is_mending else (NONE, self._app.surroundings.unkept)
            )
            return Part("journal", "gone", reason, "", detail)
        if journal.damage:
            return Part("journal", "ailing", journal.notices[0])
        if self._app.is_played_unkept:
            return Part("journal", "ailing", NOT_THIS_ONE)
        return None

    def wakes_at(self) -> int | None:
        return self._patience.at if self._app.journal is None and not self._is_opening else None

    def attend(self, now: int) -> None:
        """Try again when it is time to; take over what was opened meanwhile; look after the one that is open."""
        if self._app.journal is not None:
            self._look_after(self._app.journal)
            return
        if not self._is_begun:  # it has failed just now
            self._is_begun = True
            self._patience.failed(now)
        if self._is_opening:
            self._take_over(now)
        elif now >= self._patience.at:
            self._is_opening, self._opened = True, None
            self._run(self._try)

    def _look_after(self, journal: "Journal") -> None:
        """All of it is read beside the table; a damaged one is opened anew, by which it is mended."""
        journal.audit(self._app.library.wake)
        journal.attend()
        if journal.damage and self._app.lend_journal(labels.IS_BEING_MENDED):
            journal.close()
            self._is_begun = self._is_opening = self._is_mending = True
            self._opened = None
            self._run(self._try)

    def close(self) -> None:
        """When nothing more is to be kept."""
        self._is_closed = True
        self._room.close()

    def _try(self) -> None:
        """In a thread: another program may have it locked, or it has to be mended first."""
        room = ExitStack()
        try:
            found: Journal | CompanionError = room.enter_context(self._open())
        except CompanionError as error:
            found = error
        except Exception as error:  # whatever is wrong there, people play on
            text = N_("The journal cannot be opened ({kind}: {error}).")
            found = CompanionError(Sentence(text, kind=type(error).__name__, error=str(error)))
        if self._is_closed:
            room.close()
            return
        self._room, self._opened = room, found
        self._app.library.wake()

    def _take_over(self, now: int) -> None:
        found = self._opened
        if found is None:
            return
        self._is_opening, self._opened, self._is_mending = False, None, False
        self._app.surroundings.is_journal_lent = False
        if isinstance(found, CompanionError):
            self._patience.failed(now)
            if found.sentence != self._app.surroundings.unkept:  # once, however often it is tried
                self._app.surroundings.unkept = found.sentence
                self._say(f"{found} Until then matches are not kept.")
            return
        self._app.keep_in(found)
        for said in (NONE, labels.IS_BEING_MENDED):
            self._app.take_back(said)


def opener(path: Path, open_: "Callable[[Path, Callable[[], None]], AbstractContextManager[Journal]]") -> Open:
    """The journal at this place, and the lock beside it, which may have been impossible too."""

    @contextmanager
    def opened() -> "Iterator[Journal]":
        with ExitStack() as stack:
            if not is_ours(path):
                stack.enter_context(only_one(path))
            journal = stack.enter_context(open_(path, lambda: None))
            journal.make_room()
            yield journal

    return opened

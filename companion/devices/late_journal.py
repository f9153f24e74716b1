"""A journal that could not be opened when the table was: tried again in a thread until it can be. From then on matches
are kept; one that has begun without it stays as it is, and that is said."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from companion.aside import in_thread
from companion.exc import CompanionError
from companion.onlyone import is_ours, only_one
from companion.parts import Part, Patience
from companion.sentence import Sentence

if TYPE_CHECKING:
    from companion.display.app import App
    from companion.journal import Journal

NONE = "Matches are not kept: there is no journal."  # said
NOT_THIS_ONE = "The match that is being played is not kept; the next ones are."  # said

Say = Callable[[str], None]
Run = Callable[[Callable[[], None]], None]
Open = Callable[[], "AbstractContextManager[Journal]"]


class Keeping:
    """`attend` has to be called now and then, from the thread of the table."""

    def __init__(self, app: "App", open_: Open, say: Say, run: Run | None = None) -> None:
        self._app, self._open, self._say, self._run = app, open_, say, run or in_thread("journal")
        self._patience = Patience()
        self._is_begun = self._is_opening = self._is_closed = False
        self._opened: Journal | CompanionError | None = None
        self._room = ExitStack()  # of the journal that was opened

    @property
    def part(self) -> Part | None:
        """None when everything is as if it had always been there."""
        if self._app.journal is None:
            return Part("journal", "gone", NONE, "", self._app.unkept)
        if self._app.is_played_unkept:
            return Part("journal", "ailing", NOT_THIS_ONE)
        return None

    def wakes_at(self) -> int | None:
        return self._patience.at if self._app.journal is None and not self._is_opening else None

    def attend(self, now: int) -> None:
        """Try again when it is time to; take over what was opened meanwhile."""
        if self._app.journal is not None:
            return
        if not self._is_begun:  # it has failed just now
            self._is_begun = True
            self._patience.failed(now)
        if self._is_opening:
            self._take_over(now)
        elif now >= self._patience.at:
            self._is_opening, self._opened = True, None
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
            text = "The journal cannot be opened ({kind}: {error})."  # said
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
        self._is_opening, self._opened = False, None
        if isinstance(found, CompanionError):
            self._patience.failed(now)
            if found.sentence != self._app.unkept:  # once, however often it is tried
                self._app.unkept = found.sentence
                self._say(f"{found} Until then matches are not kept.")
            return
        self._app.keep_in(found)
        self._app.take_back(NONE)


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

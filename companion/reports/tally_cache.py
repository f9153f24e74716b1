"""The tallies of every match in a journal: counted once, a little at a time, and kept in a file beside it.

The file says nothing that the journal does not; damaged or lost, everything is counted again.
"""

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import astuple, fields
from pathlib import Path
from typing import Any

from companion.core import plainfile
from companion.core import wholefile as whole
from companion.core.errors import JournalError
from companion.journal import Journal
from companion.reports.statistics import Tally, tallied, together, with_refusals

LARGEST = 8_000_000  # bytes of the file, for some ten thousand matches; read JSON takes twenty times its room
FORMAT = 2  # another number where something else is counted
_COLUMNS = len(fields(Tally)) - 1  # the game stands once for all players of a match

Tallies = tuple[Tally, ...]


def beside(journal: Path) -> Path:
    """Where the tallies of a journal are kept."""
    return journal.with_name(f"{journal.name}.tallies")


class Counted:
    """What has been counted of a journal, and what is still to be counted."""

    def __init__(self, journal: Journal, file: Path | None = None) -> None:
        self._journal = journal
        self._file = file
        self._known: dict[str, tuple[int, Tallies]] = dict(_read(file)) if file else {}  # by code, with the entries
        self._left: list[tuple[str, int]] = []
        self._finished: dict[str, int] = {}
        self._sum: Tallies | None = None  # of all that is counted, as far as anybody has asked
        self._refusals: list[tuple[str, str, int]] = []
        self.look()

    def look(self) -> None:
        """See which matches have come, or have changed."""
        self._refusals = self._journal.refusals()
        finished = dict(self._journal.finished())
        if finished == self._finished:
            return
        self._finished = finished
        known = self._known
        self._left = [
            (code, entries) for code, entries in self._finished.items() if known.get(code, (-1,))[0] != entries
        ]
        self._sum = None

    @property
    def left(self) -> int:
        """So many matches are not counted yet."""
        return len(self._left)

    @property
    def all(self) -> int:
        return len(self._finished)

    @property
    def tallies(self) -> Tallies:
        """Of each player in each game, as far as it has been counted."""
        if self._sum is None:
            left = {code for code, _ in self._left}
            counted = (self._known[code][1] for code in self._finished if code not in left)
            self._sum = together(tally for tallies in counted for tally in tallies)
        return with_refusals(sorted(self._sum, key=lambda tally: (tally.game, tally.player)), self._refusals)

    def count(self, enough: Callable[[], bool]) -> None:
        """Count the next matches until that is enough; keep what is counted once it is all."""
        while self._left and not enough():
            code, entries = self._left.pop()  # the newest first
            self._known[code] = entries, self._of(code)
            if self._sum is not None:
                self._sum = together((*self._sum, *self._known[code][1]))
        if not self._left:
            self.keep()

    def _of(self, code: str) -> Tallies:
        """Nothing of a match that cannot be read, or not be played by the rules of today."""
        try:
            return tallied(self._journal.stored(code).folded())
        except JournalError:
            return ()

    def keep(self) -> None:
        """Write down what has been counted. Where that cannot be, it is counted again the next time."""
        if self._file is None:
            return
        kept = {code: [entries, *_plain(tallies)] for code, (entries, tallies) in self._known.items()}
        text = json.dumps({"companion": FORMAT, "matches": kept}, ensure_ascii=False, separators=(",", ":"))
        with contextlib.suppress(OSError, UnicodeError):
            whole.write(self._file, text.encode(), lasting=False)


def _plain(tallies: Tallies) -> Iterator[Any]:
    if tallies:
        yield tallies[0].game
        for tally in tallies:
            yield astuple(tally)[1:]


def _read(file: Path) -> Iterator[tuple[str, tuple[int, Tallies]]]:
    """What a file holds, as far as it is what was written."""
    try:
        found = json.loads(plainfile.content(file, LARGEST))
        if found["companion"] == FORMAT:
            for code, (entries, *rest) in found["matches"].items():
                yield code, (entries, tuple(_tallies(*rest)))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return


def _tallies(game: str = "", *rows: Any) -> Iterator[Tally]:
    for player, *values in rows:
        if len(values) + 1 != _COLUMNS or not all(value is None or type(value) is int for value in values):
            raise ValueError("no tally")
        yield Tally(game, str(player), *values)

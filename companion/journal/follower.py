"""Reads what a table keeps while it plays on: entries of a match, by a connection that only reads."""

import contextlib
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.codec import parsed
from companion.core.errors import JournalError
from companion.core.sentence import N_, Sentence
from companion.journal.file import File
from companion.journal.inspection import opened_to_look
from companion.journal.keeper import LAST
from companion.journal.rows import is_sound

NOT_NOW = N_("The journal {path} cannot be read just now: {why}.")


@dataclass(frozen=True, slots=True)
class FollowedMatch:
    """A match in the journal: where its entries are, and how many there were a moment ago."""

    row: int
    began: str
    last: int  # the number of its newest entry


@dataclass(frozen=True, slots=True)
class KeptRow:
    """An entry as it was kept; 0 is the set-up."""

    number: int
    kind: str
    body: Any


class Follower:
    """Asks the file anew each time, so that it is never in the way of who writes it, moves it or makes it anew."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def match(self, code: str) -> FollowedMatch | None:
        """None: it is not kept there."""
        with self._open() as file:
            found = file.run(f"SELECT id, began, {LAST.replace('?', 'match.id')} FROM match WHERE code = ?", (code,))
            row = found.fetchone()
            return None if row is None or row[2] is None else FollowedMatch(*row)

    def lasts(self, codes: Iterable[str]) -> dict[str, int]:
        """The newest entry of each of these matches, as far as they are kept there."""
        asked = f"SELECT {LAST.replace('?', 'match.id')} FROM match WHERE code = ?"
        with self._open() as file:
            found = {code: file.run(asked, (code,)).fetchone() for code in codes}
        return {code: row[0] for code, row in found.items() if row and row[0] is not None}

    def rows(self, match: FollowedMatch, after: int, most: int) -> list[KeptRow]:
        """The entries behind this number, each as it was written, or a JournalError."""
        asked = "SELECT * FROM entry WHERE id > ? AND id < ? ORDER BY id LIMIT ?"
        with self._open() as file:
            found = file.run(asked, ((match.row << 32) + after, match.row + 1 << 32, most)).fetchall()
        if not all(is_sound("entry", row) for row in found):
            raise JournalError(Sentence(NOT_NOW, path=self._path, why=N_("an entry is not as it was written")))
        return [KeptRow(number, kind, parsed(body)) for _, _, number, kind, body, *_ in found]

    @contextlib.contextmanager
    def _open(self) -> Iterator[File]:
        try:
            with contextlib.closing(opened_to_look(self._path)) as file:
                yield file
        except (sqlite3.Error, OSError) as error:
            raise JournalError(Sentence(NOT_NOW, path=self._path, why=str(error))) from None

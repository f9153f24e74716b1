"""Matches that `companion export` has written, taken in as if they had been heard."""

from collections.abc import Iterator
from pathlib import Path

from companion.board.results import FROM_FILE, ArrivedEntry, Results
from companion.core.codec import parsed, plain, written
from companion.journal.archive import read_archive
from companion.journal.chain import rows
from companion.journal.follower import KeptRow
from companion.journal.records import Stored
from companion.publishing.entry_payloads import EntryTeller


def told(stored: Stored, table: str) -> Iterator[ArrivedEntry]:
    """A match of this table, entry by entry, as the table would have published it."""
    kept = [
        KeptRow(number, kind, parsed(body)) for number, (kind, body) in enumerate(rows(stored.setup, stored.entries))
    ]
    teller = EntryTeller(table, stored.began, kept[0].body)
    for row in kept:
        entry = teller.tell(row)
        yield ArrivedEntry(entry, written(plain(entry)), FROM_FILE)


def take_in(file: Path, table: str, results: Results) -> tuple[str, int]:
    """The match in a file, and how many entries it has; all of them are kept, or none."""
    stored = read_archive(file)
    arrived = [*told(stored, table)]
    results.take(arrived)
    return stored.setup.id, len(arrived)

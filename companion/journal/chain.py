"""The chain of a match: the checksum of each entry covers the one before, back to the set-up.

So a file can tell that an entry is missing, doubled, out of its place or of another match, although each entry in
itself is as it was written. It is the same in every journal, copy and exported file: no number of a row is in it.
"""

import zlib
from collections.abc import Iterable, Iterator

from companion.core.codec import written
from companion.core.entry import Entry
from companion.core.match import Setup
from companion.core.record import entry_plain, setup_plain
from companion.core.sentence import N_, Sentence

SETUP = "setup"  # the kind of entry 0
BEGINNING = 0  # what the set-up goes on from


def link(before: int, number: int, kind: str, body: str) -> int:
    """The checksum of an entry that goes on from the one before."""
    return zlib.crc32(f"{number} {kind} {body}".encode(errors="replace"), before)


def links(rows: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Of each row of a match, which are kind and body, the set-up first."""
    before = BEGINNING
    for number, (kind, body) in enumerate(rows):
        before = link(before, number, kind, body)
        yield before


def broken(number: int) -> Sentence:
    """What is wrong where the chain of an entry is another than it should be, as part of a sentence."""
    text = N_("entry {number} does not follow the one before it: one is missing, doubled, changed or of another match")
    return Sentence(text, number=number)


def chain(setup: Setup, entries: Iterable[Entry]) -> tuple[int, ...]:
    """Of a match as it would be written now."""
    return tuple(links(rows(setup, entries)))


def rows(setup: Setup, entries: Iterable[Entry]) -> Iterator[tuple[str, str]]:
    """A match as it is written, kind and body, the set-up first."""
    yield SETUP, written(setup_plain(setup))
    for kind, data in map(entry_plain, entries):
        yield kind, written(data)

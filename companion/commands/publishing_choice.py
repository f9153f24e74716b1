"""The broker that a file names, to which the rulings of a match are published."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.console import complain
from companion.publishing.wish import Publish, read_wish

if TYPE_CHECKING:
    from companion.journal import Journal
    from companion.publishing.publisher import Publisher


def publishing_wish(file: Path | None) -> Publish | None:
    """Where rulings are to go; what is wrong with it is said before anything is kept."""
    return None if file is None else read_wish(file)


@contextlib.contextmanager
def open_publisher(wish: Publish | None, journal: "Journal | None") -> "Iterator[Publisher | None]":
    if wish is None:
        yield None
        return
    from companion.publishing.publisher import opened  # noqa: PLC0415  (loads ssl, which few matches need)

    path = journal.path if journal else None
    with opened(wish, complain, journal=lambda: path) as publisher:
        yield publisher

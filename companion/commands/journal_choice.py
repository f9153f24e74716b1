"""Which journal a command uses, and opening it."""

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.commands.console import complain
from companion.config.home import own_folder
from companion.config.table_file import Configuration, machines_journal
from companion.core.errors import CompanionError
from companion.journal import Journal

REPAIRING = 10.0  # seconds between two lines while it takes long


def usual_journal() -> Path:
    named = os.environ.get("COMPANION_JOURNAL")
    if named:
        return Path(named)
    try:
        return own_folder("XDG_STATE_HOME", "~/.local/state") / "companion" / "journal.sqlite3"
    except RuntimeError:
        raise CompanionError("There is no home folder to keep the journal in: name a file with --journal.") from None


def journal_of_table(named: Path | None, configuration: Configuration) -> Path:
    """Of the table that is asked about: on an appliance the one that the machine starts, whoever asks."""
    found = named or configuration.journal
    if found is None and not os.environ.get("COMPANION_JOURNAL"):
        found = machines_journal(configuration.file)
    return found or usual_journal()


@contextlib.contextmanager
def open_journal(
    named: Path | None, alive: Callable[[], None] | None = None, *, must_exist: bool = False, whole: bool = False
) -> Iterator[Journal]:
    """The journal that was named, or the usual one. `must_exist`: a file that was named has to be there already.
    `whole`: all of it is checked first. `alive` is called again and again while a damaged one is repaired."""
    if must_exist and named and not named.exists():
        raise CompanionError(f"There is no journal {named}.")
    with Journal.open(named or usual_journal(), alive or _says_that_it_takes_long(), whole=whole) as journal:
        for notice in journal.notices:
            complain(notice)
        yield journal
    for sentence in journal.news():
        complain(sentence)


@contextlib.contextmanager
def audited_journal(named: Path | None) -> Iterator[Journal]:
    """It is checked beside whoever writes it, who hears of damage with the next ruling."""
    with open_journal(named) as journal:
        journal.audit()
        yield journal


def _says_that_it_takes_long() -> Callable[[], None]:
    """Says so every ten seconds."""
    said = time.monotonic()

    def alive() -> None:
        nonlocal said
        if time.monotonic() - said > REPAIRING:
            said = time.monotonic()
            complain("The journal is damaged, and what is sound in it is still being saved: Ctrl-C puts that off.")

    return alive

"""`companion import`: adds a match that was exported to the journal."""

import argparse
from pathlib import Path

from companion.commands.arguments import add_journal
from companion.commands.console import say
from companion.commands.journal_choice import open_journal
from companion.journal.archive import read_archive

NAME = "import"
HELP = "add an exported match to the journal"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="what `companion export` has written")
    add_journal(parser)


def run(options: argparse.Namespace) -> int:
    stored = read_archive(options.file)
    with open_journal(options.journal, whole=True) as journal:
        journal.take_in(stored.setup, stored.entries, stored.time, stored.began)
    say(f"Taken in: match {stored.setup.id}, {len(stored.entries)} entries.")
    return 0

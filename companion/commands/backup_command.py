"""`companion backup`: a copy of the journal, on the stick named COMPANION or in a folder."""

import argparse
from pathlib import Path

from companion.commands.arguments import add_configuration, add_journal
from companion.commands.console import complain, say
from companion.commands.journal_choice import journal_of_table
from companion.config.table_file import read_configuration, usual_configuration
from companion.doctor.checkup import must_be_readable
from companion.journal.backup import NothingToCopyError, back_up, on_stick

NAME = "backup"
HELP = "copy the journal to the stick named COMPANION or to a folder"


def arguments(parser: argparse.ArgumentParser) -> None:
    about = "where the copy is kept (default: the stick)"
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help=about)
    about = "keep so many copies and delete the oldest (default 10)"
    parser.add_argument("--keep", type=_count, metavar="N", help=about)
    add_configuration(parser, "the table.toml that names the folder")
    about = "succeed if there is no stick, or no journal yet"
    parser.add_argument("--if-any", action="store_true", help=about)
    add_journal(parser)


def _count(text: str) -> int:
    if text.isdecimal() and 0 < int(text[:9]) <= 1000:
        return int(text[:9])
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 1 to 1000")


def run(options: argparse.Namespace) -> int:
    configuration = read_configuration(options.configuration or usual_configuration())
    for notice in configuration.notices:
        complain(notice)
    journal = journal_of_table(options.journal, configuration)
    must_be_readable(journal)
    try:
        folder = options.folder or configuration.backup or on_stick()
        kept = back_up(journal, folder, options.keep or configuration.keep)
    except NothingToCopyError as nothing:
        if not options.if_any:
            raise
        say(str(nothing))
        return 0
    say(f"All matches are copied to {kept}.")
    return 0

"""`companion doctor`: what of a table works, what does not, and what to do about it."""

import argparse
from pathlib import Path

from companion.commands import DOCTORS
from companion.commands.arguments import add_configuration, add_journal
from companion.commands.command_parser import add_commands
from companion.commands.console import complain, say
from companion.commands.journal_choice import journal_of_table
from companion.config.table_file import read_configuration, usual_configuration
from companion.core.errors import CompanionError
from companion.doctor.bundle import BundleWish, write_bundle
from companion.doctor.checkup import examine

NAME = "doctor"
HELP = "check what works and what does not, and say what to do about it"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the findings as one JSON list")
    about = "write all that somebody needs to help into this file; it is sent nowhere"
    parser.add_argument("--bundle", type=Path, metavar="FILE.zip", help=about)
    parser.add_argument("--without-names", action="store_true", help="leave the names of players out of the bundle")
    add_configuration(parser, "the table.toml of this table")
    add_journal(parser)
    title = "what to look at (default: everything in short)"
    add_commands(parser, DOCTORS, title=title, metavar="WHAT", dest="what")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Of one device; a default would undo what stands before its name."""
    about = "print the result as one JSON object"
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help=about)


def must_not_bundle(options: argparse.Namespace) -> None:
    """Where one device is looked at, there is nothing to be put into a file."""
    if options.bundle or options.without_names:
        raise CompanionError("A bundle is of everything: leave out what is to be looked at.")


def run(options: argparse.Namespace) -> int:
    configuration = read_configuration(options.configuration or usual_configuration())
    journal = journal_of_table(options.journal, configuration)
    if options.without_names and not options.bundle:
        raise CompanionError("--without-names is of a bundle: add --bundle FILE.zip.")
    if options.bundle:
        write_bundle(BundleWish(options.bundle, journal, configuration, not options.without_names), say)
        return 0
    for notice in configuration.notices:
        complain(notice)
    return examine(journal, say, configuration, as_json=options.json)

"""`companion board import`: matches from files, for a board that has not heard all of them."""

import argparse
from pathlib import Path

from companion.commands.board_command import add_database, opened_books
from companion.commands.console import say
from companion.core.errors import CompanionError

NAME = "board import"
HELP = "take in matches that `companion export` has written; what is there already stays as it is"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="+", metavar="FILE", help="what `companion export` has written")
    parser.add_argument("--table", required=True, metavar="NAME", help="the table at which they were played")
    add_database(parser)


def run(options: argparse.Namespace) -> int:
    with opened_books(options) as books:
        from companion.board.match_files import take_in  # noqa: PLC0415  (it is there: the books are)
        from companion.board.reading import is_table  # noqa: PLC0415

        if not is_table(options.table):
            raise CompanionError(f"--table {options.table[:40]!r}: small letters, digits, - and _, as in [publish].")
        for file in options.file:
            match, entries = take_in(file, options.table, books.results)
            say(f"Taken in: match {match}, {entries} entries.")
    return 0

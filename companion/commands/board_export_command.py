"""`companion board export`: results as a table, for a spreadsheet or a program."""

import argparse
import csv
import io

from companion.commands.board_command import add_database, open_results
from companion.commands.console import write
from companion.core.codec import written

NAME = "board export"
HELP = "print results, a line for each player of each match: CSV, or JSON"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would work it out


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON list instead")
    add_database(parser)


def run(options: argparse.Namespace) -> int:
    results = open_results(options)
    from companion.board.results import ResultRow  # noqa: PLC0415  (it is there: the results are)

    rows = results.rows()
    if options.json:
        write(written([row._asdict() for row in rows]) + "\n")
        return 0
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(ResultRow._fields)
    table.writerows([_harmless(value) for value in row] for row in rows)
    write(page.getvalue())
    return 0


def _harmless(value: object) -> object:
    """A name is never a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value

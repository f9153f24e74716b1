"""`companion board export`: what the board has as a table, for a spreadsheet or a program."""

import argparse
import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from companion.commands.board_command import add_database, opened_books
from companion.commands.console import write
from companion.core.codec import written
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from companion.board.books import BoardBooks

NAME = "board export"
HELP = "print results, players, times, tournaments, a match move by move: CSV, or JSON"
WHAT = ("results", "players", "accounts", "times", "tournaments", "pairings", "changes", "course", "all")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would work it out

Table = tuple[Sequence[str], list[Any]]


def arguments(parser: argparse.ArgumentParser) -> None:
    about = f"one of {', '.join(WHAT)}; all: everything but courses, as JSON (default: results)"
    parser.add_argument("table", nargs="?", choices=WHAT, default="results", metavar="WHAT", help=about)
    parser.add_argument("--match", default="", metavar="CODE", help="whose course")
    parser.add_argument("--json", action="store_true", help="one JSON list instead")
    add_database(parser)


def run(options: argparse.Namespace) -> int:
    if (options.table == "course") != bool(options.match):
        raise CompanionError("companion board export course --match CODE: either needs the other.")
    with opened_books(options) as books:
        if options.table == "all":
            told = {name: _plain(_table(books, name)) for name in WHAT if name not in ("course", "all")}
            write(written(told) + "\n")
        else:
            table = _course(books, options.match) if options.match else _table(books, options.table)
            write(written(_plain(table)) + "\n" if options.json else _csv(table))
    return 0


def _table(books: "BoardBooks", name: str) -> Table:
    from companion.board.exports import TABLES  # noqa: PLC0415  (it is there: the books are)
    from companion.board.results import ResultRow  # noqa: PLC0415

    if name == "results":
        return ResultRow._fields, books.results.rows()
    kind, rows = TABLES[name]
    return kind._fields, [*rows(books)]


def _course(books: "BoardBooks", code: str) -> Table:
    from companion.board.exports import ExportedMove, course_rows  # noqa: PLC0415
    from companion.board.pages import said, words_in  # noqa: PLC0415

    course = books.results.course(code)
    if not course:
        raise CompanionError(f"There is no match {code[:64]!r} here.")
    return ExportedMove._fields, [*course_rows(course, lambda entry: said(entry, words_in("en")))]


def _plain(table: Table) -> list[dict[str, Any]]:
    return [row._asdict() for row in table[1]]


def _csv(table: Table) -> str:
    page = io.StringIO()
    lines = csv.writer(page, lineterminator="\n")
    lines.writerow(table[0])
    lines.writerows(_harmless(row) for row in table[1])
    return page.getvalue()


def _harmless(row: Iterable[object]) -> list[object]:
    """A name is never a formula."""
    return [f"'{one}" if isinstance(one, str) and one.startswith(_FORMULA) else one for one in row]

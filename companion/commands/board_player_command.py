"""`companion board player`: who is behind which name of which table. Equal names are not joined by themselves."""

import argparse
from typing import TYPE_CHECKING

from companion.commands.board_command import add_database, opened_books
from companion.commands.command_parser import Parser
from companion.commands.console import say

if TYPE_CHECKING:
    from companion.board.books import BoardBooks

NAME = "board player"
HELP = "say which names of tables are one player: add, join, part, rename, remove, list"


def arguments(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(
        dest="act", parser_class=Parser, required=True, metavar="add | join | part | rename | remove | list"
    )
    add = acts.add_parser("add", help="a new player of this board")
    join = acts.add_parser("join", help="this name of these tables is that player, in matches of before too")
    part = acts.add_parser("part", help="this name of these tables is nobody's any more")
    rename = acts.add_parser("rename", help="give a player another name")
    remove = acts.add_parser("remove", help="forget a player; the matches stay, under the names of the tables")
    listing = acts.add_parser("list", help="who is there, and which names of tables are nobody's yet")
    for one in (add, join, rename, remove):
        one.add_argument("player", metavar="PLAYER")
    rename.add_argument("to", metavar="NEW")
    for one in (join, part):
        one.add_argument("--name", required=True, help="as it is at the table")
        where = one.add_mutually_exclusive_group(required=True)
        where.add_argument("--table", action="append", metavar="NAME", help="may be repeated")
        where.add_argument("--every-table", action="store_true", help="whoever is called so, wherever")
    for one in (add, join, part, rename, remove, listing):
        add_database(one)


def run(options: argparse.Namespace) -> int:
    with opened_books(options) as books:
        _do(options, books)
    return 0


def _do(options: argparse.Namespace, books: "BoardBooks") -> None:
    from companion.board.accounts import EVERY_TABLE  # noqa: PLC0415  (it is there: the books are)

    tables = [EVERY_TABLE] if getattr(options, "every_table", False) else getattr(options, "table", None) or []
    match options.act:
        case "add":
            books.accounts.add(options.player)
        case "join":
            for table in tables:
                books.accounts.join(options.player, table, options.name)
        case "part":
            for table in tables:
                books.accounts.part(table, options.name)
        case "rename":
            books.accounts.rename(options.player, options.to)
        case "remove":
            books.accounts.remove(options.player)
        case _:
            _list(books)


def _list(books: "BoardBooks") -> None:
    registry = books.accounts.registry()
    for account, player in sorted(registry.names.items(), key=lambda one: one[1]):
        names = ", ".join(f"{name} at {table or 'every table'}" for table, name in registry.names_of(account))
        of_tables = names or "no name of a table yet"
        say(f"{player}: {of_tables}")
    nobodys = {(line.player.table, line.player.name) for line in books.club().players if not line.player.account}
    for table, name in sorted(nobodys):
        say(f"nobody's: {name} at {table}")

"""`companion board rebuild`: everything that follows from the entries, made anew."""

import argparse

from companion.commands.board_command import add_database, opened_books
from companion.commands.console import say

NAME = "board rebuild"
HELP = "work out matches, results and players anew from the entries that were heard"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_database(parser)


def run(options: argparse.Namespace) -> int:
    with opened_books(options) as books:
        say(f"Made anew: {books.results.make_anew()} matches.")
    return 0

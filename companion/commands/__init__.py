"""The commands, one module each: its name, its line of help, its arguments, and what it does.

A module is loaded when its command is asked for. So that the list of commands can be shown without loading them, their
lines of help stand here too.
"""

from argparse import ArgumentParser, Namespace
from importlib import import_module
from typing import Protocol, cast

COMMANDS = {
    "referee": "read moves from standard input and write rulings, one JSON object a line (docs/protocol.md)",
    "demo": "let bots play a match and print the rulings",
    "rules": "explain a game in a few sentences and list its house rules",
    "matches": "list the matches that were played",
    "replay": "print a match again, ruling by ruling",
    "export": "write a match as a file that can be imported elsewhere, or as a score sheet",
    "import": "add an exported match to the journal",
    "backup": "copy the journal to the stick named COMPANION or to a folder",
    "print": "make mats, and the cards or pieces of a game, as PDF or pictures (docs/printing.md)",
    "plan": "say how high a camera has to be over a mat, and draw it (docs/build/camera.md)",
    "teach": "teach a deck of one's own, from pictures of nine faces each or before a camera (docs/decks.md)",
    "decks": "list, show, rename, delete, export and import the decks that were taught (docs/decks.md)",
    "read": "tell what lies on the nine cells in pictures of a table, or why that cannot be told",
    "watch": "watch a table and tell what is laid where; with a game, rule on it too",
    "doctor": "check what works and what does not, and say what to do about it",
    "board": "show on phones what tables publish: a service of its own, beside a broker (docs/board.md)",
}
DOCTORS = {
    "doctor buttons": "walk around the table and press each button when asked",
    "doctor fairness": "measure the margin of a tie on this very table, and print a certificate of it",
    "doctor camera": "check what the camera or a picture shows, and say how to see better",
    "doctor reader": "check what reads the cards, how well, and whether it works",
}
BOARDS = {
    "board try": "play with the score on a web page, with a broker of its own; what stands behind -- is for the table",
    "board import": "take in matches that `companion export` has written; what is there already stays as it is",
    "board player": "say which names of tables are one player: add, join, part, rename, remove, list",
    "board tournament": "make a league or a tournament, pair its rounds, and tell how it stands",
    "board export": "print results, players, times, tournaments, a match move by move: CSV, or JSON",
    "board rebuild": "work out matches, results and players anew from the entries that were heard",
}
TABLE = "table"  # what is opened without a command


class Command(Protocol):
    """A module of this package that ends in `_command`."""

    NAME: str
    HELP: str

    @staticmethod
    def arguments(parser: ArgumentParser) -> None:
        """Add the arguments of this command."""

    @staticmethod
    def run(options: Namespace) -> int:
        """Do it, and return the exit code."""


def command(name: str) -> Command:
    """The command of that name, loaded now."""
    return cast("Command", import_module(f"{__name__}.{name.replace(' ', '_')}_command"))

"""`companion decks`: the decks that were taught here or brought along."""

import argparse
from pathlib import Path

from companion.commands.arguments import game_name
from companion.commands.command_parser import Parser
from companion.core.packages import packages
from companion.games import NAMES

NAME = "decks"
HELP = "list, show, rename, delete, export and import the decks that were taught (docs/decks.md)"


def arguments(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(
        dest="act", parser_class=Parser, metavar="list | show | faces | rename | delete | export | import"
    )
    acts.add_parser("list", help="list the decks that are here; `companion decks` does the same")
    show = acts.add_parser("show", help="tell which faces of a deck are known, and which are missing")
    show.add_argument("deck", metavar="NAME | FILE", help="a name of `companion decks`, or a .deck file")
    show.add_argument("--picture", type=Path, metavar="OUT", help="write small pictures of its faces into this .jpg")
    faces = acts.add_parser("faces", help="tell what the faces of a game are called, in their order")
    faces.add_argument("game", type=game_name, choices=NAMES, metavar="GAME")
    rename = acts.add_parser("rename", help="give a deck another name")
    rename.add_argument("deck", metavar="NAME")
    rename.add_argument("to", metavar="NEW")
    delete = acts.add_parser("delete", help="delete a deck")
    delete.add_argument("deck", metavar="NAME")
    export = acts.add_parser("export", help="copy a deck into a folder, to send it or carry it elsewhere")
    export.add_argument("deck", metavar="NAME")
    export.add_argument("to", type=Path, metavar="FOLDER")
    bring = acts.add_parser("import", help="take in a deck that somebody sent")
    bring.add_argument("file", type=Path, metavar="FILE")


def run(options: argparse.Namespace) -> int:
    with packages():
        from companion.commands.deck_keeping import keep_decks  # noqa: PLC0415  (loads NumPy)

    return keep_decks(options)

"""`companion read`: tells what lies on the nine cells in pictures of a table."""

import argparse
from pathlib import Path

from companion.commands.arguments import add_deck
from companion.commands.console import complain, say
from companion.commands.picture_wish import wished
from companion.core.packages import packages

NAME = "read"
HELP = "tell what lies on the nine cells in pictures of a table, or why that cannot be told"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture, or - for the standard input")
    about = "print one JSON object a line for each picture (docs/reading.md)"
    parser.add_argument("--json", action="store_true", help=about)
    about = "draw what was read into this .png or .jpg; of several pictures, into this folder"
    parser.add_argument("--picture", type=Path, metavar="OUT", help=about)
    parser.add_argument("--no-mat", action="store_true", help="do not look for the markers of a mat, only for cards")
    parser.add_argument(
        "--corners",
        metavar='"x,y x,y x,y x,y"',
        help="the four outer corners of the cards, clockwise from the top left",
    )
    add_deck(parser)


def run(options: argparse.Namespace) -> int:
    wish = wished(options)
    with packages():
        from companion.commands.picture_reading import read_pictures  # noqa: PLC0415  (loads NumPy and OpenCV)

        return read_pictures(wish, say, complain)

"""`companion teach`: makes a deck of one's own readable, from pictures of it or before the camera."""

import argparse
from pathlib import Path

from companion.core.errors import CompanionError
from companion.core.game_faces import taught_games
from companion.core.packages import packages
from companion.games import NAMES

NAME = "teach"
IS_MIXED = True  # pictures may stand behind options
HELP = "teach a deck of one's own, from pictures of nine faces each or before a camera (docs/decks.md)"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="what the deck is called; a deck of that name is gone on with")
    games = ", ".join(taught_games())
    parser.add_argument("--game", required=True, metavar="GAME", help=f"whose faces it has: {games}")
    about = "pictures of the mat with up to nine faces each; or camera, webcam:0, a film, a folder of pictures"
    parser.add_argument("sources", nargs="*", default=["camera"], metavar="SOURCE | PICTURE", help=about)
    about = "a file with a row picture,place,face for each face, places from 1 to 9; also back, and mat for none"
    parser.add_argument("--labels", type=Path, metavar="FILE", help=about)
    about = "the faces lie in the order of the game's list, row by row (`companion decks faces GAME`)"
    parser.add_argument("--in-order", action="store_true", help=about)
    about = "forget these faces first, to show them anew"
    parser.add_argument("--redo", default="", metavar="FACE,FACE,…", help=about)
    about = "the folder that the file is written into (default: where decks are kept)"
    parser.add_argument("--to", type=Path, metavar="FOLDER", help=about)


def run(options: argparse.Namespace) -> int:
    if options.game not in NAMES:
        raise CompanionError(f"--game {options.game[:40]}: there is no such game; there are {', '.join(NAMES)}.")
    if options.labels and options.in_order:
        raise CompanionError("--labels and --in-order contradict each other.")
    with packages():
        from companion.commands.deck_teaching import teach  # noqa: PLC0415  (loads NumPy and OpenCV)

    return teach(options)

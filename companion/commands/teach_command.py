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
    parser.add_argument(
        "name", metavar="NAME", help="what the deck is called; if there is one of that name, it is added to"
    )
    games = ", ".join(taught_games())
    parser.add_argument("--game", required=True, metavar="GAME", help=f"the game whose faces the deck has: {games}")
    about = (
        "pictures of the mat with up to nine faces each, or a folder of them; or camera, webcam:0, a film, "
        "a recording, simulated, or a script of the simulated table (default: camera)"
    )
    parser.add_argument("sources", nargs="*", default=["camera"], metavar="SOURCE | PICTURE", help=about)
    about = (
        "names the faces: a file with a row PICTURE,PLACE,FACE for each, places from 1 to 9 row by row; FACE may also "
        "be back or mat"
    )
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

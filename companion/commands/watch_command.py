"""`companion watch`: watches a table and tells what is laid where; with a game, it rules on that too."""

import argparse
from pathlib import Path

from companion.commands.arguments import (
    add_deck,
    add_kept_or_not,
    add_publish,
    add_setup,
    numbers,
    words,
)
from companion.core.errors import CompanionError
from companion.core.packages import packages
from companion.games import NAMES, game, having, title_of_game
from companion.teaching.deck_choice import game_of_deck, must_be_known_deck, printed_deck

NAME = "watch"
HELP = "watch a table and tell what is laid where; with a game, rule on it too"
ONLY_WITH_GAME = ("players", "house", "deals", "seats", "journal", "no_journal", "buttons", "publish")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="camera, webcam:0, a film, a folder of pictures, a recording, simulated, simulated:SEED, or a script of "
        "the simulated table (docs/watching.md)",
    )
    parser.add_argument("--game", metavar="GAME", help=f"rule on what is seen: {_watched()}")
    add_setup(parser)
    about = "the number of cards of each player, if not all get the same"
    parser.add_argument("--deals", type=numbers, default=(), metavar="N,N,…", help=about)
    about = "the side of the mat at which each player sits: top, right, bottom, left"
    parser.add_argument("--seats", type=words, default=(), metavar="SIDE,SIDE,…", help=about)
    add_kept_or_not(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line (docs/watching.md)")
    parser.add_argument(
        "--record", type=Path, metavar="FOLDER", help="keep the frames, so that they can be watched again"
    )
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="keep the cells before and after each play")
    about = "settings of the camera, kept by `companion doctor camera --calibrate`"
    parser.add_argument("--settings", type=Path, metavar="FILE", help=about)
    add_deck(parser, of_game=True)
    parser.add_argument("--no-mat", action="store_true", help="do not look for the markers of a mat, only for cards")
    parser.add_argument("--buttons", type=Path, metavar="FILE", help="what is wired to which pin (docs/wiring.md)")
    add_publish(parser)


def run(options: argparse.Namespace) -> int:
    options.deck = options.deck or printed_deck(options.game or "")
    _must_make_sense(options)
    with packages():
        from companion.commands.watch_assembly import watch_table  # noqa: PLC0415  (loads NumPy and OpenCV)

    return watch_table(options)


def _watched() -> str:
    """The games that can be ruled on by what is seen."""
    return ", ".join(having("watch"))


def _must_make_sense(options: argparse.Namespace) -> None:
    """Refuse what cannot be done before anything is opened."""
    must_be_known_deck(options.deck)
    if not options.game:
        given = next((one for one in ONLY_WITH_GAME if getattr(options, one)), "")
        if given:
            raise CompanionError(f"--{given.replace('_', '-')} needs a game to rule on: add --game {_watched()}.")
        return
    if options.game not in NAMES:
        asked = options.game[:40]
        raise CompanionError(f"--game {asked}: there is no such game; what is watched is {_watched()}.")
    if options.game not in having("watch"):
        raise CompanionError(
            f"--game {options.game}: {game(options.game).title} cannot be watched yet; what is watched is {_watched()}."
        )
    of = game_of_deck(options.deck)
    if of != options.game:
        raise CompanionError(
            f"--game {options.game} and the deck {options.deck} do not belong together: it has the cards of "
            f"{title_of_game(of)}."
        )
    if options.no_journal and options.journal:
        raise CompanionError("--journal and --no-journal contradict each other.")
